"""One call that solves a game: algorithms by name, with the history of NashConv."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ..games.errors import CheckpointError, ParameterError, UnknownAlgorithm
from .best_response import nash_conv
from .checkpoint import Resumable, Solver, load_checkpoint, save_checkpoint
from .fictitious import FictitiousPlay
from .profile import Profile
from .regret import MINIMISERS
from .result import SolveResult
from .sampling import SAMPLERS
from .stopwatch import Stopwatch
from .tree import DEFAULT_MAX_NODES, Game, compile_tree

ALGORITHMS: dict[str, Callable[..., Any]] = {
    **MINIMISERS,
    **SAMPLERS,
    FictitiousPlay.name: FictitiousPlay,
}
"""Iterative algorithms by name: ``ALGORITHMS[name](tree, **options)`` makes a `Solver`. Add yours
here. Those that do not iterate are in `direct.DIRECT`."""

DEFAULT_ITERATIONS = 1000
MOST_ITERATIONS = 10_000_000
"""Where a search for a target ends if nothing else ends it."""
SAVED_EVERY = 60.0
"""Seconds between checkpoints, unless asked otherwise."""
TICK = 0.25
"""Seconds of iterations between two looks at the clock."""


def solve(
    game: Game,
    algorithm: str = "cfr+",
    iterations: int | None = None,
    *,
    target: float | None = None,
    iterate: Literal["average", "last"] = "average",
    checkpoints: Sequence[int] | None = None,
    checkpoint: str | PathLike[str] | None = None,
    checkpoint_every: float | None = None,
    progress: Callable[[int, float], None] | None = None,
    tick: Callable[[int], None] | None = None,
    max_nodes: int = DEFAULT_MAX_NODES,
    **options: Any,
) -> SolveResult:
    """Runs an algorithm on a game.

    The *direct* ones end by themselves, so that of the arguments for iterations none applies but,
    to ``qre``, the target: ``lp`` (two-player zero-sum, in floats), ``lp-exact`` (the same in
    fractions), ``lemke`` (two players, in fractions) and ``qre`` (any number of players, along
    quantal response equilibria to a sequential one). ``result.solution`` is their own result.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        algorithm: a name in `ALGORITHMS` or `direct.DIRECT`.
        iterations: how many to run, at least 1; by default 1,000, from samples 100,000, with a
            target 10 million.
        target: stop as soon as NashConv is at most this, in utilities; it is looked at at the
            checkpoints.
        iterate: whether the ``average`` of all strategies counts, or the ``last`` ones.
        checkpoints: iterations at which to record NashConv; by default the powers of two, with a
            target four steps to each. The last iteration is always recorded.
        checkpoint: a file that is written now and then and at the end. If it exists, the run goes
            on from there; its result is the same, bit for bit, as without interruption.
        checkpoint_every: seconds from one writing to the next, by default 60. It is looked at a few
            times a second, and between two iterations only.
        progress: called with (iteration, NashConv) at each of ``checkpoints``.
        tick: called with the iteration a few times a second.
        max_nodes: limit for the compilation, if any.
        options: passed to the algorithm.

    Raises:
        UnknownAlgorithm: no algorithm of that name; the text lists them.
        ParameterError: fewer than one iteration, another argument out of range, or an option or
            argument that the algorithm does not have.
        CheckpointError: the file is damaged, or of another game, algorithm or other options.
        GameError: the game cannot be compiled; see `compile_tree`.
    """
    create = find_algorithm(algorithm)
    _refuse_unknown(algorithm, create, options)
    if target is not None and not 0.0 <= target < math.inf:
        raise ParameterError(f"target={target!r}: give a NashConv from 0 on")
    if iterate not in ("average", "last"):
        raise ParameterError(f"iterate={iterate!r}: choose 'average' or 'last'")
    if algorithm not in ALGORITHMS:
        asked = {
            "iterations": iterations,
            "checkpoints": checkpoints,
            "checkpoint": checkpoint,
            "checkpoint_every": checkpoint_every,
            "target": target,
        }
        if "target" in options_of(create):
            options["target"] = asked.pop("target")
        _refuse_given(algorithm, asked)
        tree = compile_tree(game, max_nodes=max_nodes)
        watch = Stopwatch()
        with watch.running():
            result = create(tree, tick=tick, **options)
        return replace(result, seconds=watch.seconds, compile_seconds=watch.compile_seconds)
    if iterations is None:
        usual: int = getattr(create, "default_iterations", DEFAULT_ITERATIONS)
        iterations = usual if target is None else MOST_ITERATIONS
    if iterations < 1:
        raise ParameterError(f"iterations={iterations}: run at least 1")
    every = _period(checkpoint, checkpoint_every)
    tree = compile_tree(game, max_nodes=max_nodes)
    solver, history = _begin(create(tree, **options), checkpoint, iterations)
    keeper = _Keeper(solver, checkpoint, every, history)
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
        _profile(solver, iterate),
        algorithm,
        solver.iteration,
        tuple(history),
        iterate,
        seconds=keeper.watch.seconds,
        compile_seconds=keeper.watch.compile_seconds,
    )


def find_algorithm(name: str) -> Callable[..., Any]:
    """What makes the solver of that name, or solves directly.

    Raises:
        UnknownAlgorithm: no algorithm of that name; the text lists them.
    """
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    from .direct import DIRECT  # SciPy's solvers are slow to load

    found = DIRECT.get(name)
    if found is None:
        known = ", ".join(sorted([*ALGORITHMS, *DIRECT]))
        raise UnknownAlgorithm(f"no algorithm is called {name!r}; choose one of {known}")
    return found


def options_of(algorithm: Callable[..., Any]) -> list[str]:
    """The names of an algorithm's own options."""
    return [name for name in signature(algorithm).parameters if name not in ("tree", "tick")]


def _refuse_unknown(algorithm: str, create: Callable[..., Any], options: Iterable[str]) -> None:
    """Refuses options that an algorithm does not have, in words rather than as a TypeError."""
    known = options_of(create)
    for name in options:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise ParameterError(f"algorithm {algorithm!r} has no option {name!r}; {has}")


def _refuse_given(algorithm: str, asked: Mapping[str, Any]) -> None:
    """Refuses arguments for iterations, given to an algorithm that has none."""
    for name, value in asked.items():
        if value is not None:
            raise ParameterError(
                f"{name} does not go with algorithm={algorithm!r}, which ends by itself; leave it "
                "out"
            )


def _period(path: str | PathLike[str] | None, seconds: float | None) -> float:
    """The seconds between checkpoints, once they make sense."""
    if seconds is None:
        return SAVED_EVERY
    if path is None:
        raise ParameterError(f"checkpoint_every={seconds!r} needs a file: give checkpoint=..., too")
    if not 0.0 <= seconds < math.inf:
        raise ParameterError(f"checkpoint_every={seconds!r}: give seconds from 0 on")
    return seconds


class _Keeper:
    """Cuts iterations into pieces, takes the time, and writes checkpoints.

    Attributes:
        watch: the time spent in iterations.
    """

    def __init__(
        self,
        solver: Any,
        path: str | PathLike[str] | None,
        every: float,
        history: list[tuple[int, float]],
    ):
        self.watch = Stopwatch()
        self._solver, self._path, self._history = solver, path, history
        self._every = every
        self._saved = time.monotonic()
        self._piece, self._kept = 1, solver.iteration

    def pieces(self, stop: int) -> Iterator[int]:
        """Numbers of iterations that lead to ``stop``, each of about `TICK` seconds."""
        while self._solver.iteration < stop:
            count = min(self._piece, stop - self._solver.iteration)
            before = self.watch.seconds
            with self.watch.running():
                yield count
            if count == self._piece and self.watch.seconds - before < TICK / 2:
                self._piece *= 2
            if time.monotonic() - self._saved >= self._every:
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
