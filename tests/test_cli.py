"""The command line as it is typed: output, JSON, exit statuses, and errors for people."""

import ast
import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from crywolf.analysis import theorems
from crywolf.cli import app
from crywolf.cli_errors import IN_OPTIONS, in_options
from crywolf.games import Onuw

ROOT = Path(__file__).resolve().parent.parent
NASHCONV_KEYS = [
    "game", "policy", "kind", "nash_conv", "gains", "values", "best_response_values",
]  # fmt: skip
THEOREM_KEYS = ["name", "source", "statement", "status", "computed", "expected", "exact"]


def crywolf(*arguments: object, status: int = 0) -> str:
    """Runs a command in this process; its standard output."""
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    if status != 2:
        assert result.stderr == ""
    else:
        assert result.stdout == ""
        return result.stderr
    return result.stdout


def refused(*arguments: object) -> str:
    """Runs a command that must fail with one readable error; its text."""
    text = crywolf(*arguments, status=2)
    assert text.startswith("error: ")
    assert "Traceback" not in text
    return text


# ----------------------------------------------------------------------------------- as a process


def process(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "crywolf", *arguments], capture_output=True, text=True, cwd=cwd
    )


def test_help_and_version_load_nothing_heavy():
    code = (
        "import sys\nfrom crywolf.cli import main\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    for option in ("--help", "--version"):
        done = subprocess.run(
            [sys.executable, "-c", code, option], capture_output=True, text=True, check=True
        )
        heavy = {"numpy", "sympy", "numba", "pyspiel", "matplotlib", "z3"}
        assert not heavy & set(done.stderr.split())
        assert done.stdout.startswith(("Usage:", "crywolf 0."))


def test_installed_command_and_python_dash_m_agree():
    script = Path(sys.executable).with_name("crywolf")
    done = subprocess.run([script, "games", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == json.loads(process("games", "--json").stdout)


def test_policy_code_in_the_current_directory(tmp_path: Path):
    (tmp_path / "mine.py").write_text(
        "from open_spiel.python.policy import UniformRandomPolicy as policy\n"
        "def fails(game):\n    raise RuntimeError('[bold]my[/bold] bug :bug:')\n"
    )
    script = Path(sys.executable).with_name("crywolf")
    arguments = [script, "nashconv", "kuhn_poker", "--json", "--policy"]
    done = subprocess.run([*arguments, "mine:policy"], capture_output=True, text=True, cwd=tmp_path)
    assert json.loads(done.stdout)["nash_conv"] == pytest.approx(11 / 12)
    done = subprocess.run([*arguments, "mine:fails"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("error: policy 'mine:fails': RuntimeError: [bold]my[/bold] bug :bug:\n")


def test_a_reader_that_leaves_early_is_no_error():
    command = f"{sys.executable} -m crywolf theorems | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stdout.startswith("Jin et al.")
    assert done.stderr == ""


def test_an_interrupted_process_says_so():
    code = """
import sys
import crywolf.solvers.solve
def interrupted(profile):
    raise KeyboardInterrupt
sys.modules["crywolf.solvers.solve"].nash_conv = interrupted
from crywolf.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "solve", "kuhn_poker", "--json"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_an_interrupt_tells_what_is_kept(monkeypatch: pytest.MonkeyPatch):
    def interrupted(name: str):
        error = KeyboardInterrupt()
        error.add_note("9 of 24 calls are kept in a.sqlite: start the same run again")
        error.add_note("give the client a store=CallStore(path)")
        raise error

    monkeypatch.setattr(theorems, "find", interrupted)
    result = CliRunner().invoke(app, ["theorems", "any", "--json"])
    assert (result.exit_code, result.stdout) == (130, "")
    assert result.stderr == (
        "interrupted: 9 of 24 calls are kept in a.sqlite: start the same run again\nadd --store FILE\n"
    )


def library_texts() -> list[str]:
    """Every text in the library, with ``x`` for what is filled in."""
    found = []
    for folder in ("games", "solvers", "analysis", "llm_bridge"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.JoinedStr):
                    parts = [p.value if isinstance(p, ast.Constant) else "x" for p in node.values]
                    found.append("".join(map(str, parts)))
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.append(node.value)
    return found


@pytest.mark.parametrize("pattern", [pattern for pattern, _ in IN_OPTIONS])
def test_what_is_put_in_options_is_said_by_the_library(pattern: str):
    """A text that was changed there has to be changed here, too."""
    if not pattern.startswith("^"):  # what begins with an argument's name, given as a variable
        assert any(re.search(pattern, text) for text in TEXTS)


TEXTS = library_texts()


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("per_minute=nan: give a number", "--per-minute nan: give a number"),
        ("raise max_calls to go on", "raise --max-calls to go on"),
        ("use on_failure='uniform'; it", "use --on-failure uniform; it"),
        ("it was asked with elicitation samples:4.", "it was asked with --elicitation samples:4."),
        ("elicitation 'x' is unknown; write labels", "elicitation 'x' is unknown; write labels"),
        ("the server says: 'max_tokens' is wrong", "the server says: 'max_tokens' is wrong"),
    ],
)
def test_errors_name_options(said: str, shown: str):
    assert in_options(said) == shown


# --------------------------------------------------------------------------------------- commands


def test_games():
    listed = json.loads(crywolf("games", "--json"))
    assert [game["name"] for game in listed][:2] == ["onuw", "onuw_robber3"]
    assert listed[1]["parameters"]["roles"] == "2werewolf+robber"
    assert listed[0]["parameters"]["lone_wolf_looks"] is False
    text = crywolf("games")
    for word in ("onuw_robber3_talk", "resolution=paper", "leduc_poker"):
        assert word in text


def test_check():
    document = json.loads(crywolf("check", "onuw_robber3", "--json"))
    assert document["ok"] is True
    assert {"perfect-recall", "no-leak"} <= {check["name"] for check in document["checks"]}
    assert "onuw_robber3 conforms" in crywolf("check", "onuw_robber3")


def test_check_fails_with_status_1(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Onuw, "payoffs", lambda self, position: (5, 0, 0))
    assert "FAIL" in crywolf("check", "onuw_robber3", status=1)
    document = json.loads(crywolf("check", "onuw_robber3", "--json", status=1))
    assert document["ok"] is False


def test_theorems():
    listed = json.loads(crywolf("theorems", "--json"))
    assert [list(finding) for finding in listed] == [THEOREM_KEYS] * len(listed)
    assert {finding["status"] for finding in listed} == {"verified"}
    inexact = {finding["name"] for finding in listed if not finding["exact"]}
    assert inexact == {name for name in theorems.THEOREMS if name.startswith("kuhn_poker")}
    assert {finding["name"] for finding in listed} == set(theorems.THEOREMS)


def test_one_theorem_is_shown_unmangled():
    claim = theorems.THEOREMS["onuw_theorem_4_1"]
    (finding,) = json.loads(crywolf("theorems", claim.name, "--json"))
    assert finding["statement"] == claim.statement
    shown = " ".join(crywolf("theorems", claim.name).split())
    assert "[0, 1]" in shown
    assert "verified" in shown


def test_a_refuted_theorem_is_status_1(monkeypatch: pytest.MonkeyPatch):
    name = "onuw_nash_conv_uniform"
    wrong = dataclasses.replace(theorems.THEOREMS[name], nash_conv=2, statement="[red]:bug:[/x]")
    few = {name: wrong, **{k: c for k, c in theorems.THEOREMS.items() if k.startswith("kuhn")}}
    monkeypatch.setattr(theorems, "THEOREMS", few)
    (finding,) = json.loads(crywolf("theorems", name, "--json", status=1))
    assert finding["status"] == "refuted"
    shown = crywolf("theorems", name, status=1)
    assert "[red]:bug:[/x]" in shown
    assert "refuted" in shown
    table = crywolf("theorems", status=1)
    assert "1 refuted" in table
    assert "[red]:bug:[/x]" in table
    assert "4 verified" in table
    headings = [line for line in table.splitlines() if line.endswith("─")]  # paper by paper
    assert [heading.rstrip(" ─") for heading in headings] == [wrong.source, "Kuhn (1950)"]


def test_solve_then_score(tmp_path: Path):
    path = tmp_path / "policy.npz"
    arguments = ("solve", "leduc_poker", "--algorithm", "cfr+", "--iterations", 100, "--out", path)
    solved = json.loads(crywolf(*arguments, "--json"))
    assert solved["algorithm"] == "cfr+"
    assert solved["out"] == str(path)
    document = json.loads(crywolf("nashconv", "leduc_poker", "--policy", path, "--json"))
    assert list(document) == NASHCONV_KEYS
    assert document["kind"] == "exact"
    assert document["policy"] == str(path)
    assert document["nash_conv"] == pytest.approx(solved["nash_conv"], abs=1e-12)
    assert document["values"] == pytest.approx(solved["values"], abs=1e-12)
    text = crywolf(*arguments)
    assert "".join(f"policy written to {path}".split()) in "".join(text.split())


def test_solve_to_a_target(tmp_path: Path):
    target = ("solve", "kuhn_poker", "--algorithm", "pcfr+", "--target")
    document = json.loads(crywolf(*target, 1e-6, "--json"))
    assert document["reached"]
    assert document["nash_conv"] <= 1e-6 < document["history"][-2][1]
    assert document["iterations"] == document["history"][-1][0]
    text = crywolf(*target, 1e-30, "--iterations", 5, status=1)
    assert "NashConv is not down to 1e-30" in text
    document = json.loads(crywolf(*target, 1e-30, "--iterations", 5, "--json", status=1))
    assert not document["reached"]


def test_solve_goes_on_from_a_checkpoint(tmp_path: Path):
    path = tmp_path / "run.npz"
    solve = ("solve", "leduc_poker", "--algorithm", "dcfr", "--json", "--iterations")
    crywolf(*solve, 70, "--checkpoint", path)
    parts = json.loads(crywolf(*solve, 200, "--checkpoint", path))
    whole = json.loads(crywolf(*solve, 200))
    assert parts["nash_conv"] == whole["nash_conv"]
    assert parts["values"] == whole["values"]
    other = ("solve", "kuhn_poker", "--checkpoint", path)
    assert "is a checkpoint of leduc_poker" in refused(*other)


def test_solve_with_other_iterates():
    solve = ("solve", "kuhn_poker", "--algorithm", "pcfr+", "--iterations", 500, "--json")
    average, last = json.loads(crywolf(*solve)), json.loads(crywolf(*solve, "--iterate", "last"))
    assert last["nash_conv"] < average["nash_conv"]
    together = json.loads(crywolf(*solve, "--simultaneous"))
    assert together["nash_conv"] != average["nash_conv"]


def test_solve_directly(tmp_path: Path):
    solve = ("solve", "kuhn_poker", "--algorithm")
    for name in ("lp-exact", "lemke"):
        document = json.loads(crywolf(*solve, name, "--json"))
        assert document["exact_values"] == ["-1/18", "1/18"]
        assert document["values"] == pytest.approx([-1 / 18, 1 / 18], abs=1e-15)
    assert "P1 -1/18 (exact)" in crywolf(*solve, "lp-exact")
    path = tmp_path / "policy.npz"
    document = json.loads(crywolf(*solve, "lp", "--json", "--out", path))
    assert document["exact_values"] is None
    scored = json.loads(crywolf("nashconv", "kuhn_poker", "--policy", path, "--json"))
    assert scored["nash_conv"] == pytest.approx(0.0, abs=1e-12)
    text = " ".join(crywolf("solve", "onuw_robber3", "--algorithm", "qre").split())
    assert "close to a sequential equilibrium" in text
    assert "--iterations does not go with 'lp'" in refused(*solve, "lp", "--iterations", 3)
    assert "has no --simultaneous" in refused(*solve, "xfp", "--simultaneous")
    assert "is for two" in refused("solve", "onuw_robber3", "--algorithm", "lp")


def test_solve_from_samples():
    solve = ("solve", "kuhn_poker", "--algorithm", "external-mccfr", "--iterations", 500, "--json")
    first, again = json.loads(crywolf(*solve)), json.loads(crywolf(*solve, "--seed", 0))
    assert first["nash_conv"] == again["nash_conv"] < 0.5
    assert json.loads(crywolf(*solve, "--seed", 1))["nash_conv"] != first["nash_conv"]
    assert "draws nothing; leave out --seed" in refused("solve", "kuhn_poker", "--seed", 1)


def test_solve_from_many_starts(tmp_path: Path):
    path = tmp_path / "policy.npz"
    solve = ("solve", "onuw_robber3", "--starts", 20, "--iterations", 100, "--out", path)
    document = json.loads(crywolf(*solve, "--json"))
    assert len(document["nash_convs"]) == len(document["values"]) == 20
    scored = json.loads(crywolf("nashconv", "onuw_robber3", "--policy", path, "--json"))
    assert scored["nash_conv"] == pytest.approx(min(document["nash_convs"]), abs=1e-12)
    text = " ".join(crywolf(*solve).split())
    assert "iterations from 20 starts" in text
    assert f"NashConv {min(document['nash_convs']):.6g}" in text
    assert "--target is for one run" in refused(*solve, "--target", 0.1)


def test_correlate():
    chicken = "turn_based_simultaneous_game(game=matrix_cd())"  # chicken: (0,0) (4,1) (1,4) (3,3)
    document = json.loads(crywolf("correlate", chicken, "--kind", "efce", "--json"))
    assert document["distances"]["efce"] == pytest.approx(0.0, abs=1e-9)
    assert document["objective"] == pytest.approx(sum(document["values"]), abs=1e-9)
    coarse = json.loads(crywolf("correlate", chicken, "--kind", "nfcce", "--json"))
    assert coarse["objective"] >= document["objective"] - 1e-9
    first = json.loads(crywolf("correlate", chicken, "--maximise", "P1", "--json"))
    assert first["values"][0] >= document["values"][0] - 1e-9
    text = " ".join(crywolf("correlate", "kuhn_poker", "--maximise", "nothing").split())
    assert "payoffs: P1 -0.055556, P2 0.055556" in text
    assert "choose welfare, nothing, or a player" in refused(
        "correlate", "kuhn_poker", "--maximise", "P3"
    )


def test_convert_and_solve(tmp_path: Path):
    path = tmp_path / "kuhn.efg"
    assert "58 nodes written to" in crywolf("convert", "kuhn_poker", path)
    solve = ("--iterations", 64, "--json")
    from_file = json.loads(crywolf("solve", path, *solve))
    original = json.loads(crywolf("solve", "kuhn_poker", *solve))
    assert from_file["nash_conv"] == pytest.approx(original["nash_conv"], abs=1e-12)
    assert "ends in .efg or .tree" in refused("convert", "kuhn_poker", tmp_path / "kuhn.txt")


def test_files_are_games_and_fit_the_policies_of_their_games(tmp_path: Path):
    first, tree, second, policy = (tmp_path / n for n in ("a.efg", "a.tree", "b.efg", "kuhn.npz"))
    crywolf("convert", "kuhn_poker", first)
    crywolf("convert", first, tree)
    crywolf("convert", tree, second)
    assert first.read_bytes() == second.read_bytes()
    solved = json.loads(
        crywolf("solve", "kuhn_poker", "--iterations", 64, "--out", policy, "--json")
    )
    for game in (first, tree, second):
        document = json.loads(crywolf("nashconv", game, "--policy", policy, "--json"))
        assert document["nash_conv"] == pytest.approx(solved["nash_conv"], abs=1e-12)
    assert "You play kuhn_poker with" in crywolf("prompt", first)
    crywolf("convert", "kuhn_poker", tree)
    assert "conforms (all 58 nodes)" in crywolf("check", tree)


def test_compiled_files_are_games(tmp_path: Path):
    path = tmp_path / "leduc.tree"
    assert "9,457 nodes written to" in crywolf("convert", "leduc_poker", path)
    solve = ("--iterations", 64, "--json")
    from_file = json.loads(crywolf("solve", path, *solve))
    original = json.loads(crywolf("solve", "leduc_poker", *solve))
    assert from_file["nash_conv"] == original["nash_conv"]
    assert json.loads(crywolf("nashconv", path, "--policy", "uniform", "--json"))["kind"] == "exact"


def test_solving_a_general_sum_game_says_what_it_means():
    text = " ".join(crywolf("solve", "onuw_robber3", "--iterations", 10).split())
    assert "no guarantee" in text


def test_nashconv():
    text = " ".join(crywolf("nashconv", "onuw_robber3", "--policy", "uniform").split())
    assert "NashConv = 0.333333333 (exact)" in text
    assert "does not single one out" in text
    document = json.loads(crywolf("nashconv", "kuhn_poker", "--policy", "random:3", "--json"))
    assert list(document) == NASHCONV_KEYS
    assert document["game"] == "kuhn_poker"
    assert document["policy"] == "random:3"


def test_nashconv_sampled():
    arguments = ("nashconv", "kuhn_poker", "--policy", "uniform", "--max-nodes", 10)
    sampled = (*arguments, "--samples", 400, "--json", "--seed")
    document = json.loads(crywolf(*sampled, 1))
    assert list(document) == [*NASHCONV_KEYS, "lower_bound", "confidence", "interval"]
    assert document["kind"] == "lower_bound"
    assert document["nash_conv"] is None
    assert document == json.loads(crywolf(*sampled, 1))
    assert document != json.loads(crywolf(*sampled, 2))
    text = " ".join(crywolf(*arguments, "--samples", 400).split())
    assert "a lower bound, not a value" in text


def test_nashconv_with_another_confidence():
    arguments = ("nashconv", "kuhn_poker", "--policy", "uniform", "--method", "sampled", "--json")
    wide, narrow = (
        json.loads(crywolf(*arguments, "--samples", 400, "--confidence", p)) for p in (0.99, 0.5)
    )
    assert (wide["confidence"], narrow["confidence"]) == (0.99, 0.5)
    assert wide["lower_bound"] < narrow["lower_bound"]


@pytest.mark.parametrize("spec", ["uniform", "random:3"])
def test_any_policy_can_be_written(tmp_path: Path, spec: str):
    path = tmp_path / "policy.npz"
    arguments = ("nashconv", "kuhn_poker", "--policy", spec)
    document = json.loads(crywolf(*arguments, "--out", path, "--json"))
    assert list(document) == [*NASHCONV_KEYS, "out"]
    assert document["out"] == str(path)
    again = json.loads(crywolf("nashconv", "kuhn_poker", "--policy", path, "--json"))
    assert again["nash_conv"] == document["nash_conv"]
    path.unlink()
    assert "policy written to" in crywolf(*arguments, "--out", path)
    assert path.exists()


def test_demo(tmp_path: Path):
    text = " ".join(crywolf("demo", "--out", tmp_path / "new" / "folder").split())
    for words in (
        f"{len(theorems.THEOREMS)} verified", "NashConv = 0.333333333 (exact)", "policy cfr+", "every NashConv is 0",
        "no guarantee",
    ):  # fmt: skip
        assert words in text
    png = tmp_path / "new" / "folder" / "robber_payoff.png"
    assert png.read_bytes().startswith(b"\x89PNG")
    first = png.with_suffix(".svg").read_bytes()
    assert b"<svg" in first
    crywolf("demo", "--out", tmp_path / "new" / "folder")
    assert png.with_suffix(".svg").read_bytes() == first


# --------------------------------------------------------------------------------------- nonsense


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("solve",),
        ("nashconv", "--policy", "uniform"),
    ],
)
def test_unknown_games(arguments: tuple[str, ...]):
    command, *options = arguments
    assert "did you mean kuhn_poker" in refused(command, "kuhn_pokr", *options)
    assert "no parameter 'palyers'" in refused(command, "onuw(palyers=3)", *options)
    assert "is not of type int" in refused(command, "onuw(players=many)", *options)


def test_unknown_theorem_and_algorithm():
    assert "did you mean onuw_theorem_4_1" in refused("theorems", "onuw_theorem_4.1")
    assert "choose one of cfr" in refused("solve", "kuhn_poker", "--algorithm", "magic")


@pytest.mark.parametrize("spec", ["", "magic", "random:x", "a b:c", "policy.txt"])
def test_malformed_policies(spec: str):
    text = refused("nashconv", "kuhn_poker", "--policy", spec)
    assert "package.module:function" in text


def test_modules_that_are_none():
    text = refused("nashconv", "kuhn_poker", "--policy", "no_module_xyz:f", "--json")
    assert "no module no_module_xyz" in text
    assert "has no function" in refused("nashconv", "kuhn_poker", "--policy", "json:no_function")
    assert "returned" in refused("nashconv", "kuhn_poker", "--policy", "builtins:str")


def test_bad_policy_files(tmp_path: Path):
    path = tmp_path / "policy.npz"
    assert "no policy file" in refused("nashconv", "kuhn_poker", "--policy", path)
    crywolf("solve", "kuhn_poker", "--iterations", 1, "--out", path)
    assert "not for leduc_poker" in refused("nashconv", "leduc_poker", "--policy", path)
    path.write_bytes(path.read_bytes()[:300])
    assert "truncated" in refused("nashconv", "kuhn_poker", "--policy", path)
    folder = tmp_path / "folder.npz"
    folder.mkdir()
    assert "folder.npz" in refused("nashconv", "kuhn_poker", "--policy", folder)


def test_bad_output_paths(tmp_path: Path):
    folder = tmp_path / "folder.npz"
    folder.mkdir()
    solve = ("solve", "kuhn_poker", "--iterations", 1, "--out")
    assert "is a directory" in refused(*solve, folder)
    assert "must end in .npz" in refused(*solve, tmp_path / "policy")
    assert "no directory" in refused(*solve, tmp_path / "missing" / "policy.npz")
    score = ("nashconv", "kuhn_poker", "--policy", "uniform", "--out")
    assert "must end in .npz" in refused(*score, tmp_path / "policy")
    assert "--method sampled" in refused(*score, tmp_path / "policy.npz", "--method", "sampled")
    assert "--max-nodes" in refused(*score, tmp_path / "policy.npz", "--max-nodes", 10)
    file = tmp_path / "file"
    file.write_text("")
    assert "cannot make the folder" in refused("demo", "--out", file)


def test_trees_too_large():
    text = refused("solve", "leduc_poker", "--max-nodes", 100)
    assert "more than 100 nodes" in text
    nashconv = ("nashconv", "leduc_poker", "--policy", "uniform", "--max-nodes", 100)
    assert "more than 100 nodes" in refused(*nashconv, "--method", "exact")
    assert "simultaneous" in refused("nashconv", "goofspiel", "--policy", "uniform")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--timeout", 3), "--timeout"),
        (("--max-tokens", 3, "--rules", "rules.txt"), "--max-tokens, --rules"),
        (("--max-calls", 0, "--dry-run"), "--max-calls, --dry-run"),
        (("--method", "exact", "--samples", 10), "--samples"),
        (("--method", "exact", "--confidence", 0.9), "--confidence"),
    ],
)
def test_options_that_do_not_concern_the_policy_are_refused_by_name(options: tuple, named: str):
    text = refused("nashconv", "kuhn_poker", "--policy", "uniform", *options)
    assert text.startswith(f"error: {named}: ")
    assert "leave" in text


def test_the_command_line_s_own_errors():
    for arguments in (
        ("nashconv", "kuhn_poker"),
        ("solve", "kuhn_poker", "--iterations", 0),
        ("nashconv", "kuhn_poker", "--policy", "uniform", "--samples", 1),
        ("nashconv", "kuhn_poker", "--policy", "uniform", "--seed", "x"),
        ("nashconv", "kuhn_poker", "--policy", "uniform", "--confidence", 1),
        ("store", "list"),
    ):
        assert "--help" in refused(*arguments)
    for arguments in (("magic",), ("solve", "kuhn_poker", "--magic")):
        assert "Error" in crywolf(*arguments, status=2)
