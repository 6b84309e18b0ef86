"""Programs that answer questions in the SMT-LIB 2 language: z3, and cvc5 where it is installed."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from time import monotonic
from typing import Any, Literal

import z3

from ...games.errors import MissingExtra, ParameterError, SolverFailed
from .asking import ask

Answer = Literal["unsat", "sat", "unknown"]
Solver = Literal["z3", "cvc5"]

_START = 2.0
"""Seconds that cvc5 may take to start and to notice that its time is up."""
_CVC5 = """
import sys, cvc5
terms = cvc5.TermManager()
solver, symbols = cvc5.Solver(terms), cvc5.SymbolManager(terms)
solver.setOption("tlimit-per", sys.argv[1])
parser = cvc5.InputParser(solver, symbols)
question = sys.stdin.buffer.read().decode()
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, question, "question")
while not (command := parser.nextCommand()).isNull():
    print(command.invoke(solver, symbols))
"""


def choose(solver: str | None) -> Solver:
    """The solver of that name; without one cvc5, or z3 where cvc5 is not installed.

    Raises:
        ParameterError: no such solver.
        MissingExtra: it is not installed.
    """
    installed = find_spec("cvc5") is not None
    if solver is None:
        return "cvc5" if installed else "z3"
    if solver == "z3":
        return "z3"
    if solver != "cvc5":
        raise ParameterError(f"unknown solver {solver!r}; choose 'z3' or 'cvc5'")
    if not installed:
        raise MissingExtra("cvc5 is not installed: pip install 'crywolf[cvc5]'; or take z3")
    return "cvc5"


def told_version(solver: Solver) -> str:
    """``z3 4.13.0``."""
    return f"{solver} {version('z3-solver' if solver == 'z3' else solver)}"


def answer(question: str, solver: Solver, time_limit: float) -> Answer:
    """Whether the assertions of a script can all hold.

    Args:
        question: declarations, assertions and one ``check-sat``.
        solver: who answers.
        time_limit: seconds.
    """
    return (_ask_z3 if solver == "z3" else _ask_cvc5)(question, time_limit)


def _ask_z3(question: str, time_limit: float) -> Answer:
    context = z3.Context()
    formulas: Any = z3.parse_smt2_string(question, ctx=context)
    found = ask(list(formulas), context, monotonic() + time_limit)
    # Not by truth: a model of no variables is as false as none.
    return "unknown" if found is None else "unsat" if found is False else "sat"


def _ask_cvc5(question: str, time_limit: float) -> Answer:
    """In a process of its own: cvc5 may overrun its time limit by much."""
    command = [sys.executable, "-c", _CVC5, str(max(1, int(time_limit * 1000)))]
    try:
        done = subprocess.run(
            command,
            input=question.encode(),
            capture_output=True,
            timeout=time_limit + _START,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "unknown"
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise SolverFailed(f"cvc5 stopped with status {done.returncode}: {lines[-1]}")
    for word in done.stdout.decode().split():
        if word in ("sat", "unsat"):
            return word
    return "unknown"
