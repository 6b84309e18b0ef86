from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.errors import InexactError, NotTwoPlayers, NotZeroSum, SolverFailed
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree, Profile, evaluate_exact, nash_conv
from crywolf.solvers import exact_lp as module
from crywolf.solvers.exact_linear import PRIMES, Factors, lift
from crywolf.solvers.exact_lp import Program, optimum, solve_zero_sum_exact
from crywolf.solvers.sequence_lp import solve_zero_sum

from .two_player_games import ZERO_SUM, matrix_game, random_game, seats_exchanged

seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("name", ZERO_SUM)
def test_openspiels_games(tree_of, name):
    tree = tree_of(name)
    result = solve_zero_sum_exact(tree)
    assert result.value == ZERO_SUM[name]
    assert result.values == (result.value, -result.value)
    evaluation = evaluate_exact(tree, result.probabilities)
    assert evaluation.nash_conv == 0
    assert evaluation.values == result.values
    # HiGHS's basis is optimal in all of these games.
    assert result.pivots == 0
    floats = Profile(tree, np.array(list(map(float, result.probabilities))))
    assert nash_conv(floats) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "value"),
    [("liars_dice(dice_sides=5)", Fraction(1, 125)), ("liars_dice", Fraction(-7, 258))],
)
def test_larger_games(tree_of, name, value):
    assert solve_zero_sum_exact(tree_of(name)).value == value


@given(seeds, st.sampled_from([1, 3, 10**6]))
def test_random_games(seed, largest):
    """Against floats, against best responses, and against the same game with the seats exchanged."""
    game = random_game(seed, zero_sum=True, largest=largest)
    tree = GameTree.compile(game)
    result = solve_zero_sum_exact(tree)
    evaluation = evaluate_exact(tree, result.probabilities)
    assert evaluation.nash_conv == 0
    assert evaluation.values == result.values
    assert float(result.value) == pytest.approx(solve_zero_sum(tree).value, abs=1e-8 * largest)
    exchanged = solve_zero_sum_exact(GameTree.compile(seats_exchanged(game)))
    assert exchanged.values == result.values[::-1]


def without_floats(monkeypatch):
    def refuse(*_):
        raise SolverFailed("no floats")

    monkeypatch.setattr(module, "_basis_of_support", refuse)


@given(seed=seeds)
def test_simplex_method_from_any_basis(seed):
    tree = GameTree.compile(random_game(seed, zero_sum=True, depth=3))
    with pytest.MonkeyPatch.context() as monkeypatch:
        without_floats(monkeypatch)
        result = solve_zero_sum_exact(tree)
    assert result.value == solve_zero_sum_exact(tree).value
    assert evaluate_exact(tree, result.probabilities).nash_conv == 0


def test_pivots_are_told(kuhn, monkeypatch):
    without_floats(monkeypatch)
    told = []
    result = solve_zero_sum_exact(kuhn, progress=told.append)
    assert result.value == Fraction(-1, 18)
    assert told == list(range(1, result.pivots + 1))
    assert told


def test_degenerate_games(monkeypatch):
    """Nothing but ties, with and without HiGHS."""
    same = matrix_game([[1] * 4] * 4)
    zero = ExtensiveGame(
        "zero", chance({a: ("1/2", matrix_game([[0] * 3] * 3).root) for a in "ab"})
    )
    for game in (same, zero):
        tree = GameTree.compile(game)
        value = solve_zero_sum_exact(tree).value
        with monkeypatch.context() as patched:
            without_floats(patched)
            assert solve_zero_sum_exact(tree).value == value
    assert value == 0


def test_games_beyond_floating_point():
    """Entries of 1 beside 2^61: HiGHS sees zeros. The determinant, 2^61 - 1, is the first prime."""
    P = PRIMES[0]
    assert PRIMES[0] == 2**61 - 1
    tree = GameTree.compile(matrix_game([[P - 3, -1], [-1, 1]]))
    result = solve_zero_sum_exact(tree)
    assert result.value == Fraction(P - 4, P)
    assert evaluate_exact(tree, result.probabilities).nash_conv == 0
    huge = GameTree.compile(matrix_game([[2 * 10**200, -(10**200)], [-(10**200), 10**200]]))
    assert solve_zero_sum_exact(huge).value == Fraction(10**200, 5)


def test_stripped_poker():
    """Reiley, Urbancic & Walker 2008."""
    tree = GameTree.compile(textbook.stripped_poker())
    result = solve_zero_sum_exact(tree)
    assert result.value == Fraction(1, 3)
    third = Fraction(1, 3)
    strategies = dict(zip(tree.keys, (result.probabilities[tree.slice(h)] for h in range(3))))
    assert sorted(strategies["P1: black"]) == [third, 2 * third]
    assert sorted(strategies["P2: raised"]) == [third, 2 * third]


def test_constant_sum():
    tree = GameTree.compile(matrix_game([["1/3", 0], [0, 1]], [["2/3", 1], [1, 0]]))
    result = solve_zero_sum_exact(tree)
    assert result.constant == 1
    assert result.values == (Fraction(1, 4), Fraction(3, 4))
    assert evaluate_exact(tree, result.probabilities).nash_conv == 0


def test_players_without_moves():
    lottery = ExtensiveGame(
        "lottery", chance({"a": ("1/4", leaf(4, -4)), "b": ("3/4", leaf(0, 0))})
    )
    assert solve_zero_sum_exact(GameTree.compile(lottery)).value == 1
    alone = ExtensiveGame("alone", decision(1, "2", {"L": leaf(3, -3), "R": leaf(1, -1)}))
    result = solve_zero_sum_exact(GameTree.compile(alone))
    assert result.value == 1
    assert result.probabilities == (1, 1, 0, 1)


def test_refusals(tree_of):
    with pytest.raises(NotTwoPlayers, match="3 players"):
        solve_zero_sum_exact(tree_of("kuhn_poker(players=3)"))
    with pytest.raises(NotZeroSum, match="lemke"):
        solve_zero_sum_exact(GameTree.compile(textbook.beer_quiche()))
    x = sympy.Symbol("x", positive=True)
    with pytest.raises(InexactError, match="x"):
        solve_zero_sum_exact(GameTree.compile(matrix_game([[x, 0]], [[-x, 0]])))


def test_results_compare_by_value(kuhn):
    assert solve_zero_sum_exact(kuhn) == solve_zero_sum_exact(kuhn)


# -------------------------------------------------------------------------- the parts, on their own

matrices = st.integers(1, 6).flatmap(
    lambda n: st.lists(
        st.lists(st.integers(-9, 9), min_size=n + 1, max_size=n + 1), min_size=n, max_size=n
    )
)


@given(matrices, st.booleans())
def test_linear_equations(table, transpose):
    """Against SymPy; rows have the numbers 0.., columns 100.. to keep them apart."""
    n = len(table)
    M, b = sympy.Matrix([row[:n] for row in table]), sympy.Matrix([row[n] for row in table])
    rows = {i: {100 + j: v for j, v in enumerate(row[:n]) if v} for i, row in enumerate(table)}
    factors = Factors.of(rows, [list(rows)], {}, PRIMES[0])
    assert len(factors.steps) == M.rank()
    if M.rank() < n:
        return
    if transpose:
        columns = {100 + j: {i: -table[i][j] for i in range(n) if table[i][j]} for j in range(n)}
        z, scale = lift(columns, {100 + j: table[j][n] for j in range(n)}, factors.dual)
        expected, found = (-M.T).LUsolve(b), [z[i] for i in range(n)]
    else:
        z, scale = lift(rows, {i: table[i][n] for i in range(n)}, factors)
        expected, found = M.LUsolve(b), [z[100 + j] for j in range(n)]
    assert scale > 0
    assert [Fraction(v, scale) for v in found] == [Fraction(str(v)) for v in list(expected)]


def test_solutions_with_many_digits():
    """A triangular system whose last unknown is a fraction of some 600 digits."""
    n = 200
    rows = {i: {i: 1009} | ({i - 1: -1013} if i else {}) for i in range(n)}
    z, scale = lift(rows, {0: 1}, Factors.of(rows, [list(rows)], {}, PRIMES[0]))
    assert Fraction(z[n - 1], scale) == Fraction(1013 ** (n - 1), 1009**n)


def test_a_textbook_linear_program():
    """Maximise 3a + 5b, a <= 4, 2b <= 12, 3a + 2b <= 18: 36 at (2, 6). (Hillier & Lieberman)"""
    rows = {2: {0: 1}, 3: {1: 2}, 4: {0: 3, 1: 2}}
    columns = {0: {2: 1, 4: 3}, 1: {3: 2, 4: 2}}
    none = range(0)
    program = Program(rows, columns, {2: 4, 3: 12, 4: 18}, {0: -3, 1: -5}, none, none, none, none)
    for start in (set(), {0, 2}, {0, 1, 2, 3}, {1, 4}):
        z, w, basis, _ = optimum(program, start)
        assert basis == {0, 1, 3, 4}
        assert z[0] * 3 == z[1]
        assert w[4] * 3 == w[3] * 2
