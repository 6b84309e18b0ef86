"""Laws that every agent keeps, in every game: distributions, and functions of the view."""

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis.agents import AGENTS, AgentPolicy, Knowledge, agent
from crywolf.analysis.agents.knowledge import checked
from crywolf.games import TERMINAL, Onuw, advance, load_game, start
from crywolf.solvers import GameTree

GAMES = [
    Onuw(players=3, centre=0, roles="2werewolf+robber", deal="fixed", talk="robber"),
    Onuw(players=3, centre=2, roles="2werewolf+robber+seer+villager"),
    Onuw(players=4, centre=2, roles="2werewolf+robber+seer+2villager", lone_wolf_looks=True),
]


@settings(max_examples=100)
@given(st.sampled_from(GAMES), st.data())
def test_every_agent_plays_every_decision(rules, data: st.DataObject):
    cursor = start(rules)
    while (mover := rules.mover(cursor.position)) != TERMINAL:
        if mover >= 0:
            legal = rules.legal_actions(cursor.position)
            knowledge = Knowledge(rules, mover, cursor.views[mover], legal)
            for name in AGENTS:
                row = checked(agent(name), knowledge)  # raises unless it is a distribution
                assert tuple(row) == legal
                assert all(type(p) is Fraction for p in row.values())
        action = data.draw(st.sampled_from(rules.actions(cursor.position)))
        cursor = advance(rules, cursor, action)


TREES = [
    "onuw(players=3,centre=1,roles=werewolf+seer+robber+villager)",
    "werewolf(players=4,roles=werewolf+seer+2villager,first=night,max_days=1,talk=results)",
    "one_seer(players=5,wolves=1)",
]


@cache
def compiled(game: str) -> GameTree:
    return GameTree.compile(load_game(game))


@pytest.mark.parametrize("name", sorted(AGENTS))
@pytest.mark.parametrize("game", TREES)
def test_answers_are_those_of_the_information_set(game: str, name: str):
    """Asked anew at the nodes of a set, an agent answers the same: it is told no more."""
    tree = compiled(game)
    sets = range(0, tree.num_infosets, 1 + tree.num_infosets // 50)
    shared = 0
    for h in sets:
        nodes = tree.nodes_of(h)
        answers = set()
        for node in {nodes[0], nodes[len(nodes) // 2], nodes[-1]}:
            state = tree.game.new_initial_state()
            for action in tree.history(node):
                state.apply_action(action)
            answers.add(tuple(AgentPolicy(tree.game, name).exact(state).items()))
            shared += 1
        assert len(answers) == 1
    assert shared > len(sets)
