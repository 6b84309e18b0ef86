"""Game logs: they read back the same, and what is none is refused by line."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.aiwolf import (
    Attack,
    AttackVote,
    Divine,
    Execute,
    Guard,
    Outcome,
    Record,
    Role,
    Side,
    Species,
    Status,
    Talk,
    Vote,
    Whisper,
    format_log,
    parse_record,
    parse_sentence,
    read_log,
    write_log,
)
from crywolf.games.aiwolf.vocabulary import MAX_AGENT, MAX_NUMBER
from crywolf.games.errors import GameLogError, OutputError

FOLDER = Path(__file__).parent
LOGS = sorted(FOLDER.glob("*.log"))

AGENTS = st.integers(1, MAX_AGENT)
NUMBERS = st.integers(0, MAX_NUMBER)
COUNTS = st.integers(0, MAX_AGENT)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"))
ROLES = st.sampled_from(Role)
RECORDS = (
    st.builds(Status, NUMBERS, AGENTS, ROLES, st.booleans(), TEXTS)
    | st.builds(Talk, NUMBERS, NUMBERS, NUMBERS, AGENTS, TEXTS)
    | st.builds(Whisper, NUMBERS, NUMBERS, NUMBERS, AGENTS, TEXTS)
    | st.builds(Vote, NUMBERS, AGENTS, AGENTS)
    | st.builds(AttackVote, NUMBERS, AGENTS, AGENTS)
    | st.builds(Divine, NUMBERS, AGENTS, AGENTS, st.sampled_from(Species))
    | st.builds(Guard, NUMBERS, AGENTS, AGENTS, ROLES)
    | st.builds(Execute, NUMBERS, AGENTS, ROLES)
    | st.builds(Attack, NUMBERS, AGENTS | st.none(), st.booleans())
    | st.builds(Outcome, NUMBERS, COUNTS, COUNTS, st.sampled_from(Side))
)


# -------------------------------------------------------------------------------- there and back


@given(st.lists(RECORDS, min_size=1, max_size=8))
def test_records_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, records: list[Record]
):
    path = tmp_path_factory.mktemp("log") / "game.log"
    write_log(records, path)
    assert read_log(path) == tuple(records)
    assert format_log(read_log(path)).encode() == path.read_bytes()


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_files_are_written_back_byte_for_byte(path: Path, tmp_path: Path):
    write_log(read_log(path), tmp_path / "copy.log")
    assert (tmp_path / "copy.log").read_bytes() == path.read_bytes()


def test_a_log_may_come_as_lines():
    path = LOGS[0]
    records = read_log(path)
    assert read_log(path.read_text("utf-8").splitlines()) == records
    assert read_log([f"{record}\r\n" for record in records]) == records
    with path.open(encoding="utf-8") as stream:
        assert read_log(stream) == records


def test_marks_and_line_ends_of_other_systems(tmp_path: Path):
    lines = ["0,status,1,SEER,ALIVE,Ä", "0,talk,0,0,1,a\u2028b\x85c"]
    path = tmp_path / "game.log"
    path.write_bytes("\r\n".join(["\ufeff" + lines[0], *lines[1:]]).encode())
    assert [str(record) for record in read_log(path)] == lines


def test_known_lines():
    """By hand, one of each kind."""
    known = {
        "0,status,3,POSSESSED,DEAD,a, b": Status(0, 3, Role.POSSESSED, False, "a, b"),
        "1,talk,12,3,4,Well, yes.": Talk(1, 12, 3, 4, "Well, yes."),
        "1,talk,0,0,4,": Talk(1, 0, 0, 4, ""),
        "1,whisper,0,0,5,ATTACK Agent[02]": Whisper(1, 0, 0, 5, "ATTACK Agent[02]"),
        "2,vote,1,5": Vote(2, 1, 5),
        "2,attackVote,1,5": AttackVote(2, 1, 5),
        "2,divine,1,5,HUMAN": Divine(2, 1, 5, Species.HUMAN),
        "2,guard,1,5,MEDIUM": Guard(2, 1, 5, Role.MEDIUM),
        "2,execute,5,BODYGUARD": Execute(2, 5, Role.BODYGUARD),
        "2,attack,5,true": Attack(2, 5, True),
        "2,attack,-1,false": Attack(2, None, False),
        "3,result,2,0,VILLAGER": Outcome(3, 2, 0, Side.VILLAGER),
    }
    for text, record in known.items():
        assert parse_record(text) == record
        assert str(record) == text


def test_what_is_said_as_a_sentence():
    records = read_log(FOLDER / "five_players.log")
    said = [record for record in records if isinstance(record, Talk)]
    free = [record.text for record in said if record.sentence is None]
    assert free == [
        "Hello, everybody, let us begin.",
        "こんにちは、みなさん。",
        "Agent[05] is lying, of course: I am a villager.",
    ]
    assert all(r.sentence is None or r.sentence == parse_sentence(r.text) for r in said)


# -------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "the line is empty; delete it"),
        ("hello", "'hello' is no line of a game log"),
        ("x" * 5000, "xxx...' is no line"),
        ("Lost Connection of Agent[03]", "the server lost an agent here"),
        ("1,say,0,0,1,hello", "status, talk, whisper, vote"),
        ("1,Vote,1,2", "is no line of a game log"),
        ("vote,1,2", "is no line of a game log"),
        ("x,vote,1,2", "expected the day, a whole number from 0 to 9,999, found 'x'"),
        ("-1,vote,1,2", "expected the day"),
        ("10000,vote,1,2", "expected the day"),
        ("01,vote,1,2", "expected the day"),
        ("１,vote,1,2", "expected the day"),
        (f"{'9' * 10_000},vote,1,2", "found '999"),
        ("1,vote,0,2", "expected an agent, a whole number from 1 to 99, found '0'"),
        ("1,vote,1,100", "expected the target, a whole number from 1 to 99, found '100'"),
        ("1,vote,1, 2", "found ' 2'"),
        ("1,vote,1,Agent[02]", "found 'Agent[02]'"),
        ("1,vote,1", "a vote line has 4 columns, not 3; write day,vote,agent,target"),
        ("1,vote,1,2,3", "a vote line has 4 columns, not 5"),
        ("1,talk,0,0,1", "a talk line has 6 columns, not 5; write day,talk,index,turn,agent,text"),
        ("1,talk,0,-1,1,a", "expected the turn"),
        ("1,talk,a,0,1,a", "expected the number of the utterance"),
        ("1,talk,0,0,1,a\rb", "a text in one line"),
        ("1,talk,0,0,1,\ud800", "characters that UTF-8 has"),
        ("0,status,1,FOX,ALIVE,a", "a role, VILLAGER or SEER"),
        ("0,status,1,SEER,alive,a", "a state, ALIVE or DEAD, found 'alive'"),
        ("0,status,1,SEER,ALIVE", "a status line has 6 columns, not 5"),
        ("1,divine,1,2,SEER", "a result, HUMAN or WEREWOLF"),
        ("1,guard,1,2", "a guard line has 5 columns"),
        ("1,execute,2,HUMAN", "a role"),
        ("1,attack,0,true", "or -1 for nobody, found '0'"),
        ("1,attack,2,True", "whether it died, true or false"),
        ("1,result,1,1,HUMAN", "the winner, VILLAGER or WEREWOLF"),
        ("1,result,-1,1,VILLAGER", "a count of agents"),
    ],
)
def test_lines_are_refused(line: str, words: str):
    with pytest.raises(GameLogError) as refusal:
        read_log(["0,status,1,SEER,ALIVE,a", line, "what comes later is not looked at"])
    assert refusal.value.line == 2
    assert str(refusal.value).startswith("the log, line 2: ")
    assert words in str(refusal.value)
    assert len(str(refusal.value)) < 250


@given(st.text("012,-statuvoe kalrdin\n") | st.text(max_size=40))
def test_any_line_is_read_or_refused(text: str):
    try:
        written = str(parse_record(text, 7))
    except GameLogError as refusal:
        line, written = refusal.line, text
    else:
        line = 7
    assert (line, written) == (7, text)


def test_files_are_refused(tmp_path: Path):
    with pytest.raises(GameLogError, match=r"there is no file .*; check the path") as refusal:
        read_log(tmp_path / "none.log")
    assert refusal.value.line is None
    with pytest.raises(GameLogError, match="cannot read"):
        read_log(tmp_path)
    with pytest.raises(GameLogError, match="cannot read"):
        read_log("a\0b")
    path = tmp_path / "game.log"
    path.write_bytes(b"")
    with pytest.raises(GameLogError, match=r"game\.log is empty"):
        read_log(path)
    with pytest.raises(GameLogError, match="the log is empty"):
        read_log([])
    path.write_bytes("0,talk,0,0,1,a\n0,talk,1,0,1,é\n".encode("latin-1"))
    with pytest.raises(GameLogError, match="line 2 is not in UTF-8") as refusal:
        read_log(path)
    assert refusal.value.line == 2
    path.write_bytes(b"0,vote,1,2\n\n")
    with pytest.raises(GameLogError, match=r"game\.log, line 2: the line is empty"):
        read_log(path)


@pytest.mark.parametrize(
    "wrong",
    [
        replace(Talk(0, 0, 0, 1, ""), text="two\nlines"),
        Talk(0, 0, 0, 1, "\udfff"),
        Vote(0, 0, 1),
        Vote(0, 1, None),  # type: ignore[arg-type]
        Vote(-1, 1, 2),
        Status(0, 1, "FOX", True, "a"),  # type: ignore[arg-type]
        Status(0, 1, Role.SEER, "ALIVE", "a"),  # type: ignore[arg-type]
        Status(0, 1, Role.SEER, True, None),  # type: ignore[arg-type]
    ],
)
def test_records_that_would_not_read_the_same_are_not_written(wrong: Record, tmp_path: Path):
    path = tmp_path / "game.log"
    path.write_text("as it was")
    with pytest.raises(GameLogError) as refusal:
        write_log([Vote(1, 1, 2), wrong], path)
    assert refusal.value.line == 2
    assert path.read_text() == "as it was"


def test_where_no_file_can_be_written(tmp_path: Path):
    with pytest.raises(OutputError, match="choose another path"):
        write_log([Vote(1, 1, 2)], tmp_path / "no folder" / "game.log")
