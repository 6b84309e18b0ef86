"""The client: asks a backend, keeps what it answers, and sees that a run survives failures."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, Protocol, Self, TypeVar

from ..games.errors import CallFailed, ParameterError
from .backends.base import Backend
from .budget import Budget, RateGate
from .chat import Body, Call, Provenance, Question, Reply, call_key
from .failures import RETRIED, Failure

T = TypeVar("T")


class Store(Protocol):
    """Where calls are kept; see `store.CallStore`."""

    def get(self, key: str, *, model: str | None = None) -> Call | None:
        """The kept call, or None if it has to be made."""
        ...

    def put(self, key: str, backend: Any, call: Call, provenance: Provenance) -> Call:
        """Keeps a call, and returns it as it is kept."""
        ...

    def check(self, backend: Any, provenance: Provenance) -> None:
        """Refuses a backend whose answers could not be kept."""
        ...

    def note_elicitation(self, model: str, elicitation: str) -> None:
        """Remembers how a model was asked."""
        ...

    def close(self) -> None:
        """Frees what the store holds."""
        ...


@dataclass(frozen=True, slots=True)
class Tally:
    """What was asked and what went wrong. A replay reports the same, but for `new_calls`.

    Attributes:
        calls: different calls that were answered, by the backend or from the store.
        new_calls: those that the backend answered now.
        prompt_tokens: tokens of the questions of all calls.
        completion_tokens: tokens of the answers of all calls.
        failures: how often each `Failure` happened, those included that a stored call remembers.
    """

    calls: int = 0
    new_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failures: Counter[str] = field(default_factory=Counter)


class Client:
    """Asks one backend. May be used by several threads at once.

    A call that fails without a reply is sent again, unchanged, after a wait that doubles each time
    or that the server asks for. There is no randomness in it.

    Attributes:
        backend: who is asked.
        store: where calls are kept, if anywhere.

    Args:
        backend: see above; closed with the client.
        store: see above; closed with the client.
        budget: what may be spent; every attempt is a call.
        gate: how fast calls may follow one another; every attempt passes it. When the server limits
            the rate, the gate makes all threads wait.
        attempts: the most attempts at one call.
        backoff: seconds to wait after the first failure.
        longest_wait: the most seconds to wait for another attempt. If the server asks for more, the
            client gives up.
        sleep: waits for seconds.

    Raises:
        ParameterError: an argument is out of range.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        store: Store | None = None,
        budget: Budget | None = None,
        gate: RateGate | None = None,
        attempts: int = 5,
        backoff: float = 1.0,
        longest_wait: float = 60.0,
        sleep: Callable[[float], object] = time.sleep,
    ):
        if isinstance(attempts, bool) or not isinstance(attempts, int) or attempts < 1:
            raise ParameterError(f"attempts is {attempts!r}; give a whole number from 1 on")
        for name, value in (("backoff", backoff), ("longest_wait", longest_wait)):
            if not 0.0 <= value < math.inf:
                raise ParameterError(f"{name} is {value!r}; give seconds, not negative")
        self.backend = backend
        self.store = store
        self._budget = budget
        self._gate = gate
        self._attempts = attempts
        self._backoff = backoff
        self._longest_wait = longest_wait
        self._sleep = sleep
        self._lock = Lock()
        self._asked: dict[str, Future[Reply]] = {}
        self._tally = Tally()
        self._checked = False

    # ------------------------------------------------------------------ asking

    def ask(self, question: Question, draw: int = 0) -> Reply:
        """The reply to a question: from memory, from the store, or from the backend.

        Args:
            question: what is asked.
            draw: which of several answers to the same question, from 0.

        Raises:
            CallFailed: no reply, after all attempts or because the server refuses the request.
            BudgetExhausted: the call would exceed the budget.
            StoreMiss: a replay needs a call that the store does not hold.
            StoreError: the store fails.
        """
        failures: Counter[str] = Counter()
        try:
            # Forming the body may need the server, to learn its dialect.
            body = self._persist(lambda: self.backend.body(question), failures)
        finally:
            self._count(failures)
        key = call_key(body, draw)
        with self._lock:
            future = self._asked.get(key)
            mine = future is None
            if future is None:
                future = self._asked[key] = Future()
        if not mine:  # answered before, or being asked by another thread
            return future.result()
        try:
            reply = self._answer(key, question, body, draw)
        except BaseException as error:
            with self._lock:
                del self._asked[key]  # it may be asked again
            future.set_exception(error)
            raise
        future.set_result(reply)
        return reply

    def _answer(self, key: str, question: Question, body: Body, draw: int) -> Reply:
        """The reply to a call that was not asked before."""
        call = None
        if self.store is not None:
            call = self.store.get(key, model=self.backend.model)
        new = call is None
        if call is None:
            call = self._ask(key, question, body, draw)
        with self._lock:
            self._tally = replace(
                self._tally,
                calls=self._tally.calls + 1,
                new_calls=self._tally.new_calls + new,
                prompt_tokens=self._tally.prompt_tokens + call.reply.prompt_tokens,
                completion_tokens=self._tally.completion_tokens + call.reply.completion_tokens,
            )
        self._count(call.failures)
        return call.reply

    def _ask(self, key: str, question: Question, body: Body, draw: int) -> Call:
        """Asks the backend, and keeps the answer."""
        if self.store is not None and not self._checked:
            self.store.check(self.backend, self.backend.provenance())
            self._checked = True
        failures: Counter[str] = Counter()

        def attempt() -> Reply:
            if self._budget is not None:
                self._budget.check()
            if self._gate is not None:
                self._gate.wait()
            return self.backend.ask(question, body)

        try:
            reply = self._persist(attempt, failures)
        except BaseException:
            self._count(failures)
            raise
        if self._budget is not None:
            self._budget.charge(reply)
        call = Call(body, draw, reply, dict(failures))
        if self.store is None:
            return call
        source = replace(
            self.backend.provenance(),
            response_model=reply.response_model,
            fingerprint=reply.fingerprint,
        )
        return self.store.put(key, self.backend, call, source)

    # ------------------------------------------------------------------ trying again

    def _persist(self, attempt: Callable[[], T], failures: Counter[str]) -> T:
        """The result of an attempt that succeeds; those that fail are counted in `failures`."""
        while True:
            try:
                return attempt()
            except CallFailed as error:
                failures[str(error.failure)] += 1
                if error.failure not in RETRIED:
                    raise
                tried = failures.total()
                wait = error.retry_after
                if wait is None:
                    wait = min(self._backoff * 2.0 ** min(tried - 1, 60), self._longest_wait)
                if tried >= self._attempts or wait > self._longest_wait:
                    raise self._surrender(error, failures, wait) from error
                if self._gate is not None and error.failure == Failure.RATE_LIMITED:
                    self._gate.pause(wait)
                self._sleep(wait)

    def _surrender(self, error: CallFailed, failures: Counter[str], wait: float) -> CallFailed:
        """The error that says what was tried, what is kept, and how to go on."""
        tried = failures.total()
        counts = ", ".join(f"{name} {count}" for name, count in sorted(failures.items()))
        why = ""
        if tried < self._attempts:
            why = f" since the server asks to wait {wait:g} s (longest_wait is "
            why += f"{self._longest_wait:g} s)"
        if self.store is None:
            kept = (
                "nothing is kept: give the client a store=CallStore(path), and a run that fails "
                "goes on where it stopped"
            )
        else:
            kept = (
                f"everything answered so far is kept in {getattr(self.store, 'path', 'the store')}"
                ": start the same run again to go on where it stopped"
            )
        return CallFailed(
            f"gave up after {tried} attempt{'s' * (tried > 1)}{why}: {counts}. Last: {error}. "
            f"{kept[0].upper()}{kept[1:]}",
            failure=error.failure,
            retry_after=error.retry_after,
        )

    # ------------------------------------------------------------------ counting

    @property
    def tally(self) -> Tally:
        """What was asked so far, and what went wrong."""
        with self._lock:
            return replace(self._tally, failures=self._tally.failures.copy())

    def count(self, failure: str) -> None:
        """Counts a failure that is found in an answer."""
        self._count({str(failure): 1})

    def _count(self, failures: Mapping[str, int]) -> None:
        with self._lock:
            self._tally.failures.update(failures)

    # ------------------------------------------------------------------ closing

    def close(self) -> None:
        """Closes the backend and the store."""
        try:
            self.backend.close()
        finally:
            if self.store is not None:
                self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
