"""The command that finds correlated equilibria."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import typer

from .cli_options import GameName, JsonFlag, MaxNodes, tree_of


class Concept(StrEnum):
    """Kinds of correlated equilibria, from the strongest to the weakest."""

    efce = "efce"
    efcce = "efcce"
    nfcce = "nfcce"


def correlate(
    game: GameName,
    kind: Annotated[
        Concept,
        typer.Option(
            "--kind",
            help="When a player may stop to obey: on seeing a recommended move (efce), before it "
            "(efcce), or before the game begins (nfcce).",
        ),
    ] = Concept.efce,
    maximise: Annotated[
        str,
        typer.Option(
            "--maximise",
            metavar="WHAT",
            help="welfare (the sum of all payoffs), P1, P2, ..., or nothing.",
        ),
    ] = "welfare",
    time_limit: Annotated[
        float | None,
        typer.Option("--time-limit", metavar="SECONDS", help="By default none.", min=0.0),
    ] = None,
    max_combinations: Annotated[
        int,
        typer.Option(
            "--max-combinations",
            min=1,
            help="Largest program to build, in combinations of the players' sequences: 50,000 take "
            "half a minute, and times grow faster than sizes.",
        ),
    ] = 200_000,
    max_nodes: MaxNodes = 2_000_000,
    json: JsonFlag = False,
) -> None:
    """Find the best correlated equilibrium of GAME: a mediator that recommends moves."""
    from . import console
    from .solvers.correlated import correlated_equilibrium

    tree = tree_of(game, max_nodes, visible=not json)
    with console.progress(kind.value, visible=not json) as update:
        found = correlated_equilibrium(
            tree,
            kind.value,
            _objective(maximise, tree.num_players),
            max_combinations=max_combinations,
            time_limit=time_limit,
            stage=lambda words: update(0, None, words),
            progress=lambda k, low, high: update(k, None, f"{low:.6g} of at most {high:.6g}"),
        )
    gains = {name: found.device.evaluation.distance(name) for name in Concept.__members__}  # type: ignore[arg-type]
    if json:
        console.show_json(
            {
                "game": game,
                "kind": found.kind,
                "maximise": maximise,
                "objective": found.objective,
                "bound": found.bound,
                "values": found.values.tolist(),
                "distances": gains,
                "joint_plans": len(found.device),
                "method": found.method,
                "seconds": found.seconds,
                "compile_seconds": found.compile_seconds,
            }
        )
    else:
        console.show(*console.correlated_view(game, found))


def _objective(words: str, players: int) -> Literal["welfare"] | int | None:
    """What the library calls it."""
    from .games.errors import ParameterError

    if words == "welfare":
        return "welfare"
    if words == "nothing":
        return None
    if words[:1] in "Pp" and words[1:].isdecimal() and 1 <= int(words[1:]) <= players:
        return int(words[1:]) - 1
    raise ParameterError(
        f"--maximise {words}: choose welfare, nothing, or a player from P1 to P{players}"
    )
