"""Compiled passes over the nodes and leaves of a game tree (see `tree`, `sequence_form`)."""

from __future__ import annotations

import numba as nb
import numpy as np

CHANCE = -1


@nb.njit(cache=True)
def branch_numbers(parent, branch):
    """branch[i] = rank of node i among its siblings; nodes in depth-first order."""
    count = np.zeros(len(parent), np.int32)
    branch[0] = 0
    for i in range(1, len(parent)):
        branch[i] = count[parent[i]]
        count[parent[i]] += 1


@nb.njit(cache=True)
def spread_outcomes(parent, player, outcomes, probability):
    """probability[i] for the children i of chance nodes, else -1.

    ``outcomes`` is grouped by chance node, in depth-first order.
    """
    following = np.zeros(len(parent), np.uint32)  # first how many children, then the next outcome
    for i in range(1, len(parent)):
        following[parent[i]] += 1
    used = 0
    for i in range(len(parent)):
        if player[i] == CHANCE:
            number = following[i]
            following[i] = used
            used += number
    probability[0] = -1
    for i in range(1, len(parent)):
        above = parent[i]
        probability[i] = -1
        if player[above] == CHANCE:
            probability[i] = outcomes[following[above]]
            following[above] += 1


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
def chance_reaches(parent, probability, table, reach):
    """reach[i] = product of the chance probabilities on the path to node i."""
    reach[0] = 1.0
    for i in range(1, len(parent)):
        k = probability[i]
        reach[i] = reach[parent[i]] * table[k] if k >= 0 else reach[parent[i]]


@nb.njit(cache=True)
def is_depth_first(parent):
    """Whether each node's parent is the node before it or an ancestor of that; parent[0] is -1."""
    for i in range(1, len(parent)):
        node = i - 1
        while node > parent[i]:
            node = parent[node]
        if node != parent[i]:
            return False
    return True


# ------------------------------------------------------------------------------------------ leaves


@nb.njit(cache=True)
def _alike(sequence, i, j):
    for p in range(sequence.shape[1]):  # noqa: SIM110  # compiled: no generators
        if sequence[i, p] != sequence[j, p]:
            return False
    return True


@nb.njit(cache=True)
def count_groups(order, sequence):
    """How many different rows ``sequence`` has; ``order`` sorts them."""
    groups = min(1, len(order))
    for k in range(1, len(order)):
        if not _alike(sequence, order[k - 1], order[k]):
            groups += 1
    return groups


@nb.njit(cache=True)
def add_up(order, sequence, reach, payoff, table, merged, value):
    """merged[g], value[g] = the sequences of group g and the sum of its leaves' payoffs."""
    g = -1
    for k in range(len(order)):
        i = order[k]
        if k == 0 or not _alike(sequence, order[k - 1], i):
            g += 1
            merged[g] = sequence[i]
        for p in range(sequence.shape[1]):
            value[g, p] += reach[i] * table[payoff[i], p]


@nb.njit(cache=True)
def count_entries(merged, value, row):
    """row[s] = how many entries come before those of sequence s; payoffs of 0 are none."""
    for g in range(len(merged)):
        for p in range(merged.shape[1]):
            if value[g, p] != 0.0:
                row[merged[g, p] + 1] += np.uint64(1)
    for s in range(1, len(row)):
        row[s] += row[s - 1]


@nb.njit(cache=True)
def fill_entries(merged, value, row, others, weight):
    """Sets the entries of all rows, in the order of the groups within each row."""
    following = row[:-1].copy()
    n = merged.shape[1]
    for g in range(len(merged)):
        for p in range(n):
            if value[g, p] != 0.0:
                k = following[merged[g, p]]
                following[merged[g, p]] += np.uint64(1)
                weight[k] = value[g, p]
                for q in range(n):
                    if q != p:
                        others[q if q < p else q - 1, k] = merged[g, q]
