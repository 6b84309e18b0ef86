"""A case: which actions are played at some information sets, and what follows from it.

The probabilities of actions that are not played vanish from all formulas. Where play surely leads
to a set, Bayes' rule gives the belief there: reach probabilities take its place, and no belief is
unknown. (For ``sequential`` the others' play decides: in a limit of Bayes' rule along trembles the
owner's own moves cancel, because of perfect recall.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

from ...games.rules import CHANCE
from .conditions import WITHOUT_BELIEFS
from .field import Element
from .setting import Setting

Played = Mapping[int, frozenset[int]]
"""For some information sets, the ranks of the actions that are played."""
Status = Literal["reached", "unreached", "open"]
Move = tuple[int, int]
"""An information set and the rank of an action."""


class Case:
    """The unknown assessment in one case.

    Attributes:
        setting: the game.
        played: which actions have positive probability, where that is said.
        place: what the case makes of some symbols, by their place in the field.
        strategy: for each information set, the probabilities of its actions.
        edge: the probability of the move into each node.
        status: for each set with an unknown belief, whether Bayes' rule gives it.
        belief: for each set, the belief.
        weights: for each set, a positive multiple of the belief, mostly a shorter expression.
        prior: for each set with an unknown belief, what Bayes' rule starts from: a weight for each
            node, and a factor; the rule holds where their product is positive.
        utility: payoffs, as the tree numbers them.
    """

    def __init__(self, setting: Setting, played: Played):
        self.setting = setting
        self.played = played
        tree, field = setting.tree, setting.field
        self._index = {field(symbol): i for i, symbol in enumerate(field.symbols)}
        self.place: dict[int, Element] = {}
        for h, actions in played.items():
            self._settle(h, actions)
        self.strategy = [[self.at(x) for x in row] for row in setting.strategy]
        self.player: list[int] = tree.player.tolist()
        self.parent: list[int] = tree.parent.tolist()
        self.branch: list[int] = tree.branch.tolist()
        self.infoset: list[int] = tree.node_infoset.tolist()
        probabilities, payoffs = tree.exact_tables
        chance = list(map(field, probabilities))
        self.utility = [list(map(field, row)) for row in payoffs]
        self.edge = [field.one]
        for node, above in enumerate(self.parent[1:], 1):
            if self.player[above] == CHANCE:
                self.edge.append(chance[tree.probability[node]])
            else:
                self.edge.append(self.strategy[self.infoset[above]][self.branch[node]])
        self.status: dict[int, Status] = {}
        self.belief: list[list[Element]] = [[] for _ in setting.nodes]
        self.weights: list[list[Element]] = [[] for _ in setting.nodes]
        self.prior: dict[int, tuple[list[Element], Element]] = {}
        if setting.concept not in WITHOUT_BELIEFS:
            for h in sorted(range(len(setting.nodes)), key=lambda h: setting.nodes[h][0]):
                self._believe(h)

    def at(self, element: Element) -> Element:
        """An element in this case."""
        return self.setting.field.substitute(element, self.place) if self.place else element

    def _settle(self, h: int, played: frozenset[int]) -> None:
        """Replaces what is 0, and one probability by 1 minus the others."""
        field, row = self.setting.field, self.setting.strategy[h]
        last = len(row) - 1
        for a, x in enumerate(row[:-1]):
            if a not in played:
                self.place[self._index[x]] = field.zero
        if last not in played:
            *others, dependent = sorted(played)
            rest = sum((row[a] for a in others), field.zero)
            self.place[self._index[row[dependent]]] = field.one - rest

    def surely(self, h: int, a: int) -> bool:
        """Whether the case says that an action is played."""
        return len(self.strategy[h]) == 1 or a in self.played.get(h, ())

    def before(self, h: int) -> int:
        """The owner's last information set before, -1 if there is none."""
        owner, node = int(self.setting.tree.owner[h]), self.parent[self.setting.nodes[h][0]]
        while node >= 0 and self.player[node] != owner:
            node = self.parent[node]
        return -1 if node < 0 else self.infoset[node]

    def anchor(self, h: int) -> int:
        """The owner's last set before with a belief from outside, -1 if there is none."""
        k = self.before(h)
        while k >= 0 and k not in self.setting.fixed:
            k = self.before(k)
        return k

    def carried(self, h: int, k: int) -> tuple[list[Element], Element]:
        """The belief at an earlier set ``k`` of the owner, carried on to ``h``; -1: from the root.

        Returns:
            For each node of ``h``, the belief times the moves of chance and the others since; and
            the owner's own moves since, which are the same for all (perfect recall).
        """
        start = {0: self.setting.field.one}
        if k >= 0:
            start = dict(zip(self.setting.nodes[k], self.belief[k], strict=True))
        owner = int(self.setting.tree.owner[h])
        ways = [self.way(node, start) for node in self.setting.nodes[h]]
        weights = [start[w[0]] * self.product(w, lambda mover: mover != owner) for w in ways]
        return weights, self.product(ways[0], lambda mover: mover == owner)

    def way(self, node: int, start: Mapping[int, Any]) -> list[int]:
        """The nodes from one of ``start`` to ``node``, both included."""
        way = [node]
        while way[-1] not in start:
            way.append(self.parent[way[-1]])
        return way[::-1]

    def product(self, way: Sequence[int], of: Callable[[int], bool]) -> Element:
        """The probability of the moves on a way that are made by some movers."""
        total = self.setting.field.one
        for step in way[1:]:
            if of(self.player[self.parent[step]]):
                total *= self.edge[step]
        return total

    def moves(self, way: Sequence[int]) -> Iterator[Move]:
        """The players' moves on a way."""
        for step in way[1:]:
            above = self.parent[step]
            if self.player[above] != CHANCE:
                yield self.infoset[above], self.branch[step]

    def _believe(self, h: int) -> None:
        setting, field = self.setting, self.setting.field
        if h in setting.fixed:
            self.belief[h] = self.weights[h] = [self.at(x) for x in setting.fixed[h]]
            return
        if len(setting.nodes[h]) == 1:
            self.belief[h] = self.weights[h] = [field.one]
            return
        k = self.anchor(h)
        weights, own = self.carried(h, k)
        if k < 0 and setting.concept == "sequential":
            own = field.one
        self.prior[h] = weights, own
        total = sum(weights, field.zero)
        if total * own == field.zero:
            self.status[h] = "unreached"
        elif (field.is_constant(total) and field.is_constant(own)) or self._surely_reached(h, k):
            self.status[h] = "reached"
            self.weights[h], self.belief[h] = weights, [w / total for w in weights]
            for x, value in zip(setting.belief[h], self.belief[h], strict=True):
                if x in self._index:
                    self.place[self._index[x]] = value
            return
        else:
            self.status[h] = "open"
        self.belief[h] = self.weights[h] = list(setting.belief[h])

    def _surely_reached(self, h: int, anchor: int) -> bool:
        """Whether all moves that count on some way to ``h`` are surely played."""
        sequential, owner = self.setting.concept == "sequential", self.setting.tree.owner[h]
        return anchor < 0 and any(
            all(
                self.surely(*move) or (sequential and self.setting.tree.owner[move[0]] == owner)
                for move in self.moves(self.way(node, {0: None}))
            )
            for node in self.setting.nodes[h]
        )
