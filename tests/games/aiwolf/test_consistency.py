"""Logs are told as games, and those that contradict themselves are refused in the right line."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.aiwolf import (
    Chronicle,
    Role,
    Side,
    Species,
    Status,
    check_log,
    most_voted,
    read_log,
)
from crywolf.games.errors import GameLogError, InconsistentLog

FOLDER = Path(__file__).parent
LOGS = {
    path.stem: path.read_text("utf-8").removesuffix("\n").split("\n")
    for path in sorted(FOLDER.glob("*.log"))
}


def check(lines: list[str]) -> Chronicle:
    return check_log(read_log(lines))


# ----------------------------------------------------------------------------- what logs tell


def test_five_players():
    """By hand from the log: who died when, the tie on day 1, and who won."""
    game = check(LOGS["five_players"])
    assert game.roles == (
        Role.VILLAGER,
        Role.SEER,
        Role.WEREWOLF,
        Role.VILLAGER,
        Role.POSSESSED,
    )
    assert game.names[3] == "budou, the second"
    assert game.winner is Side.WEREWOLF
    assert [day.number for day in game.days] == [0, 1, 2]
    assert [day.living for day in game.days] == [(1, 2, 3, 4, 5), (1, 2, 3, 4, 5), (1, 3, 4)]
    assert [day.deaths for day in game.days] == [(), (5, 2), (1, 4)]
    night, first, _ = game.days
    assert night.divined == {2: (4, Species.HUMAN)}
    assert len(night.talks) == 5
    assert not night.ballots
    tied, decided = first.ballots
    assert most_voted(tied) == {1, 5}
    assert decided == {1: 5, 2: 5, 3: 1, 4: 5, 5: 1}
    assert first.talks[0].line == 17
    assert str(first.talks[0].utterance) == LOGS["five_players"][16]


def test_seven_players():
    """By hand from the log: a guarded attack, a tie without execution, nobody attacked."""
    game = check(LOGS["seven_players"])
    assert game.winner is Side.VILLAGER
    assert [day.executed for day in game.days] == [None, 5, None, 6]
    assert [(day.attacked, day.killed) for day in game.days[1:]] == [
        (2, False),
        (None, False),
        (None, False),
    ]
    assert [day.guarded for day in game.days] == [{}, {4: 2}, {4: 3}, {4: 5}]
    assert [len(day.whispers) for day in game.days] == [2, 1, 0, 0]
    assert game.days[1].attack_ballots == ({6: 2},)


def test_most_voted():
    assert most_voted({}) == frozenset()
    assert most_voted({1: 2, 2: 1, 3: 2}) == {2}
    assert most_voted({1: 2, 2: 1}) == {1, 2}


# -------------------------------------------------------------------------------------- refusals

REFUSED = [
    # log, what stands in which line instead (None: nothing), line of the error, words of the error
    ("five_players", {1: None}, 1, "the status of agent 1 should stand here"),
    ("five_players", {3: "0,status,3,WEREWOLF,DEAD,a"}, 3, "nobody is dead before the game"),
    ("five_players", {5: None}, 7, "there is no agent 5, only 1 to 4"),
    ("five_players", {1: "1,status,1,SEER,ALIVE,a"}, 1, "a status of day 1 cannot stand here"),
    ("five_players", {1: "0,vote,1,2"}, 1, "begins with the statuses of day 0"),
    ("five_players", {6: "1,talk,0,0,4,a"}, 6, "a line of day 1 cannot stand here, on day 0"),
    ("five_players", {6: "0,talk,0,0,6,a"}, 6, "there is no agent 6"),
    ("five_players", {7: "0,talk,0,0,1,a"}, 7, "the talk in line 6 has this number already"),
    ("five_players", {7: "0,talk,9,0,4,a"}, 7, "in line 6 is by this agent in this turn already"),
    ("five_players", {22: "1,talk,5,0,2,a"}, 22, "in line 17 is by this agent in this turn"),
    ("five_players", {17: "1,talk,0,1,2,a"}, 18, "turn 0 cannot follow turn 1"),
    ("five_players", {10: "0,vote,1,2"}, 10, "on day 0 there is only talk and divination"),
    ("five_players", {10: "0,guard,1,2,SEER"}, 10, "on day 0"),
    ("five_players", {10: "0,execute,2,SEER"}, 10, "on day 0"),
    ("five_players", {10: "0,attackVote,3,2"}, 10, "on day 0"),
    ("five_players", {10: "0,attack,2,true"}, 10, "on day 0"),
    ("five_players", {10: "0,whisper,0,0,1,a"}, 10, "whisper is for a WEREWOLF"),
    (
        "five_players",
        {11: "0,divine,1,4,HUMAN"},
        11,
        "divine is for a SEER, but agent 1 is VILLAGER",
    ),
    ("five_players", {11: "0,divine,2,4,WEREWOLF"}, 11, "a divination shows HUMAN"),
    ("five_players", {11: "0,divine,2,5,WEREWOLF"}, 11, "agent 5 is POSSESSED, so that"),
    ("five_players", {11: "0,divine,2,3,HUMAN"}, 11, "shows WEREWOLF, not HUMAN"),
    ("five_players", {12: "1,status,1,SEER,ALIVE,ringo"}, 12, "the role of agent 1 is VILLAGER"),
    ("five_players", {12: "1,status,1,VILLAGER,ALIVE,x"}, 12, "the name of agent 1 is ringo"),
    ("five_players", {12: "1,status,1,VILLAGER,DEAD,ringo"}, 12, "the state of agent 1 is ALIVE"),
    ("five_players", {12: "2,status,1,VILLAGER,ALIVE,ringo"}, 12, "days follow each other"),
    (
        "five_players",
        {14: None},
        14,
        "the status of agent 3 should stand here, not that of agent 4",
    ),
    ("five_players", {16: None}, 16, "the status of agent 5 on day 1 should stand here"),
    ("five_players", {17: "1,status,1,VILLAGER,ALIVE,ringo"}, 17, "after 5 statuses"),
    ("five_players", {31: "1,result,4,1,WEREWOLF"}, 31, "a result follows the statuses"),
    ("five_players", {32: "1,vote,1,1"}, 32, "agent 1 votes for itself"),
    ("five_players", {32: "1,vote,1,9"}, 32, "there is no agent 9"),
    ("five_players", {32: "1,vote,2,5"}, 33, "agent 2 voted already"),
    (
        "five_players",
        {35: "1,vote,4,1"},
        37,
        "agent 1 voted already",
    ),  # no tie, so no second ballot
    ("five_players", {40: None}, 41, "the vote of agent 4 should stand here"),
    ("five_players", {42: None}, 42, "the execution of agent 5, who has the most votes, should"),
    ("five_players", {42: "1,execute,1,VILLAGER"}, 42, "but agent 5 had the most votes"),
    ("five_players", {42: "1,execute,5,WEREWOLF"}, 42, "agent 5 is POSSESSED by its status"),
    ("five_players", {43: "1,execute,1,VILLAGER"}, 43, "agent 5 was executed on this day already"),
    ("five_players", {43: "1,vote,1,2"}, 43, "the vote comes too late"),
    ("five_players", {43: "1,talk,99,9,1,a"}, 43, "the talk comes too late"),
    ("five_players", {43: "1,divine,2,5,HUMAN"}, 43, "agent 5 is dead and cannot be divined"),
    ("five_players", {44: "1,divine,2,4,HUMAN"}, 44, "agent 2 has a divine line on this day"),
    ("five_players", {44: "1,attackVote,2,1"}, 44, "attackVote is for a WEREWOLF"),
    ("five_players", {44: "1,attackVote,3,3"}, 44, "agent 3 is a Werewolf"),
    ("five_players", {44: "1,attackVote,3,5"}, 44, "agent 5 is dead and cannot be attacked"),
    ("five_players", {43: "1,attackVote,3,2"}, 44, "agent 3 voted already"),
    ("five_players", {45: "1,attack,1,true"}, 45, "but agent 2 had the most attack votes"),
    ("five_players", {45: "1,attack,3,true"}, 45, "agent 3 is a Werewolf"),
    ("five_players", {45: "1,attack,5,true"}, 45, "agent 5 is dead"),
    ("five_players", {45: "1,attack,2,false"}, 45, "agent 2 was not guarded"),
    ("five_players", {45: "1,attack,-1,true"}, 45, "an attack on nobody kills nobody"),
    ("five_players", {45: "1,attack,-1,false"}, 45, "the Werewolves voted for agent 2"),
    ("five_players", {45: None}, 45, "the attack on agent 2, whom the Werewolves voted for"),
    ("five_players", {44: "1,attack,4,true"}, 45, "there was an attack on this day already"),
    (
        "five_players",
        {47: "2,status,2,SEER,ALIVE,mikan"},
        47,
        "is DEAD by the lines above, but ALIVE",
    ),
    ("five_players", {51: "2,talk,0,0,2,boo"}, 51, "agent 2 is dead and cannot talk"),
    ("five_players", {54: "2,vote,2,3"}, 54, "agent 2 is dead and cannot vote"),
    ("five_players", {54: "2,vote,1,2"}, 54, "agent 2 is dead and cannot be voted for"),
    ("five_players", {58: "2,divine,2,3,WEREWOLF"}, 58, "agent 2 is dead and cannot divine"),
    ("five_players", {65: "3,result,1,1,WEREWOLF"}, 65, "0 humans and 1 Werewolves live"),
    ("five_players", {65: "3,result,0,1,VILLAGER"}, 65, "the winner is WEREWOLF"),
    ("five_players", {65: "3,talk,0,0,3,I won"}, 65, "the game was over when day 3 began"),
    ("five_players", {65: None}, 65, "the log ends without a result"),
    ("seven_players", {8: "0,whisper,0,0,1,a"}, 8, "whisper is for a WEREWOLF"),
    ("seven_players", {9: "0,whisper,0,0,6,a"}, 9, "the whisper in line 8 has this number already"),
    ("seven_players", {28: "1,whisper,0,0,5,a"}, 28, "agent 5 is dead and cannot whisper"),
    ("seven_players", {29: "1,guard,3,2,SEER"}, 29, "guard is for a BODYGUARD"),
    ("seven_players", {29: "1,guard,4,2,MEDIUM"}, 29, "agent 2 is SEER by its status"),
    ("seven_players", {29: "1,guard,4,4,BODYGUARD"}, 29, "agent 4 guards itself"),
    ("seven_players", {29: "1,guard,4,8,SEER"}, 29, "there is no agent 8"),
    ("seven_players", {29: None}, 30, "agent 2 was not guarded"),
    ("seven_players", {29: "1,guard,4,1,VILLAGER"}, 31, "so that the attack kills; write true"),
    ("seven_players", {30: "1,guard,4,1,VILLAGER"}, 30, "agent 4 has a guard line on this day"),
    ("seven_players", {31: "1,attack,2,true"}, 31, "agent 2 was guarded, so that the attack fails"),
    ("seven_players", {32: "1,whisper,1,1,6,late"}, 33, "the status of agent 1 should stand here"),
    ("seven_players", {46: "2,divine,2,6,HUMAN"}, 46, "shows WEREWOLF"),
    ("seven_players", {40: "2,vote,1,7"}, 46, "the execution of agent 7"),  # no tie any more
    ("seven_players", {63: "3,attack,1,true"}, 63, "no Werewolf lives who could attack"),
    ("seven_players", {71: "4,result,5,0,WEREWOLF"}, 71, "the winner is VILLAGER"),
]


@pytest.mark.parametrize(
    ("log", "changes", "line", "words"), REFUSED, ids=[row[3][:45] for row in REFUSED]
)
def test_contradictions_are_refused(
    log: str, changes: dict[int, str | None], line: int, words: str
):
    lines = list(LOGS[log])
    for number, text in changes.items():
        if text is None:
            del lines[number - 1]
        else:
            lines[number - 1] = text
    with pytest.raises(InconsistentLog) as refusal:
        check(lines)
    assert words in str(refusal.value)
    assert refusal.value.line == line
    assert str(refusal.value).startswith(f"the log, line {line}: ")


def test_nothing_follows_the_result():
    lines = [*LOGS["five_players"], "3,talk,0,0,3,bye"]
    with pytest.raises(InconsistentLog, match="the game is over; delete what follows") as refusal:
        check(lines)
    assert refusal.value.line == len(lines)


def test_a_game_that_goes_on_has_no_result():
    lines = [*LOGS["seven_players"][:17], "1,result,5,2,WEREWOLF"]
    with pytest.raises(InconsistentLog, match="the game is not over"):
        check(lines)


def test_a_second_attack_ballot_after_a_tie():
    """Two Werewolves disagree, one changes its mind; the Seer dies."""
    lines = list(LOGS["seven_players"][:17])
    lines += [f"1,vote,{agent},{1 if agent > 1 else 7}" for agent in range(1, 8)]
    lines += ["1,execute,1,VILLAGER"]
    lines += ["1,attackVote,5,2", "1,attackVote,6,3"]
    again = ["1,attackVote,5,2", "1,attackVote,6,2", "1,attack,2,true"]
    statuses = [
        str(Status(2, k, s.role, k not in (1, 2), s.name))
        for k, s in enumerate(read_log(LOGS["seven_players"][:7]), 1)
        if isinstance(s, Status)
    ]
    cut_off = [*lines, *again, *statuses]
    with pytest.raises(InconsistentLog, match="ends without a result"):
        check(cut_off)
    with pytest.raises(InconsistentLog, match="agent 7, but agent 2 or 3 had the most attack"):
        check([*lines, "1,attack,7,true"])
    with pytest.raises(InconsistentLog, match="agent 3, but agent 2 had the most attack"):
        check([*lines, *again[:2], "1,attack,3,true"])


# --------------------------------------------------------------------------------------- fuzzing


def mutations(lines: list[str]) -> st.SearchStrategy[list[str]]:
    """A log with a line dropped, doubled, moved or changed in one column."""
    places = st.integers(0, len(lines) - 1)
    cells = st.sampled_from(
        ["-1", *map(str, range(9)), "HUMAN", "WEREWOLF", "SEER", "DEAD", "true"]
    )

    def mutate(row: int, kind: str, other: int, column: int, cell: str) -> list[str]:
        new = list(lines)
        match kind:
            case "drop":
                del new[row]
            case "double":
                new.insert(other, new[row])
            case "swap":
                new[row], new[other] = new[other], new[row]
            case _:
                parts = new[row].split(",")
                parts[column % len(parts)] = cell
                new[row] = ",".join(parts)
        return new

    kinds = st.sampled_from(["drop", "double", "swap", "change"])
    return st.builds(mutate, places, kinds, places, st.integers(0, 5), cells)


VARIANTS = st.sampled_from(sorted(LOGS)).flatmap(lambda name: mutations(LOGS[name]))


def obeys_the_rules(game: Chronicle) -> bool:
    """The rules once more, on the whole game: a second look, written independently."""

    def wolves(dead: set[int]) -> tuple[int, int]:
        living = [k for k in range(1, len(game.roles) + 1) if k not in dead]
        wolves = sum(game.roles[k - 1] == "WEREWOLF" for k in living)
        return len(living) - wolves, wolves

    dead: set[int] = set()
    for day in game.days:
        humans, pack = wolves(dead)
        if not pack or humans <= pack or dead & set(day.living):
            return False
        if any(s.utterance.agent in dead for s in day.talks + day.whispers):
            return False
        for ballot in day.ballots:
            if set(ballot) != set(day.living) or not set(ballot.values()) <= set(day.living):
                return False
        if day.executed:
            votes = Counter(day.ballots[-1].values())
            if votes[day.executed] != max(votes.values()):
                return False
        for target, colour in day.divined.values():
            if (game.roles[target - 1] == "WEREWOLF") != (colour == "WEREWOLF"):
                return False
        if day.killed and day.attacked in day.guarded.values():
            return False
        dead |= set(day.deaths)
    humans, pack = wolves(dead)
    return game.winner == ("WEREWOLF" if pack else "VILLAGER") and (not pack or humans <= pack)


@given(VARIANTS)
def test_variants_are_games_or_refused_in_the_right_line(lines: list[str]):
    """A refusal is about its line: all before it could go on, and nothing after it matters."""
    try:
        game = check(lines)
    except GameLogError as error:
        refusal = error
    else:
        assert obeys_the_rules(game)
        return
    line = refusal.line
    assert line is not None
    with pytest.raises(GameLogError) as again:
        check(lines[:line])
    assert str(again.value) == str(refusal)
    if line > 1:
        with pytest.raises(GameLogError, match="ends without a result") as cut:
            check(lines[: line - 1])
        assert cut.value.line == line


@pytest.mark.parametrize("name", LOGS)
def test_logs_that_are_cut_off_are_refused(name: str):
    lines = LOGS[name]
    for length in range(1, len(lines)):
        with pytest.raises(InconsistentLog, match="ends without a result") as refusal:
            check(lines[:length])
        assert refusal.value.line == length + 1
