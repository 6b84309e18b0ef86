"""Floats that stand for fractions, turned back into them: the exact twin of a game tree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..games.errors import InexactError
from ..games.rules import Exact

if TYPE_CHECKING:
    from .tree import GameTree

TOLERANCE = Fraction(1, 10**15)
"""How far a float may lie from its fraction, relative to its size."""


def exact_tables(tree: GameTree) -> tuple[tuple[Exact, ...], tuple[tuple[Exact, ...], ...]]:
    """Exact chance probabilities and payoffs; see `GameTree.exact_tables`."""
    probabilities = tuple(map(rational, tree.probabilities))
    payoffs = tuple(tuple(map(rational, row)) for row in tree.payoffs)
    if tree.rationalised:
        _check_chance(tree, probabilities)
    return probabilities, payoffs


def _check_chance(tree: GameTree, probabilities: tuple[Exact, ...]) -> None:
    if any(p <= 0 for p in probabilities):
        raise InexactError(
            f"{tree.name} has a chance probability too small to be told from 0 as a fraction; "
            "write its rules with Fraction"
        )
    sums: dict[int, Fraction] = {}
    for node in np.flatnonzero(tree.probability >= 0).tolist():
        above = int(tree.parent[node])
        sums[above] = sums.get(above, Fraction(0)) + probabilities[tree.probability[node]]
    for node, total in sums.items():
        if total != 1:
            raise InexactError(
                f"{tree.name}: the probabilities of the chance node after "
                f"{tree.history_words(node)} sum to {total} as fractions; the game's floats are no "
                "exact probabilities, so write its rules with Fraction"
            )


def rational(value: Exact | float) -> Exact:
    """The fraction of smallest denominator within `TOLERANCE` of a float; others unchanged.

    Of several with that denominator, the one nearest to the float: a whole number is itself.
    """
    if not isinstance(value, float):
        return value
    exact = Fraction(value)
    tolerance = TOLERANCE * abs(exact)
    denominator = simplest_between(exact - tolerance, exact + tolerance).denominator
    return Fraction(round(exact * denominator), denominator)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of smallest denominator in [low, high] (Stern-Brocot)."""
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole == low or whole + 1 <= high:
        return Fraction(whole if whole == low else whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
