"""The stand-in for a backend in a replay: it forms the calls, and the store answers them."""

from __future__ import annotations

from ...games.errors import ParameterError, StoreMiss
from .. import arguments
from ..chat import Body, Provenance, Question, Reply
from . import dialects


class ReplayBackend:
    """A model whose answers were recorded. Nothing of the model itself is needed.

    Args:
        model: the declared name under which it was recorded.
        dialect: the dialect in which it was asked.

    Raises:
        ParameterError: no name, or no dialect.
    """

    def __init__(self, model: str, dialect: str):
        self.model = arguments.text("model", model)
        if dialect not in dialects.DIALECTS:
            raise ParameterError(
                f"dialect={arguments.shown(dialect)}: give that of the recording "
                f"(CallStore.models() tells): {', '.join(dialects.DIALECTS)}"
            )
        self.dialect = dialect

    def __repr__(self) -> str:
        return f"ReplayBackend({self.model!r}, {self.dialect!r})"

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
