"""Payoffs, gains and values of actions of random exact profiles, in Gambit and here."""

import numpy as np
import pytest

from crywolf.games import textbook
from crywolf.games.efg import read_efg
from crywolf.solvers import GameTree, Profile, compile_tree, evaluate
from crywolf.solvers.best_response import counterfactual_values, own_reach
from crywolf.solvers.exact import evaluate_exact

from ..solvers.two_player_games import random_game
from .gambit_games import (
    few_pure_profiles,
    fraction,
    gains_in_gambit,
    in_gambit,
    paired_sets,
    pygambit,
    random_exact,
    to_gambit,
)
from .test_gambit_efg import CATALOGUE, FORGETFUL, SLUGS

RECALLED = [slug for slug in SLUGS if not any(slug.endswith(name) for name in FORGETFUL)]
GAMES = {
    "kuhn_poker": "kuhn_poker",
    "kuhn_poker(players=3)": "kuhn_poker(players=3)",
    "liars_dice(dice_sides=2)": "liars_dice(dice_sides=2)",
    "onuw_robber3": "onuw_robber3",
    "selten_horse": textbook.selten_horse(),
    "spence": textbook.spence(),
}
GAMES |= {f"random {seed}": random_game(seed, zero_sum=False) for seed in range(6)}


def assert_same_values(tree: GameTree, game, probabilities) -> None:
    """Exactly: payoffs and gains. In floats: the same, and the counterfactual value of each action.

    Gambit's value of an action is conditional on its information set.
    """
    theirs = to_gambit(tree, game, probabilities)
    exact = evaluate_exact(tree, probabilities)
    assert [fraction(theirs.payoff(player)) for player in game.players] == list(exact.values)
    assert gains_in_gambit(game, theirs) == list(exact.gains)
    if few_pure_profiles(game):
        assert fraction(theirs.max_regret()) == max(exact.gains)
    profile = Profile(tree, np.array([float(p) for p in probabilities]))
    ours = evaluate(profile)
    assert ours.values == pytest.approx([float(v) for v in exact.values], abs=1e-12)
    assert ours.gains == pytest.approx([float(g) for g in exact.gains], abs=1e-12)
    counterfactual, reach = counterfactual_values(profile), own_reach(profile)
    for h, infoset in enumerate(paired_sets(tree, game)):
        own = reach[tree.parent_sequence[h]]
        if own == 0.0:
            continue
        others = float(fraction(theirs.infoset_prob(infoset))) / own
        values = [theirs.action_value(action) for action in infoset.actions]
        expected = [float(fraction(v)) * others if v is not None else 0.0 for v in values]
        assert counterfactual[tree.slice(h)] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("slug", RECALLED)
def test_random_profiles_of_the_catalogue(slug):
    tree = GameTree.compile(read_efg(CATALOGUE / f"{slug}.efg").game())
    game = pygambit.catalog.load(slug)  # not what we write
    rng = np.random.default_rng(len(slug))
    for least in (0, 0, 1):  # sets that are not reached, and none
        assert_same_values(tree, game, random_exact(tree, rng, least))


@pytest.mark.parametrize("name", GAMES)
def test_random_profiles(name):
    tree = compile_tree(GAMES[name])
    game = in_gambit(tree)
    rng = np.random.default_rng(1)
    for least in (0, 1):
        assert_same_values(tree, game, random_exact(tree, rng, least))
