"""Statements of the talk, and what each of them claims.

A statement is a value, free of seats and of action numbers as far as its meaning allows, so that
code which reasons about talk need not read words::

    statement = game.action_table.statement(action)   # Statement(kind="night", role="seer", ...)
    claims(statement, speaker=0).seen                 # ((0, (("saw", 2, "werewolf"),)),)
    is_true(game, action, 0, after_night(game, deal, choices))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from ..rules import Observation
from .role import Seen, title
from .scene import Move, Scene

Kind: TypeAlias = Literal["nothing", "start", "now", "night", "move", "accuse", "defend"]


@dataclass(frozen=True, slots=True)
class Statement:
    """Something said in public, true or not.

    Attributes:
        kind: ``nothing``; ``start`` and ``now``, the card that somebody was dealt or holds after
            the night; ``night``, one's own role and whole night; ``move``, one's own role and move
            without what it brought; ``accuse`` and ``defend``, that somebody is a Werewolf after
            the night or is none.
        seat: whom it is about; None for the speaker.
        role: the card that it names, empty if none.
        move: the night action that it tells, if any.
        seen: the observations that it tells, as the holder of the role has them in its view.
    """

    kind: Kind = "nothing"
    seat: int | None = None
    role: str = ""
    move: Move | None = None
    seen: Seen = ()


class Claims(NamedTuple):
    """What must be the case for a statement to be true: all of it, and no more.

    Each attribute pairs seats with what is claimed of them.

    Attributes:
        dealt: the initial card of a seat.
        moves: the night action of a seat.
        seen: all that a seat saw at night, in order.
        holds: the card of a seat after the night.
        werewolf: whether the card of a seat after the night is a Werewolf.
    """

    dealt: tuple[tuple[int, str], ...] = ()
    moves: tuple[tuple[int, Move], ...] = ()
    seen: tuple[tuple[int, Seen], ...] = ()
    holds: tuple[tuple[int, str], ...] = ()
    werewolf: tuple[tuple[int, bool], ...] = ()


def claims(statement: Statement, speaker: int) -> Claims:
    """What a statement says of the deal, of the night and of the cards after it.

    What follows from the rules (say, that a card which the Seer saw was dealt there) is not listed;
    `truth.is_true` compares with a whole night instead.

    Args:
        statement: the statement.
        speaker: the seat that makes it.
    """
    seat = speaker if statement.seat is None else statement.seat
    role = ((seat, statement.role),)
    moves = () if statement.move is None else ((seat, statement.move),)
    match statement.kind:
        case "nothing":
            return Claims()
        case "start":
            return Claims(dealt=role)
        case "now":
            return Claims(holds=role)
        case "move":
            return Claims(dealt=role, moves=moves)
        case "night":
            return Claims(dealt=role, moves=moves, seen=((seat, statement.seen),))
        case "accuse" | "defend":
            return Claims(werewolf=((seat, statement.kind == "accuse"),))


class Wording(NamedTuple):
    """How statements are worded in a game.

    Attributes:
        scene: the game.
        move_name: the name of a night action.
        sight: an observation in words.
    """

    scene: Scene
    move_name: Callable[[Move], str]
    sight: Callable[[Observation], str]

    def text(self, statement: Statement) -> str:
        """A statement as its speaker says it; empty for silence."""
        about = statement.seat
        who = "" if about is None else self.scene.place_name(about)
        card = title(statement.role)
        match statement.kind:
            case "nothing":
                return ""
            case "start":
                return f"{who or 'I'} started as {card}"
            case "now":
                return f"{who} is now {card}" if who else f"I am now {card}"
            case "accuse" | "defend":
                return f"{statement.kind} {who}"
            case "move":
                return self._told(statement)
            case "night":
                return f"{card}: {self._told(statement) or 'nothing happened'}"

    def _told(self, statement: Statement) -> str:
        move = statement.move
        words = [self.sight(observation) for observation in statement.seen]
        # What a look shows names the place already.
        if move is not None and not (move.kind == "look" and words):
            words.insert(0, self.move_name(move))
        return ", ".join(words)

    def action_name(self, statement: Statement) -> str:
        """The name of making a statement."""
        if statement.kind in ("accuse", "defend"):
            return self.text(statement)
        return f"say {self.text(statement) or 'nothing'}"

    def heard(self, speaker: int, statement: Statement) -> str:
        """What the others hear."""
        who, text = self.scene.place_name(speaker), self.text(statement)
        if statement.kind in ("accuse", "defend"):
            verb, whom = text.split()
            return f"{who} {verb}s {whom}"
        return f'{who} says "{text}"' if text else f"{who} says nothing"
