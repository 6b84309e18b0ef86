import numpy as np
import pytest

from crywolf.games.errors import ParameterError, UnknownAlgorithm
from crywolf.solvers import nash_conv
from crywolf.solvers.starts import solve_from_starts


@pytest.mark.parametrize("algorithm", ["cfr+", "dcfr"])
def test_runs_differ_and_are_told(tree_of, algorithm):
    seen = []
    found = solve_from_starts(
        tree_of("onuw_robber3"), algorithm, 200, progress=lambda done, x: seen.append((done, x))
    )
    assert len(found.results) == 20
    assert seen == [(k + 1, r.nash_conv) for k, r in enumerate(found.results)]
    assert [nash_conv(r.profile) for r in found.results] == found.nash_convs.tolist()
    assert found.values.shape == (20, 3)
    # The game has equilibria with different payoffs, and the starts find several.
    assert np.ptp(found.values[:, 0]) > 0.1
    assert found.nash_convs.max() < 0.05
    assert found.best.nash_conv == found.nash_convs.min()


def test_summary(tree_of):
    found = solve_from_starts(tree_of("kuhn_poker(players=3)"), iterations=50, starts=5)
    rows = dict((name, numbers) for name, *numbers in found.rows())
    assert rows["NashConv"] == [
        found.nash_convs.min(),
        np.median(found.nash_convs),
        found.nash_convs.max(),
    ]
    assert set(rows) == {"NashConv", "payoff of P1", "payoff of P2", "payoff of P3"}
    assert f"{rows['NashConv'][1]:.6g}" in found._repr_html_()
    assert "50 iterations from 5 starts" in repr(found)


def test_seeds(kuhn):
    first = solve_from_starts(kuhn, iterations=20, starts=3, seed=4)
    assert first.results == solve_from_starts(kuhn, iterations=20, starts=3, seed=4).results
    assert first.results != solve_from_starts(kuhn, iterations=20, starts=3, seed=5).results
    # More starts are the same ones and others.
    assert first.results == solve_from_starts(kuhn, iterations=20, starts=5, seed=4).results[:3]


def test_refusals(kuhn):
    with pytest.raises(ParameterError, match="starts=0"):
        solve_from_starts(kuhn, starts=0)
    with pytest.raises(ParameterError, match="seed=-1"):
        solve_from_starts(kuhn, seed=-1)
    with pytest.raises(ParameterError, match="always begins in the same way"):
        solve_from_starts(kuhn, "xfp")
    for direct in ("lp", "lemke"):
        with pytest.raises(ParameterError, match="ends by itself"):
            solve_from_starts(kuhn, direct)
    with pytest.raises(UnknownAlgorithm, match="choose one of"):
        solve_from_starts(kuhn, "magic")
