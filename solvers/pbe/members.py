"""Exact members of a family: random points of its parameter space, in rational numbers.

The parameter space is given by polynomial relations. Each equation among them is solved for a
coordinate that it holds linearly; where there is a choice, every solution is a *chart*, a part of
the space on which the other coordinates are free within inequalities. In a chart goes a random walk
(`walks`). z3 gives the starts, some of them apart from each other.

Where no chart will do (roots in the game, equations that are linear in no coordinate), z3 is asked
for each coordinate whether it can take a random value, given those before: members are then slow to
come by, and algebraic numbers where nothing else satisfies the equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import sympy
import z3

from ...games.errors import Undecided
from ...games.exact import exact
from ...games.rules import Exact
from .assessment import Assessment
from .field import Element, ExactField
from .prover import Prover, Relation, compared, declarations
from .walks import Chart, Clause, Constraint, Point, Ratio, compare, draw

_CHARTS = 6
"""More charts show nothing new."""
_APART = Fraction(1, 4)
"""How far apart starts are, if they can."""


class Members:
    """The members of a family.

    Args:
        name: the game's, for messages.
        assessment: strategies and beliefs in the parameters and the symbols of the game.
        parameters: the symbols that are probabilities.
        relations: what parameters and symbols must satisfy.
    """

    def __init__(
        self,
        name: str,
        assessment: Assessment,
        parameters: Sequence[sympy.Symbol],
        relations: Sequence[Any],
    ):
        self._arguments = name, assessment, parameters, relations
        self.name = name
        self.assessment = assessment
        self.parameters = frozenset(parameters)
        mixes = [mix.values() for mix in assessment.strategies.values()]
        beliefs = [b.values() if isinstance(b, Mapping) else b for b in assessment.beliefs.values()]
        self.field = ExactField(
            [
                *parameters,
                *(x for row in (*mixes, *beliefs) for x in row),
                *(x for r in relations for x in compared(r)),
            ]
        )
        self.symbols = self.field.symbols[: len(self.field.symbols) - len(self.field.roots)]
        self.relations = (*relations, *(d for s in self.symbols for d in declarations(s)))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied and pickled as its arguments: SymPy's rings resist."""
        return Members, self._arguments

    def some(self) -> Assessment:
        """The same member each time.

        Raises:
            Undecided: the prover found no member.
        """
        if not self.symbols:
            return self.assessment
        if self.charts:
            return self._at(self.charts[0].completed(self.charts[0].starts[0]))
        return self._substituted(self._found(Prover(self.field, self.relations), []))

    def random(self, count: int, rng: np.random.Generator) -> list[Assessment]:
        """Random members.

        Raises:
            Undecided: the prover found no member.
        """
        if not self.symbols:
            return [self.assessment] * count
        if not self.charts:
            prover = Prover(self.field, self.relations)
            return [self._substituted(self._sought(prover, rng)) for _ in range(count)]
        walks = [(chart, start) for chart in self.charts for start in chart.starts]
        order = rng.permutation(len(walks))
        walks = [walks[i] for i in order[:count]]
        walks = [(chart, chart.walk(start, rng)) for chart, start in walks]
        found = []
        for number in range(count):
            chart, point = walks[number % len(walks)]
            point = chart.walk(point, rng)
            walks[number % len(walks)] = chart, point
            found.append(self._at(chart.completed(point)))
        return found

    @cached_property
    def charts(self) -> tuple[Chart, ...]:
        """Charts, with the points that walks start from; none if the field has roots."""
        if self.field.roots:
            return ()
        clauses = [c for relation in self.relations for c in _clauses(self.field, relation)]
        known = self._reduced(clauses, {})
        prover = Prover(self.field, ())
        places = {s: i for i, s in enumerate(self.symbols)}
        bounded = frozenset(places[s] for s in self.parameters)
        charts: dict[tuple[int, ...], Chart] = {}
        for dependent, left in islice(self._solutions(known, {}), _CHARTS):
            free = tuple(i for i in places.values() if i not in dependent)
            starts = () if free in charts else tuple(self._starts(prover, free, left))
            if starts:
                ratios = {place: Ratio(value) for place, value in dependent.items()}
                constraints = tuple(map(Constraint, left))
                charts[free] = Chart(free, ratios, constraints, bounded, starts)
        return tuple(charts.values())

    def _solutions(
        self, clauses: list[Clause] | None, dependent: dict[int, Element]
    ) -> Iterator[tuple[dict[int, Element], list[Clause]]]:
        """Every way to solve the equations one by one; what is then left to be satisfied."""
        if clauses is None:
            return
        equation = next((c[0][0] for c in clauses if len(c) == 1 and c[0][1] == "=="), None)
        if equation is None:
            yield dependent, clauses
            return
        polynomial, new = equation.numer, self.field.domain.field.new
        one = polynomial.ring.one
        for place in range(len(self.symbols)):
            if polynomial.degree(place) == 1:
                slope = new(polynomial.coeff_wrt(place, 1), one)
                value = {place: -new(polynomial.coeff_wrt(place, 0), one) / slope}
                others = [c for c in clauses if c != (Relation(equation, "=="),)]
                before = {k: self.field.substitute(v, value) for k, v in dependent.items()}
                left = self._reduced([*others, (Relation(slope, "!="),)], value)
                yield from self._solutions(left, before | value)

    def _reduced(
        self, clauses: Sequence[Clause], values: dict[int, Element]
    ) -> list[Clause] | None:
        """The clauses with coordinates replaced; None if one cannot hold."""
        found = []
        for clause in clauses:
            atoms: list[Relation] = []
            for element, sense in clause:
                x = self.field.substitute(element, values)
                if sense in (">=", ">"):
                    x *= self.field.denominator(x) ** 2
                else:
                    x *= self.field.denominator(x)
                atoms.append(Relation(x, sense))
            constant = [a for a in atoms if self.field.is_constant(a[0])]
            if any(compare(self.field.number(x), sense) for x, sense in constant):
                continue
            atoms = [a for a in atoms if a not in constant]
            if not atoms:
                return None
            found.append(tuple(atoms))
        return found

    def _starts(
        self, prover: Prover, free: Sequence[int], clauses: Sequence[Clause]
    ) -> Iterator[Point]:
        """Points where the clauses hold: one inside, if there is an inside, and some elsewhere."""
        closed = list(map(prover.written, clauses))
        inner = [
            [prover.formula(x, ">" if sense == ">=" else sense) for x, sense in c] for c in clauses
        ]
        for formulas in (list(map(z3.Or, inner)), list(map(z3.Or, closed))):
            first = self._rational(prover, free, formulas)
            if first is not None:
                break
        else:
            return
        yield first
        for place in free:
            for sign in (1, -1):
                away = sign * (self.field(self.symbols[place]) - self.field(first[place]))
                apart = prover.formula(away - self.field(_APART), ">")
                point = self._rational(prover, free, [*map(z3.Or, closed), apart])
                if point is not None:
                    yield point

    def _rational(
        self, prover: Prover, free: Sequence[int], formulas: Sequence[Any]
    ) -> Point | None:
        """A point with rational free coordinates where the formulas hold, if z3 gives one."""
        proof = prover.refutable(formulas)
        if proof.answer != "refuted":
            return None
        point = [Fraction(0)] * len(self.symbols)
        for place in free:
            value = proof.point[self.symbols[place]]
            if not isinstance(value, Fraction):
                return None
            point[place] = value
        return point

    def _at(self, point: Point) -> Assessment:
        """The member at a point."""
        strategies, beliefs = self._compiled

        def at(value: Fraction | Ratio) -> Fraction:
            return value.at(point) if isinstance(value, Ratio) else value

        return Assessment(
            {key: {a: at(p) for a, p in mix.items()} for key, mix in strategies.items()},
            {key: tuple(map(at, belief)) for key, belief in beliefs.items()},
            self._stated({s: x for s, x in zip(self.symbols, point, strict=True)}),
        )

    @cached_property
    def _compiled(self) -> tuple[dict[str, Any], dict[str, Any]]:
        field = self.field

        def compiled(value: Exact) -> Fraction | Ratio:
            element = field(value)
            return field.number(element) if field.is_constant(element) else Ratio(element)

        given = self.assessment
        return (
            {
                key: {a: compiled(p) for a, p in mix.items()}
                for key, mix in given.strategies.items()
            },
            {key: tuple(map(compiled, belief)) for key, belief in given.beliefs.items()},
        )

    # ------------------------------------------------------------------------------- with z3 alone

    def _found(self, prover: Prover, formulas: Sequence[Any]) -> dict[sympy.Symbol, Exact]:
        proof = prover.refutable(formulas)
        if proof.answer != "refuted":
            raise Undecided(f"{self.name}: the prover found no member of the family")
        return proof.point

    def _sought(self, prover: Prover, rng: np.random.Generator) -> dict[sympy.Symbol, Exact]:
        """A point whose coordinates were made random one after the other, as far as they can."""
        point = self._found(prover, [])
        fixed: list[Any] = []
        for number in rng.permutation(len(self.symbols)):
            symbol = self.symbols[number]
            value = Fraction(str(sympy.N(point[symbol], 15)))
            found: list[Any] = []

            def holds(candidate: Fraction, symbol: Any = symbol, found: list[Any] = found) -> bool:
                equal = prover.formula(self.field(symbol) - self.field(candidate), "==")
                model = prover.solve([*fixed, equal])
                found[:] = [equal, model]
                return model not in (None, False)

            if draw(value, symbol in self.parameters, holds, rng) is not None:
                equal, model = found
                fixed.append(equal)
                point = prover.point(model)
        return point

    def _substituted(self, point: Mapping[sympy.Symbol, Exact]) -> Assessment:
        values = {s: sympy.sympify(v) for s, v in point.items()}

        def at(value: Exact) -> Exact:
            return exact(sympy.sympify(value).subs(values))

        given = self.assessment
        return Assessment(
            {key: {a: at(p) for a, p in mix.items()} for key, mix in given.strategies.items()},
            {key: tuple(map(at, belief)) for key, belief in given.beliefs.items()},
            self._stated(point),
        )

    def _stated(self, point: Mapping[sympy.Symbol, Exact]) -> tuple[Any, ...]:
        """At which values of the game's symbols a member is one."""
        return tuple(
            sympy.Eq(s, sympy.sympify(point[s]), evaluate=False)
            for s in self.symbols
            if s not in self.parameters
        )


def _clauses(field: ExactField, relation: Any) -> Iterator[Clause]:
    """A relation as clauses that must all hold."""
    normal = sympy.to_cnf(sympy.sympify(relation))
    for clause in sympy.And.make_args(normal):
        if clause == sympy.true:
            continue
        yield tuple(Relation.of(atom, field) for atom in sympy.Or.make_args(clause))
