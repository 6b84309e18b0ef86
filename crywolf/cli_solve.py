"""The commands that solve games and turn them into files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from .cli_options import GameName, JsonFlag, MaxNodes, PolicyOut, refuse_bad_policy_path


class Iterate(StrEnum):
    """Which strategies count."""

    average = "average"
    last = "last"


def solve(
    game: GameName,
    algorithm: Annotated[
        str, typer.Option("--algorithm", help="cfr, cfr+, lcfr, dcfr or pcfr+.")
    ] = "cfr+",
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            min=1,
            help="How many to run: 1,000 by default, with --target at most 10 million.",
            show_default=False,
        ),
    ] = None,
    target: Annotated[
        float | None,
        typer.Option(
            "--target",
            metavar="EPS",
            help="Stop when NashConv is at most this. The exit status is 1 if it is not reached.",
            show_default=False,
        ),
    ] = None,
    iterate: Annotated[
        Iterate, typer.Option("--iterate", help="Whether the average or the last iterate counts.")
    ] = Iterate.average,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Update all players at once, not in turn.")
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Write what has been reached here every minute. The same command goes on from it, "
            "bit for bit.",
            show_default=False,
        ),
    ] = None,
    out: PolicyOut = None,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Solve GAME; its policy can be kept in a file."""
    from . import console
    from .analysis.reporting import general_note
    from .cli_errors import FAILED
    from .solvers.best_response import evaluate
    from .solvers.solve import solve as run
    from .solvers.tree import compile_tree

    if out is not None:
        refuse_bad_policy_path(out)
    with console.progress("compiling", visible=not json) as update:
        tree = compile_tree(game, max_nodes=max_nodes, progress=update)
    options: dict[str, Any] = {"alternating": False} if simultaneous else {}
    with console.progress(algorithm, visible=not json) as update:
        watch = _Watch(update, iterations if target is None else None)
        result = run(
            tree,
            algorithm,
            iterations,
            target=target,
            iterate=iterate.value,
            checkpoint=checkpoint,
            progress=watch.valued,
            tick=watch.ticked,
            **options,
        )
    if out is not None:
        result.profile.save(out)
    values = evaluate(result.profile).values.tolist()
    reached = target is None or result.nash_conv <= target
    if json:
        console.show_json(
            {
                "game": game,
                "algorithm": result.algorithm,
                "iterate": result.iterate,
                "iterations": result.iterations,
                "nash_conv": result.nash_conv,
                "target": target,
                "reached": reached,
                "values": values,
                "history": [list(entry) for entry in result.history],
                "seconds": result.seconds,
                "out": None if out is None else str(out),
            }
        )
    else:
        console.show(*console.solution_view(game, result, values))
        console.show(*console.notes_view(general_note(tree.game)))
        if not reached:
            console.show(f"NashConv is not down to {target:g}: run more --iterations")
        if out is not None:
            console.show(f"policy written to {out}")
    if not reached:
        raise typer.Exit(FAILED)


class _Watch:
    """Tells the progress bar the iteration, the last NashConv, and iterations per second."""

    def __init__(self, update: Any, total: int | None):
        self._update, self._total, self._nash_conv = update, total, ""
        self._began: tuple[float, int] | None = None

    def valued(self, iteration: int, nash_conv: float) -> None:
        """NashConv is known."""
        self._nash_conv = f"NashConv {nash_conv:.3g}"
        self.ticked(iteration)

    def ticked(self, iteration: int) -> None:
        """An iteration is done."""
        now = perf_counter()
        if self._began is None:  # a checkpoint may have brought it here
            self._began = now, iteration
        seconds, done = now - self._began[0], iteration - self._began[1]
        speed = f", {done / seconds:,.0f} iterations/s" if seconds > 0 < done else ""
        self._update(iteration, self._total, self._nash_conv + speed)


def convert(
    game: GameName,
    out: Annotated[
        Path, typer.Argument(metavar="FILE.efg", help="The file to write.", show_default=False)
    ],
    max_nodes: MaxNodes = 2_000_000,
) -> None:
    """Write GAME as a Gambit file (.efg), with exact fractions."""
    from . import console
    from .games.errors import OutputError
    from .solvers.efg_export import export_efg
    from .solvers.tree import compile_tree

    if out.suffix.lower() != ".efg":
        raise OutputError(f"cannot write {out}: give the file a name that ends in .efg")
    with console.progress("compiling") as update:
        tree = compile_tree(game, max_nodes=max_nodes, progress=update)
    export_efg(tree, out)
    console.show(f"{tree.num_nodes:,} nodes written to {out}")
