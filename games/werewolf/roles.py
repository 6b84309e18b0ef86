"""The roles of Werewolf and Mafia, and what each does at night and when it dies.

`add_role` makes a new role known; neither the rules nor the solvers need a change.

Sources: D. Davidoff's Mafia and A. Plotkin's Werewolf as played; AIWolf (Toriumi et al.) for
Possessed, Medium and Freemason; Asmodee's *Werewolves of Miller's Hollow* for Witch and Hunter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..decks import insert_role, parse_deck
from ..errors import ParameterError
from .position import NOBODY, Position
from .role import TOWN, WOLVES, Choices, Role

if TYPE_CHECKING:
    from .account import Account
    from .table import Table


def _each(verb: str, seats: Sequence[int]) -> Choices:
    return tuple((verb, seat) for seat in seats)


def targets(table: Table, position: Position, seat: int) -> tuple[int, ...]:
    """The other living seats."""
    return tuple(s for s in table.living(position.alive) if s != seat)


# ------------------------------------------------------------------ Seer, and its likes


def _check_choices(table: Table, position: Position, seat: int) -> Choices:
    return _each("check", targets(table, position, seat))


def _check(account: Account, seat: int, verb: str, target: int) -> None:
    role = account.table.role_of(account.position, target)
    account.learn(seat, "checked", target, role.looks_like_a_wolf)


def _recall(account: Account, seat: int) -> None:
    for target in account.position.executed:
        role = account.table.role_of(account.position, target)
        account.learn(seat, "medium", target, role.wolf)


# ---------------------------------------------------------------------- Guard or Doctor


def _protect_choices(table: Table, position: Position, seat: int) -> Choices:
    last = [s for s, _ in position.notes[seat]]
    seats = [s for s in table.living(position.alive) if s != seat or table.options.guard_self]
    return _each("protect", [s for s in seats if s not in last] or [NOBODY])


def _protect(account: Account, seat: int, verb: str, target: int) -> None:
    account.protect(target)
    if not account.table.options.guard_repeat:
        account.note(seat, ((target, "protected"),))


# ---------------------------------------------------------------------------- the Witch

ANTIDOTE, POISON = (NOBODY, "antidote"), (NOBODY, "poison")


def _potions(table: Table, position: Position, seat: int) -> Choices:
    notes = position.notes[seat]
    if not notes:
        return ()
    choices: list[tuple[str, int]] = [("no potion", NOBODY)]
    victim = table.victim(position)
    if ANTIDOTE in notes and victim != NOBODY and (victim != seat or table.options.witch_self):
        choices.append(("save", NOBODY))
    if POISON in notes:
        choices += _each("poison", targets(table, position, seat))
    return tuple(choices)


def _brew(account: Account, seat: int, verb: str, target: int) -> None:
    left = account.position.notes[seat]
    if verb == "save":
        account.protect(account.table.victim(account.position))
        account.note(seat, tuple(note for note in left if note != ANTIDOTE))
    elif verb == "poison":
        account.kill(target, "poison")
        account.note(seat, tuple(note for note in left if note != POISON))


# ------------------------------------------------------- Hunter, Godfather and Vengeful


def _last_shot(table: Table, position: Position, seat: int, cause: str) -> Choices:
    living = table.living(position.alive)
    if cause == "poison" or not living:
        return ()
    return (("shoot", NOBODY), *_each("shoot", living))


def _town_wins(table: Table, position: Position, seat: int, cause: str) -> str:
    return TOWN if cause == "voted" and position.day == 1 else ""


def _revenge(table: Table, position: Position, seat: int, cause: str) -> Sequence[int]:
    return table.living(position.alive) if cause == "voted" and position.day == 1 else ()


_GUARD = Role(
    "guard",
    verbs=("protect",),
    choices=_protect_choices,
    effect=_protect,
    words="the Guard protects a living player from the wolves",
)

ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role("werewolf", WOLVES, wolf=True, knows_wolves=True),
        Role(
            "godfather",
            WOLVES,
            wolf=True,
            knows_wolves=True,
            decides=_town_wins,
            words="if the Godfather, a wolf, is voted out on day 1 the town wins at once",
        ),
        _GUARD,
        Role(
            "doctor",
            verbs=_GUARD.verbs,
            turn="guard",
            choices=_GUARD.choices,
            effect=_GUARD.effect,
            words="the Doctor protects a living player from the wolves",
        ),
        Role(
            "witch",
            sees_victim=True,
            verbs=("poison",),
            deeds=("no potion", "save"),
            notes=(ANTIDOTE, POISON),
            choices=_potions,
            effect=_brew,
            words="the Witch is told the wolves' victim and may save it with her one antidote, or "
            "kill a living player with her one poison, or neither",
        ),
        Role(
            "seer",
            reveals=True,
            verbs=("check",),
            choices=_check_choices,
            effect=_check,
            harmless=True,
            words="the Seer checks another living player and learns at dawn, if it lives, whether "
            "that is a wolf",
        ),
        Role(
            "medium",
            recalls_votes=True,
            dawns=_recall,
            harmless=True,
            words="the Medium learns at dawn whether those voted out the day before were wolves",
        ),
        Role(
            "hunter",
            verbs=("shoot",),
            last_choices=_last_shot,
            words="the Hunter, when it dies, though not of poison, may shoot a living player",
        ),
        Role(
            "vengeful",
            avenged=_revenge,
            words="if a Vengeful player is voted out on day 1, another living player, drawn by "
            "chance, dies, too",
        ),
        Role(
            "mason",
            knows_kin=True,
            words="Masons know each other",
        ),
        Role(
            "minion",
            WOLVES,
            knows_wolves=True,
            words="the Minion is no wolf, but wins with them and knows them; they do not know it",
        ),
        Role(
            "possessed",
            WOLVES,
            words="the Possessed is no wolf, but wins with them; they do not know each other",
        ),
        Role("villager"),
    )
}
"""Every role by name, in the order in which they act at night."""

_PRINTED = frozenset(ROLES)


def add_role(role: Role, after: str = "villager") -> None:
    """Makes a role known, e.g. as ``roles=2werewolf+seer+night-watchman``.

    Games that were made before keep the roles that they have. Adding a name again replaces the
    role, as in a notebook cell that is run twice; a role that comes with this package cannot be
    replaced. A process that loads a game or unpickles a state by name must have added its roles
    first.

    Args:
        role: the role.
        after: the role after whose turn its own comes at night; by default the last one.

    Raises:
        ParameterError: the name is no name or taken, the team is unknown, or no role is called
            ``after``.
    """
    if role.team not in (TOWN, WOLVES):
        raise ParameterError(f"role {role.name!r}: team={role.team!r}; choose {TOWN} or {WOLVES}")
    insert_role(ROLES, role, after, _PRINTED)


def parse_roles(text: str) -> tuple[str, ...]:
    """Role names from a string such as ``2werewolf+seer+4villager``.

    Raises:
        ParameterError: an unknown role or a malformed count.
    """
    words = re.sub(r"freemason\b", "mason", text.lower())
    return parse_deck(words, ROLES, "2werewolf+seer+4villager")
