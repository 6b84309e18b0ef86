"""LiteEFG as a second opinion: values, gains, and the iterates of CFR and CFR+."""

import numpy as np
import pyspiel
import pytest

from crywolf.solvers import CFR, CFRPlus, Profile, compile_tree, evaluate
from crywolf.solvers.best_response import own_reach

LiteEFG = pytest.importorskip("LiteEFG", reason="run `make peers` to install LiteEFG")

TOLERANCE = 1e-9
"""Rounding after some dozen iterations, in utilities and probabilities."""
GAMES = ["kuhn_poker", "leduc_poker", "liars_dice(dice_sides=3)"]


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """Makes the game of a name; LiteEFG keeps its files in the home directory."""
    monkeypatch.setenv("HOME", str(tmp_path))
    return lambda name: LiteEFG.OpenSpielEnv(pyspiel.load_game(name))


class Uniform(LiteEFG.Graph):
    """Every strategy uniform."""

    def __init__(self):
        super().__init__()
        with LiteEFG.backward(is_static=True):
            self.strategy = LiteEFG.const(self.action_set_size, 1.0 / self.action_set_size)


@pytest.mark.parametrize("name", [*GAMES, "kuhn_poker(players=3)"])
def test_uniform_play(name, environment):
    lite, graph = environment(name), Uniform()
    lite.set_graph(graph)
    ours = evaluate(Profile.uniform(compile_tree(name)))
    assert ours.values == pytest.approx(lite.utility(graph.strategy), abs=1e-12)
    assert ours.gains == pytest.approx(lite.exploitability(graph.strategy), abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("kind", ["CFR", "CFRplus"])
def test_iterates(name, kind, environment):
    """Averages of the strategies that iterations begin with, and the strategies themselves.

    LiteEFG's CFR updates both players at once; its CFR+ one after the other, and weights linearly.
    """
    from LiteEFG import baselines  # pyright: ignore[reportMissingImports]

    tree = compile_tree(name)
    lite, graph = environment(name), getattr(baselines, kind).graph()
    lite.set_graph(graph)
    solver = CFRPlus(tree) if kind == "CFRplus" else CFR(tree, alternating=False)
    average = "linear-avg-iterate" if kind == "CFRplus" else "avg-iterate"
    strategy = graph.current_strategy()
    for iteration in range(1, 41):
        lite.update_strategy(strategy)
        graph.update_graph(lite)
        solver.run(1)
        if iteration in (1, 2, 3, 5, 10, 20, 40):
            now = Profile.from_policy(tree, lite.get_strategy(strategy)[0])
            # plans, as LiteEFG shows the uniform strategy where the owner does not go
            assert own_reach(solver.current_profile()) == pytest.approx(
                own_reach(now), abs=TOLERANCE
            )
            ours = solver.average_profile()
            theirs = Profile.from_policy(tree, lite.get_strategy(strategy, average)[0])
            assert ours.probabilities == pytest.approx(theirs.probabilities, abs=TOLERANCE)
            found = evaluate(ours)
            assert found.values == pytest.approx(lite.utility(strategy, average), abs=TOLERANCE)
            assert found.gains == pytest.approx(
                lite.exploitability(strategy, average), abs=TOLERANCE
            )


@pytest.mark.parametrize(("name", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.085606)])
def test_equilibria(name, value, environment):
    """LiteEFG finds no gain against what CFR+ has after 1,000 iterations."""
    from LiteEFG.baselines import CFRplus  # pyright: ignore[reportMissingImports]

    tree = compile_tree(name)
    lite, graph = environment(name), CFRplus.graph()
    lite.set_graph(graph)
    strategy = graph.current_strategy()
    solver = CFRPlus(tree)
    for _ in range(1000):
        lite.update_strategy(strategy)
        graph.update_graph(lite)
    solver.run(1000)
    found = evaluate(solver.average_profile())
    gains = lite.exploitability(strategy, "linear-avg-iterate")
    assert found.nash_conv < 3e-3
    assert np.sum(gains) < 3e-3
    # Each value is within its NashConv of the game's.
    assert found.values[0] == pytest.approx(value, abs=found.nash_conv)
    assert lite.utility(strategy, "linear-avg-iterate")[0] == pytest.approx(
        value, abs=float(np.sum(gains))
    )
