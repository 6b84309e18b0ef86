"""Measured rows as a table for the terminal, as JSON, as Markdown and as a picture."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from rich.table import Table

from .peers import versions
from .rows import Row


def document(rows: list[Row]) -> dict[str, Any]:
    """All that was measured, and on what."""
    return {
        "machine": {
            "system": platform.system(),
            "machine": platform.machine(),
            "processors": os.cpu_count(),
            "python": platform.python_version(),
        },
        "versions": versions(),
        "rows": [row.to_json() for row in rows],
    }


def table(rows: list[Row]) -> Table:
    """For the terminal."""
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


def markdown(rows: list[Row]) -> str:
    """What has a peer, as a table with the versions above it."""
    known = ", ".join(f"{name} {number}" for name, number in versions().items() if number)
    lines = [
        f"{known}; Python {platform.python_version()}, {platform.machine()}, one thread.",
        "",
        "| task | game | crywolf | peer | its figure | ratio |",
        "| --- | --- | ---: | --- | ---: | ---: |",
    ]
    for row in rows:
        if row.theirs is not None and row.ratio is not None:
            lines.append(
                f"| {row.task} | `{row.game}` | {row.ours:.3g} {row.unit} | {row.peer} | "
                f"{row.theirs:.3g} {row.unit} | {row.ratio:,.3g} |"
            )
    return "\n".join(lines) + "\n"


def draw(rows: list[Row], path: Path) -> None:
    """How many times as fast as each peer one iteration of CFR+ is, as bars."""
    found = [row for row in rows if row.task == "CFR+ iteration" and row.ratio is not None]
    games = list(dict.fromkeys(row.game for row in found))
    peers = list(dict.fromkeys(row.peer for row in found))
    if not games:
        return
    figure = Figure(figsize=(8.0, 0.55 * len(games) + 1.6), layout="constrained")
    axes = figure.subplots()
    height = 0.8 / len(peers)
    for k, peer in enumerate(peers):
        mine = [row for row in found if row.peer == peer]
        places = [games.index(row.game) + (k - (len(peers) - 1) / 2) * height for row in mine]
        bars = axes.barh(places, [row.ratio or 0.0 for row in mine], height, label=peer)
        axes.bar_label(bars, [f"{row.ratio:,.0f}" for row in mine], padding=3, fontsize=7)
    axes.set_yticks(range(len(games)), games)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.margins(x=0.1)
    axes.set_xlabel("times as fast: iterations of CFR+ per second, same update rule, one thread")
    axes.legend(fontsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    with mpl.rc_context({"svg.hashsalt": "crywolf"}):
        figure.savefig(path, metadata={"Date": None})
