"""``python -m benchmarks [--json] [--rounds N]``: exit status 1 if a threshold is missed."""

from __future__ import annotations

import argparse
import json
import sys

from rich.console import Console
from rich.table import Table

from .measures import MEASURES, Row


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=int, default=9, help="best of this many (default 9)")
    arguments = parser.parse_args()
    rows = [row for measure in MEASURES for row in measure(arguments.rounds)]
    if arguments.json:
        print(json.dumps([row.to_json() for row in rows], indent=2))
    else:
        console = Console()
        # A log has no width of its own: show every column whole there.
        Console(width=None if console.is_terminal else 190).print(table(rows))
    return int(any(row.met is False for row in rows))


def table(rows: list[Row]) -> Table:
    drawn = Table(title="crywolf against its peers (one run, interleaved, best times)")
    for name in ("Task", "Game", "Ours", "Peer", "Theirs", "Ratio", "Needed", "Met"):
        drawn.add_column(name, justify="right" if name in ("Ours", "Theirs", "Ratio") else "left")
    for row in rows:
        needed = "" if row.needed is None else f"{'< ' if row.at_most else '>= '}{row.needed:g}"
        drawn.add_row(
            row.task,
            row.game,
            f"{row.ours:.4g} {row.unit}",
            row.peer,
            row.note if row.theirs is None else f"{row.theirs:.4g} {row.unit}",
            "" if row.ratio is None else f"{row.ratio:.3g}",
            needed,
            {None: "", True: "yes", False: "NO"}[row.met],
        )
    return drawn


if __name__ == "__main__":
    sys.exit(main())
