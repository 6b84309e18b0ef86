"""Monte Carlo CFR: means over every possible draw, variances, convergence, OpenSpiel's program."""

import importlib.util
import itertools
import random
import signal
import subprocess
import sys
import time
from types import ModuleType

import numba
import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games.errors import CheckpointError, InexactError, ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import (
    ALGORITHMS,
    GameTree,
    Profile,
    expected_values,
    nash_conv,
    sampling,
    solve,
)
from crywolf.solvers import _sampling_kernels as kernels
from crywolf.solvers.best_response import counterfactual_values, own_reach
from crywolf.solvers.checkpoint import load_checkpoint, save_checkpoint
from crywolf.solvers.sampling import SAMPLERS, ExternalSamplingMCCFR, OutcomeSamplingMCCFR
from crywolf.solvers.sampling_form import sampling_form

from .conftest import GENERAL_SUM
from .test_regret import trees

SAMPLED = pytest.mark.parametrize("kind", SAMPLERS.values(), ids=list(SAMPLERS))
OPTIONS = pytest.mark.parametrize(
    "options", [{}, {"regrets": "clip", "gamma": 1.0}], ids=["plain", "plus"]
)


def interpreted() -> ModuleType:
    """The kernels as plain Python, so that a test can decide what is drawn."""
    spec = importlib.util.spec_from_file_location("interpreted_kernels", kernels.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    numba.config.DISABLE_JIT = True  # type: ignore[attr-defined]
    try:
        spec.loader.exec_module(module)
    finally:
        numba.config.DISABLE_JIT = False  # type: ignore[attr-defined]
    return module


# -------------------------------------------------------------------- every draw, and its chances


class EveryDraw:
    """Stands in for a generator: in one run after the other, takes every possible turn.

    A draw is a number that is not yet known; a comparison with it goes both ways, in different
    runs, and narrows the interval it can be in.
    """

    def __init__(self) -> None:
        self.turns: list[bool] = []
        self.place, self.probability = 0, 1.0

    def __iter__(self):
        """Each run once; `probability` is that of the run after it has been made."""
        while True:
            self.place, self.probability = 0, 1.0
            yield self
            while self.turns and not self.turns[-1]:
                self.turns.pop()
            if not self.turns:
                return
            self.turns[-1] = False

    def random(self) -> "Draw":
        return Draw(self, [0.0, 1.0], 0.0)

    def turn(self, probability: float) -> bool:
        if self.place == len(self.turns):
            self.turns.append(True)
        taken = self.turns[self.place]
        self.place += 1
        self.probability *= probability if taken else 1.0 - probability
        return taken


class Draw:
    def __init__(self, source: EveryDraw, interval: list[float], shift: float):
        self.source, self.interval, self.shift = source, interval, shift

    def __sub__(self, number: float) -> "Draw":
        return Draw(self.source, self.interval, self.shift - number)

    def __lt__(self, number: float) -> bool:
        low, high = self.interval
        limit = number - self.shift
        if limit <= low:
            return False
        if limit >= high - 1e-12:
            return True
        taken = self.source.turn((limit - low) / (high - low))
        self.interval[:] = (low, limit) if taken else (limit, high)
        return taken


def mean_of_a_walk(solver, player: int, parts: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The means of what one walk for ``player`` adds to the regrets and to the average.

    Args:
        solver: with the regrets and baselines to start from; left as it is.
        player: the traverser.
        parts: of an iteration, by the names of the kernels; no others are run.
    """
    module = interpreted()

    def only(function):
        def for_the_player(*arguments):
            wanted = function.__name__ in parts and arguments[3] == player
            return function(*arguments) if wanted else 0

        return for_the_player

    for name in ("_external_walk", "_play", "_learn", "_averaging_walk"):
        setattr(module, name, only(getattr(module, name)))
    before = {name: array.copy() for name, array in solver.state().items() if name != "generator"}
    regrets, averages, chances = [], [], []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampling, "kernels", module)
        patch.setattr(solver, "_rng", None)
        for draws in EveryDraw():
            solver._rng = draws
            solver._sample(1)
            regrets.append(solver._regret - before["regret"])
            averages.append(solver._total - before["total"])
            chances.append(draws.probability)
            for name, array in arrays_of(solver).items():
                array[:] = before[name]
    assert sum(chances) == pytest.approx(1.0, abs=1e-9)
    return np.array(chances) @ np.array(regrets), np.array(chances) @ np.array(averages)


def arrays_of(solver) -> dict[str, np.ndarray]:
    arrays = {"regret": solver._regret, "total": solver._total}
    if isinstance(solver, OutcomeSamplingMCCFR):
        arrays["baselines"], arrays["baseline_means"] = solver._baselines
    return arrays


def somewhere(solver, seed: int):
    """The solver with random regrets and, if it has baselines, random ones."""
    rng = np.random.default_rng(seed)
    solver._regret[:] = rng.normal(size=len(solver._regret))
    if isinstance(solver, OutcomeSamplingMCCFR) and solver.decay > 0.0:
        value, mean = solver._baselines
        value[:] = rng.normal(size=value.shape)
        mean[:] = means_over_chance(solver)
    return solver


def means_over_chance(solver: OutcomeSamplingMCCFR) -> np.ndarray:
    """The baselines' means at chance nodes, in their places; 0 elsewhere."""
    form, (value, mean) = solver._form, solver._baselines
    means = np.zeros_like(mean)
    for mover, child, count, row in form.node.tolist():
        if mover == solver.tree.num_players:
            chances = np.diff(form.cumulative[row : row + count], prepend=0.0)
            means[:, row] = value[:, child : child + count] @ chances
    return means


def exact_regrets(profile: Profile, player: int) -> np.ndarray:
    """The player's counterfactual regrets, from the definition; 0 elsewhere."""
    tree, value = profile.tree, counterfactual_values(profile)
    regrets = np.zeros(tree.num_sequences)
    for h in np.flatnonzero(tree.owner == player).tolist():
        actions = tree.slice(h)
        regrets[actions] = value[actions] - profile.probabilities[actions] @ value[actions]
    return regrets


def exact_counts(profile: Profile, player: int, uniform: bool) -> np.ndarray:
    """What a walk counts of the player's strategies: its plan, times chance's reach of the sets.

    With ``uniform`` also times the reach of the others who choose uniformly.
    """
    tree = profile.tree
    behaviour = Profile.uniform(tree).probabilities if uniform else np.ones(tree.num_sequences)
    reach = np.array(tree.chance_reach)
    for i in range(1, tree.num_nodes):
        above = int(tree.parent[i])
        while above >= 0:
            if tree.player[above] >= 0 and tree.player[above] != player:
                h = tree.node_infoset[above]
                reach[i] *= behaviour[int(tree.first[h])]  # uniform: the same for all actions
            above = int(tree.parent[above])
    counts, plan = np.zeros(tree.num_sequences), own_reach(profile)
    for h in np.flatnonzero(tree.owner == player).tolist():
        counts[tree.slice(h)] = plan[tree.slice(h)] * reach[tree.nodes_of(h)].sum()
    return counts


WALKS = {ExternalSamplingMCCFR: ("_external_walk",), OutcomeSamplingMCCFR: ("_play", "_learn")}


def check_means(tree: GameTree, kind, seed: int, **options) -> None:
    solver = somewhere(kind(tree, **options), seed)
    profile = solver.current_profile()
    for p in range(tree.num_players):
        regrets, averages = mean_of_a_walk(solver, p, WALKS[kind])
        assert np.allclose(regrets, exact_regrets(profile, p), rtol=0, atol=1e-9)
        if tree.num_players == 2:
            counts = exact_counts(profile, 1 - p, uniform=False)
        else:
            assert not averages.any()
            _, averages = mean_of_a_walk(solver, p, ("_averaging_walk",))
            counts = exact_counts(profile, p, uniform=True)
        assert np.allclose(averages, counts, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)", "onuw_robber3"])
@SAMPLED
def test_means_of_all_samples_are_those_of_cfr(tree_of, kind, name):
    check_means(tree_of(name), kind, seed=5)


@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)"])
@pytest.mark.parametrize(("epsilon", "decay"), [(0.1, 0.0), (1.0, 1.0)])
def test_means_for_any_exploration_and_baselines(tree_of, name, epsilon, decay):
    check_means(tree_of(name), OutcomeSamplingMCCFR, seed=6, epsilon=epsilon, decay=decay)


@SAMPLED
@settings(max_examples=12, deadline=None)
@given(tree=trees(), seed=st.integers(0, 1000))
def test_means_in_random_games(kind, tree, seed):
    check_means(tree, kind, seed)


@SAMPLED
@OPTIONS
def test_compiled_and_interpreted_kernels_agree(tree_of, monkeypatch, kind, options):
    """Bit for bit, the generator's state included: compiled code draws as NumPy does."""
    tree = tree_of("leduc_poker")
    compiled, plain = kind(tree, seed=7, **options), kind(tree, seed=7, **options)
    compiled.run(50)
    monkeypatch.setattr(sampling, "kernels", interpreted())
    plain.run(50)
    for name, array in compiled.state().items():
        assert np.array_equal(array, plain.state()[name])


# -------------------------------------------------------------------------------- many samples


def sampled_regrets(solver, samples: int) -> np.ndarray:
    """What P1's walk adds to its regrets, from the solver's strategies, again and again."""
    tree, start = solver.tree, solver._regret.copy()
    mine = np.repeat(tree.owner == 0, tree.num_actions)
    found = np.empty((samples, int(mine.sum())))
    for sample in found:
        solver._regret[:] = start
        solver.run(1)
        sample[:] = (solver._regret - start)[tree.num_players :][mine]
    solver._regret[:] = start
    return found


@SAMPLED
def test_means_of_many_samples_are_those_of_cfr(tree_of, kind):
    """Where a normal distribution is a fair guess: at actions that 100 samples or more change."""
    solver = somewhere(kind(tree_of("leduc_poker")), seed=8)
    exact = exact_regrets(solver.current_profile(), 0)[solver.tree.num_players :]
    exact = exact[np.repeat(solver.tree.owner == 0, solver.tree.num_actions)]
    found = sampled_regrets(solver, 20_000)
    often = (np.abs(found) > 1e-12).sum(axis=0) >= 100  # less is rounding noise
    assert often.sum() > 100
    standard_error = found.std(axis=0) / np.sqrt(len(found))
    z = ((found.mean(axis=0) - exact) / np.where(often, standard_error, 1.0))[often]
    assert np.abs(z).max() < 5.0
    assert 0.5 < np.mean(z**2) < 2.0


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_baselines_lower_the_variance(tree_of, name):
    """With the strategies held fixed while the baselines are learned.

    Most where little has happened yet: what remains below is due to where plays go.
    """
    tree, variance = tree_of(name), {}
    for decay in (0.0, 0.5):
        solver = somewhere(OutcomeSamplingMCCFR(tree, decay=decay), seed=9)
        solver._baselines.value[:], solver._baselines.mean[:] = 0.0, 0.0
        for _ in range(4):
            sampled_regrets(solver, 5000)
        variance[decay] = sampled_regrets(solver, 10_000).var(axis=0)
    mine = tree.owner == 0
    at_once = np.repeat(tree.parent_sequence[mine] == 0, tree.num_actions[mine])
    assert variance[0.5].sum() < 0.6 * variance[0.0].sum()
    assert variance[0.5][at_once].sum() < 0.15 * variance[0.0][at_once].sum()


def test_perfect_baselines_leave_no_variance_but_of_where_a_play_goes(tree_of):
    """Schmid et al. 2019, Lemma 3: at a node, what is added to regrets is the same each time."""
    tree = tree_of("kuhn_poker")
    solver = somewhere(OutcomeSamplingMCCFR(tree, decay=0.0), seed=10)
    value, order = payoffs_below(solver.current_profile()), np.argsort(tree.parent, kind="stable")
    solver._baselines.value[:] = value[order].T
    solver._baselines.mean[:] = means_over_chance(solver)
    seen: dict[int, set[float]] = {}
    for sample in sampled_regrets(solver, 3000):
        for s in np.flatnonzero(sample):
            seen.setdefault(int(s), set()).add(round(float(sample[s]), 9))
    # Two deals lead to each set, and nothing that P1 has not seen itself but them.
    assert seen
    assert max(map(len, seen.values())) <= 2


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker"])
def test_means_over_chance_are_kept_up_to_date(tree_of, name):
    solver = OutcomeSamplingMCCFR(tree_of(name), seed=14)
    solver.run(20_000)
    assert np.allclose(solver._baselines.mean, means_over_chance(solver), rtol=0, atol=1e-9)
    assert solver._baselines.mean.any()


def payoffs_below(profile: Profile) -> np.ndarray:
    """(N, n), the expected payoffs from each node on."""
    tree = profile.tree
    value = np.zeros((tree.num_nodes, tree.num_players))
    value[tree.leaves] = tree.payoff_table[tree.payoff[tree.leaves]]
    for i in range(tree.num_nodes - 1, 0, -1):
        above = int(tree.parent[i])
        if tree.player[above] >= 0:
            h = tree.node_infoset[above]
            weight = profile.probabilities[int(tree.first[h]) + int(tree.branch[i])]
        else:
            weight = float(tree.probabilities[tree.probability[i]])
        value[above] += weight * value[i]
    assert np.allclose(value[0], expected_values(profile))
    return value


# -------------------------------------------------------------------------------------- results


@SAMPLED
@OPTIONS
def test_equilibrium_of_kuhn_poker(kuhn, kind, options):
    solver = kind(kuhn, seed=1, **options)
    solver.run(500_000)
    profile = solver.average_profile()
    assert nash_conv(profile) < 0.01
    assert expected_values(profile)[0] == pytest.approx(-1 / 18, abs=5e-3)  # Kuhn 1950
    assert profile.strategy("1")["Bet"] < 0.02  # never bet the Queen first


@SAMPLED
@OPTIONS
def test_leduc_poker(tree_of, kind, options):
    solver = kind(tree_of("leduc_poker"), seed=2, **options)
    solver.run(10_000)
    early = nash_conv(solver.average_profile())
    solver.run(990_000)
    assert nash_conv(solver.average_profile()) < min(0.15, early / 5)


def test_baselines_pay_off(tree_of):
    found = {}
    for decay in (0.0, 0.5):
        solver = OutcomeSamplingMCCFR(tree_of("leduc_poker"), seed=3, decay=decay)
        solver.run(300_000)
        found[decay] = nash_conv(solver.average_profile())
    assert found[0.5] * 1.5 < found[0.0]


@SAMPLED
@OPTIONS
@pytest.mark.parametrize(
    ("name", "most"), [("kuhn_poker(players=3)", 0.03), (GENERAL_SUM, 0.3), ("onuw_robber3", 0.02)]
)
def test_other_games(tree_of, kind, name, most, options):
    solver = kind(tree_of(name), seed=4, **options)
    solver.run(300_000)
    assert nash_conv(solver.average_profile()) < most


@pytest.mark.parametrize(
    ("kind", "theirs", "options"),
    [
        (ExternalSamplingMCCFR, pyspiel.ExternalSamplingMCCFRSolver, {}),
        (OutcomeSamplingMCCFR, pyspiel.OutcomeSamplingMCCFRSolver, {"decay": 0.0}),
    ],
)
@pytest.mark.parametrize(
    ("name", "iterations"), [("kuhn_poker", 50_000), ("leduc_poker", 20_000),
                             ("kuhn_poker(players=3)", 20_000)]
)  # fmt: skip
def test_as_good_as_openspiels(tree_of, kind, theirs, options, name, iterations):
    tree = tree_of(name)
    ours = np.mean([nash_conv(averaged(kind(tree, seed=s, **options), iterations)) for s in (1, 2)])
    solver = theirs(tree.game, seed=1)
    for _ in range(iterations):
        solver.run_iteration()
    reference = nash_conv(Profile.from_policy(tree, solver.average_policy()))
    assert reference / 4 < ours < reference * 4


def averaged(solver, iterations: int) -> Profile:
    solver.run(iterations)
    return solver.average_profile()


def test_one_player_finds_its_best_plan():
    """P1 learns what chance did, and then chooses; the other chooser is chance itself."""
    game = ExtensiveGame("alone", chance({
        "heads": ("1/4", decision(0, "heads", {"l": leaf(1), "r": leaf(3)})),
        "tails": ("3/4", decision(0, "tails", {"l": leaf(0), "m": leaf(-1), "r": leaf(-2)})),
    }))  # fmt: skip
    for kind in SAMPLERS.values():
        profile = averaged(kind(GameTree.compile(game)), 20_000)
        assert expected_values(profile)[0] == pytest.approx(3 / 4, abs=0.01)


@pytest.mark.parametrize("root", [leaf(1, 2), chance({"a": ("1/2", leaf(0)), "b": ("1/2", leaf(1))}),
                                  decision(0, "a", {"l": leaf(0, 0), "r": leaf(0, 0)})])  # fmt: skip
@SAMPLED
def test_games_without_anything_to_decide(root, kind):
    solver = kind(GameTree.compile(ExtensiveGame("nothing", root)))
    solver.run(5)
    assert solver.average_profile() == solver.current_profile() == Profile.uniform(solver.tree)


@SAMPLED
def test_before_the_first_iteration_everything_is_uniform(kuhn, kind):
    assert kind(kuhn).average_profile() == kind(kuhn).current_profile() == Profile.uniform(kuhn)


# --------------------------------------------------------------------------------------- the form


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker", "onuw_robber3"])
def test_the_form_is_the_tree(tree_of, name):
    """Every path from the root is the same in both."""
    tree, form = tree_of(name), sampling_form(tree_of(name))
    children: dict[int, list[int]] = {}
    for i in range(1, tree.num_nodes):
        children.setdefault(int(tree.parent[i]), []).append(i)
    pairs, deepest = [(0, 0, 0)], 0
    for number, (ours, theirs, depth) in enumerate(pairs):
        assert number < tree.num_nodes
        deepest = max(deepest, depth)
        mover, child, count, row = form.node[ours].tolist()
        below = children.get(theirs, [])
        assert count == len(below)
        player = int(tree.player[theirs])
        assert mover == {-1: tree.num_players, -4: tree.num_players + 1}.get(player, player)
        if player >= 0:
            assert row == tree.first[tree.node_infoset[theirs]]
        elif player == -1:
            chances = [float(tree.probabilities[tree.probability[i]]) for i in below]
            upto = form.cumulative[row : row + count]
            assert np.allclose(upto, list(itertools.accumulate(chances)))
            assert upto[-1] == 1.0
        else:
            assert (form.payoff[row] == tree.payoff_table[tree.payoff[theirs]]).all()
        pairs += [(child + a, i, depth + 1) for a, i in enumerate(below)]
    assert len(pairs) == tree.num_nodes
    assert (form.deepest, form.widest) == (deepest, tree.num_actions.max())


# ------------------------------------------------------------------------------------ repetition


@SAMPLED
@OPTIONS
@pytest.mark.parametrize("name", ["kuhn_poker", "kuhn_poker(players=3)"])
def test_runs_add_up(tree_of, kind, name, options):
    """Also beyond what one call of the kernel does."""
    at_once, in_parts = (kind(tree_of(name), seed=11, **options) for _ in range(2))
    nodes = len(at_once._form.node)
    parts = (1, 0, 9, 60, 2 * kernels.MANY // (10 if nodes < 100 else 40))
    at_once.run(sum(parts))
    for part in parts:
        in_parts.run(part)
    assert at_once.iteration == in_parts.iteration == sum(parts)
    for key, array in at_once.state().items():
        assert np.array_equal(array, in_parts.state()[key])


@SAMPLED
def test_seeds(kuhn, kind):
    one, same, other = (averaged(kind(kuhn, seed=seed), 100) for seed in (1, np.uint8(1), 2))
    assert one == same
    assert one != other


@SAMPLED
@OPTIONS
def test_a_run_in_parts_is_the_same_bit_for_bit(tree_of, tmp_path, monkeypatch, kind, options):
    monkeypatch.setitem(ALGORITHMS, kind.name, kind)
    tree, path = tree_of("kuhn_poker(players=3)"), tmp_path / "run.npz"
    whole = solve(tree, kind.name, 200, seed=12, **options)
    for stop in (1, 17, 64, 64, 200):
        parts = solve(tree, kind.name, stop, checkpoint=path, seed=12, **options)
    assert parts.profile == whole.profile
    assert parts.history[-1] == whole.history[-1]
    with pytest.raises(CheckpointError, match="same options"):
        solve(tree, kind.name, 300, checkpoint=path, seed=13, **options)


@SAMPLED
def test_settings_survive(kuhn, tmp_path, kind):
    path = tmp_path / "run.npz"
    solver = kind(kuhn, seed=10**30, regrets="clip", gamma=2)
    solver.run(3)
    save_checkpoint(solver, path, [(1, 0.5)])
    again, history = load_checkpoint(path, kuhn, SAMPLERS)
    assert type(again) is kind
    assert (again.settings(), again.iteration, history) == (solver.settings(), 3, [(1, 0.5)])
    for part in (solver, again):
        part.run(50)
    assert solver.average_profile() == again.average_profile()


RUN = """
import sys, time
from crywolf.solvers import ALGORITHMS, solve
from crywolf.solvers.sampling import SAMPLERS
module = sys.modules["crywolf.solvers.solve"]
module.SAVED_EVERY = module.TICK = 0.0
ALGORITHMS.update(SAMPLERS)
path, algorithm = sys.argv[1:]
def tick(iteration):
    print(iteration, flush=True)
    time.sleep(0.005)
solve("leduc_poker", algorithm, 3000, checkpoint=path, tick=tick, seed=13)
"""


@SAMPLED
def test_a_killed_run_goes_on_bit_for_bit(tree_of, tmp_path, monkeypatch, kind):
    monkeypatch.setitem(ALGORITHMS, kind.name, kind)
    tree, path = tree_of("leduc_poker"), tmp_path / "run.npz"
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", RUN, str(path), kind.name], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for _ in range(3):  # by the third look at the clock, something has been saved
            process.stdout.readline()
        time.sleep(random.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.returncode == -signal.SIGKILL
    solver, _ = load_checkpoint(path, tree, ALGORITHMS)
    assert 0 < solver.iteration < 3000
    resumed = solve(tree, kind.name, 3000, checkpoint=path, seed=13)
    whole = solve(tree, kind.name, 3000, seed=13)
    assert resumed.profile == whole.profile
    assert resumed.history == whole.history


# -------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": None}, "seed"),
        ({"regrets": "predict"}, "'clip'"),
        ({"gamma": -1.0}, "gamma"),
        ({"gamma": float("inf")}, "gamma"),
    ],
)
@SAMPLED
def test_arguments_out_of_range(kuhn, kind, arguments, said):
    with pytest.raises(ParameterError, match=said):
        kind(kuhn, **arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"epsilon": 0.0}, "never be tried"),
        ({"epsilon": 1.1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": "much"}, "epsilon"),
        ({"decay": -0.1}, "decay"),
        ({"decay": 1.5}, "decay"),
        ({"decay": float("nan")}, "decay"),
    ],
)
def test_arguments_of_outcome_sampling_out_of_range(kuhn, arguments, said):
    with pytest.raises(ParameterError, match=said):
        OutcomeSamplingMCCFR(kuhn, **arguments)


@SAMPLED
def test_symbols_are_refused(kind):
    import sympy

    x = sympy.Symbol("x")
    game = ExtensiveGame("symbolic", decision(0, "a", {"l": leaf(x), "r": leaf(0)}))
    with pytest.raises(InexactError, match=r"subs"):
        kind(GameTree.compile(game))
