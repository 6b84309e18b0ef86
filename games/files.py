"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """A file that takes the place of ``path`` when the block ends, and is gone if the block fails.

    Until then it is a temporary one in the same folder: a reader never sees half of it.

    Raises:
        OSError: a missing or read-only folder, or a full disk.
        ValueError: the path names no file, or holds a NUL.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        with suppress(OSError, ValueError):  # gone after success, or never made
            temporary.unlink()
