"""Two roles that are not built in: a Vigilante with one bullet, and a Martyr."""

from collections.abc import Sequence

from crywolf.games.werewolf import (
    NOBODY,
    Account,
    Choices,
    Position,
    Role,
    Table,
    add_role,
)

BULLET = (NOBODY, "bullet")


def choices(table: Table, position: Position, seat: int) -> Choices:
    if BULLET not in position.notes[seat]:
        return ()
    others = [other for other in table.living(position.alive) if other != seat]
    return (("hold fire", NOBODY), *(("fire at", other) for other in others))


def effect(account: Account, seat: int, verb: str, target: int) -> None:
    if verb == "fire at":
        account.kill(target, "bullet")
        account.note(seat, ())
        account.learn(seat, "shot", target, account.table.role_of(account.position, target).wolf)


def avenged(table: Table, position: Position, seat: int, cause: str) -> Sequence[int]:
    return table.pack(position.roles, position.alive) if cause == "killed" else ()


VIGILANTE = Role(
    "vigilante",
    verbs=("fire at",),
    deeds=("hold fire",),
    notes=(BULLET,),
    choices=choices,
    effect=effect,
    harmless=True,
    words="the Vigilante has one bullet; at night it may kill with it, and learns whom it has hit",
)
MARTYR = Role(
    "village-martyr",
    avenged=avenged,
    words="if the wolves kill the Village Martyr, one of them, drawn by chance, dies, too",
)


def add() -> None:
    add_role(VIGILANTE, after="witch")
    add_role(MARTYR)
