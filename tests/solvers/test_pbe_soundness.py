"""Soundness by force: random exact members of every derived family, judged by the definitions."""

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from crywolf.analysis import onuw_theorems as onuw
from crywolf.games import load_game, rules_of, textbook
from crywolf.solvers import compile_tree
from crywolf.solvers.pbe import CONCEPTS, Assessment, derive_equilibria

from .naive_equilibria import (
    MEMBERS,
    assert_members_are_equilibria,
    derived,
    flaws,
    proper_subgames,
)

TEXTBOOK = [name for name in textbook.__all__ if name != "TextbookGame"]
EVERY = [(name, concept) for name in TEXTBOOK for concept in CONCEPTS] + [
    ("kuhn_poker", "nash"),
    ("kuhn_poker", "weak-pbe"),
    ("kuhn_poker", "sequential"),
    ("onuw_robber3_official", "weak-pbe"),
]
LARGE = [
    ("onuw_robber3_official", "nash"),
    ("onuw_robber3", "weak-pbe"),
]


def test_all_textbook_games_are_here():
    assert len(TEXTBOOK) == 23


@pytest.mark.parametrize(("name", "concept"), EVERY)
def test_some_members(name, concept):
    count = 3 if concept == "sequential" else 12  # a sequential one needs trembles of its own
    assert_members_are_equilibria(derived(name, concept), count)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "concept"), [*EVERY, *LARGE])
def test_many_members(name, concept):
    assert_members_are_equilibria(derived(name, concept))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["onuw_robber3", "onuw_robber3_official"])
def test_sequential_members_of_the_three_player_games(name):
    assert_members_are_equilibria(derived(name, "sequential"), 30)


@pytest.fixture(scope="module")
def voting():
    """The voting phase: the Werewolves' beliefs come from outside, and are symbols."""
    outside: dict[str, Any] = dict.fromkeys((onuw.P1, onuw.P2), (onuw.alpha, onuw.beta, onuw.gamma))
    found = derive_equilibria(
        onuw.GAME, "weak-pbe", assumptions=onuw.SIMPLEX, fixed_beliefs=outside
    )
    assert found.complete
    return found


@pytest.mark.parametrize("count", [5, pytest.param(MEMBERS, marks=pytest.mark.slow)])
def test_members_with_beliefs_from_outside(voting, count):
    """No flaw but that those beliefs need not follow Bayes' rule."""
    excused = {("bayes", onuw.P1), ("bayes", onuw.P2)}
    for number, family in enumerate(voting.families):
        beliefs = set()
        for member in family.samples(count, np.random.default_rng(number)):
            assert set(flaws(family.tree, member, "weak-pbe")) <= excused
            beliefs.add(member.assumptions)
        assert len(beliefs) > count // 4


# ------------------------------------------------------------------ the judge itself can say no

HALF = F(1, 2)
POOL = {
    "P1: weak": {"beer": 1},
    "P1: strong": {"beer": 1},
    "P2: beer": {"retreat": 1},
    "P2: quiche": {"fight": 1},
}
APART = {"P2: 2": {"out": 1}, "P1: first": {"stop": 1}, "P1: second": {"l": 1}}
AT_A = {"P2: 2": {"a": 1}, "P1: first": {"go": 1}, "P1: second": {"l": 1}}
THIRD = {"P1: 1": {"A": 1}, "P2: 2": {"L": 1}, "P3: 3": {"L'": 1}}


@pytest.mark.parametrize(
    ("name", "concept", "strategies", "beliefs", "found"),
    [
        pytest.param(
            "beer_quiche", "weak-pbe", POOL, {"P2: quiche": (1, 0)}, {}, id="an equilibrium"
        ),
        pytest.param(
            "beer_quiche",
            "weak-pbe",
            POOL,
            {"P2: quiche": (F(49, 100), F(51, 100))},
            {("gain", "P2: quiche"): F(1, 50)},
            id="a belief below the bound",
        ),
        pytest.param(
            "beer_quiche",
            "weak-pbe",
            {**POOL, "P2: quiche": {"fight": F(49, 100), "retreat": F(51, 100)}},
            {"P2: quiche": (HALF, HALF)},
            {("gain", "P1: weak"): F(1, 50)},
            id="a threat that is too mild",
        ),
        pytest.param(
            "beer_quiche",
            "weak-pbe",
            POOL,
            {"P2: quiche": (1, 0), "P2: beer": (F(1, 9), F(8, 9))},
            {("bayes", "P2: beer"): [F(1, 10), F(9, 10)]},
            id="a belief that breaks Bayes' rule",
        ),
        pytest.param(
            "beer_quiche",
            "weak-pbe",
            POOL,
            {"P2: quiche": (1, 1)},
            {("belief", "P2: quiche"): 2},
            id="a belief that adds up to 2",
        ),
        pytest.param(
            "matching_pennies",
            "nash",
            {"P1: 1": {"heads": HALF, "tails": F(1, 3)}, "P2: 2": {"heads": HALF, "tails": HALF}},
            {},
            {("strategy", "P1: 1")},
            id="a strategy that adds up to 5/6",
        ),
        pytest.param(
            "entry",
            "nash",
            {"P1: entrant": {"Out": 1}, "P2: incumbent": {"Fight": 1}},
            {},
            {},
            id="an empty threat",
        ),
        pytest.param(
            "entry",
            "subgame-perfect",
            {"P1: entrant": {"Out": 1}, "P2: incumbent": {"Fight": 1}},
            {},
            {("gain", "P2 at node 2"): 2},
            id="an empty threat in its subgame",
        ),
        pytest.param(
            "disagreeing_beliefs",
            "weak-pbe",
            APART,
            {"P1: first": (1, 0), "P1: second": (1, 0)},
            {("gain", "P1: first"): 2},
            id="one move is enough",
        ),
        pytest.param(
            "disagreeing_beliefs",
            "weak-pbe",
            {**APART, "P1: second": {"r": 1}},
            {"P1: first": (1, 0), "P1: second": (0, 1)},
            {("gain", "P1: first"): 2},
            id="two moves are needed",
        ),
        pytest.param(
            "disagreeing_beliefs",
            "weak-pbe",
            {**APART, "P1: first": {"go": 1}},
            {"P1: first": (HALF, HALF), "P1: second": (1, 0)},
            {},
            id="beliefs that disagree, weakly fine",
        ),
        pytest.param(
            "disagreeing_beliefs",
            "pbe",
            {**APART, "P1: first": {"go": 1}},
            {"P1: first": (HALF, HALF), "P1: second": (1, 0)},
            {("updating", "P1: second"): [HALF, HALF]},
            id="beliefs that disagree",
        ),
        pytest.param(
            "gibbons_4_1_3", "pbe", THIRD, {"P3: 3": (0, 1)}, {}, id="a far-fetched belief"
        ),
        pytest.param(
            "gibbons_4_1_3",
            "sequential",
            THIRD,
            {"P3: 3": (0, 1)},
            {("consistency", "P3: 3"): None},
            id="a belief that no trembles give",
        ),
        pytest.param(
            "disagreeing_beliefs",
            "sequential",
            {**APART, "P1: first": {"go": 1}},
            {"P1: first": (HALF, HALF), "P1: second": (F(1, 4), F(3, 4))},
            {("updating", "P1: second"), ("consistency", "P1: second")},
            id="beliefs that no trembles give together",
        ),
    ],
)
def test_the_judge(name, concept, strategies, beliefs, found):
    tree = compile_tree(load_game(name))
    seen = flaws(tree, Assessment(strategies, beliefs), concept)
    if isinstance(found, set):
        assert found <= set(seen)
    else:
        assert seen == found


def test_the_judge_knows_subgames():
    assert proper_subgames(compile_tree(textbook.bos_outside())) == [0, 2]
    assert proper_subgames(compile_tree(textbook.selten_horse())) == [0]
    assert len(proper_subgames(compile_tree(textbook.centipede()))) == 4
    assert proper_subgames(compile_tree(rules_of(load_game("stripped_poker")))) == [0]
