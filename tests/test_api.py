"""The front door: its names, what they accept, and what importing it costs."""

import subprocess
import sys
from pathlib import Path

import pytest

import crywolf
from crywolf.analysis import onuw_theorems
from crywolf.analysis.claims import EquilibriumClaim
from crywolf.solvers import SolveResult


def run(code: str, *options: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, text=True, check=True, cwd=cwd
    )


def test_import_loads_nothing_heavy():
    code = """
import sys
before = set(sys.modules)
import crywolf
print(*sorted({name.split(".")[0] for name in set(sys.modules) - before}))
"""
    loaded = set(run(code).stdout.split())
    assert "crywolf" in loaded
    assert not loaded - set(sys.stdlib_module_names) - {"crywolf"}


def test_scoring_a_policy_loads_neither_prover_nor_figures():
    code = "import sys, crywolf; crywolf.nash_conv('kuhn_poker', 'uniform'); print(*sys.modules)"
    loaded = set(run(code).stdout.split())
    assert not loaded & {"z3", "matplotlib", "typer", "rich"}


def test_every_public_name_exists():
    assert dir(crywolf) == sorted(crywolf.__all__)
    for name in crywolf.__all__:
        assert getattr(crywolf, name) is not None
    namespace: dict[str, object] = {}
    exec("from crywolf import *", namespace)
    assert set(crywolf.__all__) <= set(namespace)
    with pytest.raises(AttributeError, match="nash_conf"):
        _ = crywolf.nash_conf  # type: ignore[attr-defined]


def test_the_documented_example():
    game = crywolf.load_game("onuw_robber3")
    tree = crywolf.compile_tree(game)
    result = crywolf.solve(tree, algorithm="cfr+", iterations=200)
    assert isinstance(result, SolveResult)
    report = crywolf.nash_conv(game, result.profile.to_policy())
    assert report.kind == "exact"
    assert report.nash_conv == pytest.approx(result.nash_conv, abs=1e-12)
    claim = crywolf.theorems.THEOREMS["onuw_theorem_4_1"]
    assert isinstance(claim, EquilibriumClaim)
    verdict = crywolf.verify_equilibrium(game, claim.assessment, concept="pbe")
    assert verdict.holds
    assert verdict.violations == ()


def test_every_verb_takes_a_name_a_game_rules_and_a_tree():
    game = crywolf.load_game("onuw_robber3")
    tree = crywolf.compile_tree(game)
    claim = crywolf.theorems.THEOREMS["onuw_always_rob_p1"]
    assert isinstance(claim, EquilibriumClaim)
    assessment = claim.assessment
    for form in ("onuw_robber3", game, tree.rules, tree):
        assert crywolf.compile_tree(form).num_nodes == tree.num_nodes
        assert crywolf.solve(form, iterations=1).iterations == 1
        assert crywolf.verify_equilibrium(form, assessment, "nash").holds
        assert crywolf.nash_conv(form, "uniform").nash_conv == pytest.approx(1 / 3)
    assert crywolf.compile_tree(tree) is tree


def test_what_takes_no_tree_says_what_it_takes():
    tree = crywolf.compile_tree("onuw_robber3")
    for verb in (crywolf.load_game, crywolf.check_game):
        with pytest.raises(crywolf.CrywolfError, match=r"of a compiled tree: tree\.game"):
            verb(tree)  # type: ignore[arg-type]
    assert crywolf.check_game(tree.game).ok


def test_results_have_public_types():
    result = crywolf.solve("kuhn_poker", iterations=1)
    assert isinstance(result, crywolf.SolveResult)
    claim = crywolf.theorems.THEOREMS["onuw_theorem_4_1"]
    assert isinstance(claim, EquilibriumClaim)
    worse = claim.assessment.replace_strategy(onuw_theorems.P1, {"vote P3": 1})
    verdict = crywolf.verify_equilibrium(crywolf.load_game("onuw_robber3"), worse, "nash")
    assert isinstance(verdict, crywolf.Verdict)
    assert verdict.violations
    assert all(isinstance(v, crywolf.Violation) for v in verdict.violations)


def test_games_with_symbols_can_be_compiled():
    import sympy

    from crywolf.games.extensive import decision, leaf

    t = sympy.Symbol("t", real=True)
    game = crywolf.ExtensiveGame("symbolic", decision(0, "1", {"a": leaf(t), "b": leaf(0)}))
    tree = crywolf.compile_tree(game)
    verdict = crywolf.verify_equilibrium(
        tree, crywolf.Assessment({"P1: 1": {"a": 1}}, {}, (t >= 0,)), "nash"
    )
    assert verdict.holds


def test_errors_are_one_family():
    for name in ("UnknownGame", "PolicyError", "TreeTooLarge", "LowerBoundOnly"):
        assert issubclass(getattr(crywolf.errors, name), crywolf.CrywolfError)
    with pytest.raises(crywolf.CrywolfError):
        crywolf.compile_tree("no_such_game")


def test_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert crywolf.__version__ == version("crywolf")
