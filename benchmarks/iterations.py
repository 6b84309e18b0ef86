"""One iteration of CFR+, against peers and against the memory itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba as nb
import numpy as np
import pyspiel

from crywolf.games import load_game
from crywolf.solvers import CFRPlus, GameTree

from .instances import GOOFSPIEL, ONUW, SOCIAL, short
from .peers import SKIPPED, lite_efg_cfr_plus
from .rows import Row
from .timing import Job, best_times


def cfr_plus(rounds: int) -> Iterator[Row]:
    """One iteration of CFR+: same update rule, float64, one thread, no merging of states."""
    for name, needed, lite_needed, repeat in (
        ("leduc_poker", 400.0, 100.0, 200),
        (GOOFSPIEL, 400.0, 100.0, 100),
        ("liars_dice", 350.0, 600.0, 20),
        ("kuhn_poker(players=3)", 200.0, 40.0, 2000),
        ("kuhn_poker", None, None, 2000),
        (SOCIAL, None, None, 20),
        (ONUW, None, None, 20),
    ):
        game = load_game(name)
        ours = CFRPlus(GameTree.compile(game))
        # A solver on a Python game is slower than its C++ loop; the cached tree is what it can do.
        cached = pyspiel.CFRPlusSolver(pyspiel.convert_to_cached_tree(game))
        plain = None if name == ONUW else pyspiel.CFRPlusSolver(game)
        lite = None if name == ONUW else lite_efg_cfr_plus(game)
        jobs = {
            "ours": Job(lambda ours=ours, k=repeat: ours.run(k)),
            "OpenSpiel C++, cached tree": Job(cached.evaluate_and_update_policy),
        }
        if plain is not None:
            jobs["OpenSpiel C++"] = Job(plain.evaluate_and_update_policy)
        if lite is not None:
            jobs["LiteEFG"] = Job(lite)
        best = best_times(jobs, rounds)
        ms = best["ours"] / repeat * 1e3
        thresholds = {"OpenSpiel C++": needed, "LiteEFG": lite_needed}
        for peer in ("OpenSpiel C++", "OpenSpiel C++, cached tree", "LiteEFG"):
            if peer in best:
                theirs = best[peer] * 1e3
                yield Row(
                    "CFR+ iteration", short(name), ms, peer, theirs, "ms", theirs / ms,
                    thresholds.get(peer),
                )  # fmt: skip
            elif peer == "LiteEFG" and name != ONUW:  # it reads C++ games only
                yield Row("CFR+ iteration", short(name), ms, peer, None, "ms", None, note=SKIPPED)


def memory_floor(rounds: int) -> Iterator[Row]:
    """An iteration of CFR+ against one streaming pass over the bytes that it reads and writes."""
    for name, needed, repeat in (("liars_dice", 4.0, 20), ("leduc_poker", None, 200)):
        solver = CFRPlus(GameTree.compile(pyspiel.load_game(name)))
        form = solver.tree.vector_layout.form
        read = sum(array.nbytes for part in form for array in part)
        # Gradient, regret, behaviour, plan and total are each read and written once.
        content, states = np.ones(read // 8), np.ones(5 * solver.tree.vector_layout.size)
        jobs = {
            "ours": Job(lambda solver=solver, k=repeat: solver.run(k)),
            "floor": Job(lambda c=content, s=states, k=repeat: stream(c, s, k)),
        }
        best = best_times(jobs, 3 * rounds)  # both are short, and their ratio is close to 1
        ms, floor = best["ours"] / repeat * 1e3, best["floor"] / repeat * 1e3
        note = f"{(read + 2 * states.nbytes) / 1e6:.1f} MB an iteration"
        yield Row(
            "Memory floor", name, ms, "one streaming pass", floor, "ms", ms / floor, needed,
            at_most=True, note=note,
        )  # fmt: skip


@nb.njit(fastmath=True)
def stream(content: Any, states: Any, repeat: int) -> float:
    """Reads all of ``content``, reads and writes all of ``states``, over and over."""
    total = 0.0
    for k in range(repeat):
        for i in range(len(content)):
            total += content[i]
        for i in range(len(states)):
            states[i] += k
    return total
