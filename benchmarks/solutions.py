"""Whole solutions: to a given accuracy, by linear programs, along the logit branch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pyspiel

from crywolf.games import load_game
from crywolf.solvers import GameTree, solve

from .instances import GOOFSPIEL, short
from .peers import SKIPPED, gambit_game
from .rows import Row
from .timing import Job, best_times


def targets(rounds: int) -> Iterator[Row]:
    """Compiling a game and solving it to a NashConv, from scratch, by the same update rule."""
    for name, target, needed in (
        ("liars_dice", 1e-3, 10.0),
        ("leduc_poker", 1e-3, None),
        (GOOFSPIEL, 1e-3, None),
        ("kuhn_poker", 1e-6, None),
        ("kuhn_poker(players=3)", 1e-3, None),
    ):
        game = pyspiel.load_game(name)

        def ours(game: pyspiel.Game = game, target: float = target) -> None:
            solve(GameTree.compile(game), "cfr+", target=target)

        cached = pyspiel.convert_to_cached_tree(game)
        peer = pyspiel.CFRPlusSolver(cached)
        best = best_times(
            {"ours": Job(ours), "theirs": Job(peer.evaluate_and_update_policy, 3)}, min(rounds, 3)
        )
        # The same update rule takes as many iterations, whoever runs it.
        iterations = solve(game, "cfr+", target=target).iterations
        mine, theirs = best["ours"], best["theirs"] * iterations
        note = f"{iterations:,} iterations; theirs: one iteration times as many, nothing else"
        yield Row(
            f"To NashConv {target:g}", short(name), mine, "OpenSpiel C++, cached tree", theirs,
            "s", theirs / mine, needed, note=note,
        )  # fmt: skip


def fast_targets(rounds: int) -> Iterator[Row]:
    """To NashConv 1e-6 in two-player games, by the fastest of our update rules."""
    for name in ("kuhn_poker", "leduc_poker", "liars_dice", GOOFSPIEL):
        game = pyspiel.load_game(name)
        tree = GameTree.compile(game)
        result = solve(tree, "pcfr+", target=1e-6)
        job = Job(lambda game=game: solve(GameTree.compile(game), "pcfr+", target=1e-6))
        best = best_times({"ours": job}, min(rounds, 2))
        yield Row(
            "To NashConv 1e-06, PCFR+", short(name), best["ours"], "-", None, "s", None,
            note=f"{result.iterations:,} iterations",
        )  # fmt: skip


def direct(rounds: int) -> Iterator[Row]:
    """Linear programs, Lemke's algorithm and logit tracing, where Gambit has the same method."""
    for name, algorithm, peer in (
        ("kuhn_poker", "lp", "lp_solve"),
        ("kuhn_poker", "lp-exact", "lp_solve"),
        ("liars_dice(dice_sides=2)", "lp-exact", "lp_solve"),
        ("liars_dice(dice_sides=3)", "lp", "lp_solve"),
        ("kuhn_poker", "lemke", "lcp_solve"),
        ("kuhn_poker", "qre", "logit_solve"),
        ("onuw_robber3", "qre", "logit_solve"),
    ):
        tree = GameTree.compile(load_game(name))
        jobs = {"ours": Job(lambda tree=tree, a=algorithm: solve(tree, a))}
        gambit = gambit_game(tree)
        if gambit is not None:
            import pygambit  # type: ignore[import-not-found]

            options = {} if peer == "logit_solve" else {"rational": algorithm != "lp"}
            jobs["theirs"] = Job(partial(getattr(pygambit.nash, peer), gambit, **options))
        best = best_times(jobs, min(rounds, 2))
        mine = best["ours"] * 1e3
        if gambit is None:
            yield Row(f"Solve, {algorithm}", name, mine, f"Gambit {peer}", None, "ms", None,
                      note=SKIPPED)  # fmt: skip
            continue
        theirs = best["theirs"] * 1e3
        yield Row(f"Solve, {algorithm}", name, mine, f"Gambit {peer}", theirs, "ms", theirs / mine)
