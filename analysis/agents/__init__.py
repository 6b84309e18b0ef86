"""Agents: policies for games of hidden roles that read what a player knows, and nothing else.

An agent is a pure function from `Knowledge` to exact probabilities. `AGENTS` lists those that have
names, `add_agent` adds one's own, and `AgentPolicy` casts them in a game, as an OpenSpiel policy::

    policy = AgentPolicy("onuw_robber3_talk", {"wolves": "deceive", "town": "honest"})
    crywolf.nash_conv("onuw_robber3_talk", policy)
    crywolf.nash_conv("onuw_robber3_talk", "agent:town=honest+wolves=deceive")   # the same
"""

from . import library as _library  # noqa: F401  # names the agents
from . import onuw as _onuw  # noqa: F401  # reads ONUW
from . import werewolf as _werewolf  # noqa: F401  # reads Werewolf
from .casting import Cast
from .habits import agent_of
from .knowledge import Agent, Knowledge, evenly
from .outcomes import expected_payoffs, outcomes
from .policy import AgentPolicy, policy_from_text
from .reading import Family, Reading, Task, family, reading_of
from .registry import AGENTS, add_agent, agent
from .responding import best_response, from_profile

__all__ = [
    "AGENTS",
    "Agent",
    "AgentPolicy",
    "Cast",
    "Family",
    "Knowledge",
    "Reading",
    "Task",
    "add_agent",
    "agent",
    "agent_of",
    "best_response",
    "evenly",
    "expected_payoffs",
    "family",
    "from_profile",
    "outcomes",
    "policy_from_text",
    "reading_of",
]
