"""Policy specifications of language models: ``llm:local``, ``llm:http:...``, ``llm:replay:...``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pyspiel

from ..games.errors import ParameterError, PolicyError, StoreError
from .backends.base import Backend
from .backends.http import HttpBackend
from .backends.local import LocalBackend
from .backends.replay import ReplayBackend
from .budget import Budget, RateGate
from .client import Client
from .failures import FailurePolicy
from .policy import LLMPolicy
from .store import CallStore

FORMS = (
    "write llm:local (a small model that comes with the package), llm:local:FILE.gguf, "
    "llm:http://HOST:PORT/v1#MODEL (any OpenAI-compatible server), or llm:replay:FILE[#MODEL] (a "
    "call store)"
)


@dataclass(frozen=True, slots=True)
class Options:
    """How a language model is asked; see `LLMPolicy`, `Client` and `CallStore`.

    Attributes:
        elicitation: ``labels``, ``samples:N`` or ``stated``.
        store: the call store, made if missing; None keeps nothing. Of a replay it is part of the
            specification instead.
        refresh: every call is made anew and replaces what the store holds.
        max_calls: the most calls to make.
        per_minute: the most calls a minute.
        timeout: seconds for one call of a server.
        workers: calls to a server at the same time.
        rules: the rules in words, in place of those that the game tells.
        on_failure: what happens when an answer names no move.
    """

    elicitation: str = "labels"
    store: Path | None = None
    refresh: bool = False
    max_calls: int | None = None
    per_minute: float | None = None
    timeout: float = 120.0
    workers: int = 1
    rules: str | None = None
    on_failure: FailurePolicy = field(default_factory=FailurePolicy)


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
    chosen = options or Options()
    text = spec.strip().removeprefix("llm:")
    head, _, rest = text.partition(":")
    store = None
    if head == "replay":
        if chosen.store is not None or chosen.refresh:
            raise ParameterError("a replay names its store itself; leave out --store and --refresh")
        store, backend = _replay(rest)
    else:
        backend = _backend(head, rest, text, chosen)
        if chosen.store is not None:
            store = CallStore(chosen.store, "refresh" if chosen.refresh else "record")
        elif chosen.refresh:
            raise ParameterError("there is no store to refresh; name one with --store FILE")
    client = Client(
        backend, store=store, budget=Budget(max_calls=chosen.max_calls), gate=_gate(chosen)
    )
    return LLMPolicy(
        game,
        client,
        chosen.elicitation,
        rules=chosen.rules,
        on_failure=chosen.on_failure,
        workers=chosen.workers,
    )


def _backend(head: str, rest: str, text: str, options: Options) -> Backend:
    if head == "local":
        return LocalBackend(rest or None)
    if head in ("http", "https"):
        url, hash_, model = text.partition("#")
        if hash_ and model:
            return HttpBackend(url, model, timeout=options.timeout)
        raise PolicyError(f"llm:{text} names no model after a #; {FORMS}")
    raise PolicyError(f"llm:{text} is of no known form; {FORMS}")


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


def _gate(options: Options) -> RateGate | None:
    return None if options.per_minute is None else RateGate(per_minute=options.per_minute)
