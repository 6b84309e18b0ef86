"""A joint realisation plan of two players, taken apart into joint pure plans.

Without chance moves a point x of the polytope of `joint_sequences` is a mixture of joint pure
plans. B. von Stengel and F. Forges ("Extensive-form correlated equilibrium", Mathematics of
Operations Research 33, 2008, Theorem 3.5) prove it by generating the moves one after the other:
where a player's own earlier moves lead to information set h, and the other player's moves on the
way to h are ``t``, the longest such sequence that is relevant for h, action a is drawn with
probability ``x((h, a), t) / x(parent of h, t)``. All relevant combinations are then played with the
probabilities x. So a joint plan of likely moves can be taken off x with the weight of its rarest
combination; what is left is, scaled, in the polytope again, with one zero more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..games.errors import SolverFailed
from .correlation import CorrelationDevice
from .joint_sequences import JointSequences
from .sequence_lp import local_numbers
from .subtrees import set_of_sequence
from .tree import sequences_of

NOISE = 1e-12
"""Probabilities up to this are rounding of the linear program."""
LARGEST_REST = 1e-6
"""How much of x may be left unexplained."""


def split(joint: JointSequences, x: NDArray[np.float64]) -> CorrelationDevice:
    """The mixture of joint pure plans with the probabilities x of all relevant combinations.

    Args:
        joint: the combinations of the two players of a game without chance moves.
        x: float64 (T,), a point of their polytope.

    Raises:
        SolverFailed: x is not in the polytope, by more than rounding.
    """
    walk = _Walk(joint)
    rest = x.copy()
    weights, plans = [], []
    empty = int(joint.index(np.array([joint.players]))[0])
    while rest[empty] > NOISE:
        plan = walk.likely_plan(rest)
        played = np.flatnonzero(joint.indicator(plan))
        weight = float(rest[played].min())
        if weight <= NOISE:
            break
        rest[played] -= weight
        weights.append(weight)
        plans.append(plan)
    if rest[empty] > LARGEST_REST:
        raise SolverFailed(
            f"{joint.tree.name}: {rest[empty]:.3g} of the joint plan is no mixture of pure plans; "
            "please report the game"
        )
    return CorrelationDevice(joint.tree, np.array(weights) / sum(weights), np.array(plans))


class _Walk:
    """Draws the likeliest moves, looking up the other player's moves on the way."""

    def __init__(self, joint: JointSequences):
        tree = joint.tree
        self.joint, self.tree = joint, tree
        self.owner = tree.owner.tolist()
        self.infoset = tree.node_infoset.tolist()
        self.first, self.count = tree.first.tolist(), tree.num_actions.tolist()
        self.parent = tree.parent_sequence.tolist()
        self.set_of = set_of_sequence(tree).tolist()
        self.rank = local_numbers(tree).tolist()
        self.columns = len(sequences_of(tree, 1))
        self.number = {code: i for i, code in enumerate(joint.codes.tolist())}
        self.children: list[list[int]] = [[] for _ in range(tree.num_nodes)]
        for node, above in enumerate(tree.parent.tolist()[1:], start=1):
            self.children[above].append(node)
        self.choice: dict[int, int] = {}
        self.x: list[float] = []

    def likely_plan(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """A joint pure plan of combinations that all have a positive probability."""
        self.x, self.choice = x.tolist(), {}
        plan = np.zeros(self.tree.num_sequences)
        plan[:2] = 1.0
        for h in range(self.tree.num_infosets):  # a player's sets come after those above them
            if plan[self.parent[h]] == 1.0:
                plan[self._choose(h)] = 1.0
        return plan

    def _choose(self, h: int) -> int:
        """The likeliest action at h, where its owner's own plan leads."""
        known = self.choice.get(h)
        if known is None:
            other = self._others_moves(h)
            actions = range(self.first[h], self.first[h] + self.count[h])
            known = max(actions, key=lambda s: self.x[self._combination(s, other) or 0])
            self.choice[h] = known
        return known

    def _others_moves(self, h: int) -> int:
        """The other player's sequence on the way to h, as far as it is relevant there."""
        player = self.owner[h]
        own = {}
        s = self.parent[h]
        while s >= 2:
            own[self.set_of[s]] = s
            s = self.parent[self.set_of[s]]
        moves, node = 1 - player, 0
        while (k := self.infoset[node]) not in (h, -1):
            if self.owner[k] == player:
                if k not in own:
                    break
                step = own[k]
            else:
                if self._combination(self.first[h], self.first[k]) is None:
                    break
                step = moves = self._choose(k)
            node = self.children[node][step - self.first[k]]
        return moves

    def _combination(self, s: int, t: int) -> int | None:
        """The number of the combination of two players' sequences, None if it is not relevant."""
        if s == 1 or (s >= 2 and self.owner[self.set_of[s]] == 1):
            s, t = t, s
        return self.number.get(self.rank[s] * self.columns + self.rank[t])
