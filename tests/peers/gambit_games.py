"""Compiled games and exact profiles in Gambit and back, and best responses in its arithmetic."""

import io
from fractions import Fraction as F
from math import prod

import numpy as np
import pytest

from crywolf.games.efg import format_efg
from crywolf.solvers import GameTree
from crywolf.solvers.efg_export import to_efg

pygambit = pytest.importorskip("pygambit", reason="run `make peers` to install pygambit")


def in_gambit(tree: GameTree):
    return pygambit.read_efg(io.BytesIO(format_efg(to_efg(tree)).encode()))


def fraction(x) -> F:
    return F(str(x))


def rational(x: F):
    return pygambit.Rational(x.numerator, x.denominator)


def paired_sets(tree: GameTree, game) -> list:
    """Gambit's information set for each of ours: it numbers a player's by their first nodes."""
    pairs = [None] * tree.num_infosets
    for number, player in enumerate(game.players):
        ours = [h for h in range(tree.num_infosets) if tree.owner[h] == number]
        ours.sort(key=lambda h: tree.nodes_of(h)[0])
        for h, infoset in zip(ours, player.infosets, strict=True):
            assert len(infoset.members) == len(tree.nodes_of(h))
            assert len(infoset.actions) == tree.num_actions[h]
            pairs[h] = infoset
    return pairs


def to_gambit(tree: GameTree, game, probabilities):
    """An exact profile, indexed by sequences, in Gambit."""
    profile = game.mixed_behavior_profile(rational=True)
    for h, infoset in enumerate(paired_sets(tree, game)):
        for action, p in zip(infoset.actions, probabilities[tree.slice(h)], strict=True):
            profile[action] = rational(F(p))
    return profile


def from_gambit(tree: GameTree, game, profile) -> list[F]:
    """Gambit's exact profile, indexed by sequences.

    Where the other player never leads, `lp_solve` 16.7.0 gives weights that sum to less than 1;
    where the owner does not lead, it may give none.
    """
    probabilities = [F(1)] * tree.num_sequences
    for h, infoset in enumerate(paired_sets(tree, game)):
        mix = [fraction(profile[action]) for action in infoset.actions]
        mix[0] += not sum(mix)
        probabilities[tree.slice(h)] = [p / sum(mix) for p in mix]
    return probabilities


def gains_in_gambit(game, profile) -> list[F]:
    """What each player could gain by deviating alone."""
    return [gain_in_gambit(profile, player) for player in game.players]


def few_pure_profiles(game) -> bool:
    """Whether Gambit's `max_regret`, which goes through all of them, takes little time."""
    return prod(len(infoset.actions) for infoset in game.infosets) <= 1000


def gain_in_gambit(profile, player) -> F:
    """What a player could gain, by backward induction over Gambit's values of actions.

    `max_regret` goes through all pure strategies; this takes one evaluation per information set.
    """
    best = profile.copy()
    for infoset in player.infosets:
        for action in infoset.actions:  # so that only the others decide what is reached
            best[action] = rational(F(1, len(infoset.actions)))
    for infoset in reversed(list(player.infosets)):
        values = [best.action_value(action) for action in infoset.actions]
        if None in values:  # the others do not go there
            continue
        chosen = max(range(len(values)), key=values.__getitem__)
        for i, action in enumerate(infoset.actions):
            best[action] = int(i == chosen)
    return fraction(best.payoff(player)) - fraction(profile.payoff(player))


def random_exact(tree: GameTree, rng: np.random.Generator, least: int = 0) -> list[F]:
    """A random profile: at each set, small whole weights from ``least`` on, divided by their sum."""
    probabilities = [F(1)] * tree.num_sequences
    for h in range(tree.num_infosets):
        weights = [F(int(w)) for w in rng.integers(least, 4, tree.num_actions[h])]
        weights[0] += not sum(weights)
        probabilities[tree.slice(h)] = [w / sum(weights) for w in weights]
    return probabilities
