"""Linear programs and Lemke's algorithm against Gambit's, and each judged by the other, exactly."""

from fractions import Fraction as F

import pytest

from crywolf.games import textbook
from crywolf.solvers import compile_tree, lemke, solve_zero_sum_exact
from crywolf.solvers.exact import evaluate_exact

from ..solvers.two_player_games import GOOFSPIEL, TURNS, matrix_game, random_game
from .gambit_games import (
    few_pure_profiles,
    fraction,
    from_gambit,
    gains_in_gambit,
    in_gambit,
    pygambit,
    to_gambit,
)

ZERO_SUM = {
    "kuhn_poker": ("kuhn_poker", F(-1, 18)),
    "liars_dice": ("liars_dice(dice_sides=2)", F(1, 2)),
    "dark_hex": ("dark_hex(board_size=2)", F(1)),
    "stripped_poker": (textbook.stripped_poker(), F(1, 3)),
    "matching_pennies": (textbook.matching_pennies(), F(0)),
    "matrix_brps": (TURNS.format("matrix_brps()"), F(0)),
    "matrix_mp": (TURNS.format("matrix_mp()"), F(0)),
    "matrix_rps": (TURNS.format("matrix_rps()"), F(0)),
    "matrix_rpsw": (TURNS.format("matrix_rpsw()"), F(0)),
    "blotto": (TURNS.format("blotto(coins=3,fields=2)"), F(0)),
    "goofspiel, 2 cards": (GOOFSPIEL.format(2, ""), F(0)),
    "goofspiel, 3 cards": (GOOFSPIEL.format(3, ""), F(0)),
    "point difference": (GOOFSPIEL.format(3, ",returns_type=point_difference"), F(0)),
    "oshi_zumo": (TURNS.format("oshi_zumo(coins=2,size=1,horizon=2)"), F(0)),
}
"""Games with their values to P1, by publication or by symmetry."""

RANDOM_ZERO_SUM = {f"random {seed}": random_game(seed, zero_sum=True) for seed in range(30)} | {
    "fractions": matrix_game([[F(1, 3), F(-2, 7), 0], [F(-5, 11), F(1, 2), F(1, 13)]])
}

GENERAL_SUM = {
    name: getattr(textbook, name)()
    for name in [
        "battle_of_the_sexes",
        "beer_quiche",
        "bos_outside",
        "burning_money",
        "centipede",
        "cheap_talk",
        "chicken",
        "dalek",
        "entry",
        "gibbons_4_1_1",
        "lemons",
        "prisoners_dilemma",
        "spence",
        "stag_hunt",
        "trust",
    ]
}
GENERAL_SUM |= {
    "tiny_hanabi": "tiny_hanabi(num_players=2)",
    "matrix_shapleys_game": TURNS.format("matrix_shapleys_game()"),
    "first_sealed_auction": "first_sealed_auction(max_value=3)",
}
GENERAL_SUM |= {f"random {seed}": random_game(seed, zero_sum=False) for seed in range(30)}


def assert_equilibrium_in_gambit(game, profile, values) -> None:
    assert [fraction(profile.payoff(player)) for player in game.players] == list(values)
    assert gains_in_gambit(game, profile) == [0, 0]
    if few_pure_profiles(game):
        assert profile.max_regret() == 0


def assert_same_zero_sum_solution(game) -> None:
    tree = compile_tree(game)
    game = in_gambit(tree)
    found = solve_zero_sum_exact(tree)
    (theirs,) = pygambit.nash.lp_solve(game, rational=True).equilibria
    assert [fraction(theirs.payoff(player)) for player in game.players] == list(found.values)
    assert evaluate_exact(tree, from_gambit(tree, game, theirs)).nash_conv == 0
    assert_equilibrium_in_gambit(game, to_gambit(tree, game, found.probabilities), found.values)


@pytest.mark.parametrize("name", ZERO_SUM)
def test_zero_sum_games_of_known_value(name):
    game, value = ZERO_SUM[name]
    assert solve_zero_sum_exact(compile_tree(game)).value == value
    assert_same_zero_sum_solution(game)


@pytest.mark.parametrize("name", RANDOM_ZERO_SUM)
def test_random_zero_sum_games(name):
    assert_same_zero_sum_solution(RANDOM_ZERO_SUM[name])


def test_a_game_too_large_for_gambits_exact_program():
    """Its program in floats; our equilibrium, and so the value, in its exact arithmetic."""
    tree = compile_tree("liars_dice(dice_sides=3)")
    game = in_gambit(tree)
    found = solve_zero_sum_exact(tree)
    (theirs,) = pygambit.nash.lp_solve(game, rational=False).equilibria
    for player, value in zip(game.players, found.values, strict=True):
        assert theirs.payoff(player) == pytest.approx(float(value), abs=1e-9)
    assert found.value == F(1, 9)
    assert_equilibrium_in_gambit(game, to_gambit(tree, game, found.probabilities), found.values)


@pytest.mark.parametrize("name", GENERAL_SUM)
def test_lemkes_equilibria(name):
    tree = compile_tree(GENERAL_SUM[name])
    game = in_gambit(tree)
    found = lemke(tree)
    assert_equilibrium_in_gambit(game, to_gambit(tree, game, found.probabilities), found.values)


@pytest.mark.parametrize("name", GENERAL_SUM)
def test_gambits_equilibria_of_general_sum_games(name):
    tree = compile_tree(GENERAL_SUM[name])
    game = in_gambit(tree)
    (theirs,) = pygambit.nash.lcp_solve(game, rational=True).equilibria
    found = evaluate_exact(tree, from_gambit(tree, game, theirs))
    assert found.nash_conv == 0
    assert [fraction(theirs.payoff(player)) for player in game.players] == list(found.values)
