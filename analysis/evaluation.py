"""NashConv of any policy in any game: exact where the tree can be searched, else bounded.

A policy that is known only through draws gets an estimate with an interval (see `estimate`).

NashConv (Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning",
NeurIPS 2017) is the sum over players of what a best response gains against the others' policies::

    report = nash_conv("leduc_poker", "uniform")
    report.kind          # "exact"
    report.nash_conv     # 4.747...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyspiel

from ..games.errors import ParameterError, PolicyError, TreeTooLarge
from ..games.loading import game_name, load_game
from ..games.rules import Rules
from ..solvers.best_response import best_response, evaluate, gain_shares
from ..solvers.identity import surely_same
from ..solvers.profile import Profile
from ..solvers.tree import DEFAULT_MAX_NODES, GameTree
from .draws import Draws
from .elicited import AskedPolicy, ElicitationRecord
from .estimate import estimate
from .lower_bound import lower_bound
from .policies import resolve_policy
from .report import (
    ESTIMATE_NOTE,
    FEW_DRAWS_NOTE,
    GENERAL_NOTE,
    KEPT,
    LOWER_BOUND_NOTE,
    UNDRAWN_NOTE,
    InformationSetGain,
    Report,
)

Method = Literal["auto", "exact", "sampled"]

DEFAULT_SAMPLES = 20_000
"""Plays per player of a sampled evaluation."""
ROUNDING = 1e-12
"""Shares of a gain up to this are rounding errors."""

Progress = Callable[[str, int, int | None], None]
"""Called with what is counted (``nodes``, ``plays``, ``calls``), how many are done, of how many."""
MEASURED = 30
"""Draws per information set from which on the coverage of intervals was measured."""


def nash_conv(
    game: pyspiel.Game | Rules[Any] | GameTree | str,
    policy: Any,
    *,
    method: Method = "auto",
    max_nodes: int = DEFAULT_MAX_NODES,
    samples: int = DEFAULT_SAMPLES,
    rng: np.random.Generator | None = None,
    confidence: float = 0.95,
    label: str | None = None,
    progress: Progress | None = None,
) -> Report:
    """Measures how far a policy is from a Nash equilibrium.

    Args:
        game: an OpenSpiel game, rules, a compiled tree, or a game string.
        policy: an OpenSpiel policy (Python or C++), a `Profile`, `Draws`, a language model
            (``LLMPolicy``), or a policy specification: ``uniform``, ``random:SEED``, ``PATH.npz``,
            ``package.module:function``, ``llm:...``.
        method: ``exact`` searches the whole tree. ``sampled`` learns deviations from sampled plays
            and reports a lower bound. ``auto`` is exact unless the tree has more than ``max_nodes``
            nodes. A policy known only through draws needs the tree, and its report is an estimate.
        max_nodes: the largest tree to search.
        samples: plays per player of a sampled evaluation.
        rng: the randomness of a sampled evaluation or of an interval; by default that of seed 0.
            The same state of the generator gives the same report, bit for bit.
        confidence: the probability with which a sampled bound or an interval holds.
        label: what to call the policy in the report.
        progress: called now and then.

    Returns:
        The report; its ``kind`` says which method was used.

    Raises:
        UnknownGame, ParameterError: the game or an argument is malformed.
        PolicyError: the policy is malformed, fails, or belongs to another game.
        TreeTooLarge: ``method`` is exact and the tree has more than ``max_nodes`` nodes.
        UnsupportedGame: simultaneous moves, sampled chance, or no information-state strings.
        LanguageModelError: a language model could not be asked; see ``LLMPolicy``.
    """
    if method not in ("auto", "exact", "sampled"):
        raise ParameterError(f"method={method!r}: choose auto, exact or sampled")
    tree = game if isinstance(game, GameTree) else None
    loaded = game.game if isinstance(game, GameTree) else load_game(game)
    name = game.strip() if isinstance(game, str) else tree.name if tree else game_name(loaded)
    if isinstance(policy, Profile | Draws):
        _refuse_another_game(policy, tree or loaded)
        tree = policy.tree
    needs_tree = method != "sampled" or (isinstance(policy, str) and policy.endswith(".npz"))
    if tree is None and needs_tree:
        count = None if progress is None else lambda nodes: progress("nodes", nodes, None)
        try:
            tree = GameTree.compile(loaded, max_nodes=max_nodes, progress=count)
        except TreeTooLarge:
            if method != "auto":
                raise
    named = resolve_policy(policy, loaded, tree)
    label = label or named.label
    rng = np.random.default_rng(0) if rng is None else rng
    if tree is not None and method != "sampled":
        table = _tabulated(named.policy, tree, progress)
        if isinstance(table, Draws):
            report = _estimate(table, name, label, confidence, rng)
        else:
            report = _exact(table, name, label)
    else:
        report = _lower_bound(loaded, named.policy, name, label, samples, confidence, rng, progress)
    return _with_record(report, named.policy)


def profile_of(policy: Any, tree: GameTree) -> Profile:
    """A policy as a `Profile` of a tree's game, every answer of the policy checked.

    Raises:
        PolicyError: the policy fails, an answer is no distribution over the legal actions, or a
            profile belongs to another game.
    """
    if isinstance(policy, Profile):
        _refuse_another_game(policy, tree)
        return policy
    return Profile.from_policy(tree, policy)


def general_note(game: pyspiel.Game) -> tuple[str, ...]:
    """What to say of NashConv where it means less than in two-player zero-sum games."""
    utility = pyspiel.GameType.Utility
    constant_sum = game.get_type().utility in (utility.ZERO_SUM, utility.CONSTANT_SUM)
    return () if game.num_players() == 2 and constant_sum else (GENERAL_NOTE,)


def _exact(profile: Profile, game: str, label: str) -> Report:
    result = evaluate(profile)
    return Report(
        game=game,
        policy=label,
        kind="exact",
        gains=tuple(map(float, result.gains)),
        values=tuple(map(float, result.values)),
        best_response_values=tuple(map(float, result.best_response_values)),
        information_sets=_where(profile),
        notes=general_note(profile.tree.game),
    )


def _lower_bound(
    game: pyspiel.Game,
    policy: Any,
    name: str,
    label: str,
    samples: int,
    confidence: float,
    rng: np.random.Generator,
    progress: Progress | None,
) -> Report:
    _refuse_draws(policy, name)
    found = lower_bound(
        game,
        policy.to_policy() if isinstance(policy, Profile) else policy,
        samples=samples,
        rng=rng,
        confidence=confidence,
        progress=None if progress is None else lambda done, all_: progress("plays", done, all_),
    )
    return Report(
        game=name,
        policy=label,
        kind="lower_bound",
        gains=found.gains,
        values=found.values,
        best_response_values=tuple(v + g for v, g in zip(found.values, found.gains, strict=True)),
        confidence=confidence,
        interval=found.interval,
        information_sets=found.information_sets,
        notes=(LOWER_BOUND_NOTE, *general_note(game)),
    )


def _estimate(
    draws: Draws, game: str, label: str, confidence: float, rng: np.random.Generator
) -> Report:
    found = estimate(draws, confidence=confidence, rng=rng)
    few = (FEW_DRAWS_NOTE.format(draws.fewest),) if draws.fewest < MEASURED else ()
    if draws.undrawn:
        few = (UNDRAWN_NOTE.format(draws.undrawn),)
    return Report(
        game=game,
        policy=label,
        kind="estimate",
        gains=found.gains,
        values=found.values,
        best_response_values=found.best_response_values,
        confidence=confidence,
        interval=found.interval,
        information_sets=_where(draws.frequencies),
        notes=(ESTIMATE_NOTE, *few, *general_note(draws.tree.game)),
    )


def _tabulated(policy: Any, tree: GameTree, progress: Progress | None) -> Profile | Draws:
    """The policy at every information set of the tree: its probabilities, or draws."""
    if isinstance(policy, Draws):
        return policy
    if isinstance(policy, AskedPolicy):
        calls = None if progress is None else lambda done, all_: progress("calls", done, all_)
        return policy.tabulate(tree, calls)
    return profile_of(policy, tree)


def _with_record(report: Report, policy: Any) -> Report:
    """The report with how the policy was obtained, if it was asked for."""
    if not isinstance(policy, AskedPolicy):
        return report
    record: ElicitationRecord = policy.record()
    return replace(report, elicitation=record, notes=(*record.notes(), *report.notes))


def _refuse_draws(policy: Any, game: str) -> None:
    """A lower bound needs probabilities."""
    if isinstance(policy, Draws) or (isinstance(policy, AskedPolicy) and policy.draws_only):
        raise PolicyError(
            f"{game} is not searched, and the policy is known only through draws: a lower bound "
            "needs its probabilities. Ask a language model for labels or stated, or search the "
            "tree: method='exact' and a larger max_nodes"
        )


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


def _refuse_another_game(
    policy: Profile | Draws, game: pyspiel.Game | Rules[Any] | GameTree
) -> None:
    """Compiles the asked game where names do not settle it, up to the size of the profile's."""
    own = policy.tree
    if isinstance(game, GameTree):
        same = own.same_game(game)
    elif surely_same(own.source, game):
        same = True
    else:
        try:
            same = own.same_game(GameTree.compile(game, max_nodes=own.num_nodes))
        except TreeTooLarge:
            same = False
    if not same:
        asked = game.name if isinstance(game, GameTree) else game_name(game)
        names = f"{own.name}, not to {asked}"
        if own.name == asked:
            names = f"another game that is called {asked}, too"
        raise PolicyError(
            f"the policy belongs to {names}; evaluate it on its own tree, or solve the game that "
            "you ask about"
        )
