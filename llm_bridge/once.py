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
        with self._lock:
            future = self._futures.get(key)
            mine = future is None
            if future is None:
                future = self._futures[key] = Future()
        if not mine:
            return future.result()
        try:
            value = make()
        except BaseException as error:
            with self._lock:
                del self._futures[key]
            future.set_exception(error)
            raise
        future.set_result(value)
        return value

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
