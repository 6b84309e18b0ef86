"""The conditions that make an assessment an equilibrium, one by one.

Five concepts (`CONCEPTS`), each a list of conditions:

`nash`
    No player gains by any other plan for the whole game. Beliefs play no part.
`subgame-perfect` (Selten 1965)
    A Nash equilibrium in every proper subgame: every subtree that no information set leaves.
`weak-pbe` (weak perfect Bayesian equilibrium; Mas-Colell, Whinston & Green 1995, Def. 9.C.3)
    At every information set, no player gains, under its belief there, by any other plan for the
    rest of the game (sequential rationality); and wherever the strategies lead, beliefs follow
    Bayes' rule. Whole plans must be tested: beliefs at successive sets of one player may disagree
    off the path, and then single deviations prove nothing (Myerson 1991, Fig. 4.2).
`pbe`
    A weak PBE whose beliefs are updating consistent: a player's beliefs at successive own
    information sets follow Bayes' rule from the earlier one, wherever its strategy and the others'
    give the later one positive probability (after Perea 2002). Other authors ask for more.
`sequential` (Kreps & Wilson 1982)
    Sequential rationality, and beliefs that are limits of Bayes' rule along completely mixed
    strategies (`consistency`). Single deviations suffice here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...games.errors import UnknownConcept
from .field import Element
from .model import Model
from .plans import Deviations, Plan
from .prover import Relation, Sense

Concept = Literal["nash", "subgame-perfect", "weak-pbe", "pbe", "sequential"]
CONCEPTS: tuple[Concept, ...] = ("nash", "subgame-perfect", "weak-pbe", "pbe", "sequential")
WITHOUT_BELIEFS: tuple[Concept, ...] = ("nash", "subgame-perfect")
"""The concepts in which beliefs play no part."""

AMOUNT = "\0"
"""Stands for a number in `Condition.failure`; no label holds this character."""

Kind = Literal["strategy", "belief", "rationality", "plan", "bayes", "updating", "consistency"]


@dataclass(frozen=True)
class Condition:
    """``element sense 0``, wherever ``given`` holds.

    Attributes:
        kind: what sort of condition: ``strategy`` and ``belief`` (probabilities that add up to 1),
            ``rationality`` (no better action), ``plan`` (no better plan), ``bayes``, ``updating``,
            ``consistency``.
        player: whose condition, -1 if nobody's.
        information_set: the set's number, -1 for the whole game.
        statement: the condition in words.
        element: the left-hand side.
        sense: the relation to 0.
        given: what stands in which relation to 0 where it must hold.
        failure: what to say when it fails; `AMOUNT` stands for the gain or the error.
        deviation: for ``rationality`` and ``plan``: what the player would do instead.
        played: for ``rationality``: the rank of the action that must be as good.
        earned: for ``plan``: what the assessment itself earns from the information set on.
    """

    kind: Kind
    player: int
    information_set: int
    statement: str
    element: Element
    sense: Sense
    failure: str
    given: tuple[Relation, ...] = ()
    deviation: Plan = field(default_factory=dict)
    played: int = -1
    earned: Element = None


def check_concept(concept: str) -> Concept:
    """``concept`` if it is known.

    Raises:
        UnknownConcept: it is not.
    """
    for known in CONCEPTS:
        if concept == known:
            return known
    raise UnknownConcept(f"unknown concept {concept!r}; choose one of {', '.join(CONCEPTS)}")


def proper(model: Model, concept: Concept) -> Iterator[Condition]:
    """Strategies, and beliefs where the concept has them, are probability distributions."""
    yield from _distributions(model, "strategy", model.strategy)
    if concept not in WITHOUT_BELIEFS:
        coarse = [model.coarse.get(h, []) for h in range(model.tree.num_infosets)]
        yield from _distributions(model, "belief", coarse)


def _distributions(
    model: Model, kind: Literal["strategy", "belief"], rows: Sequence[Sequence[Element]]
) -> Iterator[Condition]:
    for h, row in enumerate(rows):
        if not row:
            continue
        owner, key = int(model.tree.owner[h]), model.tree.keys[h]
        if kind == "strategy":
            names = [f"the probability of {name!r}" for name in model.tree.action_names(h)]
        else:
            names = [f"the belief on {model.history(node)!r}" for node in model.histories[h]]
        for name, element in zip(names, row, strict=True):
            yield Condition(
                kind,
                owner,
                h,
                f"{name} at {key!r} is not negative",
                element,
                ">=",
                f"{name} at {key!r} is {AMOUNT}, which is negative",
            )
        total = sum(row, model.field.zero) - model.field.one
        yield Condition(
            kind,
            owner,
            h,
            f"the {kind} at {key!r} adds up to 1",
            total,
            "==",
            f"the {kind} at {key!r} adds up to 1 + ({AMOUNT}), not to 1",
        )


def single_deviations(model: Model) -> Iterator[Condition]:
    """At every information set, every action that is played is best under the belief."""
    for h in range(model.tree.num_infosets):
        owner, key, names = int(model.tree.owner[h]), model.tree.keys[h], model.tree.action_names(h)
        if len(names) == 1:
            continue
        values = model.action_values(h)
        for b, played in enumerate(model.strategy[h]):
            if played == model.field.zero:
                continue
            given = () if model.field.is_constant(played) else (Relation(played, ">"),)
            for a, name in enumerate(names):
                if a != b:
                    yield Condition(
                        "rationality",
                        owner,
                        h,
                        f"at {key!r}, {name!r} is no better than {names[b]!r}",
                        values[b] - values[a],
                        ">=",
                        f"P{owner + 1} plays {names[b]!r} at {key!r}, but {name!r} yields "
                        f"{AMOUNT} more",
                        given,
                        {h: a},
                        b,
                    )


def plan_deviations(model: Model) -> Iterator[Condition]:
    """At every information set, no plan for the rest of the game is better under the belief."""
    for h, nodes in enumerate(model.nodes):
        start = dict(zip(nodes, model.beliefs[h], strict=True))
        deviations = Deviations(model, int(model.tree.owner[h]), start)
        if deviations.tops and deviations.looks_ahead(h):
            yield from _plan_conditions(model, deviations, h)


def game_deviations(model: Model, concept: Concept) -> Iterator[Condition]:
    """No player has a better plan for the whole game, or for any subgame."""
    for deviations, h in contests(model, concept):
        yield from _plan_conditions(model, deviations, h)


def contests(model: Model, concept: Concept) -> Iterator[tuple[Deviations, int]]:
    """The plans that must not be better: those of each player from each of its first sets on.

    For ``subgame-perfect`` a plan for a subgame ends where a smaller one begins: that the rest is
    an equilibrium there is asked of the smaller one, and then no longer plan can be better.
    """
    starts = subgames(model) if concept == "subgame-perfect" else [0]
    for start in starts:
        for player in range(model.tree.num_players):
            deviations = Deviations(model, player, {start: model.field.one}, starts)
            for h in deviations.tops:
                yield deviations, h


def subgames(model: Model) -> list[int]:
    """The first nodes of the proper subgames, the whole game's first: nodes are depth-first."""
    last = list(range(len(model.parent)))  # of each node's descendants
    for node in range(len(last) - 1, 0, -1):
        above = model.parent[node]
        last[above] = max(last[above], last[node])
    return [
        node
        for node, children in enumerate(model.children)
        if children
        and all(
            bisect_left(nodes, node) == bisect_right(nodes, last[node])  # none of them is inside
            or (node <= nodes[0] and nodes[-1] <= last[node])
            for nodes in model.nodes
        )
    ]


def _plan_conditions(model: Model, deviations: Deviations, h: int) -> Iterator[Condition]:
    current = deviations.current(h)
    options = deviations.plans(h) if model.field.symbols else [deviations.best(h)]
    for value, plan in options:
        words, key = plan_words(model, plan), model.tree.keys[h]
        yield Condition(
            "plan",
            deviations.player,
            h,
            f"from {key!r} on, {words} is no better",
            current - value,
            ">=",
            f"P{deviations.player + 1} gains {AMOUNT} by {words}, from {key!r} on",
            deviation=plan,
            earned=current,
        )


def plan_words(model: Model, plan: Plan) -> str:
    """A plan in words."""
    moves = [(model.tree.keys[h], model.tree.action_names(h)[a]) for h, a in plan.items()]
    if len(moves) == 1:
        return repr(moves[0][1])
    return "the plan " + ", ".join(f"{name!r} at {key!r}" for key, name in moves)


def bayes(model: Model) -> Iterator[Condition]:
    """Where the strategies lead, beliefs are conditional probabilities."""
    for h, belief in model.given.items():
        if h not in model.fixed:
            weights, own = model.prior_weights(h)
            key = model.tree.keys[h]
            yield from _conditional(
                model,
                h,
                belief,
                weights,
                own,
                "bayes",
                f"at {key!r} is its share of the probability of getting there",
                f"at {key!r} breaks Bayes' rule: belief times the probability of the set, minus "
                f"the probability of that history, is {AMOUNT}",
            )


def updating(model: Model) -> Iterator[Condition]:
    """Beliefs follow Bayes' rule from the player's previous own information set."""
    for h, nodes in enumerate(model.nodes):
        k = model.previous_own_set(h)
        if k >= 0 and h in model.given and h not in model.fixed and len(nodes) > 1:
            weights, own = model.carried(h, k)
            key, before = model.tree.keys[h], model.tree.keys[k]
            yield from _conditional(
                model,
                h,
                model.given[h],
                weights,
                own,
                "updating",
                f"at {key!r} follows from its belief at {before!r}",
                f"at {key!r} does not follow by Bayes' rule from its belief at {before!r} (off by "
                f"{AMOUNT}, before normalising)",
            )


def _conditional(
    model: Model,
    h: int,
    belief: Sequence[Element],
    weights: Sequence[Element],
    own: Element,
    kind: Kind,
    statement: str,
    failure: str,
) -> Iterator[Condition]:
    """The belief is proportional to the weights, unless the owner's own moves rule the set out."""
    total = sum(weights, model.field.zero)
    if total * own == model.field.zero:
        return
    owner = int(model.tree.owner[h])
    for mu, weight, node in zip(belief, weights, model.nodes[h], strict=True):
        words = f"P{owner + 1}'s belief on {model.history(node)!r}"
        yield Condition(
            kind,
            owner,
            h,
            f"{words} {statement}",
            (mu * total - weight) * own,
            "==",
            f"{words} {failure}",
        )
