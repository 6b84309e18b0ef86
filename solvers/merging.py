"""Copies of subtrees taken out of a tree, their chance added up: an exact reduction.

Two nodes are **copies** if the subtrees below them are the same game to everybody: terminal nodes
of equal payoffs; moves of one information set whose actions lead, one by one, to copies; or chance
moves that lead to copies with the same probabilities. A run of chance moves in a row (a deal, card
by card) that reaches copies at several ends need reach only the first of them, with the chance of
all: no player sees the difference, and nothing that follows depends on it. What players do is never
merged, even where two actions lead to copies.

Every strategy profile has the same values, best responses and NashConv in the smaller tree, and the
information sets, actions and sequences keep their numbers, so that one profile serves both trees.
All nodes that remain have the histories that they had; chance has other probabilities there.

What it saves: whatever runs over nodes and leaves (exact values, exact linear programs, quantal
response, files). The sequence form adds up leaves with the same sequences of all players in any
case, so numeric solvers find the same entries with or without it.

Bottom-up by numbers of subtrees (the hash-consing of A. V. Aho, J. E. Hopcroft and J. D. Ullman,
"The design and analysis of computer algorithms", 1974, Example 3.2): expected time linear in the
nodes, and for each chance move in the ends of the run below it; about 4 microseconds and 250 bytes
a node while it works. With exact chance the comparison and the sums are exact; floats count as
equal where they are equal bit by bit, so that rounding may hide copies.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ..games.exact import exact
from ..games.rules import CHANCE, TERMINAL
from .assembly import Outline, smallest

if TYPE_CHECKING:
    from .tree import GameTree


def merged(tree: GameTree) -> Outline:
    """The outline of a tree without copies; see `GameTree.merged`."""
    outline = {field.name: getattr(tree, field.name) for field in fields(Outline)}
    reduction = _Reduction(tree)
    kept = np.flatnonzero(np.frombuffer(reduction.kept, np.bool_))
    place = np.empty(tree.num_nodes, np.int32)
    place[kept] = np.arange(len(kept), dtype=np.int32)
    for column in ("parent", "action", "player", "node_infoset", "payoff"):
        outline[column] = outline[column][kept]
    outline["parent"][1:] = place[outline["parent"][1:]]
    known: dict[Any, int] = {}
    indices = [-1] * len(kept)
    for rank, node in enumerate(kept.tolist()):
        edge = reduction.edge.get(node)
        if edge is not None:
            number = edge if isinstance(edge, float) else exact(edge)
            indices[rank] = known.setdefault(number, len(known))
    outline["probability"] = np.array(indices, smallest(len(known)))
    outline["probabilities"] = tuple(known)
    return Outline(**outline)


class _Reduction:
    """Finds the copies.

    Attributes:
        kept: of each node, 1 if it remains.
        edge: the probability of each edge that remains below a chance node.
    """

    def __init__(self, tree: GameTree) -> None:
        self.kept = bytearray(tree.num_nodes)
        self.edge: dict[int, Any] = {}
        self._probabilities = tree.probabilities
        self._player, self._parent = tree.player.tolist(), tree.parent.tolist()
        self._outcome = tree.probability.tolist()
        self._below: dict[int, list[int]] = {}
        for node, above in enumerate(self._parent[1:], 1):
            self._below.setdefault(above, []).append(node)
        number = self._numbered(tree.node_infoset.tolist(), tree.payoff.tolist())
        self._keep(number)

    def _numbered(self, infoset: list[int], payoff: list[int]) -> list[int]:
        """The number of the subtree below each node: copies have one number."""
        number = [0] * len(infoset)
        numbers: dict[Hashable, int] = {}
        ends: dict[int, dict[int, Any]] = {}
        """Of chance moves: the probability of each subtree behind the run of chance moves."""
        for node in reversed(range(len(infoset))):
            mover = self._player[node]
            if mover == TERMINAL:
                shape: Hashable = payoff[node]
            elif mover != CHANCE:
                shape = infoset[node], *[number[child] for child in self._below[node]]
            else:
                found: dict[int, Any] = {}
                for child in self._below[node]:
                    p = self._probabilities[self._outcome[child]]
                    reached = ends.pop(child, None)
                    if reached is None:
                        found[number[child]] = found.get(number[child], 0) + p
                        continue
                    for end, q in reached.items():
                        found[end] = found.get(end, 0) + p * q
                ends[node] = found
                shape = frozenset(found.items())
            number[node] = numbers.setdefault(shape, len(numbers))
        return number

    def _keep(self, number: list[int]) -> None:
        """Marks what remains, top-down."""
        stack = [0]
        while stack:
            node = stack.pop()
            self.kept[node] = 1
            if self._player[node] == CHANCE:
                stack.extend(self._draw(node, number))
            else:
                stack.extend(self._below.get(node, ()))

    def _draw(self, root: int, number: list[int]) -> list[int]:
        """Marks a run of chance moves and sets its probabilities; returns the ends that remain."""
        reach: dict[int, Any] = {root: 1}
        run: list[int] = [root]
        ends: list[int] = []
        first: dict[int, int] = {}
        weight: dict[int, Any] = {}
        stack = self._below[root][::-1]
        while stack:  # depth first, in the order of the nodes
            node = stack.pop()
            p = self._probabilities[self._outcome[node]]
            reach[node] = reach[self._parent[node]] * p
            if self._player[node] == CHANCE:
                run.append(node)
                stack.extend(reversed(self._below[node]))
                continue
            ends.append(node)
            end = first.setdefault(number[node], node)
            weight[end] = weight.get(end, 0) + reach[node]
        if len(weight) == len(ends):  # no copies: floats stay as they are
            for node in run:
                self.kept[node] = 1
                for child in self._below[node]:
                    self.edge[child] = self._probabilities[self._outcome[child]]
            return ends
        whole = dict(weight)
        for node in reversed(run):
            remain = [child for child in self._below[node] if child in whole]
            if remain:
                self.kept[node] = 1
                whole[node] = sum(whole[child] for child in remain)
                self.edge |= {child: whole[child] / whole[node] for child in remain}
        return list(weight)
