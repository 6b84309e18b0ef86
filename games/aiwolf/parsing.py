"""The parser of protocol sentences: one pass over the words, nesting bounded by `MAX_DEPTH`.

Source: AIWolf protocol 3.6 (http://aiwolf.org/protocol).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import NamedTuple, TypeVar

from ..errors import SentenceError
from .sentences import (
    MAX_DEPTH,
    Action,
    Claim,
    Compound,
    Dated,
    Opinion,
    Request,
    Result,
    Sentence,
    Silence,
    TalkNumber,
)
from .vocabulary import (
    ANY,
    CLAIMS,
    MAX_AGENT,
    MAX_NUMBER,
    OPINIONS,
    REQUESTS,
    RESULTS,
    Agent,
    Channel,
    Operator,
    Quiet,
    Role,
    Species,
    Verb,
    arity,
    arity_words,
)

W = TypeVar("W", bound=StrEnum)

_WORD = re.compile(r"[()]|[^\s()]+")
_AGENT = re.compile(r"Agent\[([0-9]+)\]")
_DAY = re.compile(r"(?:day:?)?([0-9]+)")
_ID = re.compile(r"(?:ID:?)?([0-9]+)")
_NUMBER = re.compile(r"([0-9]+)")
_SHOWN = 40
"""Characters of a word that an error quotes."""

SILENCES = {quiet.upper(): quiet for quiet in Quiet} | {str(quiet): quiet for quiet in Quiet}
"""Skip and Over as agents write them, and in capitals as the protocol does."""


def parse_sentence(text: str) -> Sentence:
    """Reads a sentence of the AIWolf protocol 3.6.

    Words may be separated by any white space, and brackets need none. A talk number may also be
    written ``day:2 ID:3`` or ``2 3``, and without ``TALK``; Skip and Over also in capitals.

    Raises:
        SentenceError: the text is no sentence; the error has the column, counted from 1.
    """
    reader = _Reader(text)
    sentence = reader.sentence(0)
    if reader.word:
        raise reader.expected(
            "the end of the sentence",
            "one text holds one sentence; join several by AND (...) (...)",
        )
    return sentence


class _Word(NamedTuple):
    """A word or bracket, empty at the end of the text, and its column from 1."""

    text: str
    column: int


class _Reader:
    """The words of a text, and which comes next."""

    def __init__(self, text: str):
        self.words = [_Word(match[0], match.start() + 1) for match in _WORD.finditer(text)]
        self.words.append(_Word("", len(text) + 1))
        self.at = 0

    @property
    def word(self) -> str:
        """The word that comes next, empty at the end."""
        return self.words[self.at].text

    def error(self, problem: str) -> SentenceError:
        """An error at the word that comes next."""
        column = self.words[self.at].column
        return SentenceError(f"column {column}: {problem}", column=column)

    def expected(self, what: str, cure: str) -> SentenceError:
        """An error at a word that should be something else."""
        word = self.word
        if len(word) > _SHOWN:
            word = f"{word[: _SHOWN - 3]}..."
        found = repr(word) if word else "the end of the text"
        return self.error(f"expected {what}, found {found}; {cure}")

    def symbol(self, bracket: str, what: str, cure: str) -> None:
        """Passes a bracket."""
        if self.word != bracket:
            raise self.expected(what, cure)
        self.at += 1

    def choice(self, what: str, values: Iterable[W]) -> W:
        """Passes one of some words."""
        for value in values:
            if self.word == value:
                self.at += 1
                return value
        raise self.expected(what, f"write {' or '.join(values)}")

    def number(self, pattern: re.Pattern[str], what: str, cure: str) -> int:
        """Passes a number from 0 to `MAX_NUMBER`."""
        match = pattern.fullmatch(self.word)
        if match is None:
            raise self.expected(what, cure)
        if len(match[1]) > len(str(MAX_NUMBER)):
            raise self.expected(f"a number up to {MAX_NUMBER:,}", "correct the number")
        self.at += 1
        return int(match[1])

    # -------------------------------------------------------------------------- parts of sentences

    @property
    def is_agent(self) -> bool:
        """Whether an agent comes, or a mistaken one."""
        return self.word == ANY or self.word.startswith("Agent")

    def agent(self, what: str) -> Agent:
        """Passes an agent or ANY."""
        if self.word == ANY:
            self.at += 1
            return ANY
        match = _AGENT.fullmatch(self.word)
        if match is None:
            raise self.expected(what, "write Agent[01] or ANY")
        digits = match[1]
        if len(digits) > len(str(MAX_AGENT)) or not int(digits):
            raise self.expected(
                f"an agent from Agent[01] to Agent[{MAX_AGENT}]", "an open agent is written ANY"
            )
        self.at += 1
        return int(digits)

    def talk_number(self) -> TalkNumber:
        """Passes a reference to an utterance."""
        cure = "write TALK day2 ID:3"
        channel = Channel.TALK
        if self.word in list(Channel):
            channel = self.choice("where it was said", Channel)
        day = self.number(_DAY, "the day of the talk", cure)
        return TalkNumber(day, self.number(_ID, "the number of the talk", cure), channel)

    def sentence(self, around: int) -> Sentence:
        """Passes a sentence that ``around`` operators stand around."""
        if self.word in SILENCES:
            silence = Silence(SILENCES[self.word])
            self.at += 1
            return silence
        subject = self.agent("a subject") if self.is_agent else None
        word = self.word
        if word in list(Operator):
            return self.operation(Operator(word), subject, around)
        if word not in list(Verb):
            raise self._no_verb(subject)
        verb = Verb(word)
        self.at += 1
        if verb in OPINIONS:
            return Opinion(verb, self.talk_number(), subject)
        target = self.agent(f"the target of {verb}")
        if verb in CLAIMS:
            return Claim(verb, target, self.choice("a role", Role), subject)
        if verb in RESULTS:
            return Result(verb, target, self.choice("a result", Species), subject)
        return Action(verb, target, subject)

    def operation(self, operator: Operator, subject: Agent | None, around: int) -> Sentence:
        """Passes an operator and its arguments."""
        if around >= MAX_DEPTH:
            raise self.error(
                f"more than {MAX_DEPTH} operators stand inside each other; say it in several "
                "sentences"
            )
        self.at += 1
        if operator in REQUESTS:
            target = self.agent(f"whom the {operator} is for")
            return Request(operator, target, self.argument(operator, around), subject)
        if operator is Operator.DAY:
            day = self.number(_NUMBER, "the number of the day", "write DAY 1 (...)")
            return Dated(day, self.argument(operator, around), subject)
        fewest, most = arity(operator)
        sentences = [self.argument(operator, around) for _ in range(fewest)]
        while most is None and self.word == "(":
            sentences.append(self.argument(operator, around))
        return Compound(operator, tuple(sentences), subject)

    def argument(self, operator: Operator, around: int) -> Sentence:
        """Passes a sentence in brackets."""
        cure = f"{operator} needs {arity_words(operator)} in brackets"
        self.symbol("(", f"( before an argument of {operator}", cure)
        sentence = self.sentence(around + 1)
        self.symbol(")", ") after the sentence", "every ( needs a ) where its sentence ends")
        return sentence

    def _no_verb(self, subject: Agent | None) -> SentenceError:
        if self.word == "(":
            return self.expected(
                "a verb or an operator", "brackets stand around the arguments of operators only"
            )
        words = [*Verb, *Operator, *([] if subject else Quiet)]
        close = get_close_matches(self.word[:_SHOWN].upper(), words, n=1)
        cure = f"did you mean {close[0]}?" if close else "say, VOTE Agent[01]; or Skip, or Over"
        what = "a verb or an operator" if subject else "a subject, a verb or an operator"
        return self.expected(what, cure)
