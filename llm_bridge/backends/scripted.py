"""A model whose answers are a function: for tests, for teaching, and to play a known policy."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from numbers import Real
from typing import TypeAlias

import numpy as np

from ...games.errors import CrywolfError, ParameterError, PolicyError
from .. import arguments
from ..chat import Body, Provenance, Question, Reply
from . import dialects
from .fingerprint import fingerprint

Script: TypeAlias = Callable[[Question], "str | Mapping[str, float] | Reply"]
"""What a scripted model does with a question; see `ScriptedBackend`."""

_ROUNDING = 1e-9  # by which probabilities may exceed 1


class ScriptedBackend:
    """A model that answers as a script says.

    The script returns one of three things. A text is the answer. A mapping holds the probabilities
    of the labels as first tokens; what is missing to 1 lies on other tokens. Where probabilities
    are wanted, it gives them, with the most likely label as the text; where a label is wanted, the
    label is drawn from the mapping by the question's seed, at the question's temperature; where a
    mix is wanted, the text states it. A `Reply` is passed on as it is.

    A store keeps a `fingerprint` of the script with its answers, and refuses those of another
    script under the same name.

    Attributes:
        model: the declared name.

    Args:
        script: a pure function of the question, which may raise `CallFailed` to play a server that
            fails. `Question` tells it who is asked what; it need not read the prompt.
        model: see above.

    Raises:
        ParameterError: the script is no function, or the name is empty.
    """

    dialect = dialects.SCRIPTED

    def __init__(self, script: Script, model: str = "scripted"):
        if not callable(script):
            raise ParameterError(
                f"script={arguments.shown(script)}: give a function of a Question that returns a "
                "text, probabilities by label, or a Reply"
            )
        self.model = arguments.text("model", model)
        self._script = script

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name}, {self.model!r})"

    def body(self, question: Question) -> Body:
        """See `Backend.body`."""
        return dialects.body(self.dialect, self.model, question)

    def ask(self, question: Question, body: Body) -> Reply:
        """See `Backend.ask`. Tokens are words between white space.

        Raises:
            CallFailed: the script says so.
            PolicyError: the script is wrong; the text says how.
        """
        name = self._name
        try:
            answer = self._script(question)
        except CrywolfError:
            raise
        except Exception as error:  # a programming error of the user
            raise PolicyError(
                f"the script {name} of {self.model} fails: {type(error).__name__}: {error}"
            ) from error
        if isinstance(answer, Reply):
            return answer
        if isinstance(answer, str):
            reply = Reply(answer)
        elif isinstance(answer, Mapping):
            wrong = _what_is_wrong(answer, question.labels)
            if wrong:
                raise PolicyError(f"the script {name} of {self.model} returns {answer!r}: {wrong}")
            reply = _reply(question, answer)
        else:
            raise PolicyError(
                f"the script {name} of {self.model} returns {answer!r}; return a text, "
                "probabilities by label, or a Reply"
            )
        words = sum(len(message.content.split()) for message in question.messages)
        return replace(reply, prompt_tokens=words, completion_tokens=len(reply.text.split()))

    def provenance(self) -> Provenance:
        """The runtime is called ``scripted``, and the weights are the script."""
        return Provenance(weights=self._fingerprint, runtime="scripted")

    def close(self) -> None:
        """Nothing is held."""

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self._script)

    @property
    def _name(self) -> str:
        return getattr(self._script, "__name__", repr(self._script))


def first_label(question: Question) -> dict[str, float]:
    """The script of a model that always answers the first label."""
    return {question.labels[0]: 1.0}


def _what_is_wrong(mapping: Mapping[str, float], labels: Sequence[str]) -> str | None:
    unknown = [label for label in mapping if label not in labels]
    if unknown:
        return f"{unknown[0]!r} is none of the labels {', '.join(labels)}"
    for label, value in mapping.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 <= value <= 1.0:
            return f"{value!r} is no probability of {label}"
    total = math.fsum(map(float, mapping.values()))
    if total > 1.0 + _ROUNDING:
        return f"the probabilities sum to {total:g}, more than 1"
    if total <= 0.0:
        return "no label has a probability above 0; return a text to answer something else"
    return None


def _reply(question: Question, mapping: Mapping[str, float]) -> Reply:
    probabilities = {label: float(mapping.get(label, 0.0)) for label in question.labels}
    match question.want:
        case "mix":
            return Reply(json.dumps(probabilities))
        case "label":
            return Reply(_drawn(question, probabilities))
        case "probabilities":
            given = {label: p for label, p in probabilities.items() if label in mapping}
            return Reply(_likeliest(probabilities), "length", label_probabilities=given)


def _drawn(question: Question, probabilities: dict[str, float]) -> str:
    """A label by the question's seed and temperature; without a seed, the most likely one."""
    if question.seed is None or question.temperature <= 0.0:
        return _likeliest(probabilities)
    labels = [label for label, p in probabilities.items() if p > 0.0]
    logits = np.log([probabilities[label] for label in labels]) / question.temperature
    weights = np.exp(logits - logits.max())
    generator = np.random.default_rng(question.seed)
    return labels[generator.choice(len(labels), p=weights / weights.sum())]


def _likeliest(probabilities: dict[str, float]) -> str:
    return max(probabilities, key=lambda label: probabilities[label])
