"""The mean NashConv of observed frequencies, against an enumeration of all games."""

import dataclasses
import itertools
from collections import Counter
from fractions import Fraction as F
from typing import Any

import pytest

from crywolf.analysis import onuw_theorems as onuw
from crywolf.analysis.claims import uniform_strategies
from crywolf.analysis.frequency_claims import mean_nash_conv
from crywolf.analysis.theorems import THEOREMS
from crywolf.games.errors import UnsupportedGame
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.tree import compile_tree

TREE = compile_tree(onuw.GAME)
SKEWED = onuw.strategies((F(1, 2), F(1, 6), F(1, 3)), F(1, 4), F(2, 3), F(1, 5), F(4, 5))
DUEL = ExtensiveGame(
    "duel",
    decision(
        0, "one", {a: decision(1, "two", {b: leaf(x, -x) for b, x in row.items()}) for a, row in
                   {"u": {"l": F(1, 3), "r": -2}, "d": {"l": 0, "r": F(5, 2)}}.items()}
    ),
)  # fmt: skip


def by_enumeration(tree, strategies, games):
    """Every way in which the games may go."""
    profile = exact_profile(tree, strategies)
    ways = []
    for end in tree.leaves:
        chance, moves, node = F(1), [], int(end)
        while node > 0:
            h = int(tree.node_infoset[tree.parent[node]])
            s = int(tree.first[h]) + int(tree.branch[node])
            chance *= profile[s]
            moves.append(s)
            node = int(tree.parent[node])
        ways.append((chance, moves))
    mean = F(0)
    for played in itertools.product([w for w in ways if w[0]], repeat=games):
        chance, seen = F(1), Counter()
        for p, moves in played:
            chance *= p
            seen.update(moves)
        estimate = []
        for h in range(tree.num_infosets):
            row = range(int(tree.first[h]), int(tree.first[h]) + int(tree.num_actions[h]))
            total = sum(seen[s] for s in row)
            estimate += [F(seen[s], total) if total else F(1, len(row)) for s in row]
        mean += chance * evaluate_exact(tree, [F(1)] * tree.num_players + estimate).nash_conv
    return mean


@pytest.mark.parametrize("games", [1, 2])
@pytest.mark.parametrize(
    "strategies", [uniform_strategies(TREE), SKEWED], ids=["uniform", "skewed"]
)
def test_every_way_in_which_few_games_may_go(strategies, games):
    assert mean_nash_conv(TREE, strategies, games) == by_enumeration(TREE, strategies, games)


def test_payoffs_and_numbers_of_players_of_other_games():
    tree = compile_tree(DUEL)
    strategies = {"P1: one": {"u": F(1, 3), "d": F(2, 3)}, "P2: two": {"l": F(1, 4), "r": F(3, 4)}}
    for games in (1, 2, 4):
        assert mean_nash_conv(tree, strategies, games) == by_enumeration(tree, strategies, games)


@pytest.mark.parametrize("game", ["kuhn_poker", "selten_horse"])
def test_games_in_which_moves_decide_who_moves_are_refused(game):
    tree = compile_tree(game)
    with pytest.raises(UnsupportedGame, match="depends on the others"):
        mean_nash_conv(tree, uniform_strategies(tree), 2)


def test_another_mean_is_refuted():
    claim: Any = THEOREMS["onuw_bias_robbed_vote_10_games"]
    assert claim.check().status == "verified"
    finding = dataclasses.replace(claim, mean=F(0)).check()
    assert finding.status == "refuted"
    assert "on average" in finding.violations[0]
