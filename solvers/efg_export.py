"""Any game as a Gambit file (.efg), exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike

import numpy as np

from ..games.efg import EfgFile, EfgGame, tree_to_efg
from ..games.efg_rows import EfgRows
from ..games.efg_writer import save_efg
from ..games.extensive import ExtensiveGame
from ..games.loading import rules_of
from ..games.rules import CHANCE, TERMINAL
from .tree import DEFAULT_MAX_NODES, Game, GameTree, compile_tree
from .words import kept


def export_efg(
    game: Game,
    path: str | PathLike[str],
    *,
    title: str | None = None,
    players: Sequence[str] | None = None,
    comment: str = "",
    max_nodes: int = DEFAULT_MAX_NODES,
) -> None:
    """Writes any game as an .efg file, all at once or not at all; see `to_efg`.

    Raises:
        OutputError: the file cannot be written there.
        CrywolfError: as `to_efg`.
    """
    file = to_efg(game, title=title, players=players, comment=comment, max_nodes=max_nodes)
    save_efg(file, path)


def to_efg(
    game: Game,
    *,
    title: str | None = None,
    players: Sequence[str] | None = None,
    comment: str = "",
    max_nodes: int = DEFAULT_MAX_NODES,
) -> EfgFile:
    """Any game in the terms of .efg files: same nodes, information sets, chance and payoffs.

    Reading the file gives the same information-state strings again. An information set is named by
    its own, without the ``P1: `` in front if all have that; else the comment says so, see
    `EfgFile.keys_are_names`. The floats of OpenSpiel games are turned into fractions, see
    `GameTree.exact_tables`.

    Args:
        game: a name or game string, an OpenSpiel game, rules, or a compiled tree.
        title: the game's name for people; by default its name here.
        players: the players' names; by default P1, P2 and so on.
        comment: the file's comment.
        max_nodes: the largest number of nodes to accept.

    Raises:
        InexactError: payoffs or probabilities have symbols, or are floats of no exact game.
        ParameterError: not one name for each player.
        UnknownGame: there is no such game.
        GameError: no extensive-form game with perfect recall, see `compile_tree`.
    """
    rules = rules_of(game.origin if isinstance(game, GameTree) else game)
    # Their actions keep the order in which they are written.
    if type(rules) is ExtensiveGame or isinstance(rules, EfgGame):
        file = tree_to_efg(rules, players=players, comment=comment)
        return file if title is None else replace(file, title=title)
    tree = compile_tree(game, max_nodes=max_nodes)
    # Reading puts the player in front again, unless the keys are said to be whole.
    fronts = [f"P{p + 1}: " for p in tree.owner.tolist()]
    whole = not all(map(str.startswith, tree.keys, fronts))
    rows = _rows(tree, tree.keys if whole else tuple(map(str.removeprefix, tree.keys, fronts)))
    return rows.file(tree.title if title is None else title, players, comment, whole_keys=whole)


def _rows(tree: GameTree, labels: Sequence[str]) -> EfgRows:
    rows = EfgRows(tree.name, tree.num_players)
    probabilities, payoffs = tree.exact_tables
    children = np.argsort(tree.parent, kind="stable")  # the root first, then by parent, in order
    ends = np.searchsorted(tree.parent[children], np.arange(tree.num_nodes), side="right").tolist()
    starts = np.searchsorted(tree.parent[children], np.arange(tree.num_nodes)).tolist()
    edge = tree.probability.tolist()
    infosets: list[int] = tree.node_infoset.tolist()
    payoff = tree.payoff.tolist()
    for node, player in enumerate(tree.player.tolist()):
        if player == TERMINAL:
            rows.leaf(payoffs[payoff[node]])
        elif player == CHANCE:
            below = children[starts[node] : ends[node]].tolist()
            names = _outcome_names(tree, node, tree.action[below].tolist())
            rows.chance(names, [probabilities[edge[child]] for child in below])
        else:
            h = infosets[node]
            rows.decision(player, labels[h], tree.action_names(h))
    return rows


def _outcome_names(tree: GameTree, node: int, actions: Sequence[int]) -> list[str]:
    """The names of the outcomes of a chance node."""
    saved = kept(tree)
    if saved is not None:
        return [saved.outcome_name(action) for action in actions]
    if tree.rules is not None:
        return [tree.rules.action_name(CHANCE, action) for action in actions]
    state = tree.game.new_initial_state()
    for action in tree.history(node):
        state.apply_action(action)
    return [state.action_to_string(CHANCE, action) for action in actions]
