"""LiteEFG, an independent sequence-form solver, if ``make peers`` has installed it."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

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
