"""Compiled passes over the sequence form of a game (see `sequence_form`).

All kernels live in one file because numba's on-disk cache notices a change of the file that
defines a function, not of the files of the functions that it calls.

Reading guide: ``plan[s]`` is the product of the behaviour probabilities along sequence s (the
owner's reach), ``gradient[s]`` the sum over the leaves below s, chance and the other players' reach
included, of what the owner gets. A bottom-up pass adds the value of each information set to its
parent sequence, so afterwards ``gradient[p]`` (p's empty sequence) is the value of the game to p.
"""

from __future__ import annotations

from typing import NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

ONE = np.uint64(1)
# Reassociation lets sums run in SIMD lanes; NaN and infinities keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}


class SequenceForm(NamedTuple):
    """The arrays of a `GameTree` that kernels read; see there for their meaning.

    Attributes:
        blocks: int64 (n+1,), the players' ranges of information sets.
        sequences: int64 (n+1,), the players' ranges of sequences, empty ones apart.
        first: uint32 (H,).
        num_actions: uint32 (H,).
        parent: uint32 (H,), parent sequence of each information set.
        row: uint64 (S+1,).
        others: uint32 (n-1, E).
        weight: float64 (E,).
    """

    blocks: NDArray[np.int64]
    sequences: NDArray[np.int64]
    first: NDArray[np.uint32]
    num_actions: NDArray[np.uint32]
    parent: NDArray[np.uint32]
    row: NDArray[np.uint64]
    others: NDArray[np.uint32]
    weight: NDArray[np.float64]


@nb.njit(cache=True, fastmath=SUMS)
def _fill_rows(row, others, weight, plan, start, stop, gradient):
    """Sets ``gradient[start:stop]``; the cases differ only in the number of other players."""
    m = others.shape[0]
    if m == 1:
        a = others[0]
        for s in range(start, stop):
            total = 0.0
            for k in range(row[s], row[s + ONE]):
                total += weight[k] * plan[a[k]]
            gradient[s] = total
    elif m == 2:
        a, b = others[0], others[1]
        for s in range(start, stop):
            total = 0.0
            for k in range(row[s], row[s + ONE]):
                total += weight[k] * plan[a[k]] * plan[b[k]]
            gradient[s] = total
    else:
        for s in range(start, stop):
            total = 0.0
            for k in range(row[s], row[s + ONE]):
                product = weight[k]
                for j in range(m):
                    product *= plan[others[j, k]]
                total += product
            gradient[s] = total


@nb.njit(cache=True)
def fill_gradient(form, p, plan, gradient):
    """Sets ``gradient`` at the sequences of player p: what leaves directly below them give."""
    row, others, weight = form.row, form.others, form.weight
    empty = np.uint64(p)
    _fill_rows(row, others, weight, plan, empty, empty + ONE, gradient)
    start, stop = np.uint64(form.sequences[p]), np.uint64(form.sequences[p + 1])
    _fill_rows(row, others, weight, plan, start, stop, gradient)


@nb.njit(cache=True)
def fill_plan(form, p, behaviour, plan):
    """Sets ``plan`` at the sequences of player p from behaviour probabilities, top-down."""
    first, num_actions, parent = form.first, form.num_actions, form.parent
    plan[p] = 1.0
    for h in range(np.uint64(form.blocks[p]), np.uint64(form.blocks[p + 1])):
        reach = plan[parent[h]]
        start = first[h]
        for s in range(start, start + num_actions[h]):
            plan[s] = reach * behaviour[s]


@nb.njit(cache=True, fastmath=SUMS)
def _expected(form, p, plan, gradient):
    """The value to p of all players' plans, from the gradient before any bottom-up pass."""
    total = gradient[p]
    for s in range(np.uint64(form.sequences[p]), np.uint64(form.sequences[p + 1])):
        total += plan[s] * gradient[s]
    return total


@nb.njit(cache=True)
def _best_up(form, p, gradient):
    """Bottom-up pass with a maximum at each information set of p; the best-response value."""
    first, num_actions, parent = form.first, form.num_actions, form.parent
    end, count = np.uint64(form.blocks[p + 1]), np.uint64(form.blocks[p + 1] - form.blocks[p])
    for i in range(count):
        h = end - ONE - i
        start = first[h]
        best = gradient[start]
        for s in range(start + ONE, start + num_actions[h]):
            if gradient[s] > best:
                best = gradient[s]
        gradient[parent[h]] += best
    return gradient[p]


@nb.njit(cache=True)
def evaluate(form, behaviour, values, best):
    """Sets each player's on-policy value and best-response value."""
    n = len(form.blocks) - 1
    plan, gradient = np.empty(len(behaviour)), np.empty(len(behaviour))
    for p in range(n):
        fill_plan(form, p, behaviour, plan)
    for p in range(n):
        fill_gradient(form, p, plan, gradient)
        values[p] = _expected(form, p, plan, gradient)
        best[p] = _best_up(form, p, gradient)


@nb.njit(cache=True)
def respond(form, p, behaviour):
    """Replaces p's behaviour by a pure best response (first action among ties); its value."""
    first, num_actions = form.first, form.num_actions
    plan, gradient = np.empty(len(behaviour)), np.empty(len(behaviour))
    for q in range(len(form.blocks) - 1):
        fill_plan(form, q, behaviour, plan)
    fill_gradient(form, p, plan, gradient)
    value = _best_up(form, p, gradient)
    for h in range(np.uint64(form.blocks[p]), np.uint64(form.blocks[p + 1])):
        start = first[h]
        choice = start
        for s in range(start, start + num_actions[h]):
            behaviour[s] = 0.0
            if gradient[s] > gradient[choice]:
                choice = s
        behaviour[choice] = 1.0
    return value


@nb.njit(cache=True)
def information_set_gains(form, behaviour, gains, shares):
    """Sets what each information set could gain, and its share of its player's gain."""
    n = len(form.blocks) - 1
    first, num_actions, parent = form.first, form.num_actions, form.parent
    plan, best = np.empty(len(behaviour)), np.empty(len(behaviour))
    for p in range(n):
        fill_plan(form, p, behaviour, plan)
    for p in range(n):
        fill_gradient(form, p, plan, best)
        on_policy = best.copy()
        end, count = np.uint64(form.blocks[p + 1]), np.uint64(form.blocks[p + 1] - form.blocks[p])
        for i in range(count):
            h = end - ONE - i
            start = first[h]
            value, highest, mean = 0.0, best[start], 0.0
            for s in range(start, start + num_actions[h]):
                value += behaviour[s] * on_policy[s]
                mean += behaviour[s] * best[s]
                highest = max(highest, best[s])
            gains[h] = max(highest - value, 0.0)
            shares[h] = plan[parent[h]] * max(highest - mean, 0.0)
            on_policy[parent[h]] += value
            best[parent[h]] += highest


@nb.njit(cache=True)
def _fill_all(form, behaviour, plan, gradient):
    """Sets everybody's plan and gradient, the gradient before any bottom-up pass."""
    for p in range(len(form.blocks) - 1):
        fill_plan(form, p, behaviour, plan)
    for p in range(len(form.blocks) - 1):
        fill_gradient(form, p, plan, gradient)


@nb.njit(cache=True)
def deviation_gains(form, deviations, behaviours, gains):
    """Sets what the deviations, each player alone, gain together against each row of behaviours."""
    plan, gradient = np.empty(len(deviations)), np.empty(len(deviations))
    deviation = np.empty(len(deviations))
    for p in range(len(form.blocks) - 1):
        fill_plan(form, p, deviations, deviation)
    for r in range(len(behaviours)):
        _fill_all(form, behaviours[r], plan, gradient)
        gains[r] = 0.0
        for p in range(len(form.blocks) - 1):
            gains[r] += _expected(form, p, deviation, gradient)
            gains[r] -= _expected(form, p, plan, gradient)


@nb.njit(cache=True)
def nash_convs(form, behaviours, gains):
    """Sets what best responses, each player alone, gain together against each row of behaviours."""
    n = len(form.blocks) - 1
    values, best = np.empty(n), np.empty(n)
    for r in range(len(behaviours)):
        evaluate(form, behaviours[r], values, best)
        gains[r] = (best - values).sum()


@nb.njit(cache=True)
def play(children, start, edge, sequence, plays, rng, counts):
    """Plays the game: adds to ``counts`` (2, S) the sequences of the edges taken by players.

    ``children[start[i] .. start[i+1]-1]`` are the nodes below node i; ``edge`` is the probability
    of the edge into a node; ``sequence`` its mover's sequence, -1 after chance. Play k counts in
    half k mod 2.
    """
    for k in range(plays):
        node = 0
        while start[node] < start[node + 1]:
            left = rng.random()
            for i in range(start[node], start[node + 1]):
                child = children[i]
                if edge[child] > 0.0:
                    node = child
                    left -= edge[child]
                    if left < 0.0:
                        break
            if sequence[node] >= 0:
                counts[k % 2, sequence[node]] += 1


@nb.njit(cache=True)
def counterfactual_values(form, behaviour, gradient):
    """Sets what each sequence is worth to its owner, by its last action and everybody's plans."""
    first, num_actions, parent = form.first, form.num_actions, form.parent
    _fill_all(form, behaviour, np.empty(len(behaviour)), gradient)
    count = np.uint64(len(first))
    for i in range(count):
        h = count - ONE - i
        value = 0.0
        for s in range(first[h], first[h] + num_actions[h]):
            value += behaviour[s] * gradient[s]
        gradient[parent[h]] += value
