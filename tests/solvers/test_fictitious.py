"""Fictitious play against mixed normal-form plans, OpenSpiel's program, and CFR+."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from open_spiel.python.algorithms import fictitious_play

from crywolf.games import textbook
from crywolf.games.errors import ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import CFRPlus, GameTree, Profile, compile_tree, evaluate, nash_conv
from crywolf.solvers.exact import _gradient, _plan
from crywolf.solvers.fictitious import FictitiousPlay
from crywolf.solvers.tree import sequences_of

from .conftest import GENERAL_SUM

ZERO_SUM = [
    "kuhn_poker",
    "leduc_poker",
    "liars_dice(dice_sides=2)",
    "liars_dice(dice_sides=3)",
    "turn_based_simultaneous_game(game=matrix_mp())",
    "turn_based_simultaneous_game(game=matrix_rps())",
    "turn_based_simultaneous_game(game=matrix_brps())",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=3))",
    "turn_based_simultaneous_game(game=goofspiel(num_cards=3,imp_info=True,points_order=descending))",
    "ending",
    "stripped_poker",
]


def ending() -> ExtensiveGame:
    """A game of perfect information, two moves each, won, lost or drawn."""
    values = np.random.default_rng(0).integers(-1, 2, size=(3, 3, 2, 2)).tolist()

    def move(depth, path, rest):
        if not isinstance(rest, list):
            return leaf(rest, -rest)
        moves = {f"{k}": move(depth + 1, f"{path}{k}", r) for k, r in enumerate(rest)}
        return decision(depth % 2, f"after {path or 'nothing'}", moves)

    return ExtensiveGame("ending", move(0, "", values))


OURS = {"ending": ending, "stripped_poker": textbook.stripped_poker}


def game_of(tree_of, name) -> GameTree:
    return compile_tree(OURS[name]()) if name in OURS else tree_of(name)


# ----------------------------------------------------------------------------- by other methods


def plans_of(tree: GameTree, player: int) -> list[dict[int, int]]:
    """The pure plans of a player: {information set: rank of the action}."""
    sets = range(int(tree.blocks[player]), int(tree.blocks[player + 1]))
    choices = product(*(range(int(tree.num_actions[h])) for h in sets))
    return [dict(zip(sets, ranks)) for ranks in choices]


def normal_form_play(tree: GameTree, iterations: int) -> list[list[Fraction]]:
    """The plans' weights after fictitious play in the normal form, exactly.

    Each player mixes whole plans, starting with all alike, which is the uniform profile. Equally
    good plans share the weight of a response: in generic games they differ only where they
    themselves do not lead.
    """
    plans = [plans_of(tree, p) for p in range(tree.num_players)]
    weights = [[Fraction(1, len(rows))] * len(rows) for rows in plans]
    for t in range(1, iterations + 1):
        responses = []
        for p in range(tree.num_players):
            values = [value_against(tree, p, plan, plans, weights) for plan in plans[p]]
            best = [k for k, v in enumerate(values) if v == max(values)]
            responses.append(best)
        for p, best in enumerate(responses):
            share = Fraction(1, len(best))
            weights[p] = [
                (w * t + (share if k in best else 0)) / (t + 1) for k, w in enumerate(weights[p])
            ]
    return weights


def value_against(tree, player, plan, plans, weights) -> Fraction:
    """The exact value of a pure plan to its player against the others' mixtures of pure plans."""
    probabilities, payoffs = tree.exact_tables
    total = Fraction(0)
    others = [p for p in range(tree.num_players) if p != player]
    for combination in product(*(range(len(plans[p])) for p in others)):
        chosen = dict(plan)
        weight = Fraction(1)
        for p, k in zip(others, combination):
            chosen |= plans[p][k]
            weight *= weights[p][k]
        total += weight * played(tree, chosen, probabilities, payoffs)[player]
    return total


def played(tree, chosen, probabilities, payoffs) -> list[Fraction]:
    """Everybody's expected payoffs when pure plans are played."""
    total = [Fraction(0)] * tree.num_players
    for node in tree.leaves.tolist():
        weight, at = Fraction(1), node
        while at > 0:
            above = int(tree.parent[at])
            h = int(tree.node_infoset[above])
            if h < 0:
                weight *= Fraction(probabilities[tree.probability[at]])
            elif chosen[h] != int(tree.branch[at]):
                weight = Fraction(0)
            at = above
        for p in range(tree.num_players):
            total[p] += weight * Fraction(payoffs[tree.payoff[node]][p])
    return total


def realised(tree, plans, weights) -> list[Fraction]:
    """The realisation plan of mixtures of pure plans: the weight of the plans that allow each
    sequence (Kuhn 1953)."""
    plan = [Fraction(1)] * tree.num_sequences
    for p in range(tree.num_players):
        for h in range(int(tree.blocks[p]), int(tree.blocks[p + 1])):
            for s in range(tree.slice(h).start, tree.slice(h).stop):
                plan[s] = sum(
                    (w for k, w in zip(plans[p], weights[p]) if allows(tree, k, s)), Fraction(0)
                )
    return plan


def allows(tree, plan, s) -> bool:
    while s >= tree.num_players:
        h = int(np.searchsorted(tree.first, s, side="right")) - 1
        if plan[h] != s - int(tree.first[h]):
            return False
        s = int(tree.parent_sequence[h])
    return True


def tiny_games():
    def third(*u):
        return decision(2, "C", {"x": leaf(*u[:3]), "y": leaf(*u[3:])})

    def call(*u):
        return decision(1, "raised", {"pass": leaf(*u[:2]), "call": leaf(*u[2:])})

    red = decision(0, "red", {"raise": call(11, -9, 23, -19), "fold": leaf(10, -10)})
    black = decision(0, "black", {"raise": call(12, -8, -17, 21), "fold": leaf(-9, 11)})
    return [
        ExtensiveGame(
            "generic",
            decision(
                0,
                "A",
                {
                    "L": decision(1, "B", {"l": leaf(3, -1), "r": leaf(-2, 5)}),
                    "M": decision(1, "B", {"l": leaf(-1, 4), "r": leaf(6, -3)}),
                    "R": decision(
                        1,
                        "D",
                        {
                            "l": decision(0, "E", {"u": leaf(7, 2), "d": leaf(-3, 1)}),
                            "r": decision(0, "E", {"u": leaf(-4, -2), "d": leaf(2, 3)}),
                        },
                    ),
                },
            ),
        ),
        ExtensiveGame(
            "three players",
            chance(
                {
                    "h": (
                        "1/3",
                        decision(
                            0, "A", {"a": third(5, 1, -2, -3, 2, 7), "b": third(1, 4, 3, 2, -6, -1)}
                        ),
                    ),
                    "t": (
                        "2/3",
                        decision(
                            1, "B", {"a": third(-1, 2, 5, 3, 7, -4), "b": third(2, -3, 1, 6, 5, 2)}
                        ),
                    ),
                }
            ),
        ),
        ExtensiveGame("poker", chance({"red": ("4/7", red), "black": ("3/7", black)})),
    ]


@pytest.mark.parametrize("game", tiny_games(), ids=lambda game: game.name)
def test_is_fictitious_play_in_the_normal_form(game):
    """The averages of realisation plans are those of the mixtures of pure plans."""
    tree = compile_tree(game)
    plans = [plans_of(tree, p) for p in range(tree.num_players)]
    solver = FictitiousPlay(tree)
    for iterations in (0, 1, 2, 5, 9):
        solver.run(iterations - solver.iteration)
        weights = normal_form_play(tree, iterations)
        plan = realised(tree, plans, weights)
        expected = np.array([float(x) for x in plan]) * (iterations + 1)
        assert solver.state()["total"] == pytest.approx(expected, abs=1e-9)


def exact_play(tree: GameTree, iterations: int, ties: str) -> list[Fraction]:
    """The average realisation plans in rational arithmetic, from the definition."""
    total = _plan(tree, [Fraction(1, m) for m in action_counts(tree)])
    for t in range(1, iterations + 1):
        average = [x / t for x in total]
        gradient = _gradient(tree, average)
        behaviour = [Fraction(1)] * tree.num_sequences
        for h in reversed(range(tree.num_infosets)):
            row = range(tree.slice(h).start, tree.slice(h).stop)
            best = max(gradient[s] for s in row)
            chosen = [s for s in row if gradient[s] == best]
            chosen = chosen if ties == "all" else chosen[:1]
            for s in row:
                behaviour[s] = Fraction(s in chosen, len(chosen))
            gradient[int(tree.parent_sequence[h])] += best
        total = [a + b for a, b in zip(total, _plan(tree, behaviour))]
    return total


def action_counts(tree: GameTree) -> list[int]:
    return [1] * tree.num_players + np.repeat(tree.num_actions, tree.num_actions).tolist()


@pytest.mark.parametrize("ties", ["first", "all"])
@pytest.mark.parametrize(
    ("name", "iterations"),
    [
        ("kuhn_poker", 12),
        ("kuhn_poker(players=3)", 5),
        ("onuw_robber3", 12),
        ("onuw_robber3_talk", 8),
        (GENERAL_SUM, 10),
    ],
)
def test_equals_exact_arithmetic(tree_of, name, iterations, ties):
    tree = tree_of(name)
    solver = FictitiousPlay(tree, ties=ties)
    solver.run(iterations)
    expected = [float(x) for x in exact_play(tree, iterations, ties)]
    assert solver.state()["total"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("name", "iterations"), [("kuhn_poker", 8), ("kuhn_poker(players=3)", 3)])
def test_is_as_exploitable_as_openspiels(tree_of, name, iterations):
    """Ties are broken otherwise there, so the NashConvs agree roughly; at first, exactly."""
    tree = tree_of(name)
    theirs, ours = fictitious_play.XFPSolver(tree.game), FictitiousPlay(tree)
    theirs.iteration()
    ours.run(1)
    average = Profile.from_policy(tree, theirs.average_policy().to_tabular())
    assert ours.average_profile().probabilities == pytest.approx(average.probabilities, abs=1e-9)
    for _ in range(iterations):
        theirs.iteration()
    ours.run(iterations)
    average = Profile.from_policy(tree, theirs.average_policy().to_tabular())
    assert nash_conv(ours.average_profile()) == pytest.approx(nash_conv(average), rel=0.5)


# --------------------------------------------------------------------------------- convergence


@pytest.mark.parametrize("ties", ["first", "all"])
@pytest.mark.parametrize("name", ZERO_SUM)
def test_finds_the_value_of_zero_sum_games(tree_of, name, ties):
    tree = game_of(tree_of, name)
    scale = float(np.ptp(tree.payoff_table, axis=0).max())
    solver = FictitiousPlay(tree, ties=ties)
    solver.run(2000)
    result = evaluate(solver.average_profile())
    assert result.nash_conv < 0.02 * scale
    cfr = CFRPlus(tree)
    cfr.run(1000)
    value = evaluate(cfr.average_profile())
    # The value lies between what each player can still be held to.
    assert abs(result.values[0] - value.values[0]) <= result.nash_conv + value.nash_conv + 1e-12


def test_value_of_kuhn_poker(kuhn):
    solver = FictitiousPlay(kuhn)
    solver.run(100_000)
    result = evaluate(solver.average_profile())
    assert result.nash_conv < 2e-3
    assert result.values[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_pure_equilibria_are_found_at_once():
    tree = compile_tree(textbook.entry())
    solver = FictitiousPlay(tree)
    solver.run(10)
    assert solver.current_profile().strategy("P2: incumbent") == {"Fight": 0.0, "Accommodate": 1.0}
    assert solver.current_profile().strategy("P1: entrant") == {"Out": 0.0, "In": 1.0}
    assert nash_conv(solver.current_profile()) == 0.0


def test_shapleys_game_does_not_converge():
    """Shapley (1964): the averages cycle for ever in this general-sum game."""
    payoffs = [[(1, 0), (0, 0), (0, 1)], [(0, 1), (1, 0), (0, 0)], [(0, 0), (0, 1), (1, 0)]]

    def second(row):
        return decision(1, "2", {f"c{j}": leaf(*u) for j, u in enumerate(row)})

    tree = compile_tree(
        ExtensiveGame(
            "shapley", decision(0, "1", {f"r{i}": second(row) for i, row in enumerate(payoffs)})
        )
    )
    solver = FictitiousPlay(tree)
    for _ in range(5):
        solver.run(20_000)
        assert nash_conv(solver.average_profile()) > 0.05


# ------------------------------------------------------------------------------- the interface


def test_runs_add_up(kuhn):
    choices: list[dict[str, Any]] = [{}, {"ties": "all"}, {"gamma": 1.0}]
    for options in choices:
        at_once, in_parts = FictitiousPlay(kuhn, **options), FictitiousPlay(kuhn, **options)
        at_once.run(70)
        for part in (1, 0, 9, 60):
            in_parts.run(part)
        assert at_once.iteration == in_parts.iteration == 70
        assert at_once.average_profile() == in_parts.average_profile()
        assert at_once.current_profile() == in_parts.current_profile()


def test_state_and_settings_restore_a_run(kuhn):
    solver = FictitiousPlay(kuhn, ties="all", gamma=2.0)
    solver.run(20)
    state = {name: array.copy() for name, array in solver.state().items()}
    again = FictitiousPlay.resume(kuhn, solver.settings(), solver.iteration, state)
    solver.run(15)
    again.run(15)
    assert again.average_profile() == solver.average_profile()
    assert (again.ties, again.gamma, again.iteration) == ("all", 2.0, 35)


def test_before_the_first_iteration_everything_is_uniform(kuhn):
    solver = FictitiousPlay(kuhn)
    assert solver.average_profile() == solver.current_profile() == Profile.uniform(kuhn)


def test_ties():
    game = ExtensiveGame(
        "tied", decision(0, "A", {"L": leaf("1/3"), "M": leaf("1/10"), "R": leaf("1/3")})
    )
    tree = compile_tree(game)
    rows: dict[Any, list[float]] = {"first": [1.0, 0.0, 0.0], "all": [0.5, 0.0, 0.5]}
    for ties, row in rows.items():
        solver = FictitiousPlay(tree, ties=ties)
        solver.run(3)
        assert list(solver.current_profile().strategy("P1: A").values()) == row
        uniform, response = np.full(3, 1 / 3), np.array(row)
        assert list(solver.average_profile().strategy("P1: A").values()) == pytest.approx(
            (uniform + 3 * response) / 4
        )


def test_weights_of_later_responses():
    game = ExtensiveGame("one", decision(0, "A", {"L": leaf(1), "R": leaf(0)}))
    solver = FictitiousPlay(compile_tree(game), gamma=1.0)
    solver.run(4)  # weights 1 (uniform), 1, 2, 3, 4
    assert solver.average_profile().strategy("P1: A")["R"] == pytest.approx(0.5 / 11)


def test_responses_are_best(robber3):
    solver = FictitiousPlay(robber3)
    for _ in range(20):
        before = evaluate(solver.average_profile()).best_response_values
        average = solver.average_profile().probabilities
        solver.run(1)
        response = solver.current_profile().probabilities
        for p in range(robber3.num_players):
            mixed = average.copy()
            mine = sequences_of(robber3, p)
            mixed[mine] = response[mine]
            value = evaluate(Profile(robber3, mixed)).values[p]
            assert value == pytest.approx(before[p], abs=1e-9)


def test_games_without_choices():
    lottery = ExtensiveGame("lottery", chance({"a": ("1/4", leaf(4, 0)), "b": ("3/4", leaf(0, 8))}))
    solver = FictitiousPlay(compile_tree(lottery))
    solver.run(3)
    assert evaluate(solver.average_profile()).values.tolist() == [1.0, 6.0]


def test_refusals(kuhn):
    with pytest.raises(ParameterError, match="'first' or 'all'"):
        FictitiousPlay(kuhn, ties="last")  # type: ignore[arg-type]
    for gamma in (-1.0, float("nan"), float("inf"), "much"):
        with pytest.raises(ParameterError, match="gamma"):
            FictitiousPlay(kuhn, gamma=gamma)  # type: ignore[arg-type]
