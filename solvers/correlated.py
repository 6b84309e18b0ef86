"""Optimal correlated equilibria of extensive-form games: EFCE, EFCCE and NFCCE.

For two players without chance moves, and whenever it turns out that it is enough, one linear
program over the relevant combinations of sequences gives the best equilibrium in polynomial time
(B. von Stengel and F. Forges, Mathematics of Operations Research 33, 2008). With chance or more
players an optimal one is NP-hard: a linear program over joint plans, by column generation (see
`correlated_columns`), starts from the same polytope, which still bounds the optimum.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from ..games.rules import CHANCE
from .correlated_columns import generate_columns
from .correlated_lp import seconds_left, solve_relaxed
from .correlation import CorrelationDevice, Kind, checked_kind
from .incentives import Incentives
from .joint_plans import split
from .joint_sequences import MAX_COMBINATIONS, JointSequences
from .stopwatch import Stopwatch
from .tree import Game, GameTree, compile_tree


@dataclass(frozen=True, eq=False)
class CorrelatedEquilibrium:
    """A correlated equilibrium of an extensive-form game, in floating point.

    Attributes:
        kind: ``efce``, ``efcce`` or ``nfcce``.
        device: a distribution over joint pure plans.
        maximise: what it maximises among all equilibria of the kind: ``welfare`` (the sum of all
            payoffs), a player, or None.
        objective: what it attains, in utilities; 0 if nothing is maximised.
        bound: no equilibrium of the kind attains more, but for HiGHS's tolerances; ``objective``
            if it is optimal.
        distance: of ``device``, measured on the tree, in utilities: what all players together can
            gain by deviations of the kind.
        method: ``sequence form`` or ``column generation``.
        iterations: linear programs solved.
        seconds: spent, not part of the result's meaning.
        compile_seconds: besides, on making kernels ready; see `stopwatch`.
    """

    kind: Kind
    device: CorrelationDevice
    maximise: str | int | None
    objective: float
    bound: float
    distance: float
    method: str
    iterations: int
    seconds: float = field(compare=False)
    compile_seconds: float = field(compare=False)

    @property
    def values(self) -> NDArray[np.float64]:
        """Each player's expected payoff if all obey, float64 (n,), in utilities."""
        return self.device.values

    def __repr__(self) -> str:
        payoffs = ", ".join(f"{u:.6g}" for u in self.values)
        return (
            f"CorrelatedEquilibrium({self.device.tree.name}, {self.kind}: payoffs ({payoffs}), "
            f"distance {self.distance:.3g}, {len(self.device)} joint plans, {self.seconds:.3g} s)"
        )


def correlated_equilibrium(
    game: Game,
    kind: Kind = "efce",
    maximise: Literal["welfare"] | int | None = "welfare",
    *,
    max_combinations: int = MAX_COMBINATIONS,
    max_programs: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[int, float, float], None] | None = None,
    stage: Callable[[str], None] | None = None,
) -> CorrelatedEquilibrium:
    """The best correlated equilibrium of a kind, as a device that can be used.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        kind: ``efce``, ``efcce`` or ``nfcce``; see `correlation`.
        maximise: the sum of payoffs, one player's payoff (from 0), or None for any equilibrium.
        max_combinations: the largest number of relevant combinations of sequences to accept:
            variables of the linear program (see `joint_sequences`).
        max_programs: give up column generation after so many linear programs; by default never.
        time_limit: seconds for the whole; by default as long as it needs. It is looked at between
            the steps, and within the programs by HiGHS.
        progress: called in column generation after each program with its number, the objective so
            far and the bound.
        stage: called with what comes next, in words, before each step on the way there.

    Raises:
        UnknownConcept: there is no such kind.
        ParameterError: there is nothing of that name to maximise, or no time.
        ProblemTooLarge: more combinations than ``max_combinations``; raised before any work.
        SolverFailed: out of time or of programs, or HiGHS ran into numerical trouble.
        GameError: see `compile_tree`.
    """
    kind = checked_kind(kind)
    if time_limit is not None and not time_limit > 0.0:
        raise ParameterError(f"time_limit={time_limit!r}: give seconds, more than 0")
    deadline = None if time_limit is None else time.perf_counter() + time_limit
    tree = compile_tree(game)
    weights = _objective(tree, maximise)

    def begin(words: str) -> None:
        """Before each step: it is told, unless there is no time for it."""
        if deadline is not None:
            seconds_left(tree.name, deadline)
        if stage is not None:
            stage(words)

    watch = Stopwatch()
    with watch.running():
        begin("combinations of sequences")
        joint = JointSequences.of(tree, max_combinations=max_combinations)
        begin(f"incentives in {len(joint):,} combinations of sequences")
        incentives = Incentives.of(joint, kind)
        begin(f"linear program for {len(joint):,} combinations of sequences")
        relaxed = solve_relaxed(incentives, weights, deadline)
        begin("joint plans")
        if tree.num_players == 2 and not (tree.player == CHANCE).any():
            device, bound = split(joint, relaxed.x), relaxed.objective
            method, iterations = "sequence form", 1
        else:
            device, bound, iterations = generate_columns(
                incentives, weights, relaxed,
                deadline=deadline, max_programs=max_programs, progress=progress,
            )  # fmt: skip
            method = "column generation"
        distance = device.evaluation.distance(kind)
    return CorrelatedEquilibrium(
        kind=kind,
        device=device,
        maximise=maximise,
        objective=float(weights @ device.values),
        bound=bound,
        distance=distance,
        method=method,
        iterations=iterations,
        seconds=watch.seconds,
        compile_seconds=watch.compile_seconds,
    )


def _objective(tree: GameTree, maximise: str | int | None) -> NDArray[np.float64]:
    """The weights of the players' payoffs in the objective."""
    n = tree.num_players
    if maximise is None:
        return np.zeros(n)
    if maximise == "welfare":
        return np.ones(n)
    if isinstance(maximise, int) and 0 <= maximise < n:
        return np.eye(n)[maximise]
    raise ParameterError(
        f"cannot maximise {maximise!r} in {tree.name}; use 'welfare', a player from 0 to {n - 1}, "
        "or None"
    )
