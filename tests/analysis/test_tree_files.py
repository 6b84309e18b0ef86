"""NashConv of policies on compiled trees from files, with and without their rules."""

import pytest

from crywolf.analysis import nash_conv
from crywolf.games import load_game
from crywolf.games.errors import TreeFileError
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers import GameTree, Profile, compile_tree


def test_the_path_of_a_tree_is_a_game(tmp_path):
    path = str(tmp_path / "leduc.tree")
    compile_tree("leduc_poker").save(path)
    for policy in ("uniform", "random:1"):  # the second asks states of OpenSpiel
        found, wanted = nash_conv(path, policy), nash_conv("leduc_poker", policy)
        assert found.nash_conv == wanted.nash_conv
        assert found.kind == "exact"
    profile = Profile.uniform(GameTree.load(path))
    assert nash_conv(load_game("leduc_poker"), profile).nash_conv == pytest.approx(
        4.747222, rel=1e-6
    )


def test_a_tree_without_rules_has_all_that_numbers_need(tmp_path):
    second = decision(1, "2", {"a": leaf(1, -1), "b": leaf(0, 0)})
    game = ExtensiveGame("unregistered", decision(0, "1", {"a": second, "b": leaf(0, 0)}))
    path = str(tmp_path / "game.tree")
    GameTree.compile(game).save(path)
    profile = Profile.uniform(GameTree.load(path))
    for report in (nash_conv(path, "uniform"), nash_conv(path, profile), nash_conv(game, profile)):
        assert report.nash_conv == pytest.approx(0.5)
        assert report.notes == ()  # two players, zero-sum
    with pytest.raises(TreeFileError, match="no game string"):
        nash_conv(path, "random:1")
    with pytest.raises(TreeFileError, match="no game string"):
        nash_conv(path, "uniform", method="sampled")
