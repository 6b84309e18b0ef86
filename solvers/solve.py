"""One call that solves a game: algorithms by name, with the history of NashConv."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..games.errors import ParameterError, UnknownAlgorithm
from .best_response import nash_conv
from .cfr import CFRPlus
from .profile import Profile
from .tree import DEFAULT_MAX_NODES, Game, compile_tree


class Solver(Protocol):
    """What an iterative algorithm offers; `CFRPlus` is the model."""

    @property
    def iteration(self) -> int:
        """How many iterations have been run."""
        ...

    def run(self, iterations: int) -> None:
        """Runs ``iterations`` more iterations."""
        ...

    def average_profile(self) -> Profile:
        """The result so far."""
        ...


ALGORITHMS: dict[str, Callable[..., Solver]] = {"cfr+": CFRPlus}
"""Algorithms by name: ``ALGORITHMS[name](tree, **options)`` makes a solver. Add yours here."""


@dataclass(frozen=True)
class SolveResult:
    """The outcome of `solve`.

    Attributes:
        profile: the average profile after the last iteration.
        algorithm: the algorithm's name.
        iterations: how many iterations were run.
        history: (iteration, NashConv of the average profile) at each checkpoint, in utilities.
        seconds: time spent in iterations, not part of equality.
    """

    profile: Profile
    algorithm: str
    iterations: int
    history: tuple[tuple[int, float], ...]
    seconds: float = field(compare=False)

    @property
    def nash_conv(self) -> float:
        """NashConv of ``profile``."""
        return self.history[-1][1]

    def __repr__(self) -> str:
        return (
            f"SolveResult({self.profile.tree.name}, {self.algorithm}: "
            f"NashConv {self.nash_conv:.6g} after {self.iterations:,} iterations, "
            f"{self.seconds:.3g} s)"
        )

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{t:,}</td><td>{x:.6g}</td></tr>" for t, x in self.history)
        return (
            f"<table><caption>{html.escape(repr(self))}</caption><thead><tr><th>Iteration</th>"
            f"<th>NashConv</th></tr></thead><tbody>{rows}</tbody></table>"
        )


def solve(
    game: Game,
    algorithm: str = "cfr+",
    iterations: int = 1000,
    *,
    checkpoints: Sequence[int] | None = None,
    progress: Callable[[int, float], None] | None = None,
    max_nodes: int = DEFAULT_MAX_NODES,
    **options: Any,
) -> SolveResult:
    """Runs an iterative algorithm on a game.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        algorithm: a name in `ALGORITHMS`.
        iterations: how many to run, at least 1.
        checkpoints: iterations at which to record NashConv; by default the powers of two. The last
            iteration is always recorded.
        progress: called with (iteration, NashConv) at each checkpoint.
        max_nodes: limit for the compilation, if any.
        options: passed to the algorithm.

    Raises:
        UnknownAlgorithm: no algorithm of that name; the text lists them.
        ParameterError: fewer than one iteration; or see `compile_tree`.
        GameError: the game cannot be compiled; see `compile_tree`.
    """
    create = ALGORITHMS.get(algorithm)
    if create is None:
        raise UnknownAlgorithm(
            f"no algorithm is called {algorithm!r}; choose one of {', '.join(sorted(ALGORITHMS))}"
        )
    if iterations < 1:
        raise ParameterError(f"iterations={iterations}: run at least 1")
    tree = compile_tree(game, max_nodes=max_nodes)
    solver = create(tree, **options)
    history: list[tuple[int, float]] = []
    seconds = 0.0
    for stop in _stops(iterations, checkpoints):
        started = time.perf_counter()
        solver.run(stop - solver.iteration)
        seconds += time.perf_counter() - started
        history.append((stop, nash_conv(solver.average_profile())))
        if progress is not None:
            progress(*history[-1])
    return SolveResult(solver.average_profile(), algorithm, iterations, tuple(history), seconds)


def _stops(iterations: int, checkpoints: Sequence[int] | None) -> list[int]:
    if checkpoints is None:
        checkpoints = [1 << k for k in range(iterations.bit_length())]
    return sorted({t for t in checkpoints if 1 <= t < iterations} | {iterations})
