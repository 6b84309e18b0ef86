"""ONUW played by the names of actions: what the tests of its rules share."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from crywolf.games import CHANCE, TERMINAL, Cursor, Onuw, advance, load_game, rules_of, start
from crywolf.games.onuw.roles import parse_roles


def rules(text: str) -> Onuw:
    """The rules of a game string."""
    found = rules_of(load_game(text))
    assert isinstance(found, Onuw)
    return found


def leaves(game: Onuw, cursor: Cursor | None = None) -> Iterator[tuple[list[str], Cursor]]:
    """Every leaf with the names of the actions that lead to it."""
    stack: list[tuple[list[str], Cursor]] = [([], cursor or start(game))]
    while stack:
        names, here = stack.pop()
        mover = game.mover(here.position)
        if mover == TERMINAL:
            yield names, here
            continue
        for action in game.actions(here.position):
            words = [*names, game.action_name(mover, action)]
            stack.append((words, advance(game, here, action)))


def play(game: Onuw, *names: str) -> Cursor:
    """The cursor after actions given by name."""
    cursor = start(game)
    for name in names:
        position = cursor.position
        by_name = {game.action_name(game.mover(position), a): a for a in game.actions(position)}
        cursor = advance(game, cursor, by_name[name])
    return cursor


def fixed(roles: str, centre: int = 0, **others: Any) -> Onuw:
    """A game in which everybody knows the deal."""
    players = len(parse_roles(roles)) - centre
    return Onuw(players, centre, roles, deal="fixed", **others)


def knows(game: Onuw, cursor: Cursor, player: int) -> str:
    """What a player, numbered from 0, knows."""
    return game.information_state_string(player, cursor.views[player])


def offers(game: Onuw, cursor: Cursor) -> list[str]:
    """The names of the mover's actions."""
    mover = game.mover(cursor.position)
    return [game.action_name(mover, action) for action in game.actions(cursor.position)]


def deals(game: Onuw) -> dict[tuple[str, ...], Fraction]:
    """The probability of every layout, from the chance nodes."""
    found: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    stack = [(game.initial().position, Fraction(1))]
    while stack:
        position, probability = stack.pop()
        if game.mover(position) != CHANCE:
            found[position.initial] += probability
            continue
        for kind, p in game.chance_outcomes(position):
            stack.append((game.play(position, kind).position, probability * p))
    return dict(found)
