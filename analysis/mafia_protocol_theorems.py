"""How the town of Mafia should eliminate: whether, and by what protocol; from the game.

The conventions are those of `mafia_theorems`; the mafia wins by parity.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .claims import Claim
from .mafia_policies import best_kills, best_skips, block_votes
from .mafia_theorems import DERIVED, MITH, mountainous, sizes
from .outcome_claims import (
    LeavesClaim,
    MeanReturnClaim,
    OutcomeClaim,
    Question,
    Relation,
    RelationClaim,
)


def ev(m: int, x: int) -> tuple[Question | None, int]:
    """EV[m, x], the town's winning probability: a question, or the number it is.

    The game has m mafiosi and m + 2 x - 1 townspeople, an odd number of players.
    """
    if m == 0 or x == 0:
        return None, int(m == 0)
    return Question(mountainous(2 * m + 2 * x - 1, m, no_lynch="even"), "town"), 0


def _recursion(m: int, x: int) -> Relation:
    terms: list[tuple[int, Question]] = []
    total = 0
    for factor, (question, number) in (
        (2 * m + 2 * x - 1, ev(m, x)),
        (-m, ev(m - 1, x)),
        (-(m + 2 * x - 1), ev(m, x - 1)),
    ):
        if question is None:
            total -= factor * number
        else:
            terms.append((factor, question))
    return Relation(f"EV[{m}, {x}]", tuple(terms), total)


def _known(m: int, x: int) -> Question:
    question, _ = ev(m, x)
    assert question is not None
    return question


NO_LYNCH: tuple[Claim, ...] = (
    RelationClaim(
        "mafia_mith_recursion",
        MITH,
        "If the town eliminates nobody while an even number of players lives, by parity: EV[M, X] "
        "= (M EV[M-1, X] + (M + 2X - 1) EV[M, X-1]) / (2M + 2X - 1), EV[0, X] = 1, EV[M, 0] = 0, "
        "for M mafiosi and T townspeople with X = floor((T - M + 1)/2); M and X up to 5.",
        tuple(_recursion(m, x) for m in range(1, 6) for x in range(1, 6)),
    ),
    RelationClaim(
        "mafia_mith_even_totals",
        MITH,
        "X = floor((T - M + 1)/2) tells games apart: with an even number of players the town does "
        "as well as with one townsperson less.",
        tuple(
            Relation(
                f"EV({n}, {m}) - EV({n - 1}, {m})",
                (
                    (1, Question(mountainous(n, m, no_lynch="even"), "town")),
                    (-1, Question(mountainous(n - 1, m, no_lynch="even"), "town")),
                ),
            )
            for n, m in sizes(4, 12)
            if n % 2 == 0 and 2 * m < n
        ),
    ),
    RelationClaim(
        "mafia_mith_identity",
        MITH,
        "2^M EV[M, 1] = 1 - EV[1, M], for M up to 6.",
        tuple(
            Relation(
                f"2^{m} EV[{m}, 1] + EV[1, {m}]",
                ((2**m, _known(m, 1)), (1, _known(1, m))),
                1,
            )
            for m in range(1, 7)
        ),
    ),
    RelationClaim(
        "mafia_no_lynch_is_optimal",
        DERIVED,
        "If the town may eliminate nobody, by parity, it does best to do so at every even number "
        "of players: n players are then worth what n - 1 are; at odd numbers the best it can do is "
        "to eliminate. 4 to 12 players.",
        tuple(
            Relation(
                f"optimum({n}, {m}) - elimination({n - 1 + n % 2}, {m})",
                (
                    (1, Question(mountainous(n, m, no_lynch="allowed"), "town", best_skips)),
                    (-1, Question(mountainous(n - 1 + n % 2, m), "town")),
                ),
            )
            for n, m in sizes(4, 12)
            if 2 * m < n
        ),
    ),
)


def first_elimination(n: int, m: int, **conventions: Any) -> str:
    """The game of one day that the town wins if a mafioso is eliminated."""
    chosen = {
        "players": n, "roles": f"{m}werewolf+{n - m}villager", "town_wins_at": m - 1,
        "max_days": 1, "timeout": "wolves", "nights": False, **conventions,
    }  # fmt: skip
    return f"werewolf({','.join(f'{name}={value}' for name, value in chosen.items())})"


PROTOCOL: tuple[Claim, ...] = (
    OutcomeClaim(
        "mafia_random_protocol",
        DERIVED,
        "Why the town needs a public lot: if townspeople vote independently and uniformly "
        "(plurality, ties by lot, no vote for oneself) and the mafia votes as a block for a "
        "townsperson, the chance that a mafioso is eliminated falls from 2/5 to 9/64 (5 players, "
        "2 mafiosi) and from 1/3 to 89/625 (6 players, 2 mafiosi).",
        {
            Question(first_elimination(5, 2, elimination="random"), "town"): Fraction(2, 5),
            Question(first_elimination(5, 2), "town", block_votes): Fraction(9, 64),
            Question(first_elimination(6, 2, elimination="random"), "town"): Fraction(1, 3),
            Question(first_elimination(6, 2), "town", block_votes): Fraction(89, 625),
        },
    ),
    OutcomeClaim(
        "mafia_fixed_order",
        DERIVED,
        "A publicly fixed order of elimination gives the town only (n - 1)/(2n) against one "
        "mafioso that kills as well as it can, for odd n, by parity; n up to 13.",
        {
            Question(
                mountainous(n, 1, elimination="order"), "town", best_kills, lump=False
            ): Fraction(n - 1, 2 * n)
            for n in range(3, 14, 2)
        },
    ),
    MeanReturnClaim(
        "mafia_mean_return",
        DERIVED,
        "Under symmetric play a player's mean return is (2v - 1)(1 - 2m/n), v the town's winning "
        "probability: the whole trees of uniform play, and v of the lumped games.",
        {
            mountainous(n, m): 1 - Fraction(2 * m, n)
            for n, m in ((3, 1), (4, 1), (5, 1), (5, 2), (6, 2))
        },
    ),
    LeavesClaim(
        "mafia_leaves",
        DERIVED,
        "Leaves of the whole trees with explicit votes (plurality, no vote for oneself, one leaf "
        "for each of the tied), one mafioso: 36 (3 players), 840 (4), 217500 (5), 100067820 (6); "
        "with elimination by lot: 185 (5 players, 1 mafioso), 16590 (7 and 2), 1754424 (9 and 2). "
        "Counted on the lumped games.",
        {
            mountainous(3, 1, elimination="votes"): 36,
            mountainous(4, 1, elimination="votes"): 840,
            mountainous(5, 1, elimination="votes"): 217500,
            mountainous(6, 1, elimination="votes"): 100067820,
            mountainous(5, 1): 185,
            mountainous(7, 2): 16590,
            mountainous(9, 2): 1754424,
        },
    ),
)

CLAIMS: tuple[Claim, ...] = (*NO_LYNCH, *PROTOCOL)
