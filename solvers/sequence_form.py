"""The sequence form of a game tree: what numeric algorithms read.

For each sequence of player p there is a row of *entries*: the other players' sequences at a leaf
and the leaf's payoff to p times its chance probability. Leaves with the same sequences of all
players are one entry, entries with payoff 0 are left out; both are exact. (B. von Stengel,
"Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Entries = tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.float64]]


def entries(
    sequence: NDArray[np.uint32], value: NDArray[np.float64], num_sequences: int
) -> Entries:
    """The rows of all sequences of all players.

    Args:
        sequence: uint32 (L, n), each player's sequence at each leaf.
        value: float64 (L, n), chance probability times payoff.
        num_sequences: S, sequences of all players.

    Returns:
        ``row`` uint64 (S+1,), ``others`` uint32 (n-1, E) and ``weight`` float64 (E,): the entries
        of sequence s are ``row[s] .. row[s+1]-1``.
    """
    sequence, value = _merged(sequence, value)
    rows, others, weights = [], [], []
    for p in range(sequence.shape[1]):
        kept = value[:, p] != 0.0
        rows.append(sequence[kept, p])
        others.append(np.delete(sequence[kept], p, axis=1))
        weights.append(value[kept, p])
    row_of = np.concatenate(rows)
    # Stable: within a row the others' sequences stay ascending, which keeps gathers local.
    order = np.argsort(row_of, kind="stable")
    row = np.zeros(num_sequences + 1, np.uint64)
    np.cumsum(np.bincount(row_of, minlength=num_sequences), out=row[1:])
    columns = np.ascontiguousarray(np.concatenate(others)[order].T)
    return row, columns, np.concatenate(weights)[order]


def _merged(
    sequence: NDArray[np.uint32], value: NDArray[np.float64]
) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Adds up the values of leaves that have the same sequences."""
    order = np.lexsort(sequence.T[::-1])
    sequence, value = sequence[order], value[order]
    new = np.ones(len(sequence), bool)
    new[1:] = (sequence[1:] != sequence[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return sequence[starts], np.add.reduceat(value, starts, axis=0)
