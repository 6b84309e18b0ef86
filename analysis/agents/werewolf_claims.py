"""What the statements of Werewolf claim.

A claim is about roles: that seats have certain ones. A claimed result says besides that the speaker
has learned it at night, and a report of an own act that the speaker has done it; a lie of that kind
is false even if it happens to name the right role.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import NamedTuple

from ...games.aiwolf import Action as Deed
from ...games.aiwolf import Claim, Result, Role, Sentence, Species, Verb, parse_sentence
from ...games.aiwolf.setting import CARDS
from ...games.werewolf import ROLES, Werewolf
from ...games.werewolf.actions import Action

ACTS = {Verb.GUARDED: "protect", Verb.VOTED: "vote", Verb.ATTACKED: "kill"}
"""Reports of own acts, by what was done. Announcements of acts claim nothing yet."""


class Claims(NamedTuple):
    """What must be the case for a statement to be true: all of it.

    Attributes:
        roles: (seat, roles) pairs: the seat has one of the roles.
        lived: of these the speaker must have observed or done at least one, if there are any.
        size: how many things are claimed.
    """

    roles: tuple[tuple[int, frozenset[str]], ...] = ()
    lived: frozenset[Hashable] = frozenset()
    size: int = 0


@lru_cache(maxsize=1 << 14)
def claims_of(rules: Werewolf, statement: int, speaker: int) -> Claims:
    """What a statement claims; nothing if it says nothing, or nothing that is true or false."""
    kinds = rules.table.kinds
    verb, seat, detail = action = rules.table.actions.meanings[statement]

    def among(wanted: Callable[[str], bool]) -> frozenset[str]:
        return frozenset(filter(wanted, kinds))

    match verb:
        case "claim":
            return Claims(((speaker, frozenset([detail])),), size=1)
        case "accuse" | "defend":
            wolf = verb == "accuse"
            return Claims(((seat, among(lambda role: ROLES[role].wolf == wolf)),), size=1)
        case "result":
            return _result(rules, speaker, seat, detail == "wolf", ("checked", "medium"))
        case "sentence":
            return _sentence(rules, speaker, action)
    return Claims()


def _result(rules: Werewolf, speaker: int, seat: int, wolf: bool, ways: tuple[str, ...]) -> Claims:
    """The claim to have found out whether a seat is a wolf.

    A Seer learns what a role looks like, a Medium what it is.
    """
    speakers: set[str] = set()
    targets: set[str] = set()
    for role in rules.table.kinds:
        if "checked" in ways and ROLES[role].reveals:
            speakers.add(role)
            targets |= {r for r in rules.table.kinds if ROLES[r].looks_like_a_wolf == wolf}
        if "medium" in ways and ROLES[role].recalls_votes:
            speakers.add(role)
            targets |= {r for r in rules.table.kinds if ROLES[r].wolf == wolf}
    return Claims(
        ((speaker, frozenset(speakers)), (seat, frozenset(targets))),
        frozenset((way, seat, wolf) for way in ways),
        size=2,
    )


def _sentence(rules: Werewolf, speaker: int, action: Action) -> Claims:
    """A sentence of the AIWolf protocol, whose agents are numbered from 1."""
    match _parsed(action.detail):
        case Claim(target=int(target), role=role):
            return Claims(((target - 1, _cards(role)),), size=1)
        case Result(verb=verb, target=int(target), species=species):
            way = "checked" if verb is Verb.DIVINED else "medium"
            return _result(rules, speaker, target - 1, species is Species.WEREWOLF, (way,))
        case Deed(verb=verb, target=int(target)) if verb in ACTS:
            act = Action(ACTS[verb], target - 1)
            meanings = rules.table.actions.meanings
            done = meanings.index(act) if act in meanings else None
            return Claims(lived=frozenset([done]), size=1)
    return Claims()


def _cards(role: Role) -> frozenset[str]:
    names = {CARDS[role]}
    return frozenset(names | {"doctor"} if role is Role.BODYGUARD else names)


@lru_cache(maxsize=1 << 12)
def _parsed(text: str) -> Sentence:
    return parse_sentence(text)
