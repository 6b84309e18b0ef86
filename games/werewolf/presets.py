"""The games of Werewolf and Mafia that come registered with OpenSpiel.

``werewolf``
    Every convention is a parameter, see `Options`.
``werewolf5``, ``werewolf15``
    The games of the AIWolf contests with 5 and 15 players. The first night has no attack; after it
    days and nights take turns. (In the contests only the Seer acts in the first night; a tied vote
    is repeated before lots are drawn; and talk goes on for several rounds: ``talk_rounds``.)
``gratr8``
    The eight-player game of Zhu et al. (2024): three Werewolves, two Villagers, Seer, Witch and
    Guard; those who die in the first night are shown; one statement for each living player in an
    order drawn once; visible votes in seat order, a tie eliminates nobody.

These take the parameters of `Werewolf`; only the defaults differ. The others are functions with few
parameters: `mountainous`, `one_seer`, `nightless`, `semi_nightless`, `lovers`, `white_flag`,
`red_flag` and `vengeful`. In all of them players are eliminated by a public draw.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import ParameterError
from ..openspiel import Parameter, register
from .parameters import SEATS
from .roles import parse_roles
from .rules import Werewolf

AIWOLF: dict[str, Parameter] = {
    "first": "night",
    "quiet_nights": 1,
    "night_kill": "vote",
    "guard_self": False,
    "talk": "aiwolf",
}
"""What the contests have in common: parity, and simultaneous votes that are shown afterwards."""

GRATR8: dict[str, Parameter] = {
    "players": 8,
    "roles": "3werewolf+2villager+seer+witch+guard",
    "first": "night",
    "end": "all_dead",
    "reveal_night": "role",
    "reveal_first_night_only": True,
    "talk": "roles+results+accuse+defend+support",
    "talk_order": "shuffled",
    "vote": "sequential",
    "abstain": True,
    "ties": "nobody",
}


def mountainous(
    players: int = 7,
    wolves: int = 1,
    first: str = "day",
    end: str = "parity",
    no_lynch: str = "forbidden",
    elimination: str = "random",
) -> Werewolf:
    """Mafia without roles: somebody is eliminated by day, somebody is killed at night.

    Braverman, Etesami and Mossel (2008) and Migdał (2010). The public draw is the town's optimal
    protocol where its members can toss coins in public.

    Args:
        players: number of players.
        wolves: how many of them are wolves.
        first: see `Options`.
        end: see `Options`.
        no_lynch: see `Options`.
        elimination: see `Options`.

    Raises:
        ParameterError: see `Werewolf`.
    """
    own = {"first": first, "end": end, "no_lynch": no_lynch, "elimination": elimination}
    return _made(
        mountainous,
        {"players": players, "wolves": wolves, **own},
        roles=_deck(wolves, players - wolves),
        **own,
    )


def one_seer(
    players: int = 5, wolves: int = 1, end: str = "parity", reveal_when_drawn: bool = True
) -> Werewolf:
    """Mafia with one Seer, whose claims are true and uncontested.

    The Seer may reveal itself and its results at the start of any day, and when it is drawn for
    elimination; then it lives, and those that it has cleared are not drawn.

    Args:
        players: number of players.
        wolves: how many of them are wolves.
        end: see `Options`.
        reveal_when_drawn: see `Options`.

    Raises:
        ParameterError: see `Werewolf`.
    """
    own = {"end": end, "reveal_when_drawn": reveal_when_drawn}
    return _made(
        one_seer,
        {"players": players, "wolves": wolves, **own},
        roles=_deck(wolves, players - wolves - 1, "seer"),
        talk="reveal",
        **own,
    )


def nightless(town: int = 4, mafia: int = 1) -> Werewolf:
    """Nightless Mafia: only eliminations, until the mafia has parity.

    Args:
        town: number of townspeople.
        mafia: number of mafiosi.

    Raises:
        ParameterError: see `Werewolf`.
    """
    return _made(nightless, {"town": town, "mafia": mafia}, roles=_deck(mafia, town), nights=False)


def semi_nightless(town: int = 9, mafia: int = 2, quiet_nights: int = 2) -> Werewolf:
    """Mafia in which the first nights pass without a kill.

    Args:
        town: number of townspeople.
        mafia: number of mafiosi.
        quiet_nights: how many nights.

    Raises:
        ParameterError: see `Werewolf`.
    """
    return _made(
        semi_nightless,
        {"town": town, "mafia": mafia, "quiet_nights": quiet_nights},
        roles=_deck(mafia, town),
        quiet_nights=quiet_nights,
    )


def lovers(town: int = 4) -> Werewolf:
    """Nightless Mafia with two mafiosi who are lovers: if one dies the other dies, too.

    Args:
        town: number of townspeople.

    Raises:
        ParameterError: see `Werewolf`.
    """
    return _made(lovers, {"town": town}, roles=_deck(2, town), nights=False, lovers="wolves")


def white_flag(town: int = 10, mafia: int = 3) -> Werewolf:
    """Mafia that gives up: the town wins as soon as at most one mafioso is left.

    Args:
        town: number of townspeople.
        mafia: number of mafiosi.

    Raises:
        ParameterError: see `Werewolf`.
    """
    return _made(
        white_flag, {"town": town, "mafia": mafia}, roles=_deck(mafia, town), town_wins_at=1
    )


def red_flag(mafia: int = 4, town: int = 7) -> Werewolf:
    """Mafia that loses when two mafiosi have been voted out, and may kill its own at night.

    Args:
        mafia: number of mafiosi.
        town: number of townspeople.

    Raises:
        ParameterError: see `Werewolf`.
    """
    return _made(
        red_flag,
        {"mafia": mafia, "town": town},
        roles=_deck(mafia, town),
        voted_out_wins=2,
        kill_own=True,
    )


def vengeful() -> Werewolf:
    """Vengeful Mafia: Godfather, Goon and three townspeople, without nights.

    The town wins at once if the Godfather is voted out on the first day; if a townsperson is, it
    takes another player along, drawn by chance.
    """
    return _made(vengeful, {}, roles="godfather+werewolf+3vengeful", nights=False)


def _deck(wolves: int, others: int, *roles: str) -> str:
    """The ``roles`` parameter: wolves, the roles given, and Villagers."""
    if wolves < 1 or others < 1:
        raise ParameterError(
            f"werewolf: {wolves} wolves, and {others} Villagers: choose at least one of each"
        )
    return "+".join([f"{wolves}werewolf", *roles, f"{others}villager"])


def _made(
    maker: Callable[..., Werewolf], parameters: dict[str, Parameter], **options: Any
) -> Werewolf:
    """The rules that ``maker`` makes of its parameters, known by its name."""
    chosen: dict[str, Any] = {"elimination": "random"} | options
    rules = Werewolf(players=len(parse_roles(chosen["roles"])), **chosen)
    rules.name = maker.__name__  # type: ignore[misc]  # one class, many games
    rules.title = (maker.__doc__ or "").partition("\n")[0].rstrip(".")  # type: ignore[misc]
    rules.parameters, rules.maker = parameters, maker
    return rules


register(Werewolf, seats=SEATS, summary="Werewolf or Mafia: every convention is a parameter")
register(
    Werewolf,
    "werewolf5",
    {"players": 5, "roles": "2villager+seer+possessed+werewolf", **AIWOLF},
    seats=SEATS,
    summary="the five-player game of the AIWolf contests",
)
register(
    Werewolf,
    "werewolf15",
    {"players": 15, "roles": "8villager+seer+medium+guard+3werewolf+possessed", **AIWOLF},
    seats=SEATS,
    summary="the fifteen-player game of the AIWolf contests",
)
register(
    Werewolf,
    "gratr8",
    GRATR8,
    seats=SEATS,
    summary="the eight-player game of Zhu et al. 2024, with Seer, Witch and Guard",
)
for _maker in (mountainous, one_seer, nightless, semi_nightless, lovers, white_flag, red_flag):
    register(_maker, seats=SEATS)
register(vengeful)
