"""Game logs of the AIWolf server: reading and writing, exactly.

    from crywolf.games.aiwolf import check_log, read_log, write_log

    records = read_log("000.log")       # one record for each line
    game = check_log(records)           # who was who, what happened, who won; or a refusal
    write_log(records, "copy.log")

Record ``i`` stands in line ``i + 1``. A log is UTF-8 text, with or without a byte-order mark, and
with line ends of any system; it is written without the mark, and with line feeds.

Source: the game log of the AIWolf server (https://github.com/aiwolf/AIWolfServer).
"""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike, fspath

from ..errors import GameLogError, OutputError
from ..files import replacing
from .records import Record, parse_record


def read_log(log: str | PathLike[str] | Iterable[str]) -> tuple[Record, ...]:
    """Reads a game log.

    Args:
        log: the path of a file, or its lines, with or without line ends.

    Raises:
        GameLogError: there is no such file, or it is no game log; the error has the line.
    """
    if not isinstance(log, str | PathLike):
        return _parse(log, "the log")
    try:
        with open(fspath(log), "rb") as stream:
            content = stream.read()
    except FileNotFoundError as error:
        raise GameLogError(f"there is no file {log}; check the path") from error
    except (OSError, ValueError) as error:  # a folder; NUL in the name
        raise GameLogError(f"cannot read {log!r}: {error}; pass the path of a log") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = "is not in UTF-8; convert the file"
        raise GameLogError(f"{log}, line {line} {problem}", line=line) from error
    lines = text.split("\n")  # not splitlines: texts may hold other separators
    if not lines[-1]:
        lines.pop()
    return _parse(lines, str(log))


def write_log(records: Iterable[Record], path: str | PathLike[str]) -> None:
    """Writes a game log, all at once or not at all.

    Raises:
        GameLogError: a record cannot be written so that it reads the same; the error has its line.
        OutputError: the file cannot be written there.
    """
    content = format_log(records).encode()
    try:
        with replacing(path) as stream:
            stream.write(content)
    except (OSError, ValueError) as error:
        raise OutputError(f"cannot write {str(path)!r}: {error}; choose another path") from error


def format_log(records: Iterable[Record]) -> str:
    """The content of a game log.

    Raises:
        GameLogError: a record cannot be written so that it reads the same; the error has its line.
    """
    lines = []
    for line, record in enumerate(records, 1):
        text = str(record)
        if parse_record(text, line) != record:
            problem = f"{record!r} would not read the same; correct its values"
            raise GameLogError(f"the log, line {line}: {problem}", line=line)
        lines.append(f"{text}\n")
    return "".join(lines)


def _parse(lines: Iterable[str], source: str) -> tuple[Record, ...]:
    records = tuple(
        parse_record(line.removesuffix("\n").removesuffix("\r"), number, source)
        for number, line in enumerate(lines, 1)
    )
    if not records:
        raise GameLogError(f"{source} is empty; a game log begins with the status of each agent")
    return records
