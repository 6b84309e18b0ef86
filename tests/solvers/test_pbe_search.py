"""The search for all equilibria: what speeds it up, and what happens when it must end early."""

from typing import Any

import pytest
import sympy

from crywolf.games import textbook
from crywolf.solvers.pbe import asking, derive_equilibria, search, verify
from crywolf.solvers.pbe.asking import PORTFOLIO
from crywolf.solvers.pbe.prover import Prover

sp: Any = sympy
GAMES = ["selten_horse", "beer_quiche", "bos_outside", "chicken", "cheap_talk", "matching_pennies"]


def union(found):
    """The set of all members, as a condition."""
    return sp.Or(*(family.membership for family in found.families))


@pytest.mark.parametrize("order", PORTFOLIO)
@pytest.mark.parametrize("name", ["selten_horse", "bos_outside"])
def test_each_way_to_ask_gives_the_same(name, order, monkeypatch):
    game = getattr(textbook, name)()
    usual = derive_equilibria(game, "sequential")
    monkeypatch.setattr(asking, "PORTFOLIO", (order,))
    found = derive_equilibria(game, "sequential")
    assert found.complete
    assert found.equals(union(usual))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("concept", ["nash", "weak-pbe"])
def test_symmetries_change_nothing_but_speed(name, concept, monkeypatch):
    game = getattr(textbook, name)()
    usual = derive_equilibria(game, concept)
    monkeypatch.setattr(search, "_symmetries", lambda system: [])
    found = derive_equilibria(game, concept)
    assert found.complete
    assert found.equals(union(usual))
    assert usual.certificate.queries <= found.certificate.queries


def test_mirror_images_come_without_questions(monkeypatch):
    usual = derive_equilibria(textbook.chicken(), "nash")
    monkeypatch.setattr(search, "_symmetries", lambda system: [])
    assert (
        usual.certificate.queries
        < derive_equilibria(textbook.chicken(), "nash").certificate.queries
    )


@pytest.mark.parametrize("name", GAMES)
def test_what_is_not_taken_apart_is_the_same_set(name, monkeypatch):
    """When the time is up after the search, families keep conditions that could be shorter."""
    game = getattr(textbook, name)()
    usual = derive_equilibria(game, "sequential")
    monkeypatch.setattr(Prover, "late", True)
    found = derive_equilibria(game, "sequential")
    assert found.complete
    assert found.equals(union(usual))
    for family in found.families:
        assert family.verify().holds


def test_no_answer_is_not_taken_for_a_proof(monkeypatch):
    """z3 knows nothing about the question whether anything is left."""
    usual = derive_equilibria(textbook.chicken(), "nash")
    ask = Prover.solve

    def weak(self, conditions, time_limit=None, rounds=None):
        answer = ask(self, conditions, time_limit, rounds)
        return None if answer is False and time_limit else answer

    monkeypatch.setattr(Prover, "solve", weak)
    found = derive_equilibria(textbook.chicken(), "nash")
    assert not found.complete
    assert found.certificate.answer == "unknown"
    assert "INCOMPLETE" in str(found)
    for family in found.families:
        assert usual.contains(family.sample())


def test_a_verdict_gives_z3s_memory_back():
    (family,) = derive_equilibria(textbook.entry(), "sequential").families
    verdict = verify(textbook.entry(), family.assessment, "sequential")
    assert "context" not in vars(verdict.model.prover)
    assert verdict.equal(verdict.values[0], verdict.values[0])
    assert "expected" in verdict.document("markdown").lower()
