"""A game of more than 20 million leaves: time and memory to compile, to store and to solve it."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyspiel
from rich.console import Console
from rich.table import Table

from crywolf.solvers import CFRPlus, GameTree, nash_conv

GAME = "liars_dice(dice_sides=9)"
"""Liar's dice with nine-sided dice: 42,467,257 nodes, 21,233,583 leaves."""
MAX_NODES = 200_000_000
ITERATIONS = 100


class Scale:
    """Rows of (step, seconds, peak memory so far in GB, remark); peaks are of a fresh process."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float, str]] = []
        self._remark = ""

    def run(self, game: str) -> None:
        """Does everything once."""
        with self._step("compile"):
            tree = GameTree.compile(pyspiel.load_game(game), max_nodes=MAX_NODES)
            self._remark = (
                f"{tree.num_nodes:,} nodes, {tree.num_leaves:,} leaves, "
                f"{tree.num_infosets:,} information sets"
            )
        with self._step("sequence form"):
            self._remark = f"{len(tree.sequence_form.weight):,} entries"
        with self._step("vector form"):
            layout = tree.vector_layout
            self._remark = f"{layout.size:,} numbers; {tree.memory.per_node:.1f} bytes per node"
        for dtype in ("float64", "float32"):
            solver = CFRPlus(tree, dtype=dtype)
            solver.run(1)  # compiles the kernels
            with self._step(f"{ITERATIONS - 1} CFR+ iterations, {dtype}"):
                solver.run(ITERATIONS - 1)
            with self._step("NashConv"):
                found = nash_conv(solver.average_profile())
                self._remark = f"{found:.6f} after {ITERATIONS} iterations"
            del solver
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "game.tree"
            with self._step("write the file"):
                tree.save(path)
                self._remark = f"{path.stat().st_size / 1e9:.2f} GB"
            del tree, layout
            with self._step("read the file"):
                GameTree.load(path)

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        self._remark = ""
        started = time.perf_counter()
        yield
        self.rows.append((name, time.perf_counter() - started, peak(), self._remark))


def peak() -> float:
    """The largest memory that this process has had so far, in GB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def main(game: str) -> int:
    """Measures and prints a table."""
    scale = Scale()
    scale.run(game)
    drawn: Any = Table(title=f"{game}: one process, one thread")
    for name in ("Step", "Seconds", "Peak GB", "Remark"):
        drawn.add_column(name, justify="right" if name in ("Seconds", "Peak GB") else "left")
    for step, seconds, memory, remark in scale.rows:
        drawn.add_row(step, f"{seconds:.4g}", f"{memory:.2f}", remark)
    console = Console()
    Console(width=None if console.is_terminal else 150).print(drawn)
    return 0
