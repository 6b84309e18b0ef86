"""How the conformance checks travel through a game: every node, with what leads to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyspiel

from .errors import UnsupportedGame
from .loading import rules_of
from .openspiel import RulesState
from .rules import CHANCE, TERMINAL, Cursor, Exact, Rules

History = tuple[int, ...]
"""The actions from the root, chance outcomes included."""


@dataclass(slots=True)
class Visit:
    """One node and its past.

    Attributes:
        state: OpenSpiel's state.
        history: how the node was reached.
        mover: a player, `CHANCE` or `TERMINAL`.
        previous: the mover at the parent, None at the root.
        actions: legal actions or chance outcomes, in the game's order.
        probabilities: those of the chance outcomes; empty elsewhere. Fractions if the game has
            rules, else floats.
        key: the mover's information-state string; empty if nobody moves or the game has none.
        recalled: for each player a number that stands for its own past (key, action) sequence.
        observed: for each player a number that stands for its own action-observation history.
        reach: the product of the chance probabilities on the way.
        uniform: the probability of the node when everybody plays uniformly.
        chance_moves: the number of chance moves on the way.
        cursor: position and views, if the game has rules.
    """

    state: Any
    history: History
    mover: int
    previous: int | None
    actions: tuple[int, ...]
    probabilities: tuple[Exact, ...]
    key: str
    recalled: tuple[int, ...]
    observed: tuple[int, ...]
    reach: Exact
    uniform: Exact
    chance_moves: int
    cursor: Cursor | None


class Explorer:
    """Walks a sequential OpenSpiel game.

    Args:
        game: the game.

    Attributes:
        game: the game.
        kind: its declared type.
        rules: its exact rules, or None.
        has_keys: whether it gives information-state strings.
        longest: histories are not followed beyond this length; the check of lengths reports them.
        no_observations: why it gives no observation strings; empty if it does.

    Raises:
        UnsupportedGame: simultaneous moves, or chance that cannot be enumerated.
    """

    def __init__(self, game: pyspiel.Game):
        self.game = game
        self.kind = game.get_type()
        if self.kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise UnsupportedGame(
                f"{game} is not sequential; convert it with pyspiel.convert_to_turn_based(game)"
            )
        if self.kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise UnsupportedGame(f"{game} samples its chance moves; they cannot be enumerated")
        self.rules: Rules[Any] | None = rules_of(game)
        self.has_keys = bool(self.kind.provides_information_state_string)
        self.no_observations = self._why_no_observations()
        declared = game.max_game_length()
        with suppress(pyspiel.SpielError):  # some games do not say
            declared += game.max_chance_nodes_in_history()
        self.longest = 2 * declared + 100  # far beyond what is declared: it may never end
        self._one: Exact = Fraction(1) if self.rules else 1.0
        self._numbers: dict[tuple[int, Any], int] = {}

    def words(self, history: History) -> str:
        """A history in words."""
        state = self.game.new_initial_state()
        words = []
        for action in history:
            words.append(state.action_to_string(state.current_player(), action))
            state.apply_action(action)
        return ", ".join(words) or "the root"

    def exhaustively(self, limit: int) -> Iterator[Visit]:
        """Every node, depth first, until ``limit`` nodes have been visited."""
        stack = [self._root()]
        for _ in range(limit):
            if not stack:
                return
            visit = stack.pop()
            yield visit
            if len(visit.history) <= self.longest:
                stack += [
                    self._child(visit, index) for index in reversed(range(len(visit.actions)))
                ]

    def playouts(self, limit: int, rng: np.random.Generator) -> Iterator[Visit]:
        """The nodes of random plays, about ``limit`` of them; all choices are uniform."""
        count = 0
        while count < limit:
            visit = self._root()
            yield visit
            count += 1
            while visit.actions and len(visit.history) <= self.longest:
                visit = self._child(visit, int(rng.integers(len(visit.actions))))
                yield visit
                count += 1

    # ------------------------------------------------------------------------------------ one node

    def _root(self) -> Visit:
        nothing = (0,) * self.game.num_players()
        state = self.game.new_initial_state()
        return self._visit(state, (), None, nothing, nothing, self._one, self._one, 0)

    def _child(self, parent: Visit, index: int) -> Visit:
        action = parent.actions[index]
        reach, uniform = parent.reach, parent.uniform
        recalled, observed = parent.recalled, parent.observed
        if parent.mover == CHANCE:
            reach, uniform = (
                reach * parent.probabilities[index],
                uniform * parent.probabilities[index],
            )
        else:
            uniform = uniform / len(parent.actions)
            recalled = self._folded(recalled, parent.mover, (parent.key, action))
            observed = self._folded(observed, parent.mover, action)
        return self._visit(
            parent.state.child(action),
            (*parent.history, action),
            parent.mover,
            recalled,
            observed,
            reach,
            uniform,
            parent.chance_moves + (parent.mover == CHANCE),
        )

    def _visit(
        self,
        state: Any,
        history: History,
        previous: int | None,
        recalled: tuple[int, ...],
        observed: tuple[int, ...],
        reach: Exact,
        uniform: Exact,
        chance_moves: int,
    ) -> Visit:
        mover = int(state.current_player())
        cursor = state.record.cursor if isinstance(state, RulesState) else None
        actions: tuple[int, ...] = ()
        probabilities: tuple[Exact, ...] = ()
        key = ""
        if mover == CHANCE:
            outcomes = (
                self.rules.chance_outcomes(cursor.position)
                if self.rules and cursor
                else state.chance_outcomes()
            )
            actions = tuple(action for action, _ in outcomes)
            probabilities = tuple(p for _, p in outcomes)
        elif mover >= 0:
            actions = tuple(state.legal_actions())
            if self.has_keys:
                key = state.information_state_string(mover)
        elif mover != TERMINAL:
            raise UnsupportedGame(f"{self.game} has a node of mover {mover} after {history}")
        if mover != TERMINAL and not self.no_observations:
            for player in range(len(observed)):
                news = self._observation(state, mover, player)
                if news:
                    observed = self._folded(observed, player, news)
        return Visit(
            state,
            history,
            mover,
            previous,
            actions,
            probabilities,
            key,
            recalled,
            observed,
            reach,
            uniform,
            chance_moves,
            cursor,
        )

    def _folded(self, pasts: Sequence[int], player: int, entry: Any) -> tuple[int, ...]:
        """The pasts with one entry added to that of ``player``; equal pasts have equal numbers."""
        step = (pasts[player], entry)
        number = self._numbers.setdefault(step, len(self._numbers) + 1)
        return (*pasts[:player], number, *pasts[player + 1 :])

    def _observation(self, state: Any, mover: int, player: int) -> str:
        if mover != CHANCE or self.rules:
            return state.observation_string(player)
        try:
            return state.observation_string(player)
        except Exception:  # of any kind: many games give no observation while chance moves
            return ""

    def _why_no_observations(self) -> str:
        if not self.has_keys:
            return "the game has no information-state strings"
        if not self.kind.provides_observation_string:
            return "the game has no observation strings"
        state = self.game.new_initial_state()
        while state.is_chance_node():
            outcomes = state.chance_outcomes()
            if not outcomes:
                return ""  # another check reports it
            state.apply_action(outcomes[0][0])
        try:
            state.observation_string(0)
        except pyspiel.SpielError as error:
            return f"the game declares observation strings but gives none ({error})"
        return ""
