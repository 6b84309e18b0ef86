"""Cheap talk: its theorem, and what it refuses; the payoffs, against convex hulls and lotteries."""

import dataclasses
import random
from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.spatial import ConvexHull

from crywolf.analysis import onuw_plots
from crywolf.analysis.onuw_talk import (
    GAME,
    alike,
    alpha_of,
    lottery,
    never_p1,
    never_p2,
    silent_payoffs,
    talk_payoffs,
)
from crywolf.analysis.onuw_talk_theorems import CLAIMS
from crywolf.analysis.onuw_theorems import NIGHT, U3_4_2, alpha, strategies
from crywolf.analysis.set_claims import ProjectionClaim, PublicMessageClaim, Witness
from crywolf.analysis.theorems import THEOREMS
from crywolf.games import load_game
from crywolf.games.errors import ParameterError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.onuw import Onuw
from crywolf.solvers.pbe import Assessment, verify

sp: Any = sympy
CONCEPTS = ("weak-pbe", "pbe", "sequential")
HALF = F(1, 2)
PAYOFFS = (F(-1), F(-3, 4), F(-1, 2), F(-1, 10), F(1, 4), F(1, 2), F(9, 10), F(1))


# --------------------------------------------------------------------------- payoffs


@pytest.mark.parametrize("u", PAYOFFS, ids=str)
def test_talk_gives_the_convex_hull(u):
    """By another program, in floating point."""
    silent = np.array([[float(x) for x in q] for piece in silent_payoffs(u) for q in piece])
    corners = np.array([[float(x) for x in q] for q in talk_payoffs(u)])
    hull = silent[ConvexHull(silent).vertices]
    assert len(hull) == len(corners)
    nearest = np.abs(hull[:, None] - corners[None]).sum(axis=2).min(axis=1)
    assert nearest.max() < 1e-12
    assert ConvexHull(corners).volume == pytest.approx(area(corners))  # they are in order


def area(corners):
    x, y = corners.T
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


def test_the_payoffs_in_figures():
    assert alpha_of(-1) == F(1, 4)
    assert alpha_of(F(1, 4)) == F(1, 3)
    assert alpha_of(1) == HALF
    for u in PAYOFFS:
        assert sp.simplify(U3_4_2.subs(alpha, alpha_of(u)) - u) == 0
    # Fractions at u = 1/4: by hand from Theorem 4.2 with beta - gamma = 1/6 at most.
    assert talk_payoffs(F(1, 4)) == (
        (F(-1, 4), 0), (F(-1, 8), F(-1, 24)), (F(-1, 24), F(-1, 8)), (0, F(-1, 4)),
    )  # fmt: skip
    assert silent_payoffs(0) == (talk_payoffs(0),) == (((0, 0),),)
    for u in (1, -1):
        assert silent_payoffs(u) == (talk_payoffs(u),)


@pytest.mark.parametrize("u", [2, F(-11, 10), sp.Symbol("u")])
@pytest.mark.parametrize("payoffs", [talk_payoffs, silent_payoffs])
def test_no_payoff_of_the_robber(payoffs, u):
    with pytest.raises(ParameterError, match="from -1 to 1"):
        payoffs(u)


def inside(point, corners):
    turns = [
        (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)
    ]
    return all(t >= 0 for t in turns) or all(t <= 0 for t in turns)


@pytest.mark.parametrize("seed", range(6))
def test_lotteries_of_equilibria_are_equilibria(seed):
    """Numbers only: another path through the verification than the symbols of the claims."""
    rng = random.Random(seed)
    a = F(rng.randint(7, 11), 24)  # of 6 to 12
    side = a**2 / (1 - a)
    u = U3_4_2.subs(alpha, a)
    silent = [alike(a, rng.choice((-1, F(1, 3), 1)) * side), never_p2(u), never_p1(u)]
    weights = [F(rng.randint(1, 9)) for _ in silent]
    total = sum(weights)
    draws = {
        m: (w / total, s) for m, w, s in zip(rng.sample(("NS", "S1", "S2"), 3), weights, silent)
    }
    verdict = verify(GAME, lottery(draws), "sequential")
    assert verdict.holds
    assert verdict.values[2] == u
    corners = talk_payoffs(F(int(u.p), int(u.q)))
    assert inside(verdict.values[:2], corners)


def test_different_payoffs_of_the_robber_are_no_equilibrium():
    """It would only say what pays it more."""
    for concept in CONCEPTS:
        verdict = verify(
            GAME, lottery({"S1": (HALF, never_p2(HALF)), "S2": (HALF, never_p1(0))}), concept
        )
        assert not verdict.holds
        assert any(v.information_set.startswith("P3: dealt Robber") for v in verdict.violations)


def test_a_message_that_is_never_said_is_answered_like_one_that_is():
    drawn = lottery({"NS": (1, strategies((0, 1, 0), 0, 0, HALF))}, {"NS": "S2", "S2": "S1"})
    assert drawn.strategies["P3: dealt Robber; NS"] == {"say S2": 1}
    assert drawn.strategies["P3: dealt Robber; S2; now Werewolf"] == {"say S1": 1}
    for concept in CONCEPTS:
        assert verify(GAME, drawn, concept).holds


# ----------------------------------------------------------------------------- claims


@pytest.mark.slow
@pytest.mark.parametrize(
    "claim", [c for c in CLAIMS if hasattr(c, "concepts")], ids=lambda c: c.name
)
def test_under_every_concept(claim):
    assert dataclasses.replace(claim, concepts=CONCEPTS).check().status == "verified"


def test_beyond_the_bounds_there_is_no_such_equilibrium():
    claim: Any = THEOREMS["onuw_talk_moves_beliefs"]
    a = claim.assessment
    wider = dataclasses.replace(a, assumptions=a.assumptions[:-1])  # t may be below -alpha^2/(...)
    finding = dataclasses.replace(claim, assessment=wider).check()
    assert finding.status == "refuted"


def test_a_wrong_hull_or_slice_is_refuted():
    claim: Any = THEOREMS["onuw_talk_hull"]
    s1, s2 = (next(s for s in claim.condition.free_symbols if s.name == n) for n in ("s1", "s2"))
    wrong = sp.And(claim.condition, sp.Implies(sp.Eq(s1, 1) & sp.Eq(s2, 0), s1 + s2 < 1))
    assert dataclasses.replace(claim, condition=wrong).check().status == "refuted"
    silent: Any = THEOREMS["onuw_silent_payoffs"]
    for region in (silent.region.args[0], sp.true):
        assert dataclasses.replace(silent, region=region).check().status == "refuted"
    without = dataclasses.replace(silent, witnesses=silent.witnesses[1:])
    assert without.check().violations


def test_projection_of_a_disc():
    """x^2 + y^2 <= 1 projects to -1 <= x <= 1, not to less and not to more."""
    x, y = sp.symbols("x y", real=True)
    interval = sp.And(x >= -1, x <= 1)
    disc = {"disc": x**2 + y**2 <= 1}
    claim = ProjectionClaim("", "", "", disc, interval, (Witness("disc", sp.true, {y: 0}),))
    assert claim.check().status == "verified"
    for wrong in (
        {"region": x >= -1},
        {"region": sp.And(x >= 0, x <= 1)},
        {"witnesses": (Witness("disc", x > 0, {y: 0}),)},
        {"witnesses": (Witness("disc", sp.true, {y: 1}),)},
    ):
        assert dataclasses.replace(claim, **wrong).check().status == "refuted"


def speaking(answers=None, payoffs=None, heard="hears {m}"):
    """P1 moves a or b, says x or y; P2 then chooses l or r, knowing ``heard``."""
    paid = {"a": {"l": (1, 2), "r": (0, 0)}, "b": {"l": (0, 0), "r": (2, 1)}} | (payoffs or {})

    def answer(move, message):
        moves = answers or ("l", "r")
        return decision(
            1,
            heard.format(m=message, n=move),
            {
                r: leaf(*paid[f"{move}{message}" if f"{move}{message}" in paid else move][r])
                for r in moves
            },
        )

    def speech(move):
        return decision(0, f"after {move}", {m: answer(move, m) for m in ("x", "y")})

    return ExtensiveGame("speaking", decision(0, "first", {n: speech(n) for n in ("a", "b")}))


def quiet():
    paid = {"a": {"l": (1, 2), "r": (0, 0)}, "b": {"l": (0, 0), "r": (2, 1)}}
    return ExtensiveGame(
        "quiet",
        decision(
            0,
            "first",
            {n: decision(1, "P2", {r: leaf(*v) for r, v in p.items()}) for n, p in paid.items()},
        ),
    )


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (speaking(payoffs={"ax": {"l": (1, 2), "r": (0, 1)}}), "payoffs"),
        (speaking(heard="hears nothing"), "does not tell"),
        (speaking(heard="sees {n}, hears {m}"), "tells more than"),
        (speaking(answers=("l",)), "without the message"),
        (quiet(), "the messages after the first moves"),
        (
            ExtensiveGame("other", decision(1, "first", {"a": leaf(0, 0), "b": leaf(1, 1)})),
            "the first moves",
        ),
    ],
    ids=["paid", "unheard", "overheard", "fewer moves", "no message", "another game"],
)
def test_what_is_no_public_message(game, words):
    claim = PublicMessageClaim("", "", "", speaking(), quiet())
    assert claim.check().status == "verified"
    finding = dataclasses.replace(claim, game=game).check()
    assert finding.status == "refuted"
    assert any(words in text for text in finding.violations), finding.violations


def test_a_first_move_of_chance_is_no_speaker():
    tossed = ExtensiveGame("tossed", chance({n: (HALF, leaf(0, 0)) for n in ("a", "b")}))
    finding = PublicMessageClaim("", "", "", tossed, quiet()).check()
    assert "the first moves" in finding.violations[0]


def test_chance_after_the_message():
    def after(label, odds):
        lottery = {"good": (odds, leaf(1, 0)), "bad": (1 - odds, leaf(0, 1))}
        return decision(1, label, {"l": chance(lottery), "r": leaf(0, 0)})

    def game(odds):
        moves = {n: {m: after(m, odds) for m in ("x", "y")} for n in ("a", "b")}
        speeches = {n: decision(0, f"after {n}", said) for n, said in moves.items()}
        return ExtensiveGame("speaking", decision(0, "first", speeches))

    plain = ExtensiveGame("quiet", decision(0, "first", {n: after("P2", HALF) for n in ("a", "b")}))
    claim = PublicMessageClaim("", "", "", game(HALF), plain)
    assert claim.check().status == "verified"
    finding = dataclasses.replace(claim, game=game(F(1, 3))).check()
    assert "1/3" in finding.violations[0]


def test_talk_under_other_rules_of_the_vote_is_another_game():
    claim: Any = THEOREMS["onuw_talk_is_cheap"]
    other = dataclasses.replace(claim, silent="onuw_robber3_official").check()
    assert "payoffs" in other.violations[0]
    official = Onuw(3, 0, "2werewolf+robber", "fixed", "official", talk="robber")
    same = dataclasses.replace(claim, game=official, silent="onuw_robber3_official")
    assert same.check().status == "verified"


def test_the_robber_of_a_lottery_says_the_draw():
    """Bayes' rule after each message gives the night move of what was drawn."""
    draws = {"S1": (F(1, 3), never_p2(HALF)), "S2": (F(2, 3), never_p1(HALF))}
    drawn = lottery(draws)
    night = drawn.strategies[NIGHT]
    assert night == {"NS": HALF, "S1": F(1, 6), "S2": F(1, 3)}
    bayes = Assessment(
        drawn.strategies, {k: b for k, b in drawn.beliefs.items() if k.endswith('"NS"')}
    )
    verdict = verify(load_game(GAME), bayes, "pbe")
    assert verdict.holds
    after = {
        key[-3:-1]: [verdict.model.show(x) for x in belief]
        for key, belief in zip(verdict.model.tree.keys, verdict.model.beliefs, strict=True)
        if key.startswith("P1")
    }
    # On NS, S1, S2, each with P3's vote for P1 and for P2.
    assert after["S1"] == [HALF, 0, HALF, 0, 0, 0]
    assert after["S2"] == [0, HALF, 0, 0, 0, HALF]


def test_figures_draw_these_payoffs():
    figure = onuw_plots.talk_figure((F(1, 4),))
    (axes,) = figure.axes
    lines: Any = axes.lines
    drawn = {tuple(np.round(p, 9)) for line in lines for p in line.get_xydata()}
    silent = {
        tuple(round(float(x), 9) for x in q) for piece in silent_payoffs(F(1, 4)) for q in piece
    }
    assert drawn == silent


@pytest.mark.parametrize("true_beliefs", [True, False])
def test_figures_of_all_families(true_beliefs):
    figure = onuw_plots.families_figure(true_beliefs=true_beliefs)
    lines: Any = [line for axes in figure.axes for line in axes.lines]
    ends = {tuple(np.round(line.get_xydata()[-1], 9)) for line in lines}
    # IV ends where V begins: alpha = 1/2 on either side.
    assert {(0.25, 0.5), (0.75, 0.5)} <= ends
    assert len(lines) == 4
    payoffs = onuw_plots.robber_payoffs_figure(true_beliefs=true_beliefs)
    assert payoffs._repr_png_().startswith(b"\x89PNG")
