"""Logs as histories of the formal game: the same deaths, the same winner, nothing lost silently."""

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crywolf.games import load_game
from crywolf.games.aiwolf import (
    Record,
    Replay,
    Role,
    Side,
    Talk,
    check_log,
    format_log,
    read_log,
    replay_log,
)
from crywolf.games.errors import GameLogError, InconsistentLog

FOLDER = Path(__file__).parent
FIVE = read_log(FOLDER / "five_players.log")
SEVEN = read_log(FOLDER / "seven_players.log")


def history(replay: Replay) -> tuple[list[str], list[float]]:
    """The names of the moves, and the payoffs, by OpenSpiel."""
    state = load_game(replay.game).new_initial_state()
    names = []
    for action in replay.actions:
        assert action in state.legal_actions()
        names.append(state.action_to_string(state.current_player(), action))
        state.apply_action(action)
    assert state.is_terminal()
    return names, state.returns()


def lines(replay: Replay) -> list[int]:
    return [entry.line for entry in replay.left_out]


# ------------------------------------------------------------------------------- logs by hand


def test_five_players():
    """By hand from the log: who speaks in which round, and what the game cannot say."""
    replay = replay_log(FIVE)
    assert replay.game == (
        "werewolf(players=5,roles=2villager+seer+werewolf+possessed,first=night,quiet_nights=1,"
        "guard_self=False,talk=aiwolf,talk_rounds=3)"
    )
    names, payoffs = history(replay)
    assert names[:6] == ["Villager", "Seer", "Werewolf", "Villager", "Possessed", "check P4"]
    assert names[6:11] == [
        "Skip",  # instead of BECAUSE
        "COMINGOUT Agent[02] SEER",
        "ESTIMATE Agent[02] POSSESSED",
        "Skip",
        "COMINGOUT Agent[05] SEER",
    ]
    assert names[11:16] == [
        "Skip",  # instead of free text
        "DIVINED Agent[04] HUMAN",
        "Skip",  # agent 3 agreed with agent 5, who speaks after it in the game
        "Skip",  # instead of REQUEST
        "DIVINED Agent[01] WEREWOLF",
    ]
    assert names[16:21] == ["VOTE Agent[05]", "Over", "VOTE Agent[01]", "Over", "Over"]
    assert names[21:28] == [*(f"vote P{k}" for k in (5, 5, 1, 5, 1)), "kill P2", "check P1"]
    assert names[-3:] == ["vote P3", "vote P1", "vote P1"]
    assert payoffs == [-1, -1, 1, -1, 1]
    assert replay.winner is Side.WEREWOLF
    assert replay.deaths == (5, 2, 1)  # with agent 1 the game is over: one Werewolf, one other
    assert lines(replay) == [6, 7, 8, 9, 10, 19, 24, 25, 26, 32, 33, 34, 35, 36, 51, 52, 58, 59]
    assert replay.silenced == 5 + 4 + 2
    assert not replay.made_up


def test_seven_players():
    """By hand: a Bodyguard who must choose in the first night, too, and nobody executed or killed."""
    replay = replay_log(SEVEN)
    assert "ties=nobody" in replay.game
    assert "no_kill=True" in replay.game
    names, payoffs = history(replay)
    assert payoffs == [1, 1, 1, 1, -1, -1, 1]
    assert replay.deaths == (5, 6)
    assert [name for name in names if name.startswith(("kill", "protect", "check"))] == [
        *("protect P1", "check P5"),
        *("kill P2", "protect P2", "check P1"),
        *("kill nobody", "protect P3", "check P6"),
    ]
    (made,) = replay.made_up
    assert (made.agent, made.day, made.name) == (4, 0, "protect P1")
    assert names[made.move] == made.name
    reasons = {entry.line: entry.reason for entry in replay.left_out}
    assert list(reasons) == [8, 9, 28, 63]
    assert reasons[8] == "the Werewolves choose together, without talk"
    assert reasons[63] == "the game is over by then"


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("Agent[02] DIVINED Agent[04] HUMAN", "DIVINED Agent[04] HUMAN", ""),
        ("COMINGOUT Agent[02] BODYGUARD", "COMINGOUT Agent[02] BODYGUARD", ""),
        ("AGREE TALK day1 ID:1", "AGREE TALK day1 ID:4", ""),  # everybody speaks in every round
        ("DISAGREE TALK day1 ID:3", "DISAGREE TALK day1 ID:2", ""),
        ("AGREE TALK day1 ID:2", "Skip", "opinions on the day's only"),  # that became silence
        ("AGREE TALK day0 ID:0", "Skip", "opinions on the day's only"),
        ("AGREE WHISPER day1 ID:0", "Skip", "opinions on the day's only"),
        ("AGREE TALK day1 ID:6", "Skip", "the game has no such statement then"),
        ("VOTE Agent[06]", "Skip", "the game has no such statement then"),
        ("VOTE ANY", "Skip", "about definite agents"),
        ("Agent[03] VOTE Agent[04]", "Skip", "about the speaker: Agent[03] VOTE Agent[04]"),
        ("NOT (VOTE Agent[04])", "Skip", "has no operators: NOT (VOTE Agent[04])"),
        ("I am the Seer.", "Skip", "it is no sentence of the protocol"),
        ("Over", "Over", ""),
    ],
)
def test_what_can_be_said(text: str, name: str, reason: str):
    """Agent 2 says something else in its second turn, line 22."""
    record = str(FIVE[21]).replace("DIVINED Agent[04] HUMAN", text)
    replay = replay_log(read_log([*map(str, FIVE[:21]), record, *map(str, FIVE[22:])]))
    names, _ = history(replay)
    assert names[12] == name
    reasons = [entry.reason for entry in replay.left_out if entry.line == 22]
    assert len(reasons) == bool(reason)
    assert all(reason in found for found in reasons)


def test_choices_that_the_game_does_not_have():
    """A Seer that divines itself checks somebody; a Bodyguard of the dead saves no victim."""
    text = [str(record) for record in SEVEN]
    text[45] = "2,divine,2,2,HUMAN"
    text[46] = "2,guard,4,5,WEREWOLF"
    replay = replay_log(read_log(text))
    names, _ = history(replay)
    assert replay.deaths == (5, 6)
    assert [(made.day, made.agent) for made in replay.made_up] == [(0, 4), (2, 4), (2, 2)]
    assert [names[made.move] for made in replay.made_up] == [made.name for made in replay.made_up]
    assert {46, 47} <= set(lines(replay))


# ---------------------------------------------------------------------------------- refusals


def test_logs_that_contradict_themselves_are_refused():
    with pytest.raises(InconsistentLog) as refusal:
        replay_log(FIVE[:-1])
    assert refusal.value.line == len(FIVE)
    with pytest.raises(GameLogError, match="here, line 1: "):
        replay_log(FIVE[1:], "here")


def test_two_rules_for_ties_are_refused():
    """Nobody after the tie of day 2, but somebody after one on day 1."""
    text = [str(record) for record in SEVEN]
    votes = {19: 5, 20: 5, 21: 5, 22: 2, 23: 2, 24: 2}
    for line, target in votes.items():
        text[line - 1] = f"1,vote,{line - 18},{target}"
    text[24] = "1,vote,7,1"
    with pytest.raises(
        InconsistentLog, match="a tie executes agent 5, but nobody on day 2"
    ) as refusal:
        replay_log(read_log(text))
    assert refusal.value.line == 26


def test_a_game_without_moves_is_refused():
    text = [
        *("0,status,1,WEREWOLF,ALIVE,a", "0,status,2,SEER,ALIVE,b"),
        "0,result,1,1,WEREWOLF",
    ]
    with pytest.raises(InconsistentLog, match="nothing to replay") as refusal:
        replay_log(read_log(text))
    assert refusal.value.line == 3


def test_so_many_rounds_of_talk_are_refused():
    text = [str(record) for record in FIVE]
    more = [f"1,talk,{100 + turn},{100 + turn},1,Skip" for turn in range(100)]
    with pytest.raises(InconsistentLog, match=r"no formal game .* talk_rounds=103") as refusal:
        replay_log(read_log([*text[:31], *more, *text[31:]]))
    assert refusal.value.line == len(text) + 100


@pytest.mark.parametrize("log", [FIVE, SEVEN], ids=["five", "seven"])
def test_variants_replay_or_are_refused_with_a_line(log: tuple[Record, ...]):
    """Each line dropped, or moved behind the next one."""
    text = [str(record) for record in log]
    ends = set()
    for k in range(len(text)):
        for variant in (
            [*text[:k], *text[k + 1 :]],
            [*text[:k], *text[k + 1 : k + 2], text[k], *text[k + 2 :]],
        ):
            try:
                history(replay_log(read_log(variant)))
            except GameLogError as refusal:
                ends.add(refusal.line is not None)
            else:
                ends.add("replayed")
    assert ends == {True, "replayed"}


# --------------------------------------------------------------- games of a server of our own


SAYINGS = (
    *("Skip", "Over", "hm, well", "COMINGOUT Agent[01] SEER", "DIVINED Agent[02] WEREWOLF"),
    *("AGREE TALK day1 ID:0", "AND (VOTE Agent[01]) (VOTE Agent[02])", "Agent[01] VOTE Agent[03]"),
)


class Server:
    """Plays AIWolf at random and logs it: the server's loop, written from its description."""

    def __init__(self, seed: int, roles: list[Role], *, no_execution: bool, no_attack: bool):
        self.random = random.Random(seed)
        self.roles = dict(enumerate(roles, 1))
        self.living = list(self.roles)
        self.no_execution, self.no_attack = no_execution, no_attack
        self.log: list[str] = []
        self.deaths: list[int] = []
        self.day = 0
        while self.winner is None:
            self.statuses()
            self.play_day()
            self.day += 1
        self.statuses()
        wolves = self.of(Role.WEREWOLF)
        counts = f"{len(self.living) - len(wolves)},{len(wolves)}"
        self.log.append(f"{self.day},result,{counts},{self.winner}")

    def of(self, role: Role) -> list[int]:
        return [agent for agent in self.living if self.roles[agent] is role]

    @property
    def winner(self) -> str | None:
        wolves = len(self.of(Role.WEREWOLF))
        if not wolves:
            return "VILLAGER"
        return "WEREWOLF" if len(self.living) - wolves <= wolves else None

    def write(self, kind: str, *cells: object) -> None:
        self.log.append(",".join(map(str, (self.day, kind, *cells))))

    def statuses(self) -> None:
        for agent, role in self.roles.items():
            state = "ALIVE" if agent in self.living else "DEAD"
            self.write("status", agent, role, state, f"team {agent}, no. 1")

    def die(self, agent: int) -> None:
        self.living.remove(agent)
        self.deaths.append(agent)

    def chat(self, kind: str, agents: list[int], turns: int) -> None:
        number = 0
        for turn in range(turns):
            for agent in self.random.sample(agents, len(agents)):
                self.write(kind, number, turn, agent, self.random.choice(SAYINGS))
                number += 1

    def ballots(self, kind: str, voters: list[int], targets: list[int], most: int) -> list[int]:
        """Up to ``most`` ballots, until one decides; the agents with the most votes in the last."""
        first: list[int] = []
        for _ in range(most):
            votes = {}
            for agent in voters:
                votes[agent] = self.random.choice([t for t in targets if t != agent])
                self.write(kind, agent, votes[agent])
            counts = Counter(votes.values())
            first = sorted(t for t, n in counts.items() if n == max(counts.values()))
            if len(first) == 1:
                break
        return first

    def play_day(self) -> None:
        if self.day == 0:
            self.chat("talk", self.living, self.random.randint(0, 1))
        else:
            self.chat("talk", self.living, self.random.randint(0, 3))
            first = self.ballots("vote", list(self.living), list(self.living), 2)
            if len(first) == 1 or not self.no_execution:
                executed = self.random.choice(first)
                self.write("execute", executed, self.roles[executed])
                self.die(executed)
        for seer in self.of(Role.SEER):
            if self.random.random() < 0.9:
                target = self.random.choice(self.living)
                self.write("divine", seer, target, self.roles[target].species)
        if self.day:
            self.night()

    def night(self) -> None:
        wolves = self.of(Role.WEREWOLF)
        if len(wolves) > 1:
            self.chat("whisper", wolves, 1)
        guarded = 0
        for guard in self.of(Role.BODYGUARD):
            guarded = self.random.choice([agent for agent in self.roles if agent != guard])
            self.write("guard", guard, guarded, self.roles[guarded])
        if not wolves:
            return
        prey = [agent for agent in self.living if agent not in wolves]
        first = self.ballots("attackVote", wolves, prey, 2) if prey else []
        if not first or (len(first) > 1 and self.no_attack):
            self.write("attack", -1, "false")
            return
        attacked = self.random.choice(first)
        self.write("attack", attacked, "false" if attacked == guarded else "true")
        if attacked != guarded:
            self.die(attacked)


DECKS = (
    "VILLAGER VILLAGER SEER POSSESSED WEREWOLF",
    "VILLAGER SEER BODYGUARD WEREWOLF",
    "VILLAGER VILLAGER VILLAGER SEER MEDIUM BODYGUARD POSSESSED WEREWOLF WEREWOLF",
    "VILLAGER " * 8 + "SEER MEDIUM BODYGUARD POSSESSED WEREWOLF WEREWOLF WEREWOLF",
)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(DECKS), st.booleans(), st.booleans())
def test_games_of_a_server(seed: int, deck: str, no_execution: bool, no_attack: bool):
    """Every game that the server's rules allow is read, checked, and replayed to the same end."""
    roles = [Role(name) for name in deck.split()]
    random.Random(seed).shuffle(roles)
    server = Server(seed, roles, no_execution=no_execution, no_attack=no_attack)
    records: tuple[Record, ...] = read_log(server.log)
    assert format_log(records).splitlines() == server.log
    game = check_log(records)
    assert game.winner == server.winner
    assert [agent for day in game.days for agent in day.deaths] == server.deaths
    assume(len(game.days) < 99)  # the game lasts at most so many days
    replay = replay_log(records)
    assert replay.winner is game.winner
    names, payoffs = history(replay)
    wolf_side = {Role.WEREWOLF, Role.POSSESSED}
    for role, payoff in zip(roles, payoffs, strict=True):
        assert payoff == (1 if (role in wolf_side) == (game.winner is Side.WEREWOLF) else -1)
    # What the history lacks is at most the night after the Werewolves have reached parity.
    assert list(replay.deaths) == server.deaths[: len(replay.deaths)]
    assert len(server.deaths) - len(replay.deaths) <= 1
    if len(replay.deaths) < len(server.deaths):
        assert replay.left_out[-1].reason == "the game is over by then"
    # Everything said on a day is a statement of the history, or left out with its line.
    left_out = {entry.line for entry in replay.left_out}
    said = [
        record.text.removeprefix(f"Agent[{record.agent:02d}] ")
        for line, record in enumerate(records, 1)
        if isinstance(record, Talk) and record.day and line not in left_out
    ]
    opinions = [name for name in names if name.startswith("AGREE")]
    assert Counter(name for name in names if name in ("Over", *SAYINGS[3:5], "VOTE Agent[03]")) == (
        Counter(text for text in said if text != "Skip" and not text.startswith("AGREE"))
    )
    assert len(opinions) == sum(text.startswith("AGREE") for text in said)
