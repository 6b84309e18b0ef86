"""What happened in a game of AIWolf, day by day: what a consistent log says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .records import Utterance
from .vocabulary import Role, Side, Species


@dataclass(frozen=True, slots=True)
class Said:
    """Something said, and where the log has it.

    Attributes:
        line: of the log, from 1 on.
        utterance: what was said, and by whom.
    """

    line: int
    utterance: Utterance


@dataclass(frozen=True, slots=True)
class Day:
    """A day and the night after it. On day 0 there is only talk and divination.

    Attributes:
        number: from 0 on.
        living: the agents that live when it begins, ascending.
        talks: what was said before all, in order.
        whispers: what was said among the Werewolves, in order.
        ballots: for each ballot, whom each agent voted for; a tie may lead to another one.
        executed: the agent that was executed, or None.
        divined: for each Seer that looked, its target and what it learnt.
        guarded: for each Bodyguard that chose somebody, its target.
        attack_ballots: for each ballot of the Werewolves, whom each voted to attack.
        attacked: the agent that the Werewolves attacked, or None.
        killed: whether that agent died.
    """

    number: int
    living: tuple[int, ...]
    talks: tuple[Said, ...]
    whispers: tuple[Said, ...]
    ballots: tuple[Mapping[int, int], ...]
    executed: int | None
    divined: Mapping[int, tuple[int, Species]]
    guarded: Mapping[int, int]
    attack_ballots: tuple[Mapping[int, int], ...]
    attacked: int | None
    killed: bool

    @property
    def deaths(self) -> tuple[int, ...]:
        """The agents that died on this day and in the night after it, in order."""
        victim = self.attacked if self.killed else None
        return tuple(agent for agent in (self.executed, victim) if agent is not None)


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A whole game.

    Attributes:
        roles: of the agents; agent ``k`` has ``roles[k - 1]``.
        names: of the programs that played, in the same order.
        days: the days that were played, from day 0 on.
        winner: the side that won.
    """

    roles: tuple[Role, ...]
    names: tuple[str, ...]
    days: tuple[Day, ...]
    winner: Side


def most_voted(ballot: Mapping[int, int]) -> frozenset[int]:
    """The agents with the most votes; none if nobody voted."""
    votes = Counter(ballot.values())
    most = max(votes.values(), default=0)
    return frozenset(agent for agent, count in votes.items() if count == most)
