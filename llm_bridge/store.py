"""A store of calls: every answer of a language model is kept, and can be replayed without it.

A store is an SQLite file in WAL mode with one commit per call, so that a run that is killed goes on
where it stopped. `CallStore.export` writes it as text, for version control; a replay reads either
form. A store never mixes answers of different weights, runtimes or served models under one declared
name: see `ProvenanceMismatch`.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Literal, Self, TypeAlias, get_args

from ..games.errors import ParameterError, StoreError, StoreMiss
from . import arguments, store_runs
from . import store_codec as codec
from . import store_source as sources
from .chat import Call, Provenance
from .store_file import DAMAGED, StoreFile
from .store_source import KNOWN_BEFORE, Asked, Source
from .store_text import SOURCE, Header, KeptCall, Run, read_export, write_export

Mode: TypeAlias = Literal["record", "replay", "refresh"]

_REPLACE = "UPDATE SET model = excluded.model, date = excluded.date, call = excluded.call"
_PAGE = 256  # rows that an iterator reads at once


class CallStore:
    """Answered calls by their key.

    One object serves several threads; several processes may record into one file, each with an
    object of its own. The first answer to a call stays, and all of them use it.

    Attributes:
        path: the file.
        mode: ``record``: answers what the store holds, and keeps what is asked beyond it;
            ``replay``: only answers, and never changes the file, nor needs to write beside it;
            ``refresh``: answers only what this object kept itself, so that every call is made
            again, and replaces what the file held.

    Args:
        path: the SQLite file, made if missing; for a replay also an export (``.jsonl``).
        mode: see above.
        timeout: seconds to wait for another process that writes.

    Raises:
        StoreError: missing for a replay, damaged, of another kind or version, a folder, a place
            that cannot be written, or locked by another process.
        ParameterError: an unknown mode, or an argument of the wrong type.
    """

    def __init__(
        self, path: str | PathLike[str], mode: Mode = "record", *, timeout: float = 60.0
    ) -> None:
        if mode not in get_args(Mode):
            raise ParameterError(f"there is no mode {mode!r}; use {', '.join(get_args(Mode))}")
        if not isinstance(path, str | PathLike):
            raise ParameterError(
                f'path={arguments.shown(path)}: give the name of a file, say "calls.sqlite"'
            )
        timeout = arguments.seconds("timeout", timeout)
        self.path = Path(path)
        self.mode: Mode = mode
        self._kept: set[str] = set()  # keys that a refresh has asked again
        self._renewed: set[str] = set()  # models whose source a refresh has settled
        self._noted: set[tuple[str, str]] = set()
        self._found: Counter[str | None] = Counter()  # calls that a replay answered, by model
        exported = self.path.suffix == ".jsonl"
        if exported and mode != "replay":
            raise StoreError(
                f"{self.path} has the name of an export, which can only be replayed; record into "
                "a file of another name, say calls.sqlite"
            )
        writes = mode != "replay"
        self._file = StoreFile(self.path, writes=writes, timeout=timeout, in_memory=exported)
        if exported:
            try:
                self._load()
            except StoreError:
                self._file.close()
                raise

    @classmethod
    def open_for_replay(cls, path: str | PathLike[str]) -> Self:
        """``CallStore(path, "replay")``."""
        return cls(path, "replay")

    def close(self) -> None:
        """Closes the file; a closed store refuses everything."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # ------------------------------------------------------------------ calls

    def get(self, key: str, *, model: str | None = None) -> Call | None:
        """The kept call, or None if it has to be made.

        Args:
            key: `call_key` of body and draw.
            model: whom the call asks, for the text of a `StoreMiss`.

        Raises:
            StoreMiss: a replay needs a call that was not recorded.
            StoreError: the file is damaged or cannot be read.
        """
        with self._file.access() as db:
            if self.mode == "refresh" and key not in self._kept:
                return None
            call = self._find(db, key)
            self._found[model] += call is not None
        if call is None and self.mode == "replay":
            raise StoreMiss(self._miss(model))
        return call

    def put(self, key: str, backend: Asked, call: Call, provenance: Provenance) -> Call:
        """Keeps an answered call; when this returns, it is in the file.

        Args:
            key: `call_key` of body and draw.
            backend: who was asked.
            call: the call.
            provenance: where its answer comes from.

        Returns:
            The call as the store now holds it, to be used instead of `call`: the first answer, if
            another thread or process was faster, and in the very form in which a replay gives it.

        Raises:
            ProvenanceMismatch: the store holds answers of this model from elsewhere.
            StoreError: a replay, an ill-formed call, a full disk, a locked or damaged file. What
                was kept before stays.
        """
        if self.mode == "replay":
            raise StoreError(f"{self.path} is being replayed; open it with mode 'record' to add")
        text = codec.encode(codec.call_to_json(call))
        call = codec.call_from_json(key, codec.decode(text))
        row = (key, backend.model, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}", text)
        source = sources.source_of(backend, provenance)
        with self._file.access():  # held until the notes of a refresh are made
            with self._file.transaction() as db:
                self._settle(db, backend.model, source)
                renews = self.mode == "refresh" and key not in self._kept
                then = _REPLACE if renews else "NOTHING"
                statement = f"INSERT INTO calls VALUES (?, ?, ?, ?) ON CONFLICT (key) DO {then}"
                if not db.execute(statement, row).rowcount:
                    call = self._find(db, key) or call
                db.execute("DELETE FROM given_up WHERE key = ?", (key,))
            if self.mode == "refresh":
                self._kept.add(key)
                self._renewed.add(backend.model)
        return call

    def check(self, backend: Asked, provenance: Provenance) -> None:
        """Compares dialect, weights and runtime with the store, before an answer of it is used.

        A replay does not: it is asked for the answers that were recorded, wherever they came from.

        Raises:
            ProvenanceMismatch: `put` would refuse the first answer.
        """
        if self.mode == "replay":
            return
        with self._file.access() as db:
            stored = sources.stored(db, backend.model)
        if stored is not None and not self._may_renew(backend.model):
            now = sources.source_of(backend, provenance)
            sources.compare(self.path, backend.model, stored[:KNOWN_BEFORE], now)

    def failures(self, key: str) -> Mapping[str, int]:
        """How often a call without an answer has failed, in all runs so far."""
        with self._file.access() as db:
            row = db.execute("SELECT failures FROM given_up WHERE key = ?", (key,)).fetchone()
        return {} if row is None else codec.decode(row[0])

    def give_up(self, key: str, model: str, failures: Mapping[str, int]) -> None:
        """Remembers how often a call has failed, until it is answered.

        Raises:
            StoreError: as for `put`.
        """
        with self._file.transaction() as db:
            row = (key, model, codec.encode(dict(failures)))
            db.execute("INSERT OR REPLACE INTO given_up VALUES (?, ?, ?)", row)

    def calls(self) -> Iterator[Call]:
        """All calls, by ascending key."""
        return (kept.call for kept in self._rows())

    def __len__(self) -> int:
        with self._file.access() as db:
            return db.execute("SELECT count(*) FROM calls").fetchone()[0]

    def __bool__(self) -> bool:
        return True  # an empty store is a store

    # ------------------------------------------------------------------ what it holds

    def models(self) -> dict[str, str]:
        """The dialect of every declared model that has answered."""
        with self._file.access() as db:
            return dict(db.execute("SELECT model, dialect FROM models ORDER BY model"))

    def dialect_of(self, model: str) -> str | None:
        """The dialect of a model's answers; None if there are none, or if they are refreshed."""
        return None if self.mode == "refresh" else self.models().get(model)

    def elicitations(self, model: str) -> tuple[str, ...]:
        """The ways of asking with which a model's calls were recorded, as far as noted."""
        return tuple(self._all_elicitations().get(model, ()))

    def note_elicitation(self, model: str, elicitation: str) -> None:
        """Remembers a way of asking, to be named where a replay misses; a replay notes nothing."""
        if self.mode == "replay" or (model, elicitation) in self._noted:
            return
        with self._file.transaction() as db:
            _note(db, (model, elicitation))
        self._noted.add((model, elicitation))

    def note_progress(self, model: str, run: Run) -> None:
        """Remembers how far a run has come; a replay notes nothing."""
        if self.mode == "replay" or not run.planned:
            return
        with self._file.transaction() as db:
            db.execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", (model, *run))

    def runs(self) -> dict[str, list[Run]]:
        """How far each model was asked in each game and way of asking, as far as noted."""
        with self._file.access() as db:
            return store_runs.noted(db)

    def describe(self) -> str:
        """One line: how many calls, of which models, asked how."""
        return f"{self.path.name}: {len(self)} calls of {self._holdings() or 'no model'}"

    def __repr__(self) -> str:
        return f"CallStore({str(self.path)!r}, {self.mode!r})"

    def export(self, path: str | PathLike[str]) -> None:
        """Writes all calls as lines of canonical JSON by ascending key, after a line on the whole.

        Equal stores give equal bytes, and a replay reads the file in place of the store. It is
        written through a temporary file beside it: a reader never sees half of it.

        Raises:
            StoreError: the file is not called ``.jsonl`` or cannot be written.
        """
        with self._file.transaction("DEFERRED"):  # one state of the store
            header = Header(len(self), self.models(), self._all_elicitations(), self.runs())
            write_export(Path(path), header, self._rows())

    # ------------------------------------------------------------------ rows

    def _load(self) -> None:
        """Fills the data base in memory from the export."""
        with self._file.transaction() as db:

            def keep(kept: KeptCall) -> None:
                self._settle(db, kept.model, kept.source)
                row = (kept.key, kept.model, kept.date, codec.encode(codec.call_to_json(kept.call)))
                db.execute("INSERT INTO calls VALUES (?, ?, ?, ?)", row)

            header = read_export(self.path, keep)
            for model, names in header.elicitations.items():
                _note(db, *((model, name) for name in names))
            for model, runs in header.runs.items():
                rows = [(model, *run) for run in runs]
                db.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", rows)

    def _find(self, db: sqlite3.Connection, key: str) -> Call | None:
        row = db.execute("SELECT call FROM calls WHERE key = ?", (key,)).fetchone()
        return None if row is None else self._intact(key, row[0])

    def _rows(self) -> Iterator[KeptCall]:
        """Every row by ascending key, read a page at a time."""
        query = f"""SELECT key, model, {", ".join(SOURCE)}, date, call
            FROM calls JOIN models USING (model) WHERE key > ? ORDER BY key LIMIT {_PAGE}"""
        last = ""
        while True:
            with self._file.access() as db:
                page = db.execute(query, (last,)).fetchall()
            if not page:
                return
            for key, model, *source, date, text in page:
                yield KeptCall(key, model, tuple(source), date, self._intact(key, text))
            last = page[-1][0]

    def _intact(self, key: str, text: str) -> Call:
        try:
            return codec.call_from_json(key, codec.decode(text))
        except StoreError as error:
            raise StoreError(f"{self.path}, call {key}: {error}; {DAMAGED}") from error

    # ------------------------------------------------------------------ provenance

    def _settle(self, db: sqlite3.Connection, model: str, source: Source) -> None:
        """Makes `source` that of all the model's rows, or refuses it."""
        stored = sources.stored(db, model)
        if stored is not None and stored != source and self._may_renew(model):
            for table in ("calls", "elicitations", "given_up", "runs", "models"):
                db.execute(f"DELETE FROM {table} WHERE model = ?", (model,))
            _note(db, *(noted for noted in self._noted if noted[0] == model))
            stored = None
        if stored is None:
            db.execute("INSERT INTO models VALUES (?, ?, ?, ?, ?, ?)", (model, *source))
        else:
            sources.compare(self.path, model, stored, source)

    def _may_renew(self, model: str) -> bool:
        return self.mode == "refresh" and model not in self._renewed

    # ------------------------------------------------------------------ texts

    def _all_elicitations(self) -> dict[str, list[str]]:
        query = "SELECT model, elicitation FROM elicitations ORDER BY model, elicitation"
        noted: dict[str, list[str]] = {}
        with self._file.access() as db:
            for model, name in db.execute(query):
                noted.setdefault(model, []).append(name)
        return noted

    def _holdings(self) -> str:
        """The models, each with the ways in which it was asked."""
        noted = self._all_elicitations()
        asked = {model: ", ".join(noted.get(model, ())) for model in self.models()}
        return "; ".join(f"{model} ({how})" if how else model for model, how in asked.items())

    def _miss(self, model: str | None) -> str:
        """Why a replay misses a call, and what to do about it."""
        name, held = self.path.name, self._holdings()
        if not held:
            return f"{name} holds no answers at all: record them first (mode 'record')"
        if model is None or model not in self.models():
            whom = "to this call" if model is None else f"of {model}"
            return (
                f"{name} holds no answer {whom}, but answers of {held}: replay one of these, or "
                "record first (mode 'record')"
            )
        return store_runs.why_missed(
            name, model, self._found[model], self.elicitations(model), self.runs().get(model, [])
        )


def _note(db: sqlite3.Connection, *noted: tuple[str, str]) -> None:
    db.executemany("INSERT OR IGNORE INTO elicitations VALUES (?, ?)", noted)
