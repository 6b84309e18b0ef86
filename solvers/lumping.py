"""Exact solution of games with interchangeable seats, by lumping positions.

Two positions of which one is the other with the seats renamed have the same values if the rules do
not depend on the numbers of the seats (`Interchangeable`) and policies do not either. So each
position is replaced by a *canonical* one, its seats sorted by their signatures, and all positions
with the same canonical one are one *lump*. Where signatures leave a tie between seats that are not
alike after all, positions that could be lumped stay apart: that costs time, never exactness. A game
of 27 players, whose tree no computer holds, has some hundred lumps.

Three questions are asked of the lumps: how likely each outcome is under a policy
(`outcome_probabilities`), what a team that sees the position can make of it
(`optimal_probability`), and how many leaves the whole tree has (`count_leaves`). What a player can
do that does not see the position is asked in `lumped_response`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ..games.errors import PolicyError
from ..games.rules import CHANCE, TERMINAL
from .acyclic import Acyclic, Alternative, Branch, Number
from .lumps import Lumping, Mixture, Playable, Policy
from .tree_size import Progress

DEFAULT_MAX_LUMPS = 200_000
PICKS: dict[str, Callable[..., Number]] = {"max": max, "min": min}

Decision: TypeAlias = Mixture | Literal["max", "min"]
"""What the mover does, or that it makes the outcome as likely or as unlikely as it can."""

Decisions: TypeAlias = Callable[[Any, Any], Decision]
"""Like `Policy`, with some decisions left open."""


@dataclass(frozen=True)
class OutcomeProbabilities:
    """How likely each outcome is.

    Attributes:
        probabilities: of the outcomes that are possible; they sum to exactly 1.
        lumps: the number of lumps.
    """

    probabilities: Mapping[str, Fraction]
    lumps: int

    def __getitem__(self, outcome: str) -> Fraction:
        return self.probabilities.get(outcome, Fraction(0))


@dataclass(frozen=True)
class LumpedValue:
    """An exact value.

    Attributes:
        value: the probability or number asked for, at the start.
        lumps: the number of lumps it took.
        values: the same from every lump on, by canonical position (of a response: by belief).
    """

    value: Fraction
    lumps: int
    values: Mapping[Any, Fraction | int] = field(repr=False, compare=False)

    @classmethod
    def of(cls, graph: Acyclic[Any]) -> LumpedValue:
        """The values of a graph."""
        values = graph.values()
        return cls(Fraction(values[graph.root]), len(graph), values)


def outcome_probabilities(
    game: Playable,
    policy: Policy,
    *,
    start: Any = None,
    lump: bool = True,
    max_lumps: int = DEFAULT_MAX_LUMPS,
    progress: Progress | None = None,
) -> OutcomeProbabilities:
    """How likely each outcome is if every mover follows a policy.

    Args:
        game: a name or game string, an OpenSpiel game, or rules; with interchangeable seats.
        policy: what every mover does; see `Policy`.
        start: the position where the play begins, by default the initial one.
        lump: whether to lump positions that are renamings of each other; without it only equal
            positions are one, which needs no interchangeable seats.
        max_lumps: the largest number of lumps to accept.
        progress: called with the number of lumps found, now and then.

    Raises:
        NotInterchangeable: the seats are not interchangeable.
        TooManyLumps: more than ``max_lumps``.
        PolicyError: what the policy says is no distribution over the legal actions.
        InexactError: it has a probability that is not exact.
    """
    lumping = Lumping(game, lump=lump)
    rules = lumping.rules

    def branch(position: Any) -> Branch[Any]:
        if rules.mover(position) == TERMINAL:
            return _constant(0)
        weights = lumping.weights(position, policy)
        return Branch(max, (Alternative(0, lumping.successors(position, weights)),))

    graph = lumping.explored(branch, start, max_lumps, progress)
    found: dict[str, Fraction] = {}
    for position, reach in graph.reaches().items():
        if rules.mover(position) == TERMINAL:
            outcome = rules.outcome(position)
            found[outcome] = found.get(outcome, Fraction(0)) + reach
    return OutcomeProbabilities(dict(sorted(found.items())), len(graph))


def optimal_probability(
    game: Playable,
    outcome: str,
    decisions: Decisions,
    *,
    start: Any = None,
    lump: bool = True,
    max_lumps: int = DEFAULT_MAX_LUMPS,
    progress: Progress | None = None,
) -> LumpedValue:
    """How likely an outcome is if some movers choose what is best for it, or worst.

    Those who choose see the whole position, hidden parts included. So the value is that of teams
    that know everything, as wolves do among villagers, or whose choices depend on public things
    only; for others it is a bound.

    Args:
        game: a name or game string, an OpenSpiel game, or rules; with interchangeable seats.
        outcome: whose probability it is.
        decisions: ``max``, ``min`` or probabilities at each position; see `Decisions`.
        start: the position where the play begins, by default the initial one.
        lump: whether to lump positions that are renamings of each other; without it only equal
            positions are one, which needs no interchangeable seats.
        max_lumps: the largest number of lumps to accept.
        progress: called with the number of lumps found, now and then.

    Raises:
        NotInterchangeable: the seats are not interchangeable.
        TooManyLumps: more than ``max_lumps``.
        PolicyError: a decision is neither ``max`` nor ``min`` nor a distribution.
        InexactError: it has a probability that is not exact.
    """
    lumping = Lumping(game, lump=lump)
    rules = lumping.rules

    def branch(position: Any) -> Branch[Any]:
        mover = rules.mover(position)
        if mover == TERMINAL:
            return _constant(int(rules.outcome(position) == outcome))
        decision = {} if mover == CHANCE else decisions(rules, position)
        if not isinstance(decision, str):
            weights = lumping.weights(position, lambda *_: decision)
            return Branch(max, (Alternative(0, lumping.successors(position, weights)),))
        if decision not in PICKS:
            raise PolicyError(
                f"{rules.name}: {decision!r} is no decision; give 'max', 'min' or the "
                "probabilities of the actions"
            )
        each = lumping.successors(position, dict.fromkeys(rules.legal_actions(position), 1))
        return Branch(PICKS[decision], tuple(Alternative(0, {lump: 1}) for lump in each))

    graph = lumping.explored(branch, start, max_lumps, progress)
    return LumpedValue.of(graph)


def count_leaves(
    game: Playable,
    *,
    start: Any = None,
    lump: bool = True,
    max_lumps: int = DEFAULT_MAX_LUMPS,
    progress: Progress | None = None,
) -> LumpedValue:
    """The number of terminal nodes of the whole game tree, without building it.

    Args:
        game: a name or game string, an OpenSpiel game, or rules; with interchangeable seats.
        start: the position where the play begins, by default the initial one.
        lump: whether to lump positions that are renamings of each other; without it only equal
            positions are one, which needs no interchangeable seats.
        max_lumps: the largest number of lumps to accept.
        progress: called with the number of lumps found, now and then.

    Raises:
        NotInterchangeable: the seats are not interchangeable.
        TooManyLumps: more than ``max_lumps``.
    """
    lumping = Lumping(game, lump=lump)
    rules = lumping.rules

    def branch(position: Any) -> Branch[Any]:
        if rules.mover(position) == TERMINAL:
            return _constant(1)
        each = dict.fromkeys(rules.actions(position), 1)
        return Branch(max, (Alternative(0, lumping.successors(position, each)),))

    graph = lumping.explored(branch, start, max_lumps, progress)
    return LumpedValue.of(graph)


def _constant(value: Number) -> Branch[Any]:
    """The end of the game."""
    return Branch(max, (Alternative(value, {}),))
