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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from ..games.errors import ParameterError, UnsupportedElicitation
from . import arguments, prompts
from .answers import no_label_probability, read_label, read_mix
from .asking import Asking, Talk
from .backends.dialects import CONSTRAINED
from .chat import Message, Reply
from .views import PlayerView

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
            option and 0 if not. Nothing of draws under a grammar, which hides what else the model
            would have said.
        stated_sums: of each stated mix, what the stated probabilities added up to.
        unlisted: of each label that the server did not list, the most that it can have had.
        substituted: answers that stand for uniform play because the model gave none.
        failures: how often an answer named no move, by `Failure`.
    """

    probabilities: tuple[float, ...]
    draws: tuple[int, ...] | None = None
    legal_mass: tuple[float, ...] = ()
    stated_sums: tuple[float, ...] = ()
    unlisted: tuple[float, ...] = ()
    substituted: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)


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
        talk = Talk(asking, view)
        masses, unlisted = [], []

        def weights(rotation: int) -> Sequence[float] | None:
            messages = prompts.ask_for_label(asking.brief, view, rotation)
            reply = asking.ask(talk.question(messages, rotation, "probabilities"))
            asking.told()
            listed = reply.label_probabilities
            if listed is None:
                raise UnsupportedElicitation(
                    f"{asking.client.backend.model} gives no probabilities of tokens; ask with "
                    "elicitation samples:N or stated"
                )
            found = [listed.get(name, 0.0) for name in names]
            masses.append(math.fsum(found))
            if reply.unlisted > 0.0:  # else all is listed, and what is not there is 0
                unlisted.extend(reply.unlisted for name in names if name not in listed)
            if masses[-1] > 0.0:
                return found
            talk.give_up(reply, no_label_probability(reply), tries=1)
            return None

        return Elicited(
            talk.average(weights),
            legal_mass=tuple(masses),
            unlisted=tuple(unlisted),
            substituted=talk.substituted,
            failures=talk.failures,
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
        if arguments.whole("n", self.n, 0) < 2:
            raise ParameterError(
                f"samples:{self.n}: take at least 2 draws, one for each half of the split"
            )
        arguments.whole("max_tokens", self.max_tokens, 1)

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
        constrained = asking.client.dialect in CONSTRAINED
        orders = [prompts.ask_for_label(asking.brief, view, r) for r in range(count)]
        talk = Talk(asking, view)
        draws, masses = [], []
        for draw in range(self.n):
            rotation = _chosen(count, "rotation", orders[0], draw)
            # With one seed for all questions, draws at different sets would not be independent.
            seed = _chosen(SEEDS, "seed", orders[0], draw)
            question = talk.question(
                orders[rotation], rotation, "label", seed=seed, max_tokens=self.max_tokens
            )

            def read(reply: Reply, options: Sequence[str] = question.options) -> int:
                return read_label(reply, names, options, constrained=constrained)

            place, first = talk.answer(question, read, draw)
            if place is None:
                place = _chosen(count, "substitute", orders[0], draw)
            draws.append((place + rotation) % count)
            if not constrained:
                masses.append(float(first))
        return Elicited(
            tuple(draws.count(place) / self.n for place in range(count)),
            draws=tuple(draws),
            legal_mass=tuple(masses),
            substituted=talk.substituted,
            failures=talk.failures,
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

    def __post_init__(self) -> None:
        arguments.whole("max_tokens", self.max_tokens, 1)

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
        talk = Talk(asking, view)
        longest = self.max_tokens * (count + 1)
        sums = []

        def weights(rotation: int) -> Sequence[float] | None:
            messages = prompts.ask_for_mix(asking.brief, view, rotation)
            question = talk.question(messages, rotation, "mix", temperature=0.0, max_tokens=longest)
            stated, _ = talk.answer(question, lambda reply: read_mix(reply, names))
            if stated is not None:
                sums.append(math.fsum(stated))
            return stated

        return Elicited(
            talk.average(weights),
            stated_sums=tuple(sums),
            substituted=talk.substituted,
            failures=talk.failures,
        )


def checked_elicitation(value: Any) -> Elicitation:
    """The elicitation that is given, or named by its specification.

    Raises:
        ParameterError: it is neither.
    """
    if isinstance(value, str):
        return elicitation_from_spec(value)
    methods = (getattr(value, method, None) for method in ("calls", "elicit"))
    if isinstance(value, type) or not all(map(callable, methods)):
        raise ParameterError(
            f"elicitation={arguments.shown(value)}: write labels, samples:N or stated, or give a "
            "LabelProbabilities(), Samples(n) or StatedMix()"
        )
    return value


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


def _chosen(count: int, purpose: str, messages: Sequence[Message], draw: int) -> int:
    """A number below ``count``, uniform over questions and draws, the same in every run."""
    text = "\n".join([purpose, str(draw), *(message.content for message in messages)])
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:16], "big") % count
