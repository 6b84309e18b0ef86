from fractions import Fraction

import numpy as np
import pytest

from crywolf.games.errors import NotTwoPlayers, NotZeroSum, ParameterError
from crywolf.solvers import solve
from crywolf.solvers.direct import DIRECT
from crywolf.solvers.exact import evaluate_exact
from crywolf.solvers.exact_lp import solve_zero_sum_exact

from .two_player_games import random_game


def test_all_find_the_value_of_kuhn_poker(kuhn):
    for name in DIRECT:
        result = solve(kuhn, name)
        assert [float(v) for v in result.values] == pytest.approx([-1 / 18, 1 / 18], abs=1e-9)
        assert result.nash_conv < 1e-5
        assert result.algorithm == name
        assert result.unit == "steps"
        assert name in repr(result)


def test_exact_ones_say_so(kuhn):
    for name in ("lp-exact", "lemke"):
        result = solve(kuhn, name)
        assert result.exact_values == result.values == (Fraction(-1, 18), Fraction(1, 18))
        probabilities = result.solution.probabilities
        assert evaluate_exact(kuhn, probabilities).nash_conv == 0
        assert np.array_equal(
            result.profile.probabilities, np.array([float(p) for p in probabilities])
        )
    for name in ("lp", "qre", "cfr+"):
        assert solve(kuhn, name).exact_values is None


@pytest.mark.parametrize("seed", range(6))
def test_all_agree_on_random_zero_sum_games(seed):
    game = random_game(seed, zero_sum=True)
    value = float(solve_zero_sum_exact(solve(game, "lp").profile.tree).value)
    for name in ("lp", "lemke", "qre"):
        assert float(solve(game, name).values[0]) == pytest.approx(value, abs=1e-4)


def test_what_they_promise(tree_of):
    assert solve(tree_of("kuhn_poker"), "lemke").note == ""
    assert "others that pay differently" in solve(random_game(1, zero_sum=False), "lemke").note
    assert "close to a sequential equilibrium" in solve("onuw_robber3", "qre").note
    early = solve("kuhn_poker", "qre", target=0.1)
    assert early.nash_conv <= 0.1
    assert "not come near its limit" in early.note


def test_steps_are_told(kuhn):
    for name in ("lemke", "qre"):
        ticks = []
        result = solve(kuhn, name, tick=ticks.append)
        assert ticks == list(range(1, result.iterations + 1))


def test_a_start_is_passed_on(kuhn):
    near = solve(kuhn, "cfr+", 1000).profile
    assert solve(kuhn, "lemke", start=near).exact_values == (Fraction(-1, 18), Fraction(1, 18))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"iterations": 3}, "iterations does not go with"),
        ({"target": 0.1}, "target does not go with"),
        ({"checkpoint": "x.npz"}, "checkpoint does not go with"),
        ({"checkpoints": [1]}, "checkpoints does not go with"),
        ({"gamma": 1.0}, "has no option 'gamma'; it has time_limit"),
        ({"target": -1.0}, "from 0 on"),
    ],
)
def test_refuses_what_belongs_to_iterations(kuhn, options, words):
    with pytest.raises(ParameterError, match=words):
        solve(kuhn, "lp", **options)


def test_refuses_options_of_other_algorithms(kuhn):
    with pytest.raises(ParameterError, match="'cfr' has no option 'gamma'; it has rule"):
        solve(kuhn, "cfr", gamma=1.0)
    with pytest.raises(ParameterError, match="'lp-exact' has no option 'start'; it has none"):
        solve(kuhn, "lp-exact", start=None)


def test_refuses_games_by_name(tree_of):
    for name in ("lp", "lp-exact", "lemke"):
        with pytest.raises(NotTwoPlayers):
            solve(tree_of("onuw_robber3"), name)
    with pytest.raises(NotZeroSum, match="different sums"):
        solve(random_game(1, zero_sum=False), "lp")
