"""The equilibria of the voting phase of the three-player ONUW theory game, as claims."""

from __future__ import annotations

from typing import Any

import sympy

from ..solvers.pbe import Assessment
from . import onuw_theorems as onuw
from .claims import Claim, EquilibriumClaim
from .onuw_families import NIGHT_MIX, r1, r2, x0, x1, x2
from .onuw_theorems import DERIVED, GAME, HALF, SIMPLEX, U3_4_2, alpha, p, q1, q2, strategies
from .onuw_voting import OUTSIDE, VOTES, VOTING, VotingFamily
from .set_claims import ImplicationClaim, ProjectionClaim, Witness
from .stating import QUARTER, all_of, unit


def _claims(family: VotingFamily) -> tuple[Claim, Claim]:
    name = f"onuw_voting_{family.number.lower()}"
    bounds = [bound for vote in VOTES for bound in unit(vote)]
    condition = family.condition.subs(family.known)
    votes = (family.known.get(vote, vote) for vote in (q1, q2, p, r1, r2))
    one, two, robber = family.values
    return (
        EquilibriumClaim(
            name,
            DERIVED,
            f"Family {family.number} of the voting phase with common belief (alpha, beta, gamma): "
            f"{family.words}",
            GAME,
            Assessment(
                strategies((x0, x1, x2), *votes),
                assumptions=(*SIMPLEX, *NIGHT_MIX, *bounds, family.region, condition, family.night),
            ),
            concepts=("sequential",),
            set_values={onuw.P1: one, onuw.P2: two, onuw.NIGHT: robber},
            fixed_beliefs=OUTSIDE,
        ),
        ProjectionClaim(
            f"{name}_region",
            DERIVED,
            f"For which beliefs family {family.number} of the voting phase exists.",
            {"votes": all_of(*bounds, family.condition)},
            family.region,
            tuple(
                Witness("votes", case, {r1: 1, r2: 0} | values) for case, values in family.witnesses
            ),
            SIMPLEX,
        ),
    )


def _region(*numbers: str) -> Any:
    """Where one of some families exists."""
    return sympy.Or(*(family.region for family in VOTING if family.number in numbers))


CLAIMS: tuple[Claim, ...] = (
    *(claim for family in VOTING for claim in _claims(family)),
    ImplicationClaim(
        "onuw_voting_alpha_decides",
        DERIVED,
        "For every belief there is an equilibrium in which the Robber always wins (alpha <= 1/2) "
        "or always loses (alpha >= 1/2). Where alpha < 1/4 it wins in all of them, where alpha > "
        "1/2 it loses in all of them.",
        all_of(
            sympy.Implies(alpha <= HALF, _region("I")),
            sympy.Implies(alpha >= HALF, _region("III")),
            sympy.Implies(
                alpha < QUARTER, sympy.Not(_region("II", "III", "Va", "Vb", "VIa", "VIb"))
            ),
            sympy.Implies(
                alpha > HALF, sympy.Not(_region(*(f.number for f in VOTING if f.number != "III")))
            ),
        ),
        SIMPLEX,
    ),
    ImplicationClaim(
        "onuw_voting_robber_payoffs",
        DERIVED,
        "In every equilibrium of the voting phase in which the Robber does not always win it gets "
        "at most what Theorem 4.2 pays at that alpha, (4 alpha^2 + 2 alpha - 1)/(4 alpha^2).",
        all_of(
            *(
                sympy.Implies(family.condition, family.values[2] <= U3_4_2)
                for family in VOTING
                if family.number not in ("I", "II", "IVa", "IVb")
            )
        ),
        (*SIMPLEX, alpha > 0, *(bound for vote in VOTES for bound in unit(vote))),
    ),
)
