"""Two-player zero-sum games by one linear program over realisation plans.

In the sequence form a plan of a player is a vector x >= 0 with ``E x = e``: 1 at the empty
sequence, and at each information set the actions' entries sum to the entry of the sequence that
leads there. With A the payoff matrix of P1 the game is: max over x, min over y of ``x' A y``. The
dual of the inner problem makes it one linear program, as large as the tree. (D. Koller, N. Megiddo,
B. von Stengel, "Fast algorithms for finding randomized strategies in game trees", STOC 1994; B. von
Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996,
Section 4.) HiGHS solves it in floating point, with sparse matrices.

Rows and columns number a player's sequences in the order of `sequences_of`: the empty one first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import linprog

from ..games.errors import NotTwoPlayers, NotZeroSum, SolverFailed
from .best_response import best_response, evaluate
from .profile import Profile, normalised
from .tree import GameTree, sequences_of

SUM_TOLERANCE = 1e-12
"""How far payoffs that are floats may miss a constant sum, relative to the largest payoff."""
REACH_TOLERANCE = 1e-9
"""Entries of a plan up to this are rounding noise of the linear program."""
FEASIBILITY = 1e-9
"""HiGHS's tolerances, with payoffs in units of the largest entry of the payoff matrix."""


@dataclass(frozen=True)
class ZeroSumSolution:
    """The value of a two-player zero-sum game and an equilibrium, in floating point.

    Attributes:
        value: of the game to P1, in utilities.
        profile: an equilibrium. Where a player's own plan does not go, its behaviour is a pure best
            response to the other's plan (see `best_response`), so it recovers from its own slips.
        constant: the sum of both payoffs, 0 if zero-sum; exact where the game is.
        nash_conv: of ``profile``, measured on the tree, in utilities: what the players can gain.
            It bounds the error of ``value``.
        duality_gap: how far the program's primal and dual objectives differ, in utilities.
        iterations: of the simplex method.
        seconds: spent in HiGHS, not part of equality.
    """

    value: float
    profile: Profile
    constant: Fraction | float
    nash_conv: float
    duality_gap: float
    iterations: int
    seconds: float = field(compare=False)

    @property
    def values(self) -> tuple[float, float]:
        """The value of the game to each player, in utilities."""
        return self.value, float(self.constant) - self.value

    def __repr__(self) -> str:
        return (
            f"ZeroSumSolution({self.profile.tree.name}: value {self.value:.10g} to P1, "
            f"NashConv {self.nash_conv:.3g}, {self.seconds:.3g} s)"
        )


def solve_zero_sum(tree: GameTree, *, time_limit: float | None = None) -> ZeroSumSolution:
    """The value and an equilibrium of a two-player game whose payoffs have a constant sum.

    One linear program: its primal solution is P2's plan, its dual solution P1's. Solving one
    program for each player would take twice as long for the same pair. HiGHS's dual simplex method
    is used; its interior-point method took as long or twice as long in every game that was tried.

    Args:
        tree: the compiled game.
        time_limit: seconds that HiGHS may take, by default as long as it needs.

    Raises:
        NotTwoPlayers: one player, or more than two.
        NotZeroSum: the payoffs do not sum to a constant; see `constant_sum`.
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
        InexactError: the game has symbols.
        BadPayoff: payoffs too large for floats.
    """
    constant = constant_sum(tree)
    A, E, F = payoff_matrix(tree), constraint_matrix(tree, 0), constraint_matrix(tree, 1)
    started = time.perf_counter()
    found = minimise(A, E, F, name=tree.name, time_limit=time_limit)
    seconds = time.perf_counter() - started
    profile = profile_of_plans(tree, found.dual, found.primal)
    return ZeroSumSolution(
        value=found.value,
        profile=profile,
        constant=constant,
        nash_conv=evaluate(profile).nash_conv,
        duality_gap=found.gap,
        iterations=found.iterations,
        seconds=seconds,
    )


class Optimum(NamedTuple):
    """A solution of the linear program.

    Attributes:
        primal: float64, the minimiser's plan.
        dual: float64, the maximiser's plan.
        value: of the game to the maximiser, in utilities.
        gap: between the primal and the dual objective, in utilities.
        iterations: of the simplex method.
    """

    primal: NDArray[np.float64]
    dual: NDArray[np.float64]
    value: float
    gap: float
    iterations: int


def minimise(
    A: sparse.csr_array,
    E: sparse.csr_array,
    F: sparse.csr_array,
    *,
    name: str,
    time_limit: float | None = None,
) -> Optimum:
    """Minimises ``e' p`` subject to ``A y <= E' p``, ``F y = f``, ``y >= 0``, p free.

    ``p`` holds the values of the maximiser's information sets against y (von Stengel 1996, Section
    4), with the value of the game at its head. The multipliers of the inequalities are the
    maximiser's plan.

    Args:
        A: payoffs to the maximiser, by its sequences and the minimiser's, in utilities.
        E: of the maximiser's plans, see `constraint_matrix`.
        F: of the minimiser's plans.
        name: the game, for the message.
        time_limit: seconds that HiGHS may take.

    Raises:
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
    """
    # HiGHS's tolerances are absolute: let the largest entry be 1.
    unit = float(abs(A).max()) if A.nnz else 1.0
    (rows, n), (columns, m) = E.shape, F.shape  # type: ignore[misc]  # SciPy's stub says None
    e, f = np.eye(1, rows)[0], np.eye(1, columns)[0]
    options: dict[str, float] = {
        "primal_feasibility_tolerance": FEASIBILITY,
        "dual_feasibility_tolerance": FEASIBILITY,
    }
    if time_limit is not None:
        options["time_limit"] = time_limit
    result = linprog(
        np.concatenate([np.zeros(m), e]),
        A_ub=sparse.hstack([A / unit, -E.T], format="csr"),
        b_ub=np.zeros(n),
        A_eq=sparse.hstack([F, sparse.csr_array((columns, rows))], format="csr"),
        b_eq=f,
        bounds=[(0.0, None)] * m + [(None, None)] * rows,
        method="highs-ds",
        options=options,
    )
    if result.status != 0:
        raise SolverFailed(
            f"{name}: HiGHS found no solution of the linear program ({result.message.strip()}); "
            "give it more time with time_limit, or solve the game with algorithm='cfr+'"
        )
    return Optimum(
        primal=result.x[:m],
        dual=-result.ineqlin.marginals,  # multipliers of "<=" are nonpositive
        value=unit * result.fun,
        gap=unit * abs(result.fun - float(f @ result.eqlin.marginals)),
        iterations=int(result.nit),
    )


def require_two_players(tree: GameTree) -> None:
    """Raises `NotTwoPlayers` unless the game has exactly two players."""
    if tree.num_players != 2:
        raise NotTwoPlayers(
            f"{tree.name} has {tree.num_players} player{'s' * (tree.num_players > 1)}; this method "
            "is for two. solve(tree, algorithm='cfr+') takes any number, without a guarantee"
        )


def constant_sum(tree: GameTree) -> Fraction | float:
    """What the two players' payoffs sum to at every terminal node, in utilities.

    Raises:
        NotTwoPlayers: one player, or more than two.
        NotZeroSum, InexactError: see `total_payoff`.
    """
    require_two_players(tree)
    return total_payoff(tree)


def total_payoff(tree: GameTree) -> Fraction | float:
    """What all players' payoffs sum to at every terminal node, in utilities.

    Payoffs that are fractions are added exactly. Floats of an OpenSpiel game, and irrational
    numbers, may miss the constant by `SUM_TOLERANCE` times the largest payoff. The payoffs in the
    tree decide, not what the game declares of itself.

    Raises:
        NotZeroSum: two terminal nodes have different sums; the text shows them.
        InexactError: the game has symbols.
    """
    if all(isinstance(u, int | Fraction) for row in tree.payoffs for u in row):
        return common_sum(tree, tree.payoffs, Fraction(0))
    largest = float(np.abs(tree.payoff_table).max(initial=0.0))
    return common_sum(tree, tree.payoff_table.tolist(), SUM_TOLERANCE * largest)


def common_sum(tree: GameTree, payoffs: Sequence[Sequence[Any]], tolerance: Any) -> Any:
    """The sum of every row of payoffs, in utilities.

    Args:
        tree: the compiled game, for the message.
        payoffs: the different payoff vectors of the tree, as numbers of one kind.
        tolerance: how far two sums may differ.

    Raises:
        NotZeroSum: two rows have different sums; the text shows them.
    """
    low, high = min(payoffs, key=sum), max(payoffs, key=sum)
    if sum(high) - sum(low) > tolerance:
        rows = " and ".join(f"({', '.join(map(str, row))})" for row in (low, high))
        raise NotZeroSum(
            f"{tree.name} is not zero-sum: its payoffs {rows} have different sums. Find an "
            "equilibrium of a two-player game of general sum with crywolf.solvers.lemke.lemke"
        )
    return sum(low)


def constraint_matrix(tree: GameTree, player: int) -> sparse.csr_array:
    """The matrix E of a player's realisation plans: ``E x = (1, 0, ..., 0)``.

    Returns:
        float64 (1 + information sets, sequences) of the player. Row 0 is the empty sequence, row
        ``1 + k`` the player's k-th information set: 1 at its actions, -1 at its parent sequence.
    """
    local = local_numbers(tree)
    sets = np.arange(tree.blocks[player], tree.blocks[player + 1])
    count = tree.num_actions[sets].astype(np.int64)
    size = 1 + int(count.sum())
    number = 1 + np.arange(len(sets))
    rows = np.concatenate([[0], np.repeat(number, count), number])
    columns = np.concatenate([np.arange(size), local[tree.parent_sequence[sets]]])
    signs = np.concatenate([np.ones(size), -np.ones(len(sets))])
    return sparse.csr_array((signs, (rows, columns)), shape=(1 + len(sets), size))


def payoff_matrix(tree: GameTree) -> sparse.csr_array:
    """P1's payoff matrix A: the sum over the leaves of a pair of sequences of chance times payoff.

    Returns:
        float64 (sequences of P1, sequences of P2), in utilities.
    """
    local = local_numbers(tree)
    size = [len(sequences_of(tree, p)) for p in range(2)]
    row = tree.row.astype(np.int64)
    owned = np.repeat(np.arange(tree.num_sequences), np.diff(row))
    mine = (owned == 0) | ((owned >= 2) & (owned < tree.sequence_blocks[1]))
    index = (local[owned[mine]], local[tree.others[0][mine]])
    return sparse.csr_array((tree.weight[mine], index), shape=tuple(size))


def local_numbers(tree: GameTree) -> NDArray[np.int64]:
    """The rank of each sequence among those of its player."""
    local = np.zeros(tree.num_sequences, np.int64)
    for player in range(tree.num_players):
        mine = sequences_of(tree, player)
        local[mine] = np.arange(len(mine))
    return local


def profile_of_plans(tree: GameTree, x: NDArray[np.float64], y: NDArray[np.float64]) -> Profile:
    """The behaviour strategies of two plans; see `ZeroSumSolution.profile`.

    Args:
        tree: the compiled game of two players.
        x: float64, P1's plan; entries up to `REACH_TOLERANCE` count as 0.
        y: float64, P2's plan.
    """
    weights = np.zeros(tree.num_sequences)
    for player, plan in enumerate((x, y)):
        weights[sequences_of(tree, player)] = np.where(plan > REACH_TOLERANCE, plan, 0.0)
    on_path = normalised(tree, weights)
    behaviour = on_path.copy()
    if tree.num_infosets:
        reached = np.add.reduceat(weights, tree.first.astype(np.int64)) > 0.0
        for player in range(2):
            # What it does off its own path does not change what the other must answer to.
            _, response = best_response(Profile(tree, on_path), player)
            off = np.flatnonzero((tree.owner == player) & ~reached)
            for h in off.tolist():
                behaviour[tree.slice(h)] = response.probabilities[tree.slice(h)]
    return Profile(tree, behaviour)
