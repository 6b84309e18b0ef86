"""The client: asks a backend, keeps what it answers, and sees that a run survives failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from threading import Event, Lock
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from ..games.errors import (
    CallFailed,
    ParameterError,
    ProvenanceMismatch,
    RunStopped,
    ServerUnreachable,
    StoreError,
)
from . import arguments
from .backends.base import Backend, Remote, checked_backend
from .backends.replay import ReplayBackend
from .budget import Budget, RateGate
from .chat import Body, Call, Provenance, Question, Reply, call_key
from .failures import RETRIED, Failure
from .ledger import Ledger, Tally
from .once import Once

T = TypeVar("T")

_SERVED = ("response_model", "fingerprint")  # what each reply says of the model that gave it


@runtime_checkable
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


@runtime_checkable
class Memory(Protocol):
    """What a store may remember besides: `store.CallStore` does."""

    def dialect_of(self, model: str) -> str | None:
        """The dialect in which a model was asked; None if it has to be found out."""
        ...

    def failures(self, key: str) -> Mapping[str, int]:
        """How often a call failed in runs that gave it up."""
        ...

    def give_up(self, key: str, model: str, failures: Mapping[str, int]) -> None:
        """Remembers how often a call has failed that is given up for now."""
        ...


class Client:
    """Asks one backend. May be used by several threads at once.

    A call that fails without a reply is sent again, unchanged, after a wait that doubles each time
    or that the server asks for. There is no randomness in it. Only a server that was never reached
    is not tried again: it hardly runs.

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
        sleep: waits for seconds; by default until `stop` is called, if that is sooner.

    Raises:
        ParameterError: an argument is of the wrong type or out of range.
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
        sleep: Callable[[float], object] | None = None,
    ):
        self.backend = checked_backend("backend", backend)
        self.store = _checked_store(store)
        for name, value, kind in (("budget", budget, Budget), ("gate", gate, RateGate)):
            if value is not None and not isinstance(value, kind):
                example = f"a {kind.__name__}, such as {kind.__name__}(10)"
                raise ParameterError(f"{name}={arguments.shown(value)}: give {example}")
        if sleep is not None and not callable(sleep):
            raise ParameterError(f"sleep={sleep!r}: give a function of seconds, or leave it out")
        self._budget = budget
        self._gate = gate
        self._attempts = arguments.whole("attempts", attempts, 1)
        self._backoff = arguments.seconds("backoff", backoff)
        self._longest_wait = arguments.seconds("longest_wait", longest_wait)
        self._sleep = self._wait if sleep is None else sleep
        self._stopped = Event()
        self._lock = Lock()
        self._calls: Once[str, tuple[Call, bool]] = Once()
        self._ledger = Ledger()
        self._served: tuple[str | None, ...] | None = None
        self._checked = store is None or isinstance(backend, ReplayBackend)
        self._memory: Memory = store if isinstance(store, Memory) else _Forgetful()
        self._remote = backend if isinstance(backend, Remote) else None
        dialect = self._memory.dialect_of(backend.model)
        if self._remote is not None and dialect is not None:
            self._remote.expect(dialect)

    def __repr__(self) -> str:
        store = "" if self.store is None else f", store={self.store!r}"
        return f"Client({self.backend!r}{store})"

    # ------------------------------------------------------------------ asking

    def ask(self, question: Question, draw: int = 0, ledger: Ledger | None = None) -> Reply:
        """The reply to a question: from memory, from the store, or from the backend.

        Args:
            question: what is asked.
            draw: which of several answers to the same question, from 0.
            ledger: where the call is counted, besides `tally`.

        Raises:
            CallFailed: no reply, after all attempts or because the server refuses the request.
            BudgetExhausted: the call would exceed the budget.
            RunStopped: `stop` was called.
            StoreMiss: a replay needs a call that the store does not hold.
            ProvenanceMismatch: the model is not the one that gave the other answers.
            StoreError: the store fails.
        """
        # To form the body, a server may have to be asked for its dialect. That is no call: if it
        # fails, it is tried again like one, but not counted.
        body = self._persist(lambda: self.backend.body(question), Counter())
        key = call_key(body, draw)
        call, new = self._calls.get(key, lambda: self._answer(key, question, body, draw))
        self._ledger.add(key, call, new)
        if ledger is not None:
            ledger.add(key, call, new)
        return call.reply

    @property
    def dialect(self) -> str:
        """The form of the bodies; a server may have to be asked for it.

        Raises:
            CallFailed: the server does not answer, after all attempts.
            RunStopped: `stop` was called.
        """
        return self._persist(lambda: self.backend.dialect, Counter())

    @property
    def tally(self) -> Tally:
        """The calls answered so far, and how often they had failed before."""
        return self._ledger.tally

    def _answer(self, key: str, question: Question, body: Body, draw: int) -> tuple[Call, bool]:
        """A call that was not asked before, and whether the backend had to answer it."""
        if self.store is not None:
            if not self._checked:
                self.store.check(self.backend, self.backend.provenance())
                self._checked = True
            call = self.store.get(key, model=self.backend.model)
            if call is not None:
                return call, False
        return self._ask(key, question, body, draw), True

    def _ask(self, key: str, question: Question, body: Body, draw: int) -> Call:
        """Asks the backend, and keeps the answer."""
        if self._remote is not None:
            self._persist(self._remote.confirm, Counter())
        failures = Counter(self._memory.failures(key))
        try:
            reply = self._persist(lambda: self._attempt(question, body), failures)
        except BaseException:
            with suppress(StoreError):  # the news is why the call is given up
                if failures:
                    self._memory.give_up(key, self.backend.model, failures)
            raise
        if self._budget is not None:
            self._budget.charge(reply)
        self._refuse_another(reply)
        call = Call(body, draw, reply, dict(failures))
        if self.store is None:
            return call
        served = {name: getattr(reply, name) for name in _SERVED}
        source = replace(self.backend.provenance(), **served)
        return self.store.put(key, self.backend, call, source)

    def _attempt(self, question: Question, body: Body) -> Reply:
        if self._gate is not None:
            self._gate.wait(self._sleep)
        if self._budget is not None:
            self._budget.check()  # last, so that it counts no call that is stopped before it begins
        return self.backend.ask(question, body)

    def _refuse_another(self, reply: Reply) -> None:
        """Refuses a reply of another model than that of the first reply."""
        served = tuple(getattr(reply, name) for name in _SERVED)
        with self._lock:
            first = self._served = self._served or served
        changes = [
            f"{name} {old!r}, now {new!r}"
            for name, old, new in zip(_SERVED, first, served, strict=True)
            if old != new
        ]
        if changes:
            raise ProvenanceMismatch(
                f"{self.backend.model} changed while it was asked: {'; '.join(changes)}. Answers "
                "of both must not be mixed: name a version of the model that stays, and begin again"
            )

    # ------------------------------------------------------------------ trying again

    def _persist(self, attempt: Callable[[], T], failures: Counter[str]) -> T:
        """The result of an attempt that succeeds; those that fail are added to `failures`."""
        met: Counter[str] = Counter()
        while True:
            self._go_on()
            try:
                return attempt()
            except CallFailed as error:
                self._go_on()  # what was cut off has not failed
                for counts in (met, failures):
                    counts[str(error.failure)] += 1
                if error.failure not in RETRIED or isinstance(error, ServerUnreachable):
                    raise
                wait = error.retry_after
                if wait is None:
                    doubled = self._backoff * 2.0 ** min(met.total() - 1, 60)
                    wait = min(doubled, self._longest_wait)
                if met.total() >= self._attempts or wait > self._longest_wait:
                    raise self._surrender(error, met, wait) from error
                if self._gate is not None and error.failure == Failure.RATE_LIMITED:
                    self._gate.pause(wait)
                self._sleep(wait)

    def _surrender(self, error: CallFailed, met: Counter[str], wait: float) -> CallFailed:
        """The error that says what was tried, what is kept, and how to go on."""
        tried = met.total()
        counts = ", ".join(f"{name} {count}" for name, count in sorted(met.items()))
        why = ""
        if tried < self._attempts:
            why = f" since the server asks to wait {wait:g} s (longest_wait is "
            why += f"{self._longest_wait:g} s)"
        return CallFailed(
            f"gave up after {tried} attempt{'s' * (tried > 1)}{why}: {counts}. Last: {error}. "
            f"The calls that were answered {self.kept}",
            failure=error.failure,
            retry_after=error.retry_after,
        )

    @property
    def kept(self) -> str:
        """Where the answered calls are, and how to go on: the end of a sentence about them."""
        if self.store is None:
            return (
                "are in no store: give the client a store=CallStore(path), and a run that ends "
                "early goes on where it stopped"
            )
        where = getattr(self.store, "path", "the store")
        return f"are kept in {where}: start the same run again to go on where it stopped"

    # ------------------------------------------------------------------ stopping

    def stop(self, *, cut: bool = True) -> None:
        """Ends what is under way in all threads; each of them gets a `RunStopped`.

        No further call is begun, and nobody waits any longer. What has been answered is kept.

        Args:
            cut: whether calls are cut off that a server has not answered yet; if not, their answers
                are awaited and kept.
        """
        self._stopped.set()
        if cut and self._remote is not None:
            self._remote.stop()

    def resume(self) -> None:
        """Allows calls again after `stop`."""
        if self._remote is not None:
            self._remote.resume()
        self._stopped.clear()

    def _go_on(self) -> None:
        if self._stopped.is_set():
            raise RunStopped(
                f"the run was stopped. The calls that were answered {self.kept} (with this client: "
                "after its resume())"
            )

    def _wait(self, seconds: float) -> None:
        self._stopped.wait(seconds)
        self._go_on()

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


class _Forgetful:
    """The memory of a run without a store, as long as the run."""

    def __init__(self) -> None:
        self._failures: dict[str, Mapping[str, int]] = {}

    def dialect_of(self, model: str) -> str | None:
        return None

    def failures(self, key: str) -> Mapping[str, int]:
        return self._failures.get(key, {})

    def give_up(self, key: str, model: str, failures: Mapping[str, int]) -> None:
        self._failures[key] = failures


def _checked_store(store: Any) -> Store | None:
    if store is None or (isinstance(store, Store) and not isinstance(store, type)):
        return store
    path = str(store) if isinstance(store, str | PathLike) else "calls.sqlite"
    raise ParameterError(
        f"store={arguments.shown(store)}: give a CallStore, CallStore({arguments.shown(path)})"
    )
