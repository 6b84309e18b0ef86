"""Gambit as a second opinion: payoffs, equilibria and beliefs of exact profiles."""

from fractions import Fraction as F

import numpy as np
import pytest

from crywolf.analysis import onuw_theorems as onuw
from crywolf.analysis.claims import pure_profiles
from crywolf.games import load_game, rules_of, textbook
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.pbe import Assessment, verify
from crywolf.solvers.tree import GameTree

from .gambit_games import (
    fraction,
    from_gambit,
    in_gambit,
    paired_sets,
    pygambit,
    random_exact,
    to_gambit,
)

GAMES = [
    rules_of(load_game("onuw_robber3")),
    rules_of(load_game("onuw_robber3_official")),
    rules_of(load_game("onuw_robber3_talk")),
    textbook.selten_horse(),
    textbook.beer_quiche(),
    textbook.bos_outside(),
    textbook.stripped_poker(),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name + str(dict(game.parameters)))
@pytest.mark.parametrize("seed", range(3))
def test_payoffs_and_nash_agree(game, seed):
    tree = GameTree.compile(game)
    probabilities = random_exact(tree, np.random.default_rng(seed))
    gambit = in_gambit(tree)
    profile = to_gambit(tree, gambit, probabilities)
    found = evaluate_exact(tree, probabilities)
    assert [fraction(profile.payoff(player)) for player in gambit.players] == list(found.values)
    strategic = profile.as_strategy()
    for player, gain in zip(gambit.players, found.gains, strict=True):
        best = max(fraction(strategic.strategy_value(s)) for s in player.strategies)
        assert best - fraction(strategic.payoff(player)) == gain


@pytest.mark.parametrize("p", [F(0), F(1, 3), F(1)])
def test_theorem_4_1_has_no_regret_in_gambit(p):
    tree = GameTree.compile(load_game(onuw.GAME))
    half = F(1, 2)
    strategies = onuw.strategies((F(0), half, half), F(0), F(0), p)
    profile = to_gambit(tree, in_gambit(tree), exact_profile(tree, strategies))
    assert profile.as_strategy().max_regret() == 0


@pytest.mark.parametrize("alpha", [F(1, 4), F(3, 10), F(2, 5), F(1, 2)])
def test_theorem_4_2_agent_values_and_beliefs_in_gambit(alpha):
    tree = GameTree.compile(load_game(onuw.GAME))
    rest = (1 - alpha) / 2
    q = (2 * rest - alpha) / (2 * alpha)
    strategies = onuw.strategies((alpha, rest, rest), q, q, F(1, 2))
    gambit = in_gambit(tree)
    profile = to_gambit(tree, gambit, exact_profile(tree, strategies))
    assert profile.as_strategy().max_regret() == 0
    verdict = verify(tree, Assessment(strategies), "sequential")
    assert verdict.holds
    for key, infoset in zip(tree.keys, paired_sets(tree, gambit), strict=True):
        assert fraction(profile.infoset_value(infoset)) == verdict.set_values[key]


def test_gambits_own_equilibria_are_verified():
    """Every pure equilibrium that Gambit enumerates is a Nash equilibrium here, and no other is."""
    tree = GameTree.compile(load_game(onuw.GAME))
    gambit = in_gambit(tree)
    found = pygambit.nash.enumpure_solve(gambit).equilibria
    assert len(found) > 0
    outcomes = set()
    for mixed in found:
        probabilities = from_gambit(tree, gambit, mixed.as_behavior())
        strategies = {
            key: dict(zip(tree.action_names(h), probabilities[tree.slice(h)], strict=True))
            for h, key in enumerate(tree.keys)
        }
        verdict = verify(tree, Assessment(strategies), "nash")
        assert verdict.holds
        outcomes.add(verdict.values)
    ours = set()
    for pure in pure_profiles(tree):
        verdict = verify(tree, Assessment(pure), "nash")
        if verdict.holds:
            ours.add(verdict.values)
    assert outcomes == ours
