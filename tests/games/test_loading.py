"""Rules without their OpenSpiel games."""

import pytest

from crywolf.games import load_game, rules_of
from crywolf.games.errors import ParameterError, UnknownGame
from crywolf.games.loading import load_rules


@pytest.mark.parametrize(
    "game",
    ["onuw_robber3", "onuw(players=4,centre=0,roles=werewolf+3villager)", "entry", " mountainous ( players = 5 ) "],
)  # fmt: skip
def test_rules_are_those_of_the_game(game):
    rules = load_rules(game)
    made = rules_of(load_game(game))
    assert rules is not None
    assert made is not None
    assert (rules.name, rules.parameters) == (made.name, made.parameters)
    assert load_rules(rules) is rules
    assert load_rules(load_game(made)) is made


def test_games_without_rules():
    assert load_rules("kuhn_poker") is None
    assert load_rules(load_game("kuhn_poker")) is None


def test_what_load_game_refuses_is_refused():
    for text, error in (
        ("onuw_rober3", UnknownGame),
        ("onuw_robber3(players=3", ParameterError),
        ("onuw_robber3(seats=3)", ParameterError),
        ("onuw_robber3(players=three)", ParameterError),
        ("onuw_robber3(players)", ParameterError),
    ):
        with pytest.raises(error) as one:
            load_rules(text)
        with pytest.raises(error) as other:
            load_game(text)
        assert str(one.value) == str(other.value)
