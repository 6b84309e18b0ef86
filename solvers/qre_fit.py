"""Maximum-likelihood estimates of lambda from observed play, along the principal branch of AQRE.

R. McKelvey and T. Palfrey, "Quantal response equilibria for extensive form games", Experimental
Economics 1, 1998, Section 5; T. Turocy, "Computing sequential equilibria using agent quantal
response equilibria", Economic Theory 42, 2010. See `qre` for the branch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ..games.errors import PolicyError
from ._qre_branch import MAX_SEQUENCES, TOLERANCE, LogitEquations, Point, Vector, follow
from .profile import find_infoset
from .qre import QRE, as_qre, cautious_equations, without_units
from .tree import Game, GameTree, compile_tree

FIT_RANGE = 1000.0
"""Lambda times payoff range up to which `fit_qre` looks for the maximum unless asked otherwise."""
NEARBY = 1e-4
"""Arc length, relative to 1 + lambda, for the curvature of the log-likelihood."""

Counts: TypeAlias = ArrayLike | Mapping[str, Mapping[str, float] | Mapping[int, float]]


@dataclass(frozen=True, eq=False, repr=False)
class QREFit:
    """The AQRE of the principal branch that makes observed actions likeliest.

    Attributes:
        qre: the equilibrium, with its lambda.
        log_likelihood: of the counts under it: sum of count times logarithm of the probability,
            choices at different information sets taken as independent given that these are reached.
        uniform_log_likelihood: the same at lambda 0, to compare with.
        standard_error: of lambda, from the curvature of the log-likelihood along the branch (the
            observed information); NaN at either end of it, and where lambda turns.
        at_end: whether the maximum is at the largest lambda that was tried, so that no lambda up
            to there is best.
        lams: float64 (K,), lambda of the points of the branch, per utility.
        log_likelihoods: float64 (K,), at these points.
    """

    qre: QRE
    log_likelihood: float
    uniform_log_likelihood: float
    standard_error: float
    at_end: bool
    lams: Vector
    log_likelihoods: Vector

    @property
    def lam(self) -> float:
        """The maximum-likelihood estimate of lambda, per utility."""
        return self.qre.lam

    def __repr__(self) -> str:
        end = ", the largest tried" if self.at_end else f" ± {self.standard_error:.3g}"
        return (
            f"QREFit({self.qre.profile.tree.name}: lambda {self.lam:.6g}{end}, "
            f"log-likelihood {self.log_likelihood:.6g}, uniform {self.uniform_log_likelihood:.6g})"
        )


def fit_qre(
    game: Game,
    counts: Counts,
    *,
    max_lam: float | None = None,
    tolerance: float = TOLERANCE,
    caution: float = 1.0,
    max_sequences: int = MAX_SEQUENCES,
    progress: Callable[[float, float], None] | None = None,
) -> QREFit:
    """The lambda that makes observed actions likeliest, along the principal branch only.

    Other branches may hold likelier equilibria; but the principal one alone has an equilibrium for
    every lambda, and starts at random play. All local maxima along it are compared. (McKelvey and
    Palfrey 1998, Section 5, for estimates of this kind.)

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        counts: how often each action was observed at its information set: ``{information-state
            string: {action name or number: count}}`` with zeros and unseen sets left out, or an
            array (S,) or (R, S) indexed by sequences, whose rows are added up, such as the
            ``counts`` of `crywolf.Draws`.
        max_lam: the largest lambda to try, per utility; by default 1000 / payoff range.
        tolerance: see `QRE.residual`; rounding apart.
        caution: see `trace_qre`.
        max_sequences: the largest game to accept.
        progress: called with (lambda, log-likelihood) at each point.

    Raises:
        PolicyError: counts that do not fit the game, are negative, or all 0.
        BranchLost: the branch could not be followed to ``max_lam``.
        TreeTooLarge: more than ``max_sequences`` sequences.
        ParameterError: see `trace_qre`.
    """
    tree = compile_tree(game)
    observed = _read_counts(tree, counts)
    equations = cautious_equations(tree, max_sequences, caution)
    stop = FIT_RANGE if max_lam is None else without_units(equations, max_lam)
    points: list[Point] = []
    likelihoods: list[float] = []
    for point in follow(equations, stop, tolerance=tolerance, caution=caution):
        points.append(point)
        likelihoods.append(float(observed @ point.x))
        if progress is not None:
            progress(point.lam / equations.unit, likelihoods[-1])
    candidates = [points[0], points[-1]]
    for one, two in pairwise(points):
        if observed @ one.tangent[:-1] > 0.0 >= observed @ two.tangent[:-1]:
            candidates.append(_maximum(equations, one, two, observed, tolerance))
    best = max(candidates, key=lambda point: float(observed @ point.x))
    inside = best is not points[0] and best is not points[-1]
    error = _standard_error(equations, best, observed, tolerance) if inside else float("nan")
    return QREFit(
        as_qre(equations, best.x, best.lam),
        float(observed @ best.x),
        likelihoods[0],
        error / equations.unit,
        best is points[-1] and len(points) > 1,
        np.array([point.lam for point in points]) / equations.unit,
        np.array(likelihoods),
    )


def _read_counts(tree: GameTree, counts: Counts) -> Vector:
    """The counts of all actions, float64 (A,)."""
    n = tree.num_players
    if isinstance(counts, Mapping):
        given = np.zeros((1, tree.num_sequences))
        for key, row in counts.items():
            h = find_infoset(tree, key)
            for action, count in row.items():
                choices = tree.action_names(h) if isinstance(action, str) else tree.legal[h]
                if action not in choices:
                    raise PolicyError(
                        f"{tree.name}: information set {key!r} has no action {action!r}; it has "
                        f"{', '.join(map(str, choices))}"
                    )
                given[0, int(tree.first[h]) + list(choices).index(action)] += count
    else:
        given = np.atleast_2d(np.asarray(counts, np.float64))
        if given.ndim != 2 or given.shape[1] != tree.num_sequences or given[:, :n].any():
            raise PolicyError(
                f"{tree.name} has {tree.num_sequences} sequences, the first {n} of them empty, but "
                f"the counts have shape {np.shape(counts)}; give one count for each sequence, 0 "
                "for the empty ones, or {information set: {action: count}}"
            )
    if not (np.isfinite(given).all() and (given >= 0.0).all() and given.any()):
        raise PolicyError(
            f"{tree.name}: counts are numbers >= 0, and some action must have been observed"
        )
    return given.sum(axis=0)[n:]


def _maximum(
    equations: LogitEquations, one: Point, two: Point, observed: Vector, tolerance: float
) -> Point:
    """The maximum of the log-likelihood between two points: where its slope along the arc is 0.

    Regula falsi with halving (Illinois), on the cubic through both points, each trial corrected.
    """
    ends = np.append(one.x, one.lam), np.append(two.x, two.lam)
    length = float(np.linalg.norm(ends[1] - ends[0]))
    low, high = 0.0, 1.0
    below, above = float(observed @ one.tangent[:-1]), float(observed @ two.tangent[:-1])
    best = max(one, two, key=lambda point: float(observed @ point.x))
    for _ in range(50):
        t = (low * above - high * below) / (above - below)
        trial = (
            (1.0 + 2.0 * t) * (1.0 - t) ** 2 * ends[0]
            + t * (1.0 - t) ** 2 * length * one.tangent
            + t * t * (3.0 - 2.0 * t) * ends[1]
            + t * t * (t - 1.0) * length * two.tangent
        )
        point = _corrected(equations, trial, (1.0 - t) * one.tangent + t * two.tangent, tolerance)
        if point is None:
            return best
        best = point
        slope = float(observed @ point.tangent[:-1])
        if slope > 0.0:
            low, below, above = t, slope, above / 2.0
        else:
            high, above, below = t, slope, below / 2.0
        if high - low < 1e-12 or abs(slope) < 1e-12 * observed.sum():
            break
    return best


def _standard_error(
    equations: LogitEquations, best: Point, observed: Vector, tolerance: float
) -> float:
    """1 / sqrt(- second derivative of the log-likelihood by lambda), from two points nearby."""
    arc = NEARBY * (1.0 + best.lam)
    slopes, lams = [], []
    for side in (-arc, arc):
        trial = np.append(best.x, best.lam) + side * best.tangent
        point = _corrected(equations, trial, best.tangent, tolerance)
        if point is None or point.tangent[-1] == 0.0:
            return float("nan")
        slopes.append(float(observed @ point.tangent[:-1]) / float(point.tangent[-1]))
        lams.append(point.lam)
    information = -(slopes[1] - slopes[0]) / (lams[1] - lams[0])
    return float(information**-0.5) if information > 0.0 else float("nan")


def _corrected(
    equations: LogitEquations, trial: Vector, border: Vector, tolerance: float
) -> Point | None:
    """The point of the branch near a trial, with its tangent to full precision."""
    found = equations.correct(trial[:-1], float(trial[-1]), border, tolerance)
    if found is None:
        return None
    point = found[0]
    return replace(point, tangent=equations.newton(point.x, point.lam, border)[1])
