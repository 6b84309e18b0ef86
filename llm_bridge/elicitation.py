"""Elicitation: from a model's answers to a distribution over the legal actions.

"The action distribution of a language model" is not one thing: asked for one token, for a sentence
or for probabilities, the same model at the same information set plays differently. So every
result names its elicitation.

All elicitations show the options under labels, in several orders, because models favour the option
that comes first, whatever it is: each order is a rotation of the options, and the policy is the
average over all rotations. A move without alternative is not asked for.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeVar

from ..games.errors import ElicitationFailed, ParameterError, UnsupportedElicitation
from . import prompts
from .answers import BadAnswer, no_label_probability, read_label, read_mix
from .chat import Message, Question, Reply
from .client import Client
from .failures import FailurePolicy
from .prompts import Brief
from .views import PlayerView

T = TypeVar("T")

SEEDS = 1 << 31
"""Seeds are below this, which every server can take."""


@dataclass(frozen=True, slots=True)
class Elicited:
    """What a model plays at an information set.

    Attributes:
        probabilities: of the legal actions, in their order; they sum to 1. Of draws: frequencies.
        draws: the place of each drawn action among the legal ones, in order of drawing; None if
            nothing was drawn.
        legal_mass: of each distribution asked for, how much of it lay on legal answers: the labels'
            probability before all else is masked, or, of a draw, 1 if the first answer named an
            option and 0 if not.
        stated_sums: of each stated mix, what the stated probabilities added up to.
        unlisted: of each label that the server did not list, the most that it can have had.
        substituted: answers that stand for uniform play because the model gave none.
    """

    probabilities: tuple[float, ...]
    draws: tuple[int, ...] | None = None
    legal_mass: tuple[float, ...] = ()
    stated_sums: tuple[float, ...] = ()
    unlisted: tuple[float, ...] = ()
    substituted: int = 0


@dataclass(frozen=True, slots=True)
class Asking:
    """Everything that an elicitation needs besides the view.

    Attributes:
        client: whom to ask.
        brief: the game in words.
        on_failure: what happens when an answer names no move.
        told: called after each answer.
    """

    client: Client
    brief: Brief
    on_failure: FailurePolicy
    told: Callable[[], None] = lambda: None


class Elicitation(Protocol):
    """A way of asking. Its ``str`` is its specification.

    Attributes:
        draws_only: whether it gives draws, not probabilities.
    """

    draws_only: ClassVar[bool]

    def calls(self, options: int) -> int:
        """How many questions an information set with so many options takes."""
        ...

    def elicit(self, asking: Asking, view: PlayerView) -> Elicited:
        """Asks.

        Raises:
            ElicitationFailed: the answers name no move, and `FailurePolicy.then` is ``raise``.
            UnsupportedElicitation: the model or the game does not allow this way of asking.
            CallFailed, BudgetExhausted, StoreError: see there.
        """
        ...


@dataclass(frozen=True, slots=True)
class LabelProbabilities:
    """The probabilities of one-letter labels as the first token, averaged over all rotations.

    One call per rotation, in each of which the labels' probabilities are divided by their sum, the
    *legal mass*: the distribution of a model that is constrained to the labels by a grammar. Exact
    and without sampling, but the backend must give probabilities.
    """

    name: ClassVar[str] = "labels"
    draws_only: ClassVar[bool] = False

    def __str__(self) -> str:
        return self.name

    def calls(self, options: int) -> int:
        """See `Elicitation`."""
        return options if options > 1 else 0

    def elicit(self, asking: Asking, view: PlayerView) -> Elicited:
        """See `Elicitation`."""
        count = len(view.options)
        if count == 1:
            return Elicited((1.0,))
        if count > prompts.LETTERS:
            raise UnsupportedElicitation(
                f"{view.information_state!r} has {count} actions, but {prompts.LETTERS} letters "
                "are all that a single token can choose from; ask with elicitation samples:N"
            )
        names = prompts.labels(count)
        rows, masses, unlisted, substituted = [], [], [], 0
        for rotation in range(count):
            question = Question(
                prompts.ask_for_label(asking.brief, view, rotation), names, "probabilities"
            )
            reply = asking.client.ask(question)
            asking.told()
            listed = reply.label_probabilities
            if listed is None:
                raise UnsupportedElicitation(
                    f"{asking.client.backend.model} gives no probabilities of tokens; ask with "
                    "elicitation samples:N or stated"
                )
            weights = [listed.get(name, 0.0) for name in names]
            masses.append(math.fsum(weights))
            unlisted += [reply.unlisted for name in names if name not in listed]
            if masses[-1] <= 0.0:
                bad = no_label_probability(reply)
                _give_up(asking, view, reply, bad, tries=1)
                weights, substituted = [1.0] * count, substituted + 1
            rows.append(_turned_back(weights, rotation))
        return Elicited(
            _average(rows),
            legal_mass=tuple(masses),
            unlisted=tuple(unlisted),
            substituted=substituted,
        )


@dataclass(frozen=True, slots=True)
class Samples:
    """Independent draws: answers that name one option, sampled at temperature 1.

    The rotation of each draw is itself drawn (from the question and the draw's number, so that it
    is the same in every run): the draws are independent and identically distributed, as the
    intervals of `crywolf.analysis.estimate` need.

    Attributes:
        n: draws per information set.
        max_tokens: the longest answer; models that reason before they answer need more.
    """

    n: int
    max_tokens: int = 8
    name: ClassVar[str] = "samples"
    draws_only: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.n < 2:
            raise ParameterError(
                f"samples:{self.n}: take at least 2 draws, one for each half of the split"
            )

    def __str__(self) -> str:
        return f"{self.name}:{self.n}"

    def calls(self, options: int) -> int:
        """See `Elicitation`."""
        return self.n if options > 1 else 0

    def elicit(self, asking: Asking, view: PlayerView) -> Elicited:
        """See `Elicitation`."""
        count = len(view.options)
        if count == 1:
            return Elicited((1.0,), draws=(0,) * self.n)
        names = prompts.labels(count)
        orders = [prompts.ask_for_label(asking.brief, view, r) for r in range(count)]
        draws, masses, substituted = [], [], 0
        for draw in range(self.n):
            rotation = _chosen(count, "rotation", orders[0], draw)
            options = prompts.rotated(view.options, rotation)

            def read(reply: Reply, options: Sequence[str] = options) -> int:
                return read_label(reply, names, options)

            # With one seed for all questions, draws at different sets would not be independent.
            seed = _chosen(SEEDS, "seed", orders[0], draw)
            question = Question(
                orders[rotation], names, "label", seed=seed, max_tokens=self.max_tokens
            )
            place, first = _answer(asking, view, question, draw, read)
            if place is None:
                substituted += 1
                place = _chosen(count, "substitute", orders[0], draw)
            draws.append((place + rotation) % count)
            masses.append(float(first))
        return Elicited(
            tuple(draws.count(place) / self.n for place in range(count)),
            draws=tuple(draws),
            legal_mass=tuple(masses),
            substituted=substituted,
        )


@dataclass(frozen=True, slots=True)
class StatedMix:
    """The probabilities that the model says it would play, averaged over all rotations.

    One call per rotation, at temperature 0. Stated probabilities are divided by their sum, which is
    recorded. What a model says is not how it acts; nobody draws from the mix.

    Attributes:
        max_tokens: the longest answer, for each option and for the rest.
    """

    max_tokens: int = 16
    name: ClassVar[str] = "stated"
    draws_only: ClassVar[bool] = False

    def __str__(self) -> str:
        return self.name

    def calls(self, options: int) -> int:
        """See `Elicitation`."""
        return options if options > 1 else 0

    def elicit(self, asking: Asking, view: PlayerView) -> Elicited:
        """See `Elicitation`."""
        count = len(view.options)
        if count == 1:
            return Elicited((1.0,))
        names = prompts.labels(count)
        rows, sums, substituted = [], [], 0
        for rotation in range(count):
            question = Question(
                prompts.ask_for_mix(asking.brief, view, rotation),
                names,
                "mix",
                temperature=0.0,
                max_tokens=self.max_tokens * (count + 1),
            )
            weights, _ = _answer(asking, view, question, 0, lambda reply: read_mix(reply, names))
            if weights is None:
                weights, substituted = (1.0,) * count, substituted + 1
            else:
                sums.append(math.fsum(weights))
            rows.append(_turned_back(weights, rotation))
        return Elicited(_average(rows), stated_sums=tuple(sums), substituted=substituted)


def elicitation_from_spec(text: str) -> Elicitation:
    """The elicitation that ``labels``, ``samples:N`` or ``stated`` names.

    Raises:
        ParameterError: it names none.
    """
    head, colon, tail = text.strip().partition(":")
    if head == LabelProbabilities.name and not colon:
        return LabelProbabilities()
    if head == StatedMix.name and not colon:
        return StatedMix()
    if head == Samples.name and tail.isascii() and tail.isdigit() and len(tail) <= 7:
        return Samples(int(tail))
    raise ParameterError(
        f"elicitation {text!r} is unknown; write labels (probabilities of one-letter labels), "
        "samples:N (N draws at each information set, such as samples:100), or stated"
    )


def _answer(
    asking: Asking,
    view: PlayerView,
    question: Question,
    draw: int,
    read: Callable[[Reply], T],
) -> tuple[T | None, bool]:
    """Asks, and asks again while the answer names no move.

    Returns:
        What was read (None: uniform play stands in), and whether the first answer could be read.
    """
    retries = asking.on_failure.retries
    for trial in range(retries + 1):
        reply = asking.client.ask(question, draw)
        try:
            value = read(reply)
        except BadAnswer as bad:
            if trial == retries:
                _give_up(asking, view, reply, bad, tries=trial + 1)
                break
            asking.client.count(bad.failure)
            again = prompts.ask_again(question.messages, reply.text, bad.reason)
            question = replace(question, messages=again)
        else:
            asking.told()
            return value, trial == 0
    asking.told()
    return None, False


def _give_up(asking: Asking, view: PlayerView, reply: Reply, bad: BadAnswer, tries: int) -> None:
    """Counts a final failure; raises unless uniform play is to stand in."""
    asking.client.count(bad.failure)
    if asking.on_failure.then == "uniform":
        return
    raise ElicitationFailed(
        f"{asking.client.backend.model} names no move at {view.information_state!r} (P"
        f"{view.player + 1}): its answer {reply.text[:200]!r} is {bad.failure.value} after {tries} "
        f"of {tries} tries. Allow more retries, give more tokens, ask in another way, or let such "
        "answers count as uniform play with on_failure='uniform'; they are counted and reported"
    )


def _chosen(count: int, purpose: str, messages: Sequence[Message], draw: int) -> int:
    """A number below ``count``, uniform over questions and draws, the same in every run."""
    text = "\n".join([purpose, str(draw), *(message.content for message in messages)])
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:16], "big") % count


def _turned_back(weights: Sequence[float], rotation: int) -> list[float]:
    """Weights by place shown, divided by their sum and put at the options' own places."""
    total, count = math.fsum(weights), len(weights)
    return [weights[(place - rotation) % count] / total for place in range(count)]


def _average(rows: Sequence[Sequence[float]]) -> tuple[float, ...]:
    means = [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
    total = math.fsum(means)
    return tuple(means) if total == 1.0 else tuple(mean / total for mean in means)
