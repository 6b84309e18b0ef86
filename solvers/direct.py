"""Algorithms that end at an equilibrium rather than approach one, under their names in `solve`.

Each is told in its own module, with its own result and options; here they get one shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from .best_response import nash_conv
from .exact_lp import solve_zero_sum_exact
from .lemke import MAX_SEQUENCES, lemke
from .profile import Profile
from .qre import QRETrace, trace_qre
from .result import SolveResult
from .sequence_lp import solve_zero_sum
from .tree import GameTree

Tick = Callable[[int], None]

ONE_OF_MANY = "one equilibrium, exactly; a game of general sum may have others that pay differently"


def by_linear_program(
    tree: GameTree, *, tick: Tick | None = None, time_limit: float | None = None
) -> SolveResult:
    """See `solve_zero_sum`. HiGHS does not tell how far it is."""
    found = solve_zero_sum(tree, time_limit=time_limit)
    return _result("lp", found.profile, found.iterations, found)


def by_exact_linear_program(tree: GameTree, *, tick: Tick | None = None) -> SolveResult:
    """See `solve_zero_sum_exact`."""
    found = solve_zero_sum_exact(tree, progress=tick)
    return _result("lp-exact", rounded(tree, found.probabilities), found.pivots, found)


def by_lemke(
    tree: GameTree,
    *,
    tick: Tick | None = None,
    start: Profile | None = None,
    max_sequences: int = MAX_SEQUENCES,
) -> SolveResult:
    """See `lemke`."""
    found = lemke(tree, start, max_sequences=max_sequences, progress=tick)
    promise = "" if tree.is_constant_sum else ONE_OF_MANY
    return _result("lemke", rounded(tree, found.probabilities), found.pivots, found, promise)


def by_logit_tracing(
    tree: GameTree,
    *,
    tick: Tick | None = None,
    target: float | None = None,
    caution: float = 1.0,
    max_lam: float | None = None,
) -> SolveResult:
    """See `trace_qre`: the last point of the principal branch."""
    points = 0

    def passed(lam: float, nash_conv: float) -> None:
        nonlocal points
        points += 1
        if tick is not None:
            tick(points)

    found = trace_qre(tree, nash_conv=target, max_lam=max_lam, caution=caution, progress=passed)
    return _result("qre", found.limit.profile, len(found), found, _traced(found))


def _traced(trace: QRETrace) -> str:
    if trace.converged:
        return (
            f"the agent quantal response equilibrium with lambda {trace.lams[-1]:.4g}, close to a "
            "sequential equilibrium: the limit of the principal branch"
        )
    return (
        f"the agent quantal response equilibrium with lambda {trace.lams[-1]:.4g}; the branch has "
        f"not come near its limit (it ends by {trace.stopped})"
    )


def rounded(tree: GameTree, probabilities: Sequence[Fraction]) -> Profile:
    """The nearest profile in floats."""
    return Profile(tree, np.array([float(p) for p in probabilities]))


def _result(
    name: str, profile: Profile, steps: int, solution: Any, promise: str = ""
) -> SolveResult:
    return SolveResult(
        profile, name, steps, ((steps, nash_conv(profile)),), "last", promise, solution
    )


DIRECT: dict[str, Callable[..., SolveResult]] = {
    "lp": by_linear_program,
    "lp-exact": by_exact_linear_program,
    "lemke": by_lemke,
    "qre": by_logit_tracing,
}
"""By name: ``DIRECT[name](tree, tick=..., **options)``."""
