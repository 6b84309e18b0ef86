"""Counterfactual regret minimisation on the whole tree: CFR, CFR+, LCFR, DCFR, PCFR+.

In two-player zero-sum games the average profile approaches a Nash equilibrium. With more players,
or in general-sum games, these are heuristics: nothing is promised, and NashConv tells what was
reached.

An iteration reads and writes every entry of the sequence form once, so its time is linear in their
number; memory is that of the vector form (see `vector_form`) and four numbers per sequence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from . import _vector_kernels as kernels
from .best_response import counterfactual_values, own_reach
from .checkpoint import restore
from .profile import Profile, normalised
from .tree import GameTree

TIE = 1e-15
"""Regrets up to this, times the largest payoff, count as 0: exactly tied actions differ by rounding
noise, which regret matching would blow up to a pure choice."""

FLOAT32_RANGE = 1e-30, 1e30
"""Chance times payoff, where it is not 0, for float32: sums and products of these stay in range."""

CHUNK = 100_000_000
"""Array elements that one call of the kernel works through: about 0.1 seconds."""


@dataclass(frozen=True)
class UpdateRule:
    """What becomes of regrets from one iteration to the next.

    Attributes:
        regrets: ``sum``: they add up; ``clip``: they are cut off at 0 (regret matching plus);
            ``predict``: likewise, and the next strategy is chosen as if the last gradient came
            again.
        alpha: after iteration t, regrets above 0 are multiplied by ``t^alpha / (t^alpha + 1)``;
            infinity leaves them as they are. Only with ``sum``, like ``beta``.
        beta: the same for regrets below 0.
        gamma: the strategies of iteration t have the weight ``t^gamma`` in the average.
    """

    regrets: Literal["sum", "clip", "predict"] = "sum"
    alpha: float = math.inf
    beta: float = math.inf
    gamma: float = 0.0

    def __post_init__(self) -> None:
        if self.regrets not in _KINDS:
            raise ParameterError(
                f"regrets={self.regrets!r}: choose one of {', '.join(map(repr, _KINDS))}"
            )
        for name in ("alpha", "beta", "gamma"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or math.isnan(value):
                raise ParameterError(f"{name}={value!r}: give a number")
        if not 0.0 <= self.gamma < math.inf:
            raise ParameterError(f"gamma={self.gamma!r}: give a finite number from 0 on")
        if self.regrets != "sum" and not self.alpha == self.beta == math.inf:
            raise ParameterError(
                f"regrets={self.regrets!r} are not discounted; leave out alpha, beta"
            )


_KINDS = {"sum": kernels.SUM, "clip": kernels.CLIP, "predict": kernels.PREDICT}


class RegretMinimiser:
    """Counterfactual regret minimisation with any update rule.

    One iteration updates every player once. ``run(a)`` and ``run(b)`` give the same numbers, bit
    for bit, as ``run(a + b)``.

    In float32 an iteration takes half the memory and about half the time. Each number then has
    seven digits: in trials on Kuhn and Leduc poker and Liar's dice all rules followed float64 until
    NashConv was about 1e-6 times the largest payoff, and stayed about there. Profiles and NashConv
    are worked out in float64 in any case: the NashConv shown is that of the profile. Payoffs times
    their chances must be within `FLOAT32_RANGE`. The first run in float32 compiles its own kernels.

    Args:
        tree: the compiled game.
        rule: see above; by default that of the class.
        alternating: players are updated in seat order, each against the others' newest strategies,
            as OpenSpiel does; False for all at once.
        dtype: ``float64`` or ``float32``, in which iterations are worked out.
        start: where to begin, by default the uniform profile: it is what the first iteration
            plays, and it gets the regrets `warm_regrets`. That need not help: in trials on Leduc
            and three-player Kuhn poker, averages were no better after 100 iterations than from the
            uniform profile. To continue a run, take a checkpoint.

    Attributes:
        tree: the compiled game.
        rule: see above.
        alternating: see above.
        dtype: see above.
        iteration: how many iterations have been run.

    Raises:
        ParameterError: another ``dtype``, numbers beyond its range, or a ``start`` of another game.
    """

    name: ClassVar[str] = "cfr"
    default_rule: ClassVar[UpdateRule] = UpdateRule()

    def __init__(
        self,
        tree: GameTree,
        rule: UpdateRule | None = None,
        *,
        alternating: bool = True,
        dtype: Literal["float64", "float32"] = "float64",
        start: Profile | None = None,
    ):
        if start is not None and start.tree is not tree and not start.tree.same_game(tree):
            raise ParameterError(f"start is a profile of {start.tree.name}, not of {tree.name}")
        self.tree = tree
        self.rule = rule or self.default_rule
        self.alternating = alternating
        self.dtype = _checked(dtype, tree)
        self.iteration = 0
        self._layout = layout = tree.vector_layout
        self._form = layout.form_in(np.dtype(dtype))
        profile = Profile.uniform(tree) if start is None else start
        regret = np.zeros(tree.num_sequences) if start is None else warm_regrets(start)
        self._behaviour = layout.to_vector(profile.probabilities).astype(dtype)
        self._regret = layout.to_vector(regret).astype(dtype)
        self._total = np.zeros(layout.size, dtype)
        self._plan = layout.to_vector(own_reach(profile)).astype(dtype)
        largest = float(np.abs(tree.payoff_table).max(initial=0.0))
        self._rule = kernels.Rule(
            _KINDS[self.rule.regrets],
            bool(alternating),
            float(self.rule.alpha),
            float(self.rule.beta),
            float(self.rule.gamma),
            TIE * largest,
        )

    def run(self, iterations: int) -> None:
        """Runs ``iterations`` more iterations; an interrupt is heard a few times a second."""
        left = int(iterations)
        chunk = max(1, CHUNK // (len(self.tree.weight) + self._layout.size))
        while left > 0:
            count = min(chunk, left)
            kernels.minimise(
                self._form,
                self._rule,
                self.iteration,
                count,
                self._regret,
                self._behaviour,
                self._plan,
                self._total,
            )
            self.iteration += count
            left -= count

    def average_profile(self) -> Profile:
        """The average of all iterations' strategies: what converges.

        Weighted by ``t^gamma`` and the owner's own reach; uniform where the owner never went.
        """
        return Profile(self.tree, normalised(self.tree, self._layout.to_tree(self._total)))

    def current_profile(self) -> Profile:
        """The strategies that the next iteration starts from: the last iterate."""
        behaviour = self._layout.to_tree(self._behaviour)
        # Probabilities of seven digits do not sum to 1 within what a profile allows.
        rounded = self.dtype == "float32"
        return Profile(self.tree, normalised(self.tree, behaviour) if rounded else behaviour)

    # ------------------------------------------------------------------------------- checkpoints

    def settings(self) -> dict[str, Any]:
        """See `checkpoint.Resumable`."""
        return {
            "rule": asdict(self.rule),
            "alternating": self.alternating,
            "dtype": self.dtype,
        }

    def state(self) -> dict[str, NDArray[Any]]:
        """See `checkpoint.Resumable`. In the order of the vector form, padding included."""
        return {
            "regret": self._regret,
            "behaviour": self._behaviour,
            "plan": self._plan,
            "total": self._total,
        }

    @classmethod
    def resume(
        cls,
        tree: GameTree,
        settings: Mapping[str, Any],
        iteration: int,
        state: Mapping[str, NDArray[Any]],
    ) -> Self:
        """See `checkpoint.Resumable`."""
        solver = cls(
            tree,
            UpdateRule(**settings["rule"]),
            alternating=settings["alternating"],
            dtype=settings["dtype"],
        )
        restore(solver.state(), state)
        solver.iteration = iteration
        return solver


class CFR(RegretMinimiser):
    """Counterfactual regret minimisation.

    M. Zinkevich, M. Johanson, M. Bowling, C. Piccione, "Regret minimization in games with
    incomplete information", NIPS 2007; with alternating updates, as usual since.
    """


class CFRPlus(RegretMinimiser):
    """CFR+: regrets clipped at 0, averages weighted linearly. As OpenSpiel's ``CFRPlusSolver``.

    The iterates are the same but for rounding, unless actions are exactly tied, as in
    ``onuw_robber3``: OpenSpiel then plays on rounding noise of some 1e-17, which here counts as 0.

    O. Tammelin, N. Burch, M. Johanson, M. Bowling, "Solving heads-up limit Texas hold'em", IJCAI
    2015.
    """

    name = "cfr+"
    default_rule = UpdateRule("clip", gamma=1.0)


class LinearCFR(RegretMinimiser):
    """LCFR: iteration t counts t times, in regrets and in the average.

    N. Brown and T. Sandholm, "Solving imperfect-information games via discounted regret
    minimization", AAAI 2019.
    """

    name = "lcfr"
    default_rule = UpdateRule(alpha=1.0, beta=1.0, gamma=1.0)


class DiscountedCFR(RegretMinimiser):
    """DCFR(1.5, 0, 2): regrets below 0 are halved each iteration; see `LinearCFR` for the source.

    Other exponents: ``DiscountedCFR(tree, UpdateRule(alpha=..., beta=..., gamma=...))``.
    """

    name = "dcfr"
    default_rule = UpdateRule(alpha=1.5, beta=0.0, gamma=2.0)


class PredictiveCFRPlus(RegretMinimiser):
    """PCFR+: predictive regret matching plus, averages weighted quadratically.

    G. Farina, C. Kroer, T. Sandholm, "Faster game solving via predictive Blackwell approachability:
    connecting regret matching and mirror descent", AAAI 2021. The prediction of a gradient is the
    last one at the leaves, valued with the strategies that are chosen below.
    """

    name = "pcfr+"
    default_rule = UpdateRule("predict", gamma=2.0)


MINIMISERS: dict[str, type[RegretMinimiser]] = {
    kind.name: kind for kind in (CFR, CFRPlus, LinearCFR, DiscountedCFR, PredictiveCFRPlus)
}
"""By name."""


def _checked(dtype: Any, tree: GameTree) -> Literal["float64", "float32"]:
    if dtype not in ("float64", "float32"):
        raise ParameterError(f"dtype={dtype!r}: choose 'float64' or 'float32'")
    if dtype == "float32" and len(tree.weight):
        sizes = np.abs(tree.weight)
        if sizes.min() < FLOAT32_RANGE[0] or sizes.max() > FLOAT32_RANGE[1]:
            raise ParameterError(
                f"{tree.name} has payoffs that, times their chances, are {sizes.min():.1e} to "
                f"{sizes.max():.1e} utilities; float32 needs {FLOAT32_RANGE[0]:.0e} to "
                f"{FLOAT32_RANGE[1]:.0e}: choose dtype='float64'"
            )
    return dtype


def warm_regrets(profile: Profile) -> NDArray[np.float64]:
    """Regrets from which regret matching plays the profile, float64 (S,), in utilities.

    At each information set they are the profile's probabilities times the spread of the actions'
    counterfactual values: as much as one iteration can add. (Starting from regrets in proportion to
    a strategy is the idea of N. Brown and T. Sandholm, "Strategy-based warm starting for regret
    minimization in games", AAAI 2016; the scale is ours.)
    """
    tree = profile.tree
    regret = np.zeros(tree.num_sequences)
    if tree.num_infosets:
        value, start = counterfactual_values(profile), tree.first.astype(np.int64)
        spread = np.maximum.reduceat(value, start) - np.minimum.reduceat(value, start)
        spread = np.where(spread > 0.0, spread, 1.0)
        rest = slice(tree.num_players, None)
        regret[rest] = profile.probabilities[rest] * np.repeat(spread, tree.num_actions)
    return regret
