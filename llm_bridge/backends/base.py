"""What every backend offers: one attempt at one call."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from ...games.errors import ParameterError
from .. import arguments
from ..chat import Body, Provenance, Question, Reply


class Backend(Protocol):
    """A language model that can be asked."""

    @property
    def model(self) -> str:
        """The declared name of the model; part of every call's identity."""
        ...

    @property
    def dialect(self) -> str:
        """The form that bodies have (see `dialects`), kept so that a replay needs no backend."""
        ...

    def body(self, question: Question) -> Body:
        """What would be sent for a question."""
        ...

    def ask(self, question: Question, body: Body) -> Reply:
        """One attempt, without retries.

        Args:
            question: what is asked.
            body: ``self.body(question)``.

        Raises:
            CallFailed: no reply; the exception names the failure.
        """
        ...

    def provenance(self) -> Provenance:
        """What is known of weights and runtime before the first call."""
        ...

    def close(self) -> None:
        """Frees what the backend holds."""
        ...


@runtime_checkable
class Remote(Protocol):
    """What a backend offers besides if it has to reach a server."""

    def expect(self, dialect: str) -> None:
        """Takes this for the server's dialect until `confirm` is called."""
        ...

    def confirm(self) -> None:
        """Asks the server whether it has the dialect that was expected, once.

        Raises:
            ProvenanceMismatch: it has another one.
            CallFailed: it does not answer.
        """
        ...

    def stop(self) -> None:
        """Cuts off the calls under way, and begins no others."""
        ...

    def resume(self) -> None:
        """Allows calls again."""
        ...


def checked_backend(name: str, value: Any) -> Backend:
    """The value, which must be a backend. Its dialect is not looked at: a server may have to tell.

    Raises:
        ParameterError: it is none.
    """
    methods = (getattr(value, method, None) for method in ("body", "ask", "provenance", "close"))
    if isinstance(value, type) or not all(map(callable, methods)):
        raise ParameterError(
            f"{name}={arguments.shown(value)}: give a backend, such as LocalBackend(), "
            "HttpBackend(url, model) or ScriptedBackend(function)"
        )
    return value
