"""Werewolf: published numbers, the conventions that change them, and how games end."""

import pickle
from fractions import Fraction as F
from typing import Any

import pytest

from crywolf.games import Werewolf, load_game, rules_of, start
from crywolf.games.errors import ParameterError

from .werewolf_plays import best, fixed, go, knows, leaves, living, offers, outcomes, play, rules

# ----------------------------------------------------------------------- sizes and exact values


@pytest.mark.parametrize(("players", "number"), [(3, 36), (4, 840), (5, 217_500)])
def test_leaves_with_explicit_votes(players: int, number: int):
    game = Werewolf(players=players, roles=f"werewolf+{players - 1}villager")
    assert leaves(game) == number


@pytest.mark.parametrize(("players", "wolves", "number"), [(5, 1, 185), (7, 2, 16_590)])
def test_leaves_with_public_draws(players: int, wolves: int, number: int):
    assert leaves(rules(f"mountainous(players={players},wolves={wolves})")) == number


# Migdał 2010 and Braverman et al. 2008: how likely the mafia wins, coin and parity.
TABLE = {
    (3, 1): (F(2, 3), F(2, 3)),
    (4, 1): (F(3, 8), F(3, 4)),
    (5, 1): (F(8, 15), F(8, 15)),
    (5, 2): (F(13, 15), F(13, 15)),
    (6, 1): (F(5, 16), F(5, 8)),
    (6, 2): (F(5, 8), F(11, 12)),
    (7, 1): (F(16, 35), F(16, 35)),
}


def dealt(players: int, wolves: int, **conventions: Any) -> Werewolf:
    """A game with known seats: all deals have the same value, so one is enough."""
    return fixed(
        f"{wolves}werewolf+{players - wolves}villager", elimination="random", **conventions
    )


@pytest.mark.parametrize(("players", "wolves"), TABLE)
def test_the_published_table(players: int, wolves: int):
    coin, parity = TABLE[players, wolves]
    assert outcomes(dealt(players, wolves, end="coin"))["wolves"] == coin
    assert outcomes(dealt(players, wolves))["wolves"] == parity


def test_the_deal_does_not_change_the_value():
    assert outcomes(rules("mountainous(players=5)"))["wolves"] == F(8, 15)
    assert outcomes(rules("mountainous(players=4,end=coin)"))["wolves"] == F(3, 8)


@pytest.mark.parametrize(("players", "wolves"), [(4, 1), (5, 1), (6, 1), (6, 2)])
@pytest.mark.parametrize("end", ["coin", "parity"])
def test_a_night_first_is_a_day_with_one_player_less(players: int, wolves: int, end: str):
    night = outcomes(dealt(players, wolves, end=end, first="night"))["wolves"]
    if 2 * wolves >= players - 1 and end == "parity":
        assert night == 1
    else:
        assert night == outcomes(dealt(players - 1, wolves, end=end))["wolves"]


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_skipping_at_even_numbers_is_as_good_as_one_player_less(players: int):
    even = outcomes(dealt(players, 1, no_lynch="even"))["town"]
    assert even == outcomes(dealt(players - (players % 2 == 0), 1))["town"]


def test_the_town_skips_where_it_should():
    game = dealt(4, 1, no_lynch="allowed")
    assert best(game, "town", game.initial().position) == F(1, 3)  # at 4: skip, at 3: draw
    assert outcomes(dealt(4, 1))["town"] == F(1, 4)


def test_a_fixed_order_is_worse_than_lots():
    # (n - 1) / (2 n) for odd n: the wolves kill whom they had best kill.
    order = rules("mountainous(players=5,elimination=order)")
    lost = best(order, "wolves", order.initial().position)
    assert 1 - lost == F(2, 5) < outcomes(rules("mountainous(players=5)"))["town"]


# ---------------------------------------------------------------------------------- how it ends


def test_parity_ends_the_game_as_soon_as_it_is_reached():
    over = play(fixed("werewolf+2villager"), "vote P2", "vote P3", "vote P2")
    assert over.position.winner == "wolves"


def test_parity_ends_the_game_at_dawn_as_well():
    game = dealt(5, 2, first="night", end="parity")
    over = play(game, "kill P4")
    assert over.position.winner == "wolves"
    assert game.payoffs(over.position) == (1, 1, -1, -1, -1)


def test_a_coin_decides_between_the_last_two():
    game = dealt(4, 1, end="coin")
    coin = play(game, "P2", "kill P3")
    assert offers(game, coin) == ["town", "wolves"]
    assert [p for _, p in game.chance_outcomes(coin.position)] == [F(1, 2), F(1, 2)]
    over = go(game, coin, "town")
    assert game.outcome(over.position) == "town"
    assert knows(game, over, 3).endswith("the coin falls for: town")
    # No coin at night: the wolf kills the last player.
    assert game.outcome(play(game, "P2", "kill P3", "wolves").position) == "wolves"
    night = dealt(3, 1, end="coin", first="night")
    assert play(night, "kill P3").position.stage.name == "COIN"


def test_all_dead_plays_on_until_nobody_else_lives():
    game = dealt(3, 1, end="all_dead")
    two = play(game, "P2")
    assert offers(game, two) == ["kill P3"]
    assert game.outcome(go(game, two, "kill P3").position) == "wolves"
    four = dealt(4, 1, end="all_dead")
    assert game.outcome(play(four, "P2", "kill P3", "P1").position) == "town"


def test_the_wolves_win_when_the_villagers_are_dead():
    game = fixed("werewolf+seer+seer+villager", elimination="random", end="villagers_dead")
    assert game.outcome(play(game, "P4").position) == "wolves"
    assert game.outcome(play(game, "P1").position) == "town"
    assert not play(game, "P2").position.winner


def test_white_and_red_flags():
    white = dealt(5, 2, town_wins_at=1, end="all_dead")
    assert white.outcome(play(white, "P1").position) == "town"
    red = dealt(7, 3, voted_out_wins=2, kill_own=True, end="all_dead")
    assert not play(red, "P1", "kill P2").position.winner  # killed, not voted out
    assert red.outcome(play(red, "P1", "kill P4", "P2").position) == "town"


def test_after_the_last_day_the_timeout_decides():
    for timeout in ("draw", "town", "wolves"):
        game = dealt(5, 1, max_days=1, timeout=timeout, end="all_dead")
        over = play(game, "P2")
        assert game.outcome(over.position) == timeout  # without another night
        signs = {"draw": (0, 0), "town": (-1, 1), "wolves": (1, -1)}[timeout]
        assert game.payoffs(over.position)[:2] == signs


def test_a_game_lasts_as_many_days_as_there_are_players():
    game = fixed("werewolf+2villager", nights=False, ties="nobody", end="all_dead")
    cursor = start(game)
    for day in range(1, 4):
        assert cursor.position.day == day
        cursor = go(game, cursor, "vote P2", "vote P3", "vote P1")
    assert game.outcome(cursor.position) == "draw"
    assert game.payoffs(cursor.position) == (0, 0, 0)


def test_even_days_pass_without_a_move():
    game = dealt(6, 1, no_lynch="even")
    cursor = start(game)
    assert offers(game, cursor) == [f"kill P{seat}" for seat in range(2, 7)]
    assert knows(game, cursor, 1).endswith("eliminated: nobody")
    cursor = go(game, cursor, "kill P6", "P5", "kill P4")  # five, four, three
    assert living(cursor) == "123"


# ------------------------------------------------------------------------------ what is declared


def test_totals_are_zero_exactly_for_teams_of_equal_size():
    assert Werewolf(players=4, roles="werewolf+possessed+2villager").utility_sum == 0
    assert Werewolf(players=4, roles="werewolf+3villager").utility_sum is None
    # Nothing can happen but a draw, or a win of the wolves.
    short = {"players": 5, "roles": "2werewolf+3villager", "elimination": "random", "max_days": 1}
    assert Werewolf(**short, end="all_dead").utility_sum == 0
    assert Werewolf(**short, end="all_dead", timeout="wolves").utility_sum == -1


@pytest.mark.parametrize(
    ("conventions", "moves", "chances"),
    [
        ({"players": 3, "roles": "werewolf+2villager"}, 3, 4),
        ({"players": 4, "roles": "werewolf+3villager"}, 5, 5),
        ({"players": 5, "roles": "werewolf+4villager", "elimination": "random"}, 1, 7),
        ({"players": 3, "roles": "werewolf+2villager", "deal": "fixed", "ties": "all"}, 3, 0),
        ({"players": 5, "roles": "werewolf+seer+3villager", "talk": "accuse"}, 18, 7),
    ],
)
def test_the_longest_play(conventions: dict[str, Any], moves: int, chances: int):
    game = Werewolf(**conventions)
    assert (game.max_game_length, game.max_chance_nodes) == (moves, chances)


def test_rules_pickle_as_their_parameters():
    for game in (Werewolf(players=5, roles="werewolf+4villager"), rules("lovers(town=5)")):
        again = pickle.loads(pickle.dumps(game))
        assert type(again) is Werewolf
        assert again.parameters == game.parameters
        assert (again.name, again.deck) == (game.name, game.deck)


def test_positions_are_described_with_all_that_is_hidden():
    game = fixed("werewolf+seer+witch+2villager", first="night", reveal_night="role")
    cursor = play(game, "kill P4", "no potion", "check P1")
    assert game.describe(cursor.position) == (
        "vote, day 1; P1 Werewolf; P2 Seer (P1 is a wolf); P3 Witch (antidote, poison); "
        "P4 Villager (dead, publicly villager); P5 Villager"
    )


# ------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ("players=2", "choose 3 to 30"),
        ("players=5", "7 cards for 5 players"),
        ("roles=7villager", "there is no wolf"),
        ("roles=7werewolf", "won before the start"),
        ("roles=4werewolf+3villager", "won before the start"),
        ("roles=2wolf+5villager", "is not a role"),
        ("roles=0werewolf+7villager", "is not a role"),
        ("end=never", "choose one of parity, coin"),
        ("elimination=duel", "choose one of votes, random"),
        ("town_wins_at=2", "won before"),
        ("town_wins_at=-1", "choose 0 to 99"),
        ("voted_out_wins=3", "at most these"),
        ("talk=shouting", "no vocabulary 'shouting'"),
        ("talk_rounds=0", "choose 1 to 99"),
        ("end=villagers_dead,roles=2werewolf+5seer", "no villager among the roles"),
        ("lovers=wolves,roles=3werewolf+4villager", "exactly two wolves, not 3"),
        ("nights=False,first=night", "first=day"),
        ("nights=False,quiet_nights=1", "nights=True or 0"),
        ("nights=False,no_lynch=even", "stays for ever"),
        ("vote=sequential,open_votes=False", "seen at once"),
    ],
)
def test_refusals_say_the_cure(parameters: str, words: str):
    with pytest.raises(ParameterError, match=words):
        load_game(f"werewolf({parameters})")


def test_many_wolves_are_allowed_where_they_do_not_win_by_number():
    game = rules_of(load_game("werewolf(players=3,roles=2werewolf+villager,end=coin)"))
    assert game is not None
    assert (
        leaves(dealt(3, 2, end="all_dead")) == 3
    )  # P3 is drawn; or a wolf, and the other kills P3
