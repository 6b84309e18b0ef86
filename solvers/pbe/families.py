"""Families of equilibria: what a derivation gives to people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from ...games.errors import Undecided
from ...games.exact import exact
from ...games.rules import Exact
from ..tree import GameTree
from .assessment import Assessment, Belief
from .conditions import WITHOUT_BELIEFS, Concept, bayes
from .field import ExactField
from .model import Model
from .prover import DEFAULT_TIME_LIMIT, Prover, compared, declarations
from .unknowns import Unknowns
from .verify import Verdict, verify

_DRAWS = 50
"""Random points tried before z3 is asked for a member."""
_GRID = 24
"""Random parameters are multiples of 1 over this."""


@dataclass(frozen=True, eq=False)
class Family:
    """A closed set of equilibria, parametrised.

    Attributes:
        strategies: ``{information set: {action name: probability}}``, exact, in the parameters and
            the symbols of the game.
        beliefs: ``{information set: belief over its histories, in the order of the tree}`` at sets
            with more than one history; empty for ``nash`` and ``subgame-perfect``.
        parameters: the free ones, symbols of `strategies` and `beliefs` that are not the game's.
        conditions: SymPy relations on the parameters and the symbols of the game, which hold on the
            family and nowhere else. (The assumptions on the game's own symbols go without saying.)
        payoffs: each player's expected payoff, in utilities.
        dimension: the number of parameters, less one for each equation among the conditions.
        membership: the family as a SymPy condition on the coordinates of `unknowns`.
        assumptions: on the symbols of the game and of beliefs from outside.
    """

    tree: GameTree = field(repr=False)
    concept: Concept
    strategies: Mapping[str, Mapping[str, Exact]]
    beliefs: Mapping[str, tuple[Exact, ...]]
    parameters: tuple[sympy.Symbol, ...]
    conditions: tuple[Any, ...]
    payoffs: tuple[Exact, ...]
    dimension: int
    membership: Any = field(repr=False)
    unknowns: Unknowns = field(repr=False)
    assumptions: tuple[Any, ...] = field(default=(), repr=False)
    fixed_beliefs: Mapping[str, Belief] = field(default_factory=dict, repr=False)

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

    def contains(self, assessment: Assessment) -> bool:
        """Whether an assessment lies in the family; one with symbols, for all of their values.

        Raises:
            AssessmentError: it does not fit the game.
            Undecided: the prover could not tell.
        """
        return covered(assessment, (self,))

    def sample(self, rng: np.random.Generator | None = None) -> Assessment:
        """An exact member: random where it can be had simply, the same one without ``rng``.

        Raises:
            Undecided: the prover found no member.
        """
        symbols = sorted(
            set(self.parameters).union(*(s.free_symbols for s in self._relations)), key=str
        )
        point = self._random_point(symbols, rng) if rng is not None else None
        if point is None:
            point = self._some_point(symbols)

        def at(value: Exact) -> Exact:
            return exact(sympy.sympify(value).subs(point))

        return Assessment(
            {key: {a: at(p) for a, p in mix.items()} for key, mix in self.strategies.items()},
            {key: tuple(map(at, belief)) for key, belief in self.beliefs.items()},
        )

    @property
    def _relations(self) -> tuple[Any, ...]:
        game = getattr(self.tree.rules, "assumptions", ())
        stated = (*map(sympy.sympify, (*game, *self.assumptions)), *self.conditions)
        symbols: set[Any] = set().union(*(relation.free_symbols for relation in stated))
        declared = (d for s in sorted(symbols, key=str) for d in declarations(s))
        return (*stated, *declared)

    def _random_point(
        self, symbols: list[sympy.Symbol], rng: np.random.Generator
    ) -> dict[sympy.Symbol, Any] | None:
        for _ in range(_DRAWS):
            numbers = rng.integers(0, _GRID + 1, len(symbols))
            point = {
                s: sympy.Rational(int(n), _GRID) for s, n in zip(symbols, numbers, strict=True)
            }
            if all(relation.subs(point) == sympy.true for relation in self._relations):
                return point
        return None

    def _some_point(self, symbols: list[sympy.Symbol]) -> dict[sympy.Symbol, Any]:
        if not symbols:
            return {}
        field_ = ExactField([*symbols, *(x for r in self._relations for x in compared(r))])
        proof = Prover(field_, self._relations).refutable([])
        if proof.answer != "refuted":
            raise Undecided(f"{self.tree.name}: the prover found no member of the family")
        return {s: sympy.sympify(v) for s, v in proof.point.items()}


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
    differences = [sympy.together(x.subs(place) - value) for x, value in pairs]
    if first.concept not in WITHOUT_BELIEFS:
        differences += [sympy.sympify(model.field.to_exact(c.element)) for c in bayes(model)]
    equal: list[Any] = [sympy.Eq(difference, 0) for difference in differences]
    game = getattr(first.tree.rules, "assumptions", ())
    assumptions = [*game, *first.assumptions, *assessment.assumptions]
    members = (f.membership.subs(place, simultaneous=True) for f in families)
    inside = sympy.And(*equal, sympy.Or(*members))
    if inside in (sympy.true, sympy.false):
        return bool(inside)
    field_ = ExactField([x for r in (inside, *assumptions) for x in compared(r)])
    prover = Prover(field_, assumptions)
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
