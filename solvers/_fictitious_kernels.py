"""Compiled iterations of fictitious play on the sequence form (see `fictitious`).

All that they call lives in this file because numba's on-disk cache notices a change of the file
that defines a function, not of the files of the functions that it calls. As in `_kernels`, ``plan``
is a realisation plan, ``gradient`` what the leaves below each sequence give to its owner, chance
and the other players' reach included.
"""

from __future__ import annotations

import numba as nb
import numpy as np

ONE = np.uint64(1)
# Reassociation lets sums run in SIMD lanes; NaN and infinities keep their meaning.
SUMS = {"reassoc", "contract", "nsz"}


@nb.njit(cache=True, fastmath=SUMS)
def _fill_rows(row, others, weight, plan, start, stop, gradient):
    """Sets ``gradient[start:stop]``."""
    for s in range(start, stop):
        total = 0.0
        if len(others) == 1:
            other = others[0]
            for k in range(row[s], row[s + ONE]):
                total += weight[k] * plan[other[k]]
        else:
            for k in range(row[s], row[s + ONE]):
                product = weight[k]
                for j in range(len(others)):
                    product *= plan[others[j, k]]
                total += product
        gradient[s] = total


@nb.njit(cache=True)
def _respond(form, p, tolerance, split, gradient, behaviour):
    """Bottom-up: p's best responses; of actions that are equally good the first, or all alike."""
    first, num_actions, parent = form.first, form.num_actions, form.parent
    end, count = np.uint64(form.blocks[p + 1]), np.uint64(form.blocks[p + 1] - form.blocks[p])
    for i in range(count):
        h = end - ONE - i
        start = first[h]
        stop = start + num_actions[h]
        best = gradient[start]
        for s in range(start + ONE, stop):
            best = max(best, gradient[s])
        ties = 0
        for s in range(start, stop):
            chosen = gradient[s] >= best - tolerance and (split or ties == 0)
            behaviour[s] = 1.0 if chosen else 0.0
            ties += chosen
        for s in range(start, stop):
            behaviour[s] /= ties
        gradient[parent[h]] += best


@nb.njit(cache=True)
def _add_plan(form, p, weight, behaviour, plan, total):
    """Adds ``weight`` times p's realisation plan to ``total``, top-down."""
    first, num_actions, parent = form.first, form.num_actions, form.parent
    plan[p] = 1.0
    total[p] += weight
    for h in range(np.uint64(form.blocks[p]), np.uint64(form.blocks[p + 1])):
        reach = plan[parent[h]]
        start = first[h]
        for s in range(start, start + num_actions[h]):
            plan[s] = reach * behaviour[s]
            total[s] += weight * plan[s]


@nb.njit(cache=True)
def fictitious_play(form, start, iterations, tolerance, split, gamma, behaviour, total):
    """Iterations ``start + 1 .. start + iterations``, all players at once.

    ``total`` is the weighted sum of the plans so far; at the empty sequences that is the sum of the
    weights. ``behaviour`` becomes the last responses.
    """
    row, others, weight = form.row, form.others, form.weight
    n = len(form.blocks) - 1
    average, gradient = np.empty(len(total)), np.empty(len(total))
    plan = np.empty(len(total))
    for t in range(start + 1, start + iterations + 1):
        scale = 1.0 / total[0]  # the same for all players
        for s in range(np.uint64(len(total))):
            average[s] = scale * total[s]
        for p in range(n):
            empty = np.uint64(p)
            _fill_rows(row, others, weight, average, empty, empty + ONE, gradient)
            low, high = np.uint64(form.sequences[p]), np.uint64(form.sequences[p + 1])
            _fill_rows(row, others, weight, average, low, high, gradient)
            _respond(form, p, tolerance, split, gradient, behaviour)
        for p in range(n):
            _add_plan(form, p, float(t) ** gamma, behaviour, plan, total)
