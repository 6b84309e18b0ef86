"""Histories and actions of a compiled tree in words, for people and for the texts of refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ForeignInformationSet, GameError
from .walk_pyspiel import action_names_along

if TYPE_CHECKING:
    from .tree import GameTree


def history_words(tree: GameTree, node: int) -> str:
    """See `GameTree.history_words`."""
    if tree.rules is None:
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
    if tree.rules is not None:
        return tree.rules.action_name(int(tree.player[above]), action)
    return action_names_along(tree.game, tree.history(node))[-1]


def action_names(tree: GameTree, h: int) -> tuple[str, ...]:
    """See `GameTree.action_names`."""
    owner = int(tree.owner[h])
    if tree.rules is not None:
        return tuple(tree.rules.action_name(owner, a) for a in tree.legal[h])
    state = tree.game.new_initial_state()
    for action in tree.history(int(tree.first_node[h])):
        state.apply_action(action)
    return tuple(state.action_to_string(owner, a) for a in tree.legal[h])


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
