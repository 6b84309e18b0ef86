"""The command ``crywolf draw``: game trees as pictures."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from .cli_options import GameName, MaxNodes, tree_of


class Orientation(StrEnum):
    """Where the tree grows."""

    AUTO = "auto"
    DOWN = "down"
    RIGHT = "right"


def draw(
    game: GameName,
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="Where the picture goes; its name ends in .svg, .pdf or .png.",
            show_default=False,
        ),
    ],
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="SPEC",
            help="Show its probabilities, its beliefs by Bayes' rule and each player's expected "
            "payoff: uniform, random:SEED, a file policy.npz, package.module:function.",
            show_default=False,
        ),
    ] = None,
    max_drawn: Annotated[
        int,
        typer.Option(
            "--max-drawn", metavar="N", min=1, help="Fold subtrees where more nodes would be drawn."
        ),
    ] = 200,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth", metavar="D", min=0, help="Fold all after D moves.", show_default=False
        ),
    ] = None,
    orientation: Annotated[
        Orientation,
        typer.Option("--orientation", help="auto turns trees wider than a page to the right."),
    ] = Orientation.AUTO,
    title: Annotated[
        str | None, typer.Option("--title", help="A line above the tree.", show_default=False)
    ] = None,
    max_nodes: MaxNodes = 2_000_000,
) -> None:
    """Draw the tree of GAME: information sets, moves, chance, payoffs.

    A large tree is drawn in part, some lines of play from the root to the end (with a policy, the
    most probable ones); the rest is folded into triangles that tell its size.
    """
    from . import console
    from .analysis.drawing import draw_tree
    from .analysis.picture import picture_format, save_picture

    picture_format(out)
    tree = tree_of(game, max_nodes)
    picture = draw_tree(
        tree,
        None if policy is None else _profile(policy, tree),
        max_drawn=max_drawn,
        depth=depth,
        orientation=orientation.value,
        title=title,
    )
    save_picture(picture, out)
    width, height = picture.get_size_inches().tolist()
    console.show(picture.words, f"{width:.1f} by {height:.1f} inches written to {out}")


def _profile(policy: str, tree: Any) -> Any:
    """The policy at every information set; a language model is asked elsewhere, where it is kept.

    Raises:
        PolicyError: see `resolve_policy`; or a language model.
    """
    from .analysis.evaluation import profile_of
    from .analysis.policies import resolve_policy
    from .games.errors import PolicyError

    if policy.strip().startswith("llm:"):
        raise PolicyError(
            f"--policy {policy}: ask the language model first, with crywolf nashconv GAME --policy "
            f"{policy} --out FILE.npz; then draw with --policy FILE.npz"
        )
    return profile_of(resolve_policy(policy, None, tree).policy, tree)
