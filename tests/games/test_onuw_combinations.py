"""Every two values of ONUW's parameters together, in games that OpenSpiel and our checks accept."""

from itertools import cycle, islice
from typing import Any

import pyspiel
import pytest

from crywolf.games import check_game, load_game

from .pairwise import Row, pairwise

DECKS = {
    "plain": "werewolf+seer+robber+werewolf+villager",
    "tricks": "troublemaker+werewolf+insomniac+robber+seer",
    "drink": "drunk+werewolf+insomniac+robber+villager",
    "teams": "tanner+werewolf+hunter+minion+seer",
    "pairs": "mason+werewolf+mason+minion+troublemaker",
    "harmless": "hunter+minion+villager+tanner+drunk",
}
"""Cards in turn; each game takes as many as it needs."""

SCRIPTS = {
    # What is possible wherever the holder sits, as shuffled decks need.
    "plain": "robber:NS",
    "tricks": "troublemaker:no swap",
    "drink": "drunk:C1",
    "teams": "seer:C1-C2",
    "pairs": "troublemaker:no swap",
    "harmless": "drunk:C1",
}

FACTORS: dict[str, tuple[Any, ...]] = {
    "players": (3, 4, 5, 6),
    "centre": (0, 1, 2, 4),
    "deck": tuple(DECKS),
    "deal": ("chance", "fixed", "stacked"),
    "resolution": ("official", "paper"),
    "vote_order": ("informed_first", "seat"),
    "talk": ("none", "robber", "roles", "night", "accuse", "others+night", "roles+accuse"),
    "lone_wolf_looks": (False, True),
    "script": (False, True),
    "talk_rounds": (1, 2),
}


def cards(row: Row) -> list[str]:
    """The cards of a game whose players, centre and deck are given."""
    return list(islice(cycle(DECKS[row["deck"]].split("+")), row["players"] + row["centre"]))


def allowed(row: Row) -> bool:
    """Whether the rules have such games."""
    if {"players", "centre", "deck"} <= row.keys():
        hand = cards(row)
        if not row["centre"] and "drunk" in hand:
            return False
        if row.get("resolution") == "paper" and {"minion", "tanner", "hunter"} & set(hand):
            return False
        if row.get("script"):
            role, _, places = SCRIPTS[row["deck"]].partition(":")
            if role not in hand[: row["players"]] or row["centre"] < places.count("C"):
                return False
    if row.get("talk") == "robber" and row.get("deal", "fixed") != "fixed":
        return False
    return not (row.get("talk") == "none" and row.get("talk_rounds", 1) > 1)


def game_string(row: Row) -> str:
    names = ("players", "centre", "deal", "resolution", "vote_order", "talk", "lone_wolf_looks")
    values = {name: row[name] for name in (*names, "talk_rounds")}
    values["roles"] = "+".join(cards(row))
    values["night"] = SCRIPTS[row["deck"]] if row["script"] else "free"
    return "onuw(" + ",".join(f"{name}={value}" for name, value in values.items()) + ")"


GAMES = [game_string(row) for row in pairwise(FACTORS, allowed, least=64)]


def test_there_are_enough_games_and_each_value_meets_each_other():
    assert len(GAMES) >= 64
    # Spot checks, by the words of the game string.
    for words in (("talk=night", "deal=stacked"), ("drunk", "night=drunk:C1"), ("tanner", "=6")):
        assert any(all(word in game for word in words) for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_combinations_pass_the_tests_of_openspiel_and_ours(game: str):
    pyspiel.random_sim_test(load_game(game), num_sims=1, serialize=True, verbose=False)
    check_game(game, max_nodes=250).raise_if_failed()
