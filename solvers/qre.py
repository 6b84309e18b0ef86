"""Agent logit quantal response equilibria (AQRE): one of them, or the principal branch of all.

An AQRE with precision lambda is a behaviour profile with, at every information set h,

    sigma(a | h)  proportional to  exp(lambda U(a | h)),

where U(a | h) is what the owner of h expects from action a given that h is reached: with the
beliefs that Bayes' rule gives (every such profile has full support), and playing on by sigma. (R.
McKelvey and T. Palfrey, "Quantal response equilibria for extensive form games", Experimental
Economics 1, 1998.) At lambda = 0 all actions are equally likely. From there a curve of AQRE, the
*principal branch*, leads in almost all games to one limit as lambda grows, and limits of AQRE are
sequential equilibria (ibid., Theorems 4 and 5): the branch selects one, with its beliefs.

The curve is followed as by T. Turocy ("A dynamic homotopy interpretation of the logistic quantal
response equilibrium correspondence", Games and Economic Behavior 51, 2005; "Computing sequential
equilibria using agent quantal response equilibria", Economic Theory 42, 2010): in the *logarithms*
of the probabilities, in which it becomes straight for large lambda; by arc length, so that it may
turn back; with an Euler predictor, a Newton corrector, and the control of the steps of E. Allgower
and K. Georg, "Numerical Continuation Methods", 1990. Where the branch of a symmetric game meets
others in a fork, it is followed straight on, through the symmetric equilibria.

Precision is limited: beliefs off the path are quotients of probabilities near exp(-lambda), known
to some 1e-16 lambda of themselves, so that points where they matter satisfy the equations to some
1e-15 lambda^2 only (lambda in units of 1 / payoff range). `QRE.residual` tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from ._qre_branch import (
    LARGEST,
    MAX_SEQUENCES,
    ROUNDING,
    TOLERANCE,
    BranchLost,
    LogitEquations,
    Vector,
    follow,
)
from .best_response import Evaluation, evaluate
from .profile import Profile
from .tree import Game, GameTree, compile_tree

if TYPE_CHECKING:
    from .pbe.assessment import Assessment

SMALL_REGRET = 1e-6
"""The regret, in payoff ranges, up to which a trace may end at the limit."""
NEAR_LIMIT = 1e-4
"""The regret, in payoff ranges, up to which a profile may count as a limit."""
SAME_LIMIT = 1e-3
"""The change of probabilities and beliefs while lambda doubles up to which they have a limit."""
MAX_POINTS = 20_000
"""Points of a trace unless asked otherwise."""

Stopped: TypeAlias = Literal[
    "limit", "lambda", "nash_conv", "regret", "points", "precision", "lost"
]


@dataclass(frozen=True, eq=False, repr=False)
class QRE:
    """An agent logit quantal response equilibrium.

    Attributes:
        lam: lambda, per utility.
        profile: the strategies; probabilities below 1e-308 are 0 in it.
        log_probabilities: float64 (S,), their logarithms, 0 at the empty sequences.
        beliefs: for each information set, the probabilities of its nodes (`GameTree.nodes_of`)
            given that it is reached.
        values: float64 (n,), expected payoffs, in utilities.
        nash_conv: the sum of what the players could gain alone, in utilities.
        regret: the most that an owner could gain at one information set, given that it is reached
            and with its strategy elsewhere (the agent form), on the path or off it, in utilities.
            Where it is 0 for all sets, the assessment is sequentially rational.
        residual: the largest difference between the logarithm of a probability and that of the
            logit response.
    """

    lam: float
    profile: Profile
    log_probabilities: Vector
    beliefs: Mapping[str, tuple[float, ...]]
    values: Vector
    nash_conv: float
    regret: float
    residual: float

    def rounded(self, max_denominator: int = 60) -> Assessment:
        """The assessment in fractions, for `crywolf.verify_equilibrium`.

        Probabilities become the nearest fractions; the largest of a set makes the sum 1. Beliefs
        are stated where the rounded strategies never lead; Bayes' rule gives the others.

        Args:
            max_denominator: the largest denominator.
        """
        from .pbe.assessment import Assessment  # loads the prover

        tree = self.profile.tree
        strategies, probability = {}, np.ones(tree.num_sequences)
        for h, key in enumerate(tree.keys):
            row = _fractions(self.profile.probabilities[tree.slice(h)], max_denominator)
            strategies[key] = dict(zip(tree.action_names(h), row, strict=True))
            probability[tree.slice(h)] = [float(p) for p in row]
        reached = _reached_sets(tree, probability)
        beliefs = {
            key: tuple(_fractions(np.array(self.beliefs[key]), max_denominator))
            for h, key in enumerate(tree.keys)
            if not reached[h] and len(self.beliefs[key]) > 1
        }
        return Assessment(strategies, beliefs)

    def __repr__(self) -> str:
        return (
            f"QRE({self.profile.tree.name}: lambda {self.lam:.6g}, "
            f"NashConv {self.nash_conv:.6g}, regret {self.regret:.6g})"
        )


@dataclass(frozen=True, eq=False, repr=False)
class QRETrace:
    """The principal branch as far as it was followed: K points, the first at lambda 0.

    ``trace[k]`` is point k as a `QRE`, ``trace.limit`` the last one.

    Attributes:
        tree: the compiled game.
        lams: float64 (K,), lambda of each point, per utility; falls where the branch turns back.
        log_probabilities: float64 (K, S), see `QRE`.
        nash_convs: float64 (K,), see `QRE`.
        regrets: float64 (K,), see `QRE`.
        residuals: float64 (K,), see `QRE`.
        orientations: float64 (K,), 1 or -1, see `forks`.
        stopped: why it ends: at the ``lambda``, ``nash_conv``, ``regret`` or number of ``points``
            asked for, near the ``limit``, at the end of float64's ``precision``, or because the
            branch was ``lost`` (see `BranchLost`).
    """

    tree: GameTree
    lams: Vector
    log_probabilities: Vector
    nash_convs: Vector
    regrets: Vector
    residuals: Vector
    orientations: Vector
    stopped: Stopped
    equations: LogitEquations = field(repr=False)

    def __len__(self) -> int:
        return len(self.lams)

    def __getitem__(self, k: int) -> QRE:
        x = self.log_probabilities[k, self.tree.num_players :]
        return as_qre(self.equations, x, float(self.lams[k]) * self.equations.unit)

    @cached_property
    def limit(self) -> QRE:
        """The last point: where ``converged``, nearly a sequential equilibrium."""
        return self[-1]

    @cached_property
    def change(self) -> float:
        """The largest change of a probability or belief since lambda was half as large or less."""
        before = np.flatnonzero(self.lams <= 0.5 * self.lams[-1])
        if not len(before) or len(self) == 1:
            return float("inf")
        x = self.log_probabilities[:, self.tree.num_players :]
        return self.equations.change(x[before[-1]], x[-1])

    @property
    def converged(self) -> bool:
        """Whether the last point looks like the limit.

        Its regret is at most 1e-4 of the payoff range, and neither probabilities nor beliefs have
        changed by more than 1e-3 since lambda was half as large. Payoff differences so small that
        they matter only at still larger lambda remain unseen.
        """
        small = self.limit.regret <= NEAR_LIMIT * self.equations.unit
        return bool(small and self.change <= SAME_LIMIT)

    @property
    def turning_points(self) -> NDArray[np.int64]:
        """The points after which lambda changes direction."""
        signs = np.sign(np.diff(self.lams))
        return np.flatnonzero(signs[1:] != signs[:-1]) + 1

    @property
    def forks(self) -> NDArray[np.int64]:
        """The points before which the branch has crossed another one since the point before.

        Only in games with some symmetry; there, other limits exist and may be reached by changing
        a payoff slightly. Crossings of an even number of branches at once remain unseen.
        """
        return np.flatnonzero(self.orientations[1:] != self.orientations[:-1]) + 1

    def __repr__(self) -> str:
        end = "converged" if self.converged else f"not converged, {self.stopped}"
        return (
            f"QRETrace({self.tree.name}: {len(self)} points to lambda {self.lams[-1]:.6g}, "
            f"NashConv {self.nash_convs[-1]:.6g}, {end})"
        )


def trace_qre(
    game: Game,
    *,
    max_lam: float | None = None,
    nash_conv: float | None = None,
    regret: float | None = None,
    tolerance: float = TOLERANCE,
    caution: float = 1.0,
    max_points: int = MAX_POINTS,
    max_sequences: int = MAX_SEQUENCES,
    progress: Callable[[float, float], None] | None = None,
) -> QRETrace:
    """Follows the principal branch from lambda 0 until the first of the given ends.

    With no end given it goes on to the limit: until the regret is at most 1e-6 of the payoff range
    and lambda doubles without a probability or belief changing by more than 1e-3.

    With S sequences a point takes some three solutions of linear systems of S equations (minus two
    for each information set), and memory for 4 S^2 numbers.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        max_lam: lambda, per utility, of the last point.
        nash_conv: ends at a NashConv of at most this, in utilities.
        regret: ends at a `QRE.regret` of at most this, in utilities.
        tolerance: see `QRE.residual`; rounding apart.
        caution: steps are about this many times shorter. Branches may run so close to each other
            that a step lands on the wrong one; the same limit with more caution makes that
            unlikely.
        max_points: the largest number of points.
        max_sequences: the largest game to accept.
        progress: called with (lambda, NashConv) at each point.

    Raises:
        TreeTooLarge: more than ``max_sequences`` sequences.
        ParameterError: an end that is negative or no number, or lambda beyond what float64 can
            tell; or see `compile_tree`.
    """
    equations = cautious_equations(compile_tree(game), max_sequences, caution)
    stop = None if max_lam is None else without_units(equations, max_lam)
    for name, end in {"nash_conv": nash_conv, "regret": regret}.items():
        if end is not None and not end >= 0.0:
            raise ParameterError(f"{name}={end}: an end in utilities is a number >= 0")
    to_limit = max_lam is None and nash_conv is None and regret is None
    settled, same = None, False  # the last of the points, each with twice the lambda, to compare
    points: list[_Measured] = []
    stopped: Stopped = "lambda"
    try:
        for point in follow(equations, stop, tolerance=tolerance, caution=caution):
            new = _measure(equations, point.x, point.lam, point.orientation)
            points.append(new)
            if progress is not None:
                progress(new.lam, new.evaluation.nash_conv)
            if to_limit and point.lam >= 1.0 and new.regret <= SMALL_REGRET * equations.unit:
                settled = settled or point
                if point.lam >= 2.0 * settled.lam:
                    same = equations.change(settled.x, point.x) <= SAME_LIMIT
                    settled = point
            if same:
                stopped = "limit"
            elif regret is not None and new.regret <= regret:
                stopped = "regret"
            elif nash_conv is not None and new.evaluation.nash_conv <= nash_conv:
                stopped = "nash_conv"
            elif point.lam > LARGEST:
                stopped = "precision"
            elif len(points) >= max_points:
                stopped = "points"
            if stopped != "lambda":
                break
    except BranchLost:
        rounded = points[-1].residual > tolerance + ROUNDING * points[-1].lam * equations.unit
        stopped = "precision" if rounded else "lost"
    return QRETrace(
        equations.tree,
        np.array([p.lam for p in points]),
        np.array([p.logs for p in points]),
        np.array([p.evaluation.nash_conv for p in points]),
        np.array([p.regret for p in points]),
        np.array([p.residual for p in points]),
        np.array([p.orientation for p in points]),
        stopped,
        equations,
    )


def qre(
    game: Game,
    lam: float,
    *,
    tolerance: float = TOLERANCE,
    caution: float = 1.0,
    max_sequences: int = MAX_SEQUENCES,
) -> QRE:
    """The AQRE with the given lambda on the principal branch: the first one that it comes to.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        lam: lambda, per utility.
        tolerance: see `QRE.residual`; rounding apart.
        caution: see `trace_qre`.
        max_sequences: the largest game to accept.

    Raises:
        BranchLost: the branch could not be followed to this lambda.
        TreeTooLarge: more than ``max_sequences`` sequences.
        ParameterError: lambda is negative or no number, or beyond what float64 can tell; or see
            `compile_tree`.
    """
    equations = cautious_equations(compile_tree(game), max_sequences, caution)
    stop = without_units(equations, lam)
    *_, point = follow(equations, stop, tolerance=tolerance, caution=caution)
    return as_qre(equations, point.x, point.lam)


# ------------------------------------------------------------------------------------- helpers


@dataclass(frozen=True, eq=False)
class _Measured:
    """A point in the user's units, without what a trace can do without; see `QRE`."""

    lam: float
    logs: Vector
    profile: Profile
    evaluation: Evaluation
    regret: float
    residual: float
    orientation: float


def _measure(
    equations: LogitEquations, x: Vector, lam: float, orientation: float = 1.0
) -> _Measured:
    utility = equations.utilities(x)
    response = equations.response(utility, lam)
    logs = np.concatenate([np.zeros(equations.tree.num_players), x])
    profile = Profile(equations.tree, np.exp(logs))
    return _Measured(
        lam / equations.unit,
        logs,
        profile,
        evaluate(profile),
        equations.regret(x, utility) * equations.unit,
        float(np.abs(x - response).max(initial=0.0)),
        orientation,
    )


def as_qre(equations: LogitEquations, x: Vector, lam: float) -> QRE:
    """The solution x of the equations with lambda, in the user's units."""
    new = _measure(equations, x, lam)
    beliefs = equations.beliefs(x)
    values, nash_conv = new.evaluation.values, new.evaluation.nash_conv
    return QRE(new.lam, new.profile, new.logs, beliefs, values, nash_conv, new.regret, new.residual)


def cautious_equations(tree: GameTree, max_sequences: int, caution: float) -> LogitEquations:
    """The equations of a game, once the caution is known to make sense."""
    if not 1.0 <= caution < float("inf"):
        raise ParameterError(f"caution={caution}: a number of at least 1; 1 is the default")
    return LogitEquations(tree, max_sequences)


def without_units(equations: LogitEquations, lam: float) -> float:
    """Lambda in units of 1 / payoff range.

    Raises:
        ParameterError: lambda is negative or no number, or beyond what float64 can tell.
    """
    scaled = float(lam) * equations.unit
    if not 0.0 <= scaled <= LARGEST:
        raise ParameterError(
            f"lambda={lam}: a number from 0 to {LARGEST / equations.unit:.3g}, beyond which "
            "float64 cannot tell the utilities of different actions apart"
        )
    return scaled


def _fractions(row: Vector, max_denominator: int) -> list[Fraction]:
    """The nearest fractions, with sum 1."""
    nearest = [Fraction(float(p)).limit_denominator(max_denominator) for p in row]
    top = int(np.argmax(row))
    nearest[top] += 1 - sum(nearest)
    return nearest


def _reached_sets(tree: GameTree, probability: Vector) -> NDArray[np.bool_]:
    """Which information sets the strategies reach with positive probability, bool (H,)."""
    open_ = np.ones(tree.num_nodes, bool)
    reached = np.zeros(tree.num_infosets, bool)
    for node in range(tree.num_nodes):
        if node > 0:
            above = int(tree.parent[node])
            mover = int(tree.player[above])
            played = mover < 0 or probability[tree.node_sequence[node, mover]] > 0.0
            open_[node] = open_[above] and played
        if tree.node_infoset[node] >= 0 and open_[node]:
            reached[tree.node_infoset[node]] = True
    return reached
