"""The theory of Mafia without information roles, each number computed from the game.

``mountainous``: n players are alive when the first day begins, m of them mafia. The town eliminates
a player by public lot each day, the mafia kills a townsperson each night. Tables of different
authors disagree because their conventions do, and those are parameters of the game: ``first``,
``end`` and ``no_lynch``.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import sympy

from ..games.werewolf import Position, Stage
from .claims import Claim
from .mafia_closed_forms import limit, lone_mafioso_wins, mafia_wins
from .outcome_claims import (
    FormulaClaim,
    LimitClaim,
    OutcomeClaim,
    Question,
    Relation,
    RelationClaim,
    RootClaim,
)

MIGDAL = "Migdal (2010), arXiv:1009.1031"
BEM = "Braverman, Etesami and Mossel (2008)"
MITH = "mith, mafiascum.net wiki"
PROGRAM = "published tests of a program that evaluates strategies of Mafia"
DERIVED = "crywolf, derived from the game"

TABLE = {
    3: "2/3 2/3, 1 1, 1 1",
    4: "3/8 3/4, 3/4 1, 1 1",
    5: "8/15 8/15, 13/15 13/15, 1 1",
    6: "5/16 5/8, 5/8 11/12, 7/8 1",
    7: "16/35 16/35, 27/35 27/35, 33/35 33/35",
    8: "35/128 35/64, 35/64 27/32, 25/32 31/32",
    9: "128/315 128/315, 221/315 221/315, 31/35 31/35",
    10: "63/256 63/128, 63/128 251/320, 91/128 149/160",
}
"""The mafia's probability of winning with n players: under ``coin`` and ``parity``, for 1, 2 and 3
mafiosi."""

LARGEST = 27
"""Players of the largest games that are solved."""

eta = sympy.Symbol("eta", positive=True)


def mountainous(n: int, m: int, **conventions: Any) -> str:
    """The game string of n players of whom m are mafia."""
    chosen = {"players": n, "wolves": m, **conventions}
    return f"mountainous({','.join(f'{name}={value}' for name, value in chosen.items())})"


def wins(n: int, m: int, **conventions: Any) -> Question:
    """How likely the mafia wins."""
    return Question(mountainous(n, m, **conventions), "wolves")


def sizes(least: int, most: int) -> list[tuple[int, int]]:
    """(n, m) of all games with a townsperson more than mafiosi, or as many."""
    return [(n, m) for n in range(least, most + 1) for m in range(1, n // 2 + 1)]


def left(n: int, m: int, end: str) -> Question:
    """How likely the mafia wins once n players are left when a day begins, m of them mafia.

    That is the game of n players. Where the mafia would have won it before it starts, the game has
    two townspeople more, or four, ..., who are eliminated and killed first.
    """
    players = n
    while (2 * m if end == "parity" else m) >= players:
        players += 2
    if players == n:
        return wins(n, m, end=end)
    deal = ["Werewolf"] * m + ["Villager"] * (players - m)
    days = [name for p in range(players, n, -2) for name in (f"P{p}", f"kill P{p - 1}")]
    return Question(mountainous(players, m, end=end), opening=(*deal, *days))


def morning(position: Position) -> tuple[int, int] | None:
    """(n, m) where somebody is about to be drawn for elimination, None elsewhere."""
    if position.stage is not Stage.DRAW:
        return None
    living = [role for role, lives in zip(position.roles, position.alive, strict=True) if lives]
    return len(living), living.count("werewolf")


def _table(convention: str) -> OutcomeClaim:
    column = ("coin", "parity").index(convention)
    words = {
        "coin": "where one mafioso and one townsperson toss a coin",
        "parity": "where the mafia wins as soon as it is half of the living",
    }
    return OutcomeClaim(
        f"mafia_table_{convention}",
        MIGDAL if convention == "coin" else f"{MIGDAL}; by the parity rule of mafiascum.net",
        f"The mafia's probability of winning for 3 to 10 players and 1 to 3 mafiosi, "
        f"{words[convention]}, the day first.",
        {
            left(n, m, convention): Fraction(cell.split()[column])
            for n, row in TABLE.items()
            for m, cell in enumerate(row.split(", "), start=1)
        },
    )


TABLES: tuple[Claim, ...] = (
    _table("coin"),
    _table("parity"),
    FormulaClaim(
        "mafia_closed_form",
        MIGDAL,
        "The mafia wins with probability 1 - sum over i from 0 to m of (-1)^i C(m, i) (n - i)!! / "
        "(n!! ((n mod 2) - i)!!), double factorials continued to negative odd numbers, by coin: "
        f"from the morning of every day of the games of {LARGEST - 1} and {LARGEST} players on, "
        "with at most half of them mafia; so for all smaller numbers, too.",
        tuple(wins(n, m, end="coin") for n, m in sizes(LARGEST - 1, LARGEST)),
        morning,
        mafia_wins,
        sizes(3, LARGEST),
    ),
    OutcomeClaim(
        "mafia_one_mafioso",
        MIGDAL,
        f"One mafioso wins with probability (n - 1)!! / n!!: 3 to {LARGEST} players, by coin.",
        {wins(n, 1, end="coin"): lone_mafioso_wins(n) for n in range(3, LARGEST + 1)},
    ),
    OutcomeClaim(
        "mafia_19_townspeople_2_mafiosi",
        PROGRAM,
        "With 19 townspeople and 2 mafiosi the mafia wins with probability 478099/969969, by coin "
        "and by parity.",
        {
            wins(21, 2, end=convention): Fraction(478099, 969969)
            for convention in ("coin", "parity")
        },
    ),
    OutcomeClaim(
        "mafia_three_players",
        MITH,
        "The endgame of two townspeople and a mafioso: the town wins with probability 1/3.",
        {Question(mountainous(3, 1), "town"): Fraction(1, 3)},
    ),
    RelationClaim(
        "mafia_night_start",
        BEM,
        "A game that begins at night is one with a townsperson less that begins at day: 4 to 11 "
        "players, by coin and by parity.",
        tuple(
            Relation(
                f"night({n}, {m}) - day({n - 1}, {m}), {end}",
                (
                    (1, wins(n, m, end=end, first="night")),
                    (-1, wins(n - 1, m, end=end)),
                ),
            )
            for end in ("coin", "parity")
            for n, m in sizes(4, 11)
            if 2 * m < n - 1
        ),
    ),
)

LIMITS: tuple[Claim, ...] = (
    *(
        LimitClaim(
            f"mafia_limit_{name}",
            f"{DERIVED}; after Migdal (2010)",
            f"For {name} n and m = eta sqrt(n) the mafia's probability of winning tends to "
            f"{words}, by coin: it is within 1/(3 sqrt(n)) of that in the games of 4 to {LARGEST} "
            "players with about sqrt(n) mafiosi, and by the closed form for up to 6401 players and "
            "eta from 1/10 to 2.",
            (
                *(
                    (n, wins(n, m, end="coin"), limit(m / sympy.sqrt(n), parity))
                    for n in range(4 + parity, LARGEST + 1, 2)
                    for m in (isqrt(n),)
                ),
                *(
                    (n, mafia_wins(n, m), limit(m / sympy.sqrt(n), parity))
                    for root in (10, 20, 40, 80)
                    for n in (root**2 + parity,)
                    for m in (root // 10, root // 2, root, 2 * root)
                ),
            ),
            Fraction(1, 3),
        )
        for parity, name, words in (
            (0, "even", "erf(eta/sqrt(2))"),
            (1, "odd", "1 - exp(-eta^2/2) + eta sqrt(pi/2) erfc(eta/sqrt(2))"),
        )
    ),
    RootClaim(
        "mafia_even_chances",
        f"{DERIVED}; after Migdal (2010)",
        "In the limit the game is even at eta = 67449/100000 (even n) and 49459/100000 (odd n), to "
        "five digits.",
        ((limit(eta, 0), eta, "0.67449"), (limit(eta, 1), eta, "0.49459")),
        Fraction(1, 2),
    ),
)

CLAIMS: tuple[Claim, ...] = (*TABLES, *LIMITS)
