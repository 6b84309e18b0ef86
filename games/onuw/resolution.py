"""Who dies and who wins, once the votes are open.

Two resolutions, because the sources disagree:

`official` (the printed rules)
    Every player with the most votes dies, unless everybody has exactly one vote: then nobody dies.
    Whom a dying Hunter voted for dies too. Every card says when its holder wins (`Role.wins`):

    =========================================  ====================================================
    a Werewolf dies                            the Village; a Tanner that died too
    none dies, but a player is a Werewolf      a Tanner that died, else the Werewolves and Minion
    no player is a Werewolf, nobody dies       the Village
    no player is a Werewolf, somebody dies     a Tanner that died; the Minion if somebody else died
    =========================================  ====================================================

    Winners get +1, everybody else -1.

`paper` (Jin et al. 2024, Section 4)
    +1 for a win, -1 for a loss, 0 for a draw. No Werewolf among the players: a draw. A player with
    strictly most votes dies; a tie at one vote each is a draw; in a tie at two or more votes all
    tied players die. The Village wins if somebody who dies is a Werewolf, else the Werewolves win.
    For two teams only: Minion, Tanner and Hunter are refused.

Cards are final cards. On decks of two teams the two differ only where nobody dies, and where no
Werewolf is among the players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from ..errors import ParameterError
from .role import Outcome, Role, title

WIN, DRAW, LOSS = Fraction(1), Fraction(0), Fraction(-1)

Payoffs: TypeAlias = tuple[Fraction, ...]
Resolution: TypeAlias = Callable[[Sequence[Role], frozenset[int]], Payoffs]
"""Payoffs from each seat's final card and the seats that die."""


def most_voted(votes: Sequence[int]) -> tuple[int, ...]:
    """The seats with the most votes, or nobody if all have exactly one.

    Args:
        votes: the seat that each seat votes for.
    """
    counts = [0] * len(votes)
    for target in votes:
        counts[target] += 1
    top = max(counts)
    return () if top == 1 else tuple(s for s, count in enumerate(counts) if count == top)


def deaths(hand: Sequence[Role], votes: Sequence[int]) -> frozenset[int]:
    """The seats that die: the most voted, whom they take along, whom those take along, and so on.

    Args:
        hand: each seat's final card.
        votes: the seat that each seat votes for.
    """
    dead: set[int] = set()
    dying = list(most_voted(votes))
    while dying:
        seat = dying.pop()
        if seat not in dead:
            dead.add(seat)
            dying += hand[seat].takes_along(votes, seat)
    return frozenset(dead)


def _werewolves(hand: Sequence[Role]) -> frozenset[int]:
    return frozenset(seat for seat, role in enumerate(hand) if role.werewolf)


def official(hand: Sequence[Role], dead: frozenset[int]) -> Payoffs:
    """Payoffs of the printed rules.

    Args:
        hand: each seat's final card.
        dead: the seats that die.
    """
    spoilt = any(hand[seat].spoils for seat in dead)
    outcome = Outcome(tuple(role.name for role in hand), _werewolves(hand), dead, spoilt)
    return tuple(WIN if role.wins(outcome, seat) else LOSS for seat, role in enumerate(hand))


def paper(hand: Sequence[Role], dead: frozenset[int]) -> Payoffs:
    """Payoffs of Jin et al. 2024; arguments as for `official`."""
    werewolves = _werewolves(hand)
    if not dead or not werewolves:
        return (DRAW,) * len(hand)
    village_wins = not werewolves.isdisjoint(dead)
    return tuple(WIN if role.werewolf != village_wins else LOSS for role in hand)


RESOLUTIONS: dict[str, Resolution] = {"official": official, "paper": paper}


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


def resolution(name: str, roles: Iterable[Role]) -> Resolution:
    """The payoff function called ``name``.

    Args:
        name: ``official`` or ``paper``.
        roles: the roles in the deck.

    Raises:
        ParameterError: there is none, or it does not know what a role of the deck wins.
    """
    if name not in RESOLUTIONS:
        raise ParameterError(
            f"resolution={name!r} is unknown; choose one of {', '.join(RESOLUTIONS)}"
        )
    strange = [title(role.name) for role in roles if not role.in_paper]
    if name == "paper" and strange:
        raise ParameterError(
            f"resolution=paper has no rule for {', '.join(strange)}; choose resolution=official, "
            "or leave the role out"
        )
    return RESOLUTIONS[name]
