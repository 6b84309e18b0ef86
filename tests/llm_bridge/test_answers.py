"""Answers are read strictly; each way of not answering has its name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.llm_bridge.answers import BadAnswer, no_label_probability, read_label, read_mix
from crywolf.llm_bridge.chat import Reply
from crywolf.llm_bridge.failures import Failure

LABELS = ("A", "B", "C")
OPTIONS = ("pass", "bet 2", "vote P1")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("A", 0),
        ("b", 1),
        (" C.\n", 2),
        ("(B)", 1),
        ("**B**", 1),
        ('"A"', 0),
        ("`C`", 2),
        ("A)", 0),
        ("B: bet 2", 1),
        ("B: Bet 2.", 1),
        ("(C) vote P1", 2),
        ("I hold a bad card, so A is worse.\nAnswer: B", 1),
        ("Let me think. B? No.\n\n**Final answer: C**", 2),
        ("The answer is B.", 1),
    ],
)
def test_a_label_is_read(text, place):
    assert read_label(Reply(text), LABELS, OPTIONS) == place


@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (Reply(""), Failure.EMPTY),
        (Reply(" \n\t"), Failure.EMPTY),
        (Reply("", finish="length"), Failure.TRUNCATED),
        (Reply("Well, let me think about", finish="length"), Failure.TRUNCATED),
        (Reply("D"), Failure.ILLEGAL),
        (Reply("Answer: Q"), Failure.ILLEGAL),
        (Reply("7"), Failure.ILLEGAL),
        (Reply("A or B"), Failure.UNPARSABLE),
        (Reply("A B"), Failure.UNPARSABLE),
        (Reply("I would bet 2, since B is best"), Failure.UNPARSABLE),
        (Reply("bet 2"), Failure.UNPARSABLE),
        (Reply("A: bet 2"), Failure.UNPARSABLE),  # the label of one option, the text of another
        (Reply("<|im_end|>"), Failure.UNPARSABLE),
        (Reply("A" * 100_001), Failure.UNPARSABLE),
        (Reply("I'm sorry, but I can't help with that."), Failure.REFUSED),
        (Reply("As an AI language model I do not gamble"), Failure.REFUSED),
        (Reply("I cannot vote", finish="length"), Failure.REFUSED),
        (Reply("A", finish="content_filter"), Failure.REFUSED),
        (Reply("A", refusal="no"), Failure.REFUSED),
    ],
)
def test_what_is_no_label_has_its_name(reply, failure):
    with pytest.raises(BadAnswer) as caught:
        read_label(reply, LABELS, OPTIONS)
    assert caught.value.failure is failure
    assert caught.value.reason.endswith(".")


@pytest.mark.parametrize(
    ("text", "mix"),
    [
        ('{"A": 0.5, "B": 0.25, "C": 0.25}', (0.5, 0.25, 0.25)),
        ('{"C": 3, "a": 1, "B": 0}', (1.0, 0.0, 3.0)),
        ('Not {"A": 1, "B": 0, "C": 0} but\n```json\n{"A": 0, "B": 1, "C": 0}\n```', (0, 1, 0)),
        ('{oops {"A": 70, "B": 20, "C": 10}', (70.0, 20.0, 10.0)),
    ],
)
def test_a_mix_is_read_from_the_last_object(text, mix):
    assert read_mix(Reply(text), LABELS) == mix


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("", Failure.EMPTY),
        ("A half, B half", Failure.UNPARSABLE),
        ('{"A": 0.5, "B": 0.5}', Failure.UNPARSABLE),  # C is missing
        ('{"A": 0.5, "B": 0.5, "C": 0, "D": 0}', Failure.ILLEGAL),
        ('{"A": -1, "B": 1, "C": 1}', Failure.UNPARSABLE),
        ('{"A": 0, "B": 0, "C": 0}', Failure.UNPARSABLE),
        ('{"A": "70%", "B": 0, "C": 0}', Failure.UNPARSABLE),
        ('{"A": true, "B": 0, "C": 0}', Failure.UNPARSABLE),
        ('{"A": NaN, "B": 0, "C": 0}', Failure.UNPARSABLE),
        ('{"A": Infinity, "B": 0, "C": 0}', Failure.UNPARSABLE),
        ('{"A": 1e308, "B": 1e308, "C": 1e308}', Failure.UNPARSABLE),
        ('{"A": 0.5, "a": 0.5, "B": 0, "C": 0}', Failure.UNPARSABLE),  # said twice
        ('{"A": 0.5, "B"', Failure.UNPARSABLE),
        ('{"answer": {"A": 1, "B": 0, "C": 0}}', Failure.ILLEGAL),
        ("I'm unable to answer", Failure.REFUSED),
    ],
)
def test_what_is_no_mix_has_its_name(text, failure):
    with pytest.raises(BadAnswer) as caught:
        read_mix(Reply(text), LABELS)
    assert caught.value.failure is failure


def test_a_huge_number_is_no_probability():
    with pytest.raises(BadAnswer):
        read_mix(Reply('{"A": 1' + "0" * 400 + ', "B": 0, "C": 0}'), LABELS)


def test_first_tokens_without_a_label():
    assert no_label_probability(Reply("Hm")).failure is Failure.UNPARSABLE
    assert no_label_probability(Reply("")).failure is Failure.EMPTY
    assert no_label_probability(Reply("x", refusal="no")).failure is Failure.REFUSED


def outcome(read, *arguments) -> object:
    """What was read, or the failure."""
    try:
        return read(*arguments)
    except BadAnswer as bad:
        return bad.failure


@given(st.text(), st.sampled_from(["stop", "length", "content_filter", "tool_calls"]))
def test_nothing_but_a_label_or_a_named_failure_comes_out(text, finish):
    reply = Reply(text, finish=finish)
    assert outcome(read_label, reply, LABELS, OPTIONS) in {0, 1, 2, *Failure}
    mix = outcome(read_mix, reply, LABELS)
    assert isinstance(mix, Failure) or (isinstance(mix, tuple) and len(mix) == 3)


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=3).filter(lambda x: sum(x) > 0))
def test_a_mix_survives_the_way_through_text(weights):
    text = json.dumps(dict(zip(LABELS, weights, strict=True)))
    assert read_mix(Reply(text), LABELS) == tuple(weights)
