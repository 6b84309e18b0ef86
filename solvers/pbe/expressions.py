"""Expressions and relations read from text, without running any code that the text may hold.

Python's own parser takes the text apart; what is not arithmetic is refused. (SymPy's ``sympify``
evaluates its argument as Python, so it is not for files of others.)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import sympy

from ...games.errors import ExpressionError, GameError
from ...games.exact import exact
from ...games.rules import Exact

LONGEST = 100_000
"""Characters of a text."""
LARGEST_EXPONENT = 64
"""Of numerators and denominators of exponents."""
MOST_BITS = 20_000
"""Bits of a power of numbers."""

LARGEST_DEGREE = 64
"""Of the polynomials that an expression may come to when it is multiplied out."""
MOST_TERMS = 100_000
"""The terms that it may come to then."""
MOST_ROOTS = 4
"""Roots that a text may hold."""

_HUGE = 10**12

_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
}
_RELATIONS: dict[type | str, Any] = {
    ast.LtE: sympy.Le,
    ast.Lt: sympy.Lt,
    ast.GtE: sympy.Ge,
    ast.Gt: sympy.Gt,
    ast.Eq: sympy.Eq,
    ast.NotEq: sympy.Ne,
    "Le": sympy.Le,
    "Lt": sympy.Lt,
    "Ge": sympy.Ge,
    "Gt": sympy.Gt,
    "Eq": sympy.Eq,
    "Ne": sympy.Ne,
}
_JOINS: dict[type | str, Any] = {
    ast.And: sympy.And,
    ast.Or: sympy.Or,
    ast.BitAnd: sympy.And,
    ast.BitOr: sympy.Or,
    "And": sympy.And,
    "Or": sympy.Or,
}


def read_expression(text: str, symbols: Mapping[str, sympy.Symbol]) -> Exact:
    """The exact number or expression that a text such as ``"(1 - p)/2"`` stands for.

    Args:
        text: numbers, names of symbols, ``+ - * / **``, brackets and ``sqrt``.
        symbols: by name; no others are known.

    Raises:
        ExpressionError: anything else, a float, a division by 0, or a number that is not real.
    """
    return _Reader(text, symbols).read(_Reader.number)


def read_relation(text: str, symbols: Mapping[str, sympy.Symbol]) -> Any:
    """The relation that a text such as ``"(p >= 0) & (p < q)"`` stands for, not evaluated.

    Args:
        text: two expressions with one of ``== != <= < >= >`` between them, or ``Eq(x, y)`` and so
            on; combined with ``&``, ``|``, ``~``, ``And``, ``Or`` and ``Not``.
        symbols: by name; no others are known.

    Raises:
        ExpressionError: anything else.
    """
    return _Reader(text, symbols).read(_Reader.relation)


class _Reader:
    """One text."""

    def __init__(self, text: str, symbols: Mapping[str, sympy.Symbol]):
        self.text = text
        self.symbols = symbols

    def read(self, what: Callable[[_Reader, ast.expr], Any]) -> Any:
        if not isinstance(self.text, str):
            raise ExpressionError(f"{self.text!r} is not a text; write a string such as '1/2'")
        if len(self.text) > LONGEST:
            raise ExpressionError(f"an expression of {len(self.text):,} characters is too long")
        try:
            node = ast.parse(self.text.strip(), mode="eval").body
            self._refuse_large(node)
            return what(self, node)
        except (SyntaxError, ValueError, MemoryError) as error:
            raise self._refused(f"it is no expression ({error})") from None
        except RecursionError:
            raise self._refused("its brackets are nested too deeply") from None

    def _refuse_large(self, node: ast.expr) -> None:
        """Refuses what would take for ever to multiply out, before anything is computed."""
        if sum(map(_is_root, ast.walk(node))) > MOST_ROOTS:
            raise self._refused(f"it holds more than {MOST_ROOTS} roots")
        for part in ast.walk(node):
            if isinstance(part, ast.BinOp) and not isinstance(part.op, ast.BitAnd | ast.BitOr):
                degree, terms = _extent(part)
                if degree > LARGEST_DEGREE or terms > MOST_TERMS:
                    raise self._refused(
                        f"multiplied out it may have degree {min(degree, 10**6):,} and "
                        f"{min(terms, 10**9):,} terms; {LARGEST_DEGREE} and {MOST_TERMS:,} are read"
                    )

    def number(self, node: ast.expr) -> Exact:
        """The exact value of a node, `Fraction` if it is rational."""
        try:
            return exact(self._value(node))
        except GameError as error:
            raise self._refused(str(error)) from None

    def relation(self, node: ast.expr) -> Any:
        """A relation or a combination of relations."""
        match node:
            case ast.Compare(left, [sign], [right]) if type(sign) in _RELATIONS:
                return self._related(_RELATIONS[type(sign)], left, right)
            case ast.Call(ast.Name(name), [left, right], []) if name in _RELATIONS:
                return self._related(_RELATIONS[name], left, right)
            case ast.BoolOp(join, parts) | ast.Call(ast.Name(join), parts, []) if _is_join(join):
                return _JOINS[_kind(join)](*map(self.relation, parts))
            case ast.BinOp(left, join, right) if type(join) in _JOINS:
                return _JOINS[type(join)](self.relation(left), self.relation(right))
            case ast.UnaryOp(ast.Not() | ast.Invert(), part) | ast.Call(
                ast.Name("Not"), [part], []
            ):
                return sympy.Not(self.relation(part))
        raise self._unknown(node, "a relation such as 'p >= 0'")

    def _related(self, kind: Any, left: ast.expr, right: ast.expr) -> Any:
        sides = (sympy.sympify(self.number(side)) for side in (left, right))
        return kind(*sides, evaluate=False)

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(int() as value) if not isinstance(value, bool):
                return sympy.Integer(value)
            case ast.Constant(float()):
                raise self._refused("it holds a float; write 1/4 for 0.25")
            case ast.Name(name):
                if name in self.symbols:
                    return self.symbols[name]
                known = ", ".join(sorted(self.symbols)) or "there are none"
                raise self._refused(f"it holds the unknown symbol {name!r}; known are: {known}")
            case ast.UnaryOp(ast.USub(), part):
                return -self._value(part)
            case ast.UnaryOp(ast.UAdd(), part):
                return self._value(part)
            case ast.BinOp(left, ast.Div(), right):
                divisor = self._value(right)
                if divisor == 0:
                    raise self._refused("it divides by 0")
                return self._value(left) / divisor
            case ast.BinOp(left, ast.Pow(), right):
                return self._power(self._value(left), self._value(right))
            case ast.BinOp(left, sign, right) if type(sign) in _ARITHMETIC:
                return _ARITHMETIC[type(sign)](self._value(left), self._value(right))
            case ast.Call(ast.Name("sqrt"), [part], []):
                return self._power(self._value(part), sympy.Rational(1, 2))
        raise self._unknown(node, "numbers, symbols, + - * / ** and sqrt")

    def _power(self, base: Any, exponent: Any) -> Any:
        rational = isinstance(exponent, sympy.Rational)
        if not rational or max(abs(exponent.p), exponent.q) > LARGEST_EXPONENT:
            raise self._refused(f"exponents are numbers up to {LARGEST_EXPONENT}, or fractions")
        if base.is_zero and exponent < 0:
            raise self._refused("it divides by 0")
        if base.is_Rational:
            bits = max(int(base.p).bit_length(), int(base.q).bit_length())
            if bits * abs(exponent.p) > MOST_BITS:
                raise self._refused("it holds a power that is too large")
        return base**exponent

    def _unknown(self, node: ast.expr, wanted: str) -> ExpressionError:
        part = ast.get_source_segment(self.text.strip(), node) or type(node).__name__
        return self._refused(f"{_short(part)} is not made of {wanted}")

    def _refused(self, why: str) -> ExpressionError:
        return ExpressionError(f"{_short(self.text)} cannot be read: {why}")


def _is_root(node: ast.AST) -> bool:
    match node:
        case ast.Call(ast.Name("sqrt")):
            return True
        case ast.BinOp(_, ast.Pow(), ast.BinOp()):
            return True
    return False


def _extent(node: ast.expr) -> tuple[int, int]:
    """Bounds on the degree and the number of terms of an expression, multiplied out."""
    match node:
        case ast.BinOp(left, ast.Pow(), right):
            (degree, terms), power = _extent(left), _power_of(right)
            return min(degree * power, _HUGE), min(terms ** min(power, 64), _HUGE)
        case ast.BinOp(left, ast.Add() | ast.Sub(), right):
            (one, few), (other, more) = _extent(left), _extent(right)
            return max(one, other), few + more
        case ast.BinOp(left, _, right):
            (one, few), (other, more) = _extent(left), _extent(right)
            return min(one + other, _HUGE), min(few * more, _HUGE)
        case ast.UnaryOp(_, part):
            return _extent(part)
        case ast.Call(_, [part], _):
            return _extent(part)
        case ast.Name():
            return 1, 1
    return 0, 1


def _power_of(node: ast.expr) -> int:
    """A bound on an exponent; one that is not written out is refused above `LARGEST_EXPONENT`."""
    match node:
        case ast.UnaryOp(_, part):
            return _power_of(part)
        case ast.Constant(int() as value):
            return min(abs(value), _HUGE)
        case ast.BinOp(ast.Constant(int() as top), ast.Div(), ast.Constant(int() as bottom)):
            return min(-(-abs(top) // max(1, abs(bottom))), _HUGE)
    return LARGEST_EXPONENT


def _kind(join: Any) -> Any:
    return join if isinstance(join, str) else type(join)


def _is_join(join: Any) -> bool:
    return _kind(join) in _JOINS


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")
