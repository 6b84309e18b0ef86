"""A list of all equilibria checked once more: by another program, by another formulation, or both.

``certificate`` asks the search's last question again: is there an equilibrium outside of all cells?
``families`` asks the question that matters, in a formulation of its own (`restated`): is there an
equilibrium that is in no *family*, as its strategies, beliefs and conditions tell it? So it also
checks the way from cells to families.

A question that a solver does not settle at once is split into cases, by which actions are played at
one more information set, until it is. Every assessment is in a case, so if no case has a missing
equilibrium, there is none. The cost is exponential in the number of unknowns in the worst case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

import sympy
import z3

from ...games.errors import ParameterError
from ...games.exact import exact
from .assessment import Assessment
from .case import Case, Played
from .certificate import Question, script
from .families import Family
from .field import Element
from .prover import Relation
from .restated import conditions
from .setting import Setting
from .smt_solvers import Answer, Solver, answer, choose, told_version

if TYPE_CHECKING:
    from .equilibria import Equilibria

Formulation = Literal["families", "certificate"]

PATIENCE = 2.0
"""Seconds for a question that can still be split into cases."""
DENOMINATORS = (1, 2, 3, 4, 6, 12, 24)
"""A missing equilibrium is shown with numbers as simple as these, if there is one."""


@dataclass(frozen=True)
class Recheck(Question):
    """The answer to whether an equilibrium is missing in a list.

    Attributes:
        solver: the program that answered, with its version.
        formulation: ``families`` or ``certificate``.
        answer: ``unsat``: none is missing; ``sat``: one is; ``unknown``: not settled in the time.
        seconds: time taken.
        questions: how many questions were asked: one, or more if it was split into cases.
        query: the question in the SMT-LIB 2 language, before it was split.
        missing: for ``sat`` in the formulation ``families``, an equilibrium that is in no family.
    """

    solver: str
    formulation: Formulation
    answer: Answer
    seconds: float
    questions: int
    query: str = field(repr=False)
    missing: Assessment | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain values, without the question itself."""
        return {
            "solver": self.solver,
            "formulation": self.formulation,
            "answer": self.answer,
            "seconds": self.seconds,
            "questions": self.questions,
            "digest": self.digest,
        }

    def __str__(self) -> str:
        told = {
            "unsat": "no equilibrium is missing",
            "sat": "an equilibrium is MISSING",
            "unknown": "not settled in the time",
        }
        asked = {"families": "in no family?", "certificate": "the search's last question:"}
        cases = "" if self.questions == 1 else f", {self.questions} questions"
        lines = [
            f"{asked[self.formulation]} {self.answer}, {told[self.answer]} "
            f"({self.solver}, {self.seconds:.2f} s{cases}; SHA-256 {self.digest[:12]})"
        ]
        if self.missing is not None:
            for key, mix in self.missing.strategies.items():
                words = ", ".join(f"{name} {p}" for name, p in mix.items() if p != 0)
                lines.append(f"  {key}: {words}")
            for key, belief in self.missing.beliefs.items():
                lines.append(f"  belief at {key}: ({', '.join(map(str, belief))})")
            lines += [f"  where {relation}" for relation in self.missing.assumptions]
        return "\n".join(lines)


def recheck(
    equilibria: Equilibria,
    solver: str | None = None,
    formulation: str = "families",
    *,
    time_limit: float = 60.0,
) -> Recheck:
    """Checks that a list of all equilibria is complete, by other means than those that found it.

    Args:
        equilibria: the list.
        solver: ``cvc5`` or ``z3``; without one cvc5, or z3 where cvc5 is not installed.
        formulation: ``families``: is an equilibrium in no family, in a formulation of its own;
            ``certificate``: the last question of the search.
        time_limit: seconds, after which the answer is ``unknown``.

    Raises:
        ParameterError: no such solver or formulation, a time limit that is not positive, or a list
            without families.
        MissingExtra: the solver is not installed.
        UnsupportedGame: too many plans for the formulation ``families``.
    """
    began = monotonic()
    if not 0 < time_limit < 1e6:
        raise ParameterError(f"time_limit={time_limit}: give seconds, more than 0")
    chosen = choose(solver)
    if formulation == "certificate":
        query = equilibria.certificate.query
        said = answer(query, chosen, time_limit)
        return Recheck(told_version(chosen), "certificate", said, monotonic() - began, 1, query)
    if formulation != "families":
        raise ParameterError(
            f"unknown formulation {formulation!r}; choose 'families' or 'certificate'"
        )
    if not equilibria.families:
        raise ParameterError(
            f"the list of {equilibria.game} has no families to check, but every finite game has "
            "equilibria: derive them with more time"
        )
    question = _Question(equilibria)
    query = question.script(question.formulas(Case(question.setting, {})))
    said, asked, missing = question.settle(chosen, began + time_limit)
    return Recheck(
        told_version(chosen), "families", said, monotonic() - began, asked, query, missing
    )


class _Question:
    """Is there an equilibrium that is in no family?"""

    def __init__(self, equilibria: Equilibria):
        first = equilibria.families[0]
        self.unknowns = equilibria.unknowns
        self.title = (
            f"{equilibria.game}: is there an equilibrium ({equilibria.concept}) in no family?"
        )
        self.setting = Setting.of(
            first.tree,
            equilibria.concept,
            equilibria.unknowns,
            equilibria.assumptions,
            first.fixed_beliefs,
            [x for family in equilibria.families for x in _expressions(family)],
        )
        self.apart = [[*_apart(self.setting, family)] for family in equilibria.families]
        rows = self.setting.strategy
        self.sets = [h for h, row in enumerate(rows) if len(row) > 1]
        self.sets.sort(key=lambda h: self.setting.nodes[h][0])

    def formulas(self, case: Case) -> list[Any]:
        """That an assessment of a case is an equilibrium, and in no family."""
        setting = self.setting
        outside = [
            setting.any_of([setting.atom(case.at(x), sense) for x, sense in apart])
            for apart in self.apart
        ]
        return [*conditions(case), *(f for f in outside if not z3.is_true(f))]

    def script(self, formulas: Iterable[Any]) -> str:
        """The formulas as a question for other programs."""
        return script(self.setting.prover, formulas, self.title, self.unknowns)

    def settle(self, solver: Solver, deadline: float) -> tuple[Answer, int, Assessment | None]:
        """The answer, the number of questions asked, and an equilibrium if one is missing."""
        open_: list[Played] = [{}]
        asked = 0
        while open_:
            played = open_.pop()
            case = Case(self.setting, played)
            formulas = self.formulas(case)
            if any(map(z3.is_false, formulas)):
                continue
            left = deadline - monotonic()
            whole = len(played) == len(self.sets)
            if left <= 0:
                return "unknown", asked, None
            asked += 1
            said = answer(self.script(formulas), solver, left if whole else min(left, PATIENCE))
            if said == "sat":
                return "sat", asked, self._member(case, formulas)
            if said == "unknown" and whole:
                return "unknown", asked, None
            if said == "unknown":
                h = self.sets[len(played)]
                ranks = range(len(self.setting.strategy[h]))
                for size in range(1, len(ranks) + 1):
                    open_ += [{**played, h: frozenset(c)} for c in combinations(ranks, size)]
        return "unsat", asked, None

    def _member(self, case: Case, formulas: Sequence[Any]) -> Assessment | None:
        """A point of a case, in simple numbers if possible; None if z3 finds none."""
        setting, given = self.setting, list(formulas)
        prover, field_ = setting.prover, setting.field
        model = prover.solve(given)
        if model is False or model is None:
            return None
        for symbol in prover.point(model):
            value = prover.point(model)[symbol]
            x = prover.expression(field_(symbol))
            for simple in _simple(value):
                wanted = x == prover.expression(field_(simple))
                found = prover.solve([*given, wanted], PATIENCE)
                if found is not False and found is not None:
                    model = found
                    given.append(wanted)
                    break
        point = prover.point(model)

        def at(element: Element) -> Any:
            value = sympy.sympify(field_.to_exact(case.at(element)))
            return exact(value.subs(point))

        tree = setting.tree
        coordinates = {*self.unknowns.symbols}
        return Assessment(
            {
                key: dict(zip(tree.action_names(h), map(at, setting.strategy[h]), strict=True))
                for h, key in enumerate(tree.keys)
            },
            {
                key: tuple(map(at, setting.belief[h]))
                for h, key in enumerate(tree.keys)
                if setting.belief[h]
            },
            [
                sympy.Eq(s, sympy.sympify(v))
                for s, v in point.items()
                if s not in coordinates and not isinstance(s, sympy.Dummy)
            ],
        )


def _expressions(family: Family) -> Iterator[Any]:
    """All that a family says."""
    for row in (*family.strategies.values(), *family.beliefs.items()):
        yield from row.values() if isinstance(row, Mapping) else row[1]
    for condition in family.conditions:
        yield from (condition.lhs, condition.rhs)


def _apart(setting: Setting, family: Family) -> Iterator[Relation]:
    """Relations to 0; an assessment is outside of the family if one of them holds."""
    for h, key in enumerate(family.tree.keys):
        pairs = [*zip(setting.strategy[h], family.strategies[key].values(), strict=True)][:-1]
        pairs += [*zip(setting.belief[h], family.beliefs.get(key, ()), strict=False)][:-1]
        for x, told in pairs:
            top, bottom = setting.parts(setting.field(told))
            yield Relation(x * bottom - top, "!=")
            yield Relation(bottom, "==")
    for condition in family.conditions:
        element, sense = Relation.of(condition, setting.field)
        against = {
            ">=": Relation(-element, ">"),
            ">": Relation(-element, ">="),
            "==": Relation(element, "!="),
            "!=": Relation(element, "=="),
        }
        yield against[sense]


def _simple(value: Any) -> list[Fraction]:
    """Simple fractions close to a number, the number itself if it is one of them."""
    if not isinstance(value, int | Fraction):
        value = str(sympy.N(value, 12))
    number = Fraction(value)
    near = [number.limit_denominator(d) for d in DENOMINATORS]
    return [number] if number in near else list(dict.fromkeys(near))
