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
