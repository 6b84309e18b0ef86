"""What each role of the printed game does at night, and what of it can be told by day.

A turn is a pair of functions, ``choices`` and ``perform``, and perhaps ``sees`` before them; the
``tells`` list what a player can claim of such a night. See `role.Role`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations

from .role import Experience, Seen, Table, idle
from .scene import NO_LOOK, NO_SWAP, NO_SWITCH, Cards, Scene, look, swap, swapped, switch, take

# --------------------------------------------------------------- who sees the holders of a role


def werewolf_sees(table: Table, seat: int) -> Seen:
    """The Werewolves, oneself included if one is."""
    return (("werewolves", table.holders("werewolf")),)


def mason_sees(table: Table, seat: int) -> Seen:
    """The Masons, oneself included."""
    return (("masons", table.holders("mason")),)


def werewolf_choices(table: Table, seat: int) -> tuple[int, ...]:
    """A look at one centre card, for a Werewolf without a partner and if the game has it."""
    scene = table.scene
    if not (scene.lone_wolf_looks and scene.centre and len(table.holders("werewolf")) == 1):
        return ()
    return table.numbers([NO_LOOK, *(look(c) for c in scene.centre)])


def werewolf_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """The partners; alone, perhaps a look."""
    for seats in scene.holdings("werewolf"):
        pack: Seen = (("werewolves", seats),)
        if seats == (seat,) and scene.lone_wolf_looks and scene.centre:
            yield NO_LOOK, pack
            for c in scene.centre:
                for card in scene.kinds("werewolf"):
                    yield look(c), (*pack, ("saw", c, card))
        elif seat in seats:
            yield None, pack


def minion_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """The Werewolves, perhaps none."""
    for seats in scene.holdings("werewolf"):
        if seat not in seats:
            yield None, (("werewolves", seats),)


def mason_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """The other Masons, perhaps none."""
    for seats in scene.holdings("mason"):
        if seat in seats:
            yield None, (("masons", seats),)


# --------------------------------------------------- Seer: one player's card, or two centre cards


def seer_choices(table: Table, seat: int) -> tuple[int, ...]:
    """Each other seat, then each pair of centre cards."""
    players = [look(s) for s in table.scene.others(seat)]
    return table.numbers([*players, *(look(*pair) for pair in combinations(table.scene.centre, 2))])


def perform_look(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    """Shows the cards looked at."""
    places = table.actions.move(action).places
    return table.cards, tuple(("saw", place, table.cards[place]) for place in places)


def seer_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """What was seen where."""
    for s in scene.others(seat):
        for card in scene.kinds("seer"):
            yield look(s), (("saw", s, card),)
    hands = list(combinations_with_replacement(dict.fromkeys(scene.deck), 2))
    for a, b in combinations(scene.centre, 2):
        for hand in hands:
            for first, second in dict.fromkeys(permutations(hand)):
                if scene.has("seer", first, second):
                    yield look(a, b), (("saw", a, first), ("saw", b, second))


# ----------------------------------------------- Robber: may swap with a player, sees its new card


def robber_choices(table: Table, seat: int) -> tuple[int, ...]:
    """No switch, or one with each other seat."""
    return table.numbers([NO_SWITCH, *(switch(s) for s in table.scene.others(seat))])


def rob(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    """Swaps and shows the new card."""
    places = table.actions.move(action).places
    if not places:
        return table.cards, ()
    cards = swapped(table.cards, seat, places[0])
    return cards, (("now", cards[seat]),)


def robber_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """No switch, or whom it robbed of which card."""
    yield NO_SWITCH, ()
    for s in scene.others(seat):
        for card in scene.kinds("robber"):
            yield switch(s), (("now", card),)


# --------------------------------------- Troublemaker: may swap the cards of two others, unseen


def troublemaker_choices(table: Table, seat: int) -> tuple[int, ...]:
    """No swap, or one of each pair of other seats."""
    pairs = combinations(table.scene.others(seat), 2)
    return table.numbers([NO_SWAP, *(swap(*pair) for pair in pairs)])


def make_trouble(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    """Swaps two cards and shows nothing."""
    places = table.actions.move(action).places
    return swapped(table.cards, *places) if places else table.cards, ()


def troublemaker_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """Whose cards it swapped."""
    yield NO_SWAP, ()
    for pair in combinations(scene.others(seat), 2):
        yield swap(*pair), ()


# ------------------------------------------------- Drunk: must swap with a centre card, unseen


def drunk_choices(table: Table, seat: int) -> tuple[int, ...]:
    """Each centre card."""
    return table.numbers(take(c) for c in table.scene.centre)


def take_card(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    """Swaps the own card with a centre card and shows nothing."""
    (place,) = table.actions.move(action).places
    return swapped(table.cards, seat, place), ()


def drunk_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """Which centre card it took."""
    for c in scene.centre:
        yield take(c), ()


# ---------------------------------------------------- Insomniac: sees its own card at the end


def insomniac_sees(table: Table, seat: int) -> Seen:
    """The own card as it is now."""
    return (("now", table.cards[seat]),)


def insomniac_tells(scene: Scene, seat: int) -> Iterator[Experience]:
    """The card that it woke with."""
    yield None, (("now", "insomniac"),)
    for card in scene.kinds("insomniac"):
        if card != "insomniac":
            yield None, (("now", card),)


SEATS_ONLY = frozenset({idle, perform_look, rob, make_trouble})
"""Performances that leave all centre cards where they are."""
BLIND = SEATS_ONLY | {take_card}
"""Performances that move the same places whatever cards lie there."""
