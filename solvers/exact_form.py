"""The sequence form of a two-player game in exact integers.

A *plan* is a vector of integers, a realisation plan times its common denominator, which stands at
its head: the entry of the empty sequence. (B. von Stengel, "Efficient computation of behavior
strategies", Games and Economic Behavior 14, 1996.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TypeAlias

from .exact import exact_number
from .exact_linear import Matrix, Vector
from .sequence_lp import local_numbers, require_two_players
from .tree import GameTree, sequences_of

Plan: TypeAlias = list[int]
"""A realisation plan times its common denominator, which is the first entry."""


@dataclass(frozen=True)
class ExactForm:
    """The sequence form of a two-player game in integers.

    A player's sequences are numbered as in `sequences_of`: 0 is the empty one.

    Attributes:
        tree: the compiled game.
        sizes: the number of sequences of each player.
        sets: of each player, top-down: parent sequence and actions of each information set.
        payoffs: of each player: its payoffs, in units, by its own and the other's sequences.
        units: what a unit of each player's payoffs is worth, in utilities.
    """

    tree: GameTree
    sizes: tuple[int, int]
    sets: tuple[list[tuple[int, range]], list[tuple[int, range]]]
    payoffs: tuple[Matrix, Matrix]
    units: tuple[Fraction, Fraction]

    @classmethod
    def of(cls, tree: GameTree) -> ExactForm:
        """The exact sequence form of a compiled game.

        Raises:
            NotTwoPlayers: one player, or more than two.
            InexactError: the game has symbols, irrational numbers, or floats that are no fractions.
        """
        require_two_players(tree)
        rank = local_numbers(tree).tolist()
        sets = []
        for p in range(2):
            mine = range(*tree.blocks[p : p + 2].tolist())
            first = [rank[s] for s in tree.first[mine.start : mine.stop].tolist()]
            count = tree.num_actions[mine.start : mine.stop].tolist()
            parent = [rank[s] for s in tree.parent_sequence[mine.start : mine.stop].tolist()]
            sets.append([(q, range(s, s + m)) for q, s, m in zip(parent, first, count)])
        (payoffs, unit), (payoffs_2, unit_2) = map(_in_units, _leaf_sums(tree, rank))
        return cls(
            tree,
            sizes=(len(sequences_of(tree, 0)), len(sequences_of(tree, 1))),
            sets=(sets[0], sets[1]),
            payoffs=(payoffs, payoffs_2),
            units=(unit, unit_2),
        )

    def constraints(self, player: int) -> list[Vector]:
        """The rows of E, where ``E x = (1, 0, ..., 0)`` defines the player's plans x."""
        rows = [{q: -1} | dict.fromkeys(actions, 1) for q, actions in self.sets[player]]
        return [{0: 1}, *rows]

    def plan_of(self, player: int, probabilities: Sequence[Fraction]) -> Plan:
        """The plan of a behaviour strategy, given by probabilities as in `Profile`."""
        own = [probabilities[s] for s in sequences_of(self.tree, player)]
        reach = [Fraction(1)] * len(own)
        for q, actions in self.sets[player]:
            for s in actions:
                reach[s] = reach[q] * own[s]
        scale = lcm(*(r.denominator for r in reach))
        return [r.numerator * (scale // r.denominator) for r in reach]

    def is_plan(self, player: int, plan: Plan) -> bool:
        """Whether it is a realisation plan: nonnegative, and what comes in goes out."""
        return min(plan) >= 0 < plan[0] and all(
            plan[q] == sum(plan[s] for s in actions) for q, actions in self.sets[player]
        )

    def payoff(self, player: int, plans: Sequence[Plan]) -> Fraction:
        """The player's expected payoff under both plans, in utilities."""
        own, other = plans[player], plans[1 - player]
        total = sum(
            own[s] * u * other[t] for s, row in self.payoffs[player].items() for t, u in row.items()
        )
        return self.units[player] * Fraction(total, own[0] * other[0])

    def best_response(self, player: int, other: Plan) -> tuple[Fraction, list[int]]:
        """The most that the player can get against a plan of the other, in utilities.

        Returns:
            The value, and the best action (as a sequence) at each information set of the player,
            the lowest among ties.
        """
        rows = self.payoffs[player]
        gradient = [
            sum(u * other[t] for t, u in rows.get(s, {}).items()) for s in range(self.sizes[player])
        ]
        choices = []
        for q, actions in reversed(self.sets[player]):
            best = max(actions, key=gradient.__getitem__)
            choices.append(best)
            gradient[q] += gradient[best]
        return self.units[player] * Fraction(gradient[0], other[0]), choices[::-1]

    def behaviour(self, plans: Sequence[Plan]) -> tuple[Fraction, ...]:
        """Both players' behaviour strategies: exact probabilities indexed as in `Profile`.

        Where a player's own plan does not go, it plays its best response to the other's plan.
        """
        probabilities = [Fraction(1)] * self.tree.num_sequences
        for p, plan in enumerate(plans):
            number = sequences_of(self.tree, p)
            _, choices = self.best_response(p, plans[1 - p])
            for (q, actions), best in zip(self.sets[p], choices, strict=True):
                for s in actions:
                    off = Fraction(s == best)
                    probabilities[number[s]] = Fraction(plan[s], plan[q]) if plan[q] else off
        return tuple(probabilities)


def exact_payoffs(tree: GameTree) -> list[list[Fraction]]:
    """The different payoff vectors of the tree's exact twin, in utilities."""
    return [[exact_number(u) for u in row] for row in tree.exact_tables[1]]


def _leaf_sums(tree: GameTree, rank: list[int]) -> list[dict[int, dict[int, Fraction]]]:
    """Each player's sums of chance times payoff, by its own and the other's sequence at leaves."""
    chance = [exact_number(p) for p in tree.exact_tables[0]]
    payoffs = exact_payoffs(tree)
    reach = [Fraction(1)] * tree.num_nodes
    parent, edge = tree.parent.tolist(), tree.probability.tolist()
    for node in range(1, tree.num_nodes):
        above = reach[parent[node]]
        reach[node] = above * chance[edge[node]] if edge[node] >= 0 else above
    sums: list[dict[int, dict[int, Fraction]]] = [{}, {}]
    for node in tree.leaves.tolist():
        pair = [rank[s] for s in tree.node_sequence[node].tolist()]
        for p, u in enumerate(payoffs[tree.payoff[node]]):
            row = sums[p].setdefault(pair[p], {})
            row[pair[1 - p]] = row.get(pair[1 - p], Fraction(0)) + reach[node] * u
    return sums


def _in_units(sums: dict[int, dict[int, Fraction]]) -> tuple[Matrix, Fraction]:
    """The numbers as multiples of their greatest common unit; zeros are left out."""
    numbers = [u for row in sums.values() for u in row.values() if u] or [Fraction(1)]
    scale = lcm(*{u.denominator for u in numbers})
    divisor = gcd(*(u.numerator * (scale // u.denominator) for u in numbers))
    return {
        s: {t: u.numerator * (scale // u.denominator) // divisor for t, u in row.items() if u}
        for s, row in sums.items()
    }, Fraction(divisor, scale)
