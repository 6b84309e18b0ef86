"""Formal game theory of hidden-role and deduction games.

    import crywolf

    game = crywolf.load_game("onuw_robber3")            # a preset, or any OpenSpiel game string
    tree = crywolf.compile_tree(game)                   # flat arrays; every solver works on them
    result = crywolf.solve(tree, algorithm="cfr+", iterations=1000)
    report = crywolf.nash_conv(game, result.profile)    # .kind .nash_conv .gains .values
    report = crywolf.nash_conv(game, "llm:local")       # any policy, language models included
    verdict = crywolf.verify_equilibrium(game, assessment, concept="pbe")     # .holds .violations
    found = crywolf.derive_equilibria("kuhn_poker", "sequential")             # .complete .families

The names below are imported when they are first used, so ``import crywolf`` costs nothing. The
packages behind them are `crywolf.games` (exact rules, OpenSpiel games), `crywolf.solvers` (compiled
trees, equilibria), `crywolf.analysis` (evaluation, published results) and `crywolf.llm_bridge`
(language models as policies).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .lazy import lazily

if TYPE_CHECKING:
    from . import analysis, games, llm_bridge, solvers
    from .analysis import theorems
    from .analysis.draws import Draws
    from .analysis.evaluation import nash_conv
    from .analysis.report import Report
    from .analysis.theorems import check_theorem
    from .games import errors
    from .games.conformance import check_game
    from .games.errors import CrywolfError
    from .games.extensive import ExtensiveGame
    from .games.loading import load_game
    from .games.onuw import Onuw
    from .games.rules import Rules
    from .llm_bridge.policy import LLMPolicy
    from .solvers.pbe.assessment import Assessment
    from .solvers.pbe.derive import derive_equilibria
    from .solvers.pbe.equilibria import Equilibria
    from .solvers.pbe.families import Family
    from .solvers.pbe.verify import Verdict, Violation
    from .solvers.pbe.verify import verify as verify_equilibrium
    from .solvers.profile import Profile
    from .solvers.solve import SolveResult, solve
    from .solvers.tree import GameTree, compile_tree

    __version__: str

__all__ = [
    "Assessment",
    "CrywolfError",
    "Draws",
    "Equilibria",
    "ExtensiveGame",
    "Family",
    "GameTree",
    "LLMPolicy",
    "Onuw",
    "Profile",
    "Report",
    "Rules",
    "SolveResult",
    "Verdict",
    "Violation",
    "__version__",
    "analysis",
    "check_game",
    "check_theorem",
    "compile_tree",
    "derive_equilibria",
    "errors",
    "games",
    "llm_bridge",
    "load_game",
    "nash_conv",
    "solve",
    "solvers",
    "theorems",
    "verify_equilibrium",
]

_imported = lazily(
    __name__,
    {
        "Assessment": "solvers.pbe.assessment",
        "CrywolfError": "games.errors",
        "Draws": "analysis.draws",
        "Equilibria": "solvers.pbe.equilibria",
        "ExtensiveGame": "games.extensive",
        "Family": "solvers.pbe.families",
        "GameTree": "solvers.tree",
        "LLMPolicy": "llm_bridge.policy",
        "Onuw": "games.onuw",
        "Profile": "solvers.profile",
        "Report": "analysis.report",
        "Rules": "games.rules",
        "SolveResult": "solvers.solve",
        "Verdict": "solvers.pbe.verify",
        "Violation": "solvers.pbe.verify",
        "analysis": "analysis:",
        "check_game": "games.conformance",
        "check_theorem": "analysis.theorems",
        "compile_tree": "solvers.tree",
        "derive_equilibria": "solvers.pbe.derive",
        "errors": "games.errors:",
        "games": "games:",
        "llm_bridge": "llm_bridge:",
        "load_game": "games.loading",
        "nash_conv": "analysis.evaluation",
        "solve": "solvers.solve",
        "solvers": "solvers:",
        "theorems": "analysis.theorems:",
        "verify_equilibrium": "solvers.pbe.verify:verify",
    },
)


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used (PEP 562)."""
    if name == "__version__":
        from importlib.metadata import version

        return version("crywolf")
    return _imported(name)
