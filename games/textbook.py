"""Textbook games, exact, with their sources: small trees to learn and to test with.

Labels are the information sets' names, prefixed by the player when they become information-state
strings: the set ``"3"`` of player 3 is ``"P3: 3"``.
"""

from __future__ import annotations

from typing import Any

import sympy

from .exact import exact
from .extensive import ExtensiveGame, chance, decision, leaf


def selten_horse() -> ExtensiveGame:
    """Selten (1975): the Nash equilibrium (L, R, R) is not sequential."""

    def third(left: Any, right: Any) -> Any:
        return decision(2, "3", {"L": left, "R": right})

    return ExtensiveGame(
        "selten_horse",
        decision(
            0,
            "1",
            {
                "L": third(leaf(0, 0, 0), leaf(3, 2, 2)),
                "R": decision(
                    1, "2", {"L": third(leaf(0, 0, 1), leaf(4, 4, 0)), "R": leaf(1, 1, 1)}
                ),
            },
        ),
    )


def gibbons_4_1_1() -> ExtensiveGame:
    """Gibbons (1992), Figure 4.1.1: (R, R') is subgame perfect but rests on an empty threat."""

    def second(left: Any, right: Any) -> Any:
        return decision(1, "2", {"L'": left, "R'": right})

    return ExtensiveGame(
        "gibbons_4_1_1",
        decision(
            0,
            "1",
            {
                "L": second(leaf(2, 1), leaf(0, 0)),
                "M": second(leaf(0, 2), leaf(0, 1)),
                "R": leaf(1, 3),
            },
        ),
    )


def gibbons_4_1_3() -> ExtensiveGame:
    """Gibbons (1992), Figure 4.1.3: a weak PBE with beliefs that are not consistent."""

    def third(left: Any, right: Any) -> Any:
        return decision(2, "3", {"L'": left, "R'": right})

    return ExtensiveGame(
        "gibbons_4_1_3",
        decision(
            0,
            "1",
            {
                "A": leaf(2, 0, 0),
                "D": decision(
                    1,
                    "2",
                    {
                        "L": third(leaf(1, 2, 1), leaf(3, 3, 3)),
                        "R": third(leaf(0, 1, 2), leaf(0, 1, 1)),
                    },
                ),
            },
        ),
    )


def beer_quiche(weak: Any = "1/10") -> ExtensiveGame:
    """Cho & Kreps (1987): a signal that both types pool on.

    Args:
        weak: probability of the weak type; may be a SymPy symbol, then assumed in (0, 1).
    """
    p = exact(weak)

    def respond(meal: str, payoff: int, is_weak: bool) -> Any:
        return decision(
            1,
            meal,
            {
                "fight": leaf(payoff, 1 if is_weak else 0),
                "retreat": leaf(payoff + 2, 0 if is_weak else 1),
            },
        )

    def breakfast(label: str, is_weak: bool) -> Any:
        return decision(
            0,
            label,
            {
                "beer": respond("beer", 0 if is_weak else 1, is_weak),
                "quiche": respond("quiche", 1 if is_weak else 0, is_weak),
            },
        )

    assumptions = () if not getattr(p, "free_symbols", None) else (p > 0, sympy.Lt(p, 1))
    return ExtensiveGame(
        "beer_quiche",
        chance(
            {"weak": (p, breakfast("weak", True)), "strong": (1 - p, breakfast("strong", False))}
        ),
        assumptions=assumptions,
    )


def entry_deterrence() -> ExtensiveGame:
    """Selten (1978), one store: the threat to fight is not credible."""
    respond = decision(1, "incumbent", {"Fight": leaf(-1, -1), "Accommodate": leaf(1, 1)})
    return ExtensiveGame(
        "entry_deterrence", decision(0, "entrant", {"Out": leaf(0, 2), "In": respond})
    )


def battle_with_outside_option() -> ExtensiveGame:
    """Battle of the sexes with an outside option (Kohlberg & Mertens 1986)."""

    def second(one: Any, two: Any) -> Any:
        return decision(1, "2", {"T": one, "W": two})

    inside = decision(
        0,
        "1 inside",
        {"T": second(leaf(3, 1), leaf(0, 0)), "W": second(leaf(0, 0), leaf(1, 3))},
    )
    return ExtensiveGame(
        "battle_with_outside_option", decision(0, "1", {"Out": leaf(2, 2), "In": inside})
    )


def stripped_poker() -> ExtensiveGame:
    """Stripped-down poker (Reiley, Urbancic & Walker 2008): bluff one time in three."""

    def call(win: int) -> Any:
        return decision(1, "raised", {"pass": leaf(1, -1), "call": leaf(2 * win, -2 * win)})

    red = decision(0, "red", {"raise": call(1), "fold": leaf(1, -1)})
    black = decision(0, "black", {"raise": call(-1), "fold": leaf(-1, 1)})
    return ExtensiveGame("stripped_poker", chance({"red": ("1/2", red), "black": ("1/2", black)}))


def disagreeing_beliefs() -> ExtensiveGame:
    """Why weak PBE needs whole plans: no single move is worth changing, two together are.

    P2 may stay out. Off that path P1 moves twice, and nothing in a weak PBE makes its beliefs at
    its two information sets agree. (In the spirit of Myerson 1991, Figure 4.2.)
    """

    def go(left: int, right: int) -> Any:
        again = decision(0, "second", {"l": leaf(left, 0), "r": leaf(right, 0)})
        return decision(0, "first", {"stop": leaf(1, 0), "go": again})

    return ExtensiveGame(
        "disagreeing_beliefs",
        decision(1, "2", {"out": leaf(0, 1), "a": go(3, 0), "b": go(0, 1)}),
    )
