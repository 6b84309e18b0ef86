"""Quantal response equilibria against brute force, closed forms, Gambit, and the exact verifier."""

from fractions import Fraction
from functools import cache
from math import exp

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis.draws import Draws
from crywolf.games import textbook
from crywolf.games.errors import BranchLost, ParameterError, PolicyError, TreeTooLarge
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE
from crywolf.solvers import GameTree, Profile, compile_tree, evaluate
from crywolf.solvers import _qre_kernels as kernels
from crywolf.solvers._qre_branch import LogitEquations, follow, log_of
from crywolf.solvers.pbe import verify
from crywolf.solvers.qre import QRE, qre, trace_qre
from crywolf.solvers.qre_fit import fit_qre

from .conftest import DEALT, GENERAL_SUM, compiled


def table(name, payoffs):
    """A one-shot game, the players choosing in turn unseen: ``payoffs[i][j]...`` to each player."""

    def below(player, rest):
        if isinstance(rest, tuple):
            return leaf(*rest)
        moves = {f"{player + 1}{k}": below(player + 1, r) for k, r in enumerate(rest)}
        return decision(player, str(player + 1), moves)

    return ExtensiveGame(name, below(0, payoffs))


def centipede(payoffs, last):
    """Players take in turn; whoever takes at move k ends the game with payoffs[k]."""

    def move(k):
        if k == len(payoffs):
            return leaf(*last)
        return decision(k % 2, f"move {k}", {"take": leaf(*payoffs[k]), "pass": move(k + 1)})

    return ExtensiveGame("centipede", move(0))


# McKelvey & Palfrey (1992), four moves, in cents.
CENTIPEDE = centipede([(40, 10), (20, 80), (160, 40), (80, 320)], (640, 160))
# Gambit's loopback.nfg: "a backwards bend in the principal branch", due to McKelvey.
LOOPBACK = table("loopback", [[(6, 7), (6, 7)], [("7.32", 6), (1, 4)]])
# Gambit's e02.nfg: Selten (1975), Figure 2, reduced normal form.
E02 = table("e02", [[(1, 1), (1, 1)], [(0, 2), (0, 3)], [(0, 2), (2, 0)]])
CONSTANT_SUM = table("const_sum_game", [[(1, 1), (1, 1)], [(0, 2), (1, 1)]])
ASYMMETRIC = table("asymmetric pennies", [[(9, 0), (0, 1)], [(0, 1), (1, 0)]])
GUESSING = ExtensiveGame(
    "guessing",
    chance(
        {
            side: (p, decision(0, "guess", {g: leaf(2 * (g == side)) for g in ("a", "b", "c")}))
            for side, p in {"a": "1/2", "b": "1/3", "c": "1/6"}.items()
        }
    ),
)

TEXTBOOK = {
    game.name: game
    for game in (
        textbook.selten_horse(),
        textbook.gibbons_4_1_1(),
        textbook.gibbons_4_1_3(),
        textbook.beer_quiche(),
        textbook.entry(),
        textbook.bos_outside(),
        textbook.stripped_poker(),
        textbook.disagreeing_beliefs(),
        CENTIPEDE,
        LOOPBACK,
        E02,
        CONSTANT_SUM,
        ASYMMETRIC,
        GUESSING,
    )
}
OPENSPIEL = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "tiny_hanabi(num_players=2)",
    "liars_dice(dice_sides=2)",
    "first_sealed_auction(max_value=3)",
    "trade_comm(num_items=2)",
    "turn_based_simultaneous_game(game=matrix_pd())",
    "turn_based_simultaneous_game(game=matrix_bos())",
    "turn_based_simultaneous_game(game=matrix_shapleys_game())",
    GENERAL_SUM,
]
ONUW = ["onuw_robber3", "onuw_robber3_official", "onuw_robber3_talk", DEALT]
SMALL = [*TEXTBOOK, *OPENSPIEL, *ONUW]
LARGER = {"kuhn_poker(players=3)", DEALT}
"""Where brute force takes a while."""


@cache
def tree_named(name: str) -> GameTree:
    return compile_tree(TEXTBOOK[name]) if name in TEXTBOOK else compiled(name)


@cache
def limit_of(name: str):
    return trace_qre(tree_named(name))


# ------------------------------------------------------------------------------- brute force


def brute_force(tree, logs):
    """Beliefs and conditional utilities from the game's exact tables: plain arithmetic, 40 digits.

    Nothing in common with the kernels: paths are multiplied out from the root, nothing is a
    logarithm, and mpmath's exponents know no underflow.
    """
    mp = mpmath.mp
    probabilities, payoffs = tree.exact_tables

    def number(q):
        return mp.mpf(q.numerator) / q.denominator

    edge = [mp.mpf(1)]
    children = [[] for _ in range(tree.num_nodes)]
    for node in range(1, tree.num_nodes):
        above = int(tree.parent[node])
        children[above].append(node)
        if tree.player[above] == CHANCE:
            edge.append(number(probabilities[tree.probability[node]]))
        else:
            s = int(tree.node_sequence[node, tree.player[above]])
            edge.append(mp.exp(mp.mpf(float(logs[s]))))

    def value(node, player):
        if not children[node]:
            return number(payoffs[tree.payoff[node]][player])
        return sum(edge[c] * value(c, player) for c in children[node])

    def reach(node):
        return edge[0] if node == 0 else edge[node] * reach(int(tree.parent[node]))

    beliefs, utilities = {}, [mp.mpf(0)] * tree.num_sequences
    for h, key in enumerate(tree.keys):
        nodes = tree.nodes_of(h)
        weights = [reach(node) for node in nodes]
        beliefs[key] = [w / sum(weights) for w in weights]
        for a in range(int(tree.num_actions[h])):
            utilities[int(tree.first[h]) + a] = sum(
                mu * value(children[node][a], int(tree.owner[h]))
                for mu, node in zip(beliefs[key], nodes)
            )
    return beliefs, utilities


def check_by_brute_force(point: QRE, tolerance: float = 1e-8):
    """Checks the logit equations, the beliefs and the regret of a point."""
    tree, logs = point.profile.tree, point.log_probabilities
    with mpmath.workdps(40):
        beliefs, utilities = brute_force(tree, logs)
        regret = mpmath.mpf(0)
        for h, key in enumerate(tree.keys):
            mine = range(tree.slice(h).start, tree.slice(h).stop)
            assert point.beliefs[key] == pytest.approx([float(b) for b in beliefs[key]], abs=1e-9)
            lam = mpmath.mpf(point.lam)
            total = mpmath.log(sum(mpmath.exp(lam * utilities[s]) for s in mine))
            for s in mine:
                assert abs(lam * utilities[s] - total - float(logs[s])) < tolerance
            mean = sum(mpmath.exp(float(logs[s])) * utilities[s] for s in mine)
            regret = max(regret, max(utilities[s] for s in mine) - mean)
        scale = float(np.ptp(tree.payoff_table, axis=0).max())
        assert point.regret == pytest.approx(float(regret), abs=1e-12 * scale, rel=1e-6)


@pytest.mark.parametrize(
    ("name", "scaled"),
    [(name, x) for name in SMALL for x in (0.5, 4.0, 25.0) if x == 4.0 or name not in LARGER],
)
def test_the_logit_equations_hold(name, scaled):
    tree = tree_named(name)
    lam = scaled / float(np.ptp(tree.payoff_table, axis=0).max())
    point = qre(tree, lam)
    assert point.lam == pytest.approx(lam, rel=1e-15)
    assert point.residual < 2e-10
    check_by_brute_force(point)
    result = evaluate(point.profile)
    assert point.nash_conv == result.nash_conv
    assert np.array_equal(point.values, result.values)


@pytest.mark.parametrize("name", ["selten_horse", "beer_quiche", "kuhn_poker", "onuw_robber3_talk"])
def test_probabilities_may_be_far_below_the_smallest_float(name):
    tree = tree_named(name)
    point = qre(tree, 12000.0 / float(np.ptp(tree.payoff_table, axis=0).max()))
    assert np.isfinite(point.log_probabilities).all()
    assert point.log_probabilities.min() < -750.0
    check_by_brute_force(point, tolerance=1e-6)


@pytest.mark.parametrize("name", ["selten_horse", "kuhn_poker(players=3)", "onuw_robber3_talk"])
def test_derivatives_are_those_of_the_utilities(name):
    tree = tree_named(name)
    equations, rng = LogitEquations(tree), np.random.default_rng(0)
    size = tree.num_sequences - tree.num_players
    x = equations.response(rng.normal(size=size), 1.0)
    utility, matrix = equations.utilities(x), np.empty((size, size))
    kernels.derivatives(equations.form, equations._logs, *equations._state(), utility, matrix)
    for b in range(size):
        step = np.zeros(size)
        step[b] = 1e-6
        slope = (equations.utilities(x + step) - equations.utilities(x - step)) / 2e-6
        assert matrix[:, b] == pytest.approx(slope, abs=1e-8)


# ------------------------------------------------------------------ closed forms and published


def logistic(z):
    return 1.0 / (1.0 + exp(-z))


def test_a_single_agent_is_a_logit_model():
    for lam in (0.1, 1.0, 7.0):
        point = qre(GUESSING, lam)
        weights = np.exp(lam * np.array([1.0, 2 / 3, 1 / 3]))
        assert list(point.profile.strategy("P1: guess").values()) == pytest.approx(
            weights / weights.sum(), abs=1e-9
        )


def test_perfect_information_is_backward_induction():
    for lam in (0.3, 2.0, 10.0):
        point = qre(textbook.entry(), lam)
        fight = logistic(-2.0 * lam)
        enter = logistic(lam * (1.0 - 2.0 * fight))
        assert point.profile.strategy("P2: incumbent")["Fight"] == pytest.approx(fight, abs=1e-9)
        assert point.profile.strategy("P1: entrant")["In"] == pytest.approx(enter, abs=1e-9)
    for lam in (0.005, 0.02, 0.1):
        point = qre(CENTIPEDE, lam)
        worth = np.array([640.0, 160.0])
        for k, pay in reversed(list(enumerate([(40, 10), (20, 80), (160, 40), (80, 320)]))):
            take = logistic(lam * (pay[k % 2] - worth[k % 2]))
            row = point.profile.strategy(f"P{k % 2 + 1}: move {k}")
            assert row["take"] == pytest.approx(take, abs=1e-8)
            worth = take * np.array(pay) + (1.0 - take) * worth


def test_two_by_two_game_by_bisection():
    """McKelvey & Palfrey (1995): own payoffs matter, unlike in the Nash equilibrium."""
    for lam in (0.3, 1.0, 4.0):
        low, high, left = 0.0, 1.0, 0.5
        for _ in range(200):
            up = (low + high) / 2
            left = logistic(lam * (1.0 - 2.0 * up))
            low, high = (up, high) if logistic(lam * (10.0 * left - 1.0)) > up else (low, up)
        point = qre(ASYMMETRIC, lam)
        assert point.profile.strategy("P1: 1")["10"] == pytest.approx(low, abs=1e-9)
        assert point.profile.strategy("P2: 2")["20"] == pytest.approx(left, abs=1e-9)
        assert low > 0.5  # Nash: 1/2


def test_published_branch_of_gambit():
    """The documentation of gambit-logit 16.3.0 on e02.nfg, and the tests of 16.x."""
    for lam, *published in [
        (0.022853, 0.335873, 0.328284, 0.335843, 0.501962, 0.498038),
        (0.047978, 0.338668, 0.322803, 0.33853, 0.504249, 0.495751),
        (0.075600, 0.341747, 0.316863, 0.34139, 0.506915, 0.493085),
        (0.105965, 0.345145, 0.310443, 0.344413, 0.510023, 0.489977),
        (0.139346, 0.348902, 0.303519, 0.347578, 0.51364, 0.48636),
        (735614.794714, 1, 0, 4.40659e-11, 0.500016, 0.499984),
        (1077013.665501, 1, 0, 2.11883e-11, 0.500011, 0.499989),
    ]:
        point = qre(E02, lam)
        assert point.profile.probabilities[2:] == pytest.approx(published, abs=1.5e-6)
    for lam, up, left in [
        (1, 0.6429793593274791, 0.588319024552166),
        (2, 0.7726766071376159, 0.6117434791999494),
        (3, 0.859536709259968, 0.6038157860344706),
    ]:
        point = qre(CONSTANT_SUM, lam)
        assert point.profile.strategy("P1: 1")["10"] == pytest.approx(up, abs=1e-7)
        assert point.profile.strategy("P2: 2")["20"] == pytest.approx(left, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "lam", "every_second"),
    [
        (
            "kuhn_poker",
            5,
            [0.807785697, 0.993307149, 0.756478289, 0.43115954, 0.439556953, 3.06e-07, 0.850725206]
            + [0.473121495, 0.198971078, 3.06e-07, 0.712887171, 0.993307149],
        ),
        ("selten_horse", 10, [0.001096772, 0.003090931, 0.894404682]),
        ("beer_quiche", 5, [0.991458909, 0.999999609, 0.01785083, 0.993279707]),
        ("stripped_poker", 5, [0.969856482, 0.398064895, 0.30576436]),
        ("centipede", 0.02, [0.236192966, 0.761576824, 0.376298744, 0.960834277]),
        ("loopback", 1.3, [0.756140138, 0.653403968]),
    ],
)
def test_equals_pygambit(name, lam, every_second):
    """Computed once with pygambit 16.7.0: logit_solve_lambda on the same trees."""
    point = qre(tree_named(name), lam)
    rest = point.profile.probabilities[tree_named(name).num_players :: 2]
    assert rest == pytest.approx(every_second, abs=2e-9)


def test_a_branch_may_turn_back():
    trace = trace_qre(LOOPBACK)
    assert trace.lams[trace.turning_points] == pytest.approx([1.3494, 1.3242], abs=1e-3)
    assert not len(trace.forks)
    assert trace.converged
    assert trace.limit.profile.strategy("P1: 1")["11"] == pytest.approx(1.0)  # the other leg
    # The first of three equilibria with this lambda on the branch is the one that is given.
    first = int(np.flatnonzero(trace.lams >= 1.33)[0])
    between = trace.log_probabilities[first - 1 : first + 1].min(axis=0)
    point = qre(LOOPBACK, 1.33)
    assert (point.log_probabilities >= between - 1e-3).all()
    assert all(point.residual <= 1e-10 for point in map(trace.__getitem__, range(len(trace))))


def test_near_forks_are_not_jumped_over():
    """At lambda 11.9 the branch of the theory game all but forks: long steps land on the other."""
    trace = limit_of("onuw_robber3")
    assert trace.lams[trace.turning_points] == pytest.approx([12.479, 8.863], abs=2e-3)
    assert trace.limit.profile.probabilities == pytest.approx(
        trace_qre(trace.tree, caution=3.0).limit.profile.probabilities, abs=1e-6
    )


def test_forks_of_symmetric_games_are_crossed_and_told():
    trace = trace_qre(textbook.bos_outside())
    # Where pygambit 16.7.0 leaves the symmetric equilibria.
    assert trace.lams[trace.forks[0]] == pytest.approx(1.0699, abs=1e-3)
    assert len(trace.forks) == 1
    for k in range(len(trace)):
        one = trace[k].profile.strategy("P1: 1 inside")
        two = trace[k].profile.strategy("P2: 2")
        assert one["T"] == pytest.approx(two["W"], abs=1e-9)
    assert len(trace_qre("onuw_robber3").forks) == 2  # the Werewolves are alike
    assert not len(limit_of("kuhn_poker").forks)


# ---------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize(
    "name",
    [
        "selten_horse",
        "gibbons_4_1_1",
        "gibbons_4_1_3",
        "beer_quiche",
        "entry",
        "bos_outside",
        "stripped_poker",
        "disagreeing_beliefs",
        "centipede",
        "onuw_robber3",
        "onuw_robber3_official",
        "onuw_robber3_talk",
        "tiny_hanabi(num_players=2)",
        "turn_based_simultaneous_game(game=matrix_pd())",
    ],
)
def test_limits_are_sequential_equilibria(name):
    """Rounded to fractions and proved."""
    trace = limit_of(name)
    assert trace.converged
    assert trace.stopped == "limit"
    verdict = verify(trace.tree, trace.limit.rounded(), "sequential")
    assert verdict.holds, str(verdict)
    payoffs = [float(v) for v in verdict.values]
    assert trace.limit.values == pytest.approx(payoffs, abs=1e-3)


@pytest.mark.parametrize("name", SMALL)
def test_limits_are_nash_equilibria(name):
    trace = limit_of(name)
    scale = float(np.ptp(trace.tree.payoff_table, axis=0).max())
    assert trace.converged
    assert trace.limit.nash_conv < 3e-6 * scale
    assert trace.limit.regret <= 1e-6 * scale
    assert trace.regrets[-1] == trace.limit.regret
    assert trace.nash_convs[-1] == trace.limit.nash_conv


def test_published_equilibria():
    kuhn = trace_qre("kuhn_poker", nash_conv=1e-6)
    assert kuhn.stopped == "nash_conv"
    assert kuhn.limit.nash_conv <= 1e-6
    assert kuhn.limit.values == pytest.approx([-1 / 18, 1 / 18], abs=1e-6)  # Kuhn 1950
    assert kuhn.limit.profile.strategy("0p")["Bet"] == pytest.approx(1 / 3, abs=1e-4)
    beer = limit_of("beer_quiche").limit  # Cho & Kreps 1987: both types drink beer
    assert beer.profile.strategy("P1: weak")["beer"] == pytest.approx(1.0)
    horse = limit_of("selten_horse").limit  # Selten 1975: (R, R, .) is the sequential one
    assert horse.profile.strategy("P1: 1")["R"] == pytest.approx(1.0)
    poker = limit_of("stripped_poker").limit  # bluff one time in three
    assert poker.profile.strategy("P1: black")["raise"] == pytest.approx(1 / 3, abs=1e-4)


def test_regret_counts_off_the_path():
    """(R, R') of Gibbons 4.1.1 is Nash by an empty threat; no AQRE with large lambda is near."""
    trace = limit_of("gibbons_4_1_1")
    assert trace.limit.profile.strategy("P2: 2")["L'"] == pytest.approx(1.0)


# ---------------------------------------------------------------------------------------- laws


def random_game(seed: int) -> tuple:
    """Payoffs [type][move][response][player] of a game with three players and a chance move.

    P1 learns its type and moves; P2 sees the move, not the type; P3 sees nothing.
    """
    return tuple(np.random.default_rng(seed).integers(-9, 10, size=(2, 2, 2, 2, 3)).tolist())


def as_game(payoffs, seats=(0, 1, 2), scale=1, shift=(0, 0, 0)):
    def last(row):
        def ends(u):
            moved: list[int] = [0, 0, 0]
            for p in range(3):
                moved[seats[p]] = scale * u[p] + shift[p]
            return leaf(*moved)

        return decision(seats[2], "blind", {k: ends(u) for k, u in zip("xy", row)})

    def second(move, row):
        return decision(seats[1], f"after {move}", {k: last(r) for k, r in zip("lr", row)})

    def first(kind, row):
        moves = {k: second(k, r) for k, r in zip("ud", row)}
        return decision(seats[0], f"type {kind}", moves)

    kinds = {k: (p, first(k, row)) for k, p, row in zip("st", ("1/3", "2/3"), payoffs)}
    return compile_tree(ExtensiveGame("random", chance(kinds)))


def by_label(profile: Profile) -> dict:
    return {key.split(": ")[1]: list(profile.strategy(key).values()) for key in profile.tree.keys}


seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=25)
@given(seeds, st.sampled_from([0.02, 0.1, 0.5]))
def test_laws(seed, lam):
    payoffs = random_game(seed)
    tree = as_game(payoffs)
    point = qre(tree, lam)
    check_by_brute_force(point)
    probabilities = point.profile.probabilities
    for h, key in enumerate(tree.keys):
        assert probabilities[tree.slice(h)].sum() == pytest.approx(1.0, abs=1e-14)
        assert sum(point.beliefs[key]) == pytest.approx(1.0, abs=1e-14)
        assert len(point.beliefs[key]) == len(tree.nodes_of(h))
    # Seats do not matter.
    seats = [(1, 2, 0), (2, 1, 0), (0, 2, 1)][seed % 3]
    other = qre(as_game(payoffs, seats), lam)
    assert by_label(other.profile).keys() == by_label(point.profile).keys()
    for label, row in by_label(point.profile).items():
        assert by_label(other.profile)[label] == pytest.approx(row, abs=1e-8)
    assert other.values[list(seats)] == pytest.approx(point.values, abs=1e-7)
    # A positive affine transformation of payoffs divides lambda.
    moved = qre(as_game(payoffs, scale=8, shift=(5, -3, 70)), lam / 8)
    assert moved.profile.probabilities == pytest.approx(probabilities, abs=1e-8)
    assert moved.values == pytest.approx(8 * point.values + [5, -3, 70], abs=1e-6)
    assert moved.regret == pytest.approx(8 * point.regret, abs=1e-6)


@settings(max_examples=10)
@given(seeds)
def test_traces_of_random_games(seed):
    tree = as_game(random_game(seed))
    trace = trace_qre(tree, max_lam=20.0)
    assert trace.lams[0] == 0.0
    assert trace.lams[-1] == pytest.approx(20.0)
    assert trace[0].profile.probabilities == pytest.approx(Profile.uniform(tree).probabilities)
    assert (trace.residuals < 1e-8).all()
    careful = qre(tree, 20.0, caution=3.0)
    assert trace.limit.profile.probabilities == pytest.approx(
        careful.profile.probabilities, abs=1e-6
    )


@pytest.mark.parametrize("name", SMALL)
def test_lambda_zero_is_uniform(name):
    tree = tree_named(name)
    point = qre(tree, 0.0)
    uniform = Profile.uniform(tree)
    assert point.profile.probabilities == pytest.approx(uniform.probabilities, abs=1e-14)
    assert point.lam == 0.0


@pytest.mark.parametrize("name", ["selten_horse", "loopback", "kuhn_poker", "onuw_robber3_talk"])
def test_more_caution_gives_the_same(name):
    tree, trace = tree_named(name), limit_of(name)
    careful = trace_qre(tree, max_lam=float(trace.lams[-1]), caution=4.0)
    assert len(careful) > 2 * len(trace)
    assert careful.limit.profile.probabilities == pytest.approx(
        trace.limit.profile.probabilities, abs=1e-6
    )


# ---------------------------------------------------------------------------------- traces, words


def test_ends_of_traces(kuhn):
    seen = []
    trace = trace_qre(kuhn, max_lam=3.0, progress=lambda lam, x: seen.append((lam, x)))
    assert trace.stopped == "lambda"
    assert trace.lams[-1] == pytest.approx(3.0, rel=1e-15)
    assert not trace.converged
    assert seen == list(zip(trace.lams.tolist(), trace.nash_convs.tolist()))
    assert trace.limit.log_probabilities == pytest.approx(qre(kuhn, 3.0).log_probabilities)
    by_regret = trace_qre(kuhn, regret=1e-3, max_lam=1e6)
    assert by_regret.stopped == "regret"
    assert by_regret.regrets[-1] <= 1e-3 < by_regret.regrets[-2]
    assert trace_qre(kuhn, nash_conv=0.1).nash_convs[-1] <= 0.1
    few = trace_qre(kuhn, max_points=3)
    assert (few.stopped, len(few), few.converged) == ("points", 3, False)
    start = trace_qre(kuhn, max_lam=0.0)
    assert (len(start), start.change) == (1, float("inf"))
    assert start[-1].lam == 0.0
    assert trace[1].lam == trace.lams[1]


def test_precision_ends(tree_of):
    """Far out rounding decides the beliefs of Selten's horse; the trace says so and stops."""
    trace = trace_qre(textbook.selten_horse(), regret=0.0)
    assert trace.stopped == "precision"
    assert trace.lams[-1] > 1e4
    assert trace.converged
    with pytest.raises(BranchLost, match="smaller lambda"):
        qre(textbook.selten_horse(), 2e9)


def test_games_without_choices():
    lottery = ExtensiveGame("lottery", chance({"a": ("1/4", leaf(4, 0)), "b": ("3/4", leaf(0, 8))}))
    point = qre(lottery, 5.0)
    assert point.values.tolist() == [1.0, 6.0]
    assert (point.regret, point.residual, point.beliefs) == (0.0, 0.0, {})
    assert trace_qre(lottery).converged
    equal = ExtensiveGame("equal", decision(0, "A", {"L": leaf(2, 2), "R": leaf(2, 2)}))
    trace = trace_qre(equal)
    assert trace.converged
    assert trace.limit.profile.strategy("P1: A") == {"L": 0.5, "R": 0.5}
    forced = ExtensiveGame("forced", decision(0, "A", {"L": leaf(2, 0)}))
    assert qre(forced, 3.0).profile.strategy("P1: A") == {"L": 1.0}


def test_rounding_to_fractions():
    point = limit_of("beer_quiche").limit
    assessment = point.rounded()
    assert assessment.strategies["P1: weak"] == {"beer": 1, "quiche": 0}
    assert list(assessment.beliefs) == ["P2: quiche"]  # Bayes' rule has the others
    belief = assessment.beliefs["P2: quiche"]
    assert isinstance(belief, tuple)
    assert sum(belief) == 1
    mixed = limit_of("stripped_poker").limit.rounded(3)
    assert str(mixed.strategies["P1: black"]["raise"]) == "1/3"


def test_words(kuhn):
    trace = limit_of("kuhn_poker")
    assert "converged" in repr(trace)
    assert repr(trace[1]).startswith("QRE(kuhn_poker: lambda 0.0")
    assert "lambda 3" in repr(trace_qre(kuhn, max_lam=3.0))


def test_refusals(kuhn):
    with pytest.raises(TreeTooLarge, match="max_sequences"):
        trace_qre(kuhn, max_sequences=10)
    for lam in (-1.0, float("nan"), float("inf"), 1e11):
        with pytest.raises(ParameterError, match="a number from 0 to"):
            qre(kuhn, lam)
    for end in (-1.0, float("nan")):
        with pytest.raises(ParameterError, match=r"regret.*number >= 0"):
            trace_qre(kuhn, regret=end)
        with pytest.raises(ParameterError, match=r"nash_conv.*number >= 0"):
            trace_qre(kuhn, nash_conv=end)
    with pytest.raises(ParameterError, match="caution"):
        qre(kuhn, 1.0, caution=0.5)


def test_lost_branches_are_told(kuhn, monkeypatch):
    monkeypatch.setattr(LogitEquations, "correct", lambda *_: None)
    assert trace_qre(kuhn).stopped == "lost"
    with pytest.raises(BranchLost, match="beyond lambda = 0"):
        list(follow(LogitEquations(kuhn), 1.0))


# ------------------------------------------------------------------------------------------ fits


def counts_of(point: QRE, plays: int, seed: int) -> np.ndarray:
    return Draws.from_plays(point.profile, plays, np.random.default_rng(seed)).counts


@pytest.mark.parametrize(
    ("name", "lam"),
    [("kuhn_poker", 3.0), ("stripped_poker", 2.0), ("centipede", 0.02), ("onuw_robber3_talk", 2.0)],
)
def test_fits_find_lambda(name, lam):
    tree = tree_named(name)
    counts = counts_of(qre(tree, lam), 2000, 1)
    fit = fit_qre(tree, counts)
    assert abs(fit.lam - lam) < 4.0 * fit.standard_error
    assert 0.0 < fit.standard_error < 0.2 * lam
    assert not fit.at_end
    total = counts.sum(axis=0)
    assert fit.log_likelihood == pytest.approx(float(total @ fit.qre.log_probabilities))
    assert fit.uniform_log_likelihood == pytest.approx(
        float(total @ qre(tree, 0.0).log_probabilities)
    )
    assert (fit.log_likelihood >= fit.log_likelihoods - 1e-9).all()
    for side in (-1e-3, 1e-3):  # a maximum, with the curvature that was said
        nearby = qre(tree, fit.lam * (1.0 + side))
        loss = fit.log_likelihood - float(total @ nearby.log_probabilities)
        curve = 0.5 * (side * fit.lam / fit.standard_error) ** 2
        assert loss == pytest.approx(curve, rel=0.05, abs=1e-7)


def test_a_fit_in_closed_form():
    """One agent, two actions: the logit of the frequency."""
    game = ExtensiveGame("choice", decision(0, "A", {"L": leaf(3), "R": leaf(1)}))
    seen = []
    fit = fit_qre(
        game,
        {"P1: A": {"L": 30, "R": 10}},
        max_lam=50.0,
        progress=lambda lam, x: seen.append((lam, x)),
    )
    assert fit.lam == pytest.approx(np.log(3.0) / 2.0, abs=1e-9)
    assert fit.standard_error == pytest.approx((4.0 * 40 * 0.25 * 0.75) ** -0.5, rel=1e-5)
    assert fit.log_likelihood == pytest.approx(30 * np.log(0.75) + 10 * np.log(0.25))
    assert seen == list(zip(fit.lams.tolist(), fit.log_likelihoods.tolist()))
    assert "±" in repr(fit)


def test_fits_at_the_ends():
    game = ExtensiveGame("choice", decision(0, "A", {"L": leaf(3), "R": leaf(1)}))
    best = fit_qre(game, {"P1: A": {"L": 5}})
    assert best.at_end
    assert best.lam == pytest.approx(500.0)
    assert np.isnan(best.standard_error)
    assert "largest tried" in repr(best)
    worst = fit_qre(game, {"P1: A": {0: 1, 1: 5}})
    assert (worst.lam, worst.at_end) == (0.0, False)
    assert worst.log_likelihood == worst.uniform_log_likelihood


def test_fits_past_a_turn():
    """The branch of the loopback game is searched leg by leg, also where lambda falls."""
    trace = limit_of("loopback")
    k = int(trace.turning_points[0]) + 5
    assert trace.lams[k + 1] < trace.lams[k]
    fit = fit_qre(LOOPBACK, 1000.0 * np.exp(trace.log_probabilities[k]) * [0, 0, 1, 1, 1, 1])
    assert fit.qre.log_probabilities == pytest.approx(trace.log_probabilities[k], abs=1e-3)
    assert fit.lam == pytest.approx(trace.lams[k], abs=1e-3)


def test_counts_may_be_given_in_several_ways(kuhn):
    counts = counts_of(qre(kuhn, 2.0), 300, 0)
    one, two = fit_qre(kuhn, counts), fit_qre(kuhn, counts.sum(axis=0))
    named = {
        key: dict(zip(kuhn.action_names(h), counts.sum(axis=0)[kuhn.slice(h)].tolist()))
        for h, key in enumerate(kuhn.keys)
    }
    assert one.lam == two.lam == fit_qre(kuhn, named).lam


def test_counts_that_are_refused(kuhn):
    good = counts_of(qre(kuhn, 2.0), 10, 0)
    for bad in (good[:, 1:], -good, 0 * good, good * np.nan, np.ones(kuhn.num_sequences)):
        with pytest.raises(PolicyError, match="counts"):
            fit_qre(kuhn, bad)
    with pytest.raises(PolicyError, match="no action"):
        fit_qre(kuhn, {"0": {"Fly": 1}})
    with pytest.raises(PolicyError, match="no information set"):
        fit_qre(kuhn, {"nowhere": {"Bet": 1}})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("p", [Fraction(1, 10**400), sympy.sqrt(2) / 10**400])
def test_a_chance_that_is_too_small_for_a_float(p):
    """Only its logarithm counts where it is a condition of the whole information set."""

    def move(payoff):
        return decision(0, "h", {"left": leaf(payoff, 0), "right": leaf(1, 0)})

    deal = chance({"x": ("1/4", move(4)), "y": ("3/4", move(0))})
    rare = ExtensiveGame("rare", chance({"rare": (p, deal), "usual": (1 - p, leaf(0, 0))}))
    never = qre(rare, 1.0)
    sure = qre(ExtensiveGame("sure", deal), 1.0)
    assert never.beliefs["P1: h"] == pytest.approx((0.25, 0.75), abs=1e-12)
    assert never.log_probabilities == pytest.approx(sure.log_probabilities, abs=1e-12)
    assert trace_qre(rare).converged


def test_logarithms_of_chances():
    for p in (Fraction(1, 3), 0.25, Fraction(1), sympy.sqrt(2) / 2):
        assert log_of(p) == pytest.approx(np.log(float(p)), abs=1e-15)
    assert log_of(Fraction(1, 10**400)) == pytest.approx(-400 * np.log(10), rel=1e-15)
