"""The voting phase of the three-player ONUW theory game, all equilibria for every common belief.

Theorem 4.2's setting: whatever was said, both Werewolves now believe that the Robber stayed (NS),
robbed P1 (S1) or robbed P2 (S2) with probabilities alpha, beta, gamma, and the vote follows. The
Robber knows what it did and has done it for the best: its night move is part of the equilibrium,
but the beliefs come from outside, so Bayes' rule does not tie them to it.

Symbols as in `onuw_families`; x0, x1, x2 are the Robber's actual night move.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy

from ..games.extensive import ExtensiveGame, chance, decision, leaf
from ..games.nodes import Node
from ..games.rules import Exact
from ..solvers.tree import compile_tree
from . import onuw_theorems as onuw
from .onuw_families import r1, r2, x1, x2
from .onuw_theorems import (
    DOMAIN_4_2,
    GAME,
    HALF,
    P_4_2,
    Q_4_2,
    U3_4_2,
    alpha,
    beta,
    gamma,
    p,
    q1,
    q2,
)
from .stating import THIRD, all_of

BELIEF = (alpha, beta, gamma)
OUTSIDE = {onuw.P1: BELIEF, onuw.P2: BELIEF}
VOTES = (p, r1, r2, q1, q2)
"""Probabilities of P3 voting P1 after NS, S1, S2, and of P1 and P2 voting P3."""
MIRROR = {
    beta: gamma,
    gamma: beta,
    q1: q2,
    q2: q1,
    p: 1 - p,
    r1: 1 - r2,
    r2: 1 - r1,
    x1: x2,
    x2: x1,
}
"""P1 and P2 in each other's place."""
_VOTE = {v: v for v in VOTES} | {1 - v: v for v in VOTES}

ROBBED = all_of(sympy.Eq(r1, 1), sympy.Eq(r2, 0))
"""P3 votes for the player that it robbed."""


@dataclass(frozen=True)
class VotingFamily:
    """One of the families of equilibria of the voting phase.

    Attributes:
        number: as in `onuw_families`, where the family with beliefs that are true is one of those.
        words: what it is.
        condition: on `VOTES` and the belief.
        night: on the Robber's night move.
        region: the beliefs for which it exists.
        witnesses: for each of them, votes other than `ROBBED`.
        known: votes that are the same for all members, or functions of the belief.
        values: what P1, P2 and P3 expect.
    """

    number: str
    words: str
    condition: Any
    night: Any
    region: Any
    witnesses: tuple[tuple[Any, dict[Any, Exact]], ...]
    known: dict[Any, Exact]
    values: tuple[Exact, Exact, Exact]

    def mirrored(self) -> VotingFamily:
        """The family with P1 and P2 in each other's place."""

        def swapped(value: Any) -> Any:
            return sympy.sympify(value).subs(MIRROR, simultaneous=True)

        def votes(values: dict[Any, Exact]) -> dict[Any, Exact]:
            turned = {swapped(vote): swapped(value) for vote, value in values.items()}
            return {_VOTE[v]: x if v == _VOTE[v] else 1 - x for v, x in turned.items()}

        one, two, robber = map(swapped, self.values)
        return replace(
            self,
            number=self.number.replace("a", "b"),
            words=f"the mirror image of {self.number}.",
            condition=swapped(self.condition),
            night=swapped(self.night),
            region=swapped(self.region),
            witnesses=tuple((swapped(case), votes(values)) for case, values in self.witnesses),
            known=votes(self.known),
            values=(two, one, robber),
        )


_FOR_ROBBED: dict[Any, Exact] = {r1: 1, r2: 0}
_FOR_P1 = _FOR_ROBBED | {p: 1}
_ASIDE = sympy.Eq(x2, 0)
_FIRST_WINS = 1 - q2 - q1 * q2

ONE_SIDED = (
    VotingFamily(
        "IVa",
        "the Werewolves believe that P2 was not robbed, and alpha <= beta; P2 votes P1, P1 votes "
        "P3 with any probability q1, and the Robber votes P1 after NS.",
        all_of(ROBBED, sympy.Eq(p, 1), sympy.Eq(q2, 0), sympy.Eq(gamma, 0), alpha <= beta),
        _ASIDE,
        all_of(sympy.Eq(gamma, 0), alpha <= HALF),
        ((sympy.true, {p: 1, q1: 0, q2: 0}),),
        _FOR_P1 | {q2: 0},
        (-1, beta - alpha, 1),
    ),
    VotingFamily(
        "Va",
        "2 alpha + gamma = 2 beta; P1 votes P3, and P2 with any probability q2 such that q2 (1 - 2 "
        "gamma) >= gamma; the Robber votes P1 after NS.",
        all_of(
            ROBBED,
            sympy.Eq(p, 1),
            sympy.Eq(q1, 1),
            sympy.Eq(2 * alpha + gamma, 2 * beta),
            q2 * (1 - 2 * gamma) >= gamma,
        ),
        _ASIDE,
        all_of(sympy.Eq(2 * alpha + gamma, 2 * beta), gamma <= THIRD),
        ((sympy.true, {p: 1, q1: 1, q2: 1}),),
        _FOR_P1 | {q1: 1},
        (
            (alpha + beta) * (2 * q2 - 1) - gamma * q2,
            (beta - alpha) * (1 - 2 * q2) + gamma * q2,
            1 - 2 * q2,
        ),
    ),
    VotingFamily(
        "VIa",
        "P1 votes P3 with probability q1 = (beta - alpha)/(1 - 2 beta), P2 with q2 = gamma/(1 - 2 "
        "gamma), q1 >= q2; the Robber votes P1 after NS.",
        all_of(
            ROBBED,
            sympy.Eq(p, 1),
            sympy.Eq(q1 * (1 - 2 * beta), beta - alpha),
            sympy.Eq(q2 * (1 - 2 * gamma), gamma),
            q1 >= q2,
        ),
        _ASIDE,
        all_of(gamma <= THIRD, 3 * beta <= 1 + alpha, beta + 2 * alpha * gamma >= alpha + gamma),
        (
            (
                beta < HALF,
                {p: 1, q1: (beta - alpha) / (1 - 2 * beta), q2: gamma / (1 - 2 * gamma)},
            ),
            (sympy.Eq(beta, HALF), {p: 1, q1: 0, q2: 0}),
        ),
        _FOR_P1,
        (
            (alpha + beta) * (q2 + q1 * q2 - 1) + gamma * (1 - q1 - q1 * q2),
            (beta - alpha) * _FIRST_WINS + gamma * (q1 + q1 * q2 - 1),
            _FIRST_WINS,
        ),
    ),
)

_SHARE = 2 * gamma - alpha

VOTING: tuple[VotingFamily, ...] = (
    VotingFamily(
        "I",
        "the Werewolves vote for each other, and alpha p <= beta, alpha (1 - p) <= gamma: p from "
        "max(0, 1 - gamma/alpha) to min(1, beta/alpha). The Robber always wins.",
        all_of(
            ROBBED,
            sympy.Eq(q1, 0),
            sympy.Eq(q2, 0),
            alpha * p <= beta,
            alpha * (1 - p) <= gamma,
        ),
        sympy.true,
        alpha <= HALF,
        ((sympy.true, {p: beta / (beta + gamma), q1: 0, q2: 0}),),
        _FOR_ROBBED | {q1: 0, q2: 0},
        (2 * gamma - 1, 2 * beta - 1, 1),
    ),
    VotingFamily(
        "II",
        "Theorem 4.2: both Werewolves vote P3 with the same probability, the Robber mixes after "
        "NS.",
        all_of(
            ROBBED,
            sympy.Eq(q1, q2),
            sympy.Eq(2 * alpha * q1, 1 - 2 * alpha),
            sympy.Eq(2 * alpha**2 * p, alpha**2 + beta**2 - gamma**2),
        ),
        sympy.true,
        all_of(*DOMAIN_4_2),
        ((sympy.true, {p: P_4_2, q1: Q_4_2, q2: Q_4_2}),),
        _FOR_ROBBED | {p: P_4_2, q1: Q_4_2, q2: Q_4_2},
        ((2 * gamma - 1) * U3_4_2, (2 * beta - 1) * U3_4_2, U3_4_2),
    ),
    VotingFamily(
        "III",
        "both Werewolves vote P3, and alpha (2 - p) + beta r1 >= gamma (2 - r2), alpha (1 + p) + "
        "gamma (1 - r2) >= beta (1 + r1). The Robber always loses.",
        all_of(
            sympy.Eq(q1, 1),
            sympy.Eq(q2, 1),
            alpha * (2 - p) + beta * r1 >= gamma * (2 - r2),
            alpha * (1 + p) + gamma * (1 - r2) >= beta * (1 + r1),
        ),
        sympy.true,
        all_of(4 * alpha >= 1, 2 * alpha + beta >= gamma, 2 * alpha + gamma >= beta),
        (
            (_SHARE >= 0, {p: 1 - _SHARE, r1: _SHARE, r2: _SHARE, q1: 1, q2: 1}),
            (_SHARE <= 0, {p: 1, r1: 0, r2: 0, q1: 1, q2: 1}),
        ),
        {q1: 1, q2: 1},
        (1 - 2 * gamma, 1 - 2 * beta, -1),
    ),
    *(family for one in ONE_SIDED for family in (one, one.mirrored())),
)


def voting_game(belief: tuple[Exact, Exact, Exact]) -> ExtensiveGame:
    """The voting phase on its own: chance moves the Robber at night, as everybody knows.

    Information sets and payoffs are those of ``onuw_robber3`` after the night.

    Args:
        belief: probabilities of NS, S1, S2, which are positive and add up to 1 as they stand: with
            symbols, say ``(alpha, beta, 1 - alpha - beta)``.
    """
    tree = compile_tree(GAME)
    payoffs = tree.exact_tables[1]

    def after(node: int) -> Node:
        h = int(tree.node_infoset[node])
        if h < 0:
            return leaf(*payoffs[tree.payoff[node]])
        label = tree.keys[h].partition(": ")[2]
        return decision(int(tree.player[node]), label, followed(node))

    def followed(node: int) -> dict[str, Node]:
        names = tree.action_names(int(tree.node_infoset[node]))
        below = np.flatnonzero(tree.parent == node)
        return {names[tree.branch[child]]: after(int(child)) for child in below}

    moves = zip(followed(0).items(), belief, strict=True)
    return ExtensiveGame(
        "onuw_voting",
        chance({move: (probability, node) for (move, node), probability in moves}),
        [b > 0 for b in map(sympy.sympify, belief) if b.free_symbols],
        shared_labels=True,
    )
