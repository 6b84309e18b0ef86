"""A night's account: what everybody's acts add up to at dawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .position import Note, Position, replaced

if TYPE_CHECKING:
    from .table import Table


class Account:
    """Everything that happens in a night, entered act by act and settled at once.

    The effects of roles enter here; the order in which they do makes no difference.

    Args:
        table: the game.
        position: the position at the end of the night.

    Attributes:
        table: as above.
        position: as above.
    """

    def __init__(self, table: Table, position: Position):
        self.table = table
        self.position = position
        self._attacked: dict[int, str] = {}
        self._protected: set[int] = set()
        self._killed: dict[int, str] = {}
        self._learned: list[tuple[int, str, int, bool | str]] = []
        self._notes: dict[int, tuple[Note, ...]] = {}

    def attack(self, target: int) -> None:
        """``target`` dies unless somebody protects it: what the wolves do."""
        self._attacked[target] = "killed"

    def protect(self, target: int) -> None:
        """``target`` survives attacks."""
        self._protected.add(target)

    def kill(self, target: int, cause: str) -> None:
        """``target`` dies of ``cause``, protected or not."""
        self._killed[target] = cause

    def learn(self, seat: int, kind: str, target: int, result: bool | str) -> None:
        """If ``seat`` survives, it observes ``(kind, target, result)`` and notes it."""
        self._learned.append((seat, kind, target, result))

    def note(self, seat: int, notes: tuple[Note, ...]) -> None:
        """The notes of ``seat`` become ``notes``."""
        self._notes[seat] = notes

    def deaths(self) -> dict[int, str]:
        """Who dies, and of what."""
        attacked = {s: c for s, c in self._attacked.items() if s not in self._protected}
        return attacked | self._killed

    def learned(self, dead: tuple[int, ...]) -> list[tuple[int, str, int, bool | str]]:
        """(seat, kind, target, result) of all that is learned, but by nobody of the dead."""
        return [entry for entry in self._learned if entry[0] not in dead]

    def notes(self, dead: tuple[int, ...]) -> tuple[tuple[Note, ...], ...]:
        """All notes after the night; the dead remember nothing that a rule needs."""
        notes = self.position.notes
        for seat, entries in self._notes.items():
            notes = replaced(notes, seat, entries)
        for seat, _, target, result in self.learned(dead):
            known = set(notes[seat]) | {(target, result)}
            notes = replaced(notes, seat, tuple(sorted(known)))
        return notes


def night_account(table: Table, position: Position) -> Account:
    """The account of the acts that ``position`` lists."""
    account = Account(table, position)
    actions = table.actions
    for seat, action in position.acts:
        verb, target, _ = actions.meanings[int(action)]
        if seat >= 0:
            table.role_of(position, seat).effect(account, seat, verb, target)
        elif target >= 0:
            account.attack(target)
    for seat in table.living(position.alive):
        table.role_of(position, seat).dawns(account, seat)
    return account
