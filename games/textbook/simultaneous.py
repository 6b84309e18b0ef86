"""Games of one move each, made at the same time: player 2 does not see what player 1 did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..nodes import Node, decision, leaf
from .catalogue import textbook

Bimatrix = Sequence[Sequence[tuple[int, int]]]


def _bimatrix(actions: Sequence[str], payoffs: Bimatrix) -> Node:
    """The tree of a game of two players with the same actions, rows for player 1."""
    rows = {
        action: decision(
            1, "2", {name: leaf(*cell) for name, cell in zip(actions, row, strict=True)}
        )
        for action, row in zip(actions, payoffs, strict=True)
    }
    return decision(0, "1", rows)


@textbook
def matching_pennies() -> Node:
    """Matching pennies: the only equilibrium is mixed.

    von Neumann and Morgenstern (1944). Player 1 wins 1 if the two coins show the same.
    """
    return _bimatrix(("heads", "tails"), [[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]])


@textbook
def prisoners_dilemma() -> Node:
    """The prisoner's dilemma: both defect, both would gain if neither did.

    Tucker (1950), with the payoffs of Osborne and Rubinstein (1994), Figure 17.1.
    """
    return _bimatrix(("cooperate", "defect"), [[(3, 3), (0, 4)], [(4, 0), (1, 1)]])


@textbook
def battle_of_the_sexes() -> Node:
    """The battle of the sexes: to be together matters most, where comes next.

    Luce and Raiffa (1957), with the payoffs of Osborne and Rubinstein (1994), Figure 16.1.
    """
    return _bimatrix(("bach", "stravinsky"), [[(2, 1), (0, 0)], [(0, 0), (1, 2)]])


@textbook
def chicken() -> Node:
    """Chicken: a correlated equilibrium is better than every mixture of equilibria.

    Aumann (1974).
    """
    return _bimatrix(("dare", "yield"), [[(0, 0), (7, 2)], [(2, 7), (6, 6)]])


@textbook
def stag_hunt() -> Node:
    """The stag hunt: the better equilibrium needs trust, the worse one none.

    A version of the story in Rousseau (1755).
    """
    return _bimatrix(("stag", "hare"), [[(2, 2), (0, 1)], [(1, 0), (1, 1)]])


@textbook
def majority() -> Node:
    """A vote of three by majority: the chairman who breaks ties gets what it likes least.

    The chairman's paradox, after Farquharson (1969). The alternative with most votes wins, and if
    all differ, that of player 1, the chairman. The voters rank a b c, b c a and c a b; the best is
    worth 2, the next 1.
    """
    rankings = ("abc", "bca", "cab")

    def vote(cast: str) -> Node:
        if len(cast) < len(rankings):
            return decision(len(cast), str(len(cast) + 1), {x: vote(cast + x) for x in "abc"})
        winner, _ = Counter(cast).most_common(1)[0]  # of equals the first, the chairman's
        return leaf(*(2 - ranking.index(winner) for ranking in rankings))

    return vote("")
