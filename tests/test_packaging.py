"""The wheel holds every module, nothing else, and works without the sources."""

import json
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SETUPTOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
FOLDERS = {folder: package for package, folder in SETUPTOOLS["package-dir"].items()}

IMPORT_ALL = """
import importlib, json, sys
print(json.dumps({name: importlib.import_module(name).__file__ for name in sys.argv[1:]}))
"""


def source_files() -> dict[str, Path]:
    """The files of all package folders, by their path inside the wheel."""
    return {
        "/".join([*package.split("."), *path.relative_to(ROOT / folder).parts]): path
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }


def module_name(path: str) -> str:
    """``crywolf/games/__init__.py`` -> ``crywolf.games``."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.args}\n{done.stdout}\n{done.stderr}"
    return done.stdout


BUILD_SDIST = """
import sys
from setuptools import build_meta
build_meta.build_sdist(sys.argv[1])
"""

NOT_SOURCE = ("__pycache__", ".*", "*.egg-info", "build", "dist", "demo")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The paths inside a source distribution that was built from a copy of the sources."""
    copy = tmp_path_factory.mktemp("repository")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_SOURCE), dirs_exist_ok=True)
    shutil.copytree(ROOT / ".ci", copy / ".ci")
    (copy / "tests" / "__pycache__").mkdir()
    (copy / "tests" / "__pycache__" / "stray.pyc").write_text("")
    out = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-c", BUILD_SDIST, out, cwd=copy)
    (built,) = out.glob("crywolf-*.tar.gz")
    with tarfile.open(built) as archive:
        members = [member.name for member in archive.getmembers() if member.isfile()]
    return {member.partition("/")[2] for member in members}


def repository_files(folder: str) -> set[str]:
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & {*path.parts}
    }


def test_source_distribution_can_be_tested_and_built(sdist: set[str]):
    for folder in (*FOLDERS, "tests", "benchmarks", "notebooks", "docs", "requirements", ".ci"):
        files = repository_files(folder)
        assert files
        assert not files - sdist
    for name in ("Makefile", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md"):
        assert name in sdist
    assert not [name for name in sdist if "__pycache__" in name or name.endswith(".pyc")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the sources (a build leaves files behind where it runs)."""
    copy = tmp_path_factory.mktemp("sources")
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignore)
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, copy)
    # Found at the top, these must still stay out of the wheel.
    (copy / "stray.py").write_text("")
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=ignore)
    out = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    run(
        *(*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index"),
        *("--wheel-dir", out, copy),
        cwd=copy,
    )
    (built,) = out.glob("crywolf-*.whl")
    return built


def test_every_folder_with_python_files_is_declared():
    found = {
        path.rpartition("/")[0].replace("/", ".") for path in source_files() if path.endswith(".py")
    }
    assert found == set(SETUPTOOLS["packages"])


def test_every_package_folder_is_mapped():
    at_top = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert at_top - {"tests", "benchmarks"} == set(FOLDERS)


def test_wheel_holds_the_source_files_and_nothing_else(wheel: Path):
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert "crywolf/py.typed" in names
    assert sorted(names) == sorted(source_files())


def test_every_module_of_the_wheel_imports_without_the_sources(wheel: Path, tmp_path: Path):
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    run(
        *(sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python),
        *("install", "--no-deps", "--no-index", wheel),
        cwd=tmp_path,
    )
    # The dependencies come from this environment. Its own .pth files, and so an editable crywolf,
    # are not obeyed there: only those in a site directory are.
    paths = sysconfig.get_paths()
    site = run(
        *(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"), cwd=tmp_path
    )
    link = Path(site.strip()) / "dependencies.pth"
    link.write_text("\n".join(dict.fromkeys([paths["purelib"], paths["platlib"]])) + "\n")

    with zipfile.ZipFile(wheel) as archive:
        modules = sorted(module_name(n) for n in archive.namelist() if n.endswith(".py"))
    places = json.loads(run(python, "-I", "-c", IMPORT_ALL, *modules, cwd=tmp_path))
    assert sorted(places) == modules
    assert all(Path(place).is_relative_to(environment) for place in places.values()), places
    assert "usage" in run(environment / "bin" / "crywolf", "--help", cwd=tmp_path).lower()
