"""Prompts say what the player knows: all of it, and nothing else."""

from collections import defaultdict

import numpy as np
import pytest
import sympy

import crywolf
from crywolf.games.extensive import MAX_WORDS, ExtensiveGame, chance, decision, leaf
from crywolf.games.textbook import beer_quiche
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
    [
        *("onuw_robber3", "onuw_robber3_talk", "kuhn_poker", "leduc_poker", "onuw", "tiny_hanabi"),
        pytest.param(beer_quiche(), id="beer_quiche"),
    ],
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
    same, mix = prompts.ask_for_mix(brief, observe(state, 2), 1)
    assert same == system
    assert mix.content == user.content.replace(
        "Answer with one letter only.",
        "Answer with a JSON object only: for each letter, the probability with which you choose "
        "it. The probabilities sum to 1.",
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
            "leduc_poker(suit_isomorphism=true)",
            "liars_dice",
            "liars_dice(numdice=2)",
            "tiny_hanabi",
        )
    }
    assert len(briefs) == 13


def lefts(count: int) -> ExtensiveGame:
    """A choice among so many moves."""
    return ExtensiveGame("choice", decision(0, "here", {f"m{i}": leaf(i) for i in range(count)}))


def test_an_explicit_tree_is_told_in_full():
    hide = decision(
        0, "weak", {"show": leaf(1, -1), "hide": decision(1, "?", {"ask": leaf(0, "1/2")})}
    )
    strong = decision(0, "strong", {"hide": decision(1, "?", {"ask": leaf(2, 0)})})
    game = ExtensiveGame("cards", chance({"low": ("1/3", hide), "high": ("2/3", strong)}))
    assert Brief.of(crywolf.load_game(game)) == Brief(
        "cards",
        2,
        "This tree is the whole game. A player whose turn comes learns the name in quotation marks "
        "and nothing else: it cannot tell apart its turns of one name, but remembers what it "
        "learned and did before. Payoffs are in the order P1, P2.\n"
        "chance draws low (probability 1/3), high (probability 2/3):\n"
        '- low: P1 chooses at "weak":\n'
        "  - show: payoffs 1, -1\n"
        '  - hide: P2 chooses at "?":\n'
        "    - ask: payoffs 0, 1/2\n"
        '- high: P1 chooses at "strong":\n'
        '  - hide: P2 chooses at "?":\n'
        "    - ask: payoffs 2, 0",
    )


def test_symbols_are_told_with_what_is_assumed_of_them():
    told = beer_quiche(sympy.Symbol("p")).in_words()
    assert "weak (probability p), strong (probability 1 - p)" in told
    assert "It is assumed that p > 0.\nIt is assumed that p < 1.\n" in told


def test_a_tree_is_told_in_full_or_not_at_all():
    told = {count: lefts(count).in_words() for count in range(200, 400)}
    most = max(count for count, words in told.items() if words)
    assert MAX_WORDS - 20 < len(told[most]) <= MAX_WORDS
    assert all(words.endswith(f"payoffs {count - 1}") for count, words in told.items() if words)
    assert not any(words for count, words in told.items() if count > most)
    deep = leaf(0)
    for depth in range(5000):
        deep = decision(0, str(depth), {"on": deep})
    assert ExtensiveGame("deep", deep).in_words() == ""


def test_trees_of_one_name_are_told_apart():
    assert Brief.of(crywolf.load_game(lefts(2))) != Brief.of(crywolf.load_game(lefts(3)))


def test_rules_of_ones_own_and_games_without_rules():
    game = crywolf.load_game("tiny_hanabi")
    assert Brief.of(game).rules == ""
    assert not Brief.of(game).told
    assert not Brief.of(crywolf.load_game(lefts(1000))).told
    assert Brief.of(crywolf.load_game("onuw")).told
    assert Brief.of(game, " Left is better.\n") == Brief("Tiny Hanabi", 2, "Left is better.")
    assert Brief.of(game, "Left is better.").told
    assert not Brief.of(crywolf.load_game("onuw"), "").told
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    told = prompts.ask_for_label(Brief.of(game), observe(state, 0), 0)
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
