"""Rehearsals: what is counted and shown is what a run asks."""

import json

import pytest

import crywolf
from crywolf.games.errors import ParameterError, PolicyError, UnsupportedElicitation
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.llm_bridge import CallStore, Client, FailurePolicy, LLMPolicy, Options, ScriptedBackend
from crywolf.llm_bridge.rehearsal import first_choice, prompt_at, rehearse
from crywolf.solvers.tree import compile_tree

SERVER = "http://127.0.0.1:9/v1#m"  # nobody listens there


@pytest.mark.parametrize("elicitation", ["labels", "samples:5", "stated"])
@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3", "tiny_hanabi"])
def test_the_run_asks_what_was_rehearsed(game, elicitation):
    asked = []

    def script(question):
        asked.append(question)
        return {question.labels[0]: 1.0}

    rehearsal = rehearse(SERVER, compile_tree(game), Options(elicitation=elicitation))
    policy = LLMPolicy(game, ScriptedBackend(script), elicitation)
    crywolf.nash_conv(game, policy)
    assert rehearsal.calls == rehearsal.new_calls == len(asked)
    assert rehearsal.first is not None
    assert rehearsal.first.messages == asked[0].messages
    assert (rehearsal.policy, rehearsal.elicitation) == ("llm:m", elicitation)


def test_answers_of_a_store_count_with_their_reminders(tmp_path):
    """A recorded answer that names no move needs its reminder, recorded or not."""
    path = tmp_path / "calls.sqlite"

    def script(question):
        return "A" if len(question.messages) > 2 else ""

    client = Client(ScriptedBackend(script, "m"), store=CallStore(path))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptedBackend, "dialect", "openai")
        policy = LLMPolicy("kuhn_poker", client, "samples:2")
        policy.tabulate(compile_tree("kuhn_poker"))
        policy.close()
    options = Options(elicitation="samples:2", store=path)
    before = path.read_bytes()
    rehearsal = rehearse(SERVER, compile_tree("kuhn_poker"), options)
    assert (rehearsal.calls, rehearsal.new_calls) == (48, 0)
    more = Options(elicitation="samples:3", store=path)
    rehearsal = rehearse(SERVER, compile_tree("kuhn_poker"), more)
    assert (rehearsal.calls, rehearsal.new_calls) == (60, 12)
    assert path.read_bytes() == before


def test_what_the_run_would_refuse_is_refused():
    tree = compile_tree("kuhn_poker")
    with pytest.raises(ParameterError, match="just replay it"):
        rehearse("replay:x", tree, Options())
    with pytest.raises(ParameterError, match="--timeout"):
        rehearse("local", tree, Options(timeout=3.0))
    with pytest.raises(PolicyError, match="#MODEL"):
        rehearse("http://127.0.0.1:9/v1", tree, Options())
    many = decision(0, "many", {f"a{k}": leaf(k) for k in range(27)})
    with pytest.raises(UnsupportedElicitation, match="samples:N"):
        rehearse(SERVER, compile_tree(ExtensiveGame("many", many)), Options())


def test_moves_without_alternative_are_not_asked_for():
    forced = decision(
        0, "forced", {"go": decision(1, "choice", {"a": leaf(0, 1), "b": leaf(1, 0)})}
    )
    tree = compile_tree(ExtensiveGame("forced", forced))
    rehearsal = rehearse(SERVER, tree, Options())
    assert (rehearsal.information_sets, rehearsal.calls) == (1, 2)
    assert rehearsal.first is not None
    assert rehearsal.first.information_set == "P2: choice"
    assert prompt_at(tree, 0, Options()).messages == ()
    with pytest.raises(ParameterError, match="no P1"):
        first_choice(tree, 0)
    nothing = compile_tree(ExtensiveGame("nothing", decision(0, "forced", {"go": leaf(0)})))
    assert rehearse(SERVER, nothing, Options()).first is None


def test_rules_are_those_that_are_told():
    tree = compile_tree("kuhn_poker")
    prompt = prompt_at(tree, 0, Options(rules="Bluff."))
    assert "\nBluff.\n" in prompt.messages[0].content
    assert prompt.rules_told
    assert not prompt_at(tree, 0, Options(rules="")).rules_told
    document = prompt.to_json()
    assert json.loads(json.dumps(document)) == document
    assert document["player"] == "P1"


def test_a_store_that_is_not_there_yet_holds_nothing(tmp_path):
    empty = tmp_path / "empty.sqlite"
    empty.write_bytes(b"")
    for path in (tmp_path / "new.sqlite", empty):
        options = Options(store=path, on_failure=FailurePolicy(0, "uniform"))
        assert rehearse(SERVER, compile_tree("kuhn_poker"), options).new_calls == 24
    assert list(tmp_path.iterdir()) == [empty]
