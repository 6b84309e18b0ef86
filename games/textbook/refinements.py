"""Games that tell equilibrium concepts apart."""

from __future__ import annotations

from ..nodes import Node, decision, leaf
from .catalogue import textbook


@textbook
def selten_horse() -> Node:
    """Selten's horse: a Nash equilibrium that is not sequential.

    Selten (1975), Figure 1. In the equilibrium (L, R, R) player 2 would not play R if it were
    asked.
    """

    def third(left: Node, right: Node) -> Node:
        return decision(2, "3", {"L": left, "R": right})

    second = decision(1, "2", {"L": third(leaf(0, 0, 1), leaf(4, 4, 0)), "R": leaf(1, 1, 1)})
    return decision(0, "1", {"L": third(leaf(0, 0, 0), leaf(3, 2, 2)), "R": second})


@textbook
def gibbons_4_1_1() -> Node:
    """Gibbons, Figure 4.1.1: subgame perfection lets an empty threat pass.

    Gibbons (1992), Game Theory for Applied Economists. (R, R') is subgame perfect, as there is no
    proper subgame, but R' is best at no belief.
    """

    def second(left: Node, right: Node) -> Node:
        return decision(1, "2", {"L'": left, "R'": right})

    return decision(
        0,
        "1",
        {
            "L": second(leaf(2, 1), leaf(0, 0)),
            "M": second(leaf(0, 2), leaf(0, 1)),
            "R": leaf(1, 3),
        },
    )


@textbook
def gibbons_4_1_3() -> Node:
    """Gibbons, Figure 4.1.3: a weak perfect Bayesian equilibrium that is not sequential.

    Gibbons (1992), Game Theory for Applied Economists. In (A, L, L') player 3 believes in R,
    although player 2 plays L.
    """

    def third(left: Node, right: Node) -> Node:
        return decision(2, "3", {"L'": left, "R'": right})

    second = decision(
        1,
        "2",
        {
            "L": third(leaf(1, 2, 1), leaf(3, 3, 3)),
            "R": third(leaf(0, 1, 2), leaf(0, 1, 1)),
        },
    )
    return decision(0, "1", {"A": leaf(2, 0, 0), "D": second})


def _battle(first: str, second: str, burnt: int = 0) -> Node:
    """The battle of the sexes between T and W: player 1 prefers T, player 2 W."""

    def respond(t: Node, w: Node) -> Node:
        return decision(1, second, {"T": t, "W": w})

    return decision(
        0,
        first,
        {
            "T": respond(leaf(3 - burnt, 1), leaf(-burnt, 0)),
            "W": respond(leaf(-burnt, 0), leaf(1 - burnt, 3)),
        },
    )


@textbook
def bos_outside() -> Node:
    """Battle of the sexes with an outside option: forward induction chooses (3, 1).

    A version of the example of Kohlberg and Mertens (1986).
    """
    return decision(0, "1", {"Out": leaf(2, 2), "In": _battle("1 inside", "2")})


@textbook
def burning_money() -> Node:
    """Burning money: the option to waste 1 gives player 1 its favourite equilibrium.

    A version of the examples of van Damme (1989) and of Ben-Porath and Dekel (1992): player 1 may
    burn 1 for all to see, then both play the battle of the sexes.
    """
    return decision(
        0,
        "1",
        {
            "keep": _battle("1 kept", "2 kept"),
            "burn": _battle("1 burnt", "2 burnt", burnt=1),
        },
    )


@textbook
def dalek() -> Node:
    """The dalek: an equilibrium that rests on the belief in a dominated action.

    A version of the dalek of Kohlberg and Mertens (1986), named after its drawing. Down is worse
    for player 1 than Out whatever happens; believing in it, player 2 plays r, and Out is best.
    """

    def second(left: Node, right: Node) -> Node:
        return decision(1, "2", {"l": left, "r": right})

    return decision(
        0,
        "1",
        {
            "Out": leaf(2, 2),
            "Up": second(leaf(3, 3), leaf(0, 0)),
            "Down": second(leaf(0, 0), leaf(1, 1)),
        },
    )


@textbook
def disagreeing_beliefs() -> Node:
    """Why weak PBE needs whole plans: no single move is worth changing, two together are.

    In the spirit of Myerson (1991), Figure 4.2. P2 may stay out. Off that path P1 moves twice, and
    nothing in a weak PBE makes its beliefs at its two information sets agree.
    """

    def go(left: int, right: int) -> Node:
        again = decision(0, "second", {"l": leaf(left, 0), "r": leaf(right, 0)})
        return decision(0, "first", {"stop": leaf(1, 0), "go": again})

    return decision(1, "2", {"out": leaf(0, 1), "a": go(3, 0), "b": go(0, 1)})
