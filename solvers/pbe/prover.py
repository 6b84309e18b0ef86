"""Proofs of polynomial conditions on a whole domain, by z3's nonlinear real arithmetic.

A condition holds on a domain iff "domain and not condition" has no solution. z3's nlsat procedure
(Jovanovic & de Moura 2012) is complete for real polynomial arithmetic: its "unsat" is a proof and
its "sat" comes with a counter-example. Each question gets a fresh solver, because the incremental
one does not use nlsat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from time import monotonic
from typing import Any, Literal, NamedTuple

import sympy
import z3

from ...games.errors import AssessmentError, InexactError, ParameterError
from ...games.rules import Exact
from .asking import ask
from .field import Element, ExactField

Sense = Literal[">=", ">", "==", "!="]
_RELATIONS: dict[type, tuple[Sense, int]] = {
    sympy.Ge: (">=", 1),
    sympy.Gt: (">", 1),
    sympy.Le: (">=", -1),
    sympy.Lt: (">", -1),
    sympy.Eq: ("==", 1),
    sympy.Ne: ("!=", 1),
}
"""What SymPy's relations say of left minus right, times a sign."""
Answer = Literal["proved", "refuted", "undecided"]

DEFAULT_TIME_LIMIT = 20.0
"""Seconds for one question, before it is called undecided."""


class Relation(NamedTuple):
    """``element sense 0``."""

    element: Element
    sense: Sense

    @classmethod
    def of(cls, relation: Any, field: ExactField) -> Relation:
        """A SymPy relation, as one of an element of a field to 0.

        Raises:
            AssessmentError: it is none.
        """
        for kind, (sense, sign) in _RELATIONS.items():
            if isinstance(relation, kind):
                return cls(field(sign * (relation.lhs - relation.rhs)), sense)
        raise AssessmentError(
            f"the assumption {relation} is not a relation between polynomials; write ==, !=, <=, "
            "<, >=, > and combine them with sympy.And and sympy.Or"
        )


@dataclass(frozen=True)
class Proof:
    """The answer to one question.

    Attributes:
        answer: ``proved`` on the whole domain, ``refuted`` at ``point``, or ``undecided``.
        point: values of the symbols that refute the condition, empty otherwise. Rational where z3
            found rational values, else real algebraic numbers as SymPy roots.
    """

    answer: Answer
    point: dict[sympy.Symbol, Exact]


class Prover:
    """Decides conditions under assumptions.

    Symbols range over the real numbers, within what they declare themselves
    (``Symbol("p", positive=True)``) and what the assumptions say.

    Args:
        field: the field of all elements that will be asked about.
        assumptions: SymPy relations on its symbols (``==``, ``>=``, ..., ``And``, ``Or``).
        time_limit: seconds for each question.

    Raises:
        ParameterError: a time limit that is not positive.
        AssessmentError: the assumptions contradict each other, so that anything would hold; or two
            symbols have one name, or one declares itself integer or not real.

    Attributes:
        deadline: when, by `time.monotonic`, questions stop being asked: the answer is unknown then.
    """

    def __init__(
        self,
        field: ExactField,
        assumptions: Iterable[Any],
        time_limit: float = DEFAULT_TIME_LIMIT,
    ):
        if not 0 < time_limit < 1e6:
            raise ParameterError(f"time_limit={time_limit}: give seconds, more than 0")
        self.field = field
        self.time_limit = time_limit
        self.deadline = float("inf")
        self._signs: dict[Any, Literal["+", "-", "?"]] = {}
        self._assumptions = tuple(assumptions)
        _refuse_ambiguous(field.symbols)
        if self.domain and self.solve(()) is False:
            raise AssessmentError(
                f"the assumptions {list(self._assumptions)} contradict each other: nothing "
                "satisfies them"
            )

    @classmethod
    def of(cls, questions: Iterable[Any], assumptions: Sequence[Any] = ()) -> Prover:
        """A prover for questions that are SymPy relations, or combinations of them."""
        relations = (*questions, *assumptions)
        return cls(ExactField([side for r in relations for side in compared(r)]), assumptions)

    @cached_property
    def context(self) -> z3.Context:
        """z3's, one of our own: its global one is not safe with threads."""
        return z3.Context()

    @cached_property
    def _reals(self) -> dict[sympy.Symbol, Any]:
        return {s: z3.Real(f"x{i}", self.context) for i, s in enumerate(self.field.symbols)}

    @cached_property
    def _formulas(self) -> dict[tuple[Element, Sense], Any]:
        """What has been written already; writing takes its time."""
        return {}

    @cached_property
    def domain(self) -> list[Any]:
        """The assumptions as z3 formulas."""
        found: list[Any] = []
        for stand_in, base, degree in self.field.roots:
            x = self._reals[stand_in]
            found += [x > 0, self._power(x, degree) == self._number(base)]
        for symbol, x in self._reals.items():
            senses = {">": x > 0, "<": x < 0, ">=": x >= 0, "<=": x <= 0, "!=": x != 0}
            found += [senses[sense] for sense in _declared(symbol)]
        self.domain = found  # signs of the assumptions' denominators are asked where these hold
        for relation in self._assumptions:
            found.append(self.assumed(relation))
        return found

    def rest(self) -> None:
        """Gives z3's memory back, some 20 MB; the next question takes it again.

        Formulas and models made before must not be used after it.
        """
        for name in ("domain", "_formulas", "_reals", "context"):
            self.__dict__.pop(name, None)

    @property
    def late(self) -> bool:
        """Whether the deadline has passed."""
        return monotonic() >= self.deadline

    # ------------------------------------------------------------------------------- questions

    def always(self, element: Element, sense: Sense, given: Sequence[Relation] = ()) -> Proof:
        """Whether ``element sense 0`` on the whole domain, where what is ``given`` holds."""
        if self.field.is_constant(element):
            value = self.field.number(element)
            true = {">=": value >= 0, ">": value > 0, "==": value == 0, "!=": value != 0}[sense]
            if true:
                return Proof("proved", {})
            if not given and not self.domain:
                return Proof("refuted", {})
        return self.refutable((*self.written(given), z3.Not(self.formula(element, sense))))

    def written(self, relations: Iterable[Relation]) -> list[Any]:
        """Relations as z3 formulas."""
        return [self.formula(*relation) for relation in relations]

    def refutable(self, conditions: Sequence[Any]) -> Proof:
        """``refuted`` with a point of the domain where all z3 ``conditions`` hold, if any."""
        model = self.solve(conditions)
        if model is False:
            return Proof("proved", {})
        if model is None:
            return Proof("undecided", {})
        return Proof("refuted", self.point(model))

    def solve(
        self,
        conditions: Sequence[Any],
        time_limit: float | None = None,
        rounds: int | None = None,
    ) -> Any:
        """A z3 model of the domain and the conditions; False if there is none, None if unknown.

        Args:
            conditions: z3 formulas.
            time_limit: seconds, instead of `time_limit`.
            rounds: how many rounds of `asking` to try at most.
        """
        limit = self.time_limit if time_limit is None else time_limit
        deadline = min(self.deadline, monotonic() + limit)
        return ask([*self.domain, *conditions], self.context, deadline, rounds)

    def formula(self, element: Element, sense: Sense) -> Any:
        """``element sense 0`` as a z3 formula, on points where the denominator is not 0."""
        known = self._formulas.get((element, sense))
        if known is None:
            known = self._formulas[element, sense] = self._translated(element, sense)
        return known

    def _translated(self, element: Element, sense: Sense) -> Any:
        numerator, denominator = self.field.parts(element)
        top = self._polynomial(numerator)
        if sense in (">=", ">"):
            sign = self.sign(denominator)
            if sign == "-":
                top = -top
            elif sign == "?":
                top = top * self._polynomial(denominator)
        return {">=": top >= 0, ">": top > 0, "==": top == 0, "!=": top != 0}[sense]

    def expression(self, element: Element) -> Any:
        """An element as a z3 expression."""
        numerator, denominator = self.field.parts(element)
        top = self._polynomial(numerator)
        return top if denominator == 1 else top / self._polynomial(denominator)

    def equal(self, unknown: Any, element: Element) -> Any:
        """That a z3 variable equals an element, on points where the denominator is not 0."""
        numerator, denominator = self.field.parts(element)
        return unknown * self._polynomial(denominator) == self._polynomial(numerator)

    def holds_at(self, model: Any, formula: Any) -> bool:
        """Whether a formula is true in a model."""
        return z3.is_true(model.eval(formula, model_completion=True))

    def point(self, model: Any) -> dict[sympy.Symbol, Exact]:
        """The values that a model gives to the symbols (roots left out)."""
        hidden = {stand_in for stand_in, _, _ in self.field.roots}
        return {
            symbol: _value(model.eval(x, model_completion=True))
            for symbol, x in self._reals.items()
            if symbol not in hidden
        }

    # ------------------------------------------------------------------------------ translation

    def sign(self, denominator: Element) -> Literal["+", "-", "?"]:
        """The sign of a denominator if it is the same on the whole domain."""
        if not self.field.symbols or denominator.is_ground:
            value = denominator if not self.field.symbols else denominator.LC
            return "+" if value > 0 else "-"
        known = self._signs.get(denominator)
        if known is None:
            d = self._polynomial(denominator)
            if self.solve([d <= 0]) is False:
                known = "+"
            elif self.solve([d >= 0]) is False:
                known = "-"
            else:
                known = "?"
            self._signs[denominator] = known
        return known

    def _polynomial(self, polynomial: Element) -> Any:
        if not self.field.symbols:
            return self._number(polynomial)
        xs = list(self._reals.values())
        total: Any = z3.RealVal(0, self.context)
        for powers, coefficient in polynomial.terms():
            term: Any = self._number(coefficient)
            for x, k in zip(xs, powers, strict=True):
                if k:
                    term = term * self._power(x, k)
            total = total + term
        return total

    def _number(self, number: Any) -> Any:
        return z3.RealVal(f"{number.numerator}/{number.denominator}", self.context)

    @staticmethod
    def _power(x: Any, k: int) -> Any:
        product = x
        for _ in range(k - 1):
            product = product * x
        return product

    def assumed(self, relation: Any) -> Any:
        """A SymPy relation, or a combination of relations, as a z3 formula.

        A relation with a denominator holds only where that is not 0.

        Raises:
            AssessmentError: it is not made of relations between polynomials.
        """
        relation = sympy.sympify(relation)
        if relation == sympy.true:
            return z3.BoolVal(True, self.context)
        if relation == sympy.false:
            return z3.BoolVal(False, self.context)
        if isinstance(relation, sympy.And | sympy.Or):
            join = z3.And if isinstance(relation, sympy.And) else z3.Or
            return join(*map(self.assumed, relation.args))
        if isinstance(relation, sympy.Not):
            return z3.Not(self.assumed(relation.args[0]))
        if isinstance(relation, sympy.Implies | sympy.Xor | sympy.Equivalent | sympy.ITE):
            return self.assumed(relation.to_nnf(simplify=False))
        difference, sense = Relation.of(relation, self.field)
        _, denominator = self.field.parts(difference)
        formula = self.formula(difference, sense)
        if self.field.symbols and not denominator.is_ground:
            formula = z3.And(self._polynomial(denominator) != 0, formula)
        return formula


def point_words(point: Mapping[sympy.Symbol, Exact]) -> str:
    """`` (at p = 1/2)``, or nothing if there are no symbols."""
    return f" (at {', '.join(f'{s} = {v}' for s, v in point.items())})" if point else ""


def compared(relation: Any) -> list[Any]:
    """The expressions that a combination of relations compares."""
    relations = sympy.sympify(relation).atoms(sympy.core.relational.Relational)
    return [side for r in sorted(relations, key=str) for side in (r.lhs, r.rhs)]


def declarations(symbol: sympy.Symbol) -> list[Any]:
    """What a symbol declares of itself, as SymPy relations that stay unevaluated."""
    if isinstance(symbol, sympy.Dummy):  # a stand-in for a root
        return []
    kinds = {">": sympy.Gt, "<": sympy.Lt, ">=": sympy.Ge, "<=": sympy.Le, "!=": sympy.Ne}
    return [kinds[sense](symbol, 0, evaluate=False) for sense in _declared(symbol)]


def _declared(symbol: sympy.Symbol) -> list[str]:
    """The relations to 0 that a symbol declares."""
    if symbol.is_positive:
        return [">"]
    if symbol.is_negative:
        return ["<"]
    found = [
        (symbol.is_nonnegative, ">="),
        (symbol.is_nonpositive, "<="),
        (symbol.is_nonzero, "!="),
    ]
    return [sense for declared, sense in found if declared]


def _refuse_ambiguous(symbols: Sequence[sympy.Symbol]) -> None:
    names = [symbol.name for symbol in symbols]
    for symbol in symbols:
        if names.count(symbol.name) > 1 and not isinstance(symbol, sympy.Dummy):
            raise AssessmentError(
                f"there are two symbols named {symbol.name!r} that declare different things; make "
                "it once, and use that one everywhere"
            )
        if symbol.is_integer or symbol.is_real is False:
            raise AssessmentError(
                f"the symbol {symbol.name!r} is declared integer or not real; probabilities and "
                "payoffs are real numbers"
            )


def _value(number: Any) -> Exact:
    if z3.is_rational_value(number):
        return Fraction(number.numerator_as_long(), number.denominator_as_long())
    if z3.is_algebraic_value(number):
        x = sympy.Dummy("x")
        coefficients = [int(str(c)) for c in number.poly()]
        polynomial = sum(c * x**k for k, c in enumerate(coefficients))
        return sympy.CRootOf(polynomial, number.index() - 1)
    raise InexactError(f"z3 answered with the value {number}, which is no algebraic number")
