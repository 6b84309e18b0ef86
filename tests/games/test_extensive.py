"""Explicit trees: the numbering of actions."""

import pytest

from crywolf.games import as_openspiel
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree


def menu(player: int, label: str, *actions: str):
    return decision(player, label, {action: leaf(0, 0) for action in actions})


def two(*menus):
    return ExtensiveGame("g", chance({str(i): ("1/2", node) for i, node in enumerate(menus)}))


def test_actions_keep_their_written_order_although_first_used_in_another():
    """By first use raise would be 0 and fold 2."""
    game = two(
        decision(0, "1", {"raise": menu(1, "2", "fold", "call", "raise")}),
        menu(0, "1b", "call", "raise"),
    )
    tree = GameTree.compile(game)
    written = {"P1: 1": ("raise",), "P2: 2": ("fold", "call", "raise"), "P1: 1b": ("call", "raise")}
    for key, actions in written.items():
        assert tree.action_names(tree.infoset_of_key[key]) == actions
    state = as_openspiel(game).new_initial_state()
    state.apply_action(1)
    assert [state.action_to_string(0, a) for a in state.legal_actions()] == ["call", "raise"]


def test_actions_that_no_set_orders_are_numbered_by_first_use():
    game = two(menu(0, "1", "L", "R"), menu(1, "2", "up", "down"))
    assert [game.action_name(0, a) for a in range(4)] == ["L", "R", "up", "down"]


def test_menus_that_contradict_each_other_are_numbered_by_first_use():
    game = two(menu(0, "1", "b", "c"), menu(0, "1b", "c", "a", "b"))
    assert [game.action_name(0, a) for a in range(3)] == ["b", "c", "a"]
    assert game.legal_actions(1) == (0, 1)


@pytest.mark.parametrize("first", [("L", "R"), ("R", "L")])
def test_one_information_set_may_list_its_actions_in_two_orders(first: tuple[str, str]):
    game = two(menu(0, "1", *first), menu(0, "1", "L", "R"))
    assert GameTree.compile(game).num_infosets == 1
