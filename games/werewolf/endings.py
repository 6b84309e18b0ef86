"""Who wins, and what that pays."""

from __future__ import annotations

from fractions import Fraction

from .position import Position
from .role import TOWN, WOLVES
from .table import Table

DRAW = "draw"

WIN, TIE, LOSS = Fraction(1), Fraction(0), Fraction(-1)


def winner(table: Table, position: Position) -> str:
    """The team that has won, or nothing: looked at after every event with deaths."""
    options = table.options
    roles, alive = position.roles, position.alive
    wolves = len(table.pack(roles, alive))
    if wolves <= options.town_wins_at:
        return TOWN
    if 0 < options.voted_out_wins <= position.voted_out_wolves:
        return TOWN
    living = table.living(alive)
    others = len(living) - wolves
    if others == 0 or (options.end == "parity" and wolves >= others):
        return WOLVES
    if options.end == "villagers_dead" and all(roles[seat] != "villager" for seat in living):
        return WOLVES
    return ""


def coin_decides(table: Table, position: Position) -> bool:
    """Whether, at the start of a day, one wolf and one other player are left to a coin."""
    if table.options.end != "coin" or len(table.living(position.alive)) != 2:
        return False
    return len(table.pack(position.roles, position.alive)) == 1


def payoffs(table: Table, roles: tuple[str, ...], winner: str) -> tuple[Fraction, ...]:
    """Each player's payoff: 1 for the winning team, -1 for the other, 0 for a draw."""
    if winner == DRAW:
        return (TIE,) * len(roles)
    return tuple(WIN if table.roles[role].team == winner else LOSS for role in roles)
