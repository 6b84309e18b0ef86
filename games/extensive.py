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
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .errors import (
    ForeignInformationSet,
    GameError,
    ImperfectRecall,
    UnequalActions,
)
from .exact import exact
from .nodes import (
    Chance,
    Decision,
    Leaf,
    Node,
    Place,
    chance,
    decision,
    depth_first,
    edges,
    exact_sum,
    leaf,
    rebuild,
    with_children,
)
from .rules import CHANCE, TERMINAL, Exact, Observation, Observations, Rules, Step, View

if TYPE_CHECKING:
    import sympy  # slow to load: only where there are symbols

__all__ = ["MAX_PLAYERS", "ExtensiveGame", "chance", "decision", "leaf"]

MAX_PLAYERS = 127
"""Players of any game: trees number them in one byte."""
MAX_WORDS = 6_000
"""Characters of a tree in words: some 2,500 tokens of a language model's context."""
_ANY = Leaf(())
"""Stands for children that are elsewhere."""
_LONG = 60
"""Labels of a path that are told; of a longer one the first and the last."""


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
    import sympy

    numbers = [sympy.sympify(u) for u in payoffs]
    if any(u.free_symbols for u in numbers):
        return None
    return exact(sympy.Min(*numbers)), exact(sympy.Max(*numbers))


def _in_words(node: Node) -> str:
    match node:
        case Leaf(payoffs):
            return f"payoffs {', '.join(map(str, payoffs))}"
        case Chance(outcomes):
            drawn = ", ".join(f"{label} (probability {p})" for label, p, _ in outcomes)
            return f"chance draws {drawn}:"
        case Decision(player, label):
            return f'P{player + 1} chooses at "{label}":'


class ExtensiveGame(Rules[int]):
    """The rules of an explicit tree. A position is the number of a node, in depth-first order.

    One label is one action number, wherever it is used. Numbers keep the order in which each
    information set's actions are written (where two sets contradict each other, all are numbered by
    first use), and otherwise the order of first use.

    Args:
        name: a short name.
        root: the tree.
        assumptions: SymPy relations on the symbols in payoffs and probabilities.
        shared_labels: whether players may use the same label, each for a set of its own.

    Raises:
        ImperfectRecall: an information set joins histories that its player can tell apart.
        ForeignInformationSet: two players have an information set of the same label.
        UnequalActions: the nodes of an information set offer different actions.
        GameError: payoffs of different lengths, or a player number out of range.
    """

    def __init__(
        self,
        name: str,
        root: Node,
        assumptions: Sequence[Any] = (),
        *,
        shared_labels: bool = False,
    ):
        self.name = name  # type: ignore[misc]  # one class, many games
        self.title = name  # type: ignore[misc]
        self.parameters = {}
        self.root = root
        self.assumptions = tuple(assumptions)
        self.shared_labels = shared_labels
        places = depth_first(root)
        self._nodes = [place.node for place in places]
        menus = [[label for label, _ in n.moves] for n in self._nodes if isinstance(n, Decision)]
        self._names = _in_written_order(menus)
        self._children, self._outcomes = self._numbered(places)
        self._outcome_ids = {label: number for number, label in enumerate(self._outcomes)}
        self.max_game_length = self._most_on_a_path(places, Decision)
        self.max_chance_nodes = self._most_on_a_path(places, Chance)
        # Leaves may share a payoff vector; each needs to be looked at once.
        payoffs = {
            id(node.payoffs): node.payoffs for node in self._nodes if isinstance(node, Leaf)
        }.values()
        widths = set(map(len, payoffs))
        if len(widths) != 1:
            raise GameError(f"{name}: terminal nodes have {sorted(widths)} payoffs; give one each")
        self.num_players = widths.pop()
        if not 1 <= self.num_players <= MAX_PLAYERS:
            raise GameError(f"{name}: {self.num_players} players; 1 to {MAX_PLAYERS} are possible")
        self._nothing: Observations = ((),) * self.num_players
        self.num_distinct_actions = max(1, len(self._names))
        self.max_chance_outcomes = len(self._outcomes)
        self.utility_range = _range([u for vector in payoffs for u in vector])
        sums = {exact_sum(vector, "expand") for vector in payoffs}
        total = sums.pop() if len(sums) == 1 else None
        self.utility_sum = total if isinstance(total, Fraction) else None
        self._check_information_sets(places)

    @property
    def symbols(self) -> tuple[sympy.Symbol, ...]:
        """The symbols in payoffs and chance probabilities, sorted by name."""
        found: set[sympy.Symbol] = set()
        for node in self._nodes:
            values = node.payoffs if isinstance(node, Leaf) else ()
            if isinstance(node, Chance):
                values = tuple(p for _, p, _ in node.outcomes)
            for value in values:
                if not isinstance(value, Fraction):
                    found |= value.free_symbols
        return tuple(sorted(found, key=str))

    def subs(self, values: Mapping[Any, Any]) -> ExtensiveGame:
        """The same game with numbers (or expressions) in place of symbols."""
        import sympy

        numbers = {sympy.sympify(k): sympy.sympify(exact(v)) for k, v in values.items()}

        def put(value: Exact) -> Exact:
            if isinstance(value, Fraction):
                return value
            return exact(sympy.sympify(value).subs(numbers))

        def copy(old: Node, children: Sequence[Node]) -> Node:
            match node := with_children(old, children):
                case Leaf(payoffs):
                    return Leaf(tuple(map(put, payoffs)))
                case Chance(outcomes):
                    return chance({label: (put(p), child) for label, p, child in outcomes})
                case Decision():
                    return node

        relations = [sympy.sympify(a).subs(numbers) for a in self.assumptions]
        if sympy.false in relations:
            raise GameError(f"{self.name}: {dict(values)} contradicts the game's assumptions")
        kept = [a for a in relations if a != sympy.true]
        root = rebuild(self._nodes, copy)
        return ExtensiveGame(self.name, root, kept, shared_labels=self.shared_labels)

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
        label = next((entry for entry in reversed(view) if isinstance(entry, str)), "waiting")
        return f"P{player + 1}: {label}"

    def describe(self, position: int) -> str:
        """See `Rules.describe`."""
        return f"{self.name}, node {position}"

    def in_words(self) -> str:
        """See `Rules.in_words`: the whole tree, a line for each node.

        Of a tree that takes more than `MAX_WORDS` characters nothing is told, because a part of the
        rules would be taken for all of them.
        """
        if len(self._nodes) > MAX_WORDS // 10:  # a line is longer than that
            return ""
        order = ", ".join(f"P{player + 1}" for player in range(self.num_players))
        lines = [
            "This tree is the whole game. A player whose turn comes learns the name in quotation "
            "marks and nothing else: it cannot tell apart its turns of one name, but remembers "
            f"what it learned and did before. Payoffs are in the order {order}.",
            *(f"It is assumed that {assumption}." for assumption in self.assumptions),
        ]
        depths: list[int] = []
        for node, above, label in depth_first(self.root):
            depths.append(depths[above] + 1 if depths else 0)
            lead = f"{'  ' * (depths[-1] - 1)}- {label}: " if depths[-1] else ""
            lines.append(lead + _in_words(node))
        words = "\n".join(lines)
        return words if len(words) <= MAX_WORDS else ""

    # ------------------------------------------------------------------------------------ set-up

    def __getstate__(self) -> dict[str, Any]:
        """The tree as a flat list of nodes: pickling nested ones fails at a few hundred moves."""
        state = vars(self).copy()
        del state["root"]
        state["_nodes"] = [with_children(n, [_ANY] * len(edges(n))) for n in self._nodes]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.root = rebuild(self._nodes)
        self._nodes = [place.node for place in depth_first(self.root)]

    def _numbered(self, places: Sequence[Place]) -> tuple[list[dict[int, int]], list[str]]:
        """The position after each move or outcome of each node, and the names of the outcomes."""
        actions = {label: number for number, label in enumerate(self._names)}
        outcomes: dict[str, int] = {}
        children: list[dict[int, int]] = [{} for _ in places]
        for position, (_, above, label) in enumerate(places[1:], 1):
            if isinstance(self._nodes[above], Chance):
                number = outcomes.setdefault(label, len(outcomes))
            else:
                number = actions[label]
            children[above][number] = position
        return children, list(outcomes)

    @staticmethod
    def _most_on_a_path(places: Sequence[Place], kind: type[Node]) -> int:
        """The largest number of nodes of a kind on a path through the tree."""
        counts: list[int] = []
        for node, above, _ in places:
            counts.append((counts[above] if above >= 0 else 0) + isinstance(node, kind))
        return max(counts)

    def _arrival(self, position: int) -> Observations:
        node = self._nodes[position]
        if not isinstance(node, Decision):
            return self._nothing
        return tuple((node.label,) if p == node.player else () for p in range(self.num_players))

    def _check_information_sets(self, places: Sequence[Place]) -> None:
        first: dict[Any, tuple[int, int, int]] = {}  # of each set: position, player, its past
        pasts: dict[tuple[int, str, str], int] = {}  # (past, set, action), numbered from 1
        known: list[tuple[int, ...]] = []  # each player's past at each position
        for position, (node, above, move) in enumerate(places):
            parent = self._nodes[above] if above >= 0 else None
            views = known[above] if parent else (0,) * self.num_players
            if isinstance(parent, Decision):
                p = parent.player
                own = pasts.setdefault((views[p], parent.label, move), len(pasts) + 1)
                views = (*views[:p], own, *views[p + 1 :])
            known.append(views)
            if not isinstance(node, Decision):
                continue
            player, label = node.player, node.label
            if not 0 <= player < self.num_players:
                raise GameError(f"{self.name}: {label!r} belongs to player {player}")
            key = (player, label) if self.shared_labels else label
            other, owner, past = first.setdefault(key, (position, player, views[player]))
            if owner != player:
                raise ForeignInformationSet(
                    f"{self.name}: information set {label!r} is used by P{owner + 1} and "
                    f"P{player + 1}; give each player its own labels"
                )
            if self._children[other].keys() != self._children[position].keys():
                raise UnequalActions(
                    f"{self.name}: information set {label!r} offers different actions at "
                    f"{_path(places, other)} and {_path(places, position)}; give its nodes the "
                    "same ones"
                )
            if past != views[player]:
                raise ImperfectRecall(
                    f"{self.name}: information set {label!r} of P{player + 1} joins two "
                    f"histories that differ in its own past: {_path(places, other)} and "
                    f"{_path(places, position)}"
                )


def _path(places: Sequence[Place], position: int) -> str:
    """The labels from the root to a position."""
    labels: list[str] = []
    while position > 0:
        labels.append(places[position].label)
        position = places[position].above
    labels.reverse()
    if len(labels) > _LONG:
        labels[_LONG // 2 : -_LONG // 2] = ["..."]
    return ", ".join(labels) or "the root"
