"""The registry verifies, and refutes what is changed."""

import dataclasses
from collections.abc import Mapping
from fractions import Fraction as F

import pytest
import sympy as sp

from crywolf.analysis import onuw_theorems as onuw
from crywolf.analysis.claims import EquilibriumClaim, EquivalenceClaim, NashConvClaim
from crywolf.analysis.theorems import THEOREMS, check_all, check_theorem
from crywolf.games import load_game, rules_of
from crywolf.games.errors import UnknownTheorem
from crywolf.games.onuw import Onuw
from crywolf.games.rules import advance, start
from crywolf.solvers.pbe import verify

EQUILIBRIA = [c for c in onuw.CLAIMS if isinstance(c, EquilibriumClaim)]


class Changed(Onuw):
    """The theory game with other payoffs after one history."""

    def __init__(self, history: tuple[str, ...], payoffs: tuple[int, ...]):
        super().__init__(3, 0, "2werewolf+robber", "fixed", "paper")
        cursor = start(self)
        for name in history:
            mover = self.mover(cursor.position)
            names = {self.action_name(mover, a): a for a in self.actions(cursor.position)}
            cursor = advance(self, cursor, names[name])
        self.changed = {cursor.position: tuple(map(F, payoffs))}

    def payoffs(self, position):
        return self.changed.get(position) or super().payoffs(position)


def test_everything_is_verified_exactly():
    findings = check_all()
    assert [f.name for f in findings if f.status != "verified"] == []
    assert len(findings) >= 70
    for finding in findings:
        assert finding.exact is not finding.name.startswith("kuhn_poker")  # read from floats
        assert "." not in finding.computed.replace("...", "")  # fractions and symbols, no decimals
        assert set(finding.to_json()) == {
            "name", "source", "statement", "status", "computed", "expected", "exact",
        }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "history", "payoffs", "witness"),
    [
        ("onuw_theorem_4_1", ("S1", "vote P1", "vote P3", "vote P1"), (3, -1, -1), "'vote P3' yields"),
        ("onuw_theorem_4_1", ("S1", "vote P2", "vote P2", "vote P1"), (1, -1, 2), "'vote P2' yields"),
        ("onuw_theorem_4_2", ("S2", "vote P2", "vote P2", "vote P1"), (0, 0, 0), "at"),
        ("onuw_theorem_4_2", ("NS", "vote P1", "vote P2", "vote P3"), (0, 0, 1), "at"),
        ("onuw_theorem_4_2_without_discussion", ("S1", "vote P1", "vote P3", "vote P3"), (1, 0, -1), "at"),
        ("onuw_homogeneous_werewolves", ("NS", "vote P1", "vote P3", "vote P1"), (1, 0, -1), "does not imply"),
        ("onuw_symmetric_family", ("NS", "vote P1", "vote P3", "vote P3"), (2, 1, -1), "at"),
        ("onuw_never_rob", ("S1", "vote P1", "vote P3", "vote P3"), (1, -1, 2), "'S1' yields"),
        ("onuw_always_rob_p1", ("S1", "vote P1", "vote P2", "vote P1"), (-1, 1, 0), "payoff of P3 is 0"),
        ("onuw_nash_conv_uniform", ("NS", "vote P1", "vote P2", "vote P1"), (0, 0, 0), "NashConv is"),
        ("onuw_nash_conv_robbed_vote", ("S1", "vote P1", "vote P3", "vote P1"), (2, -1, -1), "P1 gains"),
        ("onuw_largest_nash_conv", ("NS", "vote P1", "vote P2", "vote P1"), (-9, -1, 1), "not 3"),
    ],
)  # fmt: skip
def test_one_changed_payoff_refutes(name, history, payoffs, witness):
    finding = dataclasses.replace(THEOREMS[name], game=Changed(history, payoffs)).check()
    assert finding.status == "refuted"
    assert any(witness in text for text in finding.violations), finding.violations


@pytest.mark.parametrize("claim", EQUILIBRIA, ids=lambda claim: claim.name)
def test_one_changed_probability_refutes(claim):
    """The vote after S1, and a Werewolf's vote; the former is idle where both Werewolves vote P3."""
    changes = [(onuw.P1, {"vote P2": F(2, 5), "vote P3": F(3, 5)}, {"rationality", "bayes"})]
    if claim.name != "onuw_never_rob":
        changes.append((onuw.AFTER_S1, {"vote P1": F(9, 10), "vote P2": F(1, 10)}, {"rationality"}))
    for key, strategy, kinds in changes:
        changed = dataclasses.replace(
            claim, assessment=claim.assessment.replace_strategy(key, strategy)
        )
        finding = changed.check()
        assert finding.status == "refuted", (claim.name, key)
        failing = next(v for v in finding.verdicts if not v.holds)
        assert {v.kind for v in failing.violations} & kinds
        assert all(v.text and v.information_set for v in failing.violations)


def test_a_wrong_belief_breaks_bayes_rule_by_name():
    claim = THEOREMS["onuw_theorem_4_1"]
    assert isinstance(claim, EquilibriumClaim)
    wrong = claim.assessment.replace_belief(onuw.P1, (0, F(2, 5), F(3, 5)))
    finding = dataclasses.replace(claim, assessment=wrong).check()
    assert finding.status == "refuted"
    assert any("breaks Bayes' rule" in text for text in finding.violations)


def test_theorem_4_1_fails_under_no_other_resolution_but_4_2_does():
    """Facts beyond the paper: 4.1 survives the official rule, 4.2 needs the draw at 1-1-1."""
    one, two = THEOREMS["onuw_theorem_4_1"], THEOREMS["onuw_theorem_4_2"]
    assert dataclasses.replace(one, game="onuw_robber3_official").check().status == "verified"
    assert dataclasses.replace(two, game="onuw_robber3_official").check().status == "refuted"


def test_theorem_4_2_needs_the_outside_beliefs_and_its_domain():
    claim = THEOREMS["onuw_theorem_4_2"]
    assert isinstance(claim, EquilibriumClaim)
    own = dataclasses.replace(claim, fixed_beliefs=None).check()
    assert own.status == "refuted"
    a = claim.assessment
    wider = dataclasses.replace(a, assumptions=[*onuw.SIMPLEX, onuw.alpha >= F(1, 5), onuw.alpha <= F(1, 2),
                                                *onuw.DOMAIN_4_2[2:], onuw.x0 >= 0, onuw.x1 >= 0,
                                                onuw.x0 + onuw.x1 <= 1])  # fmt: skip
    finding = dataclasses.replace(claim, assessment=wider).check()
    assert finding.status == "refuted"
    assert any("negative" in text and "alpha" in text for text in finding.violations)


def test_wrong_payoff_formula_is_refuted():
    claim = THEOREMS["onuw_symmetric_family"]
    finding = dataclasses.replace(claim, values=(None, None, 1 - onuw.b)).check()
    assert finding.status == "refuted"
    assert "payoff of P3 is" in finding.violations[-1]
    uniform = THEOREMS["onuw_nash_conv_uniform"]
    assert isinstance(uniform, NashConvClaim)
    assert dataclasses.replace(uniform, nash_conv=F(1, 4)).check().status == "refuted"


def test_equivalence_is_refuted_with_a_point():
    claim = THEOREMS["onuw_theorem_4_2_domain"]
    assert isinstance(claim, EquivalenceClaim)
    finding = dataclasses.replace(claim, right=sp.And(*onuw.DOMAIN_4_2[:2])).check()
    assert finding.status == "refuted"
    assert "alpha = " in finding.violations[0]


def test_three_points_of_theorem_4_2():
    """U3 of Theorem 4.2 at alpha = 1/4, 1/3, 1/2: -1, 1/4, 1."""
    rules = rules_of(load_game(onuw.GAME))
    for a, expected in ((F(1, 4), -1), (F(1, 3), F(1, 4)), (F(1, 2), 1)):
        rest = (1 - a) / 2
        verdict = verify(rules, claim_at(a, rest, rest), "sequential")
        assert verdict.holds
        assert verdict.values[2] == expected


def claim_at(a, b, c):
    from crywolf.solvers.pbe import Assessment

    beliefs: Mapping[str, tuple[F, F, F]] = {onuw.P1: (a, b, c), onuw.P2: (a, b, c)}
    return Assessment(onuw.theorem_4_2_profile(a, b, c), beliefs)


def test_unknown_theorem():
    with pytest.raises(UnknownTheorem, match="onuw_theorem_4_1"):
        check_theorem("theorem_4_1")
