"""The principal branch of agent quantal response equilibria, its limit and fits, against Gambit's."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from crywolf.games import textbook
from crywolf.solvers import GameTree, compile_tree, fit_qre, qre, trace_qre

from ..solvers.two_player_games import TURNS, matrix_game
from .gambit_games import in_gambit, paired_sets, pygambit

GAMES = {
    "kuhn_poker": "kuhn_poker",
    "tiny_hanabi": "tiny_hanabi(num_players=2)",
    "matrix_shapleys_game": TURNS.format("matrix_shapleys_game()"),
    "asymmetric pennies": matrix_game([[9, 0], [0, 1]], [[0, 1], [1, 0]]),
}
GAMES |= {
    name: getattr(textbook, name)()
    for name in [
        "beer_quiche",
        "burning_money",
        "centipede",
        "dalek",
        "entry",
        "gibbons_4_1_1",
        "selten_horse",
        "spence",
        "stripped_poker",
        "trust",
    ]
}
LAMBDAS = [0.3, 1.0, 3.0, 10.0, 30.0]
"""In units of 1 / payoff range."""


def payoff_range(tree: GameTree) -> float:
    return float(np.ptp(tree.payoff_table, axis=0).max())


def indexed(tree: GameTree, game, point) -> np.ndarray:
    """Gambit's point, indexed by sequences.

    A point of 16.7.0 gives its numbers one by one; its ``profile`` raises.
    """
    probabilities = np.ones(tree.num_sequences)
    numbers = iter(range(len(point)))
    for player in range(tree.num_players):
        ours = np.flatnonzero(tree.owner == player)
        for h in sorted(ours, key=lambda h: tree.nodes_of(int(h))[0]):
            probabilities[tree.slice(int(h))] = [
                point[next(numbers)] for _ in range(tree.num_actions[h])
            ]
    assert next(numbers, None) is None
    return probabilities


@pytest.mark.parametrize("name", GAMES)
def test_equilibria_at_given_lambda(name):
    tree = compile_tree(GAMES[name])
    game = in_gambit(tree)
    for units in LAMBDAS:
        lam = units / payoff_range(tree)
        (theirs,) = pygambit.qre.logit_solve_lambda(game, lam)
        assert theirs.lam == pytest.approx(lam, abs=1e-7)
        ours = qre(tree, theirs.lam)
        assert ours.profile.probabilities == pytest.approx(indexed(tree, game, theirs), abs=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_beliefs_and_regrets(name):
    tree = compile_tree(GAMES[name])
    game = in_gambit(tree)
    for units in LAMBDAS[:4]:
        ours = qre(tree, units / payoff_range(tree))
        theirs = game.mixed_behavior_profile()
        for h, infoset in enumerate(paired_sets(tree, game)):
            for action, p in zip(infoset.actions, ours.profile.probabilities[tree.slice(h)]):
                theirs[action] = float(p)
        assert ours.regret == pytest.approx(theirs.agent_max_regret(), rel=1e-9, abs=1e-12)
        assert ours.values == pytest.approx([theirs.payoff(p) for p in game.players], abs=1e-12)
        for h, infoset in enumerate(paired_sets(tree, game)):
            beliefs = [theirs.belief(node) for node in infoset.members]
            assert ours.beliefs[tree.keys[h]] == pytest.approx(beliefs, rel=1e-9)


@pytest.mark.parametrize("name", GAMES)
def test_the_branch_and_its_limit(name):
    """Gambit's points are about as good as 2e-6 on the way; they end where the regret is 1e-8."""
    tree = compile_tree(GAMES[name])
    game = in_gambit(tree)
    points = pygambit.qre.logit_solve_branch(game)
    step = max(1, len(points) // 15)
    for point in [*points[::step], points[-1]]:
        ours = qre(tree, point.lam)
        assert ours.profile.probabilities == pytest.approx(indexed(tree, game, point), abs=1e-5)
    limit = trace_qre(tree).limit.profile.probabilities
    assert limit == pytest.approx(indexed(tree, game, points[-1]), abs=1e-3)


def test_up_to_a_fork():
    """Chicken is symmetric: Gambit leaves the symmetric equilibria where the branch forks."""
    tree = compile_tree(textbook.chicken())
    game = in_gambit(tree)
    trace = trace_qre(tree)
    (fork,) = trace.forks
    before = trace.lams[fork - 1]
    for lam in np.linspace(0.0, 0.95 * before, 6)[1:]:
        (theirs,) = pygambit.qre.logit_solve_lambda(game, float(lam))
        ours = qre(tree, theirs.lam)
        assert ours.profile.probabilities == pytest.approx(indexed(tree, game, theirs), abs=1e-9)


@pytest.mark.parametrize("name", ["beer_quiche", "selten_horse", "stripped_poker", "kuhn_poker"])
def test_fits(name):
    """Gambit's equilibria make our counts likeliest at our lambda.

    `logit_estimate` of 16.7.0 breaks off on trees.
    """
    tree = compile_tree(GAMES[name])
    game = in_gambit(tree)
    rng = np.random.default_rng(2)
    shape = qre(tree, 4.0 / payoff_range(tree)).profile.probabilities
    counts = rng.poisson(200.0 * shape).astype(float)
    counts[: tree.num_players] = 0.0
    fit = fit_qre(tree, counts)

    def loss(lam: float) -> float:
        (point,) = pygambit.qre.logit_solve_lambda(game, lam)
        return -float(counts @ np.log(indexed(tree, game, point)))

    assert -loss(fit.lam) == pytest.approx(fit.log_likelihood, rel=1e-9)
    around = (0.5 * fit.lam, 2.0 * fit.lam)
    best = minimize_scalar(loss, bounds=around, method="bounded", options={"xatol": 1e-9})
    assert best.x == pytest.approx(fit.lam, rel=1e-4)


def test_fit_of_a_one_shot_game():
    """Where no one moves twice, agents are the players: Gambit's estimate for strategies applies."""
    tree = compile_tree(GAMES["asymmetric pennies"])
    game = in_gambit(tree)
    counts = {"P1: 1": (70, 30), "P2: 2": (40, 60)}
    data = game.mixed_strategy_profile()
    for player, row in zip(game.players, counts.values(), strict=True):
        for strategy, count in zip(player.strategies, row, strict=True):
            data[strategy] = count
    theirs = pygambit.qre.logit_estimate(data)
    ours = fit_qre(tree, {key: dict(enumerate(row)) for key, row in counts.items()})
    assert ours.lam == pytest.approx(theirs.lam, rel=1e-4)
    assert ours.log_likelihood == pytest.approx(theirs.log_like, rel=1e-9)
