"""How probable each role is at each seat, when some are ruled out: exact counts of deals.

Every way to deal the cards is equally likely. `role_chances` counts deals seat by seat, by how many
cards of each role are left (dynamic programming), so its cost is that of the different numbers of
cards left times the seats, not that of the deals. `every_deal` lists them.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.errors import PolicyError, ProblemTooLarge

MAX_DEALS = 1_000_000
"""Deals that are listed."""

_NO_DEAL = "no deal agrees with what the player has observed; the view is of another game"

Chances: TypeAlias = tuple[dict[str, Fraction], ...]
"""For each seat the probabilities of the roles it can have."""


class Deals(NamedTuple):
    """What is known of a deal.

    Attributes:
        cards: (role, how many) pairs.
        allowed: for each seat the roles that it can have.
        counted: the seats and the roles of which ``bounds`` speaks.
        bounds: fewest and most of the counted seats that have a counted role.
    """

    cards: tuple[tuple[str, int], ...]
    allowed: tuple[frozenset[str], ...]
    counted: tuple[frozenset[int], frozenset[str]]
    bounds: tuple[int, int]


class _Left(NamedTuple):
    """Cards still to be dealt, and how many of the counted have been."""

    cards: tuple[int, ...]
    marked: int


@lru_cache(maxsize=4096)
def role_chances(deals: Deals) -> Chances:
    """The probability of each role at each seat.

    Raises:
        PolicyError: no deal agrees with what is known.
    """
    before = [Counter({_Left(tuple(number for _, number in deals.cards), 0): 1})]
    for seat in range(len(deals.allowed)):
        following: Counter[_Left] = Counter()
        for left, ways in before[-1].items():
            for _, after in _dealt(deals, seat, left):
                following[after] += ways
        before.append(following)
    fewest, most = deals.bounds
    after = {left: 1 for left in before[-1] if fewest <= left.marked <= most}
    total = sum(before[-1][left] for left in after)
    if not total:
        raise PolicyError(_NO_DEAL)
    chances: list[dict[str, Fraction]] = []
    for seat in reversed(range(len(deals.allowed))):
        counts: Counter[str] = Counter()
        completions: Counter[_Left] = Counter()
        for left, ways in before[seat].items():
            for role, following_left in _dealt(deals, seat, left):
                ends = after.get(following_left, 0)
                if ends:
                    counts[role] += ways * ends
                    completions[left] += ends
        chances.append({role: Fraction(ways, total) for role, ways in counts.items()})
        after = completions
    return tuple(reversed(chances))


@lru_cache(maxsize=16)
def every_deal(deals: Deals) -> NDArray[np.int8]:
    """(D, n), every deal that agrees with what is known: for each seat an index in ``cards``.

    Raises:
        ProblemTooLarge: there are more than `MAX_DEALS`.
        PolicyError: there is none.
    """
    numbers = {role: i for i, (role, _) in enumerate(deals.cards)}
    fewest, most = deals.bounds
    stack = [((), _Left(tuple(number for _, number in deals.cards), 0))]
    found: list[tuple[int, ...]] = []
    while stack:
        dealt, left = stack.pop()
        if len(dealt) < len(deals.allowed):
            options = _dealt(deals, len(dealt), left)
            stack += [((*dealt, numbers[role]), after) for role, after in options]
        elif fewest <= left.marked <= most:
            found.append(dealt)
            if len(found) > MAX_DEALS:
                raise ProblemTooLarge(
                    f"more than {MAX_DEALS:,} deals agree with what the player knows; cast an "
                    "agent that does not weigh statements, such as honest"
                )
    if not found:
        raise PolicyError(_NO_DEAL)
    return np.array(found, np.int8)


def _dealt(deals: Deals, seat: int, left: _Left) -> list[tuple[str, _Left]]:
    """The roles that a seat can be dealt, each with what is left afterwards."""
    seats, roles = deals.counted
    options = []
    for i, (role, _) in enumerate(deals.cards):
        if left.cards[i] and role in deals.allowed[seat]:
            cards = (*left.cards[:i], left.cards[i] - 1, *left.cards[i + 1 :])
            options.append((role, _Left(cards, left.marked + (seat in seats and role in roles))))
    return options
