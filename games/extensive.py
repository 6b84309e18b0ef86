"""Games written down as explicit trees: textbook examples, small theorems, Gambit files.

A tree is nested calls that read like the figure in the book::

    game = ExtensiveGame(
        "gibbons_4_1_1",
        decision(0, "1", {
            "L": decision(1, "2", {"L'": leaf(2, 1), "R'": leaf(0, 0)}),
            "M": decision(1, "2", {"L'": leaf(0, 2), "R'": leaf(0, 1)}),
            "R": leaf(1, 3),
        }),
    )

Payoffs and chance probabilities are exact: integers, `Fraction`, strings such as ``"1/3"``, or
SymPy expressions with symbols (then state what is assumed of the symbols).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

import sympy

from .errors import (
    BadChance,
    ForeignInformationSet,
    GameError,
    ImperfectRecall,
    UnequalActions,
    UnsupportedGame,
)
from .exact import exact
from .rules import CHANCE, TERMINAL, Exact, Observation, Observations, Rules, Step, View


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A terminal node with one payoff per player."""

    payoffs: tuple[Exact, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Chance:
    """A chance node: (label, probability, child) of each outcome."""

    outcomes: tuple[tuple[str, Exact, Node], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Decision:
    """A decision node of a player in information set ``label``: (action, child) of each move."""

    player: int
    label: str
    moves: tuple[tuple[str, Node], ...]


Node = Leaf | Chance | Decision


MAX_PLAYERS = 127
"""Players of any game: trees number them in one byte."""


def leaf(*payoffs: Any) -> Leaf:
    """A terminal node."""
    return Leaf(tuple(map(exact, payoffs)))


def chance(outcomes: Mapping[str, tuple[Any, Node]]) -> Chance:
    """A chance node from ``{label: (probability, child)}``.

    Raises:
        BadChance: a probability that is not positive, or a sum other than 1.
    """
    rows = tuple((label, exact(p), child) for label, (p, child) in outcomes.items())
    total = sympy.simplify(sum((sympy.sympify(p) for _, p, _ in rows), sympy.Integer(0)))
    if total != 1:
        raise BadChance(f"chance outcomes {[label for label, *_ in rows]} sum to {total}, not to 1")
    for label, p, _ in rows:
        if isinstance(p, Fraction) and p <= 0:
            raise BadChance(f"chance outcome {label!r} has probability {p}; leave it out")
    return Chance(rows)


def decision(player: int, label: str, moves: Mapping[str, Node]) -> Decision:
    """A decision node from ``{action: child}``; nodes of one ``label`` are one information set."""
    if not moves:
        raise GameError(f"information set {label!r}: a decision needs at least one action")
    if not all(isinstance(word, str) for word in (label, *moves)):
        raise GameError(f"information set {label!r}: labels and actions are strings")
    if not all(isinstance(child, Leaf | Chance | Decision) for child in moves.values()):
        raise GameError(f"information set {label!r}: every action leads to a leaf or another node")
    return Decision(player, label, tuple(moves.items()))


def _menus(root: Node) -> list[tuple[str, ...]]:
    """The actions of every decision as they are written, depth first."""
    match root:
        case Leaf():
            return []
        case Chance(outcomes):
            return [menu for *_, child in outcomes for menu in _menus(child)]
        case Decision(_, _, moves):
            below = [menu for _, child in moves for menu in _menus(child)]
            return [tuple(label for label, _ in moves), *below]


def _in_written_order(menus: Sequence[Sequence[str]]) -> list[str]:
    """All labels, each menu's in its order, else by first use; by first use on a contradiction."""
    labels = list(dict.fromkeys(label for menu in menus for label in menu))
    rank = {label: i for i, label in enumerate(labels)}
    sorter: TopologicalSorter[str] = TopologicalSorter({label: () for label in labels})
    for before, after in {pair for menu in menus for pair in pairwise(menu)}:
        sorter.add(after, before)
    try:
        sorter.prepare()
    except CycleError:
        return labels
    ordered: list[str] = []
    ready: list[int] = []
    while sorter.is_active():
        for label in sorter.get_ready():
            heappush(ready, rank[label])
        ordered.append(labels[heappop(ready)])
        sorter.done(ordered[-1])
    return ordered


def _range(payoffs: Sequence[Exact]) -> tuple[Exact, Exact] | None:
    """The smallest and the largest of exact numbers, None if there are symbols among them."""
    if all(isinstance(u, Fraction) for u in payoffs):
        return min(payoffs), max(payoffs)
    numbers = [sympy.sympify(u) for u in payoffs]
    if any(u.free_symbols for u in numbers):
        return None
    return exact(sympy.Min(*numbers)), exact(sympy.Max(*numbers))


class ExtensiveGame(Rules[int]):
    """The rules of an explicit tree. A position is the number of a node, in depth-first order.

    One label is one action number, wherever it is used. Numbers keep the order in which each
    information set's actions are written (where two sets contradict each other, all are numbered by
    first use), and otherwise the order of first use.

    Args:
        name: a short name.
        root: the tree.
        assumptions: SymPy relations on the symbols in payoffs and probabilities.

    Raises:
        ImperfectRecall: an information set joins histories that its player can tell apart.
        ForeignInformationSet: two players have an information set of the same label.
        UnequalActions: the nodes of an information set offer different actions.
        UnsupportedGame: the tree is too deep to be written down (some 400 moves).
        GameError: payoffs of different lengths, or a player number out of range.
    """

    def __init__(
        self,
        name: str,
        root: Node,
        assumptions: Sequence[Any] = (),
    ):
        self.name = name  # type: ignore[misc]  # one class, many games
        self.title = name  # type: ignore[misc]
        self.parameters = {}
        self.root = root
        self.assumptions = tuple(assumptions)
        self._nodes: list[Node] = []
        self._children: list[dict[int, int]] = []
        self._outcome_ids: dict[str, int] = {}
        try:
            self._names = _in_written_order(_menus(root))
            self._action_ids = {label: number for number, label in enumerate(self._names)}
            self._number(root)
            self.max_game_length, self.max_chance_nodes = self._depths(0)
        except RecursionError as error:
            raise UnsupportedGame(
                f"{name}: the tree is too deep to be written down; write its rules as a subclass "
                "of crywolf.Rules"
            ) from error
        leaves = [node for node in self._nodes if isinstance(node, Leaf)]
        widths = {len(node.payoffs) for node in leaves}
        if len(widths) != 1:
            raise GameError(f"{name}: terminal nodes have {sorted(widths)} payoffs; give one each")
        self.num_players = widths.pop()
        if not 1 <= self.num_players <= MAX_PLAYERS:
            raise GameError(f"{name}: {self.num_players} players; 1 to {MAX_PLAYERS} are possible")
        self._outcomes = list(self._outcome_ids)
        self._nothing: Observations = ((),) * self.num_players
        self.num_distinct_actions = max(1, len(self._names))
        self.max_chance_outcomes = len(self._outcomes)
        self.utility_range = _range([u for node in leaves for u in node.payoffs])
        sums = {sympy.expand(sum(map(sympy.sympify, node.payoffs))) for node in leaves}
        total = sums.pop() if len(sums) == 1 else None
        self.utility_sum = exact(total) if total is not None and total.is_Rational else None
        self._check_information_sets()

    @property
    def symbols(self) -> tuple[sympy.Symbol, ...]:
        """The symbols in payoffs and chance probabilities, sorted by name."""
        found: set[sympy.Symbol] = set()
        for node in self._nodes:
            values = node.payoffs if isinstance(node, Leaf) else ()
            if isinstance(node, Chance):
                values = tuple(p for _, p, _ in node.outcomes)
            for value in values:
                found |= sympy.sympify(value).free_symbols
        return tuple(sorted(found, key=str))

    def subs(self, values: Mapping[Any, Any]) -> ExtensiveGame:
        """The same game with numbers (or expressions) in place of symbols."""
        numbers = {sympy.sympify(k): sympy.sympify(exact(v)) for k, v in values.items()}

        def put(value: Exact) -> Exact:
            return exact(sympy.sympify(value).subs(numbers))

        def copy(node: Node) -> Node:
            match node:
                case Leaf(payoffs):
                    return Leaf(tuple(map(put, payoffs)))
                case Chance(outcomes):
                    return chance({label: (put(p), copy(child)) for label, p, child in outcomes})
                case Decision(player, label, moves):
                    return Decision(player, label, tuple((a, copy(child)) for a, child in moves))

        relations = [sympy.sympify(a).subs(numbers) for a in self.assumptions]
        if sympy.false in relations:
            raise GameError(f"{self.name}: {dict(values)} contradicts the game's assumptions")
        kept = [a for a in relations if a != sympy.true]
        return ExtensiveGame(self.name, copy(self.root), kept)

    # ------------------------------------------------------------------------------ the protocol

    def initial(self) -> Step[int]:
        """See `Rules.initial`."""
        return Step(0, self._arrival(0))

    def mover(self, position: int) -> int:
        """See `Rules.mover`."""
        match self._nodes[position]:
            case Leaf():
                return TERMINAL
            case Chance():
                return CHANCE
            case Decision(player):
                return player

    def legal_actions(self, position: int) -> tuple[int, ...]:
        """See `Rules.legal_actions`."""
        return tuple(sorted(self._children[position]))

    def chance_outcomes(self, position: int) -> tuple[tuple[int, Exact], ...]:
        """See `Rules.chance_outcomes`."""
        node = self._nodes[position]
        assert isinstance(node, Chance)
        return tuple((self._outcome_ids[label], p) for label, p, _ in node.outcomes)

    def play(self, position: int, action: int) -> Step[int]:
        """See `Rules.play`. A player learns its information set when its turn comes."""
        child = self._children[position][action]
        return Step(child, self._arrival(child))

    def payoffs(self, position: int) -> tuple[Exact, ...]:
        """See `Rules.payoffs`."""
        node = self._nodes[position]
        assert isinstance(node, Leaf)
        return node.payoffs

    def action_name(self, player: int, action: int) -> str:
        """See `Rules.action_name`."""
        return (self._outcomes if player == CHANCE else self._names)[action]

    def observation_name(self, player: int, observation: Observation) -> str:
        """See `Rules.observation_name`: the label of an information set."""
        assert isinstance(observation, str)
        return observation

    def information_state_string(self, player: int, view: View) -> str:
        """The label of the player's latest information set, which determines its whole view."""
        seen = [entry for entry in view if isinstance(entry, str)]
        return f"P{player + 1}: {seen[-1] if seen else 'waiting'}"

    def describe(self, position: int) -> str:
        """See `Rules.describe`."""
        return f"{self.name}, node {position}"

    # ------------------------------------------------------------------------------------ set-up

    def _number(self, root: Node) -> int:
        index = len(self._nodes)
        self._nodes.append(root)
        children: dict[int, int] = {}
        self._children.append(children)
        match root:
            case Chance(outcomes):
                for label, _, child in outcomes:
                    number = self._outcome_ids.setdefault(label, len(self._outcome_ids))
                    children[number] = self._number(child)
            case Decision(_, _, moves):
                for label, child in moves:
                    children[self._action_ids[label]] = self._number(child)
        return index

    def _depths(self, position: int) -> tuple[int, int]:
        """The largest numbers of player moves and of chance moves below a node."""
        below = [self._depths(child) for child in self._children[position].values()]
        moves = max((m for m, _ in below), default=0)
        draws = max((c for _, c in below), default=0)
        node = self._nodes[position]
        return moves + isinstance(node, Decision), draws + isinstance(node, Chance)

    def _arrival(self, position: int) -> Observations:
        node = self._nodes[position]
        if not isinstance(node, Decision):
            return self._nothing
        return tuple((node.label,) if p == node.player else () for p in range(self.num_players))

    def _check_information_sets(self) -> None:
        first: dict[str, tuple[int, tuple[int, ...], View, str]] = {}
        empty: tuple[View, ...] = ((),) * self.num_players
        stack: list[tuple[int, tuple[View, ...], str]] = [(0, empty, "the root")]
        while stack:
            position, views, path = stack.pop()
            node = self._nodes[position]
            if isinstance(node, Decision):
                player, label = node.player, node.label
                if not 0 <= player < self.num_players:
                    raise GameError(f"{self.name}: {label!r} belongs to player {player}")
                view = (*views[player], label)
                mine = (player, self.legal_actions(position), view, path)
                owner, actions, other_view, other_path = first.setdefault(label, mine)
                if owner != player:
                    raise ForeignInformationSet(
                        f"{self.name}: information set {label!r} is used by P{owner + 1} and "
                        f"P{player + 1}; give each player its own labels"
                    )
                if actions != mine[1]:
                    raise UnequalActions(
                        f"{self.name}: information set {label!r} offers different actions at "
                        f"{other_path} and {path}; give its nodes the same ones"
                    )
                if view != other_view:
                    raise ImperfectRecall(
                        f"{self.name}: information set {label!r} of P{player + 1} joins two "
                        f"histories that differ in its own past: {other_path} and {path}"
                    )
            for action, child in self._children[position].items():
                after = views
                if isinstance(node, Decision):
                    own = (*views[node.player], node.label, action)
                    after = (*views[: node.player], own, *views[node.player + 1 :])
                name = self.action_name(self.mover(position), action)
                stack.append((child, after, name if position == 0 else f"{path}, {name}"))
