"""What a derivation of all equilibria gives: families, and what proves that they are all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from ...games.errors import AssessmentError, Undecided
from .assessment import Assessment
from .certificate import Certificate
from .conditions import Concept
from .families import Family, covered
from .field import ExactField
from .prover import Prover, compared
from .unknowns import Unknowns


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
