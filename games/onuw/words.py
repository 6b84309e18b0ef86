"""The rules of a game of ONUW in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .resolution import IN_WORDS
from .roles import ROLES
from .talk import Vocabulary


def in_words(parameters: Mapping[str, Any], deck: Sequence[str], talk: Vocabulary) -> str:
    """What every player knows of the rules.

    Args:
        parameters: the game's parameters.
        deck: the cards; with ``deal=fixed``, those of the seats in order, then the centre.
        talk: the vocabulary of the talk.
    """
    kinds = [role for role in ROLES.values() if role.name in deck]
    cards = ", ".join(f"{deck.count(kind.name)} {kind.name.capitalize()}" for kind in kinds)
    players, centre = parameters["players"], parameters["centre"]
    if parameters["deal"] == "fixed":
        seats = ", ".join(f"P{i + 1} {card.capitalize()}" for i, card in enumerate(deck[:players]))
        deal = f"Everybody knows the deal: {seats}."
    else:
        deal = f"The cards ({cards}) are shuffled; each player gets one"
        deal += f", {centre} lie in the centre." if centre else "."
    night = "; ".join(kind.words for kind in kinds if kind.words)
    if parameters["lone_wolf_looks"] and "werewolf" in deck and centre:
        night += "; a Werewolf without a partner may look at one centre card"
    parts = [deal]
    if night:
        parts.append(f"At night: {night}.")
    if talk.words:
        parts.append(f"By day: {talk.words}.")
    parts.append("Then all vote at once for another player.")
    parts.append(IN_WORDS[parameters["resolution"]])
    parts.append("You belong to the team of the card that you hold at the end.")
    return " ".join(parts)
