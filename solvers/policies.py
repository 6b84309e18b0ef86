"""Asking a policy: the one place where its answers are checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pyspiel

from ..games.errors import CrywolfError, PolicyError

TOLERANCE = 1e-6
"""By how much an answer may miss the sum 1: what networks in single precision do."""
ROUNDING = 1e-12
"""Sums closer to 1 than this are left as they are, so that saving and loading changes no bit."""


def distribution(policy: Any, state: pyspiel.State, player: int) -> tuple[float, ...]:
    """The probabilities of the legal actions, in their order, checked and normalised.

    Actions that the policy leaves out have probability 0.

    Args:
        policy: an OpenSpiel policy, Python or C++.
        state: a state where ``player`` moves.
        player: whose move it is.

    Raises:
        PolicyError: the policy fails, or its answer is no distribution over the legal actions: an
            illegal action, a probability that is negative or not finite, a sum that misses 1 by
            more than 1e-6.
    """
    where = f"the policy at {state.information_state_string(player)!r} (P{player + 1})"
    try:
        if isinstance(policy, pyspiel.Policy):
            answer = policy.action_probabilities(state)
        else:
            answer = policy.action_probabilities(state, player)
    except CrywolfError:
        raise
    except Exception as error:  # the policy is the user's code, and may raise anything
        raise PolicyError(f"{where} failed: {type(error).__name__}: {error}") from error
    wanted = f"{where} has no distribution: it answered {answer!r}; give {{action: probability}}"
    if not isinstance(answer, Mapping) or not answer:
        raise PolicyError(wanted)
    try:
        given = {int(action): float(p) for action, p in answer.items()}
    except (TypeError, ValueError) as error:
        raise PolicyError(wanted) from error
    legal = state.legal_actions()
    illegal = [action for action, p in given.items() if p > 0 and action not in legal]
    if illegal:
        menu = ", ".join(f"{a} ({state.action_to_string(player, a)})" for a in legal)
        raise PolicyError(f"{where} plays the illegal actions {illegal}; legal are {menu}")
    if not all(math.isfinite(p) and p >= 0 for p in given.values()):
        raise PolicyError(f"{where} is {given}; probabilities must be finite and not negative")
    row = tuple(given.get(action, 0.0) for action in legal)
    total = math.fsum(row)
    if abs(total - 1.0) > TOLERANCE:
        raise PolicyError(f"{where} sums to {total:.12g}, not to 1")
    return row if abs(total - 1.0) <= ROUNDING else tuple(p / total for p in row)
