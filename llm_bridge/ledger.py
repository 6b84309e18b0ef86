"""What was asked: the calls that somebody's results rest on, each counted once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from threading import Lock

from .chat import Call


@dataclass(frozen=True, slots=True)
class Tally:
    """What was asked and what went wrong. A replay reports the same, but for `new_calls`.

    Attributes:
        calls: different calls that were answered, by the backend or from the store.
        new_calls: those that the backend answered now, for whoever keeps this tally.
        prompt_tokens: tokens of the questions of all calls; None if a reply does not tell its own.
        completion_tokens: tokens of the answers of all calls; None likewise.
        failures: how often these calls failed, by `Failure`, before they were answered: attempts of
            earlier runs included, since a store remembers them. A call that was never answered is
            no call here, and neither is it to ask a server for its dialect.
    """

    calls: int = 0
    new_calls: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    failures: Counter[str] = field(default_factory=Counter)


class Ledger:
    """Adds up calls. A client keeps one of all its calls, and each policy one of its own."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: dict[str, bool] = {}  # by key, whether the backend answered it now
        self._tally = Tally()

    def add(self, key: str, call: Call, new: bool) -> None:
        """Counts an answered call, unless it was counted before.

        Args:
            key: `call_key` of the call.
            call: the call.
            new: whether the backend answered it now.
        """
        with self._lock:
            before = self._tally
            if key in self._known:
                if new and not self._known[key]:  # another thread was told first
                    self._known[key] = True
                    self._tally = replace(before, new_calls=before.new_calls + 1)
                return
            self._known[key] = new
            reply = call.reply
            self._tally = Tally(
                calls=before.calls + 1,
                new_calls=before.new_calls + new,
                prompt_tokens=added(before.prompt_tokens, reply.prompt_tokens),
                completion_tokens=added(before.completion_tokens, reply.completion_tokens),
                failures=before.failures + Counter(call.failures),
            )

    @property
    def tally(self) -> Tally:
        """What was asked so far, and what went wrong."""
        with self._lock:
            return self._tally


def added(tokens: int | None, more: int | None) -> int | None:
    """The sum of counts, of which None is not known."""
    return None if tokens is None or more is None else tokens + more
