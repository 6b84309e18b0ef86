"""What can go wrong when a language model is asked: each under its own name, each counted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from ..games.errors import CallFailed, ParameterError
from . import arguments


class Failure(StrEnum):
    """The taxonomy of failures.

    The first five are *answers* that name no move: the model replied, and the reply counts. The
    others are *calls* that brought no reply; those in `RETRIED` are sent again, unchanged.
    """

    EMPTY = "empty"
    """No text, or nothing but white space."""
    UNPARSABLE = "unparsable"
    """Text in which no move is named in the form asked for; never searched for something legal."""
    ILLEGAL = "illegal"
    """A well-formed answer that names something which is not an option."""
    TRUNCATED = "truncated"
    """Cut off by the limit of tokens before it named a move."""
    REFUSED = "refused"
    """The model, or a filter of its provider, declines to answer."""

    TIMEOUT = "timeout"
    """No reply in time."""
    RATE_LIMITED = "rate_limited"
    """The server asks for fewer calls (HTTP 429)."""
    SERVER_ERROR = "server_error"
    """The server failed (HTTP 5xx)."""
    DISCONNECTED = "disconnected"
    """No connection, or one that broke before the reply was complete."""
    BAD_RESPONSE = "bad_response"
    """The server's reply is not of the protocol."""
    REJECTED = "rejected"
    """The server refuses the request itself (other HTTP 4xx): sending it again cannot help."""


RETRIED = frozenset(
    {
        Failure.TIMEOUT,
        Failure.RATE_LIMITED,
        Failure.SERVER_ERROR,
        Failure.DISCONNECTED,
        Failure.BAD_RESPONSE,
    }
)
"""Failed calls that are sent again, unchanged."""


@dataclass(frozen=True, slots=True)
class FailurePolicy:
    """What happens when an answer names no move.

    Attributes:
        retries: how often the model is told what was wrong and asked again, with the same
            parameters. The policy measured is then that of model and reminder together.
        then: after that, ``raise`` raises `ElicitationFailed`; ``uniform`` lets the answer stand
            for the uniform distribution over the legal actions, which is counted and reported.

    Raises:
        ParameterError: ``retries`` is no whole number >= 0, or ``then`` is neither.
    """

    retries: int = 1
    then: Literal["raise", "uniform"] = "raise"

    def __post_init__(self) -> None:
        arguments.whole("retries", self.retries, 0)
        if self.then not in ("raise", "uniform"):
            raise ParameterError(f"then={self.then!r}: choose raise or uniform")


class PaidInVain(CallFailed):
    """A reply that is of no use, and was paid for all the same.

    Attributes:
        prompt_tokens: tokens of the question; None if the server does not say.
        completion_tokens: tokens of the answer; None if the server does not say.
    """

    def __init__(
        self,
        message: str,
        *,
        failure: str,
        retry_after: float | None = None,
        prompt_tokens: int | None = None,
        completion_tokens: int | None = None,
    ):
        super().__init__(message, failure=failure, retry_after=retry_after)
        self.prompt_tokens = prompt_tokens
        self.completion_tokens = completion_tokens
