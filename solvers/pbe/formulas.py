"""SymPy expressions and assumptions, in LaTeX or in plain text, the way one writes them by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from ...games.rules import Exact
from .markup import Math

_FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
WIDE = 60
"""Characters of a formula that fit on a line."""
_SIGNS = {sympy.Ge: r"\ge", sympy.Gt: ">", sympy.Le: r"\le", sympy.Lt: "<", sympy.Eq: "="}
_PLAIN_SIGNS = {sympy.Ge: ">=", sympy.Gt: ">", sympy.Le: "<=", sympy.Lt: "<", sympy.Eq: "=="}
_MIRRORED = {sympy.Ge: sympy.Le, sympy.Gt: sympy.Lt, sympy.Le: sympy.Ge, sympy.Lt: sympy.Gt}


class _PlainPrinter(StrPrinter):
    """``1 - x`` rather than ``-x + 1``."""

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return _positive_first(super()._as_ordered_terms(expr, order=order))


class _Printer(LatexPrinter):
    """``1 - x`` rather than ``- x + 1``, and ``(1 - 2*a)/a`` rather than ``-(2*a - 1)/a``."""

    def _as_ordered_terms(self, expr: Any, order: Any = None) -> list[Any]:
        return _positive_first(super()._as_ordered_terms(expr, order=order))

    def _print_Mul(self, expr: Any) -> str:
        if not expr.free_symbols:
            return super()._print_Mul(expr)
        top, bottom = map(sympy.factor_terms, sympy.fraction(expr))
        coefficient, _ = top.as_coeff_Mul()
        factors = [f for f in sympy.Mul.make_args(top / coefficient) if f != 1]
        if coefficient < 0:
            for i, inside in enumerate(factors):
                if isinstance(inside, sympy.Add) and 2 * _minuses(inside) >= len(inside.args):
                    factors[i], coefficient = sympy.expand(-inside), -coefficient
                    break
        above = self._product(abs(coefficient), factors)
        minus = "- " if coefficient < 0 else ""
        return minus + (above if bottom == 1 else rf"\frac{{{above}}}{{{self._print(bottom)}}}")

    def _product(self, number: Any, factors: Sequence[Any]) -> str:
        parts = [self._print(number)] if number != 1 or not factors else []
        for inside in sorted(factors, key=sympy.default_sort_key):
            text = self._print(inside)
            bare = isinstance(inside, sympy.Add) and (parts or len(factors) > 1)
            parts.append(rf"\left({text}\right)" if bare else text)
        return " ".join(parts)


def _positive_first(terms: list[Any]) -> list[Any]:
    return sorted(terms, key=_is_negative) if _is_negative(terms[0]) else terms


def _is_negative(term: Any) -> bool:
    return term.could_extract_minus_sign()


def _minuses(total: Any) -> int:
    return sum(map(_is_negative, total.args))


_PRINTER = _Printer()
_PLAIN_PRINTER = _PlainPrinter()


def source(value: Exact | Any) -> str:
    """An expression as LaTeX source, the way one writes it by hand."""
    return _PRINTER.doprint(sympy.sympify(value))


def plain(value: Exact | Any) -> str:
    """An expression as plain text that SymPy reads, the way one writes it by hand."""
    expression = sympy.sympify(value)
    if isinstance(expression, sympy.Mul) and _is_negative(expression):
        expression = turned(-expression)
    return _PLAIN_PRINTER.doprint(expression)


def turned(expression: Any) -> Any:
    """The negative of an expression, the minus drawn into a sum."""
    coefficient, factors = sympy.factor_terms(expression).as_coeff_mul()
    for i, inside in enumerate(factors):
        if isinstance(inside, sympy.Add):
            return sympy.Mul(coefficient, *factors[:i], sympy.expand(-inside), *factors[i + 1 :])
    return -expression


def formula(value: Exact | Any) -> Math:
    """An expression as a formula."""
    return Math(source(value))


def inline(value: Exact | Any) -> str:
    """The same, numbers as ``1/2``: for the inside of a fraction."""
    number = sympy.sympify(value)
    return f"{number.p}/{number.q}" if number.is_Rational and number.q != 1 else source(value)


def factor(value: Exact | Any) -> str:
    """An expression as LaTeX source that may stand in a product after the first factor."""
    expression = sympy.sympify(value)
    text = source(expression)
    bare = isinstance(expression, sympy.Add) or text.lstrip().startswith("-")
    return rf"\left({text}\right)" if bare else text


def inline_factor(value: Exact | Any) -> str:
    """As `factor`, numbers as ``1/2``."""
    return inline(value) if sympy.sympify(value).is_number else factor(value)


def product(factors: Sequence[Exact | Any]) -> str:
    """A product."""
    return source(factors[0]) if len(factors) == 1 else r" \cdot ".join(map(factor, factors))


def wrapped(line: str) -> list[str]:
    """An aligned line on several ones, if it is too wide for a page."""
    first, *others = re.split(r"(?= = )|(?= \\quad )", line)
    lines = [first]
    for part in others:
        if _width(lines[-1] + part) <= WIDE:
            lines[-1] += part
        else:
            lines.append("&" + part.lstrip())
    return lines


def _width(line: str) -> int:
    """Roughly the number of characters side by side."""
    flat = re.sub(r"[_^]\{(\w+)\}", r"\1", line)
    before = ""
    while before != flat:
        before = flat
        flat = _FRACTION.sub(lambda part: max(part.group(1), part.group(2), key=len), flat)
    bare = re.sub(r"\\(?:left|right|text|quad)\b|[{}& ]", "", flat)
    return len(re.sub(r"\\[a-zA-Z]+", "x", bare))


def total(terms: Sequence[str]) -> str:
    """A sum of terms."""
    return " + ".join(terms) if terms else "0"


@dataclass(frozen=True)
class _Style:
    """How relations are written."""

    show: Callable[[Any], str]
    signs: Mapping[Any, str]

    def relation(self, statement: Any) -> str:
        sign = self.signs.get(type(statement))
        if sign is None:
            return self.show(statement)
        return f"{self.show(statement.lhs)} {sign} {self.show(statement.rhs)}"


_LATEX_STYLE = _Style(_PRINTER.doprint, _SIGNS)
_PLAIN_STYLE = _Style(plain, _PLAIN_SIGNS)


def relation(statement: Any) -> str:
    """A SymPy relation, or a combination of relations, as LaTeX source."""
    return _LATEX_STYLE.relation(statement)


def conjuncts(assumptions: Iterable[Any]) -> list[Any]:
    """The assumptions, each ``And`` taken apart, each said once."""
    found = []
    for assumption in assumptions:
        statement = sympy.sympify(assumption)
        parts = statement.args if isinstance(statement, sympy.And) else (statement,)
        found += [part for part in parts if part != sympy.true]
    return list(dict.fromkeys(found))


def domain(assumptions: Iterable[Any]) -> list[Math]:
    """What is assumed, bounds on one expression joined: ``0 <= p <= 1``, ``|f| <= g``."""
    lines, others = _bounds(assumptions, _LATEX_STYLE)
    return [Math(line) for line in (*lines, *_absolute(others))]


def plain_domain(assumptions: Iterable[Any]) -> list[str]:
    """The same in plain text, without absolute values."""
    lines, others = _bounds(assumptions, _PLAIN_STYLE)
    return [*lines, *map(_PLAIN_STYLE.relation, others)]


def _bounds(assumptions: Iterable[Any], style: _Style) -> tuple[list[str], list[Any]]:
    """The bounds on symbols, joined; and the other assumptions."""
    statements = conjuncts(assumptions)
    bounds: dict[Any, dict[bool, tuple[Any, Any]]] = {}
    others = []
    for statement in statements:
        bound = _bound(statement)
        if bound is None:
            others.append(statement)
            continue
        symbol, kind, number = bound
        below = kind in (sympy.Ge, sympy.Gt)
        old = bounds.setdefault(symbol, {}).get(below)
        if old is None or _tighter(kind, number, *old):
            bounds[symbol][below] = (kind, number)
    alike: dict[tuple[str, str], list[str]] = {}
    for symbol, sides in bounds.items():
        alike.setdefault(_sides(sides, style), []).append(style.show(symbol))
    return [left + ", ".join(names) + right for (left, right), names in alike.items()], others


def _sides(bounds: Mapping[bool, tuple[Any, Any]], style: _Style) -> tuple[str, str]:
    """What stands before and after the symbol; lower bounds are under ``True``."""
    left = right = ""
    if True in bounds and False in bounds:
        kind, number = bounds[True]
        left = f"{style.show(number)} {style.signs[_MIRRORED[kind]]} "
    elif True in bounds:
        right = f" {style.signs[bounds[True][0]]} {style.show(bounds[True][1])}"
    if False in bounds:
        right = f" {style.signs[bounds[False][0]]} {style.show(bounds[False][1])}"
    return left, right


def _bound(statement: Any) -> tuple[Any, Any, Any] | None:
    """A bound of a symbol by a number: symbol, kind of relation, number."""
    kind = type(statement)
    if kind not in _MIRRORED:
        return None
    left, right = statement.lhs, statement.rhs
    if right.is_Symbol and left.is_number:
        left, right, kind = right, left, _MIRRORED[kind]
    return (left, kind, right) if left.is_Symbol and right.is_number else None


def _tighter(kind: Any, number: Any, old_kind: Any, old_number: Any) -> bool:
    if number == old_number:
        return kind in (sympy.Gt, sympy.Lt)
    larger = bool(number > old_number)
    return larger == (old_kind in (sympy.Ge, sympy.Gt))


def _absolute(statements: Sequence[Any]) -> list[str]:
    """``f <= g`` and ``-f <= g`` as one relation; equations first."""
    lines = []
    left: list[Any] = sorted(statements, key=lambda s: not isinstance(s, sympy.Eq))
    while left:
        first = left.pop(0)
        opposite = next((other for other in left if _are_opposite(first, other)), None)
        if opposite is None:
            lines.append(relation(first))
        else:
            left.remove(opposite)
            inside = _PRINTER.doprint(first.lhs)
            lines.append(rf"\lvert {inside} \rvert \le {_PRINTER.doprint(first.rhs)}")
    return lines


def _are_opposite(one: Any, other: Any) -> bool:
    """Whether they are ``f <= g`` and ``-f <= g``."""
    if not all(isinstance(statement, sympy.Le) for statement in (one, other)):
        return False
    return one.rhs == other.rhs and sympy.expand(one.lhs + other.lhs) == 0


def at(point: Mapping[sympy.Symbol, Exact]) -> list[Math]:
    """A point, one equation for each symbol."""
    return [Math(f"{source(symbol)} = {source(value)}") for symbol, value in point.items()]


def operations(value: Exact | Any) -> int:
    """How long an expression is."""
    return 0 if isinstance(value, int | Fraction) else int(sympy.count_ops(value))
