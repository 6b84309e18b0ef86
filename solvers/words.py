"""Histories and actions of a compiled tree in words, for people and for the texts of refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ForeignInformationSet, GameError
from ..games.rules import CHANCE
from ..games.saved import SavedGame
from .walk_pyspiel import action_names_along

if TYPE_CHECKING:
    from .tree import GameTree


def history_words(tree: GameTree, node: int) -> str:
    """See `GameTree.history_words`."""
    if kept(tree) is None and tree.rules is None:
        names = action_names_along(tree.game, tree.history(node))
    else:
        names = []
        while node > 0:
            names.append(edge_name(tree, node))
            node = int(tree.parent[node])
        names.reverse()
    return "(" + ", ".join(names) + ")"


def edge_name(tree: GameTree, node: int) -> str:
    """See `GameTree.edge_name`."""
    above, action = int(tree.parent[node]), int(tree.action[node])
    h = int(tree.node_infoset[above])
    if h >= 0:
        return tree.action_names(h)[tree.legal[h].index(action)]
    saved = kept(tree)
    if saved is not None:
        return saved.outcome_name(action)
    if tree.rules is not None:
        return tree.rules.action_name(int(tree.player[above]), action)
    return action_names_along(tree.game, tree.history(node))[-1]


def action_names(tree: GameTree, h: int) -> tuple[str, ...]:
    """See `GameTree.action_names`."""
    owner, saved = int(tree.owner[h]), kept(tree)
    if saved is not None:
        return saved.actions[tree.keys[h]]
    if tree.rules is not None:
        return tuple(tree.rules.action_name(owner, a) for a in tree.legal[h])
    state = tree.game.new_initial_state()
    for action in tree.history(int(tree.first_node[h])):
        state.apply_action(action)
    return tuple(state.action_to_string(owner, a) for a in tree.legal[h])


def outcome_names(tree: GameTree) -> Mapping[int, str]:
    """The names of chance's outcomes by number; none if one number has several names.

    Rules name an outcome by its number alone, OpenSpiel's own games may do it otherwise.
    """
    saved = kept(tree)
    if saved is not None:
        return saved.outcomes
    drawn = np.flatnonzero(tree.probability >= 0)
    if tree.rules is not None:
        numbers = np.unique(tree.action[drawn]).tolist()
        return {number: tree.rules.action_name(CHANCE, number) for number in numbers}
    names: dict[int, str] = {}
    for node in drawn.tolist():
        name = edge_name(tree, node)
        if names.setdefault(int(tree.action[node]), name) != name:
            return {}
    return names


def kept(tree: GameTree) -> SavedGame | None:
    """The game of a tree that was read from a file, if only the file knows its names."""
    saved = tree.origin
    return saved if isinstance(saved, SavedGame) and saved.text is None else None


def refuse_shared_keys(tree: GameTree, first_nodes: NDArray[np.int64]) -> None:
    """Refuses two information sets of one name; rules tell views apart by themselves.

    Raises:
        ForeignInformationSet: two players' sets have the same information-state string.
        GameError: two sets of one player have.
    """
    seen: dict[str, int] = {}
    for h, key in enumerate(tree.keys):
        other = seen.setdefault(key, h)
        if other != h:
            kind = GameError if tree.owner[other] == tree.owner[h] else ForeignInformationSet
            raise kind(
                f"{tree.name}: two information sets have the information-state string {key!r}: "
                f"P{tree.owner[other] + 1} after {history_words(tree, int(first_nodes[other]))} "
                f"and P{tree.owner[h] + 1} after {history_words(tree, int(first_nodes[h]))}; "
                "different observations need different words"
            )
