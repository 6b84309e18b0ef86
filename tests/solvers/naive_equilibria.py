"""The definitions of equilibria, word for word, on numbers: plain fractions and recursion.

Nothing of `solvers.pbe` is used, but for sequential equilibria: there a witness of consistency (a
sequence of trembles) comes from `consistency`, and what it says is checked here, by Bayes' rule on
the trembling strategies themselves.
"""

from collections import defaultdict
from fractions import Fraction as F
from functools import cache, cached_property
from math import prod

import numpy as np

from crywolf.games.rules import CHANCE
from crywolf.solvers.pbe import derive_equilibria
from crywolf.solvers.pbe.consistency import Trembles, Unexplained, patterns, tremble_orders
from crywolf.solvers.pbe.model import Model
from crywolf.solvers.pbe.tremble_sequence import tremble_sequence

MEMBERS = 200
"""Random members of each family."""
SMALL = (F(1, 10**6), F(1, 10**9))
"""Sizes of trembles at which beliefs are compared with their limits."""


class Play:
    """An assessment without symbols on a tree. Beliefs left out follow from Bayes' rule."""

    def __init__(self, tree, strategies, beliefs=()):
        self.tree = tree
        self.parent, self.player = tree.parent.tolist(), tree.player.tolist()
        self.set_of, self.children = tree.node_infoset.tolist(), defaultdict(list)
        chance, payoffs = tree.exact_tables
        self.nodes = [tree.nodes_of(h) for h in range(tree.num_infosets)]
        self.mixes = []
        for h, key in enumerate(tree.keys):
            names = tree.action_names(h)
            mix = strategies.get(key, {names[0]: 1} if len(names) == 1 else {})
            self.mixes.append([F(mix.get(name, 0)) for name in names])
        self.edge, self.reach = [F(1)], [F(1)]
        for node in range(1, len(self.parent)):
            above = self.parent[node]
            self.children[above].append(node)
            if self.player[above] == CHANCE:
                self.edge.append(F(chance[tree.probability[node]]))
            else:
                self.edge.append(self.mixes[self.set_of[above]][tree.branch[node]])
            self.reach.append(self.reach[above] * self.edge[node])
        self.value = [[]] * len(self.parent)
        for node in reversed(range(len(self.parent))):  # children come after their parents
            below = self.children[node]
            self.value[node] = (
                [sum(self.edge[c] * self.value[c][p] for c in below) for p in self.players]
                if below
                else list(map(F, payoffs[tree.payoff[node]]))
            )
        self._stated = dict(beliefs)

    @property
    def players(self):
        return range(self.tree.num_players)

    @cached_property
    def beliefs(self):
        """At each information set, as stated or by Bayes' rule."""
        found = []
        for key, nodes in zip(self.tree.keys, self.nodes, strict=True):
            stated = self._stated.get(key) or ((1,) if len(nodes) == 1 else self.bayes(nodes))
            belief = list(map(F, stated))
            found.append(belief if len(belief) == len(nodes) else self.over(nodes, belief))
        return found

    def over(self, nodes, belief):
        """A belief over the nodes from one over the different histories of some length."""
        paths = [self.path(node) for node in nodes]
        levels = [[path[: d + 1][-1] for path in paths] for d in range(1, max(map(len, paths)))]
        firsts = next(level for level in levels[::-1] if len(set(level)) == len(belief))
        weights = dict(zip(dict.fromkeys(firsts), belief, strict=True))
        return [
            weights[first] * prod(self.edge[step] for step in path if step > first)
            for first, path in zip(firsts, paths, strict=True)
        ]

    def path(self, node):
        """The nodes from the root, whose numbers grow."""
        return [*self.path(self.parent[node]), node] if node else [0]

    def bayes(self, nodes):
        """Their shares of the probability of getting to one of them."""
        total = sum(self.reach[node] for node in nodes)
        return [self.reach[node] / total for node in nodes]

    def earned(self, player, start):
        """The player's expected payoff from nodes with weights on."""
        return sum(weight * self.value[node][player] for node, weight in start)

    def best(self, player, start):
        """The same if it plays as well as it can from there on.

        It knows which of its information sets it is at; perfect recall makes them separate tasks.
        """
        total, tasks = F(0), defaultdict(list)
        stack = list(start)
        while stack:
            node, weight = stack.pop()
            if not self.children[node]:
                total += weight * self.value[node][player]
            elif self.player[node] == player:
                tasks[self.set_of[node]].append((node, weight))
            else:
                stack += [
                    (child, weight * self.edge[child])
                    for child in self.children[node]
                    if self.edge[child]
                ]
        for h, held in tasks.items():
            total += max(
                self.best(player, [(self.children[node][a], weight) for node, weight in held])
                for a in range(len(self.mixes[h]))
            )
        return total

    def gain(self, player, start):
        return self.best(player, start) - self.earned(player, start)

    def since(self, node, ancestors, mine):
        """The ancestor, and the probability of the moves since of the owner (or all the others)."""
        owner, product = self.player[node], F(1)
        while node not in ancestors:
            if (self.player[self.parent[node]] == owner) == mine:
                product *= self.edge[node]
            node = self.parent[node]
        return node, product


def proper_subgames(tree):
    """The first nodes of all subgames, the whole game's among them."""
    parent = tree.parent.tolist()
    below = [{node} for node in range(len(parent))]
    for node in reversed(range(1, len(parent))):
        below[parent[node]] |= below[node]
    sets = [set(tree.nodes_of(h)) for h in range(tree.num_infosets)]
    return [
        n
        for n, own in enumerate(below)
        if len(own) > 1 and all(s <= own or not s & own for s in sets)
    ]


def flaws(tree, assessment, concept):
    """What keeps an assessment from being an equilibrium: ``{(what, where): how much}``."""
    play = Play(tree, assessment.strategies, assessment.beliefs)
    found = {}
    believed = concept not in ("nash", "subgame-perfect")
    for what, rows in (("strategy", play.mixes), ("belief", play.beliefs if believed else [])):
        for key, row in zip(tree.keys, rows, strict=False):
            if min(row) < 0 or sum(row) != 1:
                found[what, key] = sum(row)
    if found:
        return found
    if not believed:
        for root in proper_subgames(tree) if concept == "subgame-perfect" else [0]:
            for player in play.players:
                if gain := play.gain(player, [(root, F(1))]):
                    found["gain", f"P{player + 1} at node {root}"] = gain
        return found
    for h, key in enumerate(tree.keys):
        start = list(zip(play.nodes[h], play.beliefs[h], strict=True))
        if gain := play.gain(int(tree.owner[h]), start):
            found["gain", key] = gain
    return (
        found
        | _disbeliefs(play, concept)
        | (_inconsistencies(tree, assessment) if concept == "sequential" else {})
    )


def _disbeliefs(play, concept):
    found = {}
    for h, key in enumerate(play.tree.keys):
        nodes = play.nodes[h]
        if any(play.reach[node] for node in nodes) and play.bayes(nodes) != play.beliefs[h]:
            found["bayes", key] = play.bayes(nodes)
        if concept == "weak-pbe":
            continue
        earlier = _previous_own_set(play, nodes[0])
        if earlier is not None:
            held = dict(zip(play.nodes[earlier], play.beliefs[earlier], strict=True))
            weights = []
            for node in nodes:
                start, others = play.since(node, held, mine=False)
                weights.append(held[start] * others)
            if sum(weights) * play.since(nodes[0], held, mine=True)[1]:
                carried = [w / sum(weights) for w in weights]
                if carried != play.beliefs[h]:
                    found["updating", key] = carried
    return found


def _previous_own_set(play, node):
    owner, node = play.player[node], play.parent[node]
    while node >= 0 and play.player[node] != owner:
        node = play.parent[node]
    return None if node < 0 else play.set_of[node]


def _inconsistencies(tree, assessment):
    """Whether there are trembles along which Bayes' rule leads to the beliefs."""
    found, model = {}, Model(tree, assessment)
    beliefs = Play(tree, assessment.strategies, assessment.beliefs).beliefs
    for pattern in patterns(model):  # one, as there are no symbols, or none, as nothing is unknown
        assert pattern is not None
        witness = tremble_orders(model, pattern)
        if isinstance(witness, Unexplained):
            return {("consistency", tree.keys[h]): None for h in witness.information_sets}
        assert isinstance(witness, Trembles)
        for eps in SMALL:
            play = trembling(tree, assessment, tremble_sequence(model, witness), eps)
            for key, nodes, wanted in zip(tree.keys, play.nodes, beliefs, strict=True):
                far = max(abs(x - y) for x, y in zip(play.bayes(nodes), wanted, strict=True))
                if far > 1000 * eps:
                    found["consistency", key] = far
    return found


def trembling(tree, assessment, sequence, eps):
    """Completely mixed strategies near the assessment's, as a sequence of trembles has them."""
    strategies = {}
    for h, key in enumerate(tree.keys):
        names = tree.action_names(h)
        mix = assessment.strategies.get(key, {names[0]: F(1)})
        trembles = {
            name: F(str(sequence.sizes[h, a].value)) * eps ** sequence.orders[h, a]
            if (h, a) in sequence.sizes
            else eps
            for a, name in enumerate(names)
            if not mix.get(name, 0)
        }
        left = 1 - sum(trembles.values())
        strategies[key] = {n: trembles.get(n) or F(mix[n]) * left for n in names}
        assert min(strategies[key].values()) > 0
    return Play(tree, strategies)


@cache
def derived(name, concept):
    """The equilibria of a registered game, derived once."""
    found = derive_equilibria(name, concept)
    assert found.complete
    return found


def assert_members_are_equilibria(found, count=MEMBERS):
    """Random members of every family have no flaw."""
    assert found.families
    for number, family in enumerate(found.families):
        rng = np.random.default_rng(number)
        for member in family.samples(count if family.parameters else 1, rng):
            assert not flaws(family.tree, member, found.concept), member
