"""Known equilibria of signalling games.

Symbols: m is a belief, r the probability of a threat, p a prior; x and y are probabilities of a
message.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from ..games import textbook
from ..games.rules import Exact
from .claims import Claim
from .stating import HALF, THIRD, claim, mix

CHO_KREPS = "Cho and Kreps (1987)"

m, p, r, x, y = sympy.symbols("m p r x y", real=True)


def pooling(meal: str, other: str, threat: str | Mapping[str, Exact]) -> dict[str, Any]:
    """Both types have one meal, after which player 2 retreats."""
    return {
        "P1: weak": meal,
        "P1: strong": meal,
        f"P2: {meal}": "retreat",
        f"P2: {other}": threat,
    }


def poolings(meal: str, other: str, values: tuple[Exact, Exact]) -> tuple[Claim, Claim]:
    """The two families of beer-quiche at prior 1/10 in which both types have one meal."""
    told = f"Both types have {meal}; after {other} player 2"
    return (
        claim(
            f"beer_quiche_{meal}_mixed_threat",
            CHO_KREPS,
            f"{told} believes in either type alike and fights with any probability r of at least "
            "1/2.",
            pooling(meal, other, mix("fight", "retreat", r)),
            values,
            game="beer_quiche",
            beliefs={f"P2: {other}": (HALF, HALF)},
            where=(r >= HALF, r <= 1),
        ),
        claim(
            f"beer_quiche_{meal}_pure_threat",
            CHO_KREPS,
            f"{told} fights, believing in the weak type with any probability m of at least 1/2.",
            pooling(meal, other, "fight"),
            values,
            game="beer_quiche",
            beliefs={f"P2: {other}": (m, 1 - m)},
            where=(m >= HALF, m <= 1),
        ),
    )


BEER_QUICHE: tuple[Claim, ...] = (
    *poolings("beer", "quiche", (Fraction(29, 10), Fraction(9, 10))),
    *poolings("quiche", "beer", (Fraction(21, 10), Fraction(9, 10))),
    *(
        claim(
            f"beer_quiche_{meal}_any_prior",
            CHO_KREPS,
            f"With any probability p < 1/2 of the weak type, both types have {meal} and player 2 "
            f"fights after {other}, believing in the weak type with any m of at least 1/2.",
            pooling(meal, other, "fight"),
            values,
            game=textbook.beer_quiche(p),
            beliefs={f"P2: {other}": (m, 1 - m)},
            where=(p < HALF, m >= HALF, m <= 1),
        )
        for meal, other, values in (
            ("beer", "quiche", (3 - p, 1 - p)),
            ("quiche", "beer", (2 + p, 1 - p)),
        )
    ),
    claim(
        "beer_quiche_semi_separating",
        CHO_KREPS,
        "With any probability p > 1/2 of the weak type: the strong one has beer, the weak one with "
        "probability (1 - p)/p; player 2 fights with 1/2 after beer and always after quiche.",
        {
            "P1: weak": mix("beer", "quiche", (1 - p) / p),
            "P1: strong": "beer",
            "P2: beer": mix("fight", "retreat", HALF),
            "P2: quiche": "fight",
        },
        (2 - p, p),
        game=textbook.beer_quiche(p),
        where=(p > HALF,),
    ),
)

TALK_SOURCE = "crywolf, derived from the game; after Crawford and Sobel (1982)"

CHEAP_TALK: tuple[Claim, ...] = (
    *(
        claim(
            f"cheap_talk_separating_{name}",
            TALK_SOURCE,
            f"Type 1 says {one}, type 2 says {two}, and the receiver does what fits: both get 3.",
            {"P1: t1": one, "P1: t2": two, f"P2: {one}": "a1", f"P2: {two}": "a2"},
            (3, 3),
            game="cheap_talk",
        )
        for name, one, two in (("12", "m1", "m2"), ("21", "m2", "m1"))
    ),
    claim(
        "cheap_talk_babbling",
        TALK_SOURCE,
        "The types say m1 with probabilities x and y so alike (neither message more than twice as "
        "likely for one type) that the receiver plays it safe after both: both get 2.",
        {
            "P1: t1": mix("m1", "m2", x),
            "P1: t2": mix("m1", "m2", y),
            "P2: m1": "a3",
            "P2: m2": "a3",
        },
        (2, 2),
        game="cheap_talk",
        where=(
            x > 0, x < 1, x <= 2 * y, y <= 2 * x, 1 - x <= 2 * (1 - y), 1 - y <= 2 * (1 - x),
        ),
    ),
    *(
        claim(
            f"cheap_talk_pooling_{said}",
            TALK_SOURCE,
            f"Both types say {said}; the receiver plays it safe after both messages, believing in "
            f"type 1 after {other} with any m from 1/3 to 2/3: both get 2.",
            {"P1: t1": said, "P1: t2": said, "P2: m1": "a3", "P2: m2": "a3"},
            (2, 2),
            game="cheap_talk",
            beliefs={f"P2: {other}": (m, 1 - m)},
            where=(m >= THIRD, 3 * m <= 2),
        )
        for said, other in (("m1", "m2"), ("m2", "m1"))
    ),
)  # fmt: skip

MARKETS: tuple[Claim, ...] = (
    claim(
        "spence_separating",
        "after Spence (1973)",
        "The able study and are paid 2, the others work and are paid 1, whatever the probability p "
        "of the able.",
        {
            "P1: able": "study",
            "P1: other": "work",
            "P2: educated": "pay 2",
            "P2: uneducated": "pay 1",
        },
        (1 + p / 4, 0),
        game=textbook.spence(p),
    ),
    claim(
        "lemons_breakdown",
        "after Akerlof (1970)",
        "If good cars have a probability p of at most 4/5, the buyer makes the low offer, and only "
        "lemons are sold.",
        {
            "P1: buyer": "offer 1",
            "P2: good, offered 1": "keep", "P2: good, offered 5": "sell",
            "P2: lemon, offered 1": "sell", "P2: lemon, offered 5": "sell",
        },
        (1 - p, 1 - p),
        game=textbook.lemons(p),
        where=(5 * p <= 4,),
    ),
)  # fmt: skip

CLAIMS: tuple[Claim, ...] = (*BEER_QUICHE, *CHEAP_TALK, *MARKETS)
