"""Cells: closed sets of equilibria that share a support.

For a support A (a set of actions) the *cell* C(A) holds the points at which only actions of A are
played, and all alternatives that consist of actions of A are equally good and best. Every point of
it is sequentially rational, also where some action of A is not played: the cell is closed by
construction. Every equilibrium lies in the cell of its own support. So all equilibria are a union
of finitely many cells, and it remains to find supports.

For ``sequential`` a cell also has a set B of believed nodes, outside of which beliefs are 0, and
the equations that make tremble sizes exist for that pattern (`consistency.tremble_sizes`). Where
more probabilities are 0 than the pattern says, these equations may not suffice; then the cell keeps
the strict inequalities that `relaxed` cannot do without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import z3

from .consistency import Action, Pattern, tremble_sizes
from .field import Element, ExactField
from .prover import Relation
from .system import Choice, System

Place = tuple[int, int]
"""An information set and one of its nodes."""


@dataclass(frozen=True)
class Cell:
    """A set of equilibria, as a conjunction of polynomial relations.

    Attributes:
        support: the actions that may be played.
        believed: for ``sequential``: the nodes that may be believed, of the free beliefs.
        zeros: what is 0.
        equations: what else is 0: indifference, and the equations of the trembles.
        strict: what is positive, beyond the system's own relations.
    """

    support: frozenset[Action]
    believed: frozenset[Place]
    zeros: tuple[Element, ...]
    equations: tuple[Element, ...]
    strict: tuple[Element, ...] = ()

    def own(self, system: System) -> list[Any]:
        """z3 formulas that single the cell out among the equilibria."""
        formula = system.prover.formula
        found = [formula(x, "==") for x in (*self.zeros, *self.equations)]
        return found + [formula(x, ">") for x in self.strict]

    def outside(self, system: System) -> Any:
        """A z3 formula that holds at the equilibria outside of the cell."""
        formula = system.prover.formula
        # What is not negative is 0 unless it is positive: simpler for z3 than !=.
        parts = [formula(x, ">") for x in self.zeros]
        parts += [formula(x, "!=") for x in self.equations]
        parts += [z3.Not(formula(x, ">")) for x in self.strict]
        return z3.Or(*parts) if parts else z3.BoolVal(False, system.prover.context)


def cell_of(system: System, support: frozenset[Action], believed: frozenset[Place]) -> Cell:
    """The cell of a support (and, for ``sequential``, of a set of believed nodes)."""
    zeros = [system.probability(a) for a in system.places if a not in support]
    field, known = system.model.field, solved_zeros(system, support, believed)
    equations = [
        field.substitute(relation.element, known) for relation in indifference(system, support)
    ]
    if system.concept == "sequential":
        zeros += [system.belief(place) for place in system.free_beliefs if place not in believed]
        played = [system.probability(a) for a in system.places if a in support]
        positive = {_shape(field.substitute(x, known).numer) for x in played if x != field.one}
        for condition in tremble_sizes(
            system.model, pattern(system, support, believed), system.explained_sets
        ):
            equations.append(_divided(field, field.substitute(condition.element, known), positive))
    return Cell(
        support,
        believed,
        tuple(dict.fromkeys(x for x in zeros if x != field.zero)),
        tuple(dict.fromkeys(x for x in equations if x != field.zero)),
    )


def _divided(field: ExactField, element: Element, positive: set[Element]) -> Element:
    """An equation without factors that are positive where all of the support is played.

    Where they vanish, it says more than before, so that beliefs stay explained there.
    """
    if not element:
        return element
    for factor, power in element.numer.factor_list()[1]:
        if _shape(factor) in positive:
            element /= field.domain.field.new(factor, factor.ring.one) ** power
    return element


def _shape(polynomial: Element) -> Element:
    """A polynomial up to a factor that is a number."""
    return polynomial.monic() if polynomial else polynomial


def solved_zeros(
    system: System, support: frozenset[Action], believed: frozenset[Place]
) -> dict[int, Element]:
    """What the coordinates are because of the zeros, by their place among the field's symbols."""
    field, model = system.model.field, system.model
    rows = [
        [(model.strategy[h][a], (h, a) in support) for a in range(len(model.strategy[h]))]
        for h in dict.fromkeys(h for h, _ in system.places)
    ]
    if system.concept == "sequential":
        for h in system.free_sets:
            rows.append(
                [
                    (mu, (h, node) in believed)
                    for mu, node in zip(model.beliefs[h], model.nodes[h], strict=True)
                ]
            )
    place = {field(symbol): i for i, symbol in enumerate(field.symbols)}
    known: dict[int, Element] = {}
    for row in rows:
        *fresh, last = row
        known |= {place[x]: field.zero for x, inside in fresh if not inside}
        if not last[1]:  # then the last one inside is 1 minus the others
            *others, dependent = [x for x, inside in fresh if inside]
            known[place[dependent]] = field.one - sum(others, field.zero)
    return known


def pattern(system: System, support: frozenset[Action], believed: frozenset[Place]) -> Pattern:
    """The pattern of a support and believed nodes, as `consistency` has it."""
    return Pattern(
        frozenset(a for a in system.places if a not in support),
        frozenset(place for place in system.free_beliefs if place not in believed),
        (),
        (),
    )


def values_inside(
    system: System, choice: Choice, support: frozenset[Action]
) -> tuple[list[Element], list[Element]]:
    """The values of the alternatives that lie in the support, and of the others."""
    inside, others = [], []
    for actions, value in zip(choice.actions, choice.values, strict=True):
        possible = all(a in support or a not in system.chosen for a in actions)
        (inside if possible else others).append(value)
    return inside, others


def indifference(system: System, support: frozenset[Action]) -> Iterable[Relation]:
    """That the alternatives inside the support are equally good."""
    for choice in system.choices:
        inside = values_inside(system, choice, support)[0]
        for value in inside[1:]:
            yield Relation(value - inside[0], "==")


def inequalities(system: System, support: frozenset[Action]) -> Iterable[Relation]:
    """That no alternative outside of the support is better than those inside."""
    for choice in system.choices:
        inside, others = values_inside(system, choice, support)
        for value in others:
            if value != inside[0]:
                yield Relation(inside[0] - value, ">=")
