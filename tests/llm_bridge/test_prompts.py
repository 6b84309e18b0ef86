"""Prompts say what the player knows: all of it, and nothing else."""

from collections import defaultdict

import numpy as np
import pytest

import crywolf
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.llm_bridge import prompts
from crywolf.llm_bridge.prompts import Brief
from crywolf.llm_bridge.views import observe
from crywolf.solvers.profile import states_at
from crywolf.solvers.tree import GameTree, compile_tree


def prompt_of_every_history(tree: GameTree) -> dict[str, set[tuple]]:
    """The prompts at all histories of each information set, both kinds and every rotation."""
    brief = Brief.of(tree.game)
    found: dict[str, set[tuple]] = defaultdict(set)
    decisions = np.flatnonzero(tree.node_infoset >= 0)
    for index, state in states_at(tree, decisions):
        h = tree.node_infoset[decisions[index]]
        view = observe(state, int(tree.owner[h]))
        found[tree.keys[h]].add(
            tuple(
                ask(brief, view, rotation)
                for ask in (prompts.ask_for_label, prompts.ask_for_mix)
                for rotation in range(len(view.options))
            )
        )
    return found


@pytest.mark.parametrize(
    "game",
    ["onuw_robber3", "onuw_robber3_talk", "kuhn_poker", "leduc_poker", "onuw", "tiny_hanabi"],
)
def test_one_prompt_for_each_information_set_and_another_for_each_other(game):
    tree = compile_tree(game)
    found = prompt_of_every_history(tree)
    assert len(found) == tree.num_infosets
    assert (tree.first_node != tree.last_node).any()  # there are sets with several histories
    assert all(len(of_one_set) == 1 for of_one_set in found.values())
    assert len({p for of_one_set in found.values() for p in of_one_set}) == tree.num_infosets


def test_the_rules_stand_first_and_are_the_same_for_all():
    tree = compile_tree("onuw_robber3")
    brief = Brief.of(tree.game)
    firsts = set()
    for h, state in states_at(tree, tree.first_node):
        system, user = prompts.ask_for_label(brief, observe(state, int(tree.owner[h])), 0)
        firsts.add(system)
        assert (system.role, user.role) == ("system", "user")
    (system,) = firsts
    for words in (
        "P1 Werewolf, P2 Werewolf, P3 Robber",
        "swaps",
        "most votes dies",
        "Winners get 1",
    ):
        assert words in system.content


def test_a_prompt_in_full():
    tree = compile_tree("onuw_robber3")
    brief = Brief("a game", 3, "These are the rules.")
    h = tree.infoset_of_key["P3: dealt Robber; S2; now Werewolf"]
    ((_, state),) = states_at(tree, tree.first_node, np.array([h]))
    system, user = prompts.ask_for_label(brief, observe(state, 2), 1)
    assert system.content == (
        "You play a game with the players P1, P2, P3.\nThese are the rules.\n"
        "Make your own payoff as large as you can."
    )
    assert user.content == (
        "You are P3. What you know and did, in order:\n- dealt Robber\n- S2\n- now Werewolf\n"
        "Your options:\nA: vote P2\nB: vote P1\nAnswer with one letter only."
    )


@pytest.mark.parametrize("name", ["onuw_robber3", "onuw_robber3_official"])
def test_the_prompt_does_not_depend_on_how_the_game_was_loaded(name):
    by_name = crywolf.load_game(name)
    assert Brief.of(by_name) == Brief.of(compile_tree(by_name).game)
    assert Brief.of(by_name) == Brief.of(crywolf.load_game(by_name.rules))


def test_variants_of_a_game_are_told_apart():
    briefs = {
        Brief.of(crywolf.load_game(name))
        for name in (
            "onuw_robber3",
            "onuw_robber3_official",
            "onuw_robber3_talk",
            "onuw",
            "onuw(lone_wolf_looks=true)",
            "onuw(roles=werewolf+2seer+robber+2villager)",
            "kuhn_poker",
            "kuhn_poker(players=3)",
            "leduc_poker",
            "liars_dice",
            "liars_dice(numdice=2)",
            "tiny_hanabi",
        )
    }
    assert len(briefs) == 12


def test_rules_of_ones_own_and_games_without_rules():
    game = ExtensiveGame("choice", decision(0, "here", {"left": leaf(1), "right": leaf(0)}))
    assert Brief.of(crywolf.load_game(game)).rules == ""
    assert Brief.of(crywolf.load_game(game), "Left is better.").rules == "Left is better."
    told = prompts.ask_for_label(
        Brief.of(crywolf.load_game(game)),
        observe(crywolf.load_game(game).new_initial_state(), 0),
        0,
    )
    assert "\n\n" not in told[0].content


def test_labels():
    assert prompts.labels(3) == ("A", "B", "C")
    assert prompts.labels(26)[-1] == "Z"
    assert prompts.labels(27)[0] == "1"
    assert prompts.labels(27)[-1] == "27"


def test_what_a_model_said_is_shown_back_shortened():
    first = prompts.ask_for_label(
        Brief("g", 2, ""), observe(crywolf.load_game("onuw_robber3").new_initial_state(), 2), 0
    )
    again = prompts.ask_again(first, "x" * 10_000, "No.")
    assert again[:2] == first
    assert (again[2].role, len(again[2].content)) == ("assistant", prompts.SHOWN)
    assert (again[3].role, again[3].content) == ("user", "No.")
    assert prompts.ask_again(first, "  ", "No.")[2].content == "(nothing)"
