"""Trying again what failed without a reply, always in the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from ..games.errors import CallFailed, ServerUnreachable
from . import arguments
from .budget import RateGate
from .failures import RETRIED, Failure
from .stopping import Switch

T = TypeVar("T")


class Patience:
    """Makes attempts until one succeeds, a failure is final, or there have been enough.

    Args:
        attempts: see `Client`, as for `backoff`, `longest_wait` and `gate`.
        backoff: see there.
        longest_wait: see there.
        gate: see there.
        sleep: waits for seconds.
        switch: what stops the attempts.
        kept: a sentence on the answered calls, for the text of an error.

    Raises:
        ParameterError: an argument is out of range.
    """

    def __init__(
        self,
        attempts: int,
        backoff: float,
        longest_wait: float,
        gate: RateGate | None,
        sleep: Callable[[float], object],
        switch: Switch,
        kept: Callable[[], str],
    ):
        self._attempts = arguments.whole("attempts", attempts, 1)
        self._backoff = arguments.seconds("backoff", backoff)
        self._longest_wait = arguments.seconds("longest_wait", longest_wait)
        self._gate = gate
        self._sleep = sleep
        self._switch = switch
        self._kept = kept

    def persist(self, attempt: Callable[[], T], failures: Counter[str]) -> T:
        """The result of an attempt that succeeds; those that fail are added to `failures`.

        Raises:
            CallFailed: the last failure, with what was tried, what is kept, and how to go on.
            RunStopped: calls are stopped.
        """
        met: Counter[str] = Counter()
        while True:
            self._switch.go_on()
            try:
                return attempt()
            except CallFailed as error:
                self._switch.go_on()  # what was cut off has not failed
                for counts in (met, failures):
                    counts[str(error.failure)] += 1
                if error.failure not in RETRIED or isinstance(error, ServerUnreachable):
                    raise self._final(error) from error
                wait = error.retry_after
                if wait is None:
                    doubled = self._backoff * 2.0 ** min(met.total() - 1, 60)
                    wait = min(doubled, self._longest_wait)
                if met.total() >= self._attempts or wait > self._longest_wait:
                    raise self._surrender(error, met, wait) from error
                if self._gate is not None and error.failure == Failure.RATE_LIMITED:
                    self._gate.pause(wait)
                self._sleep(wait)

    def _final(self, error: CallFailed) -> CallFailed:
        """A failure that trying again cannot mend."""
        kind = ServerUnreachable if isinstance(error, ServerUnreachable) else CallFailed
        return kind(
            f"{_ended(error)} {self._kept()}",
            failure=error.failure,
            retry_after=error.retry_after,
        )

    def _surrender(self, error: CallFailed, met: Counter[str], wait: float) -> CallFailed:
        """The error that says what was tried, what is kept, and how to go on."""
        tried = met.total()
        counts = ", ".join(f"{name} {count}" for name, count in sorted(met.items()))
        why = ""
        if tried < self._attempts:
            why = f" since the server asks to wait {wait:g} s (longest_wait is "
            why += f"{self._longest_wait:g} s)"
        return CallFailed(
            f"gave up after {tried} attempt{'s' * (tried > 1)}{why}: {counts}. Last: "
            f"{_ended(error)} {self._kept()}",
            failure=error.failure,
            retry_after=error.retry_after,
        )


def _ended(error: CallFailed) -> str:
    """The text of an error as a whole sentence."""
    text = str(error)
    return text if text.endswith(("?", "!", ".")) else f"{text}."
