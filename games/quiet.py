"""Keeps what C++ writes on standard error beside the exception that it throws away from people."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

STANDARD_ERROR = 2
_lock = Lock()


@contextmanager
def without_echo(prefix: str) -> Iterator[None]:
    """Drops lines on the file descriptor of standard error that repeat an exception.

    OpenSpiel writes ``OpenSpiel exception: ...`` there and then throws an exception with the same
    text. All else that any thread writes meanwhile is passed on afterwards. One thread at a time
    does this, others wait.

    Args:
        prefix: of the echo, which is followed by the text of the exception that leaves the context.
    """
    with _lock, tempfile.TemporaryFile() as held:
        try:
            kept = os.dup(STANDARD_ERROR)
        except OSError:  # it is closed: nothing can be written
            yield
            return
        echo = b""
        _flush()
        os.dup2(held.fileno(), STANDARD_ERROR)
        try:
            yield
        except Exception as error:
            echo = f"{prefix}{error}\n".encode()
            raise
        finally:
            _flush()
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)
            held.seek(0)
            rest = held.read().replace(echo, b"", 1) if echo else held.read()
            if rest:
                os.write(STANDARD_ERROR, rest)


def _flush() -> None:
    if sys.stderr is not None and not sys.stderr.closed:
        sys.stderr.flush()
