"""Exact values on a finite acyclic graph of which only the successors are known.

A node is worth the best of its alternatives, and an alternative is worth a constant plus the
weighted values of its successors: `max` and `min` nodes are decisions, a node with one alternative
is a chance move or a mixed strategy. Every node is looked at once, without recursion, so depth does
not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from .tree_size import Progress

K = TypeVar("K", bound=Hashable)

Number: TypeAlias = Fraction | int
"""Exact arithmetic; whole numbers stay whole, for counting."""

PROGRESS_STEP = 1 << 8
"""Nodes between two reports of progress."""


class Alternative(NamedTuple, Generic[K]):
    """One choice at a node: a constant and the weights of the successors."""

    constant: Number
    successors: Mapping[K, Number]


class Branch(NamedTuple, Generic[K]):
    """What can happen at a node.

    Attributes:
        pick: how the node's value is made of its alternatives': `max` or `min`; either if there is
            only one.
        alternatives: at least one.
    """

    pick: Callable[[Iterable[Number]], Number]
    alternatives: tuple[Alternative[K], ...]


@dataclass(frozen=True)
class Acyclic(Generic[K]):
    """A graph that was explored from its root.

    Attributes:
        root: where it begins.
        branches: of every node that the root leads to, each after all its successors: the root
            comes last.
    """

    root: K
    branches: dict[K, Branch[K]]

    @classmethod
    def explored(
        cls,
        root: K,
        branch: Callable[[K], Branch[K]],
        refuse: Callable[[], Exception],
        max_nodes: int,
        progress: Progress | None = None,
    ) -> Acyclic[K]:
        """The graph below a root: time and memory linear in the number of edges.

        Args:
            root: where it begins.
            branch: the alternatives of a node; called once for each.
            refuse: makes the exception for too large a graph.
            max_nodes: the largest number of nodes.
            progress: called with the number of nodes so far, now and then, and last with all.
        """
        found: dict[K, Branch[K]] = {}
        done: dict[K, Branch[K]] = {}
        stack = [root]
        while stack:
            node = stack[-1]
            if node in done:
                stack.pop()
            elif node in found:  # all its successors have been seen to
                done[node] = found[node]
                stack.pop()
            else:
                if len(found) >= max_nodes:
                    raise refuse()
                found[node] = branch(node)
                if progress is not None and not len(found) % PROGRESS_STEP:
                    progress(len(found))
                for alternative in found[node].alternatives:
                    stack += [next_ for next_ in alternative.successors if next_ not in found]
        if progress is not None:
            progress(len(done))
        return cls(root, done)

    def __len__(self) -> int:
        return len(self.branches)

    def values(self) -> dict[K, Number]:
        """The value of every node."""
        values: dict[K, Number] = {}
        for node, (pick, alternatives) in self.branches.items():
            values[node] = pick(
                [
                    sum((w * values[k] for k, w in successors.items()), constant)
                    for constant, successors in alternatives
                ]
            )
        return values

    def reaches(self) -> dict[K, Number]:
        """For each node, the sum over the paths from the root of the product of the weights.

        Where weights are probabilities and nodes have one alternative each, the probability that
        the node is reached.
        """
        reach: dict[K, Number] = dict.fromkeys(self.branches, 0)
        reach[self.root] = 1
        for node in reversed(self.branches):
            for _, successors in self.branches[node].alternatives:
                for successor, weight in successors.items():
                    reach[successor] += reach[node] * weight
        return reach
