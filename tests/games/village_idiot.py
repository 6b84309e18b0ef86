"""The Village Idiot, a role of the expansions: it may move everybody else's card by one seat."""

from collections.abc import Iterator

from crywolf.games.onuw import Move, Role, Scene, Table, add_role

MOVES = (Move("no shift"), Move("shift left"), Move("shift right"))


def moves(scene: Scene) -> list[tuple[Move, str]]:
    return [(move, move.kind) for move in MOVES]


def choices(table: Table, seat: int) -> tuple[int, ...]:
    return table.numbers(MOVES)


def perform(table: Table, seat: int, action: int) -> tuple[tuple[str, ...], tuple[()]]:
    shift = {"no shift": 0, "shift left": -1, "shift right": 1}[table.actions.move(action).kind]
    others = table.scene.others(seat)
    cards = list(table.cards)
    for i, place in enumerate(others):
        cards[others[(i + shift) % len(others)]] = table.cards[place]
    return tuple(cards), ()  # unseen


def tells(scene: Scene, seat: int) -> Iterator[tuple[Move, tuple[()]]]:
    return ((move, ()) for move in MOVES)


VILLAGE_IDIOT = Role(
    "village-idiot",
    informed=True,
    moves=moves,
    choices=choices,
    perform=perform,
    tells=tells,
    words="the Village Idiot may move the cards of all others by one seat, to the left (towards "
    "P1) or to the right, unseen",
)


def add() -> None:
    add_role(VILLAGE_IDIOT, after="troublemaker")
