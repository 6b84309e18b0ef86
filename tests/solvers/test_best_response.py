"""NashConv against OpenSpiel, brute force, and the laws that it must obey."""

from itertools import product
from typing import Any

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python.algorithms import expected_game_score, exploitability

from crywolf.games.errors import ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import (
    GameTree,
    Profile,
    best_response,
    counterfactual_gains,
    evaluate,
    expected_values,
    gain_shares,
    nash_conv,
)

from .conftest import DEALT, GENERAL_SUM, compiled

SMALL = ["kuhn_poker", "onuw_robber3", "onuw_robber3_official"]
MEDIUM = [*SMALL, "kuhn_poker(players=3)", "kuhn_poker(players=4)", "onuw_robber3_talk"]
seeds = st.integers(0, 2**32 - 1)


def random_profile(name: str, seed: int) -> Profile:
    return Profile.random(compiled(name), np.random.default_rng(seed))


def value_by_recursion(state, policy) -> np.ndarray:
    """Expected payoffs by walking OpenSpiel states: no line in common with the kernels."""
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance_node():
        moves = state.chance_outcomes()
    else:
        moves = policy[state.information_state_string()].items()
    terms = [p * value_by_recursion(state.child(a), policy) for a, p in moves if p]
    return np.sum(terms, axis=0)


@pytest.mark.parametrize("name", [*MEDIUM, "leduc_poker", DEALT, GENERAL_SUM])
@pytest.mark.parametrize("seed", [0, 1])
def test_equals_openspiel(tree_of, name, seed):
    tree = tree_of(name)
    profile = random_profile(name, seed)
    result = evaluate(profile)
    assert result.nash_conv == pytest.approx(
        pyspiel.nash_conv(tree.game, profile.to_pyspiel()), abs=1e-9
    )
    values = value_by_recursion(tree.game.new_initial_state(), profile.to_dict())
    assert result.values == pytest.approx(values, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["liars_dice", "social_deduction(players=3,max_rounds=1)"])
def test_equals_openspiel_on_large_games(tree_of, name):
    tree = tree_of(name)
    profile = random_profile(name, 0)
    assert nash_conv(profile) == pytest.approx(
        pyspiel.nash_conv(tree.game, profile.to_pyspiel()), abs=1e-9
    )


@pytest.mark.parametrize("name", MEDIUM)
def test_equals_openspiels_python_program(tree_of, name):
    tree = tree_of(name)
    profile = random_profile(name, 2)
    theirs: Any = exploitability.nash_conv(
        tree.game, profile.to_policy(), return_only_nash_conv=False
    )
    result = evaluate(profile)
    assert result.nash_conv == pytest.approx(theirs.nash_conv, abs=1e-9)
    assert result.gains == pytest.approx(theirs.player_improvements, abs=1e-9)
    score = expected_game_score.policy_value(
        tree.game.new_initial_state(), [profile.to_policy()] * tree.num_players
    )
    assert expected_values(profile) == pytest.approx(score, abs=1e-9)


def pure_plans(tree, player):
    sets = range(int(tree.blocks[player]), int(tree.blocks[player + 1]))
    for choice in product(*(range(int(tree.num_actions[h])) for h in sets)):
        yield {tree.keys[h]: {tree.legal[h][a]: 1.0} for h, a in zip(sets, choice)}


@pytest.mark.parametrize("name", SMALL)
def test_best_response_is_the_best_of_all_pure_plans(tree_of, name):
    tree = tree_of(name)
    profile = random_profile(name, 7)
    policy = profile.to_dict()
    for player in range(tree.num_players):
        values = [
            value_by_recursion(tree.game.new_initial_state(), policy | plan)[player]
            for plan in pure_plans(tree, player)
        ]
        assert len(values) == np.prod(
            [
                float(m)
                for m in tree.num_actions[tree.blocks[player] : tree.blocks[player + 1]].tolist()
            ]
        )
        value, response = best_response(profile, player)
        assert value == pytest.approx(max(values), abs=1e-12)
        assert evaluate(profile).best_response_values[player] == pytest.approx(value, abs=1e-12)
        assert expected_values(response)[player] == pytest.approx(value, abs=1e-12)


@given(st.sampled_from(MEDIUM), seeds)
def test_laws(name, seed):
    profile = random_profile(name, seed)
    tree = profile.tree
    result = evaluate(profile)
    assert (result.gains >= 0.0).all()
    assert (result.best_response_values >= result.values - 1e-12).all()
    assert result.nash_conv == nash_conv(profile) == result.gains.sum()
    for player in range(tree.num_players):
        value, response = best_response(profile, player)
        # A best response gains nothing more, leaves the others alone, and is pure.
        again = evaluate(response)
        assert again.gains[player] == pytest.approx(0.0, abs=1e-12)
        assert again.values[player] == pytest.approx(value, abs=1e-12)
        for h in range(tree.num_infosets):
            mine = response.probabilities[tree.slice(h)]
            if tree.owner[h] == player:
                assert sorted(mine.tolist()) == [0.0] * (len(mine) - 1) + [1.0]
            else:
                assert np.array_equal(mine, profile.probabilities[tree.slice(h)])


@given(st.sampled_from(MEDIUM), seeds)
def test_gains_of_information_sets_add_up(name, seed):
    profile = random_profile(name, seed)
    tree = profile.tree
    gains, shares = counterfactual_gains(profile), gain_shares(profile)
    assert (gains >= 0.0).all()
    assert (shares >= 0.0).all()
    for player, total in enumerate(evaluate(profile).gains):
        mine = (tree.owner == player).nonzero()[0]
        assert shares[mine].sum() == pytest.approx(total, abs=1e-12)
        first_moves = mine[tree.parent_sequence[mine] == player]
        assert gains[first_moves].sum() == pytest.approx(total, abs=1e-12)
    for h in range(tree.num_infosets):
        # gain(h) = own loss at h + sum over the sets below, each with the probability to go there
        reach = reach_of(profile, int(tree.parent_sequence[h]))
        below = sum(
            profile.probabilities[s] * gains[k]
            for k in range(tree.num_infosets)
            for s in [int(tree.parent_sequence[k])]
            if tree.slice(h).start <= s < tree.slice(h).stop
        )
        assert reach * (gains[h] - below) == pytest.approx(shares[h], abs=1e-12)


def reach_of(profile: Profile, s: int) -> float:
    tree, reach = profile.tree, 1.0
    while s >= tree.num_players:
        reach *= profile.probabilities[s]
        h = int(np.searchsorted(tree.first, s, side="right")) - 1
        s = int(tree.parent_sequence[h])
    return reach


def swap_seats(name: str) -> str:
    return name.translate(str.maketrans({"1": "2", "2": "1"}))


@given(st.sampled_from(["onuw_robber3", "onuw_robber3_talk"]), seeds)
def test_exchanging_the_werewolves_exchanges_their_values(name, seed):
    """P1 and P2 are alike in the theory game: rename them everywhere, the Robber's moves too."""
    profile = random_profile(name, seed)
    tree = profile.tree

    def renamed(key: str) -> str:
        seat, _, rest = key.partition(": ")
        return f"{swap_seats(seat)}: {swap_seats(rest)}".replace("P2 P1", "P1 P2")

    mirrored = Profile.from_dict(
        tree,
        {
            renamed(key): {swap_seats(a): p for a, p in profile.strategy(key).items()}
            for key in tree.keys
        },
    )
    one, two = evaluate(profile), evaluate(mirrored)
    for attribute in ("values", "best_response_values", "gains"):
        assert getattr(two, attribute)[[1, 0, 2]] == pytest.approx(
            getattr(one, attribute), abs=1e-12
        )


@given(seeds)
def test_zero_sum_games_have_zero_sum_values(seed):
    assert expected_values(random_profile("kuhn_poker(players=3)", seed)).sum() == pytest.approx(0)


def test_published_equilibrium_of_kuhn_poker(kuhn):
    """Kuhn 1950: for each alpha in [0, 1/3] an equilibrium of value -1/18 to the first player."""
    for alpha in (0.0, 0.2, 1 / 3):
        bet = {
            "0": alpha, "1": 0.0, "2": 3 * alpha,
            "0pb": 0.0, "1pb": alpha + 1 / 3, "2pb": 1.0,
            "0p": 1 / 3, "1p": 0.0, "2p": 1.0,
            "0b": 0.0, "1b": 1 / 3, "2b": 1.0,
        }  # fmt: skip
        profile = Profile.from_dict(kuhn, {k: {"Pass": 1 - p, "Bet": p} for k, p in bet.items()})
        result = evaluate(profile)
        assert result.values == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)
        assert result.nash_conv == pytest.approx(0.0, abs=1e-12)


def test_values_of_the_theory_game(robber3):
    """Facts computed exactly elsewhere (see test_exact), here in floating point."""
    assert nash_conv(Profile.uniform(robber3)) == pytest.approx(1 / 3, abs=1e-12)


def test_players_without_moves_and_games_without_players_moves():
    lottery = ExtensiveGame("lottery", chance({"a": ("1/4", leaf(4, 0)), "b": ("3/4", leaf(0, 8))}))
    result = evaluate(Profile.uniform(GameTree.compile(lottery)))
    assert result.values.tolist() == [1.0, 6.0]
    assert result.nash_conv == 0.0
    alone = ExtensiveGame("alone", decision(0, "A", {"L": leaf(3), "R": leaf(1)}))
    result = evaluate(Profile.uniform(GameTree.compile(alone)))
    assert result.values.tolist() == [2.0]
    assert result.gains.tolist() == [1.0]


def test_unknown_player(kuhn):
    with pytest.raises(ParameterError, match="players 0 to 1"):
        best_response(Profile.uniform(kuhn), 2)
