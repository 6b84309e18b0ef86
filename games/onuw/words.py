"""The rules and the sights of a game of ONUW in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import GameError
from ..rules import Observation
from .resolution import IN_WORDS
from .role import Role, title
from .scene import Scene


def sight(scene: Scene, observation: Observation) -> str:
    """What a player learns at night, in words.

    Raises:
        GameError: it is no such observation.
    """
    match observation:
        case ("card", str(role)):
            return f"dealt {title(role)}"
        case ("werewolves", tuple(seats)):
            return f"Werewolves {_names(scene, seats)}" if seats else "no Werewolves"
        case ("masons", tuple(seats)):
            return f"Masons {_names(scene, seats)}"
        case ("saw", int(place), str(role)):
            return f"{scene.place_name(place)} has {title(role)}"
        case ("now", str(role)):
            return f"now {title(role)}"
        case ("told", str(text)):
            return text
    raise GameError(f"not an observation of onuw: {observation!r}")


def _names(scene: Scene, seats: Iterable[int]) -> str:
    return " ".join(map(scene.place_name, seats))


def cards_in_words(scene: Scene, cards: Sequence[str]) -> str:
    """The cards by place, or those dealt so far."""
    n = scene.num_players
    words = [f"P{i + 1} {title(card)}" for i, card in enumerate(cards[:n])]
    words += [f"centre {title(card)}" for card in cards[n:]]
    return ", ".join(words) or "nothing"


def in_words(
    parameters: Mapping[str, Any],
    scene: Scene,
    kinds: Sequence[Role],
    talk: str,
    script: Iterable[tuple[str, str]],
) -> str:
    """What every player knows of the rules.

    Args:
        parameters: the game's parameters.
        scene: the game; with ``deal=fixed``, its deck is in the order of the places.
        kinds: the roles in the deck, in the order of the night.
        talk: the talk in words.
        script: the roles whose night is laid down, each with its action in words.
    """
    deck, players, centre = scene.deck, parameters["players"], parameters["centre"]
    cards = ", ".join(f"{deck.count(kind.name)} {title(kind.name)}" for kind in kinds)
    if parameters["deal"] == "fixed":
        seats = ", ".join(f"P{i + 1} {title(card)}" for i, card in enumerate(deck[:players]))
        middle = ", ".join(map(title, deck[players:]))
        deal = f"Everybody knows the deal: {seats}" + (
            f"; in the centre {middle}." if centre else "."
        )
    else:
        deal = f"The cards ({cards}) are shuffled; each player gets one"
        deal += f", {centre} lie in the centre." if centre else "."
    night = "; ".join(kind.words for kind in kinds if kind.words)
    if scene.lone_wolf_looks and "werewolf" in deck and centre:
        night += "; a Werewolf without a partner may look at one centre card"
    parts = [deal]
    if night:
        parts.append(f"At night: {night}.")
    laid_down = "; ".join(f"{title(name)} {action}" for name, action in script)
    if laid_down and parameters["deal"] != "stacked":
        parts.append(f"Everybody knows what is laid down for the night: {laid_down}.")
    if talk:
        parts.append(f"By day: {talk}.")
    parts.append("Then all vote at once for another player.")
    parts.append(IN_WORDS[parameters["resolution"]])
    parts += [kind.goal for kind in kinds if kind.goal]
    parts.append("You belong to the team of the card that you hold at the end.")
    return " ".join(parts)
