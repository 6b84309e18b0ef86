"""The games that come registered with OpenSpiel, and their parameters.

``onuw``
    One Night Ultimate Werewolf, see `Onuw` for its parameters.
``onuw_robber3``
    The three-player theory game of Jin et al. 2024, Section 4: P1 and P2 are Werewolves, P3 is the
    Robber, no centre cards, no talk, the paper's payoffs. Theorem 4.1 is about it.
``onuw_robber3_official``
    The same with the payoffs of the printed rules.
``onuw_robber3_talk``
    The same as ``onuw_robber3``, but before the vote the Robber says publicly what it did at night,
    truly or not.
``onuw5``
    The five-player deck of Jin et al. 2024 with three cards in the centre, shuffled; the paper's
    payoffs, no talk (their three rounds: ``talk_rounds=3`` and a vocabulary).
``onuw5_easy``, ``onuw5_hard``
    Their two predefined settings of that deck: the cards lie as written, though players are told
    that they were shuffled, and the night's actions are laid down. At the end of the easy one P2 is
    the Werewolf, as it was dealt; of the hard one P1, the Robber who took the card from P4.

Presets take the parameters of `Onuw`; only the defaults differ.
"""

from __future__ import annotations

from .onuw import Onuw
from .openspiel import Parameter, register

_SEATS = (3, 10)

_ROBBER3: dict[str, Parameter] = {
    "players": 3,
    "centre": 0,
    "roles": "2werewolf+robber",
    "deal": "fixed",
    "resolution": "paper",
}

register(
    Onuw,
    seats=_SEATS,
    summary="One Night Ultimate Werewolf: deal, night, talk and vote; printed or paper's payoffs",
)
register(
    Onuw,
    "onuw_robber3",
    _ROBBER3,
    seats=_SEATS,
    summary="theory game of Jin et al. 2024: Werewolves P1 and P2, Robber P3, the paper's payoffs",
)
register(
    Onuw,
    "onuw_robber3_official",
    _ROBBER3 | {"resolution": "official"},
    seats=_SEATS,
    summary="the theory game with the payoffs of the printed rules",
)
register(
    Onuw,
    "onuw_robber3_talk",
    _ROBBER3 | {"talk": "robber"},
    seats=_SEATS,
    summary="the theory game in which the Robber says what it did, truly or not, before the vote",
)

_ONUW5: dict[str, Parameter] = {
    "players": 5,
    "centre": 3,
    "roles": "2werewolf+2villager+seer+robber+troublemaker+insomniac",
    "resolution": "paper",
}

register(
    Onuw,
    "onuw5",
    _ONUW5,
    seats=_SEATS,
    summary="five players, three centre cards: the deck of Jin et al. 2024, the paper's payoffs",
)
register(
    Onuw,
    "onuw5_easy",
    _ONUW5
    | {
        "roles": "troublemaker+werewolf+seer+robber+villager+insomniac+werewolf+villager",
        "deal": "stacked",
        "night": "seer:P4+robber:P1+troublemaker:P3-P5",
    },
    seats=_SEATS,
    summary="their easy setting: a given deal and night, P2 stays the Werewolf",
)
register(
    Onuw,
    "onuw5_hard",
    _ONUW5
    | {
        "roles": "robber+insomniac+seer+werewolf+troublemaker+werewolf+2villager",
        "deal": "stacked",
        "night": "seer:P4+robber:P4+troublemaker:P2-P3",
    },
    seats=_SEATS,
    summary="their hard setting: a given deal and night, the Robber becomes the Werewolf",
)
