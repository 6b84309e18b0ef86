"""The compiled game tree: flat arrays that every algorithm works on.

A game is walked once (`walk`). Its nodes are kept in depth-first order for exact work and drawing,
and its **sequence form** (von Stengel 1996) for everything numeric:

- A *sequence* of a player is the list of its own actions up to some point; with perfect recall it
  is named by its last action. Sequences of all players are numbered together: ``0 .. n-1`` are the
  players' empty sequences, the actions of information set ``h`` are ``first[h] .. first[h] +
  num_actions[h] - 1``. A vector indexed by sequences thus holds a behaviour strategy profile, a
  realisation plan or a gradient.
- Information sets are grouped by player and ordered so that a set comes after every earlier one of
  the same player: bottom-up passes run backwards over an index range.
- For each sequence of player p there is a row of *entries* (see `sequence_form`): the other
  players' sequences at a leaf, and the leaf's payoff to p times its chance probability.

Index arrays are unsigned: numba then emits no wrap-around test, which halves the cost of a gather.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any, Self, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ..games.efg_file import EfgGame
from ..games.errors import GameError, ImperfectRecall
from ..games.loading import game_name, game_string, is_tree_path, load_game, rules_of
from ..games.openspiel import as_openspiel
from ..games.rules import TERMINAL, Exact, Rules
from ..games.saved import SavedGame, broken
from . import _tree_kernels as kernels
from . import tree_file, words
from ._kernels import SequenceForm
from .assembly import Integers, Outline, assembled, outline_of
from .float_tables import float_tables
from .identity import same_tree, surely_same
from .memory import Memory, memory_of
from .merging import merged
from .rational import exact_tables
from .sequence_form import Entries, entries
from .tree_size import Progress
from .vector_form import VectorLayout
from .walk import Walk
from .walk_pyspiel import walk_pyspiel
from .walk_rules import walk_rules

DEFAULT_MAX_NODES = 2_000_000


@dataclass(frozen=True, eq=False, repr=False)
class GameTree:
    """A finite extensive-form game with perfect recall, as arrays. Build it with `compile`.

    ``N`` nodes, ``H`` information sets, ``S`` sequences, ``n`` players.

    Attributes:
        origin: what `source` is loaded from, if it is not there yet.
        name: the game's short name or game string.
        num_players: n.
        parent: int32 (N,), parent node, -1 at the root.
        action: int (N,), action number on the edge into the node, -1 at the root.
        branch: int (N,), rank of the node among its siblings.
        player: int8 (N,), mover: a player, -1 chance, -4 terminal.
        node_infoset: int32 (N,), information set, -1 where no player moves.
        probability: int (N,), index in ``probabilities`` of the edge into the node, else -1.
        payoff: int (N,), index in ``payoffs``, -1 unless terminal.
        probabilities: the different chance probabilities, exact if the source is.
        payoffs: the different payoff vectors, exact if the source is.
        keys: H information-state strings.
        legal: H tuples of action numbers, ascending.
        owner: int8 (H,), the player of each information set.
        first: uint32 (H,), first sequence of each information set.
        num_actions: uint32 (H,).
        parent_sequence: uint32 (H,), the owner's sequence that leads to the information set.
        blocks: int64 (n+1,), information sets ``blocks[p] .. blocks[p+1]-1`` belong to player p.
        node_sequence: uint32 (N, n), each player's sequence at each node.
        row: uint64 (S+1,), entries of sequence s are ``row[s] .. row[s+1]-1``.
        others: uint32 (n-1, E), the other players' sequences of each entry, in player order.
        weight: float64 (E,), chance probability times payoff to the row's player, in utilities.
        merged_from: the number of nodes before `merged`, None of a tree as it was compiled.

    Columns of type ``int`` have the smallest signed type that holds them.
    """

    origin: Any
    name: str
    num_players: int
    parent: NDArray[np.int32]
    action: Integers
    branch: Integers
    player: NDArray[np.int8]
    node_infoset: NDArray[np.int32]
    probability: Integers
    payoff: Integers
    probabilities: tuple[Exact | float, ...]
    payoffs: tuple[tuple[Exact | float, ...], ...]
    keys: tuple[str, ...]
    legal: tuple[tuple[int, ...], ...]
    owner: NDArray[np.int8]
    first: NDArray[np.uint32]
    num_actions: NDArray[np.uint32]
    parent_sequence: NDArray[np.uint32]
    blocks: NDArray[np.int64]
    node_sequence: NDArray[np.uint32]
    merged_from: int | None = None

    # ------------------------------------------------------------------------------- compilation

    @classmethod
    def compile(
        cls,
        game: pyspiel.Game | Rules[Any],
        *,
        max_nodes: int = DEFAULT_MAX_NODES,
        merge: bool = False,
        progress: Progress | None = None,
    ) -> GameTree:
        """Walks the game once into arrays: time and memory linear in the number of nodes.

        Rules objects, and OpenSpiel games made from rules, take the fast path that never touches
        OpenSpiel states.

        Args:
            game: rules, or a sequential OpenSpiel game with information-state strings.
            max_nodes: the largest number of nodes to accept.
            merge: whether to leave out copies of subtrees; see `merged`.
            progress: called with the number of nodes visited, now and then.

        Raises:
            TreeTooLarge: more nodes than ``max_nodes``; raised before memory grows.
            ImperfectRecall: a player forgets; the text shows two histories.
            ForeignInformationSet: two players share an information-state string.
            UnequalActions: an information set offers different actions.
            BadChance: chance probabilities that are not a distribution.
            UnsupportedGame: simultaneous moves, sampled chance, no information-state strings.
        """
        rules = rules_of(game)
        if rules is not None:
            walk = walk_rules(rules, max_nodes, progress)
        else:
            walk = walk_pyspiel(game, max_nodes, progress)
        tree = cls._assemble(game if rules is None else rules, game_name(game), walk)
        return tree.merged() if merge else tree

    @classmethod
    def _assemble(cls, source: Any, name: str, walk: Walk) -> Self:
        return cls._of(source, name, outline_of(walk))

    @classmethod
    def _of(cls, origin: Any, name: str, outline: Outline, merged_from: int | None = None) -> Self:
        """The tree of an outline.

        Raises:
            ImperfectRecall: a player forgets; the text shows two histories.
            ForeignInformationSet: two players' sets have the same information-state string.
            GameError: two sets of one player have.
        """
        fields, first, clash = assembled(outline)
        tree = cls(origin=origin, name=name, merged_from=merged_from, **fields)
        if clash >= 0:
            h = tree.node_infoset[clash]
            raise ImperfectRecall(
                f"{tree.name}: P{tree.owner[h] + 1} forgets its own past in information set "
                f"{tree.keys[h]!r}: it joins the histories {tree.history_words(int(first[h]))} "
                f"and {tree.history_words(clash)}; its key must tell them apart"
            )
        if len(set(tree.keys)) < tree.num_infosets:
            words.refuse_shared_keys(tree, first)
        return tree

    def merged(self) -> GameTree:
        """The tree without copies: nodes that neither a player nor anything to come tells apart.

        See `merging`. Off by default, since a belief about a node is one about the original tree.
        """
        before = self.merged_from or self.num_nodes
        return GameTree._of(self.origin, self.name, merged(self), before)

    # -------------------------------------------------------------------------------------- files

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the tree to a file, by convention ``.tree``, completely or not at all.

        Exact numbers stay exact. See `tree_file`.

        Raises:
            TreeFileError: the file cannot be written, or a number of the tree has no safe form.
        """
        tree_file.write_tree(self, path)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Reads a file that `save` wrote; no code that is in the file is run.

        The game itself is loaded when something asks for it: words, OpenSpiel's algorithms.

        Raises:
            TreeFileError: the file is missing, truncated, altered, of another program or version.
        """
        content = tree_file.read_tree(path)
        try:
            tree = cls._of(
                content.origin, content.origin.name, content.outline, content.merged_from
            )
        except GameError as error:
            raise broken(path, error) from error
        return tree

    # -------------------------------------------------------------------------------------- facts

    @cached_property
    def source(self) -> Any:
        """The game it was compiled from: rules, or an OpenSpiel game without rules.

        A tree from a file loads it when it is first asked for.

        Raises:
            TreeFileError: the game has no game string, so the file does not know its rules.
            UnknownGame: no game of that name is registered in this program.
        """
        if not isinstance(self.origin, SavedGame):
            return self.origin
        game = self.origin.load()
        return rules_of(game) or game

    @cached_property
    def game_string(self) -> str:
        """See the function `games.loading.game_string`."""
        return self.origin.full if isinstance(self.origin, SavedGame) else game_string(self.source)

    @property
    def title(self) -> str:
        """The game's name for people: the title of an ``.efg`` file, else `name`."""
        if isinstance(self.origin, SavedGame):
            return self.origin.title
        return self.origin.title if isinstance(self.origin, EfgGame) else self.name

    def same_game(self, other: GameTree) -> bool:
        """Whether ``other`` is the same game: nodes, information sets, chance and payoffs.

        Rules and their OpenSpiel game are the same game; an explicit tree with other payoffs is
        another one. At most linear in the number of nodes.
        """
        return self is other or self.surely_of(other.origin) or same_tree(self, other)

    def surely_of(self, game: Any) -> bool:
        """Whether names alone settle that the tree is one of ``game``; see `identity.surely_same`.

        Loads no game: a tree from a file is no game's for sure.
        """
        loaded = not any(isinstance(g, SavedGame) for g in (self.origin, game))
        return loaded and surely_same(self.origin, game)

    @property
    def rules(self) -> Rules[Any] | None:
        """The rules it was compiled from, None for a plain OpenSpiel game."""
        return self.source if isinstance(self.source, Rules) else None

    @cached_property
    def game(self) -> pyspiel.Game:
        """The game for OpenSpiel's algorithms."""
        return as_openspiel(self.source) if isinstance(self.source, Rules) else self.source

    @property
    def num_nodes(self) -> int:
        """N, terminal and chance nodes included."""
        return len(self.parent)

    @property
    def num_infosets(self) -> int:
        """H."""
        return len(self.keys)

    @property
    def num_sequences(self) -> int:
        """S, the players' empty sequences included."""
        return self.num_players + int(self.num_actions.sum())

    @property
    def memory(self) -> Memory:
        """What the arrays that exist at present take, in bytes; ``memory.per_node`` sums it up."""
        return memory_of(self)

    @property
    def num_leaves(self) -> int:
        """L, the number of terminal nodes."""
        return int(np.count_nonzero(self.player == TERMINAL))

    @cached_property
    def leaves(self) -> NDArray[np.int64]:
        """The terminal nodes, in depth-first order."""
        return np.flatnonzero(self.player == TERMINAL)

    @cached_property
    def infoset_of_key(self) -> dict[str, int]:
        """The information set of each information-state string."""
        return {key: h for h, key in enumerate(self.keys)}

    def slice(self, h: int) -> slice:
        """The sequences that are the actions of information set ``h``."""
        return slice(int(self.first[h]), int(self.first[h] + self.num_actions[h]))

    def nodes_of(self, h: int) -> list[int]:
        """The nodes of information set ``h``, in depth-first order."""
        return np.flatnonzero(self.node_infoset == h).tolist()

    def history(self, node: int) -> list[int]:
        """The action numbers on the path to ``node``."""
        path = []
        while node > 0:
            path.append(int(self.action[node]))
            node = int(self.parent[node])
        return path[::-1]

    def history_words(self, node: int) -> str:
        """The path to ``node`` in words, such as ``(S1, vote P1)``."""
        return words.history_words(self, node)

    def edge_name(self, node: int) -> str:
        """The name of the action on the edge into ``node``."""
        return words.edge_name(self, node)

    def action_names(self, h: int) -> tuple[str, ...]:
        """The names of the actions of information set ``h``."""
        names = self._action_names.get(h)
        if names is None:
            names = self._action_names[h] = words.action_names(self, h)
        return names

    @cached_property
    def _action_names(self) -> dict[int, tuple[str, ...]]:
        return {}

    @cached_property
    def first_node(self) -> NDArray[np.int64]:
        """(H,), the first node of each information set in depth-first order."""
        return self._first_of_each_set(np.flatnonzero(self.node_infoset >= 0))

    @cached_property
    def last_node(self) -> NDArray[np.int64]:
        """(H,), the last node of each information set in depth-first order."""
        return self._first_of_each_set(np.flatnonzero(self.node_infoset >= 0)[::-1])

    def _first_of_each_set(self, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
        sets, index = np.unique(self.node_infoset[nodes], return_index=True)
        assert len(sets) == self.num_infosets
        return nodes[index]

    # ------------------------------------------------------------------------------ sequence form

    @cached_property
    def _float_tables(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return float_tables(self)

    @property
    def payoff_table(self) -> NDArray[np.float64]:
        """The different payoff vectors as floats, one per row, in utilities.

        Raises:
            InexactError: the game has symbols.
        """
        return self._float_tables[1]

    @cached_property
    def is_constant_sum(self) -> bool:
        """Whether all leaves have the same total payoff, but for rounding."""
        totals = self.payoff_table.sum(axis=1)
        largest = float(np.abs(self.payoff_table).max(initial=0.0))
        return bool(totals.max() - totals.min() <= 1e-12 * largest)

    @cached_property
    def chance_reach(self) -> NDArray[np.float64]:
        """(N,), the product of the chance probabilities on the path to each node."""
        return self._chance_reaches()

    def _chance_reaches(self) -> NDArray[np.float64]:
        reach = np.empty(self.num_nodes)
        chance = self._float_tables[0]
        kernels.chance_reaches(self.parent, self.probability.astype(np.int32), chance, reach)
        return reach

    @cached_property
    def _entries(self) -> Entries:
        ends = self.player == TERMINAL
        sequence, payoff = self.node_sequence[ends], self.payoff[ends]
        reach = self._chance_reaches()[ends]  # not kept: it is as large as the entries
        return entries(sequence, reach, payoff, self.payoff_table, self.num_sequences)

    @cached_property
    def sequence_blocks(self) -> NDArray[np.int64]:
        """int64 (n+1,), p's sequences are p and ``sequence_blocks[p] .. [p+1]-1``."""
        ends = np.append(self.first.astype(np.int64), self.num_sequences)
        return ends[self.blocks]

    @cached_property
    def sequence_form(self) -> SequenceForm:
        """The arrays that kernels read, in one tuple."""
        return SequenceForm(
            self.blocks,
            self.sequence_blocks,
            self.first,
            self.num_actions,
            self.parent_sequence,
            *self._entries,
        )

    @cached_property
    def vector_layout(self) -> VectorLayout:
        """The sequence form rearranged for regret minimisation."""
        return VectorLayout.of(self.sequence_form)

    @property
    def row(self) -> NDArray[np.uint64]:
        """See the class."""
        return self._entries[0]

    @property
    def others(self) -> NDArray[np.uint32]:
        """See the class."""
        return self._entries[1]

    @property
    def weight(self) -> NDArray[np.float64]:
        """See the class."""
        return self._entries[2]

    # --------------------------------------------------------------------------------- exact twin

    @cached_property
    def exact_tables(self) -> tuple[tuple[Exact, ...], tuple[tuple[Exact, ...], ...]]:
        """Chance probabilities and payoffs as exact numbers: the tree's exact twin.

        Trees from rules are exact as they are. Floats of an OpenSpiel game are rationalised: the
        fraction of smallest denominator within 1e-15 (relative to values above 1).

        Raises:
            InexactError: the rationalised probabilities of a chance node do not sum to exactly 1.
        """
        return exact_tables(self)

    @property
    def rationalised(self) -> bool:
        """Whether the exact twin was made from floats rather than from exact rules."""
        values = (*self.probabilities, *(u for row in self.payoffs for u in row))
        return any(isinstance(value, float) for value in values)

    def __repr__(self) -> str:
        before = "" if self.merged_from is None else f" merged from {self.merged_from:,}"
        return (
            f"GameTree({self.name}: {self.num_players} players, {self.num_nodes:,} nodes{before}, "
            f"{self.num_leaves:,} leaves, {self.num_infosets:,} information sets, "
            f"{self.memory.per_node:.0f} bytes per node)"
        )


Game: TypeAlias = str | pyspiel.Game | Rules[Any] | GameTree
"""A name or game string, an OpenSpiel game, a rules object, or a compiled tree."""


def compile_tree(
    game: Game,
    *,
    max_nodes: int = DEFAULT_MAX_NODES,
    merge: bool = False,
    progress: Progress | None = None,
) -> GameTree:
    """Compiles a game in any form; see `GameTree.compile`. A tree is returned as it is.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree; or the
            path of a file, which ends in ``.efg`` (Gambit) or ``.tree`` (`GameTree.save`).
        max_nodes: the largest number of nodes to accept. A file of a compiled tree may have more.
        merge: whether to leave out copies of subtrees; see `GameTree.merged`.
        progress: called with the number of nodes visited, now and then.

    Raises:
        UnknownGame: there is no such game.
        ParameterError: a parameter of the game string is malformed, unknown or refused.
        TreeTooLarge: more than ``max_nodes`` nodes; raised before memory grows.
        TreeFileError: a file of a compiled tree is missing, damaged or of another kind.
        GameError: no extensive-form game with perfect recall; the subclass says why.
    """
    if isinstance(game, str) and is_tree_path(game):
        game = GameTree.load(game)
    if isinstance(game, GameTree):
        return game.merged() if merge else game
    # Rules stay rules: they may hold symbols, which OpenSpiel cannot.
    loaded = game if isinstance(game, Rules) else load_game(game)
    return GameTree.compile(loaded, max_nodes=max_nodes, merge=merge, progress=progress)


def sequences_of(tree: GameTree, player: int) -> list[int]:
    """The sequences of ``player``: its empty one, then its actions."""
    start, stop = tree.sequence_blocks[player : player + 2].tolist()
    return [player, *range(start, stop)]
