"""Equilibria of textbook games that are known: families with symbols, and what each satisfies.

A family is named by its closure: at its ends beliefs are those that the inside suggests.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from .claims import Claim
from .poker_theorems import CLAIMS as POKER
from .refinement_theorems import CLAIMS as REFINEMENTS
from .signalling_theorems import CLAIMS as SIGNALLING
from .stating import HALF, SEQUENTIAL, THIRD, claim, mix

ROSENTHAL = "Rosenthal (1981); payoffs of McKelvey and Palfrey (1992)"
MINIGAME = "Gale, Binmore and Samuelson (1995)"

r = sympy.Symbol("r", real=True)

IN_TURN: tuple[Claim, ...] = (
    claim(
        "entry_accommodate",
        "after Selten (1978)",
        "The entrant comes in and the incumbent accommodates.",
        {"P1: entrant": "In", "P2: incumbent": "Accommodate"},
        (1, 1),
        game="entry",
        concepts=("subgame-perfect", *SEQUENTIAL),
    ),
    claim(
        "entry_empty_threat",
        "after Selten (1978)",
        "That the entrant stays out because the incumbent would fight (with any probability r of "
        "at least 1/2) is a Nash equilibrium, but not subgame perfect.",
        {"P1: entrant": "Out", "P2: incumbent": mix("Fight", "Accommodate", r)},
        (0, 2),
        game="entry",
        where=(r >= HALF, r <= 1),
        concepts=("nash",),
        fails=("subgame-perfect", "weak-pbe"),
    ),
    claim(
        "chain_store_paradox",
        "Selten (1978)",
        "Both entrants enter and the chain cooperates, whatever happened before.",
        {
            "P1: store 1": "in",
            "P3: store 1, entered": "cooperate",
            **{f"P2: store 2 after {deed}": "in" for deed in ("out", "cooperate", "fight")},
            **{
                f"P3: store 2 after {deed}, entered": "cooperate"
                for deed in ("out", "cooperate", "fight")
            },
        },
        (2, 2, 4),
        game="chain_store",
        concepts=("subgame-perfect", *SEQUENTIAL),
    ),
    *(
        claim(
            f"centipede_{moves}_moves",
            ROSENTHAL,
            f"In the game of {moves} moves every player takes at once.",
            {f"P{1 + turn % 2}: move {turn + 1}": "take" for turn in range(moves)},
            (4, 1),
            game=f"centipede(moves={moves})",
            concepts=("subgame-perfect", *SEQUENTIAL),
        )
        for moves in (4, 6)
    ),
    claim(
        "ultimatum_low_offer",
        MINIGAME,
        "The low offer is made and accepted.",
        {"P1: proposer": "low", "P2: low offer": "accept"},
        (3, 1),
        game="ultimatum",
        concepts=("subgame-perfect", *SEQUENTIAL),
    ),
    claim(
        "ultimatum_high_offer",
        MINIGAME,
        "The high offer is made because the low one would be rejected with a probability r of at "
        "least 1/3: a Nash equilibrium, but not subgame perfect.",
        {"P1: proposer": "high", "P2: low offer": mix("reject", "accept", r)},
        (2, 2),
        game="ultimatum",
        where=(r >= THIRD, r <= 1),
        concepts=("nash",),
        fails=("subgame-perfect",),
    ),
    claim(
        "trust_abused",
        "Kreps (1990)",
        "Trust would be abused and is not given.",
        {"P1: 1": "distrust", "P2: trusted": "abuse"},
        (0, 0),
        game="trust",
        concepts=("subgame-perfect", *SEQUENTIAL),
    ),
)  # fmt: skip

AT_ONCE: tuple[Claim, ...] = (
    claim(
        "matching_pennies_mixed",
        "von Neumann and Morgenstern (1944)",
        "Both show either side alike; the value is 0.",
        {"P1: 1": mix("heads", "tails", HALF), "P2: 2": mix("heads", "tails", HALF)},
        (0, 0),
        game="matching_pennies",
    ),
    claim(
        "prisoners_dilemma_defection",
        "Tucker (1950)",
        "Both defect.",
        {"P1: 1": "defect", "P2: 2": "defect"},
        (1, 1),
        game="prisoners_dilemma",
    ),
    claim(
        "battle_of_the_sexes_mixed",
        "Luce and Raiffa (1957)",
        "Each goes where it likes best with probability 2/3; both get 2/3.",
        {
            "P1: 1": mix("bach", "stravinsky", 2 * THIRD),
            "P2: 2": mix("bach", "stravinsky", THIRD),
        },
        (2 * THIRD, 2 * THIRD),
        game="battle_of_the_sexes",
    ),
    claim(
        "chicken_mixed",
        "Aumann (1974)",
        "Each dares with probability 1/3; both get 14/3.",
        {"P1: 1": mix("dare", "yield", THIRD), "P2: 2": mix("dare", "yield", THIRD)},
        (Fraction(14, 3), Fraction(14, 3)),
        game="chicken",
    ),
    claim(
        "stag_hunt_mixed",
        "after Rousseau (1755)",
        "Each hunts the stag with probability 1/2; both get 1, as from hares.",
        {"P1: 1": mix("stag", "hare", HALF), "P2: 2": mix("stag", "hare", HALF)},
        (1, 1),
        game="stag_hunt",
    ),
    claim(
        "majority_chairmans_paradox",
        "Farquharson (1969)",
        "The chairman votes for its favourite a, the others for c, and c wins, which the chairman "
        "likes least.",
        {"P1: 1": "a", "P2: 2": "c", "P3: 3": "c"},
        (0, 1, 2),
        game="majority",
    ),
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = (*REFINEMENTS, *SIGNALLING, *POKER, *IN_TURN, *AT_ONCE)
