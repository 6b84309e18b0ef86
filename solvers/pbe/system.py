"""All equilibria of a game as the solutions of one system of polynomial conditions.

The coordinates are the probabilities and beliefs of the unknown assessment (`unknowns`). An
equilibrium is a point where

- probabilities and beliefs are not negative, and the `Relation`s of the concept hold (Bayes' rule,
  updating, no better plan at a set);
- in every `Choice`, each alternative that is played is best: what "sequentially rational" means for
  the actions at an information set, and "Nash" for the plans of a player;
- for ``sequential``, some trembles explain the beliefs.

Of these only the second and third are no conjunctions. `search` takes them apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import z3

from ...games.errors import AssessmentError
from ...games.rules import CHANCE
from ..tree import GameTree
from .assessment import Belief
from .conditions import (
    WITHOUT_BELIEFS,
    Concept,
    bayes,
    contests,
    plan_deviations,
    updating,
)
from .consistency import Action, sets_with_beliefs
from .field import Element
from .model import Model
from .prover import DEFAULT_TIME_LIMIT, Relation
from .unknowns import Unknowns, unknowns


@dataclass(frozen=True)
class Choice:
    """Alternatives of which none that is played may be worse than another.

    Attributes:
        actions: for each alternative, the actions that it consists of: one for the actions of an
            information set, several for plans. It is played if all of them are.
        values: for each alternative, its expected utility to the player.
    """

    actions: tuple[frozenset[Action], ...]
    values: tuple[Element, ...]


def _check_assumptions(model: Model, assumptions: Iterable[Any], unknown: set[Any]) -> None:
    """An assumption on a symbol that is nowhere else is most likely a slip of the pen."""
    probabilities, payoffs = model.tree.exact_tables
    values = [*probabilities, *(u for row in payoffs for u in row)]
    values += [x for belief in model.fixed_beliefs.values() for x in _entries(belief)]
    there = {s for value in values for s in getattr(value, "free_symbols", ())}
    for relation in assumptions:
        if strange := getattr(relation, "free_symbols", set()) - there - unknown:
            told = ", ".join(sorted(map(str, there))) or "none"
            raise AssessmentError(
                f"the assumption {relation} speaks of {', '.join(sorted(map(str, strange)))}, but "
                f"the symbols of {model.tree.name} and of the fixed beliefs are: {told}"
            )


def _check_fixed_beliefs(model: Model) -> None:
    for key, belief in model.fixed_beliefs.items():
        row = [model.field(x) for x in _entries(belief)]
        relations = [
            *(Relation(x, ">=") for x in row),
            Relation(sum(row, model.field.zero) - model.field.one, "=="),
        ]
        if any(model.prover.always(*relation).answer != "proved" for relation in relations):
            raise AssessmentError(
                f"{model.tree.name}: the belief ({', '.join(map(str, _entries(belief)))}) at "
                f"{key!r} is not always made of probabilities that add up to 1; correct it, or "
                "state assumptions on its symbols that make it so"
            )


def _entries(belief: Belief) -> Iterable[Any]:
    return belief.values() if isinstance(belief, Mapping) else belief


class System:
    """The conditions on the equilibria of a game, for one concept.

    Args:
        tree: the game.
        concept: which equilibria.
        assumptions: SymPy relations on the symbols of the game and of ``fixed_beliefs``.
        fixed_beliefs: beliefs given from outside, see `verify`.
        time_limit: seconds for each question to the prover.

    Attributes:
        unknowns: the coordinates.
        model: the unknown assessment on the tree.
        relations: what holds at every equilibrium.
        choices: what a played alternative must be best of.
        places: every (information set, action rank) where there is a choice.
        chosen: the same, as a set.
        free_beliefs: every (information set, node) whose belief is a coordinate.
        free_sets: their information sets.
        explained_sets: those of them whose beliefs trembles must explain.
    """

    def __init__(
        self,
        tree: GameTree,
        concept: Concept,
        assumptions: Iterable[Any] = (),
        fixed_beliefs: Mapping[str, Belief] | None = None,
        time_limit: float = DEFAULT_TIME_LIMIT,
    ):
        fixed = fixed_beliefs or {}
        self.tree = tree
        self.concept: Concept = concept
        self.unknowns: Unknowns = unknowns(tree, concept, tuple(assumptions), fixed)
        self.model = model = Model(tree, self.unknowns.assessment, fixed, time_limit)
        self.prover = model.prover
        _check_assumptions(model, assumptions, set(self.unknowns.symbols))
        _check_fixed_beliefs(model)
        self.places: tuple[Action, ...] = tuple(
            (h, a) for h, mix in enumerate(model.strategy) if len(mix) > 1 for a in range(len(mix))
        )
        unknown = set(map(str, self.unknowns.beliefs))
        self.free_beliefs: tuple[tuple[int, int], ...] = tuple(
            (h, node)
            for h, key in enumerate(tree.keys)
            for node, b in zip(
                model.nodes[h], self.unknowns.assessment.beliefs.get(key, ()), strict=False
            )
            if {str(s) for s in getattr(b, "free_symbols", ())} & unknown
        )
        self.free_sets: tuple[int, ...] = tuple(dict.fromkeys(h for h, _ in self.free_beliefs))
        explained = set(sets_with_beliefs(model))
        self.explained_sets = tuple(h for h in self.free_sets if h in explained)
        self.chosen = frozenset(self.places)
        self.choices = tuple(self._choices())
        self.relations = tuple(dict.fromkeys(self._relations()))

    # ------------------------------------------------------------------------------- conditions

    def probability(self, action: Action) -> Element:
        """The probability of an action."""
        return self.model.strategy[action[0]][action[1]]

    def belief(self, place: tuple[int, int]) -> Element:
        """The belief on a node of an information set."""
        h, node = place
        return self.model.beliefs[h][self.model.nodes[h].index(node)]

    def _choices(self) -> Iterable[Choice]:
        model = self.model
        if self.concept in WITHOUT_BELIEFS:
            for deviations, h in contests(model, self.concept):
                plans = list(deviations.plans(h))
                yield Choice(
                    tuple(frozenset(plan.items()) for _, plan in plans),
                    tuple(value for value, _ in plans),
                )
            return
        for h, mix in enumerate(model.strategy):
            if len(mix) > 1:
                yield Choice(
                    tuple(frozenset({(h, a)}) for a in range(len(mix))),
                    tuple(model.action_values(h)),
                )

    def _relations(self) -> Iterable[Relation]:
        model = self.model
        for action in self.places:
            yield Relation(self.probability(action), ">=")
        if self.concept in WITHOUT_BELIEFS:
            return
        for place in self.free_beliefs:
            yield Relation(self.belief(place), ">=")
        conditions = [*bayes(model)]
        if self.concept == "pbe":
            conditions += updating(model)
        if self.concept != "sequential" or model.fixed:
            conditions += plan_deviations(model)
        for condition in conditions:
            if condition.element != model.field.zero:
                yield Relation(condition.element, condition.sense)
        if self.concept == "sequential":
            yield from self._counterfactual_bayes()

    def _counterfactual_bayes(self) -> Iterable[Relation]:
        """Bayes' rule where others' moves lead to a set, whether its owner's do or not.

        Consistent beliefs are limits of conditional probabilities, in which the owner's own moves
        cancel (perfect recall). So this follows from consistency; said openly it speeds the search.
        """
        model = self.model
        for h in self.explained_sets:
            weights = [model.others_reach(node) for node in model.nodes[h]]
            total = sum(weights, model.field.zero)
            for mu, weight in zip(model.beliefs[h], weights, strict=True):
                element = mu * total - weight
                if element != model.field.zero:
                    yield Relation(element, "==")

    # --------------------------------------------------------------------------------- formulas

    def positive(self, element: Element) -> Any:
        """``element > 0`` as a z3 formula."""
        return self.prover.formula(element, ">")

    @cached_property
    def formulas(self) -> tuple[Any, ...]:
        """z3 formulas whose solutions are all equilibria, and nothing else.

        For ``sequential`` there are further variables, for the trembles.
        """
        found = self.prover.written(self.relations)
        found += [f for choice in self.choices for f in self._best(choice)]
        if self.concept == "sequential":
            found += self._trembles()
        return tuple(found)

    def _best(self, choice: Choice) -> Iterable[Any]:
        for actions, value in zip(choice.actions, choice.values, strict=True):
            others = [value - other for other in choice.values if other != value]
            if others:
                yield z3.Or(
                    *(self.prover.formula(self.probability(a), "==") for a in sorted(actions)),
                    z3.And(*(self.prover.formula(x, ">=") for x in others)),
                )

    def _trembles(self) -> Iterable[Any]:
        """That some trembles explain the beliefs: polynomially many variables and conditions.

        For every action an order K and a size xi > 0, with K = 0 and xi = its probability where
        that is positive, else K >= 1 (see `consistency`; orders may be multiplied, so real numbers
        will do). In each set exactly the believed nodes have the smallest order, and beliefs are
        to each other as the products of sizes.
        """
        model, context = self.model, self.prover.context
        order: dict[Action, Any] = {}
        size: dict[Action, Any] = {}
        for h in self.explained_sets:
            for node in model.nodes[h]:
                for action in model.actions_on_path(node):
                    if action in order or action not in self.chosen:
                        continue
                    order[action] = k = z3.Real(f"K{len(order)}", context)
                    size[action] = xi = z3.Real(f"xi{len(size)}", context)
                    played = self.positive(self.probability(action))
                    equal = self.prover.equal(xi, self.probability(action))
                    yield z3.And(k >= 0, xi > 0)
                    yield z3.If(played, z3.And(k == 0, equal), k >= 1)
        for number, h in enumerate(self.explained_sets):
            least: Any = z3.Real(f"c{number}", context)
            believed = []
            for mu, node in zip(model.beliefs[h], model.nodes[h], strict=True):
                on_path: list[Any] = [order[a] for a in model.actions_on_path(node) if a in order]
                cost: Any = z3.Sum([*on_path, z3.RealVal(0, context)])
                believed.append(self.positive(mu))
                yield z3.If(believed[-1], cost == least, cost >= least + 1)
            for i, j in combinations(range(len(believed)), 2):
                one, other = model.nodes[h][i], model.nodes[h][j]
                common = set(model.actions_on_path(one)) & set(model.actions_on_path(other))
                left = self.prover.expression(model.beliefs[h][i]) * self._weight(
                    other, size, common
                )
                right = self.prover.expression(model.beliefs[h][j]) * self._weight(
                    one, size, common
                )
                yield z3.Or(z3.Not(believed[i]), z3.Not(believed[j]), left == right)

    def _weight(self, node: int, size: dict[Action, Any], common: set[Action]) -> Any:
        """The product of chance and tremble sizes on the way to a node, common actions left out."""
        model = self.model
        product: Any = z3.RealVal(1, self.prover.context)
        for step in model.path(node)[1:]:
            above = model.parent[step]
            if model.player[above] == CHANCE:
                product = product * self.prover.expression(model.edge[step])
                continue
            action = (model.infoset[above], model.branch[step])
            if action in size and action not in common:
                product = product * size[action]
        return product
