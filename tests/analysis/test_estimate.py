"""Estimates: what they are, what is simulated for them, and the published bias."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crywolf
from crywolf.analysis.draws import Draws
from crywolf.analysis.estimate import _sequence, _slopes, estimate
from crywolf.games.errors import ParameterError, PolicyError
from crywolf.solvers.best_response import (
    best_response,
    deviation_gains,
    evaluate,
    nash_conv,
    nash_convs,
)
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import GameTree, compile_tree

from .test_estimate_coverage import catastrophe, true_zero

KUHN = compile_tree("kuhn_poker")
ROBBER = compile_tree("onuw_robber3")

# ----------------------------------------------------------------------------- what is simulated


@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3"])
def test_gains_of_deviations_are_what_the_evaluator_finds(game):
    tree = compile_tree(game)
    rng = np.random.default_rng(6)
    policies = [Profile.random(tree, rng) for _ in range(3)]
    deviations = Profile.random(tree, rng)
    rows = np.array([policy.probabilities for policy in policies])
    found = deviation_gains(deviations, rows)
    for policy, gain in zip(policies, found, strict=True):
        total = 0.0
        for p in range(tree.num_players):
            deviating = policy.probabilities.copy()
            own = slice(*tree.sequence_blocks[p : p + 2].tolist())
            deviating[own] = deviations.probabilities[own]
            total += evaluate(Profile(tree, deviating)).values[p] - evaluate(policy).values[p]
        assert gain == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize("tree", [KUHN, ROBBER])
def test_slopes_are_differences_of_gains(tree):
    rng = np.random.default_rng(8)
    policy, deviations = Profile.random(tree, rng), Profile.random(tree, rng)
    slopes, step = _slopes(deviations, policy), 1e-4
    for s in range(tree.num_players, tree.num_sequences):
        rows = np.array([policy.probabilities, policy.probabilities])
        rows[:, s] += (step, -step)
        up, down = deviation_gains(deviations, rows)  # linear in each probability
        assert slopes[s] == pytest.approx((up - down) / (2 * step), abs=1e-9)


def test_nash_conv_of_many_policies():
    rng = np.random.default_rng(9)
    policies = [Profile.random(ROBBER, rng) for _ in range(5)]
    found = nash_convs(ROBBER, np.array([policy.probabilities for policy in policies]))
    assert found == pytest.approx([nash_conv(policy) for policy in policies])


def test_one_more_draw_is_of_a_whole_sequence():
    h = KUHN.infoset_of_key["0pb"]
    bet_after_pass = int(KUHN.first[h]) + 1
    passed = int(KUHN.first[KUHN.infoset_of_key["0"]])
    assert _sequence(KUHN, bet_after_pass) == [bet_after_pass, passed]
    assert _sequence(KUHN, 0) == []


# ----------------------------------------------------------------------------------- estimates


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.integers(2, 40), st.sampled_from([KUHN, ROBBER]))
def test_the_interval_holds_the_raw_value(seed: int, n: int, tree: GameTree):
    rng = np.random.default_rng(seed)
    draws = Draws.from_profile(Profile.random(tree, rng), n, rng)
    found = estimate(draws, rng=rng, resamples=100)
    low, high = found.interval
    assert 0.0 <= low <= found.nash_conv <= high
    assert found.nash_conv == pytest.approx(nash_conv(draws.frequencies))


def test_the_same_generator_gives_the_same_bits():
    draws = Draws.from_profile(Profile.uniform(KUHN), 30, np.random.default_rng(1))
    assert estimate(draws) == estimate(draws, rng=np.random.default_rng(0))
    assert estimate(draws) != estimate(draws, rng=np.random.default_rng(1))


def test_the_low_end_needs_the_halves_apart():
    """Draws that favour one deviation in the first half only: the second half does not pay for it."""
    uniform = np.zeros((2, KUHN.num_sequences), np.int64)
    uniform[:, 2:] = 50
    skewed = uniform.copy()
    for card in "012":
        skewed[0, KUHN.slice(KUHN.infoset_of_key[f"{card}b"])] = (0, 100)  # calls every bet
    replies = [best_response(Draws(KUHN, counts).half(0), 0)[1] for counts in (skewed, uniform)]
    assert replies[0].strategy("0") != replies[1].strategy("0")
    assert estimate(Draws(KUHN, skewed)).interval[0] < estimate(Draws(KUHN, uniform)).interval[0]


@pytest.mark.parametrize("seen", [0, 1, 5, 20])
@pytest.mark.parametrize("n", [30, 300])
def test_one_information_set_has_nearly_the_interval_of_clopper_and_pearson(seen, n):
    """P1 is always safe and would gain 10 - 110 p, p being the probability of the catastrophe."""
    tree = catastrophe(0.5).tree
    counts = np.zeros((2, tree.num_sequences), np.int64)
    counts[:, tree.slice(tree.infoset_of_key["P1: one"])] = (n, 0)
    counts[:, tree.slice(tree.infoset_of_key["P2: two"])] = (n - seen, seen)
    low, high = estimate(Draws(tree, counts)).interval
    rng = np.random.default_rng(0)
    most = np.quantile(rng.beta(seen + 1, n - seen, 100_000), 0.975)
    least = np.quantile(rng.beta(2 * seen, 2 * (n - seen) + 1, 100_000), 0.025) if seen else 0.0
    width = 110 * (most - least)
    assert low == pytest.approx(max(10 - 110 * most, 0.0), abs=0.15 * width)
    assert high == pytest.approx(max(10 - 110 * least, 0.0), abs=0.15 * width)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0, 2.0, float("nan")])
def test_a_confidence_is_a_probability(confidence):
    draws = Draws.from_profile(Profile.uniform(KUHN), 4, np.random.default_rng(0))
    with pytest.raises(ParameterError, match="confidence"):
        estimate(draws, confidence=confidence)


def test_too_few_resamples_are_refused():
    draws = Draws.from_profile(Profile.uniform(KUHN), 4, np.random.default_rng(0))
    with pytest.raises(ParameterError, match="resamples"):
        estimate(draws, confidence=0.99, resamples=100)


# -------------------------------------------------------------------------------------- reports


def test_a_report_of_draws():
    draws = Draws.from_profile(Profile.uniform(ROBBER), 100, np.random.default_rng(0))
    report = crywolf.nash_conv("onuw_robber3", draws, label="a thing that was watched")
    assert report.kind == "estimate"
    assert report.nash_conv == pytest.approx(nash_conv(draws.frequencies))
    assert report.interval is not None
    assert report.interval == estimate(draws).interval
    assert report.lower_bound == report.interval[0]
    document = report.to_json()
    assert document["interval"] == list(report.interval)
    assert document["confidence"] == 0.95
    for text in (str(report), report._repr_html_()):
        assert "is about" in text
        assert "interval" in text
        assert "too large on average" in text


def test_few_draws_are_pointed_out():
    draws = Draws.from_profile(Profile.uniform(ROBBER), 12, np.random.default_rng(0))
    assert "only 12 draws" in str(crywolf.nash_conv("onuw_robber3", draws))


@pytest.mark.parametrize("policy", ["equilibrium", "first action"])
def test_where_nothing_was_drawn_the_low_end_claims_nothing(policy):
    """Logs of plays say nothing off the path: uniform play filled in there would look exploitable."""
    tree = compile_tree("leduc_poker")
    if policy == "equilibrium":
        profile = crywolf.solve(tree, "cfr+", 300).profile
    else:
        weights = np.zeros(tree.num_sequences)
        weights[tree.first] = 1.0
        weights[: tree.num_players] = 1.0
        profile = Profile(tree, weights)
    draws = Draws.from_plays(profile, 1000, np.random.default_rng(0))
    assert draws.undrawn > 100
    report = crywolf.nash_conv(tree, draws)
    assert report.interval is not None
    assert report.interval[0] == 0.0 <= nash_conv(profile) <= report.interval[1]
    assert report.nash_conv - nash_conv(profile) > 1.0  # the raw value is far off
    assert f"{draws.undrawn:,} information sets nothing was drawn" in str(report)


def test_draws_of_another_game_or_without_the_tree_are_refused():
    draws = Draws.from_profile(Profile.uniform(KUHN), 10, np.random.default_rng(0))
    with pytest.raises(PolicyError, match="belongs to"):
        crywolf.nash_conv("leduc_poker", draws)
    with pytest.raises(PolicyError, match="only through draws"):
        crywolf.nash_conv("kuhn_poker", draws, method="sampled")


# -------------------------------------------------------------------------- the published bias


@pytest.mark.parametrize(
    ("policy", "plays", "reads"),
    [
        ("zero", 10, 0.37),
        ("zero", 30, 0.215),
        ("zero", 100, 0.12),
        ("uniform", 10, 0.67),
        ("uniform", 30, 0.53),
        ("uniform", 100, 0.44),
    ],
)
def test_frequencies_of_plays_are_biased_upward(policy, plays, reads):
    profile = true_zero() if policy == "zero" else Profile.uniform(ROBBER)
    assert nash_conv(profile) == pytest.approx(0 if policy == "zero" else 1 / 3, abs=1e-12)
    rng = np.random.default_rng(plays)
    repetitions = 3000
    values = [
        nash_conv(Draws.from_plays(profile, plays, rng).frequencies) for _ in range(repetitions)
    ]
    assert np.mean(values) == pytest.approx(reads, abs=0.015)
    assert np.std(values) / math.sqrt(repetitions) < 0.005


def test_the_bias_falls_with_the_draws():
    rng = np.random.default_rng(0)
    profile = Profile.uniform(KUHN)
    means = [
        np.mean([nash_conv(Draws.from_profile(profile, n, rng).frequencies) for _ in range(1000)])
        for n in (5, 10, 30, 100)
    ]
    truth = nash_conv(profile)
    assert means[0] > means[1] > means[2] > truth
    assert means[0] - truth > 0.05
    assert abs(means[3] - truth) < 0.02
