"""CFR+: counterfactual regret minimisation with clipped regrets.

O. Tammelin, N. Burch, M. Johanson, M. Bowling, "Solving heads-up limit Texas hold'em", IJCAI 2015:
regret matching plus, alternating updates, averages weighted linearly with the iteration. In
two-player zero-sum games the average profile approaches a Nash equilibrium; with more players, or
in general-sum games, nothing is promised, and NashConv tells what was reached.
"""

from __future__ import annotations

import numpy as np

from . import _kernels as kernels
from .profile import Profile, normalised
from .tree import GameTree

TIE = 1e-15
"""Regrets up to this, times the largest payoff, count as 0."""

CHUNK = 100_000_000
"""Array elements that one call of the kernel works through: about 0.2 seconds."""


class CFRPlus:
    """CFR+ on a compiled tree, from the uniform profile.

    One iteration updates every player once, in seat order, each against the others' newest
    strategies, in float64: the same update rule as OpenSpiel's ``CFRPlusSolver``.

    Attributes:
        tree: the compiled game.
        iteration: how many iterations have been run.
    """

    def __init__(self, tree: GameTree):
        self.tree = tree
        self.iteration = 0
        self._form = tree.sequence_form
        self._behaviour = Profile.uniform(tree).probabilities.copy()
        self._regret = np.zeros(tree.num_sequences)
        self._total = np.zeros(tree.num_sequences)
        self._plan = np.ones(tree.num_sequences)
        for p in range(tree.num_players):
            kernels.fill_plan(self._form, p, self._behaviour, self._plan)
        # Exactly tied actions differ by rounding noise, which regret matching would blow up to a
        # pure choice.
        largest = float(np.abs(tree.payoff_table).max(initial=0.0))
        self._tolerance = TIE * largest

    def run(self, iterations: int) -> None:
        """Runs ``iterations`` more iterations; an interrupt is heard a few times a second."""
        left = int(iterations)
        chunk = max(1, CHUNK // (len(self._form.weight) + self.tree.num_sequences))
        while left > 0:
            count = min(chunk, left)
            kernels.cfr_plus(
                self._form,
                self.iteration,
                count,
                self._tolerance,
                self._regret,
                self._behaviour,
                self._plan,
                self._total,
            )
            self.iteration += count
            left -= count

    def average_profile(self) -> Profile:
        """The average of all iterations' strategies: what converges.

        Weighted by the iteration and the owner's own reach; uniform where the owner never went.
        """
        return Profile(self.tree, normalised(self.tree, self._total))

    def current_profile(self) -> Profile:
        """The strategies that the next iteration starts from."""
        return Profile(self.tree, self._behaviour)
