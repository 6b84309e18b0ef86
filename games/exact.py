"""What counts as an exact number, in one place: rules, explicit trees and assessments agree."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .errors import GameError
from .rules import Exact


def is_exact(value: Any) -> bool:
    """Whether a value is an exact real number, or a SymPy expression for one."""
    if isinstance(value, int | Fraction | float):
        return not isinstance(value, float)
    import sympy  # slow to load: only where numbers are no numbers of Python's

    return isinstance(value, sympy.Expr) and not value.has(sympy.Float, *_odd())


def exact(value: Any) -> Exact:
    """``value`` as a `Fraction` if it is rational, else as a SymPy expression.

    Strings are numbers such as ``"1/3"`` or ``"0.25"``; they are never evaluated as code.

    Raises:
        GameError: a float, which is not exact, or no real number at all.
    """
    if isinstance(value, int | str | Fraction):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError) as error:
            raise GameError(f"{value!r} is not a number; write '1/3' or a Fraction") from error
    import sympy

    if isinstance(value, float | sympy.Float):
        raise GameError(f"{value!r} is a float; write Fraction or a string such as '1/3'")
    try:
        expression = sympy.sympify(value)
    except sympy.SympifyError:
        expression = None
    if not isinstance(expression, sympy.Expr) or expression.has(*_odd()):
        raise GameError(f"{value!r} is not a real number or a SymPy expression for one")
    if isinstance(expression, sympy.Rational):
        return Fraction(int(expression.p), int(expression.q))
    return expression


def _odd() -> tuple[Any, ...]:
    """Parts that keep a SymPy expression from being a real number."""
    from sympy import I, nan, oo, zoo

    return nan, zoo, oo, I
