"""Monte Carlo counterfactual regret minimisation: external sampling and outcome sampling.

M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, "Monte Carlo sampling for regret minimization in
extensive games", NIPS 2009. Instead of the whole tree, an iteration visits a random part of it for
each player in turn, the *traverser*, and adds to its regrets estimates whose means are the
counterfactual regrets. An iteration thus costs far less than one of CFR, but many more are needed:
where the whole tree can be worked on (see `regret`), that is nearly always faster.

In two-player zero-sum games the average profile approaches a Nash equilibrium with probability 1.
With more players, or in general-sum games, these are heuristics, and NashConv tells what was
reached.

**The average profile** needs the strategies of each player in proportion to its own reach of the
information set. With two players the opponent's strategies that the traverser's walk meets are
counted, divided by the probability of the traverser's choices: chance alone is left, which never
changes. With any other number of players third ones' strategies, which do change, would enter
there. So each player then makes one more play per iteration, by its own strategy against others
who choose uniformly at random.

Memory is 16 bytes per node and two numbers per sequence; outcome sampling adds the baselines, a
number per node and player.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from . import _sampling_kernels as kernels
from .checkpoint import restore
from .profile import Profile, normalised
from .sampling_form import sampling_form
from .tree import GameTree


class MonteCarloCFR:
    """What the two kinds of sampling have in common; use one of them.

    One iteration updates every player once, in seat order, each against the others' newest
    strategies. The same seed gives the same numbers, bit for bit, on any run of the same game and
    options: ``run(a)`` and ``run(b)`` those of ``run(a + b)``.

    Args:
        tree: the compiled game.
        seed: of the random numbers (NumPy's PCG64), a whole number from 0 on.
        regrets: ``sum``: regrets add up; ``clip``: they are cut off at 0 after each update (regret
            matching plus).
        gamma: the strategies of iteration t have the weight ``t^gamma`` in the average: 0 for all
            alike, 1 for linear weights.

    Raises:
        ParameterError: an argument out of range.

    Attributes:
        tree: see above.
        seed: see above.
        regrets: see above.
        gamma: see above.
        iteration: how many iterations have been run.
    """

    name: ClassVar[str]
    default_iterations: ClassVar[int] = 100_000

    def __init__(
        self,
        tree: GameTree,
        *,
        seed: int = 0,
        regrets: Literal["sum", "clip"] = "sum",
        gamma: float = 0.0,
    ):
        if not isinstance(seed, int | np.integer) or isinstance(seed, bool) or seed < 0:
            raise ParameterError(f"seed={seed!r}: give a whole number from 0 on")
        if regrets not in ("sum", "clip"):
            raise ParameterError(f"regrets={regrets!r}: choose 'sum' or 'clip'")
        if not isinstance(gamma, int | float) or not 0.0 <= gamma < math.inf:
            raise ParameterError(f"gamma={gamma!r}: give a finite number from 0 on")
        self.tree = tree
        self.seed = int(seed)
        self.regrets: Literal["sum", "clip"] = regrets
        self.gamma = float(gamma)
        self.iteration = 0
        self._form = sampling_form(tree)
        self._rule = kernels.Rule(regrets == "clip", self.gamma)
        self._rng = np.random.Generator(np.random.PCG64(self.seed))
        self._regret, self._total = np.zeros(tree.num_sequences), np.zeros(tree.num_sequences)

    def run(self, iterations: int) -> None:
        """Runs ``iterations`` more iterations; an interrupt is heard a few times a second."""
        stop = self.iteration + int(iterations)
        while self.iteration < stop:
            self.iteration = self._sample(stop)

    def _sample(self, stop: int) -> int:
        """Iterates until ``stop``, or for a moment; returns the iteration reached."""
        raise NotImplementedError

    def average_profile(self) -> Profile:
        """The average of all iterations' strategies: what converges; see the module.

        Weighted by ``t^gamma`` and the owner's own reach; uniform where no walk came.
        """
        return Profile(self.tree, normalised(self.tree, self._total))

    def current_profile(self) -> Profile:
        """The strategies that the next iteration starts from: regret matching."""
        return Profile(self.tree, normalised(self.tree, np.maximum(self._regret, 0.0)))

    # ------------------------------------------------------------------------------- checkpoints

    def settings(self) -> dict[str, Any]:
        """See `checkpoint.Resumable`."""
        return {"seed": self.seed, "regrets": self.regrets, "gamma": self.gamma}

    def state(self) -> dict[str, NDArray[Any]]:
        """See `checkpoint.Resumable`."""
        return {"regret": self._regret, "total": self._total, "generator": _packed(self._rng)}

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
        solver._rng = _unpacked(state["generator"])
        return solver


class ExternalSamplingMCCFR(MonteCarloCFR):
    """External sampling: all actions of the traverser, one of everybody else and of chance.

    The cost of an iteration is that of the part of the tree that is left when everybody but the
    traverser plays a pure strategy and chance is known: with two players who move in turn, of
    the order of the square root of the number of nodes. See `MonteCarloCFR` for the arguments.
    """

    name = "external-mccfr"

    def _sample(self, stop: int) -> int:
        return kernels.external_sampling(
            self._form, self._rule, self.iteration, stop, self._rng, self._regret, self._total
        )


class OutcomeSamplingMCCFR(MonteCarloCFR):
    """Outcome sampling with baselines: one play of the game per traverser.

    At its own sets the traverser mixes its strategy with the uniform one (*epsilon-on-policy*).
    Regrets are divided by the probability of its choices, which makes their variance large;
    baselines make it smaller and leave the mean as it is: M. Schmid, N. Burch, M. Lanctot, M.
    Moravčík, R. Kadlec, M. Bowling, "Variance reduction in Monte Carlo counterfactual regret
    minimization (VR-MCCFR) for extensive form games using baselines", AAAI 2019. Here they belong
    to moves at nodes, those of chance included, rather than at information sets: on Leduc poker
    that halves NashConv (T. Davis, M. Schmid, M. Bowling, "Low-variance and zero-variance baselines
    for extensive-form games", ICML 2020, go the same way). Each is a decaying average of the
    estimates of what the traverser gets after the move, corrected by the baselines below.

    The cost of an iteration is the length of a play times the number of actions on it, whatever the
    size of the tree.

    Args:
        tree, seed, regrets, gamma: see `MonteCarloCFR`.
        epsilon: the share of the uniform strategy, above 0, up to 1.
        decay: the share of the newest estimate in a baseline, from 0 to 1; with 0 all baselines
            stay 0, which is plain outcome sampling.

    Raises:
        ParameterError: an argument out of range.

    Attributes:
        epsilon: see above.
        decay: see above.
    """

    name = "outcome-mccfr"

    def __init__(
        self,
        tree: GameTree,
        *,
        seed: int = 0,
        regrets: Literal["sum", "clip"] = "sum",
        gamma: float = 0.0,
        epsilon: float = 0.6,
        decay: float = 0.5,
    ):
        super().__init__(tree, seed=seed, regrets=regrets, gamma=gamma)
        if not isinstance(epsilon, int | float) or not 0.0 < epsilon <= 1.0:
            raise ParameterError(
                f"epsilon={epsilon!r}: give a number above 0, up to 1; without exploration, "
                "actions that are not played would never be tried"
            )
        if not isinstance(decay, int | float) or not 0.0 <= decay <= 1.0:
            raise ParameterError(f"decay={decay!r}: give a number from 0 (no baselines) to 1")
        self.epsilon = float(epsilon)
        self.decay = float(decay)
        n = tree.num_players
        self._baselines = kernels.Baselines(
            np.zeros((n, tree.num_nodes)), np.zeros((n, len(self._form.cumulative)))
        )

    def _sample(self, stop: int) -> int:
        return kernels.outcome_sampling(
            self._form, self._rule, self.epsilon, self.decay, self.iteration, stop, self._rng,
            self._regret, self._total, self._baselines,
        )  # fmt: skip

    def settings(self) -> dict[str, Any]:
        """See `checkpoint.Resumable`."""
        return {**super().settings(), "epsilon": self.epsilon, "decay": self.decay}

    def state(self) -> dict[str, NDArray[Any]]:
        """See `checkpoint.Resumable`."""
        value, mean = self._baselines
        return {**super().state(), "baselines": value, "baseline_means": mean}


SAMPLERS: dict[str, type[MonteCarloCFR]] = {
    kind.name: kind for kind in (ExternalSamplingMCCFR, OutcomeSamplingMCCFR)
}
"""By name."""

_WORD = 2**64


def _packed(rng: np.random.Generator) -> NDArray[np.uint64]:
    """The whole state of a PCG64: two 128-bit numbers, and half a draw that may be kept."""
    state: Any = rng.bit_generator.state
    pcg = state["state"]
    words = (*divmod(pcg["state"], _WORD), *divmod(pcg["inc"], _WORD))
    return np.array([*words, state["has_uint32"], state["uinteger"]], np.uint64)


def _unpacked(words: NDArray[np.uint64]) -> np.random.Generator:
    """The generator whose state `_packed` gave."""
    high, low, inc_high, inc_low, has_half, half = words.tolist()
    rng = np.random.Generator(np.random.PCG64())
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": high * _WORD + low, "inc": inc_high * _WORD + inc_low},
        "has_uint32": has_half,
        "uinteger": half,
    }
    return rng
