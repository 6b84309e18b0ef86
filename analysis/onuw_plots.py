"""Figures on the three-player ONUW theory game: its voting phase, and what talk adds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from matplotlib.axes import Axes
from matplotlib.tri import Triangulation

from ..games.rules import Exact
from .onuw_talk import Point, silent_payoffs, talk_payoffs
from .onuw_theorems import HALF, U3_4_2, alpha, beta, gamma
from .onuw_voting import VOTING
from .picture import Picture
from .plots import BLUE, INK, RED, SHADE, SOFT
from .stating import all_of

STEPS = 120
"""Of the grid over the beliefs, along a side."""
PURPLE, GREEN = "#6d4fa3", "#2e8b57"
PANELS = (
    ("The Robber always wins (I, IV)", ("I", "IVa", "IVb"), BLUE),
    ("Theorem 4.2 (II)", ("II",), PURPLE),
    ("One Werewolf votes P3 more often (V, VI)", ("VIa", "VIb", "Va", "Vb"), GREEN),
    ("The Robber always loses (III)", ("III",), RED),
)
"""Heading, families and colour of each part of `families_figure`."""


def families_figure(*, true_beliefs: bool) -> Picture:
    """For which beliefs of the Werewolves each family of equilibria exists.

    A point of a triangle is a common belief (alpha, beta, gamma) on the Robber's night move: how
    close it is to the corners. Areas are families for beliefs of two dimensions, lines and dots for
    one and for none.

    Args:
        true_beliefs: of the game without discussion, in which beliefs are what the Robber does;
            otherwise of the voting phase, for any belief.
    """
    figure = Picture(figsize=(12.0, 3.9), dpi=150, layout="constrained")
    figure.heading = "Equilibria by what the Werewolves believe"
    figure.words = (
        "Four triangles of the beliefs on NS, S1 and S2, with the areas, lines and dots where the "
        "families of equilibria exist."
    )
    regions = {family.number: family.region for family in VOTING}
    if true_beliefs:  # the Robber would not rob P2 in V and VI: it is not believed to
        del regions["VIa"], regions["VIb"]
        regions["Va"], regions["Vb"] = (
            all_of(sympy.Eq(alpha, HALF), sympy.Eq(other, 0)) for other in (gamma, beta)
        )
    for axes, (heading, numbers, colour) in zip(figure.subplots(1, 4), PANELS, strict=True):
        _triangle(axes)
        for number in numbers:
            if number in regions:
                _draw_region(axes, regions[number], colour)
        axes.set_title(heading.replace(", VI)", ")") if true_beliefs else heading, fontsize=10.5)
    return figure


def robber_payoffs_figure(*, true_beliefs: bool) -> Picture:
    """The Robber's equilibrium payoffs over alpha, for all beliefs.

    Args:
        true_beliefs: as for `families_figure`.
    """
    figure = Picture(figsize=(7.0, 4.6), dpi=150, layout="constrained")
    figure.heading = "The Robber's equilibrium payoffs"
    figure.words = (
        "The Robber's equilibrium payoffs over the probability alpha that it does not switch: "
        "lines at 1 up to one half and at -1 from one quarter, the curve of Theorem 4.2 between "
        "them, and what the families V and VI pay."
    )
    axes = figure.add_subplot()
    along = np.linspace(0.25, 0.5, 101)
    curve = sympy.lambdify(alpha, U3_4_2)(along)
    if true_beliefs:
        axes.plot([0.5, 0.5], [-1, 1], color=GREEN, linewidth=2.2, label="V")
    else:  # VI from the curve down to the best of V, which goes down to -1
        axes.fill_between(along, -1, curve, color=GREEN, alpha=0.3, linewidth=0, label="V, VI")
    axes.plot(along, curve, color=PURPLE, linewidth=2.2, label="II: Theorem 4.2")
    axes.plot([0, 0.5], [1, 1], color=BLUE, linewidth=2.2, label="I, IV: always wins")
    axes.plot([0.25, 1], [-1, -1], color=RED, linewidth=2.2, label="III: always loses")
    axes.set_xlabel(r"$\alpha$: probability that the Robber does not switch", color=INK)
    axes.set_ylabel("Robber's payoff", color=INK)
    axes.set_title(figure.heading, loc="left", fontsize=12, color=INK)
    _quiet(axes)
    axes.legend(frameon=False, fontsize=9.5, loc="center right")
    return figure


def talk_figure(
    payoffs: Sequence[Exact] = (Fraction(-1, 2), Fraction(1, 4), Fraction(1)),
) -> Picture:
    """The Werewolves' payoffs without talk, and with it, for some payoffs of the Robber.

    Args:
        payoffs: the Robber's, numbers from -1 to 1; a part of the figure for each.

    Raises:
        ParameterError: one of them is no such number.
    """
    figure = Picture(figsize=(3.9 * len(payoffs), 4.2), dpi=150, layout="constrained")
    figure.heading = "The Werewolves' payoffs without talk and with it"
    figure.words = (
        "Payoffs of P1 and P2 in equilibria that pay the Robber the same. With talk they are the "
        "convex hull of those without."
    )
    for axes, u in zip(figure.subplots(1, len(payoffs), squeeze=False)[0], payoffs, strict=True):
        hull = _numbers(talk_payoffs(u))
        axes.fill(*hull, facecolor=BLUE, alpha=0.18, edgecolor=BLUE, linewidth=1, label="with talk")
        label: str | None = "without talk"
        for piece in silent_payoffs(u):
            xs, ys = _numbers(piece)
            if len(piece) > 2:
                axes.fill(xs, ys, facecolor="none", edgecolor=RED, hatch="///", label=label)
            else:
                axes.plot(xs, ys, color=RED, marker="o", markersize=5, linewidth=2.6, label=label)
            label = None
        axes.set_title(f"Robber's payoff {u}", fontsize=11, color=INK)
        axes.set_xlabel("payoff of P1", color=INK)
        axes.set_aspect("equal", adjustable="datalim")
        _quiet(axes)
    figure.axes[0].set_ylabel("payoff of P2", color=INK)
    figure.axes[0].legend(frameon=False, fontsize=9.5)
    return figure


def _numbers(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    return [float(x) for x, _ in points], [float(y) for _, y in points]


def _quiet(axes: Axes) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=INK, labelsize=9)


def _triangle(axes: Axes) -> None:
    """The frame of a triangle: NS at the top, S1 to the left, S2 to the right."""
    corners = {"NS": (0.5, 1.0), "S1": (0.0, 0.0), "S2": (1.0, 0.0)}
    xs, ys = zip(*corners.values(), strict=True)
    axes.fill(xs, ys, facecolor=SHADE, edgecolor=SOFT, linewidth=0.8)
    for name, (x, y) in corners.items():
        axes.annotate(
            name, (x, y), (0, 4 if y else -4), textcoords="offset points", ha="center",
            va="bottom" if y else "top", fontsize=10, color=SOFT,
        )  # fmt: skip
    axes.set_xlim(-0.05, 1.05)
    axes.set_ylim(-0.12, 1.12)
    axes.set_aspect(3**0.5 / 2)
    axes.set_axis_off()


def _draw_region(axes: Axes, region: Any, colour: str) -> None:
    parts = list(region.args) if isinstance(region, sympy.And) else [region]
    equations = [part for part in parts if isinstance(part, sympy.Eq)]
    bounds = [part for part in parts if not isinstance(part, sympy.Eq)]
    if equations:
        line: Any = sympy.solve([*equations, alpha + beta + gamma - 1], [beta, gamma, alpha])
        # A line leaves alpha free, a point does not.
        a = np.linspace(0, 1, STEPS + 1) if alpha not in line else np.array([float(line[alpha])])
        b, c = (_evaluated(line[symbol], a, a, a) for symbol in (beta, gamma))
        inside = (b >= -1e-9) & (c >= -1e-9) & (_slack(bounds, a, b, c) >= -1e-9)
        style: dict[str, Any] = {"marker": "o"} if alpha in line else {"linewidth": 2.4}
        axes.plot((c + a / 2)[inside], a[inside], color=colour, **style)
        return
    rows = [(i, j) for i in range(STEPS + 1) for j in range(STEPS + 1 - i)]
    a, c = np.array(rows, dtype=float).T / STEPS
    slack = _slack(bounds, a, 1 - a - c, c)
    triangles = Triangulation(c + a / 2, a)
    axes.tricontourf(triangles, slack, levels=[0, np.inf], colors=[colour], alpha=0.4)


def _slack(bounds: Sequence[Any], a: Any, b: Any, c: Any) -> Any:
    """How far the tightest of some inequalities is from failing, at beliefs (a, b, c)."""
    slacks = [np.ones_like(a)]
    for bound in bounds:
        slacks.append(_evaluated(bound.gts - bound.lts, a, b, c))
    return np.min(slacks, axis=0)


def _evaluated(expression: Any, a: Any, b: Any, c: Any) -> Any:
    function = sympy.lambdify((alpha, beta, gamma), expression)
    return np.broadcast_to(function(a, b, c), a.shape).astype(float)
