"""Is the sum of all payoffs the same however an ONUW game ends?

Payoffs depend on which cards the players hold at the end and on the votes, not on how the seats are
numbered. So it is enough to look at every *set* of cards that players can end up with, cards of
equal goals counting as equal, and at votes for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product

from .resolution import Resolution, deaths
from .role import Role, nobody
from .scene import Cards

MOST_FOR_ALL = 5
"""Up to so many players, every way to vote is tried where it matters who voted for whom."""


@cache
def ballots(num_players: int) -> tuple[tuple[int, ...], ...]:
    """For each set of seats that can be the most voted, or for nobody dying, one way to vote.

    A vote is the seat that it is for, by the seat that votes. Two or more seats that are tied have
    two votes each at least, so they are at most half of all.
    """
    seats = range(num_players)
    found = [tuple((seat + 1) % num_players for seat in seats)]
    for size in range(1, num_players // 2 + 1):
        found += [_ballot(num_players, most) for most in combinations(seats, size)]
    return tuple(found)


@cache
def all_ballots(num_players: int) -> tuple[tuple[int, ...], ...]:
    """Every way to vote."""
    seats = range(num_players)
    return tuple(product(*([t for t in seats if t != seat] for seat in seats)))


def _ballots_for(roles: Sequence[Role]) -> tuple[tuple[int, ...], ...]:
    """Votes that bring about every sum of payoffs that these final cards can have.

    Without a Hunter only the most voted matter. With one and many players they are enough, too, of
    the printed roles: sums differ only by whether a Werewolf died, how many Tanners did, and
    whether a Minion was the only one to die; two deaths show all of it.
    """
    n = len(roles)
    shots = any(role.takes_along is not nobody for role in roles)
    return all_ballots(n) if shots and n <= MOST_FOR_ALL else ballots(n)


def _ballot(num_players: int, most: Sequence[int]) -> tuple[int, ...]:
    """Votes after which exactly ``most`` have the most."""
    rest = [seat for seat in range(num_players) if seat not in most]
    votes = [most[0]] * num_players
    if len(most) == 1:
        votes[most[0]] = rest[0]
        return tuple(votes)
    for i, seat in enumerate(most):  # two votes each: one from among them, one from outside
        votes[seat] = most[(i + 1) % len(most)]
        votes[rest[i]] = seat
    for voter, target in zip(rest[len(most) :], rest, strict=False):  # one vote each
        votes[voter] = target
    return tuple(votes)


def constant_total(
    hands: Iterable[Cards], role_of: Callable[[str], Role], payoffs: Resolution
) -> Fraction | None:
    """The sum of payoffs that all endings share, or None.

    Args:
        hands: the cards that players can end up with, in any order of seats; drawn one by one until
            two sums differ.
        role_of: the role of a card.
        payoffs: the resolution.
    """
    total: Fraction | None = None
    tried: set[tuple[int, ...]] = set()
    classes: dict[object, int] = {}
    for hand in hands:
        roles = [role_of(card) for card in hand]
        kind = tuple(sorted(classes.setdefault(role.pay_class, len(classes)) for role in roles))
        if kind in tried:
            continue
        tried.add(kind)
        for votes in _ballots_for(roles):
            here = sum(payoffs(roles, deaths(roles, votes)), Fraction(0))
            if total is None:
                total = here
            elif here != total:
                return None
    return total


def layouts(deck: Cards, num_players: int) -> Iterator[Cards]:
    """The deals that differ in more than the numbers of the places."""
    cards = sorted(deck)
    for hand in dict.fromkeys(combinations(cards, num_players)):
        centre = list(cards)
        for card in hand:
            centre.remove(card)
        yield (*hand, *centre)
