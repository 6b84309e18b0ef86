"""An assessment on a game tree, in exact arithmetic: reaches, values, beliefs.

Everything the conditions of an equilibrium speak of is computed here once, as elements of one
field: the probability of every edge, the probability of reaching every node, the value of every
node to every player, the belief at every information set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import sympy

from ...games.errors import AssessmentError
from ...games.exact import exact
from ...games.rules import CHANCE, Exact
from ..tree import GameTree
from .assessment import Assessment, Belief
from .field import Element, ExactField
from .prover import DEFAULT_TIME_LIMIT, Prover, compared


class Model:
    """A tree, an assessment, and the exact numbers that follow from them.

    Args:
        tree: the game.
        assessment: strategies and beliefs.
        fixed_beliefs: beliefs given from outside, in the form of `Assessment.beliefs`; Bayes' rule
            is not asked at these sets, and starts anew from them at later sets of the same player.
        time_limit: seconds for each question to the prover.

    Raises:
        AssessmentError: an unknown information set, action or history; a missing strategy; a
            belief of the wrong length, or one that Bayes' rule cannot supply.
        InexactError: a float somewhere.

    Attributes:
        assumptions: the game's and the assessment's.
        edge: probability of the edge into each node (1 at the root).
        reach: probability of reaching each node.
        value: for each node, its value to each player.
    """

    def __init__(
        self,
        tree: GameTree,
        assessment: Assessment,
        fixed_beliefs: Mapping[str, Belief] | None = None,
        time_limit: float = DEFAULT_TIME_LIMIT,
    ):
        if tree.merged_from is not None:
            raise AssessmentError(
                f"{tree.name} was compiled without copies of subtrees, so its information sets "
                "lack nodes that beliefs are about; compile it without merge"
            )
        self.tree = tree
        _check_shape(assessment, fixed_beliefs or {})
        self.assessment = assessment
        self.fixed_beliefs = dict(fixed_beliefs or {})
        self.fixed = frozenset(map(self._set, self.fixed_beliefs))
        given = {**assessment.beliefs, **self.fixed_beliefs}
        probabilities, payoffs = tree.exact_tables
        game_assumptions = getattr(tree.rules, "assumptions", ())
        self.assumptions: list[Any] = [*game_assumptions, *assessment.assumptions]
        self.field = ExactField(
            [*_scalars(assessment.strategies, given), *probabilities]
            + [u for row in payoffs for u in row]
            + [side for a in self.assumptions for side in compared(a)]
        )
        self.prover = Prover(self.field, self.assumptions, time_limit)
        self._substitutions = _solved_equalities(self.assumptions)
        self.parent: list[int] = tree.parent.tolist()
        self.player: list[int] = tree.player.tolist()
        self.branch: list[int] = tree.branch.tolist()
        self.infoset: list[int] = tree.node_infoset.tolist()
        self.children: list[list[int]] = [[] for _ in self.parent]
        for node, above in enumerate(self.parent):
            if above >= 0:
                self.children[above].append(node)
        self.nodes: list[list[int]] = [[] for _ in range(tree.num_infosets)]
        for node, h in enumerate(self.infoset):
            if h >= 0:
                self.nodes[h].append(node)
        self.strategy = self._read_strategies(assessment.strategies)
        self._chance = [self.field(p) for p in probabilities]
        self._payoffs = [[self.field(u) for u in row] for row in payoffs]
        self._check_game()
        self.edge = self._edges()
        self.reach = self._reaches()
        self.value = self._values()
        self._action_values: dict[int, list[Element]] = {}
        self.histories: dict[int, list[int]] = {}  # the nodes a coarse belief speaks of
        self.coarse: dict[int, list[Element]] = {}
        self.given: dict[int, list[Element]] = {}
        for key, belief in given.items():
            h = self._set(key)
            self.given[h] = self._read_belief(h, belief)

    def _check_game(self) -> None:
        """The game itself must make sense wherever the assumptions hold."""
        for p in self._chance:
            if self.prover.always(p, ">").answer != "proved":
                raise AssessmentError(
                    f"{self.tree.name}: the chance probability {self.field.to_exact(p)} is not "
                    "positive everywhere that the assumptions allow; assume that it is"
                )
        for u in {u for row in self._payoffs for u in row}:
            if self.prover.always(self.field.denominator(u), "!=").answer != "proved":
                raise AssessmentError(
                    f"{self.tree.name}: the payoff {self.field.to_exact(u)} may divide by 0; "
                    "assume that it does not"
                )

    # ---------------------------------------------------------------------------------- reading

    def _set(self, key: str) -> int:
        try:
            return self.tree.infoset_of_key[key]
        except KeyError:
            close = get_close_matches(key, self.tree.keys, n=3, cutoff=0.0)
            raise AssessmentError(
                f"{self.tree.name} has no information set {key!r}; did you mean one of {close}?"
            ) from None

    def _read_strategies(
        self, strategies: Mapping[str, Mapping[str, Exact]]
    ) -> list[list[Element]]:
        read: list[list[Element]] = [[] for _ in range(self.tree.num_infosets)]
        for key, mix in strategies.items():
            h = self._set(key)
            names = self.tree.action_names(h)
            for name in mix:
                if name not in names:
                    raise AssessmentError(
                        f"information set {key!r} has no action {name!r}; it has {list(names)}"
                    )
            read[h] = [self.field(mix.get(name, 0)) for name in names]
        missing = []
        for h, mix in enumerate(read):
            if not mix and len(self.tree.legal[h]) == 1:
                read[h] = [self.field.one]
            elif not mix:
                missing.append(self.tree.keys[h])
        if missing:
            raise AssessmentError(f"the assessment has no strategy at {missing}")
        return read

    def _read_belief(self, h: int, belief: Belief) -> list[Element]:
        """A belief over the nodes of ``h`` from one over (possibly shorter) histories."""
        key, nodes = self.tree.keys[h], self.nodes[h]
        levels = self.levels(h)
        if isinstance(belief, Mapping):
            for histories in levels:
                words = [self.history(node) for node in histories]
                if set(belief) <= set(words):
                    numbers = [self.field(belief.get(w, 0)) for w in words]
                    break
            else:
                raise AssessmentError(
                    f"the belief at {key!r} names histories {list(belief)}; those that lead there "
                    f"are {[self.history(node) for node in nodes]}"
                )
        else:
            fitting = [histories for histories in levels if len(histories) == len(belief)]
            if not fitting:
                raise AssessmentError(
                    f"the belief at {key!r} has {len(belief)} entries, but the histories that lead "
                    f"there number {sorted({len(level) for level in levels})}, by their length"
                )
            histories = fitting[0]
            numbers = [self.field(x) for x in belief]
        self.histories[h], self.coarse[h] = histories, numbers
        onward = dict(zip(histories, numbers, strict=True))
        weights = [self.since(node, onward)[0] for node in nodes]
        total = sum(weights, self.field.zero)
        if self.prover.always(total, "!=").answer != "proved":
            raise AssessmentError(
                f"the belief at {key!r} gives, or may give, no weight to any history of the set; "
                "state it over the set's own histories"
            )
        if self.prover.always(total - self.field.one, "==").answer == "proved":
            return weights
        return [w / total for w in weights]

    def levels(self, h: int) -> list[list[int]]:
        """The different histories of each length that lead to ``h``, longest first."""
        paths = [self.path(node) for node in self.nodes[h]]
        depth = max(map(len, paths))
        levels = []
        for d in range(depth, 0, -1):
            level = list(dict.fromkeys(path[min(d, len(path)) - 1] for path in paths))
            if level not in levels:
                levels.append(level)
        return levels

    def since(self, node: int, start: Mapping[int, Element]) -> tuple[Element, Element]:
        """What leads to ``node`` from the node of ``start`` that it follows.

        Returns:
            The weight of the start times the moves since of chance and of others than the mover at
            ``node``; and the probability of that player's own moves since.
        """
        owner = self.player[node]
        weight, own = self.field.one, self.field.one
        while node not in start:
            if self.player[self.parent[node]] == owner:
                own *= self.edge[node]
            else:
                weight *= self.edge[node]
            node = self.parent[node]
        return weight * start[node], own

    # --------------------------------------------------------------------------------- computing

    def others_reach(self, node: int) -> Element:
        """The probability that chance and the others than the mover at ``node`` lead there."""
        return self.since(node, {0: self.field.one})[0]

    def path(self, node: int) -> list[int]:
        """The nodes from the root to ``node``, both included."""
        nodes = [node]
        while self.parent[node] >= 0:
            node = self.parent[node]
            nodes.append(node)
        return nodes[::-1]

    def actions_on_path(self, node: int) -> list[tuple[int, int]]:
        """The players' moves on the way to ``node``: information sets and action ranks."""
        return [
            (self.infoset[self.parent[step]], self.branch[step])
            for step in self.path(node)[1:]
            if self.player[self.parent[step]] != CHANCE
        ]

    def history(self, node: int) -> str:
        """The way to ``node`` in words, such as ``S1, vote P1``."""
        return self.tree.history_words(node)[1:-1]

    def show(self, element: Element) -> Exact:
        """The element as a `Fraction`, or as the shortest expression that the assumptions allow."""
        value = self.field.to_exact(element)
        if not isinstance(value, sympy.Basic):
            return value
        forms = [value, *(sympy.factor(value.subs(s)) for s in self._substitutions)]
        return exact(min(forms, key=lambda form: (sympy.count_ops(form), str(form))))

    def _edges(self) -> list[Element]:
        edge = [self.field.one]
        for node in range(1, len(self.parent)):
            above = self.parent[node]
            if self.player[above] == CHANCE:
                edge.append(self._chance[self.tree.probability[node]])
            else:
                edge.append(self.strategy[self.infoset[above]][self.branch[node]])
        return edge

    def _reaches(self) -> list[Element]:
        reach = [self.field.one]
        for node in range(1, len(self.parent)):
            reach.append(reach[self.parent[node]] * self.edge[node])
        return reach

    def _values(self) -> list[list[Element]]:
        value: list[list[Element]] = [[] for _ in self.parent]
        players = range(self.tree.num_players)
        for node in range(len(self.parent) - 1, -1, -1):
            if not self.children[node]:
                value[node] = self._payoffs[self.tree.payoff[node]]
            else:
                value[node] = [
                    sum((self.edge[c] * value[c][i] for c in self.children[node]), self.field.zero)
                    for i in players
                ]
        return value

    @cached_property
    def beliefs(self) -> list[list[Element]]:
        """The belief over the nodes of every information set: as given, or by Bayes' rule.

        Bayes' rule starts from the root; at a set after one of the same player whose belief is
        fixed from outside, it starts from that belief.

        Raises:
            AssessmentError: no belief is given at a set that the strategies may not reach.
        """
        beliefs = []
        for h, nodes in enumerate(self.nodes):
            if h in self.given:
                beliefs.append(self.given[h])
            elif len(nodes) == 1:
                beliefs.append([self.field.one])
            else:
                weights = self.prior_weights(h)[0]
                total = sum(weights, self.field.zero)
                if self.prover.always(total, "!=").answer != "proved":
                    raise AssessmentError(
                        f"information set {self.tree.keys[h]!r} is not (always) reached, so Bayes' "
                        "rule does not give a belief there; state one"
                    )
                beliefs.append([w / total for w in weights])
        return beliefs

    def previous_own_set(self, h: int) -> int:
        """The last information set of its owner before ``h``, -1 if there is none.

        With perfect recall it is the same for every node of ``h``.
        """
        owner, node = int(self.tree.owner[h]), self.parent[self.nodes[h][0]]
        while node >= 0 and self.player[node] != owner:
            node = self.parent[node]
        return -1 if node < 0 else self.infoset[node]

    def anchor(self, h: int) -> int:
        """The last earlier set of its owner whose belief is fixed from outside, -1 if none."""
        k = self.previous_own_set(h)
        while k >= 0 and k not in self.fixed:
            k = self.previous_own_set(k)
        return k

    def carried(self, h: int, k: int) -> tuple[list[Element], Element]:
        """The belief at an earlier own set ``k``, carried on to ``h``, before normalising.

        Returns:
            For each node of ``h``, the belief on the node of ``k`` that it follows times the moves
            of chance and the other players since; and the probability of the owner's own moves
            since, which is the same for all.
        """
        # A fixed belief is given, so this may run while `beliefs` is being computed.
        start = dict(zip(self.nodes[k], self.given.get(k) or self.beliefs[k], strict=True))
        weights, owns = zip(*(self.since(node, start) for node in self.nodes[h]), strict=True)
        return list(weights), owns[0]

    def prior_weights(self, h: int) -> tuple[list[Element], Element]:
        """What Bayes' rule at ``h`` starts from: its `anchor` if it has one, else the root.

        Returns:
            As `carried`; from the root the owner's own moves are part of the weights.
        """
        k = self.anchor(h)
        if k >= 0:
            return self.carried(h, k)
        return [self.reach[node] for node in self.nodes[h]], self.field.one

    def action_values(self, h: int) -> list[Element]:
        """Expected utility of each action at ``h`` under the belief, the strategies following."""
        known = self._action_values.get(h)
        if known is None:
            player = int(self.tree.owner[h])
            known = self._action_values[h] = [
                sum(
                    (
                        mu * self.value[self.children[node][a]][player]
                        for mu, node in zip(self.beliefs[h], self.nodes[h], strict=True)
                    ),
                    self.field.zero,
                )
                for a in range(len(self.tree.legal[h]))
            ]
        return known

    def set_value(self, h: int) -> Element:
        """Expected utility of the owner of ``h`` there, under its belief and the strategies."""
        return sum(
            (s * u for s, u in zip(self.strategy[h], self.action_values(h), strict=True)),
            self.field.zero,
        )


def _check_shape(assessment: Assessment, fixed: Mapping[str, Belief]) -> None:
    """Refuses what is no assessment at all."""
    if not isinstance(assessment, Assessment):
        raise AssessmentError(
            f"{type(assessment).__name__} is no assessment; make one with crywolf.Assessment(...)"
        )
    if not isinstance(assessment.assumptions, Sequence) or isinstance(assessment.assumptions, str):
        raise AssessmentError("assumptions are a list of SymPy relations, such as [p >= 0]")
    for relation in assessment.assumptions:
        if relation is False or isinstance(relation, str):
            raise AssessmentError(
                f"the assumption {relation!r} is no SymPy relation (Python compares with == at "
                "once); write sympy.Eq(a, b) for equality"
            )
    rows = [assessment.strategies, assessment.beliefs, fixed, *assessment.strategies.values()]
    for row in rows:
        if not isinstance(row, Mapping):
            raise AssessmentError(f"{row!r} is no dict; strategies are {{set: {{action: number}}}}")
    for belief in (*assessment.beliefs.values(), *fixed.values()):
        if isinstance(belief, str) or not isinstance(belief, Sequence | Mapping):
            raise AssessmentError(
                f"{belief!r} is no belief; give a tuple of numbers, or {{history: number}}"
            )


def _scalars(
    strategies: Mapping[str, Mapping[str, Exact]], beliefs: Mapping[str, Belief]
) -> Iterable[Exact]:
    for mix in strategies.values():
        yield from mix.values()
    for belief in beliefs.values():
        yield from belief.values() if isinstance(belief, Mapping) else belief


def _solved_equalities(assumptions: Iterable[Any]) -> list[dict[Any, Any]]:
    """Each linear equality among the assumptions, solved for each of its symbols."""
    solved = []
    for relation in map(sympy.sympify, assumptions):
        if isinstance(relation, sympy.Eq):
            difference = sympy.expand(relation.lhs - relation.rhs)  # type: ignore[operator]
            for symbol in sorted(difference.free_symbols, key=str):
                slope = difference.coeff(symbol, 1)
                if slope.is_number and symbol not in (difference - slope * symbol).free_symbols:
                    solved.append({symbol: (slope * symbol - difference) / slope})
    return solved
