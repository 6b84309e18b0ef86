"""Optimal correlated equilibria as mixtures of joint pure plans, by column generation.

The *master* is the linear program of `incentives` for mixtures of the joint plans found so far. Its
multipliers price every combination of sequences; a joint plan that is worth more at these prices
than the mixture is added, and when there is none, the mixture is optimal among all. Finding the
best joint plan is NP-hard in general: first each player in turn answers the others' plans as well
as it can, from several starts, which is fast; if that finds nothing, a mixed-integer program over
the polytope of `joint_sequences` (HiGHS), whose bound proves the optimum. (P. Gilmore and R.
Gomory, Operations Research 9, 1961; for EFCE: W. Huang and B. von Stengel, WINE 2008; A. Celli, S.
Coniglio, N. Gatti, AAMAS 2019, for coarse equilibria.)

A first phase looks for any equilibrium: it minimises the largest violation of an inequality.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..games.errors import SolverFailed
from . import _correlation_kernels as kernels
from .correlated_lp import Relaxed, linear_program
from .correlation import CorrelationDevice
from .incentives import Incentives
from .joint_milp import answer, best_joint_plan
from .joint_sequences import JointSequences

FEASIBLE = 1e-9
"""A violation of an inequality up to this counts as none, in units of the largest leaf's share."""
OPTIMAL = 1e-8
"""A joint plan that would improve the objective by no more than this is not worth adding."""
STARTS = 16
"""Random joint plans that each search for a better one begins at."""

Progress = Callable[[int, float, float], None]


class Found(NamedTuple):
    """The result of column generation.

    Attributes:
        device: a mixture of joint pure plans.
        bound: on the objective of every equilibrium of the kind, in utilities.
        iterations: linear programs solved.
    """

    device: CorrelationDevice
    bound: float
    iterations: int


def generate_columns(
    incentives: Incentives,
    weights: NDArray[np.float64],
    relaxed: Relaxed,
    *,
    deadline: float | None = None,
    max_programs: int | None = None,
    progress: Progress | None = None,
) -> Found:
    """The best equilibrium; see `correlated.correlated_equilibrium` for the arguments.

    Args:
        incentives: of a game and a kind of equilibrium.
        weights: float64 (n,), of the players' payoffs in the objective.
        relaxed: the optimum over the polytope: a bound, and the prices to begin with.
        deadline: by `time.perf_counter`.
        max_programs: give up after so many linear programs.
        progress: called after each program with its number, the objective and the bound.

    Raises:
        SolverFailed: out of time or of programs, or HiGHS ran into numerical trouble.
    """
    return _Master(incentives, weights, relaxed, deadline, max_programs, progress).run()


class _Solution(NamedTuple):
    mixture: NDArray[np.float64]
    duals: NDArray[np.float64]
    objective: float
    violation: float


class _Master:
    def __init__(
        self,
        incentives: Incentives,
        weights: NDArray[np.float64],
        relaxed: Relaxed,
        deadline: float | None,
        max_programs: int | None,
        progress: Progress | None,
    ):
        self.incentives, self.joint = incentives, incentives.joint
        self.name = self.joint.tree.name
        self.gain = weights @ incentives.payoffs / incentives.unit
        self.bound = relaxed.objective / incentives.unit
        self.deadline, self.max_programs, self.progress = deadline, max_programs, progress
        self.rng = np.random.default_rng(0)
        self.iterations = 0
        self.plans = np.empty((0, self.joint.tree.num_sequences))
        self.columns = np.empty((incentives.plans.shape[0], 0))  # type: ignore[index]
        self.gains = np.empty(0)
        prices = self.gain - incentives.plans.T @ relaxed.duals
        self._add(ascents(self.joint, prices, self._starts()))

    def run(self) -> Found:
        """Both phases."""
        solution = self._phase(looking=True, allowed=np.inf)
        if not self.gain.any():
            return self._found(solution)
        return self._found(self._phase(looking=False, allowed=solution.violation))

    def _phase(self, *, looking: bool, allowed: float) -> _Solution:
        """Adds joint plans until the mixture is feasible (``looking``), or optimal."""
        gain = np.zeros_like(self.gain) if looking else self.gain
        while True:
            solution = self._solve(looking, allowed)
            self._report(solution, looking)
            if looking and solution.violation <= FEASIBLE:
                return solution
            if not looking and self.bound <= solution.objective + OPTIMAL:
                return solution
            prices = gain - self.incentives.plans.T @ solution.duals
            found = ascents(self.joint, prices, self._starts(solution.mixture))
            worth = self.joint.indicator(found) @ prices
            better = worth > solution.objective + OPTIMAL
            if better.any():
                self._add(found[better])
                continue
            plan, bound = best_joint_plan(self.joint, prices, deadline=self.deadline)
            if not looking:
                self.bound = min(self.bound, bound)
            if float(self.joint.indicator(plan) @ prices) <= solution.objective + OPTIMAL:
                if looking:
                    raise SolverFailed(
                        f"{self.name}: no mixture of joint plans violates the inequalities by less "
                        f"than {solution.violation:.3g}: HiGHS's tolerances; please report the game"
                    )
                return solution
            self._add(plan[None])

    def _solve(self, looking: bool, allowed: float) -> _Solution:
        """The master program: weights of the plans, values of deviations, largest violation."""
        K, (rows, V) = len(self.plans), self.incentives.values.shape  # type: ignore[misc]
        result = linear_program(
            self.name,
            self.deadline,
            c=np.concatenate([np.zeros(K) if looking else -self.gains, np.zeros(V), [looking]]),
            A_ub=sparse.hstack(
                [self.columns, self.incentives.values, np.full((rows, 1), -1.0)], format="csr"
            ),
            b_ub=np.zeros(rows),
            A_eq=sparse.csr_array(np.concatenate([np.ones(K), np.zeros(V + 1)])[None]),
            b_eq=np.ones(1),
            bounds=[(0.0, None)] * K + [(None, None)] * V + [(0.0, allowed)],
        )
        self.iterations += 1
        return _Solution(
            result.x[:K], -result.ineqlin.marginals, -float(result.fun), float(result.x[-1])
        )

    def _report(self, solution: _Solution, looking: bool) -> None:
        if self.progress is not None:
            unit = self.incentives.unit
            objective = -np.inf if looking else solution.objective * unit
            self.progress(self.iterations, objective, self.bound * unit)
        if self.iterations == self.max_programs:
            raise SolverFailed(
                f"{self.name}: not finished after {self.iterations:,} linear programs; the best "
                f"{'violates an inequality' if looking else 'attains'} "
                f"{(solution.violation if looking else solution.objective):.6g} of "
                f"{self.bound:.6g} (in units of {self.incentives.unit:.6g}); raise max_programs"
            )

    def _starts(self, mixture: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Random joint plans, and those in use."""
        random = random_plans(self.joint, STARTS, self.rng)
        if mixture is None:
            return random
        likely = np.argsort(-mixture)[:STARTS]
        return np.concatenate([random, self.plans[likely[mixture[likely] > 0.0]]])

    def _add(self, plans: NDArray[np.float64]) -> None:
        plans = np.unique(plans, axis=0)
        x = self.joint.indicator(plans)
        self.plans = np.concatenate([self.plans, plans])
        self.columns = np.hstack([self.columns, self.incentives.plans @ x.T])
        self.gains = np.concatenate([self.gains, x @ self.gain])

    def _found(self, solution: _Solution) -> Found:
        used = solution.mixture > 0.0
        mixture = solution.mixture[used]
        device = CorrelationDevice(self.joint.tree, mixture / mixture.sum(), self.plans[used])
        return Found(device, self.bound * self.incentives.unit, self.iterations)


def random_plans(
    joint: JointSequences, count: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Joint pure reduced plans, float64 (count, S): every move equally likely where it is made."""
    tree = joint.tree
    plans = np.zeros((count, tree.num_sequences))
    for plan in plans:
        for p in range(tree.num_players):
            kernels.best_plan(tree.sequence_form, p, rng.random(tree.num_sequences), plan)
    return plans


def ascents(
    joint: JointSequences, prices: NDArray[np.float64], plans: NDArray[np.float64]
) -> NDArray[np.float64]:
    """From each joint plan, each player in turn takes its best plan until nobody improves.

    Args:
        joint: the relevant combinations of the players.
        prices: float64 (T,), what each combination is worth if it is played.
        plans: float64 (R, S), joint pure plans.

    Returns:
        float64 (R, S): local maxima of ``indicator(plan) @ prices``.
    """
    n = len(joint.players)
    results = plans.copy()
    for plan in results:
        best, since, p = -np.inf, 0, 0
        while since < n:
            value = answer(joint, prices, p, plan)
            since = 1 if value > best + 1e-12 else since + 1
            best = max(best, value)
            p = (p + 1) % n
    return results
