"""The stand-in for a backend in a replay: it forms the calls, and the store answers them."""

from __future__ import annotations

from ...games.errors import StoreMiss
from ..chat import Body, Provenance, Question, Reply
from . import dialects


class ReplayBackend:
    """A model whose answers were recorded. Nothing of the model itself is needed.

    Args:
        model: the declared name under which it was recorded.
        dialect: the dialect in which it was asked.
    """

    def __init__(self, model: str, dialect: str):
        self.model, self.dialect = model, dialect

    def body(self, question: Question) -> Body:
        """See `Backend.body`."""
        return dialects.body(self.dialect, self.model, question)

    def ask(self, question: Question, body: Body) -> Reply:
        """Refuses: what is not in the store cannot be answered."""
        raise StoreMiss(f"{self.model} is only replayed; give the client the store of its answers")

    def provenance(self) -> Provenance:
        """Nothing: the store knows."""
        return Provenance()

    def close(self) -> None:
        """Does nothing."""
