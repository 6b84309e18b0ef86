"""Who plays what: agents by seat, by role or by team.

A player is cast by what it knows itself to be: its role is read from its own view.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from open_spiel.python import policy as openspiel_policy

from ...games.errors import PolicyError
from ...games.rules import Rules
from .knowledge import Agent, Knowledge
from .reading import family, reading_of
from .registry import AGENTS, agent

REST = "rest"
"""Casts everybody whom no other key casts."""

Cast: TypeAlias = Agent | str | Mapping[str, Agent | str]
"""One agent for all, or agents by ``P1``, ``P2``, ... (seats), role, team, or ``rest``; an agent is
a function or a name."""


def cast_from_text(text: str) -> str | dict[str, str]:
    """A cast from ``honest``, ``town=honest+wolves=deceive`` or ``P1=honest+rest=uniform``.

    Raises:
        PolicyError: the text is of neither form, or casts somebody twice.
    """
    parts = text.split("+")
    if "=" not in text and len(parts) == 1:
        return text.strip()
    cast: dict[str, str] = {}
    for part in parts:
        key, equals, name = (piece.strip() for piece in part.partition("="))
        if not (key and equals and name):
            raise PolicyError(
                f"cast {text!r}: {part!r} is not of the form WHO=AGENT; write e.g. "
                f"town=honest+wolves=deceive with agents among {', '.join(AGENTS)}"
            )
        if key in cast:
            raise PolicyError(f"cast {text!r}: {key} is cast twice")
        cast[key] = name
    return cast


class Casting:
    """A cast for a game, checked and complete.

    A seat goes before a role, a role before a team, a team before ``rest``.

    Args:
        rules: the game.
        cast: see `Cast`.

    Raises:
        PolicyError: an agent or a key is unknown, or somebody is not cast.
    """

    def __init__(self, rules: Rules[Any], cast: Cast):
        given = {REST: cast} if isinstance(cast, str) or callable(cast) else dict(cast)
        self.rules = rules
        self._agents = {key: _agent(value) for key, value in given.items()}
        self._roles = family(rules).roles(rules)
        self._check()

    def __call__(self, knowledge: Knowledge) -> Agent:
        """The agent that decides for the player."""
        seat = f"P{knowledge.player + 1}"
        if seat in self._agents:
            return self._agents[seat]
        if self._roles and len(self._agents) > (REST in self._agents):
            reading = reading_of(knowledge)
            for key in (reading.role, reading.team):
                if key in self._agents:
                    return self._agents[key]
        return self._agents[REST]

    def _check(self) -> None:
        seats = [f"P{p + 1}" for p in range(self.rules.num_players)]
        teams = list(dict.fromkeys(self._roles.values()))
        known = [*seats, *self._roles, *teams, REST]
        for key in self._agents:
            if key not in known:
                raise PolicyError(
                    f"{self.rules.name} has nobody called {key!r} to cast; it has "
                    f"{', '.join(known)}"
                )
        if REST in self._agents or all(seat in self._agents for seat in seats):
            return
        missing = [
            role
            for role, team in self._roles.items()
            if role not in self._agents and team not in self._agents
        ]
        if missing or not self._roles:
            lacking = missing or [seat for seat in seats if seat not in self._agents]
            raise PolicyError(
                f"{self.rules.name}: nobody is cast for {', '.join(lacking)}; cast them, or add "
                f"{REST}=AGENT"
            )


def _agent(value: Agent | str) -> Agent:
    if isinstance(value, str):
        return agent(value)
    if isinstance(value, openspiel_policy.Policy) or not callable(value):
        raise PolicyError(
            f"{value!r} is no agent; pass a name or a function from Knowledge to probabilities, "
            "such as from_profile(...) or the answer method of an AgentPolicy"
        )
    return value


def label(cast: Cast) -> str:
    """A cast in the words of a specification."""
    if isinstance(cast, Mapping):
        return "+".join(f"{key}={label(value)}" for key, value in cast.items())
    return cast if isinstance(cast, str) else getattr(cast, "__name__", type(cast).__name__)
