"""Why an expression has its sign wherever the assumptions hold, in steps that one can redo by hand.

A polynomial is nonnegative if it is a sum of assumptions (``g >= 0``) with nonnegative factors and
of a nonnegative number (Farkas), after equations among the assumptions were put in. A rational
function has the sign of the product of its factors. Where such a reason exists no decision
procedure needs to be trusted; a reason that is returned has been checked exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import sympy
from scipy.optimize import linprog

from .formulas import conjuncts

Sign = Literal["+", "0+", "0"]
"""Positive, nonnegative, zero."""


@dataclass(frozen=True)
class Reason:
    """Why an expression is positive, nonnegative or zero.

    Attributes:
        sign: which of the three.
        because: the assumptions that were used; empty if it holds whatever the symbols are.
    """

    sign: Sign
    because: tuple[Any, ...] = ()


@dataclass(frozen=True)
class _Fact:
    """``polynomial >= 0`` (or > 0), by an assumption."""

    polynomial: Any
    strict: bool
    statement: Any


class Signs:
    """Signs under assumptions.

    Args:
        assumptions: SymPy relations; those that are no (in)equality of polynomials are not used.
    """

    def __init__(self, assumptions: Iterable[Any]):
        self._equations: list[tuple[Any, Any]] = []
        self._facts: list[_Fact] = []
        self._known: dict[Any, Reason | None] = {}
        for statement in conjuncts(assumptions):
            self._read(statement)

    def _read(self, statement: Any) -> None:
        if not isinstance(statement, sympy.Ge | sympy.Gt | sympy.Le | sympy.Lt | sympy.Eq):
            return
        difference: Any = statement.lhs - statement.rhs  # type: ignore[operator]
        if not difference.free_symbols or not difference.is_polynomial(*difference.free_symbols):
            return
        if isinstance(statement, sympy.Eq):
            self._equations.append((sympy.expand(difference), statement))
        else:
            flip = -1 if isinstance(statement, sympy.Le | sympy.Lt) else 1
            strict = isinstance(statement, sympy.Gt | sympy.Lt)
            self._facts.append(_Fact(sympy.expand(flip * difference), strict, statement))

    def given(self, statements: Sequence[Any]) -> Signs:
        """Signs under further assumptions."""
        if not statements:
            return self
        more = Signs(statements)
        more._equations = [*self._equations, *more._equations]
        more._facts = [*self._facts, *more._facts]
        return more

    def of(self, expression: Any) -> Reason | None:
        """A reason why an expression is positive, nonnegative or zero; None if none was found.

        Denominators are taken not to vanish.
        """
        expression = sympy.sympify(expression)
        if expression not in self._known:
            self._known[expression] = self._of(expression)
        return self._known[expression]

    def number(self, polynomial: Any) -> Any:
        """The number that a polynomial is by one of the equations; None if it is none."""
        for equation, _ in self._equations:
            rest = self._reduced(polynomial, [equation])
            if rest.is_number:
                return rest
        return None

    def _of(self, expression: Any) -> Reason | None:
        if expression.is_number:
            return _of_number(expression)
        top, bottom = sympy.fraction(sympy.together(expression))
        symbols = expression.free_symbols
        if not (top.is_polynomial(*symbols) and bottom.is_polynomial(*symbols)):
            return None
        zero = self._zero(top)
        if zero is not None:
            return zero
        content, factors = factored(top * bottom)
        divisors = {divisor for divisor, _ in factored(bottom)[1]}
        sign, used, negative = "+", [], content < 0
        for polynomial, power in factors:
            found = self._factor(polynomial, power % 2 == 1)
            if found is None:
                return self._whole(top, bottom)
            reason, flipped = found
            if reason.sign == "0+" and polynomial not in divisors and -polynomial not in divisors:
                sign = "0+"
            negative ^= flipped
            used += reason.because
        if negative:
            return None
        return Reason(sign, tuple(dict.fromkeys(used)))

    def _factor(self, polynomial: Any, odd: bool) -> tuple[Reason, bool] | None:
        """Why a factor is not negative, or not positive (then the second part is true)."""
        found = self._polynomial(polynomial)
        if found is not None:
            return found, False
        found = self._polynomial(-polynomial)
        if found is not None:
            return found, odd
        return None if odd else (Reason("0+"), False)

    def _whole(self, top: Any, bottom: Any) -> Reason | None:
        """Why a fraction is not negative, if its numerator as a whole is a sum of assumptions."""
        for flip in (1, -1):
            above = self._polynomial(sympy.expand(flip * top))
            below = self._polynomial(sympy.expand(flip * bottom))
            if above is not None and below is not None:
                return Reason(above.sign, tuple(dict.fromkeys((*above.because, *below.because))))
        return None

    def _zero(self, polynomial: Any) -> Reason | None:
        """Why a polynomial vanishes: identically, or by the equations."""
        if sympy.expand(polynomial) == 0:
            return Reason("0")
        for equation, statement in self._equations:
            if self._reduced(polynomial, [equation]) == 0:
                return Reason("0", (statement,))
        equations = [equation for equation, _ in self._equations]
        if len(equations) > 1 and self._reduced(polynomial, equations) == 0:
            return Reason("0", tuple(statement for _, statement in self._equations))
        return None

    @staticmethod
    def _reduced(polynomial: Any, equations: Sequence[Any]) -> Any:
        """The remainder of a polynomial, a multiple of the equations taken away."""
        symbols = sorted(
            polynomial.free_symbols.union(*(e.free_symbols for e in equations)), key=str
        )
        return sympy.reduced(polynomial, list(equations), *symbols)[1]

    def _polynomial(self, polynomial: Any) -> Reason | None:
        """Why a polynomial is not negative: first without the equations, then with them."""
        found = self._farkas(polynomial, self._facts)
        if found is not None or not self._equations:
            return found
        equations = [equation for equation, _ in self._equations]
        facts = [
            _Fact(self._reduced(f.polynomial, equations), f.strict, f.statement)
            for f in self._facts
        ]
        found = self._farkas(self._reduced(polynomial, equations), facts)
        if found is None:
            return None
        return Reason(found.sign, (*found.because, *(s for _, s in self._equations)))

    @staticmethod
    def _farkas(polynomial: Any, facts: Sequence[_Fact]) -> Reason | None:
        """The polynomial as a sum of facts with nonnegative factors, and a nonnegative number."""
        if polynomial.is_number:
            return _of_number(polynomial)
        columns = [_terms(fact.polynomial) for fact in facts]
        target = _terms(polynomial)
        one: Any = sympy.Integer(1)
        columns.append({one: one})
        rows = sorted(set(target).union(*columns), key=str)
        matrix: Any = sympy.Matrix([[column.get(m, 0) for column in columns] for m in rows])
        right: Any = sympy.Matrix([target.get(m, 0) for m in rows])
        # Few facts, and among equals those that leave a positive number.
        cost = np.ones(len(columns))
        cost[-1] = -0.5
        found = linprog(
            cost,
            A_eq=np.array(matrix.tolist(), dtype=float),
            b_eq=np.array(right.tolist(), dtype=float)[:, 0],
        )
        if found.status != 0:
            return None
        support = [j for j, c in enumerate(found.x) if c > 1e-9]
        if not support:
            return None
        # The floats only say which facts to use: their factors are found exactly.
        try:
            factors, free = matrix[:, support].gauss_jordan_solve(right)
        except ValueError:
            return None
        weights = dict(zip(support, factors.subs(dict.fromkeys(free, 0)).flat(), strict=True))
        if any(weight < 0 for weight in weights.values()):
            return None
        constant = weights.pop(len(facts), 0)
        used = [facts[j] for j, weight in weights.items() if weight]
        strict = constant > 0 or any(fact.strict for fact in used)
        return Reason("+" if strict else "0+", tuple(fact.statement for fact in used))


def factored(polynomial: Any) -> tuple[Any, list[tuple[Any, int]]]:
    """The rational content of a polynomial, and its irreducible factors with their powers."""
    found: Any = sympy.factor_list(sympy.expand(polynomial))
    return found


def _terms(polynomial: Any) -> dict[Any, Any]:
    """The coefficient of each monomial."""
    return {m: c for m, c in sympy.expand(polynomial).as_coefficients_dict().items() if c}


def _of_number(number: Any) -> Reason | None:
    if number.is_zero:
        return Reason("0")
    if number.is_positive:
        return Reason("+")
    return None
