"""Two-player zero-sum games in rational arithmetic: value and equilibrium, with a proof.

The linear program of `sequence_lp` is written as

    minimise g z  subject to  K z <= b,    with the dual    minimise b w  subject to  -K' w <= g,

where z = (y, p) holds P2's plan and the values of P1's information sets, and w = (q, x) those of
P2's information sets and P1's plan. The rows of P2's constraints are equations, p and q are free,
all else is nonnegative. A *basis* is a set of rows R and of columns C with a nonsingular matrix
``M = K[R, C]``: it fixes z (0 outside C, equality in R) and w (0 outside R, equality in C). If both
keep all inequalities, each proves that the other is optimal.

1. HiGHS solves the program in floats, once for each player: of its two solutions only the primal
   one is sure to be a vertex. The supports, completed by elimination, are the first basis.
2. The two systems of the basis are solved exactly (`exact_linear`), and all inequalities checked.
   (D. Applegate, W. Cook, S. Dash, D. Espinoza, "Exact solutions to linear programming problems",
   Operations Research Letters 35, 2007.)
3. While one fails, the basis is exchanged: of the variables that are infeasible the first leaves
   or enters. Where z or w is feasible, its partner is found by the ratio test, which keeps it
   feasible: the primal and the dual simplex method with Bland's rule. Where neither is, the partner
   is the first that fits: the criss-cross method, which needs no feasible point. None can cycle.
   (R. Bland, Mathematics of Operations Research 2, 1977; T. Terlaky, "A convergent criss-cross
   method", Optimization 16, 1985.)

Rows and columns of K share one numbering, so that a basis is one set of numbers and the dual is the
same kind of program.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..games.errors import BadPayoff, SolverFailed
from .exact_form import ExactForm, exact_payoffs
from .exact_linear import PRIMES, Factors, Matrix, Vector, dot, lift, negated, transposed
from .sequence_lp import REACH_TOLERANCE, common_sum, constraint_matrix, minimise, payoff_matrix
from .tree import GameTree

TIE_TOLERANCE = 1e-9
"""Losses up to this, in units of the largest payoff entry, are ties in floating point."""


@dataclass(frozen=True)
class ExactZeroSumSolution:
    """The exact value of a two-player zero-sum game and an exact equilibrium.

    Attributes:
        value: of the game to P1, in utilities.
        constant: the sum of both payoffs, 0 if zero-sum.
        probabilities: an equilibrium: exact probability of each sequence's last action, indexed
            as in `Profile`. Where a player's own plan does not go, its behaviour is a pure best
            response to the other's plan, the lowest action among ties.
        order: of the matrix of the last basis.
        pivots: changes of the basis; 0 where the first one, from HiGHS, was optimal.
        seconds: time spent, not part of equality.
    """

    value: Fraction
    constant: Fraction
    probabilities: tuple[Fraction, ...]
    order: int
    pivots: int
    seconds: float = field(compare=False)

    @property
    def values(self) -> tuple[Fraction, Fraction]:
        """The value of the game to each player, in utilities."""
        return self.value, self.constant - self.value


def solve_zero_sum_exact(
    tree: GameTree, *, progress: Callable[[int], None] | None = None
) -> ExactZeroSumSolution:
    """The exact value and an exact equilibrium of a two-player game of constant sum.

    Exact are chance and payoffs as `GameTree.exact_tables` has them. What is returned is proved:
    the most that each player can get against the other's plan adds up to the constant.

    Args:
        tree: the compiled game.
        progress: called with the number of pivots, after each. Mostly there is none.

    Raises:
        NotTwoPlayers: one player, or more than two.
        NotZeroSum: the exact payoffs do not sum to a constant.
        InexactError: the game has symbols, irrational numbers, or floats that are no fractions.
    """
    started = time.perf_counter()
    form = ExactForm.of(tree)
    constant = common_sum(tree, exact_payoffs(tree), Fraction(0))
    program = Program.of(form)
    z, w, basis, pivots = optimum(program, _first_basis(form, program), progress)
    plans = [w.get(k, 0) for k in program.x], [z.get(k, 0) for k in program.y]
    values = [form.best_response(p, plans[1 - p])[0] for p in range(2)]
    # The proof, which does not rest on how the plans were found.
    if not all(form.is_plan(p, plans[p]) for p in range(2)) or sum(values) != constant:
        raise SolverFailed(f"{tree.name}: the plans found prove nothing; please report the game")
    return ExactZeroSumSolution(
        value=values[0],
        constant=constant,
        probabilities=form.behaviour(plans),
        order=len(basis) // 2,
        pivots=pivots,
        seconds=time.perf_counter() - started,
    )


@dataclass(frozen=True)
class Program:
    """Minimise g z subject to K z <= b, in integers.

    Attributes:
        rows: K by rows.
        columns: K by columns.
        b: the right-hand side of the rows.
        g: the objective.
        equations: rows that are equations.
        free: columns without a sign.
        x: rows that are P1's sequences (columns in the dual).
        y: columns that are P2's sequences (rows in the dual).
    """

    rows: Matrix
    columns: Matrix
    b: Vector
    g: Vector
    equations: range
    free: range
    x: range
    y: range

    @classmethod
    def of(cls, form: ExactForm) -> Program:
        """The program of a zero-sum game: K has the rows (F, 0) and (A, -E')."""
        E, F = form.constraints(0), form.constraints(1)
        ends = [0]
        for size in (form.sizes[1], len(E), len(F), form.sizes[0]):
            ends.append(ends[-1] + size)
        y, p, q, x = (range(*pair) for pair in pairwise(ends))
        rows: Matrix = dict(zip(q, F, strict=True))
        rows |= {k: dict(form.payoffs[0].get(s, {})) for s, k in enumerate(x)}
        for k, row in zip(p, E, strict=True):
            for s, sign in row.items():
                rows[x[s]][k] = -sign
        return cls(rows, transposed(rows), {q[0]: 1}, {p[0]: 1}, equations=q, free=p, x=x, y=y)

    @cached_property
    def dual(self) -> Program:
        """Minimise b w subject to -K' w <= g."""
        rows, columns = negated(self.columns), negated(self.rows)
        return Program(rows, columns, self.g, self.b, self.free, self.equations, self.x, self.y)

    def part(self, basis: set[int]) -> Matrix:
        """The rows and columns of K that are in the basis."""
        rows = {i: row for i, row in self.rows.items() if i in basis}
        return {i: {j: v for j, v in row.items() if j in basis} for i, row in rows.items()}

    def factors(self, basis: set[int]) -> Factors:
        """The elimination of a basis."""
        matrix = self.part(basis)
        for prime in PRIMES:
            factors = Factors.of(matrix, [list(matrix)], {}, prime)
            if len(factors.steps) == len(matrix):
                return factors
        raise SolverFailed("a basis is singular modulo every prime; please report the game")

    def point(self, basis: set[int], factors: Factors) -> Point:
        """The solution that a basis fixes."""
        z, scale = lift(self.part(basis), self.b, factors)
        slack = {i: scale * self.b.get(i, 0) - dot(row, z) for i, row in self.rows.items()}
        negative = [j for j, v in z.items() if v < 0 and j not in self.free]
        negative += [i for i, v in slack.items() if v < 0]
        return Point(z, slack, min(negative, default=None))

    def partner(self, basis: set[int], k: int, dual_factors: Factors, other: Point | None) -> int:
        """What enters the basis when variable or slack k is raised and leaves it.

        With ``rho M = a``, the row of k in the simplex tableau is rho at the slacks of R and
        ``rho K - K_k`` at the columns outside C. For a slack, a is the part of row ``K_k`` in C;
        for a column, a is minus the unit vector of k, and ``K_k`` is 0.

        Args:
            basis: numbers of its rows and columns.
            k: of the basis.
            dual_factors: of the basis, for the dual program.
            other: the dual point if it is to stay feasible.
        """
        whole = self.rows.get(k, {})
        a = {j: v for j, v in whole.items() if j in basis} if k in self.rows else {k: -1}
        rho, scale = lift(self.dual.part(basis), {j: -v for j, v in a.items()}, dual_factors)
        tableau = {i: v for i, v in rho.items() if i not in self.equations}
        for j, column in self.columns.items():
            if j not in basis:
                tableau[j] = dot(column, rho) - scale * whole.get(j, 0)
        fitting = [j for j, v in tableau.items() if v > 0]
        if other is None:
            return min(fitting)
        value = other.slack | other.z
        return min(fitting, key=lambda j: (Fraction(value.get(j, 0), tableau[j]), j))


@dataclass(frozen=True)
class Point:
    """The solution that a basis fixes, times a positive integer.

    Attributes:
        z: values of the columns of the basis.
        slack: of all rows, ``b - K z``.
        infeasible: the first column or row that is negative and may not be, if any.
    """

    z: Vector
    slack: Vector
    infeasible: int | None


def optimum(
    program: Program, basis: set[int], progress: Callable[[int], None] | None = None
) -> tuple[Vector, Vector, set[int], int]:
    """Optimal z and w, each times a positive integer, the last basis, and the number of pivots.

    Args:
        program: feasible, and with a feasible dual.
        basis: numbers of rows and columns with a nonsingular matrix, all equations and all free
            columns among them.
        progress: called with the number of pivots, after each.
    """
    pivots = 0
    while True:
        factors = program.factors(basis)
        primal = program.point(basis, factors)
        dual = program.dual.point(basis, factors.dual)
        i, j = primal.infeasible, dual.infeasible
        if i is None and j is None:
            return primal.z, dual.z, basis, pivots
        if i is not None and (j is None or i < j):
            keep = dual if j is None else None
            basis = basis ^ {i, program.partner(basis, i, factors.dual, keep)}
        elif j is not None:
            keep = primal if i is None else None
            basis = basis ^ {j, program.dual.partner(basis, j, factors, keep)}
        pivots += 1
        if progress is not None:
            progress(pivots)


def _first_basis(form: ExactForm, program: Program) -> set[int]:
    """The basis of HiGHS's solution, or else that of the players' first actions."""
    always = {*program.equations, *program.free}
    try:
        basis = _basis_of_support(form, program)
    except (SolverFailed, BadPayoff):  # too hard or too large for floats: begin anywhere
        basis = set()
    if always <= basis:
        return basis
    for p, place in enumerate((program.x, program.y)):
        always |= {place[0], *(place[actions[0]] for _, actions in form.sets[p])}
    return always


def _basis_of_support(form: ExactForm, program: Program) -> set[int]:
    """What HiGHS's plans use, completed by sequences that lose nothing.

    The supports determine the plans, but they make a square matrix only where the solution is
    unique. Elimination takes as many rows and columns as are independent, used ones before others.
    """
    tree = form.tree
    A, E, F = payoff_matrix(tree), constraint_matrix(tree, 0), constraint_matrix(tree, 1)
    y = minimise(A, E, F, name=tree.name).primal
    x = minimise(-A.T, F, E, name=tree.name).primal
    unit = abs(A).max() if A.nnz else 1.0
    used, tied = [], []
    for p, place, plan, gradient in ((0, program.x, x, A @ y), (1, program.y, y, -A.T @ x)):
        loss = _losses(form, p, gradient / unit)
        used.append([k for k, v in zip(place, plan.tolist()) if v > REACH_TOLERANCE])
        tied.append({k for k, v in zip(place, loss.tolist()) if v < TIE_TOLERANCE})
    rows = [[*program.equations], used[0], sorted(tied[0] - {*used[0]})]
    rank = dict.fromkeys(tied[1], 2) | dict.fromkeys(used[1], 1) | dict.fromkeys(program.free, 0)
    steps = Factors.of(program.part({*rank}.union(*rows)), rows, rank, PRIMES[0]).steps
    return {k for step in steps for k in (step.row, step.column)}


def _losses(form: ExactForm, player: int, gradient: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each sequence's last action loses to the best one, if the player then plays its best.

    HiGHS's slacks do not tell: off the path its values of information sets may be any bounds.
    """
    value, loss = gradient.copy(), np.zeros(len(gradient))
    for parent, actions in reversed(form.sets[player]):
        own = slice(actions.start, actions.stop)
        best = value[own].max()
        loss[own] = best - value[own]
        value[parent] += best
    return loss
