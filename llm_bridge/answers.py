"""Reading answers: strictly, so that no move is ever guessed.

An answer counts if it has the form that was asked for. Prose is not searched for something legal.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence

from ..games.errors import LanguageModelError
from .chat import Reply
from .failures import Failure

LABEL = re.compile(r"[\s\"'`*_(\[]*([A-Za-z]|\d{1,6})[\s\"'`*_)\].:,;!]*")
"""A label alone, perhaps in quotation marks, brackets or emphasis, or followed by a full stop."""
LABELLED_OPTION = re.compile(r"\s*\(?([A-Za-z]|\d{1,6})[):.]\s*(\S.*?)\s*\.?\s*")
"""A label with its option, as in the menu: ``B: bet``."""
LAST_LINE = re.compile(
    r"(?:.*\n)?\W*(?:(?:my|the)\s+)?(?:final\s+)?(?:answer|choice)(?:\s+is)?\s*[:=]?"
    r"[\s\"'`*_(\[]*([A-Za-z]|\d{1,6})[\s\"'`*_)\].]*",
    re.IGNORECASE | re.DOTALL,
)
"""Reasoning that ends in ``Answer: B``."""
REFUSAL = re.compile(
    r"(?i)^\W*(?:sorry,|i(?: am|['’]?m) (?:very |truly )?(?:sorry|unable|not able)|"
    r"i apologi[sz]e|i can(?:no|['’])t\b|i (?:will not|won['’]t|must decline)\b|as an ai\b)"
)
"""How models decline."""
LONGEST = 100_000
"""Characters of an answer that are read; more is not an answer."""


class BadAnswer(LanguageModelError):
    """An answer that names no move. Elicitations catch it, count it, and ask again or give up.

    Attributes:
        failure: its kind.
        reason: what is wrong with it, as the model is told.
    """

    def __init__(self, failure: Failure, reason: str):
        super().__init__(reason)
        self.failure = failure
        self.reason = reason


def read_label(reply: Reply, labels: Sequence[str], options: Sequence[str]) -> int:
    """The position of the label that an answer names.

    Args:
        reply: the reply.
        labels: the labels shown.
        options: what they stand for.

    Raises:
        BadAnswer: it names none, or one that is not shown.
    """
    text = _text(reply)
    found = LABEL.fullmatch(text) or LAST_LINE.fullmatch(text)
    option = None
    if found is None:
        found = LABELLED_OPTION.fullmatch(text)
        option = found and found[2]
    if found is None:
        raise _no_answer(reply, text, f"That is not one of the labels {_list(labels)} alone.")
    name = found[1].upper()
    if name not in labels:
        raise BadAnswer(Failure.ILLEGAL, f"{name} is not one of the options {_list(labels)}.")
    place = labels.index(name)
    if option is not None and option.casefold() != options[place].casefold():
        raise _no_answer(reply, text, f"{name} stands for {options[place]}, not for {option}.")
    return place


def read_mix(reply: Reply, labels: Sequence[str]) -> tuple[float, ...]:
    """The probabilities of the labels in the last JSON object of an answer, as stated.

    Raises:
        BadAnswer: there is no JSON object, or it does not give each label one number >= 0 with a
            positive sum.
    """
    text = _text(reply)
    stated = _last_object(text)
    wanted = f"a JSON object that gives each of {_list(labels)} a probability"
    if stated is None:
        raise _no_answer(reply, text, f"That is not {wanted}.")
    named = {name.strip().upper(): value for name, value in stated.items()}
    foreign = [name for name in named if name not in labels]
    if foreign:
        raise BadAnswer(Failure.ILLEGAL, f"{foreign[0]} is not one of the options {_list(labels)}.")
    weights = [_weight(named.get(label)) for label in labels]
    if len(named) != len(stated) or not all(map(math.isfinite, weights)):
        raise BadAnswer(Failure.UNPARSABLE, f"That is not {wanted}.")
    if not 0 < sum(weights) < math.inf:
        raise BadAnswer(Failure.UNPARSABLE, "The probabilities sum to 0.")
    return tuple(weights)


def no_label_probability(reply: Reply) -> BadAnswer:
    """What is wrong with a reply whose listed first tokens hold no label."""
    try:
        text = _text(reply)
    except BadAnswer as bad:
        return bad
    return _no_answer(reply, text, "No label is among the likely first tokens.")


def _text(reply: Reply) -> str:
    """The text of a reply that is neither refused nor empty."""
    if reply.refusal or reply.finish == "content_filter":
        raise BadAnswer(Failure.REFUSED, "You declined to answer.")
    text = reply.text.strip()
    if not text:
        kind = Failure.TRUNCATED if reply.finish == "length" else Failure.EMPTY
        raise BadAnswer(kind, "There was no answer.")
    return text[:LONGEST]


def _no_answer(reply: Reply, text: str, reason: str) -> BadAnswer:
    """The kind of a text that could not be read."""
    if REFUSAL.match(text):
        return BadAnswer(Failure.REFUSED, "You declined to answer.")
    if reply.finish == "length":
        return BadAnswer(Failure.TRUNCATED, "The answer was too long and was cut off.")
    return BadAnswer(Failure.UNPARSABLE, reason)


def _last_object(text: str) -> Mapping[str, object] | None:
    decoder = json.JSONDecoder()
    found, place = None, text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            found = value
        place = text.find("{", end)
    return found


def _weight(value: object) -> float:
    """The value, or NaN if it is no number >= 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value) if value >= 0 else math.nan
    except OverflowError:
        return math.nan


def _list(labels: Sequence[str]) -> str:
    return ", ".join(labels) if len(labels) <= 10 else f"{labels[0]} to {labels[-1]}"
