"""Letters for long probabilities, so that a computation can be read.

An assessment may play an action with probability ``(1 - 2*alpha)/(2*alpha)``. Written out in every
expected utility nobody could follow it; with a letter q for it, the utilities are polynomials in q.
The letters are one more set of symbols, with their definitions as assumptions: what holds of the
lettered assessment holds of the original one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from ...games.errors import CrywolfError
from ...games.rules import Exact
from .assessment import Assessment
from .field import Element
from .formulas import operations
from .model import Model

NAMES = "qprstwvyz"
"""The letters, in the order in which they are taken."""
LONG = 3
"""Operations above which a probability gets a letter."""


@dataclass(frozen=True)
class Lettered:
    """A model whose long probabilities are letters.

    Attributes:
        model: of the lettered assessment; the original one where no probability is long.
        letters: what each letter stands for.
    """

    model: Model
    letters: dict[sympy.Symbol, Exact]


def lettered(model: Model) -> Lettered:
    """The model with letters for its long probabilities."""
    letters: dict[sympy.Symbol, Exact] = {}
    taken: dict[Element, sympy.Symbol] = {}
    names = _free_names(model)
    strategies: dict[str, dict[str, Exact]] = {}
    for h, key in enumerate(model.tree.keys):
        if key not in model.assessment.strategies:  # a set with one action
            continue
        mix = model.assessment.strategies[key]
        actions = model.tree.action_names(h)
        row = dict(zip(actions, model.strategy[h], strict=True))
        long = [name for name in mix if operations(model.show(row[name])) > LONG]
        if not long:
            strategies[key] = dict(mix)
            continue
        long.sort(key=lambda name: operations(mix[name]))  # as the author wrote them
        total = sum(model.strategy[h], model.field.zero) - model.field.one
        rest = long.pop() if model.prover.always(total, "==").answer == "proved" else None
        new: dict[str, Exact] = dict(mix)
        for name in long:
            symbol = taken.get(row[name])
            if symbol is None:
                symbol = taken[row[name]] = sympy.Symbol(next(names), real=True)
                letters[symbol] = mix[name]
            new[name] = symbol
        if rest is not None and row[rest] in taken:
            new[rest] = taken[row[rest]]
        elif rest is not None:
            new[rest] = 1 - sum((sympy.sympify(new[n]) for n in mix if n != rest), sympy.Integer(0))
        strategies[key] = new
    if not letters:
        return Lettered(model, {})
    definitions: list[Any] = [sympy.Eq(s, sympy.sympify(value)) for s, value in letters.items()]
    old = model.assessment
    assessment = Assessment(strategies, old.beliefs, (*old.assumptions, *definitions))
    try:
        new_model = Model(model.tree, assessment, model.fixed_beliefs, model.prover.time_limit)
        _ = new_model.beliefs
    except CrywolfError:  # too hard for the prover: then the letters are of no use
        return Lettered(model, {})
    return Lettered(new_model, letters)


def _free_names(model: Model) -> Iterator[str]:
    used = {str(symbol) for symbol in model.field.symbols}
    yield from (name for name in NAMES if not any(u.rstrip("0123456789") == name for u in used))
    number = 0
    while True:
        number += 1
        if f"s{number}" not in used:
            yield f"s{number}"
