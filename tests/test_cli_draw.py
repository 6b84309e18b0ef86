"""``crywolf draw`` as it is typed."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crywolf.cli import app
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

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


def test_a_compiled_tree_is_enough(tmp_path: Path):
    """A tree whose file knows no rules, with every policy that is a table."""
    second = decision(1, "2", {"a": leaf(1, -1), "b": leaf(0, 0)})
    game = ExtensiveGame("unregistered", decision(0, "1", {"a": second, "b": leaf(0, 0)}))
    tree, out = compile_tree(game), tmp_path / "picture.svg"
    tree.save(tmp_path / "game.tree")
    Profile.uniform(tree).save(tmp_path / "policy.npz")
    for policy in ("uniform", tmp_path / "policy.npz"):
        draw(tmp_path / "game.tree", "-o", out, "--policy", policy)
        assert texts(out).count("0.5") == 4
        assert "Expected payoffs: P1 0.25, P2 −0.25." in texts(out)
    draw(tmp_path / "game.tree", "-o", out, "--policy", "random:3")
    assert any(text.startswith("Expected payoffs") for text in texts(out))
    out.unlink()
    said = refused(tmp_path / "game.tree", "-o", out, "--policy", "math:sqrt")
    assert "no game string" in said
    assert not out.exists()


def test_a_tree_of_a_known_game_looks_like_the_game(tmp_path: Path):
    compile_tree("kuhn_poker").save(tmp_path / "kuhn.tree")
    for policy in ("uniform", "random:3"):
        draw(tmp_path / "kuhn.tree", "-o", tmp_path / "one.svg", "--policy", policy)
        draw("kuhn_poker", "-o", tmp_path / "other.svg", "--policy", policy)
        assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "other.svg").read_bytes()


def test_folding(tmp_path: Path):
    out = tmp_path / "tree.svg"
    draw("leduc_poker", "-o", out, "--max-drawn", 60)
    assert {"Fold", "Call", "Raise"} <= set(texts(out))
    assert sum(text.endswith("leaves") for text in texts(out)) > 20
    draw("leduc_poker", "-o", out, "--depth", 1, "--orientation", "down")
    assert sum(text.endswith("leaves") for text in texts(out)) == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("kuhn_pokr", "-o", "tree.svg"), "did you mean kuhn_poker"),
        (("kuhn_poker", "-o", "tree.gif"), "ends in .svg, .pdf or .png"),
        (("kuhn_poker", "-o", "nowhere/tree.svg"), "no directory nowhere"),
        (("kuhn_poker", "-o", "/proc/tree.svg"), "cannot write /proc/tree.svg"),
        (("kuhn_poker", "-o", "x" * 300 + ".svg"), "choose another path"),
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
