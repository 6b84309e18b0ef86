"""An estimate of NashConv from draws, with an interval that stays honest at equilibria.

Write ``s`` for the policy, ``s^`` for the frequencies of its draws, and ``g_i(d, s) = u_i(d, s_-i)
- u_i(s)`` for what player i gains by the deviation d. NashConv(s) is ``sum_i max_d g_i(d, s)``, a
maximum over the pure d. It is convex in the others' policies, so NashConv(s^) is too large on
average: noise looks like a gain, most of all at an equilibrium, where every true gain is at most 0
and many are 0. The two ends of the interval are therefore made differently.

**Low end: sample splitting.** Best responses ``d_i`` are chosen against the first half of the draws
and valued on the second. ``sum_i g_i(d_i, s)`` is at most NashConv(s). It is multilinear in the
probabilities at the information sets, and a play meets each set at most once: with draws at every
set, its value at the frequencies of the second half is unbiased. Its sampling error is simulated.

**High end: one confidence region for all deviations.** Let ``T(s, s^) = sum_i max_d [g_i(d, s) -
g_i(d, s^)]``, the most by which any deviations are underestimated. Then ``NashConv(s) <=
NashConv(s^) + T(s, s^)`` always, and a quantile of T, simulated, is added to NashConv(s^).

Why not a bootstrap of NashConv? At an equilibrium several deviations tie. There NashConv has a kink
(it is not differentiable, only directionally so), and the bootstrap fails (Z. Fang and A. Santos,
"Inference on directionally differentiable functions", Review of Economic Studies 86, 2019): draws
from s^ show the kink at s^, with its ties broken, not that at s. Besides, all resampled values are
positive and a percentile interval never holds 0. The quantities simulated here have no such kink.
In the low end the deviation is fixed when the second half is drawn. In the high end T is a maximum
over a fixed class of centred differences ``g(., s) - g(., s^)``, whoever ties at s: the maximum of
a process that is asymptotically Gaussian, which the simulation imitates (compare V. Chernozhukov,
S. Lee and A. Rosen, "Intersection bounds", Econometrica 81, 2013).

The simulation draws policies from independent Dirichlet(counts + 1/2) distributions, one at each
information set: the posteriors of Jeffreys' prior. They have spread where all draws agree, and
cover the whole simplex where there are none. Averaged over policies from that prior the high end
has its probability exactly; for a fixed policy both ends have it asymptotically, as the draws at
every information set grow. For the low end, which has half of the draws, two things are corrected:
the spread of each posterior is brought to that of the unbiased estimate of the frequencies'
variance, and the longer of the two tails of the simulated error counts, since frequencies near 0
and 1 have skewed errors. This is no finite-sample theorem: coverage was measured, for 30, 100 and
300 draws per set (tests/analysis/test_estimate_coverage.py). The price of the high end is its
width: it protects against all deviations at once, and grows with the number of information sets.

Where nothing was drawn, as off the path in logs of plays, the draws say nothing. A deviation may
lead there, and its value would be that of the uniform play filled in; so the low end is 0 unless
every set has draws in the second half. The high end then rests on the prior at those sets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from ..solvers.best_response import (
    best_response,
    deviation_gains,
    evaluate,
    largest_underestimates,
)
from ..solvers.profile import Profile
from ..solvers.tree import GameTree
from .draws import Draws

RESAMPLES = 1_000
"""Policies simulated for each end of the interval."""
PRIOR = 0.5
"""Added to every count: Jeffreys' prior."""
CHUNK = 1 << 21
"""Probabilities simulated at a time, which bounds the memory to about 50 MB."""


@dataclass(frozen=True)
class Estimate:
    """NashConv of the frequencies of draws, and an interval for that of the policy drawn from.

    Attributes:
        values: each player's value at the frequencies, in utilities.
        best_response_values: each player's best-response value there.
        gains: each player's gain there; too large on average.
        interval: (low, high) for the NashConv of the policy; ``0 <= low <= nash_conv <= high``.
        confidence: the probability with which it holds, approximately; half of the rest for each
            end.
    """

    values: tuple[float, ...]
    best_response_values: tuple[float, ...]
    gains: tuple[float, ...]
    interval: tuple[float, float]
    confidence: float

    @property
    def nash_conv(self) -> float:
        """NashConv of the frequencies: the sum of the gains, too large on average."""
        return sum(self.gains)


def estimate(
    draws: Draws,
    *,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
) -> Estimate:
    """Estimates NashConv from draws; see the module for the method and its limits.

    The time is that of ``2 * resamples`` evaluations: linear in the leaves of the tree.

    Args:
        draws: of the policy, in two halves.
        confidence: the probability with which the interval shall hold.
        rng: the randomness of the simulation; by default that of seed 0. The same state of the
            generator gives the same estimate, bit for bit.
        resamples: policies simulated for each end.

    Raises:
        ParameterError: a confidence outside (0, 1), or too few resamples for it.
    """
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence={confidence}: choose a probability inside (0, 1)")
    rank = math.ceil((1 + confidence) / 2 * (resamples + 1))  # of resamples + 1 values alike
    if rank > resamples:
        raise ParameterError(
            f"resamples={resamples} are too few for confidence={confidence}: take at least "
            f"{math.ceil((1 + confidence) / (1 - confidence))}"
        )
    rng = np.random.default_rng(0) if rng is None else rng
    frequencies = draws.frequencies
    found = evaluate(frequencies)
    raw = found.nash_conv
    known = draws.undrawn == 0
    low = _safe_gain(draws, rank, resamples, rng) if known else 0.0
    high = raw + _largest_error(draws, rank, resamples, rng)
    return Estimate(
        values=tuple(found.values.tolist()),
        best_response_values=tuple(found.best_response_values.tolist()),
        gains=tuple(found.gains.tolist()),
        interval=(min(max(low, 0.0), raw), max(high, raw)),
        confidence=confidence,
    )


def _safe_gain(draws: Draws, rank: int, resamples: int, rng: np.random.Generator) -> float:
    """What replies to the first half gain against the second, less the error that this may have."""
    chosen, second = draws.half(0), draws.half(1)
    replies = chosen.probabilities.copy()
    for p in range(draws.tree.num_players):
        reply = best_response(chosen, p)[1].probabilities
        own = slice(*draws.tree.sequence_blocks[p : p + 2].tolist())
        replies[own] = reply[own]
    deviations = Profile(draws.tree, replies)
    gain = float(deviation_gains(deviations, second.probabilities.copy()[None])[0])
    weights = _unbiased_spread(draws.tree, draws.counts[1])
    simulated = np.concatenate(
        [
            deviation_gains(deviations, policies)
            for policies in _policies(draws.tree, weights, resamples, rng)
        ]
    )
    errors = simulated - simulated.mean()
    return gain - max(_ranked(errors, rank), _ranked(-errors, rank))


def _largest_error(draws: Draws, rank: int, resamples: int, rng: np.random.Generator) -> float:
    """The quantile of T: by how much any deviations may be underestimated."""
    simulated = np.concatenate(
        [
            largest_underestimates(draws.frequencies, policies)
            for policies in _policies(draws.tree, _posterior(draws.totals), resamples, rng)
        ]
    )
    return _ranked(simulated, rank)


def _ranked(values: NDArray[np.float64], rank: int) -> float:
    """The value of this rank, from 1, in ascending order."""
    return float(np.partition(values, rank - 1)[rank - 1])


def _posterior(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Dirichlet weights (S,) of the posterior of Jeffreys' prior."""
    return counts.astype(np.float64) + PRIOR


def _unbiased_spread(tree: GameTree, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Dirichlet weights (S,) proportional to counts + 1/2, whose variance is p (1 - p) / (m - 1).

    That is the unbiased estimate of the variance of frequencies of m draws; that of the posterior
    is smaller by (m - 1) / (m + 2), with two actions. With 3 draws or fewer the spread is largest.
    """
    drawn = (
        np.add.reduceat(counts, tree.first.astype(np.int64)) if tree.num_infosets else counts[:0]
    )
    total = np.maximum(drawn - 2, 1) / (drawn + PRIOR * tree.num_actions)
    weights = _posterior(counts)
    weights[tree.num_players :] *= np.repeat(total, tree.num_actions)
    return weights


def _policies(
    tree: GameTree, weights: NDArray[np.float64], number: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Policies from independent Dirichlet(weights), in rows (R, S) of bounded memory."""
    n = tree.num_players
    first = tree.first.astype(np.int64) - n
    rows = max(1, CHUNK // tree.num_sequences)
    for start in range(0, number, rows):
        size = (min(rows, number - start), tree.num_sequences)
        policies = np.ones(size)
        if tree.num_infosets:
            drawn = rng.standard_gamma(weights[n:], (size[0], size[1] - n))
            sums = np.add.reduceat(drawn, first, axis=1)
            policies[:, n:] = drawn / np.repeat(sums, tree.num_actions, axis=1)
        yield policies
