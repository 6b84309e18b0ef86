"""The written proofs of the theorems in notebooks/proofs are what the verification says today."""

from pathlib import Path

import pytest

from crywolf.analysis.theorems import THEOREMS, check_theorem

from ..solvers.latex_check import problems

PROOFS = Path(__file__).parents[2] / "notebooks" / "proofs"
DOCUMENTS = {"theorem_4_1": "onuw_theorem_4_1", "theorem_4_2": "onuw_theorem_4_2"}


@pytest.fixture(scope="module", params=DOCUMENTS)
def proof(request):
    """Name of the file, title and verdict (the strongest concept comes last)."""
    name = DOCUMENTS[request.param]
    verdict = check_theorem(name).verdicts[-1]
    assert verdict.concept == "sequential"
    assert verdict.holds
    return request.param, THEOREMS[name].source, verdict


@pytest.mark.parametrize("ending", [".md", ".tex"])
def test_documents_are_current(proof, ending, tmp_path):
    name, title, verdict = proof
    fresh = tmp_path / f"{name}{ending}"
    verdict.save_document(fresh, title)
    kept = PROOFS / fresh.name
    assert kept.read_text() == fresh.read_text(), (
        f"write it anew: verdict.save_document({str(kept)!r}, claim.source)"
    )


def test_latex_is_sound(proof):
    _, title, verdict = proof
    assert problems(verdict.document("latex", title)) == []


def test_no_step_of_these_proofs_needs_z3(proof):
    _, title, verdict = proof
    assert "z3" not in verdict.document("markdown", title)


@pytest.mark.slow
@pytest.mark.parametrize("name", THEOREMS)
def test_every_claim_can_be_written(name):
    """Whatever holds, fails or is of another kind: sound LaTeX, and the verdict's own answer."""
    for verdict in THEOREMS[name].check().verdicts:
        assert problems(verdict.document("latex")) == []
        text = verdict.document("markdown")
        assert text.count("fails") >= sum(v.kind != "consistency" for v in verdict.violations)
        assert ("We show that" in text) == verdict.holds
        if verdict.holds:
            assert "fails" not in text
            assert "not settled" not in text
            assert "not true" not in text
