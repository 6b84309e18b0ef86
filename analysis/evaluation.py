"""NashConv of any policy in any game: exact where the tree can be searched, else bounded.

NashConv (Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning",
NeurIPS 2017) is the sum over players of what a best response gains against the others' policies::

    report = nash_conv("leduc_poker", "uniform")
    report.kind          # "exact"
    report.nash_conv     # 4.747...
"""

from __future__ import annotations

from collections.abc import Callable
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
from .lower_bound import lower_bound
from .policies import resolve_policy
from .report import GENERAL_NOTE, KEPT, LOWER_BOUND_NOTE, InformationSetGain, Report

Method = Literal["auto", "exact", "sampled"]

DEFAULT_SAMPLES = 20_000
"""Plays per player of a sampled evaluation."""
ROUNDING = 1e-12
"""Shares of a gain up to this are rounding errors."""

Progress = Callable[[str, int, int | None], None]
"""Called with what is counted (``nodes`` or ``plays``), how many are done, and of how many."""


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
        policy: an OpenSpiel policy (Python or C++), a `Profile`, or a policy specification:
            ``uniform``, ``random:SEED``, ``PATH.npz``, ``package.module:function``.
        method: ``exact`` searches the whole tree. ``sampled`` learns deviations from sampled plays
            and reports a lower bound. ``auto`` is exact unless the tree has more than ``max_nodes``
            nodes.
        max_nodes: the largest tree to search.
        samples: plays per player of a sampled evaluation.
        rng: the randomness of a sampled evaluation; by default that of seed 0. The same state of
            the generator gives the same report, bit for bit.
        confidence: the probability with which a sampled bound holds.
        label: what to call the policy in the report.
        progress: called now and then.

    Returns:
        The report; its ``kind`` says which method was used.

    Raises:
        UnknownGame, ParameterError: the game or an argument is malformed.
        PolicyError: the policy is malformed, fails, or belongs to another game.
        TreeTooLarge: ``method`` is exact and the tree has more than ``max_nodes`` nodes.
        UnsupportedGame: simultaneous moves, sampled chance, or no information-state strings.
    """
    if method not in ("auto", "exact", "sampled"):
        raise ParameterError(f"method={method!r}: choose auto, exact or sampled")
    tree = game if isinstance(game, GameTree) else None
    loaded = game.game if isinstance(game, GameTree) else load_game(game)
    name = game.strip() if isinstance(game, str) else tree.name if tree else game_name(loaded)
    if isinstance(policy, Profile):
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
    if tree is not None and method != "sampled":
        return _exact(profile_of(named.policy, tree), name, label)
    found = lower_bound(
        loaded,
        named.policy.to_policy() if isinstance(named.policy, Profile) else named.policy,
        samples=samples,
        rng=np.random.default_rng(0) if rng is None else rng,
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
        notes=(LOWER_BOUND_NOTE, *general_note(loaded)),
    )


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


def _refuse_another_game(profile: Profile, game: pyspiel.Game | Rules[Any] | GameTree) -> None:
    """Compiles the asked game where names do not settle it, up to the size of the profile's."""
    own = profile.tree
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
            f"the profile belongs to {names}; evaluate it on profile.tree, or solve the game that "
            "you ask about"
        )
