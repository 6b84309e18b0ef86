"""Draws from a policy that is known in no other way, in two independent halves.

A language model that is sampled at every information set, or a log of plays, does not say what a
policy is: it shows how often each action was drawn. `estimate` makes of that an estimate of
NashConv; it needs the draws in two halves, one to choose deviations and one to value them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError, PolicyError
from ..solvers import _kernels as kernels
from ..solvers.profile import Profile, find_infoset, normalised
from ..solvers.tree import GameTree

FEWEST = 2
"""Draws or plays of a simulation: at least one for each half."""
MOST = 1 << 53
"""Draws in all: whole numbers up to this are exact as floats, and no sum of them overflows."""
FREQUENCIES_REMARK = (
    "These are frequencies of draws (at least {:,} at each information set), not the probabilities "
    "of the policy that was drawn from: their NashConv is too large on average."
)
"""With how many; `are_frequencies` knows it again."""
NO_LISTS = (str, bytes, bytearray, Set, Mapping)
"""What can be iterated but holds no draws in the order in which they were made."""


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """How often each action was drawn at its information set, in two independent halves.

    ``S`` sequences, as in `GameTree`.

    Attributes:
        tree: the compiled game.
        counts: int64 (2, S), read-only: how often the last action of each sequence was drawn, in
            the first and in the second half; 0 at the players' empty sequences.

    Raises:
        PolicyError: another shape, counts that are no whole numbers >= 0 of an integer type, more
            than 2**53 draws in all, or draws at an empty sequence.
    """

    tree: GameTree
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        counts = _whole_numbers(self.tree, self.counts)
        counts.setflags(write=False)
        object.__setattr__(self, "counts", counts)

    # ------------------------------------------------------------------------------- constructors

    @classmethod
    def from_lists(cls, tree: GameTree, drawn: Mapping[str, Iterable[int | str]]) -> Draws:
        """From ``{information-state string: [action number or name, ...]}``.

        The draws stand in the order in which they were made: those at even positions (from 0) are
        the first half, those at odd positions the second.

        Raises:
            PolicyError: an information set is unknown or missing, what it has is no list (sets and
                dictionaries have no order of draws), or holds what is no action there.
        """
        if not isinstance(drawn, Mapping):
            raise PolicyError(
                f"{tree.name}: the draws are of type {type(drawn).__name__}; give a dictionary "
                "from each information-state string to its list of draws"
            )
        counts = np.zeros((2, tree.num_sequences), np.int64)
        for key, actions in drawn.items():
            for k, s in enumerate(_sequences(tree, find_infoset(tree, key), actions)):
                counts[k % 2, s] += 1
        missing = [key for key in tree.keys if key not in drawn]
        if missing:
            raise PolicyError(
                f"{tree.name}: {len(missing)} of {tree.num_infosets} information sets have no list "
                f"of draws, for example {missing[0]!r}; give [] where nothing was drawn"
            )
        return cls(tree, counts)

    @classmethod
    def from_profile(cls, profile: Profile, n: int, rng: np.random.Generator) -> Draws:
        """Simulates ``n`` independent draws at every information set; an odd one is in half 0.

        Args:
            profile: the policy that is drawn from.
            n: draws per information set, at least 2.
            rng: the randomness.

        Raises:
            ParameterError: n is no whole number, or less than 2.
        """
        _refuse_too_few("n", n)
        tree = profile.tree
        counts = np.zeros((2, tree.num_sequences), np.int64)
        for width in np.unique(tree.num_actions).tolist():
            start = tree.first[tree.num_actions == width].astype(np.int64)
            sequences = start[:, None] + np.arange(width)
            for half, size in enumerate(((n + 1) // 2, n // 2)):
                counts[half, sequences] = rng.multinomial(size, profile.probabilities[sequences])
        return cls(tree, counts)

    @classmethod
    def from_plays(cls, profile: Profile, plays: int, rng: np.random.Generator) -> Draws:
        """Simulates whole plays, chance included, and counts what was done in them.

        Information sets that are seldom reached have few draws, or none. Plays 0, 2, 4, ... are
        the first half. The time grows with the number of plays times their length.

        Args:
            profile: the policy that is played.
            plays: at least 2.
            rng: the randomness.

        Raises:
            ParameterError: plays is no whole number, or less than 2.
        """
        _refuse_too_few("plays", plays)
        tree = profile.tree
        children = np.argsort(tree.parent, kind="stable")[1:]  # first the root, whose parent is -1
        start = np.searchsorted(tree.parent[children], np.arange(tree.num_nodes + 1))
        mover = np.append(-1, tree.player[tree.parent[1:]])
        moved = np.flatnonzero(mover >= 0)
        sequence = np.full(tree.num_nodes, -1, np.int64)
        sequence[moved] = tree.node_sequence[moved, mover[moved]]
        edge = tree.chance_reach / tree.chance_reach[tree.parent]
        edge[moved] = profile.probabilities[sequence[moved]]
        counts = np.zeros((2, tree.num_sequences), np.int64)
        kernels.play(children, start, edge, sequence, plays, rng, counts)
        return cls(tree, counts)

    # -------------------------------------------------------------------------------------- facts

    @cached_property
    def totals(self) -> NDArray[np.int64]:
        """int64 (S,), read-only, the counts of both halves together."""
        totals = self.counts.sum(axis=0)
        totals.setflags(write=False)
        return totals

    @cached_property
    def frequencies(self) -> Profile:
        """The relative frequencies; uniform at an information set where nothing was drawn.

        It carries a remark, since its NashConv is not that of the policy.
        """
        remark = FREQUENCIES_REMARK.format(self.fewest)
        return Profile(self.tree, normalised(self.tree, self.totals), (remark,))

    def half(self, which: int) -> Profile:
        """The relative frequencies in the first (0) or the second (1) half; uniform without any."""
        return Profile(self.tree, normalised(self.tree, self.counts[which]))

    @cached_property
    def draws_at(self) -> NDArray[np.int64]:
        """int64 (H,), read-only, the number of draws at each information set."""
        numbers = np.add.reduceat(self.totals, self.tree.first.astype(np.int64))
        numbers.setflags(write=False)
        return numbers

    @property
    def fewest(self) -> int:
        """The smallest number of draws at an information set; 0 in a game without any."""
        return int(self.draws_at.min()) if self.tree.num_infosets else 0

    @property
    def undrawn(self) -> int:
        """How many information sets have no draws in the second half."""
        if not self.tree.num_infosets:
            return 0
        drawn = np.add.reduceat(self.counts[1], self.tree.first.astype(np.int64))
        return int((drawn == 0).sum())

    # -------------------------------------------------------------------------------------- words

    def __eq__(self, other: object) -> bool:
        """Same game and same counts."""
        if not isinstance(other, Draws):
            return NotImplemented
        return np.array_equal(self.counts, other.counts) and self.tree.same_game(other.tree)

    __hash__ = None  # type: ignore[assignment]  # equality is by value

    def __repr__(self) -> str:
        return (
            f"Draws({self.tree.name}: {int(self.totals.sum()):,} draws at "
            f"{self.tree.num_infosets:,} information sets, at least {self.fewest:,} at each)"
        )


def are_frequencies(remarks: Sequence[str]) -> bool:
    """Whether remarks say that a policy is made of the frequencies of draws."""
    return any(remark.startswith(FREQUENCIES_REMARK.partition("{")[0]) for remark in remarks)


def _whole_numbers(tree: GameTree, given: Any) -> NDArray[np.int64]:
    """A copy of counts of draws (2, S), checked as `Draws` says."""
    try:
        counts = np.asarray(given)
    except ValueError:  # rows of different lengths, which have no shape
        counts = np.empty(0)
    if counts.shape != (2, tree.num_sequences):
        raise PolicyError(
            f"{tree.name} has {tree.num_sequences} sequences, but the counts have shape "
            f"{counts.shape}, not (2, {tree.num_sequences}); Draws.from_lists builds them"
        )
    if counts.dtype.kind not in "iu":
        raise PolicyError(
            f"{tree.name}: counts of draws are whole numbers of an integer type, not of type "
            f"{counts.dtype}; give how often each action was drawn, not its frequency"
        )
    if counts.min() < 0:
        half, s = np.argwhere(counts < 0)[0].tolist()
        raise PolicyError(
            f"{tree.name}: counts[{half}, {s}] is {counts[half, s]}, but nothing is drawn less "
            "than 0 times; give how often each action was drawn"
        )
    if counts.sum(dtype=np.float64) > MOST:  # as floats: a sum of integers would wrap
        raise PolicyError(
            f"{tree.name}: the counts say that {counts.sum(dtype=np.float64):.3g} draws were made, "
            f"more than {MOST:.3g} in all; a difference of unsigned numbers that wrapped looks "
            "like this: give how often each action was drawn"
        )
    if counts[:, : tree.num_players].any():
        raise PolicyError(
            f"{tree.name}: the first {tree.num_players} columns are the empty sequences, where "
            "nothing is drawn; set them to 0, or let Draws.from_lists build the counts"
        )
    return counts.astype(np.int64)


def _sequences(tree: GameTree, h: int, actions: Any) -> Iterator[int]:
    """The sequence of each draw in the list of an information set."""
    if isinstance(actions, NO_LISTS) or not isinstance(actions, Iterable):
        raise PolicyError(
            f"{tree.name}: the draws at {tree.keys[h]!r} are of type {type(actions).__name__}; "
            "give the list of actions in the order in which they were drawn, as numbers or names"
        )
    for k, action in enumerate(actions):
        choices = tree.action_names(h) if isinstance(action, str) else tree.legal[h]
        # True and 1.0 equal 1, but whoever writes them does not mean an action.
        named = isinstance(action, str | Integral) and not isinstance(action, bool)
        if not named or action not in choices:
            pairs = zip(tree.legal[h], tree.action_names(h), strict=True)
            raise PolicyError(
                f"{tree.name}: draw {k} at {tree.keys[h]!r} is {action!r}, which is no action "
                "there; give the number or the name of one of "
                + ", ".join(f"{a} ({name})" for a, name in pairs)
            )
        yield int(tree.first[h]) + choices.index(action)  # type: ignore[arg-type]


def _refuse_too_few(name: str, number: Any) -> None:
    """Refuses what is no whole number from 2 on."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise ParameterError(f"{name}={number!r}: give a whole number, at least {FEWEST}")
    if not FEWEST <= number <= MOST:  # type: ignore[operator]
        raise ParameterError(
            f"{name}={number}: at least {FEWEST} are needed, one for each half, and at most 2**53 "
            "can be counted"
        )
