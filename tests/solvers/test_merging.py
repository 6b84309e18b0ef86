"""Trees without copies: exactly the same game to everybody, with as few nodes as theory says."""

from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import load_game
from crywolf.games.errors import AssessmentError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import (
    GameTree,
    Profile,
    best_response,
    compile_tree,
    evaluate,
    evaluate_exact,
    nash_conv,
    solve,
)
from crywolf.solvers.pbe import Assessment, verify

from .two_player_games import random_game

ONUW = [
    "onuw", "onuw_robber3", "onuw_robber3_talk",
    "onuw(players=3,centre=1,roles=werewolf+2villager+seer)",
    "onuw(players=4,centre=0,roles=2werewolf+2villager,resolution=paper)",
]  # fmt: skip


def random_behaviour(tree: GameTree, seed: int) -> list[F]:
    rng = np.random.default_rng(seed)
    behaviour = [F(1)] * tree.num_players
    for k in tree.num_actions.tolist():
        weights = rng.integers(1, 9, k).tolist()
        behaviour += [F(w, sum(weights)) for w in weights]
    return behaviour


def the_same_game(tree: GameTree, small: GameTree, seed: int = 0) -> None:
    """Exact values and best responses of a random profile, and everything that profiles need."""
    assert (small.keys, small.legal) == (tree.keys, tree.legal)
    for column in ("owner", "first", "num_actions", "parent_sequence", "blocks"):
        assert np.array_equal(getattr(small, column), getattr(tree, column))
    behaviour = random_behaviour(tree, seed)
    assert evaluate_exact(small, behaviour) == evaluate_exact(tree, behaviour)
    histories = {tuple(tree.history(node)) for node in range(tree.num_nodes)}
    assert {tuple(small.history(node)) for node in range(small.num_nodes)} <= histories
    sums = np.zeros(small.num_nodes)
    drawn = small.probability >= 0
    table = np.array([float(p) for p in small.probabilities] + [0.0])
    np.add.at(sums, small.parent[drawn], table[small.probability[drawn]])
    assert sums[small.player == -1] == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", *ONUW])
def test_games_stay_the_same(tree_of, name):
    tree = tree_of(name)
    small = tree.merged()
    the_same_game(tree, small)
    profile = Profile.random(tree, np.random.default_rng(1))
    other = Profile(small, profile.probabilities)
    assert nash_conv(other) == pytest.approx(nash_conv(profile), abs=1e-12)
    for p in range(tree.num_players):
        value, response = best_response(profile, p)
        again, reply = best_response(other, p)
        assert again == pytest.approx(value, abs=1e-12)
        assert np.array_equal(response.probabilities, reply.probabilities)


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
def test_random_games_stay_the_same(seed, largest, zero_sum):
    tree = GameTree.compile(random_game(seed, zero_sum, largest=largest, depth=5))
    small = tree.merged()
    the_same_game(tree, small, seed)
    assert small.num_nodes <= tree.num_nodes
    assert small.merged_from == tree.num_nodes
    again = small.merged()
    assert (again.num_nodes, again.merged_from) == (small.num_nodes, tree.num_nodes)


def test_random_games_often_shrink():
    shrunk = 0
    for seed in range(60):
        tree = GameTree.compile(random_game(seed, True, largest=1, depth=5))
        shrunk += tree.merged().num_nodes < tree.num_nodes
    assert shrunk > 10


def guess(label: str = "1", hit: int = 1):
    return decision(0, label, {"a": leaf(hit), "b": leaf(0)})


def merged(root) -> GameTree:
    return GameTree.compile(ExtensiveGame("test", root), merge=True)


def test_outcomes_that_lead_to_copies_are_added_up():
    small = merged(chance({"x": ("1/2", guess()), "y": ("1/3", guess()), "z": ("1/6", guess("2"))}))
    assert (small.merged_from, small.num_nodes) == (10, 7)
    edges = small.probability[small.parent == 0].tolist()
    assert [small.probabilities[e] for e in edges] == [F(5, 6), F(1, 6)]
    assert small.edge_name(1) == "x"  # the first of the copies stands for all


def test_deals_card_by_card_are_merged_across_the_deal():
    """Two cards dealt in turn, one after the other; only their sum matters."""
    root = chance(
        {
            str(i): ("1/6", chance({str(j): ("1/6", guess(str(i + j), i + j)) for j in range(6)}))
            for i in range(6)
        }
    )
    small = merged(root)
    assert small.merged_from == 1 + 6 + 36 * 3
    # 11 sums remain, each at its first pair of dice: six below the first outcome, then one each.
    assert small.num_nodes == 1 + 6 + 11 * 3
    for total in range(11):
        h = small.infoset_of_key[f"P1: {total}"]
        reach = small.chance_reach[small.first_node[h]]
        assert reach == pytest.approx((6 - abs(total - 5)) / 36)


def test_nodes_that_differ_anywhere_stay():
    halves = ("1/2", "1/2")
    for one, other in [
        (guess("1"), guess("2")),  # the player sees the difference
        (guess(hit=1), guess(hit=2)),  # it pays another amount
        (chance({"u": ("1/3", guess()), "v": ("2/3", leaf(1))}),
         chance({"u": ("2/3", guess()), "v": ("1/3", leaf(1))})),  # another chance, but one deal
    ]:  # fmt: skip
        tree = GameTree.compile(
            ExtensiveGame("t", chance({"x": (halves[0], one), "y": (halves[1], other)}))
        )
        small = tree.merged()
        the_same_game(tree, small)
        # In the last pair the run of chance moves reaches each end twice, and keeps one of each.
        assert small.num_nodes == (6 if tree.num_nodes > 9 else tree.num_nodes)


def test_moves_of_players_are_never_merged():
    small = merged(decision(0, "1", {"a": guess("2"), "b": guess("3"), "c": leaf(0), "d": leaf(0)}))
    assert small.num_nodes == small.merged_from


def test_copies_below_different_moves_stay_apart():
    """Equal subtrees after different own moves: the player remembers which it made."""
    after = {"x": ("1/2", leaf(1)), "y": ("1/2", leaf(1))}
    small = merged(decision(0, "1", {"a": chance(after), "b": chance(after)}))
    assert small.num_nodes == 1 + 2 * 2
    assert small.merged_from == 7


def test_symbols_are_added_up():
    x = sympy.Symbol("x", positive=True)
    small = merged(chance({"a": (x, guess()), "b": (x, guess()), "c": (1 - 2 * x, leaf(0))}))
    assert small.num_nodes == 5
    assert set(small.probabilities) == {2 * x, 1 - 2 * x}


def test_it_is_off_unless_asked_for(tree_of):
    game = load_game("onuw")
    assert GameTree.compile(game).merged_from is None
    small = compile_tree("onuw", merge=True)
    assert small.merged_from == tree_of("onuw").num_nodes == 15_787
    assert small.num_nodes == 13_303
    assert "merged from 15,787" in repr(small)
    assert compile_tree(tree_of("onuw"), merge=True).num_nodes == 13_303


def test_solvers_find_the_same(tree_of):
    tree = tree_of("onuw")
    found, small = solve(tree, "cfr+", 50), solve(tree.merged(), "cfr+", 50)
    assert len(small.profile.tree.weight) == len(tree.weight)  # the sequence form adds up anyway
    assert small.nash_conv == pytest.approx(found.nash_conv, rel=1e-6)
    values = evaluate(Profile(tree, small.profile.probabilities)).values
    assert values == pytest.approx(evaluate(small.profile).values)


def test_merged_trees_survive_files(tree_of, tmp_path):
    small = tree_of("onuw").merged()
    small.save(tmp_path / "onuw.tree")
    again = GameTree.load(tmp_path / "onuw.tree")
    assert again.merged_from == 15_787
    assert again.probabilities == small.probabilities
    assert np.array_equal(again.parent, small.parent)


def test_beliefs_need_the_tree_as_it_was_compiled(tree_of):
    with pytest.raises(AssessmentError, match="without merge"):
        verify(tree_of("onuw_robber3").merged(), Assessment({}))
