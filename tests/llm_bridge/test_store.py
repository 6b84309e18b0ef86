"""The call store: nothing that was answered is lost, mixed up, or changed by being read."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.errors import ParameterError, ProvenanceMismatch, StoreError, StoreMiss
from crywolf.llm_bridge.chat import Call, Provenance, Reply, call_key, canonical
from crywolf.llm_bridge.failures import Failure
from crywolf.llm_bridge.store import CallStore
from crywolf.llm_bridge.store_codec import reply_from_json, reply_to_json
from crywolf.llm_bridge.store_text import Run


@dataclass(frozen=True)
class Asked:
    model: str = "smollm2"
    dialect: str = "llama.cpp"


ASKED = Asked()
HERE = Provenance("abc", "llama.cpp b1", "smollm2-q8", "fp1")


def call(number: int = 0, *, draw: int = 0, model: str = "smollm2", text: str = "A") -> Call:
    body = {"model": model, "messages": [{"role": "user", "content": f"Who? {number}"}], "seed": 7}
    reply = Reply(text, label_probabilities={"B": 0.1 + 0.2, "A": 1e-300}, unlisted=1e-17)
    return Call(body, draw, reply, {Failure.TIMEOUT: 2})


def key(of: Call) -> str:
    return call_key(of.body, of.draw)


def put(store: CallStore, *calls: Call, asked: Asked = ASKED, origin: Provenance = HERE) -> None:
    for one in calls:
        assert store.put(key(one), asked, one, origin) == one


def recorded(path: Path, *calls: Call, **options: Any) -> Path:
    with CallStore(path) as store:
        put(store, *calls, **options)
        store.note_elicitation("smollm2", "samples:30")
    return path


def texts(path: Path) -> set[str]:
    with CallStore(path, "replay") as store:
        return {one.reply.text for one in store.calls()}


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}


# ------------------------------------------------------------------ codec and keys

# All of Unicode, with lone surrogates: canonical JSON is ASCII, so that they survive.
any_text = st.text(st.characters(), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | any_text
scalars |= st.floats(allow_nan=False, allow_infinity=False)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(any_text, inner, max_size=3),
    max_leaves=8,
)
bodies = st.dictionaries(any_text, documents, max_size=4)
numbers = st.floats(allow_nan=False, allow_infinity=False)
replies = st.builds(
    Reply,
    text=any_text,
    finish=any_text,
    refusal=st.none() | any_text,
    label_probabilities=st.none() | st.dictionaries(any_text, numbers, max_size=4),
    unlisted=numbers,
    prompt_tokens=st.none() | st.integers(0),
    completion_tokens=st.none() | st.integers(0),
    response_model=st.none() | any_text,
    fingerprint=st.none() | any_text,
)
many_calls = st.lists(
    st.builds(
        Call,
        body=bodies,
        draw=st.integers(0),
        reply=replies,
        failures=st.dictionaries(any_text, st.integers(0), max_size=2),
    ),
    max_size=5,
    unique_by=key,
)


def exactly(of: Call) -> str:
    """Every value with its type and every bit: -0.0 is not 0.0, nor 1 the same as 1.0 or True."""
    return repr((of.body, of.draw, of.reply, of.failures))


def in_order(of: Call) -> Call:
    """The call with all names in canonical order."""
    listed = of.reply.label_probabilities
    listed = listed if listed is None else dict(sorted(listed.items()))
    body = json.loads(json.dumps(of.body, sort_keys=True))
    return Call(
        body,
        of.draw,
        replace(of.reply, label_probabilities=listed),
        dict(sorted(of.failures.items())),
    )


@given(many_calls)
def test_what_is_kept_comes_back_exactly_from_the_file_and_from_its_export(calls):
    with tempfile.TemporaryDirectory() as folder:
        path, text, again = (Path(folder, name) for name in ("c.sqlite", "c.jsonl", "d.jsonl"))
        with CallStore(path) as store:
            for one in calls:
                kept = store.put(key(one), ASKED, one, HERE)
                assert exactly(kept) == exactly(in_order(one))
            store.export(text)
        for source in (path, text) if calls else (text,):  # an empty file is taken away
            with CallStore(source, "replay") as replay:
                for one in calls:
                    assert exactly(replay.get(key(one)) or call()) == exactly(in_order(one))
                assert [key(one) for one in replay.calls()] == sorted(map(key, calls))
                assert len(replay) == len(calls)
                replay.export(again)
            assert again.read_bytes() == text.read_bytes()


@given(replies)
def test_replies_survive_json(reply):
    document = json.loads(canonical(reply_to_json(reply)))
    back = reply_from_json(document)
    assert back == reply
    assert canonical(reply_to_json(back)) == canonical(reply_to_json(reply))


@given(bodies, st.integers(0))
def test_the_order_of_names_does_not_change_a_key(body, draw):
    assert call_key(dict(reversed(body.items())), draw) == call_key(body, draw)


@given(bodies, bodies, st.integers(0, 3), st.integers(0, 3))
def test_calls_that_differ_have_different_keys(one, other, draw, other_draw):
    same = draw == other_draw and canonical(one) == canonical(other)
    assert (call_key(one, draw) == call_key(other, other_draw)) == same


@pytest.mark.parametrize(
    "change",
    [
        {"model": "smollm3"},
        {"seed": 8},
        {"seed": 7.0},
        {"temperature": 0.0},
        {"messages": [{"role": "system", "content": "Who? 0"}]},
        {"messages": [{"role": "user", "content": "Who? 0 "}]},
    ],
)
def test_a_change_of_the_body_or_the_draw_is_another_call(tmp_path, change):
    with CallStore(tmp_path / "c.sqlite") as store:
        put(store, call())
        assert store.get(call_key({**call().body, **change}, 0)) is None
        assert store.get(call_key(call().body, 1)) is None
        assert store.get(call_key(call().body, 0)) == call()


REPLY = reply_to_json(Reply("A", label_probabilities={"A": 1.0}))


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ({**REPLY, "surprise": 1}, "surprise"),
        ({name: REPLY[name] for name in REPLY if name != "finish"}, "finish"),
        ({**REPLY, "text": None}, "text"),
        ({**REPLY, "unlisted": 1}, "unlisted"),
        ({**REPLY, "prompt_tokens": True}, "prompt_tokens"),
        ({**REPLY, "completion_tokens": 1.0}, "completion_tokens"),
        ({**REPLY, "label_probabilities": []}, "label_probabilities"),
        ({**REPLY, "label_probabilities": {"A": "1"}}, "probability"),
        ({**REPLY, "label_probabilities": {"A": float("nan")}}, "nan"),
        ({**REPLY, "unlisted": float("inf")}, "inf"),
        ([], "no JSON object"),
    ],
)
def test_replies_of_other_form_are_refused_by_name(document, named):
    assert reply_from_json(REPLY) == Reply("A", label_probabilities={"A": 1.0})
    with pytest.raises(StoreError, match=named):
        reply_from_json(document)


NESTED: list[Any] = []
for _ in range(10**5):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    "bad",
    [
        replace(call(), body={"a": {1, 2}}),
        replace(call(), body={"a": float("nan")}),
        replace(call(), body={"a": NESTED}),
        replace(call(), body={1: "a", "b": 2}),
        replace(call(), body={1: "a", "1": "b"}),
        replace(call(), draw=-1),
        replace(call(), draw=True),
        replace(call(), reply=Reply("A", unlisted=float("nan"))),
        replace(call(), reply=Reply("A", label_probabilities={"A": "0.5"})),  # pyright: ignore[reportArgumentType]
        replace(call(), failures={"timeout": 0.5}),
    ],
    ids=range(10),
)
def test_calls_that_json_cannot_hold_are_refused_and_not_kept(tmp_path, bad):
    with CallStore(tmp_path / "c.sqlite") as store:
        try:
            its_key = key(bad)
        except (TypeError, ValueError, RecursionError):
            its_key = key(call())
        with pytest.raises(StoreError):
            store.put(its_key, ASKED, bad, HERE)
        assert len(store) == 0
        put(store, call())  # and the store goes on


def test_a_key_that_is_not_that_of_its_call_is_refused(tmp_path):
    with CallStore(tmp_path / "c.sqlite") as store:
        with pytest.raises(StoreError, match="the key is not that"):
            store.put(key(call(1)), ASKED, call(2), HERE)
        assert len(store) == 0


@pytest.mark.parametrize(
    ("asked", "origin"),
    [
        (Asked(model=None), HERE),  # pyright: ignore[reportArgumentType]
        (Asked(dialect=3), HERE),  # pyright: ignore[reportArgumentType]
        (Asked(model="\ud800"), HERE),
        (ASKED, replace(HERE, weights=3)),
    ],
)
def test_names_that_are_no_text_are_refused(tmp_path, asked, origin):
    with CallStore(tmp_path / "c.sqlite") as store:
        with pytest.raises(StoreError):
            store.put(key(call()), asked, call(), origin)
        assert len(store) == 0


# ------------------------------------------------------------------ modes


def test_recording_answers_what_it_holds_and_keeps_the_first_answer(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1))
    with CallStore(path) as store:
        assert store.get(key(call(1))) == call(1)
        assert store.get(key(call(2))) is None
        assert store.put(key(call(1)), ASKED, call(1, text="B"), HERE) == call(1)
        put(store, call(2))
        assert len(store) == 2
    assert texts(path) == {"A"}


def test_an_empty_store_is_true(tmp_path):
    with CallStore(tmp_path / "c.sqlite") as store:
        assert store
        assert len(store) == 0


def test_labels_come_back_in_one_order_live_and_replayed(tmp_path):
    """Sums over them would otherwise differ in the last bit between a run and its replay."""
    with CallStore(tmp_path / "c.sqlite") as store:
        live = store.put(key(call()), ASKED, call(), HERE)
    replayed = CallStore.open_for_replay(tmp_path / "c.sqlite").get(key(call()))
    assert replayed is not None
    assert list(live.reply.label_probabilities or ()) == ["A", "B"]
    assert exactly(replayed) == exactly(live)


def test_a_replay_answers_misses_and_never_writes(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1))
    with CallStore(path, "replay") as store:
        assert store.get(key(call(1))) == call(1)
        with pytest.raises(StoreMiss):
            store.get(key(call(2)))
        with pytest.raises(StoreError, match="mode 'record'"):
            store.put(key(call(2)), ASKED, call(2), HERE)
        store.note_elicitation("smollm2", "direct")
        assert store.elicitations("smollm2") == ("samples:30",)
        assert len(store) == 1


def test_a_refresh_asks_everything_again_and_keeps_what_it_did_not_reach(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1), call(2))
    with CallStore(path, "refresh") as store:
        assert store.get(key(call(1))) is None
        again = call(1, text="B")
        put(store, again)
        assert store.get(key(call(1))) == again
        assert store.put(key(call(1)), ASKED, call(1, text="C"), HERE) == again
        assert store.get(key(call(2))) is None
    assert texts(path) == {"A", "B"}
    with CallStore(path, "replay") as store:
        assert store.get(key(call(2))) == call(2)
        assert store.elicitations("smollm2") == ("samples:30",)


def test_a_refresh_from_elsewhere_drops_the_old_answers_with_the_first_new_one(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1), call(2))
    other = call(3, model="qwen")
    recorded(path, other, asked=Asked("qwen"))
    elsewhere = replace(HERE, weights="def")
    with CallStore(path, "refresh") as store:
        store.check(ASKED, elsewhere)
        store.note_elicitation("smollm2", "direct")
        assert len(store) == 3  # nothing is lost before the first new answer
        put(store, call(1, text="B"), origin=elsewhere)
        assert len(store) == 2
        assert store.elicitations("smollm2") == ("direct",)
        with pytest.raises(ProvenanceMismatch):  # once
            store.put(key(call(2)), ASKED, call(2), HERE)
        with pytest.raises(ProvenanceMismatch):
            store.check(ASKED, HERE)
        put(store, call(2, text="B"), origin=elsewhere)
    with CallStore(path) as store:
        assert store.get(key(other)) == other
        put(store, call(4), origin=elsewhere)
        with pytest.raises(ProvenanceMismatch):
            store.put(key(call(5)), ASKED, call(5), HERE)


def test_a_refresh_that_cannot_keep_its_first_answer_loses_nothing(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1), call(2))
    with CallStore(path, "refresh") as store:
        with store._file.access() as db:
            db.execute(
                "CREATE TEMP TRIGGER t BEFORE INSERT ON calls BEGIN SELECT raise(FAIL, 'no'); END"
            )
        with pytest.raises(StoreError):
            store.put(key(call(1)), ASKED, call(1), replace(HERE, weights="def"))
    with CallStore(path) as store:
        assert store.get(key(call(2))) == call(2)
        put(store, call(3))


def test_unknown_modes_and_closed_stores(tmp_path):
    with pytest.raises(ParameterError, match="record, replay, refresh"):
        CallStore(tmp_path / "c.sqlite", "off")  # pyright: ignore[reportArgumentType]
    for path in (5, None, b"c.sqlite", ["c.sqlite"]):
        with pytest.raises(ParameterError, match="give the name of a file"):
            CallStore(path)  # pyright: ignore[reportArgumentType]
    for timeout in ("1", -1, float("nan"), 10**400, True):
        with pytest.raises(ParameterError, match="timeout="):
            CallStore(tmp_path / "c.sqlite", timeout=timeout)  # pyright: ignore[reportArgumentType]
    store = CallStore(tmp_path / "c.sqlite")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.get("")
    with pytest.raises(StoreError, match="closed"):
        put(store, call())


# ------------------------------------------------------------------ provenance


@pytest.mark.parametrize("column", ["weights", "runtime", "response_model", "fingerprint"])
@pytest.mark.parametrize(("old", "new"), [("x", "y"), ("x", None), (None, "y")])
def test_answers_from_elsewhere_are_refused_before_anything_is_written(tmp_path, column, old, new):
    before, after = replace(HERE, **{column: old}), replace(HERE, **{column: new})
    path = recorded(tmp_path / "c.sqlite", call(1), origin=before)
    with CallStore(path) as store:
        put(store, call(2), origin=before)
        with pytest.raises(ProvenanceMismatch) as refusal:
            store.put(key(call(3)), ASKED, call(3), after)
        said = str(refusal.value)
        assert f"{column} {old!r}, now {new!r}" in said
        assert "another file" in said
        assert "refresh" in said
        others = {"weights", "runtime", "response_model", "fingerprint"} - {column}
        assert not any(f"{other} " in said for other in others)
        assert len(store) == 2
        store.check(ASKED, before)
        if column in ("weights", "runtime"):
            with pytest.raises(ProvenanceMismatch, match=column):
                store.check(ASKED, after)
        else:  # not known before the first call
            store.check(ASKED, after)


def test_each_model_has_its_own_provenance_and_one_dialect(tmp_path):
    with CallStore(tmp_path / "c.sqlite") as store:
        put(store, call(1), origin=Provenance())
        put(store, call(1, model="qwen"), asked=Asked("qwen", "openai"))
        put(store, call(2), origin=Provenance())
        assert store.models() == {"qwen": "openai", "smollm2": "llama.cpp"}
        store.check(Asked("new"), HERE)
        with pytest.raises(ProvenanceMismatch, match=r"dialect 'openai', now 'llama\.cpp'"):
            store.check(Asked("qwen"), HERE)


def test_a_replay_takes_answers_from_wherever_they_came(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1))
    with CallStore(path, "replay") as store:
        store.check(Asked(dialect="openai"), Provenance())


def test_the_dialect_is_that_of_the_answers_unless_they_are_refreshed(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1))
    with CallStore(path) as store, CallStore(path, "refresh") as refresh:
        assert store.dialect_of("smollm2") == "llama.cpp"
        assert refresh.dialect_of("smollm2") is None
        assert store.dialect_of("qwen") is None


def test_failures_of_calls_without_an_answer_are_remembered_until_it_comes(tmp_path):
    path = tmp_path / "c.sqlite"
    with CallStore(path) as store:
        assert store.failures(key(call(1))) == {}
        store.give_up(key(call(1)), "smollm2", {Failure.TIMEOUT: 5})
        store.give_up(key(call(1)), "smollm2", {Failure.TIMEOUT: 5, Failure.REJECTED: 1})
        store.give_up(key(call(2)), "smollm2", {Failure.TIMEOUT: 1})
        put(store, call(2))
    with CallStore(path) as store:
        assert store.failures(key(call(1))) == {"timeout": 5, "rejected": 1}
        assert store.failures(key(call(2))) == {}
        assert len(store) == 1
    with CallStore(path, "refresh") as store:  # which drops what is known of the model
        put(store, call(3), origin=Provenance("other"))
        assert store.failures(key(call(1))) == {}


def test_a_store_from_before_failures_were_remembered_is_recorded_on(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1))
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE given_up")
    db.close()
    assert texts(path) == {"A"}
    with CallStore(path) as store:
        store.give_up(key(call(2)), "smollm2", {Failure.TIMEOUT: 1})
        assert store.failures(key(call(2))) == {"timeout": 1}


# ------------------------------------------------------------------ what a miss says


def test_a_miss_says_which_case_it_is_and_how_to_ask(tmp_path):
    path = recorded(tmp_path / "calls.sqlite", call(1), call(2))
    recorded(path, call(1, model="qwen"), asked=Asked("qwen"))
    with CallStore(path) as store:
        store.note_elicitation("smollm2", "direct")
    store = CallStore(path, "replay")

    def miss(model) -> str:
        with pytest.raises(StoreMiss) as caught:
            store.get(key(call(9)), model=model)
        return str(caught.value)

    # No call of the model at all.
    for asked in ("gpt", None):
        assert "qwen; smollm2 (direct, samples:30): replay one of these" in miss(asked)
    # Calls of the model, but none of those asked for.
    assert "answers of smollm2, but none to what is asked now" in miss("smollm2")
    assert "with elicitation direct, samples:30. Ask the same way" in miss("smollm2")
    # Some of them.
    assert store.get(key(call(1)), model="smollm2")
    assert store.get(key(call(2)), model="smollm2")
    assert "is incomplete: it ended before all calls were made" in miss("smollm2")
    assert "2 of the calls to smollm2 asked so far were found" in miss("smollm2")
    assert "the same store (--store calls.sqlite)" in miss("smollm2")
    assert "is incomplete" in miss("qwen")  # of which nothing is noted

    with CallStore(tmp_path / "empty.sqlite") as recording:
        recording.give_up("key", "smollm2", {"timeout": 1})
    with pytest.raises(StoreMiss, match="no answers at all"):
        CallStore(tmp_path / "empty.sqlite", "replay").get(key(call()), model="smollm2")
    assert store.describe() == "calls.sqlite: 3 calls of qwen; smollm2 (direct, samples:30)"
    assert repr(store) == f"CallStore('{path}', 'replay')"


# ------------------------------------------------------------------ processes and threads

RECORDER = """
import sys
from crywolf.llm_bridge.chat import Call, Provenance, Reply, call_key
from crywolf.llm_bridge.store import CallStore
class Asked: model, dialect = "smollm2", "llama.cpp"
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = CallStore(path)
sys.stdin.readline()
for number in range(count):
    body = {"number": number}
    key = call_key(body, 0)
    kept = store.get(key) or store.put(key, Asked, Call(body, 0, Reply(name)), Provenance())
    print(number, kept.reply.text, flush=True)
"""


def recorder(path: Path, name: str, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RECORDER, str(path), name, str(count)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)


def test_a_killed_run_keeps_every_call_and_resumes(tmp_path):
    path = tmp_path / "c.sqlite"
    with recorder(path, "first", 10**6) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("\n")
        process.stdin.flush()
        said = [process.stdout.readline() for _ in range(500)]
        process.send_signal(signal.SIGKILL)
        said += process.stdout.readlines()
    done = [line for line in said if line.endswith("\n")]
    assert process.returncode == -signal.SIGKILL
    assert (tmp_path / "c.sqlite-wal").stat().st_size > 0  # the kill left work undone

    before = {name: seen for name, seen in snapshot(tmp_path).items() if "-shm" not in name}
    with CallStore(path, "replay") as store:
        for number in range(len(done)):
            kept = store.get(call_key({"number": number}, 0))
            assert kept is not None
            assert kept.reply.text == "first"
        assert len(done) <= len(store) <= len(done) + 2  # the pipe may have lost a line
    after = {name: seen for name, seen in snapshot(tmp_path).items() if "-shm" not in name}
    assert after == before

    with recorder(path, "second", len(done) + 10) as process:
        out, _ = process.communicate("\n")
    assert process.returncode == 0
    assert [line.split()[1] for line in out.splitlines()][: len(done)] == ["first"] * len(done)
    assert out.splitlines()[-1] == f"{len(done) + 9} second"
    assert [file.name for file in tmp_path.iterdir()] == ["c.sqlite"]


def test_two_processes_record_into_one_file_and_use_the_same_answers(tmp_path):
    path, count = tmp_path / "c.sqlite", 400
    both = [recorder(path, name, count) for name in ("one", "two")]
    for process in both:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate()[0].splitlines() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    with CallStore(path, "replay") as store:
        kept = {one.body["number"]: one.reply.text for one in store.calls()}
    assert said[0] == [f"{number} {kept[number]}" for number in range(count)]


@pytest.mark.parametrize("mode", ["record", "refresh"])
def test_threads_share_a_store_and_its_answers(tmp_path, mode):
    path = recorded(tmp_path / "c.sqlite", call(0, text="old"))
    barrier = threading.Barrier(4)
    with CallStore(path, mode) as store:

        def work(thread: int) -> list[str]:
            barrier.wait()
            kept = []
            for number in range(100):
                one = call(number, text=f"thread {thread}")
                answer = store.get(key(one)) or store.put(key(one), ASKED, one, HERE)
                kept.append(answer.reply.text)
            return kept

        with ThreadPoolExecutor(4) as pool:
            seen = list(pool.map(work, range(4)))
        assert seen[0] == seen[1] == seen[2] == seen[3]
        assert (seen[0][0] == "old") == (mode == "record")
        assert len(store) == 100
        assert [store.get(key(call(n))) for n in range(100)] == [
            call(n, text=text) for n, text in enumerate(seen[0])
        ]


def test_a_forked_process_is_told_to_open_the_store_itself(tmp_path):
    script = f"""
import os
from crywolf.games.errors import StoreError
from crywolf.llm_bridge.store import CallStore
store = CallStore({str(tmp_path / "c.sqlite")!r})
child = os.fork()
if not child:
    try:
        store.get("")
    except StoreError as error:
        os._exit(7 if "open it in each" in str(error) else 1)
    os._exit(0)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 7


def test_a_lock_of_another_program_is_named(tmp_path):
    path = recorded(tmp_path / "c.sqlite", call(1))
    other = sqlite3.connect(path, isolation_level=None)
    with CallStore(path, timeout=0.05) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process is writing"):
            store.put(key(call(2)), ASKED, call(2), HERE)
        assert store.get(key(call(1))) == call(1)
        with pytest.raises(StoreError, match="another process is writing"):
            CallStore(path, timeout=0.05)
        other.execute("ROLLBACK")
        put(store, call(2))
    other.close()


# ------------------------------------------------------------------ files


def test_a_replay_changes_neither_the_file_nor_its_folder(tmp_path):
    path = recorded(tmp_path / "c.sqlite", *map(call, range(50)))
    before, times = snapshot(tmp_path), os.stat(tmp_path).st_mtime_ns
    with CallStore(path, "replay") as store:
        assert store.get(key(call(3))) == call(3)
        assert len(list(store.calls())) == 50
        assert os.listdir(tmp_path) == ["c.sqlite"]
    assert snapshot(tmp_path) == before
    assert os.stat(tmp_path).st_mtime_ns == times  # nothing was made and removed


UNPRIVILEGED = """
import os, sys
from crywolf.games.errors import StoreError
from crywolf.llm_bridge.store import CallStore
os.geteuid() or os.setuid(65534)
path = sys.argv[1]
try:
    open(path, "ab")
    raise SystemExit("the file can be written, so nothing is tested")
except PermissionError:
    pass
with CallStore(path, "replay") as store:
    assert len(list(store.calls())) == len(store) == 3
for mode in ("record", "refresh"):
    try:
        CallStore(path, mode)
        raise SystemExit("opened what cannot be written")
    except StoreError as error:
        assert "choose another place" in str(error), error
for place in (os.path.join(os.path.dirname(path), "new.sqlite"),):
    try:
        CallStore(place)
        raise SystemExit("made a file where none can be made")
    except StoreError as error:
        assert "choose another place" in str(error), error
"""


def test_a_replay_needs_no_right_to_write():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = recorded(folder / "c.sqlite", call(1), call(2), call(3))
        path.chmod(0o444)
        folder.chmod(0o555)
        try:
            command = [sys.executable, "-c", UNPRIVILEGED, str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        finally:
            folder.chmod(0o755)
        assert (done.returncode, done.stderr) == (0, "")


def test_places_that_cannot_hold_a_store(tmp_path):
    (tmp_path / "file").write_text("x")
    for place in (
        tmp_path,
        tmp_path / "no" / "c.sqlite",
        tmp_path / "file" / "c",
        "a\0b",
        "x" * 300,
    ):
        for mode in ("record", "replay", "refresh"):
            with pytest.raises(StoreError):
                CallStore(place, mode)
    with pytest.raises(StoreError, match="record one first"):
        CallStore(tmp_path / "none.sqlite", "replay")
    with pytest.raises(StoreError, match="only be replayed"):
        CallStore(tmp_path / "c.jsonl")
    assert os.listdir(tmp_path) == ["file"]


def test_odd_names_are_names(tmp_path):
    for name in ("a?mode=ro", "b#c", "d%20e", "ü 1"):
        path = recorded(tmp_path / name, call(1))
        assert path.stat().st_size > 0
        assert texts(path) == {"A"}
    assert len(os.listdir(tmp_path)) == 4


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE calls (x)")
    db.close()


def foreign_wal(path: Path) -> None:
    foreign(path)
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    db.close()


def newer(path: Path) -> None:
    recorded(path, call(1))
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 2")
    db.close()


def without_tables(path: Path) -> None:
    recorded(path, call(1))
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE calls")
    db.close()


def truncated(path: Path) -> None:
    recorded(path, *map(call, range(50)))
    os.truncate(path, path.stat().st_size // 2)


def stub(path: Path) -> None:
    recorded(path, call(1))
    os.truncate(path, 90)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda path: path.write_bytes(b"not a data base, but long enough to be one" * 100),
            "no call store",
        ),
        (lambda path: path.write_bytes(b"{}\n"), "no call store"),
        (foreign, "another program"),
        (foreign_wal, "another program"),
        (newer, "version 2 of the format, and this crywolf reads 1"),
        (without_tables, "damaged"),
        (truncated, "damaged"),
        (stub, "damaged"),
    ],
)
@pytest.mark.parametrize("mode", ["record", "replay", "refresh"])
def test_files_that_are_no_store_are_refused_and_left_alone(tmp_path, make, said, mode):
    path = tmp_path / "c.sqlite"
    make(path)
    before = snapshot(tmp_path)
    with pytest.raises(StoreError, match=said):
        CallStore(path, mode)
    assert snapshot(tmp_path) == before


def test_damage_is_found_when_it_is_read(tmp_path):
    path = recorded(tmp_path / "c.sqlite", *map(call, range(200)))
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    path.write_bytes(content)
    said = []
    with CallStore(path, "replay") as store:
        for number in range(200):
            try:
                assert store.get(key(call(number))) == call(number)
            except StoreError as error:
                said.append(str(error))
    assert said
    assert all("restore it" in text for text in said)  # and none is a miss


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE calls SET call = replace(call, 'Who?', 'Why?')",
        "UPDATE calls SET call = substr(call, 2)",
        'UPDATE calls SET call = replace(call, \'"text":"A"\', \'"text":3\')',
        "UPDATE calls SET call = CAST(x'ff' AS TEXT)",
        "UPDATE calls SET call = x'00'",
    ],
)
def test_rows_that_were_changed_are_refused(tmp_path, change):
    path = recorded(tmp_path / "c.sqlite", call(1))
    with sqlite3.connect(path) as db:
        assert db.execute(change).rowcount == 1
    db.close()
    with CallStore(path, "replay") as store:
        with pytest.raises(StoreError, match="restore it"):
            store.get(key(call(1)))
        with pytest.raises(StoreError, match="restore it"):
            list(store.calls())
        with pytest.raises(StoreError, match="restore it"):
            store.export(tmp_path / "c.jsonl")
    assert os.listdir(tmp_path) == ["c.sqlite"]


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path):
    path = tmp_path / "c.sqlite"
    with CallStore(path) as store:
        with store._file.access() as db:
            db.execute("PRAGMA max_page_count = 20")
        with pytest.raises(StoreError, match="kept: make room"):
            put(store, *map(call, range(10**4)))
        kept = len(store)
        assert kept > 10
        assert store.get(key(call(kept - 1))) == call(kept - 1)
        with store._file.access() as db:
            db.execute("PRAGMA max_page_count = 1000")
        put(store, call(kept))
    with CallStore(path, "replay") as store:
        assert len(store) == kept + 1


LIMITED = """
import resource, signal, sys
from crywolf.games.errors import StoreError
from crywolf.llm_bridge.chat import Call, Provenance, Reply, call_key
from crywolf.llm_bridge.store import CallStore
class Asked: model, dialect = "smollm2", "llama.cpp"
store = CallStore(sys.argv[1])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
for number in range(10**4):
    body = {"number": number}
    try:
        store.put(call_key(body, 0), Asked, Call(body, 0, Reply("A")), Provenance())
    except StoreError as error:
        assert "make room and run again" in str(error), error
        print(number)
        break
"""


def test_a_write_that_the_system_refuses_is_named_and_loses_nothing(tmp_path):
    path = tmp_path / "c.sqlite"
    command = [sys.executable, "-c", LIMITED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    with CallStore(path) as store:
        assert len(store) == int(done.stdout) > 10


def test_a_process_killed_while_it_made_the_file_is_mended(tmp_path):
    """A hot journal beside half a file: SQLite rolls back to the empty file."""
    path = tmp_path / "c.sqlite"
    source = tmp_path / "whole.sqlite"
    db = sqlite3.connect(source, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("PRAGMA cache_spill = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("CREATE TABLE filler (x)")
    for _ in range(100):
        db.execute("INSERT INTO filler VALUES (zeroblob(3000))")
    shutil.copy(f"{source}-journal", tmp_path / "c.sqlite-journal")
    shutil.copy(source, path)
    db.close()
    assert path.stat().st_size > 0
    with CallStore(path) as store:
        put(store, call(1))
    assert texts(path) == {"A"}


# ------------------------------------------------------------------ exports


@pytest.fixture
def export(tmp_path) -> Path:
    path = recorded(tmp_path / "c.sqlite", call(1), call(2), call(2, draw=1))
    recorded(path, call(1, model="qwen"), asked=Asked("qwen", "openai"), origin=Provenance())
    with CallStore(path) as store:
        store.export(tmp_path / "c.jsonl")
    return tmp_path / "c.jsonl"


def test_an_export_is_canonical_lines_by_key_after_a_header(export):
    lines = export.read_text("ascii").splitlines()
    header, *rest = map(json.loads, lines)
    assert [canonical(json.loads(line)) for line in lines] == lines
    assert header == {
        "format": "crywolf calls",
        "version": 1,
        "calls": 4,
        "models": {"qwen": "openai", "smollm2": "llama.cpp"},
        "elicitations": {"smollm2": ["samples:30"]},
        "runs": {},
    }
    assert [line["key"] for line in rest] == sorted(line["key"] for line in rest)
    [line] = [line for line in rest if line["key"] == key(call(2, draw=1))]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", line.pop("date"))
    assert line == {
        "key": key(call(2, draw=1)),
        "model": "smollm2",
        "dialect": "llama.cpp",
        "weights": "abc",
        "runtime": "llama.cpp b1",
        "response_model": "smollm2-q8",
        "fingerprint": "fp1",
        "body": call(2).body,
        "draw": 1,
        "failures": {"timeout": 2},
        "reply": reply_to_json(call(2).reply),
    }


def test_an_export_replays_like_the_file_and_is_left_alone(export):
    before = snapshot(export.parent)
    with (
        CallStore(export, "replay") as store,
        CallStore(export.with_suffix(".sqlite"), "replay") as file,
    ):
        assert list(store.calls()) == list(file.calls())
        assert store.models() == file.models()
        assert store.elicitations("smollm2") == ("samples:30",)
        with pytest.raises(StoreMiss, match=r"samples:30"):
            store.get(key(call(9)), model="smollm2")
        with pytest.raises(StoreError, match="mode 'record'"):
            store.put(key(call(9)), ASKED, call(9), HERE)
    assert snapshot(export.parent) == before


def test_an_export_takes_more_than_a_page_of_rows(tmp_path):
    path = recorded(tmp_path / "c.sqlite", *map(call, range(600)))
    with CallStore(path) as store:
        store.export(tmp_path / "c.jsonl")
    with CallStore(tmp_path / "c.jsonl", "replay") as store:
        assert sorted(map(key, store.calls())) == sorted(key(call(n)) for n in range(600))


def changed(lines: list[str], number: int, **changes: Any) -> list[str]:
    """The lines with fields of one replaced; numbers count from 1."""
    document = {**json.loads(lines[number - 1]), **changes}
    return [*lines[: number - 1], canonical(document), *lines[number:]]


@pytest.mark.parametrize(
    ("change", "line", "said"),
    [
        (lambda lines: changed(lines, 3, draw=5), 3, "key is not that"),
        (lambda lines: changed(lines, 4, body={}), 4, "key is not that"),
        (lambda lines: changed(lines, 2, key="0" * 64), 2, "key is not that"),
        (lambda lines: changed(lines, 2, surprise=1), 2, "surprise"),
        (lambda lines: changed(lines, 2, date=None), 2, "date"),
        (lambda lines: changed(lines, 2, reply={}), 2, "reply"),
        (lambda lines: [*lines[:2], lines[2][:-9], *lines[3:]], 3, "no JSON"),
        (lambda lines: [*lines[:2], lines[2].replace("1e-17", "NaN"), *lines[3:]], 3, "finite"),
        (lambda lines: [*lines[:2], lines[2].replace("1e-17", "1e999"), *lines[3:]], 3, "finite"),
        (lambda lines: lines[:-1], 4, "4 calls were written, and 3 are there"),
        (lambda lines: [*lines, lines[-1]], 6, "twice"),
        (lambda lines: [lines[0], *lines[:0:-1]], 3, "out of order"),
        (lambda lines: changed(lines, 1, version=2), 1, "version 2"),
        (lambda lines: changed(lines, 1, format="other"), 1, "no export"),
        (lambda lines: changed(lines, 1, models={}), 5, "other models"),
        (lambda lines: changed(lines, 1, elicitations={"qwen": [3]}), 1, "elicitations"),
        (lambda lines: lines[1:], 1, "no export"),
        (lambda lines: [""], 1, "no JSON"),
    ],
)
def test_exports_that_were_changed_are_refused_with_the_line(export, change, line, said):
    lines = export.read_text().splitlines()
    if "1e" in said or said == "finite":  # the third line has to hold an answer of smollm2
        assert "1e-17" in lines[2]
    export.write_text("\n".join(change(lines)) + "\n")
    with pytest.raises(StoreError, match=said) as refusal:
        CallStore(export, "replay")
    assert f"{export}, line {line}: " in str(refusal.value)
    assert "export it again" in str(refusal.value)


def test_an_export_never_mixes_the_answers_of_two_sources(export):
    lines = export.read_text().splitlines()
    [number, *_] = [n for n, text in enumerate(lines, 1) if n > 1 and '"smollm2"' in text]
    export.write_text("\n".join(changed(lines, number, weights="def")) + "\n")
    with pytest.raises(StoreError, match="two sources"):
        CallStore(export, "replay")


def test_line_ends_of_other_systems_are_read(export):
    good = export.read_bytes()
    export.write_bytes(good.replace(b"\n", b"\r\n"))
    with CallStore(export, "replay") as store:
        store.export(export)
    assert export.read_bytes() == good


def test_unreadable_exports_and_places_for_them(tmp_path, export):
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe")
    for name in ("folder.jsonl", "latin.jsonl", "none.jsonl"):
        with pytest.raises(StoreError):
            CallStore(tmp_path / name, "replay")
    before = {name for name in os.listdir(tmp_path)}
    with CallStore(tmp_path / "c.sqlite", "replay") as store:
        for place in ("no/c.jsonl", "folder.jsonl", "c.sqlite", "c", "a\0.jsonl"):
            with pytest.raises(StoreError):
                store.export(tmp_path / place)
    assert set(os.listdir(tmp_path)) == before


def test_an_export_that_fails_half_way_leaves_the_good_one(export):
    good = export.read_bytes()
    with sqlite3.connect(export.with_suffix(".sqlite")) as db:
        db.execute("UPDATE calls SET call = '{}' WHERE key = (SELECT max(key) FROM calls)")
    db.close()
    store = CallStore(export.with_suffix(".sqlite"), "replay")
    with pytest.raises(StoreError, match="damaged"):
        store.export(export)
    store.close()
    assert export.read_bytes() == good
    assert sorted(os.listdir(export.parent)) == ["c.jsonl", "c.sqlite"]


# ------------------------------------------------------------------------------------ runs


def test_a_file_into_which_nothing_was_recorded_is_taken_away(tmp_path):
    path = tmp_path / "calls.sqlite"
    with CallStore(path) as store:
        assert path.exists()
        store.note_progress("smollm2", Run("kuhn_poker", "labels", 0, 12))
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_that_was_there_or_that_another_uses_stays(tmp_path):
    path = tmp_path / "calls.sqlite"
    with CallStore(path) as other:
        with CallStore(path):
            pass
        assert path.exists()
        other.put(key(call(1)), ASKED, call(1), HERE)
    with CallStore(path, "replay") as store:
        assert len(store) == 1


@pytest.mark.parametrize("exported", [False, True])
def test_a_miss_says_how_much_of_a_run_is_missing(tmp_path, exported):
    path = recorded(tmp_path / "calls.sqlite", call(1))
    with CallStore(path) as store:
        store.note_progress("smollm2", Run("kuhn_poker", "labels", 3, 12))
        store.export(tmp_path / "calls.jsonl")
    source = path.with_suffix(".jsonl") if exported else path
    with CallStore(source, "replay") as store:
        assert store.runs() == {"smollm2": [Run("kuhn_poker", "labels", 3, 12)]}
        store.get(key(call(1)), model="smollm2")
        with pytest.raises(StoreMiss) as caught:
            store.get(key(call(9)), model="smollm2")
    text = str(caught.value)
    assert "ended before all calls were made (kuhn_poker with labels: 3 of 12" in text
    assert "9 are missing" in text
    assert f"with the same store (--store {source.name})" in text


@pytest.mark.parametrize("runs", [{"m": 1}, {"m": [["g", "labels", 1]]}, {"m": [["g", 1, 2, 3]]}])
def test_malformed_runs_in_an_export_are_refused(export, runs):
    first, *rest = export.read_text("ascii").splitlines()
    header = json.dumps({**json.loads(first), "runs": runs})
    export.write_text("\n".join([header, *rest]) + "\n", "ascii")
    with pytest.raises(StoreError, match="line 1"):
        CallStore(export, "replay")


def test_an_export_without_runs_is_read(export):
    first, *rest = export.read_text("ascii").splitlines()
    header = json.loads(first)
    del header["runs"]
    export.write_text("\n".join([json.dumps(header), *rest]) + "\n", "ascii")
    assert CallStore(export, "replay").runs() == {}
