"""A log as a history of the formal game of Werewolf.

    replay = replay_log(read_log("000.log"))
    game = crywolf.load_game(replay.game)
    state = game.new_initial_state()
    for action in replay.actions:
        state.apply_action(action)

The game differs from AIWolf's in some points, and what it cannot express is listed with its line:

- Everybody speaks once in every round, in the order of the agents: a turn of the log is a round.
  What is no statement of the game becomes silence.
- There is no talk before the first night, and none among the Werewolves, who choose together.
- Only the last ballot of a day is a move; in those before it there was a tie.
- The game is over as soon as the Werewolves are as many as the others, so that the last night of a
  log may come after its end.
- Seer and Bodyguard always choose, also in the first night: where the log has no choice that the
  game knows, the first one is made up that changes nobody's death, and listed, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..werewolf.actions import Action
from ..werewolf.position import NOBODY, Position, Stage
from ..werewolf.talk import NOTHING
from .chronicle import Chronicle, Day, Said
from .consistency import check_log
from .players import Place
from .records import Attack, AttackVote, Divine, Execute, Guard, Record, Talk, Vote, Whisper
from .setting import CARDS, game_of, game_string
from .statements import statement
from .vocabulary import Side


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line of the log that the history does not have.

    Attributes:
        line: of the log, from 1 on.
        record: what it says.
        reason: why it is left out.
    """

    line: int
    record: Record
    reason: str


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A move of the history that the log does not have.

    Attributes:
        move: its place in `Replay.actions`.
        agent: who makes it.
        name: of the action.
        day: the day of the log before the night.
    """

    move: int
    agent: int
    name: str
    day: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A history of the game.

    Attributes:
        game: the game string, for `crywolf.load_game`.
        actions: all moves from the first on, those of chance included.
        deaths: the agents that die in the history, in order.
        winner: the side that wins.
        left_out: the lines that the history does not have, in order.
        made_up: the moves that the log does not have, in order.
    """

    game: str
    actions: tuple[int, ...]
    deaths: tuple[int, ...]
    winner: Side
    left_out: tuple[LeftOut, ...]
    made_up: tuple[MadeUp, ...]

    @property
    def silenced(self) -> int:
        """How many things that were said before all became silence."""
        return sum(isinstance(entry.record, Talk) for entry in self.left_out)


def replay_log(records: Iterable[Record], source: str = "the log") -> Replay:
    """Replays a log.

    Args:
        records: all lines, as `read_log` returns them.
        source: what errors call the log.

    Raises:
        InconsistentLog: see `check_log`; or no formal game is like this one.
    """
    records = tuple(records)
    game = check_log(records, source)
    place = Place(source)
    place.line = len(records)
    walk = _Walk(records, game, place)
    walk.run()
    return walk.replay()


class _Walk:
    """The game, played move by move as the log says.

    Args:
        records: of the log.
        game: what happened.
        place: for errors.
    """

    def __init__(self, records: tuple[Record, ...], game: Chronicle, place: Place):
        self.records = records
        self.game = game
        executions = {r.day: n for n, r in enumerate(records, 1) if isinstance(r, Execute)}
        self.rules = game_of(game, place, executions)
        self.tied_votes = set(_tied_votes(records, game))
        self.table = self.rules.table
        self.position: Position = self.rules.initial().position
        self.actions: list[int] = []
        self.deaths: list[int] = []
        self.silenced: dict[int, str] = {}  # why, by line
        self.nights: set[int] = set()  # those that the game has
        self.made_up: list[MadeUp] = []

    @property
    def day(self) -> Day:
        """What the log says of the day that is, or whose night is."""
        return self.game.days[self.position.day]

    def run(self) -> None:
        """Plays to the end."""
        choose = {
            Stage.DEAL: self.card,
            Stage.TALK: self.saying,
            Stage.VOTE: self.vote,
            Stage.TIE: self.tie,
            Stage.KILL: self.kill,
            Stage.NIGHT: self.turn,
        }
        while self.position.stage is not Stage.END:
            before = self.position.alive
            if self.position.stage in (Stage.KILL, Stage.NIGHT):
                self.nights.add(self.position.day)
            action = choose[self.position.stage]()
            self.position = self.rules.checked_play(self.position, action).position
            self.actions.append(action)
            after = self.position.alive
            self.deaths += [s + 1 for s in self.table.seats if before[s] and not after[s]]

    def replay(self) -> Replay:
        """All that has been found, once all has been played."""
        reasons = ((n, r, self.reason(n, r)) for n, r in enumerate(self.records, 1))
        return Replay(
            game=game_string(self.rules),
            actions=tuple(self.actions),
            deaths=tuple(self.deaths),
            winner={"town": Side.VILLAGER, "wolves": Side.WEREWOLF}[self.position.winner],
            left_out=tuple(LeftOut(*entry) for entry in reasons if entry[2]),
            made_up=tuple(self.made_up),
        )

    # --------------------------------------------------------------------------------------- moves

    def card(self) -> int:
        """Chance deals the lowest seat without a card what the log says."""
        seat = self.position.roles.index("")
        return self.table.kinds.index(CARDS[self.game.roles[seat]])

    def saying(self) -> int:
        """What the next speaker says in this round, or nothing."""
        said = self.utterance()
        if said is None:
            return self.legal()[NOTHING]
        legal, found = self.legal(), statement(said.utterance, self.places())
        if isinstance(found, str):
            self.silenced[said.line] = found
            return legal[NOTHING]
        if found not in legal:
            self.silenced[said.line] = f"the game has no such statement then: {said.utterance.text}"
            return legal[NOTHING]
        return legal[found]

    def utterance(self) -> Said | None:
        """What the next speaker says in this round by the log."""
        living, queue = len(self.day.living), self.position.queue
        turns = sorted({said.utterance.turn for said in self.day.talks})
        spoken = living * self.rules.talk_rounds - len(queue)
        for said in self.day.talks:
            utterance = said.utterance
            if (utterance.agent, turns.index(utterance.turn)) == (queue[0] + 1, spoken // living):
                return said
        return None

    def places(self) -> dict[int, int]:
        """Which statement of the day in the game each talk is; silence is none to agree with."""
        living = self.day.living
        turns = sorted({said.utterance.turn for said in self.day.talks})
        return {
            said.utterance.index: turns.index(said.utterance.turn) * len(living)
            + living.index(said.utterance.agent)
            for said in self.day.talks
            if said.line not in self.silenced
        }

    def vote(self) -> int:
        """The last ballot counts."""
        target = self.day.ballots[-1][self.position.queue[0] + 1]
        return self.table.actions.number("vote", target - 1)

    def tie(self) -> int:
        """Chance settles a tie as it did in the log."""
        assert self.day.executed is not None, "the game would spare all who are tied"
        return self.table.chance.seat(self.day.executed - 1)

    def kill(self) -> int:
        """The Werewolves choose whom they attacked in the log."""
        attacked = self.day.attacked
        return self.table.actions.number("kill", NOBODY if attacked is None else attacked - 1)

    def turn(self) -> int:
        """A Seer or Bodyguard chooses."""
        legal = self.legal()
        choice = self.choice(self.position.queue[0] + 1)
        if choice is not None and choice in legal:
            return legal[choice]
        attacked = Action("protect", (self.day.attacked or 0) - 1)
        action = next(action for meaning, action in legal.items() if meaning != attacked)
        self.made_up.append(
            MadeUp(
                move=len(self.actions),
                agent=self.position.queue[0] + 1,
                name=self.table.actions.names[action],
                day=self.day.number,
            )
        )
        return action

    def choice(self, agent: int) -> Action | None:
        """What a Seer or Bodyguard chose by the log."""
        if agent in self.day.divined:
            return Action("check", self.day.divined[agent][0] - 1)
        if agent in self.day.guarded:
            return Action("protect", self.day.guarded[agent] - 1)
        return None

    def legal(self) -> dict[Action, int]:
        """The mover's actions by what they mean."""
        meanings = self.table.actions.meanings
        return {meanings[a]: a for a in self.rules.legal_actions(self.position)}

    # --------------------------------------------------------------------------- what is left out

    def reason(self, line: int, record: Record) -> str:
        """Why the history does not have a line; nothing if it has."""
        match record:
            case Whisper():
                return "the Werewolves choose together, without talk"
            case Talk(day=0):
                return "the game has no talk before the first night"
            case Talk():
                return self.silenced.get(line, "")
            case Vote() if line in self.tied_votes:
                return "only the last ballot of a day is a move of the game"
            case Divine() | Guard() | AttackVote() | Attack() if record.day not in self.nights:
                return "the game is over by then"
            case AttackVote() if record.target != self.game.days[record.day].attacked:
                return "the Werewolves choose together"
            case Divine() | Guard() if any(
                (made.day, made.agent) == (record.day, record.agent) for made in self.made_up
            ):
                return "the game has no such choice, so that another one is made up"
        return ""


def _tied_votes(records: Iterable[Record], game: Chronicle) -> Iterator[int]:
    """The lines of the votes that were cast before a day's last ballot."""
    left = {day.number: len(day.living) * (len(day.ballots) - 1) for day in game.days}
    for line, record in enumerate(records, 1):
        if isinstance(record, Vote) and left[record.day]:
            left[record.day] -= 1
            yield line
