import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from crywolf.games.errors import (
    BudgetExhausted,
    CallFailed,
    ParameterError,
    PolicyError,
    ProvenanceMismatch,
    RunStopped,
    ServerUnreachable,
    StoreError,
    StoreMiss,
)
from crywolf.llm_bridge.backends import dialects
from crywolf.llm_bridge.backends.http import HttpBackend
from crywolf.llm_bridge.backends.replay import ReplayBackend
from crywolf.llm_bridge.backends.scripted import ScriptedBackend, first_label
from crywolf.llm_bridge.budget import Budget, RateGate
from crywolf.llm_bridge.chat import Message, Question, Reply, call_key
from crywolf.llm_bridge.client import Client
from crywolf.llm_bridge.ledger import Ledger
from crywolf.llm_bridge.store import CallStore

from . import servers
from .servers import Misbehaving, ok, status

MESSAGES = (Message("system", "The rules."), Message("user", "A or B?"))
LABEL = Question(MESSAGES, ("A", "B"), "label", seed=3, max_tokens=8)
PROBABILITIES = Question(MESSAGES, ("A", "B"), "probabilities")
MIX = Question(MESSAGES, ("A", "B"), "mix", temperature=0.0)


class Waits(list[float]):
    """A sleep that only writes down how long it was to be."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def http(server, **options) -> HttpBackend:
    return HttpBackend(server.url, "tiny", **{"dialect": "openai", "timeout": 10} | options)


class Failing:
    """A script that plays failures, one a call, and then answers A."""

    def __init__(self, *failures, retry_after=None):
        self.failures = list(failures)
        self.retry_after = retry_after
        self.asked = 0

    def __call__(self, question):
        self.asked += 1
        if self.failures:
            raise CallFailed("played", failure=self.failures.pop(0), retry_after=self.retry_after)
        return "A"


# ------------------------------------------------------------------------------------ retries


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (status(429, "slow down"), "rate_limited"),
        (status(500, "oops"), "server_error"),
        (status(503), "server_error"),
        (status(408), "timeout"),
        (servers.hang, "timeout"),
        (servers.drip, "timeout"),
        (servers.close_in_the_middle, "disconnected"),
        (servers.close_at_once, "disconnected"),
        (servers.reset, "disconnected"),
        (servers.no_http, "disconnected"),
        (servers.raw(b"garbage"), "bad_response"),
        (servers.raw(b"<html></html>"), "bad_response"),
        (servers.document({"choices": []}), "bad_response"),
    ],
)
def test_each_failure_is_counted_and_the_same_bytes_are_sent_again(behaviour, kind):
    clocks = {"idle_timeout": 0.5, "timeout": 0.7} if kind == "timeout" else {}
    with (
        Misbehaving(behaviour, behaviour, ok("B")) as server,
        Client(http(server, **clocks), sleep=Waits()) as client,
    ):
        assert client.ask(LABEL).text == "B"
        assert client.tally.failures == {kind: 2}
        assert (client.tally.calls, client.tally.new_calls) == (1, 1)
    assert len(server.bodies) == 3
    assert len(set(server.bodies)) == 1


@pytest.mark.parametrize("behaviour", [status(400, "bad field"), status(401), status(307)])
def test_a_rejected_request_is_not_sent_again(behaviour):
    with Misbehaving(behaviour, ok()) as server, Client(http(server), sleep=Waits()) as client:
        with pytest.raises(CallFailed) as caught:
            client.ask(LABEL)
        assert caught.value.failure == "rejected"
        assert len(server.bodies) == 1


def test_a_client_gives_up_after_its_attempts_and_says_how_to_go_on(tmp_path):
    behaviours = (status(500), servers.hang, status(429), status(500))
    waits = Waits()
    with (
        Misbehaving(*behaviours) as server,
        Client(
            http(server, idle_timeout=0.5),
            store=CallStore(tmp_path / "calls.sqlite"),
            attempts=4,
            sleep=waits,
        ) as client,
    ):
        with pytest.raises(CallFailed) as caught:
            client.ask(LABEL)
        text = str(caught.value)
        assert "gave up after 4 attempts: rate_limited 1, server_error 2, timeout 1" in text
        assert "HTTP 500" in text
        assert text.endswith(". No call was answered: start the same run again when that is mended")
        assert caught.value.failure == "server_error"
        assert (client.tally.calls, client.tally.failures) == (0, {})
        assert len(server.bodies) == 4
    assert waits == [1, 2, 4]


def test_without_a_store_the_text_recommends_one():
    script = Failing()
    client = Client(ScriptedBackend(script), attempts=1, sleep=Waits())
    client.ask(LABEL)
    script.failures.extend(["timeout"] * 9)
    with pytest.raises(CallFailed, match=r"gave up after 1 attempt: .*store=CallStore\(path\)"):
        client.ask(LABEL, draw=1)


def test_waits_double_up_to_the_longest_without_randomness():
    for _ in range(2):
        waits = Waits()
        script = Failing(*["server_error"] * 6)
        Client(ScriptedBackend(script), attempts=7, backoff=0.5, longest_wait=5, sleep=waits).ask(
            LABEL
        )
        assert waits == [0.5, 1, 2, 4, 5, 5]


def test_the_wait_that_the_server_asks_for_holds():
    waits = Waits()
    with Misbehaving(status(429, retry_after="7"), status(503, retry_after="3"), ok()) as server:
        Client(http(server), sleep=waits).ask(LABEL)
    assert waits == [7, 3]


def test_a_server_that_asks_for_too_long_is_given_up():
    waits = Waits()
    with Misbehaving(status(429, retry_after="3600"), ok()) as server:
        client = Client(http(server), longest_wait=60, sleep=waits)
        with pytest.raises(
            CallFailed, match=r"asks to wait 3600 s \(longest_wait is 60 s"
        ) as caught:
            client.ask(LABEL)
    assert (caught.value.failure, caught.value.retry_after) == ("rate_limited", 3600)
    assert waits == []
    assert len(server.bodies) == 1


def test_a_server_that_comes_late_is_waited_for_though_its_dialect_is_not_known():
    with Misbehaving(ok(), models=status(503)) as server:
        backend = http(server, dialect=None)

        def repair(seconds):
            server.models = status(404)

        client = Client(backend, sleep=repair)
        assert client.ask(LABEL).text == "A"
        assert client.tally.failures == {}  # to ask for the dialect is no call
        assert client.dialect == "openai"
        backend.close()


def test_a_server_that_was_never_reached_is_given_up_at_once():
    with servers.closed_url() as url:
        place = url.removeprefix("http://").removesuffix("/v1")
        for dialect in (None, "openai"):
            waits = Waits()
            client = Client(HttpBackend(url, "tiny", dialect=dialect), sleep=waits)
            with pytest.raises(ServerUnreachable, match=f"is the server running at {place}"):
                client.ask(LABEL)
            assert waits == []
            client.close()


def test_a_server_that_was_reached_is_waited_for():
    waits = Waits()
    with Misbehaving(ok()) as server:
        client = Client(http(server), attempts=3, sleep=waits)
        client.ask(LABEL)
    with pytest.raises(CallFailed, match=r"gave up after 3 attempts: disconnected 3.*running at"):
        client.ask(LABEL, draw=1)
    assert waits == [1, 2]
    client.close()


def test_a_server_that_dies_in_a_run_leaves_what_it_answered(tmp_path):
    questions = [replace(LABEL, seed=seed) for seed in range(5)]
    path = tmp_path / "calls.sqlite"
    with Misbehaving(ok(), ok(), ok(), servers.close_at_once) as server:
        client = Client(http(server), store=CallStore(path), attempts=2, sleep=Waits())
        with client:
            assert [client.ask(question).text for question in questions[:3]] == ["A"] * 3
            with pytest.raises(CallFailed):
                client.ask(questions[3])
        assert client.tally.calls == 3
    with Misbehaving(ok()) as server:
        client = Client(http(server), store=CallStore(path))
        with client:
            for question in questions:
                client.ask(question)
        assert (client.tally.calls, client.tally.new_calls) == (5, 2)


def test_the_gate_is_passed_by_every_attempt_and_paused_for_everybody():
    passed = []
    gate = RateGate()
    gate.wait = lambda sleep: passed.append("wait")  # type: ignore[method-assign]
    gate.pause = lambda seconds: passed.append(seconds)  # type: ignore[method-assign]
    script = Failing("rate_limited", "server_error", retry_after=9.0)
    Client(ScriptedBackend(script), gate=gate, sleep=Waits()).ask(LABEL)
    assert passed == ["wait", 9.0, "wait", "wait"]


def test_failures_are_those_of_all_runs_that_a_call_took(tmp_path):
    path = tmp_path / "calls.sqlite"
    for behaviours in ([status(500)], [status(429), servers.close_at_once], [status(400)]):
        with Misbehaving(*behaviours) as server:
            client = Client(http(server), store=CallStore(path), attempts=2, sleep=Waits())
            with client:
                for _ in range(2):
                    with pytest.raises(CallFailed):
                        client.ask(LABEL)
            assert client.tally.failures == {}
    with Misbehaving(status(503), ok()) as server:
        resumed = Client(http(server), store=CallStore(path), sleep=Waits())
        with resumed:
            assert resumed.ask(LABEL).text == "A"
    assert resumed.tally.failures == {
        "server_error": 5, "rate_limited": 1, "disconnected": 3, "rejected": 2,
    }  # fmt: skip
    with Client(ReplayBackend("tiny", "openai"), store=CallStore(path, "replay")) as replay:
        replay.ask(LABEL)
        assert replay.tally == replace(resumed.tally, new_calls=0)


def test_a_failure_that_cannot_be_kept_is_the_failure_all_the_same(tmp_path, monkeypatch):
    def full(*arguments):
        raise StoreError("full")

    store = CallStore(tmp_path / "calls.sqlite")
    monkeypatch.setattr(store, "give_up", full)
    client = Client(ScriptedBackend(Failing("rejected")), store=store)
    with client, pytest.raises(CallFailed, match="played"):
        client.ask(LABEL)


# ------------------------------------------------------------------------------------ stopping


def test_a_stop_cuts_off_calls_and_allows_no_others():
    with (
        Misbehaving(servers.hang) as server,
        Client(http(server)) as client,
        ThreadPoolExecutor(4) as pool,
    ):
        asked = [pool.submit(client.ask, LABEL, draw) for draw in range(4)]
        end = time.monotonic() + 10
        while len(server.bodies) < 4:
            assert time.monotonic() < end
            time.sleep(0.01)
        started = time.monotonic()
        client.stop()
        for future in asked:
            with pytest.raises(RunStopped, match=r"no store.*resume\(\)"):
                future.result()
        with pytest.raises(RunStopped):
            client.ask(LABEL, draw=9)
        assert time.monotonic() - started < 30
        assert len(server.bodies) == 4
        assert client.tally.failures == {}  # to be cut off is no failure
        server.behaviours = (ok("B"),)
        client.resume()
        assert client.ask(LABEL, draw=9).text == "B"


def test_a_stop_ends_waits_for_the_gate_and_for_another_attempt():
    gate = RateGate(1)
    gate.wait()
    failing = ScriptedBackend(Failing("timeout"))
    for client in (Client(failing, gate=gate), Client(failing, backoff=60.0)):
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(client.ask, LABEL)
            time.sleep(0.1)
            client.stop()
            with pytest.raises(RunStopped):
                asked.result(timeout=2)


def test_a_stop_may_wait_for_answers_that_are_paid(tmp_path):
    started, go_on = threading.Event(), threading.Event()

    def script(question):
        started.set()
        go_on.wait(5)
        return "A"

    store = CallStore(tmp_path / "calls.sqlite")
    with Client(ScriptedBackend(script), store=store) as client, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.ask, LABEL)
        started.wait(5)
        client.stop(cut=False)
        go_on.set()
        assert asked.result().text == "A"
        assert len(store) == 1


def test_what_failed_before_a_stop_is_remembered(tmp_path):
    path = tmp_path / "calls.sqlite"
    script = Failing("timeout")
    client = Client(ScriptedBackend(script), store=CallStore(path), sleep=lambda s: client.stop())
    with (
        client,
        pytest.raises(
            RunStopped, match=r"kept in .*calls\.sqlite \(0 in all\): start the same run"
        ),
    ):
        client.ask(LABEL)
    with Client(ScriptedBackend(Failing("timeout")), store=CallStore(path)) as client:
        client.backend._script.failures.clear()  # type: ignore[attr-defined]
        client.ask(LABEL)
        assert client.tally.failures == {"timeout": 1}


# ------------------------------------------------------------------------------------ budget


def test_every_attempt_is_a_call_of_the_budget_but_only_answers_cost_tokens():
    budget = Budget(max_calls=3)
    with Misbehaving(status(500), ok(), ok()) as server:
        client = Client(http(server), budget=budget, sleep=Waits())
        client.ask(LABEL)
        assert (budget.calls, budget.prompt_tokens, budget.completion_tokens) == (2, 7, 2)
        client.ask(LABEL)  # from memory
        client.ask(LABEL, draw=1)
        with pytest.raises(BudgetExhausted):
            client.ask(LABEL, draw=2)
    assert len(server.bodies) == 3
    assert client.tally.calls == 2


def test_what_the_store_holds_costs_nothing(tmp_path):
    budgets = Budget(max_calls=1), Budget(max_calls=1)
    for budget in budgets:
        store = CallStore(tmp_path / "calls.sqlite")
        with Client(ScriptedBackend(first_label), store=store, budget=budget) as client:
            client.ask(LABEL)
    assert [budget.calls for budget in budgets] == [1, 0]


def test_threads_share_a_budget():
    budget, script = Budget(max_calls=50), Failing()
    client = Client(ScriptedBackend(script), budget=budget)

    def ask(draw):
        try:
            client.ask(LABEL, draw)
        except BudgetExhausted:
            return 0
        return 1

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(ask, range(200))) == 50
    assert script.asked == client.tally.calls == 50


# ------------------------------------------------------------------------------------ identity


def test_a_question_is_asked_once_and_each_draw_for_itself():
    script = Failing()
    client = Client(ScriptedBackend(script))
    first = client.ask(LABEL)
    assert client.ask(LABEL) is first
    assert client.ask(replace(LABEL)) is first
    client.ask(LABEL, draw=1)
    client.ask(replace(LABEL, seed=4))
    assert script.asked == 3
    assert (client.tally.calls, client.tally.new_calls) == (3, 3)
    assert client.tally.prompt_tokens == 3 * 5  # "The rules." and "A or B?"
    assert client.tally.completion_tokens == 3


def test_threads_with_one_question_ask_it_once():
    started, go_on, asked = threading.Event(), threading.Event(), []

    def script(question):
        asked.append(question)
        started.set()
        go_on.wait(5)
        return "A"

    client = Client(ScriptedBackend(script))
    with ThreadPoolExecutor(8) as pool:
        replies = [pool.submit(client.ask, LABEL) for _ in range(8)]
        started.wait(5)
        go_on.set()
        assert len({id(reply.result()) for reply in replies}) == 1
    assert len(asked) == client.tally.calls == 1


def test_a_question_that_failed_may_be_asked_again():
    client = Client(ScriptedBackend(Failing("timeout", "rejected")), attempts=1)
    for kind in ("timeout", "rejected"):
        with pytest.raises(CallFailed) as caught:
            client.ask(LABEL)
        assert caught.value.failure == kind
        assert client.tally.failures == {}  # of calls that were answered
    assert client.ask(LABEL).text == "A"
    assert client.tally.failures == {"timeout": 1, "rejected": 1}
    assert client.tally.calls == 1


def test_threads_ask_at_the_same_time_not_one_after_the_other():
    both = threading.Barrier(2, timeout=5)

    def script(question):
        both.wait()
        return "A"

    client = Client(ScriptedBackend(script))
    with ThreadPoolExecutor(2) as pool:
        assert [r.text for r in pool.map(client.ask, [LABEL] * 2, [0, 1])] == ["A", "A"]


def test_a_ledger_counts_what_was_asked_through_it():
    client = Client(ScriptedBackend(Failing("timeout")), sleep=Waits())
    one, other = Ledger(), Ledger()
    client.ask(LABEL, 0, one)
    client.ask(LABEL, 0, one)
    client.ask(LABEL, 1, one)
    client.ask(LABEL, 1, other)
    client.ask(LABEL, 2)
    assert (one.tally.calls, other.tally.calls, client.tally.calls) == (2, 1, 3)
    assert (one.tally.new_calls, other.tally.new_calls) == (2, 0)  # made for one of them
    assert one.tally.prompt_tokens == 2 * 5
    assert (one.tally.failures, other.tally.failures) == ({"timeout": 1}, {})
    before = client.tally
    client.ask(LABEL, 3)
    assert (before.calls, client.tally.calls) == (3, 4)  # a tally does not change any more


@pytest.mark.parametrize("field", ["response_model", "fingerprint"])
def test_a_model_that_changes_in_a_run_is_refused_without_a_store_too(field):
    replies = [replace(Reply("A"), **{field: name}) for name in ("first", "first", "second")]
    client = Client(ScriptedBackend(lambda q: replies.pop(0)))
    client.ask(LABEL, 0)
    client.ask(LABEL, 1)
    with pytest.raises(ProvenanceMismatch, match=f"{field} 'first', now 'second'.*not be mixed"):
        client.ask(LABEL, 2)
    assert client.tally.calls == 2


# ------------------------------------------------------------------------------------ the store


def test_what_is_in_the_store_needs_no_server(tmp_path):
    path = tmp_path / "calls.sqlite"
    llama = servers.document({"data": [{"owned_by": "llamacpp"}]})
    with Misbehaving(ok("B"), models=llama) as server:
        backend = HttpBackend(server.url, "tiny")
        with Client(backend, store=CallStore(path)) as client:
            client.ask(LABEL)
        url = server.url
    with Client(HttpBackend(url, "tiny"), store=CallStore(path)) as client:
        assert client.dialect == "llama.cpp"
        assert client.ask(LABEL).text == "B"
        with pytest.raises(ServerUnreachable):
            client.ask(LABEL, draw=1)


def test_a_dialect_from_the_store_is_confirmed_before_a_call_is_made(tmp_path):
    path = tmp_path / "calls.sqlite"
    for draw in range(2):
        with Misbehaving(ok("B")) as server:
            with Client(HttpBackend(server.url, "tiny"), store=CallStore(path)) as client:
                for _ in range(3):
                    assert [client.ask(LABEL, d).text for d in range(draw + 1)] == ["B"] * (
                        draw + 1
                    )
            assert (server.gets, len(server.bodies)) == (1, 1)
    llama = servers.document({"data": [{"owned_by": "llamacpp"}]})
    with Misbehaving(ok("A"), models=llama) as server:
        with Client(HttpBackend(server.url, "tiny"), store=CallStore(path)) as client:
            assert client.ask(LABEL).text == "B"
            assert server.gets == 0
            with pytest.raises(ProvenanceMismatch, match=r"dialect openai, .*llama\.cpp now"):
                client.ask(LABEL, draw=7)
        assert server.bodies == []
        with Client(HttpBackend(server.url, "tiny"), store=CallStore(path, "refresh")) as client:
            assert client.ask(LABEL).text == "A"  # a refresh asks for the dialect, too


@pytest.mark.parametrize(
    "options", [{"dialect": "llama.cpp"}, {"max_tokens_field": "max_completion_tokens"}]
)
def test_a_declared_dialect_is_not_replaced_by_that_of_the_store(tmp_path, options):
    path = tmp_path / "calls.sqlite"
    with Misbehaving(ok("B")) as server:
        with Client(http(server), store=CallStore(path)) as client:
            client.ask(LABEL)
        backend = http(server, **{"dialect": None} | options)
        with Client(backend, store=CallStore(path)) as client, pytest.raises(ProvenanceMismatch):
            client.ask(LABEL)
        assert len(server.bodies) == 1


def test_another_script_does_not_get_the_answers_of_the_one_before(tmp_path):
    path = tmp_path / "calls.sqlite"

    def playing(answer):
        return lambda question: answer

    with Client(ScriptedBackend(playing("A")), store=CallStore(path)) as client:
        client.ask(LABEL)
    with Client(ScriptedBackend(playing("A")), store=CallStore(path)) as client:
        assert client.ask(LABEL).text == "A"
        assert client.tally.new_calls == 0
    client = Client(ScriptedBackend(playing("B")), store=CallStore(path))
    with client, pytest.raises(ProvenanceMismatch, match="refresh"):
        client.ask(LABEL)
    with Client(ScriptedBackend(playing("B"), "another"), store=CallStore(path)) as client:
        assert client.ask(LABEL).text == "B"


def test_a_replay_reports_the_same_numbers(tmp_path):
    path = tmp_path / "calls.sqlite"
    with Misbehaving(status(500), status(429), ok("A"), ok("B")) as server:
        client = Client(http(server), store=CallStore(path), sleep=Waits())
        with client:
            recorded = [client.ask(LABEL), client.ask(PROBABILITIES)]
    tally = client.tally
    assert tally.failures == {"server_error": 1, "rate_limited": 1}
    with servers.closed_url() as url:
        replay = Client(HttpBackend(url, "tiny", dialect="openai"), store=CallStore(path, "replay"))
        with replay:
            assert [replay.ask(LABEL), replay.ask(PROBABILITIES)] == recorded
            assert replay.tally == replace(tally, new_calls=0)
            with pytest.raises(StoreMiss):
                replay.ask(MIX)
    assert replay.tally.calls == 2


def test_what_is_kept_names_body_draw_and_served_model():
    put = []
    store = SimpleNamespace(
        get=lambda key, model: None,
        check=lambda backend, provenance: None,
        put=lambda *arguments: put.append(arguments) or arguments[2],
        note_elicitation=lambda model, elicitation: None,
        close=lambda: None,
    )
    with Misbehaving(ok("B")) as server:
        backend = http(server)
        reply = Client(backend, store=store).ask(LABEL, draw=4)  # type: ignore[arg-type]
        backend.close()
    ((key, by, call, provenance),) = put
    assert by is backend
    assert key == call_key(call.body, 4)
    assert json.loads(server.bodies[0]) == call.body == backend.body(LABEL)
    assert (call.draw, call.reply, call.failures) == (4, reply, {})
    assert (provenance.response_model, provenance.fingerprint) == ("served-model", "fp_1")


def test_the_answer_that_the_store_keeps_is_the_one_that_counts(tmp_path):
    path = tmp_path / "calls.sqlite"
    slow, quick = Overtaken("slow"), Overtaken("quick")
    client = Client(ScriptedBackend(slow), store=CallStore(path))
    other = Client(ScriptedBackend(quick), store=CallStore(path))
    slow.before = partial(other.ask, LABEL)
    assert client.ask(LABEL).text == "quick"
    client.close()
    other.close()


class Overtaken:
    """A script that does something else before it answers."""

    __slots__ = ("answer", "before")  # not taken for a part of the script

    def __init__(self, answer: str):
        self.answer = answer
        self.before: Callable[[], object] = lambda: None

    def __call__(self, question):
        self.before()
        return self.answer


def test_answers_of_another_origin_are_refused_before_a_call_is_spent(tmp_path):
    path = tmp_path / "calls.sqlite"
    with Client(ScriptedBackend(first_label), store=CallStore(path)) as client:
        client.ask(LABEL)
    with Misbehaving(ok()) as server:
        backend = HttpBackend(server.url, "scripted", dialect="openai")
        with Client(backend, store=CallStore(path)) as client, pytest.raises(ProvenanceMismatch):
            client.ask(LABEL)
    assert server.bodies == []


def test_a_client_closes_backend_and_store_even_if_one_fails():
    closed = []

    def fail():
        closed.append("backend")
        raise CallFailed("no", failure="disconnected")

    backend = ScriptedBackend(first_label)
    backend.close = fail  # type: ignore[method-assign]
    store = SimpleNamespace(close=lambda: closed.append("store"))
    for name in ("get", "put", "check", "note_elicitation"):
        setattr(store, name, print)
    with pytest.raises(CallFailed), Client(backend, store=store):  # type: ignore[arg-type]
        pass
    assert closed == ["backend", "store"]


@pytest.mark.parametrize(
    ("options", "cure"),
    [
        ({"attempts": 0}, "1 or more"),
        ({"attempts": 1.5}, "whole number"),
        ({"attempts": True}, "whole number"),
        ({"backoff": -1}, "not negative"),
        ({"backoff": "1"}, "give seconds"),
        ({"backoff": 10**400}, "a number of about 443 digits: give seconds"),
        ({"longest_wait": float("nan")}, "give seconds"),
        ({"longest_wait": 1e300}, "at most a week"),
        ({"store": "calls.db"}, r"store='calls\.db': give a CallStore, CallStore\('calls\.db'\)"),
        ({"store": CallStore}, "give a CallStore"),
        ({"budget": 5}, r"budget=5: give a Budget, such as Budget\(10\)"),
        ({"gate": 5}, "gate=5: give a RateGate"),
        ({"sleep": 5}, "sleep=5: give a function"),
        ({"backend": "local"}, r"backend='local': give a backend, such as LocalBackend\(\)"),
        ({"backend": first_label}, r"ScriptedBackend\(function\)"),
        ({"backend": ScriptedBackend}, "give a backend"),
        ({"backend": Client(ScriptedBackend(first_label))}, "give a backend"),
    ],
)
def test_malformed_arguments_are_refused(options, cure):
    with pytest.raises(ParameterError, match=cure):
        Client(options.pop("backend", ScriptedBackend(first_label)), **options)


def test_what_a_client_is_made_of_can_be_read(tmp_path):
    backend = HttpBackend("http://localhost:1/v1", "tiny", api_key="sk-0123456789")
    with Client(backend, store=CallStore(tmp_path / "c.sqlite")) as client:
        assert repr(client) == (
            "Client(HttpBackend('http://localhost:1/v1', 'tiny'), "
            f"store=CallStore('{tmp_path}/c.sqlite', 'record'))"
        )
    assert repr(Client(ScriptedBackend(first_label))) == (
        "Client(ScriptedBackend(first_label, 'scripted'))"
    )
    assert repr(ReplayBackend("tiny", "openai")) == "ReplayBackend('tiny', 'openai')"


# ------------------------------------------------------------------------------------ scripts


def scripted(script, question=PROBABILITIES) -> Reply:
    backend = ScriptedBackend(script)
    return backend.ask(question, backend.body(question))


def test_a_script_may_answer_a_text_or_a_reply():
    reply = scripted(lambda q: "I choose B", LABEL)
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens) == ("I choose B", 5, 3)
    assert scripted(lambda q: "B").label_probabilities is None
    given = Reply("", "content_filter", prompt_tokens=99)
    assert scripted(lambda q: given) is given


def test_a_script_may_give_probabilities():
    reply = scripted(lambda q: {"A": 0.2, "B": 0.5})
    assert reply.label_probabilities == {"A": 0.2, "B": 0.5}
    assert (reply.text, reply.unlisted) == ("B", 0.0)
    assert scripted(lambda q: {"B": 1}).label_probabilities == {"B": 1.0}
    assert json.loads(scripted(lambda q: {"B": 0.75}, MIX).text) == {"A": 0.0, "B": 0.75}
    assert scripted(first_label).label_probabilities == {"A": 1.0}
    assert scripted(first_label, LABEL).text == "A"


def test_labels_are_drawn_by_seed_from_the_mapping():
    def script(question):
        return {"A": 0.1, "B": 0.3}  # renormalised: a quarter, three quarters

    def drawn(temperature):
        asked = [replace(LABEL, seed=s, temperature=temperature) for s in range(2000)]
        return [scripted(script, question).text for question in asked]

    first = drawn(1.0)
    assert first == drawn(1.0)
    assert first.count("A") / 2000 == pytest.approx(0.25, abs=0.04)
    assert drawn(0.5).count("A") / 2000 == pytest.approx(0.1, abs=0.03)  # 1 : 9
    assert set(drawn(0.0)) == {"B"}
    assert scripted(script, replace(LABEL, seed=None)).text == "B"


@pytest.mark.parametrize(
    ("script", "model"), [("A", "m"), (None, "m"), (first_label, ""), (first_label, 3)]
)
def test_what_is_no_script_is_refused(script, model):
    with pytest.raises(ParameterError, match=r"script=|model="):
        ScriptedBackend(script, model)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ({"C": 1.0}, "none of the labels A, B"),
        ({"A": 1.5}, "no probability of A"),
        ({"A": -0.1}, "no probability of A"),
        ({"A": float("nan")}, "no probability of A"),
        ({"A": "1"}, "no probability of A"),
        ({"A": 0.7, "B": 0.7}, "sum to 1.4"),
        ({"A": 0.0}, "no label has"),
        ({}, "no label has"),
        (None, "return a text"),
        (3, "return a text"),
    ],
)
def test_malformed_scripts_are_named(answer, wrong):
    def my_script(question):
        return answer

    with pytest.raises(PolicyError, match=f"my_script.*{wrong}"):
        scripted(my_script)


def test_errors_in_a_script_are_the_user_s():
    def my_script(question):
        return {}["missing"]

    with pytest.raises(PolicyError, match="my_script of scripted fails: KeyError"):
        scripted(my_script)
    client = Client(ScriptedBackend(my_script))
    with pytest.raises(PolicyError):
        client.ask(LABEL)
    assert client.tally.failures == {}


def test_a_script_may_play_a_failing_server():
    with pytest.raises(CallFailed, match="played"):
        scripted(Failing("timeout"))


@pytest.mark.parametrize("dialect", dialects.DIALECTS)
def test_what_is_for_scripts_only_is_no_part_of_a_call(dialect):
    told = replace(LABEL, player=1, information_state="here", options=("left", "right"))
    assert dialects.body(dialect, "m", told) == dialects.body(dialect, "m", LABEL)


def test_a_scripted_body_holds_the_question():
    body = ScriptedBackend(first_label, "toy").body(LABEL)
    assert body == {
        "model": "toy",
        "messages": [
            {"role": "system", "content": "The rules."},
            {"role": "user", "content": "A or B?"},
        ],
        "labels": ["A", "B"],
        "want": "label",
        "seed": 3,
        "temperature": 1.0,
        "max_tokens": 8,
    }
