"""Commands about language models: what they are asked, and what a store keeps of their answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .cli_options import Elicitation, GameName, JsonFlag, MaxNodes, RulesFile, rules_in

store_app = typer.Typer(
    help="Look into a call store, or write it as text.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
)

StoreFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A store that --store made, or an export of one (.jsonl).",
        show_default=False,
    ),
]


def prompt(
    game: GameName,
    information_state: Annotated[
        str | None,
        typer.Option(
            "--information-state",
            metavar="KEY",
            help="Where: at the information set of this information-state string.",
            show_default=False,
        ),
    ] = None,
    player: Annotated[
        int | None,
        typer.Option(
            "--player",
            min=1,
            help="Where: at the first information set of P1, P2, ... with a choice.",
            show_default=False,
        ),
    ] = None,
    elicitation: Elicitation = None,
    rules: RulesFile = None,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Show what a language model is asked at an information set of GAME, without a model.

    By default at the first one. To count the calls of a whole policy: nashconv --dry-run.
    """
    from . import console
    from .games.errors import ParameterError
    from .llm_bridge.rehearsal import first_choice, prompt_at
    from .llm_bridge.specs import Options
    from .solvers.profile import find_infoset
    from .solvers.tree import compile_tree

    if information_state is not None and player is not None:
        raise ParameterError(
            "--information-state and --player both say where to ask; leave out one of them"
        )
    options = Options(elicitation=elicitation or Options().elicitation, rules=rules_in(rules))
    tree = compile_tree(game, max_nodes=max_nodes)
    if information_state is None:
        h = first_choice(tree, None if player is None else player - 1)
    else:
        h = find_infoset(tree, information_state)
    shown = prompt_at(tree, h, options)
    if json:
        console.show_json({"game": game, **shown.to_json()})
    else:
        console.show_prompt(game, shown)


@store_app.command("list")
def list_(file: StoreFile, json: JsonFlag = False) -> None:
    """List the models of a store: calls, ways of asking, provenance, tokens, failures."""
    from . import console
    from .llm_bridge.store_summary import summarize

    models = summarize(file)
    if json:
        console.show_json({"store": str(file), "models": [model.to_json() for model in models]})
    else:
        console.show(*console.store_view(file, models))


@store_app.command()
def export(
    file: StoreFile,
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT.jsonl", help="The text file to write.", show_default=False),
    ],
    json: JsonFlag = False,
) -> None:
    """Write a store as text for version control; llm:replay:OUT.jsonl reads it."""
    from . import console
    from .llm_bridge.store import CallStore

    with CallStore.open_for_replay(file) as store:
        store.export(out)
        calls = len(store)
    if json:
        console.show_json({"store": str(file), "out": str(out), "calls": calls})
    else:
        console.show(f"{calls:,} calls written to {out}")
