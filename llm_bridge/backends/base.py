"""What every backend offers: one attempt at one call."""

from __future__ import annotations

from typing import Protocol

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
