"""The best that a team can do together against the fixed strategies of the others.

The members agree on a plan before the game (*ex ante*) and may correlate, but do not communicate
while they play. Against fixed opponents a pure joint plan is then among the best. Finding it is
NP-hard for two members already: a mixed-integer program (`joint_milp`). (B. von Stengel and D.
Koller, "Team-maxmin equilibria", Games and Economic Behavior 21, 1997; A. Celli and N. Gatti,
"Computational results for extensive-form adversarial team games", AAAI 2018.)
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..games.errors import ParameterError
from .best_response import expected_values, own_reach
from .joint_milp import best_joint_plan
from .joint_sequences import MAX_COMBINATIONS, JointSequences
from .profile import Profile

BOUND_TOLERANCE = 1e-9
"""A bound this close to the value is the value, relative to the largest payoff."""


@dataclass(frozen=True)
class TeamBestResponse:
    """A team's best joint plan against the others.

    Attributes:
        team: the members, ascending.
        profile: the profile with the members' strategies replaced by their pure plans. Where a
            member's own plan does not go, it plays its first action.
        value: the members' payoffs under it, added up, in utilities.
        gain: ``value`` minus what the members get together in the profile; nonnegative but for
            rounding.
        bound: no joint plan of the members is worth more, as HiGHS proved within its tolerances (a
            part in 1e9 of the largest payoff, or so).
        seconds: time spent, not part of equality.
    """

    team: tuple[int, ...]
    profile: Profile
    value: float
    gain: float
    bound: float
    seconds: float = field(compare=False)


def team_best_response(
    profile: Profile,
    team: Iterable[int],
    *,
    max_combinations: int = MAX_COMBINATIONS,
    time_limit: float | None = None,
) -> TeamBestResponse:
    """A best joint plan of a team against the others' strategies in a profile.

    Members who share a payoff u get ``value / len(team)`` each. With one member it is the value of
    `best_response`.

    Args:
        profile: everybody's strategies; the members' own do not matter to ``value``.
        team: the members, from 0.
        max_combinations: the largest number of relevant combinations of the members' sequences to
            accept (see `joint_sequences`).
        time_limit: seconds for HiGHS, by default as long as it needs.

    Raises:
        ParameterError: an empty team, or a player that does not exist.
        ProblemTooLarge: more combinations than ``max_combinations``; raised before any work.
        SolverFailed: HiGHS ran out of time, or into numerical trouble.
    """
    started = time.perf_counter()
    tree = profile.tree
    members = tuple(sorted({int(p) for p in team}))
    if not members or not 0 <= members[0] <= members[-1] < tree.num_players:
        raise ParameterError(
            f"a team of {tree.name} has at least one member, players from 0 to "
            f"{tree.num_players - 1}; {list(members)} is none"
        )
    others = [p for p in range(tree.num_players) if p not in members]
    sequence = tree.node_sequence[tree.leaves]
    plans = own_reach(profile)
    reach = tree.chance_reach[tree.leaves] * np.prod(plans[sequence[:, others]], axis=1)
    reached = np.flatnonzero(reach)
    joint = JointSequences.of(
        tree, members, leaves=tree.leaves[reached], max_combinations=max_combinations
    )
    shares = tree.payoff_table[tree.payoff[tree.leaves[reached]]][:, members].sum(axis=1)
    played = joint.index(sequence[reached][:, members])
    prices = np.bincount(played, reach[reached] * shares, len(joint)).astype(np.float64)
    deadline = None if time_limit is None else started + time_limit
    plan, bound = best_joint_plan(joint, prices, deadline=deadline)
    behaviour = profile.probabilities.copy()
    for h in np.flatnonzero(np.isin(tree.owner, members)).tolist():
        moves = tree.slice(h)
        behaviour[moves] = 0.0
        behaviour[moves.start + int(np.argmax(plan[moves]))] = 1.0
    response = Profile(tree, behaviour)
    value = float(expected_values(response)[list(members)].sum())
    before = float(expected_values(profile)[list(members)].sum())
    seconds = time.perf_counter() - started
    return TeamBestResponse(members, response, value, value - before, max(bound, value), seconds)
