"""Setups of Mafia that were solved by hand, computed from the game.

The mafia wins as soon as it is half of the living (parity), the day comes first, the town
eliminates by public lot, and where there are nights the mafia kills a townsperson.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .claims import Claim
from .mafia_policies import best_kills, evenly
from .mafia_theorems import MITH
from .outcome_claims import OutcomeClaim, Question


def setup(name: str, decisions: Any = evenly, outcome: str = "town", **sizes: int) -> Question:
    """How likely the town wins a preset."""
    inside = ",".join(f"{key}={value}" for key, value in sizes.items())
    return Question(f"{name}({inside})" if inside else name, outcome, decisions)


CLAIMS: tuple[Claim, ...] = (
    OutcomeClaim(
        "mafia_nightless",
        MITH,
        "Nightless: without nights the town wins with probability (T - M)/(T + M), for T "
        "townspeople and M mafiosi; up to 12 and 5.",
        {
            setup("nightless", town=t, mafia=m): Fraction(t - m, t + m)
            for m in range(1, 6)
            for t in range(m + 1, 13)
        },
    ),
    OutcomeClaim(
        "mafia_lovers",
        MITH,
        "Lovers: without nights, two mafiosi of whom one dies of grief if the other is eliminated: "
        "the town wins with probability 1 - 12/((T + 1)(T + 2)), 3/5 for T = 4; T up to 15.",
        {setup("lovers", town=t): 1 - Fraction(12, (t + 1) * (t + 2)) for t in range(3, 16)},
    ),
    OutcomeClaim(
        "mafia_white_flag",
        MITH,
        "White Flag 10:3 (the town wins once at most one mafioso is left): 1436/3003.",
        {setup("white_flag"): Fraction(1436, 3003)},
    ),
    OutcomeClaim(
        "mafia_semi_nightless",
        MITH,
        "Semi-Nightless 9:2 (no kill in nights 1 and 2): 157/385.",
        {setup("semi_nightless"): Fraction(157, 385)},
    ),
    OutcomeClaim(
        "mafia_vengeful",
        MITH,
        "Vengeful, five players without nights, Godfather, Goon and three townspeople: if the "
        "Godfather is voted out on day 1 the town wins; a townsperson voted out on day 1 takes a "
        "random player along, and the Godfather's death by that does not win: 2/5.",
        {setup("vengeful"): Fraction(2, 5)},
    ),
    OutcomeClaim(
        "mafia_red_flag",
        MITH,
        "Red Flag (the town wins once two mafiosi were voted out; the mafia may kill its own, and "
        "kills as well as it can): 80/231 with 4 mafiosi and 7 townspeople, 160/429 with 5 and 8.",
        {
            setup("red_flag", best_kills, mafia=4, town=7): Fraction(80, 231),
            setup("red_flag", best_kills, mafia=5, town=8): Fraction(160, 429),
        },
    ),
)
