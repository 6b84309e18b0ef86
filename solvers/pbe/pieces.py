"""Cells taken apart into closed pieces, each with parameters.

A piece expresses some coordinates (the dependent ones) as rational functions of the others (the
parameters), under polynomial conditions on the parameters. It is made by

1. splitting the equations into factors: each factor that can be 0 makes a piece;
2. solving an equation for a coordinate that it holds linearly, with a coefficient that is proved
   not to vanish on the piece;
3. turning inequalities that hold with equality throughout into equations, so that the dimension is
   the true one;
4. leaving out conditions that follow from the others.

Equations that resist stay conditions; and once the prover's deadline has passed, all that is left
does. Every step is exact and every sign is proved by z3, so the pieces of a cell are together the
cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from .cells import Cell, inequalities, solved_zeros
from .field import Element, ExactField
from .prover import Relation, Sense
from .system import System


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a cell.

    Attributes:
        cell: the cell.
        dependent: for each dependent coordinate, by its place among the field's symbols, its value.
        conditions: relations on the other symbols.
    """

    cell: Cell
    dependent: dict[int, Element]
    conditions: tuple[Relation, ...]

    def formulas(self, system: System) -> list[Any]:
        """z3 formulas of the piece in all coordinates."""
        field, prover = system.model.field, system.prover
        found = [
            prover.equal(prover.expression(field(field.symbols[k])), value)
            for k, value in self.dependent.items()
        ]
        return found + prover.written(self.conditions)


class Cutter:
    """Takes the cells of one system apart."""

    def __init__(self, system: System):
        self.system = system
        self.field = system.model.field
        self.prover = system.prover
        unknown = {s.name for s in system.unknowns.symbols}
        self.coordinates = [i for i, s in enumerate(self.field.symbols) if s.name in unknown]

    def pieces(self, cell: Cell) -> list[Piece]:
        """The pieces of a cell."""
        known = solved_zeros(self.system, cell.support, cell.believed)
        relations = [
            *self.system.relations,
            *inequalities(self.system, cell.support),
            *(Relation(x, "==") for x in cell.equations),
            *(Relation(x, ">") for x in cell.strict),
        ]
        return list(self._cut(cell, known, self._replaced(relations, known, [])))

    def fewest(self, pieces: Sequence[Piece]) -> list[Piece]:
        """Pieces with the same union, none of which lies in the others."""
        kept = list(pieces)
        inside = {id(p): z3.And(*p.formulas(self.system)) for p in kept}
        outside = {key: z3.Not(formula) for key, formula in inside.items()}
        for piece in sorted(kept, key=lambda p: -len(p.dependent)):
            others = [outside[id(p)] for p in kept if p is not piece]
            query = [inside[id(piece)], *others]
            if others and self.prover.solve(query) is False:
                kept.remove(piece)
        return kept

    def _cut(
        self, cell: Cell, dependent: dict[int, Element], relations: list[Relation] | None
    ) -> Iterator[Piece]:
        if relations is None or self.prover.solve(self.prover.written(relations)) is False:
            return
        equations = sorted((r.element for r in relations if r.sense == "=="), key=_size)
        for certain in (True, False):  # numbers as coefficients first: they need no proof
            if self.prover.late and not certain:  # true as it is, though longer than it need be
                yield Piece(cell, dependent, tuple(relations))
                return
            for equation in equations:
                solved = self._solved(equation, relations, certain)
                if solved is not None:
                    place, value, slope = solved
                    mapping = {place: value}
                    before = {k: self.field.substitute(v, mapping) for k, v in dependent.items()}
                    others = [r for r in relations if r.element != equation or r.sense != "=="]
                    others.append(slope)
                    formulas = self.prover.written(relations)
                    yield from self._cut(
                        cell, before | mapping, self._replaced(others, mapping, formulas)
                    )
                    return
            if certain and not self.prover.late:
                split = self._split(relations, equations)
                if split is not None:
                    for part in split:
                        yield from self._cut(cell, dependent, part)
                    return
        hidden = self._hidden_equation(relations, equations)
        if hidden is not None:
            yield from self._cut(
                cell,
                dependent,
                [*(r for r in relations if r != hidden), Relation(hidden.element, "==")],
            )
            return
        yield Piece(cell, dependent, tuple(self._needed(self._shortened(relations))))

    # --------------------------------------------------------------------------------- the steps

    def _split(
        self, relations: Sequence[Relation], equations: Sequence[Element]
    ) -> list[list[Relation]] | None:
        """The parts that the factors of an equation make; None if no equation has several."""
        for equation in equations:
            others = [r for r in relations if r.element != equation or r.sense != "=="]
            factors = self._factors(equation, others)
            if factors == [equation]:
                continue
            parts: list[list[Relation]] = []
            before: list[Any] = []
            for factor in factors:
                part = [*others, Relation(factor, "==")]
                # What lies in an earlier part need not be told again.
                if self.prover.solve([*self.prover.written(part), *before]) is not False:
                    parts.append(part)
                    before.append(self.prover.formula(factor, "!="))
            return parts
        return None

    def _factors(self, equation: Element, rest: Sequence[Relation]) -> list[Element]:
        """The irreducible factors that can be 0."""
        factors = [
            self.field.domain.field.new(f, equation.numer.ring.one)
            for f, _ in equation.numer.factor_list()[1]
        ]
        if len(factors) == 1:
            return factors
        formulas = self.prover.written(rest)
        return [
            f
            for f in factors
            if self.prover.solve([*formulas, self.prover.formula(f, "==")]) is not False
        ]

    def _solved(
        self, equation: Element, relations: Sequence[Relation], certain: bool
    ) -> tuple[int, Element, Relation] | None:
        """A coordinate that an equation gives, its value, and that its coefficient is not 0."""
        polynomial = equation.numer
        ring, options = polynomial.ring, []
        for place in self.coordinates:
            if polynomial.degree(place) == 1:
                slope = polynomial.coeff_wrt(place, 1)
                if certain and not slope.is_ground:
                    continue
                options.append((not slope.is_ground, _terms(slope), place, slope))
        for _, _, place, slope in sorted(options, key=lambda o: o[:3]):
            element = self.field.domain.field.new(slope, ring.one)
            if not slope.is_ground:
                formulas = self.prover.written(relations)
                if self.prover.solve([*formulas, self.prover.formula(element, "==")]) is not False:
                    continue
            rest = self.field.domain.field.new(polynomial.coeff_wrt(place, 0), ring.one)
            return place, -rest / element, Relation(element, "!=")
        return None

    def _hidden_equation(
        self, relations: Sequence[Relation], equations: Sequence[Element]
    ) -> Relation | None:
        """An inequality that holds with equality throughout, if there is one."""
        formulas = self.prover.written(relations)
        open_ = [r for r in relations if r.sense == ">=" and r.element not in equations]
        while open_:
            relation = open_[0]
            point = self.prover.solve([*formulas, self.prover.formula(relation.element, ">")])
            if point is False:
                return relation
            if point is None:
                open_ = open_[1:]
                continue
            open_ = [
                r
                for r in open_[1:]
                if not self.prover.holds_at(point, self.prover.formula(r.element, ">"))
            ]
        return None

    def _shortened(self, relations: Sequence[Relation]) -> list[Relation]:
        """The relations, inequalities without the factors that have one sign throughout."""
        kept = list(relations)
        for place, relation in enumerate(relations):
            factors = relation.element.numer.factor_list()[1]
            if relation.sense not in (">=", ">") or len(factors) == 1:
                continue
            others = self.prover.written([*kept[:place], *kept[place + 1 :]])
            element = relation.element
            for factor, power in factors:
                if not (sign := self._sign(factor, others)):
                    continue
                element /= self.field.domain.field.new(factor * sign, factor.ring.one) ** power
            kept[place] = _plain(element, relation.sense, 1, self.field)
        return list(dict.fromkeys(kept))

    def _needed(self, relations: Sequence[Relation]) -> list[Relation]:
        """The conditions that do not follow from the others, and from the game's assumptions."""
        kept = list(relations)
        for relation in sorted(relations, key=lambda r: -_size(r.element)):
            if relation.sense == "==":
                continue
            others = [r for r in kept if r != relation]
            against = z3.Not(self.prover.formula(*relation))
            if self.prover.solve([*self.prover.written(others), against]) is False:
                kept = others
        return kept

    # ---------------------------------------------------------------------------------- plumbing

    def _replaced(
        self,
        relations: Sequence[Relation],
        values: dict[int, Element],
        formulas: Sequence[Any],
    ) -> list[Relation] | None:
        """The relations with coordinates replaced, where ``formulas`` hold; None if one fails."""
        found: dict[Relation, None] = {}
        signs: dict[Element, int] = {}
        for relation in relations:
            element = self.field.substitute(relation.element, values)
            if self.field.is_constant(element):
                number = self.field.number(element)
                true = {"==": number == 0, ">=": number >= 0, ">": number > 0, "!=": number != 0}
                if not true[relation.sense]:
                    return None
                continue
            if element.denom not in signs:
                signs[element.denom] = self._sign(element.denom, formulas)
            found[_plain(element, relation.sense, signs[element.denom], self.field)] = None
        return list(found)

    def _sign(self, polynomial: Element, formulas: Sequence[Any]) -> int:
        """1 or -1 if a polynomial always has that sign where ``formulas`` hold, else 0."""
        if polynomial.is_ground:
            return 1 if polynomial.LC > 0 else -1
        element = self.field.domain.field.new(polynomial, polynomial.ring.one)
        for sign in (1, -1):
            against = z3.Not(self.prover.formula(sign * element, ">"))
            if self.prover.solve([*formulas, against]) is False:
                return sign
        return 0


def _plain(element: Element, sense: Sense, sign: int, field: ExactField) -> Relation:
    """The relation without a denominator of that sign, in smallest integers."""
    numerator = element.numer if sense in ("==", "!=") or sign else element.numer * element.denom
    content, primitive = numerator.primitive()
    negative = primitive.LC < 0 if sense in ("==", "!=") else (content < 0) != (sign < 0)
    if negative:
        primitive = -primitive
    return Relation(field.domain.field.new(primitive, numerator.ring.one), sense)


def _size(element: Element) -> int:
    return _terms(element.numer)


def _terms(polynomial: Element) -> int:
    return sum(1 + sum(powers) for powers in polynomial)
