"""The sentences of the AIWolf protocol 3.6 as values.

``str(sentence)`` is the sentence in the protocol's words, with single spaces, and
`parsing.parse_sentence` reads it back::

    >>> str(Action(Verb.VOTE, 3, subject=1))
    'Agent[01] VOTE Agent[03]'
    >>> str(Compound(Operator.NOT, (Claim(Verb.COMINGOUT, 2, Role.SEER),)))
    'NOT (COMINGOUT Agent[02] SEER)'

A subject may be left out. In a sentence by itself it is then the speaker, as the argument of
REQUEST or INQUIRE the agent that is asked, and elsewhere the subject around it; `explicit` writes
it out.

Source: AIWolf protocol 3.6 (http://aiwolf.org/protocol). The form of a talk number (``TALK day2
ID:3``), ``Skip`` and ``Over`` are those of the AIWolf client library, which agents and servers use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

from ..errors import ParameterError
from .vocabulary import (
    ACTIONS,
    ANY,
    CLAIMS,
    COMPOUNDS,
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
    agent_name,
    arity,
    arity_words,
)

MAX_DEPTH = 32
"""Operators inside each other: far beyond what agents say, and safe to read and print."""


class Sentence(ABC):
    """A sentence of the protocol.

    Attributes:
        subject: who does what is said; None if it is left out.
    """

    __slots__ = ()
    subject: Agent | None

    @property
    def parts(self) -> tuple[Sentence, ...]:
        """The sentences that an operator is applied to; none for a simple sentence."""
        return ()

    @property
    def depth(self) -> int:
        """How many operators stand inside each other, at most."""
        return 1 + max(part.depth for part in self.parts) if self.parts else 0

    @abstractmethod
    def predicate(self) -> str:
        """The sentence without its subject."""

    def __str__(self) -> str:
        subject = "" if self.subject is None else f"{agent_name(self.subject)} "
        return subject + self.predicate()


@dataclass(frozen=True, slots=True)
class Silence(Sentence):
    """Skip or Over; it has no subject."""

    word: Quiet

    def __post_init__(self):
        _require_one_of("word", self.word, Quiet)

    @property
    def subject(self) -> None:  # type: ignore[override]  # there is none to set
        """Always None."""
        return None

    def predicate(self) -> str:
        """See `Sentence`."""
        return self.word


@dataclass(frozen=True, slots=True)
class Claim(Sentence):
    """ESTIMATE or COMINGOUT: the target's role is this."""

    verb: Verb
    target: Agent
    role: Role
    subject: Agent | None = None

    def __post_init__(self):
        _require_one_of("verb", self.verb, CLAIMS)
        _require_agents(self.subject, self.target)
        _require_one_of("role", self.role, Role)

    def predicate(self) -> str:
        """See `Sentence`."""
        return f"{self.verb} {agent_name(self.target)} {self.role}"


@dataclass(frozen=True, slots=True)
class Result(Sentence):
    """DIVINED or IDENTIFIED: the target turned out to be of this colour."""

    verb: Verb
    target: Agent
    species: Species
    subject: Agent | None = None

    def __post_init__(self):
        _require_one_of("verb", self.verb, RESULTS)
        _require_agents(self.subject, self.target)
        _require_one_of("species", self.species, Species)

    def predicate(self) -> str:
        """See `Sentence`."""
        return f"{self.verb} {agent_name(self.target)} {self.species}"


@dataclass(frozen=True, slots=True)
class Action(Sentence):
    """Something done to the target, or about to be done: VOTE, VOTED, GUARD and so on."""

    verb: Verb
    target: Agent
    subject: Agent | None = None

    def __post_init__(self):
        _require_one_of("verb", self.verb, ACTIONS)
        _require_agents(self.subject, self.target)

    def predicate(self) -> str:
        """See `Sentence`."""
        return f"{self.verb} {agent_name(self.target)}"


@dataclass(frozen=True, slots=True)
class TalkNumber:
    """Which utterance is meant: its day, its number on that day, and where it was said."""

    day: int
    index: int
    channel: Channel = Channel.TALK

    def __post_init__(self):
        _require_number("day", self.day)
        _require_number("index", self.index)
        _require_one_of("channel", self.channel, Channel)

    def __str__(self) -> str:
        return f"{self.channel} day{self.day} ID:{self.index}"


@dataclass(frozen=True, slots=True)
class Opinion(Sentence):
    """AGREE or DISAGREE with what was said there."""

    verb: Verb
    talk: TalkNumber
    subject: Agent | None = None

    def __post_init__(self):
        _require_one_of("verb", self.verb, OPINIONS)
        _require_agents(self.subject)
        if not isinstance(self.talk, TalkNumber):
            raise ParameterError(f"talk={self.talk!r} is no talk number; pass a TalkNumber")

    def predicate(self) -> str:
        """See `Sentence`."""
        return f"{self.verb} {self.talk}"


@dataclass(frozen=True, slots=True)
class Request(Sentence):
    """REQUEST: the target should do so. INQUIRE: the target should say whether it is so."""

    operator: Operator
    target: Agent
    sentence: Sentence
    subject: Agent | None = None

    def __post_init__(self):
        _require_one_of("operator", self.operator, REQUESTS)
        _require_agents(self.subject, self.target)
        _require_shallow(self)

    @property
    def parts(self) -> tuple[Sentence, ...]:
        """See `Sentence`."""
        return (self.sentence,)

    def predicate(self) -> str:
        """See `Sentence`."""
        return f"{self.operator} {agent_name(self.target)} ({self.sentence})"


@dataclass(frozen=True, slots=True)
class Dated(Sentence):
    """DAY: the sentence is about this day."""

    day: int
    sentence: Sentence
    subject: Agent | None = None

    def __post_init__(self):
        _require_number("day", self.day)
        _require_agents(self.subject)
        _require_shallow(self)

    @property
    def parts(self) -> tuple[Sentence, ...]:
        """See `Sentence`."""
        return (self.sentence,)

    def predicate(self) -> str:
        """See `Sentence`."""
        return f"{Operator.DAY} {self.day} ({self.sentence})"


@dataclass(frozen=True, slots=True)
class Compound(Sentence):
    """NOT, AND, OR, XOR of sentences, or BECAUSE (a reason and what follows from it)."""

    operator: Operator
    sentences: tuple[Sentence, ...]
    subject: Agent | None = None

    def __post_init__(self):
        _require_one_of("operator", self.operator, COMPOUNDS)
        fewest, most = arity(self.operator)
        if not fewest <= len(self.sentences) <= (most or len(self.sentences)):
            raise ParameterError(
                f"{self.operator} has {arity_words(self.operator)}, not {len(self.sentences)}"
            )
        _require_agents(self.subject)
        _require_shallow(self)

    @property
    def parts(self) -> tuple[Sentence, ...]:
        """See `Sentence`."""
        return self.sentences

    def predicate(self) -> str:
        """See `Sentence`."""
        return " ".join([self.operator, *(f"({sentence})" for sentence in self.sentences)])


def explicit(sentence: Sentence, speaker: Agent) -> Sentence:
    """The sentence with every subject that is left out written down.

    Args:
        sentence: any sentence; Skip and Over stay as they are.
        speaker: who says it.
    """
    _require_sentences(sentence)
    subject = speaker if sentence.subject is None else sentence.subject
    match sentence:
        case Request():
            inner = explicit(sentence.sentence, sentence.target)
            return replace(sentence, subject=subject, sentence=inner)
        case Dated():
            return replace(sentence, subject=subject, sentence=explicit(sentence.sentence, subject))
        case Compound():
            inside = tuple(explicit(part, subject) for part in sentence.sentences)
            return replace(sentence, subject=subject, sentences=inside)
        case Claim() | Result() | Action() | Opinion():
            return replace(sentence, subject=subject)
    return sentence  # Skip or Over


# ------------------------------------------------------------------------- what values are checked


def _require_agents(*agents: Agent | None) -> None:
    for agent in agents:
        plain = isinstance(agent, int) and not isinstance(agent, bool)
        if not (agent is None or agent == ANY or (plain and 1 <= agent <= MAX_AGENT)):
            raise ParameterError(
                f"{agent!r} is no agent; agents are whole numbers from 1 to {MAX_AGENT}, or ANY"
            )


def _require_one_of(what: str, value: object, allowed: Collection[StrEnum]) -> None:
    if not (isinstance(value, StrEnum) and value in allowed):
        raise ParameterError(
            f"{what}={value!r} does not fit here; pass {' or '.join(map(repr, allowed))}"
        )


def _require_number(what: str, value: object) -> None:
    if not (type(value) is int and 0 <= value <= MAX_NUMBER):
        raise ParameterError(
            f"{what}={value!r} is no number of the protocol; pass one from 0 to {MAX_NUMBER}"
        )


def _require_sentences(*sentences: object) -> None:
    for sentence in sentences:
        if not isinstance(sentence, Sentence):
            raise ParameterError(f"{sentence!r} is no sentence; pass what parse_sentence returns")


def _require_shallow(sentence: Sentence) -> None:
    _require_sentences(*sentence.parts)
    if sentence.depth > MAX_DEPTH:
        raise ParameterError(
            f"more than {MAX_DEPTH} operators stand inside each other; say it in several sentences"
        )
