"""Compiled passes over the vector form of a game (see `vector_form`): regret minimisation.

All loops that matter run over neighbours in memory and have no branch in them, so that the compiler
turns them into SIMD instructions. Work on long rows is cut into strips that stay in the fastest
cache. As in `_kernels`, ``plan`` is a reach of the owner, ``gradient`` what the leaves give.

Passes take plain arrays: to take a tuple of arrays apart costs more than a pass over a small game.
All kernels of the vector form live in this file because numba's on-disk cache notices a change of
the file that defines a function, not of the files of the functions that it calls.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba as nb
import numpy as np
from numpy.typing import NDArray

STRIP = 256
"""Lanes, or blocks, that are worked on at a time; a multiple of `PAD`."""
PAD = 16
"""Lanes come in multiples of this: vector loops then have no remainder to do one by one."""
MAX_SIDE = 32
"""The most rows and columns of a block: together with a strip of blocks they stay in the cache."""

SUM, CLIP, PREDICT = 0, 1, 2
"""What becomes of regrets: they add up, or are clipped at 0, or are clipped and predicted."""

# Indices of the columns of `Bundles.table` and `Blocks.table`.
START, ACTIONS, WIDTH, SETS, LANE = range(5)
ROWS, COLUMNS, COUNT, STRIDE, ROW_AT, COLUMN_AT, WEIGHT_AT = range(7)

ZERO, ONE, FOUR = np.uint64(0), np.uint64(1), np.uint64(4)
_STRIP, _PAD = np.uint64(STRIP), np.uint64(PAD)


class Bundles(NamedTuple):
    """Information sets side by side. ``B`` bundles; all integers unsigned.

    Attributes:
        players: (n+1,), the players' ranges of bundles, top-down.
        sequences: (n+1,), the players' ranges of sequences, empty ones apart.
        table: (B, 5), of each bundle: its first sequence; the actions of each set; its width, which
            is the number of sets rounded up to a multiple of `PAD`; the number of sets; its first
            place in ``parent``. Action a of set i is sequence ``start + a * width + i``. Sequences
            beyond the sets are padding: they have entries nowhere.
        parent: (H,), the sequence that leads to each set.
    """

    players: NDArray[np.uint64]
    sequences: NDArray[np.uint64]
    table: NDArray[np.uint64]
    parent: NDArray[np.uint32]


class Blocks(NamedTuple):
    """Groups of small dense matrices of one shape, each from some columns to some rows.

    Number c of the blocks of a group takes column ``column[:, column_at + j * count + c]`` to row
    ``row[row_at + i * count + c]`` with the weight at ``weight_at + (j * rows + i) * stride + c``,
    or, if the group shares one matrix (stride 0), at ``weight_at + j * rows + i``.

    Attributes:
        players: (n+1,), the players' ranges of groups.
        table: (G, 7), of each group: rows and columns of its blocks; how many blocks it has; the
            stride, 0 or ``count`` rounded up to a multiple of `PAD`; where it begins in the arrays
            below.
        row: sequences of the player.
        column: (n-1, ...), sequences of the others.
        weight: float64.
    """

    players: NDArray[np.uint64]
    table: NDArray[np.uint64]
    row: NDArray[np.uint32]
    column: NDArray[np.uint32]
    weight: NDArray[np.float64]


class Loose(NamedTuple):
    """Entries that fit no block, row by row, as in `_kernels.SequenceForm`.

    Attributes:
        players: (n+1,), the players' ranges of rows.
        row: (R,), the player's sequence.
        start: (R+1,), the row's range of entries.
        others: (n-1, E), the other players' sequences.
        weight: float64 (E,).
    """

    players: NDArray[np.uint64]
    row: NDArray[np.uint32]
    start: NDArray[np.uint64]
    others: NDArray[np.uint32]
    weight: NDArray[np.float64]


class VectorForm(NamedTuple):
    """Everything that the kernels read."""

    bundles: Bundles
    blocks: Blocks
    loose: Loose


class Rule(NamedTuple):
    """What one iteration does; see `regret.UpdateRule`.

    Attributes:
        kind: `SUM`, `CLIP` or `PREDICT`.
        alternating: whether players are updated in turn, each against the newest strategies.
        alpha: regrets above 0 are discounted by ``t**alpha / (t**alpha + 1)``; infinity for 1.
        beta: regrets below 0 likewise.
        gamma: iteration t has the weight ``t**gamma`` in the average.
        tolerance: regrets up to this count as 0.
    """

    kind: int
    alternating: bool
    alpha: float
    beta: float
    gamma: float
    tolerance: float


def kernel(function: Any) -> Any:
    """A compiled pass. Sums may be reassociated, which SIMD needs; division by 0 gives infinity."""
    options = {"reassoc", "contract", "nsz"}  # NaN and infinities keep their meaning
    return nb.njit(cache=True, fastmath=options, error_model="numpy")(function)


@kernel
def own_depths(owner_set, parent, depth):
    """depth[h] = how many information sets of the same player lie above set h."""
    for h in range(len(parent)):
        above = owner_set[parent[h]]
        depth[h] = 0 if above < 0 else depth[above] + 1


# -------------------------------------------------------------------------------------- gradients


@kernel
def _gather(column, at, count, plan, reach, into):
    """reach[into + c] = the product of the other players' reaches at ``column[:, at + c]``."""
    others = column.shape[0]
    if others == 0:
        for c in range(count):
            reach[into + c] = 1.0
    elif others == 1:
        for c in range(count):
            reach[into + c] = plan[column[0, at + c]]
    elif others == 2:
        for c in range(count):
            reach[into + c] = plan[column[0, at + c]] * plan[column[1, at + c]]
    else:
        for c in range(count):
            product = plan[column[0, at + c]]
            for q in range(1, others):
                product *= plan[column[q, at + c]]
            reach[into + c] = product


@kernel
def _add_shared(weight, at, rows, many, width, reach, sums):
    """Adds 1 to 4 columns of one matrix, each times its reaches."""
    last, zero = many - ONE, weight.dtype.type(0)
    x0, x1 = ZERO, min(ONE, last) * _STRIP
    x2, x3 = min(np.uint64(2), last) * _STRIP, last * _STRIP
    for i in range(rows):
        k, into = at + i, i * _STRIP
        w0 = weight[k]
        w1 = weight[k + rows] if many > 1 else zero
        w2 = weight[k + np.uint64(2) * rows] if many > 2 else zero
        w3 = weight[k + np.uint64(3) * rows] if many > 3 else zero
        for c in range(width):
            sums[into + c] += (
                w0 * reach[x0 + c] + w1 * reach[x1 + c] + w2 * reach[x2 + c] + w3 * reach[x3 + c]
            )


@kernel
def _add_own(weight, at, stride, rows, width, reach, sums):
    """Adds one column of each block's own matrix times its reach."""
    for i in range(rows):
        k, into = at + i * stride, i * _STRIP
        for c in range(width):
            sums[into + c] += weight[k + c] * reach[c]


@kernel
def _fill_blocks(low, high, table, row, column, weight, plan, gradient, reach, sums):
    """Sets ``gradient`` at the rows of the blocks of some groups, a strip of blocks at a time."""
    for g in range(low, high):
        rows, columns, count = table[g, ROWS], table[g, COLUMNS], table[g, COUNT]
        stride = table[g, STRIDE]
        together = ONE if stride > 0 else FOUR
        for done in range(ZERO, count, _STRIP):
            number = min(_STRIP, count - done)
            width = (number + _PAD - ONE) // _PAD * _PAD
            for i in range(rows):
                for c in range(i * _STRIP, i * _STRIP + width):
                    sums[c] = 0.0
            for first in range(ZERO, columns, together):
                many = min(together, columns - first)
                for j in range(many):
                    at = table[g, COLUMN_AT] + (first + j) * count + done
                    _gather(column, at, number, plan, reach, j * _STRIP)
                at = table[g, WEIGHT_AT] + first * rows * max(stride, ONE)
                if stride > 0:
                    _add_own(weight, at + done, stride, rows, width, reach, sums)
                else:
                    _add_shared(weight, at, rows, many, width, reach, sums)
            for i in range(rows):
                at, k = table[g, ROW_AT] + i * count + done, i * _STRIP
                for c in range(number):
                    gradient[row[at + c]] = sums[k + c]


@kernel
def _fill_loose(low, high, row, start, others, weight, plan, gradient):
    """Sets ``gradient`` at the rows of entries that fit no block."""
    m, zero = others.shape[0], weight.dtype.type(0)
    for r in range(low, high):
        total = zero
        if m == 1:
            for k in range(start[r], start[r + ONE]):
                total += weight[k] * plan[others[0, k]]
        elif m == 2:
            for k in range(start[r], start[r + ONE]):
                total += weight[k] * plan[others[0, k]] * plan[others[1, k]]
        else:
            for k in range(start[r], start[r + ONE]):
                product = weight[k]
                for q in range(m):
                    product *= plan[others[q, k]]
                total += product
        gradient[row[r]] = total


# ---------------------------------------------------------------------------------- top-down pass


@kernel
def _fill_plan(low, high, table, parent, behaviour, plan, weight, total, reach):
    """Adds ``weight`` times a player's plan to ``total``, then sets the plan anew: both at once."""
    for g in range(low, high):
        width, start, lane = table[g, WIDTH], table[g, START], table[g, LANE]
        for done in range(ZERO, width, _STRIP):
            count = min(_STRIP, width - done)
            for i in range(min(count, table[g, SETS] - done)):
                reach[i] = plan[parent[lane + done + i]]
            for a in range(table[g, ACTIONS]):
                k = start + a * width + done
                for i in range(count):
                    total[k + i] += weight * plan[k + i]
                    plan[k + i] = reach[i] * behaviour[k + i]


# --------------------------------------------------------------------------------- bottom-up pass


@kernel
def _values(at, width, count, actions, behaviour, gradient, value):
    """value[i] = what set i is worth under ``behaviour``."""
    for i in range(count):
        value[i] = behaviour[at + i] * gradient[at + i]
    for a in range(ONE, actions):
        k = at + a * width
        for i in range(count):
            value[i] += behaviour[k + i] * gradient[k + i]


@kernel
def _lift(at, count, parent, value, gradient):
    """Adds the value of each set to the sequence that leads to it."""
    for i in range(count):
        gradient[parent[at + i]] += value[i]


@kernel
def _match(at, width, count, actions, source, behaviour, total, even):
    """Regret matching: ``behaviour`` in proportion to ``source`` >= 0, which sums to ``total``."""
    number = total.dtype.type
    zero, one = number(0), number(1)
    tiny = number(4 * np.finfo(total.dtype).tiny)  # smaller sums would have no inverse
    share = one / number(actions)
    for i in range(count):
        even[i] = share if total[i] < tiny else zero
    for i in range(count):
        total[i] = one / (total[i] if total[i] >= tiny else one)
    for a in range(actions):
        k = at + a * width
        for i in range(count):
            behaviour[k + i] = source[k + i] * total[i] + even[i]


@kernel
def _clip(low, high, table, parent, gradient, tolerance, regret, behaviour, value, total, even):
    """CFR+: adds a player's counterfactual regrets, clips them, sets the next behaviour."""
    zero = regret.dtype.type(0)
    for back in range(high - low):
        g = high - ONE - back
        width, actions = table[g, WIDTH], table[g, ACTIONS]
        for done in range(ZERO, width, _STRIP):
            count, at = min(_STRIP, width - done), table[g, START] + done
            _values(at, width, count, actions, behaviour, gradient, value)
            sets = min(count, table[g, SETS] - done)
            _lift(table[g, LANE] + done, sets, parent, value, gradient)
            if actions == 1:
                continue
            for i in range(count):
                total[i] = 0.0
            for a in range(actions):
                k = at + a * width
                for i in range(count):
                    r = regret[k + i] + gradient[k + i] - value[i]
                    r = r if r > tolerance else zero
                    regret[k + i] = r
                    total[i] += r
            _match(at, width, count, actions, regret, behaviour, total, even)


@kernel
def _sum(
    low, high, table, parent, gradient, tolerance, up, down, regret, behaviour, value, total, even
):
    """CFR: adds a player's counterfactual regrets, then discounts them by their sign.

    Discounting all regrets above 0 alike leaves the next behaviour as it is.
    """
    zero = regret.dtype.type(0)
    for back in range(high - low):
        g = high - ONE - back
        width, actions = table[g, WIDTH], table[g, ACTIONS]
        for done in range(ZERO, width, _STRIP):
            count, at = min(_STRIP, width - done), table[g, START] + done
            _values(at, width, count, actions, behaviour, gradient, value)
            sets = min(count, table[g, SETS] - done)
            _lift(table[g, LANE] + done, sets, parent, value, gradient)
            for i in range(count):
                total[i] = 0.0
            for a in range(actions):
                k = at + a * width
                for i in range(count):
                    r = regret[k + i] + gradient[k + i] - value[i]
                    regret[k + i] = r * (up if r > zero else down)
                    r = r if r > tolerance else zero
                    behaviour[k + i] = r
                    total[i] += r
            _match(at, width, count, actions, behaviour, behaviour, total, even)


@kernel
def _predict(
    low, high, table, parent, gradient, foreseen, tolerance, regret, behaviour, value, total, even
):
    """Predictive CFR+: as CFR+, then a step as if the same leaves would pay once more.

    ``foreseen`` starts as a copy of ``gradient`` before the pass. It is the prediction of the next
    gradient, valued with the next behaviour below; ``gradient`` is valued with the one played.
    """
    zero = regret.dtype.type(0)
    for back in range(high - low):
        g = high - ONE - back
        width, actions = table[g, WIDTH], table[g, ACTIONS]
        for done in range(ZERO, width, _STRIP):
            count, at = min(_STRIP, width - done), table[g, START] + done
            sets = min(count, table[g, SETS] - done)
            _values(at, width, count, actions, behaviour, gradient, value)
            _lift(table[g, LANE] + done, sets, parent, value, gradient)
            for a in range(actions):
                k = at + a * width
                for i in range(count):
                    r = regret[k + i] + gradient[k + i] - value[i]
                    regret[k + i] = r if r > tolerance else zero
            _values(at, width, count, actions, behaviour, foreseen, value)
            for i in range(count):
                total[i] = 0.0
            for a in range(actions):
                k = at + a * width
                for i in range(count):
                    r = regret[k + i] + foreseen[k + i] - value[i]
                    r = r if r > tolerance else zero
                    behaviour[k + i] = r
                    total[i] += r
            _match(at, width, count, actions, behaviour, behaviour, total, even)
            _values(at, width, count, actions, behaviour, foreseen, value)
            _lift(table[g, LANE] + done, sets, parent, value, foreseen)


# ------------------------------------------------------------------------------------- iterations


@kernel
def minimise(form, rule, start, iterations, regret, behaviour, plan, total):
    """Iterations ``start + 1 .. start + iterations`` of counterfactual regret minimisation.

    The arrays, and the weights in ``form``, are all float64 or all float32: no pass mixes them.
    """
    players, sequences, table, parent = form.bundles
    group_of, groups, row, column, weight = form.blocks
    loose_of, loose_row, loose_start, loose_others, loose_weight = form.loose
    size, n = len(behaviour), len(players) - 1
    real = regret.dtype
    gradient, foreseen = np.zeros(size, real), np.zeros(size if rule.kind == PREDICT else 0, real)
    reach, sums = np.zeros(4 * STRIP, real), np.zeros(STRIP * MAX_SIDE, real)
    value, work, even = np.empty(STRIP, real), np.empty(STRIP, real), np.empty(STRIP, real)
    number = real.type
    tolerance = number(rule.tolerance)
    # Simultaneous updates fill all gradients first, alternating ones each before its update.
    ahead = 1 if rule.alternating else n
    for t in range(start + 1, start + iterations + 1):
        time = float(t)
        up = number(1.0 if rule.alpha == np.inf else 1.0 / (1.0 + time**-rule.alpha))
        down = number(1.0 if rule.beta == np.inf else 1.0 / (1.0 + time**-rule.beta))
        average = number(time**rule.gamma)
        for p in range(n):
            for q in range(p, p + ahead if p % ahead == 0 else p):
                gradient[q] = 0.0
                gradient[sequences[q] : sequences[q + 1]] = 0.0
                _fill_blocks(
                    group_of[q], group_of[q + 1], groups, row, column, weight, plan, gradient,
                    reach, sums,
                )  # fmt: skip
                _fill_loose(
                    loose_of[q], loose_of[q + 1], loose_row, loose_start, loose_others,
                    loose_weight, plan, gradient,
                )  # fmt: skip
            low, high = players[p], players[p + 1]
            if rule.kind == CLIP:
                _clip(
                    low, high, table, parent, gradient, tolerance, regret, behaviour,
                    value, work, even,
                )  # fmt: skip
            elif rule.kind == SUM:
                _sum(
                    low, high, table, parent, gradient, tolerance, up, down, regret,
                    behaviour, value, work, even,
                )  # fmt: skip
            else:
                foreseen[p] = gradient[p]
                foreseen[sequences[p] : sequences[p + 1]] = gradient[
                    sequences[p] : sequences[p + 1]
                ]
                _predict(
                    low, high, table, parent, gradient, foreseen, tolerance, regret,
                    behaviour, value, work, even,
                )  # fmt: skip
            _fill_plan(low, high, table, parent, behaviour, plan, average, total, reach)
