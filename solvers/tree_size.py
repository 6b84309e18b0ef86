"""How large a tree is, before it is built; and the refusal of one that is too large."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..games.errors import TreeTooLarge

PROBES = 64
"""Random descents for the estimate of a tree's size."""
PROBE_AFTER = 20_000
"""Nodes walked before the size is estimated: small trees need no estimate."""
HUGE = 1e100
"""Descents stop here: the exact size of a larger tree does not matter."""
BYTES_TO_COMPILE, BYTES_TO_SOLVE = 50, 100
"""Peak memory per node, for the text of refusals: of compiling; of CFR+ after it. Measured on
Liar's dice with nine-sided dice (42 million nodes); games with longer keys need more."""

Progress = Callable[[int], None]
"""Called with the number of nodes visited so far: about every `PROGRESS_STEP` nodes, and last with
the number of all."""
PROGRESS_STEP = 1 << 14
Probe = Callable[[np.random.Generator], float]
"""One random descent: an unbiased estimate of the number of nodes."""


class Pauses:
    """Where a walk pauses to report progress and to refuse a tree above the limit.

    Args:
        name: the game's name.
        max_nodes: the largest number of nodes to accept.
        probe: a random descent of the game.
        progress: called at every pause, if given.

    Attributes:
        first: the number of nodes that must be passed for the first pause.
    """

    def __init__(self, name: str, max_nodes: int, probe: Probe, progress: Progress | None):
        self.name, self.max_nodes, self.probe, self.progress = name, max_nodes, probe, progress
        self.first = min(max_nodes, PROBE_AFTER)
        self.estimated = False

    def pause(self, count: int) -> int:
        """To be called when ``count`` nodes have passed the last mark; returns the next one.

        Raises:
            TreeTooLarge: the limit is passed; or, on the first call, it surely will be.
        """
        if count > self.max_nodes or not self.estimated:
            estimate = estimate_size(self.probe, self.max_nodes)
            self.estimated = True
            if count > self.max_nodes or estimate.hopeless:
                raise _refusal(self.name, self.max_nodes, estimate)
        if self.progress is not None:
            self.progress(count)
        return min(self.max_nodes, count + PROGRESS_STEP)

    def finish(self, count: int) -> None:
        """To be called with the number of all nodes.

        Raises:
            TreeTooLarge: they are above the limit.
        """
        if count > self.max_nodes:
            self.pause(count)
        elif self.progress is not None:
            self.progress(count)


class Estimate(NamedTuple):
    """Knuth's unbiased estimate of the number of nodes of a tree, from random descents.

    D. E. Knuth, "Estimating the efficiency of backtrack programs", Math. Comp. 29 (1975).

    Attributes:
        mean: the estimate, in nodes.
        standard_error: of the estimate, in nodes. The sizes are heavy-tailed: a rough guide.
        hopeless: whether the tree surely exceeds the limit that was asked about.
    """

    mean: float
    standard_error: float
    hopeless: bool


def estimate_size(probe: Probe, limit: int) -> Estimate:
    """Estimates a tree's size, storing none of it.

    The verdict ``hopeless`` assumes nothing of the distribution: were the size T <= ``limit``, each
    descent would exceed 4 T with probability at most 1/4 (Markov), so more than 5/8 of the 64
    descents would do so with probability below 1e-9.
    """
    rng = np.random.default_rng(0)
    sizes = np.array([probe(rng) for _ in range(PROBES)])
    scale = sizes.max()  # squares of huge sizes would overflow
    error = float(scale * ((sizes / scale).std(ddof=1) / math.sqrt(PROBES)))
    hopeless = bool((sizes > 4.0 * limit).sum() > PROBES * 5 // 8)
    return Estimate(float(sizes.mean()), error, hopeless)


def size_words(size: float) -> str:
    """A number of bytes for people, with two digits: ``2.8 kB``."""
    for unit in ("bytes", "kB", "MB"):
        rounded = float(f"{size:.2g}")
        if rounded < 1000.0:
            return f"{rounded:g} {unit}"
        size /= 1000.0
    return f"{float(f'{size:.2g}'):g} GB"


def _refusal(name: str, max_nodes: int, estimate: Estimate) -> TreeTooLarge:
    size, error, _ = estimate
    if size < max_nodes:  # the walk has seen more nodes than the descents promised
        words = f"an estimate of {size:.2g} was too low"
    else:
        about = "about" if size < HUGE else "at least"
        words = (
            f"{about} {size:.2g} (standard error {error:.1g}; some "
            f"{size_words(size * BYTES_TO_COMPILE)} to compile, "
            f"{size_words(size * BYTES_TO_SOLVE)} to solve)"
        )
    return TreeTooLarge(
        f"{name}: the tree has more than {max_nodes:,} nodes, {words}; pass a larger max_nodes, a "
        "smaller game, or use sampled evaluation (nash_conv(..., method='sampled'))",
        limit=max_nodes,
        estimate=max(size, max_nodes + 1.0),
        standard_error=error,
    )
