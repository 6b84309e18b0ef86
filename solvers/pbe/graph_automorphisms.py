"""The automorphisms of a directed graph with labelled edges, as a base and transversals.

They are found as programs for graph automorphism find them (McKay 1981): colours are refined until
the neighbours of two vertices of one colour look the same, then a vertex is given a colour of its
own, and so on until all colours differ. A base and transversals (Sims 1970) hold the whole group,
even a huge one, as a few permutations. Colours are hashes: a collision could only make the search
longer, because every permutation found is checked against the edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Colours = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class LabelledGraph:
    """A directed graph whose vertices have kinds and whose edges have labels.

    Attributes:
        kinds: int64 (V,), nonnegative; an automorphism keeps them.
        tails: int64 (E,), ascending. Every vertex has an edge, and every edge is there in both
            directions, with different labels.
        heads: int64 (E,).
        labels: int64 (E,), nonnegative; an automorphism keeps them.
    """

    kinds: Integers
    tails: Integers
    heads: Integers
    labels: Integers

    @classmethod
    def of(
        cls, kinds: Integers, edges: list[tuple[Integers | int, Integers, Integers]]
    ) -> LabelledGraph:
        """The graph of edges in groups: labels (or one label), one end, other end."""
        labels = np.concatenate([np.broadcast_to(label, len(one)) for label, one, _ in edges])
        ones = np.concatenate([one for _, one, _ in edges])
        others = np.concatenate([other for _, _, other in edges])
        tails, heads = np.concatenate([ones, others]), np.concatenate([others, ones])
        order = np.argsort(tails, kind="stable")
        both = np.concatenate([2 * labels, 2 * labels + 1])
        return cls(kinds, tails[order], heads[order], both[order])

    @property
    def size(self) -> int:
        """V."""
        return len(self.kinds)

    @cached_property
    def _starts(self) -> Integers:
        return np.searchsorted(self.tails, np.arange(self.size))

    @cached_property
    def _label_hashes(self) -> Colours:
        return _mixed(self.labels.astype(np.uint64))

    @cached_property
    def _edges(self) -> Integers:
        """Every edge as one number, ascending."""
        return np.sort(self._numbered(self.tails, self.heads))

    def _numbered(self, tails: Integers, heads: Integers) -> Integers:
        return (self.labels * self.size + tails) * self.size + heads

    def first_colours(self) -> Colours:
        """What tells vertices apart without fixing any of them."""
        return self._refined(_mixed(self.kinds.astype(np.uint64)))

    def singled_out(self, colours: Colours, vertex: int) -> Colours:
        """Refined colours after one vertex has got a colour of its own."""
        colours = colours.copy()
        colours[vertex : vertex + 1] = _mixed(~colours[vertex : vertex + 1])
        return self._refined(colours)

    def _refined(self, colours: Colours) -> Colours:
        """Colours that also tell apart vertices with differently coloured neighbours.

        An automorphism that keeps the colours keeps the refined ones. O(E) for each of at most V
        rounds.
        """
        count = len(np.unique(colours))
        while count < self.size:
            seen = np.add.reduceat(_mixed(colours[self.heads] ^ self._label_hashes), self._starts)
            colours = _mixed(_mixed(colours) + seen)
            before, count = count, len(np.unique(colours))
            if count == before:
                break
        return colours

    def is_automorphism(self, permutation: Integers) -> bool:
        """Whether a permutation of the vertices keeps kinds, edges and labels."""
        image = self._numbered(permutation[self.tails], permutation[self.heads])
        return bool(
            np.array_equal(self.kinds[permutation], self.kinds)
            and np.array_equal(np.sort(image), self._edges)
        )


def _mixed(x: Colours) -> Colours:
    """A hash of each entry (the mixer of SplitMix64: Steele, Lea and Flood 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


class AutomorphismSearch:
    """The automorphisms of a graph: a base, and what each vertex of it can become.

    Args:
        graph: the graph.
        effort: how many times to refine colours at most, once the base is known.

    Attributes:
        base: vertices that leave no automorphism but the identity when they stay where they are.
        effort: refinements left; below 0 the search was cut short.
    """

    def __init__(self, graph: LabelledGraph, effort: int):
        self.graph = graph
        self.effort = effort
        self.base: list[int] = []
        stages = [graph.first_colours()]
        while (vertex := _first_shared(stages[-1])) is not None:
            self.base.append(vertex)
            stages.append(graph.singled_out(stages[-1], vertex))
        self._stages = stages  # when the first 0, 1, ... base vertices are fixed
        self._sorted_stages = [np.sort(colours) for colours in stages]

    def transversals(self) -> list[tuple[Integers, ...]]:
        """Automorphisms that take base vertices to what they can become.

        Returns:
            For each base vertex that can move while those before it stay, in the order of the base,
            one automorphism for each vertex that it can become, the identity first. Every
            automorphism is in one way a product of one of each.
        """
        generators: list[Integers] = []
        found: list[tuple[Integers, ...]] = []
        # The last base vertex first: the generators known then spare most of the later searches.
        for level in reversed(range(len(self.base))):
            vertex, colours = self.base[level], self._stages[level]
            orbit = self._orbit(vertex, generators)
            hopeless: set[int] = set()
            for image in np.flatnonzero(colours == colours[vertex]).tolist():
                if image in orbit or image in hopeless:
                    continue
                generator = self._moving(level, image)
                if generator is None:
                    hopeless.update(self._orbit(image, generators))
                else:
                    generators.append(generator)
                    orbit = self._orbit(vertex, generators)
            if len(orbit) > 1:
                found.append(tuple(orbit.values()))
        return found[::-1]

    def _moving(self, level: int, image: int) -> Integers | None:
        """An automorphism that takes a base vertex to ``image`` and keeps those before it."""
        waiting = [(level, self._stages[level], image)]
        while waiting and self.effort > 0:
            self.effort -= 1
            level, colours, image = waiting.pop()
            colours = self.graph.singled_out(colours, image)
            level += 1
            if not np.array_equal(np.sort(colours), self._sorted_stages[level]):
                continue
            if level == len(self.base):
                permutation = np.empty(self.graph.size, np.int64)
                permutation[np.argsort(self._stages[level])] = np.argsort(colours)
                if self.graph.is_automorphism(permutation):
                    return permutation
                continue
            vertex = self.base[level]
            images = np.flatnonzero(colours == self._stages[level][vertex]).tolist()
            images.sort(key=lambda w: (w == vertex, -w))  # the last one is tried first
            waiting += [(level, colours, w) for w in images]
        if waiting:
            self.effort = -1
        return None

    def _orbit(self, vertex: int, generators: list[Integers]) -> dict[int, Integers]:
        """What a vertex can become, each with a product of generators that takes it there."""
        orbit = {vertex: np.arange(self.graph.size)}
        waiting = [vertex]
        for point in waiting:  # grows while it is read
            for generator in generators:
                image = int(generator[point])
                if image not in orbit:
                    orbit[image] = generator[orbit[point]]
                    waiting.append(image)
        return orbit


def _first_shared(colours: Colours) -> int | None:
    """The first vertex whose colour another one has, too."""
    _, which, counts = np.unique(colours, return_inverse=True, return_counts=True)
    shared = np.flatnonzero(counts[which] > 1)
    return int(shared[0]) if len(shared) else None
