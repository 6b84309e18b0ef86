"""Published numbers on Mafia come out of the games, and wrong ones or wrong conventions do not."""

import dataclasses
from fractions import Fraction as F
from typing import Any

import pytest
import sympy as sp

from crywolf.analysis import mafia_theorems as mafia
from crywolf.analysis import onuw_vote_theorems, seer_theorems
from crywolf.analysis.mafia_closed_forms import (
    double_factorial,
    limit,
    lone_mafioso_wins,
    mafia_wins,
)
from crywolf.analysis.mafia_policies import best_skips, evenly, found, vanilla
from crywolf.analysis.mafia_protocol_theorems import CLAIMS as PROTOCOLS
from crywolf.analysis.mafia_setup_theorems import CLAIMS as SETUPS
from crywolf.analysis.mafia_theorems import mountainous, wins
from crywolf.analysis.outcome_claims import (
    FormulaClaim,
    LeavesClaim,
    LimitClaim,
    MeanReturnClaim,
    OutcomeClaim,
    Question,
    RelationClaim,
    RootClaim,
)
from crywolf.analysis.theorems import THEOREMS
from crywolf.games.errors import GameError

CLAIMS: dict[str, Any] = {
    claim.name: claim
    for claims in (
        mafia.CLAIMS,
        PROTOCOLS,
        SETUPS,
        seer_theorems.CLAIMS,
        onuw_vote_theorems.CLAIMS,
    )
    for claim in claims
}


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_verified_exactly(claim):
    finding = claim.check()
    assert finding.violations == ()
    assert finding.status == "verified"
    assert finding.exact
    assert finding.computed == finding.expected or isinstance(claim, RootClaim)
    assert THEOREMS[claim.name] is claim


def kind(cls) -> list[Any]:
    return [claim for claim in CLAIMS.values() if isinstance(claim, cls)]


@pytest.mark.parametrize("claim", kind(OutcomeClaim), ids=lambda claim: claim.name)
def test_one_wrong_probability_refutes(claim):
    """The first few games of a claim, one number changed a little."""
    few = dict(list(claim.probabilities.items())[:3])
    question = list(few)[-1]
    unit = F(1, 10 ** (claim.digits or 12))
    wrong = dataclasses.replace(claim, probabilities={**few, question: few[question] - unit})
    finding = wrong.check()
    assert finding.status == "refuted"
    assert finding.violations == (f"{question}: {few[question]}, not {few[question] - unit}",)


@pytest.mark.parametrize("claim", kind(RelationClaim), ids=lambda claim: claim.name)
def test_one_wrong_equation_refutes(claim):
    relation = claim.relations[0]
    (factor, question), *rest = relation.terms
    for changed in (
        dataclasses.replace(relation, total=relation.total + F(1, 10**9)),
        dataclasses.replace(relation, terms=((factor + 1, question), *rest)),
    ):
        finding = dataclasses.replace(claim, relations=(changed,)).check()
        assert finding.status == "refuted"
        assert finding.violations[0].startswith(relation.words)
        assert finding.computed == "0 of 1 equations hold"


def test_the_other_convention_gives_the_other_table():
    """Coin against parity: equal at odd numbers of players, different at even ones."""
    for column, other in enumerate(("parity", "coin")):
        expected = {
            mafia.left(n, m, other): F(cell.split()[column])
            for n, row in mafia.TABLE.items()
            for m, cell in enumerate(row.split(", "), start=1)
        }
        finding = OutcomeClaim("", "", "", expected).check()
        different = {
            (n, m)
            for n, row in mafia.TABLE.items()
            for m, cell in enumerate(row.split(", "), start=1)
            if len({*cell.split()}) == 2
        }
        assert len(finding.violations) == len(different) == 11
        assert {n for n, _ in different} == {4, 6, 8, 10}


def test_a_wrong_formula_and_a_missing_size():
    (claim,) = kind(FormulaClaim)
    small = dataclasses.replace(
        claim,
        questions=(wins(6, 1, end="coin"), wins(6, 2, end="coin"), wins(6, 3, end="coin")),
        sizes=((6, 1), (6, 2), (6, 3), (4, 1), (4, 2)),
    )
    assert small.check().status == "verified"
    assert small.check().computed == "the formula holds for all of 6 sizes"
    wrong = dataclasses.replace(
        small, formula=lambda n, m: mafia_wins(n, m) + F(n == 4 == 4 * m, 9)
    )
    assert wrong.check().violations == (f"(4, 1): {F(3, 8)}, not {F(3, 8) + F(1, 9)}",)
    missing = dataclasses.replace(small, questions=small.questions[:2])
    assert missing.check().violations == ("(6, 3) does not occur",)
    parity = dataclasses.replace(small, questions=(wins(6, 1), wins(6, 2)), sizes=())
    assert parity.check().status == "refuted"


def test_an_impossible_opening_is_refused():
    question = dataclasses.replace(mafia.left(4, 2, "parity"), opening=("Werewolf", "Seer"))
    with pytest.raises(GameError, match="'Seer' is not possible; Werewolf, Villager are"):
        question.answer()


def test_the_first_phase_matters():
    finding = OutcomeClaim("", "", "", {wins(7, 2, first="night"): mafia_wins(7, 2)}).check()
    assert finding.violations == (
        f"{wins(7, 2, first='night')}: {F(11, 12)}, not {mafia_wins(7, 2)}",
    )


def test_eliminating_at_even_numbers_costs():
    for n, m in ((4, 1), (6, 1), (6, 2), (8, 3)):
        skips = Question(mountainous(n, m, no_lynch="allowed"), "town", best_skips).answer()
        never = Question(mountainous(n, m), "town", evenly).answer()
        assert skips > never
    # At odd numbers it may but need not skip; flipping a coin over it is worse.
    at_random = Question(mountainous(7, 2, no_lynch="allowed"), "town", evenly).answer()
    assert at_random < Question(mountainous(7, 2), "town").answer()


def test_a_seer_does_better_the_more_it_may_do():
    """And a policy is not taken for the optimum."""
    best = next(c for c in seer_theorems.CLAIMS if c.name == "seer_best_time")
    assert isinstance(best, OutcomeClaim)
    question = next(iter(best.probabilities))
    values = [dataclasses.replace(question, opening=(), responder=None, decisions=policy).answer()
              for policy in (vanilla, found)]  # fmt: skip
    assert values[0] < values[1] < question.answer()


def test_limits_are_tight_to_their_constant():
    for claim in kind(LimitClaim):
        few = tuple(row for row in claim.probabilities if row[0] in (9, 10, 1600, 1601))
        assert dataclasses.replace(claim, probabilities=few).check().status == "verified"
        finding = dataclasses.replace(claim, probabilities=few, constant=F(1, 5)).check()
        assert finding.status == "refuted"
        assert "more than 1/5/sqrt(" in finding.violations[0]
        other = tuple((n, p, limit(sp.Rational(3), n % 2)) for n, p, _ in few)
        assert dataclasses.replace(claim, probabilities=other).check().status == "refuted"


def test_a_wrong_last_digit_of_a_root():
    (claim,) = kind(RootClaim)
    for at, point in ((0, "0.67450"), (1, "0.49458")):
        functions = list(claim.functions)
        functions[at] = (*functions[at][:2], point)
        assert dataclasses.replace(claim, functions=tuple(functions)).check().status == "refuted"


def test_wrong_leaves_and_returns():
    (leaves,) = kind(LeavesClaim)
    wrong = dataclasses.replace(leaves, leaves={mountainous(5, 1): 184})
    assert wrong.check().violations == (f"{mountainous(5, 1)}: 185 leaves, not 184",)
    (returns,) = kind(MeanReturnClaim)
    assert dataclasses.replace(returns, returns={mountainous(5, 1): F(2, 5)}).check().violations


def test_a_wrong_village_plan():
    (claim,) = onuw_vote_theorems.CLAIMS
    plan = {f"P{one}: dealt Villager": {f"vote P{two}": 1} for one, two in ((1, 2), (2, 3), (3, 1))}
    assert "the plan wins at least 0" in dataclasses.replace(claim, plan=plan).check().computed
    paper = "onuw(players=3,centre=0,roles=werewolf+2villager,resolution=paper)"
    assert dataclasses.replace(claim, game=paper).check().status == "refuted"


def test_closed_forms():
    factorials = [double_factorial(k) for k in (-5, -3, -1, 0, 1, 2, 5, 6)]
    assert factorials == [F(1, 3), -1, 1, 1, 1, 2, 15, 48]
    for k in range(-7, 12, 2):
        assert double_factorial(k + 2) == (k + 2) * double_factorial(k)
    for n in range(1, 30):
        assert mafia_wins(n, 1) == lone_mafioso_wins(n)
        assert mafia_wins(n, 0) == 0
        for m in range(1, n // 2):  # Migdal's recursion
            expected = F(m, n + 2) * mafia_wins(n, m - 1) + F(n + 2 - m, n + 2) * mafia_wins(n, m)
            assert mafia_wins(n + 2, m) == expected
