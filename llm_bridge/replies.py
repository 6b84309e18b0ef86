"""One check of all replies, whichever backend gave them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..games.errors import PolicyError
from . import arguments
from .chat import Reply

_ROUNDING = 1e-3  # by which probabilities in single precision may exceed 1


def checked_reply(reply: Any, model: str) -> Reply:
    """The reply of a backend, which must be one with all fields in their ranges.

    Raises:
        PolicyError: it is not; the backend, or its script, is wrong.
    """
    if not isinstance(reply, Reply):
        raise PolicyError(f"{model} returns {arguments.shown(reply)}: give a Reply")
    wrong = _wrong(reply)
    if wrong:
        raise PolicyError(f"{model} returns a Reply with {'; '.join(wrong)}")
    return reply


def _wrong(reply: Reply) -> list[str]:
    """What is wrong with a reply."""
    found = []
    for name in ("text", "finish", "refusal", "response_model", "fingerprint"):
        value = getattr(reply, name)
        if not isinstance(value, str) and (value is not None or name in ("text", "finish")):
            found.append(f"{name}={arguments.shown(value)}: give a text")
    for name in ("prompt_tokens", "completion_tokens"):
        value = getattr(reply, name)
        if value is not None and (type(value) is not int or not 0 <= value < 1 << 63):
            found.append(f"{name}={arguments.shown(value)}: give a count, or None if not known")
    if not _is_probability(reply.unlisted):
        found.append(f"unlisted={arguments.shown(reply.unlisted)}: give a probability")
    listed: Any = reply.label_probabilities
    if listed is None:
        return found
    if not isinstance(listed, Mapping) or not all(isinstance(label, str) for label in listed):
        return [*found, "label_probabilities that are no mapping from labels"]
    for label, value in listed.items():
        if not _is_probability(value):
            found.append(f"{arguments.shown(value)} as the probability of {label}")
    if not found and math.fsum(listed.values()) > 1.0 + _ROUNDING:
        found.append(f"label_probabilities that sum to {math.fsum(listed.values()):g}, above 1")
    return found


def _is_probability(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and 0.0 <= value <= 1.0
