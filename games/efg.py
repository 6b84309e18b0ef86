"""Gambit's files of extensive games (.efg): reading and writing, exactly.

    from crywolf.games.efg import read_efg, write_efg

    file = read_efg("poker.efg")        # all that the file says, imperfect recall included
    game = file.game()                  # the rules; crywolf.load_game("poker.efg") gives both steps
    write_efg(game, "copy.efg")         # or write_efg(file, ...)

Any other game, OpenSpiel's included, is written by `crywolf.solvers.efg_export.export_efg`.
Numbers are read exactly: ``0.1667`` is 1667/10000, and three times ``0.3333`` is not 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath

from .efg_file import EfgFile, EfgGame, EfgNode, EfgOutcome, EfgSet
from .efg_reader import parse_efg
from .efg_rows import EfgRows
from .efg_writer import format_efg, save_efg
from .errors import EfgError
from .extensive import ExtensiveGame
from .nodes import Chance, Decision, Leaf, Node

__all__ = [
    "EfgFile",
    "EfgGame",
    "EfgNode",
    "EfgOutcome",
    "EfgSet",
    "format_efg",
    "parse_efg",
    "read_efg",
    "tree_to_efg",
    "write_efg",
]


def read_efg(path: str | PathLike[str]) -> EfgFile:
    """Reads an .efg file.

    Files are UTF-8, with or without a byte-order mark; one that is not is taken as Latin-1, in
    which old ones are written.

    Raises:
        EfgError: there is no such file, or it is no .efg file; the error has line and column.
        BadChance: a probability is negative or above 1, or those of an event do not sum to 1.
    """
    try:
        with open(fspath(path), "rb") as stream:
            content = stream.read()
    except FileNotFoundError as error:
        raise EfgError(f"there is no file {path}; check the path") from error
    except (OSError, ValueError, TypeError) as error:  # a folder; NUL in the name; no path at all
        raise EfgError(f"cannot read {path!r}: {error}; pass the path of an .efg file") from error
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return parse_efg(text, str(path))


def write_efg(game: EfgFile | ExtensiveGame, path: str | PathLike[str]) -> None:
    """Writes an explicit tree as an .efg file, all at once or not at all.

    Raises:
        InexactError: the game has symbols or roots in its payoffs or probabilities.
        OutputError: the file cannot be written there.
    """
    save_efg(game if isinstance(game, EfgFile) else tree_to_efg(game), path)


def tree_to_efg(
    game: ExtensiveGame, *, players: Sequence[str] | None = None, comment: str = ""
) -> EfgFile:
    """An explicit tree in the terms of .efg files. `EfgFile.game` gives the same game again.

    Args:
        game: the game.
        players: the players' names; by default P1, P2 and so on.
        comment: the file's comment.

    Raises:
        InexactError: the game has symbols or roots in its payoffs or probabilities.
        ParameterError: not one name for each player.
    """
    rows = EfgRows(game.name, game.num_players)
    stack: list[Node] = [game.root]
    while stack:
        match stack.pop():
            case Leaf(payoffs):
                rows.leaf(payoffs)
            case Chance(outcomes):
                rows.chance([label for label, _, _ in outcomes], [p for _, p, _ in outcomes])
                stack += [child for _, _, child in reversed(outcomes)]
            case Decision(player, label, moves):
                # A set may list its actions in several orders, a file only in one.
                order = rows.decision(player, label, [action for action, _ in moves])
                child_after = dict(moves)
                stack += [child_after[action] for action in reversed(order)]
    if isinstance(game, EfgGame):
        return rows.file(game.title, players, comment, whole_keys=game.whole_keys)
    return rows.file(game.name, players, comment)
