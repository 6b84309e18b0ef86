"""The conformance checks of numbers: chance, payoffs, and symmetry between seats."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pyspiel

from .conformance_checks import Probe
from .conformance_walk import Explorer, Visit
from .rules import CHANCE, TERMINAL

CHANCE_TOLERANCE = 1e-12
"""Allowed distance from 1 of a floating-point sum of chance probabilities."""
PAYOFF_TOLERANCE = 1e-9
"""Allowed rounding error in payoffs and sums of reach probabilities, in utilities."""

Utility = pyspiel.GameType.Utility


class Chance(Probe):
    """Exactly, with fractions, where the game has rules."""

    name = "chance"
    claim = "chance outcomes are distinct, have positive probabilities, and these sum to 1"

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.nodes = 0

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover != CHANCE:
            return
        self.nodes += 1
        if len(set(node.actions)) < len(node.actions):
            self.fail(f"outcomes {list(node.actions)} are not distinct", node.history)
        if not all(p > 0 for p in node.probabilities):
            chances = [str(p) for p in node.probabilities]
            self.fail(f"probabilities {chances} are not all positive", node.history)
        if self.explorer.rules and any(isinstance(p, float) for p in node.probabilities):
            self.fail("probabilities are floats; rules give Fraction", node.history)
        total = _total(node.probabilities)
        exact = isinstance(total, int | Fraction)
        if total != 1 if exact else not abs(total - 1) <= CHANCE_TOLERANCE:
            self.fail(f"probabilities sum to {total}", node.history)

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        return f"{self.nodes} chance nodes" + (", exactly" if self.explorer.rules else "")


class ReachSumsToOne(Probe):
    """Every play ends, and in one leaf."""

    name = "reach-sums-to-one"
    claim = "the probabilities of the leaves under uniform play sum to 1"
    needs_all = True

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.leaves: list[Any] = []

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover == TERMINAL:
            self.leaves.append(node.uniform)

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        total = _total(self.leaves)
        exact = isinstance(total, int | Fraction)
        if total != 1 if exact else not abs(total - 1) <= PAYOFF_TOLERANCE:
            self.fail(f"{len(self.leaves)} leaves have total probability {total}")
        return f"{len(self.leaves)} leaves"


class Payoffs(Probe):
    """The declared utility type decides which algorithms accept the game."""

    name = "payoffs"
    claim = "payoffs are finite, within the declared bounds, and of the declared type"

    def __init__(self, explorer: Explorer):
        super().__init__(explorer)
        self.utility = explorer.kind.utility
        self.low, self.high = self.game.min_utility(), self.game.max_utility()
        constant = self.utility in (Utility.ZERO_SUM, Utility.CONSTANT_SUM)
        self.total = (self.game.utility_sum() or 0.0) if constant else None
        self.totals: set[float] = set()

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover != TERMINAL:
            return
        payoffs = node.state.returns()
        if len(payoffs) != self.game.num_players():
            self.fail(f"{len(payoffs)} payoffs for {self.game.num_players()} players", node.history)
        if self.explorer.rules and node.cursor is not None:
            exact = self.explorer.rules.payoffs(node.cursor.position)
            if any(isinstance(u, float) for u in exact):
                self.fail(f"payoffs {exact} hold floats; rules give Fraction", node.history)
        if not all(map(math.isfinite, payoffs)):
            self.fail(f"payoffs {payoffs} are not finite", node.history)
            return
        slack = PAYOFF_TOLERANCE
        if not all(self.low - slack <= u <= self.high + slack for u in payoffs):
            text = f"payoffs {payoffs} are outside [{self.low}, {self.high}]"
            self.fail(text, node.history)
        total = math.fsum(payoffs)
        self.totals.add(round(total, 9))
        if self.total is not None and abs(total - self.total) > slack:
            text = f"payoffs {payoffs} sum to {total:g}, the game declares {self.total:g}"
            self.fail(text, node.history)
        rules = self.explorer.rules
        if rules and node.cursor and rules.utility_sum is not None:
            exact = sum(rules.payoffs(node.cursor.position), Fraction(0))
            if exact != rules.utility_sum:
                self.fail(f"exact payoffs sum to {exact}, not {rules.utility_sum}", node.history)
        if self.utility == Utility.IDENTICAL and max(payoffs) - min(payoffs) > slack:
            self.fail(f"payoffs {payoffs} are not identical", node.history)

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        if exhaustive and self.utility == Utility.GENERAL_SUM and len(self.totals) == 1:
            (total,) = self.totals
            self.fail(f"declared general-sum, but the payoffs of every leaf sum to {total:g}")
        return f"{self.utility.name}, totals {_few(sorted(self.totals))}"


class SeatSymmetry(Probe):
    """See `conformance.check_game` for what this proves.

    Args:
        explorer: the walk.
        symmetries: seat permutations; ``s[i]`` is the seat that takes the place of seat ``i``.
    """

    name = "seat-symmetry"
    claim = "permuting the seats leaves payoffs and numbers of choices unchanged"
    needs_all = True

    def __init__(self, explorer: Explorer, symmetries: Sequence[Sequence[int]]):
        super().__init__(explorer)
        self.symmetries = symmetries
        n = self.game.num_players()
        self.leaves: Counter[tuple[Any, tuple[Any, ...]]] = Counter()
        self.values: Any = [0] * n
        self.choices: list[dict[str, int]] = [{} for _ in range(n)]

    def why_not(self) -> str:
        """See `Probe.why_not`."""
        return "" if self.symmetries else "no symmetries were given"

    def visit(self, node: Visit) -> None:
        """See `Probe.visit`."""
        if node.mover >= 0:
            self.choices[node.mover][node.key] = len(node.actions)
        if node.mover != TERMINAL:
            return
        rules = self.explorer.rules
        if rules and node.cursor:
            payoffs, reach = tuple(rules.payoffs(node.cursor.position)), node.reach
        else:
            payoffs = tuple(round(u, 9) for u in node.state.returns())
            reach = float(f"{node.reach:.9g}")
        self.leaves[reach, payoffs] += 1
        self.values = [v + node.uniform * u for v, u in zip(self.values, payoffs, strict=True)]

    def finish(self, exhaustive: bool) -> str:
        """See `Probe.finish`."""
        sizes = [tuple(sorted(Counter(sets.values()).items())) for sets in self.choices]
        for seats in self.symmetries:
            permuted = Counter(
                {(r, _permuted(u, seats)): count for (r, u), count in self.leaves.items()}
            )
            if permuted != self.leaves:
                (reach, payoffs), _ = next(iter((self.leaves - permuted).items()))
                self.fail(
                    f"under {list(seats)} the leaves of chance probability {reach} and payoffs "
                    f"({', '.join(map(str, payoffs))}) become more or fewer"
                )
            moved = _permuted(self.values, seats)
            if any(abs(v - w) > PAYOFF_TOLERANCE for v, w in zip(moved, self.values)):
                values = ", ".join(map(str, self.values))
                self.fail(f"under {list(seats)} the value of uniform play changes: ({values})")
            for old, new in enumerate(seats):
                if sizes[old] != sizes[new]:
                    self.fail(
                        f"under {list(seats)} P{new + 1} takes the place of P{old + 1}, but their "
                        "information sets differ in number or in numbers of actions"
                    )
        return f"{len(self.symmetries)} permutations"


def _permuted(payoffs: Sequence[Any], seats: Sequence[int]) -> tuple[Any, ...]:
    moved = list(payoffs)
    for old, new in enumerate(seats):
        moved[new] = payoffs[old]
    return tuple(moved)


def _total(numbers: Sequence[Any]) -> Any:
    """The sum; of floats, correctly rounded."""
    if all(isinstance(p, float) for p in numbers):
        return math.fsum(numbers)
    return sum(numbers, Fraction(0))


def _few(numbers: Sequence[float]) -> str:
    shown = ", ".join(f"{x:g}" for x in numbers[:6])
    return shown + (f", ... ({len(numbers)} different)" if len(numbers) > 6 else "")
