"""Policies that must be asked for: what an evaluation needs of them, and what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from ..solvers.profile import Profile
from ..solvers.tree import GameTree
from .draws import Draws

HALF = 0.5
"""A legal mass below this is said with the result: most of what the model said was no move."""
UNTOLD_NOTE = (
    "The game has no rules in words: the model is told its name, the players, what its player "
    "knows and the options, and no rules. Tell it the rules with rules= (at the command line, "
    "--rules FILE)."
)


@dataclass(frozen=True)
class ElicitationRecord:
    """How a policy was obtained from a language model.

    Attributes:
        model: the declared name of the model.
        elicitation: how it was asked, such as ``labels`` or ``samples:100``: the same model asked
            in another way has another policy.
        legal_mass: how much of the answers lay on legal moves before anything was masked: the mean
            over the calls, in [0, 1]; of draws, the share of first answers that named an option.
            None where the elicitation does not tell.
        lowest_legal_mass: the smallest over the calls; None where ``legal_mass`` is, and for draws.
        stated_sums: the smallest and the largest sum of the probabilities that the model stated;
            None unless it was asked to state them.
        calls: answered calls that the policy rests on, made now or replayed.
        new_calls: those made now.
        tokens: tokens of these calls, by ``prompt`` and ``completion``; None where a server does
            not tell them.
        failures: how often each kind of failure was met, by name.
        answers: answers that the policy is made of, reminders not counted; None if not known.
        substituted: those of them that stand for uniform play because the model named no move.
        unlisted: how many label probabilities the server did not list; they count as 0.
        unlisted_bound: the most that one of them can have been.
        rules_told: whether the model was told any rules in words.
    """

    model: str
    elicitation: str
    legal_mass: float | None
    lowest_legal_mass: float | None
    stated_sums: tuple[float, float] | None
    calls: int
    new_calls: int
    tokens: Mapping[str, int | None]
    failures: Mapping[str, int] = field(default_factory=dict)
    substituted: int = 0
    unlisted: int = 0
    unlisted_bound: float = 0.0
    answers: int | None = None
    rules_told: bool = True

    def to_json(self) -> dict[str, Any]:
        """JSON values: the same for a run and for its replay, hence without `new_calls`."""
        return {
            "model": self.model,
            "elicitation": self.elicitation,
            "legal_mass": self.legal_mass,
            "lowest_legal_mass": self.lowest_legal_mass,
            "stated_sums": None if self.stated_sums is None else list(self.stated_sums),
            "calls": self.calls,
            "tokens": dict(self.tokens),
            "failures": dict(self.failures),
            "answers": self.answers,
            "substituted": self.substituted,
            "unlisted": self.unlisted,
            "rules_told": self.rules_told,
        }

    def lines(self) -> list[str]:
        """The record in words."""
        made = f"{self.new_calls:,} of them now" if self.new_calls else "all from the store"
        prompt, answer = self.tokens.get("prompt"), self.tokens.get("completion")
        tokens = "tokens not known"
        if prompt is not None and answer is not None:
            tokens = f"{prompt:,} prompt + {answer:,} answer tokens"
        words = [
            f"asked for {self.elicitation}: {self.calls:,} calls ({made})",
            tokens,
        ]
        if self.legal_mass is not None:
            lowest = self.lowest_legal_mass
            words.append(
                f"legal mass {self.legal_mass:.4g}"
                + ("" if lowest is None else f" on average, {lowest:.4g} at the lowest")
            )
        elif self.calls and self.elicitation.startswith("samples"):
            words.append("legal mass not known: a grammar let the model name nothing but options")
        if self.stated_sums is not None:
            words.append(
                "stated probabilities summed to {:.4g} .. {:.4g}".format(*self.stated_sums)
            )
        if self.failures:
            counts = ", ".join(f"{name} {count:,}" for name, count in self.failures.items())
            words.append(f"failures: {counts}")
        return words

    def caution(self) -> str:
        """Why the policy is hardly the model's own; empty if it is."""
        if self.substituted:
            of = "" if self.answers is None else f" of {self.answers:,}"
            alone = "" if self.answers in (None, self.substituted) else " alone"
            return (
                f"{self.substituted:,}{of} answers were substituted by uniform play: this is not "
                f"the model's policy{alone}"
            )
        if self.legal_mass is None or self.legal_mass >= HALF:
            return ""
        if self.lowest_legal_mass is None:
            return f"only {self.legal_mass:.2g} of the model's first answers named a move"
        return (
            f"only {self.legal_mass:.2g} of the model's probability lay on the labels, on average: "
            "the policy is what is left when all else is masked"
        )

    def remarks(self) -> tuple[str, ...]:
        """What has to be kept with the policy, wherever it goes."""
        origin = f"The policy of {self.model}, asked for {self.elicitation}."
        # What was substituted is among the notes.
        caution = "" if self.substituted else self.caution()
        masked = (f"{caution[0].upper()}{caution[1:]}.",) if caution else ()
        return (origin, *masked, *self.notes())

    def notes(self) -> tuple[str, ...]:
        """What a reader of the evaluation has to know."""
        found = []
        if not self.rules_told:
            found.append(UNTOLD_NOTE)
        if self.substituted:
            found.append(
                f"{self.substituted:,} answers named no move; by request uniform play stands in "
                "for them, which is not the model's own."
            )
        if self.unlisted:
            found.append(
                f"The server did not list {self.unlisted:,} label probabilities; they count as 0 "
                f"and were at most {self.unlisted_bound:.3g} each."
            )
        return tuple(found)


@runtime_checkable
class AskedPolicy(Protocol):
    """A policy that is asked at every information set of a compiled tree."""

    def tabulate(
        self, tree: GameTree, progress: Callable[[int, int], None] | None = None
    ) -> Profile | Draws:
        """The policy at every information set: its probabilities, or draws if it has only those.

        Args:
            tree: the compiled game.
            progress: called with the calls answered, and how many there are.
        """
        ...

    def record(self) -> ElicitationRecord:
        """How it was obtained, so far."""
        ...

    @property
    def draws_only(self) -> bool:
        """Whether only draws are known, no probabilities."""
        ...
