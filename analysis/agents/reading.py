"""What a view means, in the terms in which agents think: tasks, targets, statements, suspicion.

Agents are written once for all games of hidden roles. What differs between the games is how a view
is read, and that is a `Family`: it says which roles a game has, and turns knowledge into a
`Reading`. A game of one's own joins with ``@family.register`` (see `functools.singledispatch`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cached_property, lru_cache, singledispatch
from typing import Any

from ...games.errors import PolicyError
from ...games.rules import Rules
from .knowledge import Knowledge

TOWN, WOLVES = "town", "wolves"
"""The teams that every game of hidden roles has."""


class Task(StrEnum):
    """What a decision is about.

    Attributes:
        SPEAK: what is said in public, or whether a true claim is revealed.
        VOTE: who is to be eliminated: votes, and the choice of a proposer.
        KILL: whom the wolves kill.
        SHOOT: whom one of the others kills: a Hunter's shot, a Witch's poison.
        CHECK: whose card is looked at.
        PROTECT: who is saved from the wolves.
        OTHER: anything else.
    """

    SPEAK = "speak"
    VOTE = "vote"
    KILL = "kill"
    SHOOT = "shoot"
    CHECK = "check"
    PROTECT = "protect"
    OTHER = "other"


class Reading(ABC):
    """What a player knows, read from its view. Subclasses say what has no default here.

    *Wolf* means what the town wants dead; where cards move, the card that counts is the last one.
    """

    def __init__(self, knowledge: Knowledge):
        self.knowledge = knowledge

    # --------------------------------------------------------------------------- the decision

    @cached_property
    def task(self) -> Task:
        """What the decision is about."""
        raise NotImplementedError

    @abstractmethod
    def target(self, action: int) -> int | None:
        """The seat that a legal action is directed at, if it is."""

    @abstractmethod
    def chance(self, statement: int) -> Fraction | None:
        """How probable a legal statement is to be true, for what the player has itself observed.

        1 if the player knows it to be true, 0 if it knows better, None if the statement claims
        nothing that could be either.
        """

    @abstractmethod
    def detail(self, statement: int) -> int:
        """How many claims a legal statement makes."""

    # ------------------------------------------------------------------------ what is known

    @cached_property
    def role(self) -> str:
        """The player's own role, as it was dealt."""
        raise NotImplementedError

    @cached_property
    def team(self) -> str:
        """The team of that role."""
        return family(self.knowledge.rules).roles(self.knowledge.rules)[self.role]

    @cached_property
    def sides_with_wolves(self) -> bool:
        """Whether the player, more probably than not, wins if the wolves win."""
        return self.team == WOLVES

    @cached_property
    def living(self) -> tuple[int, ...]:
        """The seats that are in play, ascending."""
        raise NotImplementedError

    @cached_property
    def suspicion(self) -> Mapping[int, Fraction]:
        """For each living seat the probability that it is a wolf.

        By the player's own observations, all deals being equally likely: nothing that others have
        said or done counts.
        """
        raise NotImplementedError

    @cached_property
    def trusting_suspicion(self) -> Mapping[int, Fraction]:
        """The same, if as many as possible of the statements that the player heard are true.

        Raises:
            PolicyError: statements of this game are not weighed.
        """
        raise PolicyError(
            f"{self.knowledge.rules.name}: what others say is not weighed in this game; cast "
            "honest, which believes only what it has seen"
        )

    @cached_property
    def packmates(self) -> frozenset[int]:
        """The wolves that the player was told of as one of their team, itself included."""
        return frozenset()

    @cached_property
    def findings(self) -> frozenset[int]:
        """The seats that the player has found to be wolves by looking at their cards."""
        return frozenset()

    @cached_property
    def drawn(self) -> bool:
        """Whether the player is drawn for elimination and can still prevent it."""
        return False

    # ------------------------------------------------------------------- what everybody knows

    @cached_property
    def exposed_wolves(self) -> frozenset[int]:
        """The living seats that everybody knows to be wolves."""
        return frozenset()

    @cached_property
    def cleared(self) -> frozenset[int]:
        """The living seats that everybody knows not to be wolves."""
        return frozenset()

    @cached_property
    def revealed_seers(self) -> frozenset[int]:
        """The living seats that everybody knows to look at a card each night."""
        return frozenset()

    @cached_property
    def public_history(self) -> tuple[Any, ...]:
        """What everybody has observed, equal for all players."""
        return ()


class Family(ABC):
    """A kind of games whose views can be read."""

    @abstractmethod
    def roles(self, rules: Any) -> Mapping[str, str]:
        """The roles that are dealt in a game, each with its team."""

    @abstractmethod
    def read(self, knowledge: Knowledge) -> Reading:
        """The reading of a view."""


class _Plain(Family):
    """Games without roles."""

    def roles(self, rules: Any) -> Mapping[str, str]:
        return {}

    def read(self, knowledge: Knowledge) -> Reading:
        raise PolicyError(
            f"{knowledge.rules.name} has no roles that an agent could read from a view; use the "
            "agent uniform, or a function of your own that reads Knowledge.view"
        )


@singledispatch
def family(rules: Rules[Any]) -> Family:
    """The family of a game: games without roles, unless the class of its rules is registered."""
    return _Plain()


@lru_cache(maxsize=256)
def reading_of(knowledge: Knowledge) -> Reading:
    """The reading of a view.

    Raises:
        PolicyError: the game has no roles.
    """
    return family(knowledge.rules).read(knowledge)
