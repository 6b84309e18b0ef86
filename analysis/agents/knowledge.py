"""What an agent knows when it moves, and what an agent is.

An *agent* is a pure function of `Knowledge`: the rules, the player, and the player's view, which is
all that the player has observed and done. It answers with a probability for each action. So an
agent is a behaviour strategy by construction, the same at every history of an information set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from ...games.errors import PolicyError
from ...games.rules import Exact, Rules, View
from ...solvers.exact import exact_number


@dataclass(frozen=True)
class Knowledge:
    """A decision as the player sees it.

    Attributes:
        rules: the game.
        player: who moves, from 0.
        view: the player's own observations and actions so far, in order.
        legal: the action numbers to choose from, ascending.
    """

    rules: Rules[Any]
    player: int
    view: View
    legal: tuple[int, ...]

    @cached_property
    def names(self) -> dict[int, str]:
        """The legal actions by number, with their names."""
        return {action: self.rules.action_name(self.player, action) for action in self.legal}

    @property
    def key(self) -> str:
        """The information-state string."""
        return self.rules.information_state_string(self.player, self.view)

    @property
    def own_actions(self) -> tuple[int, ...]:
        """What the player has done so far."""
        return tuple(entry for entry in self.view if isinstance(entry, int))


Distribution: TypeAlias = Mapping[int, Exact]
"""Probabilities by action number; actions left out have probability 0."""

Agent: TypeAlias = Callable[[Knowledge], Distribution]
"""A pure function from knowledge to probabilities."""


def evenly(actions: Iterable[int]) -> dict[int, Fraction]:
    """Each of the actions with the same probability."""
    chosen = tuple(actions)
    return dict.fromkeys(chosen, Fraction(1, len(chosen)))


def foremost(actions: Iterable[int], rank: Callable[[int], Any]) -> tuple[int, ...]:
    """The actions of the highest rank."""
    ranks = {action: rank(action) for action in actions}
    top = max(ranks.values())
    return tuple(action for action, value in ranks.items() if value == top)


def checked(agent: Agent, knowledge: Knowledge) -> dict[int, Fraction]:
    """The agent's answer with every legal action, ascending.

    Raises:
        PolicyError: it is no distribution over the legal actions.
        InexactError: a probability is not an exact number.
    """
    answer = agent(knowledge)
    where = f"{knowledge.rules.name}: the agent {title(agent)} at {knowledge.key!r}"
    if not isinstance(answer, Mapping):
        raise PolicyError(f"{where} answers {answer!r}; return {{action: Fraction}}")
    illegal = [action for action, p in answer.items() if p and action not in knowledge.legal]
    if illegal:
        menu = ", ".join(f"{action} ({name})" for action, name in knowledge.names.items())
        raise PolicyError(f"{where} plays the illegal actions {illegal}; legal are {menu}")
    row = {action: exact_number(answer.get(action, 0)) for action in knowledge.legal}
    if min(row.values()) < 0 or sum(row.values()) != 1:
        words = ", ".join(f"{name} {row[action]}" for action, name in knowledge.names.items())
        raise PolicyError(
            f"{where} plays {words}: probabilities must not be negative and must sum to exactly 1"
        )
    return row


def title(agent: Agent) -> str:
    """What an agent is called."""
    return getattr(agent, "__name__", type(agent).__name__)
