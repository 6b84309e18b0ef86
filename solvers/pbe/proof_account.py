"""What the parts of a written proof share: a verdict, and why an expression has its sign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy

from .conditions import Concept
from .field import Element
from .formulas import at, relation, source
from .markup import Math, Text, joined, words
from .prover import Proof, Sense
from .signs import Reason
from .telling import Telling
from .verify import Check, Verdict

CONCEPT_NAMES: dict[Concept, str] = {
    "nash": "Nash equilibrium",
    "subgame-perfect": "subgame-perfect equilibrium",
    "weak-pbe": "weak perfect Bayesian equilibrium",
    "pbe": "perfect Bayesian equilibrium",
    "sequential": "sequential equilibrium",
}
_HOLDS = {">=": r"\ge 0", ">": "> 0", "==": "= 0", "!=": r"\ne 0"}


@dataclass(frozen=True)
class Judgement:
    """What a check came to.

    Attributes:
        value: the expression, as LaTeX source.
        sign: its relation to 0, as LaTeX source; empty if that is not known.
        because: assumptions, as LaTeX sources.
        by_z3: whether only z3 proves it.
        note: what is to be said of a check that is not proved.
    """

    value: str
    sign: str
    because: tuple[str, ...] = ()
    by_z3: bool = False
    note: Text = ()

    def line(self, left: str = "") -> str:
        """An aligned line: ``left = value > 0, since ...``."""
        if left in ("", self.value):
            text = f"{self.value} &{self.sign}"
        else:
            text = f"{left} &= {self._related()}"
        reason = self._reason()
        return f"{text} && {reason}" if reason else text

    def text(self) -> Text:
        """The same as words: ``value > 0, since ...``."""
        parts: list[str | Math] = [Math(self._related())]
        if self.because:
            parts += [" since ", *joined(map(Math, self.because))]
        elif self.by_z3:
            parts.append(" (z3)")
        elif self.note:
            parts += [" (", *self.note, ")"]
        return tuple(parts)

    def _related(self) -> str:
        return self.value if self.value == "0" or not self.sign else f"{self.value} {self.sign}"

    def _reason(self) -> str:
        if self.because:
            return r"\text{since } " + r",\ ".join(self.because)
        if self.by_z3:
            return words("(z3)")
        return "".join(p.source if isinstance(p, Math) else words(p) for p in self.note)


class Account(Telling):
    """A verdict with all that is needed to tell it.

    Attributes:
        verdict: what is told.
        used_z3: whether some sign so far rests on z3 alone.
    """

    def __init__(self, verdict: Verdict):
        super().__init__(verdict.model)
        self.verdict = verdict
        self.used_z3 = False

    @cached_property
    def concept(self) -> str:
        """The concept in words."""
        return CONCEPT_NAMES[self.verdict.concept]

    def checks(self, kinds: Sequence[str], h: int | None = None) -> list[Check]:
        """The checks of some kinds (at one information set), in order."""
        return [
            check
            for check in self.verdict.checks
            if check.condition.kind in kinds and h in (None, check.condition.information_set)
        ]

    def is_assumed(self, element: Element, sense: Sense) -> bool:
        """Whether ``element >= 0`` (``== 0``) is an assumption, or follows from one at once."""
        kinds = (sympy.Eq,) if sense == "==" else (sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt)
        field = self.model.field
        for a in self.assumptions:
            if isinstance(a, kinds) and sense in ("==", ">="):
                flip = -1 if isinstance(a, sympy.Le | sympy.Lt) else 1
                rest = element - field(flip * (a.lhs - a.rhs))  # type: ignore[operator]
                if rest == field.zero:
                    return True
                if sense == ">=" and field.is_constant(rest) and field.number(rest) > 0:
                    return True
        return False

    # --------------------------------------------------------------------------------- judgements

    def judge(
        self, element: Element, sense: Sense, proof: Proof, given: Sequence[Any] = ()
    ) -> Judgement:
        """Why ``element sense 0``, or what is known of it if that is not proved.

        Args:
            element: of the original model.
            sense: the relation.
            proof: what the prover said.
            given: SymPy relations under which it was asked.
        """
        value = self.shown(element)
        shown = source(value)
        if proof.answer == "undecided":
            return Judgement(shown, "", note=("not settled",))
        if proof.answer == "refuted":
            return self._refuted(value, proof)
        if value.is_number:
            because = ()
            if value == 0 and element != self.model.field.zero:
                because = self._because(self.signs.of(self.model.field.to_exact(element)))
            return Judgement(shown, _sign_of(value), because)
        for known in (self.signs, self.signs.given(given)):
            reason = known.of(value)
            if reason is not None and _enough(reason, sense):
                sign = {"+": "> 0", "0+": r"\ge 0", "0": "= 0"}[reason.sign]
                return Judgement(shown, sign, self._because(reason))
        opposite = self.signs.of(-value)
        if sense == "!=" and opposite is not None and opposite.sign == "+":
            return Judgement(shown, "< 0", self._because(opposite))
        self.used_z3 = True
        return Judgement(shown, _HOLDS[sense], by_z3=True)

    def _refuted(self, value: Any, proof: Proof) -> Judgement:
        point = {s: v for s, v in proof.point.items() if s in value.free_symbols}
        note: Text = ("fails at ", *joined(at(point))) if point else ("fails",)
        return Judgement(source(value), _sign_of(value) if value.is_number else "", note=note)

    @staticmethod
    def _because(reason: Reason | None) -> tuple[str, ...]:
        return tuple(map(relation, reason.because)) if reason is not None else ()


def _sign_of(number: Any) -> str:
    return "= 0" if number.is_zero else "> 0" if number.is_positive else "< 0"


def _enough(reason: Reason, sense: Sense) -> bool:
    return {
        ">=": True,
        ">": reason.sign == "+",
        "==": reason.sign == "0",
        "!=": reason.sign == "+",
    }[sense]
