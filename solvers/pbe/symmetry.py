"""Symmetries of a game: ways to rename players and actions that leave the game as it is.

An *automorphism* permutes players, information sets, actions and terminal nodes so that what leads
to a terminal node, its chance probability and its payoffs stay the same (Nash 1951, Section 4,
speaks of symmetries of normal forms). Labels do not matter, and neither does the order of moves
that do not see each other: votes that are compiled one after the other can change places, although
no permutation of the inner nodes says so. Such a map keeps the probability of every terminal node
given an information set. It therefore takes Nash and sequential equilibria to Nash and sequential
equilibria, and a list of equilibria needs one of each orbit. For concepts in which beliefs about
nodes are free, see `keeps_equilibria`.

They are found as automorphisms of a graph, see `game_graph`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import prod

import numpy as np
import sympy
from numpy.typing import NDArray

from ...games.errors import AssessmentError, ParameterError, PolicyError
from ...games.exact import exact
from ...games.rules import Exact
from ..profile import find_infoset
from ..tree import GameTree
from .conditions import Concept
from .game_graph import first_actions, game_graph, offsets
from .graph_automorphisms import AutomorphismSearch, Integers

MAX_NODES = 2_000
"""Of larger trees only the identity is returned."""
MAX_EFFORT = 2_000
"""Refinements of colours after which a search ends with the symmetries found so far.

In a tree of `MAX_NODES` nodes each takes some milliseconds.
"""


@dataclass(frozen=True)
class Automorphism:
    """One symmetry of a game.

    Attributes:
        player: player p becomes ``player[p]``, which gets at ``leaf[z]`` what p gets at z.
        infoset: information set h becomes ``infoset[h]``.
        action: the action of rank a at h becomes that of rank ``action[h][a]`` at ``infoset[h]``.
        leaf: the terminal node of rank z in depth-first order becomes that of rank ``leaf[z]``.
            *Twins* (terminal nodes after the same moves of all players, equally likely, of the same
            payoffs) keep their order, so that the rest determines this.
    """

    player: tuple[int, ...]
    infoset: tuple[int, ...]
    action: tuple[tuple[int, ...], ...]
    leaf: tuple[int, ...]

    def after(self, first: Automorphism) -> Automorphism:
        """The composition: ``first``, then this one."""
        return Automorphism(
            tuple(self.player[p] for p in first.player),
            tuple(self.infoset[h] for h in first.infoset),
            tuple(
                tuple(self.action[h][a] for a in ranks)
                for h, ranks in zip(first.infoset, first.action, strict=True)
            ),
            tuple(self.leaf[z] for z in first.leaf),
        )

    @property
    def inverse(self) -> Automorphism:
        """The automorphism that undoes this one."""
        infoset = _inverse(self.infoset)
        return Automorphism(
            _inverse(self.player),
            infoset,
            tuple(_inverse(self.action[h]) for h in infoset),
            _inverse(self.leaf),
        )


@dataclass(frozen=True, eq=False)
class SymmetryGroup:
    """The automorphisms of a game, all of them represented by a few.

    Iteration gives them all, the identity first, in the same order every time.

    Attributes:
        tree: the game.
        complete: whether these are all. If not, the tree has more than `MAX_NODES` nodes, or the
            search took more than `MAX_EFFORT` steps; these are a subgroup then.
        twins: (L,), for each terminal node the number of its class of twins.
        transversals: see `AutomorphismSearch.transversals`; vertices are players, information
            sets, actions and classes of terminal nodes, in this order.
    """

    tree: GameTree
    complete: bool
    twins: Integers
    transversals: tuple[tuple[Integers, ...], ...]

    @property
    def order(self) -> int:
        """The number of automorphisms."""
        return prod(map(len, self.transversals))

    @property
    def generators(self) -> tuple[Automorphism, ...]:
        """Automorphisms of which all others are products; none if there is only the identity."""
        return tuple(self._read(g) for row in self.transversals for g in row[1:])

    def __iter__(self) -> Iterator[Automorphism]:
        identity = np.arange(offsets(self.tree)[-1] + self.twins.max() + 1)
        return map(self._read, self._products(identity, 0))

    def _products(self, left: Integers, level: int) -> Iterator[Integers]:
        if level == len(self.transversals):
            yield left
            return
        for g in self.transversals[level]:
            yield from self._products(left[g], level + 1)

    def _read(self, permutation: Integers) -> Automorphism:
        """A permutation of the vertices, in terms of the game."""
        sets, actions, classes = offsets(self.tree)
        infoset = (permutation[sets:actions] - sets).tolist()
        first = first_actions(self.tree).tolist()
        ranks = [
            tuple((permutation[low : low + k] - first[image]).tolist())
            for low, k, image in zip(first, self.tree.num_actions.tolist(), infoset, strict=True)
        ]
        leaf = np.empty_like(self.twins)
        moved = permutation[classes:][self.twins] - classes  # the class that each leaf goes to
        leaf[np.argsort(moved, kind="stable")] = np.argsort(self.twins, kind="stable")
        return Automorphism(
            tuple(permutation[:sets].tolist()),
            tuple(infoset),
            tuple(ranks),
            tuple(leaf.tolist()),
        )


def symmetry_group(tree: GameTree) -> SymmetryGroup:
    """The group of all automorphisms of a game.

    Numbers are compared exactly; those with symbols are the same if SymPy expands them to the same
    expression. The symbols themselves stay what they are. Takes some refinements for each pair of
    information sets, actions or terminal nodes that look alike; a refinement takes time linear in
    the tree for each round.
    """
    if tree.num_nodes > MAX_NODES:
        return SymmetryGroup(tree, False, np.arange(tree.num_leaves), ())
    graph, twins = game_graph(tree)
    search = AutomorphismSearch(graph, MAX_EFFORT)
    transversals = search.transversals()
    return SymmetryGroup(tree, search.effort >= 0, twins, tuple(transversals))


def automorphisms(tree: GameTree, limit: int = 1_000) -> tuple[Automorphism, ...]:
    """The automorphisms of a game, the identity first; see `symmetry_group`.

    Args:
        tree: the game. If it has more than `MAX_NODES` nodes, only the identity is returned.
        limit: the largest number to return. With exactly ``limit`` there may be more:
            `symmetry_group` tells how many, and has a few that generate them.

    Raises:
        ParameterError: a limit below 1.
    """
    if limit < 1:
        raise ParameterError(f"limit is {limit}; it must be at least 1, for the identity")
    return tuple(islice(symmetry_group(tree), limit))


def keeps_nodes(automorphism: Automorphism, tree: GameTree) -> bool:
    """Whether an automorphism takes every belief about nodes to one.

    It then takes weak perfect Bayesian equilibria and PBE to such equilibria, too. It does if the
    nodes of each information set become the nodes of its image. Sets that every play reaches may
    have other nodes: Bayes' rule gives the belief there, whatever the strategies.
    """
    ranges = _leaf_ranges(tree)
    return all(
        sum(high - low for low, high in (ranges[n] for n in tree.nodes_of(h))) == tree.num_leaves
        or _node_images(automorphism, tree, h) is not None
        for h in range(tree.num_infosets)
    )


def keeps_equilibria(automorphism: Automorphism, tree: GameTree, concept: Concept) -> bool:
    """Whether an automorphism is known to take all equilibria of a concept to such equilibria.

    Every one does, but where beliefs about nodes are free: there it is known if it `keeps_nodes`.
    """
    return concept not in ("weak-pbe", "pbe") or keeps_nodes(automorphism, tree)


def apply(
    automorphism: Automorphism,
    tree: GameTree,
    strategies: Mapping[str, Mapping[str, Exact]],
    beliefs: Mapping[str, Sequence[Exact]],
) -> tuple[dict[str, dict[str, Exact]], dict[str, tuple[Exact, ...]]]:
    """The mirror image of an assessment. Player p's payoff becomes that of ``player[p]``.

    Where an information set has other nodes than its image because moves that do not see each
    other stand in another order, the belief about such moves is what the strategies say.

    Args:
        automorphism: one of the game.
        tree: the game.
        strategies: ``{information set: {action name: probability}}``. Sets may be left out unless
            a belief needs them, and actions of probability 0.
        beliefs: ``{information set: probabilities of its nodes, in depth-first order}``; sets may
            be left out.

    Returns:
        Strategies and beliefs in the same form, in the order of the tree.

    Raises:
        PolicyError: an unknown information set or action, or a set left out that is needed.
        AssessmentError: a belief with another number of entries than the set has nodes.
    """
    moved: dict[int, dict[int, Exact]] = {}
    for key, mix in strategies.items():
        h = find_infoset(tree, key)
        names, ranks = tree.action_names(h), automorphism.action[h]
        for name in mix:
            if name not in names:
                raise PolicyError(
                    f"{tree.name}: information set {key!r} has no action {name!r}; it has "
                    f"{list(names)}"
                )
        moved[automorphism.infoset[h]] = {ranks[names.index(name)]: p for name, p in mix.items()}
    mirrored: dict[str, dict[str, Exact]] = {}
    for h, row in sorted(moved.items()):
        names = tree.action_names(h)
        mirrored[tree.keys[h]] = {names[a]: p for a, p in sorted(row.items())}
    images: dict[int, tuple[Exact, ...]] = {}
    for key, belief in beliefs.items():
        h = find_infoset(tree, key)
        nodes = tree.nodes_of(h)
        if len(belief) != len(nodes):
            raise AssessmentError(
                f"the belief at {key!r} has {len(belief)} entries; give one for each of its "
                f"{len(nodes)} nodes"
            )
        there = _node_images(automorphism, tree, h)
        if there is None:
            image = _reordered(automorphism, tree, h, belief, strategies)
        else:
            pairs = sorted(zip(there, belief, strict=True), key=lambda pair: pair[0])
            image = tuple(x for _, x in pairs)
        images[automorphism.infoset[h]] = image
    return mirrored, {tree.keys[h]: belief for h, belief in sorted(images.items())}


# -------------------------------------------------------------------------------------- beliefs


def _leaf_ranges(tree: GameTree) -> list[tuple[int, int]]:
    """For each node, the ranks of the first terminal node below it and of the first after these."""
    parent = tree.parent.tolist()
    size = [1] * len(parent)
    for node in range(len(parent) - 1, 0, -1):
        size[parent[node]] += size[node]
    before = np.searchsorted(tree.leaves, np.arange(len(parent) + 1)).tolist()
    return [(before[node], before[node + size[node]]) for node in range(len(parent))]


def _node_at(tree: GameTree, h: int, ranges: list[tuple[int, int]]) -> NDArray[np.int64]:
    """(L,), the node of ``h`` on the way to each terminal node, -1 if none is."""
    at = np.full(tree.num_leaves, -1)
    for node in tree.nodes_of(h):
        at[slice(*ranges[node])] = node
    return at


def _node_images(automorphism: Automorphism, tree: GameTree, h: int) -> list[int] | None:
    """The node that each node of ``h`` becomes; None if moves change places."""
    ranges = _leaf_ranges(tree)
    leaf = np.array(automorphism.leaf)
    at = _node_at(tree, automorphism.infoset[h], ranges)
    images = []
    for node in tree.nodes_of(h):
        reached = set(at[leaf[slice(*ranges[node])]].tolist())
        image = reached.pop()
        low, high = ranges[node]
        if reached or ranges[image][1] - ranges[image][0] != high - low:
            return None
        images.append(image)
    return images


def _reordered(
    automorphism: Automorphism,
    tree: GameTree,
    h: int,
    belief: Sequence[Exact],
    strategies: Mapping[str, Mapping[str, Exact]],
) -> tuple[Exact, ...]:
    """The belief at the image of ``h``: what terminal nodes are likely once h has been reached.

    What the mover does at h does not matter, since moves before the image cannot depend on it.
    """
    ranges = _leaf_ranges(tree)
    image = automorphism.infoset[h]
    at = _node_at(tree, image, ranges)
    total: dict[int, Exact] = dict.fromkeys(tree.nodes_of(image), exact(0))
    for node, probability in zip(tree.nodes_of(h), belief, strict=True):
        after = int(np.flatnonzero(tree.parent == node)[0])
        for z in range(*ranges[after]):
            weight, below = exact(probability), int(tree.leaves[z])
            while below != after:
                weight = weight * _edge(tree, below, strategies)
                below = int(tree.parent[below])
            total[int(at[automorphism.leaf[z]])] += weight
    return tuple(exact(sympy.expand(x)) for x in total.values())


def _edge(tree: GameTree, node: int, strategies: Mapping[str, Mapping[str, Exact]]) -> Exact:
    """The probability of the edge into a node."""
    h = int(tree.node_infoset[tree.parent[node]])
    if h < 0:
        return tree.exact_tables[0][tree.probability[node]]
    if len(tree.legal[h]) == 1:
        return exact(1)
    mix = strategies.get(tree.keys[h])
    if mix is None:
        raise PolicyError(
            f"{tree.name}: the mirror image of a belief depends on the strategy at "
            f"{tree.keys[h]!r}; give it"
        )
    return exact(mix.get(tree.action_names(h)[tree.branch[node]], 0))


def _inverse(permutation: Sequence[int]) -> tuple[int, ...]:
    inverse = [0] * len(permutation)
    for i, image in enumerate(permutation):
        inverse[image] = i
    return tuple(inverse)
