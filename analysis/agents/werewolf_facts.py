"""What a player of Werewolf has been told, folded from its view."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...games.rules import View
from ...games.werewolf import ROLES, Werewolf
from ...games.werewolf.actions import Action

WOLF, NOT_WOLF = "wolf", "not wolf"

DEATHS = ("dawn", "eliminated", "shot", "avenged", "followed")
"""Observations of deaths; everybody makes them, in the same words."""

_QUIET = {
    *("werewolf", "godfather", "villager", "seer", "guard", "doctor", "medium", "mason"),
    *("minion", "possessed", "hunter", "vengeful"),
}
"""Roles in whose company only the wolves kill at night."""


@dataclass
class Facts:
    """What the player knows for sure.

    Attributes:
        allowed: for each seat the roles that it can have.
        alive: the living seats.
        alive_before: the seats that lived before the last dawn or elimination.
        role: the player's own.
        pack: the wolves, if the player was told.
        checked: what the player's checks have shown.
        public: what everybody knows of a seat: `WOLF`, `NOT_WOLF` or a role.
        deaths: the observations of deaths, in order.
        heard: (seat, statement) of what others have said, in order.
        victim: whom the wolves attack, as the Witch was last told; -1 for nobody.
        drawn: whether the player has just been drawn for elimination.
    """

    allowed: list[set[str]]
    alive: set[int]
    alive_before: set[int]
    role: str = ""
    pack: frozenset[int] = frozenset()
    checked: dict[int, bool] = field(default_factory=dict)
    public: dict[int, str] = field(default_factory=dict)
    deaths: list[Any] = field(default_factory=list)
    heard: list[tuple[int, int]] = field(default_factory=list)
    victim: int = -1
    drawn: bool = False


def facts_of(rules: Werewolf, player: int, view: View) -> Facts:
    """The facts of a view."""
    table = rules.table
    kinds = set(table.kinds)
    facts = Facts([set(kinds) for _ in table.seats], set(table.seats), set(table.seats))
    if table.options.deal == "fixed":
        facts.allowed = [{card} for card in table.deck]
    for entry in view:
        facts.drawn = False
        if isinstance(entry, int):
            _did(facts, player, table.actions.meanings[entry])
        else:
            _observed(facts, rules, player, entry)
    return facts


def _did(facts: Facts, player: int, action: Action) -> None:
    if action.verb == "reveal":
        _published(facts, player, facts.role, tuple(facts.checked.items()))


def _observed(facts: Facts, rules: Werewolf, player: int, entry: Any) -> None:
    """Enters one observation."""
    match entry:
        case ("role", str(role)):
            facts.role = role
            facts.allowed[player] &= {role}
        case ("wolves", tuple(seats)):
            facts.pack = frozenset(seats)
            for seat in rules.table.seats:
                _is_wolf(facts, seat, seat in seats)
        case (kind, tuple(seats)) if kind == f"{facts.role}s":  # Masons: those of one's own role
            kin = {facts.role}
            for seat in rules.table.seats:
                facts.allowed[seat] = (
                    facts.allowed[seat] & kin if seat in seats else facts.allowed[seat] - kin
                )
        case ("victim", int(seat)):
            facts.victim = seat
            if seat >= 0 and not rules.table.options.kill_own:
                _is_wolf(facts, seat, False)
        case ("checked", int(seat), bool(wolf)):
            facts.checked[seat] = wolf
            _looks_like(facts, seat, wolf)
            if facts.public.get(player) in ROLES:
                _published(facts, player, facts.role, ((seat, wolf),))
        case ("medium", int(seat), bool(wolf)):
            _is_wolf(facts, seat, wolf)
        case ("result", int(seat), int(target), bool(wolf)):
            _published(facts, seat, facts.public.get(seat, ""), ((target, wolf),))
        case ("revealed", int(seat), str(role), tuple(results)):
            _published(facts, seat, role, results)
        case ("said", int(seat), int(action)):
            facts.heard.append((seat, action))
        case ("drawn", int(seat)):
            facts.drawn = seat == player
        case (event, *_) if event in DEATHS:
            facts.deaths.append(entry)
            _died(facts, rules, entry)


def _died(facts: Facts, rules: Werewolf, entry: Any) -> None:
    """Enters deaths. A dawn or an elimination is an event; the other deaths belong to the last."""
    if entry[0] in ("dawn", "eliminated"):
        facts.alive_before = set(facts.alive)
        dead = entry[1]
    else:
        *_, seat, what = entry
        dead = ((seat, what),) if seat >= 0 else ()
    options = rules.table.options
    killed_by_wolves = (
        entry[0] == "dawn"
        and not options.kill_own
        and options.lovers == "none"
        and set(rules.table.kinds) <= _QUIET
    )
    for seat, what in dead:
        facts.alive.discard(seat)
        if killed_by_wolves:
            _is_wolf(facts, seat, False)
        if what:
            _published(facts, seat, what, ())


def _published(facts: Facts, seat: int, what: str, results: tuple[tuple[int, bool], ...]) -> None:
    """Everybody learns of a seat ``what`` it is, and what it has found out about others."""
    if what in ROLES:
        facts.allowed[seat] &= {what}
        facts.public[seat] = what
    elif what:
        _is_wolf(facts, seat, what == WOLF)
        if facts.public.get(seat) not in ROLES:
            facts.public[seat] = what
    for target, wolf in results:
        _looks_like(facts, target, wolf)
        facts.public.setdefault(target, WOLF if wolf else NOT_WOLF)


def _is_wolf(facts: Facts, seat: int, wolf: bool) -> None:
    facts.allowed[seat] = {role for role in facts.allowed[seat] if ROLES[role].wolf == wolf}


def _looks_like(facts: Facts, seat: int, wolf: bool) -> None:
    facts.allowed[seat] = {
        role for role in facts.allowed[seat] if ROLES[role].looks_like_a_wolf == wolf
    }
