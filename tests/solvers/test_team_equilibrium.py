"""What a team guarantees itself: both sides' strategies show it, and brute force agrees."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

from crywolf.games.errors import NotZeroSum, ParameterError, ProblemTooLarge, SolverFailed
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.games.werewolf import Werewolf
from crywolf.games.werewolf.one_wolf import OneWolf
from crywolf.solvers import Profile, compile_tree, evaluate, solve_zero_sum, team_best_response
from crywolf.solvers.team_equilibrium import team_maxmin

KUHN3 = "kuhn_poker(players=3)"


def town(players, **options):
    return compile_tree(
        OneWolf(Werewolf(players=players, roles=f"werewolf+{players - 1}villager", **options))
    )


def coordination():
    """Two members each choose a side unseen; they get 1 each unless the third guesses theirs.

    The example of von Stengel and Koller (1997): together they get half of it, independently a
    quarter.
    """

    def guess(label, same):
        return decision(2, label, {
            move: leaf(*(1, 1, -2) if same == move else (0, 0, 0)) for move in ("left", "right")
        })  # fmt: skip

    def second(first):
        return decision(1, "B", {
            move: guess("C", move if move == first else None) for move in ("left", "right")
        })  # fmt: skip

    return ExtensiveGame(
        "coordination", decision(0, "A", {move: second(move) for move in ("left", "right")})
    )


def by_brute_force(tree, adversary):
    """The value of the matrix game between all joint plans and all plans of the adversary."""
    sides = [[], []]
    for h in range(tree.num_infosets):
        sides[int(tree.owner[h]) == adversary].append(h)

    def plans(sets):
        for choice in product(*(range(int(tree.num_actions[h])) for h in sets)):
            yield dict(zip(sets, choice, strict=True))

    rows = []
    for joint in plans(sides[0]):
        row = []
        for own in plans(sides[1]):
            behaviour = np.zeros(tree.num_sequences)
            for h, a in (joint | own).items():
                behaviour[tree.slice(h).start + a] = 1.0
            row.append(-evaluate(Profile(tree, behaviour)).values[adversary])
        rows.append(row)
    A = np.array(rows)
    result = linprog(
        np.append(np.zeros(A.shape[1]), 1.0),
        A_ub=np.hstack([A, -np.ones((len(A), 1))]),
        b_ub=np.zeros(len(A)),
        A_eq=[[*[1.0] * A.shape[1], 0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * A.shape[1] + [(None, None)],
    )
    return result.fun


@pytest.mark.parametrize(
    "game", [coordination(), *(OneWolf(Werewolf(players=3, roles="werewolf+2villager", ties=ties))
                               for ties in ("random", "nobody", "all"))]
)  # fmt: skip
def test_brute_force_over_all_joint_plans_agrees(game):
    tree = compile_tree(game)
    found = team_maxmin(tree, tree.num_players - 1)
    assert found.value == pytest.approx(by_brute_force(tree, tree.num_players - 1), abs=1e-8)
    assert found.bound == pytest.approx(found.value, abs=1e-7)


def test_the_example_of_von_stengel_and_koller():
    tree = compile_tree(coordination())
    assert team_maxmin(tree, 2).value == pytest.approx(2 / 2, abs=1e-9)


@pytest.mark.parametrize("players", [3, 4])
def test_no_side_can_do_better_than_the_value(players):
    tree = town(players)
    found = team_maxmin(tree, players)
    device = found.device
    assert device.values[:players].sum() == pytest.approx(found.value, abs=1e-8)
    # The adversary gains nothing by another strategy, nor the team by another joint plan.
    assert device.evaluation.gains_of("nfcce")[players] == pytest.approx(0.0, abs=1e-7)
    response = team_best_response(device.profile(0), found.team)
    assert response.value == pytest.approx(found.value, abs=1e-7)


@pytest.mark.parametrize("adversary", [0, 1, 2])
def test_kuhn_poker_of_three(tree_of, adversary):
    tree = tree_of(KUHN3)
    found = team_maxmin(tree, adversary)
    assert found.device.evaluation.gains_of("nfcce")[adversary] == pytest.approx(0.0, abs=1e-7)
    response = team_best_response(found.device.profile(0), found.team)
    assert found.value == pytest.approx(response.value, abs=1e-7)


@pytest.mark.parametrize("adversary", [0, 1])
def test_a_team_of_one_has_the_value_of_the_game(kuhn, adversary):
    value = solve_zero_sum(kuhn).values[1 - adversary]
    assert team_maxmin(kuhn, adversary).value == pytest.approx(value, abs=1e-9)


def test_refusals(robber3, tree_of):
    with pytest.raises(NotZeroSum):
        team_maxmin(robber3, 2)
    for adversary in (-1, 3):
        with pytest.raises(ParameterError, match="cannot play against"):
            team_maxmin(tree_of(KUHN3), adversary)
    with pytest.raises(ProblemTooLarge):
        team_maxmin(tree_of(KUHN3), 0, max_combinations=10)
    with pytest.raises(SolverFailed, match="time_limit"):
        team_maxmin(tree_of(KUHN3), 0, time_limit=1e-9)


def test_progress_tells_two_bounds():
    told = []
    found = team_maxmin(town(3), 3, progress=lambda *now: told.append(now))
    assert [number for number, _, _ in told] == list(range(1, found.iterations + 1))
    assert told[-1][1] == found.value
    assert all(lower <= found.value + 1e-9 for _, lower, _ in told)
