"""Correlation devices, and what players could gain by not obeying them.

A *device* draws a joint plan and recommends to each player the moves of its own part, one at a
time, when an information set is reached. Three ways of not obeying, each with an equilibrium
concept in which it does not pay:

- **EFCE** (B. von Stengel and F. Forges, "Extensive-form correlated equilibrium", Mathematics of
  Operations Research 33, 2008): a player sees the move recommended at an information set, and may
  from there on play on its own, without further recommendations. The recommended move is the
  *trigger*.
- **EFCCE**, coarse (G. Farina, T. Bianchi, T. Sandholm, "Coarse correlation in extensive-form
  games", AAAI 2020): it decides at the information set, before it sees the move.
- **NFCCE**, coarse in the normal form (H. Moulin and J.-P. Vial, International Journal of Game
  Theory 7, 1978; A. Celli et al., AAMAS 2019): it decides before the game begins.

Every Nash equilibrium is an EFCE, every EFCE an EFCCE, every EFCCE an NFCCE. In a game where each
player moves once and sees nothing before, an EFCE is a correlated equilibrium and the two coarse
ones are coarse correlated equilibria.

All gains are exact sums over the tree: one gradient for each joint plan and player, and for each
trigger one bottom-up pass over what lies below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..games.errors import ParameterError, PolicyError, UnknownConcept
from . import _correlation_kernels, _kernels
from .best_response import own_reach
from .profile import TOLERANCE, Profile, normalised
from .subtrees import Subtrees
from .tree import GameTree

Kind = Literal["nfcce", "efcce", "efce"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""The concepts, from the weakest to the strongest."""


@dataclass(frozen=True, eq=False, repr=False)
class CorrelationDevice:
    """A finite distribution over joint plans.

    A row may be pure (entries 0 and 1) or mixed. In a mixed one the players' recommendations are
    drawn independently of each other: it is a short way to write the product of distributions over
    pure plans. Recommendations where a player's own plan does not go are never heard, so a pure row
    is a joint *reduced* plan.

    Attributes:
        tree: the compiled game.
        weights: float64 (K,), probabilities of the rows.
        plans: float64 (K, S), the players' realisation plans: the product of the owner's
            probabilities along each sequence of ``tree``.

    Raises:
        PolicyError: wrong shapes, weights that are no distribution, rows that are no realisation
            plans. Sums may be off by 1e-9.
    """

    tree: GameTree
    weights: NDArray[np.float64]
    plans: NDArray[np.float64]

    def __post_init__(self) -> None:
        tree = self.tree
        weights, plans = np.array(self.weights, np.float64), np.array(self.plans, np.float64)
        if weights.ndim != 1 or plans.shape != (len(weights), tree.num_sequences):
            raise PolicyError(
                f"{tree.name}: a device of K joint plans needs weights of shape (K,) and plans of "
                f"shape (K, {tree.num_sequences}), not {weights.shape} and {plans.shape}"
            )
        if not (weights.min(initial=0.0) >= 0.0 and abs(weights.sum() - 1.0) <= TOLERANCE):
            raise PolicyError(
                f"{tree.name}: the weights of the joint plans are {weights.tolist()[:5]}... with "
                f"sum {weights.sum():.12g}; they must be nonnegative and sum to 1"
            )
        bad = ~(np.abs(plans[:, : tree.num_players] - 1.0).max(axis=1) <= TOLERANCE)
        bad |= ~(plans.min(axis=1) >= 0.0)
        if tree.num_infosets:
            sums = np.add.reduceat(plans, tree.first.astype(np.int64), axis=1)
            bad |= ~(np.abs(sums - plans[:, tree.parent_sequence]).max(axis=1) <= TOLERANCE)
        if bad.any():
            raise PolicyError(
                f"{tree.name}: row {int(np.argmax(bad))} is no realisation plan; "
                "CorrelationDevice.from_profiles builds rows for you"
            )
        weights /= weights.sum()
        weights.setflags(write=False)
        plans.setflags(write=False)
        object.__setattr__(self, "weights", weights)
        object.__setattr__(self, "plans", plans)

    @classmethod
    def from_profiles(
        cls, profiles: Sequence[Profile], weights: ArrayLike | None = None
    ) -> CorrelationDevice:
        """One of several profiles is drawn, then everybody's moves independently from it.

        With the iterates of a regret minimiser and equal weights it is what the players learnt
        together: no external regret means NFCCE.

        Args:
            profiles: of one game; pure ones are joint plans.
            weights: their probabilities, by default equal.

        Raises:
            ParameterError: no profiles, or of different games.
            PolicyError: the weights are no distribution.
        """
        if not profiles:
            raise ParameterError("a device needs at least one profile; give it some")
        tree = profiles[0].tree
        if not all(profile.tree.same_game(tree) for profile in profiles):
            raise ParameterError(f"the profiles are not all of {tree.name}; give those of one game")
        if weights is None:
            weights = np.full(len(profiles), 1.0 / len(profiles))
        return cls(tree, np.asarray(weights, float), np.array([own_reach(p) for p in profiles]))

    @property
    def values(self) -> NDArray[np.float64]:
        """Each player's expected payoff if all obey, float64 (n,), in utilities."""
        return self.evaluation.values

    @cached_property
    def evaluation(self) -> DeviceEvaluation:
        """See `evaluate_device`; computed once."""
        return evaluate_device(self)

    def profile(self, k: int) -> Profile:
        """Row k as a profile; where a player's own plan does not go, it plays uniformly."""
        return Profile(self.tree, normalised(self.tree, self.plans[k]))

    def sample(self, rng: np.random.Generator) -> Profile:
        """Draws a row by its weight; see `profile`."""
        return self.profile(int(rng.choice(len(self.weights), p=self.weights)))

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        return f"CorrelationDevice({self.tree.name}: {len(self):,} joint plans)"


@dataclass(frozen=True, eq=False)
class DeviceEvaluation:
    """What a device is worth and what each player could gain by not obeying it alone.

    Attributes:
        values: float64 (n,), expected payoffs if all obey, in utilities.
        trigger_gains: float64 (S,), for each move: what its owner gains by playing on its own from
            the moment when the move is recommended, times the probability that it is; 0 at the
            empty sequences. All nonpositive at EFCE.
        infoset_gains: float64 (H,), the same for deciding at an information set before the move is
            seen. All nonpositive at EFCCE.
        gains: float64 (3, n), each player's gain by the best combination of deviations, rows in the
            order of `KINDS`; nonnegative.
    """

    values: NDArray[np.float64]
    trigger_gains: NDArray[np.float64]
    infoset_gains: NDArray[np.float64]
    gains: NDArray[np.float64]

    def gains_of(self, kind: Kind) -> NDArray[np.float64]:
        """Each player's gain by its best deviation of that kind, float64 (n,), in utilities."""
        return self.gains[KINDS.index(checked_kind(kind))]

    def distance(self, kind: Kind) -> float:
        """The sum of the players' gains: 0 exactly at equilibria of that kind, as NashConv is.

        It is the distance that OpenSpiel calls EFCEDist and EFCCEDist. A device of one profile has
        that profile's NashConv as its distance of every kind.
        """
        return float(self.gains_of(kind).sum())


def evaluate_device(device: CorrelationDevice) -> DeviceEvaluation:
    """Expected payoffs and the gains of all deviations, exactly.

    Time: joint plans times (entries of the sequence form + pairs of a sequence that is recommended
    and one at or below its information set); memory: the number of such pairs.
    """
    tree = device.tree
    form, subtrees = tree.sequence_form, Subtrees.of(tree)
    blocks, base = np.zeros(subtrees.num_pairs), subtrees.base
    followed, gradient = np.zeros(tree.num_sequences), np.empty(tree.num_sequences)
    for weight, plan in zip(device.weights, device.plans):
        for p in range(tree.num_players):
            _kernels.fill_gradient(form, p, plan, gradient)
            _correlation_kernels.add_plan(
                form, p, weight, plan, gradient,
                subtrees.below, subtrees.sequences, base, blocks, followed,
            )  # fmt: skip
    efce, efcce = np.zeros(tree.num_sequences), np.zeros(tree.num_infosets)
    _correlation_kernels.trigger_gains(
        form, subtrees.below, subtrees.sequences, base, blocks,
        subtrees.below_sets, subtrees.sets, followed, efce, efcce,
    )  # fmt: skip
    gains = np.zeros((len(KINDS), tree.num_players))
    _correlation_kernels.best_deviations(form, efce, efcce, gains)
    return DeviceEvaluation(followed[: tree.num_players].copy(), efce, efcce, gains)


def checked_kind(kind: str) -> Kind:
    """The kind itself.

    Raises:
        UnknownConcept: there is no such kind.
    """
    for known in KINDS:
        if kind == known:
            return known
    raise UnknownConcept(f"there is no correlated equilibrium {kind!r}; use {', '.join(KINDS)}")
