"""Claims on how likely an outcome is: policies evaluated, or optima solved, on the lumped game.

Nothing is taken from a formula for granted: a claim names games, what is decided in them, and the
probabilities that the source gives.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from ..games.errors import GameError
from ..games.loading import load_rules
from ..games.rules import TERMINAL
from ..solvers.exact import evaluate_exact, exact_profile
from ..solvers.lumped_response import optimal_response
from ..solvers.lumping import Decisions, LumpedValue, count_leaves, optimal_probability
from ..solvers.pbe import Verdict
from ..solvers.tree import compile_tree
from .claims import Claim, uniform_strategies
from .mafia_policies import evenly

Checked = tuple[str, str, Sequence[str], Sequence[Verdict]]
"""See `Claim._compute`."""


@dataclass(frozen=True)
class Question:
    """How likely an outcome is.

    Attributes:
        game: name or game string.
        outcome: ``town``, ``wolves`` or ``draw``.
        decisions: what every mover does, or that it chooses what is best or worst for the outcome.
        opening: names of the actions that the play begins with, as far as it goes on.
        responder: a player who, knowing only what it observes, chooses what is best for the
            outcome; None if ``decisions`` are everybody's.
        lump: whether the seats are interchangeable; else only equal positions are one.
    """

    game: str
    outcome: str = "wolves"
    decisions: Decisions = evenly
    opening: tuple[str, ...] = ()
    responder: int | None = None
    lump: bool = True

    def solve(self) -> LumpedValue:
        """The exact probability, at the start and from every lump on.

        Raises:
            GameError: an action of the opening is not possible.
        """
        rules: Any = load_rules(self.game)
        position = rules.initial().position
        for name in self.opening:
            mover = rules.mover(position)
            if mover == TERMINAL:
                break
            names = {rules.action_name(mover, a): a for a in rules.actions(position)}
            if name not in names:
                raise GameError(f"{self.game}: {name!r} is not possible; {', '.join(names)} are")
            position = rules.play(position, names[name]).position
        if self.responder is None:
            return optimal_probability(
                rules, self.outcome, self.decisions, start=position, lump=self.lump
            )
        policy: Any = self.decisions
        return optimal_response(rules, self.responder, self.outcome, policy, start=position)

    def answer(self) -> Fraction:
        """The exact probability."""
        return self.solve().value

    def __str__(self) -> str:
        return f"{self.outcome} in {self.game}"


@dataclass(frozen=True)
class OutcomeClaim(Claim):
    """Certain outcomes have certain probabilities.

    Attributes:
        probabilities: of each question, what the source says.
        digits: after the point, if the source gives a decimal; None for exact fractions.
    """

    probabilities: Mapping[Question, Fraction]
    digits: int | None = None

    def _compute(self) -> Checked:
        found = {question: question.answer() for question in self.probabilities}
        if self.digits is not None:
            unit = 10**self.digits
            found = {question: Fraction(round(p * unit), unit) for question, p in found.items()}
        violations = [
            f"{question}: {found[question]}, not {expected}"
            for question, expected in self.probabilities.items()
            if found[question] != expected
        ]
        rounded = "" if self.digits is None else f" (to {self.digits} digits)"
        told, wanted = _listed(found.values()), _listed(self.probabilities.values())
        return told + rounded, wanted + rounded, violations, ()


@dataclass(frozen=True)
class FormulaClaim(Claim):
    """A formula gives the probabilities of outcomes, from every position of some kind on.

    Attributes:
        questions: whose games are looked at.
        size: of a position, what the formula is of; None where it says nothing.
        formula: the probability.
        sizes: the sizes that must occur; others may.
    """

    questions: tuple[Question, ...]
    size: Callable[[Any], tuple[int, ...] | None]
    formula: Callable[..., Fraction]
    sizes: Collection[tuple[int, ...]]

    def _compute(self) -> Checked:
        violations: dict[str, None] = {}
        met: set[tuple[int, ...]] = set()
        for question in self.questions:
            for position, value in question.solve().values.items():
                size = self.size(position)
                if size is not None:
                    met.add(size)
                    if value != self.formula(*size):
                        violations[f"{size}: {value}, not {self.formula(*size)}"] = None
        wanted = {*self.sizes}
        violations |= {f"{size} does not occur": None for size in sorted(wanted - met)}
        told = f"the formula holds for all of {len(met | wanted)} sizes"
        if violations:
            told = f"the formula fails for {len(violations)} of {len(met | wanted)} sizes"
        return told, f"the formula holds for all of {len(met | wanted)} sizes", [*violations], ()


@dataclass(frozen=True)
class Relation:
    """A linear equation between probabilities.

    Attributes:
        words: the equation in words.
        terms: (factor, question) pairs.
        total: what they add up to.
    """

    words: str
    terms: tuple[tuple[Fraction | int, Question], ...]
    total: Fraction | int = 0


@dataclass(frozen=True)
class RelationClaim(Claim):
    """Certain equations hold between probabilities of outcomes.

    Attributes:
        relations: the equations.
    """

    relations: tuple[Relation, ...]

    def _compute(self) -> Checked:
        questions = {question for relation in self.relations for _, question in relation.terms}
        found = {question: question.answer() for question in questions}
        violations = []
        for relation in self.relations:
            total = sum(factor * found[question] for factor, question in relation.terms)
            if total != relation.total:
                violations.append(f"{relation.words}: {total}, not {relation.total}")
        count = len(self.relations)
        told = f"{count - len(violations)} of {count} equations hold"
        return told, f"{count} of {count} equations hold", violations, ()


@dataclass(frozen=True)
class LimitClaim(Claim):
    """Probabilities are near their limit: within C / sqrt(n) of it.

    Attributes:
        probabilities: of (n, question) pairs, or probabilities themselves, what they tend to: SymPy
            numbers, which are compared with enough digits to be sure.
        constant: C.
    """

    probabilities: tuple[tuple[int, Question | Fraction, Any], ...]
    constant: Fraction

    def _compute(self) -> Checked:
        violations = []
        for n, question, limit in self.probabilities:
            p = question.answer() if isinstance(question, Question) else question
            distance = sympy.Abs(sympy.Rational(p.numerator, p.denominator) - limit)
            if not distance <= sympy.sympify(self.constant) / sympy.sqrt(n):
                violations.append(
                    f"{question} of n = {n}: 1/{int(1 / distance)} or so from its limit, more than "
                    f"{self.constant}/sqrt({n})"
                )
        count = len(self.probabilities)
        within = f"of {count} values within {self.constant}/sqrt(n) of the limit"
        return f"{count - len(violations)} {within}", f"{count} {within}", violations, ()


@dataclass(frozen=True)
class RootClaim(Claim):
    """An increasing function passes a height at a point, to the digits given.

    Attributes:
        functions: (expression, its symbol, the point as a decimal string) triples.
        height: of the functions there.
    """

    functions: tuple[tuple[Any, Any, str], ...]
    height: Fraction

    def _compute(self) -> Checked:
        violations, found = [], []
        height = sympy.sympify(self.height)
        for function, symbol, point in self.functions:
            half = sympy.Rational(1, 2 * 10 ** len(point.partition(".")[2]))
            middle = sympy.Rational(point)
            low, high = (function.subs(symbol, x) for x in (middle - half, middle + half))
            found.append(middle)
            if not low < height < high:
                violations.append(
                    f"{function} does not pass {self.height} between {middle - half} and "
                    f"{middle + half}"
                )
        points = _listed(found)
        return f"passes {self.height} at {points} (to their digits)", points, violations, ()


@dataclass(frozen=True)
class LeavesClaim(Claim):
    """Game trees have certain numbers of leaves.

    Attributes:
        leaves: by game string.
    """

    leaves: Mapping[str, int]

    def _compute(self) -> Checked:
        found = {game: int(count_leaves(game).value) for game in self.leaves}
        violations = [
            f"{game}: {found[game]:,} leaves, not {expected:,}"
            for game, expected in self.leaves.items()
            if found[game] != expected
        ]
        return _listed(found.values()), _listed(self.leaves.values()), violations, ()


@dataclass(frozen=True)
class MeanReturnClaim(Claim):
    """Every player's mean payoff under uniform play, by the probability that the town wins.

    The payoffs come from the whole tree, the probability from the lumped game.

    Attributes:
        returns: for each game, the factor k of the payoff (2 v - 1) k, where v is the probability.
    """

    returns: Mapping[str, Fraction]

    def _compute(self) -> Checked:
        violations, told, wanted = [], [], []
        for game, factor in self.returns.items():
            tree = compile_tree(game)
            found = evaluate_exact(tree, exact_profile(tree, uniform_strategies(tree))).values
            expected = (2 * Question(game, "town").answer() - 1) * factor
            told.append(found[0])
            wanted.append(expected)
            violations += [
                f"{game}: P{player + 1} gets {value}, not {expected}"
                for player, value in enumerate(found)
                if value != expected
            ]
        return _listed(told), _listed(wanted), violations, ()


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(str, values))
