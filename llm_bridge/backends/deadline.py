"""Limits on the time that calls over HTTP take in total, and a way to cut them off before."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import Any


class Clock:
    """Ends a call by shutting its connection when its time is up.

    A limit on each read cannot do this: a server that sends a byte now and then passes every one.

    Attributes:
        expired: the time is up.
    """

    def __init__(self) -> None:
        self.expired = False
        self._lock = Lock()
        self._socket: socket.socket | None = None

    def watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Takes note of the connection: the ``trace`` extension of httpx."""
        stream = info.get("return_value")
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            with self._lock:
                self._socket = stream.get_extra_info("socket") if stream is not None else None
                if self.expired:
                    self._shut()

    def expire(self) -> None:
        """The time is up."""
        with self._lock:
            self.expired = True
            self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with suppress(OSError):  # closed meanwhile
                # Not that of ssl.SSLSocket, which takes the encryption from a reading thread.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class Deadlines:
    """The clocks of all calls under way."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._clocks: set[Clock] = set()
        self._stopped = False

    @contextmanager
    def running(self, seconds: float) -> Iterator[Clock]:
        """A clock that runs while the block is executed; pass its `Clock.watch` to httpx.

        After `stop` it has expired before it begins.
        """
        clock = Clock()
        timer = Timer(seconds, clock.expire)
        timer.daemon = True
        try:
            with self._lock:
                self._clocks.add(clock)
                clock.expired = self._stopped
            timer.start()
            yield clock
        finally:
            timer.cancel()
            with self._lock:
                self._clocks.discard(clock)

    def stop(self) -> None:
        """The time of all calls is up, and of those that begin later."""
        with self._lock:
            self._stopped = True
            clocks = list(self._clocks)
        for clock in clocks:
            clock.expire()

    def resume(self) -> None:
        """Calls that begin now have their time."""
        with self._lock:
            self._stopped = False
