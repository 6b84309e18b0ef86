"""What a client needs of the place where calls are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from contextlib import suppress
from os import PathLike
from typing import Any, Protocol, runtime_checkable

from ..games.errors import ParameterError, StoreError
from . import arguments
from .chat import Call, Provenance
from .store_text import Run


@runtime_checkable
class Store(Protocol):
    """Where calls are kept; see `store.CallStore`."""

    def get(self, key: str, *, model: str | None = None) -> Call | None:
        """The kept call, or None if it has to be made."""
        ...

    def put(self, key: str, backend: Any, call: Call, provenance: Provenance) -> Call:
        """Keeps a call, and returns it as it is kept."""
        ...

    def check(self, backend: Any, provenance: Provenance) -> None:
        """Refuses a backend whose answers could not be kept."""
        ...

    def note_elicitation(self, model: str, elicitation: str) -> None:
        """Remembers how a model was asked."""
        ...

    def close(self) -> None:
        """Frees what the store holds."""
        ...


@runtime_checkable
class Memory(Protocol):
    """What a store may remember besides: `store.CallStore` does."""

    def dialect_of(self, model: str) -> str | None:
        """The dialect in which a model was asked; None if it has to be found out."""
        ...

    def failures(self, key: str) -> Mapping[str, int]:
        """How often a call failed in runs that gave it up."""
        ...

    def give_up(self, key: str, model: str, failures: Mapping[str, int]) -> None:
        """Remembers how often a call has failed that is given up for now."""
        ...

    def note_progress(self, model: str, run: Run) -> None:
        """Remembers how far a run has come."""
        ...


class _Forgetful:
    """The memory of a run without a store, as long as the run."""

    def __init__(self) -> None:
        self._failures: dict[str, Mapping[str, int]] = {}

    def dialect_of(self, model: str) -> str | None:
        return None

    def failures(self, key: str) -> Mapping[str, int]:
        return self._failures.get(key, {})

    def give_up(self, key: str, model: str, failures: Mapping[str, int]) -> None:
        self._failures[key] = failures

    def note_progress(self, model: str, run: Run) -> None:
        pass


def memory_of(store: Store | None) -> Memory:
    """What the store remembers; without one, or if it does not, that of this run."""
    return store if isinstance(store, Memory) else _Forgetful()


def checked_store(store: Any) -> Store | None:
    """The value, which must be a store or None.

    Raises:
        ParameterError: it is neither.
    """
    if store is None or (isinstance(store, Store) and not isinstance(store, type)):
        return store
    path = str(store) if isinstance(store, str | PathLike) else "calls.sqlite"
    raise ParameterError(
        f"store={arguments.shown(store)}: give a CallStore, CallStore({arguments.shown(path)})"
    )


def answered_so_far(store: Store | None, calls: int) -> str:
    """A sentence on the answered calls: where they are, and how to go on.

    Args:
        store: where they are kept.
        calls: how many were answered in this run.
    """
    if not calls and not _size(store):
        return "No call was answered: start the same run again when that is mended"
    return f"The calls that were answered {kept_in(store)}"


def kept_in(store: Store | None) -> str:
    """Where the answered calls are, and how to go on: the end of a sentence about them."""
    if store is None:
        return (
            "are in no store: give the client a store=CallStore(path), and a run that ends "
            "early goes on where it stopped"
        )
    where = getattr(store, "path", "the store")
    size = _size(store)
    count = "" if size is None else f" ({size} in all)"
    return (
        f"are kept in {where}{count}: start the same run again, with the same command, to go on "
        "where it stopped"
    )


def _size(store: Store | None) -> int | None:
    """How many calls a store holds, if it tells."""
    if isinstance(store, Sized):
        with suppress(StoreError):  # closed, say: what is kept stays kept
            return len(store)
    return None
