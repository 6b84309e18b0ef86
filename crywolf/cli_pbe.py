"""The command that derives all equilibria of a small game."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .cli_options import GameName, JsonFlag, MaxNodes, refuse_bad_output, tree_of


class EquilibriumConcept(StrEnum):
    """Kinds of equilibria."""

    nash = "nash"
    subgame_perfect = "subgame-perfect"
    weak_pbe = "weak-pbe"
    pbe = "pbe"
    sequential = "sequential"


def pbe(
    game: GameName,
    concept: Annotated[
        EquilibriumConcept,
        typer.Option("--concept", help="Which equilibria; the README says what each asks for."),
    ] = EquilibriumConcept.pbe,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            help="Stop then, with what is found, incomplete. By default none.",
        ),
    ] = None,
    full: Annotated[
        bool,
        typer.Option("--full", help="Write out mirror images of families under symmetries, too."),
    ] = False,
    recheck: Annotated[
        bool,
        typer.Option(
            "--recheck",
            help="Check once more that none is missing, in a second formulation (by cvc5, if that "
            "is installed).",
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the families here, too: .json, or a document .md or .tex.",
            show_default=False,
        ),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print a document in Markdown, with formulas.")
    ] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print a document in LaTeX.")] = False,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Derive ALL equilibria of a small GAME, exactly, as families with parameters."""
    from . import console
    from .games.errors import ParameterError
    from .solvers.pbe.derive import derive_equilibria

    if markdown + latex + json > 1:
        raise ParameterError("choose one of --json, --latex and --markdown")
    if out is not None:
        refuse_bad_output(out, ".json", ".md", ".tex")
    tree = tree_of(game, max_nodes, visible=not json)

    with console.progress(concept.value, visible=not json) as update:
        found = derive_equilibria(
            tree,
            concept.value,
            time_limit=time_limit,
            progress=lambda cells, asked: update(cells, None, f"regions found, {asked} questions"),
        )
    again = found.recheck() if recheck else None
    if out is not None:
        found.save(out, full=full)
    if json:
        console.show_json(found.to_json() | ({"recheck": again.to_json()} if again else {}))
    elif markdown or latex:
        typer.echo(found.document("latex" if latex else "markdown", full=full), nl=False)
    else:
        console.show(*console.equilibria_view(found, full=full))
        if again:
            console.show(f"Checked again: {again}")
            if again.solver.startswith("z3"):
                console.show("(With the extra crywolf[cvc5] another program checks, not z3 again.)")
    if again and again.answer == "sat":
        raise typer.Exit(1)
