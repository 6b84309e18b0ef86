"""Pictures of small game trees: the root on the left, payoffs on the right.

Nodes of one information set are joined by a band in the colour of their player, or, where other
nodes lie between them, by dashed arcs. Edges carry the action's name and, if strategies are given,
its probability.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise, product
from typing import Any

import sympy
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from ..games.errors import AssessmentError, TreeTooLarge
from ..games.rules import CHANCE, TERMINAL, Exact
from ..solvers.tree import Game, GameTree, compile_tree
from .picture import Picture

MAX_LEAVES = 120
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999933", "#882255")
"""One per player (Okabe & Ito 2008: told apart by colour-blind readers)."""
GREY = "#555555"


def draw_tree(
    game: Game,
    strategies: Mapping[str, Mapping[str, Exact]] | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draws a game tree.

    Args:
        game: the game in any form, with at most `MAX_LEAVES` leaves.
        strategies: ``{information set: {action name: probability}}``; probabilities of 0 fade.
        ax: where to draw; by default a new figure of fitting size.

    Raises:
        TreeTooLarge: more leaves than can be read.
        AssessmentError: the strategies name an unknown information set or action.
    """
    tree = compile_tree(game)
    for key, mix in (strategies or {}).items():
        h = tree.infoset_of_key.get(key)
        names = () if h is None else tree.action_names(h)
        if not set(mix) <= set(names):
            raise AssessmentError(
                f"{tree.name}: there is no information set {key!r} with the actions {list(mix)}"
            )
    leaves = len(tree.leaves)
    if leaves > MAX_LEAVES:
        raise TreeTooLarge(
            f"{tree.name} has {leaves:,} leaves; a picture shows at most {MAX_LEAVES}",
            limit=MAX_LEAVES,
            estimate=leaves,
            standard_error=0.0,
        )
    if ax is None:
        depth = max(_depth(tree, int(leaf)) for leaf in tree.leaves)
        figure = Picture(figsize=(2.1 * depth + 2.0, 0.34 * leaves + 0.8), layout="constrained")
        ax = figure.add_subplot()
    x, y = _layout(tree)
    _draw_information_sets(tree, ax, x, y)
    for node in range(1, tree.num_nodes):
        _draw_edge(tree, ax, x, y, node, strategies)
    for node in range(tree.num_nodes):
        player = int(tree.player[node])
        if player == TERMINAL:
            payoffs = ", ".join(str(u) for u in tree.payoffs[tree.payoff[node]])
            ax.text(x[node] + 0.05, y[node], f"({payoffs})", va="center", fontsize=8)
        else:
            colour = GREY if player == CHANCE else COLOURS[player % len(COLOURS)]
            ax.plot(x[node], y[node], "o", color=colour, ms=6, zorder=3)
    for player in range(tree.num_players):
        ax.plot([], [], "o", color=COLOURS[player % len(COLOURS)], label=f"P{player + 1}")
    if (tree.player == CHANCE).any():
        ax.plot([], [], "o", color=GREY, label="chance")
    ax.legend(loc="upper left", frameon=False, fontsize=9)
    ax.set_xlim(-0.2, max(x) + 0.7)
    ax.set_ylim(-leaves + 0.3, 0.7)
    ax.set_axis_off()
    return ax


def _depth(tree: GameTree, node: int) -> int:
    return len(tree.history(node))


def _layout(tree: GameTree) -> tuple[list[float], list[float]]:
    """Column by depth; leaves on rows of their own, others midway between their children."""
    x = [0.0] * tree.num_nodes
    for node in range(1, tree.num_nodes):
        x[node] = x[int(tree.parent[node])] + 1.0
    y = [0.0] * tree.num_nodes
    for row, leaf in enumerate(tree.leaves.tolist()):
        y[leaf] = -float(row)
    below: dict[int, list[float]] = defaultdict(list)
    for node in range(tree.num_nodes - 1, -1, -1):
        if node in below:
            y[node] = (max(below[node]) + min(below[node])) / 2
        below[int(tree.parent[node])].append(y[node])
    return x, y


def _draw_information_sets(tree: GameTree, ax: Axes, x: list[float], y: list[float]) -> None:
    for h in range(tree.num_infosets):
        by_column: dict[float, list[float]] = defaultdict(list)
        for node in tree.nodes_of(h):
            by_column[x[node]].append(y[node])
        colour = COLOURS[int(tree.owner[h]) % len(COLOURS)]
        for column, rows in by_column.items():
            rows = sorted(rows)
            between = sum(
                x[i] == column and rows[0] < y[i] < rows[-1] for i in range(tree.num_nodes)
            )
            if between > max(0, len(rows) - 2):
                for low, high in pairwise(rows):
                    arc = FancyArrowPatch(
                        (column, low), (column, high), arrowstyle="-", linestyle="--",
                        connectionstyle=f"arc3,rad={0.25 if h % 2 else -0.25}",
                        color=colour, lw=1.2, alpha=0.7, zorder=2,
                    )  # fmt: skip
                    ax.add_patch(arc)
            elif len(rows) > 1:
                low, height = rows[0], rows[-1] - rows[0]
                band = FancyBboxPatch(
                    (column - 0.02, low), 0.04, height, boxstyle="round,pad=0.06",
                    facecolor=colour, edgecolor="none", alpha=0.15, zorder=0,
                )  # fmt: skip
                ax.add_patch(band)
        # A set may reach over several depths: its columns are joined where they are nearest.
        for (left, low), (right, high) in pairwise(sorted(by_column.items())):
            start, end = min(product(low, high), key=lambda rows: abs(rows[0] - rows[1]))
            arc = FancyArrowPatch(
                (left, start), (right, end), arrowstyle="-", linestyle="--",
                connectionstyle="arc3,rad=0.2", color=colour, lw=1.2, alpha=0.7, zorder=2,
            )  # fmt: skip
            ax.add_patch(arc)


def _draw_edge(
    tree: GameTree,
    ax: Axes,
    x: list[float],
    y: list[float],
    node: int,
    strategies: Mapping[str, Mapping[str, Exact]] | None,
) -> None:
    above = int(tree.parent[node])
    name, label, alpha = tree.edge_name(node), tree.edge_name(node), 1.0
    h = int(tree.node_infoset[above])
    if h < 0:
        label = f"{name} {_short(tree.probabilities[tree.probability[node]])}"
    elif strategies is not None:
        probability = strategies.get(tree.keys[h], {}).get(name, 0)
        label = f"{name}: {_short(probability)}"
        alpha = 0.35 if probability == 0 else 1.0
    ax.plot(
        [x[above], x[node]], [y[above], y[node]], "-", color="black", lw=0.8, alpha=alpha, zorder=1
    )
    place: Any = (0.45 * x[above] + 0.55 * x[node], 0.45 * y[above] + 0.55 * y[node])
    ax.annotate(
        label, place, ha="center", va="center", fontsize=7, alpha=max(alpha, 0.5),
        bbox={"boxstyle": "round,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha":
        0.85},
    )  # fmt: skip


def _short(value: Exact | float) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    expression = sympy.sympify(value)
    return str(expression) if expression.is_number else f"${sympy.latex(expression)}$"
