"""``python -m benchmarks``: exit status 1 if a threshold is missed.

``python -m benchmarks scale [GAME]`` compiles and solves one large game instead, in a few minutes
and several GB of memory.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.progress import track

from . import scale
from .measures import MEASURES
from .reports import document, draw, markdown, table
from .rows import Row


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=9, help="best of this many (default 9)")
    parser.add_argument(
        "--only", metavar="NAME", choices=[m.__name__ for m in MEASURES], help="one measure"
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="also write results.json, results.md and speed.svg"
    )
    parser.add_argument("what", nargs="?", choices=["peers", "scale"], default="peers")
    parser.add_argument("game", nargs="?", default=scale.GAME, help="the game for scale")
    arguments = parser.parse_args()
    if arguments.what == "scale":
        return scale.main(arguments.game)
    rows: list[Row] = []
    chosen = [m for m in MEASURES if arguments.only in (None, m.__name__)]
    for measure in track(chosen, "measuring", console=Console(stderr=True), transient=True):
        rows += measure(arguments.rounds)
    if arguments.json:
        print(json.dumps(document(rows), indent=2))
    else:
        console = Console()
        # A log has no width of its own: show every column whole there.
        Console(width=None if console.is_terminal else 190).print(table(rows))
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "results.json").write_text(json.dumps(document(rows), indent=2) + "\n")
        (arguments.out / "results.md").write_text(markdown(rows))
        draw(rows, arguments.out / "speed.svg")
    return int(any(row.met is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
