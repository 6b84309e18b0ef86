"""From answers to distributions: exact where the model is, and every failure counted."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.errors import ElicitationFailed, ParameterError, UnsupportedElicitation
from crywolf.llm_bridge.asking import Asking
from crywolf.llm_bridge.backends.scripted import ScriptedBackend, first_label
from crywolf.llm_bridge.chat import Question, Reply
from crywolf.llm_bridge.client import Client
from crywolf.llm_bridge.elicitation import (
    Elicited,
    LabelProbabilities,
    Samples,
    StatedMix,
    elicitation_from_spec,
)
from crywolf.llm_bridge.failures import FailurePolicy
from crywolf.llm_bridge.prompts import Brief
from crywolf.llm_bridge.views import PlayerView

BRIEF = Brief("a game", 2, "")


def view(count: int) -> PlayerView:
    numbers = tuple(range(10, 10 + count))
    return PlayerView(0, "P1: here", ("here",), numbers, tuple(f"option {n}" for n in numbers))


def ask(script, elicitation, count=3, on_failure=None) -> tuple[Elicited, Mapping[str, int]]:
    client = Client(ScriptedBackend(script))
    asking = Asking(client, BRIEF, on_failure or FailurePolicy())
    elicited = elicitation.elicit(asking, view(count))
    return elicited, elicited.failures


def menu(question: Question) -> dict[str, str]:
    """What a model reads: the option behind each label."""
    lines = question.messages[1].content.splitlines()
    return dict(line.split(": ") for line in lines if line.partition(":")[0] in question.labels)


def plays(distribution):
    """A script that plays ``{option: probability}``, wherever the options stand."""
    return lambda question: {
        label: distribution[option] for label, option in menu(question).items()
    }


@pytest.mark.parametrize("count", range(2, 27))
def test_a_model_that_takes_the_first_option_is_exactly_uniform(count):
    for elicitation in (LabelProbabilities(), StatedMix()):
        elicited, _ = ask(first_label, elicitation, count)
        assert elicited.probabilities == (1 / count,) * count


@given(st.lists(st.floats(0.001, 1.0), min_size=2, max_size=26))
def test_a_model_that_reads_the_options_plays_what_it_means(weights):
    total = math.fsum(weights)
    meant = [w / total for w in weights]
    script = plays({f"option {10 + i}": p for i, p in enumerate(meant)})
    for elicitation in (LabelProbabilities(), StatedMix()):
        elicited, failures = ask(script, elicitation, len(meant))
        assert elicited.probabilities == pytest.approx(meant, abs=1e-12)
        assert math.fsum(elicited.probabilities) == pytest.approx(1.0, abs=1e-15)
        assert not failures


def test_legal_mass_is_what_the_labels_had_before_the_mask():
    elicited, _ = ask(lambda q: {"A": 0.3, "B": 0.1}, LabelProbabilities(), 2)
    assert elicited.legal_mass == pytest.approx((0.4, 0.4))
    assert elicited.probabilities == pytest.approx((0.5, 0.5))  # 3/4 and 1/4, then turned


def test_rotations_are_full():
    seen = []

    def script(question):
        seen.append(tuple(menu(question).values()))
        return {"A": 1.0}

    ask(script, LabelProbabilities(), 3)
    options = ("option 10", "option 11", "option 12")
    assert seen == [options, options[1:] + options[:1], options[2:] + options[:2]]


def test_a_forced_move_is_not_asked_for():
    def never(question):
        raise AssertionError

    for elicitation in (LabelProbabilities(), StatedMix()):
        assert ask(never, elicitation, 1)[0] == Elicited((1.0,))
        assert elicitation.calls(1) == 0
    assert ask(never, Samples(3), 1)[0] == Elicited((1.0,), draws=(0, 0, 0))


@pytest.mark.parametrize("elicitation", [LabelProbabilities(), Samples(7), StatedMix()])
def test_calls_are_foretold(elicitation):
    told = []
    for count in (1, 2, 5):
        asking = Asking(
            Client(ScriptedBackend(first_label)), BRIEF, FailurePolicy(), lambda: told.append(1)
        )
        told.clear()
        elicitation.elicit(asking, view(count))
        assert len(told) == elicitation.calls(count)


def test_draws_are_those_of_the_model():
    meant = {"option 10": 0.5, "option 11": 0.3, "option 12": 0.2}
    n = 2000
    elicited, _ = ask(plays(meant), Samples(n))
    assert elicited.draws is not None
    assert len(elicited.draws) == n
    for place, p in enumerate(meant.values()):
        frequency = elicited.draws.count(place) / n
        assert frequency == elicited.probabilities[place]
        assert abs(frequency - p) < 4 * math.sqrt(p * (1 - p) / n)
    # Independent: the pairs of neighbours come as often as they should.
    pairs = Counter(itertools.pairwise(elicited.draws))
    assert abs(pairs[0, 0] / (n - 1) - 0.25) < 0.05
    assert ask(plays(meant), Samples(n))[0] == elicited


def test_draws_of_a_model_that_takes_the_first_option_are_spread_over_all():
    elicited, _ = ask(first_label, Samples(3000))
    assert elicited.draws is not None
    assert all(abs(p - 1 / 3) < 0.04 for p in elicited.probabilities)


def test_draws_at_different_information_sets_are_independent():
    drawn = []
    for name in ("here", "there"):
        asking = Asking(Client(ScriptedBackend(first_label)), BRIEF, FailurePolicy())
        place = PlayerView(0, name, (name,), (0, 1), ("left", "right"))
        drawn.append(Samples(1000).elicit(asking, place).draws)
    script = plays({"left": 0.5, "right": 0.5})
    for name in ("here", "there"):
        asking = Asking(Client(ScriptedBackend(script)), BRIEF, FailurePolicy())
        place = PlayerView(0, name, (name,), (0, 1), ("left", "right"))
        drawn.append(Samples(1000).elicit(asking, place).draws)
    for one, other in ((drawn[0], drawn[1]), (drawn[2], drawn[3])):
        agree = sum(a == b for a, b in zip(one, other, strict=True))
        assert abs(agree - 500) < 80


# ------------------------------------------------------------------------------------- failures

BAD = {
    "empty": Reply(""),
    "unparsable": Reply("I think the second one looks nice"),
    "illegal": Reply("Q"),
    "truncated": Reply("First I consider", finish="length"),
    "refused": Reply("I'm sorry, I cannot play games about werewolves."),
}


@pytest.mark.parametrize("elicitation", [Samples(4), StatedMix()])
@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_is_reminded_counted_and_then_refused(name, elicitation):
    asked = []

    def script(question):
        asked.append(question)
        return Reply('{"Q": 1}') if (name, question.want) == ("illegal", "mix") else BAD[name]

    with pytest.raises(ElicitationFailed, match=name):
        ask(script, elicitation)
    first, second = asked
    assert second.messages[: len(first.messages)] == first.messages
    assert [m.role for m in second.messages[len(first.messages) :]] == ["assistant", "user"]
    assert (second.temperature, second.seed, second.max_tokens) == (
        first.temperature,
        first.seed,
        first.max_tokens,
    )

    elicited, failures = ask(script, elicitation, on_failure=FailurePolicy(2, "uniform"))
    questions = 4 if isinstance(elicitation, Samples) else 3
    assert failures == {name: 3 * questions}
    assert elicited.substituted == questions
    if isinstance(elicitation, StatedMix):
        assert elicited.probabilities == (1 / 3,) * 3
    else:
        assert elicited.legal_mass == (0.0,) * 4


@pytest.mark.parametrize("name", ["empty", "refused", "unparsable"])
def test_no_probability_on_any_label(name):
    reply = Reply(BAD[name].text, label_probabilities={})
    with pytest.raises(ElicitationFailed, match=name):
        ask(lambda q: reply, LabelProbabilities())
    elicited, failures = ask(
        lambda q: reply, LabelProbabilities(), on_failure=FailurePolicy(5, "uniform")
    )
    assert failures == {name: 3}  # the probabilities would be the same again
    assert elicited.substituted == 3
    assert elicited.probabilities == (1 / 3,) * 3


def test_a_reminder_helps():
    def script(question):
        return "B" if len(question.messages) > 2 else "hm"

    elicited, failures = ask(script, Samples(10), 2)
    assert failures == {"unparsable": 10}
    assert elicited.substituted == 0
    assert elicited.legal_mass == (0.0,) * 10


def test_labels_that_the_server_did_not_list_are_reported():
    reply = Reply("A", label_probabilities={"A": 0.5}, unlisted=0.01)
    elicited, _ = ask(lambda q: reply, LabelProbabilities(), 2)
    assert elicited.unlisted == (0.01, 0.01)
    assert elicited.probabilities == (0.5, 0.5)


def test_stated_sums_are_recorded():
    elicited, _ = ask(lambda q: '{"A": 60, "B": 60}', StatedMix(), 2)
    assert elicited.stated_sums == (120.0, 120.0)
    assert elicited.probabilities == (0.5, 0.5)


def test_what_cannot_be_asked_is_refused_with_a_way_out():
    with pytest.raises(UnsupportedElicitation, match="samples:N"):
        ask(first_label, LabelProbabilities(), 27)
    with pytest.raises(UnsupportedElicitation, match="samples:N or stated"):
        ask(lambda q: "A", LabelProbabilities())


def test_draws_work_with_more_options_than_letters():
    """Beyond letters the labels are numbers; the label is always 27, the option behind it not."""
    elicited, failures = ask(lambda q: "27", Samples(300), 30)
    assert not failures
    assert elicited.draws is not None
    assert len(set(elicited.draws)) == 30


@pytest.mark.parametrize(
    "wrong", [{"retries": -1}, {"retries": 1.5}, {"retries": True}, {"then": "unifrom"}]
)
def test_a_failure_policy_that_is_none_is_refused(wrong):
    with pytest.raises(ParameterError):
        FailurePolicy(**wrong)


def test_a_script_is_told_who_is_asked_what():
    asked = []

    def script(question):
        asked.append(question)
        return question.labels[question.options.index("option 11")]

    elicited, _ = ask(script, Samples(20))
    assert elicited.draws == (1,) * 20
    ask(lambda q: asked.append(q) or {"A": 1.0}, LabelProbabilities())
    ask(lambda q: asked.append(q) or '{"A": 1, "B": 0, "C": 0}', StatedMix())
    assert len(asked) == 26
    for question in asked:
        assert (question.player, question.information_state) == (0, "P1: here")
        assert dict(zip(question.labels, question.options, strict=True)) == menu(question)


@pytest.mark.parametrize(("dialect", "known"), [("llama.cpp", False), ("openai", True)])
def test_a_grammar_hides_how_much_of_the_draws_was_legal(dialect, known):
    backend = ScriptedBackend(first_label)
    backend.dialect = dialect
    elicited = Samples(5).elicit(Asking(Client(backend), BRIEF, FailurePolicy()), view(2))
    assert elicited.legal_mass == ((1.0,) * 5 if known else ())


@pytest.mark.parametrize("wrong", ["5", 2.5, True, None, 10**30])
def test_numbers_of_draws_and_tokens_are_whole(wrong):
    for make in (Samples, lambda n: Samples(4, max_tokens=n), StatedMix):
        with pytest.raises(ParameterError, match="give a whole number"):
            make(wrong)
    with pytest.raises(ParameterError, match="1 or more"):
        StatedMix(0)


@pytest.mark.parametrize("text", ["labels", "samples:30", "stated"])
def test_specifications_round_trip(text):
    assert str(elicitation_from_spec(f" {text} ")) == text


@pytest.mark.parametrize(
    "text", ["", "label", "labels:3", "samples", "samples:", "samples:1", "samples:-3", "samples:1.5",
             "samples:99999999", "stated:2"],
)  # fmt: skip
def test_other_specifications_are_refused(text):
    with pytest.raises(ParameterError):
        elicitation_from_spec(text)
