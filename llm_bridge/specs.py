"""Policy specifications of language models: ``llm:local``, ``llm:http:...``, ``llm:replay:...``."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any, NamedTuple

import pyspiel

from ..games.errors import ParameterError, PolicyError, StoreError
from .backends.base import Backend
from .backends.http import HttpBackend
from .backends.local import LocalBackend
from .backends.replay import ReplayBackend
from .backends.secrets import without_credentials
from .budget import Budget, RateGate
from .client import Client
from .elicitation import Elicitation, elicitation_from_spec
from .failures import FailurePolicy
from .policy import LLMPolicy
from .store import CallStore

FORMS = (
    "write llm:local (a small model that comes with the package), llm:local:FILE.gguf, "
    "llm:http://HOST:PORT/v1#MODEL (any OpenAI-compatible server), or llm:replay:FILE[#MODEL] (a "
    "call store)"
)
_IDLE = {
    "local": (("timeout", "workers", "attempts"), "a local model is no server"),
    "replay": (
        ("store", "refresh", "max_calls", "per_minute", "timeout", "workers", "attempts"),
        "a replay calls no model, and names its store itself",
    ),
}
"""Options that do not concern a kind of specification, and why."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a language model is asked; see `LLMPolicy`, `Client` and `CallStore`.

    At the command line, an option ``--max-calls`` is `max_calls`, and so on.

    Attributes:
        elicitation: ``labels``, ``samples:N`` or ``stated``.
        max_tokens: the longest answer of ``samples:N``, or of ``stated`` for each option; None for
            the elicitation's own.
        store: the call store, made if missing; None keeps nothing. Of a replay it is part of the
            specification instead.
        refresh: every call is made anew and replaces what the store holds.
        max_calls: the most calls to make.
        per_minute: the most calls a minute.
        timeout: the most seconds for one call of a server, silent or not; None for `HttpBackend`'s
            own limits.
        workers: calls to a server at the same time.
        attempts: the most attempts at a call that a server does not answer; None for `Client`'s own
            limit.
        rules: the rules in words, in place of those that the game tells.
        on_failure: what happens when an answer names no move.
    """

    elicitation: str = "labels"
    max_tokens: int | None = None
    store: str | PathLike[str] | None = None
    refresh: bool = False
    max_calls: int | None = None
    per_minute: float | None = None
    timeout: float | None = None
    workers: int = 1
    attempts: int | None = None
    rules: str | None = None
    on_failure: FailurePolicy = field(default_factory=FailurePolicy)

    def way_of_asking(self) -> Elicitation:
        """The elicitation, with its longest answer.

        Raises:
            ParameterError: it is unknown, or its answers have no length to choose.
        """
        found: Any = elicitation_from_spec(self.elicitation)
        if self.max_tokens is None:
            return found
        if not hasattr(found, "max_tokens"):
            raise ParameterError(
                f"--max-tokens: {found} reads one token of each answer; only samples:N and stated "
                "have longer ones"
            )
        return replace(found, max_tokens=self.max_tokens)


class Spec(NamedTuple):
    """A specification in its parts.

    Attributes:
        kind: ``local``, ``http``, ``https`` or ``replay``.
        rest: what follows the first colon.
    """

    kind: str
    rest: str

    def __str__(self) -> str:
        """The specification to be shown: without user, password and query of a url."""
        text = f"llm:{self.kind}" + (f":{self.rest}" if self.rest else "")
        return text if self.kind in ("local", "replay") else without_credentials(text)


def read_spec(text: str) -> Spec:
    """The parts of a specification; a leading ``llm:`` is allowed.

    Raises:
        PolicyError: it has none of the known forms.
    """
    kind, _, rest = text.strip().removeprefix("llm:").partition(":")
    spec = Spec(kind, rest)
    if kind not in ("local", "http", "https", "replay"):
        raise PolicyError(f"{spec} is of no known form; {FORMS}")
    return spec


def policy_from_spec(
    spec: str, game: pyspiel.Game | str, options: Options | None = None
) -> LLMPolicy:
    """The policy that a specification names.

    Args:
        spec: ``local``, ``local:FILE.gguf``, ``http://HOST:PORT/v1#MODEL`` (or ``https``),
            ``replay:FILE`` or ``replay:FILE#MODEL``; a leading ``llm:`` is allowed.
        game: the game that it is for.
        options: how it is asked.

    Raises:
        PolicyError: the specification has none of these forms.
        ParameterError: options that contradict each other or the specification.
        MissingExtra, StoreError: see `LocalBackend`, `HttpBackend` and `CallStore`.
    """
    chosen, read = options or Options(), read_spec(spec)
    refuse_idle(read, chosen)
    elicitation = chosen.way_of_asking()
    budget = Budget(max_calls=chosen.max_calls)
    gate = None if chosen.per_minute is None else RateGate(per_minute=chosen.per_minute)
    persistence: dict[str, Any] = {} if chosen.attempts is None else {"attempts": chosen.attempts}
    with ExitStack() as opened:  # closed again if anything is refused
        store = None
        if read.kind == "replay":
            store, backend = _replay(read.rest)
        else:
            backend = backend_of(read, chosen)
            opened.callback(backend.close)
            if chosen.store is not None:
                store = CallStore(chosen.store, "refresh" if chosen.refresh else "record")
        if store is not None:
            opened.callback(store.close)
        policy = LLMPolicy(
            game,
            Client(backend, store=store, budget=budget, gate=gate, **persistence),
            elicitation,
            rules=chosen.rules,
            on_failure=chosen.on_failure,
            workers=chosen.workers,
        )
        opened.pop_all()
    return policy


def refuse_idle(spec: Spec, options: Options) -> None:
    """Refuses options that do not concern the specification, by name.

    Raises:
        ParameterError: see above.
    """
    names, why = _IDLE.get(spec.kind, ((), ""))
    default = {option.name: option.default for option in fields(Options)}
    given = [name for name in names if getattr(options, name) != default[name]]
    if given:
        words = ", ".join("--" + name.replace("_", "-") for name in given)
        raise ParameterError(f"{words}: of no use with llm:{spec.kind}, since {why}; leave it out")
    if options.refresh and options.store is None:
        raise ParameterError("there is no store to refresh; name one with --store FILE")


def backend_of(spec: Spec, options: Options) -> Backend:
    """The model that a specification names, not asked yet; not of a replay.

    Raises:
        PolicyError, ParameterError, MissingExtra: see `policy_from_spec`.
    """
    if spec.kind == "local":
        return LocalBackend(spec.rest or None)
    url, hash_, model = f"{spec.kind}:{spec.rest}".partition("#")
    if not (hash_ and model):
        raise PolicyError(f"{spec} names no model after a #; {FORMS}")
    if options.timeout is None:
        return HttpBackend(url, model)
    # A server that computes an answer is silent until it has it.
    return HttpBackend(url, model, timeout=options.timeout, idle_timeout=options.timeout)


def _replay(text: str) -> tuple[CallStore, Backend]:
    name, _, model = text.partition("#")
    if not name:
        raise PolicyError(f"llm:replay names no file; {FORMS}")
    store = CallStore.open_for_replay(name)
    models = store.models()
    if not model and len(models) == 1:
        (model,) = models
    if model not in models:
        store.close()
        held = ", ".join(models) or "none"
        asked = f"{name} holds no answers of {model}" if model else f"{name} holds several models"
        if not models:
            raise StoreError(f"{name} holds no answers at all; record them first with --store")
        raise StoreError(f"{asked}; choose one of its models with #MODEL: {held}")
    return store, ReplayBackend(model, models[model])
