"""The linear inequalities that make a correlation device an equilibrium.

Against each deviation of a player its best continuation must not gain. The best continuation is a
maximum at each information set where the player is on its own, hence, as in the sequence form, a
variable v for each such set and an inequality for each of its actions::

    v(d, h) >= what leaves directly below (h, a) give + sum over the sets k right below of v(d, k)
    v(d, first sets) <= what the player gets there if it obeys

Left sides and right sides are linear in the indicator x of the combinations of sequences that are
played (see `joint_sequences`): on its own the player is at (h, a) if its plan plays the *trigger*
and the others' plans play their parts. (B. von Stengel and F. Forges, "Extensive-form correlated
equilibrium", Mathematics of Operations Research 33, 2008, Section 4.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .correlation import Kind
from .joint_sequences import JointSequences
from .subtrees import actions_of, owner_of_sequence, ranges, sequence_pairs, set_pairs
from .tree import GameTree

Index = NDArray[np.int64]


class Deviations(NamedTuple):
    """Ways of not obeying. Pairs come as two arrays: a deviation, and what belongs to it.

    Attributes:
        trigger: int64 (D,), the sequence of its player after which it is possible.
        alone: the information sets where the player then plays on its own.
        obeyed: the sequences that the player would play there if it obeyed.
    """

    trigger: Index
    alone: tuple[Index, Index]
    obeyed: tuple[Index, Index]


def deviations(tree: GameTree, kind: Kind) -> Deviations:
    """All deviations of that kind: one for each move, each information set, or each player."""
    n, H, S = tree.num_players, tree.num_infosets, tree.num_sequences
    upper, lower = set_pairs(tree)
    owner = tree.owner.astype(np.int64)
    count = tree.num_actions.astype(np.int64)
    if kind == "nfcce":
        everywhere = owner, np.arange(H)
        return Deviations(np.arange(n), everywhere, (np.repeat(owner, count), np.arange(n, S)))
    if kind == "efcce":
        below = np.repeat(upper, count[lower]), actions_of(tree, lower)
        return Deviations(tree.parent_sequence.astype(np.int64), (upper, lower), below)
    moves = actions_of(tree, upper)  # each action of the upper set, with the lower one
    alone = moves - n, np.repeat(lower, count[upper])
    above, below = sequence_pairs(tree)
    return Deviations(np.arange(n, S), alone, (above - n, below))


@dataclass(frozen=True, eq=False)
class Incentives:
    """The inequalities ``plans @ x + values @ v <= 0``, v free, and the payoffs.

    Attributes:
        joint: the combinations that x is indexed by.
        plans: float64 (rows, T), in ``unit``.
        values: float64 (rows, V), 0 and ±1.
        payoffs: float64 (n, T), each player's expected payoff is its row times x, in utilities.
        unit: the largest payoff of a leaf times its chance probability, in utilities.
    """

    joint: JointSequences
    plans: sparse.csr_array
    values: sparse.csr_array
    payoffs: NDArray[np.float64]
    unit: float

    @classmethod
    def of(cls, joint: JointSequences, kind: Kind) -> Incentives:
        """Those of all deviations of that kind, for the combinations of all players."""
        tree = joint.tree
        unit = float(np.abs(tree.weight).max(initial=0.0)) or 1.0
        found = deviations(tree, kind)
        n, S, D, V = tree.num_players, tree.num_sequences, len(found.trigger), len(found.alone[0])
        payoffs, owners = np.zeros((n, len(joint))), owner_of_sequence(tree)
        for s, played, weight in _leaf_terms(joint, np.arange(S), np.arange(S)):
            np.add.at(payoffs, (owners[s], played), weight)

        # Deviations come first: one row for each, "what it is worth <= what obeying is worth".
        d, h = found.alone
        size = tree.num_actions[h].astype(np.int64)
        move_d, move_s = np.repeat(d, size), actions_of(tree, h)
        keys = move_d * S + move_s
        order = np.argsort(keys)
        row_of_key = D + np.arange(len(keys))
        parent_key = d * S + tree.parent_sequence[h]
        place = np.minimum(np.searchsorted(keys[order], parent_key), len(keys) - 1)
        inside = keys[order][place] == parent_key if len(keys) else np.zeros(0, bool)
        above = np.where(inside, D + order[place], d) if len(keys) else d
        rows = np.concatenate([row_of_key, above])
        columns = np.concatenate([np.repeat(np.arange(V), size), np.arange(V)])
        signs = np.concatenate([np.full(len(keys), -1.0), np.ones(V)])
        shape = (D + len(keys), V)
        values = sparse.csr_array((signs, (rows, columns)), shape=shape)

        parts = []
        for which, played, weight in _leaf_terms(joint, move_s, found.trigger[move_d]):
            parts.append((D + which, played, weight / unit))
        obeyed_d, obeyed_s = found.obeyed
        for which, played, weight in _leaf_terms(joint, obeyed_s, obeyed_s):
            parts.append((obeyed_d[which], played, -weight / unit))
        rows, columns, numbers = (np.concatenate(part) for part in zip(*parts, strict=True))
        plans = sparse.csr_array((numbers, (rows, columns)), shape=(shape[0], len(joint)))
        return cls(joint, plans, values, payoffs, unit)


def _leaf_terms(joint: JointSequences, at: Index, played: Index):
    """For each player: the leaves directly below given sequences ``at`` of it, term by term.

    Yields:
        The position in ``at``, the combination of ``played`` there with the others' sequences at
        the leaf, and chance probability times payoff, in utilities.
    """
    tree = joint.tree
    owners = owner_of_sequence(tree)[at]
    row = tree.row.astype(np.int64)
    for p in range(tree.num_players):
        mine = np.flatnonzero(owners == p)
        count = row[at[mine] + 1] - row[at[mine]]
        entry = ranges(row[at[mine]], count)
        which = np.repeat(mine, count)
        combination = np.insert(tree.others[:, entry].T.astype(np.int64), p, played[which], axis=1)
        yield which, joint.index(combination), tree.weight[entry]
