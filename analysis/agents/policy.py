"""Agents as an OpenSpiel policy: the one form in which everything here takes strategies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyspiel
from open_spiel.python import policy as openspiel_policy

from ...games.errors import PolicyError
from ...games.loading import game_name, load_game, rules_of
from ...games.openspiel import RulesState
from ...games.rules import Rules
from ...solvers.profile import Profile, states_at
from ...solvers.tree import GameTree
from .casting import Cast, Casting, cast_from_text, label
from .knowledge import Knowledge, checked

KEPT = 1 << 16
"""Answers that are remembered."""


class AgentPolicy(openspiel_policy.Policy):
    """The policy of agents that are cast in a game.

    What an agent is told is the mover's own view. Its answers are exact; `action_probabilities`
    rounds them to floats, `exact` does not::

        policy = AgentPolicy("onuw_robber3_talk", {"town": "honest", "wolves": "deceive"})
        crywolf.nash_conv("onuw_robber3_talk", policy)

    Args:
        game: a game made from rules: its name, its rules, or the OpenSpiel game.
        cast: one agent for all, or agents by seat, role or team; see `casting.Cast`.

    Attributes:
        rules: the rules of the game.
        name: the cast in words.

    Raises:
        PolicyError: the game has no rules that can be read, or the cast does not fit it.
        UnknownGame: no game of that name.
    """

    def __init__(self, game: pyspiel.Game | Rules[Any] | str, cast: Cast):
        loaded = load_game(game)
        rules = rules_of(loaded)
        if rules is None:
            raise PolicyError(
                f"{game_name(loaded)} is a game of OpenSpiel's own, whose states do not say what "
                "a player observed; agents play games written as rules (crywolf.games). Use "
                "uniform, random:SEED, or package.module:function instead"
            )
        super().__init__(loaded, list(range(rules.num_players)))
        self.rules = rules
        self.name = f"agent:{label(cast)}"
        self._casting = Casting(rules, cast)
        self._answers: dict[tuple[int, Any], dict[int, Fraction]] = {}

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        """See ``open_spiel.python.policy.Policy``; the player must be the mover."""
        return {action: float(p) for action, p in self.exact(state, player_id).items()}

    def exact(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, Fraction]:
        """The mover's probabilities, exact, of every legal action in ascending order.

        Raises:
            PolicyError: the state is of another game, the player is not to move, or an agent's
                answer is no distribution.
        """
        player = state.current_player() if player_id is None else player_id
        if not isinstance(state, RulesState) or not self._same(state.record.rules):
            other = game_name(state.get_game())
            raise PolicyError(
                f"this policy plays {game_name(self.game)}, and the state is of {other}; make an "
                "AgentPolicy for that game"
            )
        if player < 0 or player != state.current_player():
            raise PolicyError(
                f"{self.rules.name}: agents answer for the player to move, which is "
                f"{state.current_player()}, not {player}"
            )
        rules, cursor = state.record
        return self.answer(
            Knowledge(rules, player, cursor.views[player], rules.legal_actions(cursor.position))
        )

    def answer(self, knowledge: Knowledge) -> dict[int, Fraction]:
        """The probabilities of every legal action for what a player knows: an agent, too."""
        place = (knowledge.player, knowledge.view)
        row = self._answers.get(place)
        if row is None:
            row = checked(self._casting(knowledge), knowledge)
            if len(self._answers) < KEPT:
                self._answers[place] = row
        return dict(row)

    def strategies(self, tree: GameTree) -> dict[str, dict[int, Fraction]]:
        """The exact policy on a compiled tree, for `solvers.exact.exact_profile`.

        Raises:
            PolicyError: the tree is of another game.
        """
        if tree.rules is None or not self._same(tree.rules):
            raise PolicyError(
                f"this policy plays {game_name(self.game)}, and the tree is of {tree.name}; make "
                "an AgentPolicy for that game"
            )
        return {tree.keys[h]: self.exact(state) for h, state in states_at(tree, tree.first_node)}

    def profile(self, tree: GameTree) -> Profile:
        """The policy on a compiled tree, in floating point.

        Raises:
            PolicyError: the tree is of another game.
        """
        rows = self.strategies(tree)
        floats = {key: {a: float(p) for a, p in row.items()} for key, row in rows.items()}
        return Profile.from_dict(tree, floats)

    def _same(self, rules: Rules[Any]) -> bool:
        return rules is self.rules or (
            type(rules) is type(self.rules)
            and rules.name == self.rules.name
            and bool(rules.parameters)
            and rules.parameters == self.rules.parameters
        )


def policy_from_text(text: str, game: pyspiel.Game | Rules[Any] | str) -> AgentPolicy:
    """What ``agent:TEXT`` stands for in a game: ``honest``, ``town=honest+wolves=deceive``, ...

    Raises:
        PolicyError: the text is no cast, or it does not fit the game.
    """
    return AgentPolicy(game, cast_from_text(text))
