"""What a belief is told about: the histories of a set, or shorter ones that say the same.

A player who moves last knows neither of the moves just before; its set has a history for each of
their combinations. Its belief is told in fewer words over the shorter histories that came before,
if the rest of the way is played as the strategies say.
"""

from __future__ import annotations

from dataclasses import dataclass

from .field import Element
from .model import Model

MAX_LISTED = 4
"""Histories that are told one by one, as they are."""
MAX_TERMS = 8
"""Terms of a sum that are written out."""


@dataclass(frozen=True)
class Share:
    """A history, and the nodes of a set that follow it.

    Attributes:
        history: its last node.
        nodes: the nodes of the set.
        weights: for each, the probability of getting there from the history.
        belief: on the history.
    """

    history: int
    nodes: tuple[int, ...]
    weights: tuple[Element, ...]
    belief: Element


def shares(model: Model, h: int) -> list[Share]:
    """The belief at a set, told over as few histories as say it all."""
    nodes, beliefs = model.nodes[h], model.beliefs[h]
    levels: list[list[int]] = []
    if h in model.histories:
        levels.append(model.histories[h])
    elif len(nodes) > MAX_LISTED:
        levels += [level for level in reversed(model.levels(h)) if len(level) > 1]
    for level in levels:
        found = _over(model, h, level)
        if found is not None:
            return found
    return [
        Share(node, (node,), (model.field.one,), mu)
        for node, mu in zip(nodes, beliefs, strict=True)
    ]


def _over(model: Model, h: int, level: list[int]) -> list[Share] | None:
    """The belief over shorter histories; None if it does not say what that over the nodes says."""
    found = []
    belief = dict(zip(model.nodes[h], model.beliefs[h], strict=True))
    for history in level:
        nodes = tuple(node for node in belief if history in model.path(node))
        weights = tuple(model.since(node, {history: model.field.one})[0] for node in nodes)
        mu = sum((belief[node] for node in nodes), model.field.zero)
        if any(belief[node] != mu * w for node, w in zip(nodes, weights, strict=True)):
            return None
        found.append(Share(history, nodes, weights, mu))
    return found
