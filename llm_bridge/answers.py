"""Reading answers: strictly, so that no move is ever guessed.

An answer counts if it has the form that was asked for. Prose is not searched for something legal,
and of a text that was cut off it is not known what it would have said. Every text is read in time
linear in its length.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, whitespace

from ..games.errors import LanguageModelError
from .chat import Reply
from .failures import Failure
from .finishes import COMPLETE, cut_off, is_at_limit, is_complete, is_declined

LONGEST = 100_000
"""Characters of an answer; more is no answer."""

# Around a label. Quotation marks, brackets, emphasis and, after it, a full stop are ornament.
_QUOTES = whitespace + "\"'`*_"
_OPENING = _QUOTES + "(["
_CLOSING = _QUOTES + ")]."
_AFTER_LABEL_ALONE = _CLOSING + ":,;!"
_BEFORE_LINE = _OPENING + "#>-"  # marks of headings, quotations and lists

_LABEL_LENGTH = 6  # digits
# ASCII only, because Unicode takes other letters for these: upper() makes an I of a dotless i.
_UPPER = str.maketrans(ascii_lowercase, ascii_uppercase)
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)

_PHRASES = frozenset(
    " ".join(filter(None, words))
    for words in product(("", "my", "the"), ("", "final"), ("answer", "choice"), ("", "is"))
)
"""What stands before the label in a line that gives the answer: ``my final choice is``."""
# A line that puts a label forward, in any of the forms that are read or close to them. A lower-case
# letter in the middle of a line is hardly a label ("the answer is a bet").
_CLAIM = re.compile(
    r"""[^A-Za-z0-9]*
    (?:(?i:(?:(?:my|the)\s+)?(?:final\s+)?(?:answer|choice)(?P<firm>\s+is\b|(?=[^A-Za-z0-9]*[:=]))?)
       [^A-Za-z0-9]+)?
    (?P<label>[A-Za-z]|[0-9]{1,6})(?P<rest>$|[^A-Za-z0-9'’].*)""",
    re.VERBOSE | re.DOTALL,
)
_FENCE = re.compile(r"```(?:json)?\s(.*)```", re.DOTALL | re.IGNORECASE)

_REFUSALS = (
    *("sorry ", "i am sorry ", "im sorry ", "i apologize ", "i apologise "),
    *("i am unable ", "im unable ", "i am not able ", "im not able ", "i cannot ", "i cant "),
    *("i will not ", "i wont ", "i must decline ", "as an ai "),
)
"""How models decline; apostrophes are left out."""
_SHOWN = 200
"""Characters in which a refusal shows itself, and of an answer that are quoted to the model."""


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


def read_label(
    reply: Reply, labels: Sequence[str], options: Sequence[str], *, constrained: bool = False
) -> int:
    """The position of the label that an answer names.

    Three forms are read: a label alone (``B``, ``(b).``); a label with its option, as in the menu
    (``B: bet``); and reasoning whose last line is ``Answer: B``, ``The answer is B``, ``My final
    choice: B`` or the like, and nothing else. No line before it may put another label forward, in
    any of these forms.

    Args:
        reply: the reply.
        labels: the labels shown.
        options: what they stand for.
        constrained: whether a grammar admitted nothing but the labels.

    Raises:
        BadAnswer: it names none, or one that is not shown, or several; or it is not known to be
            complete (see `finishes`).
    """
    text = _text(reply)
    # What was cut off may have gone on in any way ("A" as "A hard decision", "1" as "12", "A)" as
    # "A) is weak, so B"), unless a grammar let nothing follow but another label's end.
    whole = constrained and is_at_limit(reply) and _is_whole(text, labels)
    if not (is_complete(reply) or whole):
        raise _no_answer(reply, text)
    name, option = _named(text, labels)
    if name is None:
        raise _no_answer(reply, text, f"That is not one of the labels {_list(labels)} alone.")
    if name not in labels:
        raise BadAnswer(Failure.ILLEGAL, f"{name} is not one of the options {_list(labels)}.")
    place = labels.index(name)
    if option is not None and not _same_option(option, options[place]):
        reason = f"{name} stands for {options[place]}, not for {option[:_SHOWN]}."
        raise _no_answer(reply, text, reason)
    return place


def read_mix(reply: Reply, labels: Sequence[str]) -> tuple[float, ...]:
    """The probabilities of the labels in an answer that is a JSON object, as stated.

    The object may stand in a code fence; any other text could take it back, and is refused.

    Raises:
        BadAnswer: the answer is no JSON object that gives each label one number >= 0 with a
            positive, finite sum, or more than that; or it is not known to be complete.
    """
    text = _text(reply)
    wanted = f"Answer with one JSON object alone, that gives each of {_list(labels)} a probability."
    stated = _object(text) if is_complete(reply) else None
    if stated is None:
        raise _no_answer(reply, text, wanted)
    names = [name.strip().translate(_UPPER) for name, _ in stated]
    foreign = [name for name in names if name not in labels]
    if foreign:
        reason = f"{foreign[0][:_SHOWN]} is not one of the options {_list(labels)}. {wanted}"
        raise BadAnswer(Failure.ILLEGAL, reason)
    weights = dict(zip(names, (_weight(value) for _, value in stated), strict=True))
    once_each = len(stated) == len(weights) == len(labels)
    if not once_each or not all(map(math.isfinite, weights.values())):
        raise BadAnswer(Failure.UNPARSABLE, wanted)
    total = _sum(weights.values())
    if not 0 < total < math.inf:
        raise BadAnswer(Failure.UNPARSABLE, f"The probabilities sum to {total:g}. {wanted}")
    return tuple(weights[label] for label in labels)


def no_label_probability(reply: Reply) -> BadAnswer:
    """What is wrong with a reply whose listed first tokens hold no label."""
    # One token was asked for: that nothing comes after it is no fault.
    whole = replace(reply, finish=min(COMPLETE)) if is_at_limit(reply) else reply
    try:
        text = _text(whole)
    except BadAnswer as bad:
        return bad
    return _no_answer(whole, text, "No label is among the likely first tokens.")


# --------------------------------------------------------------------------------- what is said


def _text(reply: Reply) -> str:
    """The text of a reply that is neither refused nor empty, nor endless."""
    if is_declined(reply):
        raise BadAnswer(Failure.REFUSED, "You declined to answer.")
    complete = is_complete(reply)
    if len(reply.text) > LONGEST:
        kind = Failure.UNPARSABLE if complete else Failure.TRUNCATED
        raise BadAnswer(kind, "The answer was too long.")
    text = reply.text.strip()
    if not text and complete:
        raise BadAnswer(Failure.EMPTY, "There was no answer.")
    if not text:
        raise BadAnswer(Failure.TRUNCATED, f"There was no answer. {cut_off(reply)}")
    return text


def _no_answer(reply: Reply, text: str, reason: str = "") -> BadAnswer:
    """The kind of a text that could not be read; the reason is that of a text not cut off."""
    if _declines(text):
        return BadAnswer(Failure.REFUSED, "You declined to answer.")
    if not is_complete(reply):
        return BadAnswer(Failure.TRUNCATED, cut_off(reply))
    return BadAnswer(Failure.UNPARSABLE, reason)


def _declines(text: str) -> bool:
    opening = text[:_SHOWN].lower().replace("'", "").replace("’", "")
    words = "".join(c if c.isalnum() else " " for c in opening).split()
    plain = " ".join(word for word in words if word not in ("very", "truly"))
    return f"{plain} ".startswith(_REFUSALS)


# --------------------------------------------------------------------------------------- labels


def _named(text: str, labels: Sequence[str]) -> tuple[str | None, str | None]:
    """The label that a text names and, if it is given with it, the option."""
    alone = _label(text.lstrip(_OPENING).rstrip(_AFTER_LABEL_ALONE))
    if alone is not None:
        return alone, None
    *before, last = text.rstrip(_CLOSING).split("\n")
    answer = _label_given(last)
    if answer is None:
        return _label_with_option(text)
    put_forward = {_label_given(line) or _claimed(line, labels) for line in before}
    others = sorted(name for name in put_forward - {answer} if name is not None)
    if others:
        reason = f"You answered {answer} and also {others[0]}."
        raise BadAnswer(Failure.UNPARSABLE, reason)
    return answer, None


def _claimed(line: str, labels: Sequence[str]) -> str | None:
    """The label shown that a line puts forward: ``B``, ``(B) bet``, ``Answer: B or so``."""
    found = _CLAIM.match(line)
    if found is None:
        return None
    label, rest = found["label"], found["rest"]
    in_prose = rest[:1] == " " and rest.strip() != "" and rest.lstrip()[0].isalnum()
    if in_prose and (found["firm"] is None or label.islower()):
        return None
    name = label.translate(_UPPER)
    return name if name in labels else None


def _label(text: str) -> str | None:
    """The label, in capitals, that a text consists of: one letter, or a number."""
    if not text.isascii():
        return None
    letter = len(text) == 1 and text.isalpha()
    number = text.isdigit() and len(text) <= _LABEL_LENGTH
    return text.translate(_UPPER) if letter or number else None


def _label_given(line: str) -> str | None:
    """The label in a line that consists of ``Answer: B`` or the like."""
    line = line.rstrip(_CLOSING)
    before = line.rstrip(ascii_letters + digits)
    phrase = before.rstrip(_OPENING)
    if phrase.endswith((":", "=")):
        phrase = phrase[:-1]
    words = phrase.lstrip(_BEFORE_LINE).translate(_LOWER).split()
    return _label(line[len(before) :]) if " ".join(words) in _PHRASES else None


def _label_with_option(text: str) -> tuple[str | None, str | None]:
    """The two parts of ``B: bet``."""
    inside = text.removeprefix("(")
    rest = inside.lstrip(ascii_letters + digits)
    name = _label(inside[: len(inside) - len(rest)])
    if name is None or "\n" in text or not rest.startswith((":", ")", ".")):
        return None, None
    return name, rest[1:].strip()


def _same_option(said: str, shown: str) -> bool:
    """Whether an option is the one shown, but for ASCII capitals and a full stop after it."""
    said, shown = said.translate(_LOWER), shown.translate(_LOWER)
    return shown in (said, said.removesuffix(".").rstrip())


def _is_whole(text: str, labels: Sequence[str]) -> bool:
    """Whether a text is a label that no other label begins with."""
    return [label for label in labels if label.startswith(text)] == [text]


# ---------------------------------------------------------------------------------------- mixes


def _object(text: str) -> tuple[tuple[str, object], ...] | None:
    """The entries of the JSON object that a text consists of, but for a code fence around it."""
    fenced = _FENCE.fullmatch(text)
    inside = (text if fenced is None else fenced[1]).strip()
    if not inside.startswith("{"):
        return None
    decoder = json.JSONDecoder(object_pairs_hook=tuple, parse_int=float)  # of any length
    try:
        return decoder.decode(inside)
    except (ValueError, RecursionError):
        return None


def _sum(weights: Iterable[float]) -> float:
    """The sum; infinity if it is too large for a float, which `math.fsum` does not say."""
    try:
        return math.fsum(weights)
    except OverflowError:
        return math.inf


def _weight(value: object) -> float:
    """The value, or NaN if it is no number >= 0."""
    return value if isinstance(value, float) and value >= 0 else math.nan


def _list(labels: Sequence[str]) -> str:
    return ", ".join(labels) if len(labels) <= 10 else f"{labels[0]} to {labels[-1]}"
