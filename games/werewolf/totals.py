"""Whether all plays of a game of Werewolf give the players the same total."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING

from .endings import payoffs
from .position import Stage
from .role import TOWN
from .symmetry import dying_act_in_order

if TYPE_CHECKING:
    from .rules import Werewolf

PLAYOUTS = 200
"""Random plays among which two totals are sought first."""
POSITIONS = 20_000
"""Positions that a complete search visits at most."""


def constant_sum(rules: Werewolf) -> Fraction | None:
    """The sum of all payoffs if it is the same in every play, else None.

    Two teams of the same size always have the sum 0. Otherwise two plays with different totals are
    sought, at random, and then everywhere. In a game of more than `POSITIONS` positions in which
    neither finds them the answer is None as well, which promises nothing.
    """
    sizes = [rules.table.roles[card].team == TOWN for card in rules.deck]
    if 2 * sum(sizes) == len(sizes):
        return Fraction(0)
    totals = _played(rules)
    if len(totals) > 1:
        return None
    (total,) = totals
    return total if _always(rules, total) else None


def _total(rules: Werewolf, winner: str) -> Fraction:
    return sum(payoffs(rules.table, rules.deck, winner), Fraction(0))


def _played(rules: Werewolf) -> set[Fraction]:
    """The totals of random plays, as soon as there are two."""
    chooser = random.Random(0)
    totals: set[Fraction] = set()
    for _ in range(PLAYOUTS):
        position = rules.initial().position
        while position.stage is not Stage.END:
            position = rules.play(position, chooser.choice(rules.actions(position))).position
        totals.add(_total(rules, position.winner))
        if len(totals) > 1:
            break
    return totals


def _always(rules: Werewolf, total: Fraction) -> bool:
    """Whether a complete search has found no other total."""
    idle = {Stage.TALK, Stage.ORDER}  # stages that change nothing but what is known
    if rules.elimination != "order" and not dying_act_in_order(rules.table):
        idle.add(Stage.DEAL)  # other deals have the same plays with other numbers
    first = rules.initial().position
    seen, stack = {first}, [first]
    while stack and len(seen) <= POSITIONS:
        position = stack.pop()
        if position.stage is Stage.END:
            if _total(rules, position.winner) != total:
                return False
            continue
        actions = rules.actions(position)
        for action in actions[:1] if position.stage in idle else actions:
            child = rules.play(position, action).position
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return not stack
