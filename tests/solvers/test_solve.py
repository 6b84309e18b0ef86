import pyspiel
import pytest

from crywolf.games import rules_of
from crywolf.games.errors import ParameterError, UnknownAlgorithm
from crywolf.solvers import ALGORITHMS, CFRPlus, nash_conv, solve


def test_finds_the_equilibrium_of_kuhn_poker(kuhn):
    result = solve(kuhn, iterations=20_000)
    assert result.nash_conv < 2e-5
    assert result.profile.strategy("1")["Bet"] < 0.01  # Kuhn 1950: never bet the Queen first
    assert result.profile.strategy("0p")["Bet"] == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize("name", ["onuw_robber3", "onuw_robber3_talk"])
def test_finds_equilibria_of_the_theory_game(tree_of, name):
    result = solve(tree_of(name), iterations=2000)
    assert result.nash_conv < 0.01


def test_history_and_progress(kuhn):
    seen, ticks = [], []
    result = solve(kuhn, "cfr+", 100, progress=lambda t, x: seen.append((t, x)), tick=ticks.append)
    assert [t for t, _ in result.history] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert tuple(seen) == result.history
    assert ticks == sorted(ticks)
    assert ticks[-1] == result.iterations == 100
    assert result.nash_conv == result.history[-1][1] == nash_conv(result.profile)
    given = solve(kuhn, iterations=100, checkpoints=[50, 10, 100, 500, 0])
    assert [t for t, _ in given.history] == [10, 50, 100]
    assert given.profile == result.profile


def test_stops_at_a_target(kuhn):
    result = solve(kuhn, "pcfr+", target=1e-6)
    assert result.nash_conv <= 1e-6 < result.history[-2][1]
    assert result.iterations == result.history[-1][0] < 10_000
    assert solve(kuhn, iterations=3, target=1e-6).iterations == 3


def test_the_last_iterate(kuhn):
    last, average = solve(kuhn, "pcfr+", 500, iterate="last"), solve(kuhn, "pcfr+", 500)
    assert last.nash_conv < average.nash_conv
    assert last.nash_conv == nash_conv(last.profile)
    assert "need not converge" in last.note
    assert average.note == ""


def test_what_is_promised(tree_of):
    assert solve(tree_of("leduc_poker"), iterations=1).note == ""
    for name in ("kuhn_poker(players=3)", "onuw_robber3"):
        result = solve(tree_of(name), iterations=1)
        assert "heuristic" in result.note
        assert result.note in result._repr_html_()


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"iterations": 0}, "at least 1"),
        ({"target": -1.0}, "target"),
        ({"target": float("nan")}, "target"),
        ({"iterate": "best"}, "'last'"),
    ],
)
def test_refusals(kuhn, arguments, said):
    with pytest.raises(ParameterError, match=said):
        solve(kuhn, **arguments)


def test_unknown_names(kuhn):
    with pytest.raises(UnknownAlgorithm, match=r"cfr\+"):
        solve(kuhn, algorithm="magic")
    with pytest.raises(ParameterError, match="has no option 'no_such_option'"):
        solve(kuhn, no_such_option=3)


def test_further_algorithms_slot_in(kuhn, monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "mine", CFRPlus)
    assert solve(kuhn, "mine", 5).algorithm == "mine"


def test_words(kuhn):
    result = solve(kuhn, iterations=4)
    assert "cfr+: NashConv" in repr(result)
    assert result._repr_html_().count("<tr>") == 4
