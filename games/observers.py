"""What a player sees of a state, in the form of OpenSpiel's Python observers.

An observer has ``tensor`` and ``dict`` (one array and its named parts), ``set_from`` and
``string_from``; see ``open_spiel.python.observation``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .encoding import ViewEncoder
from .rules import Rules

if TYPE_CHECKING:
    from .openspiel import RulesState


class InformationStateObserver:
    """Everything a player knows: its view in words, or as a tensor (see `ViewEncoder`).

    Args:
        rules: the game.
    """

    def __init__(self, rules: Rules[Any]):
        self._encoder = ViewEncoder(rules)
        self.tensor = self._encoder.tensor
        self.dict = self._encoder.pieces

    def set_from(self, state: RulesState, player: int) -> None:
        """Writes what ``player`` knows into the tensor."""
        self._encoder.encode(player, state.record.cursor.views[player])

    def string_from(self, state: RulesState, player: int) -> str:
        """What ``player`` knows, in words."""
        rules, cursor = state.record
        return rules.information_state_string(player, cursor.views[player])


class NewsObserver:
    """What a player learned from the last move, its own action included; in words only."""

    tensor = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: RulesState, player: int) -> None:
        """Does nothing: there is no tensor."""

    def string_from(self, state: RulesState, player: int) -> str:
        """The news of ``player``; empty if there are none."""
        rules, cursor = state.record
        return "; ".join(rules.view_words(player, cursor.news[player]))
