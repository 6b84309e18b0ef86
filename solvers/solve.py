"""One call that solves a game: iterative algorithms by name, with the history of NashConv."""

from __future__ import annotations

import html
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ..games.errors import CheckpointError, ParameterError, UnknownAlgorithm
from .best_response import nash_conv
from .checkpoint import Resumable, Solver, load_checkpoint, save_checkpoint
from .profile import Profile
from .regret import MINIMISERS
from .tree import DEFAULT_MAX_NODES, Game, compile_tree

ALGORITHMS: dict[str, Callable[..., Any]] = {**MINIMISERS}
"""Algorithms by name: ``ALGORITHMS[name](tree, **options)`` makes a `Solver`. Add yours here."""

DEFAULT_ITERATIONS = 1000
MOST_ITERATIONS = 10_000_000
"""Where a search for a target ends if nothing else ends it."""
SAVED_EVERY = 60.0
"""Seconds between checkpoints."""
TICK = 0.25
"""Seconds of iterations between two looks at the clock."""


@dataclass(frozen=True)
class SolveResult:
    """The outcome of `solve`.

    Attributes:
        profile: the profile after the last iteration.
        algorithm: the algorithm's name.
        iterations: how many iterations were run.
        history: (iteration, NashConv of the profile) at each checkpoint, in utilities.
        iterate: whether profiles are ``average`` or ``last`` iterates.
        seconds: time spent in iterations, not part of equality.
    """

    profile: Profile
    algorithm: str
    iterations: int
    history: tuple[tuple[int, float], ...]
    iterate: str = "average"
    seconds: float = field(compare=False, default=0.0)

    @property
    def nash_conv(self) -> float:
        """NashConv of ``profile``."""
        return self.history[-1][1]

    @property
    def note(self) -> str:
        """What can be promised of the profile besides its NashConv; empty if all is well."""
        tree = self.profile.tree
        if tree.num_players == 2 and tree.is_constant_sum:
            return "" if self.iterate == "average" else "the last iterate need not converge"
        return (
            f"heuristic: {tree.name} is no two-player zero-sum game, so NashConv need not approach "
            "0, and a small one tells of one equilibrium among possibly many"
        )

    def __repr__(self) -> str:
        return (
            f"SolveResult({self.profile.tree.name}, {self.algorithm}: "
            f"NashConv {self.nash_conv:.6g} after {self.iterations:,} iterations, "
            f"{self.seconds:.3g} s)"
        )

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><td>{t:,}</td><td>{x:.6g}</td></tr>" for t, x in self.history)
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        return (
            f"<table><caption>{html.escape(repr(self))}</caption><thead><tr><th>Iteration</th>"
            f"<th>NashConv</th></tr></thead><tbody>{rows}</tbody></table>{note}"
        )


def solve(
    game: Game,
    algorithm: str = "cfr+",
    iterations: int | None = None,
    *,
    target: float | None = None,
    iterate: Literal["average", "last"] = "average",
    checkpoints: Sequence[int] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: Callable[[int, float], None] | None = None,
    tick: Callable[[int], None] | None = None,
    max_nodes: int = DEFAULT_MAX_NODES,
    **options: Any,
) -> SolveResult:
    """Runs an iterative algorithm on a game.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        algorithm: a name in `ALGORITHMS`.
        iterations: how many to run, at least 1; by default 1,000, with a target 10 million.
        target: stop as soon as NashConv is at most this, in utilities; it is looked at at the
            checkpoints.
        iterate: whether the ``average`` of all strategies counts, or the ``last`` ones.
        checkpoints: iterations at which to record NashConv; by default the powers of two, with a
            target four steps to each. The last iteration is always recorded.
        checkpoint: a file that is written every minute and at the end. If it exists, the run goes
            on from there; its result is the same, bit for bit, as without interruption.
        progress: called with (iteration, NashConv) at each of ``checkpoints``.
        tick: called with the iteration a few times a second.
        max_nodes: limit for the compilation, if any.
        options: passed to the algorithm.

    Raises:
        UnknownAlgorithm: no algorithm of that name; the text lists them.
        ParameterError: fewer than one iteration, or another argument out of range.
        CheckpointError: the file is damaged, or of another game, algorithm or other options.
        GameError: the game cannot be compiled; see `compile_tree`.
    """
    create = ALGORITHMS.get(algorithm)
    if create is None:
        raise UnknownAlgorithm(
            f"no algorithm is called {algorithm!r}; choose one of {', '.join(sorted(ALGORITHMS))}"
        )
    if iterations is None:
        iterations = DEFAULT_ITERATIONS if target is None else MOST_ITERATIONS
    if iterations < 1:
        raise ParameterError(f"iterations={iterations}: run at least 1")
    if target is not None and not 0.0 <= target < math.inf:
        raise ParameterError(f"target={target!r}: give a NashConv from 0 on")
    if iterate not in ("average", "last"):
        raise ParameterError(f"iterate={iterate!r}: choose 'average' or 'last'")
    tree = compile_tree(game, max_nodes=max_nodes)
    solver, history = _begin(create(tree, **options), checkpoint, iterations)
    keeper = _Keeper(solver, checkpoint, history)
    for stop in _stops(iterations, checkpoints, 1 if target is None else 4):
        if stop <= solver.iteration and history and stop <= history[-1][0]:
            if target is not None and dict(history).get(stop, math.inf) <= target:
                break
            continue
        for count in keeper.pieces(stop):
            with keeper.told_of_interrupts():
                solver.run(count)
                if tick is not None:
                    tick(solver.iteration)
        profile = _profile(solver, iterate)
        history.append((stop, nash_conv(profile)))
        if progress is not None:
            progress(*history[-1])
        if target is not None and history[-1][1] <= target:
            break
    keeper.save()
    return SolveResult(
        _profile(solver, iterate), algorithm, solver.iteration, tuple(history), iterate,
        keeper.seconds,
    )  # fmt: skip


class _Keeper:
    """Cuts iterations into pieces, takes the time, and writes checkpoints.

    Attributes:
        seconds: time spent in iterations.
    """

    def __init__(
        self,
        solver: Any,
        path: str | PathLike[str] | None,
        history: list[tuple[int, float]],
    ):
        self.seconds = 0.0
        self._solver, self._path, self._history = solver, path, history
        self._saved = time.monotonic()
        self._piece, self._kept = 1, solver.iteration

    def pieces(self, stop: int) -> Iterator[int]:
        """Numbers of iterations that lead to ``stop``, each of about `TICK` seconds."""
        while self._solver.iteration < stop:
            count = min(self._piece, stop - self._solver.iteration)
            started = time.perf_counter()
            yield count
            spent = time.perf_counter() - started
            self.seconds += spent
            if count == self._piece and spent < TICK / 2:
                self._piece *= 2
            if time.monotonic() - self._saved >= SAVED_EVERY:
                self.save()

    def save(self) -> None:
        """Writes a checkpoint, if one is asked for."""
        if self._path is not None:
            save_checkpoint(self._solver, self._path, self._history)
            self._saved, self._kept = time.monotonic(), self._solver.iteration

    @contextmanager
    def told_of_interrupts(self) -> Iterator[None]:
        """An interrupt says what is kept. Nothing is saved: it may come amid an update."""
        try:
            yield
        except KeyboardInterrupt as interrupt:
            if self._kept:
                interrupt.add_note(
                    f"{self._path} is at iteration {self._kept:,}: start the same run again to go "
                    "on from there"
                )
            raise


def _begin(
    solver: Any, path: str | PathLike[str] | None, iterations: int
) -> tuple[Any, list[tuple[int, float]]]:
    """The solver to run: a new one, or as a checkpoint left it."""
    if path is None:
        return solver, []
    if not isinstance(solver, Resumable):
        raise ParameterError(f"{solver.name} keeps no checkpoints; leave out checkpoint")
    if not Path(path).exists():
        return solver, []
    found, history = load_checkpoint(path, solver.tree, ALGORITHMS)
    if (found.name, found.settings()) != (solver.name, solver.settings()):
        raise CheckpointError(
            f"{path} is a checkpoint of {found.name} with {found.settings()}, not of {solver.name} "
            f"with {solver.settings()}; give the same options, or another file"
        )
    if found.iteration > iterations:
        raise CheckpointError(
            f"{path} is at iteration {found.iteration:,}, beyond the {iterations:,} asked for; ask "
            "for more, or name another file"
        )
    return found, history


def _profile(solver: Solver, iterate: str) -> Profile:
    return solver.average_profile() if iterate == "average" else solver.current_profile()


def _stops(iterations: int, checkpoints: Sequence[int] | None, steps: int) -> list[int]:
    """Where NashConv is looked at: given, or ``steps`` to each doubling."""
    if checkpoints is None:
        powers = steps * iterations.bit_length()
        checkpoints = [round(2.0 ** (k / steps)) for k in range(powers)]
    return sorted({t for t in checkpoints if 1 <= t < iterations} | {iterations})
