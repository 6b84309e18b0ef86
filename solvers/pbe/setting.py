"""What the second formulation (`restated`) starts from: a game, a concept, its coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
import z3

from ..tree import GameTree
from .assessment import Belief
from .conditions import WITHOUT_BELIEFS, Concept
from .field import Element, ExactField
from .model import Model
from .prover import Prover, Sense, compared
from .unknowns import Unknowns


@dataclass(frozen=True)
class Setting:
    """A game, a concept, and the coordinates of its assessments.

    Attributes:
        tree: the game.
        concept: which equilibria.
        field: of the coordinates and of the game's symbols.
        prover: for that field, under the assumptions on the game's symbols.
        strategy: for each information set, the probabilities of its actions.
        belief: for each set with several nodes, the belief as unknowns; empty for the others, and
            for concepts without beliefs.
        fixed: beliefs given from outside, by information set.
        children: of each node.
        nodes: of each information set.
    """

    tree: GameTree
    concept: Concept
    field: ExactField
    prover: Prover
    strategy: list[list[Element]]
    belief: list[list[Element]]
    fixed: dict[int, list[Element]]
    children: list[list[int]]
    nodes: list[list[int]]

    @classmethod
    def of(
        cls,
        tree: GameTree,
        concept: Concept,
        unknowns: Unknowns,
        assumptions: Sequence[Any],
        fixed_beliefs: Mapping[str, Belief],
        others: Iterable[Any],
    ) -> Setting:
        """The setting in which formulas may also hold the symbols of ``others``."""
        nodes = [tree.nodes_of(h) for h in range(tree.num_infosets)]
        mixes = unknowns.assessment.strategies
        beliefs = [
            _belief_symbols(unknowns.assessment.beliefs.get(key), len(members))
            if len(members) > 1 and key not in fixed_beliefs and concept not in WITHOUT_BELIEFS
            else []
            for key, members in zip(tree.keys, nodes, strict=True)
        ]
        outside: dict[int, list[Any]] = {}
        if fixed_beliefs:  # they may speak of shorter histories, so are read with the strategies
            model = Model(tree, unknowns.assessment, fixed_beliefs)
            outside = {h: list(map(model.field.to_exact, model.given[h])) for h in model.fixed}
        probabilities, payoffs = tree.exact_tables
        values = [*probabilities, *(u for row in payoffs for u in row), *others]
        values += [side for a in assumptions for side in compared(a)]
        values += [p for mix in mixes.values() for p in mix.values()]
        values += [b for row in (*beliefs, *outside.values()) for b in row]
        field = ExactField(values)
        children: list[list[int]] = [[] for _ in range(tree.num_nodes)]
        for node, above in enumerate(tree.parent.tolist()):
            if above >= 0:
                children[above].append(node)
        return cls(
            tree,
            concept,
            field,
            Prover(field, assumptions),
            [
                [field(mixes[key][name]) for name in tree.action_names(h)]
                for h, key in enumerate(tree.keys)
            ],
            [list(map(field, row)) for row in beliefs],
            {h: list(map(field, row)) for h, row in outside.items()},
            children,
            nodes,
        )

    def parts(self, element: Element) -> tuple[Element, Element]:
        """Numerator and denominator, as elements."""
        if not self.field.symbols:
            return element, self.field.one
        return tuple(self.field.domain(part) for part in self.field.parts(element))  # type: ignore[return-value]

    def atom(self, element: Element, sense: Sense) -> Any:
        """``element sense 0`` as a z3 formula, true or false if the element is a number."""
        if not self.field.is_constant(element):
            return self.prover.formula(element, sense)
        number = self.field.number(element)
        true = {">=": number >= 0, ">": number > 0, "==": number == 0, "!=": number != 0}
        return z3.BoolVal(true[sense], self.prover.context)

    def any_of(self, formulas: Sequence[Any]) -> Any:
        """The disjunction, without what is false."""
        context = self.prover.context
        if any(map(z3.is_true, formulas)):
            return z3.BoolVal(True, context)
        possible = [f for f in formulas if not z3.is_false(f)]
        return z3.Or(*possible) if possible else z3.BoolVal(False, context)


def _belief_symbols(known: Any, count: int) -> list[Any]:
    """Symbols for all nodes but the last: those of the search where it has some."""
    known = list(known or ())[:-1]
    if len(known) != count - 1 or not all(isinstance(b, sympy.Symbol) for b in known):
        known = [sympy.Dummy("mu") for _ in range(count - 1)]
    return [*known, 1 - sum(known, sympy.Integer(0))]
