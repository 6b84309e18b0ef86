"""The command line. Everything heavy is imported inside the commands, so that help is immediate."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from .cli_correlate import correlate
from .cli_draw import draw
from .cli_errors import FAILED, Commands
from .cli_models import prompt, store_app
from .cli_nashconv import nashconv
from .cli_options import GameName, JsonFlag, refuse_bad_output
from .cli_pbe import pbe
from .cli_solve import convert, solve

app = typer.Typer(
    cls=Commands,
    help="Formal game theory of hidden-role and deduction games.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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
    proof: Annotated[
        Path | None,
        typer.Option(
            "--proof",
            metavar="FILE",
            help="Write the proof of the theorem NAME here, a document that ends in .md or .tex.",
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Verify published results, exactly.

    The exit status is 1 if any is refuted.
    """
    from . import console
    from .analysis.theorems import THEOREMS, find
    from .games.errors import ParameterError

    if proof is not None:
        if name is None:
            raise ParameterError("--proof is of one theorem: name it, crywolf theorems NAME")
        refuse_bad_output(proof, ".md", ".tex")
    claims = list(THEOREMS.values()) if name is None else [find(name)]
    findings = console.check_claims(claims, visible=not json)
    if proof is not None:
        findings[0].save_proof(proof)
    if json:
        console.show_json([finding.to_json() for finding in findings])
    elif name is not None:
        console.show(console.finding_details(findings[0]))
    else:
        console.show(*console.findings_view(findings), console.tally(findings))
    if any(finding.status == "refuted" for finding in findings):
        raise typer.Exit(FAILED)


app.command()(solve)
app.command()(nashconv)
app.command()(correlate)
app.command()(pbe)
app.command()(convert)
app.command()(draw)
app.command()(prompt)
app.add_typer(store_app, name="store")


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
