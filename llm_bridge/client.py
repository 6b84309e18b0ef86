"""The client: asks a backend, keeps what it answers, and sees that a run survives failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from threading import Lock
from typing import Self

from ..games.errors import ParameterError, ProvenanceMismatch, StoreError
from . import arguments
from .backends.base import Backend, Remote, checked_backend
from .backends.replay import ReplayBackend
from .budget import Budget, RateGate
from .chat import Body, Call, Question, Reply, call_key
from .failures import PaidInVain
from .keeping import Store, answered_so_far, checked_store, kept_in, memory_of
from .ledger import Ledger, Tally
from .once import Once
from .patience import Patience
from .replies import checked_reply
from .stopping import Switch
from .store_text import Run

_SERVED = ("response_model", "fingerprint")  # what each reply says of the model that gave it


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
        self.store = checked_store(store)
        for name, value, kind in (("budget", budget, Budget), ("gate", gate, RateGate)):
            if value is not None and not isinstance(value, kind):
                example = f"a {kind.__name__}, such as {kind.__name__}(10)"
                raise ParameterError(f"{name}={arguments.shown(value)}: give {example}")
        if sleep is not None and not callable(sleep):
            raise ParameterError(f"sleep={sleep!r}: give a function of seconds, or leave it out")
        self._budget = budget
        self._gate = gate
        self._remote = backend if isinstance(backend, Remote) else None
        self._switch = Switch(self._remote, lambda: self.kept)
        self._sleep = self._switch.wait if sleep is None else sleep
        self._patience = Patience(
            attempts, backoff, longest_wait, gate, self._sleep, self._switch, self._answered_so_far
        )
        self._lock = Lock()
        self._calls: Once[str, Call] = Once()
        self._ledger = Ledger()
        self._served: tuple[str | None, ...] | None = None
        self._checked = store is None or isinstance(backend, ReplayBackend)
        self._memory = memory_of(store)
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
        body = self._patience.persist(lambda: self.backend.body(question), Counter())
        key = call_key(body, draw)
        new = False  # to whom the backend answers it now; others find it

        def answer() -> Call:
            nonlocal new
            call, new = self._answer(key, question, body, draw)
            return call

        call = self._calls.get(key, answer)
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
        return self._patience.persist(lambda: self.backend.dialect, Counter())

    @property
    def tally(self) -> Tally:
        """The calls answered so far, and how often they had failed before."""
        return self._ledger.tally

    def note_progress(self, run: Run) -> None:
        """Remembers in the store how far a run has come, and how the model was asked."""
        if self.store is not None:
            self.store.note_elicitation(self.backend.model, run.elicitation)
        self._memory.note_progress(self.backend.model, run)

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
            self._patience.persist(self._remote.confirm, Counter())
        failures = Counter(self._memory.failures(key))
        try:
            reply = self._patience.persist(lambda: self._attempt(question, body), failures)
        except BaseException:
            with suppress(StoreError):  # the news is why the call is given up
                if failures:
                    self._memory.give_up(key, self.backend.model, failures)
            raise
        self._refuse_another(reply)
        call = Call(body, draw, reply, dict(failures))
        if self.store is not None:
            served = {name: getattr(reply, name) for name in _SERVED}
            source = replace(self.backend.provenance(), **served)
            call = self.store.put(key, self.backend, call, source)
        if self._budget is not None:  # last, because it may refuse what is paid for and kept
            self._budget.charge(reply, self.backend.model)
        return call

    def _attempt(self, question: Question, body: Body) -> Reply:
        if self._gate is not None:
            self._gate.wait(self._sleep)
        if self._budget is not None:
            self._budget.check()  # last, so that it counts no call that is stopped before it begins
        try:
            return checked_reply(self.backend.ask(question, body), self.backend.model)
        except PaidInVain as error:
            if self._budget is not None:
                self._budget.charge_failed(error)
            raise

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

    # ------------------------------------------------------------------ stopping

    @property
    def kept(self) -> str:
        """Where the answered calls are, and how to go on: the end of a sentence about them."""
        return kept_in(self.store)

    def _answered_so_far(self) -> str:
        return answered_so_far(self.store, self.tally.calls)

    def stop(self, *, cut: bool = True) -> None:
        """Ends what is under way in all threads; each of them gets a `RunStopped`.

        No further call is begun, and nobody waits any longer. What has been answered is kept.

        Args:
            cut: whether calls are cut off that a server has not answered yet; if not, their answers
                are awaited and kept.
        """
        self._switch.stop(cut=cut)

    def resume(self) -> None:
        """Allows calls again after `stop`."""
        self._switch.resume()

    def halted(self, *, cut: bool = True) -> AbstractContextManager[None]:
        """`stop`, as long as the context lasts. A `stop` by anybody else outlasts it."""
        return self._switch.halted(cut=cut)

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
