"""Agents by name."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial, update_wrapper
from types import MappingProxyType
from typing import Any, TypeVar

from ...games.errors import ParameterError, PolicyError
from .knowledge import Agent

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Entry:
    """An agent that has a name.

    Attributes:
        name: what specifications call it.
        function: the agent; it may take a keyword ``seed`` beside its knowledge.
        summary: the agent in one line.
        seeded: whether there is one agent for each seed.
    """

    name: str
    function: Callable[..., Any]
    summary: str
    seeded: bool


_agents: dict[str, Entry] = {}

AGENTS: Mapping[str, Entry] = MappingProxyType(_agents)
"""All named agents."""


def add_agent(name: str) -> Callable[[F], F]:
    """Gives an agent a name, so that ``agent:NAME`` stands for it.

    ::

        @add_agent("first")
        def first(knowledge):
            "Plays the first legal action."
            return {knowledge.legal[0]: 1}

    The first line of the docstring becomes its summary. With a keyword ``seed: int = 0`` there is
    an agent for each seed, ``NAME:SEED``. Using a name again replaces the agent.

    Raises:
        ParameterError: the name is not made of lower-case letters, digits and ``_``.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ParameterError(f"{name!r} cannot be an agent's name; use lower-case letters and _")

    def add(function: F) -> F:
        summary = (inspect.getdoc(function) or "").partition("\n")[0]
        seeded = "seed" in inspect.signature(function).parameters
        _agents[name] = Entry(name, function, summary, seeded)
        return function

    return add


def agent(name: str, seed: int | None = None) -> Agent:
    """The agent of a name.

    Args:
        name: one of `AGENTS`, or ``NAME:SEED``.
        seed: of an agent that draws from a seed; 0 by default.

    Raises:
        PolicyError: there is no such agent, or it takes no seed.
    """
    plain, colon, digits = name.partition(":")
    entry = _agents.get(plain)
    if entry is None:
        raise PolicyError(f"no agent is called {plain!r}; there are {', '.join(_agents)}")
    if colon:
        if not re.fullmatch(r"[0-9]{1,18}", digits):
            raise PolicyError(f"agent {name!r}: the seed {digits!r} is no whole number")
        seed = int(digits)
    if seed is None:
        return entry.function
    if not entry.seeded:
        raise PolicyError(f"agent {name!r}: {plain} takes no seed; write {plain}")
    bound = partial(entry.function, seed=seed)
    update_wrapper(bound, entry.function)
    bound.__name__ = f"{plain}:{seed}"  # type: ignore[attr-defined]
    return bound
