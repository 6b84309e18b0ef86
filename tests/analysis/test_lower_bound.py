"""The sampled bound: below the truth at the stated confidence, above 0 where there is much to gain."""

import math

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel

from crywolf.analysis import nash_conv
from crywolf.analysis.lower_bound import empirical_bernstein, lower_bound
from crywolf.analysis.policies import RandomPolicy
from crywolf.games import load_game
from crywolf.games.errors import BadPayoff, ImperfectRecall, ParameterError
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers import GameTree, evaluate, solve


@pytest.mark.parametrize(
    ("name", "samples", "enough"),
    [
        ("kuhn_poker", 4_000, 0.5),
        ("kuhn_poker(players=3)", 4_000, 0.5),
        ("onuw_robber3", 2_000, 0.3),
        ("leduc_poker", 10_000, 0.3),
    ],
)
def test_below_the_truth_and_not_empty(name: str, samples: int, enough: float):
    game = load_game(name)
    for seed in range(3):
        policy = RandomPolicy(game, seed)
        truth = nash_conv(game, policy).nash_conv
        found = lower_bound(game, policy, samples=samples, rng=np.random.default_rng(seed))
        low, high = found.interval
        assert enough * truth < low <= truth
        assert low <= sum(max(0.0, gain) for gain in found.gains) <= high


def test_empirical_bernstein_by_hand():
    """Maurer and Pontil 2009, Theorem 4: sqrt(2 V log(2/δ)/n) + 7 R log(2/δ)/(3 (n - 1)).

    Four 0s and four 1s: mean 1/2, V = 8/4/7 = 2/7. With δ = 2/e the logarithm is 1: the radius is
    sqrt(2 (2/7)/8) + 7 R/21 = sqrt(1/14) + R/3.
    """
    observations = np.array([0.0, 1.0] * 4)
    low, high = empirical_bernstein(observations, -1.0, 2.0, 2 / math.e)
    assert low == pytest.approx(0.5 - math.sqrt(1 / 14) - 1)
    assert high == pytest.approx(0.5 + math.sqrt(1 / 14) + 1)
    # With δ = 2/e² the interval would be sqrt(1/7) + 2 on both sides: cut to the range.
    assert empirical_bernstein(observations, -1.0, 2.0, 2 / math.e**2) == (-1.0, 2.0)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)"])
def test_every_end_gets_its_part_of_the_error(name: str, monkeypatch: pytest.MonkeyPatch):
    """Bonferroni: 2n ends that fail with δ/(2n) each fail together with at most δ."""
    errors = []

    def spy(observations, low: float, high: float, error: float) -> tuple[float, float]:
        errors.append(error)
        return empirical_bernstein(observations, low, high, error)

    monkeypatch.setattr("crywolf.analysis.lower_bound.empirical_bernstein", spy)
    game = load_game(name)
    lower_bound(
        game, RandomPolicy(game, 0), samples=50, confidence=0.88, rng=np.random.default_rng(0)
    )
    n = game.num_players()
    assert errors == pytest.approx([0.12 / (2 * n)] * n)


def test_holds_at_the_stated_confidence():
    """A nearly optimal policy, where noise alone must not look like a gain."""
    tree = GameTree.compile(pyspiel.load_game("kuhn_poker"))
    profile = solve(tree, "cfr+", 300).profile
    truth = evaluate(profile).nash_conv
    assert truth < 1e-3
    misses = 0
    for seed in range(60):
        report = nash_conv(
            tree, profile, method="sampled", samples=400, confidence=0.8,
            rng=np.random.default_rng(seed),
        )  # fmt: skip
        misses += report.lower_bound > truth
    assert misses <= 20  # 12 allowed on average; the bound is conservative


def test_values_are_unbiased():
    game = load_game("onuw_robber3")
    policy = RandomPolicy(game, 3)
    exact = nash_conv(game, policy)
    found = lower_bound(game, policy, samples=4_000, rng=np.random.default_rng(0))
    assert found.values == pytest.approx(exact.values, abs=0.06)
    assert all(g <= e + 0.08 for g, e in zip(found.gains, exact.gains))


def test_finds_the_whole_gain_of_a_blunder():
    """A player who throws away 1 at its only choice."""
    root = decision(0, "1", {"good": leaf(1, 0), "bad": leaf(0, 0)})
    game = load_game(ExtensiveGame("blunder", root))
    policy = openspiel.tabular_policy_from_callable(game, lambda state: {1: 1.0})
    report = nash_conv(game, policy, method="sampled", samples=2_000)
    assert report.gains == (1.0, 0.0)
    assert report.lower_bound > 0.95
    (place,) = report.information_sets
    assert (place.player, place.action, place.gain) == (0, "good", 1.0)


def test_shares_add_up_to_the_gains():
    report = nash_conv("kuhn_poker", "uniform", method="sampled", samples=2_000)
    positive = sum(place.gain for place in report.information_sets)
    assert positive >= sum(report.gains) - 1e-12


def test_reproducible_bit_for_bit():
    def once(seed: int) -> dict:
        return nash_conv(
            "leduc_poker", "random:1", method="sampled", samples=1_000,
            rng=np.random.default_rng(seed),
        ).to_json()  # fmt: skip

    assert once(7) == once(7)
    assert once(7) != once(8)


def test_works_where_no_tree_could_be_built():
    report = nash_conv("chess", "uniform", samples=4)
    assert report.kind == "lower_bound"
    assert report.lower_bound == 0.0
    large = "onuw(players=5,roles=2werewolf+2villager+seer+robber+2villager)"
    report = nash_conv(large, "uniform", samples=400, max_nodes=1_000)
    assert report.kind == "lower_bound"
    assert len(report.gains) == 5


def test_each_end_of_the_interval_is_rigorous():
    """Coverage on skewed two-point data, where the normal approximation fails."""
    rng = np.random.default_rng(0)
    p, n, error = 0.01, 100, 0.1
    misses_low = misses_high = 0
    for _ in range(500):
        low, high = empirical_bernstein((rng.random(n) < p).astype(float), 0.0, 1.0, error)
        misses_low += low > p
        misses_high += high < p
    assert misses_low <= 500 * error
    assert misses_high <= 500 * error
    wide, _ = empirical_bernstein(np.array([0.0, 1.0]), 0.0, 1.0, 0.5)
    assert wide == 0.0


class Forgetful(pyspiel.State):
    """One player moves twice and then forgets its first move."""

    def __init__(self, game):
        super().__init__(game)
        self.moves = []

    def current_player(self):
        return 0 if len(self.moves) < 2 else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player):
        return [0, 1]

    def _apply_action(self, action):
        self.moves.append(action)

    def _action_to_string(self, player, action):
        return "LR"[action]

    def is_terminal(self):
        return len(self.moves) == 2

    def returns(self):
        return [self.get_game().pay * float(sum(self.moves)), 0.0]

    def information_state_string(self, player=None):
        return str(len(self.moves)) if self.get_game().forgets else str(self.moves)

    def __str__(self):
        return str(self.moves)


class ForgetfulGame(pyspiel.Game):
    def __init__(self, forgets: bool, pay: float):
        self.forgets, self.pay = forgets, pay
        kinds = pyspiel.GameType
        kind = kinds(
            "forgetful_test", "forgetful", kinds.Dynamics.SEQUENTIAL, kinds.ChanceMode.DETERMINISTIC,
            kinds.Information.IMPERFECT_INFORMATION, kinds.Utility.GENERAL_SUM,
            kinds.RewardModel.TERMINAL, 2, 2, True, False, False, False, {},
        )  # fmt: skip
        info = pyspiel.GameInfo(2, 0, 2, 0.0, 2.0, max_game_length=2)
        super().__init__(kind, info, {})

    def new_initial_state(self):
        return Forgetful(self)


def test_refuses_a_player_who_forgets():
    game = ForgetfulGame(forgets=True, pay=1.0)
    with pytest.raises(ImperfectRecall, match="L at '0'"):
        lower_bound(
            game, openspiel.UniformRandomPolicy(game), samples=100, rng=np.random.default_rng(0)
        )


def test_refuses_payoffs_outside_the_declared_range():
    game = ForgetfulGame(forgets=False, pay=5.0)
    with pytest.raises(BadPayoff, match=r"declares payoffs in \[0.0, 2.0\]"):
        lower_bound(
            game, openspiel.UniformRandomPolicy(game), samples=100, rng=np.random.default_rng(0)
        )


@pytest.mark.parametrize("wrong", [{"samples": 3}, {"confidence": 1.0}, {"confidence": 0.0}])
def test_refuses_arguments(wrong: dict):
    with pytest.raises(ParameterError):
        nash_conv("kuhn_poker", "uniform", method="sampled", **wrong)
