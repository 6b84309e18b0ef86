"""Compiled trees: time and memory to make them, and a pass over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel

from crywolf.games import load_game, rules_of
from crywolf.solvers import CFRPlus, GameTree, Profile, nash_conv
from crywolf.solvers.walk_pyspiel import walk_pyspiel
from crywolf.solvers.walk_rules import walk_rules

from .instances import ONUW, ONUW_DEALT, short
from .rows import Row
from .timing import Job, best_times


def nash_convs(rounds: int) -> Iterator[Row]:
    """NashConv of a given policy."""
    for name, needed, repeat in (
        ("leduc_poker", 1000.0, 200),
        ("liars_dice", 1000.0, 10),
        ("kuhn_poker(players=3)", None, 200),
    ):
        game = pyspiel.load_game(name)
        profile = Profile.random(GameTree.compile(game), np.random.default_rng(0))
        policy = profile.to_pyspiel()
        jobs = {
            "ours": Job(lambda profile=profile: nash_conv(profile), repeat),
            "theirs": Job(lambda game=game, policy=policy: pyspiel.nash_conv(game, policy)),
        }
        best = best_times(jobs, rounds)
        ours, theirs = best["ours"] * 1e3, best["theirs"] * 1e3
        yield Row("NashConv", name, ours, "OpenSpiel C++", theirs, "ms", theirs / ours, needed)


def traverse(state: Any) -> int:
    """The number of nodes, by the traversal that one would write to see what a solver needs."""
    if state.is_terminal():
        state.returns()
        return 1
    if state.is_chance_node():
        return 1 + sum(traverse(state.child(action)) for action, _ in state.chance_outcomes())
    state.information_state_string()
    return 1 + sum(traverse(state.child(action)) for action in state.legal_actions())


def compilation(rounds: int) -> Iterator[Row]:
    """Compiling a game, sequence form included, against walking over it once in Python."""
    game = pyspiel.load_game("liars_dice")
    jobs = {
        "ours": Job(lambda: GameTree.compile(game).sequence_form),
        "theirs": Job(lambda: traverse(game.new_initial_state())),
    }
    best = best_times(jobs, max(2, rounds // 3))
    ours, theirs = best["ours"], best["theirs"]
    yield Row(
        "Compile", "liars_dice", ours, "one Python traversal", theirs, "s", ours / theirs, 2.5,
        at_most=True, note="ratio: traversals per compilation",
    )  # fmt: skip


def fast_path(rounds: int) -> Iterator[Row]:
    """Walking the same ONUW game from its rules and through OpenSpiel."""
    for name, asked in ((ONUW_DEALT, 5.0), (ONUW, 5.0)):
        game = load_game(name)
        rules = rules_of(game)
        assert rules is not None
        nodes = GameTree.compile(rules).num_nodes
        jobs = {
            "ours": Job(lambda rules=rules, nodes=nodes: walk_rules(rules, nodes)),
            "theirs": Job(lambda game=game, nodes=nodes: walk_pyspiel(game, nodes)),
            "natural": Job(lambda game=game: traverse(game.new_initial_state())),
        }
        best = best_times(jobs, rounds)
        ours = best["ours"] / nodes * 1e6
        for job, peer, needed in (
            ("theirs", "our walk through OpenSpiel", asked),
            ("natural", "one Python traversal", None),
        ):
            theirs = best[job] / nodes * 1e6
            yield Row(
                "Walk, per node", short(name), ours, peer, theirs, "µs", theirs / ours, needed
            )


def memory(rounds: int) -> Iterator[Row]:
    """Bytes per node of the compiled arrays, against OpenSpiel's cached tree (1.3 kB, measured)."""
    for name in ("leduc_poker", "liars_dice", "kuhn_poker(players=3)"):
        tree = GameTree.compile(pyspiel.load_game(name))
        _ = tree.sequence_form  # counted once it is made
        solver = tree.memory.sequence_form / tree.num_nodes
        note = f"of which numeric algorithms read {solver:.0f}"
        yield Row(
            "Memory, per node", name, tree.memory.per_node, "-", None, "bytes", None, note=note
        )


def growth(rounds: int) -> Iterator[Row]:
    """How cost grows with the size of one family of games: liar's dice with more sides."""
    for sides in (3, 4, 5, 6):
        game = pyspiel.load_game(f"liars_dice(dice_sides={sides})")
        tree = GameTree.compile(game)
        solver = CFRPlus(tree)
        repeat = max(1, 2_000_000 // tree.num_nodes)
        jobs = {
            "compile": Job(lambda game=game: GameTree.compile(game).sequence_form),
            "iterate": Job(lambda solver=solver, k=repeat: solver.run(k)),
        }
        best = best_times(jobs, max(2, rounds // 3))
        for task, seconds in (
            ("Growth: compile, per node", best["compile"]),
            ("Growth: CFR+ iteration, per node", best["iterate"] / repeat),
        ):
            yield Row(
                task, f"liars_dice, {sides} sides", seconds / tree.num_nodes * 1e9, "-", None,
                "ns", None, note=f"{tree.num_nodes:,} nodes",
            )  # fmt: skip
