"""Values that are made once, however many threads ask for them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Once(Generic[K, V]):
    """Values by key. Who asks first makes the value; who asks meanwhile waits for it.

    A failure is raised for all who wait for it, and then forgotten: the value may be asked for
    again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._futures: dict[K, Future[V]] = {}

    def get(self, key: K, make: Callable[[], V]) -> V:
        """The value of a key, made now if nobody did before."""
        mine: Future[V] = Future()
        try:  # from the claim on: an interrupt at any place must not leave the others waiting
            with self._lock:
                future = self._futures.setdefault(key, mine)
            if future is not mine:
                return future.result()
            value = make()
            mine.set_result(value)
            return value
        except BaseException as error:
            with self._lock:
                if self._futures.get(key) is mine and not mine.done():
                    del self._futures[key]
            if not mine.done():
                mine.set_exception(error)
            raise

    def __contains__(self, key: object) -> bool:
        """Whether the value has been made."""
        with self._lock:
            future = self._futures.get(key)  # pyright: ignore[reportArgumentType]
        return future is not None and future.done()

    def values(self) -> list[V]:
        """The values made so far, in the order in which they were asked for."""
        with self._lock:
            futures = list(self._futures.values())
        return [future.result() for future in futures if future.done()]
