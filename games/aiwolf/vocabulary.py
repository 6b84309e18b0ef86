"""The words of protocol sentences and game logs.

Source: AIWolf protocol 3.6 (http://aiwolf.org/protocol) and the AIWolf server.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, TypeAlias

ANY: Final = "ANY"
"""An agent that is left open, as the subject or the target of a sentence."""

Agent: TypeAlias = int | Literal["ANY"]
"""The number of an agent, from 1 to `MAX_AGENT`, or `ANY`."""

MAX_AGENT = 99
"""The largest number of an agent: names have two digits."""
MAX_NUMBER = 9999
"""The largest day, talk number or turn: far beyond any game."""


class Species(StrEnum):
    """What a Seer or Medium learns of an agent: its colour."""

    HUMAN = "HUMAN"
    WEREWOLF = "WEREWOLF"


class Side(StrEnum):
    """Who wins."""

    VILLAGER = "VILLAGER"
    WEREWOLF = "WEREWOLF"


class Role(StrEnum):
    """The roles of the contests with 5 and 15 players."""

    VILLAGER = "VILLAGER"
    SEER = "SEER"
    MEDIUM = "MEDIUM"
    BODYGUARD = "BODYGUARD"
    WEREWOLF = "WEREWOLF"
    POSSESSED = "POSSESSED"

    @property
    def species(self) -> Species:
        """What a Seer sees: the Possessed is human."""
        return Species.WEREWOLF if self is Role.WEREWOLF else Species.HUMAN


class Verb(StrEnum):
    """What a simple sentence says."""

    ESTIMATE = "ESTIMATE"
    COMINGOUT = "COMINGOUT"
    DIVINATION = "DIVINATION"
    GUARD = "GUARD"
    VOTE = "VOTE"
    ATTACK = "ATTACK"
    DIVINED = "DIVINED"
    IDENTIFIED = "IDENTIFIED"
    GUARDED = "GUARDED"
    VOTED = "VOTED"
    ATTACKED = "ATTACKED"
    AGREE = "AGREE"
    DISAGREE = "DISAGREE"


class Operator(StrEnum):
    """What makes one sentence of others."""

    REQUEST = "REQUEST"
    INQUIRE = "INQUIRE"
    BECAUSE = "BECAUSE"
    DAY = "DAY"
    NOT = "NOT"
    AND = "AND"
    OR = "OR"
    XOR = "XOR"


class Quiet(StrEnum):
    """Saying nothing: for now, or for the rest of the day."""

    SKIP = "Skip"
    OVER = "Over"


class Channel(StrEnum):
    """Where something was said: before all, or among the Werewolves."""

    TALK = "TALK"
    WHISPER = "WHISPER"


CLAIMS = (Verb.ESTIMATE, Verb.COMINGOUT)
"""Verbs with a target and a role."""
RESULTS = (Verb.DIVINED, Verb.IDENTIFIED)
"""Verbs with a target and a colour."""
OPINIONS = (Verb.AGREE, Verb.DISAGREE)
"""Verbs with a talk number."""
ACTIONS = tuple(verb for verb in Verb if verb not in CLAIMS + RESULTS + OPINIONS)
"""Verbs with a target."""
REQUESTS = (Operator.REQUEST, Operator.INQUIRE)
"""Operators with a target and a sentence."""
PAIRS = (Operator.BECAUSE, Operator.XOR)
"""Operators with exactly two sentences."""
COMPOUNDS = (Operator.NOT, *PAIRS, Operator.AND, Operator.OR)
"""Operators with sentences only: NOT has one, AND and OR have any number from one on."""


def agent_name(agent: Agent) -> str:
    """How sentences write an agent: ``Agent[07]`` or ``ANY``."""
    return ANY if agent == ANY else f"Agent[{agent:02d}]"


def arity(operator: Operator) -> tuple[int, int | None]:
    """How many sentences an operator is applied to: the fewest, and the most (None: no limit)."""
    if operator in PAIRS:
        return 2, 2
    return 1, None if operator in (Operator.AND, Operator.OR) else 1


def arity_words(operator: Operator) -> str:
    """`arity` for people."""
    return {1: "one sentence", 2: "two sentences"}.get(arity(operator)[1] or 0, "sentences")
