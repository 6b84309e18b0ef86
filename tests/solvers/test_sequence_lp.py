from fractions import Fraction

import numpy as np
import pyspiel
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.errors import InexactError, NotTwoPlayers, NotZeroSum, SolverFailed
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import CFRPlus, GameTree, Profile, evaluate
from crywolf.solvers.sequence_lp import (
    constant_sum,
    constraint_matrix,
    payoff_matrix,
    solve_zero_sum,
)
from crywolf.solvers.tree import sequences_of

from .two_player_games import (
    ZERO_SUM,
    matrix_game,
    num_plans,
    random_game,
    value_by_brute_force,
)

seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("name", ZERO_SUM)
def test_values_of_openspiels_games(tree_of, name):
    tree = tree_of(name)
    result = solve_zero_sum(tree)
    assert result.value == pytest.approx(float(ZERO_SUM[name]), abs=1e-9)
    assert result.values == pytest.approx((result.value, -result.value))
    assert result.nash_conv < 1e-9
    assert result.duality_gap < 1e-9
    assert result.nash_conv == evaluate(result.profile).nash_conv
    assert pyspiel.nash_conv(tree.game, result.profile.to_pyspiel()) < 1e-9


@pytest.mark.parametrize("name", ZERO_SUM)
def test_cfr_plus_approaches_the_same_value(tree_of, name):
    tree = tree_of(name)
    solver = CFRPlus(tree)
    solver.run(300)
    average = evaluate(solver.average_profile())
    assert average.nash_conv < 0.02
    # What P1 gets lies between what it secures and what P2 lets it have.
    assert abs(average.values[0] - solve_zero_sum(tree).value) <= average.nash_conv + 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"), [("liars_dice(dice_sides=5)", 1 / 125), ("liars_dice", -7 / 258)]
)
def test_larger_games(tree_of, name, value):
    """-7/258 is known for liar's dice with six sides."""
    result = solve_zero_sum(tree_of(name))
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.nash_conv < 1e-8


@given(seeds)
def test_value_is_that_of_the_strategic_form(seed):
    tree = GameTree.compile(random_game(seed, zero_sum=True))
    assume(max(num_plans(tree, p) for p in range(2)) <= 300)
    result = solve_zero_sum(tree)
    assert result.value == pytest.approx(value_by_brute_force(tree), abs=1e-8)
    assert result.nash_conv < 1e-8


@pytest.mark.parametrize("scale", [Fraction(1, 10**9), 10**9])
def test_units_do_not_matter(scale):
    tree = GameTree.compile(matrix_game([[2 * scale, -scale], [-scale, scale]]))
    result = solve_zero_sum(tree)
    assert result.value == pytest.approx(float(Fraction(1, 5) * scale), rel=1e-9)
    assert result.nash_conv < 1e-9 * scale


def test_stripped_poker():
    """Reiley, Urbancic & Walker 2008: bluff and call each one time in three; worth 1/3."""
    result = solve_zero_sum(GameTree.compile(textbook.stripped_poker()))
    assert result.value == pytest.approx(1 / 3)
    assert result.profile.strategy("P1: black")["raise"] == pytest.approx(1 / 3)
    assert result.profile.strategy("P2: raised")["call"] == pytest.approx(2 / 3)


def test_constant_sum():
    """Matching pennies for a coin that the winner keeps."""
    tree = GameTree.compile(matrix_game([[1, 0], [0, 1]], [[0, 1], [1, 0]]))
    result = solve_zero_sum(tree)
    assert result.constant == 1
    assert result.values == pytest.approx((0.5, 0.5))
    assert result.nash_conv < 1e-12


def test_players_without_moves():
    lottery = ExtensiveGame(
        "lottery", chance({"a": ("1/4", leaf(4, -4)), "b": ("3/4", leaf(0, 0))})
    )
    result = solve_zero_sum(GameTree.compile(lottery))
    assert result.value == pytest.approx(1.0)
    alone = ExtensiveGame("alone", decision(1, "2", {"L": leaf(3, -3), "R": leaf(1, -1)}))
    result = solve_zero_sum(GameTree.compile(alone))
    assert result.value == pytest.approx(1.0)
    assert result.profile.strategy("P2: 2") == {"L": 0.0, "R": 1.0}


def test_behaviour_off_the_own_path_answers_the_others_plan():
    """P1 never goes in; if it does by mistake, it still answers P2's plan as well as it can."""
    again = decision(0, "again", {"bad": leaf(-3, 3), "good": leaf(-1, 1)})
    alone = decision(1, "2", {"a": leaf(-1, 1), "b": leaf(1, -1)})
    inside = decision(1, "2", {"a": again, "b": leaf(-2, 2)})
    first = decision(0, "first", {"out": leaf(0, 0), "in": inside})
    game = ExtensiveGame("slips", chance({"alone": ("9/10", alone), "both": ("1/10", first)}))
    profile = solve_zero_sum(GameTree.compile(game)).profile
    assert profile.strategy("P1: first") == {"out": 1.0, "in": 0.0}
    assert profile.strategy("P2: 2") == {"a": 1.0, "b": 0.0}
    assert profile.strategy("P1: again") == {"bad": 0.0, "good": 1.0}


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_matrices_give_the_values_of_profiles(tree_of, name):
    tree = tree_of(name)
    profile = Profile.random(tree, np.random.default_rng(3))
    plans = []
    for p in range(2):
        reach = np.ones(tree.num_sequences)
        for h in np.flatnonzero(tree.owner == p).tolist():
            reach[tree.slice(h)] = (
                reach[tree.parent_sequence[h]] * profile.probabilities[tree.slice(h)]
            )
        plans.append(reach[sequences_of(tree, p)])
        constraints = constraint_matrix(tree, p) @ plans[p]
        assert constraints == pytest.approx(np.eye(1, len(constraints))[0])
    value = plans[0] @ payoff_matrix(tree) @ plans[1]
    assert value == pytest.approx(evaluate(profile).values[0], abs=1e-12)


def turn_based(rows, columns):
    game = pyspiel.create_matrix_game("m", "m", ["a", "b"], ["c", "d"], rows, columns)
    return GameTree.compile(pyspiel.convert_to_turn_based(game))


def test_sums_of_floats_may_round():
    tree = turn_based([[0.1 + 0.2, 0.0], [0.0, 0.3]], [[-0.3, 0.0], [0.0, -0.1 - 0.2]])
    assert solve_zero_sum(tree).value == pytest.approx(0.15)
    assert isinstance(constant_sum(tree), float)
    with pytest.raises(NotZeroSum, match="different sums"):
        constant_sum(turn_based([[0.3, 0.0], [0.0, 0.3]], [[-0.3 - 1e-9, 0.0], [0.0, -0.3]]))


def test_sums_of_fractions_may_not_round():
    tiny = Fraction(1, 10**30)
    tree = GameTree.compile(matrix_game([[1, 0]], [[-1 + tiny, 0]]))
    with pytest.raises(NotZeroSum, match="lemke"):
        solve_zero_sum(tree)


def test_refusals(tree_of):
    with pytest.raises(NotTwoPlayers, match="3 players"):
        solve_zero_sum(tree_of("kuhn_poker(players=3)"))
    alone = ExtensiveGame("alone", decision(0, "A", {"L": leaf(3), "R": leaf(1)}))
    with pytest.raises(NotTwoPlayers, match="1 player;"):
        solve_zero_sum(GameTree.compile(alone))
    with pytest.raises(NotZeroSum, match=r"\(0, 0\) and \(2, 1\)|different sums"):
        solve_zero_sum(GameTree.compile(textbook.gibbons_4_1_1()))
    x = sympy.Symbol("x", positive=True)
    with pytest.raises(InexactError, match="symbols"):
        solve_zero_sum(GameTree.compile(matrix_game([[x, 0]], [[-x, 0]])))
    with pytest.raises(SolverFailed, match="time_limit"):
        solve_zero_sum(tree_of("leduc_poker"), time_limit=1e-6)


def test_results_compare_by_value(kuhn):
    result = solve_zero_sum(kuhn)
    assert result == solve_zero_sum(kuhn)
    assert "value -0.05555555556 to P1" in repr(result)
