"""Compiled passes over the nodes of a tree for agent quantal response equilibria (see `qre`).

Nodes rather than the sequence form, because expected utilities are *conditional* on reaching an
information set: where others go with probability exp(-1000) the sequence form underflows, while a
belief is a quotient of such numbers. So reaches are kept as logarithms, and every number formed
from them is a conditional probability.

Reading guide: ``logs[e]`` is the logarithm of the probability of edge e, ``reach[i]`` their sum on
the path to node i, ``mass[h]`` the logarithm of the summed reaches of set h, ``belief[i]`` the
belief on node i at its set, ``value[i, p]`` what player p expects from node i on, and
``utility[a]`` what its owner expects from action a, given that its set is reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

ONE = np.uint64(1)


class AgentForm(NamedTuple):
    """The arrays that kernels read. ``N`` nodes, ``H`` sets, ``A`` actions, ``n`` players.

    Actions are sequences without the empty ones: action a is sequence a + n.

    Attributes:
        parent: uint32 (N,), parent node, 0 at the root.
        edge: uint32 (N,), the edge into each node: an action below A; from A on the different
            chance probabilities, the last of them 1 for the root.
        moved: uint32 (N,), the last node at or above each one that a player's action leads into, 0
            if there is none.
        first: uint64 (H+1,), the actions of set h are ``first[h] .. first[h+1]-1``.
        set_of: uint32 (A,), the information set of each action.
        owner: uint8 (H,), the player of each information set.
        members: uint32 (D,), the decision nodes by information set, depth first in each.
        start: uint64 (H+1,), the nodes of set h are ``members[start[h] .. start[h+1]-1]``.
        payoff: float64 (N, n), payoffs at the leaves in units of the payoff range, 0 elsewhere.
    """

    parent: NDArray[np.uint32]
    edge: NDArray[np.uint32]
    moved: NDArray[np.uint32]
    first: NDArray[np.uint64]
    set_of: NDArray[np.uint32]
    owner: NDArray[np.uint8]
    members: NDArray[np.uint32]
    start: NDArray[np.uint64]
    payoff: NDArray[np.float64]


@nb.njit(cache=True)
def last_moves(parent, edge, actions, moved):
    """Sets ``moved``; see `AgentForm`."""
    moved[0] = 0
    for i in range(ONE, np.uint64(len(parent))):
        moved[i] = i if edge[i] < actions else moved[parent[i]]


@nb.njit(cache=True)
def log_softmax(first, scale, utility, x):
    """``x = scale * utility - log sum exp(scale * utility)`` at each information set."""
    for h in range(np.uint64(len(first) - 1)):
        top = -np.inf
        for a in range(first[h], first[h + ONE]):
            x[a] = scale * utility[a]
            top = max(top, x[a])
        total = 0.0
        for a in range(first[h], first[h + ONE]):
            total += np.exp(x[a] - top)
        shift = top + np.log(total)
        for a in range(first[h], first[h + ONE]):
            x[a] -= shift


@nb.njit(cache=True)
def largest_regret(first, x, utility):
    """The largest difference of the best utility at a set and the expected one, at least 0."""
    largest = 0.0
    for h in range(np.uint64(len(first) - 1)):
        best, mean = -np.inf, 0.0
        for a in range(first[h], first[h + ONE]):
            best = max(best, utility[a])
            mean += np.exp(x[a]) * utility[a]
        largest = max(largest, best - mean)
    return largest


@nb.njit(cache=True)
def evaluate(form, logs, reach, mass, belief, value, utility):
    """Sets everything that the reading guide names; linear in the number of nodes."""
    parent, edge, members, start = form.parent, form.edge, form.members, form.start
    nodes, players = np.uint64(len(parent)), np.uint64(form.payoff.shape[1])
    reach[0] = 0.0
    for i in range(ONE, nodes):
        reach[i] = reach[parent[i]] + logs[edge[i]]
    for h in range(np.uint64(len(mass))):
        top = -np.inf
        for k in range(start[h], start[h + ONE]):
            top = max(top, reach[members[k]])
        total = 0.0
        for k in range(start[h], start[h + ONE]):
            total += np.exp(reach[members[k]] - top)
        mass[h] = top + np.log(total)
        for k in range(start[h], start[h + ONE]):
            belief[members[k]] = np.exp(reach[members[k]] - mass[h])
    value[:] = form.payoff
    utility[:] = 0.0
    probability = np.exp(logs)
    for back in range(ONE, nodes):
        i = nodes - back
        above, e = parent[i], edge[i]
        for p in range(players):
            value[above, p] += probability[e] * value[i, p]
        if e < len(utility):
            utility[e] += belief[above] * value[i, form.owner[form.set_of[e]]]


@nb.njit(cache=True)
def derivatives(form, logs, reach, mass, belief, value, utility, matrix):
    """``matrix[a, b]`` = derivative of ``utility[a]`` by ``logs[b]``, everything else fixed.

    An action b above the set of a moves a's belief; one below moves a's value. Hence one term for
    each pair of actions on a path to a node: the cost is the number of nodes times their depth.
    """
    parent, edge, moved = form.parent, form.edge, form.moved
    matrix[:] = 0.0
    for i in range(ONE, np.uint64(len(parent))):
        below = edge[i]
        if below >= len(utility):
            continue
        player = form.owner[form.set_of[below]]
        pull = belief[parent[i]] * (value[i, player] - utility[below])
        k = moved[parent[i]]
        while k > 0:
            above = edge[k]
            h = form.set_of[above]
            if form.owner[h] != player:  # own actions leave a belief as it is (perfect recall)
                matrix[below, above] += pull
            given = np.exp(reach[i] - mass[h] - logs[above])  # reach, once ``above`` is played
            matrix[above, below] += given * value[i, form.owner[h]]
            k = moved[parent[k]]


@nb.njit(cache=True)
def reduce_system(set_of, matrix, rest, chief, ratio, lam, system):
    """The equations ``x - log softmax(lambda U(x)) = 0``, linearised where probabilities sum to 1.

    One equation and one unknown for each action of ``rest``, all but the likeliest of each set, in
    ascending order. From each equation that of ``chief``, the likeliest action of the same set, is
    subtracted, which removes the normalisation; and in each the chief's step is ``-sum ratio[j]
    step[j]`` over the rest of its set, ratios being those of the probabilities.
    """
    for i in range(np.uint64(len(rest))):
        row, top = matrix[rest[i]], matrix[chief[i]]
        for j in range(np.uint64(len(rest))):
            change = row[rest[j]] - top[rest[j]] - ratio[j] * (row[chief[j]] - top[chief[j]])
            system[i, j] = -lam * change
        system[i, i] += 1.0
        h = set_of[rest[i]]
        j = i
        while j > 0 and set_of[rest[j - ONE]] == h:
            j -= ONE
        while j < len(rest) and set_of[rest[j]] == h:
            system[i, j] += ratio[j]
            j += ONE
