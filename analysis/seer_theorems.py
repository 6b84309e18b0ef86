"""Games with one Seer, computed from the game: when should it reveal itself?

The day comes first and the mafia wins by parity. There is no check before day 1; check and kill
happen at once, and the check is lost if the Seer dies, with all results of a concealed Seer. The
mafia kills at random while the Seer is concealed. Claims are true and uncontested: after one the
Seer and the players it cleared leave the lot, a wolf it found goes first, and the mafia kills the
Seer next and then whom it had best kill.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from .claims import Claim
from .mafia_policies import best_kills_after, found, found_or_drawn, vanilla
from .mafia_theorems import DERIVED, PROGRAM
from .outcome_claims import OutcomeClaim, Question, Relation, RelationClaim

COLUMNS = {
    5: ("7/15", "5/9", "59/90", "7/10"),
    7: ("19/35", "1031/1575", "163/225", "1181/1575"),
}
"""The town's winning probability by number of players, one of them a wolf: without revealing; when
a wolf is found; when a wolf is found or the Seer is drawn; at the best time."""


def one_seer(players: int, wolves: int = 1, **conventions: Any) -> str:
    """The game string."""
    chosen = {"players": players, "wolves": wolves, **conventions}
    return f"one_seer({','.join(f'{name}={value}' for name, value in chosen.items())})"


def _column(name: str, words: str, column: int, decisions: Any, **rest: Any) -> OutcomeClaim:
    return OutcomeClaim(
        f"seer_{name}",
        DERIVED,
        f"{words}: the town wins with probability {COLUMNS[5][column]} (5 players, 1 wolf) and "
        f"{COLUMNS[7][column]} (7 players, 1 wolf).",
        {
            Question(one_seer(n), "town", decisions, **rest): Fraction(row[column])
            for n, row in COLUMNS.items()
        },
    )


CLAIMS: tuple[Claim, ...] = (
    _column("vanilla", "A Seer that never reveals itself", 0, vanilla),
    _column("found", "A Seer that reveals itself when it has found a wolf", 1, found),
    _column(
        "found_or_drawn",
        "A Seer that reveals itself when it has found a wolf or is drawn for elimination",
        2,
        found_or_drawn,
    ),
    _column(
        "best_time",
        "A Seer that reveals itself at the best time, knowing only what it knows",
        3,
        vanilla,
        opening=("Seer",),
        responder=0,
    ),
    RelationClaim(
        "seer_kills_after_a_claim",
        DERIVED,
        "After a claim the mafia does best to kill the players that were cleared first.",
        tuple(
            Relation(
                f"best kills - cleared first, {n} players",
                (
                    (1, Question(one_seer(n), "town", best_kills_after(policy))),
                    (-1, Question(one_seer(n), "town", policy)),
                ),
            )
            for n in COLUMNS
            for policy in (found, found_or_drawn)
        ),
    ),
    OutcomeClaim(
        "seer_18_citizens_2_mafiosi",
        PROGRAM,
        "2 mafiosi, 18 citizens and a detective that reveals itself once it has found a mafioso "
        "and not when it is drawn; verified citizens are killed first: the town wins with "
        "probability 64049387/10^8, to 8 digits.",
        {Question(one_seer(21, 2), "town", found): Fraction(64049387, 10**8)},
        digits=8,
    ),
)
