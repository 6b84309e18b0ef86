"""Dialects: the forms in which one `Question` is sent, and how the reply is read.

Pure functions, so that a replay can form the bodies, and with them the keys of the calls, without
any backend.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...games.errors import LanguageModelError, ParameterError
from ..chat import Body, Question, Reply
from ..failures import Failure, PaidInVain

OPENAI = "openai"
"""The fields of OpenAI's chat completions and no others, because strict servers refuse others."""
OPENAI_COMPLETION = "openai/max_completion_tokens"
"""The same for servers that take ``max_completion_tokens`` instead of ``max_tokens``."""
LLAMA_CPP = "llama.cpp"
"""All of llama.cpp's sampling parameters, and a grammar that admits nothing but an answer."""
SCRIPTED = "scripted"
"""The question itself, for `ScriptedBackend`."""

CONSTRAINED = frozenset({LLAMA_CPP})
"""Dialects with a grammar, under which a drawn answer cannot but be a label."""

_OPENAI_TOP = 20  # the most that the protocol allows
_LLAMA_TOP = 1000
# A server's defaults would change the policy without a word (top_k 40, top_p 0.95, min_p 0.05).
_LLAMA_SAMPLING: Body = {
    "samplers": ["temperature"],
    "top_k": 0,
    "min_p": 0.0,
    "typical_p": 1.0,
    "top_n_sigma": -1.0,
    "xtc_probability": 0.0,
    "dry_multiplier": 0.0,
    "repeat_penalty": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "mirostat": 0,
    "dynatemp_range": 0.0,
    "cache_prompt": False,
}
_ROUNDING = 1e-3  # by which probabilities in single precision may exceed 1
_SHOWN = 300  # characters of a malformed reply


# ------------------------------------------------------------------------------------ bodies


def body(dialect: str, model: str, question: Question) -> Body:
    """What is sent for a question.

    Args:
        dialect: one of `DIALECTS`.
        model: the declared name of the model.
        question: what is asked.

    Raises:
        ParameterError: there is no such dialect.
    """
    form = _BODIES.get(dialect)
    if form is None:
        raise ParameterError(f"there is no dialect {dialect!r}; use {', '.join(DIALECTS)}")
    return form(model, question)


def _openai(model: str, question: Question) -> Body:
    sent: Body = {
        "model": model,
        "messages": _messages(question),
        "max_tokens": question.max_tokens,
        "temperature": float(question.temperature),
        "top_p": 1.0,
    }
    if question.seed is not None:
        sent["seed"] = question.seed
    if question.want == "probabilities":
        sent |= {"logprobs": True, "top_logprobs": _OPENAI_TOP}
    return sent


def _openai_completion(model: str, question: Question) -> Body:
    sent = _openai(model, question)
    sent["max_completion_tokens"] = sent.pop("max_tokens")
    return sent


def _llama_cpp(model: str, question: Question) -> Body:
    sent = _openai(model, question) | _LLAMA_SAMPLING | {"grammar": grammar(question)}
    if question.want == "probabilities":
        # Before sampling, the probabilities are those of the whole vocabulary: no temperature, no
        # grammar. The seed decides only which token is drawn beside them.
        sent |= {"top_logprobs": _LLAMA_TOP, "n_probs": _LLAMA_TOP, "post_sampling_probs": False}
        sent.setdefault("seed", 0)
    return sent


def _scripted(model: str, question: Question) -> Body:
    return {
        "model": model,
        "messages": _messages(question),
        "labels": list(question.labels),
        "want": question.want,
        "seed": question.seed,
        "temperature": float(question.temperature),
        "max_tokens": question.max_tokens,
    }


_Form: TypeAlias = Callable[[str, Question], Body]
_BODIES: dict[str, _Form] = {
    OPENAI: _openai,
    OPENAI_COMPLETION: _openai_completion,
    LLAMA_CPP: _llama_cpp,
    SCRIPTED: _scripted,
}
DIALECTS = tuple(_BODIES)
"""All dialects."""


def _messages(question: Question) -> list[dict[str, str]]:
    return [{"role": message.role, "content": message.content} for message in question.messages]


# ------------------------------------------------------------------------------------ grammars


def grammar(question: Question) -> str:
    """The GBNF grammar of the answers: one label, or a JSON object of probabilities by label.

    The object has the labels as keys, in their order, and numbers from 0 to 1 with at most two
    decimals: ``{"A": 0.25, "B": 0.75}``.
    """
    if question.want != "mix":
        return "root ::= " + " | ".join(_literal(label) for label in question.labels)
    keys = [json.dumps(label, ensure_ascii=False) + ": " for label in question.labels]
    start, *others = ["{" + keys[0], *(", " + key for key in keys[1:])]
    entries = [_literal(entry) + " p" for entry in (start, *others)]
    number = r'p ::= "0" ("." [0-9] [0-9]?)? | "1" ("." "0" "0"?)?'
    return f"root ::= {' '.join(entries)} {_literal('}')}\n{number}"


def _literal(text: str) -> str:
    """A string of GBNF; whatever could end it or begin an escape is written as a code."""
    plain = (c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in text)
    return '"' + "".join(plain) + '"'


# ------------------------------------------------------------------------------------ replies


def read_reply(question: Question, document: Any) -> Reply:
    """The reply in an OpenAI-shaped chat completion.

    A server that gives no probabilities although they were asked for leaves `label_probabilities`
    None. A reply without text has the text "": a reasoning model may return nothing else. One
    without a reason to end has the finish "", and one without usage the tokens None.

    Args:
        question: what was asked.
        document: the JSON document.

    Raises:
        PaidInVain: the document is not of the protocol, or reports an error (``bad_response``).
    """
    try:
        return _read(question, document)
    except _Malformed as malformed:
        text = f"not a chat completion: {malformed}, in {shown(document)}"
    raise PaidInVain(text, failure=Failure.BAD_RESPONSE, **usage(document))


def usage(document: Any) -> dict[str, int | None]:
    """The tokens that a document reports, by the names in `Reply`; None where it does not."""
    told = document.get("usage") if isinstance(document, dict) else None
    told = told if isinstance(told, dict) else {}
    found = {name: told.get(name) for name in ("prompt_tokens", "completion_tokens")}
    return {name: value if _is_count(value) else None for name, value in found.items()}


def shown(document: Any) -> str:
    """A document for an error message: JSON, cut to a readable length."""
    try:
        text = document if isinstance(document, str) else json.dumps(document)
    except (TypeError, ValueError, RecursionError):
        text = f"an object of type {type(document).__name__}"
    return shortened(text)


def shortened(text: str) -> str:
    """A text on one line, cut to a readable length."""
    line = " ".join(text[: 2 * _SHOWN].split())
    return line if len(line) <= _SHOWN else line[:_SHOWN] + " ..."


class _Malformed(LanguageModelError):
    """What is wrong with a document; caught in this module."""


def _read(question: Question, document: Any) -> Reply:
    document = _a(dict, document, "the document")
    if document.get("error"):
        raise _Malformed("the server reports an error")
    choices = _a(list, document.get("choices"), "choices")
    if not choices:
        raise _Malformed("choices is empty")
    choice = _a(dict, choices[0], "choices[0]")
    if choice.get("error"):
        raise _Malformed("the server reports an error")
    message = _a(dict, choice.get("message"), "message")
    for name, value in _a(dict, document.get("usage"), "usage", {}).items():
        if name in ("prompt_tokens", "completion_tokens") and not _is_count(value, None):
            raise _Malformed(f"{name} is {shown(value)}")
    listed, unlisted = None, 0.0
    if question.want == "probabilities":
        listed, unlisted = _label_probabilities(question.labels, choice.get("logprobs"))
    return Reply(
        text=_a(str, message.get("content"), "content", ""),
        finish=_a(str, choice.get("finish_reason"), "finish_reason", ""),
        refusal=_a(str, message.get("refusal"), "refusal", "") or None,
        label_probabilities=listed,
        unlisted=unlisted,
        **usage(document),
        response_model=_a(str, document.get("model"), "model", "") or None,
        fingerprint=_a(str, document.get("system_fingerprint"), "system_fingerprint", "") or None,
    )


def _label_probabilities(
    labels: Sequence[str], logprobs: Any
) -> tuple[dict[str, float] | None, float]:
    """The probabilities of the labels listed, and that of all tokens which are not listed.

    A label is the sum of all tokens that read as it, and how many of them are not listed is not
    known: nothing less than all that is missing to 1 bounds what they have together.
    """
    content = _a(list, _a(dict, logprobs, "logprobs", {}).get("content"), "logprobs.content", [])
    first = _a(dict, content[0], "logprobs.content[0]") if content else {}
    top = _a(list, first.get("top_logprobs"), "top_logprobs", [])
    if not top:
        return None, 0.0
    tokens = [_token(entry) for entry in top]
    total = math.fsum(probability for _, probability in tokens)
    if total > 1.0 + _ROUNDING:
        raise _Malformed("the listed probabilities exceed 1 together")
    listed = {
        label: min(1.0, math.fsum(p for token, p in tokens if token == label))
        for label in labels
        if any(token == label for token, _ in tokens)
    }
    return listed, max(0.0, 1.0 - total)


def _token(entry: Any) -> tuple[str, float]:
    """A listed token without surrounding white space, and its probability."""
    entry = _a(dict, entry, "an entry of top_logprobs")
    token = _a(str, entry.get("token"), "token").strip()
    value = entry.get("logprob")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _Malformed(f"logprob is {shown(value)}")
    try:
        logprob = float(value)
    except OverflowError:
        logprob = math.nan
    if not math.isfinite(logprob) or logprob > _ROUNDING:
        raise _Malformed(f"logprob is {shown(value)}, which no probability has as logarithm")
    return token, min(1.0, math.exp(logprob))


def _is_count(value: Any, *others: Any) -> bool:
    """Whether the value is a number of tokens, or one of `others`."""
    if value in others and not isinstance(value, int):
        return True
    return type(value) is int and 0 <= value < 1 << 53


_REQUIRED: Any = object()


def _a(kind: type, value: Any, name: str, default: Any = _REQUIRED) -> Any:
    """The value, which must be of a type; if there is a default, null and nothing stand for it."""
    if value is None and default is not _REQUIRED:
        return default
    if not isinstance(value, kind):
        names = {dict: "an object", list: "an array", str: "a text"}
        what = "missing" if value is None else f"{shown(value)}, not {names[kind]}"
        raise _Malformed(f"{name} is {what}")
    return value
