"""Peak memory of a solver and its game, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from .instances import SOCIAL
from .peers import SKIPPED, lite_efg_installed
from .rows import Row

CODE = """
import pyspiel
{imports}

def kilobytes(field):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field))

game = pyspiel.load_game({name!r})
open("/proc/self/clear_refs", "w").write("5")  # the peak of loading does not count
before = kilobytes("VmRSS")
{work}
print(kilobytes("VmHWM") - before)
"""
OURS = (
    "from crywolf.solvers import CFRPlus, GameTree\n"
    "CFRPlus(GameTree.compile(pyspiel.load_game('kuhn_poker'))).run(1)",  # loads the kernels
    "CFRPlus(GameTree.compile(game)).run(1)",
)
WORK = {
    "OpenSpiel C++": (
        "",
        "solver = pyspiel.CFRPlusSolver(game); solver.evaluate_and_update_policy()",
    ),
    "OpenSpiel C++, cached tree": (
        "",
        "cached = pyspiel.convert_to_cached_tree(game); solver = pyspiel.CFRPlusSolver(cached); "
        "solver.evaluate_and_update_policy()",
    ),
    "LiteEFG": (
        "from benchmarks.peers import lite_efg_cfr_plus",
        "lite_efg_cfr_plus(game)()",
    ),
}


def peak_memory(rounds: int) -> Iterator[Row]:
    """Memory that loading a game into a solver and one iteration add to the process (Linux)."""
    if sys.platform != "linux":
        return
    for name in ("leduc_poker", "liars_dice", SOCIAL):
        ours = _peak(name, *OURS)
        for peer, work in WORK.items():
            if peer == "LiteEFG" and not lite_efg_installed():
                yield Row("Peak memory", name, ours, peer, None, "MB", None, note=SKIPPED)
                continue
            theirs = _peak(name, *work)
            yield Row("Peak memory", name, ours, peer, theirs, "MB", theirs / ours)


def _peak(name: str, imports: str, work: str) -> float:
    """Megabytes."""
    code = CODE.format(name=name, imports=imports, work=work)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1]) * 1024 / 1e6
