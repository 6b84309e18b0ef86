"""A language model as a policy: what it plays is what the evaluator scores."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import exploitability

import crywolf
from crywolf.analysis.draws import Draws
from crywolf.analysis.policies import RandomPolicy
from crywolf.games.errors import (
    BudgetExhausted,
    CallFailed,
    ElicitationFailed,
    ParameterError,
    PolicyError,
    RunStopped,
    ServerUnreachable,
    StoreError,
    StoreMiss,
)
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.llm_bridge import (
    Budget,
    CallStore,
    Client,
    FailurePolicy,
    LabelProbabilities,
    LLMPolicy,
    Options,
    ReplayBackend,
    ScriptedBackend,
    policy_from_spec,
)
from crywolf.llm_bridge.backends import dialects
from crywolf.llm_bridge.backends.scripted import first_label
from crywolf.llm_bridge.chat import Question, Reply
from crywolf.llm_bridge.store_summary import summarize
from crywolf.llm_bridge.store_text import Run
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

from . import servers

THIRD = Fraction(1, 3)
# Kuhn (1950): with alpha in [0, 1/3], P1 bets the Jack with alpha and the King with 3 alpha, and calls
# with the Queen with alpha + 1/3; P2 bets the Jack and calls with the Queen with 1/3. Here alpha = 1/5.
KUHN = {
    "0": Fraction(1, 5), "1": 0, "2": Fraction(3, 5), "0pb": 0, "1pb": Fraction(8, 15), "2pb": 1,
    "0p": THIRD, "1p": 0, "2p": 1, "0b": 0, "1b": THIRD, "2b": 1,
}  # fmt: skip


def reads(question: Question) -> tuple[list[str], dict[str, str]]:
    """What a model reads in a prompt: what it knows, and the option behind each label."""
    lines = question.messages[1].content.splitlines()
    known = [line.removeprefix("- ") for line in lines if line.startswith("- ")]
    pairs = [line.split(": ", 1) for line in lines if line.partition(":")[0] in question.labels]
    return known, {label: option for label, option in pairs}


def kuhn_player(question: Question) -> dict[str, float]:
    """Reads the prompt and plays Kuhn's equilibrium."""
    (known,), options = reads(question)
    bet = KUHN[known]
    return {label: float(bet if o == "Bet" else 1 - bet) for label, o in options.items()}


@pytest.mark.parametrize("elicitation", ["labels", "stated"])
def test_the_kuhn_equilibrium_scores_zero_through_the_whole_bridge(elicitation):
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(kuhn_player), elicitation)
    report = crywolf.nash_conv("kuhn_poker", policy)
    assert report.kind == "exact"
    assert report.nash_conv < 1e-9
    assert report.values[0] == pytest.approx(-1 / 18, abs=1e-12)
    theirs: Any = exploitability.nash_conv(pyspiel.load_game("kuhn_poker"), policy)
    assert theirs < 1e-9
    assert report.elicitation is not None
    assert (report.elicitation.calls, report.elicitation.elicitation) == (24, elicitation)


@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3", "leduc_poker", "tiny_hanabi"])
def test_a_model_that_takes_the_first_option_is_the_uniform_policy(game):
    policy = LLMPolicy(game, ScriptedBackend(first_label))
    tree = compile_tree(game)
    assert policy.tabulate(tree) == Profile.uniform(tree)
    assert crywolf.nash_conv(game, policy).nash_conv == crywolf.nash_conv(game, "uniform").nash_conv


@pytest.mark.parametrize("game", ["onuw_robber3", "kuhn_poker"])
def test_a_random_policy_survives_the_way_through_prompt_and_answer(game):
    """A model that knows the policy by what it reads is scored like the policy itself."""
    loaded = crywolf.load_game(game)
    tree = compile_tree(loaded)
    meant = Profile.from_policy(tree, RandomPolicy(loaded, 3))
    table = {}
    for h, key in enumerate(tree.keys):
        names = tree.action_names(h)
        table[key] = dict(zip(names, meant.strategy(key).values(), strict=True))

    def script(question):
        known, options = reads(question)
        player = question.messages[1].content.partition("You are ")[2][:2]
        key = known[0] if game == "kuhn_poker" else f"{player}: " + "; ".join(known)
        return {label: table[key][option] for label, option in options.items()}

    policy = LLMPolicy(loaded, ScriptedBackend(script))
    found = policy.tabulate(tree)
    assert isinstance(found, Profile)
    assert found.probabilities == pytest.approx(meant.probabilities, abs=1e-12)
    # The same through OpenSpiel's interface, state by state.
    assert isinstance(policy, openspiel_policy.Policy)
    again = Profile.from_policy(tree, policy)
    assert again == found


def test_draws_give_an_estimate_with_an_interval():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(kuhn_player), "samples:100")
    report = crywolf.nash_conv("kuhn_poker", policy)
    assert report.kind == "estimate"
    assert report.interval is not None
    low, high = report.interval
    assert low == 0.0 < report.nash_conv < high
    assert report.to_json()["elicitation"] == "samples:100"
    draws = policy.tabulate(compile_tree("kuhn_poker"))
    assert isinstance(draws, Draws)
    assert draws.fewest == 100


def test_a_policy_of_another_game_is_refused():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(first_label))
    for game in ("leduc_poker", "kuhn_poker(players=3)"):
        with pytest.raises(PolicyError, match="made for kuhn_poker"):
            crywolf.nash_conv(game, policy)
    wolves = LLMPolicy("onuw_robber3", ScriptedBackend(first_label))
    with pytest.raises(PolicyError, match="made for"):
        crywolf.nash_conv("onuw_robber3_official", wolves)


def test_a_state_of_another_game_is_refused():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(first_label))
    deal = [0, 1]
    for game in ("kuhn_poker", pyspiel.load_game("kuhn_poker")):  # equal games, not one object
        state = crywolf.load_game(game).new_initial_state()
        for card in deal:
            state.apply_action(card)
        assert policy.action_probabilities(state) == {0: 0.5, 1: 0.5}
    for game in ("kuhn_poker(players=3)", "onuw_robber3"):
        state = crywolf.load_game(game).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        for _ in range(2):
            with pytest.raises(PolicyError, match=r"made for kuhn_poker, .* not for"):
                policy.action_probabilities(state)


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        ({"on_failure": "uniform"}, "give a FailurePolicy"),
        ({"model": first_label}, r"give a backend, such as .*ScriptedBackend\(function\)"),
        ({"model": "llm:local"}, r"model='llm:local': give a backend, such as LocalBackend\(\)"),
        ({"model": ScriptedBackend}, "give a backend"),
        ({"model": None}, "give a backend"),
        ({"elicitation": 5}, "elicitation=5: write labels, samples:N or stated"),
        ({"elicitation": LabelProbabilities}, r"give a LabelProbabilities\(\)"),
        ({"elicitation": "by heart"}, "write labels"),
        ({"workers": 0}, "workers=0: give a whole number, 1 or more"),
        ({"workers": 1.5}, "workers=1.5: give a whole number"),
        ({"workers": True}, "workers=True: give a whole number"),
        ({"rules": 5}, "rules=5: give the rules in words"),
    ],
)
def test_malformed_arguments_are_refused(arguments, cure):
    with pytest.raises(ParameterError, match=cure):
        LLMPolicy(**{"game": "kuhn_poker", "model": ScriptedBackend(first_label)} | arguments)


def test_a_policy_can_be_read():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(first_label), "samples:4")
    assert repr(policy) == (
        "LLMPolicy('kuhn_poker', Client(ScriptedBackend(first_label, 'scripted')), 'samples:4')"
    )


def test_draws_need_the_tree():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(kuhn_player), "samples:10")
    with pytest.raises(PolicyError, match="labels"):
        crywolf.nash_conv("kuhn_poker", policy, method="sampled", samples=100)


def test_label_probabilities_also_work_where_the_tree_is_not_searched():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(first_label))
    report = crywolf.nash_conv("kuhn_poker", policy, method="sampled", samples=500)
    assert report.kind == "lower_bound"
    assert report.elicitation is not None
    assert report.elicitation.calls == 24


def test_every_call_is_made_once():
    asked = []

    def script(question):
        asked.append(question)
        return {"A": 1.0}

    policy = LLMPolicy("kuhn_poker", ScriptedBackend(script))
    tree = compile_tree("kuhn_poker")
    told = []
    policy.tabulate(tree, lambda done, planned: told.append((done, planned)))
    policy.tabulate(tree)
    Profile.from_policy(tree, policy)
    assert len(asked) == len(set(asked)) == 24
    assert told == [(i + 1, 24) for i in range(24)]


def test_workers_change_nothing_but_the_time():
    threads = set()
    gate = threading.Barrier(4, timeout=20)

    def script(question):
        if threading.get_ident() not in threads:
            threads.add(threading.get_ident())
            gate.wait()  # passes only if four calls are under way at once
        return kuhn_player(question)

    one = LLMPolicy("kuhn_poker", ScriptedBackend(kuhn_player), "samples:40")
    four = LLMPolicy("kuhn_poker", ScriptedBackend(script), "samples:40", workers=4)
    reports = [crywolf.nash_conv("kuhn_poker", policy) for policy in (one, four)]
    assert len(threads) == 4
    assert reports[0].to_json() == reports[1].to_json()


def test_failures_are_counted_in_the_report():
    def script(question):
        if len(question.messages) > 2:
            return "A"
        return {"0": "", "1": "Q"}.get(reads(question)[0][0], "A")

    policy = LLMPolicy("kuhn_poker", ScriptedBackend(script), "samples:10")
    document = crywolf.nash_conv("kuhn_poker", policy).to_json()
    assert document["failures"] == {"empty": 10, "illegal": 10}
    assert document["legal_mass"] == pytest.approx(1 - 20 / 120)
    assert document["calls"] == 140


def test_a_record_is_of_one_policy_though_others_share_its_client():
    def script(question):
        if len(question.messages) > 2:
            return "A"
        return "" if question.want == "label" else {"A": 0.75}

    client = Client(ScriptedBackend(script))
    samples, labels = (LLMPolicy("kuhn_poker", client, how) for how in ("samples:3", "labels"))
    tree = compile_tree("kuhn_poker")
    for policy in (samples, labels):
        policy.tabulate(tree)
    drawn, masses = samples.record(), labels.record()
    assert (drawn.calls, drawn.new_calls, drawn.answers) == (72, 72, 36)
    assert (masses.calls, masses.new_calls, masses.answers) == (24, 24, 24)
    assert (drawn.failures, masses.failures) == ({"empty": 36}, {})
    assert masses.legal_mass == 0.75
    assert client.tally.calls == 72 + 24
    # Calls that both rest on are counted for both.
    again = LLMPolicy("kuhn_poker", client, "labels")
    again.tabulate(tree)
    assert again.record() == replace(masses, new_calls=0)  # made for the other one


def test_an_information_set_is_asked_for_once_however_many_ask():
    started = threading.Barrier(4, timeout=20)

    def script(question):
        time.sleep(0.01)
        return "A" if len(question.messages) > 2 else ""

    policy = LLMPolicy("kuhn_poker", ScriptedBackend(script), "samples:5")
    state = crywolf.load_game("kuhn_poker").new_initial_state()
    for card in (0, 1):
        state.apply_action(card)

    def ask(_):
        started.wait()
        return policy.action_probabilities(state.clone())

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(ask, range(4))
    assert others == [first] * 3
    assert policy.record().failures == {"empty": 5}
    assert policy.record().calls == 10


def test_what_was_asked_before_a_failure_is_counted_once(tmp_path):
    """A policy that failed half-way and is asked again reports what a replay reports."""
    path = tmp_path / "calls.sqlite"

    def script(question):
        if len(question.messages) > 2:
            return "A"
        return ""

    budget = Budget(max_calls=7)
    client = Client(ScriptedBackend(script), store=CallStore(path), budget=budget)
    policy = LLMPolicy("kuhn_poker", client, "samples:3")
    with pytest.raises(BudgetExhausted):
        score(policy)
    budget.max_calls = None
    recorded = score(policy)
    policy.close()
    assert json.loads(recorded)["failures"] == {"empty": 36}
    replayed = policy_from_spec(f"replay:{path}", "kuhn_poker", Options(elicitation="samples:3"))
    assert score(replayed) == recorded


def test_a_grammar_leaves_the_legal_mass_of_draws_unknown():
    backend = ScriptedBackend(first_label)
    backend.dialect = "llama.cpp"
    policy = LLMPolicy("kuhn_poker", backend, "samples:4")
    report = crywolf.nash_conv("kuhn_poker", policy)
    assert report.elicitation is not None
    assert report.elicitation.legal_mass is None
    assert report.to_json()["legal_mass"] is None


def test_whether_rules_were_told_is_recorded():
    told = LLMPolicy("kuhn_poker", ScriptedBackend(first_label))
    untold = LLMPolicy("kuhn_poker", ScriptedBackend(first_label), rules="")
    assert (told.record().rules_told, untold.record().rules_told) == (True, False)


def test_uniform_play_stands_in_only_on_request_and_says_so():
    policy = LLMPolicy(
        "kuhn_poker",
        ScriptedBackend(lambda q: "no idea"),
        "stated",
        on_failure=FailurePolicy(0, "uniform"),
    )
    report = crywolf.nash_conv("kuhn_poker", policy)
    assert report.nash_conv == pytest.approx(11 / 12)
    assert report.to_json()["failures"] == {"unparsable": 24}
    assert any("24 answers named no move" in note for note in report.notes)
    assert "unparsable 24" in str(report)


def test_a_policy_that_looks_at_the_history_has_no_prompt():
    """A game whose information states are honest, but whose action names tell what is hidden."""
    game = pyspiel.load_game("kuhn_poker")
    tree = compile_tree(game)
    policy = LLMPolicy(game, ScriptedBackend(first_label))
    assert policy.tabulate(tree)  # Kuhn's do not
    leaking = compile_tree(LeakyGame())
    with pytest.raises(PolicyError, match="depend only on the information state"):
        LLMPolicy(leaking.game, ScriptedBackend(first_label)).tabulate(leaking)


class LeakyState(pyspiel.State):
    """Chance tosses a coin; the player does not see it, but its actions are named after it."""

    def __init__(self, game):
        super().__init__(game)
        self.coin, self.done = -1, False

    def current_player(self):
        if self.done:
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.coin < 0 else 0

    def _legal_actions(self, player):
        return [0, 1]

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def _apply_action(self, action):
        if self.coin < 0:
            self.coin = action
        else:
            self.done = True

    def _action_to_string(self, player, action):
        return f"{'heads' if self.coin else 'tails'} {action}"

    def is_terminal(self):
        return self.done

    def returns(self):
        return [0.0]

    def information_state_string(self, player=0):
        return "coin tossed" if self.coin >= 0 else "start"

    def __str__(self):
        return f"{self.coin} {self.done}"


class LeakyGame(pyspiel.Game):
    def __init__(self):
        kinds = pyspiel.GameType
        super().__init__(
            kinds(
                short_name="leaky",
                long_name="Leaky",
                dynamics=kinds.Dynamics.SEQUENTIAL,
                chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
                information=kinds.Information.IMPERFECT_INFORMATION,
                utility=kinds.Utility.GENERAL_SUM,
                reward_model=kinds.RewardModel.TERMINAL,
                max_num_players=1,
                min_num_players=1,
                provides_information_state_string=True,
                provides_information_state_tensor=False,
                provides_observation_string=False,
                provides_observation_tensor=False,
                parameter_specification={},
            ),
            pyspiel.GameInfo(
                num_distinct_actions=2,
                max_chance_outcomes=2,
                num_players=1,
                min_utility=-1.0,
                max_utility=1.0,
                max_game_length=1,
            ),
            {},
        )

    def new_initial_state(self):
        return LeakyState(self)


# -------------------------------------------------------------------------- stores and replays


def score(policy) -> str:
    return json.dumps(crywolf.nash_conv("kuhn_poker", policy).to_json())


@pytest.mark.parametrize("elicitation", ["labels", "samples:6", "stated"])
@pytest.mark.parametrize("suffix", ["sqlite", "jsonl"])
def test_a_replay_is_byte_equal(tmp_path, elicitation, suffix):
    path = tmp_path / "calls.sqlite"
    failing = iter([True, False, True] + [False] * 1000)

    def script(question):
        if next(failing):
            raise CallFailed("slow", failure="timeout")
        return kuhn_player(question)

    client = Client(ScriptedBackend(script), store=CallStore(path), sleep=lambda s: None)
    policy = LLMPolicy("kuhn_poker", client, elicitation)
    recorded = score(policy)
    assert json.loads(recorded)["failures"] == {"timeout": 2}
    policy.close()
    if suffix == "jsonl":
        with CallStore(path) as store:
            path = path.with_suffix(".jsonl")
            store.export(path)
    replayed = policy_from_spec(f"replay:{path}", "kuhn_poker", Options(elicitation=elicitation))
    assert score(replayed) == recorded
    assert replayed.record().new_calls == 0
    replayed.close()


def test_a_replay_asks_as_it_was_recorded(tmp_path):
    path = tmp_path / "calls.sqlite"
    policy = LLMPolicy(
        "kuhn_poker", Client(ScriptedBackend(kuhn_player), store=CallStore(path)), "samples:4"
    )
    score(policy)
    policy.close()
    replayed = policy_from_spec(f"replay:{path}", "kuhn_poker")
    with pytest.raises(StoreMiss, match=r"none to what is asked now: .*samples:4"):
        score(replayed)
    replayed = policy_from_spec(f"replay:{path}", "kuhn_poker", Options(elicitation="samples:5"))
    with pytest.raises(StoreMiss, match=r"4 of the calls .* were found.*samples:4"):
        score(replayed)
    with pytest.raises(StoreMiss):
        ReplayBackend("scripted", "scripted").ask(None, {})  # type: ignore[arg-type]


def test_a_replay_of_several_models_names_one(tmp_path):
    path = tmp_path / "calls.sqlite"
    for model in ("one", "two"):
        client = Client(ScriptedBackend(first_label, model), store=CallStore(path))
        policy = LLMPolicy("kuhn_poker", client)
        score(policy)
        policy.close()
    with pytest.raises(StoreError, match="one, two"):
        policy_from_spec(f"replay:{path}", "kuhn_poker")
    with pytest.raises(StoreError, match="three"):
        policy_from_spec(f"replay:{path}#three", "kuhn_poker")
    assert policy_from_spec(f"replay:{path}#two", "kuhn_poker").name == "llm:two"


def test_a_budget_stops_before_it_is_exceeded_and_a_store_goes_on(tmp_path):
    path = tmp_path / "calls.sqlite"
    asked = []

    def script(question):
        asked.append(question)
        return kuhn_player(question)

    backend = ScriptedBackend(script)
    for budget in (Budget(max_calls=10), Budget(max_calls=10)):
        client = Client(backend, store=CallStore(path), budget=budget)
        with pytest.raises(BudgetExhausted):
            score(LLMPolicy("kuhn_poker", client))
        client.close()
    client = Client(backend, store=CallStore(path), budget=Budget(max_calls=10))
    assert json.loads(score(LLMPolicy("kuhn_poker", client)))["calls"] == 24
    assert len(asked) == len(set(asked)) == 24
    client.close()


@pytest.mark.parametrize(
    ("spec", "options", "error"),
    [
        ("local:/nowhere/model.gguf", Options(), ParameterError),
        ("http://127.0.0.1:1/v1", Options(), PolicyError),
        ("http://127.0.0.1:1/v1#", Options(), PolicyError),
        ("replay:", Options(), PolicyError),
        ("replay:/nowhere/calls.sqlite", Options(), StoreError),
        ("elsewhere", Options(), PolicyError),
        ("", Options(), PolicyError),
        ("local", Options(refresh=True), ParameterError),
        ("replay:x", Options(refresh=True), ParameterError),
        ("local", Options(elicitation="by heart"), ParameterError),
        ("local", Options(workers=0), ParameterError),
        ("local", Options(max_calls=-1), ParameterError),
        ("local", Options(per_minute=0.0), ParameterError),
    ],
)
def test_specifications_that_cannot_be_met_are_refused(spec, options, error):
    with pytest.raises(error):
        policy_from_spec(spec, "kuhn_poker", options)


def test_the_evaluator_reads_the_specification(tmp_path):
    path = tmp_path / "calls.sqlite"
    client = Client(ScriptedBackend(kuhn_player), store=CallStore(path))
    score(LLMPolicy("kuhn_poker", client))
    client.close()
    report = crywolf.nash_conv("kuhn_poker", f"llm:replay:{path}")
    assert report.nash_conv < 1e-9
    assert np.isfinite(report.values).all()


def test_a_failing_policy_does_not_take_back_a_stop():
    go = threading.Event()

    def script(question):
        go.wait(10)
        return "Z!"

    client = Client(ScriptedBackend(script))
    policy = LLMPolicy(
        "kuhn_poker", client, "samples:2", workers=4, on_failure=FailurePolicy(retries=0)
    )

    def stop() -> None:
        client.stop()
        go.set()

    timer = threading.Timer(0.2, stop)
    timer.start()
    with pytest.raises((ElicitationFailed, RunStopped)):
        policy.tabulate(compile_tree("kuhn_poker"))
    timer.join()
    with pytest.raises(RunStopped):
        policy.tabulate(compile_tree("kuhn_poker"))
    client.resume()
    with pytest.raises(ElicitationFailed):
        policy.tabulate(compile_tree("kuhn_poker"))
    with pytest.raises(ElicitationFailed):  # a failure stops nobody for good
        policy.tabulate(compile_tree("kuhn_poker"))


def test_calls_are_new_to_whom_they_were_made_for():
    client = Client(ScriptedBackend(first_label))
    policies = [LLMPolicy("kuhn_poker", client) for _ in range(2)]
    for policy in policies:
        policy.tabulate(compile_tree("kuhn_poker"))
    assert [policy.record().new_calls for policy in policies] == [24, 0]
    assert client.tally.new_calls == 24


def test_a_store_answers_for_the_same_game_with_its_defaults_spelled_out(tmp_path):
    path = tmp_path / "calls.sqlite"
    with Client(ScriptedBackend(first_label), store=CallStore(path)) as client:
        LLMPolicy("kuhn_poker", client).tabulate(compile_tree("kuhn_poker"))
    game = "kuhn_poker(players=2)"
    policy = policy_from_spec(f"llm:replay:{path}", game)
    for asked in ("kuhn_poker", game):
        assert crywolf.nash_conv(asked, policy).nash_conv == pytest.approx(11 / 12)
    policy.close()


def test_a_run_that_ended_early_is_noted_with_what_is_missing(tmp_path):
    path = tmp_path / "calls.sqlite"
    budget = Budget(max_calls=7)
    tree = compile_tree("kuhn_poker")
    client = Client(ScriptedBackend(first_label), store=CallStore(path), budget=budget)
    with client, pytest.raises(BudgetExhausted):
        LLMPolicy("kuhn_poker", client).tabulate(tree)
    (held,) = summarize(path)
    assert held.runs == (Run("kuhn_poker", "labels", 3, 12),)
    policy = policy_from_spec(f"llm:replay:{path}", "kuhn_poker")
    with pytest.raises(StoreMiss, match=r"3 of 12 information sets \(9 are missing\)"):
        policy.tabulate(tree)
    policy.close()
    with Client(ScriptedBackend(first_label), store=CallStore(path)) as client:
        LLMPolicy("kuhn_poker", client).tabulate(tree)
    (held,) = summarize(path)
    assert held.runs == (Run("kuhn_poker", "labels", 12, 12),)


def test_the_way_of_asking_is_noted_with_the_first_answer(tmp_path):
    path = tmp_path / "calls.sqlite"
    client = Client(ScriptedBackend(first_label), store=CallStore(path), budget=Budget(max_calls=1))
    with client, pytest.raises(BudgetExhausted):
        LLMPolicy("kuhn_poker", client, "samples:5").tabulate(compile_tree("kuhn_poker"))
    with CallStore(path, "replay") as store:
        assert store.elicitations("scripted") == ("samples:5",)


class Constrained(ScriptedBackend):
    """A model under a grammar."""

    dialect = dialects.LLAMA_CPP


@pytest.mark.parametrize("backend", [ScriptedBackend, Constrained])
def test_draws_under_a_grammar_have_no_legal_mass_and_the_report_says_so(backend):
    report = crywolf.nash_conv(
        "kuhn_poker", LLMPolicy("kuhn_poker", backend(first_label), "samples:2")
    )
    assert report.elicitation is not None
    constrained = backend is Constrained
    assert report.elicitation.legal_mass == (None if constrained else 1.0)
    assert ("legal mass not known: a grammar" in str(report)) == constrained
    assert ("legal mass 1" in str(report)) == (not constrained)


def test_a_run_that_fails_before_its_first_answer_leaves_no_file(tmp_path):
    with servers.closed_url() as url:
        options = Options(store=tmp_path / "calls.sqlite")
        policy = policy_from_spec(f"llm:{url}#m", "kuhn_poker", options)
        told = r"is the url right\? No call was answered: start the same run again"
        with pytest.raises(ServerUnreachable, match=told):
            policy.tabulate(compile_tree("kuhn_poker"))
        policy.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "reply",
    [
        Reply("A", label_probabilities={"A": 3.0, "B": 5.0}),
        Reply("A", label_probabilities={"A": 0.7, "B": 0.7}),
        Reply("A", label_probabilities={"A": -0.5, "B": 1.0}),
        Reply("A", label_probabilities={"A": float("nan"), "B": 1.0}),
        Reply("A", label_probabilities={"A": 1.0}, unlisted=2.0),
        Reply("A", label_probabilities={0: 1.0}),  # type: ignore[dict-item]
        Reply(None),  # type: ignore[arg-type]
        Reply("A", finish=None),  # type: ignore[arg-type]
        Reply("A", prompt_tokens=-3),
        Reply("A", completion_tokens=1.5),  # type: ignore[arg-type]
        Reply("A", completion_tokens=True),
    ],
)
@pytest.mark.parametrize("how", ["labels", "samples:2", "stated"])
def test_a_reply_out_of_range_is_refused_whoever_gives_it(reply, how):
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(lambda question: reply), how)
    with pytest.raises(PolicyError, match="scripted returns a Reply with"):
        policy.tabulate(compile_tree("kuhn_poker"))


def test_tokens_that_a_server_does_not_tell_are_not_known():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(lambda question: Reply("A")), "samples:2")
    policy.tabulate(compile_tree("kuhn_poker"))
    record = policy.record()
    assert record.to_json()["tokens"] == {"prompt": None, "completion": None}
    assert "tokens not known" in record.lines()


def test_labels_that_are_known_to_have_nothing_are_not_called_unlisted():
    policy = LLMPolicy("kuhn_poker", ScriptedBackend(first_label))
    policy.tabulate(compile_tree("kuhn_poker"))
    assert policy.record().unlisted == 0


def test_another_game_of_the_same_name_is_called_so():
    one, other = (
        ExtensiveGame("same", decision(0, "x", {name: leaf(1, 0), "b": leaf(0, 1)}))
        for name in ("a", "c")
    )
    policy = LLMPolicy(one, ScriptedBackend(first_label))
    with pytest.raises(PolicyError, match="not for another game of that name"):
        policy.tabulate(compile_tree(other))
