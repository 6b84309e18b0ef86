"""What commands import: nothing that they do not use."""

import subprocess
import sys
from types import ModuleType

import pytest

import crywolf
from crywolf import analysis, games, llm_bridge, solvers
from crywolf.lazy import lazily

HEAVY = {
    "matplotlib",
    "numba",
    "numpy",
    "pyspiel",
    "scipy.optimize",
    "scipy.sparse",
    "sqlite3",
    "sympy",
    "z3",
}
CLIENTS = {"httpx", "openai", "xllamacpp"}


def loaded(*arguments: str) -> set[str]:
    """The modules in memory when a command of the command line has ended."""
    code = (
        "import sys\nfrom crywolf.cli import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "used"),
    [
        (("--help",), set()),
        (("nashconv", "--help"), set()),
        (("games",), {"numpy", "pyspiel"}),
        (("nashconv", "kuhn_poker", "--policy", "uniform"), {"numpy", "pyspiel", "numba"}),
        (("nashconv", "onuw_robber3", "--policy", "random:1"), {"numpy", "pyspiel", "numba"}),
        (("solve", "kuhn_poker"), {"numpy", "pyspiel", "numba", "scipy.sparse"}),
        (("prompt", "kuhn_poker"), {"numpy", "pyspiel", "numba", "sqlite3"}),
    ],
    ids=lambda value: " ".join(sorted(value) if isinstance(value, set) else value),
)
def test_commands_load_what_they_use(arguments: tuple[str, ...], used: set[str]):
    found = loaded(*arguments)
    assert (HEAVY | CLIENTS) & found <= used
    assert used - {"sqlite3"} <= found


@pytest.mark.parametrize("package", [crywolf, analysis, llm_bridge, solvers])
def test_packages_list_and_import_their_names(package: ModuleType):
    assert dir(package) == sorted(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing_of_this_name'"):
        _ = package.nothing_of_this_name


def test_importing_packages_is_free():
    code = "import sys, crywolf.solvers, crywolf.analysis, crywolf.llm_bridge; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not (HEAVY | CLIENTS) & set(done.stdout.split())


def test_a_module_does_not_hide_the_function_of_its_name():
    code = (
        "import crywolf.solvers.solve, crywolf.solvers.best_response\n"
        "from crywolf.solvers import best_response, solve, tree\n"
        "import crywolf.solvers as package\n"
        "print(callable(solve), callable(package.best_response), tree.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "crywolf.solvers.tree"]


def test_names_may_be_modules_or_be_called_otherwise_at_home():
    assert crywolf.errors is games.errors
    assert crywolf.theorems.__name__ == "crywolf.analysis.theorems"
    assert crywolf.verify_equilibrium.__name__ == "verify"
    assert solvers.policy_file.__name__ == "crywolf.solvers.policy_file"  # not imported by name


def test_an_error_in_a_module_is_not_taken_for_a_missing_name(monkeypatch: pytest.MonkeyPatch):
    package = ModuleType("made_up_package")
    package.__all__ = ["one"]  # type: ignore[attr-defined]
    package.__path__ = []
    monkeypatch.setitem(sys.modules, "made_up_package", package)
    imported = lazily("made_up_package", {"one": "no_such_module"})
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        imported("one")
    with pytest.raises(AttributeError, match="two"):
        imported("two")
