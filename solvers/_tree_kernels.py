"""Compiled passes over the node arrays of a game tree (see `tree`)."""

from __future__ import annotations

import numba as nb
import numpy as np

CHANCE = -1


@nb.njit(cache=True)
def branch_numbers(parent, branch):
    """branch[i] = rank of node i among its siblings; nodes in depth-first order."""
    count = np.zeros(len(parent), np.int32)
    for i in range(1, len(parent)):
        branch[i] = count[parent[i]]
        count[parent[i]] += 1


@nb.njit(cache=True)
def spread_outcomes(parent, player, branch, outcomes, probability):
    """probability[i] for the children i of chance nodes; ``outcomes`` is grouped by chance node."""
    start = np.full(len(parent), -1, np.int64)
    count = np.zeros(len(parent), np.int64)
    for i in range(1, len(parent)):
        count[parent[i]] += 1
    used = 0
    for i in range(len(parent)):
        if player[i] == CHANCE:
            start[i] = used
            used += count[i]
    for i in range(1, len(parent)):
        if player[parent[i]] == CHANCE:
            probability[i] = outcomes[start[parent[i]] + branch[i]]


@nb.njit(cache=True)
def node_sequences(parent, player, infoset, branch, first, sequence):
    """sequence[i, p] = player p's sequence at node i; row 0 is given."""
    n = sequence.shape[1]
    for i in range(1, len(parent)):
        q = parent[i]
        for p in range(n):
            sequence[i, p] = sequence[q, p]
        if player[q] >= 0:
            sequence[i, player[q]] = first[infoset[q]] + branch[i]


@nb.njit(cache=True)
def parent_sequences(player, infoset, sequence, parent_sequence, witness):
    """parent_sequence[h]; returns the first node whose set was entered before by another one.

    witness[h] is the first node of set h, -1 before. Returns -1 if recall is perfect.
    """
    for i in range(len(player)):
        h = infoset[i]
        if h >= 0:
            s = sequence[i, player[i]]
            if witness[h] < 0:
                witness[h] = i
                parent_sequence[h] = s
            elif parent_sequence[h] != s:
                return i
    return -1


@nb.njit(cache=True)
def chance_reaches(parent, chance, reach):
    """reach[i] = product of the chance probabilities on the path to node i."""
    reach[0] = 1.0
    for i in range(1, len(parent)):
        reach[i] = reach[parent[i]] * chance[i]
