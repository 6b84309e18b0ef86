"""The nodes of explicit trees, and walks over them that no depth can break.

Trees are nested; recursion over them would end at some 1,000 moves, so `depth_first` and `rebuild`
keep their own stacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from .errors import BadChance, GameError
from .exact import exact
from .rules import Exact


@dataclass(frozen=True, eq=False, slots=True)
class Leaf:
    """A terminal node with one payoff per player."""

    payoffs: tuple[Exact, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Chance:
    """A chance node: (label, probability, child) of each outcome."""

    outcomes: tuple[tuple[str, Exact, Node], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Decision:
    """A decision node of a player in information set ``label``: (action, child) of each move."""

    player: int
    label: str
    moves: tuple[tuple[str, Node], ...]


Node = Leaf | Chance | Decision


def leaf(*payoffs: Any) -> Leaf:
    """A terminal node."""
    return Leaf(tuple(map(exact, payoffs)))


def chance(outcomes: Mapping[str, tuple[Any, Node]]) -> Chance:
    """A chance node from ``{label: (probability, child)}``.

    Raises:
        BadChance: a probability that is not positive, or a sum other than 1.
    """
    rows = tuple((label, exact(p), child) for label, (p, child) in outcomes.items())
    total = exact_sum([p for _, p, _ in rows], "simplify")
    if total != 1:
        raise BadChance(f"chance outcomes {[label for label, *_ in rows]} sum to {total}, not to 1")
    for label, p, _ in rows:
        if isinstance(p, Fraction) and p <= 0:
            raise BadChance(f"chance outcome {label!r} has probability {p}; leave it out")
    return Chance(rows)


def decision(player: int, label: str, moves: Mapping[str, Node]) -> Decision:
    """A decision node from ``{action: child}``; nodes of one ``label`` are one information set."""
    if not moves:
        raise GameError(f"information set {label!r}: a decision needs at least one action")
    if not all(isinstance(word, str) for word in (label, *moves)):
        raise GameError(f"information set {label!r}: labels and actions are strings")
    if not all(isinstance(child, Leaf | Chance | Decision) for child in moves.values()):
        raise GameError(f"information set {label!r}: every action leads to a leaf or another node")
    return Decision(player, label, tuple(moves.items()))


def edges(node: Node) -> Sequence[tuple[str, Node]]:
    """The (label, child) of every edge down from a node, in order."""
    match node:
        case Leaf():
            return ()
        case Chance(outcomes):
            return tuple((label, child) for label, _, child in outcomes)
        case Decision():
            return node.moves


class Place(NamedTuple):
    """Where a node stands in its tree.

    Attributes:
        node: the node.
        above: the position of its parent, -1 for the root.
        label: the action or chance outcome that leads to it, empty for the root.
    """

    node: Node
    above: int
    label: str


def depth_first(root: Node) -> list[Place]:
    """All places of a tree, each before those below it, without recursion however deep it is."""
    places: list[Place] = []
    stack = [Place(root, -1, "")]
    while stack:
        place = stack.pop()
        below = edges(place.node)
        stack.extend([Place(child, len(places), label) for label, child in reversed(below)])
        places.append(place)
    return places


def with_children(node: Node, children: Sequence[Node]) -> Node:
    """A node like another, with other children."""
    match node:
        case Leaf():
            return node
        case Chance(outcomes):
            rows = zip(outcomes, children, strict=True)
            return Chance(tuple((label, p, child) for (label, p, _), child in rows))
        case Decision(player, label, moves):
            pairs = zip(moves, children, strict=True)
            return Decision(player, label, tuple((action, child) for (action, _), child in pairs))


def rebuild(
    nodes: Sequence[Node], change: Callable[[Node, Sequence[Node]], Node] = with_children
) -> Node:
    """A tree made from the nodes of another, in depth-first order.

    Args:
        nodes: the other tree's nodes.
        change: makes the new node from an old one and the new children, which are as many.
    """
    waiting: list[Node] = []  # subtrees without a parent yet, the leftmost last
    for node in reversed(nodes):
        number = len(edges(node))
        children = [waiting.pop() for _ in range(number)]
        waiting.append(change(node, children))
    return waiting.pop()


def exact_sum(numbers: Sequence[Exact], how: Literal["expand", "simplify"]) -> Exact:
    """The sum of exact numbers, expanded or simplified if there are symbols among them."""
    if all(isinstance(number, Fraction) for number in numbers):
        return sum(numbers, Fraction(0))
    import sympy  # slow to load: only where numbers are no numbers of Python's

    return exact(getattr(sympy, how)(sum(map(sympy.sympify, numbers))))
