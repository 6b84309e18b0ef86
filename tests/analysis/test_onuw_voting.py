"""The voting phase: nine families, against the paper's table of payoffs and a second formulation."""

import dataclasses
import itertools
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy

from crywolf.analysis import onuw_derived, onuw_voting, set_claims
from crywolf.analysis.onuw_derived import PLACES
from crywolf.analysis.onuw_theorems import P1, SIMPLEX, alpha, beta, gamma, p, q1, q2
from crywolf.analysis.onuw_voting import OUTSIDE, VOTES, VOTING
from crywolf.analysis.theorems import THEOREMS
from crywolf.solvers.pbe import derive_equilibria

sp: Any = sympy

# Payoffs after the votes of P1, P2, P3 for the night moves NS, S1, S2, as Jin et al. print them.
TABLE = {
    (2, 1, 1): ((-1, -1, 1), (-1, 1, 1), (-1, 1, -1)),
    (2, 1, 2): ((-1, -1, 1), (1, -1, -1), (1, -1, 1)),
    (2, 3, 1): ((0, 0, 0), (0, 0, 0), (0, 0, 0)),
    (2, 3, 2): ((-1, -1, 1), (1, -1, -1), (1, -1, 1)),
    (3, 1, 1): ((-1, -1, 1), (-1, 1, 1), (-1, 1, -1)),
    (3, 1, 2): ((0, 0, 0), (0, 0, 0), (0, 0, 0)),
    (3, 3, 1): ((1, 1, -1), (1, -1, -1), (-1, 1, -1)),
    (3, 3, 2): ((1, 1, -1), (1, -1, -1), (-1, 1, -1)),
}
GRID = 6
BELIEFS = [(i, j, GRID - i - j) for i in range(GRID + 1) for j in range(GRID + 1 - i)]


@pytest.fixture(scope="module")
def found():
    return derive_equilibria("onuw_robber3", "weak-pbe", assumptions=SIMPLEX, fixed_beliefs=OUTSIDE)


@pytest.fixture
def once(found, monkeypatch):
    """The claims derive nothing anew."""
    monkeypatch.setattr(set_claims, "derive_equilibria", lambda *_, **__: found)


def gains(belief, votes, certain):
    """What voters lose by votes that they cast, times a number: 0 where nobody can gain.

    Args:
        belief: over NS, S1, S2, in sixths.
        votes: P3's of P1 after NS, S1, S2; P1's and P2's of P3; arrays of whole numbers.
        certain: the number that makes a vote certain.
    """
    after = votes[:3]
    mixes = ({3: votes[3], 2: certain - votes[3]}, {3: votes[4], 1: certain - votes[4]})
    worst = []
    for player in (0, 1):
        values = {}
        for mine in mixes[player]:
            values[mine] = 0
            for theirs, night in itertools.product(mixes[1 - player], range(3)):
                for third in (1, 2):
                    pair = (mine, theirs) if player == 0 else (theirs, mine)
                    chance = mixes[1 - player][theirs] * (
                        after[night] if third == 1 else certain - after[night]
                    )
                    values[mine] += belief[night] * chance * TABLE[(*pair, third)][night][player]
        worst.append((values, mixes[player]))
    for night in range(3):
        values = {
            third: sum(
                mixes[0][one] * mixes[1][two] * TABLE[(one, two, third)][night][2]
                for one, two in itertools.product(mixes[0], mixes[1])
            )
            for third in (1, 2)
        }
        worst.append((values, {1: after[night], 2: certain - after[night]}))
    total = np.zeros_like(votes[0])
    for values, mix in worst:
        best = np.maximum(*values.values())
        total = total + sum(np.where(mix[v] > 0, best - values[v], 0) for v in values)
    return total


def test_the_families_are_all_equilibria_on_a_grid_and_nothing_else():
    """By the table alone: every belief in sixths, every vote in thirds."""
    steps = 3
    votes = np.array(list(itertools.product(range(steps + 1), repeat=5))).T
    member = sp.Or(*(family.condition for family in VOTING))
    inside = sp.lambdify((alpha, beta, gamma, *VOTES), member, "numpy")
    thirds = np.array([[F(int(v), steps) for v in row] for row in votes], dtype=object)
    equilibria = 0
    for belief in BELIEFS:
        free = gains(belief, votes, steps) == 0
        named = inside(
            *(np.full(len(thirds[0]), F(k, GRID), dtype=object) for k in belief), *thirds
        )
        assert (free == named.astype(bool)).all(), belief
        equilibria += free.sum()
    assert equilibria > 500


def test_nine_families_derived_complete(found):
    assert found.complete
    assert len(found.families) == 9
    assert found.equals(onuw_derived.nine_families(found))
    for family in found.families:
        assert family.verify().holds


@pytest.mark.parametrize("left_out", range(len(VOTING)))
def test_none_of_the_nine_can_be_left_out(found, left_out, monkeypatch):
    monkeypatch.setattr(onuw_derived, "VOTING", (*VOTING[:left_out], *VOTING[left_out + 1 :]))
    assert not found.equals(onuw_derived.nine_families(found))


def test_chance_in_place_of_outside_beliefs():
    """Positive beliefs that everybody knows: IVa and IVb need a belief of 0."""
    game = onuw_voting.voting_game((alpha, beta, 1 - alpha - beta))
    found = derive_equilibria(game, "weak-pbe")
    assert found.complete
    kept = [family for family in VOTING if not family.number.startswith("IV")]
    assert len(found.families) == len(kept) == 7
    stated = sp.Or(*(family.condition for family in kept)).subs(gamma, 1 - alpha - beta)
    places = {vote: found.probability(*PLACES[vote]) for vote in VOTES}
    assert found.equals(stated.subs(places, simultaneous=True))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"formulas": {(P1, "vote P3"): (beta + gamma - alpha) / alpha}}, "has probability"),
        ({"domain": sp.And(4 * alpha >= 1, 2 * alpha <= 1)}, "does not imply"),
        ({"families": 8}, "9 families, not 8"),
        ({"condition": lambda found: sp.Eq(found.probability(*PLACES[p]), 0)}, "differ"),
    ],
)
def test_a_wrong_statement_on_all_equilibria_is_refuted(change, words, once):
    finding = dataclasses.replace(THEOREMS["onuw_voting_phase"], **change).check()
    assert finding.status == "refuted"
    assert words in finding.violations[0]


def test_a_member_must_be_in_a_derived_family(once):
    claim: Any = THEOREMS["onuw_voting_phase"]
    other = claim.member.replace_strategy(P1, {"vote P2": 1})
    finding = dataclasses.replace(claim, member=other).check()
    assert finding.violations == ("no derived family has the member",)


@pytest.mark.parametrize("number", ["i", "ii", "iii", "iva", "va", "via"])
def test_a_wrong_region_is_refuted(number):
    claim: Any = THEOREMS[f"onuw_voting_{number}_region"]
    smaller = dataclasses.replace(claim, region=sp.And(claim.region, alpha < sp.Rational(2, 5)))
    assert "does not imply" in smaller.check().violations[0]
    larger = dataclasses.replace(claim, region=sp.true)
    assert larger.check().status == "refuted"
    pointless = dataclasses.replace(claim, witnesses=())
    assert pointless.check().status == "refuted"


def test_mirrored_twice_is_the_family_itself():
    for family in VOTING[3:]:
        again = family.mirrored().mirrored()
        same = sp.Equivalent(again.condition, family.condition)
        point = dict(zip((alpha, beta, gamma, *VOTES), (0.3, 0.5, 0.2, 1, 1, 0, 0.4, 0.1)))
        assert bool(same.subs(point)) is True
        assert again.known == family.known
        assert [sp.expand(a - b) for a, b in zip(again.values, family.values)] == [0, 0, 0]


def test_facts_on_the_asymmetric_family():
    """Both Werewolves are indifferent at these votes, and P1 votes P3 more often."""
    (family,) = (family for family in VOTING if family.number == "VIa")
    belief = {alpha: sp.Rational(1, 3), beta: sp.Rational(23, 54), gamma: sp.Rational(13, 54)}
    assert sp.simplify(family.region.subs(belief)) == sp.true
    case, votes = family.witnesses[0]
    assert case.subs(belief) == sp.true
    one, two = (sp.sympify(votes[q]).subs(belief) for q in (q1, q2))
    assert (one, two) == (sp.Rational(5, 8), sp.Rational(13, 28))
    assert 1 > one > two
