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
from ..games.loading import game_name, is_tree_path, load_game
from ..games.rules import Rules
from ..solvers.profile import Profile
from ..solvers.tree import DEFAULT_MAX_NODES, GameTree
from .draws import Draws
from .elicited import AskedPolicy
from .estimate import estimate
from .lower_bound import lower_bound
from .policies import resolve_policy
from .report import Report
from .reporting import estimate_report, exact_report, lower_bound_report, with_origin

Method = Literal["auto", "exact", "sampled"]

DEFAULT_SAMPLES = 20_000
"""Plays per player of a sampled evaluation."""

Progress = Callable[[str, int, int | None], None]
"""Called with what is counted (``nodes``, ``plays``, ``calls``), how many are done, of how many."""


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
    tabulated: Callable[[Profile], object] | None = None,
) -> Report:
    """Measures how far a policy is from a Nash equilibrium.

    Args:
        game: an OpenSpiel game, rules, a compiled tree, or a game string.
        policy: an OpenSpiel policy (Python or C++), a `Profile`, `Draws`, a language model
            (``LLMPolicy``), or a policy specification: ``uniform``, ``random:SEED``,
            ``agent:CAST``, ``PATH.npz``, ``package.module:function``, ``llm:...``.
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
        tabulated: called with the policy at every information set, or with the frequencies of its
            draws, before it is valued; not where the tree is not searched. How a language model was
            asked is among its ``remarks``.

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
    if not 0 < confidence < 1:  # before a language model is asked
        raise ParameterError(f"confidence={confidence}: choose a probability inside (0, 1)")
    if isinstance(game, str) and is_tree_path(game):
        game = GameTree.load(game)
    tree = game if isinstance(game, GameTree) else None
    if not isinstance(game, GameTree):
        loaded: Any = load_game(game)
    elif method == "sampled" or not _tabular(policy):
        loaded = game.game
    else:
        loaded = None  # the file of a tree need not know its rules
    name = game.strip() if isinstance(game, str) else tree.name if tree else game_name(loaded)
    if isinstance(policy, Profile | Draws):
        _refuse_another_game(policy, tree or loaded)
        tree = policy.tree
    needs_tree = method != "sampled" or (isinstance(policy, str) and policy.endswith(".npz"))
    if tree is None and needs_tree:
        tree = _compiled(loaded, max_nodes, progress, may_fail=method == "auto")
    named = resolve_policy(policy, loaded, tree)
    label = label or named.label
    rng = np.random.default_rng(0) if rng is None else rng
    if tree is None or method == "sampled":
        _refuse_draws(named.policy, name)
        bound = lower_bound(
            loaded,
            named.policy.to_policy() if isinstance(named.policy, Profile) else named.policy,
            samples=samples,
            rng=rng,
            confidence=confidence,
            progress=None if progress is None else lambda done, all_: progress("plays", done, all_),
        )
        return with_origin(lower_bound_report(bound, loaded, name, label), named.policy)
    table = _tabulated(named.policy, tree, progress)
    if tabulated is not None:
        tabulated(_remarked(table, named.policy))
    if isinstance(table, Draws):
        found = estimate(table, confidence=confidence, rng=rng)
        report = estimate_report(found, table, name, label)
    else:
        report = exact_report(table, name, label)
    return with_origin(report, named.policy)


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


def _tabular(policy: Any) -> bool:
    """Whether a compiled tree is all that is needed to know the policy."""
    if isinstance(policy, str):
        return policy.strip() == "uniform" or policy.strip().endswith(".npz")
    return isinstance(policy, Profile | Draws)


def _compiled(
    game: pyspiel.Game, max_nodes: int, progress: Progress | None, *, may_fail: bool
) -> GameTree | None:
    """The tree; None if it is too large and `may_fail`."""
    count = None if progress is None else lambda nodes: progress("nodes", nodes, None)
    try:
        return GameTree.compile(game, max_nodes=max_nodes, progress=count)
    except TreeTooLarge:
        if may_fail:
            return None
        raise


def _tabulated(policy: Any, tree: GameTree, progress: Progress | None) -> Profile | Draws:
    """The policy at every information set of the tree: its probabilities, or draws."""
    if isinstance(policy, Draws):
        return policy
    if isinstance(policy, AskedPolicy):
        calls = None if progress is None else lambda done, all_: progress("calls", done, all_)
        return policy.tabulate(tree, calls)
    return profile_of(policy, tree)


def _remarked(table: Profile | Draws, policy: Any) -> Profile:
    """The policy, or the frequencies of its draws, with what has to be known wherever it goes."""
    profile = table.frequencies if isinstance(table, Draws) else table
    if not isinstance(policy, AskedPolicy):
        return profile
    return replace(profile, remarks=(*policy.record().remarks(), *profile.remarks))


def _refuse_draws(policy: Any, game: str) -> None:
    """A lower bound needs probabilities."""
    if isinstance(policy, Draws) or (isinstance(policy, AskedPolicy) and policy.draws_only):
        raise PolicyError(
            f"{game} is not searched, and the policy is known only through draws: a lower bound "
            "needs its probabilities. Ask a language model for labels or stated, or search the "
            "tree: method='exact' and a larger max_nodes"
        )


def _refuse_another_game(
    policy: Profile | Draws, game: pyspiel.Game | Rules[Any] | GameTree
) -> None:
    """Compiles the asked game where names do not settle it, up to the size of the profile's."""
    own = policy.tree
    if isinstance(game, GameTree):
        same = own.same_game(game)
    elif own.surely_of(game):
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
