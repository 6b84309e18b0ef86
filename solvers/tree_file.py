"""Files of compiled trees: arrays and JSON with a version and a checksum; no code in them is run.

A file holds what determines a tree (`assembly.Outline`), the exact numbers as they are, and the
game string. The rules are not in it: where they are asked for, the game string is loaded. If the
game has none (an ``.efg`` file, rules that are not registered), the names of actions and of
chance's outcomes are kept, and what needs more of the rules says so.

What is read is checked, node by node, before any compiled pass sees it: a file with a right
checksum and wrong content is refused as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.errors import CrywolfError, InexactError, TreeFileError
from ..games.loading import load_game
from ..games.rules import CHANCE, TERMINAL
from ..games.saved import KIND, SavedGame, broken
from . import _tree_kernels as kernels
from . import exact_json, words
from .assembly import Outline
from .identity import surely_same

if TYPE_CHECKING:
    from .tree import GameTree

MALFORMED = (KeyError, IndexError, TypeError, ValueError, OverflowError, RecursionError)
"""What Python raises where a file says something else than it should."""
NODE_COLUMNS = ("parent", "action", "player", "node_infoset", "probability", "payoff")


class Content(NamedTuple):
    """What a file says of a tree.

    Attributes:
        origin: stands for the game.
        merged_from: see `GameTree`.
        outline: the nodes.
    """

    origin: SavedGame
    merged_from: int | None
    outline: Outline


# ------------------------------------------------------------------------------------------ writing


def write_tree(tree: GameTree, path: str | PathLike[str]) -> None:
    """See `GameTree.save`."""
    string = _reloadable(tree)
    try:
        probabilities = list(map(exact_json.encode, tree.probabilities))
        payoffs = [list(map(exact_json.encode, row)) for row in tree.payoffs]
    except InexactError as error:
        raise TreeFileError(f"{tree.name} cannot be saved: {error}") from error
    menus: dict[tuple[int, ...], int] = {}
    menu = np.array([menus.setdefault(row, len(menus)) for row in tree.legal], np.uint32)
    names: list[tuple[str, ...]] = []
    outcomes: list[tuple[int, str]] = []
    if string is None:
        names = [tree.action_names(h) for h in range(tree.num_infosets)]
        outcomes = sorted(words.outcome_names(tree).items())
    facts = {
        "name": tree.name,
        "title": tree.title,
        "game": string,
        "game_string": tree.game_string,
        "players": tree.num_players,
        "merged_from": tree.merged_from,
        "probabilities": probabilities,
        "payoffs": payoffs,
        "menus": list(menus),
        "action_names": names,
        "outcome_names": outcomes,
    }
    arrays = {column: getattr(tree, column) for column in NODE_COLUMNS}
    KIND.write(path, facts, arrays | {"owner": tree.owner, "menu": menu} | _packed(tree.keys))


def _reloadable(tree: GameTree) -> str | None:
    """A game string that surely gives the game of the tree, if there is one."""
    if isinstance(tree.origin, SavedGame):
        return tree.origin.text
    try:
        game = load_game(tree.name)
    except CrywolfError:
        return None
    return tree.name if surely_same(game, tree.origin) else None


def _packed(words: Sequence[str]) -> dict[str, NDArray[Any]]:
    pieces = [word.encode("utf-8", "surrogatepass") for word in words]
    lengths = np.fromiter(map(len, pieces), np.uint32, len(pieces))
    return {"key_bytes": np.frombuffer(b"".join(pieces), np.uint8), "key_lengths": lengths}


# ------------------------------------------------------------------------------------------ reading


def read_tree(path: str | PathLike[str]) -> Content:
    """Reads and checks a file.

    Raises:
        TreeFileError: see `GameTree.load`.
    """
    facts, arrays = KIND.read(path)
    try:
        content = _content(facts, arrays)
    except (CrywolfError, *MALFORMED) as error:
        raise broken(path, error) from error
    return content


def _content(facts: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Content:
    origin = SavedGame.of(facts)
    merged_from = facts["merged_from"]
    _require(merged_from is None or isinstance(merged_from, int), "the number of nodes")
    menus = [tuple(map(int, row)) for row in facts["menus"]]
    owner, menu = _integers(arrays["owner"], np.int8), _integers(arrays["menu"], np.uint32)
    _require(len(owner) == len(menu) and _within(menu, 0, len(menus)), "its actions")
    columns = {column: arrays[column] for column in NODE_COLUMNS}
    for column in ("parent", "node_infoset"):
        columns[column] = _integers(columns[column], np.int32)
    outline = Outline(
        num_players=int(facts["players"]),
        **(columns | {"player": _integers(columns["player"], np.int8)}),
        probabilities=tuple(map(exact_json.decode, facts["probabilities"])),
        payoffs=tuple([tuple(map(exact_json.decode, row)) for row in facts["payoffs"]]),
        keys=tuple(_unpacked(arrays["key_bytes"], arrays["key_lengths"])),
        legal=tuple([menus[k] for k in menu.tolist()]),
        owner=owner,
    )
    _check(outline)
    names = [tuple(map(str, row)) for row in facts["action_names"]]
    if names or origin.text is None:
        fits = list(map(len, names)) == list(map(len, outline.legal))
        _require(fits, "the names of its actions")
    outcomes = {int(number): str(name) for number, name in facts.get("outcome_names", ())}
    actions = dict(zip(outline.keys, names)) if names else {}
    return Content(replace(origin, actions=actions, outcomes=outcomes), merged_from, outline)


def _unpacked(content: NDArray[Any], lengths: NDArray[Any]) -> Iterable[str]:
    ends = np.cumsum(_integers(lengths, np.uint32), dtype=np.int64)
    _require(content.dtype == np.uint8 and int(ends[-1:].sum()) == content.size, "its keys")
    packed = content.tobytes()
    text = packed.decode("ascii") if packed.isascii() else None
    start = 0
    for end in ends.tolist():
        if text is None:
            yield packed[start:end].decode("utf-8", "surrogatepass")
        else:
            yield text[start:end]
        start = end


def _check(tree: Outline) -> None:
    """Refuses nodes that are no tree; compiled passes would read beyond their arrays.

    Raises:
        TreeFileError: with what is wrong.
    """
    n, size, sets = tree.num_players, len(tree.parent), len(tree.owner)
    columns = [getattr(tree, column) for column in NODE_COLUMNS]
    _require(all(c.shape == (size,) and c.dtype.kind == "i" for c in columns), "its columns")
    _require(n >= 1 and size >= 1 and len(tree.keys) == sets, "its size")
    _require(all(len(row) == n for row in tree.payoffs), "its payoffs")
    _require(_ordered(tree.owner) and _within(tree.owner, 0, n), "the owners of its sets")
    above, terminal, chance = tree.parent[1:], tree.player == TERMINAL, tree.player == CHANCE
    _require(tree.parent[0] == -1 and bool((above < np.arange(1, size)).all()), "its parents")
    _require(_within(above, 0, size), "its parents")
    children = np.bincount(above, minlength=size)
    _require(kernels.is_depth_first(tree.parent), "the order of its nodes")
    infoset, deciding = tree.node_infoset, ~(terminal | chance)
    _require(_within(infoset, -1, sets) and np.array_equal(infoset >= 0, deciding), "its sets")
    _require(np.array_equal(tree.owner[infoset[deciding]], tree.player[deciding]), "its movers")
    sizes = np.fromiter(map(len, tree.legal), np.int64, sets)
    _require(np.array_equal(children[deciding], sizes[infoset[deciding]]), "its moves")
    _require(np.bincount(infoset[deciding], minlength=sets).all(), "its information sets")
    _require(bool((children[chance] > 0).all() and (sizes > 0).all()), "its moves")
    _require(not children[terminal].any(), "its leaves")
    _require(_indices(tree.payoff, len(tree.payoffs), terminal), "its payoffs")
    drawn = np.append(False, chance[above])
    _require(_indices(tree.probability, len(tree.probabilities), drawn), "its probabilities")
    values = (*tree.probabilities, *(u for row in tree.payoffs for u in row))
    finite = all(math.isfinite(value) for value in values if isinstance(value, float))
    _require(finite, "its numbers")


def _require(truth: bool | np.bool_, what: str) -> None:
    if not truth:
        raise TreeFileError(f"{what} do not fit")


def _integers(array: NDArray[Any], kind: Any) -> NDArray[Any]:
    _require(array.ndim == 1 and array.dtype == kind, "its types")
    return array


def _within(array: NDArray[Any], low: int, high: int) -> bool:
    """Whether all indices are in ``low .. high - 1``."""
    return len(array) == 0 or (int(array.min()) >= low and int(array.max()) < high)


def _ordered(array: NDArray[Any]) -> bool:
    return bool((array[1:] >= array[:-1]).all())


def _indices(column: NDArray[Any], count: int, there: NDArray[np.bool_]) -> bool:
    """Whether a column has indices below ``count`` where it should, and else -1."""
    return _within(column, -1, count) and np.array_equal(column >= 0, there)
