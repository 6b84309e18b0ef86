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

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pyspiel
from numpy.typing import NDArray

from ..games.errors import BadPayoff, ImperfectRecall, InexactError
from ..games.loading import game_name, load_game, rules_of
from ..games.openspiel import as_openspiel
from ..games.rules import TERMINAL, Exact, Rules
from . import _tree_kernels as kernels
from . import words
from ._kernels import SequenceForm
from .identity import game_string, same_tree, surely_same
from .rational import exact_tables
from .sequence_form import Entries, entries
from .tree_size import Progress
from .vector_form import VectorLayout
from .walk import Walk
from .walk_pyspiel import walk_pyspiel
from .walk_rules import walk_rules

LARGEST_PAYOFF = 1e150
"""Payoffs beyond this are refused when floats are asked for."""
DEFAULT_MAX_NODES = 2_000_000


@dataclass(frozen=True, eq=False, repr=False)
class GameTree:
    """A finite extensive-form game with perfect recall, as arrays. Build it with `compile`.

    ``N`` nodes, ``H`` information sets, ``S`` sequences, ``n`` players.

    Attributes:
        source: the game it was compiled from: rules, or an OpenSpiel game without rules.
        name: the game's short name or game string.
        num_players: n.
        parent: int32 (N,), parent node, -1 at the root.
        action: int32 (N,), action number on the edge into the node, -1 at the root.
        branch: int32 (N,), rank of the node among its siblings.
        player: int8 (N,), mover: a player, -1 chance, -4 terminal.
        node_infoset: int32 (N,), information set, -1 where no player moves.
        probability: int32 (N,), index in ``probabilities`` of the edge into the node, else -1.
        payoff: int32 (N,), index in ``payoffs``, -1 unless terminal.
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
    """

    source: Any
    name: str
    num_players: int
    parent: NDArray[np.int32]
    action: NDArray[np.int32]
    branch: NDArray[np.int32]
    player: NDArray[np.int8]
    node_infoset: NDArray[np.int32]
    probability: NDArray[np.int32]
    payoff: NDArray[np.int32]
    probabilities: tuple[Exact | float, ...]
    payoffs: tuple[tuple[Exact | float, ...], ...]
    keys: tuple[str, ...]
    legal: tuple[tuple[int, ...], ...]
    owner: NDArray[np.int8]
    first: NDArray[np.uint32]
    num_actions: NDArray[np.uint32]
    parent_sequence: NDArray[np.uint32]
    blocks: NDArray[np.int64]
    node_sequence: NDArray[np.uint32] = field(repr=False)

    # ------------------------------------------------------------------------------- compilation

    @classmethod
    def compile(
        cls,
        game: pyspiel.Game | Rules[Any],
        *,
        max_nodes: int = DEFAULT_MAX_NODES,
        progress: Progress | None = None,
    ) -> GameTree:
        """Walks the game once into arrays: time and memory linear in the number of nodes.

        Rules objects, and OpenSpiel games made from rules, take the fast path that never touches
        OpenSpiel states.

        Args:
            game: rules, or a sequential OpenSpiel game with information-state strings.
            max_nodes: the largest number of nodes to accept.
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
            return cls._assemble(rules, game_name(game), walk_rules(rules, max_nodes, progress))
        return cls._assemble(game, game_name(game), walk_pyspiel(game, max_nodes, progress))

    @classmethod
    def _assemble(cls, source: Any, name: str, walk: Walk) -> GameTree:
        n = walk.num_players
        parent = np.frombuffer(walk.parent, np.int32)
        player = np.frombuffer(walk.player, np.int8)
        owners = np.array(walk.owners, np.int8)
        order = np.argsort(owners, kind="stable")  # by player, then by first visit
        rank = np.empty(len(order), np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        infoset = np.full(len(parent), -1, np.int32)
        infoset[player >= 0] = rank[np.frombuffer(walk.infoset, np.int32)]
        payoff = np.full(len(parent), -1, np.int32)
        payoff[player == TERMINAL] = np.frombuffer(walk.payoff, np.int32)
        owner = owners[order]
        num_actions = np.array([len(walk.legal[h]) for h in order], np.uint32)
        ends = n + np.cumsum(num_actions, dtype=np.int64)
        first = (ends - num_actions).astype(np.uint32)
        branch = np.zeros(len(parent), np.int32)
        kernels.branch_numbers(parent, branch)
        probability = np.full(len(parent), -1, np.int32)
        edges = np.frombuffer(walk.probability, np.int32)
        kernels.spread_outcomes(parent, player, branch, edges, probability)
        sequence = np.empty((len(parent), n), np.uint32)
        sequence[0] = np.arange(n)
        kernels.node_sequences(parent, player, infoset, branch, first, sequence)
        parent_sequence = np.empty(len(owner), np.uint32)
        witness = np.full(len(owner), -1, np.int64)
        clash = kernels.parent_sequences(player, infoset, sequence, parent_sequence, witness)
        tree = cls(
            source=source,
            name=name,
            num_players=n,
            parent=parent,
            action=np.frombuffer(walk.action, np.int32),
            branch=branch,
            player=player,
            node_infoset=infoset,
            probability=probability,
            payoff=payoff,
            probabilities=tuple(walk.probabilities),
            payoffs=tuple(walk.payoffs),
            keys=tuple(walk.keys[h] for h in order),
            legal=tuple(walk.legal[h] for h in order),
            owner=owner,
            first=first,
            num_actions=num_actions,
            parent_sequence=parent_sequence,
            blocks=np.searchsorted(owner, np.arange(n + 1)),
            node_sequence=sequence,
        )
        if clash >= 0:
            h = infoset[clash]
            raise ImperfectRecall(
                f"{tree.name}: P{owner[h] + 1} forgets its own past in information set "
                f"{tree.keys[h]!r}: it joins the histories {tree.history_words(int(witness[h]))} "
                f"and {tree.history_words(int(clash))}; its key must tell them apart"
            )
        if len(tree.infoset_of_key) < tree.num_infosets:
            words.refuse_shared_keys(tree, witness)
        return tree

    # -------------------------------------------------------------------------------------- facts

    @cached_property
    def game_string(self) -> str:
        """See the function `identity.game_string`."""
        return game_string(self.source)

    def same_game(self, other: GameTree) -> bool:
        """Whether ``other`` is the same game: nodes, information sets, chance and payoffs.

        Rules and their OpenSpiel game are the same game; an explicit tree with other payoffs is
        another one. At most linear in the number of nodes.
        """
        return self is other or surely_same(self.source, other.source) or same_tree(self, other)

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
        try:
            probabilities = np.array([float(p) for p in self.probabilities] + [1.0])
            payoffs = np.array([[float(u) for u in row] for row in self.payoffs])
        except OverflowError:
            raise self._too_large_for_floats() from None
        except TypeError:
            raise InexactError(
                f"{self.name} has symbols in its payoffs or probabilities; give them numbers with "
                "game.subs({...}) before asking for numbers"
            ) from None
        if np.abs(payoffs).max(initial=0.0) > LARGEST_PAYOFF:
            raise self._too_large_for_floats()
        return probabilities, payoffs.reshape(-1, self.num_players)

    def _too_large_for_floats(self) -> BadPayoff:
        return BadPayoff(
            f"{self.name} has payoffs beyond {LARGEST_PAYOFF:.0e}, where sums of floats overflow; "
            "divide all payoffs by one number"
        )

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
        reach = np.empty(self.num_nodes)
        kernels.chance_reaches(self.parent, self._float_tables[0][self.probability], reach)
        return reach

    @cached_property
    def _entries(self) -> Entries:
        leaves = self.leaves
        value = self.chance_reach[leaves, None] * self.payoff_table[self.payoff[leaves]]
        return entries(self.node_sequence[leaves], value, self.num_sequences)

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
        return self.rules is None

    def __repr__(self) -> str:
        return (
            f"GameTree({self.name}: {self.num_players} players, {self.num_nodes:,} nodes, "
            f"{len(self.leaves):,} leaves, {self.num_infosets:,} information sets)"
        )


Game: TypeAlias = str | pyspiel.Game | Rules[Any] | GameTree
"""A name or game string, an OpenSpiel game, a rules object, or a compiled tree."""


def compile_tree(
    game: Game, *, max_nodes: int = DEFAULT_MAX_NODES, progress: Progress | None = None
) -> GameTree:
    """Compiles a game in any form; see `GameTree.compile`. A tree is returned as it is.

    Args:
        game: a name or game string, an OpenSpiel game, a rules object, or a compiled tree.
        max_nodes: the largest number of nodes to accept.
        progress: called with the number of nodes visited, now and then.

    Raises:
        UnknownGame: there is no such game.
        ParameterError: a parameter of the game string is malformed, unknown or refused.
        TreeTooLarge: more than ``max_nodes`` nodes; raised before memory grows.
        GameError: no extensive-form game with perfect recall; the subclass says why.
    """
    if isinstance(game, GameTree):
        return game
    # Rules stay rules: they may hold symbols, which OpenSpiel cannot.
    loaded = game if isinstance(game, Rules) else load_game(game)
    return GameTree.compile(loaded, max_nodes=max_nodes, progress=progress)


def sequences_of(tree: GameTree, player: int) -> list[int]:
    """The sequences of ``player``: its empty one, then its actions."""
    start, stop = tree.sequence_blocks[player : player + 2].tolist()
    return [player, *range(start, stop)]
