"""The lines of a game log as values, one class for each kind of line.

``str(record)`` is the line, and `parse_record` reads it back. The columns are separated by commas
and never quoted: texts and names stand last, and may hold commas.

Source: the game log of the AIWolf server (https://github.com/aiwolf/AIWolfServer).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from ..errors import GameLogError, SentenceError
from .parsing import parse_sentence
from .sentences import Sentence
from .vocabulary import MAX_AGENT, MAX_NUMBER, Role, Side, Species

NOBODY = "-1"
"""How the server writes the target of an attack that hit nobody."""
_SHOWN = 40
"""Characters of a line that an error quotes."""


@dataclass(frozen=True, slots=True)
class Record:
    """A line of a game log.

    Attributes:
        kind: what the second column says.
        day: the first column, from 0 on.
    """

    kind: ClassVar[str]
    day: int

    def __str__(self) -> str:
        cells = [
            column.write(getattr(self, field.name))
            for field, column in zip(fields(self), COLUMNS[type(self)], strict=True)
        ]
        return ",".join([cells[0], self.kind, *cells[1:]])


@dataclass(frozen=True, slots=True)
class Status(Record):
    """An agent at the start of a day: ``day,status,agent,role,ALIVE|DEAD,name``."""

    kind = "status"
    agent: int
    role: Role
    alive: bool
    name: str


@dataclass(frozen=True, slots=True)
class Utterance(Record):
    """Something said: its number on that day, the turn of the talk, who said it, and what."""

    index: int
    turn: int
    agent: int
    text: str

    @property
    def sentence(self) -> Sentence | None:
        """What was said as a sentence of the protocol; None if it is free text."""
        try:
            return parse_sentence(self.text)
        except SentenceError:
            return None


@dataclass(frozen=True, slots=True)
class Talk(Utterance):
    """Something said before all: ``day,talk,index,turn,agent,text``."""

    kind = "talk"


@dataclass(frozen=True, slots=True)
class Whisper(Utterance):
    """Something said among the Werewolves: ``day,whisper,index,turn,agent,text``."""

    kind = "whisper"


@dataclass(frozen=True, slots=True)
class Vote(Record):
    """A vote on whom to execute: ``day,vote,agent,target``."""

    kind = "vote"
    agent: int
    target: int


@dataclass(frozen=True, slots=True)
class AttackVote(Record):
    """A Werewolf's vote on whom to attack: ``day,attackVote,agent,target``."""

    kind = "attackVote"
    agent: int
    target: int


@dataclass(frozen=True, slots=True)
class Divine(Record):
    """A Seer's divination: ``day,divine,agent,target,HUMAN|WEREWOLF``."""

    kind = "divine"
    agent: int
    target: int
    species: Species


@dataclass(frozen=True, slots=True)
class Guard(Record):
    """Whom a Bodyguard protects, and that agent's role: ``day,guard,agent,target,role``."""

    kind = "guard"
    agent: int
    target: int
    role: Role


@dataclass(frozen=True, slots=True)
class Execute(Record):
    """Who is executed, and its role: ``day,execute,target,role``."""

    kind = "execute"
    target: int
    role: Role


@dataclass(frozen=True, slots=True)
class Attack(Record):
    """Whom the Werewolves attack (None: nobody): ``day,attack,target|-1,true if it dies``."""

    kind = "attack"
    target: int | None
    killed: bool


@dataclass(frozen=True, slots=True)
class Outcome(Record):
    """The end: living humans, living Werewolves, who wins: ``day,result,humans,wolves,side``."""

    kind = "result"
    humans: int
    wolves: int
    side: Side


# ------------------------------------------------------------------------------------------ columns


class Column(NamedTuple):
    """How a column is read and written.

    Attributes:
        what: what stands there, for errors.
        fits: whether a text is such.
        read: the value of a text that fits.
        write: the text of a value.
    """

    what: str
    fits: Callable[[str], bool]
    read: Callable[[str], Any]
    write: Callable[[Any], str]


def _numbers(what: str, low: int, high: int) -> Column:
    def fits(text: str) -> bool:
        return bool(_NUMBER.fullmatch(text)) and low <= int(text) <= high

    return Column(f"{what}, a whole number from {low} to {high:,}", fits, int, str)


def _choice(what: str, values: dict[str, Any]) -> Column:
    texts = {value: text for text, value in values.items()}

    def write(value: Any) -> str:
        return texts.get(value, str(value))

    return Column(f"{what}, {' or '.join(values)}", values.__contains__, values.__getitem__, write)


def _words(what: str, words: Iterable[str]) -> Column:
    return _choice(what, {str(word): word for word in words})


def _fits_victim(text: str) -> bool:
    return text == NOBODY or _TARGET.fits(text)


def _read_victim(text: str) -> int | None:
    return None if text == NOBODY else int(text)


def _write_victim(agent: int | None) -> str:
    return NOBODY if agent is None else str(agent)


_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")
_LINE = re.compile(r"[^\n\r\ud800-\udfff]*")  # no line end, and no half of a character
_DAY = _numbers("the day", 0, MAX_NUMBER)
_AGENT = _numbers("an agent", 1, MAX_AGENT)
_TARGET = _numbers("the target", 1, MAX_AGENT)
_COUNT = _numbers("a count of agents", 0, MAX_AGENT)
_ROLE = _words("a role", Role)
_TEXT = Column(
    "a text in one line, in characters that UTF-8 has", lambda t: bool(_LINE.fullmatch(t)), str, str
)
_SAID = (
    _DAY,
    _numbers("the number of the utterance", 0, MAX_NUMBER),
    _numbers("the turn", 0, MAX_NUMBER),
    _AGENT,
    _TEXT,
)

COLUMNS: dict[type[Record], tuple[Column, ...]] = {
    Status: (_DAY, _AGENT, _ROLE, _choice("a state", {"ALIVE": True, "DEAD": False}), _TEXT),
    Talk: _SAID,
    Whisper: _SAID,
    Vote: (_DAY, _AGENT, _TARGET),
    AttackVote: (_DAY, _AGENT, _TARGET),
    Divine: (_DAY, _AGENT, _TARGET, _words("a result", Species)),
    Guard: (_DAY, _AGENT, _TARGET, _ROLE),
    Execute: (_DAY, _TARGET, _ROLE),
    Attack: (
        _DAY,
        Column(
            f"{_TARGET.what}, or {NOBODY} for nobody", _fits_victim, _read_victim, _write_victim
        ),
        _choice("whether it died", {"true": True, "false": False}),
    ),
    Outcome: (_DAY, _COUNT, _COUNT, _words("the winner", Side)),
}
"""The columns of each kind of record, in the order of its fields; the kind itself is left out."""

KINDS = {kind.kind: kind for kind in COLUMNS}
"""The class of a line by its second column."""


def parse_record(text: str, line: int = 1, source: str = "the log") -> Record:
    """Reads a line of a game log, without its line end.

    Raises:
        GameLogError: the text is no such line; the error has ``line``.
    """

    def error(problem: str) -> GameLogError:
        return GameLogError(f"{source}, line {line}: {problem}", line=line)

    if not text.strip():
        raise error("the line is empty; delete it")
    day, _, rest = text.partition(",")
    name, _, rest = rest.partition(",")
    kind = KINDS.get(name)
    if kind is None:
        if text.startswith("Lost Connection"):
            raise error("the server lost an agent here; a game that was cut off cannot be used")
        raise error(
            f"{_quoted(text)} is no line of a game log; lines begin with the day and one of "
            f"{', '.join(KINDS)}"
        )
    columns = COLUMNS[kind]
    # Only the last column may hold commas, and only if it is a text.
    splits = len(columns) - 2 if columns[-1] is _TEXT else -1
    cells = [day, *rest.split(",", splits)]
    if len(cells) != len(columns):
        names = [field.name for field in fields(kind)][1:]
        raise error(
            f"a {name} line has {len(columns) + 1} columns, not {len(cells) + 1}; write "
            f"day,{name},{','.join(names)}"
        )
    for cell, column in zip(cells, columns, strict=True):
        if not column.fits(cell):
            raise error(f"expected {column.what}, found {_quoted(cell)}; correct it")
    return kind(*(column.read(cell) for cell, column in zip(cells, columns, strict=True)))


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}...")
