"""The night of every ONUW role, and nights in which several meet; worked out by hand."""

from typing import Any

import pytest

from crywolf.games import Onuw, start
from crywolf.games.errors import ParameterError
from crywolf.games.onuw import ROLES

from .onuw_plays import fixed, knows, offers, play


def test_roles_act_in_the_order_of_the_printed_game():
    acting = [name for name, role in ROLES.items() if role.words]
    assert acting == [
        "werewolf",
        "minion",
        "mason",
        "seer",
        "robber",
        "troublemaker",
        "drunk",
        "insomniac",
    ]
    assert set(ROLES) - set(acting) == {"hunter", "tanner", "villager"}
    # The night asks in this order, wherever the roles sit.
    game = fixed("drunk+troublemaker+robber+seer+2villager", centre=2)
    cursor = play(game, "look P1", "NS", "no swap")
    assert offers(game, cursor) == ["take centre 1", "take centre 2"]


# ------------------------------------------------------------------------------------ single roles


def test_the_minion_sees_the_werewolves_who_do_not_see_it():
    game = fixed("minion+werewolf+villager+werewolf")
    cursor = start(game)
    assert knows(game, cursor, 0) == "P1: dealt Minion; Werewolves P2 P4"
    assert knows(game, cursor, 1) == "P2: dealt Werewolf; Werewolves P2 P4"
    alone = fixed("minion+2villager+werewolf", centre=1)
    assert knows(alone, start(alone), 0) == "P1: dealt Minion; no Werewolves"


def test_masons_see_each_other():
    game = fixed("mason+villager+mason+mason", centre=1)
    assert knows(game, start(game), 0) == "P1: dealt Mason; Masons P1 P3"
    assert knows(game, start(game), 2) == "P3: dealt Mason; Masons P1 P3"
    assert knows(game, start(game), 1) == "P2: dealt Villager"
    alone = fixed("villager+mason+villager")
    assert knows(alone, start(alone), 1) == "P2: dealt Mason; Masons P2"


def test_the_troublemaker_swaps_two_others_unseen():
    game = fixed("villager+troublemaker+werewolf+seer")
    cursor = play(game, "look P1")
    assert offers(game, cursor) == [
        "no swap",
        "swap P1 and P3",
        "swap P1 and P4",
        "swap P3 and P4",
    ]
    swapped = play(game, "look P1", "swap P1 and P3")
    assert swapped.position.cards == ("werewolf", "troublemaker", "villager", "seer")
    assert knows(game, swapped, 1) == "P2: dealt Troublemaker; swap P1 and P3"
    for player in (0, 2, 3):
        assert knows(game, swapped, player) == knows(game, cursor, player)
    assert play(game, "look P1", "no swap").position.cards == game.deck


def test_the_drunk_takes_a_centre_card_unseen():
    game = fixed("villager+drunk+villager+werewolf+seer", centre=2)
    assert offers(game, start(game)) == ["take centre 1", "take centre 2"]
    cursor = play(game, "take centre 1")
    assert cursor.position.cards == ("villager", "werewolf", "villager", "drunk", "seer")
    assert knows(game, cursor, 1) == "P2: dealt Drunk; take centre 1"
    # It is a Werewolf now: if it dies the Village wins, P2 not included.
    end = play(game, "take centre 1", "vote P1", "vote P2", "vote P2")
    assert game.payoffs(end.position) == (1, -1, 1)


def test_the_insomniac_sees_what_it_has_become():
    game = fixed("insomniac+troublemaker+werewolf")
    assert knows(game, play(game, "no swap"), 0) == "P1: dealt Insomniac; now Insomniac"
    assert knows(game, play(game, "swap P1 and P3"), 0) == "P1: dealt Insomniac; now Werewolf"


@pytest.mark.parametrize("role", ["villager", "hunter", "tanner"])
def test_who_sleeps_through_the_night_knows_its_card_only(role: str):
    game = fixed(f"{role}+2werewolf")
    assert knows(game, start(game), 0) == f"P1: dealt {role.capitalize()}"
    assert offers(game, start(game)) == ["vote P2", "vote P3"]


# ------------------------------------------------------------------------------------ interactions


def test_a_stolen_werewolf_that_moves_on_is_seen_by_the_insomniac():
    game = fixed("robber+werewolf+troublemaker+insomniac")
    cursor = play(game, "S2", "swap P1 and P4")
    # P1 takes the Werewolf from P2; P3 moves it on to P4, who sees it; P1 believes it has it.
    assert cursor.position.cards == ("insomniac", "robber", "troublemaker", "werewolf")
    assert knows(game, cursor, 0) == "P1: dealt Robber; S2; now Werewolf"
    assert knows(game, cursor, 1) == "P2: dealt Werewolf; Werewolves P2"
    assert knows(game, cursor, 3) == "P4: dealt Insomniac; now Werewolf"
    # All vote for P1, a villager now; only P4, the Werewolf, wins. P1, P3, P4, then P2 vote.
    end = play(game, "S2", "swap P1 and P4", "vote P2", "vote P1", "vote P1", "vote P1")
    assert game.payoffs(end.position) == (-1, -1, -1, 1)


def test_the_seer_sees_cards_before_they_move():
    game = fixed("seer+robber+troublemaker+werewolf+villager")
    cursor = play(game, "look P4", "S4", "swap P1 and P2")
    assert knows(game, cursor, 0) == "P1: dealt Seer; look P4; P4 has Werewolf"
    assert cursor.position.cards == ("werewolf", "seer", "troublemaker", "robber", "villager")


def test_a_robbed_insomniac_looks_at_its_new_card():
    game = fixed("robber+insomniac+werewolf")
    cursor = play(game, "S2")
    assert knows(game, cursor, 0) == "P1: dealt Robber; S2; now Insomniac"  # and sleeps on
    assert knows(game, cursor, 1) == "P2: dealt Insomniac; now Robber"  # acts by its initial card


def test_the_drunk_gives_away_the_card_that_the_robber_left_it():
    game = fixed("robber+drunk+werewolf+villager", centre=1)
    cursor = play(game, "S2", "take centre 1")
    # P1 holds the Drunk's card, P2 had the Robber's and swapped it for the Villager.
    assert cursor.position.cards == ("drunk", "villager", "werewolf", "robber")
    assert knows(game, cursor, 0) == "P1: dealt Robber; S2; now Drunk"


def test_a_robbed_troublemaker_makes_trouble_all_the_same():
    game = fixed("troublemaker+robber+werewolf")
    cursor = play(game, "S1", "swap P2 and P3")
    assert cursor.position.cards == ("robber", "werewolf", "troublemaker")
    # The Robber saw the Troublemaker's card and now is a Werewolf without knowing it.
    assert knows(game, cursor, 1) == "P2: dealt Robber; S1; now Troublemaker"


def test_a_minion_sees_by_initial_cards_and_wins_by_final_ones():
    game = fixed("minion+robber+werewolf+villager")
    cursor = play(game, "S3", "vote P4", "vote P4", "vote P1", "vote P1")
    # P2 votes first, then P1, P3, P4: P4 and P1 have two votes each and die, no Werewolf does.
    assert knows(game, cursor, 0).startswith("P1: dealt Minion; Werewolves P3")
    assert cursor.position.cards == ("minion", "werewolf", "robber", "villager")
    assert game.payoffs(cursor.position) == (1, 1, -1, -1)


def test_a_robbed_minion_is_on_the_robbers_side():
    game = fixed("minion+robber+werewolf")
    end = play(game, "S1", "vote P3", "vote P3", "vote P1")
    # P2 stole the Minion's card; P3, the Werewolf, dies: the Village, P1 with the Robber's, wins.
    assert end.position.cards == ("robber", "minion", "werewolf")
    assert game.payoffs(end.position) == (1, -1, -1)


def test_two_drunks_and_one_centre_card():
    game = fixed("2drunk+werewolf+villager", centre=1)
    cursor = play(game, "take centre 1", "take centre 1")
    # P1 takes the Villager and leaves its card, which P2 takes and leaves its own.
    assert cursor.position.cards == ("villager", "drunk", "werewolf", "drunk")


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"centre": 0, "roles": "drunk+2werewolf"}, "the Drunk needs centre cards; choose centre="),
        ({"roles": "doppelganger+5villager"}, "'doppelganger' is not a role"),
        (
            {"roles": "minion+tanner+hunter+3villager", "resolution": "paper"},
            "no rule for Minion, Hunter, Tanner; choose resolution=official",
        ),
        ({"roles": "hunter+5villager", "resolution": "paper"}, "no rule for Hunter;"),
        ({"deal": "hidden"}, "choose chance, fixed or stacked"),
    ],
)
def test_decks_that_cannot_be_played_are_refused(parameters: dict[str, Any], complaint: str):
    with pytest.raises(ParameterError) as caught:
        Onuw(**parameters)
    assert complaint in str(caught.value)
