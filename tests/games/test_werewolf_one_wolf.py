"""The town's seats against the lone wolf: the same game, other players."""

from fractions import Fraction

import pytest

from crywolf.games import check_game
from crywolf.games.errors import ParameterError
from crywolf.games.rules import TERMINAL
from crywolf.games.werewolf import Werewolf
from crywolf.games.werewolf.one_wolf import OneWolf

GAMES = [
    Werewolf(players=3, roles="werewolf+2villager"),
    Werewolf(players=3, roles="werewolf+2villager", talk="accuse"),
    Werewolf(players=4, roles="werewolf+seer+2villager", elimination="random", talk="reveal"),
]


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.parameters["talk"])
def test_it_conforms(rules):
    check_game(OneWolf(rules)).raise_if_failed()


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.parameters["talk"])
def test_plays_and_results_are_those_of_the_game(rules):
    game = OneWolf(rules)

    def compare(position):
        mover = rules.mover(position)
        if mover == TERMINAL:
            wolf = rules.payoffs(position)[position.roles.index("werewolf")]
            assert game.payoffs(position) == (
                *[-wolf / rules.num_players] * rules.num_players,
                wolf,
            )
            assert sum(game.payoffs(position)) == Fraction(0)
            return
        holds = mover >= 0 and position.roles[mover] == "werewolf"
        assert game.mover(position) == (rules.num_players if holds else mover)
        assert game.actions(position) == rules.actions(position)
        for action in game.actions(position):
            after = game.play(position, action).position
            assert after == rules.play(position, action).position
            compare(after)

    compare(game.initial().position)


def test_one_wolf_is_needed():
    for roles in ("2werewolf+4villager", "werewolf+minion+4villager"):
        with pytest.raises(ParameterError, match="take a deck with one"):
            OneWolf(Werewolf(players=6, roles=roles))
