"""``crywolf draw`` as it is typed."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crywolf.cli import app

EFG = Path(__file__).parent / "games" / "efg" / "numbers.efg"


def draw(*arguments: object, status: int = 0) -> str:
    """Runs the command; its output, or its one readable error."""
    result = CliRunner().invoke(app, ["draw", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.stdout if status == 0 else result.stderr


def refused(*arguments: object) -> str:
    text = draw(*arguments, status=2)
    assert text.startswith("error: ")
    assert "Traceback" not in text
    return " ".join(text.split())


def texts(path: Path) -> list[str]:
    root = ET.fromstring(path.read_bytes())
    return ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize(
    ("ending", "magic"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("SVG", b"<?")]
)
def test_formats(ending: str, magic: bytes, tmp_path: Path):
    out = tmp_path / f"tree.{ending}"
    said = draw("kuhn_poker", "-o", out)
    assert out.read_bytes().startswith(magic)
    assert "58 nodes" in said
    assert "inches written to" in said


def test_a_gambit_file(tmp_path: Path):
    draw(EFG, "--out", tmp_path / "tree.svg", "--title", "From a file")
    assert "From a file" in texts(tmp_path / "tree.svg")


def test_a_policy_from_a_file_and_by_name(tmp_path: Path):
    policy, out = tmp_path / "policy.npz", tmp_path / "tree.svg"
    solved = CliRunner().invoke(
        app, ["solve", "kuhn_poker", "--iterations", "50", "--out", str(policy)]
    )
    assert solved.exit_code == 0
    draw("kuhn_poker", "-o", out, "--policy", policy)
    assert any(text.startswith("[") for text in texts(out))
    draw("kuhn_poker", "-o", out, "--policy", "uniform")
    assert texts(out).count("0.5") == 48  # two moves at each of 24 nodes


def test_folding(tmp_path: Path):
    out = tmp_path / "tree.svg"
    draw("leduc_poker", "-o", out, "--max-drawn", 50)
    assert sum(text.endswith("leaves") for text in texts(out)) == 30
    draw("leduc_poker", "-o", out, "--depth", 1, "--orientation", "down")
    assert sum(text.endswith("leaves") for text in texts(out)) == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("kuhn_pokr", "-o", "tree.svg"), "did you mean kuhn_poker"),
        (("kuhn_poker", "-o", "tree.gif"), "ends in .svg, .pdf or .png"),
        (("kuhn_poker", "-o", "nowhere/tree.svg"), "no directory nowhere"),
        (("leduc_poker", "-o", "tree.svg", "--max-nodes", 99), "a larger --max-nodes"),
        (("kuhn_poker", "-o", "tree.svg", "--policy", "best"), "of no known form"),
        (("kuhn_poker", "-o", "tree.svg", "--policy", "llm:local"), "crywolf nashconv GAME"),
        (("kuhn_poker", "-o", "tree.svg", "--policy", "no.npz"), "no.npz"),
    ],
)
def test_refusals_write_nothing(arguments: tuple, said: str, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert said in refused(*arguments)
    assert not list(tmp_path.iterdir())
