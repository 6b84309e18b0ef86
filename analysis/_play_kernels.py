"""Compiled passes behind `tree_play`."""

from __future__ import annotations

import numba as nb


@nb.njit(cache=True)
def reaches_below(parent, edge, root, reach):
    """reach[i] = product of the edges from node ``root`` to node ``root + i`` of its subtree."""
    reach[0] = 1.0
    for i in range(1, len(reach)):
        reach[i] = reach[parent[root + i] - root] * edge[root + i]
