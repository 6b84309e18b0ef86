"""Werewolf in plain words: observations, positions, and the rules in force."""

from __future__ import annotations

from ..errors import GameError
from ..rules import Observation
from .position import NOBODY, Position, Stage
from .table import Table


def seat_name(seat: int) -> str:
    """``P1`` for the first seat."""
    return "nobody" if seat == NOBODY else f"P{seat + 1}"


def role_name(table: Table, role: str) -> str:
    """``Seer``."""
    return table.roles[role].title if role else "not dealt"


def _seats(seats: tuple[int, ...]) -> str:
    return " ".join(map(seat_name, seats)) or "nobody"


def _dead(dead: tuple[tuple[int, str], ...]) -> str:
    words = [seat_name(seat) + (f" ({what})" if what else "") for seat, what in dead]
    return " ".join(words) or "nobody"


def _is(seat: int, wolf: bool | str, verb: str = "is") -> str:
    what = wolf if isinstance(wolf, str) else "a wolf" if wolf else "not a wolf"
    return f"{seat_name(seat)} {verb} {what}"


def observation_name(table: Table, observation: Observation) -> str:
    """An observation in words.

    Raises:
        GameError: it is none.
    """
    names = table.actions.names
    match observation:
        case ("role", str(role)):
            return f"dealt {role_name(table, role)}"
        case ("kill", int(seat)):
            return f"the wolves attack {seat_name(seat)}"
        case ("decider", int(seat)):
            return f"{seat_name(seat)} chooses for the wolves"
        case ("victim", int(seat)):
            return f"the wolves' victim: {seat_name(seat)}"
        case ("checked", int(seat), bool(wolf)):
            return _is(seat, wolf)
        case ("medium", int(seat), bool(wolf)):
            return _is(seat, wolf, "was")
        case ("dawn", tuple(dead)):
            return f"dawn, dead: {_dead(dead)}"
        case ("eliminated", tuple(dead)):
            return f"eliminated: {_dead(dead)}"
        case ("shot", int(seat), int(target), str(what)):
            return f"{seat_name(seat)} shoots {_dead(((target, what),))}"
        case ("avenged", int(seat), int(target), str(what)):
            return f"{seat_name(seat)} is avenged on {_dead(((target, what),))}"
        case ("followed", int(seat), str(what)):
            return f"{_dead(((seat, what),))} dies of grief"
        case ("votes" | "pack votes" as kind, tuple(acts)):
            return f"{kind}: " + ", ".join(f"{seat_name(s)} {names[a]}" for s, a in acts)
        case ("voted", int(seat), int(action)):
            return f"{seat_name(seat)}: {names[action]}"
        case ("said", int(seat), int(action)):
            return f"{seat_name(seat)} says: {names[action]}"
        case ("speaker", int(seat)):
            return f"next in the order: {seat_name(seat)}"
        case ("draw", bool(draws)):
            return "somebody is drawn" if draws else "nobody is drawn"
        case ("drawn", int(seat)):
            return f"drawn: {seat_name(seat)}"
        case ("proposer", int(seat)):
            return f"proposer: {seat_name(seat)}"
        case ("revealed", int(seat), str(role), tuple(notes)):
            results = "".join(f", {_is(target, wolf)}" for target, wolf in notes)
            return f"{seat_name(seat)} reveals: {role_name(table, role)}{results}"
        case ("result", int(seat), int(target), bool() | str() as wolf):
            return f"{seat_name(seat)} tells: {_is(target, wolf)}"
        case ("coin", str(team)):
            return f"the coin falls for: {team}"
        case (str(kind), tuple(seats)):
            return f"{kind}: {_seats(seats)}"
        case (str(kind), int(seat), bool() | str() as result):
            return f"{kind}: {_is(seat, result)}"
    raise GameError(f"not an observation of werewolf: {observation!r}")


def describe(table: Table, position: Position) -> str:
    """A position in words, hidden cards included."""
    parts = [f"{position.stage.name.replace('_', ' ').lower()}, day {position.day}"]
    for seat, role in enumerate(position.roles):
        marks = [] if position.alive[seat] else ["dead"]
        marks += [f"publicly {position.public[seat]}"] if position.public[seat] else []
        marks += ["in love"] if seat in position.lovers else []
        for target, what in position.notes[seat] if position.notes else ():
            marks.append(what if target == NOBODY and isinstance(what, str) else _is(target, what))
        more = f" ({', '.join(marks)})" if marks else ""
        parts.append(f"{seat_name(seat)} {role_name(table, role)}{more}")
    names = table.actions.names
    chain = position.stage in (Stage.DUSK, Stage.DAWN)
    for seat, what in position.acts:
        who = "the wolves" if seat == NOBODY and isinstance(what, int) else seat_name(seat)
        deed = names[what] if isinstance(what, int) else f"dies ({what})" if chain else what
        parts.append(f"{who}: {deed}")
    if position.order:
        parts.append(f"order: {_seats(position.order)}")
    if position.winner:
        parts.append(f"winner: {position.winner}")
    return "; ".join(parts)
