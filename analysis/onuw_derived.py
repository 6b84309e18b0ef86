"""The equilibria of the three-player ONUW theory game, derived and compared with what is stated."""

from __future__ import annotations

from typing import Any

import sympy

from ..solvers.pbe import Assessment, Equilibria
from . import onuw_theorems as onuw
from .claims import Claim, EquilibriumClaim
from .onuw_families import FAMILIES, q, r1, r2, x0, x1, x2
from .onuw_theorems import (
    DERIVED,
    DOMAIN_4_2,
    GAME,
    P_4_2,
    PAPER,
    Q_4_2,
    SIMPLEX,
    p,
    q1,
    q2,
    strategies,
)
from .onuw_voting import OUTSIDE, VOTING
from .set_claims import DerivationClaim
from .stating import all_of

PLACES = {
    x0: (onuw.NIGHT, "NS"),
    x1: (onuw.NIGHT, "S1"),
    x2: (onuw.NIGHT, "S2"),
    p: (onuw.AFTER_NS, "vote P1"),
    r1: (onuw.AFTER_S1, "vote P1"),
    r2: (onuw.AFTER_S2, "vote P1"),
    q1: (onuw.P1, "vote P3"),
    q2: (onuw.P2, "vote P3"),
    q: (onuw.P1, "vote P3"),
}
"""Of which action each symbol is the probability."""


def seven_families(found: Equilibria) -> Any:
    """The families without discussion, as a condition on what was derived."""
    sets = []
    for family in FAMILIES:
        assert isinstance(family, EquilibriumClaim)
        mixes = family.assessment.strategies
        votes = (sympy.Eq(s, mixes[key][action]) for s, (key, action) in PLACES.items())
        sets.append(all_of(*family.assessment.assumptions, *votes))
    return _placed(found, sympy.Or(*sets))


def nine_families(found: Equilibria) -> Any:
    """The families of the voting phase, as a condition on what was derived."""
    return _placed(found, sympy.Or(*(all_of(f.condition, f.night) for f in VOTING)))


def _placed(found: Equilibria, condition: Any) -> Any:
    """A condition on our symbols as one on the coordinates of a derivation."""
    places = {symbol: found.probability(*place) for symbol, place in PLACES.items()}
    return condition.subs(places, simultaneous=True)


CLAIMS: tuple[Claim, ...] = (
    DerivationClaim(
        "onuw_without_discussion",
        f"{DERIVED}; has Theorem 4.1 of {PAPER}",
        "The seven families I to Vb are all equilibria without discussion.",
        GAME,
        "weak-pbe",
        seven_families,
        7,
    ),
    DerivationClaim(
        "onuw_voting_phase",
        f"{DERIVED}; has Theorem 4.2 of {PAPER}",
        "The nine families I to VIb are all equilibria of the voting phase with common belief "
        "(alpha, beta, gamma). In the one that has Theorem 4.2 the derived probabilities are the "
        "theorem's p* and q*, as functions of the belief, and it exists exactly where 1/4 <= alpha "
        "<= 1/2 and |beta^2 - gamma^2| <= alpha^2.",
        GAME,
        "weak-pbe",
        nine_families,
        9,
        SIMPLEX,
        OUTSIDE,
        Assessment(
            strategies((x0, x1, 1 - x0 - x1), Q_4_2, Q_4_2, P_4_2),
            assumptions=(*SIMPLEX, *DOMAIN_4_2, x0 >= 0, x1 >= 0, x0 + x1 <= 1),
        ),
        {
            (onuw.P1, "vote P3"): Q_4_2,
            (onuw.P2, "vote P3"): Q_4_2,
            (onuw.AFTER_NS, "vote P1"): P_4_2,
        },
        all_of(*DOMAIN_4_2),
    ),
)
