"""What a player knows, as data: all that a prompt may be made from.

Prompts are rendered from a `PlayerView`, never from a state, so nothing that the player was not
told can reach the model: what is not in the information state is not in the view.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyspiel

from ..games.openspiel import RulesState


@dataclass(frozen=True, slots=True)
class PlayerView:
    """A player's information state and options.

    Attributes:
        player: the player, from 0.
        information_state: OpenSpiel's information-state string.
        known: the same in separate statements, oldest first, where the game has them; else the
            string as it is.
        actions: the legal actions' numbers, ascending.
        options: the legal actions' names, in the same order.
    """

    player: int
    information_state: str
    known: tuple[str, ...]
    actions: tuple[int, ...]
    options: tuple[str, ...]


def observe(state: pyspiel.State, player: int) -> PlayerView:
    """The view of ``player``, whose move it is."""
    key = state.information_state_string(player)
    actions = tuple(state.legal_actions(player))
    if isinstance(state, RulesState):
        rules, cursor = state.record
        known = tuple(rules.view_words(player, cursor.views[player]))
    else:
        known = (key,)
    options = tuple(state.action_to_string(player, action) for action in actions)
    return PlayerView(player, key, known, actions, options)
