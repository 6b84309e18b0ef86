"""Whether a log can be that of a game of AIWolf, by its own lines.

Checked are the rules of the server of protocol 3.6. Each day begins with the status of every agent.
Then come talk, votes, the execution, divination, guard and attack (see `course`). Whether the game
is over is looked at when a day begins: the villagers win when no Werewolf lives, the Werewolves
when no more others live than Werewolves. The Possessed counts among the others.

Source: the AIWolf server (https://github.com/aiwolf/AIWolfServer), 0.6 and later.
"""

from __future__ import annotations

from collections.abc import Iterable

from .chronicle import Chronicle, Day
from .course import Course
from .players import Place
from .records import Outcome, Record, Status
from .vocabulary import Role, Side


def check_log(records: Iterable[Record], source: str = "the log") -> Chronicle:
    """Checks a log and tells what happened.

    Args:
        records: all lines, as `read_log` returns them.
        source: what errors call the log.

    Raises:
        InconsistentLog: the lines contradict each other or the rules. The error has the line; where
            a line is missing, that of the next one.
    """
    game = _Game(Place(source))
    for record in records:
        game.place.line += 1
        game.take(record)
    game.place.line += 1
    if game.winner is None:
        raise game.place.error(
            "the log ends without a result; a game that was cut off cannot be used"
        )
    return Chronicle(tuple(game.roles), tuple(game.names), tuple(game.days), game.winner)


class _Game:
    """The game up to a line: who plays, the days before, and the course of today."""

    def __init__(self, place: Place):
        self.place = place
        self.roles: list[Role] = []
        self.names: list[str] = []
        self.days: list[Day] = []
        self.statuses = 0  # how many there were today
        self.today = Course(place, 0, self.roles, ())
        self.winner: Side | None = None

    def take(self, record: Record) -> None:
        """One more line."""
        require = self.place.require
        require(self.winner is None, "the game is over; delete what follows the result")
        if isinstance(record, Status):
            self.status(record)
            return
        require(bool(self.roles), "a game log begins with the statuses of day 0; put them first")
        day = self.today.number
        require(
            self.statuses == len(self.roles),
            f"the status of agent {self.statuses + 1} on day {day} should stand here; each day "
            "begins with the statuses of all agents",
        )
        require(
            record.day == day,
            f"a line of day {record.day} cannot stand here, on day {day}; correct the day",
        )
        if isinstance(record, Outcome):
            self.end(record)
            return
        self.require_unfinished()
        self.today.take(record)

    # ------------------------------------------------------------------------------------ statuses

    def status(self, record: Status) -> None:
        """A status of the first day, of today, or the first one of the next day."""
        if record.day == self.today.number == 0 and not self.today.begun:
            self.introduce(record)
            return
        require, number = self.place.require, len(self.roles)
        if record.day == self.today.number + 1 and self.statuses == number > 0:
            self.require_unfinished()
            self.days.append(self.today.finish())
            self.today = Course(self.place, record.day, self.roles, self.today.alive)
            self.statuses = 0
        day, expected = self.today.number, self.statuses + 1
        require(
            record.day == day and self.statuses < number,
            f"a status of day {record.day} cannot stand here, on day {day} after {self.statuses} "
            "statuses; days follow each other, and each has one status for every agent",
        )
        self.require_order(record.agent, expected)
        self.statuses = expected
        role, name = self.roles[expected - 1], self.names[expected - 1]
        alive = expected in self.today.living
        for what, found, before in (
            ("role", record.role, role),
            ("name", record.name, name),
            ("state", *("ALIVE" if lives else "DEAD" for lives in (record.alive, alive))),
        ):
            require(
                found == before,
                f"the {what} of agent {expected} is {before} by the lines above, but {found} here; "
                "correct one of them",
            )

    def introduce(self, record: Status) -> None:
        """A status of day 0, which says who plays."""
        expected = len(self.roles) + 1
        self.require_order(record.agent, expected)
        self.place.require(record.alive, "nobody is dead before the game; write ALIVE")
        self.roles.append(record.role)
        self.names.append(record.name)
        self.statuses = expected
        self.today = Course(self.place, 0, self.roles, range(1, expected + 1))

    def require_order(self, agent: int, expected: int) -> None:
        """Statuses stand in the order of the agents."""
        self.place.require(
            agent == expected,
            f"the status of agent {expected} should stand here, not that of agent {agent}; the "
            "statuses of a day stand in order, one for every agent from 1 on",
        )

    # ------------------------------------------------------------------------------------- the end

    def require_unfinished(self) -> None:
        """A day can only be played if nobody had won when it began."""
        humans, wolves = self.today.counts
        self.place.require(
            side_ahead(humans, wolves) is None,
            f"the game was over when day {self.today.number} began, with {humans} humans and "
            f"{wolves} Werewolves alive; the result should stand here",
        )

    def end(self, record: Outcome) -> None:
        """The result."""
        require, counts = self.place.require, self.today.counts
        require(not self.today.begun, "a result follows the statuses of its day; put it there")
        require(
            (record.humans, record.wolves) == counts,
            f"{counts[0]} humans and {counts[1]} Werewolves live by the statuses, not "
            f"{record.humans} and {record.wolves}; correct the numbers",
        )
        side = side_ahead(*counts)
        require(
            side is not None,
            f"the game is not over: {counts[0]} humans and {counts[1]} Werewolves live; a log that "
            "was cut off cannot be used",
        )
        require(
            record.side is side,
            f"{counts[0]} humans and {counts[1]} Werewolves live: the winner is {side}, not "
            f"{record.side}; correct it",
        )
        self.winner = side


def side_ahead(humans: int, wolves: int) -> Side | None:
    """Who has won when a day begins with so many alive; None if the game goes on."""
    if not wolves:
        return Side.VILLAGER
    return Side.WEREWOLF if humans <= wolves else None
