"""The commands that solve games and turn them into files."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from .cli_options import (
    GameName,
    JsonFlag,
    MaxNodes,
    PolicyOut,
    refuse_bad_policy_path,
    tree_of,
)

if TYPE_CHECKING:
    from .solvers.profile import Profile
    from .solvers.result import SolveResult
    from .solvers.tree import GameTree


class Iterate(StrEnum):
    """Which strategies count."""

    average = "average"
    last = "last"


class Precision(StrEnum):
    """What iterations are worked out in."""

    float64 = "float64"
    float32 = "float32"


def solve(
    game: GameName,
    algorithm: Annotated[
        str,
        typer.Option(
            "--algorithm",
            help="Iterative: cfr, cfr+, lcfr, dcfr, pcfr+ (regret minimisation), external-mccfr, "
            "outcome-mccfr (the same from samples), xfp (fictitious play). Direct: lp, lp-exact "
            "(two-player zero-sum), lemke (two players), qre (logit tracing, any number).",
        ),
    ] = "cfr+",
    iterations: Annotated[
        int | None,
        typer.Option(
            "--iterations",
            min=1,
            help="How many to run: 1,000 by default, 100,000 from samples, with --target at most "
            "10 million.",
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
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            help="Of the draws of external-mccfr and outcome-mccfr, or of --starts; 0 by default.",
            show_default=False,
        ),
    ] = None,
    starts: Annotated[
        int | None,
        typer.Option(
            "--starts",
            metavar="N",
            min=1,
            help="Run from N random starts and show how much the outcome depends on them.",
            show_default=False,
        ),
    ] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Write what has been reached here now and then. The same command goes on from it, "
            "bit for bit.",
            show_default=False,
        ),
    ] = None,
    checkpoint_every: Annotated[
        float | None,
        typer.Option(
            "--checkpoint-every",
            metavar="SECONDS",
            min=0.0,
            help="From one writing of --checkpoint to the next (60).",
            show_default=False,
        ),
    ] = None,
    dtype: Annotated[
        Precision | None,
        typer.Option(
            "--dtype",
            help="Of regret minimisation: float32 takes half the memory and about half the time, "
            "down to a NashConv of some 1e-6 of the largest payoff (float64).",
            show_default=False,
        ),
    ] = None,
    merge: Annotated[
        bool,
        typer.Option(
            "--merge",
            help="Leave out copies of subtrees first, which nobody can tell apart; the policy is "
            "one of GAME all the same.",
        ),
    ] = False,
    out: PolicyOut = None,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Solve GAME; its policy can be kept in a file."""
    from . import console
    from .cli_errors import FAILED

    once = {"target": target, "checkpoint": checkpoint, "checkpoint_every": checkpoint_every}
    if starts is not None:
        _refuse_with_starts(once)
    if out is not None:
        refuse_bad_policy_path(out)
    tree = tree_of(game, max_nodes, merge=merge, visible=not json)
    options: dict[str, Any] = {"alternating": False} if simultaneous else {}
    options |= {} if dtype is None else {"dtype": dtype.value}
    options["iterate"] = iterate.value
    if starts is not None:
        options |= {"seed": seed or 0, "starts": starts}
        outcome = _from_starts(tree, algorithm, iterations, options, visible=not json)
    else:
        options |= {} if seed is None else {"seed": seed}
        options |= once
        outcome = _once(tree, algorithm, iterations, options, visible=not json)
    if out is not None:
        outcome.profile.save(out)
    if json:
        written = {"out": None if out is None else str(out)}
        console.show_json({"game": game, **outcome.document, **written})
    else:
        console.show(*outcome.view(game))
        if out is not None:
            console.show(f"{outcome.kept} written to {out}")
    if outcome.reached is False:
        raise typer.Exit(FAILED)


class _Outcome(NamedTuple):
    """What was found: to keep, for machines, and for people; whether any target was reached."""

    profile: Profile
    kept: str
    document: dict[str, Any]
    view: Callable[[str], list[Any]]
    reached: bool | None


def _once(
    tree: GameTree,
    algorithm: str,
    iterations: int | None,
    options: dict[str, Any],
    *,
    visible: bool,
) -> _Outcome:
    """One run."""
    from . import console
    from .analysis.reporting import general_note
    from .solvers.solve import solve as run

    target = options["target"]
    with console.progress(algorithm, visible=visible) as update:
        _lay_out(tree, update)
        watch = _Watch(update, iterations if target is None else None)
        result = run(
            tree, algorithm, iterations, progress=watch.valued, tick=watch.ticked, **options
        )
    reached = None if target is None else result.nash_conv <= target
    exact = result.exact_values
    document = {
        "algorithm": result.algorithm,
        "iterate": result.iterate,
        "iterations": result.iterations,
        "nash_conv": result.nash_conv,
        "target": target,
        "reached": reached,
        "values": [float(value) for value in result.values],
        "exact_values": None if exact is None else [str(value) for value in exact],
        "history": [list(entry) for entry in result.history],
        "note": result.note,
        "seconds": result.seconds,
        "compile_seconds": result.compile_seconds,
    }

    def view(game: str) -> list[Any]:
        said = [f"{result.note}."] if result.note else []
        notes = general_note(tree) if result.solution is None else said
        missed = [] if target is None or reached else [_missed(result, target)]
        return [*console.solution_view(game, result), *console.notes_view(notes), *missed]

    return _Outcome(result.profile, "policy", document, view, reached)


def _lay_out(tree: GameTree, update: Any) -> None:
    """Makes what every algorithm needs first, and says so: large trees take seconds."""
    update(0, None, "sequence form")
    _ = tree.sequence_form
    update(0)


def _missed(result: SolveResult, target: float) -> str:
    """That the target was not reached, and what helps."""
    missed = f"NashConv is not down to {target:g}"
    if result.solution is None:
        return f"{missed}: run more --iterations"
    why = {"precision": "float64's precision ends here", "lost": "the branch is lost here"}
    exact = "lemke, which is exact" if result.profile.tree.num_players == 2 else "cfr+"
    return (
        f"{missed}: {why.get(result.solution.stopped, 'too many steps')}; give a larger --target, "
        f"or try --algorithm {exact}"
    )


def _from_starts(
    tree: GameTree,
    algorithm: str,
    iterations: int | None,
    options: dict[str, Any],
    *,
    visible: bool,
) -> _Outcome:
    """Runs from many starts, together; the best of them is kept."""
    from . import console
    from .analysis.reporting import general_note
    from .solvers.starts import solve_from_starts

    with console.progress(algorithm, visible=visible) as update:
        _lay_out(tree, update)
        found = solve_from_starts(
            tree,
            algorithm,
            iterations,
            progress=lambda done, x: update(done, options["starts"], f"NashConv {x:.3g}"),
            **options,
        )
    document = {
        "algorithm": algorithm,
        "iterate": found.best.iterate,
        "iterations": found.best.iterations,
        "seed": found.seed,
        "nash_convs": found.nash_convs.tolist(),
        "values": found.values.tolist(),
    }

    def view(game: str) -> list[Any]:
        return [*console.starts_view(game, found), *console.notes_view(general_note(tree))]

    best = "policy of the start with the smallest NashConv"
    return _Outcome(found.best.profile, best, document, view, reached=None)


def _refuse_with_starts(given: dict[str, Any]) -> None:
    """Refuses what concerns one run when many are asked for."""
    from .games.errors import ParameterError

    for name, value in given.items():
        if value is not None:
            option = name.replace("_", "-")
            raise ParameterError(f"--{option} is for one run; leave it or --starts out")


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
        Path,
        typer.Argument(
            metavar="FILE", help="The file to write, .efg or .tree.", show_default=False
        ),
    ],
    max_nodes: MaxNodes = 2_000_000,
) -> None:
    """Write GAME to a file: for Gambit (.efg, exact fractions), or compiled (.tree).

    Either can then be given as GAME.
    """
    from . import console
    from .games.errors import OutputError
    from .solvers.efg_export import export_efg

    ending = out.suffix.lower()
    if ending not in (".efg", ".tree"):
        raise OutputError(f"cannot write {out}: give the file a name that ends in .efg or .tree")
    tree = tree_of(game, max_nodes)
    if ending == ".efg":
        export_efg(tree, out)
    else:
        tree.save(out)
    console.show(f"{tree.num_nodes:,} nodes written to {out}")
