"""What a role of Werewolf is: data, and the points at which it acts.

At night ``choices`` lists what a holder may do and ``effect`` enters it into the night's account
(`account.Account`), which is settled at dawn for all at once. When it dies, ``last_choices`` lists
what its holder may still do (the target of that action dies), ``avenged`` lists the seats of which
chance kills one, and ``decides`` names the team that wins by this at once.

A choice is a pair of a verb and a seat (or `NOBODY`): the role names its verbs, and each gets one
action for every seat and one for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from .position import Note, Position

if TYPE_CHECKING:
    from .account import Account
    from .table import Table

TOWN, WOLVES = "town", "wolves"

Choices: TypeAlias = tuple[tuple[str, int], ...]
"""Choices: (verb, seat or `NOBODY`) each."""


def _no_choices(table: Table, position: Position, seat: int) -> Choices:
    return ()


def _no_effect(account: Account, seat: int, verb: str, target: int) -> None:
    pass


def _no_dawn(account: Account, seat: int) -> None:
    pass


def _no_last_choices(table: Table, position: Position, seat: int, cause: str) -> Choices:
    return ()


def _unavenged(table: Table, position: Position, seat: int, cause: str) -> Sequence[int]:
    return ()


def _undecided(table: Table, position: Position, seat: int, cause: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Role:
    """One role.

    Attributes:
        name: lower-case name, as in the ``roles`` parameter; no digits, - between words.
        team: ``town`` or ``wolves``: with whom it wins.
        wolf: whether it counts as a wolf: kills with the pack, counts for parity and for the end.
        seen_as_wolf: what a Seer sees; by default, whether it is a wolf.
        knows_wolves: whether it is told who the wolves are; wolves are.
        knows_kin: whether holders of this role are told of each other.
        reveals: whether its results are true claims under ``talk=reveal``.
        recalls_votes: whether it asks at dawn for those voted out the day before.
        verbs: the verbs of its actions that have a target.
        deeds: its actions that have none.
        notes: what it remembers at the start.
        turn: the role with which it takes its turn at night, by default its own; turns are taken in
            the order of `ROLES`.
        choices: what it may do at night; nothing: it has no turn. A function of what it knows.
        sees_victim: whether it is told the wolves' victim when its turn comes.
        effect: what its action does.
        dawns: what happens at dawn to a holder that lives, whether or not it has acted.
        last_choices: what its holder may do when it dies of ``cause`` (``killed`` by the wolves,
            ``voted``, ``poison``, ``shot``, ``grief``, ``avenged``, or a cause of another role);
            the target, if any, dies of ``shot``.
        avenged: of which seats chance kills one when it dies.
        decides: which team wins at once when it is voted out.
        harmless: whether no effect of it can keep a victim of the wolves alive, so that bounds on
            the length of the game hold; it need not be said of a role without effects.
        words: what it does, in words; empty if nothing.
    """

    name: str
    team: str = TOWN
    wolf: bool = False
    seen_as_wolf: bool | None = None
    knows_wolves: bool = False
    knows_kin: bool = False
    reveals: bool = False
    recalls_votes: bool = False
    sees_victim: bool = False
    verbs: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    turn: str = ""
    choices: Callable[[Table, Position, int], Choices] = _no_choices
    effect: Callable[[Account, int, str, int], None] = _no_effect
    dawns: Callable[[Account, int], None] = _no_dawn
    last_choices: Callable[[Table, Position, int, str], Choices] = _no_last_choices
    avenged: Callable[[Table, Position, int, str], Sequence[int]] = _unavenged
    decides: Callable[[Table, Position, int, str], str] = _undecided
    harmless: bool = False
    words: str = ""

    @property
    def title(self) -> str:
        """``Seer``, ``Village Idiot``."""
        return self.name.replace("-", " ").title()

    @property
    def looks_like_a_wolf(self) -> bool:
        """What a Seer sees."""
        return self.wolf if self.seen_as_wolf is None else self.seen_as_wolf

    @property
    def acts(self) -> bool:
        """Whether it may have a turn at night."""
        return self.choices is not _no_choices

    @property
    def may_save(self) -> bool:
        """Whether it might keep a victim of the wolves alive."""
        idle = self.effect is _no_effect and self.dawns is _no_dawn
        return not (idle or self.harmless)

    @property
    def shoots(self) -> bool:
        """Whether it may have a choice when it dies."""
        return self.last_choices is not _no_last_choices

    @property
    def is_avenged(self) -> bool:
        """Whether chance may kill somebody when it dies."""
        return self.avenged is not _unavenged
