"""The verbs of the front door: those of the packages, for games given in any form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyspiel

from .games.loading import load_game
from .games.rules import Rules
from .solvers.pbe.assessment import Assessment, Belief
from .solvers.pbe.prover import DEFAULT_TIME_LIMIT
from .solvers.pbe.verify import Verdict, verify
from .solvers.solve import SolveResult
from .solvers.solve import solve as run
from .solvers.tree import DEFAULT_MAX_NODES, GameTree

Game = str | pyspiel.Game | Rules[Any] | GameTree
"""A name or game string, an OpenSpiel game, a rules object, or a compiled tree."""


def compile_tree(
    game: Game,
    *,
    max_nodes: int = DEFAULT_MAX_NODES,
    progress: Callable[[int], None] | None = None,
) -> GameTree:
    """Compiles a game into flat arrays; see `GameTree.compile`. A tree is returned as it is.

    Raises:
        UnknownGame, ParameterError: there is no such game.
        TreeTooLarge: more than ``max_nodes`` nodes; raised before memory grows.
        GameError: the game is no extensive-form game with perfect recall; the subclass says why.
    """
    if isinstance(game, GameTree):
        return game
    # Rules stay rules: they may hold symbols, which OpenSpiel cannot.
    loaded = load_game(game) if isinstance(game, str) else game
    return GameTree.compile(loaded, max_nodes=max_nodes, progress=progress)


def solve(
    game: Game,
    algorithm: str = "cfr+",
    iterations: int = 1000,
    *,
    checkpoints: Sequence[int] | None = None,
    progress: Callable[[int, float], None] | None = None,
    max_nodes: int = DEFAULT_MAX_NODES,
    **options: Any,
) -> SolveResult:
    """Runs an iterative algorithm; everything else as in `crywolf.solvers.solve`."""
    tree = compile_tree(game, max_nodes=max_nodes)
    return run(tree, algorithm, iterations, checkpoints=checkpoints, progress=progress, **options)


def verify_equilibrium(
    game: Game,
    assessment: Assessment,
    concept: str = "pbe",
    *,
    fixed_beliefs: Mapping[str, Belief] | None = None,
    time_limit: float = DEFAULT_TIME_LIMIT,
) -> Verdict:
    """Checks an equilibrium exactly; everything else as in `crywolf.solvers.pbe.verify`."""
    return verify(
        compile_tree(game),
        assessment,
        concept,
        fixed_beliefs=fixed_beliefs,
        time_limit=time_limit,
    )
