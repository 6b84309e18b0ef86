"""Answers are read strictly; each way of not answering has its name."""

import json
import re
import sys
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from crywolf.llm_bridge.answers import (
    LONGEST,
    BadAnswer,
    no_label_probability,
    read_label,
    read_mix,
)
from crywolf.llm_bridge.chat import Reply
from crywolf.llm_bridge.failures import Failure
from crywolf.llm_bridge.finishes import COMPLETE

LABELS = ("A", "B", "C")
OPTIONS = ("pass", "bet 2", "vote P1")
NUMBERS = tuple(str(i + 1) for i in range(30))


def outcome(read, *arguments, **named) -> object:
    """What was read, or the failure."""
    try:
        return read(*arguments, **named)
    except BadAnswer as bad:
        failure, reason = bad.failure, bad.reason
    assert reason.endswith(".")
    return failure


def label(text: str, finish: str = "stop") -> object:
    return outcome(read_label, Reply(text, finish=finish), LABELS, OPTIONS)


def mix(text: str, finish: str = "stop") -> object:
    return outcome(read_mix, Reply(text, finish=finish), LABELS)


# --------------------------------------------------------------------------------------- labels


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
        ("```\nC\n```", 2),
        ("A)", 0),
        ("B: bet 2", 1),
        ("B: Bet 2.", 1),
        ("(C) vote P1", 2),
        ("I hold a bad card, so A is worse.\nAnswer: B", 1),
        ("Let me think. B? No.\n\n**Final answer: C**", 2),
        ("The answer is B.", 1),
        ("My final choice: B", 1),
        ("Not the answer: A\r\n**Answer:** `b`\r\n", 1),
        ("Answer: A\nI thought again.\nFinal answer = a", 0),
        ("> ## the FINAL\tanswer is (C)", 2),
    ],
)
def test_a_label_is_read(text, place):
    assert label(text) == place


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
        (Reply("B: bet 2, I think"), Failure.UNPARSABLE),
        (Reply("B:\nbet 2"), Failure.UNPARSABLE),
        (Reply("<|im_end|>"), Failure.UNPARSABLE),
        (Reply("1234567"), Failure.UNPARSABLE),
        (Reply("I'm sorry, but I can't help with that."), Failure.REFUSED),
        (Reply("As an AI language model I do not gamble"), Failure.REFUSED),
        (Reply("I cannot vote", finish="length"), Failure.REFUSED),
        (Reply("**I’m truly sorry**: no"), Failure.REFUSED),
        (Reply("I can"), Failure.UNPARSABLE),
        (Reply("A", finish="content_filter"), Failure.REFUSED),
        (Reply("A", refusal="no"), Failure.REFUSED),
    ],
)
def test_what_is_no_label_has_its_name(reply, failure):
    assert outcome(read_label, reply, LABELS, OPTIONS) is failure


@pytest.mark.parametrize(
    "text",
    [
        "Answera",
        "The answer isB",
        "not the answer: A",
        "wrong answer: A",
        "My answer: not A",
        "~~Answer: A~~",
        "Answer: A or B",
        "Answer: A, B",
        "Answer:\nA",
        "Answer: A\nOr is it?",
        "The\x0canswer:\u2028or not: A",
        "answer answer: A",
        "Answer:: A",
        "Answer: 1A",
    ],
)
def test_a_line_that_says_anything_else_gives_no_answer(text):
    assert label(text) is Failure.UNPARSABLE


@pytest.mark.parametrize("text", ["Answer: A\n...\nAnswer: B", "Answer: Q\n\nanswer b"])
def test_two_answers_are_none(text):
    assert label(text) is Failure.UNPARSABLE
    with pytest.raises(BadAnswer, match=r"You answered B and also [AQ]\."):
        read_label(Reply(text), LABELS, OPTIONS)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("ı", ("H", "I")),  # dotless; str.upper makes an I of it
        ("ſ", ("R", "S")),  # long s
        ("\N{KELVIN SIGN}", ("J", "K")),  # str.lower makes a k of it
        ("\N{FULLWIDTH LATIN CAPITAL LETTER A}", LABELS),
        ("\N{ARABIC-INDIC DIGIT ONE}", NUMBERS),
        ("\N{SUPERSCRIPT TWO}", NUMBERS),
        ("Anſwer: A", LABELS),
        ("The choıce is A", LABELS),
        ("Answer: ı", ("H", "I")),
    ],
)
def test_labels_and_words_are_ascii(text, labels):
    options = tuple(f"option {name}" for name in labels)
    assert outcome(read_label, Reply(text), labels, options) is Failure.UNPARSABLE
    object_ = json.dumps(dict.fromkeys([text, *labels[:-1]], 1), ensure_ascii=False)
    assert outcome(read_mix, Reply(object_), labels) is Failure.ILLEGAL


def test_an_option_is_compared_but_for_ascii_capitals():
    options = ("Straße", "Kelvin", "ends.", "x")
    labels = ("A", "B", "C", "D")
    for text, place in [("A: straße", 0), ("B: kELVIN", 1), ("C: ends.", 2), ("C: ends..", 2)]:
        assert read_label(Reply(text), labels, options) == place
    for text in ("A: STRASSE", "B: \N{KELVIN SIGN}elvin", "C: ends", "D: X Y", "D: x..", "D: "):
        assert outcome(read_label, Reply(text), labels, options) in {3, Failure.UNPARSABLE}
    assert outcome(read_label, Reply("A: STRASSE"), labels, options) is Failure.UNPARSABLE


# ------------------------------------------------------------------------------------- cut off


@pytest.mark.parametrize(
    "text", ["A", "A.", "A)", "A\n", "B: bet 2", "The answer is a", "Answer: B"]
)
def test_what_was_cut_off_may_have_gone_on(text):
    """As "A hard decision", "A) is weak, so B", "B: bet 20", "The answer is a riddle"."""
    assert label(text, "length") is Failure.TRUNCATED


def test_a_label_that_a_grammar_let_pass_is_whole_unless_another_begins_with_it():
    def read(text, labels):
        reply = Reply(text, finish="length")
        return outcome(read_label, reply, labels, labels, constrained=True)

    assert read("B", LABELS) == 1
    assert read("12", NUMBERS) == 11
    assert read("1", NUMBERS) is Failure.TRUNCATED
    assert read("1", NUMBERS[:9]) == 0
    for text in ("", "b", "B.", "Answer: B"):  # which the grammar admits not
        assert read(text, LABELS) is Failure.TRUNCATED
    assert outcome(read_label, Reply("b."), LABELS, LABELS, constrained=True) == 1


# ---------------------------------------------------------------------------------------- mixes


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ('{"A": 0.5, "B": 0.25, "C": 0.25}', (0.5, 0.25, 0.25)),
        ('{"C": 3, "a": 1, "B": 0}', (1.0, 0.0, 3.0)),
        ('```json\n{"A": 0, "B": 1, "C": 0}\n```', (0, 1, 0)),
        (' ```\n\n{"A": 70, "B": 20,\n "C": 10}```\n', (70.0, 20.0, 10.0)),
        ('{" A": 1, "B": 1, "C": 0}', (1.0, 1.0, 0.0)),
    ],
)
def test_a_mix_is_read_from_an_object_alone(text, stated):
    assert mix(text) == stated


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("", Failure.EMPTY),
        ("A half, B half", Failure.UNPARSABLE),
        ("{}", Failure.UNPARSABLE),
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
        ('{"A": 0, "B": 0.5, "C": 0.5, "A": 1}', Failure.UNPARSABLE),
        ('{"A": [1], "B": {"A": 1}, "C": 1}', Failure.UNPARSABLE),
        ('{"A": 0.5, "B"', Failure.UNPARSABLE),
        ("I'm unable to answer", Failure.REFUSED),
    ],
)
def test_what_is_no_mix_has_its_name(text, failure):
    assert mix(text) is failure


WHOLE = '{"A": 1, "B": 0, "C": 0}'


@pytest.mark.parametrize(
    "text",
    [
        f'{WHOLE} no: {{"A": 0, "B": 1',
        f"{WHOLE} or {{B}}",
        f"{WHOLE} {{",
        f"{WHOLE} }}",
        f'{{"answer": {WHOLE}',
        f"{WHOLE} is wrong; I meant the reverse.",
        f"I would not play {WHOLE}",
        f"Not this: {WHOLE}",
        f"{WHOLE}\n{WHOLE}",
        f"// {WHOLE}",
        f"{WHOLE}%",
        f"```json\n{WHOLE}\n```\nGood luck!",
        f"```json\n{WHOLE}\n```\n```json\n{WHOLE}\n```",
        f"<think>{WHOLE}</think>",
        f'{{"answer": {WHOLE}, "why": "',
    ],
)
def test_an_object_with_anything_around_it_is_none(text):
    assert mix(text) is Failure.UNPARSABLE
    assert mix(text, "length") is Failure.TRUNCATED


def test_of_what_was_cut_off_no_mix_is_read():
    assert mix(f"```json\n{WHOLE}\n```", "length") is Failure.TRUNCATED
    assert mix(WHOLE, "length") is Failure.TRUNCATED
    assert mix(f'{{"answer": {WHOLE}}}') is Failure.ILLEGAL


@pytest.mark.parametrize(
    "finish", ["stop", "STOP", "eos", "eos_token", "end_turn", "stop_sequence"]
)
def test_a_complete_answer_is_read_whatever_its_server_calls_it(finish):
    assert label("A", finish) == 0
    assert mix(WHOLE, finish) == (1, 0, 0)


@pytest.mark.parametrize(
    ("finish", "failure"),
    [
        *((f, Failure.TRUNCATED) for f in ("max_tokens", "MAX_TOKENS", "LENGTH", "model_length")),
        *((f, Failure.TRUNCATED) for f in ("abort", "error", "insufficient_system_resource", "")),
        *((f, Failure.REFUSED) for f in ("content_filter", "safety", "SAFETY", "refusal")),
    ],
)
def test_an_answer_that_is_not_known_to_be_complete_is_none(finish, failure):
    assert label("A", finish) is failure
    assert label("Answer: A", finish) is failure
    assert mix(WHOLE, finish) is failure
    assert label("", finish) is failure
    read = outcome(
        read_label, Reply("A", finish=finish), LABELS, OPTIONS, constrained=True
    )  # a grammar lets only the limit of tokens pass
    assert read == (0 if finish.lower() in ("max_tokens", "length", "model_length") else failure)


@given(st.text(max_size=12), st.sampled_from(["A", "Answer: B", WHOLE]))
def test_only_listed_endings_are_read(finish, text):
    assume(finish.lower() not in COMPLETE)
    assert isinstance(label(text, finish), Failure)
    assert isinstance(mix(text, finish), Failure)


def test_the_reason_of_a_text_that_is_not_complete_names_how_it_ended():
    for finish, named in (("abort", "'abort'"), ("", "none")):
        with pytest.raises(
            BadAnswer, match=rf"not known to be complete \(finish reason: {named}\)"
        ):
            read_label(Reply("A", finish=finish), LABELS, OPTIONS)


@pytest.mark.parametrize("text", ["I would pass", WHOLE + " or so", "{}", '{"A": 1}', '{"D": 1}'])
def test_who_states_no_mix_is_told_the_form_without_a_number(text):
    with pytest.raises(BadAnswer) as caught:
        read_mix(Reply(text), LABELS)
    wanted = "Answer with one JSON object alone, that gives each of A, B, C a probability."
    assert caught.value.reason.endswith(wanted)
    assert not any(sign.isdigit() for sign in caught.value.reason)


@given(st.lists(st.floats(0, max_value=sys.float_info.max), min_size=3, max_size=3))
def test_huge_numbers_are_a_mix_or_a_named_failure(weights):
    read = mix(json.dumps(dict(zip(LABELS, weights, strict=True))))
    assert read == tuple(weights) or read is Failure.UNPARSABLE


def test_a_sum_above_all_floats_is_named():
    largest, ulp = sys.float_info.max, 2.0**969  # math.fsum overflows, sum does not
    assert mix(json.dumps({"A": largest, "B": ulp, "C": ulp})) is Failure.UNPARSABLE


@pytest.mark.parametrize(
    "text",
    [
        "A: pass\nAnswer: B",
        "A\nAnswer: B",
        "(A) pass\n\nAnswer: B",
        "~~A~~\nAnswer: B",
        "**A.** It is safe.\nAnswer: B",
        "Answer: A?\nAnswer: B",
        "Answer: (A) pass\nAnswer: B",
        "Answer: A or B\nAnswer: B",
        "> My final choice is A, hm\nAnswer: B",
    ],
)
def test_a_label_put_forward_before_another_makes_none(text):
    assert label(text) is Failure.UNPARSABLE


@pytest.mark.parametrize(
    "text",
    [
        "A bad card, so I bet.\nAnswer: B",
        "The answer is a bet.\nAnswer: B",
        "Not A.\nAnswer: B",
        "B: bet 2\nAnswer: B",
        "1. I hold the queen.\n2. So I bet.\nAnswer: B",
        "A's odds are bad.\nAnswer: B",
    ],
)
def test_prose_before_the_answer_may_speak_of_labels(text):
    assert label(text) == 1


@pytest.mark.parametrize("digits", [400, 50_000])
def test_a_huge_number_is_no_probability(digits):
    assert mix('{"A": 1' + "0" * digits + ', "B": 0, "C": 0}') is Failure.UNPARSABLE


def test_first_tokens_without_a_label():
    assert no_label_probability(Reply("Hm")).failure is Failure.UNPARSABLE
    assert no_label_probability(Reply("")).failure is Failure.EMPTY
    assert no_label_probability(Reply("x", refusal="no")).failure is Failure.REFUSED
    # One token was wanted, so every answer was cut off after it.
    assert no_label_probability(Reply("Hm", finish="length")).failure is Failure.UNPARSABLE
    assert no_label_probability(Reply("", finish="length")).failure is Failure.EMPTY


# --------------------------------------------------------------------------------- hostile texts

PIECES = (
    *(" ", "\n", "\t", "(", "[", "((((", "{", '{"', '{"a":', '{"A": 1, ', "}", '"', '\\"', "\\"),
    *("answer ", "answer: ", "Answer: A\n", "the final ", "A", "A ", "A: ", "A.\n", "1", "*_`"),
    *("# ", "sorry ", "i am very ", "[" * 20, '{"A": [', "İ", "\x00", "\ud800"),
)


def hostile_texts(length: int) -> dict[str, str]:
    """Texts of a length that repeat a piece, before and after a legal beginning or end."""
    texts = {}
    for piece, begin, end in product(PIECES, ("", '{"A": '), ("", "A", ": A\n", "}")):
        middle = piece * (length // len(piece) + 1)
        texts[f"{begin!r} {piece!r} {end!r}"] = begin + middle[: length - len(begin + end)] + end
    return texts


def work(read, text: str) -> int:
    """How many functions are called to read a text, built-in ones included."""
    calls, before = 0, sys.getprofile()

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        read(text)
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_long_hostile_texts_are_all_read(finish):
    """Several hundred of them in seconds; backtracking needed minutes for one."""
    texts = hostile_texts(LONGEST)
    assert len(texts) > 200
    for text in texts.values():
        assert len(text) == LONGEST
        assert label(text, finish) in {0, 1, 2, *Failure}
        stated = mix(text, finish)
        assert isinstance(stated, tuple | Failure)


@pytest.mark.parametrize("read", [label, mix])
def test_work_grows_with_the_length_of_a_text_not_faster(read):
    short, long = hostile_texts(1000), hostile_texts(4000)
    for name in short:
        assert work(read, long[name]) <= 4 * work(read, short[name]) + 100, name


@pytest.mark.parametrize("read", [label, mix])
def test_a_text_that_is_too_long_is_no_answer(read):
    """Not even if its first 100,000 characters, or its last, would be one."""
    for answer in ("A", WHOLE, "Answer: A"):
        for text in (answer + " " * LONGEST, " " * LONGEST + answer, "x\n" * LONGEST + answer):
            assert read(text) is Failure.UNPARSABLE
            assert read(text, "length") is Failure.TRUNCATED


# ------------------------------------------------------------------------------------ properties

FINISHES = st.sampled_from(["stop", "length", "content_filter", "tool_calls"])
# Texts that come close: made from what answers are made from.
CRUMBS = st.sampled_from(
    [
        *"ABCabc17 .:=()\n*'\"{},",
        "answer",
        "The ",
        "is ",
        "final ",
        "choice",
        "bet 2",
        "0.5",
        "not ",
    ]
)
NEAR = st.lists(CRUMBS, max_size=12).map("".join)


@given(st.text() | NEAR, FINISHES, st.booleans())
def test_nothing_but_a_label_or_a_named_failure_comes_out(text, finish, constrained):
    reply = Reply(text, finish=finish)
    read = outcome(read_label, reply, LABELS, OPTIONS, constrained=constrained)
    assert read in {0, 1, 2, *Failure}
    stated = outcome(read_mix, reply, LABELS)
    assert isinstance(stated, Failure) or (isinstance(stated, tuple) and len(stated) == 3)


@given(st.text(alphabet=st.characters(exclude_characters="aAbBcC"), max_size=200))
def test_a_text_without_a_label_names_none(text):
    assert isinstance(label(text), Failure)


@given(st.lists(st.sampled_from(["I", "would", "bet", "answer", "a", "B", "C", "is"]), min_size=2))
def test_prose_is_not_searched(words):
    assume(" ".join(words[:-1]) not in ("answer", "answer is"))
    assert label(" ".join(words)) is Failure.UNPARSABLE


ORNAMENTS = st.sampled_from(
    [("", ""), ("(", ")"), ("[", "]"), ('"', '"'), ("**", "**"), ("`", "`"), ("", "."), (" ", "\n")]
)
LINES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).filter(
    lambda text: not {"answer", "choice", *"abc"} & set(re.split("[^a-z0-9]+", text.lower()))
)


@st.composite
def answers(draw, labels=LABELS) -> tuple[str, int]:
    """A text of an accepted form, and the place of the label in it."""
    place = draw(st.integers(0, len(labels) - 1))
    name = draw(st.sampled_from([labels[place], labels[place].lower()]))
    for begin, end in draw(st.lists(ORNAMENTS, max_size=3)):
        name = begin + name + end
    if draw(st.booleans()):
        return name, place
    phrase = draw(st.sampled_from(["Answer:", "the answer is", "My Final Choice =", "**Answer:**"]))
    reasoning = "".join(line + "\n" for line in draw(st.lists(LINES, max_size=5)))
    return f"{reasoning}{phrase} {name.strip()}", place


@given(answers())
def test_an_ornamented_label_is_read(answer):
    text, place = answer
    assert label(text) == place


@given(answers(), st.data())
def test_what_is_left_of_an_answer_never_names_another_label(answer, data):
    text, place = answer
    cut = text[: data.draw(st.integers(0, len(text)))]
    assert label(cut, "length") in {place, *Failure}


@given(st.sampled_from(NUMBERS), st.data())
def test_what_is_left_of_a_number_under_a_grammar_never_names_another(name, data):
    cut = Reply(name[: data.draw(st.integers(0, len(name)))], finish="length")
    read = outcome(read_label, cut, NUMBERS, NUMBERS, constrained=True)
    assert read in {NUMBERS.index(name), Failure.TRUNCATED}


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=3).filter(lambda x: sum(x) > 0))
def test_a_mix_survives_the_way_through_text(weights):
    text = json.dumps(dict(zip(LABELS, weights, strict=True)))
    assert mix(text) == tuple(weights)
    assert mix(f"\n```json\n{text}\n```\n") == tuple(weights)


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=3).filter(lambda x: sum(x) > 0), st.data())
def test_what_is_left_of_a_mix_is_no_other_mix(weights, data):
    text = json.dumps(dict(zip(LABELS, weights, strict=True)))
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    assert mix(cut, "length") is Failure.TRUNCATED
    assert isinstance(mix(cut), Failure)
