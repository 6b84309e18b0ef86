from fractions import Fraction

import numpy as np
import pyspiel
import pytest

from crywolf.games import rules_of
from crywolf.games.errors import ParameterError, UnknownAlgorithm
from crywolf.solvers import ALGORITHMS, CFRPlus, GameTree, Profile, nash_conv, solve
from crywolf.solvers.exact import _gradient, _plan
from crywolf.solvers.profile import normalised
from crywolf.solvers.tree import sequences_of


def openspiel_average(tree: GameTree, iterations: int) -> Profile:
    solver = pyspiel.CFRPlusSolver(tree.game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return Profile.from_policy(tree, solver.average_policy())


@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn_poker", 100),
        ("kuhn_poker", 1000),
        ("kuhn_poker(players=3)", 100),
        ("leduc_poker", 1),
        ("leduc_poker", 20),
        pytest.param("leduc_poker", 100, marks=pytest.mark.slow),
    ],
)
def test_average_policy_equals_openspiels(tree_of, name, iterations):
    tree = tree_of(name)
    solver = CFRPlus(tree)
    solver.run(iterations)
    ours, theirs = solver.average_profile(), openspiel_average(tree, iterations)
    assert np.abs(ours.probabilities - theirs.probabilities).max() < 1e-9


def exact_cfr_plus(tree: GameTree, iterations: int) -> Profile:
    """The average profile of CFR+ in rational arithmetic, from the definition."""
    behaviour = [Fraction(1)] * tree.num_sequences
    for m, start in zip(tree.num_actions.tolist(), tree.first.tolist(), strict=True):
        behaviour[start : start + m] = [Fraction(1, m)] * m
    regret = [Fraction(0)] * tree.num_sequences
    total = [Fraction(0)] * tree.num_sequences
    for t in range(1, iterations + 1):
        for p in range(tree.num_players):
            plan = _plan(tree, behaviour)
            gradient = _gradient(tree, plan)
            for s in sequences_of(tree, p):
                total[s] += t * plan[s]
            for h in reversed(range(int(tree.blocks[p]), int(tree.blocks[p + 1]))):
                actions = range(tree.slice(h).start, tree.slice(h).stop)
                value = sum(behaviour[s] * gradient[s] for s in actions)
                gradient[int(tree.parent_sequence[h])] += value
                for s in actions:
                    regret[s] = max(Fraction(0), regret[s] + gradient[s] - value)
                norm = sum(regret[s] for s in actions)
                for s in actions:
                    behaviour[s] = regret[s] / norm if norm else Fraction(1, len(actions))
    return Profile(tree, normalised(tree, [float(x) for x in total]))


@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn_poker", 4),
        ("kuhn_poker(players=3)", 4),
        ("onuw_robber3", 4),
        ("onuw_robber3_talk", 3),
        # Here exact ties make rounding noise choose, and OpenSpiel leaves the path at once (by
        # more than 0.3 after two iterations): the tolerance keeps ours on it.
        ("kuhn_poker(players=4)", 3),
    ],
)
def test_average_policy_equals_exact_arithmetic(tree_of, name, iterations):
    tree = tree_of(name)
    solver = CFRPlus(tree)
    solver.run(iterations)
    ours, exact = solver.average_profile(), exact_cfr_plus(tree, iterations)
    assert np.abs(ours.probabilities - exact.probabilities).max() < 1e-12


def test_finds_the_equilibrium_of_kuhn_poker(kuhn):
    result = solve(kuhn, iterations=20_000)
    assert result.nash_conv < 2e-5
    assert result.profile.strategy("1")["Bet"] < 0.01  # Kuhn 1950: never bet the Queen first
    assert result.profile.strategy("0p")["Bet"] == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize("name", ["onuw_robber3", "onuw_robber3_talk"])
def test_finds_equilibria_of_the_theory_game(tree_of, name):
    result = solve(tree_of(name), iterations=2000)
    assert result.nash_conv < 0.01


def test_runs_add_up(kuhn):
    at_once, in_parts = CFRPlus(kuhn), CFRPlus(kuhn)
    at_once.run(70)
    for part in (1, 0, 9, 60):
        in_parts.run(part)
    assert at_once.iteration == in_parts.iteration == 70
    assert at_once.average_profile() == in_parts.average_profile()
    assert at_once.current_profile() == in_parts.current_profile()


def test_before_the_first_iteration_everything_is_uniform(kuhn):
    solver = CFRPlus(kuhn)
    assert solver.average_profile() == solver.current_profile() == Profile.uniform(kuhn)


def test_tied_actions_stay_tied():
    """All of P1's actions are worth the same, with payoffs that floating point cannot hold."""
    from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf

    def below():
        return chance({str(i): ("1/7", leaf(f"{i + 1}/10")) for i in range(7)})

    game = ExtensiveGame("tied", decision(0, "1", {a: below() for a in "ABCDE"}))
    solver = CFRPlus(GameTree.compile(game))
    solver.run(50)
    assert solver.current_profile() == Profile.uniform(solver.tree)


def test_history_and_progress(kuhn):
    seen = []
    result = solve(kuhn, "cfr+", 100, progress=lambda t, x: seen.append((t, x)))
    assert [t for t, _ in result.history] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert tuple(seen) == result.history
    assert result.nash_conv == result.history[-1][1] == nash_conv(result.profile)
    given = solve(kuhn, iterations=100, checkpoints=[50, 10, 100, 500, 0])
    assert [t for t, _ in given.history] == [10, 50, 100]
    assert given.profile == result.profile


def test_results_compare_by_value(kuhn):
    assert solve(kuhn, iterations=10) == solve(kuhn, iterations=10)
    assert solve(kuhn, iterations=10) != solve(kuhn, iterations=11)


def test_games_are_compiled(kuhn):
    result = solve(pyspiel.load_game("kuhn_poker"), iterations=5)
    assert result == solve(kuhn, iterations=5)


def test_rules_are_compiled(robber3):
    rules = rules_of(robber3.game)
    assert rules is not None
    assert solve(rules, iterations=5) == solve(robber3, iterations=5)


def test_refusals(kuhn):
    with pytest.raises(UnknownAlgorithm, match=r"cfr\+"):
        solve(kuhn, algorithm="magic")
    with pytest.raises(ParameterError, match="at least 1"):
        solve(kuhn, iterations=0)
    with pytest.raises(TypeError):
        solve(kuhn, no_such_option=3)


def test_further_algorithms_slot_in(kuhn, monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "mine", CFRPlus)
    assert solve(kuhn, "mine", 5).algorithm == "mine"


def test_words(kuhn):
    result = solve(kuhn, iterations=4)
    assert "cfr+: NashConv" in repr(result)
    assert result._repr_html_().count("<tr>") == 4
