"""A game as a graph with labelled edges, which has the same automorphisms.

Its vertices are players, information sets, actions, and classes of terminal nodes. Inner nodes are
left out, since their order is no part of the game where moves do not see each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy
from numpy.typing import NDArray

from ...games.exact import exact
from ...games.rules import Exact
from ..tree import GameTree
from .graph_automorphisms import Integers, LabelledGraph


def game_graph(tree: GameTree) -> tuple[LabelledGraph, Integers]:
    """The graph of a game, and the class of twins of each terminal node.

    The vertices are numbered as `offsets` says.
    """
    sets, actions, classes = offsets(tree)
    numbers = _Numbers()
    table = np.array([[numbers.of(u) for u in row] for row in tree.exact_tables[1]], np.int64)
    payoff = table[tree.payoff[tree.leaves]]
    reach = np.array(numbers.reaches(tree), np.int64)
    rows = np.column_stack([tree.node_sequence[tree.leaves].astype(np.int64), reach, payoff])
    _, first, twins, count = np.unique(
        rows, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    kinds = np.repeat([0, 1, 2], [sets, actions - sets, classes - actions])
    kinds = np.concatenate([kinds, 3 + reach[first] * (tree.num_leaves + 1) + count])
    set_number, ends = np.arange(tree.num_infosets), classes + np.arange(len(first))
    set_of_action = np.repeat(set_number, tree.num_actions)
    before = tree.parent_sequence.astype(np.int64)
    later = np.flatnonzero(before >= tree.num_players)
    # Labels: 0 sets of a player, 1 actions of a set, 2 moves on the way to a set, 3 to a leaf.
    edges: list[tuple[Integers | int, Integers, Integers]] = [
        (0, tree.owner.astype(np.int64), sets + set_number),
        (1, sets + set_of_action, actions + np.arange(len(set_of_action))),
        (2, actions + before[later] - tree.num_players, sets + later),
        *_moves(tree, tree.leaves[first], ends),
    ]
    edges += [(4 + payoff[first, p], np.full(len(ends), p), ends) for p in range(tree.num_players)]
    return LabelledGraph.of(kinds, edges), twins.ravel()


def _moves(
    tree: GameTree, node: NDArray[np.int64], ends: Integers
) -> Iterator[tuple[int, Integers, Integers]]:
    """Edges to the vertex of each terminal node from the actions on the way."""
    first = first_actions(tree)
    while len(node):
        h = tree.node_infoset[tree.parent[node]]
        chosen = h >= 0
        yield 3, first[h[chosen]] + tree.branch[node[chosen]], ends[chosen]
        node = tree.parent[node].astype(np.int64)
        node, ends = node[node > 0], ends[node > 0]


class _Numbers:
    """Names for exact numbers: the same for all that expand to the same."""

    def __init__(self) -> None:
        self._names: dict[Exact, int] = {}

    def of(self, value: Exact) -> int:
        """The name of a number."""
        return self._names.setdefault(_expanded(value), len(self._names))

    def reaches(self, tree: GameTree) -> list[int]:
        """The name of the chance probability of each terminal node."""
        probabilities = tree.exact_tables[0]
        products: dict[tuple[Exact, int], Exact] = {}
        reach: list[Exact] = [exact(1)]
        for node in range(1, tree.num_nodes):
            before, edge = reach[int(tree.parent[node])], int(tree.probability[node])
            if edge >= 0 and (before, edge) not in products:
                products[before, edge] = _expanded(before * probabilities[edge])
            reach.append(products[before, edge] if edge >= 0 else before)
        return [self.of(reach[leaf]) for leaf in tree.leaves]


def _expanded(value: Exact) -> Exact:
    return exact(sympy.expand(value)) if isinstance(value, sympy.Basic) else value


def offsets(tree: GameTree) -> tuple[int, int, int]:
    """The first vertex that is an information set, an action, a class of leaves."""
    sets = tree.num_players
    actions = sets + tree.num_infosets
    return sets, actions, actions + int(tree.num_actions.sum())


def first_actions(tree: GameTree) -> Integers:
    """(H,), the vertex of the first action of each information set."""
    return tree.first.astype(np.int64) + tree.num_infosets  # sequences, and the sets before them
