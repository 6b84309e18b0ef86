"""The arrays of a game tree, worked out from those that determine it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.rules import TERMINAL, Exact
from . import _tree_kernels as kernels
from .walk import Walk

Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, eq=False)
class Outline:
    """What determines a tree: a walk, a file or another tree gives it. See `GameTree` for meanings.

    Nodes are in depth-first order; information sets by player, then by their first node.
    """

    num_players: int
    parent: NDArray[np.int32]
    action: Integers
    player: NDArray[np.int8]
    node_infoset: NDArray[np.int32]
    probability: Integers
    payoff: Integers
    probabilities: tuple[Exact | float, ...]
    payoffs: tuple[tuple[Exact | float, ...], ...]
    keys: tuple[str, ...]
    legal: tuple[tuple[int, ...], ...]
    owner: NDArray[np.int8]


class Assembly(NamedTuple):
    """The outcome of `assembled`.

    Attributes:
        fields: the attributes of a `GameTree` that hold the game.
        first_node: int64 (H,), the first node of each information set, -1 if there is none.
        clash: a node whose information set was entered before after other own moves; else -1.
    """

    fields: dict[str, Any]
    first_node: NDArray[np.int64]
    clash: int


def outline_of(walk: Walk) -> Outline:
    """The outline of the tree that was walked."""
    parent = np.frombuffer(walk.parent, np.int32)
    player = np.frombuffer(walk.player, np.int8)
    owners = np.array(walk.owners, np.int8)
    order = np.argsort(owners, kind="stable")  # by player, then by first visit
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    infoset = np.full(len(parent), -1, np.int32)
    infoset[player >= 0] = rank[np.frombuffer(walk.infoset, np.int32)]
    payoff = np.full(len(parent), -1, smallest(len(walk.payoffs)))
    payoff[player == TERMINAL] = np.frombuffer(walk.payoff, np.int32)
    probability = np.empty(len(parent), np.int32)
    kernels.spread_outcomes(parent, player, np.frombuffer(walk.probability, np.int32), probability)
    action = np.frombuffer(walk.action, np.int32)
    return Outline(
        num_players=walk.num_players,
        parent=parent,
        action=action.astype(smallest(int(action.max(initial=0)) + 1)),
        player=player,
        node_infoset=infoset,
        probability=probability.astype(smallest(len(walk.probabilities))),
        payoff=payoff,
        probabilities=tuple(walk.probabilities),
        payoffs=tuple(walk.payoffs),
        keys=tuple([walk.keys[h] for h in order.tolist()]),
        legal=tuple([walk.legal[h] for h in order.tolist()]),
        owner=owners[order],
    )


def assembled(outline: Outline) -> Assembly:
    """All arrays of a tree: time linear in the number of nodes.

    Columns that no compiled pass reads get the smallest type that holds them.
    """
    n, parent, player = outline.num_players, outline.parent, outline.player
    infoset, owner = outline.node_infoset, outline.owner
    num_actions = np.fromiter(map(len, outline.legal), np.uint32, len(outline.legal))
    ends = n + np.cumsum(num_actions, dtype=np.int64)
    first = (ends - num_actions).astype(np.uint32)
    branch = np.empty(len(parent), np.int32)
    kernels.branch_numbers(parent, branch)
    sequence = np.empty((len(parent), n), np.uint32)
    sequence[0] = np.arange(n)
    kernels.node_sequences(parent, player, infoset, branch, first, sequence)
    parent_sequence = np.empty(len(owner), np.uint32)
    first_node = np.full(len(owner), -1, np.int64)
    clash = kernels.parent_sequences(player, infoset, sequence, parent_sequence, first_node)
    fields = {name: getattr(outline, name) for name in Outline.__dataclass_fields__}
    fields |= {
        "branch": branch.astype(smallest(int(branch.max(initial=0)) + 1)),
        "first": first,
        "num_actions": num_actions,
        "parent_sequence": parent_sequence,
        "blocks": np.searchsorted(owner, np.arange(n + 1)),
        "node_sequence": sequence,
    }
    return Assembly(fields, first_node, int(clash))


def smallest(count: int) -> np.dtype[Any]:
    """The smallest signed type for -1 and ``count`` indices from 0 on."""
    return np.min_scalar_type(-max(1, count))
