"""Draws: what they are, how they are simulated, and what they refuse."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from crywolf.analysis.draws import Draws
from crywolf.games.errors import ParameterError, PolicyError
from crywolf.solvers.best_response import nash_conv
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

KUHN = compile_tree("kuhn_poker")
ROBBER = compile_tree("onuw_robber3")


def test_lists_become_counts_in_two_halves():
    drawn: dict[str, list] = {key: [] for key in KUHN.keys}
    drawn["0"] = ["Bet", 1, 0, "Bet", "Pass"]  # the first half has Bet, Pass, Pass
    draws = Draws.from_lists(KUHN, drawn)
    place = KUHN.slice(KUHN.infoset_of_key["0"])
    assert draws.counts[:, place].tolist() == [[2, 1], [0, 2]]
    assert draws.counts.sum() == 5
    assert draws.frequencies.strategy("0") == {"Pass": 2 / 5, "Bet": 3 / 5}
    assert draws.frequencies.strategy("1") == {"Pass": 0.5, "Bet": 0.5}  # never drawn
    assert draws.half(0).strategy("0") == {"Pass": 2 / 3, "Bet": 1 / 3}
    assert draws.fewest == 0
    assert "5 draws" in repr(draws)


def test_draws_follow_the_profile():
    profile = Profile.random(ROBBER, np.random.default_rng(2))
    n = 20_001
    draws = Draws.from_profile(profile, n, np.random.default_rng(0))
    assert (draws.draws_at == n).all()
    for half, size in ((0, 10_001), (1, 10_000)):
        p = profile.probabilities[3:]
        error = np.abs(draws.half(half).probabilities[3:] - p)
        assert (error < 4.5 * np.sqrt(p * (1 - p) / size)).all()
    assert not np.array_equal(draws.counts[0], draws.counts[1])


@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3", "leduc_poker", "onuw"])
def test_plays_reach_sequences_as_often_as_they_should(game):
    tree = compile_tree(game)
    profile = Profile.random(tree, np.random.default_rng(4))
    plays = 40_000
    draws = Draws.from_plays(profile, plays, np.random.default_rng(1))
    # The reach of each sequence's action, from the tree alone: the sum over the edges of that name.
    reach = np.zeros(tree.num_nodes)
    reach[0] = 1.0
    expected = np.zeros(tree.num_sequences)
    for i in range(1, tree.num_nodes):
        parent = tree.parent[i]
        mover = tree.player[parent]
        if mover < 0:
            reach[i] = reach[parent] * tree.chance_reach[i] / tree.chance_reach[parent]
        else:
            s = tree.node_sequence[i, mover]
            reach[i] = reach[parent] * profile.probabilities[s]
            expected[s] += reach[i]
    spread = np.sqrt(plays * expected * (1 - expected)) + 1e-9
    assert (np.abs(draws.totals - plays * expected) < 5 * spread + 3).all()
    first = draws.counts[0].sum() / draws.counts.sum()
    assert abs(first - 0.5) < 0.01


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        (np.zeros((2, 3), np.int64), "shape"),
        (np.zeros((1, KUHN.num_sequences), np.int64), "shape"),
        (np.zeros((2, KUHN.num_sequences)), "integer"),
        (np.full((2, KUHN.num_sequences), -1), "less than 0 times"),
        (np.ones((2, KUHN.num_sequences), np.int64), "empty sequences"),
        (np.full((2, KUHN.num_sequences), True), "bool"),
        (np.full((2, KUHN.num_sequences), np.nan), "not its frequency"),
        (np.full((2, KUHN.num_sequences), 0.5), "not its frequency"),
        (np.full((2, KUHN.num_sequences), "3"), "<U1"),
        (np.full((2, KUHN.num_sequences), None), "object"),
        (np.full((2, KUHN.num_sequences), 2**63, np.uint64), "wrapped"),
        (np.full((2, KUHN.num_sequences), 2**60), "more than"),
        ([[1, 2], [3]], "shape"),
        ({"0": [0]}, "shape"),
        (None, "shape"),
    ],
)
def test_counts_that_are_none_are_refused(counts, text):
    with pytest.raises(PolicyError, match=text):
        Draws(KUHN, counts)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"9": [0]}, "no information set"),
        ({"0": ["Fold"]}, "Fold"),
        ({"0": [7]}, "no action"),
        ({"0": "Bet"}, "of type str"),
        ({"0": None}, "of type NoneType"),
        ({"0": {0, 1}}, "in the order"),
        ({"0": frozenset({0, 1})}, "in the order"),
        ({"0": {0: 3}}, "in the order"),
        ({"0": Counter({0: 3})}, "in the order"),
        ({"0": {0: 3}.keys()}, "in the order"),
        ({"0": b"01"}, "in the order"),
        ({"0": 1}, "of type int"),
        ({"0": [True]}, "no action"),
        ({"0": [1.0]}, "no action"),
        ({"0": [float("nan")]}, "no action"),
        ({"0": [Fraction(1)]}, "no action"),
        ({"0": [None]}, "no action"),
        ({"0": [[0, 1]]}, "no action"),
        ({"0": np.zeros((2, 2), int)}, "no action"),
        ({"0": [-1]}, "give the number or the name of one of 0 \\(Pass\\), 1 \\(Bet\\)"),
    ],
)
def test_lists_that_are_none_are_refused(change, text):
    drawn = {key: [0] for key in KUHN.keys} | change
    with pytest.raises(PolicyError, match=text):
        Draws.from_lists(KUHN, drawn)
    with pytest.raises(PolicyError, match="have no list"):
        Draws.from_lists(KUHN, {"0": [0]})


@pytest.mark.parametrize("drawn", [[["0", [0]]], "0", None, {"0"}])
def test_draws_of_no_information_sets_are_refused(drawn):
    with pytest.raises(PolicyError, match="give a dictionary"):
        Draws.from_lists(KUHN, drawn)


def test_lists_of_any_ordered_kind_are_taken():
    kinds = [[1, 0, 0], (1, 0, 0), np.array([1, 0, 0]), iter(["Bet", np.str_("Pass"), np.int8(0)])]
    found = [Draws.from_lists(KUHN, {key: [] for key in KUHN.keys} | {"0": k}) for k in kinds]
    assert all(draws == found[0] for draws in found)


def test_counts_of_any_integer_type_are_taken():
    counts = np.zeros((2, KUHN.num_sequences), np.uint64)
    counts[:, KUHN.num_players :] = 7
    kinds: list[Any] = [counts, counts.astype(np.int8), counts.astype(int).tolist()]
    for given in kinds:
        draws = Draws(KUHN, given)
        assert draws.counts.dtype == np.int64
        assert draws.totals.max() == 14
    assert Draws(KUHN, np.zeros_like(counts, np.int64)).fewest == 0


def test_the_most_draws_that_can_be_counted():
    counts = np.zeros((2, KUHN.num_sequences), np.int64)
    counts[0, -1] = 2**53
    assert int(Draws(KUHN, counts).totals.sum()) == 2**53
    counts[1, -1] = 2
    with pytest.raises(PolicyError, match="more than"):
        Draws(KUHN, counts)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "at least 2"),
        (-5, "at least 2"),
        (2**60, "at most"),
        (2.5, "whole number"),
        (30.0, "whole number"),
        (float("nan"), "whole number"),
        (True, "whole number"),
        ("30", "whole number"),
        (None, "whole number"),
    ],
)
def test_a_simulation_needs_a_whole_number_with_a_draw_for_each_half(number, text):
    uniform, rng = Profile.uniform(KUHN), np.random.default_rng(0)
    for simulate in (Draws.from_profile, Draws.from_plays):
        with pytest.raises(ParameterError, match=text):
            simulate(uniform, number, rng)


def test_halves_of_simulated_draws_are_interchangeable():
    rng = np.random.default_rng(3)
    profile = Profile.random(KUHN, rng)
    sizes = Counter()
    for _ in range(200):
        draws = Draws.from_profile(profile, 10, rng)
        sizes[nash_conv(draws.half(0)) > nash_conv(draws.half(1))] += 1
    assert min(sizes.values()) > 60
