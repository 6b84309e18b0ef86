import time
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from crywolf.games import textbook
from crywolf.games.errors import ParameterError, ProblemTooLarge, SolverFailed, UnknownConcept
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree
from crywolf.solvers.correlated import correlated_equilibrium
from crywolf.solvers.correlated_columns import generate_columns
from crywolf.solvers.correlated_lp import solve_relaxed
from crywolf.solvers.correlation import KINDS
from crywolf.solvers.incentives import Incentives
from crywolf.solvers.joint_sequences import JointSequences
from crywolf.solvers.sequence_lp import solve_zero_sum

from .conftest import GENERAL_SUM
from .naive_correlation import menus, payoff, pure_plans
from .two_player_games import GOOFSPIEL, TURNS, ZERO_SUM, matrix_game, random_game

BATTLESHIP = (
    "battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2,"
    "loss_multiplier=2.0)"
)
seeds = st.integers(0, 2**32 - 1)


def signalling() -> ExtensiveGame:
    """Von Stengel & Forges 2008, Figure 1: a good or bad student sends X or Y to a professor."""

    def send(type_, accepted):
        def reply(signal):
            return decision(1, signal, {"accept": leaf(*accepted), "reject": leaf(0, 6)})

        return decision(0, type_, {"X": reply("x"), "Y": reply("y")})

    types = {"good": ("1/2", send("good", (4, 10))), "bad": ("1/2", send("bad", (6, 0)))}
    return ExtensiveGame("signalling", chance(types))


def best_by_brute_force(game, kind, weights):
    """The optimum over mixtures of all joint pure plans, deviations one by one: no tree arrays."""
    root, menu, n = game.new_initial_state(), menus(game), game.num_players()
    own = [pure_plans(m) for m in menu]
    joint = list(product(*own))
    values = np.array([[payoff(root, p, plans) for p in range(n)] for plans in joint])
    rows = []
    for p in range(n):
        triggers = {
            "nfcce": [("nfcce",)],
            "efcce": [("efcce", key) for key in menu[p]],
            "efce": [("efce", key, a) for key, actions in menu[p].items() for a in actions],
        }[kind]
        rows += [
            [payoff(root, p, plans, d, t) - values[i, p] for i, plans in enumerate(joint)]
            for t in triggers
            for d in own[p]
        ]
    result = linprog(
        -values @ weights,
        np.reshape(rows, (len(rows), len(joint))),
        np.zeros(len(rows)),
        np.ones((1, len(joint))),
        [1.0],
    )
    assert result.status == 0
    return -result.fun


def num_joint(game):
    return np.prod([len(actions) for menu in menus(game) for actions in menu.values()], dtype=float)


def assert_optimal(tree, kind, maximise):
    weights = np.ones(tree.num_players) if maximise == "welfare" else np.eye(tree.num_players)[0]
    result = correlated_equilibrium(tree, kind, maximise)
    best = best_by_brute_force(tree.game, kind, weights)
    assert result.objective == pytest.approx(best, abs=1e-6)
    assert result.bound == pytest.approx(best, abs=1e-6)
    assert result.distance < 1e-7
    assert set(np.unique(result.device.plans)) <= {0.0, 1.0}


TEXTBOOK = [
    signalling,
    textbook.selten_horse,
    textbook.gibbons_4_1_1,
    textbook.gibbons_4_1_3,
    textbook.beer_quiche,
    textbook.entry,
    textbook.bos_outside,
    textbook.stripped_poker,
    textbook.disagreeing_beliefs,
]


@pytest.mark.parametrize("make", TEXTBOOK)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximise", ["welfare", 0])
def test_optima_of_textbook_games(make, kind, maximise):
    assert_optimal(GameTree.compile(make()), kind, maximise)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
@settings(max_examples=12)
def test_optima_of_random_games(kind, seed):
    tree = GameTree.compile(random_game(seed, zero_sum=False, depth=3))
    assume(num_joint(tree.game) <= 60)
    assert_optimal(tree, kind, "welfare")


def test_signalling_game_of_von_stengel_and_forges():
    """Its Nash equilibria reject everybody; the EFCE that is best for the professor does not."""
    result = correlated_equilibrium(signalling(), "efce", 1)
    assert result.values == pytest.approx([3.5, 6.5], abs=1e-7)


def test_chicken():
    """Aumann's example, with 6 for both who yield: the best correlated equilibrium is worth 5.25."""
    chicken = matrix_game([[6, 2], [7, 0]], [[6, 7], [2, 0]])
    result = correlated_equilibrium(chicken, "efce")
    assert result.values.sum() == pytest.approx(10.5)
    assert result.method == "sequence form"
    assert correlated_equilibrium(chicken, "nfcce").objective >= result.objective - 1e-9


def test_shapleys_game(tree_of):
    tree = tree_of(TURNS.format("matrix_shapleys_game()"))
    assert correlated_equilibrium(tree, "efce").values == pytest.approx([0.5, 0.5])
    assert correlated_equilibrium(tree, "nfcce", 0).objective == pytest.approx(2 / 3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker",
        "liars_dice(players=2,numdice=1,dice_sides=2)",
        GOOFSPIEL.format(3, ""),
        TURNS.format("matrix_rps()"),
        TURNS.format("blotto(coins=3,fields=2)"),
    ],
)
def test_zero_sum_games_have_one_value(tree_of, name, kind):
    tree = tree_of(name)
    assert solve_zero_sum(tree).value == pytest.approx(float(ZERO_SUM[name]), abs=1e-9)
    for player in range(2):
        result = correlated_equilibrium(tree, kind, player)
        assert result.values[0] == pytest.approx(float(ZERO_SUM[name]), abs=1e-7)


@pytest.mark.parametrize(
    "name",
    [
        GENERAL_SUM,
        "sheriff(max_bribe=2,max_items=3,num_rounds=2)",
        "first_sealed_auction(max_value=3)",
        "trade_comm(num_items=2)",
        "tiny_hanabi",
        "onuw_robber3",
    ],
)
@pytest.mark.parametrize("maximise", ["welfare", 0])
def test_weaker_kinds_attain_more(tree_of, name, maximise):
    results = [correlated_equilibrium(tree_of(name), kind, maximise) for kind in KINDS]
    for weak, strong in pairwise(results):
        assert weak.objective >= strong.objective - 1e-7
    for result in results:
        assert result.distance < 1e-7
        assert result.objective <= result.bound + 1e-7
        anything = correlated_equilibrium(tree_of(name), result.kind, None)
        assert anything.distance < 1e-7


@pytest.mark.parametrize("kind", KINDS)
def test_both_methods_agree_without_chance(tree_of, kind):
    incentives = Incentives.of(JointSequences.of(tree_of(GENERAL_SUM)), kind)
    weights = np.ones(2)
    relaxed = solve_relaxed(incentives, weights)
    # A bound that says nothing, so that the mixed-integer program must prove the optimum.
    found = generate_columns(incentives, weights, relaxed._replace(objective=1e9))
    assert found.device.values.sum() == pytest.approx(relaxed.objective, abs=1e-6)
    assert found.bound == pytest.approx(relaxed.objective, abs=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_three_player_kuhn_poker(tree_of, kind):
    result = correlated_equilibrium(tree_of("kuhn_poker(players=3)"), kind, 0)
    assert result.distance < 1e-8
    assert result.objective == pytest.approx(result.bound, abs=1e-6)
    assert result.values.sum() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
def test_battleship(tree_of):
    results = [correlated_equilibrium(tree_of(BATTLESHIP), kind) for kind in KINDS]
    assert [r.objective for r in results] == pytest.approx([0.0, -0.525, -0.525], abs=1e-7)
    assert max(r.distance for r in results) < 1e-7


@pytest.mark.parametrize("scale", [Fraction(1, 10**6), 10**6])
def test_units_do_not_matter(scale):
    rows = [[6 * scale, 2 * scale], [7 * scale, 0]]
    chicken = matrix_game(rows, [list(column) for column in zip(*rows)])
    assert correlated_equilibrium(chicken).objective == pytest.approx(float(10.5 * float(scale)))


def test_refusals(tree_of, kuhn):
    with pytest.raises(UnknownConcept, match="efce"):
        correlated_equilibrium(kuhn, "ce")  # type: ignore[arg-type]
    for wrong in ("all", 2, -1):
        with pytest.raises(ParameterError, match="welfare"):
            correlated_equilibrium(kuhn, "efce", wrong)  # type: ignore[arg-type]
    with pytest.raises(ProblemTooLarge, match="max_combinations"):
        correlated_equilibrium(kuhn, max_combinations=90)
    with pytest.raises(SolverFailed, match="max_programs"):
        correlated_equilibrium(kuhn, max_programs=1)
    with pytest.raises(SolverFailed, match="time"):
        correlated_equilibrium(kuhn, time_limit=1e-6)


def test_the_steps_are_told_and_have_a_deadline(kuhn):
    told = []
    correlated_equilibrium(kuhn, stage=told.append)
    assert told[1:3] == [
        "incentives in 97 combinations of sequences",
        "linear program for 97 combinations of sequences",
    ]

    def late(words):
        told.append(words)
        time.sleep(0.05)

    told.clear()
    with pytest.raises(SolverFailed, match="out of time; give it more with time_limit"):
        correlated_equilibrium(kuhn, time_limit=0.04, stage=late)
    assert told == ["combinations of sequences"]
    for limit in (0.0, -1.0, float("nan")):
        with pytest.raises(ParameterError, match="give seconds, more than 0"):
            correlated_equilibrium(kuhn, time_limit=limit)
