"""Stores as text, for version control: one canonical JSON object a line, by ascending key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..games.errors import StoreError
from ..games.files import replacing
from .chat import Call, canonical
from .store_codec import (
    CALL_TYPES,
    OPTIONAL,
    TEXT,
    Types,
    call_from_json,
    call_to_json,
    check_fields,
    decode,
)

FORMAT = "crywolf calls"
VERSION = 1

SOURCE = ("dialect", "weights", "runtime", "response_model", "fingerprint")
"""What all calls of one declared model have in common."""

_HEADER_TYPES: Types = {
    "format": TEXT,
    "version": (int,),
    "calls": (int,),
    "models": (dict,),
    "elicitations": (dict,),
    "runs": (dict,),
}
_LINE_TYPES: Types = {
    **CALL_TYPES,
    **dict.fromkeys(SOURCE, OPTIONAL),
    **dict.fromkeys(("key", "model", "dialect", "date"), TEXT),
}


class KeptCall(NamedTuple):
    """A call with what is kept about it.

    Attributes:
        key: `call_key` of body and draw.
        model: the declared name of the model.
        source: the values of `SOURCE`.
        date: of the answer, UTC.
        call: the call.
    """

    key: str
    model: str
    source: tuple[str | None, ...]
    date: str
    call: Call


class Run(NamedTuple):
    """How far the asking of a model at all information sets of a game has come.

    Attributes:
        game: its name.
        elicitation: how the model was asked.
        asked: the information sets that are completely answered.
        planned: all that there are.
    """

    game: str
    elicitation: str
    asked: int
    planned: int

    def __str__(self) -> str:
        missing = self.planned - self.asked
        ends = f"{missing:,} are missing" if missing else "complete"
        how = f"{self.game} with {self.elicitation}"
        return f"{how}: {self.asked:,} of {self.planned:,} information sets ({ends})"


class Header(NamedTuple):
    """The first line of an export.

    Attributes:
        calls: how many lines follow.
        models: the dialect of every model.
        elicitations: the ways of asking that were noted, by model.
        runs: those that were noted, by model.
    """

    calls: int
    models: dict[str, str]
    elicitations: dict[str, list[str]]
    runs: dict[str, list[Run]]


def write_export(target: Path, header: Header, calls: Iterable[KeptCall]) -> None:
    """Writes the file whole: a reader never sees half of it.

    Raises:
        StoreError: not a ``.jsonl`` file, a missing or read-only folder, or a full disk.
    """
    if target.suffix != ".jsonl":
        raise StoreError(f"cannot export to {target}: give the file a name that ends in .jsonl")
    try:
        with replacing(target) as file:
            file.writelines(f"{line}\n".encode("ascii") for line in _lines(header, calls))
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise StoreError(f"cannot write {target}: {error}; choose another path") from error


def _lines(header: Header, calls: Iterable[KeptCall]) -> Iterator[str]:
    yield canonical({"format": FORMAT, "version": VERSION, **header._asdict()})
    for key, model, source, date, call in calls:
        extra = {"key": key, "model": model, "date": date, **dict(zip(SOURCE, source, strict=True))}
        yield canonical({**call_to_json(call), **extra})


def read_export(path: Path, keep: Callable[[KeptCall], None]) -> Header:
    """Reads and checks an export, and hands its calls to `keep` one by one.

    Raises:
        StoreError: damaged, shortened, of another kind or version, or with a call that is not that
            of its key; the text names the line.
    """
    number = 1
    try:
        with open(path, encoding="utf-8") as file:
            header = _header(decode(file.readline()))
            sources: dict[str, tuple[str | None, ...]] = {}
            last = ""
            for line in file:
                number += 1
                kept = _kept(decode(line))
                if kept.key <= last:
                    raise StoreError("keys do not ascend: a call is there twice, or out of order")
                if sources.setdefault(kept.model, kept.source) != kept.source:
                    raise StoreError(f"{kept.model} has answers of two sources; keep one of them")
                last = kept.key
                keep(kept)
        if number - 1 != header.calls:
            raise StoreError(f"{header.calls} calls were written, and {number - 1} are there")
        if header.models != {model: source[0] for model, source in sources.items()}:
            raise StoreError("the first line lists other models than the calls")
    except (OSError, ValueError) as error:  # ValueError: no UTF-8
        raise StoreError(
            f"{path} cannot be read as an export ({error}); restore it, or export it again"
        ) from error
    except StoreError as error:
        raise StoreError(
            f"{path}, line {number}: {error}; restore the file, or export it again"
        ) from error
    return header


def _header(document: Any) -> Header:
    if type(document) is not dict or document.get("format") != FORMAT:
        raise StoreError("this is no export of a call store; CallStore.export writes one")
    check_version(document.get("version"))
    document.setdefault("runs", {})  # not in the oldest exports
    check_fields(document, _HEADER_TYPES, "first line")
    for model, names in document["elicitations"].items():
        if type(names) is not list or not all(type(name) is str for name in names):
            raise StoreError(f"the elicitations of {model} are no list of names")
    runs = {model: [_run(row) for row in _rows(rows)] for model, rows in document["runs"].items()}
    return Header(document["calls"], document["models"], document["elicitations"], runs)


def _rows(rows: Any) -> list[Any]:
    if type(rows) is not list:
        raise StoreError("the runs are no list")
    return rows


def _run(row: Any) -> Run:
    if type(row) is not list or [type(value) for value in row] != [str, str, int, int]:
        raise StoreError("a run is no list of game, elicitation and two numbers")
    return Run(*row)


def _kept(document: Any) -> KeptCall:
    check_fields(document, _LINE_TYPES, "line")
    call = call_from_json(document["key"], {name: document[name] for name in CALL_TYPES})
    source = tuple(document[name] for name in SOURCE)
    return KeptCall(document["key"], document["model"], source, document["date"], call)


def check_version(version: Any) -> None:
    """Refuses other versions of the format.

    Raises:
        StoreError: see above.
    """
    if version != VERSION:
        raise StoreError(
            f"it has version {version!r} of the format, and this crywolf reads {VERSION}: use the "
            "crywolf that wrote it, or record into another file"
        )
