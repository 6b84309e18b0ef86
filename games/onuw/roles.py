"""The role cards of ONUW and what each does at night.

A role acts by its *initial* card, in the order of `ROLES`; teams count by the *final* card.
A night turn is a function pair: ``choices`` lists the actions open to the holder (none: the turn
needs no decision) and ``perform`` carries one out and says what the holder sees. To add a role, add
its `Role` here; the rules, the adapter and the solvers need no change.

Source of the rules: Bezier Games, "One Night Ultimate Werewolf" (2014); Jin et al., "Learning to
Discuss Strategically: A Case Study on One Night Ultimate Werewolf", NeurIPS 2024.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ParameterError
from ..rules import Observation

if TYPE_CHECKING:
    from .actions import ActionTable

Cards = tuple[str, ...]
"""Role names by place: the players' cards in seat order, then the centre cards."""

Seen = tuple[Observation, ...]


class Table(NamedTuple):
    """What a night turn can depend on: the deal, the current cards, and the game's options.

    Attributes:
        initial: the cards as dealt.
        cards: the cards now.
        num_players: places below this are seats, the others are centre cards.
        actions: the numbering of actions.
        lone_wolf_looks: whether a Werewolf without a partner may look at one centre card.
    """

    initial: Cards
    cards: Cards
    num_players: int
    actions: ActionTable
    lone_wolf_looks: bool

    def holders(self, role: str) -> tuple[int, ...]:
        """The seats that were dealt ``role``."""
        return tuple(s for s in range(self.num_players) if self.initial[s] == role)

    def others(self, seat: int) -> tuple[int, ...]:
        """The other seats, ascending."""
        return tuple(s for s in range(self.num_players) if s != seat)

    @property
    def centre(self) -> range:
        """The places of the centre cards."""
        return range(self.num_players, len(self.cards))


def _no_choices(table: Table, seat: int) -> tuple[int, ...]:
    return ()


def _no_sight(table: Table, seat: int) -> Seen:
    return ()


def _idle(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    return table.cards, ()


@dataclass(frozen=True, slots=True)
class Role:
    """One role card.

    Attributes:
        name: lower-case name, as in the ``roles`` parameter.
        werewolf: whether the card counts as a Werewolf when teams are counted.
        informed: whether its night gives it knowledge that nobody shares; such players vote first
            under ``vote_order=informed_first``.
        sees: what the holder sees when its turn comes, before any decision.
        choices: actions open to the holder; empty when its turn needs no decision.
        perform: carries out an action: the cards afterwards, and what the holder sees.
        words: what the holder does at night, in words; empty if nothing.
    """

    name: str
    werewolf: bool = False
    informed: bool = False
    sees: Callable[[Table, int], Seen] = _no_sight
    choices: Callable[[Table, int], tuple[int, ...]] = _no_choices
    perform: Callable[[Table, int, int], tuple[Cards, Seen]] = _idle
    words: str = ""


def swapped(cards: Cards, i: int, j: int) -> Cards:
    """The cards after those at places ``i`` and ``j`` have been exchanged."""
    changed = list(cards)
    changed[i], changed[j] = cards[j], cards[i]
    return tuple(changed)


# ---------------------------------------------------------------- Werewolf: sees its partners


def _werewolf_sees(table: Table, seat: int) -> Seen:
    return (("werewolves", table.holders("werewolf")),)


def _werewolf_choices(table: Table, seat: int) -> tuple[int, ...]:
    alone = len(table.holders("werewolf")) == 1
    if not (alone and table.lone_wolf_looks and table.centre):
        return ()
    return (table.actions.no_look, *(table.actions.look((c,)) for c in table.centre))


# ------------------------------------------ Seer: one player's card, or two centre cards


def _seer_choices(table: Table, seat: int) -> tuple[int, ...]:
    players = [table.actions.look((s,)) for s in table.others(seat)]
    pairs = [table.actions.look((a, b)) for a in table.centre for b in table.centre if a < b]
    return tuple(players + pairs)


def _look(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    places = table.actions.looked_at(action)
    return table.cards, tuple(("saw", place, table.cards[place]) for place in places)


# --------------------------------------- Robber: may swap with a player, sees its new card


def _robber_choices(table: Table, seat: int) -> tuple[int, ...]:
    return (table.actions.no_switch, *(table.actions.switch(s) for s in table.others(seat)))


def _rob(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    if action == table.actions.no_switch:
        return table.cards, ()
    cards = swapped(table.cards, seat, table.actions.switched_with(action))
    return cards, (("now", cards[seat]),)


ROLES: dict[str, Role] = {
    role.name: role
    for role in (
        Role(
            "werewolf",
            werewolf=True,
            sees=_werewolf_sees,
            choices=_werewolf_choices,
            perform=_look,
            words="Werewolves see each other",
        ),
        Role(
            "seer",
            informed=True,
            choices=_seer_choices,
            perform=_look,
            words="the Seer looks at another player's card or at two centre cards",
        ),
        Role(
            "robber",
            informed=True,
            choices=_robber_choices,
            perform=_rob,
            words="the Robber swaps cards with a player (S1 with P1, S2 with P2, ...) and sees the "
            "new card, or does not (NS)",
        ),
        Role("villager"),
    )
}
"""Every role, in the order of the night."""


def parse_roles(text: str) -> Cards:
    """Role names from a string such as ``2werewolf+robber+3villager``.

    Raises:
        ParameterError: an unknown role or a malformed count.
    """
    cards: list[str] = []
    for part in text.replace(" ", "").lower().split("+"):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        name = part[len(digits) :]
        if name not in ROLES or (digits and not 1 <= int(digits[:3]) <= 99):
            raise ParameterError(
                f"roles={text!r}: {part!r} is not a role; write e.g. 2werewolf+seer+robber "
                f"with roles among {', '.join(ROLES)}"
            )
        cards += [name] * int(digits or 1)
    return tuple(cards)
