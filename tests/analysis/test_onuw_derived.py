"""The equilibria of the three-player games come out whole, and as the theorems have them."""

from itertools import product
from typing import Any

import pytest
import sympy

from crywolf.analysis.theorems import THEOREMS
from crywolf.solvers.pbe import Assessment

from ..solvers.naive_equilibria import derived

sp: Any = sympy
And, Eq, Or, Rational = sp.And, sp.Eq, sp.Or, sp.Rational
FAMILIES = ("i", "ii", "iii", "iva", "ivb", "va", "vb")


def votes(found: Any) -> tuple[Any, ...]:
    """x0, x1, x2; q1, q2; p, r1, r2, see `onuw_families`."""
    robber = "P3: dealt Robber"
    night = [found.probability(robber, move) for move in ("NS", "S1", "S2")]
    wolves = [
        found.probability(f"P{i}: dealt Werewolf; Werewolves P1 P2", "vote P3") for i in (1, 2)
    ]
    after = ("NS", "S1; now Werewolf", "S2; now Werewolf")
    return *night, *wolves, *(found.probability(f"{robber}; {told}", "vote P1") for told in after)


def seven_families(found: Any) -> Any:
    """The complete list without discussion, under the paper's payoffs."""
    x0, x1, x2, q1, q2, p, r1, r2 = votes(found)
    robbed = And(Eq(r1, 1), Eq(r2, 0))
    half = Rational(1, 2)
    one = And(Eq(q1, 0), Eq(q2, 0), robbed, x0 * p <= x1, x0 * (1 - p) <= x2)
    two = And(
        Eq(q1, q2), robbed, Eq(2 * x0 * q1, 1 - 2 * x0), Eq(2 * x0**2 * p, x0**2 + x1**2 - x2**2)
    )
    three = And(
        Eq(q1, 1), Eq(q2, 1),
        x0 * (2 - p) + x1 * r1 >= x2 * (2 - r2), x0 * (1 + p) + x2 * (1 - r2) >= x1 * (1 + r1),
    )  # fmt: skip
    four_a = And(Eq(q2, 0), Eq(p, 1), robbed, Eq(x2, 0), x0 <= half)
    four_b = And(Eq(q1, 0), Eq(p, 0), robbed, Eq(x1, 0), x0 <= half)
    five_a = And(Eq(q1, 1), Eq(p, 1), robbed, Eq(x0, half), Eq(x1, half))
    five_b = And(Eq(q2, 1), Eq(p, 0), robbed, Eq(x0, half), Eq(x2, half))
    return Or(one, two, three, four_a, four_b, five_a, five_b)


@pytest.mark.parametrize("concept", ["weak-pbe", "pbe", "sequential"])
def test_the_seven_families_are_all(concept):
    found = derived("onuw_robber3", concept)
    assert len(found.families) == 7
    assert found.equals(seven_families(found))
    for family in found.families:
        assert family.verify().holds


def test_a_longer_or_a_shorter_list_is_noticed():
    found = derived("onuw_robber3", "weak-pbe")
    x0, *_, q1, q2, p, _, _ = votes(found)
    stated = seven_families(found)
    assert not found.equals(And(stated, p <= Rational(999, 1000)))
    assert not found.equals(Or(stated, And(Eq(q1, 1), Eq(q2, 1))))
    assert not found.equals(And(stated, Or(x0 <= Rational(1, 2), x0 >= Rational(501, 1000))))


def test_the_theorems_are_among_them():
    found = derived("onuw_robber3", "weak-pbe")
    for name in ("theorem_4_1", "theorem_4_2_without_discussion", "symmetric_family"):
        claim: Any = THEOREMS[f"onuw_{name}"]
        assert found.contains(claim.assessment), name
    met = set()  # each stated family is one of ours, and every one of ours is met
    for name in FAMILIES:
        stated: Any = THEOREMS[f"onuw_family_{name}"]
        inside = [i for i, f in enumerate(found.families) if f.contains(stated.assessment)]
        assert inside, name
        met |= set(inside)
    assert met == set(range(7))


@pytest.mark.parametrize("game", ["onuw_robber3", "onuw_robber3_official"])
def test_the_order_of_simultaneous_votes_does_not_matter(game):
    """Sequential equilibria with the Robber's vote first and last, each among the others."""
    first, last = derived(game, "sequential"), derived(f"{game}(vote_order=seat)", "sequential")
    for family in last.families:
        assert first.contains(Assessment(family.strategies, {}, family.conditions))
    for family in first.families:
        wolves = [family.strategies[f"P{i}: dealt Werewolf; Werewolves P1 P2"] for i in (1, 2)]
        belief = tuple(one * other for one, other in product(*(w.values() for w in wolves)))
        after = ("NS", "S1; now Werewolf", "S2; now Werewolf")
        beliefs = {f"P3: dealt Robber; {told}": belief for told in after}
        assert last.contains(Assessment(family.strategies, beliefs, family.conditions))


def test_the_printed_rules_have_nine_families():
    found = derived("onuw_robber3_official", "weak-pbe")
    assert len(found.families) == 9
    for family in found.families:
        assert family.verify().holds
    x0, x1, x2, q1, q2, _, r1, r2 = votes(found)
    theorem = And(Eq(x0, 0), Eq(x1, x2), Eq(q1, 0), Eq(q2, 0), Eq(r1, 1), Eq(r2, 0))
    assert found.equals(Or(theorem, sp.Or(*(f.membership for f in found.families))))
