"""The demonstration behind ``make demo``: theorems verified, three policies scored, one figure."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction
from pathlib import Path

from . import console
from .analysis import onuw_theorems, plots
from .analysis.evaluation import nash_conv
from .analysis.picture import save_picture
from .analysis.plots import RobberEquilibrium
from .analysis.theorems import THEOREMS
from .games.errors import MissingExtra, OutputError
from .games.loading import load_game
from .games.rules import Exact
from .solvers.exact import evaluate_exact, exact_profile
from .solvers.solve import solve
from .solvers.tree import GameTree, compile_tree

GAME = onuw_theorems.GAME
ITERATIONS = 1000
FIGURE = "robber_payoff"
FIXTURE_NOTE = (
    "This model is small and comes in a Python package, so that it runs anywhere: a fixture close "
    "to uniform play, not a player."
)


def run(folder: Path) -> bool:
    """Verifies, scores, draws, and prints what it does.

    Args:
        folder: where the figure goes; made if missing.

    Returns:
        Whether nothing was refuted.

    Raises:
        OutputError: the folder cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot make the folder {folder}: {error}; choose another") from error
    findings = console.check_claims(list(THEOREMS.values()))
    console.show(console.heading("Published results, verified exactly"), "")
    console.show(*console.findings_view(findings), console.tally(findings), "")

    tree = compile_tree(GAME)
    console.show(console.heading("How far is a policy from equilibrium?"), "")
    console.show(*console.report_view(nash_conv(GAME, "uniform")), "")
    solution = solve(tree, "cfr+", ITERATIONS)
    label = f"cfr+, {ITERATIONS:,} iterations"
    console.show(*console.report_view(nash_conv(GAME, solution.profile, label=label)), "")

    console.show(console.heading("A language model, asked at every information set"), "")
    _language_model()

    console.show(console.heading("The Robber's equilibrium payoff"), "")
    equilibria, marked, theorem_4_1 = robber_equilibria(tree)
    off = [e for e in (*equilibria, *marked, theorem_4_1) if e.nash_conv]
    figure = plots.robber_payoff_figure(equilibria, marked, theorem_4_1)
    paths = [folder / f"{FIGURE}.{ending}" for ending in ("png", "svg")]
    for path in paths:
        save_picture(figure, path)
    count = len(equilibria) + len(marked) + 1
    console.show(
        f"{count} profiles of Theorems 4.1 and 4.2 evaluated exactly on the game tree: "
        + (f"{len(off)} have a NashConv above 0." if off else "every NashConv is 0."),
        *(f"figure written to {path}" for path in paths),
    )
    return not off and all(finding.status != "refuted" for finding in findings)


def _language_model() -> None:
    """Scores the local model; where there is none, says how to get it."""
    from .llm_bridge.specs import policy_from_spec

    try:
        policy = policy_from_spec("local", load_game(GAME))
    except MissingExtra as missing:
        console.show(f"left out: {missing}", "")
        return
    with closing(policy), console.progress("asking") as update:
        report = nash_conv(GAME, policy, progress=lambda what, *done: update(*done, what))
    console.show(*console.report_view(report), *console.notes_view((FIXTURE_NOTE,)), "")


def robber_equilibria(
    tree: GameTree,
) -> tuple[list[RobberEquilibrium], list[RobberEquilibrium], RobberEquilibrium]:
    """The equilibria of the figure, each evaluated exactly on the tree.

    Returns:
        Points of the family of Theorem 4.2 along its curve; its three points of note; and the
        equilibrium of Theorem 4.1.
    """
    quarter, half = Fraction(1, 4), Fraction(1, 2)
    along = [quarter + (half - quarter) * k / 12 for k in range(1, 12)]
    # Two werewolves robbed alike, or as differently as the theorem allows: the payoff is the same.
    family = [_theorem_4_2(tree, a, gap * a**2 / (1 - a)) for a in along for gap in (-1, 0, 1)]
    noted = [_theorem_4_2(tree, a, Fraction(0)) for a in (quarter, Fraction(1, 3), half)]
    always = onuw_theorems.strategies((Fraction(0), half, half), 0, 0, half)
    return family, noted, _evaluated(tree, Fraction(0), always)


def _theorem_4_2(tree: GameTree, alpha: Fraction, difference: Fraction) -> RobberEquilibrium:
    """The profile of Theorem 4.2 where beta exceeds gamma by ``difference``."""
    beta, gamma = (1 - alpha + difference) / 2, (1 - alpha - difference) / 2
    profile = onuw_theorems.theorem_4_2_profile(alpha, beta, gamma)
    return _evaluated(tree, alpha, profile)


def _evaluated(
    tree: GameTree, alpha: Fraction, strategies: dict[str, dict[str, Exact]]
) -> RobberEquilibrium:
    result = evaluate_exact(tree, exact_profile(tree, strategies))
    return RobberEquilibrium(alpha, result.values[2], result.nash_conv)
