"""LiteEFG and Gambit, independent solvers, if ``make peers`` has installed them."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any

from crywolf.games.efg_writer import format_efg
from crywolf.solvers import GameTree
from crywolf.solvers.efg_export import to_efg

SKIPPED = "skipped: run make peers"


def lite_efg_cfr_plus(game: Any) -> Callable[[], object] | None:
    """A function that runs one CFR+ iteration in LiteEFG, None if it is not installed."""
    try:
        import LiteEFG  # type: ignore[import-not-found]
        from LiteEFG.baselines import CFRplus  # type: ignore[import-not-found]
    except ImportError:
        return None
    with redirect_stdout(io.StringIO()):  # it prints banners
        environment = LiteEFG.OpenSpielEnv(game)
        graph = CFRplus.graph()
        environment.set_graph(graph)
    strategy = graph.current_strategy()

    def iteration() -> None:
        for player in range(1, game.num_players() + 1):
            environment.update(strategy, upd_player=player)
        environment.update_strategy(strategy)

    return iteration


def lite_efg_installed() -> bool:
    """Whether LiteEFG can be measured."""
    return find_spec("LiteEFG") is not None


def gambit_game(tree: GameTree) -> Any | None:
    """The same game in Gambit, None if it is not installed."""
    try:
        import pygambit  # type: ignore[import-not-found]
    except ImportError:
        return None
    return pygambit.read_efg(io.StringIO(format_efg(to_efg(tree))))


def versions() -> dict[str, str | None]:
    """Of ourselves and the peers; None where one is not installed."""
    found: dict[str, str | None] = {}
    for name in (
        "crywolf",
        "open_spiel",
        "LiteEFG",
        "pygambit",
        "cvc5",
        "z3-solver",
        "numba",
        "scipy",
    ):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found
