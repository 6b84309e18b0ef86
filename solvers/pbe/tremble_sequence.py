"""Trembles written out: the completely mixed strategies whose Bayes beliefs converge.

On a pattern (which probabilities are 0), every unplayed action on the way to an unreached set gets
the probability ``size * epsilon ** order``. The orders come from `consistency`; the sizes solve the
equations that the beliefs ask of their products, a linear system in their logarithms. The limits of
the beliefs then follow from leading terms, and are compared with the stated ones by the prover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from .consistency import Action, Pattern, Trembles, belief_ratios, leading_term, sets_with_beliefs
from .field import Element
from .model import Model
from .prover import Answer

Power = dict[int, Fraction]
"""A product of belief ratios: the exponent of each."""


@dataclass(frozen=True)
class Leading:
    """The probability of a history along the trembles: ``known * sizes * epsilon ** order``.

    Attributes:
        node: where the history leads.
        coefficient: of the power of epsilon; None where some size is a root.
        order: the power.
    """

    node: int
    coefficient: Element | None
    order: int


@dataclass(frozen=True)
class Size:
    """A tremble size: the product of (top / bottom) ** exponent; 1 if there are no factors."""

    factors: tuple[tuple[Element, Element, Fraction], ...]
    value: Element | None


@dataclass(frozen=True)
class TrembleSequence:
    """Trembles on one pattern.

    Attributes:
        pattern: the part of the domain.
        unreached: the sets that the strategies do not reach there.
        orders: of the unplayed actions on the way to those.
        sizes: of the same actions.
        leading: for each unreached set, the leading terms of its histories.
        limits: whether the beliefs are the limits: ``proved`` if they are.
    """

    pattern: Pattern
    unreached: tuple[int, ...]
    orders: Mapping[Action, int]
    sizes: Mapping[Action, Size]
    leading: Mapping[int, tuple[Leading, ...]]
    limits: Answer


def tremble_sequence(model: Model, found: Trembles) -> TrembleSequence:
    """The trembles that explain the beliefs on a pattern."""
    pattern = found.pattern
    ways = {
        h: [leading_term(model, pattern, node) for node in model.nodes[h]]
        for h in sets_with_beliefs(model)
    }
    unreached = tuple(h for h, terms in ways.items() if all(unplayed for _, unplayed in terms))
    actions = {a for h in unreached for _, unplayed in ways[h] for a in unplayed}
    orders = {a: k for a, k in sorted(found.orders.items()) if a in actions}
    sizes = _sizes(model, pattern, unreached, sorted(actions))
    leading = {
        h: tuple(
            Leading(node, _coefficient(known, unplayed, sizes), _order(unplayed, orders))
            for node, (known, unplayed) in zip(model.nodes[h], ways[h], strict=True)
        )
        for h in unreached
    }
    limits = _compare(model, pattern, leading)
    return TrembleSequence(pattern, unreached, orders, sizes, leading, limits)


def _order(unplayed: Mapping[Action, int], orders: Mapping[Action, int]) -> int:
    return sum(k * orders[a] for a, k in unplayed.items())


def _coefficient(
    known: Element, unplayed: Mapping[Action, int], sizes: Mapping[Action, Size]
) -> Element | None:
    for action, k in unplayed.items():
        size = sizes[action].value
        if size is None:
            return None
        known *= size**k
    return known


def _sizes(
    model: Model, pattern: Pattern, sets: Sequence[int], actions: Sequence[Action]
) -> dict[Action, Size]:
    """Sizes that keep all ratios; those that are free are 1."""
    ratios = belief_ratios(model, pattern, sets)
    rows = [{a: Fraction(k) for a, k in ratio.powers.items()} for ratio in ratios]
    solved = _solve(rows)
    sizes = {}
    for action in actions:
        powers = solved.get(action, {})
        factors = tuple((ratios[j].top, ratios[j].bottom, c) for j, c in powers.items())
        value: Element | None = None
        if all(c.denominator == 1 for _, _, c in factors):
            value = prod((top / bottom) ** int(c) for top, bottom, c in factors) * model.field.one
        sizes[action] = Size(factors, value)
    return sizes


def _solve(rows: Sequence[dict[Action, Fraction]]) -> dict[Action, Power]:
    """``rows . x = right`` for symbolic right sides, as combinations of them; free x are 0.

    Later actions are expressed by earlier ones, and where it can be with exponents 1 or -1: then
    the sizes are rational.
    """
    solved: dict[Action, tuple[dict[Action, Fraction], Power]] = {}
    for j, row in enumerate(rows):
        left, right = dict(row), {j: Fraction(1)}
        for action, (other, power) in solved.items():
            _subtract(left, right, left.get(action, Fraction(0)), other, power)
        if not left:  # follows from the rows before
            continue
        pivot = max(left, key=lambda a: (abs(left[a]) == 1, a))
        scale = left[pivot]
        left = {a: c / scale for a, c in left.items()}
        right = {i: c / scale for i, c in right.items()}
        for other, power in solved.values():
            _subtract(other, power, other.get(pivot, Fraction(0)), left, right)
        solved[pivot] = (left, right)
    return {action: power for action, (_, power) in solved.items()}


def _subtract(
    left: dict[Action, Fraction],
    right: Power,
    times: Fraction,
    other: Mapping[Action, Fraction],
    power: Mapping[int, Fraction],
) -> None:
    """Takes a multiple of one equation from another, in place."""
    if not times:
        return
    for a, c in other.items():
        left[a] = left.get(a, Fraction(0)) - times * c
        if not left[a]:
            del left[a]
    for i, c in power.items():
        right[i] = right.get(i, Fraction(0)) - times * c
        if not right[i]:
            del right[i]


def _compare(model: Model, pattern: Pattern, leading: Mapping[int, Sequence[Leading]]) -> Answer:
    """Whether the leading terms give the beliefs."""
    answer: Answer = "proved"
    for h, terms in leading.items():
        lowest = min(term.order for term in terms)
        first = [term for term in terms if term.order == lowest]
        beliefs = dict(zip(model.nodes[h], model.beliefs[h], strict=True))
        differences = [beliefs[term.node] for term in terms if term.order > lowest]
        coefficients: list[Element] = [term.coefficient for term in first]
        if any(c is None for c in coefficients):  # whether roots fit, `tremble_sizes` says
            answer = "undecided"
            continue
        whole = sum(coefficients, model.field.zero)
        differences += [
            beliefs[term.node] * whole - coefficient
            for term, coefficient in zip(first, coefficients, strict=True)
        ]
        signs = [model.prover.always(c, ">", pattern.relations) for c in coefficients]
        equal = [model.prover.always(d, "==", pattern.relations) for d in differences]
        for proof in (*signs, *equal):
            if proof.answer == "refuted":
                return "refuted"
            if proof.answer == "undecided":
                answer = "undecided"
    return answer
