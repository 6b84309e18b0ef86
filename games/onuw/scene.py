"""What every role of ONUW is told of the game it is in, and what can be done at night.

The places are numbered through: the seats 0 to n-1, then the centre cards. In words they are P1,
P2, ..., then centre 1, centre 2, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

Cards: TypeAlias = tuple[str, ...]
"""Role names by place: the players' cards in seat order, then the centre cards."""


class Scene(NamedTuple):
    """A game of ONUW before the cards are dealt; all of it is public.

    Attributes:
        num_players: places below this are seats, the others are centre cards.
        deck: all cards. Their order matters only where the deal is given.
        lone_wolf_looks: whether a Werewolf without a partner may look at one centre card.
    """

    num_players: int
    deck: Cards
    lone_wolf_looks: bool = False

    @property
    def seats(self) -> range:
        """The places of the players' cards."""
        return range(self.num_players)

    @property
    def centre(self) -> range:
        """The places of the centre cards."""
        return range(self.num_players, len(self.deck))

    def others(self, seat: int) -> tuple[int, ...]:
        """The other seats, ascending."""
        return tuple(s for s in self.seats if s != seat)

    def has(self, *roles: str) -> bool:
        """Whether the deck holds these cards all at once."""
        return all(self.deck.count(role) >= roles.count(role) for role in roles)

    def kinds(self, *beside: str) -> Iterator[str]:
        """The roles that a further card can be, once those of ``beside`` are known."""
        return (role for role in dict.fromkeys(self.deck) if self.has(role, *beside))

    def place_name(self, place: int) -> str:
        """A place in words."""
        if place < self.num_players:
            return f"P{place + 1}"
        return f"centre {place - self.num_players + 1}"

    def holdings(self, role: str) -> Iterator[tuple[int, ...]]:
        """The sets of seats that can be dealt all the cards of a role but those in the centre."""
        cards = self.deck.count(role)
        for size in range(max(0, cards - len(self.centre)), min(cards, self.num_players) + 1):
            yield from combinations(self.seats, size)


class Move(NamedTuple):
    """A night action, whatever its number is in a game.

    Attributes:
        kind: what is done, e.g. ``look``. A role that declines has a kind of its own for it.
        places: with the cards on which places.
    """

    kind: str
    places: tuple[int, ...] = ()


NO_SWITCH = Move("no switch")
NO_LOOK = Move("no look")
NO_SWAP = Move("no swap")


def switch(seat: int) -> Move:
    """Swapping one's own card with that of ``seat``."""
    return Move("switch", (seat,))


def look(*places: int) -> Move:
    """A look at the cards on ``places``."""
    return Move("look", places)


def swap(one: int, other: int) -> Move:
    """Swapping the cards of two other places."""
    return Move("swap", (one, other))


def take(place: int) -> Move:
    """Swapping one's own card, unseen, with that on ``place``."""
    return Move("take", (place,))


NamedMoves: TypeAlias = Sequence[tuple[Move, str]]
"""Moves with the names of the actions."""


def switches(scene: Scene) -> NamedMoves:
    """What a Robber may do."""
    return [(NO_SWITCH, "NS"), *((switch(s), f"S{s + 1}") for s in scene.seats)]


def looks(scene: Scene) -> NamedMoves:
    """What a Seer or a lone Werewolf may do."""
    single = [(place,) for place in (*scene.seats, *scene.centre)]
    places = [*single, *combinations(scene.centre, 2)]
    return [(NO_LOOK, "no look"), *((look(*p), f"look {_listed(scene, p)}") for p in places)]


def swaps(scene: Scene) -> NamedMoves:
    """What a Troublemaker may do."""
    pairs = combinations(scene.seats, 2)
    return [(NO_SWAP, "no swap"), *((swap(*p), f"swap {_listed(scene, p)}") for p in pairs)]


def takes(scene: Scene) -> NamedMoves:
    """What a Drunk may do."""
    return [(take(c), f"take {scene.place_name(c)}") for c in scene.centre]


def _listed(scene: Scene, places: Sequence[int]) -> str:
    return " and ".join(map(scene.place_name, places))


def swapped(cards: Cards, i: int, j: int) -> Cards:
    """The cards after those at places ``i`` and ``j`` have been exchanged."""
    changed = list(cards)
    changed[i], changed[j] = cards[j], cards[i]
    return tuple(changed)
