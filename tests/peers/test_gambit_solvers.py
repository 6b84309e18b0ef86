"""Linear programs and Lemke's algorithm against Gambit's own, in exact arithmetic."""

import io
from fractions import Fraction as F

import pytest

from crywolf.games import textbook
from crywolf.games.efg import format_efg
from crywolf.solvers import GameTree, compile_tree, lemke, solve_zero_sum_exact
from crywolf.solvers.efg_export import to_efg
from crywolf.solvers.exact import evaluate_exact, exact_profile

pygambit = pytest.importorskip("pygambit", reason="run `make peers` to install pygambit")

TURNS = "turn_based_simultaneous_game(game={})"
ZERO_SUM = {
    "kuhn_poker": F(-1, 18),
    "liars_dice(dice_sides=2)": F(1, 2),
    TURNS.format("matrix_rps()"): F(0),
    TURNS.format("matrix_mp()"): F(0),
    TURNS.format("matrix_rpsw()"): None,
    TURNS.format("goofspiel(imp_info=true,num_cards=3,points_order=descending)"): F(0),
    TURNS.format("matrix_brps()"): F(0),
    TURNS.format("goofspiel(imp_info=true,num_cards=2,points_order=descending)"): F(0),
    "dark_hex(board_size=2)": F(1),
    "stripped_poker": F(1, 3),
    "matching_pennies": F(0),
}
GENERAL_SUM = [
    "beer_quiche",
    "gibbons_4_1_1",
    "entry",
    "bos_outside",
    "cheap_talk",
    "chicken",
    "stag_hunt",
    "prisoners_dilemma",
    "battle_of_the_sexes",
    "spence",
]


def tree_of(name) -> GameTree:
    return compile_tree(getattr(textbook, name)() if hasattr(textbook, name) else name)


def in_gambit(tree):
    return pygambit.read_efg(io.BytesIO(format_efg(to_efg(tree)).encode()))


def fraction(x) -> F:
    return F(str(x))


def sets_by_label(tree, game):
    """Gambit's information sets by our keys: they come in the order of the tree's own nodes."""
    pairs = {}
    for player in range(tree.num_players):
        ours = [h for h in range(tree.num_infosets) if tree.owner[h] == player]
        ours.sort(key=lambda h: tree.nodes_of(h)[0])
        theirs = list(list(game.players)[player].infosets)
        assert len(ours) == len(theirs)
        pairs |= dict(zip(ours, theirs, strict=True))
    return pairs


def to_ours(tree, game, profile):
    strategies = {}
    for h, infoset in sets_by_label(tree, game).items():
        names = tree.action_names(h)
        assert len(names) == len(infoset.actions)
        mix = [fraction(profile[action]) for action in infoset.actions]
        strategies[tree.keys[h]] = dict(zip(names, mix, strict=True))
    return exact_profile(tree, strategies)


def to_theirs(tree, game, probabilities):
    profile = game.mixed_behavior_profile(rational=True)
    for h, infoset in sets_by_label(tree, game).items():
        for action, p in zip(infoset.actions, probabilities[tree.slice(h)], strict=True):
            profile[action] = pygambit.Rational(F(p).numerator, F(p).denominator)
    return profile


@pytest.mark.parametrize("name", ZERO_SUM)
def test_values_of_zero_sum_games(name):
    tree = tree_of(name)
    game = in_gambit(tree)
    found = solve_zero_sum_exact(tree)
    (theirs,) = pygambit.nash.lp_solve(game, rational=True).equilibria[:1]
    assert fraction(theirs.payoff(next(iter(game.players)))) == found.values[0]
    if ZERO_SUM[name] is not None:
        assert found.values[0] == ZERO_SUM[name]
    assert evaluate_exact(tree, to_ours(tree, game, theirs)).nash_conv == 0
    ours = to_theirs(tree, game, found.probabilities)
    assert fraction(ours.payoff(next(iter(game.players)))) == found.values[0]
    assert ours.max_regret() == 0


@pytest.mark.parametrize("name", GENERAL_SUM)
def test_equilibria_of_general_sum_games(name):
    tree = tree_of(name)
    game = in_gambit(tree)
    found = lemke(tree)
    ours = to_theirs(tree, game, found.probabilities)
    assert ours.max_regret() == 0
    for player, value in zip(game.players, found.values, strict=True):
        assert fraction(ours.payoff(player)) == value
    theirs = pygambit.nash.lcp_solve(game, rational=True).equilibria
    for profile in theirs:
        assert evaluate_exact(tree, to_ours(tree, game, profile)).nash_conv == 0
