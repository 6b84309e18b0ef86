"""What cheap talk does to the equilibria of the three-player ONUW theory game, as claims.

Symbols as in `onuw_families`; u is the Robber's payoff, -s1 u and -s2 u are the Werewolves'. Of
equilibria with talk, w, w1 and w2 are probabilities of messages, t is a difference beta - gamma.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from ..games.rules import Exact
from ..solvers.pbe import Assessment
from . import onuw_families as silent
from .claims import Claim, EquilibriumClaim
from .onuw_talk import GAME, Strategies, alike, lottery, never_p1, never_p2
from .onuw_theorems import DERIVED, HALF, U3_4_2, UNIT_P, alpha, p, strategies
from .onuw_theorems import GAME as SILENT
from .set_claims import ImplicationClaim, ProjectionClaim, PublicMessageClaim, Witness
from .stating import QUARTER, all_of, unit

s1, s2, u, u1, u2, w, w1, w2 = sympy.symbols("s1 s2 u u1 u2 w w1 w2", real=True)
t, x0, x1, x2, q, r1, r2 = silent.t, silent.x0, silent.x1, silent.x2, silent.q, silent.r1, silent.r2

ALPHA = (alpha >= QUARTER, alpha <= HALF)
BETWEEN = (
    *ALPHA,
    u > -1,
    u < 1,
    sympy.Ne(u, 0),
    sympy.Eq(4 * (1 - u) * alpha**2 + 2 * alpha - 1, 0),
)
"""Payoffs of the Robber at which talk makes a difference, and their alpha of Theorem 4.2."""

SIDE = 2 * alpha**2
ALONE = all_of(sympy.Eq(s1, 1), sympy.Eq(s2, 0))
OTHER = all_of(sympy.Eq(s1, 0), sympy.Eq(s2, 1))
SEGMENT = all_of(
    sympy.Eq(s1 + s2, 2 * alpha),
    (1 - alpha) * (s1 - s2) <= SIDE,
    (1 - alpha) * (s2 - s1) <= SIDE,
)
WITHOUT_TALK = sympy.Or(ALONE, OTHER, SEGMENT)
ABOVE = all_of(s1 + s2 >= 2 * alpha, alpha * s1 + s2 >= alpha, s1 + alpha * s2 >= alpha)
WITH_TALK = all_of(ABOVE, s1 + s2 <= 1)

ROBBER_WINS = all_of(u1 >= -1, u2 >= -1, u1 + u2 >= -1, u1 + u2 <= 0)
ROBBER_LOSES = all_of(u1 <= 1, u2 <= 1, u1 + u2 >= HALF, 3 * u1 + u2 >= 0, u1 + 3 * u2 >= 0)

TILTED = ((1 - alpha) * t <= alpha**2, (alpha - 1) * t <= alpha**2)
SHARES = tuple(wi + (1 - w1 - w2) * (alpha + ti) for wi, ti in ((w1, t), (w2, -t)))
WEIGHTS = (w1 >= 0, w2 >= 0, w1 + w2 < 1)


def paying(*values: Exact) -> dict[str, Any]:
    """Of each family of silent equilibria the members with these payoffs, as a condition."""
    found = {}
    for claim in silent.FAMILIES:
        assert isinstance(claim, EquilibriumClaim)
        found[claim.name] = all_of(
            *claim.assessment.assumptions,
            *(sympy.Eq(have, want) for have, want in zip(claim.values, values, strict=True)),
        )
    return found


def spoken(
    name: str,
    statement: str,
    draws: Mapping[str, tuple[Exact, Strategies]],
    where: tuple[Any, ...],
    values: tuple[Exact, Exact, Exact],
) -> EquilibriumClaim:
    """Equilibria with talk: messages that are each followed by an equilibrium without."""
    drawn = lottery(draws)
    return EquilibriumClaim(
        name, DERIVED, statement, GAME, Assessment(drawn.strategies, drawn.beliefs, where),
        concepts=("sequential",), values=values,
    )  # fmt: skip


def even(stay: Exact, q_: Exact, after_s1: Exact, after_s2: Exact) -> Strategies:
    """A silent profile that treats P1 and P2 alike."""
    rest = (1 - stay) / 2
    return strategies((stay, rest, rest), q_, q_, HALF, after_s1, after_s2)


_FAMILY = "onuw_family_"


def _weights() -> dict[Any, Any]:
    """Weights and t of three messages that give the shares (s1, s2)."""
    rest = (1 - s1 - s2) / (1 - 2 * alpha)
    # How far it leans to one side, from -1 to 1; the beliefs and the two other messages alike.
    lean = (s1 - s2) / (1 - rest + rest * SIDE / (1 - alpha))
    tilt = lean * alpha**2 / (1 - alpha)
    values = {t: tilt, w1: (1 - rest) * (1 + lean) / 2, w2: (1 - rest) * (1 - lean) / 2}
    return {symbol: sympy.cancel(value) for symbol, value in values.items()}


CLAIMS: tuple[Claim, ...] = (
    PublicMessageClaim(
        "onuw_talk_is_cheap",
        DERIVED,
        "If the Robber speaks before the vote, the game after each message is the game without "
        "talk after the night. So after every message that is said, the Werewolves' belief and the "
        "votes are an equilibrium without talk, and all of these pay the Robber the same; and "
        "every lottery over three such equilibria is an equilibrium with talk.",
        GAME,
        SILENT,
    ),
    ProjectionClaim(
        "onuw_silent_payoffs",
        DERIVED,
        "Without talk, where the Robber gets u with 0 < |u| < 1, the Werewolves get -s1 u and "
        "-s2 u, where (s1, s2) is (1, 0), or (0, 1), or s1 + s2 = 2 alpha and (1 - alpha) |s1 - "
        "s2| <= 2 alpha^2, with u = (4 alpha^2 + 2 alpha - 1)/(4 alpha^2).",
        paying(-s1 * u, -s2 * u, u),
        WITHOUT_TALK,
        (
            Witness(f"{_FAMILY}va", ALONE, {silent.q2: (1 - u) / 2}),
            Witness(f"{_FAMILY}vb", OTHER, {silent.q1: (1 - u) / 2}),
            Witness(
                f"{_FAMILY}ii",
                SEGMENT,
                {
                    x0: alpha,
                    x1: (1 - s2) / 2,
                    x2: (1 - s1) / 2,
                    q: (1 - 2 * alpha) / (2 * alpha),
                    p: HALF + (1 - alpha) * (s1 - s2) / (4 * alpha**2),
                },
            ),
        ),
        BETWEEN,
    ),
    ImplicationClaim(
        "onuw_talk_hull",
        DERIVED,
        "The convex hull of these (s1, s2) is the trapezium 2 alpha <= s1 + s2 <= 1, alpha s1 + s2 "
        ">= alpha, s1 + alpha s2 >= alpha: no more is possible with talk.",
        all_of(
            sympy.Implies(WITHOUT_TALK, WITH_TALK),
            *(
                WITHOUT_TALK.subs({s1: one, s2: two}, simultaneous=True)
                for one, two in (
                    (alpha / (1 - alpha), alpha * (1 - 2 * alpha) / (1 - alpha)),
                    (alpha * (1 - 2 * alpha) / (1 - alpha), alpha / (1 - alpha)),
                )
            ),
        ),
        (*ALPHA, alpha < HALF),
    ),
    spoken(
        "onuw_talk_three_messages",
        "Three messages, three reactions: to one, with probability 1 - w1 - w2 > 0, the Werewolves "
        "vote as in Theorem 4.2 with beta - gamma = t, to the others as in families Va and Vb. For "
        "every alpha in [1/4, 1/2) an equilibrium; the Robber gets U3 of Theorem 4.2.",
        {
            "NS": (1 - w1 - w2, alike(alpha, t)),
            "S1": (w1, never_p2(U3_4_2)),
            "S2": (w2, never_p1(U3_4_2)),
        },
        (*ALPHA, alpha < HALF, *TILTED, *WEIGHTS),
        (-SHARES[0] * U3_4_2, -SHARES[1] * U3_4_2, U3_4_2),
    ),
    ProjectionClaim(
        "onuw_talk_payoffs",
        DERIVED,
        "The payoffs of onuw_talk_three_messages are the whole trapezium but for its side s1 + s2 "
        "= 1, which onuw_talk_two_reactions has: all of it is possible with talk.",
        {
            "three messages": all_of(
                *TILTED, *WEIGHTS, sympy.Eq(s1, SHARES[0]), sympy.Eq(s2, SHARES[1])
            )
        },
        all_of(ABOVE, s1 + s2 < 1),
        (Witness("three messages", sympy.true, _weights()),),
        (*ALPHA, alpha < HALF),
    ),
    spoken(
        "onuw_talk_two_reactions",
        "Having stayed, the Robber says that it robbed one of the Werewolves, P1 with probability "
        "w; having robbed one, it tells the truth. The Werewolf that is named votes P3, the other "
        "now and then. For every u in [-1, 1] and w in [0, 1] an equilibrium with payoffs (-w u, "
        "-(1 - w) u, u).",
        {"S1": (w, never_p2(u)), "S2": (1 - w, never_p1(u))},
        (*unit(w), u >= -1, u <= 1),
        (-w * u, -(1 - w) * u, u),
    ),
    ImplicationClaim(
        "onuw_talk_adds_payoffs",
        DERIVED,
        "Talk adds payoffs: where 0 < |u| < 1, (-u/2, -u/2, u), which onuw_talk_two_reactions has, "
        "is none of the payoffs without talk.",
        sympy.Not(WITHOUT_TALK.subs({s1: HALF, s2: HALF})),
        BETWEEN,
    ),
    spoken(
        "onuw_talk_moves_beliefs",
        "Talk can inform where it changes no vote of a Werewolf. In Theorem 4.2 a message cannot "
        "move alpha, but beta - gamma it can: here to t or -t, for any t with (1 - alpha) |t| <= "
        "alpha^2. The Robber's vote after NS goes along with it.",
        {"S1": (HALF, alike(alpha, t)), "S2": (HALF, alike(alpha, -t))},
        (*ALPHA, alpha < HALF, *TILTED),
        (-alpha * U3_4_2, -alpha * U3_4_2, U3_4_2),
    ),
    spoken(
        "onuw_talk_honest",
        "The Robber robs either Werewolf, truly says whom (or, with probability w, says that it "
        "stayed, having stayed with any probability alpha of at most 1/2), the Werewolves vote for "
        "each other, and the Robber always wins: where it gets 1, messages can move alpha.",
        {
            "NS": (w, even(alpha, 0, 1, 0)),
            "S1": ((1 - w) / 2, strategies((0, 1, 0), 0, 0, p)),
            "S2": ((1 - w) / 2, strategies((0, 0, 1), 0, 0, p)),
        },
        (alpha >= 0, alpha <= HALF, w >= 0, w < 1, *UNIT_P),
        (-w * alpha, -w * alpha, 1),
    ),
    spoken(
        "onuw_talk_in_vain",
        "Whether the Robber stayed, and truly says so, or stayed with any probability alpha of at "
        "least 1/4, both Werewolves vote P3, and the Robber always loses: where it gets -1, "
        "messages can move alpha, too.",
        {"NS": (1 - w, strategies((1, 0, 0), 1, 1, HALF)), "S1": (w, even(alpha, 1, r1, 1 - r1))},
        (alpha >= QUARTER, alpha < 1, w > 0, w <= 1, *unit(r1)),
        (1 - w * (1 - alpha), 1 - w * (1 - alpha), -1),
    ),
    ProjectionClaim(
        "onuw_silent_payoffs_even",
        DERIVED,
        "Without talk, where the Robber gets 0, so does everybody: talk adds nothing to it.",
        paying(u1, u2, 0),
        all_of(sympy.Eq(u1, 0), sympy.Eq(u2, 0)),
        (Witness(f"{_FAMILY}va", sympy.true, {silent.q2: HALF}),),
    ),
    ProjectionClaim(
        "onuw_silent_payoffs_robber_wins",
        DERIVED,
        "Without talk, where the Robber always wins, the Werewolves' payoffs are all (u1, u2) with "
        "u1 >= -1, u2 >= -1 and -1 <= u1 + u2 <= 0. The set is convex: talk adds nothing to it.",
        paying(u1, u2, 1),
        ROBBER_WINS,
        (
            Witness(
                f"{_FAMILY}i",
                sympy.true,
                {
                    x0: -(u1 + u2) / 2,
                    x1: (1 + u2) / 2,
                    x2: (1 + u1) / 2,
                    p: (1 + u2) / (2 + u1 + u2),
                },
            ),
        ),
    ),
    ProjectionClaim(
        "onuw_silent_payoffs_robber_loses",
        DERIVED,
        "Without talk, where the Robber always loses, the Werewolves' payoffs are all (u1, u2) "
        "with u1 <= 1, u2 <= 1, u1 + u2 >= 1/2, 3 u1 + u2 >= 0 and u1 + 3 u2 >= 0. The set is "
        "convex: talk adds nothing to it.",
        paying(u1, u2, -1),
        ROBBER_LOSES,
        tuple(
            Witness(
                f"{_FAMILY}iii",
                case,
                {
                    x0: (u1 + u2) / 2,
                    x1: (1 - u2) / 2,
                    x2: (1 - u1) / 2,
                    p: 1 - share,
                    r1: share,
                    r2: share,
                },
            )
            for share, case in (
                (1 - (3 * u1 + u2) / 2, 3 * u1 + u2 <= 2),
                (sympy.Integer(0), 3 * u1 + u2 >= 2),
            )
        ),
    ),
)
