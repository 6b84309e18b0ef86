"""The unknown assessment: a symbol for every probability that a deriver must find.

At each information set the last action's probability is 1 minus the others', so the symbols are
coordinates: strategies and beliefs are polynomials in them. No symbol stands where nothing is
unknown: at sets with one action, and for beliefs that the strategies give by Bayes' rule without a
division, because others' moves reach the set with a probability that is a positive number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import sympy

from ...games.errors import UnsupportedGame
from ...games.rules import Exact
from ..tree import GameTree
from .assessment import Assessment, Belief
from .conditions import WITHOUT_BELIEFS, Concept
from .model import Model

MAX_UNKNOWNS = 150
"""With some 30 of them all equilibria can be found, with some 60 a first one."""


@dataclass(frozen=True)
class Unknowns:
    """An assessment in which everything is unknown.

    Attributes:
        assessment: strategies and beliefs, polynomials in the symbols.
        probabilities: the symbols that are probabilities of actions.
        beliefs: the symbols that are beliefs.
    """

    assessment: Assessment
    probabilities: tuple[sympy.Symbol, ...]
    beliefs: tuple[sympy.Symbol, ...]

    @property
    def symbols(self) -> tuple[sympy.Symbol, ...]:
        """All coordinates, probabilities first."""
        return self.probabilities + self.beliefs


def unknowns(
    tree: GameTree,
    concept: Concept,
    assumptions: Iterable[Any],
    fixed_beliefs: Mapping[str, Belief],
) -> Unknowns:
    """The unknown assessment of a game.

    Args:
        tree: the game.
        concept: for ``nash`` and ``subgame-perfect`` there are no beliefs; for ``sequential`` more
            beliefs follow from the strategies than for the others, since consistent beliefs obey
            Bayes' rule at every set that others' moves may reach.
        assumptions: on the symbols of the game and of the fixed beliefs.
        fixed_beliefs: beliefs given from outside.

    Raises:
        UnsupportedGame: more than `MAX_UNKNOWNS` probabilities and beliefs.
    """
    _refuse_large(tree, concept)
    taken = _names(tree, assumptions, fixed_beliefs)
    strategies: dict[str, dict[str, Exact]] = {}
    probabilities: list[sympy.Symbol] = []
    letter = _free_letter("p", taken)
    number = count(1)
    for h, key in enumerate(tree.keys):
        names = tree.action_names(h)
        fresh = [sympy.Symbol(f"{letter}{next(number)}") for _ in names[1:]]
        probabilities += fresh
        strategies[key] = dict(zip(names, _completed(fresh), strict=True))
    beliefs: dict[str, tuple[Exact, ...]] = {}
    coordinates: list[sympy.Symbol] = []
    if concept not in WITHOUT_BELIEFS:
        known = Model(tree, Assessment(strategies, {}, tuple(assumptions)), fixed_beliefs)
        letter = _free_letter("b", taken)
        number = count(1)
        for h, key in enumerate(tree.keys):
            nodes = known.nodes[h]
            if len(nodes) == 1 or key in fixed_beliefs:
                continue
            if known.anchor(h) < 0:  # else Bayes' rule starts from what is fixed, not from the root
                if _is_number(known, [known.reach[node] for node in nodes]):
                    continue
                weights = [known.others_reach(node) for node in nodes]
                if concept == "sequential" and _is_number(known, weights):
                    total = known.field.number(sum(weights, known.field.zero))
                    beliefs[key] = tuple(known.field.to_exact(w) / total for w in weights)
                    continue
            fresh = [sympy.Symbol(f"{letter}{next(number)}") for _ in nodes[1:]]
            coordinates += fresh
            beliefs[key] = tuple(_completed(fresh))
    return Unknowns(
        Assessment(strategies, beliefs, tuple(assumptions)),
        tuple(probabilities),
        tuple(coordinates),
    )


def _refuse_large(tree: GameTree, concept: Concept) -> None:
    number = int(tree.num_actions.sum()) - tree.num_infosets
    if concept not in WITHOUT_BELIEFS:
        number += int((tree.node_infoset >= 0).sum()) - tree.num_infosets
    if number > MAX_UNKNOWNS:
        raise UnsupportedGame(
            f"{tree.name} has up to {number:,} unknown probabilities and beliefs; all equilibria "
            f"are derived of games with at most {MAX_UNKNOWNS}. Take a smaller game, find some "
            "equilibrium with solve, or verify the one you have with verify_equilibrium"
        )


def _completed(fresh: list[sympy.Symbol]) -> list[Exact]:
    return [*fresh, 1 - sum(fresh, sympy.Integer(0))]


def _is_number(model: Model, weights: list[Any]) -> bool:
    """Whether weights add up to a positive number, whatever the unknowns are."""
    total = sum(weights, model.field.zero)
    return model.field.is_constant(total) and model.field.number(total) > 0


def _names(
    tree: GameTree, assumptions: Iterable[Any], fixed_beliefs: Mapping[str, Belief]
) -> set[str]:
    """Names of the symbols that are there already."""
    probabilities, payoffs = tree.exact_tables
    values: list[Any] = [*probabilities, *(u for row in payoffs for u in row), *assumptions]
    for belief in fixed_beliefs.values():
        values += belief.values() if isinstance(belief, Mapping) else belief
    values += getattr(tree.rules, "assumptions", ())
    return {s.name for v in values for s in getattr(v, "free_symbols", ())}


def _free_letter(letter: str, taken: set[str]) -> str:
    while any(name.startswith(letter) and name[len(letter) :].isdigit() for name in taken):
        letter += "_"
    return letter
