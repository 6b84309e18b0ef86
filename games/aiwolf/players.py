"""Who plays, who lives, and the refusal of lines that do not fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import InconsistentLog
from .vocabulary import Role


class Place:
    """Where in a log an error is.

    Attributes:
        source: what errors call the log.
        line: the current line, from 1 on.
    """

    def __init__(self, source: str):
        self.source = source
        self.line = 0

    def error(self, problem: str) -> InconsistentLog:
        """An error at the current line."""
        message = f"{self.source}, line {self.line}: {problem}"
        return InconsistentLog(message, line=self.line)

    def require(self, condition: bool, problem: str) -> None:
        """Refuses the current line unless the condition holds."""
        if not condition:
            raise self.error(problem)


class Players:
    """The agents on one day, up to a line.

    Args:
        place: the current line.
        roles: of all agents.
        living: who lives when the day begins.

    Attributes:
        place: as above.
        roles: as above.
        living: as above, ascending.
        alive: who lives now.
    """

    def __init__(self, place: Place, roles: Sequence[Role], living: Iterable[int]):
        self.place = place
        self.roles = roles
        self.living = tuple(sorted(living))
        self.alive = set(self.living)

    @property
    def counts(self) -> tuple[int, int]:
        """How many humans and how many Werewolves live when the day begins."""
        wolves = sum(self.roles[agent - 1] is Role.WEREWOLF for agent in self.living)
        return len(self.living) - wolves, wolves

    def require_known(self, agent: int) -> None:
        """There is such an agent."""
        self.place.require(
            agent <= len(self.roles),
            f"there is no agent {agent}, only 1 to {len(self.roles)}; correct the number",
        )

    def require_alive(self, agent: int, what: str) -> None:
        """The agent lives."""
        self.require_known(agent)
        self.place.require(
            agent in self.alive, f"agent {agent} is dead and cannot {what}; correct the agent"
        )

    def require_role(self, agent: int, role: Role, what: str) -> None:
        """The agent has the role that the line is for."""
        found = self.roles[agent - 1]
        self.place.require(
            found is role,
            f"{what} is for a {role}, but agent {agent} is {found}; correct the agent",
        )

    def require_shown(self, agent: int, role: Role) -> None:
        """The line shows the role of the agent."""
        found = self.roles[agent - 1]
        self.place.require(
            found is role, f"agent {agent} is {found} by its status, not {role}; correct it"
        )

    def require_prey(self, agent: int) -> None:
        """The Werewolves may attack the agent."""
        self.require_alive(agent, "be attacked")
        self.place.require(
            self.roles[agent - 1] is not Role.WEREWOLF,
            f"agent {agent} is a Werewolf, and Werewolves do not attack each other; correct it",
        )

    def require_first(self, agent: int, done: Iterable[int], what: str) -> None:
        """The agent has not done it on this day."""
        self.place.require(
            agent not in done, f"agent {agent} has a {what} line on this day already; delete one"
        )
