"""Lists of all equilibria, checked by a second formulation; wrong lists are caught."""

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy
import z3

from crywolf.games import textbook
from crywolf.games.errors import MissingExtra, ParameterError
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers.pbe import CONCEPTS, derive_equilibria, smt_solvers, verify
from crywolf.solvers.pbe.case import Case
from crywolf.solvers.pbe.equilibria import Equilibria
from crywolf.solvers.pbe.restated import conditions
from crywolf.solvers.pbe.setting import Setting
from crywolf.solvers.tree import compile_tree

sp: Any = sympy

GAMES = [
    "beer_quiche",
    "bos_outside",
    "cheap_talk",
    "dalek",
    "disagreeing_beliefs",
    "gibbons_4_1_1",
    "gibbons_4_1_3",
    "selten_horse",
    "spence",
    "stripped_poker",
]


def without(found: Equilibria, index: int) -> Equilibria:
    """The list with one family left out."""
    return replace(found, families=found.families[:index] + found.families[index + 1 :])


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("concept", CONCEPTS)
def test_no_equilibrium_is_missing(name, concept):
    found = derive_equilibria(getattr(textbook, name)(), concept)
    again = found.recheck("z3")
    assert again.answer == "unsat"
    assert again.missing is None
    assert found.recheck("z3", "certificate").answer == "unsat"


@pytest.mark.parametrize("name", ["bos_outside", "disagreeing_beliefs", "beer_quiche", "dalek"])
@pytest.mark.parametrize("concept", CONCEPTS)
def test_the_second_formulation_judges_as_verify_does(name, concept):
    """Members of families, and what becomes of them when a number changes, in every case."""
    tree = compile_tree(getattr(textbook, name)())
    found = derive_equilibria(tree, concept)
    setting = Setting.of(tree, concept, found.unknowns, (), {}, ())
    rng = np.random.default_rng(0)
    judged = {True: 0, False: 0}
    for family in found.families:
        for member in family.samples(3, rng):
            for candidate in [member, *changed(member, rng)]:
                holds = verify(tree, candidate, concept).holds
                assert accepted(setting, candidate, {}) == holds
                assert accepted(setting, candidate, played(tree, candidate)) == holds
                judged[holds] += 1
    assert min(judged.values()) >= 2


def played(tree, assessment):
    """The case that an assessment lies in: which actions it plays."""
    return {
        h: frozenset(
            a
            for a, name in enumerate(tree.action_names(h))
            if assessment.strategies[key][name] != 0
        )
        for h, key in enumerate(tree.keys)
        if len(tree.legal[h]) > 1
    }


def accepted(setting, assessment, actions):
    """Whether an assessment satisfies the conditions of a case."""
    case, tree = Case(setting, actions), setting.tree
    told = [
        *zip(setting.strategy, (list(assessment.strategies[key].values()) for key in tree.keys)),
        *zip(setting.belief, (assessment.beliefs.get(key, ()) for key in tree.keys)),
    ]
    equal = [
        setting.atom(case.at(x) - setting.field(value), "==")
        for row, values in told
        for x, value in zip(row, values, strict=False)
    ]
    answer = setting.prover.refutable([*conditions(case), *equal]).answer
    assert answer != "undecided"
    return answer == "refuted"


def changed(assessment, rng):
    """The assessment with other numbers at one information set, in several ways."""
    for key, mix in assessment.strategies.items():
        if len(mix) > 1:
            numbers = rng.integers(0, 3, len(mix)) + np.eye(len(mix), dtype=int)[0]
            other = [F(int(n), int(numbers.sum())) for n in numbers]
            yield assessment.replace_strategy(key, dict(zip(mix, other, strict=True)))
    for key, belief in assessment.beliefs.items():
        numbers = rng.integers(0, 3, len(belief)) + np.eye(len(belief), dtype=int)[0]
        yield assessment.replace_belief(key, [F(int(n), int(numbers.sum())) for n in numbers])


@pytest.mark.parametrize(
    ("name", "concept"),
    [
        ("selten_horse", "nash"),
        ("bos_outside", "subgame-perfect"),
        ("gibbons_4_1_3", "weak-pbe"),
        ("disagreeing_beliefs", "pbe"),
        ("beer_quiche", "sequential"),
        ("kuhn_poker", "weak-pbe"),
        ("kuhn_poker", "sequential"),
    ],
)
def test_a_family_left_out_is_found(name, concept):
    game = getattr(textbook, name)() if hasattr(textbook, name) else name
    found = derive_equilibria(game, concept)
    assert found.recheck("z3").answer == "unsat"
    for index, family in enumerate(found.families):
        wrong = without(found, index).recheck("z3")
        assert wrong.answer == "sat"
        assert wrong.missing is not None
        assert verify(family.tree, wrong.missing, concept).holds
        assert found.contains(wrong.missing)
        assert not without(found, index).contains(wrong.missing)
        assert "MISSING" in str(wrong)


def test_a_condition_too_many_is_found():
    found = derive_equilibria(textbook.selten_horse(), "sequential")
    (index,) = (i for i, f in enumerate(found.families) if f.strategies["P3: 3"]["R"] != 0)
    family = found.families[index]
    r = found.probability("P3: 3", "R")
    mine = sp.sympify(family.strategies["P3: 3"]["R"])
    narrow = replace(family, conditions=(*family.conditions, sp.Le(mine, sp.Rational(1, 8))))
    families = (*found.families[:index], narrow, *found.families[index + 1 :])
    wrong = replace(found, families=families).recheck("z3")
    assert wrong.answer == "sat"
    assert wrong.missing is not None
    assert F(1, 8) < wrong.missing.strategies["P3: 3"]["R"] <= F(1, 4)
    assert r.free_symbols  # a coordinate, whose values the families tell


def test_a_wrong_belief_is_found():
    """The strategies are right, so only the comparison of beliefs can show it."""
    found = derive_equilibria(textbook.gibbons_4_1_1(), "sequential")
    (family,) = found.families
    wrong = replace(family, beliefs={"P2: 2": (F(1, 2), F(1, 2))})
    again = replace(found, families=(wrong,)).recheck("z3")
    assert again.answer == "sat"
    assert again.missing is not None
    assert again.missing.beliefs["P2: 2"] == (1, 0)


def test_symbols_of_the_game():
    p = sp.Symbol("p")
    game = textbook.beer_quiche(p)
    found = derive_equilibria(game, "weak-pbe", assumptions=[p < sp.Rational(1, 2)])
    assert found.recheck("z3").answer == "unsat"
    wrong = without(found, 0).recheck("z3")
    assert wrong.missing is not None
    assert verify(game, wrong.missing, "weak-pbe").holds
    (prior,) = wrong.missing.assumptions
    assert prior.lhs == p
    assert 0 < prior.rhs < sp.Rational(1, 2)


def test_payoffs_that_are_roots():
    root = sp.sqrt(2)
    game = ExtensiveGame(
        "roots",
        decision(
            0,
            "1",
            {
                "a": decision(1, "2", {"c": leaf(root, 0), "d": leaf(0, 1)}),
                "b": decision(1, "2", {"c": leaf(0, 1), "d": leaf(1, 0)}),
            },
        ),
    )
    found = derive_equilibria(game, "nash")
    assert found.complete
    assert found.recheck("z3").answer == "unsat"


@pytest.mark.parametrize("concept", ["weak-pbe", "pbe", "sequential"])
def test_beliefs_from_outside(concept, told_game):
    a = sp.Symbol("a", real=True)
    told = {"P2: first": (a, 1 - a)}
    assumptions = [a > sp.Rational(1, 2), a <= 1]
    found = derive_equilibria(told_game, concept, assumptions=assumptions, fixed_beliefs=told)
    assert found.recheck("z3").answer == "unsat"
    for index in range(len(found.families)):
        if len(found.families) > 1:
            wrong = without(found, index).recheck("z3")
            assert wrong.missing is not None
            assert verify(told_game, wrong.missing, concept, fixed_beliefs=told).holds


@pytest.mark.slow
@pytest.mark.parametrize("name", ["onuw_robber3_official", "onuw_robber3"])
def test_the_robber_and_the_werewolves(name):
    found = derive_equilibria(name, "weak-pbe")
    assert found.complete
    assert found.recheck("z3", time_limit=300).answer == "unsat"
    wrong = without(found, 0).recheck("z3", time_limit=300)
    assert wrong.missing is not None
    assert verify(name, wrong.missing, "weak-pbe").holds


def test_questions_are_kept_in_files(tmp_path):
    found = derive_equilibria(textbook.selten_horse(), "sequential")
    again = found.recheck("z3")
    for question, name in ((found.certificate, "cells.smt2"), (again, "families.smt2")):
        path = tmp_path / name
        question.save(path)
        assert path.read_text() == question.query
        solver = z3.SolverFor("QF_NRA")
        solver.from_file(str(path))
        assert solver.check() == z3.unsat
        assert question.query.count("(set-logic QF_NRA)") == 1
        assert question.query.count("(check-sat)") == 1
        assert "the probability of 'L' at 'P3: 3'" in question.query
    assert again.digest == found.recheck("z3").digest != found.certificate.digest
    assert again.digest[:12] in str(again)
    assert "z3" in str(again)


@pytest.mark.parametrize(("fact", "expected"), [("true", "sat"), ("false", "unsat")])
def test_a_question_without_variables(fact, expected):
    question = f"(set-logic QF_NRA)\n(assert {fact})\n(check-sat)\n"
    assert smt_solvers.answer(question, "z3", 5.0) == expected


def test_no_time_is_unknown():
    found = derive_equilibria("kuhn_poker", "sequential")
    again = found.recheck("z3", time_limit=1e-6)
    assert again.answer == "unknown"
    assert "not settled" in str(again)


def test_bad_questions_are_refused(monkeypatch):
    found = derive_equilibria(textbook.entry(), "sequential")
    with pytest.raises(ParameterError, match="choose 'z3' or 'cvc5'"):
        found.recheck("yices")
    with pytest.raises(ParameterError, match="choose 'families' or 'certificate'"):
        found.recheck("z3", "cells")
    with pytest.raises(ParameterError, match="time_limit"):
        found.recheck("z3", time_limit=0)
    with pytest.raises(ParameterError, match="no families"):
        replace(found, families=()).recheck("z3")
    monkeypatch.setattr(smt_solvers, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'crywolf\[cvc5\]'"):
        found.recheck("cvc5")
    assert found.recheck().solver.startswith("z3 ")
