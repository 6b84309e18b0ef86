"""Agents from profiles: strategies that a solver has found, and best responses to any policy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...games.errors import PolicyError
from ...solvers.best_response import best_response as respond
from ...solvers.profile import Profile
from ...solvers.tree import GameTree
from .knowledge import Agent, Knowledge


def from_profile(profile: Profile, name: str = "profile") -> Agent:
    """The agent that plays a profile; whoever is cast for it plays its own part.

    Probabilities of floats that do not sum to exactly 1 are divided by their sum.
    """
    tree = profile.tree

    def play(knowledge: Knowledge) -> dict[int, Fraction]:
        h = tree.infoset_of_key.get(knowledge.key)
        if h is None or tree.legal[h] != knowledge.legal:
            raise PolicyError(
                f"{tree.name} has no information set {knowledge.key!r}; a profile plays the game "
                "of its own tree only"
            )
        row = [Fraction(p) for p in profile.probabilities[tree.slice(h)].tolist()]
        total = sum(row)
        return {action: p / total for action, p in zip(knowledge.legal, row, strict=True)}

    play.__name__ = name
    return play


def best_response(tree: GameTree, policy: Any, player: int) -> Agent:
    """The agent that plays one player's best response to a policy.

    Args:
        tree: the compiled game.
        policy: a `Profile`, or an OpenSpiel policy such as an `AgentPolicy`; the player's own part
            does not matter.
        player: who responds, from 0.

    Raises:
        ParameterError: there is no such player.
        PolicyError: the policy is of another game, or fails.
    """
    profile = policy if isinstance(policy, Profile) else Profile.from_policy(tree, policy)
    if not profile.tree.same_game(tree):
        raise PolicyError(
            f"the profile is of {profile.tree.name}, not of {tree.name}; pass its own tree"
        )
    _, response = respond(profile, player)
    return from_profile(response, f"best_response_P{player + 1}")
