"""Which nodes of a large tree a picture shows, and which it folds into triangles.

Linear in the number of nodes for each level shown; what is folded is counted, never laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from ..games.rules import TERMINAL
from ..solvers.tree import GameTree

WINDOW = 64
"""Nodes searched at first for the end of a subtree; doubled until it is found."""
FAN = 4
"""A folded picture gives the moves at one node at most this part (a quarter) of its room."""
ENOUGH = 1 / 3
"""The part of the room that whole levels must use before a level is left out for its width."""


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

    Starting from a triangle at the root, triangles are opened, as long as their moves fit:

    - without ``reach`` level by level, whole levels while they fit; of the first that does not, as
      much as fits, or nothing once a good part (`ENOUGH`) of the room is used;
    - with ``reach`` in its order, greatest first.

    In a tree that does not fit, a node with very many moves shows some of them (the first, or the
    most probable) and one triangle for the rest.

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
    fan = tree.num_nodes if whole else max(2, max_drawn // FAN)
    opened: dict[int, tuple[list[int], list[int]]] = {}
    count, queue = 1, [(0.0, 0, 0)]
    while queue:
        batch = [heappop(queue)]
        while reach is None and queue and queue[0][1] == batch[0][1]:
            batch.append(heappop(queue))
        moves = {
            node: (level, *_parted(list(children(tree, node)), fan, reach))
            for _, level, node in batch
            if tree.player[node] != TERMINAL and level != depth
        }
        room = max_drawn - count
        whole_level = sum(_width(shown, rest) for _, shown, rest in moves.values()) <= room
        if not whole_level and reach is None and count >= ENOUGH * max_drawn:
            break
        for node, (level, shown, rest) in moves.items():
            if _width(shown, rest) > max_drawn - count:
                continue
            count += _width(shown, rest)
            opened[node] = shown, rest
            for child in shown:
                heappush(queue, (0.0 if reach is None else -float(reach[child]), level + 1, child))
    return _items(tree, opened)


def _width(shown: list[int], rest: list[int]) -> int:
    """The number of items below a node."""
    return len(shown) + bool(rest)


def _parted(
    nodes: list[int], fan: int, reach: NDArray[np.float64] | None
) -> tuple[list[int], list[int]]:
    """Siblings to show, and those to fold together: none, or two at least."""
    if len(nodes) <= fan:
        return nodes, []
    ranked = nodes if reach is None else sorted(nodes, key=lambda v: (-reach[v], v))
    return sorted(ranked[: fan - 1]), sorted(ranked[fan - 1 :])


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
