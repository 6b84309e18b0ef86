"""crywolf pbe and the proofs of crywolf theorems, as they are typed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

from crywolf.solvers.pbe import derive_equilibria
from crywolf.solvers.pbe.equilibria import Equilibria

from .solvers.latex_check import problems
from .test_cli import crywolf, refused

PROOFS = Path(__file__).resolve().parent.parent / "notebooks" / "proofs"


def test_families_for_people():
    text = crywolf("pbe", "beer_quiche", "--concept", "weak-pbe")
    assert text.startswith("beer_quiche: 4 families of weak-pbe equilibria (complete), ")
    assert text.count("pooling on beer; P2: retreat") == 2
    assert "dimension 1, where 1/2 <= p3 <= 1" in text
    assert "payoffs (29/10, 9/10)" in text
    assert re.search(r"P2: beer +fight p3, retreat 1 - p3 +\(weak, beer\) 1/2", text)


def test_mirror_images_are_told_once():
    short = crywolf("pbe", "chicken", "--concept", "nash")
    assert "3. mirror image of 2 (P1 ↔ P2)" in short
    assert short.count("payoffs") == 2
    assert crywolf("pbe", "chicken", "--concept", "nash", "--full").count("payoffs") == 3


def test_json_is_what_the_library_gives():
    data = json.loads(crywolf("pbe", "kuhn_poker", "--concept", "sequential", "--json"))
    found = derive_equilibria("kuhn_poker", "sequential")
    assert data["complete"]
    assert data["families"] == found.to_json()["families"]
    assert all(sympy.sympify(f["payoffs"][0]) == sympy.Rational(-1, 18) for f in data["families"])
    assert Equilibria.from_json(data).families[0].verify().holds


def test_documents(tmp_path: Path):
    latex = crywolf("pbe", "chicken", "--concept", "nash", "--latex")
    assert problems(latex) == []
    assert latex.endswith("\\end{document}\n")
    markdown = crywolf("pbe", "chicken", "--concept", "nash", "--markdown")
    assert markdown.startswith("# Nash equilibria of chicken\n")
    for ending in (".md", ".tex", ".json"):
        crywolf("pbe", "chicken", "--concept", "nash", "--out", tmp_path / f"a{ending}")
    timed = re.compile(r"[\d.]+(?:e-\d+)? s\)")
    assert timed.sub("", (tmp_path / "a.md").read_text()) == timed.sub("", markdown)
    assert timed.sub("", (tmp_path / "a.tex").read_text()) == timed.sub("", latex)
    assert Equilibria.load(tmp_path / "a.json").complete


def test_no_time_is_said():
    text = crywolf("pbe", "kuhn_poker", "--time-limit", "0.000001")
    assert "INCOMPLETE" in text
    assert "The search ended early" in text


def test_bad_requests_of_pbe(tmp_path: Path):
    assert "choose one of" in refused("pbe", "chicken", "--json", "--latex")
    assert ".json, .md or .tex" in refused("pbe", "chicken", "--out", tmp_path / "a.pdf")
    assert "no directory" in refused("pbe", "chicken", "--out", tmp_path / "none" / "a.md")
    assert "--time-limit 0" in refused("pbe", "chicken", "--time-limit", 0)
    assert "at most" in refused("pbe", "leduc_poker")


def test_an_interrupt_is_no_traceback():
    """In the middle of the search, when z3 is at work."""
    code = """
import os, signal, threading
from crywolf.solvers.pbe.search import Search
run = Search.run
def interrupted(self):
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    while True:
        run(self)
Search.run = interrupted
from crywolf.cli import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, "pbe", "kuhn_poker", "--json"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


# ----------------------------------------------------------------------------------------- proofs


@pytest.mark.parametrize("ending", [".md", ".tex"])
def test_the_proof_of_a_theorem(tmp_path: Path, ending: str):
    target = tmp_path / f"proof{ending}"
    text = crywolf("theorems", "onuw_theorem_4_1", "--proof", target)
    assert "verified" in text
    assert target.read_text() == (PROOFS / f"theorem_4_1{ending}").read_text()


def test_the_proof_is_of_the_strongest_concept_that_holds(tmp_path: Path):
    target = tmp_path / "proof.md"
    crywolf("theorems", "gibbons_4_1_3_inconsistent", "--proof", target)
    assert (
        "We show that the assessment below is a perfect Bayesian equilibrium" in target.read_text()
    )


def test_proofs_that_there_are_not(tmp_path: Path):
    target = tmp_path / "proof.md"
    assert "name it" in refused("theorems", "--proof", target)
    assert "did you mean" in refused("theorems", "onuw_theorem_4_3", "--proof", target)
    text = refused("theorems", "onuw_nash_conv_uniform", "--proof", target)
    assert "no proof to write" in text
    assert ".md or .tex" in refused("theorems", "onuw_theorem_4_1", "--proof", tmp_path / "a.pdf")
    assert "directory" in refused(
        "theorems", "onuw_theorem_4_1", "--proof", tmp_path / "b" / "a.md"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_list_is_checked_again():
    told = crywolf("pbe", "selten_horse", "--concept", "sequential", "--recheck")
    assert "Checked again: in no family? unsat" in told
    again = json.loads(crywolf("pbe", "selten_horse", "--recheck", "--json"))["recheck"]
    assert again["answer"] == "unsat"
    assert len(again["digest"]) == 64
