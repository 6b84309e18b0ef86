"""Stopping calls, and allowing them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ..games.errors import RunStopped
from .backends.base import Remote


class Switch:
    """Whether calls may be made. Calls are allowed when nobody stops them any longer.

    Args:
        remote: the backend, if it has calls under way that can be cut off.
        kept: where the answered calls are, for the text of `RunStopped`.
    """

    def __init__(self, remote: Remote | None, kept: Callable[[], str]):
        self._remote = remote
        self._kept = kept
        self._event = Event()
        self._lock = Lock()
        self._by_user = False
        self._halts = 0

    def stop(self, *, cut: bool) -> None:
        """Stops until `resume`; see `Client.stop`."""
        with self._lock:
            self._by_user = True
            self._set(cut)

    def resume(self) -> None:
        """Takes `stop` back, not what others halt."""
        with self._lock:
            self._by_user = False
            self._clear()

    @contextmanager
    def halted(self, *, cut: bool) -> Iterator[None]:
        """Stops as long as the context lasts."""
        with self._lock:
            self._halts += 1
            self._set(cut)
        try:
            yield
        finally:
            with self._lock:
                self._halts -= 1
                self._clear()

    def go_on(self) -> None:
        """Passes, unless calls are stopped.

        Raises:
            RunStopped: they are.
        """
        if self._event.is_set():
            raise RunStopped(
                f"the run was stopped. The calls that were answered {self._kept()} (with this "
                "client: after its resume())"
            )

    def wait(self, seconds: float) -> None:
        """Waits for seconds, or until calls are stopped.

        Raises:
            RunStopped: they are.
        """
        self._event.wait(seconds)
        self.go_on()

    def _set(self, cut: bool) -> None:
        self._event.set()
        if cut and self._remote is not None:
            self._remote.stop()

    def _clear(self) -> None:
        if self._by_user or self._halts:
            return
        if self._remote is not None:
            self._remote.resume()
        self._event.clear()
