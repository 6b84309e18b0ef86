from itertools import combinations, product

import numpy as np
import pytest

from crywolf.games.errors import ParameterError, ProblemTooLarge, SolverFailed
from crywolf.solvers import Profile, best_response, evaluate
from crywolf.solvers.team import team_best_response

from .conftest import DEALT

GAMES = ["kuhn_poker(players=3)", "onuw_robber3", DEALT]


def pure(tree, profile, player, choice):
    """The profile with the player's actions replaced."""
    behaviour = profile.probabilities.copy()
    for h, a in zip(np.flatnonzero(tree.owner == player).tolist(), choice, strict=True):
        behaviour[tree.slice(h)] = np.eye(int(tree.num_actions[h]))[a]
    return Profile(tree, behaviour)


@pytest.mark.parametrize("team", [(0, 1), (0, 2), (1, 2)])
def test_all_joint_plans_of_one_night(robber3, team):
    profile = Profile.random(robber3, np.random.default_rng(4))
    menus = [
        list(product(*(range(int(m)) for m in robber3.num_actions[robber3.owner == p])))
        for p in team
    ]
    best = max(
        evaluate(pure(robber3, pure(robber3, profile, team[0], a), team[1], b))
        .values[list(team)]
        .sum()
        for a, b in product(*menus)
    )
    assert team_best_response(profile, team).value == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("team", [(0, 1), (1, 2)])
def test_no_random_joint_plan_does_better(tree_of, team):
    tree = tree_of("kuhn_poker(players=3)")
    profile = Profile.random(tree, np.random.default_rng(5))
    rest = ({0, 1, 2} - set(team)).pop()
    # Zero-sum: the members' total is minus what the third gets, so they minimise its payoff.
    result = team_best_response(profile, team)
    assert result.value == pytest.approx(-evaluate(result.profile).values[rest], abs=1e-9)
    rng = np.random.default_rng(6)
    for _ in range(300):
        trial = profile
        for p in team:
            sets = np.flatnonzero(tree.owner == p)
            trial = pure(tree, trial, p, rng.integers(0, tree.num_actions[sets]))
        assert evaluate(trial).values[list(team)].sum() <= result.value + 1e-9


@pytest.mark.parametrize("name", [*GAMES, "kuhn_poker", "leduc_poker"])
def test_one_member_has_its_best_response(tree_of, name):
    tree = tree_of(name)
    profile = Profile.random(tree, np.random.default_rng(0))
    for p in range(tree.num_players):
        result = team_best_response(profile, [p])
        assert result.value == pytest.approx(best_response(profile, p)[0], abs=1e-12)
        assert result.gain == pytest.approx(evaluate(profile).gains[p], abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_a_larger_team_can_do_what_a_smaller_one_does(tree_of, name):
    tree = tree_of(name)
    profile = Profile.random(tree, np.random.default_rng(2))
    for pair in combinations(range(3), 2):
        result = team_best_response(profile, pair)
        members = list(pair)
        assert result.value <= result.bound <= result.value + 1e-6
        assert result.gain >= -1e-12
        assert evaluate(result.profile).values[members].sum() == result.value
        assert np.isin(result.profile.probabilities[np.isin(_owners(tree), members)], (0, 1)).all()
        for p in pair:
            alone = team_best_response(profile, [p]).profile
            assert evaluate(alone).values[members].sum() <= result.value + 1e-9
        everybody = team_best_response(profile, range(3))
        assert evaluate(result.profile).values.sum() <= everybody.value + 1e-9


def _owners(tree):
    return np.concatenate([np.arange(3), np.repeat(tree.owner, tree.num_actions)])


def test_refusals(tree_of):
    tree = tree_of("kuhn_poker(players=3)")
    profile = Profile.uniform(tree)
    for team in ([], [3], [-1, 0]):
        with pytest.raises(ParameterError, match="team"):
            team_best_response(profile, team)
    with pytest.raises(ProblemTooLarge, match="max_combinations"):
        team_best_response(profile, [0, 1], max_combinations=10)
    with pytest.raises(SolverFailed, match="time"):
        team_best_response(profile, [0, 1], time_limit=1e-9)
