"""The best that one player with hidden information can do against fixed policies, exactly.

What the player knows is kept as a *belief*: the exact probabilities of the positions that its view
leaves possible. The next belief follows from the player's own action, and from what it observes by
Bayes' rule, as the rules tell it (`Step.observations`): so one choice is made for all positions
that the player cannot tell apart. The others move by policies of the position, so whatever else the
view holds cannot matter to what follows, and two views with the same belief have the same value.
(K. J. Astrom, "Optimal control of Markov processes with incomplete state information", J. Math.
Anal. Appl. 10, 1965.) Beliefs of which one is the other with the seats renamed are one lump.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from ..games.errors import ParameterError
from ..games.rules import TERMINAL
from .acyclic import Acyclic, Alternative, Branch
from .lumping import DEFAULT_MAX_LUMPS, LumpedValue
from .lumps import Lumping, Playable, Policy
from .tree_size import Progress

Weights: TypeAlias = dict[Any, Fraction]
"""Positions with their probabilities."""


class Belief(NamedTuple):
    """What the player holds possible, the seats renamed so that the player is seat 0.

    Attributes:
        moves: whether it is the player's turn; else something must happen that it observes.
        positions: positions with their probabilities, which sum to 1.
    """

    moves: bool
    positions: frozenset[tuple[Any, Fraction]]


def optimal_response(
    game: Playable,
    player: int,
    outcome: str,
    policy: Policy,
    *,
    start: Any = None,
    max_lumps: int = DEFAULT_MAX_LUMPS,
    progress: Progress | None = None,
) -> LumpedValue:
    """How likely a player can make an outcome if all others follow a policy.

    It is the player's best-response value for a payoff of 1 at the outcome and 0 elsewhere, the
    same as on the compiled tree. Beliefs hold whole positions, so this is for few players: the cost
    of a belief grows with the number of positions in it.

    Args:
        game: a name or game string, an OpenSpiel game, or rules; with interchangeable seats.
        player: who chooses, from 0; everybody else moves by the policy.
        outcome: whose probability it is.
        policy: what all others do; see `lumps.Policy`.
        start: the position where the play begins, by default the initial one; the player knows it.
        max_lumps: the largest number of lumps, here beliefs, to accept.
        progress: called with the number of lumps found, now and then.

    Raises:
        ParameterError: there is no such player.
        NotInterchangeable: the seats are not interchangeable.
        TooManyLumps: more than ``max_lumps``.
        PolicyError: what the policy says is no distribution over the legal actions.
        InexactError: it has a probability that is not exact.
    """
    beliefs = _Beliefs(game, outcome, policy)
    rules = beliefs.rules
    if not 0 <= player < rules.num_players:
        raise ParameterError(f"{rules.name} has players 0 to {rules.num_players - 1}, not {player}")
    position = rules.initial().position if start is None else start
    graph = Acyclic.explored(
        beliefs.belief(False, {position: Fraction(1)}, player),
        beliefs.branch,
        lambda: beliefs.lumping.too_many(max_lumps),
        max_lumps,
        progress,
    )
    return LumpedValue.of(graph)


class _Beliefs:
    """The beliefs of seat 0 and what can follow each."""

    def __init__(self, game: Playable, outcome: str, policy: Policy):
        self.lumping = Lumping(game)
        self.rules, self.outcome, self.policy = self.lumping.rules, outcome, policy

    def belief(self, moves: bool, weights: Weights, player: int = 0) -> Belief:
        """The lump of a belief; the weights need not sum to 1."""
        signatures = self.rules.signatures(self.rules.known(next(iter(weights)), player))
        order = sorted(self.lumping.seats, key=lambda seat: (seat != player, signatures[seat]))
        total = sum(weights.values())
        renamed: Weights = {}
        for position, weight in weights.items():
            name = self.lumping.reordered(position, order)
            renamed[name] = renamed.get(name, Fraction(0)) + weight / total
        return Belief(moves, frozenset(renamed.items()))

    def branch(self, belief: Belief) -> Branch[Belief]:
        """The player's alternatives; of a belief without a move, what it may come to observe."""
        weights = dict(belief.positions)
        if not belief.moves:
            return Branch(max, (self._until_news(weights),))
        return Branch(
            max,
            tuple(
                self._after(weights, action)
                for action in self.rules.legal_actions(next(iter(weights)))
            ),
        )

    def _after(self, weights: Weights, action: int) -> Alternative[Belief]:
        """What follows an action of the player, which may show it something at once."""
        told: dict[Any, Weights] = {}
        for position, weight in weights.items():
            after, observations = self.rules.play(position, action)
            _add(told.setdefault(observations[0], {}), after, weight)
        return self._alternative(Fraction(0), {(False, news): w for news, w in told.items()})

    def _until_news(self, weights: Weights) -> Alternative[Belief]:
        """Lets the others and chance move until the player observes something or moves itself."""
        rules = self.rules
        constant = Fraction(0)
        told: dict[tuple[bool, Any], Weights] = {}
        while weights:
            following: Weights = {}
            for position, weight in weights.items():
                mover = rules.mover(position)
                if mover == TERMINAL:
                    constant += weight * int(rules.outcome(position) == self.outcome)
                elif mover == 0:
                    _add(told.setdefault((True, ()), {}), position, weight)
                else:
                    for action, chance in self.lumping.weights(position, self.policy).items():
                        after, observations = rules.play(position, action)
                        news = observations[0]
                        into = told.setdefault((False, news), {}) if news else following
                        _add(into, after, weight * chance)
            weights = following
        return self._alternative(constant, told)

    def _alternative(
        self, constant: Fraction, told: Mapping[tuple[bool, Any], Weights]
    ) -> Alternative[Belief]:
        """The beliefs after what the player may come to observe, which may be alike."""
        successors: dict[Belief, Fraction] = {}
        for (moves, _), weights in told.items():
            belief = self.belief(moves, weights)
            successors[belief] = successors.get(belief, Fraction(0)) + sum(weights.values())
        return Alternative(constant, successors)


def _add(weights: Weights, position: Any, weight: Fraction) -> None:
    weights[position] = weights.get(position, Fraction(0)) + weight
