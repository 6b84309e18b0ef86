"""An assessment for people: short names, letters for long probabilities, expressions by hand."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import sympy

from ...games.rules import Exact
from .field import Element
from .formulas import conjuncts, domain, source, turned
from .letters import lettered
from .markup import Math, Text, joined
from .model import Model
from .prover import declarations
from .set_names import set_names
from .shares import MAX_LISTED, MAX_TERMS, shares
from .signs import Signs


class Telling:
    """An assessment with all that is needed to tell it.

    Attributes:
        model: the assessment as it was given.
        tree: the game.
        short: the assessment with letters for long probabilities.
        letters: what the letters stand for.
        names: a short name for each information set.
        assumptions: on the symbols, with what they declare of themselves.
    """

    def __init__(self, model: Model):
        self.model = model
        self.tree = model.tree
        found = lettered(model)
        self.short, self.letters = found.model, found.letters
        self.names = set_names(self.tree)
        declared = [r for s in model.field.symbols for r in declarations(s)]
        self.assumptions = conjuncts([*declared, *model.assumptions])

    @cached_property
    def domain(self) -> list[Math]:
        """The assumptions as formulas."""
        return domain(self.assumptions)

    @cached_property
    def signs(self) -> Signs:
        """Signs under the assumptions."""
        return Signs(self.assumptions)

    def mix(self, h: int) -> Text:
        """The strategy at an information set, played actions only."""
        short = self.short
        names = self.tree.action_names(h)
        played = [
            (n, s) for n, s in zip(names, short.strategy[h], strict=True) if s != short.field.zero
        ]
        if len(played) == 1 and played[0][1] == short.field.one:
            return (played[0][0],)
        return joined([(f"{name}: ", Math(self.brief(s))) for name, s in played])

    def belief(self, h: int) -> Text:
        """The belief at an information set in words; empty for a set with one history."""
        model = self.model
        if len(model.nodes[h]) == 1:
            return ("",)
        told = shares(model, h)
        if len(told) > MAX_LISTED:
            told = [share for share in told if share.belief != model.field.zero]
        if len(told) > MAX_TERMS:
            return (f"on {len(told)} histories",)
        return joined(
            [
                (f"({model.history(share.history)}): ", Math(self.full(share.belief)))
                for share in told
            ]
        )

    def definitions(self) -> tuple[str, ...]:
        """What the letters stand for, as aligned LaTeX lines of one sentence."""
        lines = []
        for letter, value in self.letters.items():
            own = source(value)
            simple = self.model.show(self.model.field(value))
            shorter = "" if simple == sympy.factor(value) else f" = {source(simple)}"
            lines.append(f"{source(letter)} &= {own}{shorter}")
        return tuple(line + ("," if i < len(lines) - 1 else ".") for i, line in enumerate(lines))

    def full(self, element: Element) -> str:
        """An element of the original model, as LaTeX source."""
        return source(self.shown(element))

    def brief(self, element: Element) -> str:
        """An element of the lettered model, as LaTeX source."""
        return source(self.letter(element))

    def shown(self, element: Element) -> Any:
        """An element of the original model, with a denominator that is positive if it can be."""
        return self._upright(self.model.show(element))

    def letter(self, element: Element) -> Any:
        """The same for an element of the lettered model."""
        return self._upright(self.short.show(element))

    def _upright(self, value: Exact) -> Any:
        expression = sympy.sympify(value)
        top, bottom = sympy.fraction(expression)
        if bottom.free_symbols:
            number = self.signs.number(bottom)
            if number:
                return sympy.factor(top / number)
            negative = self.signs.of(-bottom)
            if negative is not None and negative.sign == "+":
                return sympy.Mul(turned(top), 1 / turned(bottom))
        return expression

    def history(self, node: int) -> str:
        """The way to a node, in words."""
        return self.model.history(node) or "the start"
