"""The laws of tidy layouts, on any tree."""

from collections import defaultdict
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.analysis.tree_layout import Span, aligned_levels, lanes, tidy


@st.composite
def trees(draw, most=60, arity=60):
    """Parents and breadths, the nodes in depth-first or in any other order."""
    n = draw(st.integers(1, most))
    wild = draw(st.booleans())
    parent = [-1]
    for v in range(1, n):
        low = 0 if wild else max(0, v - 4)
        free = [u for u in range(low, v) if parent.count(u) < arity]  # never empty: v - 1 is free
        parent.append(draw(st.sampled_from(free)))
    sizes = st.floats(0.5, 20.0, allow_nan=False)
    return parent, draw(st.lists(sizes, min_size=n, max_size=n))


def levels_of(parent):
    level = []
    for above in parent:
        level.append(0 if above < 0 else level[above] + 1)
    return level


def rows_of(parent):
    """The nodes of each level from left to right: in the order of their parents, then their own."""
    children = defaultdict(list)
    for v, above in enumerate(parent):
        children[above].append(v)
    row = [0]
    while row:
        yield row
        row = [w for v in row for w in children[v]]


@given(trees(), st.floats(0.0, 5.0))
def test_neighbours_of_a_level_are_apart_and_in_order(tree, gap):
    parent, breadth = tree
    x = tidy(parent, breadth, gap)
    for row in rows_of(parent):
        for left, right in pairwise(row):
            assert x[right] - x[left] >= (breadth[left] + breadth[right]) / 2 + gap - 1e-6


@given(trees())
def test_parents_are_midway_and_the_picture_begins_at_0(tree):
    parent, breadth = tree
    x = tidy(parent, breadth)
    children = defaultdict(list)
    for v, above in enumerate(parent):
        children[above].append(x[v])
    for v in range(len(parent)):
        if children[v]:
            assert x[v] == pytest.approx((children[v][0] + children[v][-1]) / 2, abs=1e-6)
    assert min(c - b / 2 for c, b in zip(x, breadth, strict=True)) == pytest.approx(0.0, abs=1e-6)


@given(trees(most=30, arity=2))
def test_a_binary_tree_in_a_mirror_is_the_same_picture_in_a_mirror(tree):
    parent, breadth = tree
    children = defaultdict(list)
    for v, above in enumerate(parent):
        children[above].append(v)
    order, stack = [], [0]
    while stack:
        order.append(stack.pop())
        stack.extend(children[order[-1]])  # the last child first
    new = {v: k for k, v in enumerate(order)}
    mirrored = tidy([-1 if v == 0 else new[parent[v]] for v in order], [breadth[v] for v in order])
    x = tidy(parent, breadth)
    for v in range(len(parent)):
        assert mirrored[new[v]] - mirrored[0] == pytest.approx(x[0] - x[v], abs=1e-6)


def test_subtrees_slide_under_each_other():
    r"""Two chains that lean together share room: the width is that of the widest level.

        0
       / \
      1   2
     /|\   \
    3 4 5   6
    """
    x = tidy([-1, 0, 0, 1, 1, 1, 2], [1.0] * 7)
    assert x[3:] == [0.5, 1.5, 2.5, 3.5]
    assert (x[1], x[2], x[0]) == (1.5, 3.5, 2.5)


class Counted(list):
    """A list that counts how often it is read."""

    reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)


@pytest.mark.parametrize(
    "shape",
    [
        lambda v: v - 1,  # a chain
        lambda v: 0,  # a star
        lambda v: (v - 1) // 2,  # a complete tree
        lambda v: v - 1 if v % 2 else max(v - 2, 0),  # a comb
        lambda v: 0 if v <= 40 else v - 40,  # many chains side by side
        lambda v: 0 if v % 50 == 1 else v - 1,  # chains one after the other
        lambda v: max(0, v - 1 - v % 7),
    ],
)
def test_work_is_linear(shape):
    """Every step along a contour reads breadths: no more than a few for each node."""
    for n in (500, 4000):
        breadth = Counted([1.0] * n)
        tidy([-1] + [shape(v) for v in range(1, n)], breadth)
        assert breadth.reads <= 6 * n


@given(trees(), st.data())
def test_groups_are_aligned_below_their_parents(tree, data):
    parent, _ = tree
    level = levels_of(parent)
    group = [data.draw(st.integers(-1, 4)) for _ in parent]
    aligned = aligned_levels(parent, group)
    for v in range(1, len(parent)):
        assert aligned[v] > aligned[parent[v]]
        assert aligned[v] >= level[v]
    # A group of nodes that share their level by nature need not be torn apart.
    alike = aligned_levels(parent, level)
    assert alike == level


def test_groups_at_several_depths_and_groups_in_each_others_way():
    # 0 - 1, 0 - 2 - 3: nodes 1 and 3 are one group, and stand at depth 2.
    assert aligned_levels([-1, 0, 0, 2], [-1, 0, -1, 0]) == [0, 2, 1, 2]
    # Group 0 before group 1 in one branch, after it in the other: both stay where they are.
    assert aligned_levels([-1, 0, 1, 0, 3], [-1, 0, 1, 1, 0]) == [0, 1, 2, 1, 2]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 10)), max_size=25))
def test_lanes_keep_stretches_apart_and_are_as_few_as_can_be(pairs):
    spans = [Span(low, low + long) for low, long in pairs]
    lane = lanes(spans)
    for i, one in enumerate(spans):
        for j in range(i):
            if lane[i] == lane[j]:
                assert one.high <= spans[j].low or spans[j].high <= one.low
    crowd = [sum(s.low <= x < s.high for s in spans) for x in range(41)]
    assert max(crowd) <= (max(lane, default=-1) + 1) <= len(spans)
