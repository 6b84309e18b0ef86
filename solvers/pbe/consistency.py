"""Kreps-Wilson consistency: are the beliefs limits of Bayes' rule along trembling strategies?

An assessment (sigma, mu) is consistent iff there are

- *tremble orders* K(a) > 0 for every action a of probability 0 (K = 0 for the others), such that at
  each information set exactly the histories of smallest total order have positive belief; and
- *tremble sizes* xi(a) > 0 for those actions such that, with xi = sigma elsewhere, beliefs of two
  histories are to each other as the products of the xi along them.

Then sigma_eps(a) ~ xi(a) eps^K(a) gives the beliefs in the limit. Both parts depend on the
*pattern* (which probabilities and beliefs are 0): the orders are a linear feasibility problem, and
the sizes exist iff for every integer relation between the exponents of the unknown xi the known
factors multiply to 1, which are polynomial equations. With symbols, every pattern that occurs on
the domain is examined. (Kreps & Wilson 1982, Lemmas A1, A2; Kohlberg & Reny 1997; Perea, Jansen &
Peters 1997.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

import sympy
import z3

from .conditions import AMOUNT, Condition
from .field import Element
from .model import Model
from .prover import Relation

Action = tuple[int, int]
"""An information set and the rank of one of its actions."""


@dataclass(frozen=True)
class Pattern:
    """Which probabilities and beliefs are 0 on a part of the domain.

    Attributes:
        unplayed: the actions of probability 0.
        excluded: the (information set, node) pairs of belief 0.
        vanishing: the probabilities and beliefs that are 0 here but not on the whole domain.
        relations: what stands in which relation to 0 there, and only there.
    """

    unplayed: frozenset[Action]
    excluded: frozenset[tuple[int, int]]
    vanishing: tuple[Element, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class Trembles:
    """Orders that explain the beliefs on one pattern.

    Attributes:
        pattern: the part of the domain.
        orders: order of each unplayed action that matters for a belief.
    """

    pattern: Pattern
    orders: dict[Action, int]


@dataclass(frozen=True)
class Unexplained:
    """No tremble orders exist on a pattern.

    Attributes:
        pattern: the part of the domain.
        information_sets: sets whose beliefs cannot be explained together.
    """

    pattern: Pattern
    information_sets: tuple[int, ...]


@dataclass(frozen=True)
class Ratio:
    """``top / bottom`` is the product of the tremble sizes to these powers.

    Attributes:
        information_set: whose beliefs ask for it.
        powers: of the sizes of the unplayed actions.
        top: belief of the one history times the known probability of the other.
        bottom: the same the other way round.
    """

    information_set: int
    powers: dict[Action, int]
    top: Element
    bottom: Element


def patterns(model: Model) -> Iterator[Pattern | None]:
    """Every pattern that occurs on the domain; None if the prover cannot list them in its time.

    Only probabilities on the way to a set with a belief matter; with no such set there is nothing
    to explain, and no pattern.
    """
    sets = sets_with_beliefs(model)
    if not sets:
        return
    rows = [(0, (h, a), model.strategy[h][a]) for h, a in sorted(actions_before(model, sets))]
    for h in sets:
        beliefs = zip(model.nodes[h], model.beliefs[h], strict=True)
        rows += [(1, (h, node), mu) for node, mu in beliefs]
    everywhere: tuple[set[tuple[int, int]], ...] = (set(), set())  # zeros: actions, beliefs
    varying = []
    for sort, place, x in rows:
        if not model.field.is_constant(x):
            varying.append((sort, place, x))
        elif x == model.field.zero:
            everywhere[sort].add(place)
    others: list[Any] = []
    deadline = monotonic() + model.prover.time_limit
    while monotonic() < deadline:
        point = model.prover.solve(others)
        if point is False:
            return
        if point is None:
            break
        zeros = [set(places) for places in everywhere]
        vanishing: list[Element] = []
        relations: list[Relation] = []
        for sort, place, x in varying:
            if model.prover.holds_at(point, model.prover.formula(x, ">")):
                relations.append(Relation(x, ">"))
            else:
                vanishing.append(x)
                relations.append(Relation(-x, ">="))
                zeros[sort].add(place)
        yield Pattern(
            frozenset(zeros[0]),
            frozenset(zeros[1]),
            tuple(dict.fromkeys(vanishing)),
            tuple(relations),
        )
        if not relations:  # nothing varies: this was the only pattern
            return
        others.append(z3.Not(z3.And(*model.prover.written(relations))))
    yield None


def tremble_orders(
    model: Model, pattern: Pattern, sets: Sequence[int] | None = None
) -> Trembles | Unexplained | None:
    """Orders of the unplayed actions under which exactly the believed histories are likeliest.

    None if z3 cannot tell. ``sets``: those whose beliefs are to be explained, if not all.
    """
    context = model.prover.context
    solver = z3.Solver(ctx=context)
    solver.set("timeout", int(model.prover.time_limit * 1000))
    order: dict[Action, Any] = {}
    for h in sets_with_beliefs(model) if sets is None else sets:
        nodes = model.nodes[h]
        costs = []
        for node in nodes:
            actions = [a for a in model.actions_on_path(node) if a in pattern.unplayed]
            for a in actions:
                if a not in order:
                    order[a] = z3.Int(f"K{len(order)}", context)
                    solver.add(order[a] >= 1)
            costs.append(z3.Sum([order[a] for a in actions] + [z3.IntVal(0, context)]))
        believed = [i for i, node in enumerate(nodes) if (h, node) not in pattern.excluded]
        low = costs[believed[0]] if believed else z3.IntVal(-1, context)
        demands = [cost == low if i in believed else cost > low for i, cost in enumerate(costs)]
        solver.assert_and_track(z3.And(*demands), f"set{h}")
    answer = solver.check()
    if answer == z3.unknown:
        return None
    if answer == z3.sat:
        solution = solver.model()
        values = {a: int(str(solution.eval(k, model_completion=True))) for a, k in order.items()}
        return Trembles(pattern, values)
    core = tuple(sorted(int(str(name)[3:]) for name in solver.unsat_core()))
    return Unexplained(pattern, core)


def tremble_sizes(
    model: Model, pattern: Pattern, sets: Sequence[int] | None = None
) -> Iterator[Condition]:
    """The equations between beliefs and strategies that make tremble sizes exist on a pattern."""
    ratios = belief_ratios(model, pattern, sets_with_beliefs(model) if sets is None else sets)
    for relation in _integer_relations([ratio.powers for ratio in ratios]):
        left = right = model.field.one
        for k, ratio in zip(relation, ratios, strict=True):
            top, bottom = ratio.top, ratio.bottom
            for _ in range(abs(k)):
                left, right = (
                    (left * top, right * bottom) if k > 0 else (left * bottom, right * top)
                )
        together = sorted({ratios[i].information_set for i, k in enumerate(relation) if k})
        names = " and ".join(repr(model.tree.keys[h]) for h in together)
        yield Condition(
            "consistency",
            int(model.tree.owner[together[0]]),
            together[0],
            f"the beliefs at {names} come from one sequence of trembles",
            left - right,
            "==",
            f"no one sequence of trembles gives the beliefs at {names} (off by {AMOUNT})",
            pattern.relations,
        )


def belief_ratios(model: Model, pattern: Pattern, sets: Sequence[int]) -> list[Ratio]:
    """What the beliefs at ``sets`` ask of the tremble sizes on a pattern."""
    ratios = []
    for h in sets:
        believed = [
            (mu, node)
            for mu, node in zip(model.beliefs[h], model.nodes[h], strict=True)
            if (h, node) not in pattern.excluded
        ]
        if not believed:
            continue
        mu0, node0 = believed[0]
        known0, unknown0 = leading_term(model, pattern, node0)
        for mu, node in believed[1:]:
            known, unknown = leading_term(model, pattern, node)
            powers = {a: unknown0.get(a, 0) - unknown.get(a, 0) for a in {**unknown0, **unknown}}
            ratios.append(
                Ratio(h, {a: k for a, k in powers.items() if k}, mu0 * known, mu * known0)
            )
    return ratios


def sets_with_beliefs(model: Model) -> list[int]:
    """The sets whose beliefs trembles must explain: none that is, or follows, a fixed one."""
    return [
        h
        for h, nodes in enumerate(model.nodes)
        if len(nodes) > 1 and h not in model.fixed and model.anchor(h) < 0
    ]


def actions_before(model: Model, sets: Iterable[int]) -> set[Action]:
    """The actions on the way to the nodes of some sets."""
    return {a for h in sets for node in model.nodes[h] for a in model.actions_on_path(node)}


def leading_term(model: Model, pattern: Pattern, node: int) -> tuple[Element, dict[Action, int]]:
    """The known probability of the way to ``node``, and its unplayed actions."""
    known, unknown = model.field.one, {}
    for step in model.path(node)[1:]:
        action = model.infoset[model.parent[step]], model.branch[step]
        if action in pattern.unplayed:  # none of chance's are
            unknown[action] = unknown.get(action, 0) + 1
        else:
            known *= model.edge[step]
    return known, unknown


def _integer_relations(exponents: list[dict[Action, int]]) -> Iterator[list[int]]:
    """A basis of the integer vectors that combine the exponent rows to 0."""
    if not exponents:
        return
    columns = sorted({a for row in exponents for a in row})
    if not columns:
        yield from ([int(i == j) for j in range(len(exponents))] for i in range(len(exponents)))
        return
    matrix = sympy.Matrix([[row.get(a, 0) for a in columns] for row in exponents])
    for vector in matrix.T.nullspace():
        scale = sympy.ilcm(1, *[x.q for x in vector])
        yield [int(x * scale) for x in vector]
