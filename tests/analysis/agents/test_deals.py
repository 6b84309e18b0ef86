"""Chances of roles, against counting every deal."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.analysis.agents.deals import Deals, every_deal, role_chances
from crywolf.games.errors import PolicyError

ROLES = "abcd"


@st.composite
def known(draw: st.DrawFn) -> Deals:
    cards = draw(st.lists(st.sampled_from(ROLES), min_size=2, max_size=6))
    seats = range(len(cards))
    allowed = [draw(st.sets(st.sampled_from(ROLES), min_size=2)) for _ in seats]
    counted = draw(st.sets(st.sampled_from(seats))), draw(st.sets(st.sampled_from(ROLES)))
    fewest = draw(st.integers(0, 2))
    return Deals(
        tuple(Counter(cards).items()),
        tuple(map(frozenset, allowed)),
        (frozenset(counted[0]), frozenset(counted[1])),
        (fewest, fewest + draw(st.integers(0, 4))),
    )


@given(known())
def test_equals_counting_every_deal(deals: Deals):
    deck = [role for role, number in deals.cards for _ in range(number)]
    seats, roles = deals.counted
    possible = [
        deal
        for deal in set(permutations(deck))
        if all(role in allowed for role, allowed in zip(deal, deals.allowed))
        and deals.bounds[0] <= sum(deal[s] in roles for s in seats) <= deals.bounds[1]
    ]
    if not possible:
        for question in (role_chances, every_deal):
            with pytest.raises(PolicyError, match="no deal agrees"):
                question(deals)
        return
    names = [role for role, _ in deals.cards]
    listed = [tuple(names[i] for i in row) for row in every_deal(deals).tolist()]
    assert sorted(listed) == sorted(possible)
    for seat, chances in enumerate(role_chances(deals)):
        counts = Counter(deal[seat] for deal in possible)
        assert chances == {r: Fraction(k, len(possible)) for r, k in counts.items()}


def test_thirty_players_take_no_time():
    cards = (("wolf", 6), ("seer", 1), ("guard", 1), ("witch", 1), ("hunter", 1), ("villager", 20))
    everybody = frozenset(role for role, _ in cards)
    allowed = (frozenset(["seer"]), *[everybody] * 29)
    found = role_chances(Deals(cards, allowed, (frozenset(), frozenset()), (0, 0)))
    assert found[0] == {"seer": 1}
    assert found[29]["wolf"] == Fraction(6, 29)
