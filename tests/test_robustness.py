# pyright: reportArgumentType=false, reportCallIssue=false
"""Nonsense is refused by name; what Python makes of it never reaches the user."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction as F

import numpy as np
import pytest
import sympy as sp

import crywolf
from crywolf.games.errors import (
    AssessmentError,
    BadChance,
    BadPayoff,
    GameError,
    InexactError,
    ParameterError,
)
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.games.rules import CHANCE, TERMINAL, Rules, Step
from crywolf.solvers import GameTree, Profile, best_response
from crywolf.solvers.rational import rational


class Line(Rules):
    """Go on or stop, three times; the parts are replaced by broken ones."""

    name = "line"
    title = "line"

    def __init__(self, **broken):
        self.parameters = {}
        self.num_players = 1
        self.num_distinct_actions = 2
        self.max_chance_outcomes = 2 if "chance_outcomes" in broken else 0
        self.max_game_length = 3
        self.max_chance_nodes = 3 if "chance_outcomes" in broken else 0
        self.utility_range = (F(0), F(1))
        self.utility_sum = None
        for part, replacement in broken.items():
            setattr(self, part, replacement)

    def initial(self):
        return Step(0, ((),))

    def mover(self, position):
        return TERMINAL if position < 0 or position >= 3 else 0

    def legal_actions(self, position):
        return (0, 1)

    def play(self, position, action):
        return Step(position + 1 if action == 0 else -1 - position, ((),))

    def payoffs(self, position):
        return (F(position >= 0),)

    def action_name(self, player, action):
        return ("go", "stop")[action]

    def observation_name(self, player, observation):
        return str(observation)


def chance_moves(*outcomes):
    return {
        "mover": lambda x: TERMINAL if x < 0 or x >= 3 else CHANCE,
        "chance_outcomes": lambda x: outcomes,
    }


def test_the_unbroken_line_is_fine():
    assert crywolf.nash_conv(Line(), "uniform").nash_conv == pytest.approx(7 / 8)
    assert crywolf.check_game(Line()).ok


@pytest.mark.parametrize(
    ("broken", "error"),
    [
        ({"initial": lambda: Step([0], ((),))}, GameError),
        ({"legal_actions": lambda x: (0, 7)}, GameError),
        ({"legal_actions": lambda x: (-1, 0)}, GameError),
        ({"legal_actions": lambda x: (0, 2**40)}, GameError),
        ({"legal_actions": lambda x: ("a", "b")}, GameError),
        ({"legal_actions": lambda x: None}, GameError),
        ({"mover": lambda x: TERMINAL if x < 0 or x >= 3 else 5}, GameError),
        ({"mover": lambda x: TERMINAL if x < 0 or x >= 3 else -2}, GameError),
        ({"mover": lambda x: None}, GameError),
        ({"play": lambda x, a: None}, GameError),
        ({"play": lambda x, a: Step(x + 1 if a == 0 else -1 - x, (([1],),))}, GameError),
        ({"payoffs": lambda x: F(1)}, GameError),
        ({"payoffs": lambda x: (0.5,)}, BadPayoff),
        ({"payoffs": lambda x: (sp.oo,)}, BadPayoff),
        ({"payoffs": lambda x: (sp.nan,)}, BadPayoff),
        ({"payoffs": lambda x: (sp.Float(0.1),)}, BadPayoff),
        ({"payoffs": lambda x: (np.float32(0.1),)}, BadPayoff),
        ({"payoffs": lambda x: (None,)}, BadPayoff),
        ({"payoffs": lambda x: ("1",)}, BadPayoff),
        ({"payoffs": lambda x: (1, 2)}, BadPayoff),
        (chance_moves((0, 2), (1, -1)), BadChance),
        (chance_moves((0, 1), (1, 0)), BadChance),
        (chance_moves((0, sp.sqrt(2)), (1, 1 - sp.sqrt(2))), BadChance),
        (chance_moves((0, F(1, 2)), (0, F(1, 2))), BadChance),
        (chance_moves((0, 0.5), (1, 0.5)), BadChance),
        (chance_moves((0, np.float32(0.5)), (1, np.float32(0.5))), BadChance),
        ({"mover": lambda x: TERMINAL if x < 0 or x >= 3 else CHANCE}, GameError),
    ],
)
def test_broken_rules_are_refused_by_name(broken, error):
    with pytest.raises(error):
        crywolf.compile_tree(Line(**broken))


def test_a_game_without_end_is_reported():
    endless = Line(play=lambda x, a: Step(0, ((),)))
    with pytest.raises(crywolf.errors.TreeTooLarge):
        crywolf.compile_tree(endless, max_nodes=5000)
    report = crywolf.check_game(endless, max_nodes=2000)
    assert "lengths" in report.failed


@pytest.mark.parametrize(
    "value", ["abc", "1/0", "", None, [1], sp.oo, sp.nan, sp.zoo, sp.I, 0.5, sp.Float(0.5)]
)
def test_payoffs_that_are_no_exact_numbers(value):
    with pytest.raises(GameError):
        leaf(value)


def test_explicit_trees_that_are_none():
    with pytest.raises(GameError, match="0 players"):
        ExtensiveGame("empty", leaf())
    with pytest.raises(GameError, match="labels"):
        decision(0, 5, {"a": leaf(1)})
    with pytest.raises(GameError, match="leads to"):
        decision(0, "x", {"a": 1})


def test_explicit_trees_may_be_deep():
    node = leaf(1)
    for k in range(3000):
        node = decision(0, f"s{k}", {"go": node, "stop": leaf(0)})
    tree = GameTree.compile(ExtensiveGame("deep", node))
    assert (tree.num_nodes, tree.num_infosets) == (6001, 3000)
    value, _ = best_response(Profile.uniform(tree), 0)
    assert value == 1.0


def test_payoffs_too_large_for_floats():
    huge = ExtensiveGame("huge", decision(0, "1", {"a": leaf(10**400), "b": leaf(0)}))
    with pytest.raises(BadPayoff, match="divide"):
        crywolf.nash_conv(huge, "uniform")
    best = crywolf.Assessment({"P1: 1": {"a": 1}})
    assert crywolf.verify_equilibrium(huge, best, "nash").values == (10**400,)


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (1e15, 10**15),
        (1e15 - 1, 10**15 - 1),
        (4503599627370499.0, 4503599627370499),
        (-0.1, F(-1, 10)),
        (1 / 3, F(1, 3)),
        (0.0, 0),
    ],
)
def test_floats_are_read_as_the_nearest_simple_fraction(value, fraction):
    assert rational(value) == fraction


@pytest.mark.parametrize("value", [1e-16, -2.5e-20, 1e300, 5e-324])
def test_no_float_is_read_as_0_or_far_off(value):
    assert abs(rational(value) - F(value)) <= abs(F(value)) / 10**15
    assert rational(value) != 0


GAME = ExtensiveGame("one", decision(0, "u", {"x": leaf(1), "y": leaf(1)}))
p = sp.Symbol("p")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((crywolf.Assessment({"P1: u": {"x": None, "y": 1}}), "nash"), InexactError),
        ((crywolf.Assessment({"P1: u": {"x": True}}), "nash"), InexactError),
        ((crywolf.Assessment({"P1: u": {"x": sp.oo}}), "nash"), InexactError),
        ((crywolf.Assessment({"P1: u": [1, 0]}), "nash"), AssessmentError),
        ((crywolf.Assessment({"P1: u": {"x": 1}}, {"P1: u": "1"}), "nash"), AssessmentError),
        (
            (crywolf.Assessment({"P1: u": {"x": p, "y": 1 - p}}, {}, p >= 0), "nash"),
            AssessmentError,
        ),
        (({"P1: u": {"x": 1}}, "nash"), AssessmentError),
    ],
)
def test_assessments_that_are_none(arguments, error):
    with pytest.raises(error):
        crywolf.verify_equilibrium(GAME, *arguments)


@pytest.mark.parametrize("limit", [0, -1, float("inf"), float("nan")])
def test_time_limits_are_positive(limit):
    with pytest.raises(ParameterError):
        crywolf.verify_equilibrium(
            GAME, crywolf.Assessment({"P1: u": {"x": 1}}), "nash", time_limit=limit
        )


def test_an_equality_that_python_compared_is_named():
    family = {"P1: u": {"x": p, "y": 1 - p}}
    for assumption in (p == 1 - p, "p == 1"):
        with pytest.raises(AssessmentError, match=r"sympy\.Eq"):
            crywolf.verify_equilibrium(GAME, crywolf.Assessment(family, {}, [assumption]), "nash")


def test_check_finds_floats_where_rules_are_exact():
    coin = Line(payoffs=lambda x: (0.5,))
    assert "payoffs" in crywolf.check_game(coin).failed
    assert "chance" in crywolf.check_game(Line(**chance_moves((0, 0.25), (1, 0.75)))).failed


def test_labels_may_look_like_placeholders():
    game = ExtensiveGame("odd", decision(0, "{amount}", {"{amount}": leaf(0), "b": leaf(2)}))
    verdict = crywolf.verify_equilibrium(
        game, crywolf.Assessment({"P1: {amount}": {"{amount}": 1}}), "pbe"
    )
    assert "'{amount}' at 'P1: {amount}', but 'b' yields 2 more" in verdict.violations[0].text


def test_assumptions_of_any_shape_count():
    family = {"P1: u": {"x": p, "y": 1 - p}}
    z = sp.Symbol("z")
    for assumptions in (
        [sp.Not(sp.Or(p < 0, p > z)), z <= 1],
        [sp.Implies(z > 0, sp.And(p >= 0, p <= 1)), z > 0],
        [sp.Xor(p < 0, p >= 0), p >= 0, p <= 1],
    ):
        assert crywolf.verify_equilibrium(
            GAME, crywolf.Assessment(family, {}, assumptions), "nash"
        ).holds


def test_verification_in_threads_is_the_same_as_alone():
    """z3's global context crashes the process here; each verification has its own."""
    family = crywolf.Assessment({"P1: u": {"x": p, "y": 1 - p}}, {}, [p >= 0, p <= 1])

    def work(k):
        if k % 10 == 0:
            return crywolf.check_theorem("onuw_theorem_4_1").status
        return crywolf.verify_equilibrium(GAME, family, "sequential").status

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(work, range(60)))
    assert answers == ["verified" if k % 10 == 0 else "holds" for k in range(60)]


def command(*words, **changes):
    return subprocess.run(
        [sys.executable, "-m", "crywolf", *words],
        capture_output=True, text=True, errors="replace", env={**os.environ, **changes}, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ("nashconv", "nfg_game", "--policy", "uniform"),
        ("nashconv", "kuhn_poker", "--policy", "random:" + "9" * 5000),
        ("nashconv", "onuw(roles=" + "9" * 5000 + "werewolf)", "--policy", "uniform"),
        ("solve", "kuhn_poker", "--iterations", "1", "--out", "a" * 300 + ".npz"),
    ],
)
def test_odd_command_lines_have_named_errors(words):
    done = command(*words)
    assert done.returncode == 2
    assert "error: " in done.stderr
    assert "Traceback" not in done.stderr


def test_terminals_without_unicode():
    done = command(
        "nashconv", "kuhn_poker", "--policy", "ü.npz", LC_ALL="C", PYTHONIOENCODING="ascii"
    )
    assert done.returncode == 2
    assert "there is no policy file" in done.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_named():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "crywolf", "games"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr
