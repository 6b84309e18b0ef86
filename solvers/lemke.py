"""A Nash equilibrium of a two-player game of general sum, exactly, by Lemke's algorithm.

Plans x, y of the sequence form are an equilibrium if each is a best response to the other, which is
a linear complementarity problem as large as the tree: a sequence is played only if its last action
loses nothing. (D. Koller, N. Megiddo, B. von Stengel, "Efficient computation of equilibria for
extensive two-person games", Games and Economic Behavior 14, 1996.)

The path of B. von Stengel, A. van den Elzen, D. Talman ("Computing normal form perfect equilibria
for extensive two-person games", Econometrica 70, 2002) begins at any profile (s, t). With weight
``z0 = 1 - w`` each player expects the other to play as in that profile, for the rest as it does
now: P1 plays best responses to ``y + z0 t``, P2 to ``x + z0 s``, where the plans x and y have
weight w. At w = 0 these are best responses to the start, at w = 1 an equilibrium; between, the
path is followed by complementary pivoting. It is the linear tracing procedure of Harsanyi and
Selten. Different starts may lead to different equilibria.

The tableau is a *dictionary*: each basic variable as a linear function of the nonbasic ones, a
sparse row of integers with a positive integer in front of the basic variable, divided by
their greatest common divisor after each pivot. (Bareiss's one common denominator would touch every
row at every pivot; the rows of a game tree have few entries in common.) Ties in the ratio test are
decided lexicographically, as if every constraint were perturbed by its own small number: so the
method cannot cycle, and visits each basis at most once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm

from ..games.errors import PolicyError, ProblemTooLarge, SolverFailed
from ..games.rules import Exact
from .exact import exact_number
from .exact_form import ExactForm, Plan
from .exact_linear import Vector
from .profile import Profile
from .tree import GameTree

MAX_SEQUENCES = 1000
"""Sequences of both players together that are accepted: the tableau has a row for each."""
START_DENOMINATOR = 100
"""Floats of a start are rounded to fractions with denominators up to this: long ones are slow."""

ONE = -1
"""The column of the constants in a dictionary."""


@dataclass(frozen=True)
class LemkeEquilibrium:
    """A Nash equilibrium of a two-player game, exactly.

    Attributes:
        probabilities: exact probability of each sequence's last action, indexed as in `Profile`.
            Where a player's own plan does not go, its behaviour is a pure best response to the
            other's plan, the lowest action among ties.
        values: the expected payoff of each player, in utilities.
        pivots: steps on the path from the start.
        seconds: time spent, not part of equality.
    """

    probabilities: tuple[Fraction, ...]
    values: tuple[Fraction, Fraction]
    pivots: int
    seconds: float = field(compare=False)


def lemke(
    tree: GameTree,
    start: Profile | Sequence[Exact | str] | None = None,
    *,
    max_sequences: int = MAX_SEQUENCES,
    max_pivots: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> LemkeEquilibrium:
    """One Nash equilibrium of a two-player game, of general sum or not.

    It always finds one; the number of pivots may grow exponentially, but hardly ever does. That
    neither player can gain is checked exactly before it is returned. Where the start gives every
    action a positive probability and the game is not degenerate, the equilibrium is normal-form
    perfect: no weakly dominated strategies (von Stengel, van den Elzen & Talman 2002).

    Args:
        tree: the compiled game; its exact chance and payoffs are used, see `GameTree.exact_tables`.
        start: the profile that the path begins at; by default all actions of an information set are
            equally likely. Exact probabilities indexed by sequences (see `exact_profile`), or a
            `Profile`, whose floats are rounded to short fractions.
        max_sequences: the largest number of sequences (of both players) to accept.
        max_pivots: give up after so many; by default never.
        progress: called with the number of pivots, after each.

    Raises:
        NotTwoPlayers: one player, or more than two.
        ProblemTooLarge: more than ``max_sequences`` sequences; raised before any work.
        SolverFailed: more than ``max_pivots`` pivots.
        PolicyError: the start is no profile of this game.
        InexactError: the game has symbols, irrational numbers, or floats that are no fractions.
    """
    started = time.perf_counter()
    if tree.num_players == 2 and tree.num_sequences > max_sequences:
        raise ProblemTooLarge(
            f"{tree.name} has {tree.num_sequences:,} sequences, more than {max_sequences:,}; pass "
            "a larger max_sequences and be patient, or solve it with algorithm='cfr+'. If it is "
            "zero-sum, solve_zero_sum_exact is much faster"
        )
    form = ExactForm.of(tree)
    table = Dictionary.at_start(form, _plans(form, start))
    pivots = 0
    while not table.finished:
        if pivots == max_pivots:
            raise SolverFailed(
                f"{tree.name}: no equilibrium after {pivots:,} pivots; raise max_pivots, or try "
                "another start: paths differ much in length"
            )
        table.pivot()
        pivots += 1
        if progress is not None:
            progress(pivots)
    plans = table.plans()
    values = form.payoff(0, plans), form.payoff(1, plans)
    # The proof, which does not rest on how the plans were found.
    best = form.best_response(0, plans[1])[0], form.best_response(1, plans[0])[0]
    if not all(form.is_plan(p, plans[p]) for p in range(2)) or values != best:
        raise SolverFailed(f"{tree.name}: the plans found are no equilibrium; please report it")
    seconds = time.perf_counter() - started
    return LemkeEquilibrium(form.behaviour(plans), values, pivots, seconds)


def _plans(form: ExactForm, start: Profile | Sequence[Exact | str] | None) -> tuple[Plan, Plan]:
    """The plans of the profile that the path begins at."""
    tree = form.tree
    if start is None:
        start = Profile.uniform(tree)
    if isinstance(start, Profile):
        if not start.tree.same_game(tree):
            raise PolicyError(f"{tree.name}: the start is a profile of {start.tree.name}")
        given = [Fraction(p) for p in start.probabilities.tolist()]
        for own in map(tree.slice, range(tree.num_infosets)):
            given[own] = _rounded(given[own])
    else:
        given = [exact_number(p) for p in start]
    if len(given) == tree.num_sequences:
        plans = form.plan_of(0, given), form.plan_of(1, given)
        if all(form.is_plan(p, plans[p]) for p in range(2)):
            return plans
    raise PolicyError(
        f"{tree.name}: the start is no profile of this game; build it with exact_profile, or give "
        "a Profile"
    )


def _rounded(row: Sequence[Fraction]) -> list[Fraction]:
    """Probabilities rounded, relative to the uniform distribution, to fractions that sum to 1."""
    weights = [(p * len(row)).limit_denominator(START_DENOMINATOR) for p in row]
    return [weight / sum(weights) for weight in weights]


class Dictionary:
    """The basic variables as linear functions of the others.

    The variables are numbered: ``plan(p, s)``, the weight of sequence s of player p; ``loss(p,
    s)``, what its last action loses; w, and ``z0 = 1 - w``. At every step but the last, of each
    pair of plan and loss one is nonbasic, and 0; one pair is nonbasic both.

    Attributes:
        form: the game.
        rows: of each basic variable: integers by nonbasic variable, `ONE` for the constant.
        scale: of each basic variable: its positive coefficient on the left-hand side.
        entering: the nonbasic variable that grows next.
        initial: the variables that are basic at the beginning.
    """

    def __init__(self, form: ExactForm):
        self.form = form
        self.rows: dict[int, Vector] = {}
        self.scale: dict[int, int] = {}
        self.half = sum(form.sizes)
        self.w = 2 * self.half
        self.z0 = self.w + 1
        self.entering = self.w
        self.initial: list[int] = []

    def plan(self, player: int, s: int) -> int:
        """The number of the weight of a sequence."""
        return s + player * self.form.sizes[0]

    def loss(self, player: int, s: int) -> int:
        """The number of the loss of a sequence's last action."""
        return self.half + self.plan(player, s)

    @classmethod
    def at_start(cls, form: ExactForm, start: tuple[Plan, Plan]) -> Dictionary:
        """The beginning: each plan is the best response to the start, and its weight w is 0.

        Basic are the weights of the best actions, the losses of the others, and z0.
        """
        self = cls(form)
        best = [set(form.best_response(p, start[1 - p])[1]) for p in range(2)]
        weights = [self._weights(p, best[p]) for p in range(2)]
        for p in range(2):
            for s in {0, *best[p]}:
                self.rows[self.plan(p, s)] = weights[p][s]
            self._add_losses(p, best[p], weights[1 - p], start[1 - p])
        self.rows[self.z0] = {ONE: 1, self.w: -1}
        self.scale = dict.fromkeys(self.rows, 1)
        self.initial = sorted(self.rows)
        return self

    def _weights(self, player: int, best: set[int]) -> list[Vector]:
        """A player's weights: free for all but the best actions, which take the rest."""
        form = self.form
        weights: list[Vector] = [{self.plan(player, s): 1} for s in range(form.sizes[player])]
        weights[0] = {self.w: 1}
        for parent, actions in form.sets[player]:
            rest = dict(weights[parent])
            for s in actions:
                if s not in best:
                    _add(rest, weights[s], -1)
            (chosen,) = (s for s in actions if s in best)
            weights[chosen] = rest
        return weights

    def _add_losses(self, player: int, best: set[int], other: list[Vector], start: Plan) -> None:
        """The losses against ``y + z0 t``, from the last information sets upwards."""
        form = self.form
        against: list[Vector] = []
        for weight, t in zip(other, start, strict=True):
            mixed = {ONE: t, self.w: -t} if t else {}
            _add(mixed, weight, start[0])  # in units of 1 / start[0]
            against.append(mixed)
        values: list[Vector] = []
        for s in range(form.sizes[player]):
            value: Vector = {}
            for t, u in form.payoffs[player].get(s, {}).items():
                _add(value, against[t], u)
            values.append(value)
        for parent, actions in reversed(form.sets[player]):
            (chosen,) = (s for s in actions if s in best)
            top = values[chosen] | {self.loss(player, chosen): 1}
            for s in actions:
                if s not in best:
                    row = dict(top)
                    _add(row, values[s], -1)
                    self.rows[self.loss(player, s)] = row
            _add(values[parent], top, 1)

    @property
    def finished(self) -> bool:
        """Whether the start has no weight any more."""
        return self.z0 not in self.rows

    def pivot(self) -> None:
        """The entering variable grows until another one is 0, whose partner enters next."""
        new, old = self.entering, self._leaving()
        row, scale = self.rows.pop(old), self.scale.pop(old)
        divisor = -row.pop(new)
        row[old] = -scale
        for k, other in self.rows.items():
            factor = other.pop(new, 0)
            if factor:
                common = gcd(factor, divisor)
                grown = divisor // common
                if grown > 1:
                    for j in other:
                        other[j] *= grown
                _add(other, row, factor // common)
                self._shorten(k, self.scale[k] * grown)
        self.rows[new] = row
        self._shorten(new, divisor)
        self.entering = old + self.half if old < self.half else old - self.half

    def _shorten(self, k: int, scale: int) -> None:
        row = self.rows[k]
        common = gcd(scale, *row.values())
        if common > 1:
            for j in row:
                row[j] //= common
        self.scale[k] = scale // common

    def _leaving(self) -> int:
        """The basic variable that is 0 first; z0 if it is among several, for then the path ends."""
        falling = {
            k: -row[self.entering] for k, row in self.rows.items() if row.get(self.entering, 0) < 0
        }
        if not falling:  # impossible with perfect recall (von Stengel et al. 2002)
            raise SolverFailed(f"{self.form.tree.name}: the path is a ray; please report the game")
        first = _smallest(falling, {k: self.rows[k].get(ONE, 0) for k in falling})
        if self.z0 in first:
            return self.z0
        for i in self.initial:
            if len(first) == 1:
                break
            first = _smallest(
                {k: falling[k] for k in first}, {k: self._perturbation(k, i) for k in first}
            )
        return first[0]

    def _perturbation(self, k: int, i: int) -> int:
        """The coefficient, in the row of k, of the small number added to initial row i."""
        if i in self.rows:
            return self.scale[k] if i == k else 0
        return -self.rows[k].get(i, 0)

    def plans(self) -> tuple[Plan, Plan]:
        """The weights, in integers, at the end of the path."""
        plans = []
        for p, size in enumerate(self.form.sizes):
            names = [self.plan(p, s) for s in range(size)]
            values = [
                Fraction(self.rows[k].get(ONE, 0), self.scale[k]) if k in self.rows else Fraction(0)
                for k in names
            ]
            scale = lcm(*(v.denominator for v in values))
            plans.append([v.numerator * (scale // v.denominator) for v in values])
        return plans[0], plans[1]


def _smallest(divisors: Vector, numbers: Vector) -> list[int]:
    """The keys for which number / divisor is smallest; the divisors are positive."""
    ratios = {k: Fraction(numbers[k], d) for k, d in divisors.items()}
    least = min(ratios.values())
    return [k for k, ratio in ratios.items() if ratio == least]


def _add(target: Vector, row: Vector, factor: int) -> None:
    """Adds a multiple of a row; entries that become 0 are left out."""
    for j, v in row.items():
        total = target.get(j, 0) + factor * v
        if total:
            target[j] = total
        else:
            target.pop(j, None)
