"""Short ways to state that something is an equilibrium, for the modules of claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from ..games.rules import Exact, Rules
from ..solvers.pbe import Assessment
from ..solvers.pbe.assessment import Belief
from .claims import EquilibriumClaim

HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)

SEQUENTIAL = ("pbe", "sequential")
WEAK = ("weak-pbe", "pbe")


def unit(symbol: Any) -> tuple[Any, Any]:
    """A symbol is a probability."""
    return symbol >= 0, symbol <= 1


def all_of(*conditions: Any) -> Any:
    """All of some conditions hold."""
    return sympy.And(*conditions)


def claim(
    name: str,
    source: str,
    statement: str,
    strategies: Mapping[str, str | Mapping[str, Exact]],
    values: tuple[Exact | None, ...],
    *,
    game: str | Rules[Any],
    beliefs: Mapping[str, Belief] | None = None,
    where: Sequence[Any] = (),
    concepts: tuple[str, ...] = SEQUENTIAL,
    fails: tuple[str, ...] = (),
) -> EquilibriumClaim:
    """An equilibrium, pure strategies written as an action's name.

    Args:
        name: of the claim.
        source: paper and place.
        statement: the claim in words.
        strategies: an action's name, or probabilities, by information set.
        values: expected payoffs.
        game: name or rules.
        beliefs: as in `Assessment`.
        where: what is assumed of the symbols.
        concepts: those it satisfies.
        fails: those it does not.
    """
    mixed = {key: {s: 1} if isinstance(s, str) else s for key, s in strategies.items()}
    return EquilibriumClaim(
        name, source, statement, game, Assessment(mixed, beliefs or {}, where),
        concepts=concepts, values=values, fails=fails,
    )  # fmt: skip


def mix(one: str, other: str, probability: Exact) -> dict[str, Exact]:
    """The first action with a probability, the second otherwise."""
    return {one: probability, other: 1 - probability}
