"""The sequence form of a game tree: what numeric algorithms read.

For each sequence of player p there is a row of *entries*: the other players' sequences at a leaf
and the leaf's payoff to p times its chance probability. Leaves with the same sequences of all
players are one entry, entries with payoff 0 are left out; both are exact. (B. von Stengel,
"Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _tree_kernels as kernels

Entries = tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.float64]]


def entries(
    sequence: NDArray[np.uint32],
    reach: NDArray[np.float64],
    payoff: NDArray[np.signedinteger[Any]],
    table: NDArray[np.float64],
    num_sequences: int,
) -> Entries:
    """The rows of all sequences of all players: time L log L, a few numbers per leaf beside them.

    Args:
        sequence: uint32 (L, n), each player's sequence at each leaf.
        reach: float64 (L,), chance probability of each leaf.
        payoff: int (L,), each leaf's row in ``table``.
        table: float64 (K, n), payoffs in utilities.
        num_sequences: S, sequences of all players.

    Returns:
        ``row`` uint64 (S+1,), ``others`` uint32 (n-1, E) and ``weight`` float64 (E,): the entries
        of sequence s are ``row[s] .. row[s+1]-1``, in lexicographic order of the others'
        sequences, which keeps gathers local.
    """
    order = np.lexsort(sequence.T[::-1])
    groups = kernels.count_groups(order, sequence)
    merged = np.empty((groups, sequence.shape[1]), np.uint32)
    value = np.zeros((groups, sequence.shape[1]))
    kernels.add_up(order, sequence, reach, payoff.astype(np.int32), table, merged, value)
    del order
    row = np.zeros(num_sequences + 1, np.uint64)
    kernels.count_entries(merged, value, row)
    size = int(row[-1])
    others, weight = np.empty((sequence.shape[1] - 1, size), np.uint32), np.empty(size)
    kernels.fill_entries(merged, value, row, others, weight)
    return row, others, weight
