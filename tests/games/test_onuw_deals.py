"""The five-player deck, the two predefined settings, stacked decks and scripts of the night."""

from collections import defaultdict
from fractions import Fraction
from math import factorial
from typing import Any

import pyspiel
import pytest

from crywolf.games import Onuw, load_game, registrations, start
from crywolf.games.errors import ParameterError

from .onuw_plays import deals, fixed, knows, leaves, offers, play, rules

# --------------------------------------------------------------------------- the deck of the paper


def test_the_five_player_deck_has_the_published_layouts():
    layouts = deals(rules("onuw5"))
    # Eight cards, two pairs among them: 8! / (2! 2!) layouts, all equally likely.
    assert len(layouts) == 10_080 == factorial(8) // 4
    assert set(layouts.values()) == {Fraction(1, 10_080)}
    seats: dict[tuple[str, ...], Fraction] = defaultdict(Fraction)
    wolves: dict[int, Fraction] = defaultdict(Fraction)
    for layout, probability in layouts.items():
        seats[layout[:5]] += probability
        wolves[layout[:5].count("werewolf")] += probability
    assert len(seats) == 2_040
    assert len(set(seats.values())) > 1  # they are not equally likely
    assert wolves == {0: Fraction(6, 56), 1: Fraction(30, 56), 2: Fraction(20, 56)}


# Of the settings of Jin et al. 2024: the final cards, and what each player knows of the night.
SETTINGS = {
    "onuw5_easy": (
        "robber werewolf villager troublemaker seer",
        [
            "P1: dealt Troublemaker; swap P3 and P5",
            "P2: dealt Werewolf; Werewolves P2",
            "P3: dealt Seer; look P4; P4 has Robber",
            "P4: dealt Robber; S1; now Troublemaker",
            "P5: dealt Villager",
        ],
    ),
    "onuw5_hard": (
        "werewolf seer insomniac robber troublemaker",
        [
            "P1: dealt Robber; S4; now Werewolf",
            "P2: dealt Insomniac; now Seer",
            "P3: dealt Seer; look P4; P4 has Werewolf",
            "P4: dealt Werewolf; Werewolves P4",
            "P5: dealt Troublemaker; swap P2 and P3",
        ],
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_predefined_settings_end_in_the_stated_cards(name: str):
    cards, known = SETTINGS[name]
    game = rules(name)
    cursor = start(game)
    assert cursor.position.cards[:5] == tuple(cards.split())
    assert [knows(game, cursor, player) for player in range(5)] == known
    assert game.max_game_length == 5  # only the votes are left
    assert game.deck.count("werewolf") == 2
    assert sorted(game.deck) == sorted(rules("onuw5").deck)
    # The initial cards are as published, the centre included.
    deck = "+".join(game.deck)
    assert deck in {
        "troublemaker+werewolf+seer+robber+villager+insomniac+werewolf+villager",
        "robber+insomniac+seer+werewolf+troublemaker+werewolf+villager+villager",
    }


@pytest.mark.parametrize("name", ["onuw5", *SETTINGS])
def test_players_of_all_settings_are_told_the_same(name: str):
    assert rules(name).in_words() == rules("onuw5").in_words()
    assert "shuffled; each player gets one, 3 lie in the centre" in rules(name).in_words()
    assert registrations()[name].summary
    pyspiel.random_sim_test(load_game(name), num_sims=1, serialize=True, verbose=False)


# -------------------------------------------------------------------------------- stacked decks


def test_a_stacked_deck_is_a_fixed_one_that_nobody_is_told_of():
    known = fixed("werewolf+seer+robber+villager", centre=1)
    stacked = Onuw(3, 1, "werewolf+seer+robber+villager", deal="stacked")
    assert "Everybody knows the deal: P1 Werewolf" in known.in_words()
    assert stacked.in_words() == Onuw(3, 1, "werewolf+seer+robber+villager").in_words()
    views = [
        {(tuple(names), leaf.views) for names, leaf in leaves(game)} for game in (known, stacked)
    ]
    assert views[0] == views[1]


def test_a_stacked_deck_does_not_tell_who_speaks():
    with pytest.raises(ParameterError, match="it needs deal=fixed"):
        Onuw(3, 0, "2werewolf+robber", deal="stacked", talk="robber")


# -------------------------------------------------------------------------------------- scripts


DECK = "seer+robber+troublemaker+drunk+werewolf+villager+insomniac"


@pytest.mark.parametrize(
    ("night", "free"),
    [
        ("seer:P5+robber:P5+troublemaker:P1-P2+drunk:C2",
         ["look P5", "S5", "swap P1 and P2", "take centre 2"]),
        ("seer:C1-C2+robber:NS", ["look centre 1 and centre 2", "NS", None, None]),
        ("seer:c2-c1 + robber:ns + troublemaker:P2-P1",
         ["look centre 1 and centre 2", "NS", "swap P1 and P2", None]),
        ("troublemaker:no swap+drunk:take centre 1", [None, None, "no swap", "take centre 1"]),
        ("drunk:C1", [None, None, None, "take centre 1"]),
        ("robber:S3", [None, "S3", None, None]),
    ],
)  # fmt: skip
def test_a_script_is_the_same_night_without_the_decisions(night: str, free: list[str | None]):
    scripted = fixed(DECK, centre=2, night=night)
    asked = fixed(DECK, centre=2)
    cursor, other = start(scripted), start(asked)
    names: list[str] = []
    for name in free:
        if name is None:  # this one is free: the first choice is taken
            name = offers(scripted, cursor)[0]
            cursor = play(scripted, *[n for n, s in zip(names, free) if s is None], name)
        names.append(name)
        other = play(asked, *names)
    assert cursor.position.cards == other.position.cards
    assert cursor.position.stage == other.position.stage
    for player in range(5):
        assert knows(scripted, cursor, player) == knows(asked, other, player)
    assert scripted.max_game_length == asked.max_game_length - sum(
        name is not None for name in free
    )


def test_a_script_holds_wherever_chance_deals_the_card():
    game = Onuw(3, 2, "seer+drunk+werewolf+2villager", night="seer:C1-C2+drunk:C1")
    assert game.max_game_length == 3
    for _, leaf in leaves(game):
        position = leaf.position
        for seat, card in enumerate(position.initial[:3]):
            if card == "drunk":
                assert position.cards[3] == "drunk"
                assert position.cards[seat] == position.initial[3]
            if card == "seer":
                assert leaf.views[seat][2:4] == (
                    ("saw", 3, position.initial[3]),
                    ("saw", 4, position.initial[4]),
                )


def test_all_holders_follow_the_script():
    game = fixed("2robber+werewolf+villager", night="robber:P3")
    # P1 takes the Werewolf and leaves its Robber; P2 takes that.
    assert start(game).position.cards == ("werewolf", "robber", "robber", "villager")


def test_a_lone_werewolf_follows_the_script_and_a_pair_has_none():
    game = Onuw(3, 1, "2werewolf+2villager", lone_wolf_looks=True, night="werewolf:C1")
    pairs = alone = 0
    for _, leaf in leaves(game):
        for seat, card in enumerate(leaf.position.initial[:3]):
            if card == "werewolf":
                looked = any(isinstance(e, tuple) and e[0] == "saw" for e in leaf.views[seat])
                lone = leaf.position.initial[:3].count("werewolf") == 1
                assert looked == lone
                alone, pairs = alone + lone, pairs + (not lone)
    assert alone
    assert pairs


def test_everybody_knows_a_script_unless_the_deck_is_stacked():
    words = fixed(DECK, centre=2, night="robber:P5+drunk:C2").in_words()
    assert "laid down for the night: Robber S5; Drunk take centre 2." in words
    stacked = Onuw(5, 2, DECK, deal="stacked", night="robber:P5+drunk:C2")
    assert stacked.in_words() == Onuw(5, 2, DECK).in_words()


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"night": "robber"}, "'robber' does not name a role of the deck and what it does"),
        ({"night": ""}, "or night=free"),
        ({"night": "sheriff:P1"}, "with roles among werewolf, seer, robber"),
        ({"night": "minion:P1"}, "does not name a role of the deck"),
        ({"night": "robber:P1+robber:P3"}, "robber is scripted twice"),
        ({"night": "insomniac:P1"}, "the Insomniac chooses nothing at night; leave it out"),
        ({"night": "robber:P9"}, "'P9' is nothing that the Robber does: NS, S1, S2"),
        ({"night": "robber:P2"}, "the Robber is P2 and cannot do that; choose among: NS, S1, S3"),
        ({"night": "seer:C1"}, "the Seer is P1 and cannot do that; choose among: look P2"),
        ({"night": "troublemaker:P3-P5"}, "the Troublemaker is P3 and cannot do that"),
        ({"night": "drunk:P1"}, "'P1' is nothing that the Drunk does: take centre 1"),
        ({"night": "werewolf:C1"}, "the Werewolf is P5 and has no choice in this game"),
        ({"night": "robber:P2", "deal": "chance"}, "the Robber may be P2 and cannot do that"),
        ({"night": "robber:P2", "deal": "chance"}, "say who holds it with deal=fixed or deal="),
    ],
)  # fmt: skip
def test_illegal_scripts_are_refused_with_the_cure(parameters: dict[str, Any], complaint: str):
    given: dict[str, Any] = {"players": 5, "centre": 2, "roles": DECK, "deal": "fixed"}
    with pytest.raises(ParameterError) as caught:
        Onuw(**{**given, **parameters})
    assert complaint in str(caught.value)


def test_a_script_for_a_card_in_the_centre_is_refused():
    with pytest.raises(ParameterError, match="no player is dealt seer; leave it out"):
        fixed("2werewolf+villager+seer+robber", centre=2, night="seer:P1")
