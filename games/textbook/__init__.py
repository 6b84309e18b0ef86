"""Textbook games, exact, with their sources: small trees to learn and to test with.

Every function returns a game, and ``pyspiel.load_game`` knows it by the function's name. Labels are
the information sets' names, prefixed by the player when they become information-state strings: the
set ``"3"`` of player 3 is ``"P3: 3"``. Payoffs stand in the order of the players. Where a docstring
says "a version of", the idea is the source's and the numbers are ours.
"""

from .catalogue import TextbookGame
from .refinements import (
    bos_outside,
    burning_money,
    dalek,
    disagreeing_beliefs,
    gibbons_4_1_1,
    gibbons_4_1_3,
    selten_horse,
)
from .sequential import centipede, chain_store, entry, trust, ultimatum
from .signalling import beer_quiche, cheap_talk, lemons, spence, stripped_poker
from .simultaneous import (
    battle_of_the_sexes,
    chicken,
    majority,
    matching_pennies,
    prisoners_dilemma,
    stag_hunt,
)

__all__ = [
    "TextbookGame",
    "battle_of_the_sexes",
    "beer_quiche",
    "bos_outside",
    "burning_money",
    "centipede",
    "chain_store",
    "cheap_talk",
    "chicken",
    "dalek",
    "disagreeing_beliefs",
    "entry",
    "gibbons_4_1_1",
    "gibbons_4_1_3",
    "lemons",
    "majority",
    "matching_pennies",
    "prisoners_dilemma",
    "selten_horse",
    "spence",
    "stag_hunt",
    "stripped_poker",
    "trust",
    "ultimatum",
]
