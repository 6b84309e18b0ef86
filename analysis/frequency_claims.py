"""What the NashConv of observed frequencies is on average: claims on its bias, exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import factorial, lcm, prod
from typing import Any

import numpy as np

from ..games.errors import UnsupportedGame
from ..games.rules import CHANCE, Exact
from ..solvers.exact import evaluate_exact, exact_profile
from ..solvers.pbe import Verdict
from ..solvers.tree import GameTree, compile_tree
from .claims import Claim, uniform_strategies


@dataclass(frozen=True)
class FrequencyClaim(Claim):
    """The mean NashConv of the policies that are estimated from a number of games.

    The estimate at an information set is the frequencies of the actions seen there, and anything at
    a set that was never reached, which changes no payoff of anybody. Of the games to which this
    applies (`UnsupportedGame` else) no player's moves decide what another gets to choose.

    Attributes:
        game: name of the game.
        strategies: ``{information set: {action name: probability}}``, uniform where left out.
        games: the number of games played.
        mean: of the NashConv, in utilities.
        tolerance: how far it may be off.
    """

    game: str
    strategies: Mapping[str, Mapping[str, Exact]]
    games: int
    mean: Fraction
    tolerance: Fraction

    def _compute(self) -> tuple[str, str, Sequence[str], Sequence[Verdict]]:
        tree = compile_tree(self.game)
        mean = mean_nash_conv(tree, {**uniform_strategies(tree), **self.strategies}, self.games)
        told = f"NashConv {mean.limit_denominator(1000)} (to 1/1000) on average"
        wanted = f"NashConv {self.mean}, give or take {self.tolerance}"
        near = abs(mean - self.mean) <= self.tolerance
        return told, wanted, [] if near else [f"{told}, not {self.mean}"], ()


def mean_nash_conv(
    tree: GameTree, strategies: Mapping[str, Mapping[str, Exact]], games: int
) -> Fraction:
    """The expected NashConv of the frequencies of actions in some games; see `FrequencyClaim`.

    The players' frequencies are independent, so the mean of a payoff is the payoff of the
    strategies, and the mean of a best-response value is over what the others were seen to do. Its
    cost grows with the number of possible counts, some games^k with k final sequences.

    Raises:
        UnsupportedGame: chance moves, or what a player can choose depends on the others.
    """
    profile = exact_profile(tree, strategies)
    leaves = tree.leaves
    ends = [np.unique(tree.node_sequence[leaves, i]) for i in range(tree.num_players)]
    if len(leaves) != prod(map(len, ends)) or (tree.player == CHANCE).any():
        raise UnsupportedGame(
            f"{tree.name}: chance moves, or what a player can choose depends on the others; "
            "estimate the bias from samples"
        )
    payoffs = np.empty((*map(len, ends), tree.num_players), dtype=object)
    places = [np.searchsorted(end, tree.node_sequence[leaves, i]) for i, end in enumerate(ends)]
    for leaf, *place in zip(leaves, *places, strict=True):
        payoffs[tuple(place)] = list(tree.exact_tables[1][tree.payoff[leaf]])
    payoffs, unit = _whole(payoffs)
    seen = [_counts([_weight(tree, profile, int(s)) for s in end], games) for end in ends]
    total = Fraction(0)
    for player, value in enumerate(evaluate_exact(tree, profile).values):
        others = [seen[i] for i in range(tree.num_players) if i != player]
        best = np.moveaxis(payoffs[..., player], player, -1)
        for counts, _, _ in others:  # each takes the first axis, and puts its own before the last
            best = np.moveaxis(np.tensordot(counts, best, axes=(1, 0)), 0, -2)
        best = best.max(axis=-1)
        for _, chances, _ in others:
            best = np.tensordot(chances, best, axes=(0, 0))
        whole = unit * prod(games * denominator for _, _, denominator in others)
        total += Fraction(int(best[()]), whole) - value
    return total


def _weight(tree: GameTree, profile: Sequence[Fraction], sequence: int) -> Fraction:
    """The probability that a player's own strategy gives to a sequence."""
    weight = Fraction(1)
    while sequence >= tree.num_players:  # those below are empty
        weight *= profile[sequence]
        h = int(np.searchsorted(tree.first, sequence, side="right")) - 1
        sequence = int(tree.parent_sequence[h])
    return weight


def _whole(numbers: Any) -> tuple[Any, int]:
    """An array of fractions as whole numbers, which compute faster, and their denominator."""
    unit = lcm(*(number.denominator for number in numbers.flat))
    whole = np.array([int(number * unit) for number in numbers.flat], dtype=object)
    return whole.reshape(numbers.shape), unit


def _counts(weights: Sequence[Fraction], games: int) -> tuple[Any, Any, int]:
    """How often each of some events may happen in a number of trials, and the chances of that.

    Returns:
        The numbers, a row for each case; the chances as whole numbers; their denominator.
    """
    possible = [i for i, weight in enumerate(weights) if weight]
    whole, unit = _whole(np.array([weights[i] for i in possible], dtype=object))
    rows, chances = [], []
    for bars in combinations(range(games + len(possible) - 1), len(possible) - 1):
        cuts = (-1, *bars, games + len(possible) - 1)
        times = [b - a - 1 for a, b in pairwise(cuts)]
        row = np.zeros(len(weights), dtype=object)
        row[possible] = times
        rows.append(row)
        ways = factorial(games) // prod(map(factorial, times))
        chances.append(ways * prod(w**k for w, k in zip(whole, times, strict=True)))
    return np.array(rows), np.array(chances, dtype=object), unit**games
