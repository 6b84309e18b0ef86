"""Every exception that the packages raise on purpose is one of their own."""

import ast
import builtins
import importlib
import inspect
from pathlib import Path

import pytest

from crywolf.games.errors import CrywolfError

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"crywolf": "crywolf"} | {
    name: f"crywolf.{name}" for name in ("games", "solvers", "analysis", "llm_bridge")
}
PROTOCOL = {NotImplementedError, AttributeError}
"""What Python's own protocols ask for: an abstract method, a module's ``__getattr__``."""

FILES = [path for folder in PACKAGES for path in sorted((ROOT / folder).rglob("*.py"))]


def raised(path: Path) -> list[tuple[int, str]]:
    """(line, name) of what a file raises by name: ``raise Name`` or ``raise Name(...)``."""
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Raise):
            thing = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(thing, ast.Name):
                found.append((node.lineno, thing.id))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_raised_is_a_crywolf_error(path: Path):
    names = raised(path)
    if not names:
        return
    folder, *rest = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join([PACKAGES[folder], *rest]).removesuffix(".__init__"))
    for line, name in names:
        thing = getattr(module, name, getattr(builtins, name, None))
        if inspect.isfunction(thing):  # it makes the exception
            thing = inspect.get_annotations(thing, eval_str=True)["return"]
        if thing is not None:  # None: a local variable
            where = f"{path.name}:{line} raises {name}"
            assert issubclass(thing, CrywolfError) or thing in PROTOCOL, where
