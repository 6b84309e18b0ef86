"""Figures. Each function draws on a new Matplotlib figure and returns it; none keeps state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import sympy
from matplotlib.axes import Axes
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from .onuw_theorems import U3_4_2
from .onuw_theorems import alpha as symbol
from .picture import Picture

INK, SOFT, SHADE, BLUE, RED = "#22262e", "#6b7280", "#f3f4f6", "#1f5fa8", "#c8442b"


@dataclass(frozen=True, slots=True)
class RobberEquilibrium:
    """An equilibrium of the three-player ONUW theory game, evaluated on its tree.

    Attributes:
        alpha: probability that the Robber does not switch.
        payoff: the Robber's expected payoff.
        nash_conv: of the profile; 0 at an equilibrium.
    """

    alpha: Fraction
    payoff: Fraction
    nash_conv: Fraction


def robber_payoff_figure(
    equilibria: Sequence[RobberEquilibrium],
    marked: Sequence[RobberEquilibrium],
    theorem_4_1: RobberEquilibrium,
) -> Picture:
    """The Robber's equilibrium payoff over the probability that it does not switch.

    Args:
        equilibria: points of the family of Theorem 4.2 (Jin et al. 2024), drawn as circles on the
            curve of its formula.
        marked: points of the family to label.
        theorem_4_1: the equilibrium of Theorem 4.1.
    """
    figure = Picture(figsize=(8.0, 5.2), dpi=150, layout="constrained")
    figure.heading = "What not switching is worth to the Robber"
    figure.words = (
        "The Robber's equilibrium payoff in the three-player One Night Ultimate Werewolf game, "
        "over the probability that the Robber does not switch."
    )
    axes = figure.add_subplot()
    _frame(axes)
    alpha = np.linspace(0.25, 0.5, 400)
    axes.plot(
        alpha,
        sympy.lambdify(symbol, U3_4_2)(alpha),
        color=BLUE,
        linewidth=2.2,
        label=r"Theorem 4.2: $U_3=(4\alpha^2+2\alpha-1)\,/\,(4\alpha^2)$",
        zorder=3,
    )
    axes.plot(
        [float(e.alpha) for e in equilibria],
        [float(e.payoff) for e in equilibria],
        "o",
        markersize=6,
        markerfacecolor="white",
        markeredgecolor=BLUE,
        markeredgewidth=1.4,
        label="the theorem's profile, evaluated exactly on the game tree",
        zorder=4,
    )
    _mark(axes, marked, BLUE, "o")
    for e, offset, align in zip(marked, ((12, 8), (12, -8), (-10, 12)), ("left", "left", "right")):
        words = rf"$\alpha={_tex(e.alpha)}$:  $U_3={_tex(e.payoff)}$"
        axes.annotate(
            words, (float(e.alpha), float(e.payoff)), offset, textcoords="offset points",
            color=BLUE, ha=align, va="center", fontsize=11,
        )  # fmt: skip
    _mark(axes, [theorem_4_1], RED, "D")
    axes.annotate(
        f"Theorem 4.1: the Robber always\nswitches and wins, $U_3={_tex(theorem_4_1.payoff)}$",
        (float(theorem_4_1.alpha), float(theorem_4_1.payoff)),
        (12, -22),
        textcoords="offset points",
        color=RED,
        va="center",
        fontsize=11,
    )
    axes.axvspan(-0.03, 0.25, color=SHADE, zorder=0)
    axes.axvspan(0.5, 0.56, color=SHADE, zorder=0)
    axes.text(
        0.115,
        -0.62,
        "no equilibrium\nof Theorem 4.2",
        color=SOFT,
        ha="center",
        va="center",
        fontsize=11,
    )
    axes.set_title(figure.heading, loc="left", fontsize=14, color=INK)
    axes.set_xlabel(
        r"$\alpha$: probability that the Robber does not switch", fontsize=11.5, color=INK
    )
    axes.set_ylabel(r"Robber's equilibrium payoff $U_3$", fontsize=11.5, color=INK)
    figure.legend(
        *axes.get_legend_handles_labels(), loc="outside lower center", frameon=False, fontsize=10
    )
    return figure


def _frame(axes: Axes) -> None:
    axes.set_xlim(-0.03, 0.56)
    axes.set_ylim(-1.15, 1.2)
    axes.xaxis.set_major_locator(FixedLocator([0, 0.25, 1 / 3, 0.5]))
    axes.xaxis.set_major_formatter(
        FixedFormatter(["0", r"$\frac{1}{4}$", r"$\frac{1}{3}$", r"$\frac{1}{2}$"])
    )
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(FixedLocator([-1, -0.5, 0, 0.5, 1]))
    axes.tick_params(axis="x", labelsize=15, colors=INK)
    axes.tick_params(axis="y", labelsize=10.5, colors=INK)
    axes.grid(axis="y", color="#e5e7eb", linewidth=0.8)
    axes.axhline(0, color=SOFT, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(SOFT)


def _mark(axes: Axes, points: Sequence[RobberEquilibrium], colour: str, shape: str) -> None:
    axes.plot(
        [float(e.alpha) for e in points],
        [float(e.payoff) for e in points],
        shape,
        color=colour,
        markersize=9,
        markeredgecolor="white",
        markeredgewidth=1.2,
        zorder=5,
        clip_on=False,
    )


def _tex(value: Fraction) -> str:
    sign = "-" if value < 0 else ""
    if value.denominator == 1:
        return str(value)
    return rf"{sign}{abs(value.numerator)}/{value.denominator}"
