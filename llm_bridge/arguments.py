"""Checks of arguments, so that a wrong one is named where it is passed, not where it is used."""

from __future__ import annotations

import math
from typing import Any

from ..games.errors import ParameterError

WEEK = 7 * 24 * 3600.0
"""The most seconds that anything waits; the system's own clocks end long after it."""


def whole(name: str, value: Any, least: int) -> int:
    """The value, which must be a whole number from ``least`` on, of at most 63 bits.

    Raises:
        ParameterError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 1 << 63:
        raise ParameterError(f"{name}={shown(value)}: give a whole number, {least} or more")
    return value


def number(name: str, value: Any, most: float = math.inf) -> float:
    """The value as a float, which must be finite, not negative and at most ``most``.

    Raises:
        ParameterError: it is none.
    """
    found = _float(value)
    if not 0.0 <= found <= most or found == math.inf:
        upper = "finite" if most == math.inf else f"at most {most:.9g}"
        raise ParameterError(f"{name}={shown(value)}: give a number that is not negative, {upper}")
    return found


def seconds(name: str, value: Any, *, positive: bool = False) -> float:
    """The value as a float, which must be seconds from 0 to `WEEK`; more than 0 if `positive`.

    Raises:
        ParameterError: it is none.
    """
    found = _float(value)
    if not 0.0 <= found <= WEEK or (positive and not found):
        least = "more than 0" if positive else "not negative"
        raise ParameterError(f"{name}={shown(value)}: give seconds, {least} and at most a week")
    return found


def text(name: str, value: Any) -> str:
    """The value, which must be a text that is not empty.

    Raises:
        ParameterError: it is none.
    """
    if not isinstance(value, str) or not value:
        raise ParameterError(f"{name}={shown(value)}: give a text that is not empty")
    return value


def shown(value: Any) -> str:
    """A value for an error message, shortened: a whole number may have millions of digits."""
    digits = value.bit_length() // 3 if isinstance(value, int) else 0
    if digits > 100:
        return f"a number of about {digits} digits"
    found = repr(value)
    return found if len(found) <= 100 else found[:100] + "..."


def _float(value: Any) -> float:
    """The value; NaN if it is no number, and an infinity if it is too large for a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
