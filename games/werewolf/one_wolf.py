"""The same game with the lone wolf as a player of its own: the town's seats against it.

In `Werewolf` a player is a seat, and chance decides on whose side it is; so no fixed set of players
is a team. Here the last player is whoever holds the wolf's card, in every deal, and the others are
the seats as members of the town. Plays, information and actions are those of the game; a question
about a team against an adversary is one about this game (`crywolf.solvers.team_equilibrium`).
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from ..errors import ParameterError
from ..rules import Exact, Observation, Observations, Rules, Step, View
from .position import Position
from .roles import ROLES, TOWN
from .rules import Werewolf


class OneWolf(Rules[Position]):
    """A game of Werewolf in which one player is not of the town, as town against wolf.

    Players 0 to n-1 are the seats as members of the town: in each play all but one move. Player n
    is the other side; the first thing it observes is its seat. It gets 1 if it wins and -1 if the
    town does; every member of the town gets an n-th part of the opposite.

    Args:
        rules: the game; exactly one card is of the wolves' team.

    Raises:
        ParameterError: none or several are.
    """

    name: ClassVar[str] = "werewolf_one_wolf"
    title: ClassVar[str] = "Werewolf: the town against its one wolf"

    def __init__(self, rules: Werewolf):
        others = [card for card in rules.deck if ROLES[card].team != TOWN]
        if len(others) != 1:
            raise ParameterError(
                f"{self.name}: {len(others)} cards are of the wolves' team; a single adversary has "
                "perfect recall, several need a player each: take a deck with one"
            )
        self.rules = rules
        self.wolf = rules.num_players
        self.parameters = rules.parameters
        self.num_players = rules.num_players + 1
        self.num_distinct_actions = rules.num_distinct_actions
        self.max_chance_outcomes = rules.max_chance_outcomes
        self.max_game_length = rules.max_game_length
        self.max_chance_nodes = rules.max_chance_nodes
        self.utility_range = (Fraction(-1), Fraction(1))
        self.utility_sum = Fraction(0)

    def initial(self) -> Step[Position]:
        """See `Rules.initial`."""
        step = self.rules.initial()
        return Step(step.position, self._told(None, step))

    def mover(self, position: Position) -> int:
        """See `Rules.mover`."""
        mover = self.rules.mover(position)
        return self.wolf if mover >= 0 and self._is_wolf(position, mover) else mover

    def legal_actions(self, position: Position) -> tuple[int, ...]:
        """See `Rules.legal_actions`."""
        return self.rules.legal_actions(position)

    def chance_outcomes(self, position: Position) -> tuple[tuple[int, Exact], ...]:
        """See `Rules.chance_outcomes`."""
        return self.rules.chance_outcomes(position)

    def play(self, position: Position, action: int) -> Step[Position]:
        """See `Rules.play`."""
        step = self.rules.play(position, action)
        return Step(step.position, self._told(position, step))

    def payoffs(self, position: Position) -> tuple[Exact, ...]:
        """See `Rules.payoffs`."""
        won = next(
            payoff
            for seat, payoff in enumerate(self.rules.payoffs(position))
            if self._is_wolf(position, seat)
        )
        return (*[-won / self.wolf] * self.wolf, won)

    def action_name(self, player: int, action: int) -> str:
        """See `Rules.action_name`."""
        return self.rules.action_name(player, action)

    def observation_name(self, player: int, observation: Observation) -> str:
        """See `Rules.observation_name`."""
        match observation:
            case ("seat", int(seat)):
                return f"seat P{seat + 1}"
        return self.rules.observation_name(player, observation)

    def information_state_string(self, player: int, view: View) -> str:
        """See `Rules.information_state_string`."""
        words = "; ".join(self.view_words(player, view))
        return f"{'wolf' if player == self.wolf else f'P{player + 1}'}: {words}"

    def describe(self, position: Position) -> str:
        """See `Rules.describe`."""
        return self.rules.describe(position)

    def in_words(self) -> str:
        """See `Rules.in_words`."""
        return self.rules.in_words()

    def _is_wolf(self, position: Position, seat: int) -> bool:
        role = position.roles[seat]
        return bool(role) and ROLES[role].team != TOWN

    def _told(self, before: Position | None, step: Step[Position]) -> Observations:
        """What the wolf's seat observes goes to the wolf, its seat first."""
        for seat in range(self.wolf):
            if self._is_wolf(step.position, seat):
                news = list(step.observations)
                own, news[seat] = news[seat], ()
                if before is None or not self._is_wolf(before, seat):
                    own = (("seat", seat), *own)
                return (*news, own)
        return (*step.observations, ())
