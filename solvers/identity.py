"""Whether two games are the same: from what they are called, or from their trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ..games.loading import game_string, rules_of
from ..games.openspiel import registrations
from ..games.rules import Rules

if TYPE_CHECKING:
    from .tree import GameTree


def surely_same(one: pyspiel.Game | Rules[Any], other: pyspiel.Game | Rules[Any]) -> bool:
    """Whether two games are the same by what they are called. False: only their trees can tell.

    A name with parameters settles it where a registration stands behind it. Rules without
    parameters may differ in what no name says, such as the payoffs of an explicit tree.
    """
    first, second = rules_of(one), rules_of(other)
    if first is not None and second is not None:
        if first is second:
            return True
        known = any(r.made(first) and r.made(second) for r in registrations().values())
        alike = dict(first.parameters) == dict(second.parameters)
        return known and alike and bool(first.parameters)
    if first is not None or second is not None:
        return False
    if one is other:
        return True
    plain: Any = one
    by_name = plain.get_type().short_name in pyspiel.registered_names()
    return by_name and game_string(one) == game_string(other)


def same_tree(one: GameTree, other: GameTree) -> bool:
    """Whether two compiled trees agree in every node, information set, chance and payoff."""
    return (
        one.legal == other.legal
        and np.array_equal(one.action, other.action)
        and _same_but_for_actions(one, other)
    )


def same_by_names(one: GameTree, other: GameTree) -> bool:
    """Whether two compiled trees agree as in `same_tree`, but for how actions are numbered.

    The players' actions then have the same names instead, and stand in the same order. So it is
    with a game and the ``.efg`` file that was written from it. Names cost more than numbers: those
    of an OpenSpiel game are asked of a state at each information set.
    """
    return _same_but_for_actions(one, other) and all(
        one.action_names(h) == other.action_names(h) for h in range(one.num_infosets)
    )


def _same_but_for_actions(one: GameTree, other: GameTree) -> bool:
    if (one.num_players, one.keys) != (other.num_players, other.keys):
        return False
    for name in ("parent", "player", "node_infoset"):
        if not np.array_equal(getattr(one, name), getattr(other, name)):
            return False
    return _same_values(
        (one.probability, one.probabilities), (other.probability, other.probabilities)
    ) and _same_values((one.payoff, one.payoffs), (other.payoff, other.payoffs))


_Column = tuple[NDArray[np.int32], Sequence[Any]]
"""For each node an index in a table, -1 for none; and the table."""


def _same_values(one: _Column, other: _Column) -> bool:
    """Whether two columns hold equal values, however their tables are ordered."""
    pairs = np.unique(np.stack([one[0], other[0]], axis=1), axis=0).tolist()
    return all((i < 0) == (j < 0) and (i < 0 or _equal(one[1][i], other[1][j])) for i, j in pairs)


def _equal(a: Any, b: Any) -> bool:
    """Equality of numbers or payoff vectors; an exact number equals the float nearest to it."""
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(a, float) == isinstance(b, float):
        return bool(a == b)
    try:
        return float(a) == float(b)
    except TypeError:  # a symbol is no float
        return False
