"""Deviations of one player that change its moves at several information sets at once.

From a start (some nodes with weights) the player's payoff is a sum over its own sequences, as in
the sequence form: each own (information set, action) collects the leaves that follow it with no
further own move in between, and leads to further own information sets. A pure *plan* picks one
action at each information set that it itself leads to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import product
from math import prod

from ...games.errors import UnsupportedGame
from .field import Element
from .model import Model

MAX_PLANS = 20_000
"""The largest number of plans that are checked one by one, for assessments with symbols."""

Plan = dict[int, int]
"""Action rank by information set, at the sets that the plan itself leads to."""


class Deviations:
    """The payoff of one player as a function of its own plan, the others fixed.

    Args:
        model: the assessment.
        player: the deviator.
        start: weight of each start node; the others' moves and chance weigh in after it.
        ends: nodes, other than starts, from which on the player keeps to its strategy.

    Attributes:
        tops: the player's first information sets from the start on.
    """

    def __init__(
        self,
        model: Model,
        player: int,
        start: Mapping[int, Element],
        ends: Collection[int] = (),
    ):
        self.model = model
        self.player = player
        zero = model.field.zero
        self._base: dict[tuple[int, int], Element] = defaultdict(lambda: zero)
        self._next: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.tops: list[int] = []
        found: set[int] = set()
        stack: list[tuple[int, Element, tuple[int, int] | None]] = [
            (node, weight, None) for node, weight in start.items() if weight != zero
        ]
        while stack:
            node, weight, last = stack.pop()
            children = model.children[node]
            if not children or (node in ends and node not in start):
                if last is not None:
                    self._base[last] += weight * model.value[node][player]
                continue
            if model.player[node] == player:
                h = model.infoset[node]
                if h not in found:
                    found.add(h)
                    (self.tops if last is None else self._next[last]).append(h)
                stack += [(child, weight, (h, a)) for a, child in enumerate(children)]
                continue
            for child in children:
                if model.edge[child] != zero:
                    stack.append((child, weight * model.edge[child], last))
        self.tops.sort()

    def actions(self, h: int) -> range:
        """The action ranks at ``h``."""
        return range(len(self.model.tree.legal[h]))

    def current(self, h: int) -> Element:
        """What the assessment's own strategy earns from ``h`` on (weighted as the start is)."""
        zero = self.model.field.zero
        total = zero
        for a in self.actions(h):
            probability = self.model.strategy[h][a]
            if probability != zero:
                later = sum((self.current(k) for k in self._next[h, a]), self._base[h, a])
                total += probability * later
        return total

    def best(self, h: int) -> tuple[Element, Plan]:
        """The best plan from ``h`` on; needs an assessment without symbols."""
        options = []
        for a in self.actions(h):
            value, plan = self._base[h, a], {h: a}
            for k in self._next[h, a]:
                more, further = self.best(k)
                value, plan = value + more, plan | further
            options.append((value, plan))
        return max(options, key=lambda option: option[0])

    def plans(self, h: int) -> Iterator[tuple[Element, Plan]]:
        """Every plan from ``h`` on, with what it earns.

        Raises:
            UnsupportedGame: there are more than `MAX_PLANS`.
        """
        count = self._count(h)
        if count > MAX_PLANS:
            raise UnsupportedGame(
                f"{self.model.tree.name}: P{self.player + 1} has {count:,} plans from information "
                f"set {self.model.tree.keys[h]!r} on; with symbols at most {MAX_PLANS:,} can be "
                "checked. Give the symbols numbers, or check 'sequential', which needs single moves"
            )
        yield from self._plans(h)

    def _count(self, h: int) -> int:
        return sum(prod(map(self._count, self._next[h, a])) for a in self.actions(h))

    def _plans(self, h: int) -> Iterator[tuple[Element, Plan]]:
        for a in self.actions(h):
            for later in product(*(list(self._plans(k)) for k in self._next[h, a])):
                value, plan = self._base[h, a], {h: a}
                for more, further in later:
                    value, plan = value + more, plan | further
                yield value, plan

    def looks_ahead(self, h: int) -> bool:
        """Whether some action at ``h`` leads to a further own information set."""
        return any(self._next[h, a] for a in self.actions(h))
