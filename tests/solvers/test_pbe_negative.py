"""Negative controls: what is false is refuted, for the right reason, at the right place."""

from dataclasses import replace
from fractions import Fraction as F
from itertools import combinations
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis import onuw_theorems as onuw
from crywolf.games import load_game, textbook
from crywolf.games.extensive import ExtensiveGame
from crywolf.games.nodes import Leaf, depth_first, rebuild
from crywolf.solvers import compile_tree
from crywolf.solvers.pbe import Assessment, derive_equilibria, verify

from .naive_equilibria import derived, flaws
from .test_pbe_verify import as_strategies, mixes, staged_games

sp: Any = sympy
HALF = F(1, 2)
NAMES = {"rationality": "gain", "plan": "gain"}
"""What `flaws` calls a better action or plan."""


def reasons(game, assessment, concept, **options):
    """Kinds and places of all violations; the amounts that deviations gain are positive."""
    verdict = verify(game, assessment, concept, **options)
    assert verdict.holds == (not verdict.violations)
    for violation in verdict.violations:
        if violation.kind in NAMES:
            assert violation.amount > 0
            assert violation.deviation
    return {(v.kind, v.information_set) for v in verdict.violations}


def judged(game, assessment, concept):
    """The same by the definitions."""
    return set(flaws(compile_tree(game), assessment, concept))


def in_words_of_the_judge(found):
    return {(NAMES.get(kind, kind), key) for kind, key in found}


# ------------------------------------------------------------------------------ wrong theorems

ROBBER = compile_tree(load_game(onuw.GAME))
UNIFORM = (0, HALF, HALF)
WEREWOLVES = {("rationality", onuw.P1), ("rationality", onuw.P2)}
NIGHT_MOVE = {("rationality", onuw.NIGHT), ("plan", onuw.NIGHT)}
errors = st.sampled_from([F(1, 100), F(1, 7), F(2, 5)])


def assert_refuted(assessment, expected):
    """A profile of the three-player game is refuted for the expected reasons, and by the judge."""
    found = reasons(ROBBER, assessment, "weak-pbe")
    assert found == expected
    assert judged(ROBBER, assessment, "weak-pbe") == in_words_of_the_judge(found)


@settings(max_examples=10)
@given(errors, st.sampled_from([F(0), F(1, 3), F(1)]))
def test_theorem_4_1_with_wrong_probabilities(d, p):
    def profile(q1=F(0), q2=F(0), after_s1=F(1), night=UNIFORM, belief=UNIFORM):
        return Assessment(onuw.strategies(night, q1, q2, p, after_s1), {onuw.P1: belief})

    assert_refuted(profile(), set())
    # P1 shuns P3, its vote for it is a loss; and the Robber would no longer switch with P2.
    vote_after_ns = {("rationality", onuw.AFTER_NS)}
    assert_refuted(
        profile(q1=d),
        {("rationality", onuw.P1)} | NIGHT_MOVE | (vote_after_ns if p < 1 else set()),
    )
    assert_refuted(
        profile(q2=d),
        {("rationality", onuw.P2)} | NIGHT_MOVE | (vote_after_ns if p > 0 else set()),
    )
    assert_refuted(profile(after_s1=1 - d), {("rationality", onuw.AFTER_S1)} | NIGHT_MOVE)
    uneven = (0, HALF + d, HALF - d)
    assert_refuted(profile(night=uneven), {("bayes", onuw.P1)})
    assert_refuted(profile(belief=uneven), {("bayes", onuw.P1)})
    assert_refuted(profile(night=uneven, belief=uneven), set())


@settings(max_examples=15)
@given(
    st.sampled_from([F(3, 10), F(1, 3), F(2, 5)]),
    st.sampled_from([F(-1, 20), F(0), F(1, 30)]),
    st.sampled_from([F(-1, 100), F(1, 100), F(1, 40)]),
)
def test_theorem_4_2_with_wrong_probabilities(alpha, skew, d):
    night = (alpha, (1 - alpha) / 2 + skew, (1 - alpha) / 2 - skew)
    values = dict(zip((onuw.alpha, onuw.beta, onuw.gamma), night, strict=True))
    q, p = (F(str(formula.subs(values))) for formula in (onuw.Q_4_2, onuw.P_4_2))

    def profile(d1, d2, dp):
        return Assessment(onuw.strategies(night, q + d1, q + d2, p + dp))

    assert_refuted(profile(0, 0, 0), set())
    assert_refuted(profile(0, 0, d), WEREWOLVES)
    assert_refuted(profile(d, d, 0), WEREWOLVES)
    vote = {("rationality", onuw.AFTER_NS)}
    assert_refuted(profile(d, 0, 0), {("rationality", onuw.P2)} | NIGHT_MOVE | vote)
    assert_refuted(profile(0, d, 0), {("rationality", onuw.P1)} | NIGHT_MOVE | vote)


def test_theorem_4_2_with_wrong_formulas():
    """With symbols: the counter-example is a belief of the theorem's domain, or one just outside."""
    claim: Any = next(c for c in onuw.CLAIMS if c.name == "onuw_theorem_4_2")

    def refuted(assessment):
        verdict = verify(ROBBER, assessment, "weak-pbe", fixed_beliefs=claim.fixed_beliefs)
        assert not verdict.holds
        return {(v.kind, v.information_set) for v in verdict.violations}, verdict.violations

    mixed = (onuw.x0, onuw.x1, 1 - onuw.x0 - onuw.x1)
    right = claim.assessment.assumptions
    swapped = onuw.P_4_2.subs({onuw.beta: onuw.gamma, onuw.gamma: onuw.beta}, simultaneous=True)
    found, violations = refuted(
        Assessment(onuw.strategies(mixed, onuw.Q_4_2, onuw.Q_4_2, swapped), {}, right)
    )
    assert found == WEREWOLVES
    for violation in violations:
        assert violation.at[onuw.beta] != violation.at[onuw.gamma]
    wider = [a if a != (onuw.alpha >= F(1, 4)) else onuw.alpha >= F(1, 5) for a in right]
    found, violations = refuted(Assessment(claim.assessment.strategies, {}, wider))
    assert {("strategy", onuw.P1), ("strategy", onuw.P2)} <= found
    for violation in violations:
        assert F(1, 5) <= violation.at.get(onuw.alpha, F(1, 5)) < F(1, 4)


POOL = {
    "P1: weak": {"beer": F(1)},
    "P1: strong": {"beer": F(1)},
    "P2: beer": {"retreat": F(1)},
    "P2: quiche": {"fight": F(1)},
}


@pytest.mark.parametrize(
    ("changes", "beliefs", "expected"),
    [
        ({}, {"P2: quiche": (1, 0)}, set()),
        (
            {"P2: quiche": {"fight": F(1, 3), "retreat": F(2, 3)}},
            {"P2: quiche": (HALF, HALF)},
            {("rationality", "P1: weak")},
        ),
        ({}, {"P2: quiche": (F(1, 3), F(2, 3))}, {("rationality", "P2: quiche")}),
        (
            {"P2: beer": {"fight": F(1)}},
            {"P2: quiche": (1, 0)},
            {("rationality", "P2: beer"), ("rationality", "P1: weak")},
        ),
        ({}, {"P2: quiche": (1, 0), "P2: beer": (HALF, HALF)}, {("bayes", "P2: beer")}),
        ({}, {"P2: quiche": (F(3, 2), F(-1, 2))}, {("belief", "P2: quiche")}),
        (
            {"P1: weak": {"beer": F(9, 10), "quiche": F(1, 10)}},
            {},
            {("rationality", "P1: weak")},
        ),
    ],
)
@pytest.mark.parametrize("concept", ["weak-pbe", "pbe", "sequential"])
def test_beer_quiche_with_errors(changes, beliefs, expected, concept):
    game = textbook.beer_quiche()
    wrong = Assessment({**POOL, **changes}, beliefs)
    if concept == "sequential" and ("bayes", "P2: beer") in expected:
        expected = {*expected, ("consistency", "P2: beer")}
    assert reasons(game, wrong, concept) == expected
    assert derived("beer_quiche", concept).contains(wrong) == (not expected)


# ------------------------------------------------------------------------------- wrong games


def with_leaves_swapped(game, one, other):
    """The game with the payoffs of two leaves exchanged; leaves are numbered from the left."""
    nodes = [place.node for place in depth_first(game.root)]
    leaves = [i for i, node in enumerate(nodes) if isinstance(node, Leaf)]
    i, j = leaves[one], leaves[other]
    nodes[i], nodes[j] = nodes[j], nodes[i]
    return ExtensiveGame(game.name, rebuild(nodes))


def test_a_swapped_payoff():
    """Were the receiver to gain by fighting the strong one, it would fight after beer."""
    right = Assessment(POOL, {"P2: quiche": (1, 0)})
    swapped = with_leaves_swapped(textbook.beer_quiche(), 4, 5)
    assert reasons(swapped, right, "weak-pbe") == {("rationality", "P2: beer")}
    found = derive_equilibria(swapped, "weak-pbe")
    assert found.complete
    assert not found.contains(right)


def test_every_swap_of_two_payoffs():
    """Each pooling equilibrium survives some swaps, and is refuted where the definitions say."""
    candidates = [
        Assessment(POOL, {"P2: quiche": (1, 0)}),
        Assessment(POOL, {"P2: quiche": (HALF, HALF)}),
        Assessment(
            {
                "P1: weak": {"quiche": 1},
                "P1: strong": {"quiche": 1},
                "P2: quiche": {"retreat": 1},
                "P2: beer": {"fight": HALF, "retreat": HALF},
            },
            {"P2: beer": (HALF, HALF)},
        ),
    ]
    refuted = 0
    for one, other in combinations(range(8), 2):
        game = with_leaves_swapped(textbook.beer_quiche(), one, other)
        for candidate in candidates:
            found = in_words_of_the_judge(reasons(game, candidate, "weak-pbe"))
            assert found == judged(game, candidate, "weak-pbe")
            refuted += bool(found)
    assert 0 < refuted < 3 * 28


@given(st.data())
@pytest.mark.parametrize("concept", ["weak-pbe", "pbe"])
def test_reasons_are_those_of_the_definitions(concept, data):
    """Random assessments of random games: refuted at the same sets, and for the same reasons."""
    tree = compile_tree(data.draw(staged_games()))
    strategies = as_strategies(tree, data.draw(mixes(tree)))
    beliefs = {}
    for h, key in enumerate(tree.keys):
        weights = [data.draw(st.integers(0, 2)) for _ in tree.nodes_of(h)]
        weights[0] += not sum(weights)
        beliefs[key] = tuple(F(w, sum(weights)) for w in weights)
    wrong = Assessment(strategies, beliefs)
    assert in_words_of_the_judge(reasons(tree, wrong, concept)) == judged(tree, wrong, concept)


# ----------------------------------------------------------------------------- wrong concepts


def test_the_trap_of_single_moves():
    """Myerson's: no single move is worth changing, two are; and no derived family falls for it."""
    strategies = {"P2: 2": {"out": 1}, "P1: first": {"stop": 1}, "P1: second": {"r": 1}}
    trap = Assessment(strategies, {"P1: first": (1, 0), "P1: second": (0, 1)})
    verdict = verify(textbook.disagreeing_beliefs(), trap, "weak-pbe")
    single = [c for c in verdict.checks if c.condition.kind == "rationality"]
    assert single
    assert all(check.proof.answer == "proved" for check in single)
    (violation,) = verdict.violations
    assert (violation.kind, violation.information_set) == ("plan", "P1: first")
    assert violation.deviation == {"P1: first": "go", "P1: second": "l"}
    assert violation.amount == 2
    for concept in ("weak-pbe", "pbe", "sequential"):
        assert not derived("disagreeing_beliefs", concept).contains(trap)


@pytest.mark.parametrize(
    ("name", "strategies", "beliefs", "fine", "wrong", "reason"),
    [
        pytest.param(
            "gibbons_4_1_3",
            {"P1: 1": {"A": 1}, "P2: 2": {"L": 1}, "P3: 3": {"L'": 1}},
            {"P3: 3": (F(1, 5), F(4, 5))},
            "pbe",
            "sequential",
            ("consistency", "P3: 3"),
            id="P2 never plays R, but P3 believes in it",
        ),
        pytest.param(
            "disagreeing_beliefs",
            {"P2: 2": {"out": 1}, "P1: first": {"go": 1}, "P1: second": {"l": 1}},
            {"P1: first": (HALF, HALF), "P1: second": (1, 0)},
            "weak-pbe",
            "pbe",
            ("updating", "P1: second"),
            id="P1 learns nothing, but changes its mind",
        ),
        pytest.param(
            "bos_outside",
            {"P1: 1": {"Out": 1}, "P1: 1 inside": {"T": 1}, "P2: 2": {"T": HALF, "W": HALF}},
            {"P2: 2": (F(3, 4), F(1, 4))},
            "pbe",
            "sequential",
            ("consistency", "P2: 2"),
            id="P1 would play T, but P2 is not sure",
        ),
        pytest.param(
            "entry",
            {"P1: entrant": {"Out": 1}, "P2: incumbent": {"Fight": 1}},
            {},
            "nash",
            "subgame-perfect",
            ("plan", "P2: incumbent"),
            id="an empty threat",
        ),
        pytest.param(
            "selten_horse",
            {"P1: 1": {"L": 1}, "P2: 2": {"R": 1}, "P3: 3": {"R": 1}},
            {"P3: 3": (1, 0)},
            "subgame-perfect",
            "weak-pbe",
            ("rationality", "P2: 2"),
            id="P2 would not play R",
        ),
    ],
)
def test_the_stronger_concept_refuses(name, strategies, beliefs, fine, wrong, reason):
    game, candidate = load_game(name), Assessment(strategies, beliefs)
    assert reasons(game, candidate, fine) == set()
    assert reasons(game, candidate, wrong) == {reason}
    assert derived(name, fine).contains(candidate)
    assert not derived(name, wrong).contains(candidate)


# ----------------------------------------------------------------------------- wrong families

WITH_CONDITIONS = [
    ("selten_horse", "sequential"),
    ("beer_quiche", "weak-pbe"),
    ("bos_outside", "weak-pbe"),
    ("bos_outside", "nash"),
    ("cheap_talk", "pbe"),
    ("centipede", "nash"),
    ("dalek", "sequential"),
    ("spence", "weak-pbe"),
]
LARGE = [
    pytest.param(name, "weak-pbe", marks=pytest.mark.slow)
    for name in ("kuhn_poker", "onuw_robber3_official")
]


def assert_counter_examples(family, wrong):
    """The wrong family is refuted, and where it is said to fail it fails by the definitions."""
    verdict = family.verify()
    assert verdict.status == "fails", wrong
    for violation in verdict.violations:
        assert violation.at
        if "divides by 0" in violation.text:  # not even an assessment
            continue
        there = (sp.Eq(s, sp.sympify(x), evaluate=False) for s, x in violation.at.items())
        member = replace(family, conditions=(*family.conditions, *there)).sample()
        assert flaws(family.tree, member, family.concept), (wrong, violation)


@pytest.mark.parametrize(("name", "concept"), [*WITH_CONDITIONS, *LARGE])
def test_a_dropped_condition(name, concept):
    """Every condition of a family is needed: without it, some member is no equilibrium."""
    for family in derived(name, concept).families:
        for i in range(len(family.conditions)):
            wider = (*family.conditions[:i], *family.conditions[i + 1 :])
            assert_counter_examples(replace(family, conditions=wider), family.conditions[i])


def moved(relation, by):
    """The inequality with more room, or less if ``by`` is negative; None for other relations."""
    if isinstance(relation, sp.Ge):
        return sp.Ge(relation.lhs - relation.rhs, -by)
    return sp.Le(relation.lhs - relation.rhs, by) if isinstance(relation, sp.Le) else None


@pytest.mark.parametrize(("name", "concept"), [*WITH_CONDITIONS, LARGE[0]])
def test_a_moved_bound(name, concept):
    """A bound too wide by 1/1000 makes members that are no equilibria."""
    for family in derived(name, concept).families:
        for i, condition in enumerate(family.conditions):
            wider = moved(condition, F(1, 1000))
            if wider is not None:
                changed = (*family.conditions[:i], wider, *family.conditions[i + 1 :])
                assert_counter_examples(replace(family, conditions=changed), condition)


@pytest.mark.parametrize(("name", "concept"), WITH_CONDITIONS)
def test_a_bound_too_narrow(name, concept):
    """What is left are equilibria, but not all: the union is noticed to be smaller."""
    found = derived(name, concept)
    union = sp.Or(*(f.membership for f in found.families))
    assert found.equals(union)
    for number, family in enumerate(found.families):
        for condition in family.conditions:
            narrower = moved(condition, F(-1, 1000))
            if narrower is None:
                continue
            part = replace(family, conditions=(*family.conditions, narrower))
            assert part.verify().holds
            rest = [f.membership for i, f in enumerate(found.families) if i != number]
            assert not found.equals(sp.Or(sp.And(family.membership, narrower), *rest)), condition


@pytest.mark.parametrize(("name", "concept"), [*WITH_CONDITIONS, *LARGE])
def test_a_family_left_out(name, concept):
    """No family lies in the others: without it, the rest is not the whole, and misses it."""
    found = derived(name, concept)
    union = sp.Or(*(f.membership for f in found.families))
    for i, family in enumerate(found.families):
        rest = replace(found, families=(*found.families[:i], *found.families[i + 1 :]))
        assert not rest.contains(family.assessment)
        if len(found.families) < 5:
            assert not rest.equals(union)
