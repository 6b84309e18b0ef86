from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.errors import InexactError, PolicyError
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers import GameTree, Profile, evaluate, evaluate_exact, exact_profile
from crywolf.solvers.exact import exact_number

from .conftest import compiled

GAMES = ["kuhn_poker", "kuhn_poker(players=3)", "onuw_robber3", "onuw_robber3_talk"]


def uniform(tree):
    return {
        key: dict.fromkeys(legal, Fraction(1, len(legal)))
        for key, legal in zip(tree.keys, tree.legal, strict=True)
    }


def robber_sets(tree):
    """The Robber's voting information set after each night move."""
    return {
        move: next(k for k in tree.keys if k.startswith("P3") and f"; {move}" in k)
        for move in ("NS", "S1", "S2")
    }


def vote(tree, key, seat):
    return next(
        name for name in tree.action_names(tree.infoset_of_key[key]) if name.endswith(f"P{seat}")
    )


def votes_the_robbed(tree):
    strategies = uniform(tree)
    for seat in (1, 2):
        key = robber_sets(tree)[f"S{seat}"]
        strategies[key] = {vote(tree, key, seat): Fraction(1)}
    return strategies


def test_uniform_play_of_the_theory_game(robber3):
    result = evaluate_exact(robber3, exact_profile(robber3, uniform(robber3)))
    assert result.nash_conv == Fraction(1, 3)


def test_uniform_play_that_votes_for_the_robbed_player(robber3):
    probabilities = exact_profile(robber3, votes_the_robbed(robber3))
    result = evaluate_exact(robber3, probabilities)
    assert result.nash_conv == 0
    assert result.gains == (0, 0, 0)
    assert result.values == (Fraction(-1, 12), Fraction(-1, 12), Fraction(1, 4))
    floats = evaluate(Profile(robber3, np.array([float(p) for p in probabilities])))
    assert floats.nash_conv == pytest.approx(0.0, abs=1e-12)
    assert floats.values == pytest.approx([-1 / 12, -1 / 12, 1 / 4], abs=1e-12)


def test_largest_nash_conv_of_the_theory_game(robber3):
    """NashConv is convex in each player's plan, so a pure profile attains the maximum."""
    largest = Fraction(0)
    for choice in product(*robber3.legal):
        strategies = {key: {a: 1} for key, a in zip(robber3.keys, choice, strict=True)}
        probabilities = exact_profile(robber3, strategies)
        exact = evaluate_exact(robber3, probabilities).nash_conv
        largest = max(largest, exact)
        floats = Profile(robber3, np.array([float(p) for p in probabilities]))
        assert evaluate(floats).nash_conv == pytest.approx(float(exact), abs=1e-12)
    assert largest == 3


@pytest.mark.parametrize("p", ["0", "1/7", "1/2", "1"])
def test_theorem_4_1_for_some_p(robber3, p):
    """Jin et al. 2024, Theorem 4.1: an equilibrium for every p, with utilities (0, 0, 1)."""
    sets = robber_sets(robber3)
    night, wolf1, wolf2 = (
        next(k for k in robber3.keys if k.startswith(f"P{seat}") and k not in sets.values())
        for seat in (3, 1, 2)
    )
    strategies = {
        night: {"S1": "1/2", "S2": "1/2"},
        wolf1: {vote(robber3, wolf1, 2): 1},
        wolf2: {vote(robber3, wolf2, 1): 1},
        sets["NS"]: {
            vote(robber3, sets["NS"], 1): p,
            vote(robber3, sets["NS"], 2): 1 - Fraction(p),
        },
        sets["S1"]: {vote(robber3, sets["S1"], 1): 1},
        sets["S2"]: {vote(robber3, sets["S2"], 2): 1},
    }
    result = evaluate_exact(robber3, exact_profile(robber3, strategies))
    assert result.nash_conv == 0
    assert result.values == (0, 0, 1)


@given(st.sampled_from(GAMES), st.data())
def test_exact_and_floating_point_agree(name, data):
    tree = compiled(name)
    counts = [
        data.draw(st.lists(st.integers(0, 9), min_size=m, max_size=m).filter(any))
        for m in tree.num_actions.tolist()
    ]
    probabilities = [Fraction(1)] * tree.num_players
    for row in counts:
        probabilities += [Fraction(c, sum(row)) for c in row]
    exact = evaluate_exact(tree, probabilities)
    floats = evaluate(Profile(tree, np.array([float(p) for p in probabilities])))
    assert floats.values == pytest.approx([float(v) for v in exact.values], abs=1e-12)
    assert floats.gains == pytest.approx([float(g) for g in exact.gains], abs=1e-12)
    assert floats.nash_conv == pytest.approx(float(exact.nash_conv), abs=1e-12)
    assert exact.nash_conv >= 0
    assert all(isinstance(v, Fraction) for v in (*exact.values, *exact.gains, exact.nash_conv))


def test_exact_equilibrium_of_kuhn_poker(kuhn):
    """Kuhn 1950, with alpha = 1/5."""
    bet = {
        "0": "1/5", "1": 0, "2": "3/5", "0pb": 0, "1pb": "8/15", "2pb": 1,
        "0p": "1/3", "1p": 0, "2p": 1, "0b": 0, "1b": "1/3", "2b": 1,
    }  # fmt: skip
    strategies = {k: {"Bet": p, "Pass": 1 - Fraction(p)} for k, p in bet.items()}
    result = evaluate_exact(kuhn, exact_profile(kuhn, strategies))
    assert result.values == (Fraction(-1, 18), Fraction(1, 18))
    assert result.nash_conv == 0


@pytest.mark.parametrize(
    ("value", "fraction"),
    [
        (2, Fraction(2)),
        ("1/3", Fraction(1, 3)),
        (Fraction(2, 7), Fraction(2, 7)),
        (sympy.Rational(3, 4), Fraction(3, 4)),
        (np.int64(5), Fraction(5)),
    ],
)
def test_exact_numbers(value, fraction):
    number = exact_number(value)
    assert number == fraction
    assert type(number) is Fraction
    assert type(number.numerator) is int


@pytest.mark.parametrize(
    "value", [0.5, np.float64(0.5), sympy.Float(0.5), sympy.sqrt(2), sympy.Symbol("p"), "x", None]
)
def test_what_is_not_an_exact_number_is_refused(value):
    with pytest.raises(InexactError):
        exact_number(value)


def test_bad_profiles_are_refused(kuhn):
    table = uniform(kuhn)
    with pytest.raises(InexactError, match=r"0\.5"):
        exact_profile(kuhn, table | {"0": {"Pass": 0.5, "Bet": 0.5}})
    with pytest.raises(InexactError):
        evaluate_exact(kuhn, Profile.uniform(kuhn).probabilities.tolist())
    with pytest.raises(PolicyError, match="sum 5/6"):
        exact_profile(kuhn, table | {"0": {"Pass": "1/2", "Bet": "1/3"}})
    with pytest.raises(PolicyError, match="nonnegative"):
        exact_profile(kuhn, table | {"0": {"Pass": "-1/2", "Bet": "3/2"}})
    with pytest.raises(PolicyError, match="1 of 12 information sets"):
        exact_profile(kuhn, {k: v for k, v in table.items() if k != "0"})
    with pytest.raises(PolicyError, match="exact_profile"):
        evaluate_exact(kuhn, [Fraction(1)])


def test_games_with_symbols_are_refused():
    x = sympy.Symbol("x", positive=True)
    tree = GameTree.compile(ExtensiveGame("s", decision(0, "1", {"L": leaf(x), "R": leaf(1)})))
    with pytest.raises(InexactError, match="x"):
        evaluate_exact(tree, [1, "1/2", "1/2"])
