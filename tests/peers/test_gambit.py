"""Gambit as a second opinion: payoffs, equilibria and beliefs of exact profiles."""

import io
from fractions import Fraction as F

import numpy as np
import pytest

from crywolf.analysis import onuw_theorems as onuw
from crywolf.analysis.claims import pure_profiles
from crywolf.games import load_game, rules_of, textbook
from crywolf.games.rules import CHANCE, TERMINAL
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.pbe import Assessment, verify
from crywolf.solvers.tree import GameTree

pygambit = pytest.importorskip("pygambit", reason="run `make peers` to install pygambit")


def to_gambit(tree):
    """The tree as a Gambit game, through an .efg text with exact fractions."""
    names = " ".join(f'"P{p + 1}"' for p in range(tree.num_players))
    lines = [f'EFG 2 R "{tree.name}" {{ {names} }}', '""', ""]
    children = [[] for _ in range(tree.num_nodes)]
    for node in range(1, tree.num_nodes):
        children[int(tree.parent[node])].append(node)

    def walk(node):
        player, h = int(tree.player[node]), int(tree.node_infoset[node])
        if player == TERMINAL:
            payoffs = ", ".join(map(str, tree.payoffs[tree.payoff[node]]))
            lines.append(f't "" {node + 1} "o{node}" {{ {payoffs} }}')
        elif player == CHANCE:
            rows = (
                f'"{i}" {tree.probabilities[tree.probability[c]]}'
                for i, c in enumerate(children[node])
            )
            lines.append(f'c "" {node + 1} "" {{ {" ".join(rows)} }} 0')
        else:
            actions = " ".join(f'"{name}"' for name in tree.action_names(h))
            number = h - int(tree.blocks[player]) + 1
            lines.append(f'p "" {player + 1} {number} "{label(tree.keys[h])}" {{ {actions} }} 0')
        for child in children[node]:
            walk(child)

    walk(0)
    return pygambit.read_efg(io.BytesIO("\n".join(lines).encode()))


def label(key):
    """An information-state string that needs no escapes in an .efg text."""
    return key.replace('"', "'")


def rational(x):
    return pygambit.Rational(x.numerator, x.denominator)


def in_gambit(tree, strategies):
    """The exact behaviour profile in Gambit."""
    game = to_gambit(tree)
    profile = game.mixed_behavior_profile(rational=True)
    mixes = {label(key): mix for key, mix in strategies.items()}
    for infoset in game.infosets:
        for action in infoset.actions:
            profile[action] = rational(F(mixes[infoset.label].get(action.label, 0)))
    return game, profile


def random_strategies(tree, seed):
    rng = np.random.default_rng(seed)
    strategies = {}
    for h, key in enumerate(tree.keys):
        weights = [F(int(w)) for w in rng.integers(0, 4, len(tree.legal[h]))]
        weights[0] += not sum(weights)
        strategies[key] = {
            name: w / sum(weights) for name, w in zip(tree.action_names(h), weights, strict=True)
        }
    return strategies


GAMES = [
    rules_of(load_game("onuw_robber3")),
    rules_of(load_game("onuw_robber3_official")),
    rules_of(load_game("onuw_robber3_talk")),
    textbook.selten_horse(),
    textbook.beer_quiche(),
    textbook.bos_outside(),
    textbook.stripped_poker(),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name + str(dict(game.parameters)))
@pytest.mark.parametrize("seed", range(3))
def test_payoffs_and_nash_agree(game, seed):
    tree = GameTree.compile(game)
    strategies = random_strategies(tree, seed)
    gambit, profile = in_gambit(tree, strategies)
    found = evaluate_exact(tree, exact_profile(tree, strategies))
    assert [F(str(profile.payoff(player))) for player in gambit.players] == list(found.values)
    strategic = profile.as_strategy()
    for player, gain in zip(gambit.players, found.gains, strict=True):
        best = max(F(str(strategic.strategy_value(s))) for s in player.strategies)
        assert best - F(str(strategic.payoff(player))) == gain


@pytest.mark.parametrize("p", [F(0), F(1, 3), F(1)])
def test_theorem_4_1_has_no_regret_in_gambit(p):
    tree = GameTree.compile(load_game(onuw.GAME))
    half = F(1, 2)
    _, profile = in_gambit(tree, onuw.strategies((F(0), half, half), F(0), F(0), p))
    assert profile.as_strategy().max_regret() == 0


@pytest.mark.parametrize("alpha", [F(1, 4), F(3, 10), F(2, 5), F(1, 2)])
def test_theorem_4_2_agent_values_and_beliefs_in_gambit(alpha):
    tree = GameTree.compile(load_game(onuw.GAME))
    rest = (1 - alpha) / 2
    q = (2 * rest - alpha) / (2 * alpha)
    strategies = onuw.strategies((alpha, rest, rest), q, q, F(1, 2))
    gambit, profile = in_gambit(tree, strategies)
    assert profile.as_strategy().max_regret() == 0
    verdict = verify(tree, Assessment(strategies), "sequential")
    assert verdict.holds
    for infoset in gambit.infosets:
        assert F(str(profile.infoset_value(infoset))) == verdict.set_values[infoset.label]


def test_gambits_own_equilibria_are_verified():
    """Every pure equilibrium that Gambit enumerates is a Nash equilibrium here, and no other is."""
    tree = GameTree.compile(load_game(onuw.GAME))
    gambit = to_gambit(tree)
    found = pygambit.nash.enumpure_solve(gambit).equilibria
    assert len(found) > 0
    outcomes = set()
    for mixed in found:
        profile = mixed.as_behavior()
        strategies = {}
        for infoset in gambit.infosets:
            mix = {a.label: F(str(profile[a])) for a in infoset.actions}
            # Gambit leaves a set open that the plan itself avoids
            first = next(iter(mix))
            strategies[infoset.label] = mix if sum(mix.values()) == 1 else {first: F(1)}
        verdict = verify(tree, Assessment(strategies), "nash")
        assert verdict.holds
        outcomes.add(verdict.values)
    ours = set()
    for pure in pure_profiles(tree):
        verdict = verify(tree, Assessment(pure), "nash")
        if verdict.holds:
            ours.add(verdict.values)
    assert outcomes == ours
