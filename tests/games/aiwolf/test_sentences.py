"""Sentences of the AIWolf protocol: they read back the same, and what is none is refused by column."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.aiwolf import (
    ANY,
    Action,
    Channel,
    Claim,
    Compound,
    Dated,
    Operator,
    Opinion,
    Quiet,
    Request,
    Result,
    Role,
    Sentence,
    Silence,
    Species,
    TalkNumber,
    Verb,
    explicit,
    parse_sentence,
)
from crywolf.games.aiwolf.sentences import MAX_DEPTH
from crywolf.games.aiwolf.vocabulary import ACTIONS, CLAIMS, MAX_AGENT, MAX_NUMBER, PAIRS, RESULTS
from crywolf.games.errors import CrywolfError, ParameterError, SentenceError

AGENTS = st.integers(1, MAX_AGENT) | st.just(ANY)
SUBJECTS = st.none() | AGENTS
NUMBERS = st.integers(0, MAX_NUMBER)
TALKS = st.builds(TalkNumber, NUMBERS, NUMBERS, st.sampled_from(Channel))
SIMPLE = (
    st.builds(Silence, st.sampled_from(Quiet))
    | st.builds(Claim, st.sampled_from(CLAIMS), AGENTS, st.sampled_from(Role), SUBJECTS)
    | st.builds(Result, st.sampled_from(RESULTS), AGENTS, st.sampled_from(Species), SUBJECTS)
    | st.builds(Action, st.sampled_from(ACTIONS), AGENTS, SUBJECTS)
    | st.builds(Opinion, st.sampled_from([Verb.AGREE, Verb.DISAGREE]), TALKS, SUBJECTS)
)


def compounds(inside: st.SearchStrategy[Sentence]) -> st.SearchStrategy[Sentence]:
    """Every operator, applied to sentences."""
    two = st.tuples(inside, inside)
    several = st.lists(inside, min_size=1, max_size=4).map(tuple)
    requests = st.sampled_from([Operator.REQUEST, Operator.INQUIRE])
    return (
        st.builds(Request, requests, AGENTS, inside, SUBJECTS)
        | st.builds(Dated, NUMBERS, inside, SUBJECTS)
        | st.builds(Compound, st.just(Operator.NOT), st.tuples(inside), SUBJECTS)
        | st.builds(Compound, st.sampled_from(PAIRS), two, SUBJECTS)
        | st.builds(Compound, st.sampled_from([Operator.AND, Operator.OR]), several, SUBJECTS)
    )


SENTENCES = st.recursive(SIMPLE, compounds, max_leaves=12)


# -------------------------------------------------------------------------------- there and back


@given(SENTENCES)
def test_sentences_read_back_the_same(sentence: Sentence):
    assert parse_sentence(str(sentence)) == sentence


@given(SENTENCES, st.data())
def test_spacing_does_not_matter(sentence: Sentence, data: st.DataObject):
    """White space of any kind between words, none or some around brackets."""
    words = re.findall(r"[()]|[^\s()]+", str(sentence))
    text = data.draw(st.sampled_from(["", " ", "\t"]))
    for word, after in zip(words, [*words[1:], "("], strict=True):
        least = 0 if word in "()" or after in "()" else 1
        text += word + data.draw(st.text(" \t\u3000", min_size=least, max_size=2))
    assert parse_sentence(text) == sentence
    assert str(parse_sentence(text)) == str(sentence)


@given(SENTENCES, st.integers(1, MAX_AGENT))
def test_explicit_sentences_leave_no_subject_out(sentence: Sentence, speaker: int):
    full = explicit(sentence, speaker)
    waiting = [full]
    while waiting:
        part = waiting.pop()
        assert isinstance(part, Silence) or part.subject is not None
        waiting += part.parts
    assert explicit(full, 1) == full
    assert parse_sentence(str(full)) == full


KNOWN: list[tuple[str, Sentence]] = [
    ("Skip", Silence(Quiet.SKIP)),
    ("Over", Silence(Quiet.OVER)),
    ("VOTE Agent[03]", Action(Verb.VOTE, 3)),
    ("Agent[01] VOTED ANY", Action(Verb.VOTED, ANY, 1)),
    ("ANY GUARD Agent[12]", Action(Verb.GUARD, 12, ANY)),
    ("COMINGOUT Agent[02] MEDIUM", Claim(Verb.COMINGOUT, 2, Role.MEDIUM)),
    ("Agent[04] ESTIMATE ANY POSSESSED", Claim(Verb.ESTIMATE, ANY, Role.POSSESSED, 4)),
    ("DIVINED Agent[02] HUMAN", Result(Verb.DIVINED, 2, Species.HUMAN)),
    ("AGREE TALK day2 ID:3", Opinion(Verb.AGREE, TalkNumber(2, 3))),
    (
        "REQUEST ANY (DIVINATION Agent[01])",
        Request(Operator.REQUEST, ANY, Action(Verb.DIVINATION, 1)),
    ),
    ("DAY 1 (ATTACKED Agent[05])", Dated(1, Action(Verb.ATTACKED, 5))),
    (
        "Agent[01] BECAUSE (Agent[02] VOTED Agent[03]) (VOTE Agent[03])",
        Compound(Operator.BECAUSE, (Action(Verb.VOTED, 3, 2), Action(Verb.VOTE, 3)), 1),
    ),
    (
        "OR (NOT (VOTE Agent[01])) (VOTE Agent[02]) (Skip)",
        Compound(
            Operator.OR,
            (
                Compound(Operator.NOT, (Action(Verb.VOTE, 1),)),
                Action(Verb.VOTE, 2),
                Silence(Quiet.SKIP),
            ),
        ),
    ),
]


@pytest.mark.parametrize(("text", "sentence"), KNOWN, ids=[text for text, _ in KNOWN])
def test_known_sentences(text: str, sentence: Sentence):
    assert parse_sentence(text) == sentence
    assert str(sentence) == text


@pytest.mark.parametrize(
    ("variant", "canonical"),
    [
        ("SKIP", "Skip"),
        ("OVER", "Over"),
        ("VOTE Agent[3]", "VOTE Agent[03]"),
        ("AGREE TALK day:2 ID:3", "AGREE TALK day2 ID:3"),
        ("AGREE day2 ID3", "AGREE TALK day2 ID:3"),
        ("DISAGREE WHISPER 2 3", "DISAGREE WHISPER day2 ID:3"),
        ("AND(VOTE ANY)(Over)", "AND (VOTE ANY) (Over)"),
    ],
)
def test_variants(variant: str, canonical: str):
    assert str(parse_sentence(variant)) == canonical


def test_subjects_left_out():
    """In a request it is who is asked, elsewhere the subject around it."""
    text = "REQUEST Agent[02] (AND (VOTE Agent[03]) (Agent[04] VOTE Agent[03]))"
    assert str(explicit(parse_sentence(text), 1)) == (
        "Agent[01] REQUEST Agent[02] (Agent[02] AND (Agent[02] VOTE Agent[03]) "
        "(Agent[04] VOTE Agent[03]))"
    )
    text = "BECAUSE (DAY 1 (DIVINED Agent[02] HUMAN)) (INQUIRE ANY (VOTE Agent[03]))"
    assert str(explicit(parse_sentence(text), 7)) == (
        "Agent[07] BECAUSE (Agent[07] DAY 1 (Agent[07] DIVINED Agent[02] HUMAN)) "
        "(Agent[07] INQUIRE ANY (ANY VOTE Agent[03]))"
    )


# -------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 1, "a verb or an operator, found the end"),
        ("   ", 4, "found the end of the text"),
        ("VOTEE Agent[01]", 1, "did you mean VOTE?"),
        ("vote Agent[01]", 1, "did you mean VOTE?"),
        ("I think so", 1, "say, VOTE Agent[01]"),
        ("Agent[01]", 10, "expected a verb or an operator"),
        ("Agent[01] Skip", 11, "expected a verb or an operator, found 'Skip'"),
        ("Agent 1 VOTE ANY", 1, "write Agent[01] or ANY"),
        ("VOTE", 5, "the target of VOTE"),
        ("VOTE Agent[00]", 6, "an open agent is written ANY"),
        ("VOTE Agent[100]", 6, "from Agent[01] to Agent[99]"),
        (f"VOTE Agent[{'9' * 5000}]", 6, "found 'Agent[999"),
        ("VOTE Agent[１]", 6, "write Agent[01] or ANY"),
        ("VOTE ANY ANY", 10, "the end of the sentence"),
        ("VOTE ANY)", 9, "the end of the sentence"),
        ("(VOTE ANY)", 1, "brackets stand around the arguments"),
        ("COMINGOUT Agent[01] FOX", 21, "write VILLAGER or SEER"),
        ("COMINGOUT Agent[01] HUMAN", 21, "a role, found 'HUMAN'"),
        ("DIVINED Agent[01] SEER", 19, "write HUMAN or WEREWOLF"),
        ("AGREE TALK day2", 16, "the number of the talk"),
        ("AGREE Agent[01]", 7, "write TALK day2 ID:3"),
        ("AGREE TALK day10000 ID:1", 12, "a number up to 9,999"),
        ("DAY (VOTE ANY)", 5, "write DAY 1 (...)"),
        ("DAY 123456 (VOTE ANY)", 5, "a number up to 9,999"),
        ("DAY -1 (VOTE ANY)", 5, "the number of the day"),
        ("NOT VOTE ANY", 5, "NOT needs one sentence in brackets"),
        ("NOT (VOTE ANY", 14, "every ( needs a )"),
        ("NOT (VOTE ANY) (VOTE ANY)", 16, "the end of the sentence"),
        ("NOT ()", 6, "a verb or an operator, found ')'"),
        ("XOR (VOTE ANY)", 15, "XOR needs two sentences"),
        ("BECAUSE (VOTE ANY) (Skip) (Skip)", 27, "the end of the sentence"),
        ("AND", 4, "AND needs sentences in brackets"),
        ("REQUEST (VOTE ANY)", 9, "whom the REQUEST is for"),
        ("REQUEST ANY VOTE ANY", 13, "REQUEST needs one sentence"),
        ("AND (VOTE ANY) (NOT (VOTE Agent[]))", 27, "the target of VOTE"),
    ],
)
def test_what_is_no_sentence_is_refused(text: str, column: int, words: str):
    with pytest.raises(SentenceError) as refusal:
        parse_sentence(text)
    assert refusal.value.column == column
    assert f"column {column}: " in str(refusal.value)
    assert words in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_nesting_is_bounded():
    deepest = "NOT (" * MAX_DEPTH + "Skip" + ")" * MAX_DEPTH
    sentence = parse_sentence(deepest)
    assert sentence.depth == MAX_DEPTH
    assert str(sentence) == deepest
    with pytest.raises(SentenceError, match=f"more than {MAX_DEPTH} operators") as refusal:
        parse_sentence(f"AND ({deepest})")
    assert refusal.value.column == len("AND (") + 5 * (MAX_DEPTH - 1) + 1
    with pytest.raises(SentenceError, match="more than"):
        parse_sentence("NOT (" * 100_000)
    with pytest.raises(ParameterError, match="more than"):
        Dated(1, sentence)


@given(st.text("()ANY gent[0123] VOTEDISRQUX:day", max_size=60) | st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str):
    try:
        sentence = parse_sentence(text)
    except SentenceError as refusal:
        column = refusal.column
    else:
        column = 1
        assert parse_sentence(str(sentence)) == sentence
    assert 1 <= column <= len(text) + 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: Action(Verb.VOTE, 0),
        lambda: Action(Verb.VOTE, 100),
        lambda: Action(Verb.VOTE, True),
        lambda: Action(Verb.VOTE, 1, subject="all"),  # type: ignore[arg-type]
        lambda: Action(Verb.DIVINED, 1),
        lambda: Action("VOTE", 1),  # type: ignore[arg-type]
        lambda: Claim(Verb.COMINGOUT, 1, Species.HUMAN),  # type: ignore[arg-type]
        lambda: Result(Verb.DIVINED, 1, Role.WEREWOLF),  # type: ignore[arg-type]
        lambda: Opinion(Verb.VOTE, TalkNumber(1, 1)),
        lambda: Opinion(Verb.AGREE, (1, 1)),  # type: ignore[arg-type]
        lambda: TalkNumber(-1, 1),
        lambda: TalkNumber(1, MAX_NUMBER + 1),
        lambda: Silence(Verb.VOTE),  # type: ignore[arg-type]
        lambda: Dated(-1, Silence(Quiet.SKIP)),
        lambda: Dated(1, "Skip"),  # type: ignore[arg-type]
        lambda: Compound(Operator.NOT, ()),
        lambda: Compound(Operator.AND, ()),
        lambda: Compound(Operator.XOR, (Silence(Quiet.SKIP),)),
        lambda: Compound(Operator.DAY, (Silence(Quiet.SKIP),)),
        lambda: Request(Operator.AND, 1, Silence(Quiet.SKIP)),
        lambda: explicit("Skip", 1),  # type: ignore[arg-type]
    ],
)
def test_values_that_are_no_sentence_are_refused(make: Any):
    with pytest.raises(ParameterError):
        make()


def test_errors_are_of_the_family():
    assert issubclass(SentenceError, CrywolfError)
