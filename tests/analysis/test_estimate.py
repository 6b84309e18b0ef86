"""Draws and estimates: what they are, what they refuse, and the published bias."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crywolf
from crywolf.analysis.draws import Draws
from crywolf.analysis.estimate import estimate
from crywolf.games.errors import ParameterError, PolicyError
from crywolf.solvers.best_response import (
    best_response,
    deviation_gains,
    evaluate,
    largest_underestimates,
    nash_conv,
)
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import GameTree, compile_tree

from .test_estimate_coverage import true_zero

KUHN = compile_tree("kuhn_poker")
ROBBER = compile_tree("onuw_robber3")

# ------------------------------------------------------------------------------------- draws


def test_lists_become_counts_in_two_halves():
    drawn: dict[str, list] = {key: [] for key in KUHN.keys}
    drawn["0"] = ["Bet", 1, 0, "Bet", "Pass"]  # the first half has Bet, Pass, Pass
    draws = Draws.from_lists(KUHN, drawn)
    place = KUHN.slice(KUHN.infoset_of_key["0"])
    assert draws.counts[:, place].tolist() == [[2, 1], [0, 2]]
    assert draws.counts.sum() == 5
    assert draws.frequencies.strategy("0") == {"Pass": 2 / 5, "Bet": 3 / 5}
    assert draws.frequencies.strategy("1") == {"Pass": 0.5, "Bet": 0.5}  # never drawn
    assert draws.half(0).strategy("0") == {"Pass": 2 / 3, "Bet": 1 / 3}
    assert draws.fewest == 0
    assert "5 draws" in repr(draws)


def test_draws_follow_the_profile():
    profile = Profile.random(ROBBER, np.random.default_rng(2))
    n = 20_001
    draws = Draws.from_profile(profile, n, np.random.default_rng(0))
    assert (draws.draws_at == n).all()
    for half, size in ((0, 10_001), (1, 10_000)):
        p = profile.probabilities[3:]
        error = np.abs(draws.half(half).probabilities[3:] - p)
        assert (error < 4.5 * np.sqrt(p * (1 - p) / size)).all()
    assert not np.array_equal(draws.counts[0], draws.counts[1])


@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3", "leduc_poker", "onuw"])
def test_plays_reach_sequences_as_often_as_they_should(game):
    tree = compile_tree(game)
    profile = Profile.random(tree, np.random.default_rng(4))
    plays = 40_000
    draws = Draws.from_plays(profile, plays, np.random.default_rng(1))
    # The reach of each sequence's action, from the tree alone: the sum over the edges of that name.
    reach = np.zeros(tree.num_nodes)
    reach[0] = 1.0
    expected = np.zeros(tree.num_sequences)
    for i in range(1, tree.num_nodes):
        parent = tree.parent[i]
        mover = tree.player[parent]
        if mover < 0:
            reach[i] = reach[parent] * tree.chance_reach[i] / tree.chance_reach[parent]
        else:
            s = tree.node_sequence[i, mover]
            reach[i] = reach[parent] * profile.probabilities[s]
            expected[s] += reach[i]
    spread = np.sqrt(plays * expected * (1 - expected)) + 1e-9
    assert (np.abs(draws.totals - plays * expected) < 5 * spread + 3).all()
    first = draws.counts[0].sum() / draws.counts.sum()
    assert abs(first - 0.5) < 0.01


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        (np.zeros((2, 3), np.int64), "shape"),
        (np.zeros((1, KUHN.num_sequences), np.int64), "shape"),
        (np.zeros((2, KUHN.num_sequences)), "integer"),
        (np.full((2, KUHN.num_sequences), -1), "less than 0 times"),
        (np.ones((2, KUHN.num_sequences), np.int64), "empty sequences"),
        (np.full((2, KUHN.num_sequences), True), "integer"),
        (np.full((2, KUHN.num_sequences), np.nan), "integer"),
        (np.full((2, KUHN.num_sequences), 2**63, np.uint64), "wrapped"),
        (np.full((2, KUHN.num_sequences), 2**60), "more than"),
        ([[1, 2], [3]], "shape"),
    ],
)
def test_counts_that_are_none_are_refused(counts, text):
    with pytest.raises(PolicyError, match=text):
        Draws(KUHN, counts)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"9": [0]}, "no information set"),
        ({"0": ["Fold"]}, "Fold"),
        ({"0": [7]}, "no action"),
        ({"0": "Bet"}, "of type str"),
        ({"0": None}, "of type NoneType"),
        ({"0": {0, 1}}, "in the order"),
        ({"0": {0: 3}}, "in the order"),
        ({"0": [True]}, "no action"),
        ({"0": [1.0]}, "no action"),
    ],
)
def test_lists_that_are_none_are_refused(change, text):
    drawn = {key: [0] for key in KUHN.keys} | change
    with pytest.raises(PolicyError, match=text):
        Draws.from_lists(KUHN, drawn)
    with pytest.raises(PolicyError, match="have no list"):
        Draws.from_lists(KUHN, {"0": [0]})


def test_a_simulation_needs_a_draw_for_each_half():
    uniform, rng = Profile.uniform(KUHN), np.random.default_rng(0)
    for simulate in (Draws.from_profile, Draws.from_plays):
        with pytest.raises(ParameterError, match="at least 2"):
            simulate(uniform, 1, rng)


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


@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3"])
def test_no_deviation_is_underestimated_by_more_than_the_bound(game):
    tree = compile_tree(game)
    rng = np.random.default_rng(7)
    centre = Profile.random(tree, rng)
    other = Profile.random(tree, rng)
    (bound,) = largest_underestimates(centre, other.probabilities[None])
    worst = -math.inf
    for _ in range(300):
        pure = np.zeros(tree.num_sequences)
        choice = rng.integers(tree.num_actions)
        pure[tree.first + choice] = 1.0
        pure[: tree.num_players] = 1.0
        both = np.array([other.probabilities, centre.probabilities])
        there, here = deviation_gains(Profile(tree, pure), both)
        worst = max(worst, there - here)
    assert worst <= bound + 1e-12
    if game == "onuw_robber3":  # few enough plans to meet the best
        assert worst == pytest.approx(bound, abs=1e-12)
    assert nash_conv(other) <= nash_conv(centre) + bound + 1e-12
    assert largest_underestimates(centre, centre.probabilities[None])[0] == pytest.approx(0)


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
    repetitions = 8000
    values = [
        nash_conv(Draws.from_plays(profile, plays, rng).frequencies) for _ in range(repetitions)
    ]
    assert np.mean(values) == pytest.approx(reads, abs=0.01)
    assert np.std(values) / math.sqrt(repetitions) < 0.004


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


def test_halves_of_simulated_draws_are_interchangeable():
    rng = np.random.default_rng(3)
    profile = Profile.random(KUHN, rng)
    sizes = Counter()
    for _ in range(200):
        draws = Draws.from_profile(profile, 10, rng)
        sizes[nash_conv(draws.half(0)) > nash_conv(draws.half(1))] += 1
    assert min(sizes.values()) > 60
