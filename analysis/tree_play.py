"""What a profile says about the nodes of a tree: probabilities of moves, beliefs, values.

`ExactPlay` is exact, with symbols if the profile has some; `FloatPlay` is for profiles in floating
point and works on trees of millions of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..games.errors import InexactError
from ..games.rules import Exact
from ..solvers.pbe.assessment import Assessment
from ..solvers.pbe.model import Model
from ..solvers.profile import Profile
from ..solvers.tree import GameTree
from . import _play_kernels as kernels
from .evaluation import profile_of
from .tree_folding import subtree_end

ROUNDING = 1e-12
"""Of a player's largest payoff: an expected payoff below is a rounding error of 0."""


class FloatPlay:
    """A `Profile` at the nodes of its tree.

    Attributes:
        edge: float64 (N,), probability of the edge into each node, 1 at the root.
        reach: float64 (N,), probability of reaching each node.
    """

    def __init__(self, profile: Profile):
        tree = self._tree = profile.tree
        chosen_in = tree.node_infoset[tree.parent]
        chosen_in[0] = -1
        moves = np.flatnonzero(chosen_in >= 0)
        sequence = tree.first[chosen_in[moves]].astype(np.int64) + tree.branch[moves]
        chance = np.array([*map(float, tree.probabilities), 1.0])
        self.edge: NDArray[np.float64] = chance[tree.probability]
        self.edge[moves] = profile.probabilities[sequence]
        self.reach: NDArray[np.float64] = np.empty(tree.num_nodes)
        kernels.reaches_below(tree.parent, self.edge, 0, self.reach)

    def probability(self, node: int) -> float:
        """Of the move into ``node``."""
        return float(self.edge[node])

    def reached(self, nodes: Sequence[int]) -> float:
        """The probability that play reaches one of these siblings."""
        return float(self.reach[list(nodes)].sum())

    def beliefs(self, h: int) -> dict[int, float] | None:
        """Bayes' rule at information set ``h``: None if it is not reached."""
        nodes = self._tree.nodes_of(h)
        total = float(self.reach[nodes].sum())
        return None if total == 0.0 else {v: float(self.reach[v]) / total for v in nodes}

    def values(self, roots: Sequence[int]) -> list[float] | None:
        """Each player's expected payoff once one of these siblings is reached.

        None if several are given and none is ever chosen.
        """
        weights = np.array([self.probability(root) for root in roots])
        if len(roots) == 1:
            weights = np.ones(1)
        elif weights.sum() == 0.0:
            return None
        values = np.array([self._value(root) for root in roots])
        means = weights @ values / weights.sum()
        noise = ROUNDING * np.abs(self._tree.payoff_table).max(axis=0)
        return np.where(np.abs(means) <= noise, 0.0, means).tolist()

    def _value(self, root: int) -> NDArray[np.float64]:
        tree, span = self._tree, slice(root, subtree_end(self._tree, root))
        reach = np.empty(span.stop - root)
        kernels.reaches_below(tree.parent, self.edge, root, reach)
        leaves = np.flatnonzero(tree.payoff[span] >= 0)
        return reach[leaves] @ tree.payoff_table[tree.payoff[span][leaves]]


class ExactPlay:
    """An assessment at the nodes of a tree.

    Attributes:
        reach: float64 (N,), probability of reaching each node; 1 where it depends on symbols.
    """

    def __init__(self, tree: GameTree, assessment: Assessment):
        self._model = Model(tree, assessment)
        self.reach: NDArray[np.float64] = np.array([self._float(x) for x in self._model.reach])

    def _float(self, element: Any) -> float:
        value = self._model.field.to_exact(element)
        return float(value) if not getattr(value, "free_symbols", None) else 1.0

    def probability(self, node: int) -> Exact:
        """Of the move into ``node``."""
        return self._model.show(self._model.edge[node])

    def reached(self, nodes: Sequence[int]) -> Exact:
        """See `FloatPlay.reached`."""
        return self._model.show(sum((self._model.reach[v] for v in nodes), self._model.field.zero))

    def beliefs(self, h: int) -> dict[int, Exact] | None:
        """As the assessment states, else by Bayes' rule: None if the set is not reached."""
        model, nodes = self._model, self._model.nodes[h]
        weights = model.given.get(h) or model.prior_weights(h)[0]
        total = sum(weights, model.field.zero)
        if total == model.field.zero:
            return None
        return {v: model.show(w / total) for v, w in zip(nodes, weights, strict=True)}

    def values(self, roots: Sequence[int]) -> list[Exact] | None:
        """See `FloatPlay.values`."""
        model = self._model
        weights = [model.edge[v] for v in roots] if len(roots) > 1 else [model.field.one]
        total = sum(weights, model.field.zero)
        if total == model.field.zero:
            return None
        columns = zip(*(model.value[v] for v in roots), strict=True)
        sums = (
            sum((w * u for w, u in zip(weights, us, strict=True)), model.field.zero)
            for us in columns
        )
        return [model.show(value / total) for value in sums]


Play = FloatPlay | ExactPlay


def play_of(tree: GameTree, profile: Any) -> Play:
    """A profile in any form on a tree.

    Args:
        tree: the game.
        profile: a `Profile` or OpenSpiel policy (floats); or an `Assessment`, or its strategies
            ``{information set: {action name: probability}}`` (exact, symbols welcome).

    Raises:
        PolicyError: the policy fails or belongs to another game.
        AssessmentError: an unknown information set or action, or a missing strategy.
        InexactError: floats in an assessment, or symbols in the game of a `Profile`.
    """
    if isinstance(profile, Mapping):
        profile = Assessment(profile)
    if isinstance(profile, Assessment):
        return ExactPlay(tree, profile)
    return FloatPlay(profile_of(profile, tree))


def shown_tables(tree: GameTree) -> tuple[Sequence[Any], Sequence[Sequence[Any]]]:
    """Chance probabilities and payoffs to show: exact where the tree has an exact twin."""
    try:
        return tree.exact_tables
    except InexactError:
        return tree.probabilities, tree.payoffs
