"""Relevant combinations of the players' sequences, and the polytope of joint realisation plans.

A joint pure plan plays a combination ``(s_1, .., s_n)`` of sequences if each player's plan plays
its own. Which deviations pay, and what a team gets, is linear in the 0/1 indicator x of the
combinations that are played; only those matter that are *relevant*: there is one path of the tree
through an information set of each nonempty ``s_i`` (its last action may leave the path). Indicators
satisfy, with the other sequences held fixed, ::

    x(.., s, ..) = sum over the actions a of h of x(.., (h, a), ..)

at each information set h that s leads to, and x = 1 where all are empty. For two players without
chance moves these equations and ``x >= 0`` define just the mixtures of joint pure plans (B. von
Stengel and F. Forges, "Extensive-form correlated equilibrium", Mathematics of Operations Research
33, 2008, Theorem 3.5), and in others of a class described by G. Farina and T. Sandholm ("Polynomial
computation of optimal correlated equilibria in two-player extensive-form games with public chance
moves and beyond", NeurIPS 2020). In general they define more, but if all players but one play pure
plans, then x is the product of the players' plans; so with 0/1 variables for these players one has
the joint plans themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..games.errors import ProblemTooLarge
from .subtrees import ranges, set_of_sequence
from .tree import GameTree, sequences_of

MAX_COMBINATIONS = 200_000
"""Relevant combinations that are accepted: variables of a linear program."""

LARGEST_CODE = 2.0**62
"""Combinations, relevant or not, are numbered in int64."""


@dataclass(frozen=True, eq=False)
class JointSequences:
    """The relevant combinations of sequences of some players.

    Attributes:
        tree: the compiled game.
        players: m of its players, ascending.
        sequences: int64 (T, m), a sequence of each of them.
        codes: int64 (T,), ascending, the combinations as numbers.
    """

    tree: GameTree
    players: tuple[int, ...]
    sequences: NDArray[np.int64]
    codes: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        tree: GameTree,
        players: Sequence[int] | None = None,
        *,
        leaves: NDArray[np.int64] | None = None,
        max_combinations: int = MAX_COMBINATIONS,
    ) -> JointSequences:
        """The relevant combinations on the paths to some leaves.

        Args:
            tree: the compiled game.
            players: by default all.
            leaves: terminal nodes, by default all.
            max_combinations: the largest number of combinations to accept.

        Raises:
            ProblemTooLarge: more combinations.
        """
        members = tuple(range(tree.num_players) if players is None else sorted(players))
        at = tree.leaves if leaves is None else leaves
        set_of = set_of_sequence(tree)
        above = np.append(set_of[tree.parent_sequence], -1)  # -1 stays -1
        sets = np.unique(set_of[tree.node_sequence[at][:, members]], axis=0)
        for p in range(len(members)):
            front = sets
            while len(front := front[front[:, p] >= 0]):
                front[:, p] = above[front[:, p]]
                front = np.unique(front, axis=0)
                sets = np.unique(np.concatenate([sets, front]), axis=0)
                _refuse_above(max_combinations, len(sets), tree)
        menus = np.append(tree.num_actions.astype(np.int64), 1)[sets]
        _refuse_above(max_combinations, int(menus.prod(axis=1).sum()), tree)
        rows = sets
        first = tree.first.astype(np.int64)
        for p, player in enumerate(members):
            start = np.where(rows[:, p] >= 0, np.append(first, player)[rows[:, p]], player)
            count = np.append(tree.num_actions.astype(np.int64), 1)[rows[:, p]]
            rows = np.repeat(rows, count, axis=0)
            rows[:, p] = ranges(start, count)
            # Columns to the right still hold information sets.
        sizes = [len(sequences_of(tree, p)) for p in members]
        if np.prod(np.array(sizes, float)) >= LARGEST_CODE:
            raise ProblemTooLarge(
                f"{tree.name}: the {len(members)} players' sequences have more than "
                f"{LARGEST_CODE:.0e} combinations; take a smaller version of the game"
            )
        codes = _codes(tree, members, rows)
        order = np.argsort(codes)
        return cls(tree, members, rows[order], codes[order])

    def __len__(self) -> int:
        return len(self.codes)

    def index(self, sequences: NDArray[np.integer]) -> NDArray[np.int64]:
        """The numbers of combinations given as rows (R, m); all must be relevant."""
        return np.searchsorted(self.codes, _codes(self.tree, self.players, sequences))

    def indicator(self, plans: NDArray[np.float64]) -> NDArray[np.float64]:
        """The products of realisation plans (.., S) at all combinations, (.., T)."""
        return np.prod(plans[..., self.sequences], axis=-1)

    def own(self, p: int) -> NDArray[np.int64]:
        """The numbers of the combinations of a sequence of the p-th member with empty ones."""
        mine = np.array(sequences_of(self.tree, self.players[p]))
        rows = np.tile(np.array(self.players), (len(mine), 1))
        rows[:, p] = mine
        codes = _codes(self.tree, self.players, rows)
        place = np.minimum(np.searchsorted(self.codes, codes), len(self) - 1)
        return place[self.codes[place] == codes]

    @cached_property
    def consistency(self) -> tuple[sparse.csr_array, NDArray[np.float64]]:
        """The equations ``C x = c`` of the module's description, (rows, T) and (rows,)."""
        tree, X = self.tree, self.sequences
        set_of = set_of_sequence(tree)
        rows, columns, signs = [[0]], [self.index(np.array([self.players]))], [[1.0]]
        count = 1
        for p in range(len(self.players)):
            h = set_of[X[:, p]]
            here = np.flatnonzero(h >= 0)
            head = X[here].copy()
            head[:, p] = tree.first[h[here]]
            heads, row = np.unique(self.index(head), return_inverse=True)
            parents = X[heads].copy()
            parents[:, p] = tree.parent_sequence[h[heads]]
            rows += [count + row, count + np.arange(len(heads))]
            columns += [here, self.index(parents)]
            signs += [np.ones(len(here)), np.full(len(heads), -1.0)]
            count += len(heads)
        index = (np.concatenate(rows), np.concatenate(columns))
        matrix = sparse.csr_array((np.concatenate(signs), index), shape=(count, len(self)))
        return matrix, np.eye(1, count)[0]


def _codes(
    tree: GameTree, players: Sequence[int], sequences: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Combinations as numbers, the first member's sequence the most significant."""
    codes = np.zeros(len(sequences), np.int64)
    for p, player in enumerate(players):
        mine = sequences_of(tree, player)
        s = sequences[:, p].astype(np.int64)
        rank = np.where(s == player, 0, s - (mine[1] if len(mine) > 1 else 0) + 1)
        codes = codes * len(mine) + rank
    return codes


def _refuse_above(limit: int, count: int, tree: GameTree) -> None:
    if count > limit:
        raise ProblemTooLarge(
            f"{tree.name} has at least {count:,} relevant combinations of the players' sequences, "
            f"more than {limit:,}; pass a larger max_combinations and be patient, or a smaller "
            "version of the game. The average of a regret minimiser's iterates is a coarse "
            "correlated equilibrium of any game, approximately: see CorrelationDevice.from_profiles"
        )
