"""Which of a player's information sets and sequences lie below which, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .tree import GameTree


@dataclass(frozen=True)
class Subtrees:
    """For each information set, its owner's sets and sequences at or below it.

    Attributes:
        below_sets: uint64 (H+1,), those of set h are ``sets[below_sets[h] : below_sets[h+1]]``.
        sets: uint32, information sets, h itself first, each after those above it.
        below: uint64 (H+1,), the same for sequences.
        sequences: uint32, the actions of these sets.
        base: uint64 (H,), where the pairs (action of h, sequence at or below h) of each h begin if
            all pairs are numbered, by action first.
        num_pairs: how many such pairs there are.
    """

    below_sets: NDArray[np.uint64]
    sets: NDArray[np.uint32]
    below: NDArray[np.uint64]
    sequences: NDArray[np.uint32]
    base: NDArray[np.uint64]
    num_pairs: int

    @classmethod
    def of(cls, tree: GameTree) -> Subtrees:
        """Time and memory linear in the number of pairs of a set and one below it."""
        upper, lower = set_pairs(tree)
        below_sets = _starts(np.bincount(upper, minlength=tree.num_infosets))
        count = tree.num_actions.astype(np.int64)
        sizes = np.zeros(tree.num_infosets, np.int64)
        np.add.at(sizes, upper, count[lower])
        pairs = count * sizes
        return cls(
            below_sets=below_sets,
            sets=lower.astype(np.uint32),
            below=_starts(sizes),
            sequences=actions_of(tree, lower).astype(np.uint32),
            base=_starts(pairs)[:-1],
            num_pairs=int(pairs.sum()),
        )


def set_of_sequence(tree: GameTree) -> NDArray[np.int64]:
    """int64 (S,), the information set of each sequence's last action; -1 for the empty ones."""
    sets = np.repeat(np.arange(tree.num_infosets), tree.num_actions)
    return np.concatenate([np.full(tree.num_players, -1), sets])


def owner_of_sequence(tree: GameTree) -> NDArray[np.int64]:
    """int64 (S,), the player of each sequence."""
    owners = np.repeat(tree.owner.astype(np.int64), tree.num_actions)
    return np.concatenate([np.arange(tree.num_players), owners])


def set_pairs(tree: GameTree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of an information set and one of its owner's at or below it, in ascending order."""
    above = set_of_sequence(tree)[tree.parent_sequence]
    upper, lower = _ancestor_pairs(above, np.arange(tree.num_infosets))
    order = np.lexsort((lower, upper))
    return upper[order], lower[order]


def sequence_pairs(tree: GameTree) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of a nonempty sequence and one of its owner's at or below it."""
    n, parents = tree.num_players, tree.parent_sequence.astype(np.int64)
    above = np.full(tree.num_sequences, -1)
    above[n:] = np.repeat(np.where(parents >= n, parents, -1), tree.num_actions)
    return _ancestor_pairs(above, np.arange(n, tree.num_sequences))


def _ancestor_pairs(
    above: NDArray[np.int64], items: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of an item, or one above it, and the item; ``above`` has -1 where none is."""
    lower = upper = items
    uppers, lowers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    while len(lower):
        uppers.append(upper)
        lowers.append(lower)
        upper = above[upper]
        lower, upper = lower[upper >= 0], upper[upper >= 0]
    return np.concatenate(uppers), np.concatenate(lowers)


def actions_of(tree: GameTree, sets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sequences that are the actions of given information sets, one set after the other."""
    return ranges(tree.first[sets].astype(np.int64), tree.num_actions[sets].astype(np.int64))


def ranges(start: NDArray[np.int64], count: NDArray[np.int64]) -> NDArray[np.int64]:
    """``start[i] .. start[i] + count[i] - 1`` for all i, one after the other."""
    ends = np.cumsum(count)
    return np.arange(int(count.sum())) + np.repeat(start - (ends - count), count)


def _starts(counts: NDArray[np.int64]) -> NDArray[np.uint64]:
    starts = np.zeros(len(counts) + 1, np.uint64)
    np.cumsum(counts, out=starts[1:])
    return starts
