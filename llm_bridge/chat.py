"""One call to a language model: the question, the reply, and what identifies the call.

A `Question` says what is wanted, in our terms. A backend's dialect turns it into the *body* of the
call, the JSON object that holds the declared model name, the messages, every sampling parameter and
the grammar: nothing that could change the answer is left to a server's defaults. The body is the
identity of the call; where several answers to one body are wanted, a draw index tells them apart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

CODEC_VERSION = 1
"""Part of every call's key: raised when the same body would be read into another `Reply`."""

Body: TypeAlias = dict[str, Any]
"""The JSON object of a call, as an OpenAI-compatible server takes it."""

Want: TypeAlias = Literal["probabilities", "label", "mix"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation.

    Attributes:
        role: ``system``, ``user`` or ``assistant``.
        content: the text.
    """

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Attributes:
        messages: the conversation so far, ending with the question.
        labels: the labels of the options, in the order in which they are shown.
        want: ``probabilities``: those of the labels as the first token of the answer; ``label``: an
            answer that is one label; ``mix``: an answer that is a JSON object of probabilities by
            label.
        seed: of the sampling; None where nothing is sampled.
        temperature: 1 for draws from the model's own distribution, 0 for its most likely answer.
        max_tokens: the longest answer.
        player: whose move it is, from 0. This and what follows is for scripts: it stands in the
            messages already, and is no part of the body.
        information_state: the player's information-state string.
        options: what the labels stand for, in the order in which they are shown.
    """

    messages: tuple[Message, ...]
    labels: tuple[str, ...]
    want: Want
    seed: int | None = None
    temperature: float = 1.0
    max_tokens: int = 1
    player: int | None = None
    information_state: str | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        text: the answer.
        finish: why it ended, in the server's words (see `finishes`): ``stop``, ``length``, ...; ""
            if the server does not say, and then the answer is not known to be complete.
        refusal: the provider's refusal, if it marks one.
        label_probabilities: of each label that was among the listed first tokens, before any
            grammar (tokens that read as the label without surrounding white space, added up); None
            where the backend gives no probabilities.
        unlisted: the probability of all tokens that are not listed, up to rounding. It is the most
            that a label which is not listed can have in all its spellings, and the most that a
            listed one can have beyond what is listed.
        prompt_tokens: tokens of the question; None if the server does not say.
        completion_tokens: tokens of the answer; None if the server does not say.
        response_model: what the server calls the model that answered.
        fingerprint: the server's fingerprint of model and configuration.
    """

    text: str
    finish: str = "stop"
    refusal: str | None = None
    label_probabilities: Mapping[str, float] | None = None
    unlisted: float = 0.0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    response_model: str | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where answers come from, beyond the declared name of the model. Not part of any key.

    Attributes:
        weights: SHA-256 of the file of weights, where we have it; of a script, its fingerprint.
        runtime: the program that runs the model, with its version.
        response_model: see `Reply`.
        fingerprint: see `Reply`.
    """

    weights: str | None = None
    runtime: str | None = None
    response_model: str | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was answered, as it is kept.

    Attributes:
        body: what was sent.
        draw: which of several answers to the same body this is, from 0.
        reply: what came back.
        failures: how often the call failed before it was answered, by `failures.Failure`.
    """

    body: Body
    draw: int
    reply: Reply
    failures: Mapping[str, int] = field(default_factory=dict)


def canonical(document: Any) -> str:
    """JSON with one spelling per value: keys sorted, no spaces, ASCII, no NaN."""
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def call_key(body: Body, draw: int) -> str:
    """The SHA-256, in hexadecimal, that identifies a call: body, draw index and codec version."""
    identity = canonical({"body": body, "codec": CODEC_VERSION, "draw": draw})
    return hashlib.sha256(identity.encode("ascii")).hexdigest()
