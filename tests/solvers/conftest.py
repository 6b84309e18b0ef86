"""Games that several tests of the solvers use, compiled once."""

from functools import cache
from typing import Any

import pytest

from crywolf.games import load_game
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers import GameTree

DEALT = "onuw(players=3,centre=1,roles=werewolf+seer+robber+villager)"
GENERAL_SUM = "sheriff(item_penalty=2.0,item_value=1.5,max_bribe=2,max_items=2,num_rounds=1)"


@cache
def compiled(name: str) -> GameTree:
    return GameTree.compile(load_game(name))


@pytest.fixture(scope="session")
def tree_of():
    """The compiled tree of a game string; do not modify it."""
    return compiled


@pytest.fixture
def kuhn() -> GameTree:
    return compiled("kuhn_poker")


@pytest.fixture
def robber3() -> GameTree:
    return compiled("onuw_robber3")


@pytest.fixture
def told_game() -> ExtensiveGame:
    """P2 moves twice, and what it is told to believe first decides what it believes later."""

    def second(low: int, high: int) -> Any:
        again = decision(1, "later", {"low": leaf(0, low), "high": leaf(0, high)})
        return decision(1, "first", {"stop": leaf(0, -1), "go": again})

    return ExtensiveGame("told", decision(0, "1", {"a": second(1, 0), "b": second(0, 1)}))
