"""The formal game that a log is a play of: its deck and its conventions as a game string.

The game is `crywolf.games.werewolf` with the rules of AIWolf: cards dealt by chance, a first night
without an attack, talk and a simultaneous vote every day. What the server's settings decide and a
log does not say outright is taken from what happened: how often everybody may speak, whether a tie
executes nobody, whether the Werewolves may attack nobody.
"""

from __future__ import annotations

from collections import Counter

from ..errors import ParameterError
from ..werewolf.rules import Werewolf
from .chronicle import Chronicle, most_voted
from .players import Place
from .vocabulary import Role

CARDS = {
    Role.VILLAGER: "villager",
    Role.SEER: "seer",
    Role.MEDIUM: "medium",
    Role.BODYGUARD: "guard",
    Role.WEREWOLF: "werewolf",
    Role.POSSESSED: "possessed",
}
"""The roles of AIWolf by their names in the game."""

VOCABULARY = "aiwolf"
"""What can be said in the game."""


def game_of(game: Chronicle, place: Place, executions: dict[int, int]) -> Werewolf:
    """The rules of the game.

    Args:
        game: what happened.
        place: for errors.
        executions: the line of each day's execution.

    Raises:
        InconsistentLog: ties were settled in two ways; or nothing was played, or by so few or many
            players, or in so many rounds of talk or days, that the game does not take them.
    """
    if len(game.days) < 2:
        raise place.error("the game was over before anybody could do anything; nothing to replay")
    counts = Counter(CARDS[role] for role in game.roles)
    deck = "+".join(
        f"{counts[card]}{card}" if counts[card] > 1 else card
        for card in CARDS.values()
        if counts[card]
    )
    last = game.days[-1].number
    rounds = max(len({s.utterance.turn for s in day.talks}) for day in game.days[1:])
    try:
        return Werewolf(
            players=len(game.roles),
            roles=deck,
            first="night",
            quiet_nights=1,
            guard_self=False,
            ties=_ties(game, place, executions),
            no_kill=any(day.attacked is None for day in game.days[1:]),
            talk=VOCABULARY if rounds else "none",
            talk_rounds=max(rounds, 1),
            max_days=0 if last < len(game.roles) else last + 1,
        )
    except ParameterError as error:
        raise place.error(f"no formal game is like this one: {error}") from error


def _ties(game: Chronicle, place: Place, executions: dict[int, int]) -> str:
    tied = [day for day in game.days[1:] if len(most_voted(day.ballots[-1])) > 1]
    spared = [day for day in tied if day.executed is None]
    for day in tied if spared else ():
        if day.executed is not None:
            place.line = executions[day.number]
            raise place.error(
                f"a tie executes agent {day.executed}, but nobody on day {spared[0].number}; no "
                "game has both rules"
            )
    return "nobody" if spared else "random"


def game_string(rules: Werewolf) -> str:
    """The parameters that differ from the defaults, as `crywolf.load_game` takes them."""
    defaults = Werewolf().parameters
    differing = [f"{k}={v}" for k, v in rules.parameters.items() if v != defaults[k]]
    return f"{rules.name}({','.join(differing)})"
