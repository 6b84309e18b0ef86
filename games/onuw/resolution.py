"""Who dies and who wins, once the votes are open.

Two resolutions, because the sources disagree:

`official` (the printed rules)
    Every player with the most votes dies, unless everybody has exactly one vote: then nobody dies.
    A Werewolf dies: the Village wins. Otherwise, with a Werewolf among the players, the Werewolves
    win. With no Werewolf among the players the Village wins if nobody dies, and nobody wins if
    somebody does. Winners get +1, everybody else -1.

`paper` (Jin et al. 2024, Section 4)
    +1 for a win, -1 for a loss, 0 for a draw. No Werewolf among the players: a draw. A player with
    strictly most votes dies; a tie at one vote each is a draw; in a tie at two or more votes all
    tied players die. The Village wins if somebody who dies is a Werewolf, else the Werewolves win.

Cards are final cards. The two differ only where nobody dies, and where no Werewolf is among the
players.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..errors import ParameterError

WIN, DRAW, LOSS = Fraction(1), Fraction(0), Fraction(-1)

Payoffs = tuple[Fraction, ...]


def most_voted(votes: Sequence[int]) -> tuple[int, ...]:
    """The seats that die: those with the most votes, or nobody if all have exactly one.

    Args:
        votes: the seat that each seat votes for.
    """
    counts = [0] * len(votes)
    for target in votes:
        counts[target] += 1
    top = max(counts)
    return () if top == 1 else tuple(s for s, count in enumerate(counts) if count == top)


def _teams(wolves: Sequence[bool], village_wins: bool) -> Payoffs:
    return tuple(WIN if wolf != village_wins else LOSS for wolf in wolves)


def official(wolves: Sequence[bool], votes: Sequence[int]) -> Payoffs:
    """Payoffs of the printed rules.

    Args:
        wolves: whether each seat's final card is a Werewolf.
        votes: the seat that each seat votes for.
    """
    dead = most_voted(votes)
    if any(wolves):
        return _teams(wolves, village_wins=any(wolves[s] for s in dead))
    return (LOSS if dead else WIN,) * len(wolves)


def paper(wolves: Sequence[bool], votes: Sequence[int]) -> Payoffs:
    """Payoffs of Jin et al. 2024; arguments as for `official`."""
    dead = most_voted(votes)
    if not dead or not any(wolves):
        return (DRAW,) * len(wolves)
    return _teams(wolves, village_wins=any(wolves[s] for s in dead))


RESOLUTIONS: dict[str, Callable[[Sequence[bool], Sequence[int]], Payoffs]] = {
    "official": official,
    "paper": paper,
}


IN_WORDS = {
    "official": (
        "Everybody with the most votes dies, but nobody if all have one vote. If a Werewolf dies, "
        "the Village wins; if a Werewolf is among the players and none dies, the Werewolves win; "
        "if there is no Werewolf among the players, the Village wins if nobody dies and all lose "
        "if somebody does. Winners get 1, losers -1."
    ),
    "paper": (
        "Everybody with the most votes dies; if all have one vote, nobody dies and all get 0, as "
        "they do if no Werewolf is among the players. If a Werewolf dies, the Village wins, "
        "otherwise the Werewolves win. Winners get 1, losers -1."
    ),
}
"""The resolutions in words."""


def resolution(name: str) -> Callable[[Sequence[bool], Sequence[int]], Payoffs]:
    """The payoff function called ``name``.

    Raises:
        ParameterError: there is none.
    """
    try:
        return RESOLUTIONS[name]
    except KeyError:
        raise ParameterError(
            f"resolution={name!r} is unknown; choose one of {', '.join(RESOLUTIONS)}"
        ) from None
