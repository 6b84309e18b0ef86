"""Fictitious play in the sequence form: best responses to everybody's average, averaged.

J. Heinrich, M. Lanctot, D. Silver, "Fictitious self-play in extensive-form games", ICML 2015,
Algorithm 1 (XFP). There the average is a behaviour strategy, mixed so as to be realisation
equivalent to mixing normal-form plans (Kuhn 1953; Lemma 6 of the paper); of realisation plans it is
the plain average, of which a behaviour strategy is read off at the end.

In two-player zero-sum games, in potential games and a few others the average approaches a Nash
equilibrium (J. Robinson, "An iterative method of solving a game", Annals of Mathematics 54, 1951;
D. Monderer and L. Shapley, 1996), but slowly; elsewhere it may cycle for ever (L. Shapley, "Some
topics in two-person games", 1964), and NashConv tells what was reached.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from . import _fictitious_kernels as kernels
from .best_response import own_reach
from .checkpoint import restore
from .profile import Profile, normalised
from .tree import GameTree

TIE = 1e-13
"""Actions whose counterfactual values differ by up to this, times the largest payoff, are equally
good: exact ties differ by rounding noise."""

CHUNK = 100_000_000
"""Array elements that one call of the kernel works through: about 0.2 seconds."""


class FictitiousPlay:
    """Fictitious play on a compiled tree, for any number of players, from the uniform profile.

    In one iteration every player's best response to the others' average is computed, and then
    counted in its own average, with the same weight; the uniform profile counts like one response.
    That is OpenSpiel's ``XFPSolver``, where it too takes the first of equally good actions. An
    iteration reads every entry of the sequence form once. ``run(a)`` and ``run(b)`` give the same
    numbers, bit for bit, as ``run(a + b)``.

    Args:
        tree: the compiled game.
        ties: which of several best actions a response plays: the ``first``, or ``all`` of them
            with the same probability.
        gamma: the response of iteration t has the weight ``t^gamma`` in the average: 0 for
            fictitious play as such, 1 to forget early responses sooner.

    Raises:
        ParameterError: other ties, or gamma no finite number from 0 on.

    Attributes:
        tree: see above.
        ties: see above.
        gamma: see above.
        iteration: how many iterations have been run.
    """

    name: ClassVar[str] = "xfp"

    def __init__(
        self, tree: GameTree, *, ties: Literal["first", "all"] = "first", gamma: float = 0.0
    ):
        if ties not in ("first", "all"):
            raise ParameterError(f"ties={ties!r}: choose 'first' or 'all'")
        if not isinstance(gamma, int | float) or not 0.0 <= gamma < math.inf:
            raise ParameterError(f"gamma={gamma!r}: give a finite number from 0 on")
        self.tree = tree
        self.ties: Literal["first", "all"] = ties
        self.gamma = float(gamma)
        self.iteration = 0
        uniform = Profile.uniform(tree)
        self._behaviour, self._total = uniform.probabilities.copy(), own_reach(uniform)
        largest = float(np.abs(tree.payoff_table).max(initial=0.0))
        self._tolerance = TIE * largest

    def run(self, iterations: int) -> None:
        """Runs ``iterations`` more iterations; an interrupt is heard a few times a second."""
        left = int(iterations)
        form = self.tree.sequence_form
        chunk = max(1, CHUNK // (len(form.weight) + self.tree.num_sequences))
        while left > 0:
            count = min(chunk, left)
            kernels.fictitious_play(
                form,
                self.iteration,
                count,
                self._tolerance,
                self.ties == "all",
                self.gamma,
                self._behaviour,
                self._total,
            )
            self.iteration += count
            left -= count

    def average_profile(self) -> Profile:
        """The average of all responses, and of the uniform profile: what converges."""
        return Profile(self.tree, normalised(self.tree, self._total))

    def current_profile(self) -> Profile:
        """The last best responses; before the first iteration the uniform profile."""
        return Profile(self.tree, self._behaviour)

    # ------------------------------------------------------------------------------- checkpoints

    def settings(self) -> dict[str, Any]:
        """See `checkpoint.Resumable`."""
        return {"ties": self.ties, "gamma": self.gamma}

    def state(self) -> dict[str, NDArray[Any]]:
        """See `checkpoint.Resumable`."""
        return {"behaviour": self._behaviour, "total": self._total}

    @classmethod
    def resume(
        cls,
        tree: GameTree,
        settings: Mapping[str, Any],
        iteration: int,
        state: Mapping[str, NDArray[Any]],
    ) -> Self:
        """See `checkpoint.Resumable`."""
        solver = cls(tree, **settings)
        restore(solver.state(), state)
        solver.iteration = iteration
        return solver
