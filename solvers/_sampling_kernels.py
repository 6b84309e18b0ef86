"""Compiled walks of Monte Carlo counterfactual regret minimisation (see `sampling`).

Functions that walk or are called at a node are inlined: to hand over a dozen arrays takes as long
as a few nodes. All kernels live in this file because numba's on-disk cache notices a change of the
file that defines a function, not of the files of the functions that it calls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

MANY = 5_000_000
"""Nodes that one call of a kernel visits, about: some 0.1 to 0.3 seconds."""

MOVER, CHILD, COUNT, ROW = range(4)
"""Indices of the columns of `SamplingForm.node`."""

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
_TINY = 1e-300  # the least sum of regrets that is divided by


class SamplingForm(NamedTuple):
    """The tree to be walked from the root, which is node 0. ``N`` nodes; all integers unsigned.

    Attributes:
        node: uint32 (N, 4), of each node: who moves, a player, n for chance, n+1 at a leaf; its
            first child, next to which come the others; how many children it has; and a row: the
            first sequence of the information set, a chance node's first place in ``cumulative``,
            or a leaf's row of ``payoff``.
        cumulative: float64 (C,), of each outcome of a chance node: the probability that it or one
            before it happens; exactly 1 at the last one.
        payoff: float64 (rows, n), in utilities.
        widest: the most actions of an information set, at least 1.
        deepest: the most moves on a path.
    """

    node: NDArray[np.uint32]
    cumulative: NDArray[np.float64]
    payoff: NDArray[np.float64]
    widest: int
    deepest: int


class Rule(NamedTuple):
    """What an iteration does, whatever is sampled.

    Attributes:
        clip: whether regrets are cut off at 0 (regret matching plus).
        gamma: iteration t has the weight ``t**gamma`` in the average.
    """

    clip: bool
    gamma: float


class Baselines(NamedTuple):
    """What outcome sampling expects of each move, for each player.

    Attributes:
        value: float64 (n, N), player p's payoff after the move into node i, in utilities.
        mean: float64 (n, C), of each chance node, at its first place in `SamplingForm.cumulative`,
            the mean of ``value`` over its outcomes; unused elsewhere.
    """

    value: NDArray[np.float64]
    mean: NDArray[np.float64]


def inlined(function: Any) -> Any:
    """A compiled part of a kernel."""
    return nb.njit(cache=True, forceinline=True)(function)


# -------------------------------------------------------------------------------------------- form


@nb.njit(cache=True)
def longest_path(parent):
    """The most moves on a path; parents come before their children."""
    depth = np.zeros(len(parent), np.uint32)
    for i in range(1, len(parent)):
        depth[i] = depth[parent[i]] + 1
    return depth.max()


@nb.njit(cache=True)
def accumulate(node, n, probability, cumulative):
    """Fills `SamplingForm.cumulative` from the probability of the edge into each node."""
    for i in range(len(node)):
        if node[i, MOVER] == n:
            child, count, row = node[i, CHILD], node[i, COUNT], node[i, ROW]
            upto = 0.0
            for a in range(count):
                upto += probability[child + a]
                cumulative[row + a] = upto
            cumulative[row + count - 1] = 1.0


# ------------------------------------------------------------------------------------------- draws


@inlined
def _outcome(cumulative, row, count, rng):
    """The rank of a chance outcome, by bisection."""
    u = rng.random()
    low, high = ZERO, count - ONE
    while low < high:
        middle = (low + high) // TWO
        if u < cumulative[row + middle]:
            high = middle
        else:
            low = middle + ONE
    return low


@inlined
def _action(strategy, count, rng):
    """The rank of an action; never of one that the strategy does not play."""
    u = rng.random()
    chosen = ZERO
    for a in range(count):
        if strategy[a] > 0.0:
            chosen = a
            u -= strategy[a]
            if u < 0.0:
                break
    return chosen


@inlined
def _match(regret, row, count, strategy):
    """Regret matching: in proportion to the regrets above 0, uniform if there are none."""
    total = 0.0
    for a in range(count):
        r = max(regret[row + a], 0.0)
        strategy[a] = r
        total += r
    if total < _TINY:
        for a in range(count):
            strategy[a] = 1.0 / count
    else:
        scale = 1.0 / total
        for a in range(count):
            strategy[a] *= scale


# --------------------------------------------------------------------------------- average profile


@inlined
def _add_average(row, count, weight, strategy, total):
    """Counts a strategy in the average."""
    for a in range(count):
        total[row + a] += weight * strategy[a]


@inlined
def _averaging_walk(node, cumulative, n, p, weight, rng, regret, total, strategy):
    """One play in which the others choose uniformly; counts p's strategies. Returns its nodes.

    p's information sets are so met in proportion to p's own reach times something that depends on
    nobody's strategy.
    """
    i, visited = ZERO, 1
    while node[i, MOVER] <= n:
        mover, child = node[i, MOVER], np.uint64(node[i, CHILD])
        count, row = np.uint64(node[i, COUNT]), np.uint64(node[i, ROW])
        if mover == n:
            a = _outcome(cumulative, row, count, rng)
        else:
            if mover == p:
                _match(regret, row, count, strategy)
                _add_average(row, count, weight, strategy, total)
            else:
                for b in range(count):
                    strategy[b] = 1.0 / count
            a = _action(strategy, count, rng)
        i = child + a
        visited += 1
    return visited


# ------------------------------------------------------------------------------- external sampling


@inlined
def _add_regrets(row, count, clip, strategy, value, regret):
    """Updates an information set all of whose actions were tried; returns what it is worth."""
    x = 0.0
    for a in range(count):
        x += strategy[a] * value[a]
    for a in range(count):
        r = regret[row + a] + value[a] - x
        regret[row + a] = max(r, 0.0) if clip else r
    return x


@inlined
def _external_walk(
    node, cumulative, payoff, p, weight, clip, rng, regret, total, path, rank, strategy, value
):
    """All actions of p, one action or outcome of everybody else; updates p's regrets.

    With perfect recall each of p's information sets is met at most once. The others' strategies
    that are met count in the average with ``weight``. Returns the number of nodes visited.

    A stack holds p's nodes on the path (``path``), the action that is being tried at each
    (``rank``), what p plays there (``strategy``) and what the actions tried before were worth
    (``value``); the row of ``strategy`` above it is used for the others.
    """
    n = payoff.shape[1]
    i, height, visited = ZERO, ZERO, 0
    while True:
        visited += 1
        mover, child = node[i, MOVER], np.uint64(node[i, CHILD])
        count, row = np.uint64(node[i, COUNT]), np.uint64(node[i, ROW])
        if mover == p:
            path[height], rank[height] = i, ZERO
            _match(regret, row, count, strategy[height])
            height += ONE
            i = child
        elif mover < n:
            mixed = strategy[height]
            _match(regret, row, count, mixed)
            if weight > 0.0:
                _add_average(row, count, weight, mixed, total)
            i = child + _action(mixed, count, rng)
        elif mover == n:
            i = child + _outcome(cumulative, row, count, rng)
        else:
            x = payoff[row, p]
            while height > ZERO:  # back to the last node of p that has an action left
                top = height - ONE
                i, a = path[top], rank[top]
                count, row = np.uint64(node[i, COUNT]), np.uint64(node[i, ROW])
                value[top, a] = x
                if a + ONE < count:
                    rank[top] = a + ONE
                    i = np.uint64(node[i, CHILD]) + a + ONE
                    break
                x = _add_regrets(row, count, clip, strategy[top], value[top], regret)
                height = top
            if height == ZERO:
                return visited


@nb.njit(cache=True)
def external_sampling(form, rule, start, stop, rng, regret, total):
    """Iterations ``start + 1 .. stop``, or as many as `MANY` nodes allow; returns the last one."""
    node, cumulative, payoff = form.node, form.cumulative, form.payoff
    n, size = payoff.shape[1], form.deepest + 1
    path, rank = np.empty(size, np.uint64), np.empty(size, np.uint64)
    strategy, value = np.empty((size, form.widest)), np.empty((size, form.widest))
    t, visited = start, 0
    while t < stop and visited < MANY:
        t += 1
        weight = float(t) ** rule.gamma
        for p in range(n):
            visited += _external_walk(
                node, cumulative, payoff, p, weight if n == 2 else 0.0, rule.clip, rng, regret,
                total, path, rank, strategy, value,
            )  # fmt: skip
        for p in range(0 if n == 2 else n):
            visited += _averaging_walk(
                node, cumulative, n, p, weight, rng, regret, total, strategy[0]
            )
    return t


# -------------------------------------------------------------------------------- outcome sampling


@inlined
def _play(
    node, cumulative, n, p, weight, epsilon, rng, regret, total, path, rank, strategy, chosen, reach
):
    """One play from the root; returns its number of moves.

    In p's choices its strategy is mixed with the uniform one, of which ``epsilon`` is taken. The
    others' strategies that are met count in the average with ``weight``, divided by the probability
    of p's choices before.

    What `_learn` needs is kept: the nodes, the leaf included (``path``), the moves (``rank``), what
    each mover but chance plays (``strategy``, of which one row more is used), and the probability
    of each of p's choices (``chosen``) and of all those before it (``reach``).
    """
    i, length, q = ZERO, ZERO, 1.0
    while node[i, MOVER] <= n:
        mover, child = node[i, MOVER], np.uint64(node[i, CHILD])
        count, row = np.uint64(node[i, COUNT]), np.uint64(node[i, ROW])
        if mover == n:
            a = _outcome(cumulative, row, count, rng)
        else:
            own = strategy[length]
            _match(regret, row, count, own)
            if mover == p:
                mixed = strategy[length + ONE]
                for b in range(count):
                    mixed[b] = epsilon / count + (1.0 - epsilon) * own[b]
                a = _action(mixed, count, rng)
                chosen[length], reach[length] = mixed[a], q
                q *= mixed[a]
            else:
                if weight > 0.0:
                    _add_average(row, count, weight / q, own, total)
                a = _action(own, count, rng)
        path[length], rank[length] = i, a
        i = child + a
        length += ONE
    path[length] = i
    return length


@inlined
def _learn(
    node, cumulative, payoff, p, clip, decay, length, regret, value, mean, path, rank, strategy,
    chosen, reach,
):  # fmt: skip
    """Goes back a play from its leaf: updates p's regrets, and the baselines of its moves.

    At every node ``x`` is an estimate of p's payoff from there on: the mean of the baselines of all
    moves, corrected by how far the estimate after the move made was from its baseline, over the
    probability of that move. Its mean is the payoff, whatever the baselines are.
    """
    n = payoff.shape[1]
    x = payoff[node[path[length], ROW], p]
    for back in range(length):
        d = length - ONE - back
        i, a, own = path[d], rank[d], strategy[d]
        mover, child = node[i, MOVER], np.uint64(node[i, CHILD])
        count, row = np.uint64(node[i, COUNT]), np.uint64(node[i, ROW])
        excess = x - value[p, child + a]
        if mover == n:
            x = mean[p, row] + excess
            before = cumulative[row + a - ONE] if a > ZERO else 0.0
            mean[p, row] += (cumulative[row + a] - before) * decay * excess
        else:
            x = 0.0
            for b in range(count):
                x += own[b] * value[p, child + b]
            if mover == p:
                correction = excess / chosen[d]
                x += own[a] * correction
                for b in range(count):
                    estimate = value[p, child + b] + (correction if b == a else 0.0)
                    r = regret[row + b] + (estimate - x) / reach[d]
                    regret[row + b] = max(r, 0.0) if clip else r
            else:
                x += excess
        value[p, child + a] += decay * excess


@nb.njit(cache=True)
def outcome_sampling(form, rule, epsilon, decay, start, stop, rng, regret, total, baselines):
    """Iterations ``start + 1 .. stop``, or as many as `MANY` nodes allow; returns the last one."""
    node, cumulative, payoff = form.node, form.cumulative, form.payoff
    value, mean = baselines.value, baselines.mean
    n, size = payoff.shape[1], form.deepest + 1
    path, rank = np.empty(size, np.uint64), np.empty(size, np.uint64)
    chosen, reach = np.empty(size), np.empty(size)
    strategy = np.empty((size + 1, form.widest))
    t, visited = start, 0
    while t < stop and visited < MANY:
        t += 1
        weight = float(t) ** rule.gamma
        for p in range(n):
            length = _play(
                node, cumulative, n, p, weight if n == 2 else 0.0, epsilon, rng, regret, total,
                path, rank, strategy, chosen, reach,
            )  # fmt: skip
            _learn(
                node, cumulative, payoff, p, rule.clip, decay, length, regret, value, mean, path,
                rank, strategy, chosen, reach,
            )  # fmt: skip
            visited += np.int64(length) + 1  # an unsigned number would make it a float
        for p in range(0 if n == 2 else n):
            visited += _averaging_walk(
                node, cumulative, n, p, weight, rng, regret, total, strategy[0]
            )
    return t
