import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms import discounted_cfr

from crywolf.games.errors import CheckpointError, ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import (
    CFR,
    CFRPlus,
    DiscountedCFR,
    GameTree,
    LinearCFR,
    PredictiveCFRPlus,
    Profile,
    RegretMinimiser,
    UpdateRule,
    expected_values,
    nash_conv,
    solve,
)
from crywolf.solvers.exact import _gradient, _plan
from crywolf.solvers.profile import normalised
from crywolf.solvers.regret import MINIMISERS, warm_regrets
from crywolf.solvers.tree import sequences_of

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=4,"
    "points_order=descending,returns_type=total_points))"
)


def average_of(tree: GameTree, solver, iterations: int) -> Profile:
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return Profile.from_policy(tree, solver.average_policy())


@pytest.mark.parametrize(
    ("ours", "theirs", "name", "iterations"),
    [
        (CFRPlus, pyspiel.CFRPlusSolver, "kuhn_poker", 1000),
        (CFRPlus, pyspiel.CFRPlusSolver, "kuhn_poker(players=3)", 100),
        (CFRPlus, pyspiel.CFRPlusSolver, "leduc_poker", 20),
        pytest.param(CFRPlus, pyspiel.CFRPlusSolver, "leduc_poker", 100, marks=pytest.mark.slow),
        (CFRPlus, pyspiel.CFRPlusSolver, "liars_dice(dice_sides=3)", 100),
        (CFR, pyspiel.CFRSolver, "kuhn_poker", 1000),
        (CFR, pyspiel.CFRSolver, "kuhn_poker(players=3)", 100),
        (CFR, pyspiel.CFRSolver, "leduc_poker", 50),
        (LinearCFR, discounted_cfr.LCFRSolver, "kuhn_poker", 200),
        (LinearCFR, discounted_cfr.LCFRSolver, "kuhn_poker(players=3)", 30),
        (DiscountedCFR, discounted_cfr.DCFRSolver, "kuhn_poker", 200),
        (DiscountedCFR, discounted_cfr.DCFRSolver, "kuhn_poker(players=3)", 30),
    ],
)
def test_average_policy_equals_openspiels(tree_of, ours, theirs, name, iterations):
    tree = tree_of(name)
    solver = ours(tree)
    solver.run(iterations)
    expected = average_of(tree, theirs(tree.game), iterations)
    assert np.abs(solver.average_profile().probabilities - expected.probabilities).max() < 1e-9


class ExactMinimiser:
    """Counterfactual regret minimisation in rational arithmetic, from the definitions."""

    def __init__(self, tree: GameTree, rule: UpdateRule, alternating: bool):
        self.tree, self.rule, self.alternating = tree, rule, alternating
        self.behaviour = [Fraction(1)] * tree.num_sequences
        for h in range(tree.num_infosets):
            count = int(tree.num_actions[h])
            self.behaviour[tree.slice(h)] = [Fraction(1, count)] * count
        self.regret = [Fraction(0)] * tree.num_sequences
        self.total = [Fraction(0)] * tree.num_sequences

    def run(self, iterations: int) -> Profile:
        n = self.tree.num_players
        for t in range(1, iterations + 1):
            if self.alternating:
                for p in range(n):
                    self.update(t, p, _gradient(self.tree, _plan(self.tree, self.behaviour)))
            else:
                gradients = _gradient(self.tree, _plan(self.tree, self.behaviour))
                for p in range(n):
                    self.update(t, p, list(gradients))
        return Profile(self.tree, normalised(self.tree, [float(x) for x in self.total]))

    def update(self, t: int, p: int, leaves: list[Fraction]) -> None:
        tree, rule = self.tree, self.rule
        plan = _plan(tree, self.behaviour)
        for s in sequences_of(tree, p):
            self.total[s] += Fraction(t**rule.gamma) * plan[s]
        sets = list(reversed(range(int(tree.blocks[p]), int(tree.blocks[p + 1]))))
        old = list(self.behaviour)
        value = self.values(sets, leaves, lambda h: None)
        for h in sets:
            for s in self.actions(h):
                regret = self.regret[s] + value[s] - self.mean(h, old, value)
                self.regret[s] = regret if rule.regrets == "sum" else max(regret, Fraction(0))
        if rule.regrets == "predict":
            foreseen = self.values(sets, leaves, lambda h: self.match(h, old))
            assert foreseen is not None
        else:
            for h in sets:
                self.play(h, [max(self.regret[s], Fraction(0)) for s in self.actions(h)])
        if rule.regrets == "sum":
            for h in sets:
                for s in self.actions(h):
                    exponent = rule.alpha if self.regret[s] > 0 else rule.beta
                    if exponent != math.inf:
                        power = Fraction(t**exponent)
                        self.regret[s] *= power / (power + 1)

    def values(self, sets, leaves, before: Callable[[int], object]) -> list[Fraction]:
        """Values of sequences, bottom-up under the behaviour that ``before`` leaves at each set."""
        self.value = value = list(leaves)
        for h in sets:
            before(h)
            value[int(self.tree.parent_sequence[h])] += self.mean(h, self.behaviour, value)
        return value

    def match(self, h: int, old: list[Fraction]) -> None:
        """Plays as if the gradient came once more, valued with the behaviour chosen below."""
        mean = self.mean(h, old, self.value)
        self.play(
            h, [max(self.regret[s] + self.value[s] - mean, Fraction(0)) for s in self.actions(h)]
        )

    def play(self, h: int, weights: list[Fraction]) -> None:
        norm = sum(weights)
        for s, weight in zip(self.actions(h), weights, strict=True):
            self.behaviour[s] = weight / norm if norm else Fraction(1, len(weights))

    def mean(self, h: int, behaviour: list[Fraction], value: list[Fraction]) -> Fraction:
        return sum((behaviour[s] * value[s] for s in self.actions(h)), Fraction(0))

    def actions(self, h: int) -> range:
        return range(self.tree.slice(h).start, self.tree.slice(h).stop)


RULES = [
    *(kind.default_rule for kind in MINIMISERS.values() if kind is not DiscountedCFR),
    UpdateRule(alpha=2.0, beta=0.0, gamma=2.0),  # powers that are rational
    UpdateRule(alpha=math.inf, beta=-1.0),
    UpdateRule("clip", gamma=0.0),
]


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn_poker", 5),
        ("kuhn_poker(players=3)", 3),
        ("onuw_robber3", 4),
        ("liars_dice(dice_sides=2)", 4),
        # Here exact ties make rounding noise choose, and OpenSpiel leaves the path at once (by
        # more than 0.3 after two iterations): the tolerance keeps ours on it.
        ("kuhn_poker(players=4)", 2),
    ],
)
def test_profiles_equal_exact_arithmetic(tree_of, name, iterations, rule, alternating):
    tree = tree_of(name)
    solver = RegretMinimiser(tree, rule, alternating=alternating)
    exact = ExactMinimiser(tree, rule, alternating)
    solver.run(iterations)
    average = exact.run(iterations)
    assert np.abs(solver.average_profile().probabilities - average.probabilities).max() < 1e-12
    current = np.array([float(x) for x in exact.behaviour])
    assert np.abs(solver.current_profile().probabilities - current).max() < 1e-12


def test_large_games_equal_exact_arithmetic(tree_of):
    """Bundles of several strips, and blocks with and without a common matrix."""
    for name, rule in (("leduc_poker", UpdateRule("clip")), (GOOFSPIEL, UpdateRule("predict"))):
        tree = tree_of(name)
        solver = RegretMinimiser(tree, rule)
        solver.run(2)
        average = ExactMinimiser(tree, rule, True).run(2)
        assert np.abs(solver.average_profile().probabilities - average.probabilities).max() < 1e-12


@pytest.mark.parametrize("kind", MINIMISERS.values(), ids=list(MINIMISERS))
@pytest.mark.parametrize("alternating", [True, False])
def test_equilibria_of_kuhn_poker(kuhn, kind, alternating):
    solver = kind(kuhn, alternating=alternating)
    solver.run(20_000)
    profile = solver.average_profile()
    assert nash_conv(profile) < 5e-3
    assert expected_values(profile)[0] == pytest.approx(-1 / 18, abs=2e-3)  # Kuhn 1950
    assert profile.strategy("1")["Bet"] < 0.02  # never bet the Queen first


def test_regret_bound(tree_of):
    """Zinkevich et al. 2007, Theorem 4: a bound on the NashConv of simultaneous CFR."""
    for name in ("kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"):
        tree = tree_of(name)
        solver = CFR(tree, alternating=False)
        widest, spread = int(tree.num_actions.max()), np.ptp(tree.payoff_table)
        for t in (10, 100, 1000):
            solver.run(t - solver.iteration)
            bound = spread * tree.num_infosets * math.sqrt(widest) / math.sqrt(t)
            assert nash_conv(solver.average_profile()) <= bound


def test_predictions_make_the_last_iterate_an_equilibrium_of_kuhn_poker(kuhn):
    solver = PredictiveCFRPlus(kuhn)
    solver.run(1000)
    assert nash_conv(solver.current_profile()) < 1e-12


@pytest.mark.parametrize("kind", MINIMISERS.values(), ids=list(MINIMISERS))
def test_runs_add_up(tree_of, kind):
    tree = tree_of("kuhn_poker(players=3)")
    at_once, in_parts = kind(tree), kind(tree)
    at_once.run(70)
    for part in (1, 0, 9, 60):
        in_parts.run(part)
    assert at_once.iteration == in_parts.iteration == 70
    assert at_once.average_profile() == in_parts.average_profile()
    assert at_once.current_profile() == in_parts.current_profile()


@pytest.mark.parametrize("kind", MINIMISERS.values(), ids=list(MINIMISERS))
def test_before_the_first_iteration_everything_is_uniform(kuhn, kind):
    solver = kind(kuhn)
    assert solver.average_profile() == solver.current_profile() == Profile.uniform(kuhn)


def test_tied_actions_stay_tied():
    """All of P1's actions are worth the same, with payoffs that floating point cannot hold."""

    def below():
        return chance({str(i): ("1/7", leaf(f"{i + 1}/10")) for i in range(7)})

    game = ExtensiveGame("tied", decision(0, "1", {a: below() for a in "ABCDE"}))
    solver = CFRPlus(GameTree.compile(game))
    solver.run(50)
    assert solver.current_profile() == Profile.uniform(solver.tree)


@pytest.mark.parametrize("root", [leaf(1, 2), decision(0, "a", {"l": leaf(0, 0), "r": leaf(0, 0)})])
@pytest.mark.parametrize("kind", MINIMISERS.values(), ids=list(MINIMISERS))
def test_games_without_anything_to_decide(root, kind):
    solver = kind(GameTree.compile(ExtensiveGame("nothing", root)))
    solver.run(5)
    assert solver.current_profile() == Profile.uniform(solver.tree)


# ------------------------------------------------------------------------------------- warm start


def test_a_warm_start_plays_its_profile_first(tree_of):
    tree = tree_of("leduc_poker")
    start = Profile.random(tree, np.random.default_rng(0))
    solver = CFRPlus(tree, start=start)
    assert solver.current_profile() == start
    solver.run(1)
    assert np.abs(solver.average_profile().probabilities - start.probabilities).max() < 1e-12


def test_regrets_of_a_warm_start_match_its_profile(tree_of):
    tree = tree_of("kuhn_poker(players=3)")
    start = Profile.random(tree, np.random.default_rng(1))
    again = normalised(tree, warm_regrets(start))
    assert np.abs(again - start.probabilities).max() < 1e-12


# --------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"regrets": "forget"}, "'clip'"),
        ({"alpha": math.nan}, "alpha"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": math.inf}, "gamma"),
        ({"regrets": "clip", "alpha": 1.0}, "not discounted"),
    ],
)
def test_rules_that_make_no_sense(arguments, said):
    with pytest.raises(ParameterError, match=said):
        UpdateRule(**arguments)


def test_a_start_from_another_game(kuhn, tree_of):
    with pytest.raises(ParameterError, match="not of kuhn_poker"):
        CFRPlus(kuhn, start=Profile.uniform(tree_of("leduc_poker")))


# ---------------------------------------------------------------------------------------- float32


@pytest.mark.parametrize("algorithm", MINIMISERS)
@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker", "onuw_robber3"])
def test_float32_follows_float64(tree_of, name, algorithm):
    tree = tree_of(name)
    exact, single = (MINIMISERS[algorithm](tree, dtype=d) for d in ("float64", "float32"))
    largest = np.abs(tree.payoff_table).max()
    for iterations in (1, 9, 290):
        exact.run(iterations)
        single.run(iterations)
        wanted = nash_conv(exact.average_profile())
        # Ties are broken otherwise: the iterates part, but get as far.
        assert nash_conv(single.average_profile()) == pytest.approx(
            wanted, rel=0.3, abs=1e-5 * largest
        )
    assert nash_conv(single.current_profile()) >= 0.0


def test_float32_converges_as_far_as_seven_digits_go(kuhn):
    exact, single = PredictiveCFRPlus(kuhn), PredictiveCFRPlus(kuhn, dtype="float32")
    for solver in (exact, single):
        solver.run(20_000)
    assert nash_conv(exact.average_profile()) < 1e-9  # what float32 cannot reach
    assert nash_conv(single.average_profile()) < 2e-6 * 2.0  # the largest payoff is 2


def test_float32_runs_in_parts_and_halves_the_memory(tree_of):
    tree = tree_of("leduc_poker")
    whole, parts, double = CFR(tree, dtype="float32"), CFR(tree, dtype="float32"), CFR(tree)
    whole.run(30)
    for count in (1, 12, 17):
        parts.run(count)
    assert whole.average_profile() == parts.average_profile()
    assert whole.current_profile() == parts.current_profile()
    for name, array in whole.state().items():
        assert array.dtype == np.float32
        assert 2 * array.nbytes == double.state()[name].nbytes


def test_float32_checkpoints(kuhn, tmp_path):
    path = tmp_path / "run.npz"
    solve(kuhn, "cfr+", 10, dtype="float32", checkpoint=path)
    found = solve(kuhn, "cfr+", 30, dtype="float32", checkpoint=path)
    assert found.profile == solve(kuhn, "cfr+", 30, dtype="float32").profile
    with pytest.raises(CheckpointError, match="float32"):
        solve(kuhn, "cfr+", 40, checkpoint=path)


@pytest.mark.parametrize("scale", [10**31, Fraction(1, 10**31)])
def test_float32_refuses_what_it_cannot_hold(scale):
    moves = {"a": leaf(scale, -scale), "b": leaf(0, 0)}
    tree = GameTree.compile(ExtensiveGame("scaled", decision(0, "1", moves)))
    with pytest.raises(ParameterError, match="choose dtype='float64'"):
        CFRPlus(tree, dtype="float32")
    CFRPlus(tree).run(1)


def test_other_types_are_refused(kuhn):
    with pytest.raises(ParameterError, match="'float64' or 'float32'"):
        CFRPlus(kuhn, dtype="float16")  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------- properties


@st.composite
def trees(draw) -> GameTree:
    """Random trees of 1 to 4 players in which sets join nodes of equal shape and past."""
    players = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    payoffs = st.integers(-3, 3)
    deals = draw(st.integers(1, 3))
    moves = [int(m) for m in rng.integers(2, 4, size=3)]
    order = [int(p) for p in rng.integers(0, players, size=3)]
    hidden = [bool(x) for x in rng.integers(0, 2, size=3)]

    def below(depth: int, deal: int, seen: tuple[str, ...]):
        if depth == 3:
            return leaf(*(draw(payoffs) for _ in range(players)))
        p = order[depth]
        # Own moves are remembered, and what was once seen: others' moves, at a set that is not
        # hidden. P1 sees the deal.
        last = max((d for d in range(depth + 1) if order[d] == p and not hidden[d]), default=0)
        known = [f"{d}{m}" for d, m in enumerate(seen) if order[d] == p or d < last]
        label = f"{depth} {known} {deal if p == 0 else ''}"
        return decision(
            p, label, {f"{m}": below(depth + 1, deal, (*seen, str(m))) for m in range(moves[depth])}
        )

    if deals == 1:
        return GameTree.compile(ExtensiveGame("random", below(0, 0, ())))
    outcomes = {str(d): (Fraction(1, deals), below(0, d, ())) for d in range(deals)}
    return GameTree.compile(ExtensiveGame("random", chance(outcomes)))


@settings(max_examples=40, deadline=None)
@given(trees(), st.sampled_from(RULES), st.booleans())
def test_random_games_equal_exact_arithmetic(tree, rule, alternating):
    solver = RegretMinimiser(tree, rule, alternating=alternating)
    solver.run(3)
    average = ExactMinimiser(tree, rule, alternating).run(3)
    assert np.abs(solver.average_profile().probabilities - average.probabilities).max() < 1e-9
