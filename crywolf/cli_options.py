"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from .solvers.tree import GameTree

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game of `crywolf games` or any OpenSpiel game string, such as 'leduc_poker' or "
        "'onuw(players=4,roles=2werewolf+seer+robber+3villager)'; or a file: Gambit's .efg, or a "
        "compiled .tree (see `crywolf convert`).",
        show_default=False,
    ),
]
MaxNodes = Annotated[
    int, typer.Option("--max-nodes", min=1, help="Largest game tree to search, in nodes.")
]
PolicyOut = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="FILE.npz",
        help="Write the policy here, for --policy FILE.npz.",
        show_default=False,
    ),
]
Elicitation = Annotated[
    str | None,
    typer.Option(
        "--elicitation",
        metavar="HOW",
        help="labels (probabilities of one-letter labels, all rotations; the default), samples:N "
        "(N draws per information set), or stated.",
        show_default=False,
    ),
]
MaxTokens = Annotated[
    int | None,
    typer.Option(
        "--max-tokens",
        min=1,
        help="Longest answer to samples:N (8), or to stated for each option (16).",
        show_default=False,
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="FILE",
        help="Text file (UTF-8) with the rules in words, told in place of the game's own.",
        show_default=False,
    ),
]


def tree_of(game: str, max_nodes: int, *, merge: bool = False, visible: bool = True) -> GameTree:
    """The compiled tree that GAME and --max-nodes stand for, with a progress bar."""
    from . import console
    from .games.loading import is_tree_path
    from .solvers.tree import compile_tree

    label = "reading" if is_tree_path(game) else "compiling"
    with console.progress(label, visible=visible) as update:
        tree = compile_tree(game, max_nodes=max_nodes, progress=update)
        if merge:
            update(tree.num_nodes, None, "merging copies")
            tree = tree.merged()
    return tree


def refuse_bad_policy_path(path: Path) -> None:
    """Refuses a place where no policy file can be written: before the work, not after it.

    Raises:
        PolicyFileError: see above.
    """
    from .games.errors import PolicyFileError

    if path.suffix != ".npz":
        raise PolicyFileError(f"{path}: the name of a policy file must end in .npz")
    if problem := _problem_with(path):
        raise PolicyFileError(problem)


def refuse_bad_output(path: Path, *endings: str) -> None:
    """Refuses a place where no file can be written, or a name of another kind: before the work.

    Raises:
        OutputError: see above.
    """
    from .games.errors import OutputError

    if path.suffix.lower() not in endings:
        known = f"{', '.join(endings[:-1])} or {endings[-1]}"
        raise OutputError(f"cannot write {path}: give the file a name that ends in {known}")
    if problem := _problem_with(path):
        raise OutputError(problem)


def _problem_with(path: Path) -> str:
    """Why no file can be written there; empty if nothing speaks against it."""
    try:
        is_folder, has_folder = path.is_dir(), path.parent.is_dir()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        return f"{error}; choose another path"
    if is_folder:
        return f"{path} is a directory; name a file"
    return (
        "" if has_folder else f"there is no directory {path.parent}; make it or choose another path"
    )


def rules_in(path: Path | None) -> str | None:
    """The rules in words that a file holds; None without a file.

    Raises:
        ParameterError: there is no such file, or it is no text in UTF-8.
    """
    from .games.errors import ParameterError

    if path is None:
        return None
    try:
        return path.read_text(encoding="utf-8-sig").strip()
    except (OSError, ValueError) as error:  # ValueError: no UTF-8, or a NUL in the name
        raise ParameterError(
            f"--rules {path} cannot be read ({error}); name a text file in UTF-8"
        ) from error
