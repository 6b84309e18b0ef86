"""What proves that a list of equilibria is complete."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class Certificate:
    """What stands behind "nothing is left".

    Attributes:
        solver: the program that answered, with its version.
        answer: ``unsat``: the last question has no solution, so the families are all; ``unknown``.
        query: the last question in the SMT-LIB 2 language, for other programs to answer.
        queries: how many questions were asked in all.
    """

    solver: str
    answer: Literal["unsat", "unknown"]
    query: str = field(repr=False)
    queries: int

    @property
    def digest(self) -> str:
        """SHA-256 of the question."""
        return hashlib.sha256(self.query.encode()).hexdigest()
