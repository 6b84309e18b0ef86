"""What has to be known of a policy stays with it: in its file, and in the reports on it."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import crywolf
from crywolf.analysis.draws import Draws
from crywolf.cli import app
from crywolf.games.errors import PolicyFileError
from crywolf.llm_bridge import FailurePolicy, LLMPolicy, ScriptedBackend
from crywolf.solvers.policy_file import read_policy_file
from crywolf.solvers.profile import Profile
from crywolf.solvers.tree import compile_tree

KUHN = compile_tree("kuhn_poker")
DRAWN = "frequencies of draws (at least 20 at each information set)"


def scored(policy: Path, *options: str) -> str:
    arguments = ["nashconv", "kuhn_poker", "--policy", str(policy), *options]
    result = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.split())


def kept(policy: LLMPolicy, path: Path) -> crywolf.Report:
    """The report on a policy that is also written to a file."""
    return crywolf.nash_conv("kuhn_poker", policy, tabulated=lambda profile: profile.save(path))


def test_an_estimate_is_not_scored_as_if_it_were_known(tmp_path: Path):
    path = tmp_path / "policy.npz"
    model = LLMPolicy("kuhn_poker", ScriptedBackend(lambda question: "A"), "samples:20")
    report = kept(model, path)
    assert report.kind == "estimate"
    assert report.remarks == ()  # the report itself says how it was made
    document = json.loads(scored(path, "--json"))
    assert document["kind"] == "exact"
    assert document["nash_conv"] == report.nash_conv
    origin, drawn = document["remarks"]
    assert origin == "The policy of scripted, asked for samples:20."
    assert DRAWN in drawn
    text = scored(path)
    assert "(of frequencies of draws). But the policy was estimated from draws: " in text
    assert "(exact)" not in text
    assert f"Note: The policy comes with the remark: {origin}" in text
    assert DRAWN in text
    assert DRAWN in crywolf.nash_conv("kuhn_poker", str(path))._repr_html_()


def test_remarks_go_from_file_to_file(tmp_path: Path):
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    Draws.from_profile(Profile.uniform(KUHN), 20, np.random.default_rng(0)).frequencies.save(first)
    scored(first, "--out", str(second))
    remarks = read_policy_file(second).remarks
    assert remarks == read_policy_file(first).remarks
    assert DRAWN in remarks[0]
    sampled = json.loads(scored(second, "--json", "--method", "sampled", "--samples", "100"))
    assert sampled["remarks"] == list(remarks)
    text = scored(second, "--method", "sampled", "--samples", "100")
    assert "a lower bound, not a value. But the policy was estimated from draws" in text


def test_substituted_answers_are_remarked(tmp_path: Path):
    path = tmp_path / "policy.npz"
    model = LLMPolicy(
        "kuhn_poker",
        ScriptedBackend(lambda question: "no move at all"),
        "samples:20",
        on_failure=FailurePolicy(retries=0, then="uniform"),
    )
    report = kept(model, path)
    assert report.elicitation is not None
    assert report.elicitation.substituted == 240
    remarks = crywolf.nash_conv("kuhn_poker", str(path)).remarks
    assert any("240 answers named no move" in remark for remark in remarks)


def test_a_policy_of_a_solver_has_no_remarks(tmp_path: Path):
    path = tmp_path / "policy.npz"
    crywolf.solve(KUHN, iterations=1).profile.save(path)
    assert "remarks" not in json.loads(scored(path, "--json"))
    assert "remark" not in (text := scored(path))
    assert "(exact)" in text
    assert "draws" not in text


@pytest.mark.parametrize("facts", [None, {"remarks": ["another"]}, {}])
def test_remarks_are_part_of_what_is_checked(tmp_path: Path, facts: object):
    path, changed = tmp_path / "policy.npz", tmp_path / "changed.npz"
    Profile(KUHN, Profile.uniform(KUHN).probabilities, ("a remark",)).save(path)
    assert Profile.load(path, KUHN).remarks == ("a remark",)
    with np.load(path) as archive:
        parts = {name: archive[name] for name in archive.files if name != "facts"}
    if facts is not None:
        parts["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
    np.savez(changed, **parts)  # type: ignore[arg-type]
    with pytest.raises(PolicyFileError, match="checksum"):
        read_policy_file(changed)


def test_files_without_facts_are_read(tmp_path: Path):
    """As they were written before there were remarks."""
    path, older = tmp_path / "policy.npz", tmp_path / "older.npz"
    profile = Profile.random(KUHN, np.random.default_rng(1))
    profile.save(path)
    with np.load(path) as archive:
        parts = {name: archive[name] for name in archive.files if name != "facts"}
    np.savez(older, **parts)  # type: ignore[arg-type]
    assert Profile.load(older, KUHN) == profile
    assert Profile.load(older, KUHN).remarks == ()


def test_a_missing_file_names_both_commands_that_write_one(tmp_path: Path):
    missing = tmp_path / "missing.npz"
    result = CliRunner().invoke(app, ["nashconv", "kuhn_poker", "--policy", str(missing)])
    assert result.exit_code == 2
    assert "crywolf solve --out" in (text := " ".join(result.stderr.split()))
    assert "crywolf nashconv --out" in text
