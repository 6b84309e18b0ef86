"""Files of arrays: NumPy ``.npz`` archives with a format version and a checksum.

Reading runs no code that is in the file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import CrywolfError
from .files import replacing

Arrays = Mapping[str, NDArray[Any]]

RESERVED = ("format", "version", "facts", "checksum")
"""Names that arrays cannot have."""


def arrays_of(path: str | PathLike[str]) -> dict[str, NDArray[Any]]:
    """The arrays of an ``.npz`` file by name; none if it holds a single one.

    Raises:
        Exception: whatever the damage of a damaged file leads to.
    """
    with open(fspath(path), "rb") as file:  # an int would be taken for a descriptor
        archive = np.load(file, allow_pickle=False)
        if isinstance(archive, np.ndarray):
            return {}
        with archive:
            return {name: archive[name] for name in archive.files}


@dataclass(frozen=True)
class ArchiveKind:
    """One kind of file.

    Attributes:
        name: what it is called, such as ``checkpoint``.
        version: of its format.
        error: what is raised when something is wrong with a file.
        cure: what writes such a file, for error texts.
    """

    name: str
    version: int
    error: type[CrywolfError]
    cure: str

    @property
    def format(self) -> str:
        """What the file says of itself."""
        return f"crywolf {self.name}"

    def write(self, path: str | PathLike[str], facts: Mapping[str, Any], arrays: Arrays) -> None:
        """Writes a file, completely or not at all.

        Args:
            path: where; what is there is replaced.
            facts: whatever JSON can hold.
            arrays: by name.

        Raises:
            CrywolfError: ``error``, if the file cannot be written.
        """
        text = json.dumps(facts, sort_keys=True)
        try:
            with replacing(path) as file:
                np.savez(
                    file,
                    allow_pickle=False,
                    **dict(arrays),
                    format=np.array(self.format),
                    version=np.array(self.version),
                    facts=np.frombuffer(text.encode(), np.uint8),
                    checksum=np.array(_checksum(text, arrays)),
                )
        except (OSError, TypeError, ValueError) as error:
            raise self.error(f"cannot write {path}: {error}; choose another path") from error

    def read(self, path: str | PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Reads and checks a file; returns the facts and the arrays.

        Raises:
            CrywolfError: ``error``, if the file is missing, truncated, corrupted, or of another
                kind or version.
        """
        try:
            parts = arrays_of(path)
        except FileNotFoundError as error:
            raise self.error(f"there is no {self.name} {path}; {self.cure} writes one") from error
        except Exception as error:  # a damaged archive raises whatever its damage leads to
            raise self.error(
                f"{path} cannot be read as a {self.name} ({type(error).__name__}: {error}); it may "
                f"be truncated, corrupted, or of another program: {self.cure} writes it anew"
            ) from error
        if str(parts.get("format")) != self.format:
            raise self.error(f"{path} is no {self.name} of crywolf; {self.cure} writes one")
        if str(parts.get("version")) != str(self.version):
            raise self.error(
                f"{path} has version {parts.get('version')} of the format; this crywolf reads "
                f"{self.version}: {self.cure} writes it anew"
            )
        arrays = {name: array for name, array in parts.items() if name not in RESERVED}
        try:
            text = parts["facts"].tobytes().decode()
            facts = json.loads(text)
            intact = str(parts["checksum"]) == _checksum(text, arrays)
        except (KeyError, ValueError, AttributeError, RecursionError):
            intact, facts = False, None
        if not intact or not isinstance(facts, dict):
            raise self.error(
                f"{path} is corrupted: its checksum does not match; {self.cure} writes it anew"
            )
        return facts, arrays


def _checksum(facts: str, arrays: Arrays) -> str:
    """SHA-256 of facts, names, types, shapes and contents, in hexadecimal."""
    digest = hashlib.sha256(facts.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        digest.update(f"\0{name} {little.dtype.str} {little.shape}\0".encode())
        digest.update(little.data)
    return digest.hexdigest()
