"""How often the intervals of `estimate` hold: at equilibria, elsewhere, and where rare moves decide."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from crywolf.analysis import onuw_theorems
from crywolf.analysis.draws import Draws
from crywolf.analysis.estimate import Estimate, estimate
from crywolf.games.extensive import ExtensiveGame, Node, chance, decision, leaf
from crywolf.solvers.best_response import nash_conv
from crywolf.solvers.profile import Profile, normalised
from crywolf.solvers.tree import GameTree, compile_tree

REPETITIONS = 1000
FEWER = 200
"""Repetitions of further cases."""
RESAMPLES = 100
SIZES = (30, 100, 300)
PROBABILITIES = (0.003, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Of the move that decides everything."""


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
        for game, seed in (("kuhn_poker", 1), ("onuw_robber3", 3))
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


def safe(name: str, gamble: Node, p: float) -> Profile:
    """P1 is always safe and gets 0; in the gamble, P2 would make each "rare" move with probability p."""
    tree = tree_of_gamble(name, gamble)
    strategies = {key: {"often": 1 - p, "rare": p} for key in tree.keys}
    return Profile.from_dict(tree, strategies | {"P1: one": {"safe": 1}})


@cache
def tree_of_gamble(name: str, gamble: Node) -> GameTree:
    root = decision(0, "one", {"safe": leaf(0, 0), "gamble": gamble})
    return GameTree.compile(ExtensiveGame(name, root))


def move(label: str, often: Node, rare: Node) -> Node:
    return decision(1, label, {"often": often, "rare": rare})


ONE_CATASTROPHE = move("two", leaf(10, 0), leaf(-100, 0))
ONE_JACKPOT = move("two", leaf(-10, 0), leaf(100, 0))
FOUR_CATASTROPHES = chance(
    {f"state {k}": ("1/4", move(f"two in {k}", leaf(10, 0), leaf(-100, 0))) for k in range(4)}
)
TWO_IN_A_ROW = move("two", leaf(10, 0), move("then", leaf(10, 0), leaf(-1000, 0)))


def catastrophe(p: float) -> Profile:
    return safe("catastrophe", ONE_CATASTROPHE, p)


def trembling(tree: GameTree, epsilon: float) -> Profile:
    """The first action, but with probability epsilon one of the others."""
    weights = np.ones(tree.num_sequences)
    weights[tree.num_players :] = np.repeat(epsilon / (tree.num_actions - 1.0), tree.num_actions)
    weights[tree.first] = 1 - epsilon
    return Profile(tree, weights)


def repeat(
    policy: Profile,
    n: int,
    confidence: float,
    seed: int,
    repetitions: int = REPETITIONS,
    known: dict[bytes, Estimate] | None = None,
) -> list[Estimate]:
    """Estimates of different draws; the same draws, as of rare moves, are estimated once."""
    rng = np.random.default_rng(seed)
    known = {} if known is None else known
    found = []
    for _ in range(repetitions):
        draws = Draws.from_profile(policy, n, rng)
        key = draws.counts.tobytes()
        if key not in known:
            known[key] = estimate(draws, confidence=confidence, rng=rng, resamples=RESAMPLES)
        found.append(known[key])
    return found


MEASURED = ("kuhn_poker-random1", "onuw_robber3-random3")
MEASURED_EQUILIBRIA = ("kuhn_poker-alpha1/5", "onuw_robber3-theorem4.2")
"""Cases of 1,000 repetitions for each number of draws."""


def misses(found: list[Estimate], truth: float) -> tuple[float, float]:
    """How often the low end lies above the truth, and the high end below it."""
    low, high = np.array([e.interval for e in found]).T
    return float((low > truth + 1e-12).mean()), float((high < truth - 1e-12).mean())


def assert_held(found: list[Estimate], truth: float) -> None:
    """Coverage at least nominal minus 2 points; ends within three standard errors of nominal."""
    low, high = misses(found, truth)
    most = 0.025 + 3 * math.sqrt(0.025 * 0.975 / len(found))
    assert max(low, high) <= most
    assert low + high <= (0.07 if len(found) >= REPETITIONS else most)


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("case", MEASURED)
def test_intervals_hold(case, n):
    policy = CASES[case]()
    truth = nash_conv(policy)
    assert truth > 0.05
    assert_held(repeat(policy, n, 0.95, seed=n), truth)


@pytest.mark.slow
@pytest.mark.parametrize("case", sorted(set(CASES) - set(MEASURED)))
def test_intervals_hold_of_other_policies(case):
    policy = CASES[case]()
    truth = nash_conv(policy)
    assert truth > 0.05
    for n in (30, 100):
        assert_held(repeat(policy, n, 0.95, seed=n, repetitions=FEWER), truth)


@pytest.mark.slow
@pytest.mark.parametrize("gamble", [ONE_CATASTROPHE, ONE_JACKPOT], ids=["catastrophe", "jackpot"])
@pytest.mark.parametrize("n", SIZES)
def test_intervals_hold_where_one_rare_move_decides(gamble, n):
    known: dict[bytes, Estimate] = {}
    for p in PROBABILITIES:
        policy = safe("gamble", gamble, p)
        truth = nash_conv(policy)
        sure, lost = (10, -100) if gamble is ONE_CATASTROPHE else (-10, 100)
        assert truth == pytest.approx(max(0.0, sure * (1 - p) + lost * p))
        assert_held(repeat(policy, n, 0.95, seed=n, known=known), truth)


@pytest.mark.slow
@pytest.mark.parametrize("p", [0.003, 0.02, 0.1])
@pytest.mark.parametrize("gamble", [FOUR_CATASTROPHES, TWO_IN_A_ROW], ids=["either", "both"])
def test_intervals_hold_where_several_rare_moves_decide(gamble, p):
    policy = safe("gambles", gamble, p)
    for n in (30, 100):
        assert_held(repeat(policy, n, 0.95, seed=n, repetitions=FEWER), nash_conv(policy))


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.003, 0.02])
@pytest.mark.parametrize("game", ["kuhn_poker", "onuw_robber3"])
def test_intervals_hold_of_trembling_policies(game, epsilon):
    policy = trembling(tree_of(game), epsilon)
    for n in SIZES:
        assert_held(repeat(policy, n, 0.95, seed=n, repetitions=FEWER), nash_conv(policy))


@pytest.mark.slow
def test_intervals_hold_of_a_trembling_policy_in_a_larger_game():
    policy = trembling(tree_of("leduc_poker"), 0.02)
    found = repeat(policy, 30, 0.95, seed=1, repetitions=30)
    assert sum(misses(found, nash_conv(policy))) <= 0.05 + 0.12


@pytest.mark.slow
@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("case", MEASURED_EQUILIBRIA)
def test_intervals_hold_at_equilibria(case, n):
    policy = EQUILIBRIA[case]()
    assert nash_conv(policy) < 1e-12
    found = repeat(policy, n, 0.95, seed=n)
    assert_held(found, 0.0)
    assert np.mean([e.nash_conv for e in found]) > 0.01  # what the interval has to allow for


@pytest.mark.slow
@pytest.mark.parametrize("case", sorted(set(EQUILIBRIA) - set(MEASURED_EQUILIBRIA)))
def test_intervals_hold_at_other_equilibria(case):
    policy = EQUILIBRIA[case]()
    assert nash_conv(policy) < 1e-12
    for n in (30, 100):
        assert_held(repeat(policy, n, 0.95, seed=n, repetitions=FEWER), 0.0)


@pytest.mark.slow
def test_another_confidence_holds_too():
    for case in MEASURED:
        policy = CASES[case]()
        found = repeat(policy, 30, 0.8, seed=8, repetitions=FEWER)
        assert sum(misses(found, nash_conv(policy))) <= 0.2 + 3 * math.sqrt(0.2 * 0.8 / FEWER)


@pytest.mark.slow
def test_intervals_shrink_with_the_square_root_of_the_draws():
    for case in MEASURED:
        widths = {}
        for n in (30, 300):
            found = repeat(CASES[case](), n, 0.95, seed=5, repetitions=100)
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
