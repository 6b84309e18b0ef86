"""Werewolf played by the names of actions: what the tests of its rules share."""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from crywolf.games import CHANCE, TERMINAL, Cursor, Werewolf, advance, load_game, rules_of, start
from crywolf.games.werewolf import Position
from crywolf.games.werewolf.roles import parse_roles


def rules(text: str) -> Werewolf:
    """The rules of a game string."""
    found = rules_of(load_game(text))
    assert isinstance(found, Werewolf)
    return found


def fixed(roles: str, **others: Any) -> Werewolf:
    """A game in which everybody knows the deal."""
    chosen: dict[str, Any] = {"deal": "fixed"} | others
    return Werewolf(players=len(parse_roles(roles)), roles=roles, **chosen)


def go(game: Werewolf, cursor: Cursor, *names: str) -> Cursor:
    """The cursor after more actions given by name."""
    for name in names:
        mover, position = game.mover(cursor.position), cursor.position
        by_name = {game.action_name(mover, a): a for a in game.actions(position)}
        assert name in by_name, f"{name!r} is none of {list(by_name)}"
        cursor = advance(game, cursor, by_name[name])
    return cursor


def play(game: Werewolf, *names: str) -> Cursor:
    """The cursor after actions given by name."""
    return go(game, start(game), *names)


def news(game: Werewolf, cursor: Cursor, player: int) -> list[str]:
    """What a player, numbered from 0, has learned from the last move."""
    return list(game.view_words(player, cursor.news[player]))


def knows(game: Werewolf, cursor: Cursor, player: int) -> str:
    """All that a player, numbered from 0, knows."""
    return game.information_state_string(player, cursor.views[player])


def offers(game: Werewolf, cursor: Cursor) -> list[str]:
    """The names of the mover's actions."""
    mover = game.mover(cursor.position)
    return [game.action_name(mover, action) for action in game.actions(cursor.position)]


def living(cursor: Cursor) -> str:
    """The numbers of the living players."""
    return "".join(str(seat + 1) for seat, lives in enumerate(cursor.position.alive) if lives)


def leaves(game: Werewolf) -> int:
    """The number of terminal nodes: of each position that play comes to, how many follow it."""

    @cache
    def below(position: Position) -> int:
        if game.mover(position) == TERMINAL:
            return 1
        return sum(below(game.play(position, a).position) for a in game.actions(position))

    return below(game.initial().position)


Policy = Callable[[Werewolf, Position], dict[int, Fraction]]
"""The probabilities of the mover's actions."""


def uniform(game: Werewolf, position: Position) -> dict[int, Fraction]:
    """Every action is as likely."""
    legal = game.legal_actions(position)
    return dict.fromkeys(legal, Fraction(1, len(legal)))


def outcomes(
    game: Werewolf, policy: Policy = uniform, start_at: Position | None = None
) -> Counter[str]:
    """The probability of each outcome, by recursion over all histories."""
    position = game.initial().position if start_at is None else start_at
    mover = game.mover(position)
    if mover == TERMINAL:
        return Counter({game.outcome(position): Fraction(1)})  # type: ignore[dict-item]
    moves = game.chance_outcomes(position) if mover == CHANCE else policy(game, position).items()
    total: Counter[str] = Counter()
    for action, chance in moves:
        below = outcomes(game, policy, game.play(position, action).position)
        for outcome, probability in below.items():
            total[outcome] += chance * probability  # type: ignore[assignment]
    return total


def best(game: Werewolf, team: str, position: Position) -> Fraction:
    """How likely ``team`` wins if whoever moves does the best for it, seeing the position."""
    mover = game.mover(position)
    if mover == TERMINAL:
        return Fraction(game.outcome(position) == team)
    if mover == CHANCE:
        return sum(
            (p * best(game, team, game.play(position, a).position))
            for a, p in game.chance_outcomes(position)
        ) + Fraction(0)
    return max(
        best(game, team, game.play(position, a).position) for a in game.legal_actions(position)
    )


def histories(game: Werewolf, limit: int = 100_000) -> Iterator[Cursor]:
    """Every node, in depth-first order; fails when there are more than ``limit``."""
    stack, count = [start(game)], 0
    while stack:
        cursor = stack.pop()
        yield cursor
        count += 1
        assert count <= limit
        if game.mover(cursor.position) != TERMINAL:
            stack += [advance(game, cursor, a) for a in game.actions(cursor.position)]
