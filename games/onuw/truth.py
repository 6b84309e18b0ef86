"""Whole nights, and whether a statement is true of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..errors import IllegalMove, ParameterError
from ..rules import Cursor, Observation, View, advance
from .actions import ActionTable
from .position import Stage
from .role import Seen
from .scene import Cards
from .statements import claims

if TYPE_CHECKING:
    from .rules import Onuw


def after_night(game: Onuw, deal: Cards, actions: Mapping[int, int] | None = None) -> Cursor:
    """The game after the night, had the cards been dealt so and the seats acted so.

    Args:
        game: the rules.
        deal: the cards by place.
        actions: the night action of each seat that has a decision; others are ignored.

    Returns:
        The cursor at the first statement or vote: cards, and what each player knows.

    Raises:
        ParameterError: the cards are not those of the deck.
        IllegalMove: a seat has no action, or one that it cannot do.
    """
    if sorted(deal) != sorted(game.deck):
        raise ParameterError(f"onuw: the deal {deal!r} is not made of {', '.join(game.deck)}")
    chosen = actions or {}
    step = game.dealt_out(tuple(deal))
    cursor = Cursor(step.position, step.observations, step.observations)
    while cursor.position.stage is Stage.NIGHT:
        seat = game.mover(cursor.position)
        if seat not in chosen:
            raise IllegalMove(f"onuw: P{seat + 1} has a decision at night; give actions[{seat}]")
        game.require_legal(cursor.position, chosen[seat])
        cursor = advance(game, cursor, chosen[seat])
    return cursor


def is_true(game: Onuw, statement: int, speaker: int, cursor: Cursor) -> bool:
    """Whether a statement is true.

    Args:
        game: the rules.
        statement: the action that makes it.
        speaker: the seat that makes it.
        cursor: a play, after its night; see `after_night`.
    """
    table, position = game.action_table, cursor.position
    said = claims(table.statement(statement), speaker)
    nights = [night_in(view, table) for view in cursor.views]
    return (
        all(position.initial[seat] == role for seat, role in said.dealt)
        and all(nights[seat][0] == table.number(move) for seat, move in said.moves)
        and all(nights[seat][1] == seen for seat, seen in said.seen)
        and all(position.cards[seat] == role for seat, role in said.holds)
        and all(game.roles[position.cards[s]].werewolf is wolf for s, wolf in said.werewolf)
    )


def night_in(view: View, table: ActionTable) -> tuple[int | None, Seen]:
    """The night action in a view, and all that the player saw at night."""
    action: int | None = None
    seen: list[Observation] = []
    for entry in view:
        match entry:
            case int():
                action = entry if table.is_move(entry) else action
            case ("did", int(scripted)):
                action = scripted
            case ("card" | "said", *_):
                pass
            case _:
                seen.append(entry)
    return action, tuple(seen)
