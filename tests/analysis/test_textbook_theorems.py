"""The known equilibria verify; what is changed, or claimed of the wrong concept, is refuted."""

import dataclasses
from fractions import Fraction as F

import pytest
import sympy as sp

from crywolf.analysis import onuw_families, onuw_theorems, refinement_theorems, textbook_theorems
from crywolf.analysis.claims import EquilibriumClaim
from crywolf.analysis.theorems import THEOREMS
from crywolf.games import registrations, textbook
from crywolf.solvers import compile_tree
from crywolf.solvers.pbe import Assessment, verify

CLAIMS = {c.name: c for c in textbook_theorems.CLAIMS if isinstance(c, EquilibriumClaim)}


def equilibrium(name):
    claim = THEOREMS[name]
    assert isinstance(claim, EquilibriumClaim)
    return claim


def kinds(finding):
    """The kinds of violations of the verdicts that were expected to hold."""
    return {v.kind for verdict in finding.verdicts if not verdict.holds for v in verdict.violations}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_every_claim_verifies(claim):
    finding = claim.check()
    assert finding.status == "verified", finding.violations
    # OpenSpiel's games have floats, which are read as fractions
    assert finding.exact is (claim.game != "kuhn_poker")


def test_every_textbook_game_has_a_claim():
    assert len(CLAIMS) == len(textbook_theorems.CLAIMS)
    trees = {compile_tree(claim.game).name for claim in CLAIMS.values()}
    games = {name for name in textbook.__all__ if name in registrations()}
    assert len(games) == len(textbook.__all__) - 1  # all but TextbookGame
    assert games <= trees


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_wrong_payoff_is_refuted(claim):
    wrong = dataclasses.replace(claim, values=tuple(v + F(1, 100) for v in claim.values))
    finding = wrong.check()
    assert finding.status == "refuted"
    assert "payoff of P1 is" in " ".join(finding.violations)


@pytest.mark.parametrize(
    ("name", "key", "strategy", "kind"),
    [
        ("selten_horse_mixed", "P3: 3", {"R": F(1, 3), "L": F(2, 3)}, "rationality"),
        ("selten_horse_pure", "P2: 2", {"R": F(1, 2), "L": F(1, 2)}, "bayes"),
        ("gibbons_4_1_1_equilibrium", "P2: 2", {"R'": 1}, "rationality"),
        ("gibbons_4_1_3_equilibrium", "P3: 3", {"L'": 1}, "rationality"),
        ("gibbons_4_1_3_inconsistent_mixed", "P3: 3", {"L'": F(2, 5), "R'": F(3, 5)}, "rationality"),
        ("beer_quiche_beer_mixed_threat", "P2: quiche", {"fight": F(2, 5), "retreat": F(3, 5)}, "rationality"),
        ("beer_quiche_quiche_pure_threat", "P1: weak", {"beer": F(1, 10), "quiche": F(9, 10)}, "bayes"),
        ("beer_quiche_semi_separating", "P2: beer", {"fight": F(3, 5), "retreat": F(2, 5)}, "rationality"),
        ("entry_accommodate", "P2: incumbent", {"Fight": F(1, 10), "Accommodate": F(9, 10)}, "plan"),
        ("bos_outside_out_mixed", "P2: 2", {"T": F(1, 3), "W": F(2, 3)}, "rationality"),
        ("bos_outside_out_plan_t", "P2: 2", {"T": F(3, 4), "W": F(1, 4)}, "rationality"),
        ("bos_outside_out_plan_w_pure", "P1: 1", {"In": F(1, 2), "Out": F(1, 2)}, "rationality"),
        ("cheap_talk_separating_12", "P2: m1", {"a3": 1}, "rationality"),
        ("cheap_talk_babbling", "P1: t1", {"m1": 1}, "rationality"),
        ("cheap_talk_pooling_m1", "P2: m1", {"a1": 1}, "rationality"),
        ("kuhn_poker_family", "1b", {"Bet": F(2, 5), "Pass": F(3, 5)}, "rationality"),
        ("kuhn_poker_never_bet", "1pb", {"Bet": F(2, 5), "Pass": F(3, 5)}, "rationality"),
        ("stripped_poker_bluff", "P1: black", {"raise": F(1, 2), "fold": F(1, 2)}, "bayes"),
    ],
)  # fmt: skip
def test_one_changed_probability_refutes_for_the_right_reason(name, key, strategy, kind):
    claim = equilibrium(name)
    changed = dataclasses.replace(
        claim, assessment=claim.assessment.replace_strategy(key, strategy), values=()
    )
    finding = changed.check()
    assert finding.status == "refuted"
    assert kind in kinds(finding)


@pytest.mark.parametrize(
    ("name", "key", "belief", "kind"),
    [
        ("selten_horse_mixed", "P3: 3", (F(1, 4), F(3, 4)), "rationality"),
        ("selten_horse_pure", "P3: 3", (F(2, 5), F(3, 5)), "rationality"),
        ("gibbons_4_1_1_equilibrium", "P2: 2", (F(9, 10), F(1, 10)), "bayes"),
        ("beer_quiche_beer_pure_threat", "P2: quiche", (F(2, 5), F(3, 5)), "rationality"),
        ("bos_outside_out_mixed", "P2: 2", (F(1, 2), F(1, 2)), "rationality"),
        ("bos_outside_out_pure", "P2: 2", (F(1, 2), F(1, 2)), "consistency"),
        ("cheap_talk_pooling_m1", "P2: m2", (F(1, 4), F(3, 4)), "rationality"),
        ("kuhn_poker_family", "2pb", (F(1, 2), F(1, 2)), "bayes"),
        ("kuhn_poker_never_bet", "1b", (F(1, 2), F(1, 2)), "rationality"),
        ("dalek_out", "P2: 2", (F(1, 2), F(1, 2)), "rationality"),
        ("stripped_poker_bluff", "P2: raised", (F(2, 3), F(1, 3)), "bayes"),
    ],
)
def test_one_changed_belief_refutes_for_the_right_reason(name, key, belief, kind):
    claim = equilibrium(name)
    changed = dataclasses.replace(claim, assessment=claim.assessment.replace_belief(key, belief))
    finding = changed.check()
    assert finding.status == "refuted"
    assert kind in kinds(finding)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("selten_horse_mixed", lambda s: [s["r"] >= 0, s["r"] <= F(26, 100)]),
        ("selten_horse_pure", lambda s: [s["m"] >= 0, s["m"] <= F(34, 100)]),
        ("selten_horse_not_sequential", lambda s: [s["r"] >= F(32, 100), s["r"] <= 1]),
        ("gibbons_4_1_3_inconsistent_mixed", lambda s: [s["q"] >= F(49, 100), s["q"] <= 1]),
        ("gibbons_4_1_3_inconsistent", lambda s: [s["m"] >= 0, s["m"] <= F(34, 100)]),
        ("beer_quiche_beer_mixed_threat", lambda s: [s["r"] >= F(49, 100), s["r"] <= 1]),
        ("beer_quiche_quiche_pure_threat", lambda s: [s["m"] >= F(49, 100), s["m"] <= 1]),
        ("beer_quiche_quiche_any_prior", lambda s: [s["p"] <= F(51, 100), s["m"] >= F(1, 2), s["m"] <= 1]),
        ("bos_outside_out_plan_t", lambda s: [s["q"] >= F(24, 100), s["q"] <= F(2, 3)]),
        ("bos_outside_out_plan_t", lambda s: [s["q"] >= F(1, 4), s["q"] <= F(67, 100)]),
        ("bos_outside_out_plan_w_mixed", lambda s: [s["q"] >= 0, s["q"] <= F(26, 100)]),
        ("bos_outside_out_plan_w_pure", lambda s: [s["m"] >= 0, s["m"] <= F(76, 100)]),
        ("cheap_talk_babbling", lambda s: [s["x"] > 0, s["x"] < 1, s["y"] > 0, s["y"] < 1]),
        ("cheap_talk_pooling_m2", lambda s: [s["m"] >= F(1, 3), s["m"] <= F(67, 100)]),
        ("kuhn_poker_family", lambda s: [s["b"] >= 0, s["b"] <= F(101, 100)]),
        ("entry_empty_threat", lambda s: [s["r"] >= F(49, 100), s["r"] <= 1]),
        ("ultimatum_high_offer", lambda s: [s["r"] >= F(33, 100), s["r"] <= 1]),
        ("dalek_out", lambda s: [s["m"] >= 0, s["m"] <= F(26, 100)]),
        ("lemons_breakdown", lambda s: [s["p"] <= F(81, 100)]),
    ],
)  # fmt: skip
def test_families_end_where_they_are_said_to(name, where):
    """Wider assumptions are refuted: no family is stated too narrowly on that side."""
    claim = equilibrium(name)
    symbols = {
        s.name: s for relation in claim.assessment.assumptions for s in relation.free_symbols
    }
    wider = dataclasses.replace(claim.assessment, assumptions=where(symbols))
    finding = dataclasses.replace(claim, assessment=wider, values=()).check()
    assert finding.status == "refuted", finding.computed


def test_gibbons_4_1_3_is_refuted_as_sequential_for_its_belief():
    claim = equilibrium("gibbons_4_1_3_inconsistent")
    finding = dataclasses.replace(claim, concepts=("sequential",), fails=()).check()
    assert finding.status == "refuted"
    assert "consistency" in kinds(finding)
    # player 2 plays L, so that the consistent belief is in L, at which L' is not best
    told = Assessment(claim.assessment.strategies, {"P3: 3": (1, 0)})
    verdict = verify("gibbons_4_1_3", told, "sequential")
    assert [v.kind for v in verdict.violations] == ["rationality"]


def test_single_deviations_do_not_tell_that_beliefs_disagree():
    """Myerson's trap: every single move is best, and still it is no weak PBE."""
    claim = equilibrium("disagreeing_beliefs_whole_plans")
    verdict = verify("disagreeing_beliefs", claim.assessment, "weak-pbe")
    single = [check for check in verdict.checks if check.condition.kind == "rationality"]
    assert single
    assert {check.proof.answer for check in single} == {"proved"}
    (violation,) = verdict.violations
    assert violation.kind == "plan"
    assert dict(violation.deviation) == {"P1: first": "go", "P1: second": "l"}
    assert violation.amount == 2


def test_a_concept_that_holds_is_not_claimed_to_fail():
    claim = equilibrium("selten_horse_mixed")
    finding = dataclasses.replace(claim, fails=("sequential",)).check()
    assert finding.status == "refuted"
    assert finding.violations == ("sequential holds, too",)


def test_what_fails_is_told():
    finding = equilibrium("entry_empty_threat").check()
    assert finding.computed.startswith("nash, not subgame-perfect, not weak-pbe;")
    assert finding.expected.startswith("nash, not subgame-perfect, not weak-pbe;")


def test_weak_families_of_the_battle_contain_the_sequential_ones():
    """At x = 3/4 the free plan is the mixed equilibrium of the subgame, and then sequential."""
    claim = equilibrium("bos_outside_out_any_plan")
    at = claim.assessment.replace_strategy("P1: 1 inside", {"T": F(3, 4), "W": F(1, 4)})
    assert verify("bos_outside", Assessment(at.strategies, at.beliefs), "sequential").holds


# --------------------------------------------------------------------------------- ONUW's families


@pytest.mark.parametrize(
    ("name", "without"),
    [
        ("onuw_family_i", 6),
        ("onuw_family_i", 7),
        ("onuw_family_iii", 10),
        ("onuw_family_iii", 11),
        ("onuw_family_iva", 1),
        ("onuw_family_ivb", 1),
    ],
)
def test_no_condition_of_a_family_is_idle(name, without):
    claim = equilibrium(name)
    conditions = list(claim.assessment.assumptions)
    dropped = conditions.pop(without)
    assert dropped.has(onuw_families.x0)
    if name.startswith("onuw_family_iv"):
        conditions.append(onuw_families.x0 <= F(51, 100))
    wider = dataclasses.replace(claim.assessment, assumptions=conditions)
    finding = dataclasses.replace(claim, assessment=wider, values=()).check()
    assert finding.status == "refuted"
    assert "rationality" in kinds(finding)


@pytest.mark.parametrize(
    ("name", "key", "vote"),
    [
        ("onuw_family_i", onuw_theorems.AFTER_S1, "vote P2"),
        ("onuw_family_iva", onuw_theorems.P2, "vote P3"),
        ("onuw_family_ivb", onuw_theorems.P1, "vote P3"),
        ("onuw_family_va", onuw_theorems.P1, "vote P2"),
        ("onuw_family_vb", onuw_theorems.P2, "vote P1"),
        ("onuw_family_va", onuw_theorems.AFTER_NS, "vote P2"),
        ("onuw_robber_payoffs", onuw_theorems.AFTER_NS, "vote P2"),
        ("onuw_theorem_4_1_official", onuw_theorems.AFTER_S1, "vote P2"),
    ],
)
def test_one_changed_vote_leaves_the_family(name, key, vote):
    claim = equilibrium(name)
    changed = claim.assessment.replace_strategy(key, {vote: 1})
    finding = dataclasses.replace(claim, assessment=changed, values=()).check()
    assert finding.status == "refuted"
    assert "rationality" in kinds(finding)


def test_the_families_are_mirror_images():
    """Exchanging P1 and P2 turns IVa into IVb and Va into Vb."""
    for one, other in (
        ("onuw_family_iva", "onuw_family_ivb"),
        ("onuw_family_va", "onuw_family_vb"),
    ):
        first, second = equilibrium(one), equilibrium(other)
        exchange = {onuw_theorems.q1: onuw_theorems.q2}
        (a, b, c), (d, e, f) = (
            tuple(sp.sympify(v).subs(exchange) for v in claim.values) for claim in (first, second)
        )
        assert (a, b, c) == (e, d, f)


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("onuw_werewolves_vote_each_other", onuw_theorems.gamma >= 0),
        ("onuw_werewolves_vote_robber", onuw_theorems.alpha >= F(1, 4)),
    ],
)
def test_a_wrong_region_is_refuted_with_a_point(name, condition):
    finding = dataclasses.replace(THEOREMS[name], condition=condition).check()
    assert finding.status == "refuted"
    assert any("does not imply" in text and "alpha = " in text for text in finding.violations)


def test_two_alphas_of_equal_payoff_exist_beyond_the_domain():
    claim = THEOREMS["onuw_messages_cannot_move_alpha"]
    wider = (onuw_theorems.alpha > 0, onuw_families.other_alpha > 0)
    finding = dataclasses.replace(claim, assumptions=wider).check()
    assert finding.status == "refuted"


def test_pure_strategies_may_be_named():
    """`stating.claim` writes them as an action's name."""
    (claim,) = [c for c in refinement_theorems.CLAIMS if c.name == "dalek_up"]
    assert isinstance(claim, EquilibriumClaim)
    assert claim.assessment.strategies == {"P1: 1": {"Up": 1}, "P2: 2": {"l": 1}}
    assert verify(textbook.dalek(), claim.assessment, "sequential").holds
