"""The SQLite file of a call store: opened carefully, used by one thread at a time, errors named."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..games.errors import StoreError
from .store_text import VERSION, check_version

APPLICATION_ID = 0x43574C46  # "CWLF", in the header of the file

_SCHEMA = (
    """CREATE TABLE models (
        model TEXT PRIMARY KEY, dialect TEXT NOT NULL,
        weights TEXT, runtime TEXT, response_model TEXT, fingerprint TEXT)""",
    """CREATE TABLE elicitations (
        model TEXT NOT NULL, elicitation TEXT NOT NULL, PRIMARY KEY (model, elicitation))""",
    """CREATE TABLE calls (
        key TEXT PRIMARY KEY, model TEXT NOT NULL, date TEXT NOT NULL, call TEXT NOT NULL)""",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
# Calls without an answer; younger than the other tables, and no part of what a replay needs.
_GIVEN_UP = """CREATE TABLE IF NOT EXISTS given_up (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, failures TEXT NOT NULL)"""
# How far runs have come; likewise.
_RUNS = """CREATE TABLE IF NOT EXISTS runs (
    model TEXT NOT NULL, game TEXT NOT NULL, elicitation TEXT NOT NULL,
    asked INTEGER NOT NULL, planned INTEGER NOT NULL, PRIMARY KEY (model, game, elicitation))"""

DAMAGED = (
    "the file is damaged, or no call store: restore it from a copy or an export, or record into "
    "another file (a replay of a file that is being recorded into can see this too: replay again)"
)
_KEPT = "every call that was answered before is kept"
_LOCKED = "another process is writing to it: wait for it, or end it"
_UNWRITABLE = (
    "its folder must exist, and be writable unless the file is replayed without a -wal file "
    "beside it: choose another place"
)
_CURES = {
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_FULL: f"{_KEPT}: make room on the disk and run again",
    sqlite3.SQLITE_IOERR: f"the disk is full or failing; {_KEPT}: make room and run again",
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
}
"""What to do, by SQLite's primary result code."""


class StoreFile:
    """A connection to the file, which several threads may share.

    Args:
        path: the file; made if it is missing and `writes`.
        writes: False opens the file without ever changing it. A file that was closed by all who
            recorded into it is then read without any other file and without locks.
        timeout: seconds to wait for another process that writes.
        in_memory: an empty data base without a file; `path` is only named in errors.

    Raises:
        StoreError: missing, damaged, of another kind or version, unwritable or locked.
    """

    def __init__(
        self, path: Path, *, writes: bool, timeout: float, in_memory: bool = False
    ) -> None:
        self.path = path
        self._timeout = timeout
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._db: sqlite3.Connection | None = None
        self._made = False
        with self._named_errors():
            if in_memory:
                self._db = self._connect("file::memory:", _create)
            else:
                self._db = self._open(writes)

    def close(self) -> None:
        """Closes the file; the last one to close it folds its ``-wal`` file into it.

        A file that was made here, and into which nobody has recorded anything, is taken away.
        """
        with self._lock, self._named_errors():
            if self._db is not None:
                try:
                    if self._made and os.getpid() == self._process:
                        self._take_away(self._db)
                finally:
                    self._db.close()
                    self._db = None

    def _take_away(self, db: sqlite3.Connection) -> None:
        """Deletes the file if it is empty, and nobody else has it open."""
        try:
            # Refused while there are other connections. Whoever connects afterwards waits for the
            # lock, finds the file gone, and makes another one (see `_open`).
            db.execute("PRAGMA busy_timeout = 0")
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("BEGIN EXCLUSIVE")
            tables = ("calls", "given_up")
            if not any(db.execute(f"SELECT 1 FROM {table}").fetchone() for table in tables):
                self.path.resolve().unlink(missing_ok=True)
            db.execute("ROLLBACK")
        except (sqlite3.Error, OSError):  # somebody uses it, or the folder is read-only: it stays
            return

    @contextmanager
    def access(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time.

        Raises:
            StoreError: for any error of SQLite inside.
        """
        if os.getpid() != self._process:
            raise StoreError(
                f"{self.path} was opened by the process that forked this one; open it in each"
            )
        with self._lock, self._named_errors():
            if self._db is None:
                raise StoreError(f"{self.path} is closed; open the store again")
            yield self._db

    @contextmanager
    def transaction(self, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
        """One transaction, undone by any exception; ``DEFERRED``: a view of one state."""
        with self.access() as db:
            db.execute(f"BEGIN {kind}")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    def _open(self, writes: bool) -> sqlite3.Connection:
        exists, beside = _has_content(self.path), self.path.resolve()
        if not writes and not exists:
            raise StoreError(
                f"there is no call store {self.path} to replay, or it is empty; record one first"
            )
        # Without a -wal file, nothing but the file itself is needed.
        pending = _has_content(Path(f"{beside}-wal"))
        reading = f"{beside.as_uri()}?mode=ro{'' if pending else '&immutable=1'}"
        if not writes:
            return self._connect(reading, self._check)
        # Another program's file is recognized before anything is written to it. A file with a
        # journal was left half created by a killed process: only opening it for writing mends it.
        if exists and not _has_content(Path(f"{beside}-journal")):
            self._connect(reading, self._check).close()
        self._made = not exists
        while True:
            db = self._connect(f"{beside.as_uri()}?mode=rwc", self._prepare)
            if beside.exists():
                return db
            db.close()  # another process took it away just before

    def _connect(
        self, uri: str, prepare: Callable[[sqlite3.Connection], None]
    ) -> sqlite3.Connection:
        db = sqlite3.connect(
            uri, timeout=self._timeout, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Creates what is missing, and changes to WAL mode."""
        deadline = time.monotonic() + self._timeout
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
                if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    _create(db)
                self._check(db)
                db.execute(_GIVEN_UP)
                db.execute(_RUNS)
                db.execute("COMMIT")
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
                return
            except sqlite3.OperationalError as error:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                # The change to WAL mode does not wait for others by itself.
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _check(self, db: sqlite3.Connection) -> None:
        """Refuses files of other programs, of other versions, and without our tables."""
        if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise StoreError(
                f"{self.path} is no call store, but of another program: name another file"
            )
        try:
            check_version(db.execute("PRAGMA user_version").fetchone()[0])
        except StoreError as error:
            raise StoreError(f"{self.path}: {error}") from error
        for table in ("models", "elicitations", "calls"):
            db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall()

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Gives errors of SQLite our name, and a cure."""
        try:
            yield
        except sqlite3.Error as error:
            cure = _CURES.get(_code(error), DAMAGED)
            raise StoreError(f"{self.path}: {error}; {cure}") from error
        except UnicodeEncodeError as error:
            raise StoreError(f"{self.path} cannot keep a name that is no text: {error}") from error


def _create(db: sqlite3.Connection) -> None:
    for statement in (*_SCHEMA, _RUNS):
        db.execute(statement)


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code; 255 for an error of the Python module."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF


def _has_content(path: Path) -> bool:
    """Whether there is such a file and it is not empty."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise StoreError(f"{path} cannot be opened: {error}; choose another path") from error
    if not stat.S_ISREG(status.st_mode):
        raise StoreError(f"{path} is a folder or a device; name a file, say calls.sqlite")
    return status.st_size > 0
