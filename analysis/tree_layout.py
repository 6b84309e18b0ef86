"""Where the nodes of a drawn tree go: tidy, layered, in linear time.

Nothing here knows of games or of pictures. Nodes are numbered so that each comes after its parent,
and the children of a node in their order. A *level* is a row (or, lying on its side, a column) of
the picture; positions are along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


def tidy(parent: Sequence[int], breadth: Sequence[float], gap: float = 0.0) -> list[float]:
    """Positions of the nodes within their levels; levels are distances from the root.

    The aesthetics of Reingold & Tilford (1981), in the linear-time form of Buchheim, Jünger &
    Leipert, "Improving Walker's algorithm to run in linear time" (2002), with breadths: two nodes
    of a level are at least half of both breadths and the gap apart, the children of a node lie in
    their order with the node midway between the first and the last, and a subtree has the same
    shape wherever it hangs, but for room that its neighbours take.

    Args:
        parent: the parent of each node, smaller than the node itself; -1 of node 0, the root.
        breadth: how much room each node takes along its level.
        gap: room between neighbours.

    Returns:
        The centre of each node, the smallest edge of any at 0.
    """
    tree = _Tidy(parent, breadth, gap)
    for v in reversed(range(len(parent))):  # children before their parents
        if tree.children[v]:
            tree.place_children(v)
    x, moved = tree.prelim, [0.0] * len(parent)
    for v in range(1, len(parent)):
        moved[v] = moved[parent[v]] + tree.mod[parent[v]]
        x[v] += moved[v]
    left = min(c - b / 2 for c, b in zip(x, breadth, strict=True))
    return [c - left for c in x]


class _Tidy:
    """The state of the algorithm; the names are those of the paper.

    ``prelim`` is a node's place among its siblings, ``mod`` what its descendants are moved by,
    ``thread`` the next node of a contour where a subtree ends, ``ancestor`` the sibling in whose
    subtree a node of the contour lies; ``shift`` and ``change`` spread a subtree's move over the
    siblings on its left.
    """

    def __init__(self, parent: Sequence[int], breadth: Sequence[float], gap: float):
        n = len(parent)
        self.parent, self.breadth, self.gap = parent, breadth, gap
        self.children: list[list[int]] = [[] for _ in range(n)]
        self.number = [0] * n
        for v in range(1, n):
            self.number[v] = len(self.children[parent[v]])
            self.children[parent[v]].append(v)
        self.prelim, self.mod = [0.0] * n, [0.0] * n
        self.shift, self.change = [0.0] * n, [0.0] * n
        self.thread, self.ancestor = [-1] * n, list(range(n))

    def place_children(self, v: int) -> None:
        """Places the subtrees of v's children side by side, and v midway; v's own are placed."""
        children = self.children[v]
        default = children[0]
        for left, w in pairwise(children):
            midway = self.prelim[w]
            self.prelim[w] = self.prelim[left] + self._distance(left, w)
            if self.children[w]:
                self.mod[w] = self.prelim[w] - midway
            default = self._apportion(w, left, children[0], default)
        shift = change = 0.0
        for w in reversed(children):
            self.prelim[w] += shift
            self.mod[w] += shift
            change += self.change[w]
            shift += self.shift[w] + change
        self.prelim[v] = (self.prelim[children[0]] + self.prelim[children[-1]]) / 2

    def _distance(self, left: int, right: int) -> float:
        return (self.breadth[left] + self.breadth[right]) / 2 + self.gap

    def _first(self, v: int) -> int:
        return self.children[v][0] if self.children[v] else self.thread[v]

    def _last(self, v: int) -> int:
        return self.children[v][-1] if self.children[v] else self.thread[v]

    def _apportion(self, v: int, left: int, leftmost: int, default: int) -> int:
        """Moves v's subtree clear of those on its left, along the contours that face each other.

        Inside (``in``) are the contours that may collide, outside (``out``) those that may go on as
        threads; each with the sum of the moves above it.
        """
        prelim, mod = self.prelim, self.mod
        in_left, in_right, out_left, out_right = left, v, leftmost, v
        s_in_left, s_in_right, s_out_left, s_out_right = mod[left], mod[v], mod[leftmost], mod[v]
        while self._last(in_left) >= 0 and self._first(in_right) >= 0:
            in_left, in_right = self._last(in_left), self._first(in_right)
            out_left, out_right = self._first(out_left), self._last(out_right)
            self.ancestor[out_right] = v
            apart = (prelim[in_right] + s_in_right) - (prelim[in_left] + s_in_left)
            shift = self._distance(in_left, in_right) - apart
            if shift > 0:
                mine = self.ancestor[in_left]
                sibling = mine if self.parent[mine] == self.parent[v] else default
                self._move(sibling, v, shift)
                s_in_right += shift
                s_out_right += shift
            s_in_left += mod[in_left]
            s_in_right += mod[in_right]
            s_out_left += mod[out_left]
            s_out_right += mod[out_right]
        if self._last(in_left) >= 0 and self._last(out_right) < 0:
            self.thread[out_right] = self._last(in_left)
            mod[out_right] += s_in_left - s_out_right
        if self._first(in_right) >= 0 and self._first(out_left) < 0:
            self.thread[out_left] = self._first(in_right)
            mod[out_left] += s_in_right - s_out_left
            default = v
        return default

    def _move(self, left: int, right: int, shift: float) -> None:
        each = shift / (self.number[right] - self.number[left])
        self.change[right] -= each
        self.shift[right] += shift
        self.change[left] += each
        self.prelim[right] += shift
        self.mod[right] += shift


def aligned_levels(parent: Sequence[int], group: Sequence[int]) -> list[int]:
    """Levels at which the nodes of a group lie side by side, each node below its parent.

    A group is on the lowest level that any of its nodes needs (longest paths over groups, linear
    time). Groups that stand in each other's way, such as two of which each precedes the other in
    some branch, are left where their nodes are.

    Args:
        parent: the parent of each node, -1 at the root.
        group: a number >= 0 shared by the nodes of a group, -1 for those in none.
    """
    n = len(parent)
    base = max(group, default=-1) + 1
    home = [base + v if group[v] < 0 else group[v] for v in range(n)]
    while True:
        waiting = [0] * (base + n)
        below: list[list[int]] = [[] for _ in range(base + n)]
        for v in range(1, n):
            below[home[parent[v]]].append(home[v])
            waiting[home[v]] += 1
        level = dict.fromkeys(home, 0)
        ready = [h for h in level if not waiting[h]]
        done = set()
        while ready:
            h = ready.pop()
            done.add(h)
            for k in below[h]:
                level[k] = max(level[k], level[h] + 1)
                waiting[k] -= 1
                if not waiting[k]:
                    ready.append(k)
        if len(done) == len(level):
            return [level[h] for h in home]
        home = [h if h in done else base + v for v, h in enumerate(home)]


class Span(NamedTuple):
    """A stretch of a level, from ``low`` to ``high``."""

    low: float
    high: float


def lanes(spans: Sequence[Span]) -> list[int]:
    """Lanes 0, 1, ... for stretches beside a level, those of one lane apart; short ones first."""
    taken: list[list[Span]] = []
    lane = [0] * len(spans)
    for i in sorted(range(len(spans)), key=lambda i: (spans[i].high - spans[i].low, i)):
        span = spans[i]
        free = (k for k, row in enumerate(taken) if not any(_meet(span, other) for other in row))
        lane[i] = next(free, len(taken))
        if lane[i] == len(taken):
            taken.append([])
        taken[lane[i]].append(span)
    return lane


def _meet(one: Span, other: Span) -> bool:
    return one.low < other.high and other.low < one.high
