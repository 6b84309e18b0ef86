"""Which nodes of a large tree a picture shows, and which it folds into triangles.

A large tree is shown by a few lines of play from the root to the end, not by its first levels: what
is drawn are the nodes nearest to the root when a move costs 1 and, among its siblings, each place
further back costs a *detour*, as in limited discrepancy search (Harvey & Ginsberg, 1995). Linear in
the number of nodes for each node drawn at most; what is folded is counted, never laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf, isqrt, log2

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from ..games.rules import CHANCE, TERMINAL
from ..solvers.tree import GameTree

WINDOW = 64
"""Nodes searched at first for the end of a subtree; doubled until it is found."""
FAN = 4
"""A folded picture gives the moves at one node at most this part (a quarter) of its room; outcomes
of chance, which are much alike, half of its square root (5 in 100 nodes, 7 in 200); 3 at least."""
DETOUR, DETOUR_OF_CHANCE = 1.5, 2.5
"""What each place further back among siblings costs, in moves."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something drawn: a node of the tree, or a triangle for subtrees of one parent.

    Attributes:
        above: the item of the parent, -1 at the root.
        node: the node; of a triangle, the root of the first subtree.
        roots: of a triangle, the roots of its subtrees; empty for a node.
        nodes: the number of nodes that the item stands for.
        leaves: the number of terminal ones among them.
    """

    above: int
    node: int
    roots: tuple[int, ...] = ()
    nodes: int = 1
    leaves: int = 0


def folded(
    tree: GameTree,
    max_drawn: int,
    depth: int | None = None,
    reach: NDArray[np.float64] | None = None,
) -> list[Item]:
    """What to draw of a tree, parents before children and children in their order.

    Starting from a triangle at the root, the nearest triangle is opened again and again, as long as
    its moves fit. Near are few moves and few detours (`DETOUR`): the first among siblings is none
    and, with ``reach``, neither is the most probable; there, a move that is half as probable is 1
    further away, and what is never reached comes last.

    In a tree that does not fit, a node with many moves shows some of them (the first, or the most
    probable) and one triangle for the rest.

    Args:
        tree: the game.
        max_drawn: the largest number of items, triangles included.
        depth: moves from the root after which everything is folded.
        reach: float64 (N,), the probability of reaching each node.

    Raises:
        ParameterError: nothing would be drawn.
    """
    if max_drawn < 1:
        raise ParameterError(f"max_drawn={max_drawn}: draw at least 1 node")
    if depth is not None and depth < 0:
        raise ParameterError(f"depth={depth}: give a number of moves, 0 or more")
    whole = tree.num_nodes <= max_drawn
    opened: dict[int, tuple[list[int], list[int]]] = {}
    count, queue = 1, [(0.0, 0, 0)]
    while queue:
        distance, level, node = heappop(queue)
        player = int(tree.player[node])
        if player == TERMINAL or level == depth:
            continue
        ranked = list(children(tree, node))
        if reach is not None:
            ranked.sort(key=lambda v: (-reach[v], v))
        fan = len(ranked) if whole else _fan(player, max_drawn)
        kept = len(ranked) if len(ranked) <= fan else fan - 1  # so that a rest is 2 moves or more
        shown, rest = ranked[:kept], ranked[kept:]
        if count + len(shown) + bool(rest) > max_drawn:
            continue
        count += len(shown) + bool(rest)
        opened[node] = sorted(shown), sorted(rest)
        step = DETOUR_OF_CHANCE if player == CHANCE else DETOUR
        for rank, child in enumerate(shown):
            further = 0.0 if reach is None else _further(reach[child], reach[ranked[0]])
            heappush(queue, (distance + 1.0 + step * rank + further, level + 1, child))
    return _items(tree, opened)


def _fan(player: int, max_drawn: int) -> int:
    """The largest number of items below a node of a folded tree."""
    return max(3, isqrt(max_drawn) // 2 if player == CHANCE else max_drawn // FAN)


def _further(reach: float, most: float) -> float:
    """How many times less probable than ``most``, as a power of 2."""
    return log2(most) - log2(reach) if reach > 0.0 else inf


def _items(tree: GameTree, opened: dict[int, tuple[list[int], list[int]]]) -> list[Item]:
    items: list[Item] = []
    stack: list[tuple[int, tuple[int, ...]]] = [(-1, (0,))]
    while stack:
        above, roots = stack.pop()
        node = roots[0]
        if len(roots) == 1 and tree.player[node] == TERMINAL:
            items.append(Item(above, node, leaves=1))
        elif len(roots) > 1 or node not in opened:
            sizes = [_size(tree, root) for root in roots]
            nodes, leaves = (sum(column) for column in zip(*sizes, strict=True))
            items.append(Item(above, node, roots, nodes, leaves))
        else:
            shown, rest = opened[node]
            if rest:
                stack.append((len(items), tuple(rest)))
            stack.extend((len(items), (child,)) for child in reversed(shown))
            items.append(Item(above, node))
    return items


def children(tree: GameTree, node: int) -> Iterator[int]:
    """The children of a node, in order; linear in the size of its subtree."""
    child, end = node + 1, subtree_end(tree, node)
    while child < end:
        yield child
        child = subtree_end(tree, child)


def subtree_end(tree: GameTree, node: int) -> int:
    """One past the last node of a subtree: nodes are in depth-first order."""
    start, window = node + 1, WINDOW
    while start < tree.num_nodes:
        outside = tree.parent[start : start + window] < node
        if outside.any():
            return start + int(outside.argmax())
        start, window = start + window, 2 * window
    return tree.num_nodes


def _size(tree: GameTree, root: int) -> tuple[int, int]:
    end = subtree_end(tree, root)
    return end - root, int(np.count_nonzero(tree.player[root:end] == TERMINAL))
