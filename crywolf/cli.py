"""The command line. Everything heavy is imported inside the commands, so that help is immediate."""

from __future__ import annotations

import errno
import io
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

REFUSED = 2
"""Exit status of an expected error: the request cannot be met."""
FAILED = 1
"""Exit status when a theorem is refuted or a game fails a check."""


class Commands(TyperGroup):
    """Shows expected errors as one line for people, and lets defects through."""

    def invoke(self, ctx: Any) -> Any:
        """See ``TyperGroup``."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            message = _message(error)
            if message is None:
                raise
            from .console import show_error

            show_error(message)
            raise typer.Exit(REFUSED) from None


def _message(error: Exception) -> str | None:
    """The text of an expected error, None for a defect (or for the command line's own errors)."""
    from .games.errors import CrywolfError

    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"cannot write the output: {error.strerror}"
    return str(error) if isinstance(error, CrywolfError) else None


app = typer.Typer(
    cls=Commands,
    help="Formal game theory of hidden-role and deduction games.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game of `crywolf games` or any OpenSpiel game string, such as 'leduc_poker' or "
        "'onuw(players=4,roles=2werewolf+seer+robber+3villager)'.",
        show_default=False,
    ),
]
MaxNodes = Annotated[
    int, typer.Option("--max-nodes", min=1, help="Largest game tree to search, in nodes.")
]


class OnFailure(StrEnum):
    """What happens when a language model's answer names no move."""

    RAISE = "raise"
    UNIFORM = "uniform"


class Method(StrEnum):
    """How NashConv is computed."""

    AUTO = "auto"
    EXACT = "exact"
    SAMPLED = "sampled"


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"crywolf {version('crywolf')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    # A policy package.module:function may lie in the current directory, as for `python -m`.
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


@app.command()
def games(json: JsonFlag = False) -> None:
    """List our games with their parameters."""
    from . import console
    from .games import registrations

    known = registrations()
    if json:
        console.show_json(
            [
                {
                    "name": name,
                    "summary": registration.summary,
                    "players": list(registration.seats),
                    "parameters": dict(registration.defaults),
                }
                for name, registration in known.items()
            ]
        )
        return
    console.show(
        console.games_table(known),
        "Set parameters in brackets: onuw(players=4,centre=0,roles=2werewolf+seer+robber).",
        "",
        "Every sequential OpenSpiel game works by its own name and parameters, such as leduc_poker "
        "or kuhn_poker(players=3); a game with simultaneous moves is made sequential by "
        "turn_based_simultaneous_game(game=goofspiel(num_cards=3)).",
    )


@app.command()
def check(
    game: GameName,
    json: JsonFlag = False,
    max_nodes: Annotated[
        int, typer.Option("--max-nodes", min=1, help="Visit every node of a tree up to this size.")
    ] = 200_000,
) -> None:
    """Check that GAME keeps the contract of an extensive-form game.

    The exit status is 1 if a check fails.
    """
    from . import console
    from .games.conformance import check_game

    report = check_game(game, max_nodes=max_nodes)
    if json:
        console.show_json(
            {
                "game": report.game,
                "ok": report.ok,
                "nodes": report.nodes,
                "exhaustive": report.exhaustive,
                "checks": [
                    {
                        "name": check.name,
                        "claim": check.claim,
                        "ok": check.ok,
                        "skipped": check.skipped,
                        "detail": check.detail,
                    }
                    for check in report.checks
                ],
            }
        )
    else:
        console.show(*console.checks_view(report))
    if not report.ok:
        raise typer.Exit(FAILED)


@app.command()
def theorems(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One theorem; all by default.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Verify published results, exactly.

    The exit status is 1 if any is refuted.
    """
    from . import console
    from .analysis.theorems import THEOREMS, find

    claims = list(THEOREMS.values()) if name is None else [find(name)]
    findings = console.check_claims(claims, visible=not json)
    if json:
        console.show_json([finding.to_json() for finding in findings])
    elif name is not None:
        console.show(console.finding_details(findings[0]))
    else:
        console.show(console.findings_table(findings), console.tally(findings))
    if any(finding.status == "refuted" for finding in findings):
        raise typer.Exit(FAILED)


@app.command()
def solve(
    game: GameName,
    algorithm: Annotated[str, typer.Option("--algorithm", help="The algorithm.")] = "cfr+",
    iterations: Annotated[int, typer.Option("--iterations", min=1, help="How many to run.")] = 1000,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE.npz", help="Write the policy here.", show_default=False
        ),
    ] = None,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Solve GAME; its average policy can be kept in a file."""
    from . import console
    from .analysis.evaluation import general_note
    from .solvers.best_response import evaluate
    from .solvers.solve import solve as run
    from .solvers.tree import compile_tree

    if out is not None:
        _refuse_bad_policy_path(out)
    with console.progress("compiling", visible=not json) as update:
        tree = compile_tree(game, max_nodes=max_nodes, progress=update)
    marks = sorted({1 << k for k in range(iterations.bit_length())})
    steps = {iterations * k // 100 for k in range(1, 100)}  # the bar moves evenly
    with console.progress(algorithm, visible=not json) as update:
        result = run(
            tree,
            algorithm,
            iterations,
            checkpoints=sorted({*marks, *steps}),
            progress=lambda done, value: update(done, iterations, f"NashConv {value:.3g}"),
        )
    if out is not None:
        result.profile.save(out)
    values = evaluate(result.profile).values.tolist()
    if json:
        console.show_json(
            {
                "game": game,
                "algorithm": result.algorithm,
                "iterations": result.iterations,
                "nash_conv": result.nash_conv,
                "values": values,
                "out": None if out is None else str(out),
            }
        )
        return
    console.show(*console.solution_view(game, result, values, marks))
    console.show(*console.notes_view(general_note(tree.game)))
    if out is not None:
        console.show(f"policy written to {out}")


def _refuse_bad_policy_path(path: Path) -> None:
    """Before the work, not after it."""
    from .games.errors import PolicyFileError

    if path.suffix != ".npz":
        raise PolicyFileError(f"{path}: the name of a policy file must end in .npz")
    try:
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except OSError as error:
        raise PolicyFileError(f"{error}; choose another path") from error
    if is_folder:
        raise PolicyFileError(f"{path} is a directory; name a file")
    if not has_folder:
        raise PolicyFileError(
            f"there is no directory {path.parent}; make it or choose another path"
        )


@app.command()
def nashconv(
    game: GameName,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="SPEC",
            help="uniform, random:SEED, a file policy.npz, package.module:function; a language "
            "model: llm:local[:FILE.gguf], llm:http://HOST:PORT/v1#MODEL, "
            "llm:replay:FILE[#MODEL].",
            show_default=False,
        ),
    ],
    json: JsonFlag = False,
    method: Annotated[
        Method, typer.Option("--method", help="auto samples if the tree is too large.")
    ] = Method.AUTO,
    max_nodes: MaxNodes = 2_000_000,
    samples: Annotated[
        int, typer.Option("--samples", min=4, help="Plays per player, if sampled.")
    ] = 20_000,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Of the plays or of an interval, if sampled.")
    ] = 0,
    elicitation: Annotated[
        str | None,
        typer.Option(
            "--elicitation",
            metavar="HOW",
            help="labels (probabilities of one-letter labels, all rotations; the default), "
            "samples:N (N draws per information set), or stated.",
            show_default=False,
        ),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="FILE",
            help="Keep every call here, and ask nothing twice: a killed run goes on.",
            show_default=False,
        ),
    ] = None,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Ask again what the store holds.")
    ] = False,
    max_calls: Annotated[
        int | None,
        typer.Option("--max-calls", min=0, help="Make no more.", show_default=False),
    ] = None,
    per_minute: Annotated[
        float | None,
        typer.Option(
            "--per-minute",
            min=0.001,
            help="Most calls a minute.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            help="Calls to a server at the same time.",
            show_default=False,
        ),
    ] = None,
    retries: Annotated[
        int | None,
        typer.Option(
            "--retries",
            min=0,
            help="Reminders after an answer that names no move (1).",
            show_default=False,
        ),
    ] = None,
    on_failure: Annotated[
        OnFailure | None,
        typer.Option(
            "--on-failure",
            help="Then stop, or let uniform play stand in, counted (raise).",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Measure how far a policy is from a Nash equilibrium of GAME.

    Exact where the tree can be searched; otherwise a lower bound that holds with probability 0.95.
    Of a language model that is sampled: an estimate with an interval of confidence 0.95.
    """
    from contextlib import closing, nullcontext

    import numpy as np

    from . import console
    from .analysis.evaluation import nash_conv

    asked = {
        "elicitation": elicitation,
        "store": store,
        "refresh": refresh or None,
        "max_calls": max_calls,
        "per_minute": per_minute,
        "workers": workers,
        "retries": retries,
        "on_failure": None if on_failure is None else on_failure.value,
    }
    source = _language_model(policy, game, {k: v for k, v in asked.items() if v is not None})
    with (
        nullcontext() if source is None else closing(source),
        console.progress("evaluating", visible=not json) as update,
    ):
        report = nash_conv(
            game,
            policy if source is None else source,
            method=method.value,
            max_nodes=max_nodes,
            samples=samples,
            rng=np.random.default_rng(seed),
            progress=lambda what, done, total: update(done, total, what),
        )
    if json:
        console.show_json(report.to_json())
    else:
        console.show(*console.report_view(report))


def _language_model(policy: str, game: str, asked: dict[str, Any]) -> Any:
    """The language model that a specification names, asked in the given way; None for another."""
    from .games.errors import ParameterError

    if not policy.strip().startswith("llm:"):
        if asked:
            options = ", ".join("--" + name.replace("_", "-") for name in asked)
            raise ParameterError(f"{options}: only of a language model, and {policy!r} is none")
        return None
    from .games.loading import load_game
    from .llm_bridge.failures import FailurePolicy
    from .llm_bridge.specs import Options, policy_from_spec

    keys = {"retries": "retries", "on_failure": "then"}
    failures = FailurePolicy(**{keys[k]: asked.pop(k) for k in keys if k in asked})
    return policy_from_spec(policy, load_game(game), Options(on_failure=failures, **asked))


@app.command()
def demo(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for the figure.")
    ] = Path("demo"),
) -> None:
    """Verify the published theorems, score policies and a language model, draw a figure."""
    from .demo import run

    if not run(out):
        raise typer.Exit(FAILED)


def main() -> None:
    """The entry point of the command ``crywolf``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    app()
