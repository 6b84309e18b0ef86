"""Assessments: behaviour strategies and beliefs, exact, possibly with symbols.

An *assessment* (Kreps & Wilson 1982) is a behaviour strategy at every information set together with
a belief at every information set: a probability distribution over its histories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...games.rules import Exact

Belief = Sequence[Exact] | Mapping[str, Exact]


@dataclass(frozen=True)
class Assessment:
    """Strategies and beliefs, by information-state string.

    Probabilities are exact: `Fraction`, `int`, strings such as ``"1/3"``, or SymPy expressions in
    symbols on which ``assumptions`` are stated. An assessment with symbols stands for a family: it
    is an equilibrium if every member is one.

    Attributes:
        strategies: ``{information set: {action name: probability}}``. Actions left out have
            probability 0; sets with a single action may be left out.
        beliefs: ``{information set: belief}``. A belief is a tuple of k probabilities over the k
            different histories of one length that lead to the set, in the order of the tree (or a
            dict from those histories, written like ``"S1"`` or ``"S1, vote P1"``); where these
            histories are shorter than the set's own, the rest of the way is played by the
            strategies. Sets left out get their belief from Bayes' rule, which must then apply.
        assumptions: SymPy relations on the symbols, such as ``p >= 0``.

    Example:
        >>> from fractions import Fraction
        >>> half = Fraction(1, 2)
        >>> Assessment({"P3: dealt Robber": {"S1": half, "S2": half}}).assumptions
        ()
    """

    strategies: Mapping[str, Mapping[str, Exact]]
    beliefs: Mapping[str, Belief] = field(default_factory=dict)
    assumptions: Sequence[Any] = ()

    def replace_strategy(self, information_set: str, strategy: Mapping[str, Exact]) -> Assessment:
        """The same assessment with another strategy at one information set."""
        return Assessment(
            {**self.strategies, information_set: strategy}, self.beliefs, self.assumptions
        )

    def replace_belief(self, information_set: str, belief: Belief) -> Assessment:
        """The same assessment with another belief at one information set."""
        return Assessment(
            self.strategies, {**self.beliefs, information_set: belief}, self.assumptions
        )
