"""How often the intervals of `estimate` hold: 1,000 repetitions a case, at equilibria and elsewhere."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from crywolf.analysis import onuw_theorems
from crywolf.analysis.draws import Draws
from crywolf.analysis.estimate import Estimate, estimate
from crywolf.solvers.best_response import nash_conv
from crywolf.solvers.profile import Profile, normalised
from crywolf.solvers.tree import GameTree, compile_tree

REPETITIONS = 1000
RESAMPLES = 100
SIZES = (30, 100, 300)


@cache
def tree_of(game: str) -> GameTree:
    return compile_tree(game)


def sharp(tree: GameTree, seed: int) -> Profile:
    """Nearly deterministic: Dirichlet(0.2) at each information set."""
    weights = np.random.default_rng(seed).gamma(0.2, size=tree.num_sequences)
    return Profile(tree, normalised(tree, weights))


def pure(tree: GameTree) -> Profile:
    """Always the first action."""
    weights = np.zeros(tree.num_sequences)
    weights[tree.first] = 1.0
    return Profile(tree, normalised(tree, weights))


def kuhn_equilibrium(alpha: float) -> Profile:
    """Kuhn (1950): P1 bets the Jack with alpha and the King with 3 alpha."""
    bets = {
        "0": alpha, "1": 0, "2": 3 * alpha, "0pb": 0, "1pb": alpha + 1 / 3, "2pb": 1,
        "0p": 1 / 3, "1p": 0, "2p": 1, "0b": 0, "1b": 1 / 3, "2b": 1,
    }  # fmt: skip
    strategies = {key: {"Pass": 1 - bet, "Bet": bet} for key, bet in bets.items()}
    return Profile.from_dict(tree_of("kuhn_poker"), strategies)


def robber(alpha: Fraction, q: Fraction) -> Profile:
    """The Robber switches but with probability alpha; the Werewolves vote P3 with probability q."""
    other = (1 - alpha) / 2
    strategies = onuw_theorems.strategies((alpha, other, other), q, q, Fraction(1, 2))
    numbers = {key: {a: float(x) for a, x in row.items()} for key, row in strategies.items()}
    return Profile.from_dict(tree_of("onuw_robber3"), numbers)


def true_zero() -> Profile:
    """Uniform, except that P3 votes for the player whom it robbed."""
    tree = tree_of("onuw_robber3")
    table = Profile.uniform(tree).to_dict()
    for s, vote in (("S1", "vote P1"), ("S2", "vote P2")):
        h = tree.infoset_of_key[f"P3: dealt Robber; {s}; now Werewolf"]
        names = tree.action_names(h)
        row = {a: float(n == vote) for a, n in zip(tree.legal[h], names, strict=True)}
        table[tree.keys[h]] = row
    return Profile.from_dict(tree, table)


CASES = {
    **{
        f"{game}-random{seed}": lambda game=game, seed=seed: Profile.random(
            tree_of(game), np.random.default_rng(seed)
        )
        for game in ("kuhn_poker", "onuw_robber3")
        for seed in (1, 3)
    },
    "kuhn_poker-sharp": lambda: sharp(tree_of("kuhn_poker"), 51),
    "onuw_robber3-sharp": lambda: sharp(tree_of("onuw_robber3"), 51),
    "kuhn_poker-pure": lambda: pure(tree_of("kuhn_poker")),
    "onuw_robber3-pure": lambda: pure(tree_of("onuw_robber3")),
    "onuw_robber3-uniform": lambda: Profile.uniform(tree_of("onuw_robber3")),
}
EQUILIBRIA = {
    "kuhn_poker-alpha0": lambda: kuhn_equilibrium(0.0),
    "kuhn_poker-alpha1/5": lambda: kuhn_equilibrium(0.2),
    "kuhn_poker-alpha1/3": lambda: kuhn_equilibrium(1 / 3),
    "onuw_robber3-theorem4.1": lambda: robber(Fraction(0), Fraction(0)),
    # alpha = beta = gamma = 1/3: q* = 1/2, p* = 1/2.
    "onuw_robber3-theorem4.2": lambda: robber(Fraction(1, 3), Fraction(1, 2)),
    "onuw_robber3-zero": true_zero,
}


def repeat(policy: Profile, n: int, confidence: float, seed: int) -> list[Estimate]:
    rng = np.random.default_rng(seed)
    return [
        estimate(
            Draws.from_profile(policy, n, rng), confidence=confidence, rng=rng, resamples=RESAMPLES
        )
        for _ in range(REPETITIONS)
    ]


def misses(found: list[Estimate], truth: float) -> tuple[float, float]:
    """How often the low end lies above the truth, and the high end below it."""
    low, high = np.array([e.interval for e in found]).T
    return float((low > truth + 1e-12).mean()), float((high < truth - 1e-12).mean())


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_intervals_hold(case):
    policy = CASES[case]()
    truth = nash_conv(policy)
    assert truth > 0.05
    for n in SIZES:
        low, high = misses(repeat(policy, n, 0.95, seed=n), truth)
        assert 1 - low - high >= 0.93
        assert max(low, high) <= 0.025 + 0.015  # three standard errors of 1,000 repetitions


@pytest.mark.slow
@pytest.mark.parametrize("case", EQUILIBRIA)
def test_intervals_hold_at_equilibria(case):
    policy = EQUILIBRIA[case]()
    assert nash_conv(policy) < 1e-12
    for n in SIZES:
        found = repeat(policy, n, 0.95, seed=n)
        low, high = misses(found, 0.0)
        assert low <= 0.025 + 0.015
        assert high == 0.0
        assert np.mean([e.nash_conv for e in found]) >= 0.0


@pytest.mark.slow
def test_another_confidence_holds_too():
    for case in ("kuhn_poker-random1", "onuw_robber3-random3"):
        policy = CASES[case]()
        low, high = misses(repeat(policy, 30, 0.8, seed=8), nash_conv(policy))
        assert 1 - low - high >= 0.78


@pytest.mark.slow
def test_intervals_shrink_with_the_square_root_of_the_draws():
    for case in ("kuhn_poker-random1", "onuw_robber3-random1"):
        widths = {}
        for n in (30, 300):
            found = repeat(CASES[case](), n, 0.95, seed=5)[:200]
            widths[n] = np.mean([e.interval[1] - e.interval[0] for e in found])
        assert widths[300] < 0.4 * widths[30]  # 1 / sqrt(10) is 0.316
        assert widths[300] < 0.4  # utilities go from -2 to 2, and from -1 to 1


def test_a_bootstrap_of_nash_conv_itself_never_holds_at_an_equilibrium():
    """Why the intervals are made as they are: the percentile bootstrap has coverage 0."""
    policy, rng = kuhn_equilibrium(0.2), np.random.default_rng(0)
    held = 0
    for _ in range(50):
        seen = Draws.from_profile(policy, 100, rng).frequencies
        again = [nash_conv(Draws.from_profile(seen, 100, rng).frequencies) for _ in range(200)]
        held += np.quantile(again, 0.025) <= 0.0
    assert held == 0
