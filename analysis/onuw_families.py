"""All equilibria of the three-player ONUW theory game without discussion, and what they allow.

Symbols as in `onuw_theorems`. In the seven families x0, x1, x2 are the probabilities of NS, S1, S2,
and r1 and r2 those of P3 voting P1 after S1 and S2.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from ..games.rules import Exact
from ..solvers.pbe import Assessment
from .claims import Claim, EquilibriumClaim, EquivalenceClaim, RegionClaim
from .frequency_claims import FrequencyClaim
from .onuw_theorems import (
    AFTER_S1,
    AFTER_S2,
    DERIVED,
    GAME,
    HALF,
    P1,
    P2,
    SIMPLEX,
    U3_4_2,
    UNIT_P,
    alpha,
    beta,
    gamma,
    p,
    q1,
    q2,
    strategies,
)

q, r1, r2, t, x0, x1, x2 = sympy.symbols("q r1 r2 t x0 x1 x2", real=True)
other_alpha = sympy.Symbol("alpha'", real=True)

NIGHT_MIX = (x0 >= 0, x1 >= 0, x2 >= 0, sympy.Eq(x0 + x1 + x2, 1))


def family(
    number: str,
    statement: str,
    profile: dict[str, dict[str, Exact]],
    where: tuple[Any, ...],
    values: tuple[Exact, Exact, Exact],
) -> EquilibriumClaim:
    """One of the seven families of equilibria without discussion."""
    return EquilibriumClaim(
        f"onuw_family_{number.lower()}",
        DERIVED,
        f"Family {number} of the equilibria without discussion: {statement}",
        GAME,
        Assessment(profile, assumptions=where),
        values=values,
    )


FAMILIES: tuple[Claim, ...] = (
    family(
        "I",
        "the Werewolves vote for each other, the Robber votes for the robbed player; x0 p <= x1 "
        "and x0 (1 - p) <= x2. The Robber always wins. Theorem 4.1 is the point x = (0, 1/2, 1/2).",
        strategies((x0, x1, x2), 0, 0, p),
        (*NIGHT_MIX, *UNIT_P, x0 * p <= x1, x0 * (1 - p) <= x2),
        (2 * x2 - 1, 2 * x1 - 1, 1),
    ),
    family(
        "II",
        "both Werewolves vote P3 with probability q, the Robber votes for the robbed player; "
        "2 x0 q = 1 - 2 x0 and 2 x0^2 p = x0^2 + x1^2 - x2^2, the formulas of Theorem 4.2.",
        strategies((x0, x1, x2), q, q, p),
        (
            *NIGHT_MIX,
            *UNIT_P,
            q >= 0,
            q <= 1,
            sympy.Eq(2 * x0 * q, 1 - 2 * x0),
            sympy.Eq(2 * x0**2 * p, x0**2 + x1**2 - x2**2),
        ),
        ((2 * x2 - 1) * (1 - q - q**2), (2 * x1 - 1) * (1 - q - q**2), 1 - q - q**2),
    ),
    family(
        "III",
        "both Werewolves vote P3 and the Robber votes anyhow; x0 (2 - p) + x1 r1 >= x2 (2 - r2) "
        "and x0 (1 + p) + x2 (1 - r2) >= x1 (1 + r1). The Robber always loses.",
        strategies((x0, x1, x2), 1, 1, p, r1, r2),
        (
            *NIGHT_MIX,
            *UNIT_P,
            r1 >= 0,
            r1 <= 1,
            r2 >= 0,
            r2 <= 1,
            x0 * (2 - p) + x1 * r1 >= x2 * (2 - r2),
            x0 * (1 + p) + x2 * (1 - r2) >= x1 * (1 + r1),
        ),
        (1 - 2 * x2, 1 - 2 * x1, -1),
    ),
    family(
        "IVa",
        "the Robber never robs P2 (and stays with x0 <= 1/2) and votes P1 unless it robbed P2; P2 "
        "votes P1, and P1 votes P3 with any probability q1.",
        strategies((x0, 1 - x0, 0), q1, 0, 1),
        (x0 >= 0, x0 <= HALF, q1 >= 0, q1 <= 1),
        (-1, 1 - 2 * x0, 1),
    ),
    family(
        "IVb",
        "the mirror image of IVa.",
        strategies((x0, 0, 1 - x0), 0, q2, 0),
        (x0 >= 0, x0 <= HALF, q2 >= 0, q2 <= 1),
        (1 - 2 * x0, -1, 1),
    ),
    family(
        "Va",
        "the Robber stays or robs P1, alike, and votes P1 unless it robbed P2; P1 votes P3, and P2 "
        "votes P3 with any probability q2.",
        strategies((HALF, HALF, 0), 1, q2, 1),
        (q2 >= 0, q2 <= 1),
        (2 * q2 - 1, 0, 1 - 2 * q2),
    ),
    family(
        "Vb",
        "the mirror image of Va.",
        strategies((HALF, 0, HALF), q1, 1, 0),
        (q1 >= 0, q1 <= 1),
        (0, 2 * q1 - 1, 1 - 2 * q1),
    ),
)

BEYOND: tuple[Claim, ...] = (
    RegionClaim(
        "onuw_werewolves_vote_each_other",
        DERIVED,
        "The Werewolves vote for each other and the Robber votes for the robbed player: an "
        "equilibrium exactly where gamma >= alpha (1 - p) and beta >= alpha p.",
        GAME,
        Assessment(strategies((alpha, beta, gamma), 0, 0, p), assumptions=(*SIMPLEX, *UNIT_P)),
        sympy.And(gamma >= alpha * (1 - p), beta >= alpha * p),
    ),
    RegionClaim(
        "onuw_werewolves_vote_robber",
        DERIVED,
        "Both Werewolves vote P3 and the Robber votes for the robbed player: an equilibrium "
        "exactly where alpha (2 - p) + beta >= 2 gamma and alpha (1 + p) + gamma >= 2 beta.",
        GAME,
        Assessment(strategies((alpha, beta, gamma), 1, 1, p), assumptions=(*SIMPLEX, *UNIT_P)),
        sympy.And(alpha * (2 - p) + beta >= 2 * gamma, alpha * (1 + p) + gamma >= 2 * beta),
    ),
    EquilibriumClaim(
        "onuw_robber_payoffs",
        DERIVED,
        "The Robber's equilibrium payoff may be any t in [-1, 1]: that of family Va in which P2 "
        "votes P3 with probability (1 - t)/2.",
        GAME,
        Assessment(strategies((HALF, HALF, 0), 1, (1 - t) / 2, 1), assumptions=(t >= -1, t <= 1)),
        values=(-t, 0, t),
    ),
    EquivalenceClaim(
        "onuw_messages_cannot_move_alpha",
        DERIVED,
        "In an equilibrium of a game in which the Robber speaks before the vote, all messages that "
        "it sends give it the same payoff. Of two messages that lead to beliefs of Theorem 4.2, "
        "this is so exactly if both leave the same alpha.",
        sympy.Eq(U3_4_2, U3_4_2.subs(alpha, other_alpha)),
        sympy.Eq(alpha, other_alpha),
        (
            alpha >= Fraction(1, 4),
            alpha <= HALF,
            other_alpha >= Fraction(1, 4),
            other_alpha <= HALF,
        ),
    ),
    EquilibriumClaim(
        "onuw_theorem_4_1_official",
        f"{DERIVED}; after Theorem 4.1 of Jin et al. 2024",
        "The profiles of Theorem 4.1 are equilibria under the printed rules, too.",
        "onuw_robber3_official",
        Assessment(
            strategies((0, HALF, HALF), 0, 0, p),
            {P1: (0, HALF, HALF), P2: (0, HALF, HALF)},
            UNIT_P,
        ),
        values=(0, 0, 1),
    ),
)

ROBBED_VOTE: dict[str, dict[str, Exact]] = {
    AFTER_S1: {"vote P1": 1},
    AFTER_S2: {"vote P2": 1},
}
"""Uniform play, except that the Robber votes for the player it robbed."""

BIAS: tuple[Claim, ...] = tuple(
    FrequencyClaim(
        f"onuw_bias_{name}_{games}_games",
        DERIVED,
        f"{policy[0].upper()}{policy[1:]} has NashConv {true}, but the frequencies of its actions "
        f"in {games} games have {mean} on average.",
        GAME,
        changes,
        games,
        Fraction(mean),
        Fraction(1, 100),
    )
    for name, policy, true, changes, games, mean in (
        ("uniform", "uniform play", "1/3", {}, 10, "0.67"),
        ("robbed_vote", "the equilibrium onuw_nash_conv_robbed_vote", "0", ROBBED_VOTE, 10, "0.37"),
        (
            "robbed_vote",
            "the equilibrium onuw_nash_conv_robbed_vote",
            "0",
            ROBBED_VOTE,
            30,
            "0.215",
        ),
    )
)

CLAIMS: tuple[Claim, ...] = (*FAMILIES, *BEYOND, *BIAS)
