"""All equilibria of a game, as parametric families, with a proof that nothing is left out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from time import monotonic
from typing import Any, Literal

import pyspiel
import sympy
import z3

from ...games.errors import AssessmentError, ParameterError, Undecided
from ...games.rules import Rules
from ..tree import GameTree, compile_tree
from .assessment import Assessment, Belief
from .conditions import WITHOUT_BELIEFS, Concept, check_concept
from .families import Family, covered, relation_of
from .field import ExactField
from .pieces import Cutter, Piece
from .prover import Prover, compared
from .search import Found, Search
from .system import System
from .unknowns import Unknowns

QUERY_LIMIT = 120.0
"""Seconds for one question of the search, unless the time limit comes first."""


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


@dataclass(frozen=True, eq=False)
class Equilibria:
    """The equilibria of a game.

    Attributes:
        game: its name.
        concept: which equilibria.
        complete: whether it is proved that every equilibrium is in a family.
        families: closed sets, none of which lies in the union of the others.
        seconds: time taken.
        rationalised: whether the game's numbers were floats, read as the nearest fractions.
        certificate: what proves completeness.
    """

    game: str
    concept: Concept
    complete: bool
    families: tuple[Family, ...]
    seconds: float
    rationalised: bool
    certificate: Certificate
    unknowns: Unknowns = field(repr=False)
    assumptions: tuple[Any, ...] = field(repr=False)

    def probability(self, information_set: str, action: str) -> Any:
        """The probability of an action, as a SymPy expression for `equals`.

        Raises:
            AssessmentError: no such information set or action.
        """
        try:
            return sympy.sympify(self.unknowns.assessment.strategies[information_set][action])
        except KeyError:
            raise AssessmentError(
                f"{self.game} has no action {action!r} at an information set {information_set!r}"
            ) from None

    def belief(self, information_set: str) -> tuple[Any, ...]:
        """The belief at a set, as SymPy expressions for `equals`, where it is not by Bayes' rule.

        Raises:
            AssessmentError: there is no free belief at such a set.
        """
        belief = self.unknowns.assessment.beliefs.get(information_set)
        if belief is None:
            raise AssessmentError(f"{self.game} has no free belief at {information_set!r}")
        assert not isinstance(belief, Mapping)
        return tuple(map(sympy.sympify, belief))

    def equals(self, condition: Any) -> bool:
        """Whether the families together are exactly the assessments that satisfy a condition.

        Args:
            condition: a combination of SymPy relations between `probability` and `belief`.

        Raises:
            Undecided: the prover could not tell.
        """
        given = self.unknowns.assessment
        rows = [*(m.values() for m in given.strategies.values()), *given.beliefs.values()]
        coordinates = set(self.unknowns.symbols)
        proper = [
            sympy.Ge(x, 0)
            for row in rows
            for x in map(sympy.sympify, row)
            if x.free_symbols & coordinates
        ]
        union = sympy.Or(*(family.membership for family in self.families))
        relations = [*self.assumptions, *proper, union, condition]
        field_ = ExactField([x for r in relations for x in compared(r)])
        prover = Prover(field_, [*self.assumptions, *proper])
        for one, other in ((union, condition), (condition, union)):
            answer = prover.refutable(
                [prover.assumed(one), prover.assumed(sympy.Not(other))]
            ).answer
            if answer == "undecided":
                raise Undecided(f"{self.game}: could not settle whether the sets are the same")
            if answer == "refuted":
                return False
        return True

    def contains(self, assessment: Assessment) -> bool:
        """Whether an assessment lies in some family; one with symbols, for all of their values.

        Raises:
            AssessmentError: it does not fit the game.
            Undecided: the prover could not tell.
        """
        return covered(assessment, self.families)

    def to_json(self) -> dict[str, Any]:
        """Plain values; expressions are strings that SymPy reads."""
        return {
            "game": self.game,
            "concept": self.concept,
            "complete": self.complete,
            "seconds": self.seconds,
            "families": [
                {
                    "strategies": {
                        key: {name: str(p) for name, p in mix.items()}
                        for key, mix in family.strategies.items()
                    },
                    "beliefs": {key: list(map(str, b)) for key, b in family.beliefs.items()},
                    "parameters": list(map(str, family.parameters)),
                    "conditions": list(map(str, family.conditions)),
                    "payoffs": list(map(str, family.payoffs)),
                    "dimension": family.dimension,
                }
                for family in self.families
            ],
        }

    def markdown(self) -> str:
        """The families, as Markdown with formulas."""
        return "\n".join(_markdown(self))

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def __str__(self) -> str:
        how = "complete" if self.complete else "INCOMPLETE: there may be more"
        return (
            f"{self.game}: {len(self.families)} "
            f"{'family' if len(self.families) == 1 else 'families'} of {self.concept} equilibria "
            f"({how})"
        )

    def __repr__(self) -> str:
        return f"<Equilibria {self}>"


def derive_equilibria(
    game: str | pyspiel.Game | Rules[Any] | GameTree,
    concept: str = "pbe",
    *,
    assumptions: Sequence[Any] = (),
    fixed_beliefs: Mapping[str, Belief] | None = None,
    time_limit: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Equilibria:
    """All equilibria of a small game, in exact terms.

    The cost grows exponentially with the number of unknown probabilities and beliefs in the worst
    case; with some 25 of them a complete answer takes seconds, sometimes minutes.

    Args:
        game: a name, rules, a compiled tree, or an OpenSpiel game (whose floats are then read as
            the nearest fractions). Payoffs and chance may hold symbols.
        concept: ``nash``, ``subgame-perfect``, ``weak-pbe``, ``pbe`` or ``sequential``, as defined
            in `conditions`.
        assumptions: SymPy relations on the symbols of the game and of the fixed beliefs.
        fixed_beliefs: beliefs given from outside, see `verify`; they may hold symbols.
        time_limit: seconds after which the search stops with what it has, incomplete; or None.
        progress: called with the number of cells found and of questions asked.

    Raises:
        ParameterError: a time limit that is not positive.
        UnknownConcept: no such concept.
        AssessmentError: assumptions that contradict each other or the game.
        UnsupportedGame: more than `unknowns.MAX_UNKNOWNS` unknowns, or too many plans.
    """
    began = monotonic()
    if time_limit is not None and not time_limit > 0:
        raise ParameterError(f"time_limit={time_limit}: give seconds, more than 0, or None")
    known = check_concept(concept)
    tree = compile_tree(game)
    system = System(tree, known, assumptions, fixed_beliefs, QUERY_LIMIT)
    deadline = began + time_limit if time_limit is not None else float("inf")
    found = Search(system, deadline, progress).run()
    cutter = Cutter(system)
    pieces = cutter.fewest([piece for cell in found.cells for piece in cutter.pieces(cell)])
    families = [_family(system, piece, tuple(assumptions), fixed_beliefs or {}) for piece in pieces]
    families.sort(key=lambda family: -family.dimension)
    return Equilibria(
        tree.name,
        known,
        found.status == "complete",
        tuple(families),
        monotonic() - began,
        tree.rationalised,
        _certificate(system, found),
        system.unknowns,
        (*getattr(tree.rules, "assumptions", ()), *assumptions),
    )


def _certificate(system: System, found: Found) -> Certificate:
    solver = z3.Solver(ctx=system.prover.context)
    solver.add(*system.prover.domain, *found.last)
    return Certificate(
        f"z3 {version('z3-solver')}",
        "unsat" if found.status == "complete" else "unknown",
        solver.to_smt2(),
        found.queries,
    )


def _family(
    system: System, piece: Piece, assumptions: tuple[Any, ...], fixed: Mapping[str, Belief]
) -> Family:
    model, tree, field_ = system.model, system.tree, system.model.field

    def at(element: Any) -> Any:
        return field_.to_exact(field_.substitute(element, piece.dependent))

    strategies = {
        key: dict(zip(tree.action_names(h), map(at, model.strategy[h]), strict=True))
        for h, key in enumerate(tree.keys)
    }
    beliefs: dict[str, tuple[Any, ...]] = {}
    if system.concept not in WITHOUT_BELIEFS:
        beliefs = {
            key: tuple(map(at, model.beliefs[h]))
            for h, key in enumerate(tree.keys)
            if len(model.nodes[h]) > 1
        }
    symbols = set(system.unknowns.symbols)
    parameters = tuple(
        s for i, s in enumerate(field_.symbols) if s in symbols and i not in piece.dependent
    )
    relations = [(sympy.sympify(field_.to_exact(r.element)), r.sense) for r in piece.conditions]
    conditions = tuple(relation_of(e, sense) for e, sense in relations)
    equations = sum(
        1 for e, sense in relations if sense == "==" and e.free_symbols & set(parameters)
    )
    definitions = []
    for i, value in piece.dependent.items():
        numerator, denominator = sympy.fraction(
            sympy.together(sympy.sympify(field_.to_exact(value)))
        )
        definitions.append(sympy.Eq(field_.symbols[i] * denominator - numerator, 0))
        if not denominator.is_number:
            definitions.append(sympy.Ne(denominator, 0))
    return Family(
        tree=tree,
        concept=system.concept,
        strategies=strategies,
        beliefs=beliefs,
        parameters=parameters,
        conditions=conditions,
        payoffs=tuple(at(v) for v in model.value[0]),
        dimension=len(parameters) - equations,
        membership=sympy.And(*definitions, *conditions),
        unknowns=system.unknowns,
        assumptions=assumptions,
        fixed_beliefs=fixed,
    )


def _markdown(equilibria: Equilibria) -> list[str]:
    lines = [f"**{equilibria}**", ""]
    for number, family in enumerate(equilibria.families, 1):
        payoffs = ", ".join(sympy.latex(sympy.sympify(v)) for v in family.payoffs)
        lines += [
            f"{number}. Family of dimension {family.dimension}, payoffs $({payoffs})$",
            "",
        ]
        for key, mix in family.strategies.items():
            if len(mix) > 1:
                told = [
                    f"{name} ${sympy.latex(sympy.sympify(p))}$" for name, p in mix.items() if p != 0
                ]
                lines.append(f"    - {key}: {', '.join(told)}")
        for key, belief in family.beliefs.items():
            told_belief = ", ".join(sympy.latex(sympy.sympify(b)) for b in belief)
            lines.append(f"    - belief at {key}: $({told_belief})$")
        if family.conditions:
            told_conditions = ", ".join(sympy.latex(c) for c in family.conditions)
            lines.append(f"    - where ${told_conditions}$")
        lines.append("")
    return lines
