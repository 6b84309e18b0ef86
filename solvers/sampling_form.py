"""The tree as algorithms that sample it read it: from the root down.

In depth-first order, siblings are far apart. Here nodes are ordered by their parents instead:
siblings come next to each other, and everything below a node but itself lies in one stretch.
"""

from __future__ import annotations

import numpy as np

from ..games.rules import CHANCE, TERMINAL
from . import _sampling_kernels as kernels
from ._sampling_kernels import CHILD, COUNT, MOVER, ROW, SamplingForm
from .tree import GameTree


def sampling_form(tree: GameTree) -> SamplingForm:
    """Rearranges a tree: time N log N; 16 bytes per node and 8 per outcome of chance.

    Raises:
        InexactError: the game has symbols.
        BadPayoff: payoffs are too large for floats.
    """
    payoff, n = tree.payoff_table, tree.num_players
    count = np.bincount(tree.parent[1:], minlength=tree.num_nodes)
    is_chance, is_leaf = tree.player == CHANCE, tree.player == TERMINAL
    moves = tree.node_infoset >= 0
    node = np.empty((tree.num_nodes, 4), np.uint32)
    node[:, MOVER] = np.select([is_chance, is_leaf], [n, n + 1], tree.player)
    node[:, CHILD] = 1 + np.cumsum(count) - count
    node[:, COUNT] = count
    node[moves, ROW] = tree.first[tree.node_infoset[moves]]
    node[is_chance, ROW] = np.cumsum(count[is_chance]) - count[is_chance]
    node[is_leaf, ROW] = tree.payoff[is_leaf]
    order = np.argsort(tree.parent, kind="stable")  # the root, whose parent is -1, stays first
    node = node[order]
    probability = np.array([*map(float, tree.probabilities), 1.0])[tree.probability[order]]
    cumulative = np.empty(int(count[is_chance].sum()))
    kernels.accumulate(node, n, probability, cumulative)
    widest, deepest = int(tree.num_actions.max(initial=1)), int(kernels.longest_path(tree.parent))
    return SamplingForm(node, cumulative, payoff, widest, deepest)
