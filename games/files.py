"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

_SHOWN = 40


@contextmanager
def replacing(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """A file that takes the place of ``path`` when the block ends, and is gone if the block fails.

    Until then it is a temporary one in the same folder: a reader never sees half of it. Of a
    symbolic link, the file that it points to is replaced. A device or a pipe is written to.

    Raises:
        OSError: a missing or read-only folder, a full disk, or no file but a folder.
        ValueError: the path holds a NUL.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as device:
            yield device
        return
    # A part of the name shows where it comes from; all of it could be too long.
    temporary = target.with_name(f".{target.name[:_SHOWN]}.{secrets.token_hex(6)}")
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        with suppress(OSError, ValueError):  # gone after success, or never made
            temporary.unlink()
