import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.errors import ParameterError, PolicyError, UnknownConcept
from crywolf.solvers import CFR, GameTree, Profile, evaluate, nash_conv
from crywolf.solvers.correlation import KINDS, CorrelationDevice
from crywolf.solvers.lemke import lemke

from .conftest import GENERAL_SUM
from .naive_correlation import best_gain, best_of_all, menus
from .two_player_games import random_game

SMALL = ["kuhn_poker", "onuw_robber3", GENERAL_SUM, "tiny_hanabi", "first_sealed_auction"]
seeds = st.integers(0, 2**32 - 1)


def random_device(tree, rng, size=3):
    """Random joint pure plans, and the same as [(weight, dictionaries)]."""
    game, weights = tree.game, rng.dirichlet(np.ones(size))
    joint = [
        [{key: int(rng.choice(a)) for key, a in menu.items()} for menu in menus(game)]
        for _ in range(size)
    ]
    profiles = [
        Profile.from_dict(tree, {key: {a: 1.0} for plan in plans for key, a in plan.items()})
        for plans in joint
    ]
    return CorrelationDevice.from_profiles(profiles, weights), list(zip(weights, joint))


def assert_naive(tree, seed):
    device, naive = random_device(tree, np.random.default_rng(seed))
    found = device.evaluation
    for kind in KINDS:
        expected = [best_of_all(tree.game, naive, p, kind) for p in range(tree.num_players)]
        assert found.gains_of(kind) == pytest.approx(expected, abs=1e-9)
        assert found.distance(kind) == pytest.approx(sum(expected), abs=1e-9)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(3))
def test_gains_are_those_of_the_game_with_recommendations(tree_of, name, seed):
    assert_naive(tree_of(name), seed)


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker"])
def test_gains_in_larger_games(tree_of, name):
    assert_naive(tree_of(name), 0)


@given(seeds)
@settings(max_examples=40)
def test_gains_in_random_games(seed):
    assert_naive(GameTree.compile(random_game(seed, zero_sum=False, depth=3)), seed)


@pytest.mark.parametrize("name", ["kuhn_poker", "onuw_robber3", GENERAL_SUM])
def test_each_trigger_by_all_pure_plans(tree_of, name):
    """The best trigger of each kind, found by trying every trigger with every pure plan."""
    tree = tree_of(name)
    device, naive = random_device(tree, np.random.default_rng(7), size=2)
    found = device.evaluation
    for p in range(tree.num_players):
        sets = np.flatnonzero(tree.owner == p)
        moves = [s for h in sets.tolist() for s in range(*tree.slice(h).indices(10**9))]
        best = {
            "efcce": found.infoset_gains[sets].max(),
            "efce": found.trigger_gains[moves].max(),
        }
        for kind, value in best.items():
            assert value == pytest.approx(best_gain(tree.game, naive, p, kind), abs=1e-9)
        coarse = max(best_gain(tree.game, naive, p, "nfcce"), 0.0)
        assert found.gains_of("nfcce")[p] == pytest.approx(coarse, abs=1e-9)


@pytest.mark.parametrize("name", [*SMALL, "kuhn_poker(players=3)", "leduc_poker"])
def test_one_profile_has_its_nash_conv(tree_of, name):
    profile = Profile.random(tree_of(name), np.random.default_rng(1))
    device = CorrelationDevice.from_profiles([profile])
    assert device.values == pytest.approx(evaluate(profile).values, abs=1e-12)
    for kind in KINDS:
        assert device.evaluation.distance(kind) == pytest.approx(nash_conv(profile), abs=1e-9)


@given(seeds)
@settings(max_examples=25)
def test_nash_equilibria_are_correlated_and_kinds_are_nested(seed):
    tree = GameTree.compile(random_game(seed, zero_sum=False, depth=3))
    probabilities = np.array(lemke(tree).probabilities, float)
    nash = CorrelationDevice.from_profiles([Profile(tree, probabilities)]).evaluation
    assert max(nash.distance(kind) for kind in KINDS) < 1e-9
    device, _ = random_device(tree, np.random.default_rng(seed))
    nfcce, efcce, efce = (device.evaluation.gains_of(kind) for kind in KINDS)
    assert (nfcce <= efcce + 1e-12).all()
    assert (efcce <= efce + 1e-12).all()


def test_mixed_rows_are_products_of_pure_ones():
    tree = GameTree.compile(textbook.bos_outside())
    a, b = (Profile.random(tree, np.random.default_rng(i)) for i in range(2))
    weights, rows = [], []
    for weight, profile in [(0.3, a), (0.7, b)]:
        choices = np.array(np.meshgrid(*[[0, 1]] * tree.num_infosets)).reshape(
            tree.num_infosets, -1
        )
        for choice in choices.T:
            moves = tree.first.astype(int) + choice
            weights.append(weight * profile.probabilities[moves].prod())
            pure = np.zeros(tree.num_sequences)
            pure[moves] = 1.0
            rows.append(Profile(tree, pure))
    mixed = CorrelationDevice.from_profiles([a, b], [0.3, 0.7]).evaluation
    pure = CorrelationDevice.from_profiles(rows, weights).evaluation
    assert mixed.gains == pytest.approx(pure.gains, abs=1e-12)
    assert mixed.trigger_gains == pytest.approx(pure.trigger_gains, abs=1e-12)


def test_no_regret_play_is_coarsely_correlated(tree_of):
    """CFR's external regret bounds what deviating from all of its iterates gains."""
    tree = tree_of(GENERAL_SUM)
    solver, profiles, distances = CFR(tree), [], []
    for t in range(400):
        solver.run(1)
        profiles.append(solver.current_profile())
        if t in (19, 399):
            device = CorrelationDevice.from_profiles(profiles)
            distances.append(device.evaluation.distance("nfcce"))
    assert distances[1] < 0.1
    assert distances[1] < distances[0]


def test_samples_come_by_weight(kuhn):
    device, _ = random_device(kuhn, np.random.default_rng(0), size=2)
    drawn = [device.sample(np.random.default_rng(i)) for i in range(300)]
    share = np.mean([d == device.profile(0) for d in drawn])
    assert share == pytest.approx(device.weights[0], abs=0.12)


def test_refusals(kuhn, robber3):
    uniform = Profile.uniform(kuhn)
    with pytest.raises(ParameterError, match="at least one"):
        CorrelationDevice.from_profiles([])
    with pytest.raises(ParameterError, match="one game"):
        CorrelationDevice.from_profiles([uniform, Profile.uniform(robber3)])
    with pytest.raises(PolicyError, match=r"sum 0\.5"):
        CorrelationDevice.from_profiles([uniform], [0.5])
    with pytest.raises(PolicyError, match="shape"):
        CorrelationDevice(kuhn, np.ones(1), np.ones((1, 3)))
    with pytest.raises(PolicyError, match="row 0"):
        CorrelationDevice(kuhn, np.ones(1), np.ones((1, kuhn.num_sequences)))
    device = CorrelationDevice.from_profiles([uniform])
    assert "1 joint plans" in repr(device)
    with pytest.raises(UnknownConcept, match="nfcce, efcce, efce"):
        device.evaluation.distance("ce")  # type: ignore[arg-type]
