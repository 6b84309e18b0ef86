"""Where the answers in a store come from: one source for all answers of a declared model."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Protocol, TypeAlias

from ..games.errors import ProvenanceMismatch
from . import store_codec as codec
from .chat import Provenance
from .store_text import SOURCE

Source: TypeAlias = tuple[str | None, ...]
"""The values of `store_text.SOURCE`."""
KNOWN_BEFORE = 3
"""So many of them, the first ones, are known before the first call."""
_TYPES: codec.Types = {
    **dict.fromkeys(SOURCE, codec.OPTIONAL),
    "model": codec.TEXT,
    "dialect": codec.TEXT,
}


class Asked(Protocol):
    """The part of a `Backend` that is kept with its calls."""

    @property
    def model(self) -> str:
        """The declared name of the model."""
        ...

    @property
    def dialect(self) -> str:
        """The form of the bodies."""
        ...


def source_of(backend: Asked, provenance: Provenance) -> Source:
    """The values of SOURCE, checked, since SQLite takes any type."""
    source = (backend.dialect, *(getattr(provenance, name) for name in SOURCE[1:]))
    named = {"model": backend.model, **dict(zip(SOURCE, source, strict=True))}
    codec.check_fields(named, _TYPES, "backend or its provenance")
    return source


def stored(db: sqlite3.Connection, model: str) -> Source | None:
    """The source of a model's answers in a store; None if there are none."""
    query = f"SELECT {', '.join(SOURCE)} FROM models WHERE model = ?"
    return db.execute(query, (model,)).fetchone()


def compare(path: Path, model: str, old: Source, new: Source) -> None:
    """Refuses a source that differs in what is known of the old one.

    Raises:
        ProvenanceMismatch: see above.
    """
    columns = zip(SOURCE, old, new, strict=False)  # the old one may hold only the first values
    differing = [f"{name} {a!r}, now {b!r}" for name, a, b in columns if a != b]
    if differing:
        raise ProvenanceMismatch(
            f"{path} holds answers of {model} from elsewhere: {'; '.join(differing)}. "
            "Answers of both must not be mixed: record into another file, or refresh this one "
            "(mode 'refresh'), which drops the old answers of this model"
        )
