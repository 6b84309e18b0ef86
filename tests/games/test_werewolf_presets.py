"""The registered games of Werewolf and Mafia: their published values, decks and words."""

import pickle
from fractions import Fraction as F
from typing import Any

import pyspiel
import pytest

from crywolf.games import as_openspiel, check_game, load_game, registrations, rules_of, start
from crywolf.games.errors import ParameterError
from crywolf.games.werewolf import ROLES, Werewolf
from crywolf.games.werewolf.parameters import CHOICES
from crywolf.games.werewolf.presets import (
    lovers,
    mountainous,
    nightless,
    one_seer,
    red_flag,
    semi_nightless,
    vengeful,
    white_flag,
)
from crywolf.games.werewolf.talk import VOCABULARIES
from crywolf.solvers.lumping import outcome_probabilities

from .werewolf_plays import knows, offers, outcomes, play, rules, uniform

MAKERS = (mountainous, one_seer, nightless, semi_nightless, lovers, white_flag, red_flag, vengeful)
NAMES = ("werewolf", "werewolf5", "werewolf15", "gratr8", *(maker.__name__ for maker in MAKERS))


@pytest.mark.parametrize("name", NAMES)
def test_openspiel_loads_and_plays_every_preset(name: str):
    game = pyspiel.load_game(name)
    assert str(game) == f"{name}()"
    assert 3 <= game.num_players() <= 30
    small = {"werewolf15": "werewolf15(talk=none)"}.get(name, name)
    pyspiel.random_sim_test(
        pyspiel.load_game(small), num_sims=1, serialize=True, verbose=False
    )  # sentences of fifteen players are many
    check_game(small, max_nodes=200).raise_if_failed()


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_is_listed_with_a_summary(name: str):
    registration = registrations()[name]
    assert registration.summary
    assert "\n" not in registration.summary


@pytest.mark.parametrize("maker", MAKERS)
def test_rules_that_a_function_makes_are_known_again(maker):
    made = maker()
    assert isinstance(made, Werewolf)
    game = as_openspiel(made)
    assert str(game) == f"{maker.__name__}()"
    again = pickle.loads(pickle.dumps(made))
    assert (again.name, again.parameters) == (made.name, made.parameters)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_parameters_of_the_functions():
    game = rules("mountainous(players=7,wolves=2,end=coin,first=night)")
    assert (game.roles, game.end, game.first) == ("2werewolf+5villager", "coin", "night")
    assert rules("one_seer(players=9,wolves=2)").deck.count("seer") == 1
    assert rules("semi_nightless(quiet_nights=3)").quiet_nights == 3
    assert rules("lovers(town=6)").num_players == 8
    for text in ("mountainous(wolves=0)", "mountainous(wolves=7)", "nightless(mafia=5)"):
        with pytest.raises(ParameterError):
            load_game(text)
    with pytest.raises(ParameterError, match="has no parameter 'roles'"):
        load_game("mountainous(roles=seer)")


# The setups' published values for the town; see the theory of Mafia.
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("nightless(town=5,mafia=2)", F(3, 7)),
        ("lovers(town=4)", F(3, 5)),
        ("vengeful", F(2, 5)),
        ("mountainous(players=5,wolves=2,end=coin)", F(2, 15)),
    ],
)
def test_published_values_by_recursion(text: str, value: F):
    assert outcomes(rules(text))["town"] == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("white_flag", F(1436, 3003)),
        ("semi_nightless", F(157, 385)),
        ("mountainous(players=21,wolves=2)", 1 - F(478099, 969969)),
    ],
)
def test_published_values_of_large_setups(text: str, value: F):
    assert outcome_probabilities(text, uniform)["town"] == value


def test_the_contest_game_of_five():
    game = rules("werewolf5")
    assert sorted(game.deck) == ["possessed", "seer", "villager", "villager", "werewolf"]
    cursor = play(game, "Villager", "Villager", "Seer", "Possessed", "Werewolf", "check P5")
    assert cursor.position.alive == (True,) * 5  # no attack in the first night
    assert knows(game, cursor, 2).endswith("dawn, dead: nobody; P5 is a wolf")
    assert "COMINGOUT Agent[03] SEER" in offers(game, cursor)


def test_the_contest_game_of_fifteen():
    deck = rules("werewolf15").deck
    assert {role: deck.count(role) for role in deck} == {
        "villager": 8,
        "seer": 1,
        "medium": 1,
        "guard": 1,
        "werewolf": 3,
        "possessed": 1,
    }


def test_the_game_of_eight():
    game = rules("gratr8(deal=fixed)")
    cursor = play(game, "kill P4", "protect P6", "no potion", "check P1")
    assert knows(game, cursor, 4).endswith("dawn, dead: P4 (villager)")
    assert offers(game, cursor) == ["P1", "P2", "P3", "P5", "P6", "P7", "P8"]  # who speaks first
    assert game.interchangeable is False


# ---------------------------------------------------------------------------------------- words


def test_the_rules_in_words_say_what_is_in_force():
    plain = rules("werewolf").in_words()
    for words in (
        "The roles (2 Werewolf, 5 Villager) are dealt at random, one to each of 7 players.",
        "the game starts with a day",
        "at most 7 days; after them it is a draw",
        "Nobody may say anything.",
        "vote at once for another living player. The votes are shown afterwards.",
        "in a tie chance decides among the tied",
        "The wolves win as soon as they are as many as the other living players.",
    ):
        assert words in plain
    other = rules(
        "werewolf(roles=2werewolf+witch+guard+possessed+2villager,vote=sequential,abstain=True,"
        "majority=strict,end=coin,first=night,quiet_nights=1,witch_self=False,guard_self=False,"
        "guard_repeat=False,lovers=wolves,reveal_day=team,kill_own=True,no_kill=True,talk=accuse,"
        "talk_rounds=2,town_wins_at=1,voted_out_wins=2,max_days=4,timeout=wolves)"
    ).in_words()
    for words in (
        "starts with a night",
        "at most 4 days; after them the wolves win",
        "The two wolves are lovers",
        "says nothing, 2 times, in seat order. It can be said that one accuses another living",
        "one by one in seat order",
        "A player may abstain.",
        "more than half of the living",
        "Of those who die by day whether it was a wolf is made public.",
        "a living player to kill, or nobody.",
        "In the first night the wolves do not kill.",
        "Nobody is protected by the same player in two nights running.",
        "Who protects may not protect itself.",
        "The Witch may not save herself.",
        "The town wins as soon as at most 1 wolves live, or 2 wolves have been voted out.",
        "a coin decides.",
        "The Possessed win with the wolves.",
    ):
        assert words in other


def test_different_conventions_have_different_words():
    def words(**options) -> str:
        roles = "2werewolf+seer+guard+witch+2villager"
        merged: dict[str, Any] = {"talk": "accuse+reveal", "roles": roles} | options
        return Werewolf(**merged).in_words()

    base = words()
    for name, choices in CHOICES.items():
        extra = {"elimination": "random"} if name == "no_lynch" else {}
        texts = {words(**extra, **{name: choice}) for choice in choices}
        alike = 1 if name == "deal" else 0  # players are not told that the deal is hidden
        assert len(texts) == len(choices) - alike, name
    for name, value in (
        ("town_wins_at", 1), ("voted_out_wins", 1), ("abstain", True), ("self_vote", True),
        ("open_votes", False), ("nights", False), ("quiet_nights", 1), ("kill_own", True),
        ("no_kill", True), ("guard_repeat", False), ("guard_self", False), ("witch_self", False),
        ("talk_rounds", 2), ("talk_first_day", False), ("max_days", 3), ("talk", "none"),
    ):  # fmt: skip
        assert words(**{name: value}) != base, name
    talks = ("none", *VOCABULARIES, "roles+accuse")
    assert len({words(talk=talk) for talk in talks}) == len(talks)
    draws = {"elimination": "random"}
    assert words(**draws, reveal_when_drawn=False) != words(**draws)


@pytest.mark.parametrize("name", [name for name, role in ROLES.items() if role.words])
def test_roles_are_explained(name: str):
    deck = f"2werewolf+{name}+4villager"
    assert ROLES[name].title in Werewolf(roles=deck).in_words()


def test_the_first_position_of_each_preset_has_its_players():
    for name in NAMES:
        game = rules_of(load_game(name))
        assert game is not None
        assert len(start(game).views) == game.num_players
