"""Expected values, best responses and NashConv of a profile, for n players and general sum.

One *gradient* per player: for each of its sequences, the sum over the leaves below of chance reach,
the other players' reach and its payoff. From it the on-policy value is one scalar product, and the
best-response value one bottom-up pass with a maximum at each information set. (M. Johanson et al.,
"Accelerating best response calculation in large extensive games", IJCAI 2011; M. Lanctot et al., "A
unified game-theoretic approach to multiagent reinforcement learning", NeurIPS 2017, for NashConv.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from . import _kernels as kernels
from .profile import Profile
from .tree import GameTree


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a profile is worth and what each player could gain by deviating alone.

    With more than two players, or in general-sum games, NashConv 0 says that the profile is *a*
    Nash equilibrium, not how much a player gets in others.

    Attributes:
        values: float64 (n,), expected payoffs, in utilities.
        best_response_values: float64 (n,), each player's best-response value to the others.
        gains: float64 (n,), ``best_response_values - values``; rounding below 0 is cut off.
    """

    values: NDArray[np.float64]
    best_response_values: NDArray[np.float64]
    gains: NDArray[np.float64]

    @property
    def nash_conv(self) -> float:
        """The sum of the gains: 0 exactly at Nash equilibria."""
        return float(self.gains.sum())


def evaluate(profile: Profile) -> Evaluation:
    """Expected values, best-response values, gains and NashConv, in one pass over the tree."""
    n = profile.tree.num_players
    values, best = np.empty(n), np.empty(n)
    kernels.evaluate(profile.tree.sequence_form, profile.probabilities, values, best)
    return Evaluation(values, best, np.maximum(best - values, 0.0))


def expected_values(profile: Profile) -> NDArray[np.float64]:
    """Each player's expected payoff, float64 (n,), in utilities."""
    return evaluate(profile).values


def nash_conv(profile: Profile) -> float:
    """The sum of what the players could gain, each by deviating alone; 0 at Nash equilibria."""
    return evaluate(profile).nash_conv


def best_response(profile: Profile, player: int) -> tuple[float, Profile]:
    """A pure best response of one player to the others.

    Args:
        profile: everybody's strategies; the player's own does not matter.
        player: who responds, from 0.

    Returns:
        Its value to ``player``, and ``profile`` with the player's strategy replaced. Among equally
        good actions the lowest number is taken, also where the others never lead.

    Raises:
        ParameterError: there is no such player.
    """
    tree = profile.tree
    if not 0 <= player < tree.num_players:
        raise ParameterError(f"{tree.name} has players 0 to {tree.num_players - 1}, not {player}")
    behaviour = profile.probabilities.copy()
    value = kernels.respond(tree.sequence_form, player, behaviour)
    return float(value), Profile(tree, behaviour)


def own_reach(profile: Profile) -> NDArray[np.float64]:
    """The product of the owner's probabilities along each sequence, float64 (S,)."""
    tree = profile.tree
    plan = np.empty(tree.num_sequences)
    for p in range(tree.num_players):
        kernels.fill_plan(tree.sequence_form, p, profile.probabilities, plan)
    return plan


def counterfactual_values(profile: Profile) -> NDArray[np.float64]:
    """What each sequence's last action is worth, float64 (S,), in utilities.

    Counterfactual: weighted with chance and the other players' reach of the leaves, as if the owner
    played to get there; below, it plays its strategy. At the empty sequences: the expected payoffs.
    """
    values = np.empty(profile.tree.num_sequences)
    kernels.counterfactual_values(profile.tree.sequence_form, profile.probabilities, values)
    return values


def counterfactual_gains(profile: Profile) -> NDArray[np.float64]:
    """What each information set's owner could gain from there on, float64 (H,), nonnegative.

    The gain at a set is its counterfactual value under the owner's best response minus that under
    its strategy. Counterfactual: weighted with chance and the other players' reach of the set's
    nodes, as if the owner played to get there. A set below another is counted in both, so the
    gains do not add up; but those of the sets where a player moves first (parent sequence empty)
    sum to the player's gain. `gain_shares` adds up.
    """
    return _information_set_gains(profile)[0]


def gain_shares(profile: Profile) -> NDArray[np.float64]:
    """The part of its owner's gain that arises at each information set, float64 (H,).

    The share of a set is the owner's own reach of it times (value of the best action minus mean
    value of the actions played), values being counterfactual with a best response of the owner
    below. Shares are nonnegative and those of a player's sets sum to its gain: the performance
    difference lemma (S. Kakade and J. Langford, ICML 2002) in sequence form.
    """
    return _information_set_gains(profile)[1]


def deviation_gains(deviations: Profile, behaviours: NDArray[np.float64]) -> NDArray[np.float64]:
    """What given deviations gain against several profiles, summed over the players.

    Args:
        deviations: of each player, who plays it alone against the others.
        behaviours: float64 (R, S), R profiles' probabilities (see `Profile`); not checked.

    Returns:
        float64 (R,), ``sum_i u_i(d_i, s_-i) - u_i(s)`` for each row s; negative where it is a loss.
    """
    gains = np.empty(len(behaviours))
    form = deviations.tree.sequence_form
    kernels.deviation_gains(form, deviations.probabilities, behaviours, gains)
    return gains


def nash_convs(tree: GameTree, behaviours: NDArray[np.float64]) -> NDArray[np.float64]:
    """NashConv of several profiles: what best responses gain, summed over the players.

    Args:
        tree: the compiled game.
        behaviours: float64 (R, S), R profiles' probabilities (see `Profile`); not checked.

    Returns:
        float64 (R,), in utilities.
    """
    gains = np.empty(len(behaviours))
    kernels.nash_convs(tree.sequence_form, behaviours, gains)
    return gains


def _information_set_gains(profile: Profile) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    tree = profile.tree
    gains, shares = np.empty(tree.num_infosets), np.empty(tree.num_infosets)
    kernels.information_set_gains(tree.sequence_form, profile.probabilities, gains, shares)
    return gains, shares
