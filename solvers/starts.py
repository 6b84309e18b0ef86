"""The same algorithm from many starts: what it reaches, and how much that depends on the start.

Outside two-player zero-sum games regret minimisation is a heuristic (see `SolveResult.note`), and
one run says little: from other starts it may stay farther from equilibrium, or end at an
equilibrium that pays differently.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError
from .profile import Profile
from .result import SolveResult
from .solve import ALGORITHMS, find_algorithm, options_of, solve
from .tree import DEFAULT_MAX_NODES, Game, GameTree, compile_tree

STARTS = 20


@dataclass(frozen=True, repr=False)
class StartsResult:
    """The outcome of `solve_from_starts`.

    Attributes:
        results: one for each start.
        seed: that determines the starts.
    """

    results: tuple[SolveResult, ...]
    seed: int

    @cached_property
    def nash_convs(self) -> NDArray[np.float64]:
        """NashConv of each start's profile, in utilities."""
        return np.array([result.nash_conv for result in self.results])

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """(starts, players), each player's expected payoff, in utilities."""
        return np.array([result.values for result in self.results], np.float64)

    @property
    def best(self) -> SolveResult:
        """The result with the smallest NashConv, the first among equals."""
        return self.results[int(np.argmin(self.nash_convs))]

    def rows(self) -> Iterator[tuple[str, float, float, float]]:
        """Minimum, median and maximum over the starts: of NashConv, and of each payoff."""
        columns = [("NashConv", self.nash_convs)]
        columns += [(f"payoff of P{p + 1}", column) for p, column in enumerate(self.values.T)]
        for name, column in columns:
            yield name, float(column.min()), float(np.median(column)), float(column.max())

    @property
    def _title(self) -> str:
        first = self.results[0]
        return (
            f"{first.profile.tree.name}, {first.algorithm}, {first.iterations:,} iterations from "
            f"{len(self.results)} starts"
        )

    def __repr__(self) -> str:
        low, middle, high = next(self.rows())[1:]
        return f"StartsResult({self._title}: NashConv {low:.3g} to {high:.3g}, median {middle:.3g})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{name}</td>" + "".join(f"<td>{x:.6g}</td>" for x in numbers) + "</tr>"
            for name, *numbers in self.rows()
        )
        return (
            f"<table><caption>{html.escape(self._title)}</caption><thead><tr><th></th><th>minimum"
            f"</th><th>median</th><th>maximum</th></tr></thead><tbody>{rows}</tbody></table>"
        )


def solve_from_starts(
    game: Game,
    algorithm: str = "cfr+",
    iterations: int | None = None,
    *,
    starts: int = STARTS,
    seed: int = 0,
    progress: Callable[[int, float], None] | None = None,
    max_nodes: int = DEFAULT_MAX_NODES,
    **options: Any,
) -> StartsResult:
    """Runs an algorithm from many starts, drawn independently.

    Algorithms that draw get another seed each time; the others begin at profiles that are uniformly
    distributed (see `Profile.random`).

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        algorithm: a name in `ALGORITHMS`.
        iterations: of each run; by default as in `solve`.
        starts: how many, at least 1.
        seed: of all starts, an integer from 0 on.
        progress: called with (runs done, NashConv of the last one).
        max_nodes: limit for the compilation, if any.
        options: passed to `solve`.

    Raises:
        ParameterError: no start, a bad seed, or an algorithm that always begins in the same way.
        CrywolfError: see `solve`.
    """
    if starts < 1:
        raise ParameterError(f"starts={starts}: give at least 1")
    if seed < 0:
        raise ParameterError(f"seed={seed}: give an integer from 0 on")
    tree = compile_tree(game, max_nodes=max_nodes)
    results: list[SolveResult] = []
    for option in _starts(tree, algorithm, starts, seed):
        results.append(solve(tree, algorithm, iterations, checkpoints=(), **{**options, **option}))
        if progress is not None:
            progress(len(results), results[-1].nash_conv)
    return StartsResult(tuple(results), seed)


def _starts(tree: GameTree, algorithm: str, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """The option that makes each run another one."""
    known = options_of(find_algorithm(algorithm))
    if algorithm not in ALGORITHMS:
        raise ParameterError(f"{algorithm!r} ends by itself, in one run; leave out starts")
    sequences = np.random.SeedSequence(seed).spawn(count)
    if "seed" in known:
        yield from ({"seed": int(one.generate_state(1)[0])} for one in sequences)
    elif "start" in known:
        yield from ({"start": Profile.random(tree, np.random.default_rng(s))} for s in sequences)
    else:
        raise ParameterError(f"{algorithm!r} always begins in the same way; leave out starts")
