"""What proves that a list of equilibria is complete."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal

import z3

from .markup import save_text
from .prover import Prover
from .unknowns import Unknowns


class Question:
    """A question to a solver, in the SMT-LIB 2 language."""

    query: str

    @property
    def digest(self) -> str:
        """SHA-256 of the question."""
        return hashlib.sha256(self.query.encode()).hexdigest()

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the question to a file, say ``left.smt2``, for ``z3 left.smt2`` and others.

        Raises:
            OutputError: a missing or read-only folder, or a full disk.
        """
        save_text(path, self.query)


@dataclass(frozen=True)
class Certificate(Question):
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


def script(prover: Prover, formulas: Iterable[Any], title: str, unknowns: Unknowns) -> str:
    """A question in the SMT-LIB 2 language: its logic, what its variables are, and ``check-sat``.

    Args:
        prover: what the formulas were made with; its domain is part of the question.
        formulas: z3 formulas; is there a point at which all of them hold?
        title: what is asked, one line.
        unknowns: what coordinates stand for.
    """
    solver = z3.Solver(ctx=prover.context)
    solver.add(*prover.domain, *formulas)
    text = solver.to_smt2()
    words = {
        str(p): f"the probability of {name!a} at {key!a}"
        for key, mix in unknowns.assessment.strategies.items()
        for name, p in mix.items()
    }
    words |= {
        str(b): f"the belief on history {number} of {key!a}"
        for key, belief in unknowns.assessment.beliefs.items()
        for number, b in enumerate(belief, 1)
    }
    legend = [
        f"x{i}: {words.get(str(symbol), ascii(str(symbol)))}"
        for i, symbol in enumerate(prover.field.symbols)
        if f"declare-fun x{i} " in text
    ]
    comments = "".join(f"; {line}\n" for line in [ascii(title)[1:-1], *legend])
    return f"{comments}(set-logic QF_NRA)\n{text.partition(_BANNER)[2] or text}"


_BANNER = "(set-info :status unknown)\n"
"""What z3 writes above the declarations."""
