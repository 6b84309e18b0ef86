"""The linear program over the polytope of `joint_sequences`, with the inequalities of `incentives`.

Its optimum is that of the equilibria of the kind where the polytope is exact, and else a bound.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from ..games.errors import SolverFailed
from .incentives import Incentives

FEASIBILITY = 1e-9
"""HiGHS's tolerances, with payoffs in units of the largest leaf's share."""
LARGE = 5000
"""Combinations from which on the interior-point method is faster than the dual simplex method."""
OUT_OF_TIME = 1
"""SciPy's status of a program that HiGHS stopped at a limit."""


class Relaxed(NamedTuple):
    """An optimum of the program.

    Attributes:
        x: float64 (T,), of each combination of sequences, the probability that it is played.
        duals: float64 (rows,), nonnegative, the multipliers of the inequalities.
        objective: the optimum, in utilities.
    """

    x: NDArray[np.float64]
    duals: NDArray[np.float64]
    objective: float


def solve_relaxed(
    incentives: Incentives, weights: NDArray[np.float64], deadline: float | None = None
) -> Relaxed:
    """Maximises ``weights @ payoffs`` over the polytope and the inequalities.

    Args:
        incentives: of a game and a kind of equilibrium.
        weights: float64 (n,), of the players' payoffs in the objective.
        deadline: by `time.perf_counter`.

    Raises:
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
    """
    C, c = incentives.joint.consistency
    gain = weights @ incentives.payoffs / incentives.unit
    V = incentives.values.shape[1]  # type: ignore[index]
    result = linear_program(
        incentives.joint.tree.name,
        deadline,
        method="highs-ds" if len(gain) < LARGE else "highs-ipm",
        c=np.concatenate([-gain, np.zeros(V)]),
        A_ub=sparse.hstack([incentives.plans, incentives.values], format="csr"),
        b_ub=np.zeros(incentives.plans.shape[0]),  # type: ignore[index]
        A_eq=sparse.hstack([C, sparse.csr_array((len(c), V))], format="csr"),
        b_eq=c,
        bounds=[(0.0, None)] * len(gain) + [(None, None)] * V,
    )
    x = np.maximum(result.x[: len(gain)], 0.0)
    return Relaxed(x, -result.ineqlin.marginals, -result.fun * incentives.unit)


def linear_program(
    name: str, deadline: float | None, *, method: str = "highs-ds", **problem: Any
) -> Any:
    """SciPy's `linprog` with HiGHS, until a deadline.

    Raises:
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
    """
    options: dict[str, float] = {
        "primal_feasibility_tolerance": FEASIBILITY,
        "dual_feasibility_tolerance": FEASIBILITY,
    }
    if deadline is not None:
        options["time_limit"] = seconds_left(name, deadline)
    result = linprog(**problem, method=method, options=options)
    if result.status == OUT_OF_TIME and deadline is not None:
        raise SolverFailed(
            f"{name}: out of time in a linear program of {len(problem['c']):,} variables; give it "
            "more with time_limit, or take a smaller version of the game"
        )
    if result.status != 0:
        raise SolverFailed(
            f"{name}: HiGHS found no solution of the linear program ({result.message.strip()}); "
            "take a smaller version of the game"
        )
    return result


def seconds_left(name: str, deadline: float) -> float:
    """Seconds until a deadline by `time.perf_counter`.

    Raises:
        SolverFailed: none.
    """
    left = deadline - time.perf_counter()
    if left <= 0.0:
        raise SolverFailed(f"{name}: out of time; give it more with time_limit")
    return left
