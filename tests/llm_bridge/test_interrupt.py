"""A run that is interrupted, or fails in one of its workers, ends at once and loses nothing."""

import signal
import subprocess
import sys
import time

import pytest

from crywolf.games.errors import BudgetExhausted, CallFailed, RunStopped
from crywolf.llm_bridge import (
    Budget,
    CallStore,
    Client,
    HttpBackend,
    LLMPolicy,
    RateGate,
    ScriptedBackend,
)
from crywolf.llm_bridge.backends.scripted import first_label
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

from . import servers
from .servers import Misbehaving, ok, status

TREE = compile_tree("kuhn_poker")

RUN = """
import sys, time
from crywolf.llm_bridge import CallStore, Client, HttpBackend, LLMPolicy
from crywolf.solvers.tree import compile_tree
url, path, workers = sys.argv[1:]
client = Client(
    HttpBackend(url, "m", dialect="openai"), store=CallStore(path) if path else None, backoff=60
)
policy = LLMPolicy("kuhn_poker", client, "samples:2", workers=int(workers))
try:
    policy.tabulate(compile_tree("kuhn_poker"))
except KeyboardInterrupt as interrupt:
    policy.close()
    print(time.monotonic(), *interrupt.__notes__, sep="|")
    sys.exit(130)
"""


def interrupted(server, path, workers, calls) -> tuple[str, float]:
    """What a run says that is interrupted after so many calls, and how long it takes to end."""
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, server.url, str(path), str(workers)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while len(server.bodies) < calls:
        assert run.poll() is None, run.communicate()
        assert time.monotonic() < end
        time.sleep(0.02)
    time.sleep(0.2)  # what was answered is kept, and the others wait
    sent = time.monotonic()  # of the same clock as in the other process
    run.send_signal(signal.SIGINT)
    said, errors = run.communicate(timeout=30)
    assert (run.returncode, errors) == (130, "")
    ended, note = said.strip().split("|")
    return note, float(ended) - sent


@pytest.mark.parametrize("workers", [1, 4])
def test_an_interrupt_ends_a_run_that_waits_for_a_silent_server(tmp_path, workers):
    path = tmp_path / "calls.sqlite"
    with Misbehaving(*[ok("A")] * 3, servers.hang) as server:
        said, seconds = interrupted(server, path, workers, calls=3 + workers)
        assert seconds < 20
        time.sleep(0.3)
        assert len(server.bodies) == 3 + workers  # none after the signal
    assert (
        said
        == f"3 of 24 calls are kept in {path} (3 in all): start the same run again, with the same "
        "command, to go on where it stopped"
    )
    with CallStore(path, "replay") as store:
        assert len(store) == 3


@pytest.mark.parametrize("workers", [1, 4])
def test_an_interrupt_ends_the_wait_for_another_attempt(workers):
    with Misbehaving(ok("A"), status(503)) as server:
        said, seconds = interrupted(server, "", workers, calls=1 + workers)
        assert seconds < 20
        assert len(server.bodies) == 1 + workers
    assert said.startswith("1 of 24 calls are in no store: give the client a store=CallStore(path)")


def policy_of(server, tmp_path, **options) -> LLMPolicy:
    backend = HttpBackend(server.url, "m", dialect="openai")
    client = Client(backend, store=CallStore(tmp_path / "calls.sqlite"), **options)
    return LLMPolicy("kuhn_poker", client, "samples:2", workers=4)


def test_a_worker_that_fails_stops_the_others_and_the_policy_may_be_asked_again(tmp_path):
    with Misbehaving(*[servers.hang] * 3, status(400, "no")) as server:
        policy = policy_of(server, tmp_path)
        started = time.monotonic()
        with pytest.raises(CallFailed, match="HTTP 400: no"):
            policy.tabulate(TREE)
        assert time.monotonic() - started < 20
        assert len(server.bodies) == 4
        server.behaviours = (ok("A"),)
        told = []
        policy.tabulate(TREE, lambda done, planned: told.append((done, planned)))
        assert told[-1] == (24, 24)
        assert len(server.bodies) == 4 + 24
        assert policy.record().failures == {"rejected": 1}
        policy.close()


def test_workers_that_wait_for_the_gate_are_stopped(tmp_path):
    with Misbehaving(status(400, "no")) as server:
        policy = policy_of(server, tmp_path, gate=RateGate(1))
        started = time.monotonic()
        with pytest.raises(CallFailed, match="HTTP 400: no"):
            policy.tabulate(TREE)
        assert time.monotonic() - started < 20
        assert len(server.bodies) == 1
        policy.close()


def test_calls_within_the_budget_are_awaited_though_it_is_spent(tmp_path):
    def slowly(handler):
        time.sleep(0.5)
        ok("A")(handler)

    with Misbehaving(ok("A"), slowly) as server:
        policy = policy_of(server, tmp_path, budget=Budget(max_calls=4))
        with pytest.raises(BudgetExhausted):
            policy.tabulate(TREE)
        assert len(server.bodies) == 4
        assert policy.client.tally.calls == 4  # paid, and kept
        policy.close()


@pytest.mark.parametrize("workers", [1, 4])
def test_whoever_stops_a_run_decides_when_it_may_go_on(workers):
    def script(question):
        client.stop()
        return "A"

    client = Client(ScriptedBackend(script))
    policy = LLMPolicy("kuhn_poker", client, "samples:2", workers=workers)
    for _ in range(2):
        with pytest.raises(RunStopped, match="was stopped"):
            policy.tabulate(TREE)
    answered = client.tally.calls
    assert 1 <= answered <= workers
    client.resume()
    with pytest.raises(RunStopped):
        policy.tabulate(TREE)
    assert client.tally.calls > answered


def test_progress_goes_on_from_what_is_known():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(first_label))
    told = []

    def interrupt(done, planned):
        told.append((done, planned))
        if done == 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        policy.tabulate(TREE, interrupt)
    assert caught.value.__notes__[0].startswith("10 of 24 calls are in no store")
    assert isinstance(policy.tabulate(TREE, lambda *done: told.append(done)), Profile)
    assert told[10:] == [(done, 24) for done in range(9, 25)]
