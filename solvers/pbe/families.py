"""Families of equilibria: what a derivation gives to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from ...games.errors import ParameterError, Undecided
from ...games.rules import Exact
from ..tree import GameTree
from .assessment import Assessment, Belief
from .conditions import WITHOUT_BELIEFS, Concept, bayes
from .family_text import family_blocks
from .markup import Format, render
from .members import Members
from .model import Model
from .naming import describe
from .prover import DEFAULT_TIME_LIMIT, Prover
from .unknowns import Unknowns
from .verify import Verdict, verify


@dataclass(frozen=True, eq=False, repr=False)
class Family:
    """A closed set of equilibria, parametrised.

    Attributes:
        strategies: ``{information set: {action name: probability}}``, exact, in the parameters and
            the symbols of the game.
        beliefs: ``{information set: belief over its histories, in the order of the tree}`` at sets
            with more than one history; empty for ``nash`` and ``subgame-perfect``.
        conditions: SymPy relations on the parameters and the symbols of the game, which hold on the
            family and nowhere else. (The assumptions on the game's own symbols go without saying.)
        payoffs: each player's expected payoff, in utilities.
        unknowns: the coordinates of all assessments of the game; some are the parameters.
        assumptions: on the symbols of the game and of beliefs from outside.
        fixed_beliefs: beliefs given from outside.
    """

    tree: GameTree
    concept: Concept
    strategies: Mapping[str, Mapping[str, Exact]]
    beliefs: Mapping[str, tuple[Exact, ...]]
    conditions: tuple[Any, ...]
    payoffs: tuple[Exact, ...]
    unknowns: Unknowns
    assumptions: tuple[Any, ...] = ()
    fixed_beliefs: Mapping[str, Belief] = field(default_factory=dict)

    @cached_property
    def entries(self) -> Sequence[tuple[Exact, Exact]]:
        """Every unknown probability and belief, an expression in coordinates, with its value."""
        wanted = self.unknowns.assessment
        told: list[tuple[Exact, Exact]] = []
        for key, mix in wanted.strategies.items():
            told += ((x, self.strategies[key][name]) for name, x in mix.items())
        for key, belief in wanted.beliefs.items():
            assert not isinstance(belief, Mapping)
            told += zip(belief, self.beliefs[key], strict=True)
        return told

    @cached_property
    def values(self) -> Mapping[sympy.Symbol, Exact]:
        """What each coordinate is in the family, the parameters themselves included."""
        coordinates = set(self.unknowns.symbols)
        return {x: value for x, value in self.entries if x in coordinates}

    @cached_property
    def parameters(self) -> tuple[sympy.Symbol, ...]:
        """The coordinates that are free, symbols of `strategies` and `beliefs`."""
        return tuple(x for x in self.unknowns.symbols if self.values[x] == x)

    @cached_property
    def dimension(self) -> int:
        """The number of parameters, less one for each equation among the conditions."""
        own = set(self.parameters)
        return len(own) - sum(
            isinstance(c, sympy.Eq) and bool(c.free_symbols & own) for c in self.conditions
        )

    @cached_property
    def membership(self) -> Any:
        """The family as a SymPy condition on the coordinates."""
        definitions: list[Any] = []
        for x, value in self.values.items():
            if value != x:
                top, bottom = sympy.fraction(sympy.together(sympy.sympify(value)))
                definitions.append(sympy.Eq(x * bottom - top, 0))
                if not bottom.is_number:
                    definitions.append(sympy.Ne(bottom, 0))
        return sympy.And(*definitions, *self.conditions)

    @cached_property
    def name(self) -> str:
        """What happens on the path, in a few words; see `describe`."""
        return describe(self.tree, self.strategies)

    @cached_property
    def assessment(self) -> Assessment:
        """The family as an assessment with symbols, for `verify`."""
        beliefs = {k: b for k, b in self.beliefs.items() if k not in self.fixed_beliefs}
        return Assessment(self.strategies, beliefs, (*self.assumptions, *self.conditions))

    def verify(self, time_limit: float = DEFAULT_TIME_LIMIT) -> Verdict:
        """Proves that every member is an equilibrium, by other code than what derived it."""
        return verify(
            self.tree,
            self.assessment,
            self.concept,
            fixed_beliefs=self.fixed_beliefs or None,
            time_limit=time_limit,
        )

    def proof(self, format: Format = "latex", title: str = "") -> str:
        """A document that proves every member an equilibrium; see `Verdict.document`."""
        return self.verify().document(format, title)

    def markdown(self) -> str:
        """The family as Markdown: strategies and beliefs, conditions, payoffs."""
        return render(family_blocks(self), "markdown")

    def latex(self) -> str:
        """The same as a LaTeX fragment; it needs amsmath, booktabs and longtable."""
        return render(family_blocks(self), "latex")

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def __repr__(self) -> str:
        return f"<Family of dimension {self.dimension}: {self.name}>"

    def contains(self, assessment: Assessment) -> bool:
        """Whether an assessment lies in the family; one with symbols, for all of their values.

        Raises:
            AssessmentError: it does not fit the game.
            Undecided: the prover could not tell.
        """
        return covered(assessment, (self,))

    def sample(self, rng: np.random.Generator | None = None) -> Assessment:
        """An exact member: a random one, or the same one each time without ``rng``.

        Where the game has symbols, its assumptions say at which values of them it is one.

        Raises:
            ParameterError: ``rng`` is no NumPy generator.
            Undecided: the prover found no member.
        """
        return self._members.some() if rng is None else self.samples(1, rng)[0]

    def samples(self, count: int, rng: np.random.Generator | None = None) -> list[Assessment]:
        """Random exact members, spread over the family and its bounds; much faster than one by one.

        Without ``rng`` the same ones each time.

        Raises:
            ParameterError: ``rng`` is no NumPy generator.
            Undecided: the prover found no member.
        """
        return self._members.random(count, _generator(rng))

    @cached_property
    def _members(self) -> Members:
        game = getattr(self.tree.rules, "assumptions", ())
        return Members(
            self.tree.name,
            Assessment(self.strategies, self.beliefs),
            self.parameters,
            (*game, *self.assumptions, *self.conditions),
        )


def _generator(rng: Any) -> np.random.Generator:
    if rng is None:
        return np.random.default_rng(0)
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng={rng!r}: give a generator, numpy.random.default_rng(seed)")
    return rng


def covered(assessment: Assessment, families: tuple[Family, ...]) -> bool:
    """Whether an assessment lies in some family, for all values of its symbols.

    Raises:
        AssessmentError: it does not fit the game.
        Undecided: the prover could not tell.
    """
    if not families:
        return False
    first = families[0]
    model = Model(first.tree, assessment, first.fixed_beliefs or None)
    wanted = first.unknowns.assessment
    pairs: list[tuple[Any, Any]] = []  # what is to be equal: an expression in coordinates, a value
    for h, key in enumerate(first.tree.keys):
        names = first.tree.action_names(h)
        pairs += [(wanted.strategies[key][n], model.strategy[h][a]) for a, n in enumerate(names)]
        if belief := wanted.beliefs.get(key):
            assert not isinstance(belief, Mapping)
            pairs += zip(belief, model.beliefs[h], strict=True)
    pairs = [(sympy.sympify(x), sympy.sympify(model.field.to_exact(v))) for x, v in pairs]
    place: dict[Any, Any] = {}
    for expression, value in pairs:
        if expression in first.unknowns.symbols:
            place.setdefault(expression, value)
    # Beliefs that follow from the strategies, and so are no coordinates, must follow here, too.
    differences = [sympy.together(x.xreplace(place) - value) for x, value in pairs]
    if first.concept not in WITHOUT_BELIEFS:
        differences += [sympy.sympify(model.field.to_exact(c.element)) for c in bayes(model)]
    equal: list[Any] = [sympy.Eq(difference, 0) for difference in differences]
    game = getattr(first.tree.rules, "assumptions", ())
    assumptions = [*game, *first.assumptions, *assessment.assumptions]
    members = (f.membership.xreplace(place) for f in families)
    inside = sympy.And(*equal, sympy.Or(*members))
    if inside in (sympy.true, sympy.false):
        return bool(inside)
    prover = Prover.of([inside], assumptions)
    answer = prover.refutable([prover.assumed(sympy.Not(inside))]).answer
    if answer == "undecided":
        raise Undecided(f"{first.tree.name}: could not settle whether the families cover it")
    return answer == "proved"


def relation_of(expression: Any, sense: str) -> Any:
    """``expression sense 0`` as people write it: no minus signs, the constant on its own."""
    polynomial = sympy.expand(expression)
    terms = sympy.Add.make_args(polynomial)
    plus = [t for t in terms if not t.could_extract_minus_sign()]
    minus = [-t for t in terms if t.could_extract_minus_sign()]
    left, right = sympy.Add(*plus), sympy.Add(*minus)
    symbols = polynomial.free_symbols
    if len(symbols) == 1 and sympy.degree(polynomial, *symbols) == 1:
        (symbol,) = symbols
        slope = polynomial.coeff(symbol)
        bound = -polynomial.subs(symbol, 0) / slope
        left, right = (symbol, bound) if slope > 0 else (bound, symbol)
    kinds: dict[str, Any] = {">=": sympy.Ge, ">": sympy.Gt, "==": sympy.Eq, "!=": sympy.Ne}
    if sense in (">=", ">") and left.is_number:
        return (sympy.Le if sense == ">=" else sympy.Lt)(right, left, evaluate=False)
    return kinds[sense](left, right, evaluate=False)
