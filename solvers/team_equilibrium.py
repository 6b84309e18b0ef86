"""The best that a team can guarantee itself against one adversary, with correlated plans.

The members agree on a mixture of joint plans before the game (*ex ante*) and do not communicate
while they play, but by the moves that the game offers: a team-maxmin equilibrium with correlation
(TMECor). It is the value of the zero-sum game between the team's joint plans and the adversary's
strategies; the adversary holds the team to the same value. (B. von Stengel and D. Koller,
"Team-maxmin equilibria", Games and Economic Behavior 21, 1997; A. Celli and N. Gatti,
"Computational results for extensive-form adversarial team games", AAAI 2018.)

The *master* is the linear program of the adversary in the sequence form: a realisation plan y that
makes the largest worth of the joint plans found so far as small as possible. The team's best joint
plan against y is added, until none is worth more. Finding it is NP-hard: first each member in turn
answers the others (`ascents`), and where that finds nothing a mixed-integer program proves it
(`joint_milp`). The program's multipliers are the team's mixture. (J. E. Kelley, "The cutting-plane
method for solving convex programs", Journal of the SIAM 8, 1960.)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..games.errors import ParameterError
from .correlated_columns import STARTS, ascents, random_plans
from .correlated_lp import linear_program
from .correlation import CorrelationDevice
from .joint_milp import best_joint_plan
from .joint_sequences import MAX_COMBINATIONS, JointSequences
from .sequence_lp import constraint_matrix, local_numbers, total_payoff
from .tree import GameTree, sequences_of

PRECISION = 1e-8
"""A joint plan that would improve the team's value by no more, in units of the largest leaf's
share, is not worth adding."""

Progress = Callable[[int, float, float], None]
"""Called with the number of linear programs, and a lower and an upper bound on the value."""


@dataclass(frozen=True)
class TeamMaxmin:
    """What a team can guarantee itself, and how.

    Attributes:
        team: the members, ascending.
        adversary: the one player that is not of the team.
        value: the sum of the members' payoffs that ``device`` guarantees, in utilities.
        bound: the adversary's strategy holds every joint plan of the members to this, as HiGHS
            proved within its tolerances.
        device: the team's mixture of joint pure plans; each row also holds the adversary's
            realisation plan.
        iterations: linear programs solved.
        seconds: time spent, not part of equality.
    """

    team: tuple[int, ...]
    adversary: int
    value: float
    bound: float
    device: CorrelationDevice
    iterations: int
    seconds: float = field(compare=False)

    def __repr__(self) -> str:
        return (
            f"TeamMaxmin({self.device.tree.name}: {self.value:.10g} to the team against "
            f"P{self.adversary + 1}, at most {self.bound:.10g}; {len(self.device.weights)} joint "
            f"plans, {self.seconds:.3g} s)"
        )


def team_maxmin(
    tree: GameTree,
    adversary: int,
    *,
    max_combinations: int = MAX_COMBINATIONS,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> TeamMaxmin:
    """The largest sum of payoffs that all players but one can guarantee themselves together.

    Args:
        tree: the compiled game; all payoffs together have a constant sum.
        adversary: the player against whom the others play, from 0.
        max_combinations: the largest number of relevant combinations of the members' sequences to
            accept (see `joint_sequences`).
        time_limit: seconds for the whole search, by default as long as it takes.
        progress: called after each linear program with its number and the two bounds.

    Raises:
        ParameterError: there is no such player, or no other.
        NotZeroSum: the payoffs of all players do not sum to a constant.
        ProblemTooLarge: more combinations than ``max_combinations``.
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
        InexactError: the game has symbols.
    """
    started = time.perf_counter()
    if not 0 <= adversary < tree.num_players or tree.num_players < 2:
        raise ParameterError(
            f"{tree.name} has players 0 to {tree.num_players - 1}; {adversary} cannot play against "
            "all others"
        )
    total_payoff(tree)
    team = tuple(p for p in range(tree.num_players) if p != adversary)
    deadline = None if time_limit is None else started + time_limit
    search = _Search(tree, team, adversary, max_combinations, deadline)
    lower, upper = search.run(progress)
    return TeamMaxmin(
        team, adversary, lower, max(lower, upper), search.device(), search.iterations,
        time.perf_counter() - started,
    )  # fmt: skip


class _Search:
    def __init__(
        self,
        tree: GameTree,
        team: tuple[int, ...],
        adversary: int,
        max_combinations: int,
        deadline: float | None,
    ):
        self.tree, self.adversary, self.deadline = tree, adversary, deadline
        self.joint = JointSequences.of(tree, team, max_combinations=max_combinations)
        self.own = np.array(sequences_of(tree, adversary))
        sequence = tree.node_sequence[tree.leaves]
        shares = tree.payoff_table[tree.payoff[tree.leaves]][:, team].sum(axis=1)
        shares = shares * tree.chance_reach[tree.leaves]
        self.unit = float(np.abs(shares).max(initial=0.0)) or 1.0
        # What a combination of the members' sequences and one of the adversary's are worth.
        index = (
            self.joint.index(sequence[:, team]),
            local_numbers(tree)[sequence[:, adversary]],
        )
        size = (len(self.joint), len(self.own))
        self.worth = sparse.csr_array((shares / self.unit, index), shape=size)
        self.simplex = constraint_matrix(tree, adversary)
        self.rng = np.random.default_rng(0)
        self.iterations = 0
        self.plans = np.empty((0, tree.num_sequences))
        self.cuts = np.empty((0, len(self.own)))
        self.mixture = np.empty(0)
        self.y = np.empty(0)

    def run(self, progress: Progress | None) -> tuple[float, float]:
        """Adds joint plans until none is worth more than the master's value: the two bounds."""
        rows, n = self.simplex.shape  # type: ignore[misc]  # SciPy's stub says None
        even = np.full(n, 1.0 / n)  # of no importance: any prices give joint plans to begin with
        self._add(ascents(self.joint, self.worth @ even, self._starts()))
        upper = np.inf
        while True:
            K = len(self.cuts)
            result = linear_program(
                self.tree.name,
                self.deadline,
                c=np.append(np.zeros(n), 1.0),
                A_ub=np.hstack([self.cuts, np.full((K, 1), -1.0)]),
                b_ub=np.zeros(K),
                A_eq=sparse.hstack([self.simplex, sparse.csr_array((rows, 1))], format="csr"),
                b_eq=np.eye(1, rows)[0],
                bounds=[(0.0, None)] * n + [(None, None)],
            )
            self.iterations += 1
            self.y, self.mixture = result.x[:n], -result.ineqlin.marginals
            lower = float(result.fun)
            prices = self.worth @ self.y
            found = ascents(self.joint, prices, self._starts())
            better = self.joint.indicator(found) @ prices > lower + PRECISION
            if not better.any():
                plan, bound = best_joint_plan(self.joint, prices, deadline=self.deadline)
                upper = min(upper, bound)
                found = plan[None]
                better = self.joint.indicator(found) @ prices > lower + PRECISION
            if progress is not None:
                progress(self.iterations, lower * self.unit, upper * self.unit)
            if not better.any():
                return lower * self.unit, upper * self.unit
            self._add(found[better])

    def device(self) -> CorrelationDevice:
        """The mixture of the last program, with the adversary's plan in every row."""
        used = self.mixture > 0.0
        plans = self.plans[used]
        plans[:, self.own] = self.y
        weights = self.mixture[used]
        return CorrelationDevice(self.tree, weights / weights.sum(), plans)

    def _starts(self) -> NDArray[np.float64]:
        """Random joint plans, and those in use."""
        random = random_plans(self.joint, STARTS, self.rng)
        likely = np.argsort(-self.mixture)[:STARTS]
        return np.concatenate([random, self.plans[likely]])

    def _add(self, plans: NDArray[np.float64]) -> None:
        plans = np.unique(plans, axis=0)
        self.plans = np.concatenate([self.plans, plans])
        self.cuts = np.concatenate([self.cuts, self.joint.indicator(plans) @ self.worth])
