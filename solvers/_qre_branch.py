"""The principal branch of a game's agent quantal response equilibria, as a sequence of points.

The equations, and the predictor-corrector method that follows their solutions from lambda = 0. What
they mean, and the sources, are told in `qre`, the module for users.

Everything here is free of units: payoffs are divided by their range (the largest difference of two
payoffs of one player), lambda is multiplied by it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Rational
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.errors import BranchLost, TreeTooLarge
from ..games.rules import Exact
from . import _qre_kernels as kernels
from .tree import GameTree

MAX_SEQUENCES = 3000
"""Sequences of the largest game that is accepted unless asked otherwise."""
TOLERANCE = 1e-10
"""How far the logarithm of a probability may be from the logit response, rounding apart."""
LARGEST = 1e10
"""Lambda times payoff range beyond which float64 cannot tell the utilities apart."""
FIRST_STEP = 0.03
"""Arc length of the first step, lambda being in units of 1 / payoff range."""
SMALLEST_STEP = 1e-9
"""The branch is given up when steps this short, relative to 1 + lambda, still fail."""
FORK = 1e-4
"""Steps over another branch are taken only if they are this short, relative to 1 + lambda."""
MAX_NEWTON = 8
"""Newton steps of one correction."""
# What a step should just reach (Allgower & Georg, Algorithm 6.1.10): the quotient of the first two
# Newton steps, the first of them (in the logarithm of a probability), the angle in radians between
# the tangents, or between them and the chord; and the growth of the step. Of 2,400 random games 16
# have another branch so near that ten times laxer choices jump over to it; of 1,600 others these
# choices do so in none.
CONTRACTION, DISTANCE, ANGLE, GROWTH = 0.1, 0.02, 0.1, 1.5
EPS = float(np.finfo(float).eps)
ROUNDING = 100.0 * EPS
"""What rounding of the utilities may make of a residual, for each unit of lambda."""
MOST_ROUNDING = 0.05
"""The largest residual that is put down to rounding."""

Vector: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Point:
    """A point of the branch, lambda in units of 1 / payoff range.

    Attributes:
        x: float64 (A,), logarithms of the action probabilities.
        lam: lambda.
        tangent: float64 (A+1,), unit vector along the branch in (x, lambda), seen from the start.
        orientation: 1 or -1, the sign of the determinant of the equations with the tangent. It
            changes where the branch crosses another one, not where it turns (Allgower & Georg,
            Chapter 8).
    """

    x: Vector
    lam: float
    tangent: Vector
    orientation: float


class LogitEquations:
    """The equations ``x = log softmax(lambda U(x))`` of a tree, and Newton's method for them.

    The unknowns are the logarithms x of the ``A`` action probabilities. Probabilities stay
    normalised, so at each of the ``H`` sets the step of the likeliest action follows from those of
    the others: linear systems have A - H unknowns and lambda, and one bordering equation.

    Attributes:
        tree: the compiled game.
        unit: the payoff range, in utilities (1 if all payoffs are equal).

    Raises:
        TreeTooLarge: more than ``max_sequences`` sequences.
    """

    def __init__(self, tree: GameTree, max_sequences: int = MAX_SEQUENCES):
        if tree.num_sequences > max_sequences:
            raise TreeTooLarge(
                f"{tree.name} has {tree.num_sequences:,} sequences, and the branch is followed "
                f"with dense matrices for up to {max_sequences:,}; pass a larger max_sequences "
                "(S sequences take up to 32 S^2 bytes, and time S^3 a point), or solve the game "
                "by CFR+",
                limit=max_sequences,
                estimate=tree.num_sequences,
                standard_error=0.0,
            )
        self.tree = tree
        n, size = tree.num_players, tree.num_sequences - tree.num_players
        low = tree.payoff_table.min(axis=0, initial=np.inf)
        spread = tree.payoff_table.max(axis=0, initial=-np.inf) - low
        self.unit = float(spread.max()) or 1.0
        payoff = np.zeros((tree.num_nodes, n))
        payoff[tree.leaves] = (tree.payoff_table[tree.payoff[tree.leaves]] - low) / self.unit
        parent = np.maximum(tree.parent, 0).astype(np.uint32)
        mover = tree.player[parent]
        # A player's edge is its sequence, chance's the number of its probability.
        edge = np.where(
            mover >= 0,
            tree.node_sequence[np.arange(tree.num_nodes), np.maximum(mover, 0)].astype(np.int64)
            - n,
            tree.probability.astype(np.int64) + size,
        )
        chances = [log_of(p) for p in tree.probabilities]
        edge[0] = size + len(chances)
        self._logs = np.array([*[0.0] * size, *chances, 0.0])
        counts = tree.num_actions.astype(np.int64)
        deciding = np.flatnonzero(tree.node_infoset >= 0)
        members = deciding[np.argsort(tree.node_infoset[deciding], kind="stable")]
        bounds = np.arange(tree.num_infosets + 1)
        moved = np.empty(tree.num_nodes, np.uint32)
        kernels.last_moves(parent, edge.astype(np.uint32), size, moved)
        self.form = kernels.AgentForm(
            parent=parent,
            edge=edge.astype(np.uint32),
            moved=moved,
            first=np.append(0, np.cumsum(counts)).astype(np.uint64),
            set_of=np.repeat(bounds[:-1], counts).astype(np.uint32),
            owner=tree.owner.astype(np.uint8),
            members=members.astype(np.uint32),
            start=np.searchsorted(tree.node_infoset[members], bounds).astype(np.uint64),
            payoff=payoff,
        )
        self._reach, self._belief = np.empty(tree.num_nodes), np.zeros(tree.num_nodes)
        self._mass = np.empty(tree.num_infosets)
        self._value = np.empty((tree.num_nodes, n))
        self._matrix, self._system = np.empty((size, size)), np.empty((0, 0))

    def utilities(self, x: Vector) -> Vector:
        """U(a | h) of every action, float64 (A,), in payoff ranges above the least payoff."""
        utility = np.empty(len(x))
        self._logs[: len(x)] = x
        kernels.evaluate(self.form, self._logs, *self._state(), utility)
        return utility

    def _state(self) -> tuple[Vector, Vector, Vector, Vector]:
        return self._reach, self._mass, self._belief, self._value

    def response(self, utility: Vector, lam: float) -> Vector:
        """The logarithms of the logit response, float64 (A,)."""
        x = np.empty(len(utility))
        kernels.log_softmax(self.form.first, lam, utility, x)
        return x

    def regret(self, x: Vector, utility: Vector) -> float:
        """The most that an owner could gain at one reached set, in payoff ranges."""
        return kernels.largest_regret(self.form.first, x, utility)

    def believed(self, x: Vector) -> Vector:
        """The belief on each decision node at its information set, float64 (D,), set by set."""
        self.utilities(x)
        return self._belief[self.form.members]

    def beliefs(self, x: Vector) -> dict[str, tuple[float, ...]]:
        """For each information set, the probabilities of its nodes given that it is reached."""
        believed, start = self.believed(x), self.form.start.tolist()
        return {
            key: tuple(believed[start[h] : start[h + 1]].tolist())
            for h, key in enumerate(self.tree.keys)
        }

    def change(self, one: Vector, two: Vector) -> float:
        """The largest difference of a probability or a belief between two solutions."""
        strategy = np.abs(np.exp(one) - np.exp(two)).max(initial=0.0)
        belief = np.abs(self.believed(one) - self.believed(two)).max(initial=0.0)
        return float(max(strategy, belief))

    def residual(self, x: Vector, lam: float) -> float:
        """The largest difference between the two sides of the equations at x."""
        return float(np.abs(x - self.response(self.utilities(x), lam)).max(initial=0.0))

    def start(self) -> Point:
        """Lambda 0: all actions of a set are equally likely."""
        x = self.response(np.zeros(len(self.form.set_of)), 0.0)
        ahead = np.append(np.zeros(len(x)), 1.0)
        return Point(x, 0.0, self.newton(x, 0.0, ahead)[1], self._orientation())

    def newton(self, x: Vector, lam: float, border: Vector) -> tuple[Vector, Vector]:
        """Newton's step and the tangent at a point near the branch.

        Args:
            x: float64 (A,), logarithms of probabilities.
            lam: lambda.
            border: float64 (A+1,), to which the step is orthogonal: the last unit vector keeps
                lambda.

        Returns:
            The step, float64 (A+1,), and the unit tangent with positive product with ``border``.

        Raises:
            numpy.linalg.LinAlgError: the linear system is singular.
        """
        form, size = self.form, len(x)
        utility = self.utilities(x)
        kernels.derivatives(form, self._logs, *self._state(), utility, self._matrix)
        gap = x - self.response(utility, lam)
        top = self._likeliest(x)
        rest = np.delete(np.arange(size, dtype=np.uint64), top)
        chief = top[form.set_of[rest]].astype(np.uint64)  # each other action's likeliest one
        ratio = np.exp(x[rest] - x[chief])
        k = len(rest)
        system, right = np.empty((k + 1, k + 1)), np.zeros((k + 1, 2))
        kernels.reduce_system(form.set_of, self._matrix, rest, chief, ratio, lam, system)
        system[:k, k] = utility[chief] - utility[rest]
        system[k, :k] = border[rest] - border[chief] * ratio
        system[k, k] = border[size]
        right[:k, 0] = gap[chief] - gap[rest]
        right[k, 1] = 1.0
        self._system = system
        solution = np.linalg.solve(system, right)
        full = np.zeros((size + 1, 2))
        full[rest] = solution[:k]
        np.subtract.at(full, chief, ratio[:, None] * solution[:k])
        full[size] = solution[k]
        return full[:, 0], full[:, 1] / np.linalg.norm(full[:, 1])

    def _orientation(self) -> float:
        """The sign of the determinant of the last linear system."""
        return float(np.linalg.slogdet(self._system)[0])

    def _likeliest(self, x: Vector) -> NDArray[np.int64]:
        order = np.lexsort((-x, self.form.set_of))
        return order[self.form.first[:-1].astype(np.int64)]

    def rounding(self, lam: float) -> float:
        """What rounding alone may make of a residual at the x that `utilities` was last asked of.

        Beliefs are quotients of reaches, which are known to one part in 2^52 of their logarithm.
        """
        bound = 16.0 * EPS * abs(lam) * (1.0 - float(self._reach.min(initial=0.0)))
        return min(bound, MOST_ROUNDING)

    def correct(
        self, x: Vector, lam: float, border: Vector, tolerance: float
    ) -> tuple[Point, float, float] | None:
        """From a prediction to the branch, orthogonally to ``border``.

        Returns:
            The point; the length of the first Newton step, in the logarithm of a probability; and
            the quotient of the second by the first. None if Newton's method does not converge.
        """
        x = self.response(x, 1.0)  # probabilities that sum to 1
        first = last = 4.0 * DISTANCE
        contraction, residual = 0.0, np.inf
        for k in range(MAX_NEWTON):
            try:
                step, tangent = self.newton(x, lam, border)
            except np.linalg.LinAlgError:
                return None
            noise = self.rounding(lam)
            length = float(np.abs(step[:-1]).max(initial=0.0))
            rough = residual > noise  # else rounding decides how long a step is
            if not length <= last:
                if rough:
                    return None
                return Point(x, lam, tangent, self._orientation()), first, contraction
            if k == 0:
                first = length
            elif k == 1 and rough and first > 0.0:
                contraction = length / first
            last = length
            x, lam = self.response(x + step[:-1], 1.0), lam + float(step[-1])
            before, residual = residual, self.residual(x, lam)
            stalled = residual > 0.5 * before and residual <= noise
            if residual <= tolerance + ROUNDING * abs(lam) or stalled:
                return Point(x, lam, tangent, self._orientation()), first, contraction
        return None


def log_of(probability: Exact | float) -> float:
    """The natural logarithm of a chance probability, which may be too small for a float."""
    if isinstance(probability, Rational):
        return math.log(probability.numerator) - math.log(probability.denominator)
    if isinstance(probability, float):
        return math.log(probability)
    import sympy  # slow to load: only where numbers are no numbers of Python's

    return float(sympy.log(probability))


def follow(
    equations: LogitEquations,
    stop: float | None = None,
    *,
    tolerance: float = TOLERANCE,
    caution: float = 1.0,
) -> Iterator[Point]:
    """The points of the principal branch, from lambda 0 on.

    Args:
        equations: of the game.
        stop: lambda, in units of 1 / payoff range, of the last point; else there is no last point.
        tolerance: see `TOLERANCE`.
        caution: steps are about this many times shorter than by default.

    Raises:
        BranchLost: no step forward succeeds, however short.
    """
    point = equations.start()
    ahead = np.append(np.zeros(len(point.x)), 1.0)
    growth, distance = 1.0 + (GROWTH - 1.0) / caution, DISTANCE / caution**2
    contraction, angle = CONTRACTION / caution, ANGLE / caution
    yield point
    step = FIRST_STEP / caution
    while stop is None or point.lam < stop:
        border, size, speed = point.tangent, step, float(point.tangent[-1])
        lam = float(point.lam + size * speed)
        last = stop is not None and lam >= stop
        if stop is not None and last:  # the last point is sought at this lambda exactly
            border, size, lam = ahead, (stop - point.lam) / speed, stop
        x = point.x + size * point.tangent[:-1]
        found = equations.correct(x, lam, border, tolerance)
        if found is not None:
            new, first, quotient = found
            turn = np.arccos(np.clip(new.tangent @ point.tangent, -1.0, 1.0))
            chord = np.append(new.x - x, new.lam - lam)
            # Near the branch the error of a step is quadratic in its length, the rest is linear.
            excess = max(
                1.0 / growth,
                np.sqrt(first / distance),
                np.sqrt(quotient / contraction),
                turn / angle,
                2.0 * float(np.linalg.norm(chord)) / (size * angle),
            )
            overshot = stop is not None and not last and new.lam >= stop
            # A step over a bend onto another branch, or over a fork, where short steps do it too.
            crossed = new.orientation != point.orientation and size > FORK * (1.0 + abs(lam))
            if excess < 2.0 and not overshot and not crossed:
                point, step = new, float(size / excess)
                yield point
                continue
        step = size / 2.0
        if step < SMALLEST_STEP * (1.0 + abs(point.lam)):
            raise BranchLost(
                f"{equations.tree.name}: the branch could not be followed beyond lambda = "
                f"{point.lam / equations.unit:.6g}; ask for a smaller lambda, a tolerance larger "
                f"than {tolerance:g}, or, if the game is symmetric, change a payoff slightly"
            )
