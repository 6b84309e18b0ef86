"""Completeness by force: equilibria found in other ways are members of derived families.

And what is no equilibrium is a member of none.
"""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from crywolf.games import textbook
from crywolf.solvers import compile_tree, lemke, solve_zero_sum_exact, trace_qre
from crywolf.solvers.pbe import CONCEPTS, Assessment, derive_equilibria

from .naive_equilibria import Play, assert_members_are_equilibria, derived, flaws
from .two_player_games import random_game

TEXTBOOK = [name for name in textbook.__all__ if name != "TextbookGame"]
WITH_BELIEFS = [
    "beer_quiche",
    "bos_outside",
    "burning_money",
    "cheap_talk",
    "dalek",
    "disagreeing_beliefs",
    "gibbons_4_1_1",
    "gibbons_4_1_3",
    "majority",
    "selten_horse",
    "spence",
]
TWO_PLAYERS = [*TEXTBOOK, "kuhn_poker"]
for three in ("chain_store", "gibbons_4_1_3", "majority", "selten_horse"):
    TWO_PLAYERS.remove(three)


def tree_of(found):
    return found.families[0].tree


def as_assessment(tree, probabilities):
    return Assessment(
        {
            key: dict(zip(tree.action_names(h), probabilities[tree.slice(h)], strict=True))
            for h, key in enumerate(tree.keys)
        }
    )


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_lemkes_equilibria(name):
    """Exact, from starts all over the profiles."""
    found = derived(name, "nash")
    tree, rng = tree_of(found), np.random.default_rng(0)
    assert found.contains(as_assessment(tree, lemke(tree).probabilities))
    for _ in range(10):
        start = [F(1)] * tree.num_sequences
        for own in map(tree.slice, range(tree.num_infosets)):
            weights = rng.integers(1, 20, own.stop - own.start).tolist()
            start[own] = [F(w, sum(weights)) for w in weights]
        assert found.contains(as_assessment(tree, lemke(tree, start).probabilities))


@pytest.mark.parametrize("name", ["kuhn_poker", "stripped_poker", "matching_pennies"])
def test_solutions_of_linear_programs(name):
    found = derived(name, "nash")
    solution = solve_zero_sum_exact(tree_of(found))
    assert found.contains(as_assessment(tree_of(found), solution.probabilities))


def test_limits_of_quantal_responses():
    """Floats: those that are equilibria once they are rounded to short fractions."""
    met = 0
    for name in [*TEXTBOOK, "kuhn_poker", "onuw_robber3_official"]:
        found = derived(name, "nash")
        tree = tree_of(found)
        rounded = [F(1)] * tree.num_sequences
        limit = trace_qre(tree).limit.profile.probabilities
        for own in map(tree.slice, range(tree.num_infosets)):
            mix = [F(p).limit_denominator(60) for p in limit[own].tolist()]
            rounded[own] = [p / sum(mix) for p in mix]
        assessment = as_assessment(tree, rounded)
        if not flaws(tree, assessment, "nash"):
            met += 1
            assert found.contains(assessment), name
    assert met >= 20


@pytest.mark.parametrize("name", [n for n in TEXTBOOK if n != "chain_store"])
@pytest.mark.parametrize("concept", ["nash", "subgame-perfect"])
def test_all_pure_profiles(name, concept):
    assert_pure_profiles_agree(derived(name, concept))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("chain_store", "nash"),
        ("chain_store", "subgame-perfect"),
        ("onuw_robber3_official", "nash"),
    ],
)
def test_all_pure_profiles_of_larger_games(name, concept):
    assert_pure_profiles_agree(derived(name, concept))


def assert_pure_profiles_agree(found):
    """A pure profile is a member exactly if it is an equilibrium."""
    tree = tree_of(found)
    menus = [tree.action_names(h) for h in range(tree.num_infosets)]
    for actions in product(*menus):
        pure = Assessment({key: {a: 1} for key, a in zip(tree.keys, actions, strict=True)})
        assert found.contains(pure) == (not flaws(tree, pure, found.concept)), actions


@pytest.mark.parametrize("name", WITH_BELIEFS)
@pytest.mark.parametrize("concept", ["weak-pbe", "pbe", "sequential"])
def test_random_assessments(name, concept):
    assert_judged_alike(derived(name, concept), 16)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WITH_BELIEFS, "kuhn_poker"])
@pytest.mark.parametrize("concept", ["weak-pbe", "sequential"])
def test_many_random_assessments(name, concept):
    assert_judged_alike(derived(name, concept), 60)


@pytest.mark.slow
def test_many_random_assessments_of_the_three_player_game():
    assert_judged_alike(derived("onuw_robber3_official", "weak-pbe"), 90)


@pytest.mark.slow
@pytest.mark.parametrize("concept", CONCEPTS)
def test_random_games(concept):
    """Small payoffs, so that there are ties: families hold what they should, and all of it."""
    derivations = 0
    for seed in range(45):
        tree = compile_tree(random_game(seed, zero_sum=False, largest=1 + seed % 2, depth=3))
        if not 2 <= tree.num_infosets <= 4:
            continue
        found, rng = derive_equilibria(tree, concept), np.random.default_rng(seed)
        assert found.complete
        assert_members_are_equilibria(found, 8)
        for family in found.families:
            for member in family.samples(3, rng):
                for strategies in (member.strategies, None):
                    changed = randomised(tree, strategies, member.beliefs, rng)
                    assert found.contains(changed) == (not flaws(tree, changed, concept)), seed
        derivations += 1
    assert derivations > 10


def assert_judged_alike(found, count):
    """Random assessments are members exactly if they are equilibria; there are some of each."""
    tree, rng = tree_of(found), np.random.default_rng(1)
    verdicts = set()
    for family in found.families:
        for member in family.samples(-(-count // len(found.families)), rng):
            for strategies in (member.strategies, None):
                changed = randomised(tree, strategies, member.beliefs, rng)
                holds = not flaws(tree, changed, found.concept)
                assert found.contains(changed) == holds, changed
                verdicts.add(holds)
    assert verdicts == {True, False}


def randomised(tree, strategies, beliefs, rng):
    """A random assessment: near to a given one, or pure where no strategies are given.

    Beliefs are by Bayes' rule where that applies, else one of them is random (all, if pure).
    """
    near, changed = strategies is not None, {}
    place = rng.integers(-tree.num_infosets, tree.num_infosets)  # negative: nothing but beliefs
    for h, key in enumerate(tree.keys):
        names = tree.action_names(h)
        mix = np.eye(len(names), dtype=int)[rng.integers(len(names))].tolist()
        if near:
            mix = strategies[key].values() if h != place else random_row(len(names), rng)
        changed[key] = dict(zip(names, mix, strict=True))
    play, stated = Play(tree, changed), {}
    unreached = [k for k, ns in zip(tree.keys, play.nodes, strict=True) if not _reached(play, ns)]
    one = rng.choice(unreached) if unreached else None
    for key, nodes in zip(tree.keys, play.nodes, strict=True):
        if key not in unreached:
            stated[key] = tuple(play.bayes(nodes))
        elif near and key != one and key in beliefs:
            stated[key] = beliefs[key]
        else:
            stated[key] = random_row(len(nodes), rng)
    return Assessment(changed, stated)


def _reached(play, nodes):
    return any(play.reach[node] for node in nodes)


def random_row(size, rng):
    """Probabilities in twelfths, often 0 or 1."""
    if rng.random() < 0.3:
        return tuple(np.eye(size, dtype=int)[rng.integers(size)].tolist())
    cuts = sorted(rng.integers(0, 13, size - 1).tolist())
    return tuple(F(b - a, 12) for a, b in zip([0, *cuts], [*cuts, 12], strict=True))
