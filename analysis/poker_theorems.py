"""Known equilibria of small poker games.

Symbols: b is the probability of betting the King; m and n are beliefs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from ..games.rules import Exact
from ..solvers.pbe.assessment import Belief
from .claims import Claim
from .stating import QUARTER, THIRD, WEAK, claim, mix, unit

KUHN_1950 = "Kuhn (1950)"

b, m, n = sympy.symbols("b m n", real=True)


def kuhn(bet: Exact) -> dict[str, dict[str, Exact]]:
    """Player 1 bets the King with a probability: Kuhn's family, by OpenSpiel's strings.

    A card (0, 1, 2 for Jack, Queen, King) is followed by what was played, b a bet and p a pass.
    """
    bets: dict[str, Exact] = {
        "0": bet / 3, "1": 0, "2": bet,
        "0pb": 0, "1pb": bet / 3 + THIRD, "2pb": 1,
        "0p": THIRD, "1p": 0, "2p": 1,
        "0b": 0, "1b": THIRD, "2b": 1,
    }  # fmt: skip
    return {key: mix("Bet", "Pass", probability) for key, probability in bets.items()}


def kuhn_claim(name: str, statement: str, bet: Exact, **rest: Any) -> Claim:
    """An equilibrium of Kuhn poker, worth -1/18 to player 1."""
    return claim(
        f"kuhn_poker_{name}", KUHN_1950, statement, kuhn(bet),
        (Fraction(-1, 18), Fraction(1, 18)), game="kuhn_poker", **rest,
    )  # fmt: skip


BY_LIMIT: dict[str, Belief] = {"2b": (1, 0), "0b": (0, 1), "1b": (QUARTER, 1 - QUARTER)}
"""What player 2 believes after a bet, the lower card first, if player 1 bets at all."""

KUHN: tuple[Claim, ...] = (
    kuhn_claim(
        "family",
        "For every b in [0, 1] player 1 bets the King with b and the Jack with b/3, and calls with "
        "the Queen with b/3 + 1/3; player 2 bets the Jack and calls with the Queen with 1/3. The "
        "value is -1/18.",
        b,
        beliefs={**BY_LIMIT, "2pb": (1, 0)},
        where=unit(b),
    ),
    kuhn_claim(
        "never_bet",
        "If player 1 never bets at first, player 2 may believe after a bet that it has the Jack "
        "with any m (holding the King), the Queen with (1 - m)/(1 + 2 m) (holding the Jack), and "
        "the Jack with 1/4 (holding the Queen).",
        sympy.Integer(0),
        beliefs={
            **BY_LIMIT,
            "2b": (m, 1 - m),
            "0b": ((1 - m) / (1 + 2 * m), 3 * m / (1 + 2 * m)),
        },
        where=unit(m),
    ),
    kuhn_claim(
        "never_bet_free_beliefs",
        "If player 1 never bets at first, any beliefs m and n of player 2 with the King and with "
        "the Jack make a perfect Bayesian equilibrium; most are not consistent.",
        sympy.Integer(0),
        beliefs={**BY_LIMIT, "2b": (m, 1 - m), "0b": (n, 1 - n)},
        where=(*unit(m), *unit(n)),
        concepts=WEAK,
        fails=("sequential",),
    ),
    kuhn_claim(
        "always_bet_free_belief",
        "If player 1 always bets the King, what it would believe after passing with it is free in "
        "a perfect Bayesian equilibrium; a sequential one has it believe in the Jack.",
        sympy.Integer(1),
        beliefs={"2pb": (m, 1 - m)},
        where=unit(m),
        concepts=WEAK,
        fails=("sequential",),
    ),
)

STRIPPED: tuple[Claim, ...] = (
    claim(
        "stripped_poker_bluff",
        "Reiley, Urbancic and Walker (2008)",
        "Player 1 raises red always and black with 1/3, player 2 calls with 2/3; the value is 1/3.",
        {
            "P1: red": "raise",
            "P1: black": mix("raise", "fold", THIRD),
            "P2: raised": mix("call", "pass", 2 * THIRD),
        },
        (THIRD, -THIRD),
        game="stripped_poker",
        beliefs={"P2: raised": (1 - QUARTER, QUARTER)},
    ),
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = (*KUHN, *STRIPPED)
