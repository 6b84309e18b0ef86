"""Random exact members: inside, all over the family, on its faces, in rational numbers."""

import copy
import pickle
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.pbe import Assessment, derive_equilibria, verify
from crywolf.solvers.pbe.members import Members

from .naive_equilibria import derived, flaws

sp: Any = sympy
x, y, z, t = sp.symbols("x y z t")
UNIT = tuple(relation for s in (x, y, z) for relation in (s >= 0, s <= 1))
THIRD = sp.Rational(1, 3)


def points(*relations, count=100, symbols=(x, y, z), free=(), seed=0):
    """Random points of a set in the unit cube, and of symbols ``free`` that have no bounds."""
    inside = tuple(r for r in UNIT if r.free_symbols <= set(symbols))
    row = Assessment({"s": dict(zip("xyzt", (*symbols, *free), strict=False))})
    members = Members("toy", row, symbols, (*inside, *relations))
    found = [
        tuple(m.strategies["s"].values())
        for m in members.random(count, np.random.default_rng(seed))
    ]
    names = (*symbols, *free)
    for point in found[::4]:  # SymPy takes its time
        values = dict(zip(names, map(sp.sympify, point), strict=True))
        for relation in (*inside, *relations):
            assert relation.subs(values) == sp.true
    return found


def rank(found):
    """The dimension of the smallest flat that holds all points."""
    first, *rest = found
    return sp.Matrix([[a - b for a, b in zip(p, first, strict=True)] for p in rest[:40]]).rank()


def spread(found):
    """The shortest side of the smallest box around all points."""
    return min(max(column) - min(column) for column in zip(*found, strict=True))


def test_all_over_the_cube():
    found = points(count=400)
    assert rank(found) == 3
    assert spread(found) == 1
    means = np.mean(np.array(found, float), axis=0)
    assert means == pytest.approx([0.5] * 3, abs=0.06)
    assert all(isinstance(value, F) and value.denominator <= 10**12 for p in found for value in p)
    assert len(set(found)) > 300
    assert sum(0 in p or 1 in p for p in found) > 40  # faces
    assert sum(all(v in (0, 1) for v in p) for p in found) > 0  # corners


def test_bounds_that_hold_together():
    found = points(x + y + z <= 1)
    assert rank(found) == 3
    assert sum(sum(p) == 1 for p in found) > 10


def test_a_flat():
    found = points(sp.Eq(x + y + z, 1))
    assert rank(found) == 2
    assert all(sum(p) == 1 for p in found)
    assert min(max(p[i] for p in found) for i in range(3)) > F(4, 5)


def test_two_equations():
    found = points(sp.Eq(x + y, z), sp.Eq(2 * x, y))
    assert rank(found) == 1
    assert spread(found) > F(1, 4)


@pytest.mark.parametrize("width", [F(1, 100), F(1, 10**6)])
def test_a_narrow_band(width):
    found = points(x - y <= width, y - x <= width, symbols=(x, y))
    assert rank(found) == 2
    assert spread(found) > F(3, 4)


def test_a_small_set():
    """A random point of a grid would never be inside."""
    far = sp.Rational(1, 1000)
    centre = (x - THIRD) ** 2 + (y - THIRD) ** 2 + (z - THIRD) ** 2
    found = points(centre <= far**2)
    assert rank(found) == 3
    assert spread(found) > F(1, 1000)


def test_a_surface():
    """Cheap talk's pooling family: beliefs by Bayes' rule, one equation in three unknowns."""
    found = points(sp.Eq(z * (x + y), x), x + y > 0)
    assert rank(found) == 3  # it is curved
    assert spread(found) > F(9, 10)
    assert len(set(found)) > 70


def test_parts_that_lie_apart():
    tenth = sp.Rational(1, 10)
    apart = sp.Or(sp.And(x <= tenth, y <= tenth), sp.And(x >= 9 * tenth, y >= 9 * tenth))
    found = points(apart, symbols=(x, y))
    assert 20 < sum(p[0] <= F(1, 10) for p in found) < 80
    products = points((10 * x - 1) * (10 * x - 9) * (10 * y - 5) >= 0, x * y <= F(1, 2))
    assert {(p[0] > F(1, 2), p[1] > F(1, 2)) for p in products} >= {(False, False), (False, True)}


def test_symbols_without_bounds():
    found = points(t > 3, x * t <= 2, symbols=(x,), free=(t,))
    assert rank(found) == 2
    assert len({p[1] for p in found}) > 20


def test_no_rational_points():
    """A circle that holds none: x^2 + y^2 = 3/4, as 3 is no sum of two squares of fractions."""
    found = points(sp.Eq(x**2 + y**2, sp.Rational(3, 4)), count=6, symbols=(x, y))
    assert len(set(found)) > 3
    assert all(isinstance(a, F) or isinstance(b, F) for a, b in found)


def test_roots_in_the_bounds():
    found = points(x <= sp.sqrt(2) / 2, x >= sp.sqrt(2) / 2 - F(1, 50), count=10, symbols=(x,))
    assert len(set(found)) > 5
    assert all(isinstance(a, F) for (a,) in found)


@settings(max_examples=25)
@given(st.data())
def test_random_sets(data):
    """Quadratic inequalities and bilinear equations that are known to have a point in common."""
    inside = [data.draw(st.integers(0, 6)) for _ in range(3)]
    point = {s: sp.Rational(n, 6) for s, n in zip((x, y, z), inside, strict=True)}

    def form(*symbols):
        return sum(
            (data.draw(st.integers(-2, 2)) * s for s in symbols), data.draw(st.integers(-2, 2))
        )

    relations = []
    for sense in data.draw(st.lists(st.sampled_from([sp.Ge, sp.Le, sp.Eq]), max_size=3)):
        product = form(x) * form(y, z) if sense is sp.Eq else form(x, y, z) * form(x, y, z)
        relation = sense(sp.expand(product - sp.sympify(product).subs(point)), 0)
        if relation != sp.true:
            relations.append(relation)
    points(*relations, count=5)


# -------------------------------------------------------------------------------- of families


@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("cheap_talk", "weak-pbe"),
        ("disagreeing_beliefs", "pbe"),
        ("kuhn_poker", "weak-pbe"),
        ("chain_store", "nash"),
        ("onuw_robber3_official", "weak-pbe"),
    ],
)
def test_families_in_all_their_dimensions(name, concept):
    for family in derived(name, concept).families:
        members = family.samples(60, np.random.default_rng(0))
        rows = [
            [p for mix in m.strategies.values() for p in mix.values()]
            + [p for belief in m.beliefs.values() for p in belief]
            for m in members
        ]
        assert all(type(p) is F for row in rows for p in row)
        assert rank(rows) >= family.dimension
        for member in members[:3]:
            assert family.contains(member)


def test_members_are_the_same_for_the_same_seed():
    for family in derived("kuhn_poker", "weak-pbe").families:
        for copied in (family, copy.deepcopy(family), pickle.loads(pickle.dumps(family))):
            assert copied.sample() == family.sample()
            for count in (1, 7):
                one, other = (f.samples(count, np.random.default_rng(3)) for f in (family, copied))
                assert one == other
        assert (
            family.sample(np.random.default_rng(3))
            == family.samples(1, np.random.default_rng(3))[0]
        )
        assert family.sample(np.random.default_rng(3)) != family.sample(np.random.default_rng(4))


def test_a_family_of_one():
    (family,) = derived("matching_pennies", "nash").families
    assert family.sample() == family.sample(np.random.default_rng(0))
    assert len(family.samples(3, np.random.default_rng(0))) == 3


def test_members_say_at_which_values_of_the_games_symbols():
    """The semi-separating equilibrium of beer-quiche: the weak type bluffs with (1 - p)/p."""
    p = sp.Symbol("p")
    game = textbook.beer_quiche(p)
    found = derive_equilibria(game, "weak-pbe", assumptions=[p > sp.Rational(1, 2)])
    (family,) = found.families
    seen = set()
    for member in family.samples(8, np.random.default_rng(0)):
        (pinned,) = member.assumptions
        assert pinned.lhs == p
        prior = F(int(pinned.rhs.p), int(pinned.rhs.q))
        assert F(1, 2) < prior < 1
        assert member.strategies["P1: weak"]["beer"] == (1 - prior) / prior
        assert verify(game, member, "weak-pbe").holds
        assert family.contains(member)
        numbers = Assessment(member.strategies, member.beliefs)
        assert not verify(game, numbers, "weak-pbe").holds  # not for all priors
        assert not flaws(derived_tree(game.subs({p: prior})), numbers, "weak-pbe")
        seen.add(prior)
    assert len(seen) > 5


def derived_tree(game):
    return derive_equilibria(game, "nash").families[0].tree


def test_declared_symbols():
    """What a symbol says of itself binds members, though no condition speaks of it."""
    s = sp.Symbol("s", positive=True)
    second = decision(1, "2", {"l": leaf(1, s), "r": leaf(0, 1)})
    game = ExtensiveGame("gift", decision(0, "1", {"take": second, "leave": leaf(-1, 0)}))
    for family in derive_equilibria(game, "nash").families:
        for member in family.samples(20, np.random.default_rng(0)):
            assert verify(game, member, "nash").holds
            assert all(a.rhs > 0 for a in member.assumptions)


def test_payoffs_with_roots():
    root = sp.sqrt(2)
    second = decision(1, "2", {"l": leaf(root, 1), "r": leaf(0, 1)})
    game = ExtensiveGame("root", decision(0, "1", {"in": second, "out": leaf(1, 0)}))
    found = derive_equilibria(game, "subgame-perfect")
    assert found.complete
    for family in found.families:
        members = family.samples(5, np.random.default_rng(0))
        for member in members:
            assert verify(game, member, "subgame-perfect").holds
            assert found.contains(member)
