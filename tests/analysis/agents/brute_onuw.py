"""ONUW by brute force: every deal and every night, written without the engine.

A night is a tuple of moves, each in words of its own:
``("look", place, ...)``, ``("swap", a, b)``, ``("stay",)``, or ``None`` for roles without a choice.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

Move = tuple[Any, ...]
ORDER = (
    "werewolf", "minion", "mason", "seer", "robber", "troublemaker", "drunk", "insomniac",
)  # fmt: skip


class World(NamedTuple):
    """A deal and a night.

    Attributes:
        dealt: the cards before the night, seats first.
        final: the cards after it.
        moves: what each seat did, None without a choice.
        seen: for each seat, the (place, card) pairs that it has looked at, in order.
        weight: prior probability, deals and moves being uniform.
    """

    dealt: tuple[str, ...]
    final: tuple[str, ...]
    moves: tuple[Move | None, ...]
    seen: tuple[tuple[tuple[int, str], ...], ...]
    weight: Fraction


def choices(role: str, seat: int, players: int, places: int) -> Sequence[Move | None]:
    others = [s for s in range(players) if s != seat]
    centre = range(players, places)
    if role == "seer":
        return [("look", s) for s in others] + [("look", *pair) for pair in combinations(centre, 2)]
    if role == "robber":
        return [("stay",)] + [("swap", seat, s) for s in others]
    if role == "troublemaker":
        return [("stay",)] + [("swap", *pair) for pair in combinations(others, 2)]
    if role == "drunk" and places > players:
        return [("swap", seat, c) for c in centre]
    return [None]


def worlds(deck: tuple[str, ...], players: int, fixed: bool = False) -> Iterator[World]:
    """Every world with its prior probability."""
    deals = {deck} if fixed else set(permutations(deck))
    for dealt in deals:
        options = [choices(dealt[s], s, players, len(deck)) for s in range(players)]
        weight = Fraction(1, len(deals))
        for option in options:
            weight /= len(option)
        for moves in product(*options):
            yield World(dealt, *_night(dealt, moves, players), weight)


def _night(dealt, moves, players):
    cards = list(dealt)
    seen: list[list[tuple[int, str]]] = [[] for _ in range(players)]
    for role in ORDER:
        for seat in range(players):
            if dealt[seat] != role:
                continue
            move = moves[seat]
            if move and move[0] == "look":
                seen[seat] += [(place, cards[place]) for place in move[1:]]
            elif move and move[0] == "swap":
                _, a, b = move
                cards[a], cards[b] = cards[b], cards[a]
                if role == "robber":
                    seen[seat].append((seat, cards[seat]))
            elif role == "insomniac":
                seen[seat].append((seat, cards[seat]))
    return tuple(cards), moves, tuple(map(tuple, seen))


def knows_same(one: World, other: World, seat: int, players: int) -> bool:
    """Whether ``seat`` can tell two worlds apart."""

    def knows(world: World):
        role = world.dealt[seat]
        told = []
        if role in ("werewolf", "minion"):
            told = [s for s in range(players) if world.dealt[s] == "werewolf"]
        if role == "mason":
            told = [s for s in range(players) if world.dealt[s] == "mason"]
        return role, told, world.moves[seat], world.seen[seat]

    return knows(one) == knows(other)
