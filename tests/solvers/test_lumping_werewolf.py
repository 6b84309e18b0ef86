"""Lumped values of Werewolf are those of the whole tree."""

from fractions import Fraction as F
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis.mafia_policies import (
    best_kills,
    best_kills_after,
    best_skips,
    block_votes,
    evenly,
    found,
    found_or_drawn,
    vanilla,
)
from crywolf.games import load_game
from crywolf.games.errors import NotInterchangeable
from crywolf.games.loading import load_rules
from crywolf.games.rules import TERMINAL
from crywolf.games.werewolf.position import Stage
from crywolf.solvers.exact import evaluate_exact
from crywolf.solvers.lumped_response import optimal_response
from crywolf.solvers.lumping import (
    count_leaves,
    optimal_probability,
    outcome_probabilities,
)
from crywolf.solvers.lumps import Lumping
from crywolf.solvers.tree import GameTree

from .interchangeable_games import (
    compiled_response,
    naive_leaves,
    naive_optimum,
    naive_probabilities,
    paying,
)

VOTES = "mountainous(players={},wolves={},elimination=votes)"
DRAWS = "mountainous(players={},wolves={})"
BY_VOTES = [VOTES.format(3, 1), VOTES.format(4, 1)]
BY_DRAWS = [DRAWS.format(n, m) for n, m in ((3, 1), (4, 1), (5, 1), (5, 2), (6, 1), (6, 2), (7, 2))]
WEREWOLF = "werewolf(players={},roles={}werewolf+{}villager,elimination={})"
OTHERS = [
    "mountainous(players=5,wolves=2,end=coin,first=night)",
    WEREWOLF.format(5, "", 4, "random,night_kill=vote,kill_own=True,no_kill=True"),
    WEREWOLF.format(6, 2, 4, "random,night_kill=random,no_lynch=even"),
    WEREWOLF.format(4, "", 3, "votes,ties=nobody,abstain=True,max_days=1"),
    WEREWOLF.format(4, "", 3, "proposer,reveal_day=role,no_lynch=allowed"),
    "werewolf(players=4,roles=werewolf+seer+guard+villager,elimination=random,guard_repeat=False)",
    "lovers(town=4)",
    "vengeful",
]  # fmt: skip
NUMBERED = [
    "mountainous(players=5,wolves=1,elimination=order)",
    WEREWOLF.format(4, "", 3, "votes,vote=sequential"),
]
SEER = "one_seer(players=5,wolves=1)"


def rules(game) -> Any:
    return load_rules(game)


@pytest.mark.parametrize("game", [*BY_VOTES, *BY_DRAWS, *OTHERS])
def test_uniform_play(game):
    lumped = outcome_probabilities(game, evenly)
    assert lumped.probabilities == naive_probabilities(rules(game), evenly)
    plain = outcome_probabilities(game, evenly, lump=False)
    assert plain.probabilities == lumped.probabilities
    assert lumped.lumps <= plain.lumps


@pytest.mark.parametrize("game", [*BY_VOTES, *BY_DRAWS])
def test_uniform_play_on_the_compiled_tree(game):
    """Payoffs 1 and -1 by team: a second way to the same number."""
    tree = GameTree.compile(load_game(game))
    row = [F(1)] * tree.num_sequences
    for h in range(tree.num_infosets):
        row[tree.slice(h)] = [F(1, len(tree.legal[h]))] * len(tree.legal[h])
    town = outcome_probabilities(game, evenly)["town"]
    n, m = tree.num_players, rules(game).parameters["wolves"]
    assert set(evaluate_exact(tree, row).values) == {(2 * town - 1) * (1 - F(2 * m, n))}
    assert count_leaves(game).value == tree.num_leaves


@pytest.mark.parametrize("game", [*BY_VOTES, DRAWS.format(6, 2), *OTHERS])
def test_leaves(game):
    assert count_leaves(game).value == naive_leaves(rules(game))


@pytest.mark.parametrize(
    ("game", "decisions"),
    [
        (DRAWS.format(5, 2), best_kills),
        (DRAWS.format(7, 2), best_kills),
        ("mountainous(players=6,wolves=2,no_lynch=allowed)", best_skips),
        (WEREWOLF.format(6, 2, 4, "random,kill_own=True,no_kill=True"), best_kills),
        ("red_flag(mafia=2,town=3)", best_kills),
        (VOTES.format(4, 1), best_kills),
        (VOTES.format(4, 1), block_votes),
        (SEER, found),
        (SEER, found_or_drawn),
        (SEER, best_kills_after(found)),
    ],
)
def test_optima(game, decisions):
    value = optimal_probability(game, "town", decisions).value
    assert value == naive_optimum(rules(game), "town", decisions)
    assert value == optimal_probability(game, "town", decisions, lump=False).value


@pytest.mark.parametrize(
    ("game", "policy"),
    [(VOTES.format(3, 1), evenly), (VOTES.format(4, 1), evenly), (DRAWS.format(5, 2), evenly)],
)
@pytest.mark.parametrize("outcome", ["town", "wolves"])
def test_responses(game, policy, outcome):
    twin = paying(rules(game), outcome)
    tree = GameTree.compile(twin)
    for player in (0, tree.num_players - 1):
        expected = compiled_response(twin, tree, player, policy)
        assert optimal_response(game, player, outcome, policy).value == expected


@pytest.mark.slow
@pytest.mark.parametrize("policy", [vanilla, found])
def test_the_seer_on_the_compiled_tree(policy):
    """A best response of one player in a game of 5, whom chance may or may not make the Seer."""
    twin = paying(rules(SEER), "town")
    tree = GameTree.compile(twin)
    expected = compiled_response(twin, tree, 0, policy)
    assert optimal_response(SEER, 0, "town", policy).value == expected


@settings(max_examples=40)
@given(st.sampled_from([SEER, *OTHERS, *BY_VOTES, "one_seer(players=7,wolves=2)"]), st.data())
def test_renamed_positions_have_equal_values(game, data):
    """Along random plays, after the cards are dealt."""
    game = rules(game)
    position = game.initial().position
    for _ in range(data.draw(st.integers(0, 25))):
        if game.mover(position) == TERMINAL:
            break
        action = data.draw(st.sampled_from(game.actions(position)))
        position = game.play(position, action).position
    renamed = game.relabelled(position, data.draw(st.permutations(range(game.num_players))))
    if position.stage is not Stage.DEAL:
        assert outcome_probabilities(game, evenly, start=renamed).probabilities == (
            outcome_probabilities(game, evenly, start=position).probabilities
        )
        assert (
            optimal_probability(game, "town", best_kills, start=renamed).value
            == optimal_probability(game, "town", best_kills, start=position).value
        )
    assert Lumping(game).canonical(renamed) == Lumping(game).canonical(position)


@pytest.mark.parametrize("game", NUMBERED)
def test_numbered_seats_are_refused(game):
    with pytest.raises(NotInterchangeable, match=r"\(.*it matters how the players are numbered"):
        outcome_probabilities(game, evenly)
    found = outcome_probabilities(game, evenly, lump=False)
    assert found.probabilities == naive_probabilities(rules(game), evenly)
