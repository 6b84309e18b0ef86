"""What is measured: each function returns rows for the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyspiel

from crywolf.games import load_game, rules_of
from crywolf.solvers import CFRPlus, GameTree, Profile, nash_conv
from crywolf.solvers.walk_pyspiel import walk_pyspiel
from crywolf.solvers.walk_rules import walk_rules

from .peers import SKIPPED, lite_efg_cfr_plus
from .timing import Job, best_times

DEALT = "onuw(players=4,centre=0,roles=2werewolf+robber+seer)"
DEFAULT = "onuw"


@dataclass(frozen=True)
class Row:
    """One comparison.

    Attributes:
        task: what is done.
        game: on which game.
        ours: our figure, in ``unit``.
        peer: the peer's name.
        theirs: its figure, None where the peer is absent.
        unit: of both figures.
        ratio: how many times better ours is (for the compiler: how many traversals it costs).
        needed: threshold of the ratio, None where nothing is asked.
        at_most: whether the threshold bounds the ratio from above.
        note: remarks.
    """

    task: str
    game: str
    ours: float
    peer: str
    theirs: float | None
    unit: str
    ratio: float | None
    needed: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the threshold is met; None without one."""
        if self.needed is None or self.ratio is None:
            return None
        return self.ratio < self.needed if self.at_most else self.ratio >= self.needed

    def to_json(self) -> dict[str, Any]:
        """The row with its verdict."""
        return asdict(self) | {"met": self.met}


def cfr_plus(rounds: int) -> Iterator[Row]:
    """One iteration of CFR+: same update rule, float64, one thread, no merging of states."""
    for name, needed, repeat in (
        ("leduc_poker", 200.0, 200),
        ("liars_dice", None, 5),
        ("kuhn_poker(players=3)", None, 2000),
    ):
        game = pyspiel.load_game(name)
        ours, theirs = CFRPlus(GameTree.compile(game)), pyspiel.CFRPlusSolver(game)
        lite = lite_efg_cfr_plus(game)
        jobs = {
            "ours": Job(lambda ours=ours, k=repeat: ours.run(k)),
            "OpenSpiel C++": Job(theirs.evaluate_and_update_policy),
        }
        if lite is not None:
            jobs["LiteEFG"] = Job(lite)
        best = best_times(jobs, rounds)
        ms = best["ours"] / repeat * 1e3
        peer = best["OpenSpiel C++"] * 1e3
        yield Row("CFR+ iteration", name, ms, "OpenSpiel C++", peer, "ms", peer / ms, needed)
        if lite is None:
            yield Row("CFR+ iteration", name, ms, "LiteEFG", None, "ms", None, note=SKIPPED)
        else:
            peer = best["LiteEFG"] * 1e3
            yield Row("CFR+ iteration", name, ms, "LiteEFG", peer, "ms", peer / ms)


def nash_convs(rounds: int) -> Iterator[Row]:
    """NashConv of a given policy."""
    for name, needed, repeat in (("leduc_poker", 500.0, 200), ("kuhn_poker(players=3)", None, 200)):
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
    for name, asked in ((DEALT, 5.0), (DEFAULT, 5.0)):
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
            yield Row("Walk, per node", name, ours, peer, theirs, "µs", theirs / ours, needed)


def memory(rounds: int) -> Iterator[Row]:
    """Bytes per node of the compiled arrays, against OpenSpiel's cached tree (1.3 kB, measured)."""
    for name in ("leduc_poker", "liars_dice", "kuhn_poker(players=3)"):
        tree = GameTree.compile(pyspiel.load_game(name))
        arrays = [value for value in vars(tree).values() if isinstance(value, np.ndarray)]
        nodes = sum(a.nbytes for a in arrays) / tree.num_nodes
        solver = sum(a.nbytes for a in tree.sequence_form) / tree.num_nodes
        note = f"of which numeric algorithms read {solver:.0f}"
        yield Row("Memory, per node", name, nodes + solver, "-", None, "bytes", None, note=note)


MEASURES = (cfr_plus, nash_convs, compilation, fast_path, memory)
