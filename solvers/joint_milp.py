"""The joint pure plan of several players that is best at given prices: a mixed-integer program.

Over the polytope of `joint_sequences`, with 0/1 variables for the plans of all players but one: the
last one then has a pure best plan by itself. (For a team in an adversarial game: B. von Stengel and
D. Koller, "Team-maxmin equilibria", Games and Economic Behavior 21, 1997; A. Celli and N. Gatti,
"Computational results for extensive-form adversarial team games", AAAI 2018.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from ..games.errors import SolverFailed
from . import _correlation_kernels as kernels
from .correlated_lp import OUT_OF_TIME, seconds_left
from .joint_sequences import JointSequences
from .tree import sequences_of

LARGEST_PRICE = 1e3
"""Prices are scaled to this, because HiGHS stops at an absolute gap of 1e-6."""


def best_joint_plan(
    joint: JointSequences, prices: NDArray[np.float64], *, deadline: float | None = None
) -> tuple[NDArray[np.float64], float]:
    """The members' joint pure plan of greatest price.

    Args:
        joint: the relevant combinations of the members.
        prices: float64 (T,), what each combination is worth if it is played.
        deadline: by `time.perf_counter`.

    Returns:
        float64 (S,), the members' pure reduced plans, 0 at other players' sequences; and a bound on
        the price of every joint plan, but for HiGHS's tolerances.

    Raises:
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
    """
    tree = joint.tree
    plan = np.zeros(tree.num_sequences)
    if len(joint.players) == 1:
        return plan, answer(joint, prices, 0, plan)
    C, c = joint.consistency
    scale = LARGEST_PRICE / (float(np.abs(prices).max(initial=0.0)) or 1.0)
    sizes = [len(sequences_of(tree, p)) for p in joint.players]
    last = int(np.argmax(sizes))
    integral = np.zeros(len(joint))
    for p in range(len(joint.players)):
        if p != last:
            integral[joint.own(p)] = 1.0
    options: dict[str, float] = {"mip_rel_gap": 1e-9}
    if deadline is not None:
        options["time_limit"] = seconds_left(tree.name, deadline)
    result = milp(
        -scale * prices,
        integrality=integral,
        bounds=Bounds(0.0, 1.0),
        constraints=LinearConstraint(C, c, c),  # type: ignore[arg-type]  # SciPy's stub
        options=options,
    )
    if result.status == OUT_OF_TIME and deadline is not None:
        raise SolverFailed(
            f"{tree.name}: out of time in a search for a joint plan; give it more with time_limit"
        )
    if result.status != 0:
        raise SolverFailed(
            f"{tree.name}: HiGHS found no best joint plan ({result.message.strip()}); take a "
            "smaller version of the game"
        )
    for p, player in enumerate(joint.players):
        if p != last:
            own = joint.own(p)
            rounded = np.zeros(tree.num_sequences)
            rounded[joint.sequences[own, p]] = np.round(result.x[own])
            kernels.best_plan(tree.sequence_form, player, rounded, plan)
    answer(joint, prices, last, plan)
    return plan, -float(result.mip_dual_bound) / scale


def answer(
    joint: JointSequences, prices: NDArray[np.float64], p: int, plan: NDArray[np.float64]
) -> float:
    """Replaces the p-th member's part of a joint plan by a best pure one; the joint plan's price.

    Args:
        joint: the relevant combinations of the members.
        prices: float64 (T,), what each combination is worth if it is played.
        p: the position of the member who answers the others' plans.
        plan: float64 (S,), the members' plans; changed in place.
    """
    tree = joint.tree
    others = np.delete(joint.sequences, p, axis=1)
    worth = prices * np.prod(plan[others], axis=1)
    gradient = np.bincount(joint.sequences[:, p], worth, tree.num_sequences)
    return kernels.best_plan(tree.sequence_form, joint.players[p], gradient, plan)
