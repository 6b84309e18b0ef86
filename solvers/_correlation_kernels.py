"""Compiled passes over deviations from the recommendations of a correlation device.

Reading guide: a sequence ``t = (h, a)`` of an information set h is a *trigger*: the player was
recommended a at h and plays on its own from there. Its *block* holds, for each sequence at or below
h, what leaves directly below that sequence would give in the plans that recommend t; blocks of one
h are as long as ``below[h] .. below[h+1]-1``, the sequences at or below it, and stand one after the
other from ``base[h]``.
"""

from __future__ import annotations

import numba as nb
import numpy as np

ONE = np.uint64(1)


@nb.njit(cache=True)
def add_plan(form, p, weight, plan, gradient, below, sequences, base, blocks, followed):
    """Adds one joint plan, of the given weight, to the blocks and to ``followed`` of player p."""
    first, num_actions = form.first, form.num_actions
    followed[p] += weight * plan[p] * gradient[p]
    for h in range(np.uint64(form.blocks[p]), np.uint64(form.blocks[p + 1])):
        start, size = below[h], below[h + ONE] - below[h]
        for a in range(np.uint64(num_actions[h])):
            t = first[h] + a
            reach = weight * plan[t]
            if reach == 0.0:
                continue
            followed[t] += reach * gradient[t]
            offset = base[h] + a * size
            for j in range(size):
                blocks[offset + j] += reach * gradient[sequences[start + j]]


@nb.njit(cache=True)
def _best_below(form, h, sets, start, stop, value):
    """The best that the owner can do from h on, alone; ``value`` holds a block and is used up."""
    first, num_actions, parent = form.first, form.num_actions, form.parent
    best = 0.0
    for i in range(stop - start):
        k = sets[stop - ONE - i]
        best = value[first[k]]
        for s in range(first[k] + ONE, first[k] + num_actions[k]):
            best = max(best, value[s])
        if k != h:
            value[parent[k]] += best
    return best


@nb.njit(cache=True)
def trigger_gains(form, below, sequences, base, blocks, below_sets, sets, followed, efce, efcce):
    """Sets what deviating gains, by trigger in ``efce`` and by information set in ``efcce``.

    ``followed``, at first of the leaves directly below each sequence, becomes that of all leaves
    below it: at the empty sequences the expected payoffs.
    """
    first, num_actions, parent = form.first, form.num_actions, form.parent
    count = np.uint64(len(first))
    value, total = np.zeros(len(efce)), np.zeros(len(efce))
    for i in range(count):
        h = count - ONE - i
        size = below[h + ONE] - below[h]
        for j in range(size):
            total[sequences[below[h] + j]] = 0.0
        obeyed = 0.0
        for a in range(np.uint64(num_actions[h])):
            t = first[h] + a
            offset = base[h] + a * size
            for j in range(size):
                s = sequences[below[h] + j]
                value[s] = blocks[offset + j]
                total[s] += value[s]
            best = _best_below(form, h, sets, below_sets[h], below_sets[h + ONE], value)
            efce[t] = best - followed[t]
            obeyed += followed[t]
        efcce[h] = _best_below(form, h, sets, below_sets[h], below_sets[h + ONE], total) - obeyed
        followed[parent[h]] += obeyed


@nb.njit(cache=True)
def best_deviations(form, efce, efcce, gains):
    """Sets the players' gains (3, n) by their best deviations: NFCCE, EFCCE, EFCE.

    Triggers on one path exclude each other, others add up.
    """
    first, num_actions, parent = form.first, form.num_actions, form.parent
    n = len(form.blocks) - 1
    count = np.uint64(len(first))
    # What the sets below a sequence gain together, as long as the player still obeys there.
    coarse, fine = np.zeros(len(efce)), np.zeros(len(efce))
    for i in range(count):
        h = count - ONE - i
        below, total = 0.0, 0.0
        for s in range(first[h], first[h] + num_actions[h]):
            below += coarse[s]
            total += max(efce[s], fine[s])
        coarse[parent[h]] += max(efcce[h], below)
        fine[parent[h]] += total
        if parent[h] < n:
            gains[0, parent[h]] += efcce[h]
    for p in range(n):
        gains[0, p] = max(gains[0, p], 0.0)
        gains[1, p] = max(coarse[p], 0.0)
        gains[2, p] = max(fine[p], 0.0)


@nb.njit(cache=True)
def best_plan(form, p, gradient, plan):
    """Sets p's entries of ``plan`` to a pure reduced plan that is best; ``gradient`` is used up.

    Returns the plan's value: the gradient's scalar product with it.
    """
    first, num_actions, parent = form.first, form.num_actions, form.parent
    end, count = np.uint64(form.blocks[p + 1]), np.uint64(form.blocks[p + 1] - form.blocks[p])
    for i in range(count):
        h = end - ONE - i
        best = gradient[first[h]]
        for s in range(first[h] + ONE, first[h] + num_actions[h]):
            best = max(best, gradient[s])
        gradient[parent[h]] += best
    plan[p] = 1.0
    for h in range(np.uint64(form.blocks[p]), np.uint64(form.blocks[p + 1])):
        choice = first[h]
        for s in range(first[h], first[h] + num_actions[h]):
            plan[s] = 0.0
            if gradient[s] > gradient[choice]:
                choice = s
        plan[choice] = plan[parent[h]]
    return gradient[p]
