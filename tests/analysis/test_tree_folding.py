"""What of a large tree is drawn, and what is counted only."""

from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.analysis.tree_folding import children, folded, subtree_end
from crywolf.analysis.tree_play import play_of
from crywolf.games.errors import ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE, TERMINAL
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

NAMES = ("kuhn_poker", "kuhn_poker(players=3)", "onuw_robber3_talk", "leduc_poker")


def subtrees(tree):
    """The nodes below each node, itself included, by going up from every node."""
    below = defaultdict(set)
    for node in range(tree.num_nodes):
        above = node
        while above >= 0:
            below[above].add(node)
            above = int(tree.parent[above])
    return below


@pytest.mark.parametrize("name", NAMES)
def test_ends_and_children(name: str):
    tree = compile_tree(name)
    below = subtrees(tree)
    for node in range(0, tree.num_nodes, 7):
        assert set(range(node, subtree_end(tree, node))) == below[node]
        assert list(children(tree, node)) == np.flatnonzero(tree.parent == node).tolist()


TREES = {name: compile_tree(name) for name in NAMES}
BELOW = {name: subtrees(tree) for name, tree in TREES.items()}


@given(
    st.sampled_from(NAMES),
    st.integers(1, 300),
    st.none() | st.integers(0, 8),
    st.none() | st.integers(0, 3),
)
def test_counts_add_up(name, most, depth, seed):
    tree, below = TREES[name], BELOW[name]
    reach = None
    if seed is not None:
        reach = play_of(tree, Profile.random(tree, np.random.default_rng(seed))).reach
    items = folded(tree, most, depth, reach)
    assert 1 <= len(items) <= most
    stands_for: list[int] = []
    for k, item in enumerate(items):
        assert (item.above == -1) == (k == 0)
        mine = [item.node]
        if item.roots:
            mine = [node for root in item.roots for node in below[root]]
            assert len({int(tree.parent[root]) for root in item.roots}) == 1
            assert item.leaves == sum(tree.payoff[node] >= 0 for node in mine)
        assert item.nodes == len(mine)
        stands_for += mine
        assert item.above < k
        if item.above >= 0:
            above = items[item.above]
            assert not above.roots
            assert above.node == tree.parent[item.node]
        if depth is not None:
            assert len(tree.history(item.node)) <= depth
    assert sorted(stands_for) == list(range(tree.num_nodes))  # everything, once
    assert sum(item.leaves for item in items) == len(tree.leaves)
    drawn = [item.node for item in items if not item.roots]
    assert drawn == sorted(drawn)


@pytest.mark.parametrize("name", NAMES[:3])
def test_small_trees_are_drawn_whole(name: str):
    tree = compile_tree(name)
    items = folded(tree, tree.num_nodes)
    assert [item.node for item in items] == list(range(tree.num_nodes))
    assert not any(item.roots for item in items)
    assert any(item.roots for item in folded(tree, tree.num_nodes - 1))


@pytest.mark.parametrize("most", [60, 100, 200])
@pytest.mark.parametrize("profile", [False, True])
def test_some_lines_of_play_are_drawn_to_their_end(most: int, profile: bool):
    tree = TREES["leduc_poker"]
    reach = play_of(tree, Profile.uniform(tree)).reach if profile else None
    items = folded(tree, most, reach=reach)
    drawn = [item.node for item in items if not item.roots]
    depths = {len(tree.history(node)) for node in drawn}
    assert depths == set(range(max(depths) + 1))
    ends = [node for node in drawn if tree.player[node] == TERMINAL]
    assert any(len(tree.history(node)) > 6 for node in ends)  # beyond the public card
    assert {0, 1, CHANCE} <= set(tree.player[drawn].tolist())
    assert any(item.nodes > 100 for item in items)
    assert len(items) > 0.9 * most


def test_with_a_profile_the_most_probable_is_drawn():
    """The most probable child of a drawn node is drawn; what is never reached comes last."""
    tree = TREES["leduc_poker"]
    play = play_of(tree, Profile.random(tree, np.random.default_rng(5)))
    items = folded(tree, 150, reach=play.reach)
    opened = {item.above for item in items if item.above >= 0}
    for k in opened:
        below = list(children(tree, items[k].node))
        shown = [i.node for i in items if i.above == k and len(i.roots) < 2]
        rest = set(below) - set(shown)
        assert max(play.reach[shown]) == max(play.reach[below])
        assert all(play.reach[v] <= min(play.reach[shown]) for v in rest)
    never = Profile.from_dict(tree, {key: {"Call": 1.0} for key in tree.keys})
    reach = play_of(tree, never).reach
    drawn = [item.node for item in folded(tree, 100, reach=reach) if item.above >= 0]
    inner = {int(tree.parent[node]) for node in drawn}
    assert all(reach[node] > 0 for node in inner)


def test_detours_cost_more_than_moves():
    """Of two moves each, 3 deep, 9 items: the first branch to its end, then the nearest others."""

    def branch(deep, where):
        if not deep:
            return leaf(0)
        return decision(0, where, {m: branch(deep - 1, where + m) for m in "lr"})

    tree = compile_tree(ExtensiveGame("binary", branch(4, "")))
    items = folded(tree, 9)
    opened = {items[i.above].node for i in items if i.above >= 0}
    # A right turn costs 1.5 more than a left one: the root, l, ll and r (2.5) before lll (3).
    assert opened == {0, tree_node(tree, "l"), tree_node(tree, "ll"), tree_node(tree, "r")}


def tree_node(tree, moves: str) -> int:
    node = 0
    for move in moves:
        node = next(v for v in children(tree, node) if tree.edge_name(v) == move)
    return node


def test_of_very_many_moves_some_are_drawn():
    moves = {f"m{k}": (f"{2 if k == 900 else 1}/1001", leaf(k)) for k in range(1000)}
    tree = compile_tree(ExtensiveGame("wide", chance(moves)))
    first = folded(tree, 100)
    assert [item.node for item in first[:5]] == list(range(5))
    assert (len(first), first[-1].nodes, first[-1].leaves) == (6, 996, 996)
    likely = folded(tree, 100, reach=tree.chance_reach)
    assert 901 in {item.node for item in likely if not item.roots}
    assert all(a.node < b.node for a, b in pairwise(likely[:-1]))


def test_nothing_to_draw_is_refused():
    with pytest.raises(ParameterError, match="at least 1"):
        folded(TREES["kuhn_poker"], 0)
    with pytest.raises(ParameterError, match="0 or more"):
        folded(TREES["kuhn_poker"], 10, depth=-1)
