"""The longest play of an ONUW game, and whether all its endings pay the same in sum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from .night import BLIND, SEATS_ONLY
from .position import Stage
from .scene import Cards
from .totals import constant_total, layouts

if TYPE_CHECKING:
    from .rules import Onuw


def _deals(game: Onuw) -> Iterator[Cards]:
    """The deals that differ in more than the numbers of the places."""
    return iter((game.dealt,)) if game.dealt else layouts(game.deck, game.num_players)


def longest_play(game: Onuw) -> int:
    """The largest number of player moves: night turns, statements and votes."""
    longest = 0
    for deal in _deals(game):
        table = game.table(deal, deal)
        turns = sum(
            bool(game.roles[deal[seat]].choices(table, seat))
            for seat in game.scene.seats
            if deal[seat] not in game.script
        )
        longest = max(longest, turns + len(game.talk.speakers(table)))
    return longest + game.num_players


def constant_sum(game: Onuw) -> Fraction | None:
    """The sum of payoffs if every way to end the game gives the same one, else None."""
    n, role_of = game.num_players, game.roles.__getitem__
    hands = (deal[:n] for deal in layouts(game.deck, n))
    total = constant_total(hands, role_of, game.resolution)
    if total is None:  # but perhaps not every hand can be reached: a deal may be given, and so on
        total = constant_total(_final_hands(game), role_of, game.resolution)
    return total


def _final_hands(game: Onuw) -> Iterator[Cards]:
    """Hands that pay like the players' at the end of the night, over all deals and night actions.

    Cards that pay alike are taken for one another where the night does not ask which they are;
    otherwise a night with several Troublemakers would have very many ends.
    """
    alike: dict[object, str] = {}
    same = {name: alike.setdefault(role.pay_class, name) for name, role in game.roles.items()}
    for deal in _deals(game):
        performances = {game.roles[card].perform for card in deal[: game.num_players]}
        if performances <= SEATS_ONLY:
            yield deal[: game.num_players]
        elif performances <= BLIND:
            yield from _ends(game, deal, tuple(same[card] for card in deal))
        else:
            yield from _ends(game, deal, deal)


def _ends(game: Onuw, deal: Cards, cards: Cards) -> Iterator[Cards]:
    """The players' cards at every end of a night that begins with ``cards``."""
    stack = [game.dealt_out(deal, cards).position]
    met = set(stack)
    while stack:
        position = stack.pop()
        if position.stage is not Stage.NIGHT:
            yield position.cards[: game.num_players]
            continue
        below = {game.play(position, a).position for a in game.legal_actions(position)}
        stack += below - met
        met |= below
