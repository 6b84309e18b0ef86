"""What a store is said to hold is what was put into it."""

import pytest

from crywolf.games.errors import CallFailed, StoreError
from crywolf.llm_bridge import CallStore, Client, LLMPolicy, ScriptedBackend
from crywolf.llm_bridge.backends.scripted import first_label
from crywolf.llm_bridge.store_summary import summarize
from crywolf.solvers.tree import compile_tree


def record(path, model, elicitation, failing=0):
    """Asks at every information set of Kuhn poker; the first calls fail so many times."""
    left = [failing]

    def script(question):
        if left[0]:
            left[0] -= 1
            raise CallFailed("slow", failure="timeout")
        return first_label(question)

    client = Client(ScriptedBackend(script, model), store=CallStore(path), sleep=lambda s: None)
    policy = LLMPolicy("kuhn_poker", client, elicitation)
    policy.tabulate(compile_tree("kuhn_poker"))
    policy.close()
    return policy.record()


def test_models_are_told_apart(tmp_path):
    path = tmp_path / "calls.sqlite"
    records = [record(path, "b", "labels", failing=2), record(path, "a", "samples:3")]
    b, a = records
    summaries = summarize(path)
    assert [summary.model for summary in summaries] == ["a", "b"]
    for summary, known in zip(summaries, (a, b), strict=True):
        assert summary.calls == known.calls
        assert summary.to_json()["tokens"] == known.tokens
        assert summary.failures == known.failures
        assert summary.elicitations == (known.elicitation,)
        assert summary.source["runtime"] == "scripted"
        assert summary.source["dialect"] == "scripted"
        assert summary.first <= summary.last
    assert summaries[1].failures == {"timeout": 2}


def test_an_export_holds_the_same(tmp_path):
    path = tmp_path / "calls.sqlite"
    record(path, "a", "labels")
    with CallStore.open_for_replay(path) as store:
        store.export(tmp_path / "calls.jsonl")
    assert summarize(tmp_path / "calls.jsonl") == summarize(path)


def test_an_empty_store_has_no_models(tmp_path):
    with CallStore(tmp_path / "calls.sqlite") as store:
        store.give_up("key", "model", {"timeout": 1})
    assert summarize(tmp_path / "calls.sqlite") == ()


def test_what_is_no_store_is_refused(tmp_path):
    with pytest.raises(StoreError):
        summarize(tmp_path / "calls.sqlite")
    (tmp_path / "other.sqlite").write_text("hello")
    with pytest.raises(StoreError):
        summarize(tmp_path / "other.sqlite")
