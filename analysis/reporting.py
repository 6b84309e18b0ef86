"""From numbers to reports: one builder for each kind, and what a reader has to be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyspiel

from ..solvers.best_response import best_response, evaluate, gain_shares
from ..solvers.profile import Profile
from ..solvers.tree import GameTree
from .draws import Draws
from .elicited import AskedPolicy
from .estimate import Estimate
from .lower_bound import LowerBound
from .report import KEPT, ROUNDING, InformationSetGain, Report

MEASURED = 30
"""Draws per information set from which on the coverage of intervals was measured."""

GENERAL_NOTE = (
    "More than two players, or a general sum: NashConv 0 means a Nash equilibrium but does not "
    "single one out (others may pay differently), and regret minimisation carries no guarantee of "
    "reaching one."
)
ESTIMATE_NOTE = (
    "The policy is known only through draws. The value is that of their frequencies and is too "
    "large on average, most of all near an equilibrium: a best response exploits the noise. The "
    "interval allows for it: low end by sample splitting, high end by a bound of all "
    "deviations at once; it holds asymptotically."
)
FEW_DRAWS_NOTE = (
    "At some information set there are only {} draws; how often the interval holds was measured "
    "from 30 on."
)
UNDRAWN_NOTE = (
    "At {:,} information sets nothing was drawn in the second half of the draws, so the low end of "
    "the interval is 0. Where nothing was drawn at all, the value is that of uniform play there, "
    "and the high end rests on its prior alone."
)
REMARK_NOTE = "The policy comes with the remark: {}"
LOWER_BOUND_NOTE = (
    "The tree was not searched: the bound is what the learned deviations were seen to gain, and "
    "the true NashConv may lie anywhere above it."
)


def exact_report(profile: Profile, game: str, label: str) -> Report:
    """NashConv of a profile, on the whole tree."""
    result = evaluate(profile)
    return Report(
        game=game,
        policy=label,
        kind="exact",
        gains=tuple(map(float, result.gains)),
        values=tuple(map(float, result.values)),
        best_response_values=tuple(map(float, result.best_response_values)),
        information_sets=_where(profile),
        notes=general_note(profile.tree),
    )


def estimate_report(found: Estimate, draws: Draws, game: str, label: str) -> Report:
    """What was estimated from draws."""
    return Report(
        game=game,
        policy=label,
        kind="estimate",
        gains=found.gains,
        values=found.values,
        best_response_values=found.best_response_values,
        confidence=found.confidence,
        interval=found.interval,
        information_sets=_where(draws.frequencies),
        notes=(ESTIMATE_NOTE, *_scarcity_note(draws), *general_note(draws.tree)),
    )


def lower_bound_report(found: LowerBound, game: pyspiel.Game, name: str, label: str) -> Report:
    """What deviations were seen to gain in sampled plays."""
    return Report(
        game=name,
        policy=label,
        kind="lower_bound",
        gains=found.gains,
        values=found.values,
        best_response_values=tuple(v + g for v, g in zip(found.values, found.gains, strict=True)),
        confidence=found.confidence,
        interval=found.interval,
        information_sets=found.information_sets,
        notes=(LOWER_BOUND_NOTE, *general_note(game)),
    )


def with_origin(report: Report, policy: Any) -> Report:
    """The report with how the policy was obtained: asked for, or with remarks from elsewhere."""
    if isinstance(policy, Profile):
        notes = (*map(REMARK_NOTE.format, policy.remarks), *report.notes)
        return replace(report, remarks=policy.remarks, notes=notes)
    if not isinstance(policy, AskedPolicy):
        return report
    record = policy.record()
    return replace(report, elicitation=record, notes=(*record.notes(), *report.notes))


def general_note(game: pyspiel.Game | GameTree) -> tuple[str, ...]:
    """What to say of NashConv where it means less than in two-player zero-sum games."""
    if isinstance(game, GameTree):
        players, constant_sum = game.num_players, game.is_constant_sum
    else:
        utility = pyspiel.GameType.Utility
        players = game.num_players()
        constant_sum = game.get_type().utility in (utility.ZERO_SUM, utility.CONSTANT_SUM)
    return () if players == 2 and constant_sum else (GENERAL_NOTE,)


def _scarcity_note(draws: Draws) -> tuple[str, ...]:
    """What to say where there are few draws, or none."""
    if draws.undrawn:
        return (UNDRAWN_NOTE.format(draws.undrawn),)
    return (FEW_DRAWS_NOTE.format(draws.fewest),) if draws.fewest < MEASURED else ()


def _where(profile: Profile) -> tuple[InformationSetGain, ...]:
    """The information sets where most of the gains arise."""
    tree = profile.tree
    shares = gain_shares(profile)
    order = np.argsort(-shares, kind="stable")[:KEPT].tolist()
    largest = [h for h in order if shares[h] > ROUNDING]
    replies = {p: best_response(profile, p)[1] for p in {int(tree.owner[h]) for h in largest}}
    places = []
    for h in largest:
        player = int(tree.owner[h])
        best = int(np.argmax(replies[player].probabilities[tree.slice(h)]))
        action = tree.action_names(h)[best]
        places.append(InformationSetGain(player, tree.keys[h], action, float(shares[h])))
    return tuple(places)
