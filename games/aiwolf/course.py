"""The course of one day by the lines of a log, checked line by line.

The order is that of the server: talk, votes and the execution, divination, guard and attack votes,
the attack. Whispers may come at any time. The dead do nothing, nor does who was executed from then
on. Everybody votes for somebody else, all of them again if there was a tie; somebody with the most
votes is executed, or nobody after a tie. The Werewolves attack somebody with the most votes among
them, who dies unless a living Bodyguard guards it. On day 0 there is only talk and divination.

Source: the AIWolf server (https://github.com/aiwolf/AIWolfServer), 0.6 and later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .chronicle import Day, Said, most_voted
from .players import Place, Players
from .records import (
    Attack,
    AttackVote,
    Divine,
    Execute,
    Guard,
    Record,
    Talk,
    Utterance,
    Vote,
    Whisper,
)
from .vocabulary import Role

PHASES = {Talk: 0, Vote: 1, Execute: 2, Divine: 3, Guard: 3, AttackVote: 3, Attack: 4}
"""The order of the lines of a day."""
_ORDER = "a day is talk, votes, execution, then divination, guard and attack votes, then the attack"


class Course(Players):
    """A day up to a line.

    Args:
        place: the current line.
        number: of the day.
        roles: of all agents.
        living: who lives when the day begins.

    Attributes:
        number: as above.
        begun: whether anything has happened yet.
    """

    def __init__(self, place: Place, number: int, roles: Sequence[Role], living: Iterable[int]):
        super().__init__(place, roles, living)
        self.number = number
        self.begun = False
        self._phase = 0
        self._said: dict[type[Utterance], list[Said]] = {Talk: [], Whisper: []}
        self._lines: dict[tuple[str | int, ...], int] = {}  # of utterances, by what is unique
        self._ballots: list[dict[int, int]] = [{}]
        self._executed: int | None = None
        self._divined: dict[int, Divine] = {}
        self._guarded: dict[int, int] = {}
        self._attack_ballots: list[dict[int, int]] = [{}]
        self._attack: Attack | None = None

    def take(self, record: Record) -> None:
        """One more line of the day."""
        self.begun = True
        if type(record) in PHASES:
            self._enter(PHASES[type(record)], record.kind)
        match record:
            case Talk() | Whisper():
                self._speak(record)
            case Vote():
                self._vote(record)
            case Execute():
                self._execute(record)
            case Divine():
                self._divine(record)
            case Guard():
                self._guard(record)
            case AttackVote():
                self._attack_vote(record)
            case Attack():
                self._strike(record)

    def finish(self) -> Day:
        """The day as a whole, once the next one begins."""
        if self.number:
            self._leave(max(PHASES.values()))
        prey = most_voted(self._attack_ballots[-1])
        if self._attack is None and len(prey) == 1:
            raise self.place.error(
                f"the attack on agent {min(prey)}, whom the Werewolves voted for, should stand here"
            )
        attack = self._attack or Attack(self.number, None, False)
        return Day(
            number=self.number,
            living=self.living,
            talks=tuple(self._said[Talk]),
            whispers=tuple(self._said[Whisper]),
            ballots=tuple(ballot for ballot in self._ballots if ballot),
            executed=self._executed,
            divined={seer: (d.target, d.species) for seer, d in self._divined.items()},
            guarded=self._guarded,
            attack_ballots=tuple(ballot for ballot in self._attack_ballots if ballot),
            attacked=attack.target,
            killed=attack.killed,
        )

    # -------------------------------------------------------------------------------------- phases

    def _enter(self, phase: int, kind: str) -> None:
        """Goes on to the phase of a line, which must not lie in the past."""
        if not self.number:
            self.place.require(
                kind in (Talk.kind, Divine.kind),
                f"on day 0 there is only talk and divination; delete the {kind} line",
            )
        self.place.require(phase >= self._phase, f"the {kind} comes too late: {_ORDER}")
        if self.number:
            self._leave(phase)
        self._phase = phase

    def _leave(self, phase: int) -> None:
        """What must have happened before a later phase can begin."""
        if self._phase <= PHASES[Vote] < phase:
            ballot = self._ballots[-1]
            missing = [agent for agent in self.living if agent not in ballot]
            self.place.require(
                not missing,
                f"the vote of agent {min(missing, default=0)} should stand here; everybody who "
                "lives votes",
            )
        if self._executed is None and self._phase <= PHASES[Execute] < phase:
            first = most_voted(self._ballots[-1])
            self.place.require(
                len(first) > 1,
                f"the execution of agent {min(first, default=0)}, who has the most votes, should "
                "stand here; only after a tie may nobody be executed",
            )

    # ---------------------------------------------------------------------------------- day's lines

    def _speak(self, record: Utterance) -> None:
        self.require_alive(record.agent, record.kind)
        if isinstance(record, Whisper):
            self.require_role(record.agent, Role.WEREWOLF, record.kind)
        said = self._said[type(record)]
        for what, key in (
            ("has this number", (record.kind, record.index)),
            ("is by this agent in this turn", (record.kind, record.turn, record.agent)),
        ):
            line = self._lines.setdefault(key, self.place.line)
            self.place.require(
                line == self.place.line,
                f"the {record.kind} in line {line} {what} already; delete one or correct it",
            )
        before = said[-1].utterance.turn if said else 0
        self.place.require(
            before <= record.turn,
            f"turn {record.turn} cannot follow turn {before}; put the lines in order",
        )
        said.append(Said(self.place.line, record))

    def _vote(self, record: Vote) -> None:
        self.require_alive(record.agent, record.kind)
        self.require_alive(record.target, "be voted for")
        self.place.require(
            record.agent != record.target,
            f"agent {record.agent} votes for itself; correct the target",
        )
        self._cast(record, self._ballots, set(self.living))

    def _execute(self, record: Execute) -> None:
        target = record.target
        self.place.require(
            self._executed is None,
            f"agent {self._executed} was executed on this day already; delete one of the lines",
        )
        self.require_alive(target, "be executed")
        self.require_shown(target, record.role)
        first = most_voted(self._ballots[-1])
        self.place.require(
            target in first,
            f"agent {target} is executed, but {_agents(first)} had the most votes; correct it",
        )
        self._executed = target
        self.alive.discard(target)

    def _cast(
        self, record: Vote | AttackVote, ballots: list[dict[int, int]], voters: set[int]
    ) -> None:
        """Counts a vote; a second one of the same agent begins a new ballot, after a tie."""
        ballot = ballots[-1]
        if record.agent in ballot:
            self.place.require(
                voters <= ballot.keys() and len(most_voted(ballot)) > 1,
                f"agent {record.agent} voted already; delete one of the votes: only after a tie of "
                "all votes is there another ballot",
            )
            ballot = {}
            ballots.append(ballot)
        ballot[record.agent] = record.target

    # -------------------------------------------------------------------------------- night's lines

    def _divine(self, record: Divine) -> None:
        self.require_alive(record.agent, record.kind)
        self.require_role(record.agent, Role.SEER, record.kind)
        self.require_alive(record.target, "be divined")
        self.require_first(record.agent, self._divined, record.kind)
        role = self.roles[record.target - 1]
        self.place.require(
            record.species is role.species,
            f"agent {record.target} is {role}, so that a divination shows {role.species}, not "
            f"{record.species}; correct it",
        )
        self._divined[record.agent] = record

    def _guard(self, record: Guard) -> None:
        self.require_alive(record.agent, record.kind)
        self.require_role(record.agent, Role.BODYGUARD, record.kind)
        self.require_known(record.target)  # the server lets a Bodyguard name a dead agent
        self.require_shown(record.target, record.role)
        self.place.require(
            record.agent != record.target,
            f"agent {record.agent} guards itself, which the server does not take; delete the line",
        )
        self.require_first(record.agent, self._guarded, record.kind)
        self._guarded[record.agent] = record.target

    def _attack_vote(self, record: AttackVote) -> None:
        self.require_alive(record.agent, "vote")
        self.require_role(record.agent, Role.WEREWOLF, record.kind)
        self.require_prey(record.target)
        # Votes that the server does not take leave no line, so that a ballot may lack some.
        self._cast(record, self._attack_ballots, set())

    def _strike(self, record: Attack) -> None:
        self.place.require(
            any(self.roles[agent - 1] is Role.WEREWOLF for agent in self.alive),
            "no Werewolf lives who could attack; delete the line",
        )
        self.place.require(
            self._attack is None, "there was an attack on this day already; delete one of the lines"
        )
        first = most_voted(self._attack_ballots[-1])
        if record.target is None:
            self.place.require(not record.killed, "an attack on nobody kills nobody; write false")
            self.place.require(
                len(first) != 1, f"the Werewolves voted for {_agents(first)}; correct the target"
            )
        else:
            self.require_prey(record.target)
            self.place.require(
                not first or record.target in first,
                f"the Werewolves attack agent {record.target}, but {_agents(first)} had the most "
                "attack votes; correct it",
            )
            guarded = record.target in self._guarded.values()
            self.place.require(
                record.killed is not guarded,
                f"agent {record.target} was {'' if guarded else 'not '}guarded, so that the attack "
                f"{'fails' if guarded else 'kills'}; write {'false' if guarded else 'true'}",
            )
        self._attack = record
        if record.killed and record.target is not None:
            self.alive.discard(record.target)


def _agents(agents: Iterable[int]) -> str:
    words = " or ".join(str(agent) for agent in sorted(agents))
    return f"agent {words}" if words else "nobody"
