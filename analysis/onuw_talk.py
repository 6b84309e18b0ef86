"""Cheap talk in the three-player ONUW theory game: the Robber speaks before the vote.

In ``onuw_robber3_talk`` the Robber (P3) acts at night, then says publicly "NS", "S1" or "S2", truly
or not, then all three vote. An equilibrium of it is a lottery over equilibria of the silent game
``onuw_robber3`` that pay the Robber the same (`PublicMessageClaim` has the proof): what is said is
the draw, and the night posterior after it is the night move of the equilibrium that is drawn. So
the payoff vectors with talk are, for each payoff u of the Robber, the convex hull of those without.

Without talk, the Robber's payoff is any u in [-1, 1]. Where 0 < abs(u) < 1 the Werewolves then get
(-s1 u, -s2 u), and the shares (s1, s2) are (1, 0), (0, 1), or on the segment

    s1 + s2 = 2 alpha,    (1 - alpha) abs(s1 - s2) <= 2 alpha^2,

where alpha, the probability that the Robber does not switch, follows from u. Talk makes of these a
trapezium. At u = 0 everybody gets 0; at u = 1 and u = -1 the payoffs without talk are convex.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy

from ..games.errors import ParameterError
from ..games.exact import exact
from ..games.rules import Exact
from ..solvers.pbe import Assessment
from . import onuw_theorems as onuw
from .onuw_theorems import HALF, strategies

GAME = "onuw_robber3_talk"
MOVES: tuple[str, ...] = ("NS", "S1", "S2")
"""The Robber's night moves; what it may say is the same."""
VOTES: dict[str, str] = dict(zip(MOVES, (onuw.AFTER_NS, onuw.AFTER_S1, onuw.AFTER_S2), strict=True))

Strategies = Mapping[str, Mapping[str, Exact]]
Point = tuple[Exact, Exact]
"""Payoffs of P1 and P2."""


def heard(werewolf: str, message: str) -> str:
    """The information set of a Werewolf (`onuw_theorems.P1` or `P2`) after a message."""
    return f'{werewolf}; P3 says "{message}"'


def lottery(
    draws: Mapping[str, tuple[Exact, Strategies]], unused: Mapping[str, str] | None = None
) -> Assessment:
    """The equilibrium with talk in which each message is followed by an equilibrium without.

    Messages that are never said are answered like the first one of ``draws``.

    Args:
        draws: by message its probability, and an equilibrium of the silent game. All of them must
            pay the Robber the same.
        unused: what the Robber says after a night move that it never makes: a message that is then
            best for it. The first of ``draws`` where left out.
    """
    first = next(iter(draws))
    night: dict[str, Exact] = {
        move: exact(
            sum((w * sympy.sympify(s[onuw.NIGHT][move]) for w, s in draws.values()), sympy.S.Zero)
        )
        for move in MOVES
    }
    profile: dict[str, Mapping[str, Exact]] = {onuw.NIGHT: night}
    beliefs: dict[str, tuple[Exact, ...]] = {}
    for move, total in night.items():
        if sympy.together(total) == 0:
            profile[VOTES[move]] = {f"say {(unused or {}).get(move, first)}": 1}
        else:
            profile[VOTES[move]] = {
                f"say {m}": exact(sympy.cancel(w * sympy.sympify(s[onuw.NIGHT][move]) / total))
                for m, (w, s) in draws.items()
            }
    for message in MOVES:
        silent = draws.get(message, draws[first])[1]
        for move in MOVES:
            profile[f"{VOTES[move]}; say {message}"] = silent[VOTES[move]]
        for werewolf in (onuw.P1, onuw.P2):
            key = heard(werewolf, message)
            profile[key] = silent[werewolf]
            beliefs[key] = tuple(silent[onuw.NIGHT][move] for move in MOVES)
    return Assessment(profile, beliefs)


def alike(alpha: Exact, tilt: Exact) -> dict[str, dict[str, Exact]]:
    """Family II of the silent game: Theorem 4.2's votes, the Robber mixing as is believed.

    Args:
        alpha: probability of NS, from 1/4 to 1/2.
        tilt: that of S1 less that of S2; times 1 - alpha, at most alpha^2 in size.
    """
    alpha, tilt = exact(alpha), exact(tilt)
    q = (1 - 2 * alpha) / (2 * alpha)
    after_ns = HALF + tilt * (1 - alpha) / (2 * alpha**2)
    return strategies((alpha, (1 - alpha + tilt) / 2, (1 - alpha - tilt) / 2), q, q, after_ns)


def never_p2(u: Exact) -> dict[str, dict[str, Exact]]:
    """Family Va of the silent game with the Robber's payoff u: it stays or robs P1, alike."""
    return strategies((HALF, HALF, 0), 1, (1 - exact(u)) / 2, 1)


def never_p1(u: Exact) -> dict[str, dict[str, Exact]]:
    """Family Vb of the silent game, the mirror image of Va."""
    return strategies((HALF, 0, HALF), (1 - exact(u)) / 2, 1, 0)


def alpha_of(u: Exact) -> Exact:
    """The probability of NS in family II where the Robber's payoff is u: 1/4 at -1, 1/2 at 1."""
    return exact(1 / (1 + sympy.sqrt(5 - 4 * sympy.sympify(u))))


def silent_payoffs(u: Exact) -> tuple[tuple[Point, ...], ...]:
    """The Werewolves' equilibrium payoffs without talk where the Robber gets u.

    Args:
        u: a number from -1 to 1, in utilities.

    Returns:
        Convex pieces, each as its corners (payoff of P1, payoff of P2), in order around it: two
        points and a segment in general, one point at u = 0, one polygon at u = 1 and u = -1.

    Raises:
        ParameterError: u is no number from -1 to 1.
    """
    u = _robber_payoff(u)
    if abs(u) == 1:
        return (_extreme_payoffs(u),)
    if u == 0:
        return (((Fraction(0), Fraction(0)),),)
    alone, other, end, other_end = _corners(u)
    return (alone,), (other,), (end, other_end)


def talk_payoffs(u: Exact) -> tuple[Point, ...]:
    """The Werewolves' equilibrium payoffs with talk where the Robber gets u: a convex polygon.

    Args:
        u: a number from -1 to 1, in utilities.

    Returns:
        Its corners (payoff of P1, payoff of P2), in order around it.

    Raises:
        ParameterError: u is no number from -1 to 1.
    """
    u = _robber_payoff(u)
    if abs(u) == 1:
        return _extreme_payoffs(u)
    if u == 0:
        return ((Fraction(0), Fraction(0)),)
    alone, other, end, other_end = _corners(u)
    return alone, end, other_end, other


def _robber_payoff(u: Exact) -> Exact:
    u = exact(u)
    number = sympy.sympify(u)
    if not number.is_number or not (number >= -1 and number <= 1):
        raise ParameterError(f"u={u}: the Robber's equilibrium payoff is a number from -1 to 1")
    return u


def _corners(u: Exact) -> tuple[Point, Point, Point, Point]:
    """Payoffs of Va, Vb, and the ends of family II, that of S1 more likely first."""
    alpha = sympy.sympify(alpha_of(u))
    shares = ((1, 0), (0, 1), (alpha, alpha * (1 - 2 * alpha)), (alpha * (1 - 2 * alpha), alpha))
    scale = (1, 1, 1 - alpha, 1 - alpha)
    points = [
        tuple(exact(sympy.radsimp(-u * sympy.sympify(s) / d)) for s in pair)
        for pair, d in zip(shares, scale, strict=True)
    ]
    return tuple(points)  # type: ignore[return-value]


def _extreme_payoffs(u: Exact) -> tuple[Point, ...]:
    """Where the Robber always wins, families I and IV; where it always loses, family III."""
    one, third, quarter = Fraction(1), Fraction(1, 3), Fraction(1, 4)
    if u == 1:
        return (-one, 0 * one), (-one, one), (one, -one), (0 * one, -one)
    return (
        (one, one), (-third, one), (-quarter, 3 * quarter), (3 * quarter, -quarter), (one, -third),
    )  # fmt: skip
