"""Closed forms of the theory of Mafia: what the games are compared with.

n players are alive when the first day begins, m of them mafia; each day the town eliminates a
player at random, each night the mafia kills a townsperson. (P. Migdal, "A mathematical model of the
Mafia game", arXiv:1009.1031, 2010; M. Braverman, O. Etesami and E. Mossel, "Mafia: a theoretical
study of players and coalitions in a partial information environment", Annals of Applied
Probability 18, 2008.)
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, prod
from typing import Any

import sympy

from ..games.rules import Exact


def double_factorial(k: int) -> Fraction:
    """k!!, continued to negative odd numbers by k!! = (k + 2)!! / (k + 2).

    So (-1)!! = 1, (-3)!! = -1, (-5)!! = 1/3. Negative even numbers have none: it is infinite.
    """
    if k >= -1:
        return Fraction(prod(range(k, 0, -2)))
    return 1 / Fraction(prod(range(k + 2, 0, 2)))


def mafia_wins(n: int, m: int) -> Fraction:
    """The mafia's probability of winning; one mafioso against one townsperson toss a coin.

    Migdal 2010: 1 - sum_i (-1)^i C(m, i) (n - i)!! / (n!! (n mod 2 - i)!!).
    """
    parity = n % 2
    terms = (
        (-1) ** i * comb(m, i) * double_factorial(n - i) / double_factorial(parity - i)
        for i in range(m + 1)
        if parity >= i or (parity - i) % 2  # others are divided by an infinite number
    )
    return 1 - sum(terms, Fraction(0)) / double_factorial(n)


def lone_mafioso_wins(n: int) -> Fraction:
    """`mafia_wins` for one mafioso: (n - 1)!! / n!!."""
    return double_factorial(n - 1) / double_factorial(n)


def limit(eta: Exact, parity: int) -> Any:
    """The limit of `mafia_wins` as n grows with m = eta sqrt(n), a SymPy number.

    Args:
        eta: an exact number.
        parity: n mod 2; the limits differ.
    """
    eta = sympy.sympify(eta)
    if not parity:
        return sympy.erf(eta / sympy.sqrt(2))
    tail = sympy.erfc(eta / sympy.sqrt(2))
    return 1 - sympy.exp(-(eta**2) / 2) + eta * sympy.sqrt(sympy.pi / 2) * tail
