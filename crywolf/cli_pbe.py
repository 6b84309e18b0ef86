"""The command that derives all equilibria of a small game."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from .cli_options import GameName, JsonFlag, MaxNodes, tree_of


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
        typer.Option("--concept", help="Which equilibria; README and docstrings define them."),
    ] = EquilibriumConcept.pbe,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            help="Stop the search then, with what is found, incomplete. By default none.",
            min=0.0,
        ),
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown with formulas.")
    ] = False,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Derive ALL equilibria of a small GAME, exactly, as families with parameters."""
    from . import console
    from .solvers.pbe.derive import derive_equilibria

    tree = tree_of(game, max_nodes, visible=not json)
    with console.progress(concept.value, visible=not json) as update:
        found = derive_equilibria(
            tree,
            concept.value,
            time_limit=time_limit,
            progress=lambda cells, queries: update(cells, None, f"{queries} questions to z3"),
        )
    if json:
        console.show_json(found.to_json())
    elif markdown:
        typer.echo(found.markdown())
    else:
        console.show(*console.equilibria_view(tree, found))
