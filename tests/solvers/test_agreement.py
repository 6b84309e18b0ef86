"""Different methods on the same games: values agree where they are unique, and every profile's
NashConv is what OpenSpiel, which knows nothing of our trees, makes of it."""

import pytest
from open_spiel.python.algorithms import expected_game_score, exploitability

from crywolf.games import load_game, textbook
from crywolf.solvers import GameTree, solve

from .two_player_games import TURNS, ZERO_SUM

LEMKE_IS_SLOW = {name for name in ZERO_SUM if "battleship" in name or "coins=4" in name}
LEMKE_REFUSES = {"leduc_poker", "liars_dice(players=2,numdice=1,dice_sides=4)"}


@pytest.mark.parametrize("name", ZERO_SUM)
def test_values_of_zero_sum_games_agree(name, tree_of):
    tree, value = tree_of(name), ZERO_SUM[name]
    assert solve(tree, "lp-exact").values[0] == value
    assert solve(tree, "lp").values[0] == pytest.approx(float(value), abs=1e-9)
    if name not in LEMKE_IS_SLOW | LEMKE_REFUSES:
        assert solve(tree, "lemke").values[0] == value
    for algorithm in ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "xfp"):
        result = solve(tree, algorithm, 500)
        # A profile whose NashConv is e has a value within e of the game's: an exact bound.
        assert abs(float(result.values[0]) - float(value)) <= result.nash_conv + 1e-12
        if algorithm != "xfp":  # too slow to say more
            assert result.nash_conv < 0.05


GAMES = {
    **{
        name: name
        for name in (
            "kuhn_poker",
            "kuhn_poker(players=3)",
            "liars_dice(players=2,numdice=1,dice_sides=2)",
            "kuhn_poker(players=4)",
            "first_sealed_auction(max_value=3)",
            "tiny_hanabi",
            TURNS.format("matrix_sh()"),
            "onuw_robber3",
            "onuw_robber3_official",
            "onuw_robber3_talk",
            "sheriff(item_penalty=2.0,item_value=1.5,max_bribe=1,max_items=1,num_rounds=1)",
            TURNS.format("goofspiel(imp_info=true,num_cards=3,players=3)"),
            TURNS.format("matrix_bos()"),
            TURNS.format("matrix_pd()"),
            TURNS.format("matrix_shapleys_game()"),
        )
    },
    **{
        make.__name__: make
        for make in (
            textbook.selten_horse,
            textbook.gibbons_4_1_3,
            textbook.beer_quiche,
            textbook.entry,
            textbook.bos_outside,
        )
    },
}
"""20 games, most of them of general sum or of three players, in which values are not unique."""


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_confirms_every_profile(name):
    given = GAMES[name]
    game = load_game(given if isinstance(given, str) else given())
    tree = GameTree.compile(game)
    algorithms: dict[str, int | None] = {"cfr+": 50, "pcfr+": 50, "xfp": 20}
    if tree.num_sequences < 120:
        algorithms["qre"] = None
        if tree.num_players == 2:
            algorithms["lemke"] = None
    for algorithm, iterations in algorithms.items():
        result = solve(tree, algorithm, iterations)
        policy = result.profile.to_tabular()
        assert exploitability.nash_conv(game, policy) == pytest.approx(result.nash_conv, abs=1e-9)
        assert expected_game_score.policy_value(
            game.new_initial_state(), [policy] * game.num_players()
        ) == pytest.approx([float(v) for v in result.values], abs=1e-9)
        if algorithm == "lemke":
            assert result.nash_conv < 1e-12
