"""What a policy of agents leads to, exactly: the game is played out along every line it allows."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from ...games.errors import ProblemTooLarge
from ...games.rules import CHANCE, TERMINAL, Cursor, advance, start
from .knowledge import Knowledge
from .policy import AgentPolicy

MAX_PLAYS = 1_000_000
"""Plays that are accepted."""


def outcomes(
    policy: AgentPolicy,
    of: Callable[[Any, Cursor], Hashable] = lambda rules, end: rules.payoffs(end.position),
    max_plays: int = MAX_PLAYS,
) -> dict[Hashable, Fraction]:
    """How probable each outcome is.

    Only what can happen is played, so this works for games whose trees are far too large to
    compile, as long as the agents mix little. Time grows with the number of plays, some 10,000 a
    second.

    Args:
        policy: who plays what.
        of: what is asked of the end of a play, from rules and cursor; by default the payoffs.
        max_plays: how many plays are accepted.

    Returns:
        The different outcomes with their probabilities, which sum to exactly 1.

    Raises:
        ProblemTooLarge: there are more plays.
        PolicyError: an agent fails.
    """
    rules = policy.rules
    found: dict[Hashable, Fraction] = {}
    plays = 0
    stack = [(start(rules), Fraction(1))]
    while stack:
        cursor, share = stack.pop()
        mover = rules.mover(cursor.position)
        if mover == TERMINAL:
            plays += 1
            if plays > max_plays:
                raise ProblemTooLarge(
                    f"{rules.name}: {policy.name} allows more than {max_plays:,} plays; pass a "
                    "larger max_plays, or sample"
                )
            outcome = of(rules, cursor)
            found[outcome] = found.get(outcome, Fraction(0)) + share
            continue
        if mover == CHANCE:
            choices = rules.chance_outcomes(cursor.position)
        else:
            legal = rules.legal_actions(cursor.position)
            known = Knowledge(rules, mover, cursor.views[mover], legal)
            choices = tuple(policy.answer(known).items())
        stack += [(advance(rules, cursor, a), share * p) for a, p in choices if p]
    return found


def expected_payoffs(policy: AgentPolicy, max_plays: int = MAX_PLAYS) -> tuple[Fraction, ...]:
    """Each player's expected payoff, exact; arguments and errors as for `outcomes`."""
    ends: dict[Any, Fraction] = outcomes(policy, max_plays=max_plays)
    return tuple(
        sum((share * payoffs[p] for payoffs, share in ends.items()), Fraction(0))
        for p in range(policy.rules.num_players)
    )
