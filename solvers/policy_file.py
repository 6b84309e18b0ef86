"""Policy files: a NumPy ``.npz`` archive with a checksum, read without running any code in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.archive import arrays_of
from ..games.errors import PolicyFileError
from ..games.files import replacing

FORMAT = "crywolf policy"
VERSION = 1


class PolicyFile(NamedTuple):
    """The content of a policy file.

    Attributes:
        game: the game string.
        keys: H information-state strings.
        sizes: int64 (H,), number of actions of each information set.
        actions: int64, action numbers of all information sets, one after the other.
        probabilities: float64, probabilities of these actions.
        remarks: what a reader of the policy has to know, such as that it is made of draws.
    """

    game: str
    keys: Sequence[str]
    sizes: NDArray[np.int64]
    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    remarks: tuple[str, ...] = ()

    def strategies(self) -> dict[str, dict[int, float]]:
        """``{information-state string: {action number: probability}}``."""
        ends = np.cumsum(self.sizes).tolist()
        actions, probabilities = self.actions.tolist(), self.probabilities.tolist()
        return {
            key: dict(zip(actions[end - size : end], probabilities[end - size : end], strict=True))
            for key, size, end in zip(self.keys, self.sizes.tolist(), ends, strict=True)
        }

    def checksum(self) -> str:
        """SHA-256 of everything above, in hexadecimal."""
        words: list[Any] = [self.game, list(self.keys)]
        if self.remarks:  # files from before there were any keep their checksums
            words.append(list(self.remarks))
        digest = hashlib.sha256(json.dumps(words).encode())
        integers = (self.sizes, "<i8"), (self.actions, "<i8")
        for array, kind in (*integers, (self.probabilities, "<f8")):
            digest.update(np.ascontiguousarray(array, kind).tobytes())
        return digest.hexdigest()


def write_policy_file(
    path: str | PathLike[str],
    game: str,
    keys: Sequence[str],
    sizes: NDArray[np.int64],
    actions: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    remarks: Sequence[str] = (),
) -> None:
    """Writes the file, completely or not at all; see `PolicyFile` for its parts.

    Raises:
        PolicyFileError: no file name, a missing or read-only folder, or a full disk.
    """
    content = PolicyFile(game, keys, sizes, actions, probabilities, tuple(remarks))
    try:
        with replacing(path) as file:
            np.savez_compressed(
                file,
                format=np.array(FORMAT),
                version=np.array(VERSION),
                game=np.array(game),
                keys=_as_bytes(list(keys)),
                facts=_as_bytes({"remarks": list(remarks)}),
                sizes=np.asarray(sizes, "<i8"),
                actions=np.asarray(actions, "<i8"),
                probabilities=np.asarray(probabilities, "<f8"),
                checksum=np.array(content.checksum()),
            )
    except (OSError, ValueError) as error:
        raise PolicyFileError(f"cannot write {path}: {error}; choose another path") from error


def read_policy_file(path: str | PathLike[str]) -> PolicyFile:
    """Reads and checks a policy file.

    Raises:
        PolicyFileError: the file is missing, truncated, corrupted, or of another kind or version.
    """
    try:
        parts = arrays_of(path)
    except FileNotFoundError as error:
        raise PolicyFileError(f"there is no policy file {path}; Profile.save writes one") from error
    except Exception as error:  # a damaged archive raises whatever its damage leads to
        raise PolicyFileError(
            f"{path} cannot be read as a policy file ({type(error).__name__}: {error}); it may be "
            "truncated, corrupted, or of another program: write it again with Profile.save"
        ) from error
    if str(parts.get("format")) != FORMAT:
        raise PolicyFileError(f"{path} is no policy file of crywolf; Profile.save writes one")
    if str(parts.get("version")) != str(VERSION):
        raise PolicyFileError(
            f"{path} has version {parts.get('version')} of the format; this crywolf reads {VERSION}"
        )
    try:
        keys = json.loads(parts["keys"].tobytes().decode())
        # Files from before there were remarks have no facts.
        facts = json.loads(parts["facts"].tobytes().decode()) if "facts" in parts else {}
        content = PolicyFile(
            str(parts["game"]), keys, parts["sizes"], parts["actions"], parts["probabilities"],
            tuple(map(str, facts.get("remarks", ()))),
        )  # fmt: skip
        intact = content.checksum() == str(parts["checksum"])
        if intact:
            content.strategies()
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise PolicyFileError(
            f"{path} lacks parts or has broken ones ({error}); write it again"
        ) from error
    if not intact:
        raise PolicyFileError(f"{path} is corrupted: its checksum does not match; write it again")
    return content


def _as_bytes(value: Any) -> NDArray[np.uint8]:
    """A JSON value as an array, which needs no pickling whatever its length."""
    return np.frombuffer(json.dumps(value).encode(), np.uint8)
