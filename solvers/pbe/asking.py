"""How z3 is asked: in several ways by turns, short turns first.

A question that keeps one way busy for minutes another may answer in milliseconds. Turns are
measured in z3's own steps, not in seconds, so that the same question gets the same answer (and the
same counter-example) on a slow machine and on a busy one; only the deadline is a matter of time.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from itertools import count
from time import monotonic
from typing import Any

import z3

PORTFOLIO: tuple[int | None, ...] = (4, 1, None, 0)
"""The ways: nlsat with its variables in one or another order (the number of z3's ordering
strategy; 1 and 4 take those of low degree or few occurrences first), and z3's own choice (None)."""
FIRST_TURN = 200_000
"""Steps of each way's first turn, some hundredths of a second."""
TURN_GROWTH = 5
"""A round without an answer is followed by one of longer turns, by this factor."""
MOST_STEPS = 2**32 - 1
"""z3 counts no further."""
UNFINISHED = ("canceled", "resource limit", "timeout", "interrupted")
"""What z3 says when a turn has ended; whatever else it says, it would say again."""
KEYBOARD = "interrupted from keyboard"


def ask(
    formulas: Sequence[Any], context: z3.Context, deadline: float, rounds: int | None = None
) -> Any:
    """A z3 model of formulas; False if there is none, None if no way leads to an answer.

    Args:
        formulas: in the context.
        context: of z3.
        deadline: a time of `time.monotonic`.
        rounds: how many to try at most; None: until the deadline.
    """
    for turn in count() if rounds is None else range(rounds):
        unfinished = False
        for order in PORTFOLIO:
            left = deadline - monotonic()
            if left <= 0:
                return None
            solver = _solver(order, context)
            solver.set("rlimit", min(FIRST_TURN * TURN_GROWTH**turn, MOST_STEPS))
            solver.set("timeout", max(1, min(int(left * 1000), MOST_STEPS)))
            solver.add(*formulas)
            answer = solver.check()
            if answer == z3.sat:
                return solver.model()
            if answer == z3.unsat:
                return False
            reason = solver.reason_unknown()
            if reason == KEYBOARD:  # z3 took the signal for itself
                signal.raise_signal(signal.SIGINT)
            unfinished |= any(told in reason for told in UNFINISHED)
        if not unfinished:
            return None
    return None


def _solver(order: int | None, context: z3.Context) -> Any:
    if order is None:
        return z3.Solver(ctx=context)
    nlsat = z3.Tactic("qfnra-nlsat", ctx=context)
    return z3.With(nlsat, variable_ordering_strategy=order, ctx=context).solver()
