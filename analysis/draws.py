"""Draws from a policy that is known in no other way, in two independent halves.

A language model that is sampled at every information set, or a log of plays, does not say what a
policy is: it shows how often each action was drawn. `estimate` makes of that an estimate of
NashConv; it needs the draws in two halves, one to choose deviations and one to value them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..games.errors import ParameterError, PolicyError
from ..solvers import _kernels as kernels
from ..solvers.profile import Profile, find_infoset, normalised
from ..solvers.tree import GameTree

FEWEST = 2
"""Draws or plays of a simulation: at least one for each half."""


@dataclass(frozen=True, eq=False, repr=False)
class Draws:
    """How often each action was drawn at its information set, in two independent halves.

    ``S`` sequences, as in `GameTree`.

    Attributes:
        tree: the compiled game.
        counts: int64 (2, S), read-only: how often the last action of each sequence was drawn, in
            the first and in the second half; 0 at the players' empty sequences.

    Raises:
        PolicyError: another shape, counts that are no whole numbers >= 0, or draws at an empty
            sequence.
    """

    tree: GameTree
    counts: NDArray[np.int64]

    def __post_init__(self) -> None:
        tree, given = self.tree, np.asarray(self.counts)
        if given.shape != (2, tree.num_sequences):
            raise PolicyError(
                f"{tree.name} has {tree.num_sequences} sequences, but the counts have shape "
                f"{given.shape}, not (2, {tree.num_sequences}); Draws.from_lists builds them"
            )
        if given.dtype.kind not in "iu" or (given < 0).any():
            raise PolicyError(
                f"{tree.name}: counts of draws are whole numbers >= 0 of an integer type; these "
                f"are {given.dtype} from {given.min()} to {given.max()}; give how often each "
                "action was drawn, not its frequency"
            )
        if given[:, : tree.num_players].any():
            raise PolicyError(
                f"{tree.name}: the first {tree.num_players} columns are the empty sequences, where "
                "nothing is drawn; set them to 0, or let Draws.from_lists build the counts"
            )
        counts = given.astype(np.int64)
        counts.setflags(write=False)
        object.__setattr__(self, "counts", counts)

    # ------------------------------------------------------------------------------- constructors

    @classmethod
    def from_lists(cls, tree: GameTree, drawn: Mapping[str, Iterable[int | str]]) -> Draws:
        """From ``{information-state string: [action number or name, ...]}``.

        The draws stand in the order in which they were made: those at even positions (from 0) are
        the first half, those at odd positions the second.

        Raises:
            PolicyError: an information set is unknown or missing, or has no such action.
        """
        counts = np.zeros((2, tree.num_sequences), np.int64)
        for key, actions in drawn.items():
            h = find_infoset(tree, key)
            if isinstance(actions, str) or not isinstance(actions, Iterable):
                raise PolicyError(f"{tree.name}: {actions!r} at {key!r} is no list of actions")
            for k, action in enumerate(actions):
                choices = tree.action_names(h) if isinstance(action, str) else tree.legal[h]
                if action not in choices:
                    pairs = zip(tree.legal[h], tree.action_names(h), strict=True)
                    raise PolicyError(
                        f"{tree.name}: draw {k} at {key!r} is {action!r}, which is no action "
                        "there; it has " + ", ".join(f"{a} ({name})" for a, name in pairs)
                    )
                s = int(tree.first[h]) + choices.index(action)  # type: ignore[arg-type]
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
            ParameterError: fewer than 2 draws.
        """
        if n < FEWEST:
            raise ParameterError(f"n={n}: at least {FEWEST} draws are needed, one for each half")
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
            ParameterError: fewer than 2 plays.
        """
        if plays < FEWEST:
            raise ParameterError(
                f"plays={plays}: at least {FEWEST} plays are needed, one for each half"
            )
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
        """The relative frequencies; uniform at an information set where nothing was drawn."""
        return Profile(self.tree, normalised(self.tree, self.totals))

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
