"""Published and derived results on the three-player ONUW theory game.

The game: P1 and P2 are Werewolves, P3 is the Robber, no cards in the centre. At night the Robber
does not switch (NS) or switches with P1 (S1) or P2 (S2); then all three vote at once. Symbols:
alpha, beta, gamma are the probabilities of NS, S1, S2; p is the Robber's probability of voting P1
after NS; q, q1, q2 are the Werewolves' probabilities of voting P3.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from ..games.exact import exact
from ..games.rules import Exact
from ..solvers.pbe import Assessment
from .claims import (
    Claim,
    EquilibriumClaim,
    EquivalenceClaim,
    IndifferenceClaim,
    LargestNashConvClaim,
    NashConvClaim,
)

GAME = "onuw_robber3"
P1 = "P1: dealt Werewolf; Werewolves P1 P2"
P2 = "P2: dealt Werewolf; Werewolves P1 P2"
NIGHT = "P3: dealt Robber"
AFTER_NS = "P3: dealt Robber; NS"
AFTER_S1 = "P3: dealt Robber; S1; now Werewolf"
AFTER_S2 = "P3: dealt Robber; S2; now Werewolf"

HALF = Fraction(1, 2)
PAPER = "Jin et al., Learning to Discuss Strategically, NeurIPS 2024 (arXiv 2405.19946)"
DERIVED = "crywolf, derived from the game"

alpha, beta, gamma, p, q1, q2, b = sympy.symbols("alpha beta gamma p q1 q2 b", real=True)
x0, x1 = sympy.symbols("x0 x1", real=True)

UNIT_P = (p >= 0, p <= 1)
SIMPLEX = (alpha >= 0, beta >= 0, gamma >= 0, sympy.Eq(alpha + beta + gamma, 1))
DOMAIN_4_2 = (
    alpha >= Fraction(1, 4),
    alpha <= HALF,
    beta**2 - gamma**2 <= alpha**2,
    gamma**2 - beta**2 <= alpha**2,
)
Q_4_2 = (beta + gamma - alpha) / (2 * alpha)
P_4_2 = (alpha**2 + beta**2 - gamma**2) / (2 * alpha**2)
U3_4_2 = (4 * alpha**2 + 2 * alpha - 1) / (4 * alpha**2)


def strategies(
    night: tuple[Exact, Exact, Exact],
    q_one: Exact,
    q_two: Exact,
    after_ns: Exact,
    after_s1: Exact = 1,
    after_s2: Exact = 0,
) -> dict[str, dict[str, Exact]]:
    """A profile, in which the Robber by default votes for the player it robbed.

    Args:
        night: probabilities of NS, S1, S2.
        q_one: P1's probability of voting P3 (else it votes P2).
        q_two: P2's probability of voting P3 (else it votes P1).
        after_ns: P3's probability of voting P1 after NS (else it votes P2).
        after_s1: the same after S1.
        after_s2: the same after S2.
    """
    return {
        NIGHT: dict(zip(("NS", "S1", "S2"), night, strict=True)),
        AFTER_NS: {"vote P1": after_ns, "vote P2": 1 - after_ns},
        AFTER_S1: {"vote P1": after_s1, "vote P2": 1 - after_s1},
        AFTER_S2: {"vote P1": after_s2, "vote P2": 1 - after_s2},
        P1: {"vote P2": 1 - q_one, "vote P3": q_one},
        P2: {"vote P1": 1 - q_two, "vote P3": q_two},
    }


def theorem_4_2_profile(a: Exact, b_: Exact, c: Exact) -> dict[str, dict[str, Exact]]:
    """The profile of Theorem 4.2 at numbers, the Robber mixing its night move as (a, b, c)."""
    values = {alpha: a, beta: b_, gamma: c}
    q, after_ns = (exact(f.subs(values)) for f in (Q_4_2, P_4_2))
    return strategies((a, b_, c), q, q, after_ns)


CLAIMS: tuple[Claim, ...] = (
    EquilibriumClaim(
        "onuw_theorem_4_1",
        f"{PAPER}, Theorem 4.1",
        "Without discussion: the Robber switches with each Werewolf with probability 1/2 and "
        "votes for that player, the Werewolves vote for each other, and after NS (off the path) "
        "the Robber votes P1 with any probability p. For every p in [0, 1] this is a perfect "
        "Bayesian equilibrium with beliefs (0, 1/2, 1/2) on (NS, S1, S2) and payoffs (0, 0, 1).",
        GAME,
        Assessment(
            strategies((0, HALF, HALF), 0, 0, p),
            {P1: (0, HALF, HALF), P2: (0, HALF, HALF)},
            UNIT_P,
        ),
        values=(0, 0, 1),
    ),
    EquilibriumClaim(
        "onuw_theorem_4_2",
        f"{PAPER}, Theorem 4.2",
        "With beliefs (alpha, beta, gamma) on (NS, S1, S2) given to both Werewolves by the "
        "discussion, 1/4 <= alpha <= 1/2 and |beta^2 - gamma^2| <= alpha^2: each Werewolf votes "
        "P3 with probability (beta + gamma - alpha)/(2 alpha), the Robber votes P1 after NS with "
        "probability (alpha^2 + beta^2 - gamma^2)/(2 alpha^2) and votes for the robbed player "
        "otherwise. It is an equilibrium whatever the Robber did at night; the Robber gets (4 "
        "alpha^2 + 2 alpha - 1)/(4 alpha^2) after every night move, P1 expects (2 gamma - 1) and "
        "P2 (2 beta - 1) times that.",
        GAME,
        Assessment(
            strategies((x0, x1, 1 - x0 - x1), Q_4_2, Q_4_2, P_4_2),
            assumptions=(*SIMPLEX, *DOMAIN_4_2, x0 >= 0, x1 >= 0, x0 + x1 <= 1),
        ),
        set_values={
            AFTER_NS: U3_4_2,
            AFTER_S1: U3_4_2,
            AFTER_S2: U3_4_2,
            P1: (2 * gamma - 1) * U3_4_2,
            P2: (2 * beta - 1) * U3_4_2,
        },
        fixed_beliefs={P1: (alpha, beta, gamma), P2: (alpha, beta, gamma)},
    ),
    EquivalenceClaim(
        "onuw_theorem_4_2_domain",
        f"{DERIVED}; completes Theorem 4.2 of Jin et al. 2024",
        "For beliefs with alpha > 0, the formulas of Theorem 4.2 are probabilities exactly where "
        "1/4 <= alpha <= 1/2 and |beta^2 - gamma^2| <= alpha^2.",
        sympy.And(Q_4_2 >= 0, Q_4_2 <= 1, P_4_2 >= 0, P_4_2 <= 1),
        sympy.And(*DOMAIN_4_2),
        (*SIMPLEX, alpha > 0),
    ),
    IndifferenceClaim(
        "onuw_homogeneous_werewolves",
        f"{DERIVED}; the assumption of Theorem 4.2 of Jin et al. 2024",
        "The Werewolves need not be assumed alike: after NS the Robber is indifferent between its "
        "two votes exactly if both Werewolves vote P3 with the same probability.",
        GAME,
        Assessment(
            strategies((HALF, HALF, 0), q1, q2, p),
            assumptions=(*UNIT_P, q1 >= 0, q1 <= 1, q2 >= 0, q2 <= 1),
        ),
        AFTER_NS,
        ("vote P1", "vote P2"),
        sympy.Eq(q1, q2),
    ),
    EquilibriumClaim(
        "onuw_theorem_4_2_without_discussion",
        DERIVED,
        "The profiles of Theorem 4.2 are equilibria of the whole game without any discussion, if "
        "the Robber mixes its night move as (alpha, beta, gamma).",
        GAME,
        Assessment(
            strategies((alpha, beta, gamma), Q_4_2, Q_4_2, P_4_2),
            assumptions=(*SIMPLEX, *DOMAIN_4_2),
        ),
        values=((2 * gamma - 1) * U3_4_2, (2 * beta - 1) * U3_4_2, U3_4_2),
    ),
    EquilibriumClaim(
        "onuw_always_rob_p1",
        DERIVED,
        "The Robber always switches with P1 and votes P1, the Werewolves vote for each other: an "
        "equilibrium for every vote p after NS, with payoffs (-1, 1, 1).",
        GAME,
        Assessment(strategies((0, 1, 0), 0, 0, p), {P1: (0, 1, 0), P2: (0, 1, 0)}, UNIT_P),
        values=(-1, 1, 1),
    ),
    EquilibriumClaim(
        "onuw_never_rob",
        DERIVED,
        "The Robber never switches and both Werewolves vote P3: an equilibrium for every vote p "
        "after NS, with payoffs (1, 1, -1), the worst for the Robber.",
        GAME,
        Assessment(strategies((1, 0, 0), 1, 1, p), {P1: (1, 0, 0), P2: (1, 0, 0)}, UNIT_P),
        values=(1, 1, -1),
    ),
    EquilibriumClaim(
        "onuw_symmetric_family",
        DERIVED,
        "For every b in [0, 1]: the Werewolves vote P3 with probability b, the Robber does not "
        "switch with probability 1/(2(1+b)), switches with each with (1+2b)/(4(1+b)), votes P1 or "
        "P2 alike after NS and the robbed player otherwise. The Robber's payoff is 1 - b - b^2.",
        GAME,
        Assessment(
            strategies(
                (1 / (2 * (1 + b)), (1 + 2 * b) / (4 * (1 + b)), (1 + 2 * b) / (4 * (1 + b))),
                b,
                b,
                HALF,
            ),
            assumptions=(b >= 0, b <= 1),
        ),
        values=(None, None, 1 - b - b**2),
    ),
    NashConvClaim(
        "onuw_nash_conv_uniform",
        DERIVED,
        "The uniform profile has NashConv 1/3.",
        GAME,
        {},
        Fraction(1, 3),
    ),
    NashConvClaim(
        "onuw_nash_conv_robbed_vote",
        DERIVED,
        "Uniform play, except that the Robber votes for the player it robbed, has NashConv 0 and "
        "payoffs (-1/12, -1/12, 1/4).",
        GAME,
        {AFTER_S1: {"vote P1": 1}, AFTER_S2: {"vote P2": 1}},
        Fraction(0),
        (Fraction(-1, 12), Fraction(-1, 12), Fraction(1, 4)),
    ),
    LargestNashConvClaim(
        "onuw_largest_nash_conv",
        DERIVED,
        "No profile has a NashConv above 3, and some profile has 3.",
        GAME,
        Fraction(3),
    ),
)
