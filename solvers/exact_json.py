"""Exact numbers as JSON and back: fractions, floats, SymPy expressions. No text is evaluated.

A float is a JSON number, an ``int`` or `Fraction` a string of hexadecimal digits such as ``"-1/a"``
(which have no limit of length), an expression a list: the name of one of the `OPERATIONS` and its
arguments, or ``["Symbol", name, assumptions]``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from ..games.errors import InexactError
from ..games.rules import Exact

OPERATIONS = ("Abs", "Add", "Max", "Min", "Mul", "Pow", "exp", "log")
"""SymPy's functions that an expression may be made of, beside numbers and symbols."""
CONSTANTS = ("E", "GoldenRatio", "pi")
"""SymPy's numbers that are no fractions."""


def encode(value: Exact | float) -> Any:
    """JSON for a number.

    Raises:
        InexactError: it is an expression that `decode` would not give back exactly.
    """
    if isinstance(value, float):
        return value
    if isinstance(value, int):
        return f"{value:x}"
    if isinstance(value, Fraction):
        return f"{value.numerator:x}/{value.denominator:x}"
    try:
        code = _encode_expression(value)
        faithful = decode(code) == value
    except (InexactError, ValueError, TypeError, RecursionError):
        faithful, code = False, None
    if not faithful:
        raise InexactError(
            f"the number {value} has no exact form in a file; write it with symbols, fractions and "
            f"{', '.join(OPERATIONS)}"
        )
    return code


def decode(code: Any) -> Exact | float:
    """The number that `encode` turned into JSON.

    Raises:
        InexactError, ValueError, TypeError, RecursionError: it did not.
    """
    if isinstance(code, float):
        return code
    if isinstance(code, str):
        numerator, slash, denominator = code.partition("/")
        if not slash:
            return int(numerator, 16)
        try:
            return Fraction(int(numerator, 16), int(denominator, 16))
        except ZeroDivisionError as error:
            raise InexactError(f"{code!r} is no number") from error
    return _decode_expression(code)


@cache
def _named() -> dict[str, Any]:
    """SymPy's functions and constants by name."""
    import sympy  # slow to load: most files have none of these

    return {name: getattr(sympy, name) for name in (*OPERATIONS, *CONSTANTS)}


def _encode_expression(value: Any) -> list[Any]:
    import sympy

    if isinstance(value, sympy.Rational):
        return ["Rational", f"{int(value.p):x}/{int(value.q):x}"]
    if type(value) is sympy.Symbol:
        return ["Symbol", value.name, dict(value.assumptions0)]
    for name in CONSTANTS:
        if value == _named()[name]:
            return ["Constant", name]
    name = type(value).__name__
    if name not in OPERATIONS or _named()[name] is not type(value):
        raise InexactError(name)
    return [name, *map(_encode_expression, value.args)]


def _decode_expression(code: Any) -> Any:
    import sympy

    match code:
        case ["Rational", str(text)]:
            return sympy.Rational(decode(text))
        case ["Symbol", str(name), dict(assumptions)]:
            if not all(truth is True or truth is False for truth in assumptions.values()):
                raise InexactError(f"{code!r} is no symbol")
            return sympy.Symbol(name, **assumptions)
        case ["Constant", str(name)] if name in CONSTANTS:
            return _named()[name]
        case [str(name), *arguments] if name in OPERATIONS:
            parts = list(map(_decode_expression, arguments))
            rational = all(isinstance(part, sympy.Rational) for part in parts)
            if name == "Pow" and rational and abs(parts[1]) >= 1:
                raise InexactError("a power that is a number by itself")  # it might have no end
            return _named()[name](*parts)
    raise InexactError(f"{code!r} is no number")
