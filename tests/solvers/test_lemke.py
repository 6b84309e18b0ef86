from fractions import Fraction

import numpy as np
import pyspiel
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.errors import (
    InexactError,
    NotTwoPlayers,
    PolicyError,
    ProblemTooLarge,
    SolverFailed,
)
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree, Profile, evaluate_exact, exact_profile
from crywolf.solvers.lemke import lemke

from .conftest import GENERAL_SUM
from .two_player_games import (
    GOOFSPIEL,
    TURNS,
    ZERO_SUM,
    matrix_game,
    num_plans,
    random_game,
    seats_exchanged,
    value_by_brute_force,
)

seeds = st.integers(0, 2**32 - 1)
BATTLE = matrix_game([[3, 0], [0, 1]], [[1, 0], [0, 3]])


def check(tree, result):
    evaluation = evaluate_exact(tree, result.probabilities)
    assert evaluation.nash_conv == 0
    assert evaluation.values == result.values


def strategy(tree, result, key):
    h = tree.infoset_of_key[key]
    return dict(zip(tree.action_names(h), result.probabilities[tree.slice(h)], strict=True))


@pytest.mark.parametrize(
    "name",
    [
        GENERAL_SUM,
        "sheriff(item_penalty=2.0,item_value=1.5,max_bribe=2,max_items=2,num_rounds=2)",
        "tiny_hanabi",
        "first_sealed_auction(max_value=5)",
        TURNS.format("matrix_pd()"),
        TURNS.format("matrix_cd()"),
        GOOFSPIEL.format(3, ",returns_type=total_points"),
    ],
)
def test_games_of_general_sum(tree_of, name):
    tree = tree_of(name)
    result = lemke(tree)
    check(tree, result)
    floats = Profile(tree, np.array(list(map(float, result.probabilities))))
    assert pyspiel.nash_conv(tree.game, floats.to_pyspiel()) < 1e-12


SMALL = [name for name in ZERO_SUM if not name.startswith(("leduc", "battleship"))]
SMALL = [name for name in SMALL if "dice_sides=4" not in name and "oshi" not in name]


@pytest.mark.parametrize("name", SMALL)
def test_zero_sum_games_have_their_value(tree_of, name):
    tree = tree_of(name)
    result = lemke(tree)
    assert result.values == (ZERO_SUM[name], -ZERO_SUM[name])
    check(tree, result)


@pytest.mark.slow
def test_a_larger_game(tree_of):
    tree = tree_of(GOOFSPIEL.format(4, ",returns_type=total_points"))
    check(tree, lemke(tree, Profile.random(tree, np.random.default_rng(0))))


@given(seeds, seeds)
def test_random_games_from_random_starts(seed, start):
    tree = GameTree.compile(random_game(seed, zero_sum=False))
    check(tree, lemke(tree))
    check(tree, lemke(tree, Profile.random(tree, np.random.default_rng(start))))


@given(seeds)
def test_random_zero_sum_games(seed):
    game = random_game(seed, zero_sum=True)
    tree = GameTree.compile(game)
    result = lemke(tree)
    check(tree, result)
    exchanged = lemke(GameTree.compile(seats_exchanged(game)))
    assert exchanged.values == result.values[::-1]
    if max(num_plans(tree, p) for p in range(2)) <= 300:
        assert float(result.values[0]) == pytest.approx(value_by_brute_force(tree), abs=1e-8)


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_strategic_form(n, m, data):
    """Few payoffs, so there are many ties."""
    tables = st.lists(st.lists(st.integers(0, 2), min_size=m, max_size=m), min_size=n, max_size=n)
    tree = GameTree.compile(matrix_game(data.draw(tables), data.draw(tables)))
    check(tree, lemke(tree))


def start(tree, one, two):
    """P1 plays its first action with probability ``one``, P2 with ``two``."""
    return exact_profile(
        tree, {"P1: 1": {"0": one, "1": 1 - one}, "P2: 2": {"0": two, "1": 1 - two}}
    )


def test_the_start_decides_between_equilibria():
    """Battle of the sexes: each prefers its own of two pure equilibria."""
    tree = GameTree.compile(BATTLE)
    near = Fraction(9, 10)
    first = lemke(tree, start(tree, near, near))
    second = lemke(tree, start(tree, 1 - near, 1 - near))
    assert first.values == (3, 1)
    assert second.values == (1, 3)
    check(tree, lemke(tree, start(tree, Fraction(3, 4), Fraction(1, 4))))  # ties everywhere
    assert lemke(tree, Profile(tree, np.array([1, 1, 0.9, 0.1, 0.9, 0.1]))).values == (3, 1)


def test_an_equilibrium_is_found_at_once_from_itself():
    tree = GameTree.compile(BATTLE)
    result = lemke(tree, start(tree, Fraction(1), Fraction(1)))
    assert result.values == (3, 1)
    assert result.pivots == 1


@given(seeds)
def test_no_empty_threats(seed):
    """From any completely mixed start, as normal-form perfect equilibria have none of these."""
    rng = np.random.default_rng(seed)
    tree = GameTree.compile(textbook.entry())
    assert lemke(tree, Profile.random(tree, rng)).values == (1, 1)
    tree = GameTree.compile(textbook.gibbons_4_1_1())
    assert lemke(tree, Profile.random(tree, rng)).values == (2, 1)
    # (B, R) is an equilibrium, too, but B is weakly dominated.
    dominated = GameTree.compile(matrix_game([[1, 0], [0, 0]], [[1, 0], [0, 0]]))
    assert lemke(dominated, Profile.random(dominated, rng)).values == (1, 1)


def test_beer_quiche():
    """Cho & Kreps 1987: in every equilibrium both types pool, and P2 retreats after it."""
    tree = GameTree.compile(textbook.beer_quiche())
    result = lemke(tree)
    check(tree, result)
    assert result.values[1] == Fraction(9, 10)
    meals = [strategy(tree, result, f"P1: {kind}") for kind in ("weak", "strong")]
    assert meals[0] == meals[1]
    (meal,) = (name for name, p in meals[0].items() if p == 1)
    assert strategy(tree, result, f"P2: {meal}")["retreat"] == 1


def test_mixed_equilibrium_of_a_general_sum_game():
    """Inspection: P1 shirks or works, P2 inspects or not; both must be indifferent."""
    tree = GameTree.compile(matrix_game([[0, 4], [2, 2]], [[-1, -4], [1, 2]]))
    result = lemke(tree)
    assert strategy(tree, result, "P1: 1") == {"0": Fraction(1, 4), "1": Fraction(3, 4)}
    assert strategy(tree, result, "P2: 2") == {"0": Fraction(1, 2), "1": Fraction(1, 2)}
    assert result.values == (2, Fraction(1, 2))


def test_games_without_moves_or_without_stakes():
    lottery = ExtensiveGame("lottery", chance({"a": ("1/4", leaf(4, 1)), "b": ("3/4", leaf(0, 1))}))
    assert lemke(GameTree.compile(lottery)).values == (1, 1)
    alone = ExtensiveGame("alone", decision(1, "2", {"L": leaf(3, 0), "R": leaf(1, 2)}))
    assert lemke(GameTree.compile(alone)).values == (1, 2)
    nothing = GameTree.compile(matrix_game([[0] * 3] * 3))
    check(nothing, lemke(nothing))


def test_progress_and_limits(kuhn):
    told = []
    result = lemke(kuhn, progress=told.append)
    assert told == list(range(1, result.pivots + 1))
    assert result == lemke(kuhn, max_sequences=26, max_pivots=result.pivots)
    with pytest.raises(ProblemTooLarge, match="26 sequences, more than 25"):
        lemke(kuhn, max_sequences=25)
    with pytest.raises(SolverFailed, match="another start"):
        lemke(kuhn, max_pivots=2)


def test_refusals(tree_of, kuhn):
    with pytest.raises(NotTwoPlayers, match="3 players"):
        lemke(tree_of("kuhn_poker(players=3)"))
    x = sympy.Symbol("x", positive=True)
    with pytest.raises(InexactError, match="x"):
        lemke(GameTree.compile(matrix_game([[x, 0]])))
    with pytest.raises(PolicyError, match="exact_profile"):
        lemke(kuhn, [Fraction(1)])
    with pytest.raises(PolicyError, match="exact_profile"):
        lemke(kuhn, [Fraction(1)] * kuhn.num_sequences)
    with pytest.raises(InexactError):
        lemke(kuhn, Profile.uniform(kuhn).probabilities.tolist())


def test_a_start_belongs_to_the_game(kuhn, tree_of):
    with pytest.raises(PolicyError, match="start"):
        lemke(kuhn, Profile.uniform(tree_of("leduc_poker")))
