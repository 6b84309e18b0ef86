"""Seconds of work, without those that numba takes to make its kernels ready.

A kernel is compiled when it is first called with arguments of some types, which may take seconds,
and is kept on disk: later processes load it in some hundredths of a second. Neither says anything
about an algorithm, so both are counted apart.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from numba.core import event

PREPARING = "numba:compiler_lock"
"""Numba's event for compiling a kernel or loading it."""


class Stopwatch:
    """Adds up the time of pieces of work.

    Attributes:
        seconds: of the work itself.
        compile_seconds: besides, of numba's compiling and loading kernels meanwhile, in any thread.
    """

    def __init__(self) -> None:
        self.seconds = 0.0
        self.compile_seconds = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Counts what is done in the context."""
        started = time.perf_counter()
        with event.install_timer(PREPARING, self._prepared):
            yield
        self.seconds += time.perf_counter() - started

    def _prepared(self, seconds: float) -> None:
        self.seconds -= seconds
        self.compile_seconds += seconds
