"""The named agents that come with crywolf.

All but ``uniform`` need a game of hidden roles. They are composed of `habits`, which say exactly
what they do; at night all act by `habits.DEFAULTS`.
"""

from __future__ import annotations

from . import habits
from .knowledge import Distribution, Knowledge, evenly
from .registry import add_agent


@add_agent("uniform")
def uniform(knowledge: Knowledge) -> Distribution:
    """Plays every legal action with the same probability."""
    return evenly(knowledge.legal)


@add_agent("honest")
def honest(knowledge: Knowledge) -> Distribution:
    """Says what it knows and nothing false; votes for whom it knows or most believes to be a wolf.

    It believes its own observations only. A wolf that plays it gives its pack away.
    """
    return _HONEST(knowledge)


@add_agent("deceive")
def deceive(knowledge: Knowledge) -> Distribution:
    """Says what it knows to be false; votes for whom it least believes to be a wolf."""
    return _DECEIVE(knowledge)


@add_agent("consistent")
def consistent(knowledge: Knowledge) -> Distribution:
    """Like honest, but votes as if the largest consistent set of statements heard were true.

    Who wins with the wolves votes for whoever is least probably one.
    """
    return _CONSISTENT(knowledge)


@add_agent("independent")
def independent(knowledge: Knowledge) -> Distribution:
    """Is silent; votes for each of the others with the same probability, alone."""
    return _INDEPENDENT(knowledge)


@add_agent("random_protocol")
def random_protocol(knowledge: Knowledge, seed: int = 0) -> Distribution:
    """Is silent; votes for the first in a public order drawn from a seed: all of them as one block.

    The order is a hash of the seed and of what everybody has observed, so it is another one each
    day, and no less random than the deal.
    """
    return habits.agent_of(vote=lambda reading: habits.by_protocol(reading, seed))(knowledge)


@add_agent("block_vote")
def block_vote(knowledge: Knowledge) -> Distribution:
    """Is silent; wolves vote as one block for the lowest-numbered living player not of their own.

    At night they kill a Seer that has come out, else one whom all know to be no wolf, else anybody.
    """
    return _BLOCK(knowledge)


@add_agent("drawn_block")
def drawn_block(knowledge: Knowledge, seed: int = 0) -> Distribution:
    """Like block_vote, but the common target is drawn from a seed and what the wolves know."""
    return habits.agent_of(vote=lambda reading: habits.for_one_drawn(reading, seed))(knowledge)


@add_agent("rule_seer")
def rule_seer(knowledge: Knowledge) -> Distribution:
    """Checks whom it knows least about; tells all once it has found a wolf or is drawn to die.

    Votes for wolves that it has found. Without a role that looks at cards it plays ``honest`` votes
    and is silent.
    """
    return _SEER(knowledge)


@add_agent("patient_seer")
def patient_seer(knowledge: Knowledge) -> Distribution:
    """Like rule_seer, but dies in silence if it is drawn before it has found a wolf."""
    return _PATIENT(knowledge)


_HONEST = habits.agent_of(speak=habits.truthful, vote=habits.for_suspects)
_DECEIVE = habits.agent_of(speak=habits.lying, vote=habits.for_innocents)
_CONSISTENT = habits.agent_of(speak=habits.truthful, vote=habits.for_suspects_by_hearsay)
_INDEPENDENT = habits.agent_of(vote=habits.for_anybody)
_BLOCK = habits.agent_of(vote=habits.for_the_lowest)
_SEER = habits.agent_of(speak=habits.when_it_matters, vote=habits.for_suspects)
_PATIENT = habits.agent_of(speak=habits.when_found, vote=habits.for_suspects)
