"""Sampled plays of a policy: with one player exploring, and in pairs with and without a deviation.

The plays behind `lower_bound`. The policy is asked once at each information set that is visited.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
import pyspiel

from ..games.errors import BadPayoff, ImperfectRecall, UnequalActions
from ..solvers.policies import distribution
from .report import InformationSetGain

EXPLORATION = 0.5
"""Probability with which a move of the learning player is any action instead of its policy's."""


@dataclass(slots=True)
class VisitedSet:
    """An information set that plays have visited, and the policy's distribution there."""

    number: int
    player: int
    key: str
    actions: tuple[int, ...]
    names: tuple[str, ...]
    probabilities: tuple[float, ...]
    cumulative: list[float]
    past: tuple[int, int] | None = None  # the owner's previous (set, rank of action)
    entered: bool = False

    def draw(self, u: float) -> int:
        """The rank of the policy's action at the quantile ``u`` in [0, 1)."""
        return bisect_right(self.cumulative, u)


class PolicyTable:
    """The policy at the information sets seen so far: asked once at each, and checked."""

    def __init__(self, game: pyspiel.Game, policy: Any):
        self.game = game
        self.policy = policy
        self.range = (game.min_utility(), game.max_utility())
        self.sets: list[VisitedSet] = []
        self._of_key: dict[tuple[int, str], VisitedSet] = {}

    def at(self, state: pyspiel.State, player: int) -> VisitedSet:
        """The information set of ``player``, whose turn it is."""
        key = state.information_state_string(player)
        found = self._of_key.get((player, key))
        if found is None:
            actions = tuple(state.legal_actions())
            probabilities = distribution(self.policy, state, player)
            found = VisitedSet(
                number=len(self.sets),
                player=player,
                key=key,
                actions=actions,
                names=tuple(state.action_to_string(player, a) for a in actions),
                probabilities=probabilities,
                cumulative=_cumulative(probabilities),
            )
            self.sets.append(found)
            self._of_key[player, key] = found
        elif found.actions != tuple(state.legal_actions()):
            raise UnequalActions(
                f"{self.game}: information set {key!r} of P{player + 1} offers actions "
                f"{list(found.actions)} and {state.legal_actions()}; its key must tell them apart"
            )
        return found

    def enter(self, state: pyspiel.State, player: int, past: tuple[int, int] | None) -> VisitedSet:
        """Like `at`, for the learning player: its own past must be the same at every visit."""
        found = self.at(state, player)
        if not found.entered:
            found.entered, found.past = True, past
        elif found.past != past:
            raise ImperfectRecall(
                f"{self.game}: P{player + 1} forgets its own past in information set "
                f"{found.key!r}: it was reached after {self._words(found.past)} and after "
                f"{self._words(past)}"
            )
        return found

    def payoffs(self, state: pyspiel.State) -> list[float]:
        """The payoffs of a finished play, inside the declared range."""
        payoffs = state.returns()
        low, high = self.range
        slack = 1e-9 * max(1.0, high - low)
        if not all(low - slack <= u <= high + slack for u in payoffs):
            raise BadPayoff(
                f"{self.game} declares payoffs in [{low}, {high}] but pays {payoffs} after "
                f"{state.history()}; a rigorous bound needs the true range"
            )
        return payoffs

    def share(self, number: int, rank: int, gain: float) -> InformationSetGain:
        """The report's line on an information set."""
        place = self.sets[number]
        return InformationSetGain(place.player, place.key, place.names[rank], gain)

    def _words(self, past: tuple[int, int] | None) -> str:
        if past is None:
            return "no own move"
        place = self.sets[past[0]]
        return f"{place.names[past[1]]} at {place.key!r}"


def _cumulative(probabilities: Sequence[float]) -> list[float]:
    """Cumulative probabilities in which `bisect_right` finds only actions that are played."""
    total = math.fsum(probabilities)
    sums = list(accumulate(p / total for p in probabilities))
    last = max(rank for rank, p in enumerate(probabilities) if p > 0)
    return sums[:last] + [1.0] * (len(sums) - last)


# ----------------------------------------------------------------------------------- the plays


def _chance_move(state: pyspiel.State, u: float) -> int:
    outcomes = state.chance_outcomes()
    return outcomes[bisect_right(_cumulative([p for _, p in outcomes]), u)][0]


def explore(
    table: PolicyTable, player: int, rng: np.random.Generator
) -> tuple[list[tuple[int, int]], float]:
    """One play in which ``player`` explores: its (set, rank of action) pairs, and its payoff."""
    state = table.game.new_initial_state()
    path: list[tuple[int, int]] = []
    while not state.is_terminal():
        mover, u = state.current_player(), rng.random()
        if mover == pyspiel.PlayerId.CHANCE:
            state.apply_action(_chance_move(state, u))
            continue
        if mover != player:
            place = table.at(state, mover)
            rank = place.draw(u)
        else:
            place = table.enter(state, player, path[-1] if path else None)
            if rng.random() < EXPLORATION:
                rank = int(u * len(place.actions))
            else:
                rank = place.draw(u)
            path.append((place.number, rank))
        state.apply_action(place.actions[rank])
    return path, table.payoffs(state)[player]


def play_pair(
    table: PolicyTable, player: int, deviation: Mapping[int, int], rng: np.random.Generator
) -> tuple[list[float], float, int | None]:
    """One play on policy and its twin with ``player``'s deviation, from the same random numbers.

    Returns:
        The payoffs on policy, the deviation's gain, and the set where the twins part (None if they
        do not).
    """
    noise: list[float] = []  # the t-th move of either twin is drawn at the quantile noise[t]
    state = table.game.new_initial_state()
    twin, twin_move, parting = None, 0, None
    move = 0
    while not state.is_terminal():
        mover, u = state.current_player(), _at(noise, move, rng)
        move += 1
        if mover == pyspiel.PlayerId.CHANCE:
            state.apply_action(_chance_move(state, u))
            continue
        place = table.at(state, mover)
        rank = place.draw(u)
        if twin is None and mover == player:
            other = deviation.get(place.number, rank)
            if other != rank:
                twin, twin_move, parting = state.child(place.actions[other]), move, place.number
        state.apply_action(place.actions[rank])
    payoffs = table.payoffs(state)
    if twin is None:
        return payoffs, 0.0, None
    while not twin.is_terminal():
        mover, u = twin.current_player(), _at(noise, twin_move, rng)
        twin_move += 1
        if mover == pyspiel.PlayerId.CHANCE:
            twin.apply_action(_chance_move(twin, u))
            continue
        place = table.at(twin, mover)
        rank = place.draw(u)
        if mover == player:
            rank = deviation.get(place.number, rank)
        twin.apply_action(place.actions[rank])
    return payoffs, table.payoffs(twin)[player] - payoffs[player], parting


def _at(noise: list[float], index: int, rng: np.random.Generator) -> float:
    if index == len(noise):
        noise.append(rng.random())
    return noise[index]
