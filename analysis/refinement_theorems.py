"""Known equilibria of the games that tell equilibrium concepts apart.

Symbols: m is a belief; q, r and x are probabilities of actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy

from ..games.rules import Exact
from .claims import Claim
from .stating import HALF, QUARTER, SEQUENTIAL, THIRD, WEAK, claim, mix, unit

SELTEN_1975 = "Selten (1975), Figure 1"
GIBBONS = "Gibbons (1992), Game Theory for Applied Economists"
KOHLBERG_MERTENS = "after Kohlberg and Mertens (1986)"
BURNING = "after van Damme (1989) and Ben-Porath and Dekel (1992)"

m, q, r, x = sympy.symbols("m q r x", real=True)

HORSE: tuple[Claim, ...] = (
    claim(
        "selten_horse_mixed",
        SELTEN_1975,
        "Players 1 and 2 play R, player 3 plays R with any probability r up to 1/4, believing in "
        "its left node with probability 1/3.",
        {"P1: 1": "R", "P2: 2": "R", "P3: 3": mix("R", "L", r)},
        (1, 1, 1),
        game="selten_horse",
        beliefs={"P3: 3": (THIRD, 1 - THIRD)},
        where=(r >= 0, r <= QUARTER),
    ),
    claim(
        "selten_horse_pure",
        SELTEN_1975,
        "Players 1 and 2 play R, player 3 plays L, believing in its left node with any "
        "probability m up to 1/3.",
        {"P1: 1": "R", "P2: 2": "R", "P3: 3": "L"},
        (1, 1, 1),
        game="selten_horse",
        beliefs={"P3: 3": (m, 1 - m)},
        where=(m >= 0, m <= THIRD),
    ),
    claim(
        "selten_horse_not_sequential",
        SELTEN_1975,
        "Player 1 plays L, player 3 R, and player 2 would play R with probability r of at least "
        "1/3: a Nash equilibrium, subgame perfect, but player 2's plan is not rational.",
        {"P1: 1": "L", "P2: 2": mix("R", "L", r), "P3: 3": "R"},
        (3, 2, 2),
        game="selten_horse",
        where=(r >= THIRD, r <= 1),
        concepts=("nash", "subgame-perfect"),
        fails=("weak-pbe", "sequential"),
    ),
)

GIBBONS_FIGURES: tuple[Claim, ...] = (
    claim(
        "gibbons_4_1_1_equilibrium",
        f"{GIBBONS}, Figure 4.1.1",
        "(L, L') is an equilibrium with payoffs (2, 1).",
        {"P1: 1": "L", "P2: 2": "L'"},
        (2, 1),
        game="gibbons_4_1_1",
        beliefs={"P2: 2": (1, 0)},
    ),
    claim(
        "gibbons_4_1_1_empty_threat",
        f"{GIBBONS}, Figure 4.1.1",
        "(R, R') is a subgame-perfect Nash equilibrium, but R' is rational at no belief m.",
        {"P1: 1": "R", "P2: 2": "R'"},
        (1, 3),
        game="gibbons_4_1_1",
        beliefs={"P2: 2": (m, 1 - m)},
        where=unit(m),
        concepts=("nash", "subgame-perfect"),
        fails=("weak-pbe",),
    ),
    claim(
        "gibbons_4_1_3_equilibrium",
        f"{GIBBONS}, Figure 4.1.3",
        "(D, L, R') is an equilibrium with payoffs (3, 3, 3).",
        {"P1: 1": "D", "P2: 2": "L", "P3: 3": "R'"},
        (3, 3, 3),
        game="gibbons_4_1_3",
    ),
    claim(
        "gibbons_4_1_3_inconsistent",
        f"{GIBBONS}, Figure 4.1.3",
        "(A, L, L') with any belief m of at most 1/3 in L is a weak perfect Bayesian equilibrium, "
        "but not sequential nor subgame perfect: player 2 plays L.",
        {"P1: 1": "A", "P2: 2": "L", "P3: 3": "L'"},
        (2, 0, 0),
        game="gibbons_4_1_3",
        beliefs={"P3: 3": (m, 1 - m)},
        where=(m >= 0, m <= THIRD),
        concepts=WEAK,
        fails=("sequential", "subgame-perfect"),
    ),
    claim(
        "gibbons_4_1_3_inconsistent_mixed",
        f"{GIBBONS}, Figure 4.1.3",
        "A and L with L' of any probability q of at least 1/2, at the belief (1/3, 2/3), is a weak "
        "perfect Bayesian equilibrium, but not sequential.",
        {"P1: 1": "A", "P2: 2": "L", "P3: 3": mix("L'", "R'", q)},
        (2, 0, 0),
        game="gibbons_4_1_3",
        beliefs={"P3: 3": (THIRD, 1 - THIRD)},
        where=(q >= HALF, q <= 1),
        concepts=WEAK,
        fails=("sequential",),
    ),
)


def outside(
    name: str,
    statement: str,
    first: str,
    plan: str | Mapping[str, Exact],
    second: str | Mapping[str, Exact],
    **rest: Any,
) -> Claim:
    """An equilibrium of the battle of the sexes with an outside option."""
    strategies = {"P1: 1": first, "P1: 1 inside": plan, "P2: 2": second}
    values = (3, 1) if first == "In" else (2, 2)
    return claim(
        f"bos_outside_{name}", KOHLBERG_MERTENS, statement, strategies, values,
        game="bos_outside", **rest,
    )  # fmt: skip


AT_3_4 = {"P2: 2": (1 - QUARTER, QUARTER)}

BOS_OUTSIDE: tuple[Claim, ...] = (
    outside("in", "Player 1 goes in and both play T.", "In", "T", "T"),
    outside(
        "out_mixed",
        "Player 1 stays out and would play T with 3/4, player 2 with 1/4.",
        "Out",
        mix("T", "W", 1 - QUARTER),
        mix("T", "W", QUARTER),
        beliefs=AT_3_4,
    ),
    outside(
        "out_pure",
        "Player 1 stays out; both would play W.",
        "Out",
        "W",
        "W",
        beliefs={"P2: 2": (0, 1)},
    ),
    outside(
        "out_any_plan",
        "Player 1 stays out and would play T with any probability x; player 2 plays T with 1/4, "
        "believing in T with 3/4: a weak perfect Bayesian equilibrium.",
        "Out",
        mix("T", "W", x),
        mix("T", "W", QUARTER),
        beliefs=AT_3_4,
        where=unit(x),
        concepts=WEAK,
        fails=("sequential", "subgame-perfect"),
    ),
    outside(
        "out_plan_t",
        "Player 1 stays out and would play T; player 2 plays T with any q from 1/4 to 2/3, "
        "believing in T with 3/4: a weak perfect Bayesian equilibrium.",
        "Out",
        "T",
        mix("T", "W", q),
        beliefs=AT_3_4,
        where=(q >= QUARTER, 3 * q <= 2),
        concepts=WEAK,
        fails=("sequential",),
    ),
    outside(
        "out_plan_w_mixed",
        "Player 1 stays out and would play W; player 2 plays T with any q up to 1/4, believing in "
        "T with 3/4: a weak perfect Bayesian equilibrium.",
        "Out",
        "W",
        mix("T", "W", q),
        beliefs=AT_3_4,
        where=(q >= 0, q <= QUARTER),
        concepts=WEAK,
        fails=("sequential",),
    ),
    outside(
        "out_plan_w_pure",
        "Player 1 stays out and both would play W, player 2 believing in T with any m up to 3/4: a "
        "weak perfect Bayesian equilibrium.",
        "Out",
        "W",
        "W",
        beliefs={"P2: 2": (m, 1 - m)},
        where=(m >= 0, m <= 1 - QUARTER),
        concepts=WEAK,
        fails=("sequential",),
    ),
)

OTHERS: tuple[Claim, ...] = (
    claim(
        "disagreeing_beliefs_whole_plans",
        "after Myerson (1991), Figure 4.2",
        "No single move is worth changing, yet it is no weak perfect Bayesian equilibrium: at its "
        "first information set player 1 would rather change both moves.",
        {"P2: 2": "out", "P1: first": "stop", "P1: second": "r"},
        (0, 1),
        game="disagreeing_beliefs",
        beliefs={"P1: first": (1, 0), "P1: second": (0, 1)},
        concepts=("nash",),
        fails=("weak-pbe", "pbe", "sequential"),
    ),
    claim(
        "burning_money_keep",
        BURNING,
        "Player 1 burns nothing and gets its favourite equilibrium: what forward induction leaves.",
        {
            "P1: 1": "keep", "P1: 1 kept": "T", "P2: 2 kept": "T",
            "P1: 1 burnt": "T", "P2: 2 burnt": "T",
        },
        (3, 1),
        game="burning_money",
        beliefs={"P2: 2 burnt": (1, 0)},
        concepts=("subgame-perfect", *SEQUENTIAL),
    ),
    claim(
        "burning_money_burn",
        BURNING,
        "Player 1 burns 1 because both would play W otherwise: sequential, too.",
        {
            "P1: 1": "burn", "P1: 1 kept": "W", "P2: 2 kept": "W",
            "P1: 1 burnt": "T", "P2: 2 burnt": "T",
        },
        (2, 1),
        game="burning_money",
        beliefs={"P2: 2 kept": (0, 1)},
        concepts=("subgame-perfect", *SEQUENTIAL),
    ),
    claim(
        "dalek_up",
        KOHLBERG_MERTENS,
        "Player 1 plays Up, player 2 l.",
        {"P1: 1": "Up", "P2: 2": "l"},
        (3, 3),
        game="dalek",
    ),
    claim(
        "dalek_out",
        KOHLBERG_MERTENS,
        "Player 1 stays out, player 2 would play r, believing in Up with any m up to 1/4: "
        "sequential, although Down is dominated.",
        {"P1: 1": "Out", "P2: 2": "r"},
        (2, 2),
        game="dalek",
        beliefs={"P2: 2": (m, 1 - m)},
        where=(m >= 0, m <= QUARTER),
    ),
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = (*HORSE, *GIBBONS_FIGURES, *BOS_OUTSIDE, *OTHERS)
