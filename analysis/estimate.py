"""An estimate of NashConv from draws, with an interval that stays honest at equilibria.

Write ``s`` for the policy, ``s^`` for the frequencies of its draws, and ``g(d, s) = sum_i u_i(d_i,
s_-i) - u_i(s)`` for what the players gain by the deviations d, each by its own alone. NashConv(s)
is the maximum of g(d, s) over the pure d. It is convex in the others' policies, so NashConv(s^) is
too large on average: noise looks like a gain, most of all at an equilibrium, where every true gain
is at most 0 and many are 0. The two ends of the interval are therefore made differently. With the
confidence 1 - a, each end may miss with probability a/2: together a at most (Bonferroni).

**Low end: sample splitting** (D. Cox, "A note on data-splitting for the evaluation of significance
levels", Biometrika 62, 1975). Best responses d are chosen against the first half of the draws and
valued on the second. By definition of the maximum ``g(d, s) <= NashConv(s)`` for every d, so a
lower bound of g(d, s) bounds NashConv(s). Given the first half, d is fixed: g(d, .) is one smooth
function. It is multilinear in the probabilities at the information sets, and a play meets each set
at most once: with draws at every set, its value at the frequencies of the second half is unbiased.
What its sampling error may be is simulated; the share a/2 is spent on it.

**High end: the best responses to s.** They are unknown, but draws do not change them: NashConv(s)
is g(d*, s) for one fixed d*. Let S be a simulated policy. ``g(d*, S) <= NashConv(S)`` whatever d*
is, hence the same holds for their quantiles. If the quantile 1 - a/2 of g(d*, S) is at least
g(d*, s) with probability 1 - a/2, so is that of NashConv(S). It bounds the gains of all deviations
at once, without a price for their number: that the simulated policies are a confidence region is
only needed for g(d*, .), in one direction.

Why no bootstrap interval of NashConv? At an equilibrium several deviations tie. There NashConv has
a kink (it is not differentiable, only directionally so), and the bootstrap fails (Z. Fang and
A. Santos, "Inference on directionally differentiable functions", Review of Economic Studies 86,
2019). Its lower quantile is positive, since all resampled values are, and the interval never holds
0. Only the upper quantile is a bound, for the reason above; in the low end the deviation is fixed
before the second half is drawn, and without a kink.

**What is simulated.** Policies are drawn from independent Dirichlet distributions, one at each
information set. The weights are the counts, brought to the spread of the unbiased estimate of the
frequencies' variance, and `RARE` for an action that was never drawn. One more draw is then added
where it widens the interval most. For a move of probability 1% that costs 100 may well be missing
from 100 draws, and then neither the frequencies nor their spread know of it. A single set of two
actions thus has, but for the correction of the spread, the exact interval of C. Clopper and
E. Pearson (Biometrika 26, 1934); a single set and any payoffs the bound of N. Gaffke ("Three test
statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable",
Mathematical Methods of Statistics 14, 2005; M. Phan, P. Thomas and E. Learned-Miller, "Towards
practical mean bounds for small samples", ICML 2021), which is conjectured to hold for every number
of draws, and proved in special cases. In a tree there is one such draw in all, not one at each set:
rare moves at different sets add up as if they were one rare move, and what is not rare is Gaussian,
and needs none. It is a draw of a whole sequence, a player's moves up to that place, since two rare
moves may matter only together.

**Limits.** Both ends hold asymptotically, as the draws at every information set grow (the delta
method). This is no finite-sample theorem: coverage was measured, for 30, 100 and 300 draws per set,
also of policies whose moves of 0.3% to 20% decide everything
(tests/analysis/test_estimate_coverage.py). Of intervals for 95%, at least 96% held in 1,000
repetitions, and no end missed more often than 3.5% instead of 2.5%. Where two rare moves of
*different* players matter only together, an end may miss more often. The interval is conservative:

- The deviations of the low end are best against half of the draws, not against s, and only half of
  the draws value them: its distance is some sqrt(2) times that of a mean of all draws, and more
  with 30 draws or fewer. Away from equilibria whole intervals are 1.4 to 2 times as long as the
  central 95% of NashConv(s^), which nobody knows.
- The high end inherits the upward bias of NashConv twice, once from s^ and once from S around s^.
  At an equilibrium it never missed; in Kuhn poker it is on average .23, .12 and .07 for 30, 100 and
  300 draws, some three times NashConv(s^). It grows with the number of information sets.
- One more draw is needed only where rare moves decide. Of a move of 2% that does, both ends
  together miss 1% instead of 5%.

Where nothing was drawn, as off the path in logs of plays, the draws say nothing. A deviation may
lead there, and its value would be that of the uniform play filled in; so the low end is 0 unless
every set has draws in the second half. The high end then rests on the prior at those sets.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from ..solvers.best_response import (
    best_response,
    deviation_gains,
    evaluate,
    nash_convs,
    own_reach,
)
from ..solvers.profile import Profile, normalised
from ..solvers.tree import GameTree
from .draws import Draws

RESAMPLES = 1_000
"""Policies simulated for each end of the interval."""
PILOT = 50
"""Policies simulated to find where one more draw matters most."""
RARE = 0.25
"""Weight of an action that was never drawn. Without any, two rare moves in a row are overlooked;
with 1/2 the intervals of deterministic policies are wider by a tenth, and hold no more often."""
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

    The time is that of ``2 * (resamples + 50)`` evaluations: linear in the leaves of the tree.

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
    high = _largest_gain(draws, raw, rank, resamples, rng)
    return Estimate(
        values=tuple(found.values.tolist()),
        best_response_values=tuple(found.best_response_values.tolist()),
        gains=tuple(found.gains.tolist()),
        interval=(min(max(low, 0.0), raw), max(high, raw)),
        confidence=confidence,
    )


def _safe_gain(draws: Draws, rank: int, resamples: int, rng: np.random.Generator) -> float:
    """What replies to the first half gain against the second, less the error that this may have."""
    tree, second = draws.tree, draws.half(1).probabilities
    deviations = _replies(draws.half(0))
    losses = _Simulated(
        values=lambda policies: -deviation_gains(deviations, policies),
        slopes=lambda policy: -_slopes(deviations, policy),
    )
    # The prior alone is no reason to trust or distrust the deviations: errors are taken around the
    # mean of the simulated policies, and the gain at the frequencies.
    centre, highest = losses.quantile(tree, draws.counts[1], rank, resamples, rng)
    return float(deviation_gains(deviations, second[None])[0]) - (highest - centre)


def _largest_gain(
    draws: Draws, raw: float, rank: int, resamples: int, rng: np.random.Generator
) -> float:
    """What the best responses to the policy may gain; ``raw`` is NashConv of the frequencies."""
    tree = draws.tree
    gains = _Simulated(
        values=lambda policies: nash_convs(tree, policies),
        slopes=lambda policy: _slopes(_replies(policy), policy),
    )
    centre, highest = gains.quantile(tree, draws.totals, rank, resamples, rng)
    # Where the prior takes from the gains, that is made good; where it adds to them, nothing is.
    return highest + max(raw - centre, 0.0)


@dataclass(frozen=True)
class _Simulated:
    """A function of policies, of which a high quantile is sought.

    Attributes:
        values: of policies (R, S), float64 (R,).
        slopes: at a policy, its derivative (S,) by each probability.
    """

    values: Callable[[NDArray[np.float64]], NDArray[np.float64]]
    slopes: Callable[[Profile], NDArray[np.float64]]

    def quantile(
        self,
        tree: GameTree,
        counts: NDArray[np.int64],
        rank: int,
        resamples: int,
        rng: np.random.Generator,
    ) -> tuple[float, float]:
        """The value at the mean of the policies that counts (S,) suggest, and the ranked one.

        The latter is that of ``rank``, from 1, among ``resamples``, with one more draw.
        """
        weights = _weights(tree, counts)
        centre = float(self.values(normalised(tree, weights)[None])[0])
        if tree.num_infosets:
            weights[self._one_more_draw(tree, weights, rng)] += 1.0
        found = [self.values(policies) for policies in _policies(tree, weights, resamples, rng)]
        return centre, float(np.partition(np.concatenate(found), rank - 1)[rank - 1])

    def _one_more_draw(
        self, tree: GameTree, weights: NDArray[np.float64], rng: np.random.Generator
    ) -> list[int]:
        """The sequences that one more draw would count, where it raises the function most.

        It is sought at a policy where the function is high: that is where the quantile lies, and
        where deviations pay which at the frequencies do not.
        """
        highest, place = -math.inf, normalised(tree, weights)
        for policies in _policies(tree, weights, PILOT, rng):
            values = self.values(policies)
            k = int(values.argmax())
            if values[k] > highest:
                highest, place = values[k], policies[k]
        slopes = self.slopes(Profile(tree, place))
        n, first = tree.num_players, tree.first.astype(np.int64)
        mean = np.add.reduceat(place * slopes, first)
        draws = np.add.reduceat(weights, first) + 1.0
        rise = np.zeros(tree.num_sequences)
        rise[n:] = slopes[n:] - np.repeat(mean, tree.num_actions)
        rise[n:] /= np.repeat(draws, tree.num_actions)
        for h in range(tree.num_infosets):  # a sequence raises by what all its moves do
            rise[tree.slice(h)] += rise[tree.parent_sequence[h]]
        return _sequence(tree, n + int(rise[n:].argmax()))


def _replies(profile: Profile) -> Profile:
    """Every player's best response to the others of a profile."""
    tree = profile.tree
    replies = profile.probabilities.copy()
    for p in range(tree.num_players):
        own = slice(*tree.sequence_blocks[p : p + 2].tolist())
        replies[own] = best_response(profile, p)[1].probabilities[own]
    return Profile(tree, replies)


def _slopes(deviations: Profile, policy: Profile) -> NDArray[np.float64]:
    """The derivative (S,) of ``deviation_gains`` by each probability of the policy.

    First by each realisation plan: an entry of player i's sequence has the gain ``weight *
    (deviation's plan - plan) * product of the others' plans``. Then one bottom-up pass.
    """
    tree = policy.tree
    form, n, size = tree.sequence_form, tree.num_players, tree.num_sequences
    plan = own_reach(policy)
    own = np.repeat(np.arange(size), np.diff(form.row.astype(np.int64)))
    reaches = plan[form.others]
    slopes = np.zeros(size)
    slopes -= np.bincount(own, form.weight * reaches.prod(axis=0), size)
    gained = form.weight * (own_reach(deviations) - plan)[own]
    for k in range(n - 1):
        rest = np.delete(reaches, k, axis=0).prod(axis=0)
        slopes += np.bincount(form.others[k], gained * rest, size)
    for h in range(tree.num_infosets - 1, -1, -1):
        actions = tree.slice(h)
        slopes[tree.parent_sequence[h]] += policy.probabilities[actions] @ slopes[actions]
    slopes[n:] *= np.repeat(plan[tree.parent_sequence], tree.num_actions)
    return slopes


def _sequence(tree: GameTree, s: int) -> list[int]:
    """The sequences of one player from its first move to sequence s."""
    moves = []
    while s >= tree.num_players:
        moves.append(s)
        h = int(np.searchsorted(tree.first, s, side="right")) - 1
        s = int(tree.parent_sequence[h])
    return moves


def _weights(tree: GameTree, counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Dirichlet weights (S,) proportional to counts, whose variance is p (1 - p) / (m - 1).

    That is the unbiased estimate of the variance of frequencies p of m draws. An action that was
    never drawn counts as `RARE` draws. With 3 draws or fewer the spread is largest.
    """
    weights = np.where(counts > 0, counts, RARE)
    if tree.num_infosets:
        first = tree.first.astype(np.int64)
        drawn = np.add.reduceat(counts, first)
        total = np.maximum(drawn - 2, 1) / np.add.reduceat(weights, first)
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
