"""What is measured: each function returns rows for the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numba as nb
import numpy as np
import pyspiel

from crywolf.games import load_game, rules_of
from crywolf.solvers import CFRPlus, GameTree, Profile, nash_conv, solve
from crywolf.solvers.walk_pyspiel import walk_pyspiel
from crywolf.solvers.walk_rules import walk_rules

from .peers import SKIPPED, lite_efg_cfr_plus
from .timing import Job, best_times

DEALT = "onuw(players=4,centre=0,roles=2werewolf+robber+seer)"
DEFAULT = "onuw"
GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=5,"
    "points_order=descending))"
)
SHORT = {GOOFSPIEL: "goofspiel(num_cards=5,imp_info=True)"}


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
    for name, needed, lite_needed, repeat in (
        ("leduc_poker", 400.0, 100.0, 200),
        (GOOFSPIEL, 400.0, 100.0, 100),
        ("liars_dice", 350.0, 600.0, 20),
        ("kuhn_poker(players=3)", 200.0, 40.0, 2000),
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
        shown = SHORT.get(name, name)
        yield Row("CFR+ iteration", shown, ms, "OpenSpiel C++", peer, "ms", peer / ms, needed)
        if lite is None:
            yield Row("CFR+ iteration", shown, ms, "LiteEFG", None, "ms", None, note=SKIPPED)
        else:
            peer = best["LiteEFG"] * 1e3
            yield Row("CFR+ iteration", shown, ms, "LiteEFG", peer, "ms", peer / ms, lite_needed)


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
        best = best_times(jobs, rounds)
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


def target(rounds: int) -> Iterator[Row]:
    """Compiling a game and solving it to NashConv 1e-3, from scratch."""
    name = "liars_dice"
    game = pyspiel.load_game(name)

    def ours() -> None:
        tree = GameTree.compile(game)
        solve(tree, "cfr+", target=1e-3)

    cached = pyspiel.convert_to_cached_tree(game)
    peer = pyspiel.CFRPlusSolver(cached)
    best = best_times(
        {"ours": Job(ours), "theirs": Job(peer.evaluate_and_update_policy, 3)}, min(rounds, 3)
    )
    # The same update rule takes as many iterations, whoever runs it.
    iterations = solve(game, "cfr+", target=1e-3).iterations
    mine, theirs = best["ours"], best["theirs"] * iterations
    note = f"{iterations} iterations; theirs: one iteration times as many, nothing else"
    yield Row(
        "To NashConv 1e-3", name, mine, "OpenSpiel C++, cached tree", theirs, "s", theirs / mine,
        10.0, note=note,
    )  # fmt: skip


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


MEASURES = (cfr_plus, memory_floor, target, nash_convs, compilation, fast_path, memory)
