"""All equilibria of textbook games, against the complete sets that are known."""

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest
import sympy
import z3

from crywolf.games import textbook
from crywolf.games.errors import (
    AssessmentError,
    ImperfectRecall,
    ParameterError,
    UnknownConcept,
    UnsupportedGame,
)
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers.pbe import CONCEPTS, Assessment, derive_equilibria, verify
from crywolf.solvers.tree import compile_tree

sp: Any = sympy  # its relations have no useful types
And, Eq, Or, Rational = sp.And, sp.Eq, sp.Or, sp.Rational


def horse(found):
    """Selten's horse: P1 R, P2 R, and what P3 does at which belief."""
    third = found.probability("P3: 3", "R")
    left = found.belief("P3: 3")[0]
    return And(
        Eq(found.probability("P1: 1", "R"), 1),
        Eq(found.probability("P2: 2", "R"), 1),
        Or(
            And(Eq(left, Rational(1, 3)), third <= Rational(1, 4)),
            And(Eq(third, 0), left <= Rational(1, 3)),
        ),
    )


def horse_nash(found):
    """The Nash equilibria of Selten's horse, two families."""
    one, two, three = (found.probability(key, "R") for key in ("P1: 1", "P2: 2", "P3: 3"))
    return Or(
        And(Eq(one, 1), Eq(two, 1), three <= Rational(1, 4)),
        And(Eq(one, 0), Eq(three, 1), two >= Rational(1, 3)),
    )


def gibbons1(found):
    return And(
        Eq(found.probability("P1: 1", "L"), 1),
        Eq(found.probability("P2: 2", "L'"), 1),
        Eq(found.belief("P2: 2")[0], 1),
    )


def gibbons3(found):
    return And(
        Eq(found.probability("P1: 1", "D"), 1),
        Eq(found.probability("P2: 2", "L"), 1),
        Eq(found.probability("P3: 3", "R'"), 1),
        Eq(found.belief("P3: 3")[0], 1),
    )


def gibbons3_weak(found):
    left, third = found.belief("P3: 3")[0], found.probability("P3: 3", "L'")
    enter = And(
        Eq(found.probability("P1: 1", "A"), 1),
        Eq(found.probability("P2: 2", "L"), 1),
        Or(
            And(Eq(left, Rational(1, 3)), third >= Rational(1, 2)),
            And(Eq(third, 1), left <= Rational(1, 3)),
        ),
    )
    return Or(gibbons3(found), enter)


def pooling(found):
    """Beer-quiche with a weak type of probability 1/10: all four families."""

    def on(meal, other):
        fight = found.probability(f"P2: {other}", "fight")
        weak = found.belief(f"P2: {other}")[0]
        return And(
            Eq(found.probability("P1: weak", meal), 1),
            Eq(found.probability("P1: strong", meal), 1),
            Eq(found.probability(f"P2: {meal}", "retreat"), 1),
            Eq(found.belief(f"P2: {meal}")[0], Rational(1, 10)),
            Or(
                And(fight >= Rational(1, 2), Eq(weak, Rational(1, 2))),
                And(Eq(fight, 1), weak >= Rational(1, 2)),
            ),
        )

    return Or(on("beer", "quiche"), on("quiche", "beer"))


def entry(found):
    return And(
        Eq(found.probability("P1: entrant", "In"), 1),
        Eq(found.probability("P2: incumbent", "Accommodate"), 1),
    )


def bos_weak(found):
    enter = found.probability("P1: 1", "In")
    plan = found.probability("P1: 1 inside", "T")
    q, mu = found.probability("P2: 2", "T"), found.belief("P2: 2")[0]
    third = Rational(3, 4)
    return Or(
        And(Eq(enter, 1), Eq(plan, 1), Eq(q, 1), Eq(mu, 1)),
        And(Eq(enter, 0), Eq(q, Rational(1, 4)), Eq(mu, third)),
        And(Eq(enter, 0), Eq(plan, 1), q >= Rational(1, 4), q <= Rational(2, 3), Eq(mu, third)),
        And(Eq(enter, 0), Eq(plan, 0), q <= Rational(1, 4), Eq(mu, third)),
        And(Eq(enter, 0), Eq(plan, 0), Eq(q, 0), mu <= third),
    )


def bos_sequential(found):
    enter = found.probability("P1: 1", "In")
    plan = found.probability("P1: 1 inside", "T")
    q, mu = found.probability("P2: 2", "T"), found.belief("P2: 2")[0]
    return Or(
        And(Eq(enter, 1), Eq(plan, 1), Eq(q, 1), Eq(mu, 1)),
        And(Eq(enter, 0), Eq(plan, Rational(3, 4)), Eq(q, Rational(1, 4)), Eq(mu, Rational(3, 4))),
        And(Eq(enter, 0), Eq(plan, 0), Eq(q, 0), Eq(mu, 0)),
    )


def stripped(found):
    return And(
        Eq(found.probability("P1: red", "raise"), 1),
        Eq(found.probability("P1: black", "raise"), Rational(1, 3)),
        Eq(found.probability("P2: raised", "call"), Rational(2, 3)),
        Eq(found.belief("P2: raised")[0], Rational(3, 4)),
    )


@pytest.mark.parametrize(
    ("game", "concepts", "stated"),
    [
        pytest.param("selten_horse", ("weak-pbe", "pbe", "sequential"), horse, id="horse"),
        pytest.param("selten_horse", ("nash", "subgame-perfect"), horse_nash, id="horse, Nash"),
        pytest.param("gibbons_4_1_1", ("weak-pbe", "sequential"), gibbons1, id="Gibbons 4.1.1"),
        pytest.param("gibbons_4_1_3", ("sequential",), gibbons3, id="Gibbons 4.1.3, sequential"),
        pytest.param("gibbons_4_1_3", ("weak-pbe",), gibbons3_weak, id="Gibbons 4.1.3, weak"),
        pytest.param("beer_quiche", ("weak-pbe", "pbe", "sequential"), pooling, id="beer-quiche"),
        pytest.param("entry", ("subgame-perfect", "weak-pbe", "sequential"), entry, id="entry"),
        pytest.param("bos_outside", ("weak-pbe",), bos_weak, id="outside option, weak"),
        pytest.param("bos_outside", ("sequential",), bos_sequential, id="outside option"),
        pytest.param("stripped_poker", ("weak-pbe", "sequential"), stripped, id="stripped poker"),
    ],
)
def test_the_complete_sets_that_are_known(game, concepts, stated):
    for concept in concepts:
        found = derive_equilibria(getattr(textbook, game)(), concept)
        assert found.complete
        assert found.equals(stated(found)), concept


def talk(found):
    """Cheap talk: two separating equilibria, and pooling on one message or babbling."""
    x, y = (found.probability(f"P1: t{t}", "m1") for t in (1, 2))
    plays = {(m, a): found.probability(f"P2: m{m}", f"a{a}") for m in (1, 2) for a in (1, 2, 3)}
    one, other = (found.belief(f"P2: m{m}")[0] for m in (1, 2))

    def separating(says, after):
        return And(
            Eq(x, says), Eq(y, 1 - says), Eq(one, says), Eq(other, 1 - says),
            Eq(plays[1, after], 1), Eq(plays[2, 3 - after], 1),
        )  # fmt: skip

    third, thirds = Rational(1, 3), Rational(2, 3)
    safe = And(Eq(plays[1, 3], 1), Eq(plays[2, 3], 1))
    babbling = And(
        safe,
        Or(And(Eq(x, 0), Eq(y, 0)), Eq(one * (x + y), x)),
        Or(And(Eq(x, 1), Eq(y, 1)), Eq(other * (2 - x - y), 1 - x)),
        one >= third, one <= thirds, other >= third, other <= thirds,
        x <= 2 * y, y <= 2 * x, 1 - x <= 2 * (1 - y), 1 - y <= 2 * (1 - x),
    )  # fmt: skip
    return Or(separating(1, 1), separating(0, 2), babbling)


def kuhn(found, concept):
    """Kuhn poker: the usual family with b, and what player 1 may believe or not do besides."""

    def bets(key):
        return found.probability(key, "Bet")

    def lower(key):
        return found.belief(key)[0]

    b, third = bets("2"), Rational(1, 3)
    jack, queen = bets("0"), bets("1")
    always = And(
        Eq(jack, b / 3), Eq(queen, 0), Eq(bets("1pb"), (b + 1) / 3), Eq(bets("0pb"), 0),
        Eq(bets("2pb"), 1), Eq(bets("0p"), third), Eq(bets("1p"), 0), Eq(bets("2p"), 1),
        Eq(bets("0b"), 0), Eq(bets("1b"), third), Eq(bets("2b"), 1),
        Eq(lower("1b"), Rational(1, 4)),
        Eq(lower("0pb"), 0),
        Eq(lower("1pb"), Rational(1, 4)),
        Eq(lower("0p") * (1 - queen + 1 - b), 1 - queen),
        Eq(lower("1p") * (1 - jack + 1 - b), 1 - jack),
        Eq(lower("2p") * (1 - jack + 1 - queen), 1 - jack),
    )  # fmt: skip
    if concept == "sequential":  # Bayes' rule also at the King's set that player 1 never reaches
        m = lower("2b")
        never = And(Eq(b, 0), Eq(lower("0b") * (1 + 2 * m), 1 - m))
        usual = And(Eq(m, 1), Eq(lower("0b"), 0))
        return And(always, Eq(lower("2pb"), 1), Or(usual, never))
    usual = And(Eq(lower("2b"), 1), Eq(lower("0b"), 0))
    known = Or(Eq(lower("2pb"), 1), Eq(b, 1))
    return And(always, known, Or(usual, Eq(b, 0)))


def test_cheap_talk_is_the_stated_set():
    for concept in ("weak-pbe", "sequential"):
        found = derive_equilibria(textbook.cheap_talk(), concept)
        assert found.complete
        assert found.equals(talk(found))


@pytest.mark.parametrize("concept", ["weak-pbe", "sequential"])
def test_kuhn_poker_is_the_stated_set(concept):
    found = derive_equilibria("kuhn_poker", concept)
    assert found.complete
    assert found.equals(kuhn(found, concept))


def test_a_wrong_set_is_not_equal():
    found = derive_equilibria(textbook.selten_horse(), "sequential")
    wrong = Eq(found.probability("P3: 3", "R"), 0)
    assert not found.equals(And(horse(found), wrong))
    assert not found.equals(Or(horse(found), wrong))


@pytest.mark.parametrize(("concept", "number"), [("weak-pbe", 3), ("sequential", 2)])
def test_kuhn_poker(concept, number):
    found = derive_equilibria("kuhn_poker", concept)
    assert found.complete
    assert found.rationalised
    assert len(found.families) == number
    for family in found.families:
        assert family.payoffs == (Rational(-1, 18), Rational(1, 18))
        assert family.verify().holds


def test_kuhns_own_equilibria():
    found = derive_equilibria("kuhn_poker", "sequential")
    usual, never = sorted(
        found.families,
        key=lambda f: len(sp.sympify(f.strategies["2"]["Bet"]).free_symbols),
        reverse=True,
    )
    b = sp.sympify(usual.strategies["2"]["Bet"])
    assert sp.simplify(sp.sympify(usual.strategies["0"]["Bet"]) - b / 3) == 0
    assert sp.simplify(sp.sympify(usual.strategies["1pb"]["Bet"]) - (b + 1) / 3) == 0
    # After a bet that never comes: m on the Jack at the King, (1 - m)/(1 + 2m) on the other card.
    assert never.strategies["2"]["Bet"] == 0
    jack, queen = never.beliefs["2b"][0], never.beliefs["0b"][0]
    m = sp.sympify(jack)
    assert sp.simplify(sp.sympify(queen) - (1 - m) / (1 + 2 * m)) == 0
    assert never.beliefs["1b"] == (Rational(1, 4), Rational(3, 4))


EVERY = [
    "selten_horse",
    "gibbons_4_1_1",
    "gibbons_4_1_3",
    "beer_quiche",
    "entry",
    "bos_outside",
    "cheap_talk",
    "stripped_poker",
    "disagreeing_beliefs",
    "chicken",
    "matching_pennies",
]


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("concept", CONCEPTS)
def test_every_member_is_an_equilibrium(name, concept):
    game = getattr(textbook, name)()
    tree = compile_tree(game)
    found = derive_equilibria(tree, concept)
    assert found.complete
    assert found.families  # a finite game has equilibria of every kind
    rng = np.random.default_rng(0)
    for family in found.families:
        assert family.verify().holds
        assert found.contains(family.assessment)
        for _ in range(5):
            member = family.sample(rng)
            assert verify(tree, member, concept).holds
            assert family.contains(member)


def test_stronger_concepts_have_fewer_equilibria():
    for name in EVERY:
        tree = compile_tree(getattr(textbook, name)())
        found = {concept: derive_equilibria(tree, concept) for concept in CONCEPTS}
        for strong, weak in (("sequential", "pbe"), ("pbe", "weak-pbe")):
            for family in found[strong].families:
                assert found[weak].contains(family.assessment), (name, strong, weak)
        for family in found["weak-pbe"].families:
            assert found["nash"].contains(family.assessment), name
        for family in found["subgame-perfect"].families:
            assert found["nash"].contains(family.assessment), name


def test_a_symbolic_prior():
    p = sp.Symbol("p")
    half = Rational(1, 2)
    rare = derive_equilibria(textbook.beer_quiche(p), "weak-pbe", assumptions=[p < half])
    assert rare.complete
    payoffs = {tuple(sp.expand(v) for v in map(sp.sympify, f.payoffs)) for f in rare.families}
    assert payoffs == {(3 - p, 1 - p), (2 + p, 1 - p)}
    common = derive_equilibria(textbook.beer_quiche(p), "weak-pbe", assumptions=[p > half])
    assert common.complete
    (family,) = common.families
    assert tuple(sp.expand(v) for v in map(sp.sympify, family.payoffs)) == (2 - p, p)
    weak = sp.sympify(family.strategies["P1: weak"]["beer"])
    assert sp.simplify(weak - (1 - p) / p) == 0
    assert family.verify().holds


def test_payoffs_with_symbols():
    """A threat that is empty for some payoffs and serious for others."""
    t = sp.Symbol("t", real=True)
    respond = decision(1, "2", {"fight": leaf(-1, t), "yield": leaf(1, 1)})
    game = ExtensiveGame("threat", decision(0, "1", {"out": leaf(0, 2), "in": respond}))
    found = derive_equilibria(game, "subgame-perfect")
    assert found.complete
    in_, fight = found.probability("P1: 1", "in"), found.probability("P2: 2", "fight")
    assert found.equals(
        Or(
            And(t <= 1, Eq(fight, 0), Eq(in_, 1)),
            And(t >= 1, Eq(fight, 1), Eq(in_, 0)),
            And(Eq(t, 1), fight <= Rational(1, 2), Eq(in_, 1)),
            And(Eq(t, 1), fight >= Rational(1, 2), Eq(in_, 0)),
            And(Eq(t, 1), Eq(fight, Rational(1, 2))),
        )
    )


def test_no_time_is_incomplete():
    found = derive_equilibria("kuhn_poker", "sequential", time_limit=1e-6)
    assert not found.complete
    assert found.families == ()
    assert "INCOMPLETE" in str(found)
    assert found.certificate.answer == "unknown"


def test_the_certificate_is_a_question_for_other_programs():
    found = derive_equilibria(textbook.selten_horse(), "sequential")
    solver = z3.Tactic("qfnra-nlsat").solver()
    solver.from_string(found.certificate.query)
    assert solver.check() == z3.unsat
    assert len(found.certificate.digest) == 64


def test_bad_questions_are_refused():
    with pytest.raises(UnknownConcept):
        derive_equilibria(textbook.entry(), "perfect")
    bad: list[dict[str, Any]] = [
        *({"time_limit": limit} for limit in (0, -1, "a", 10**400)),
        *({"assumptions": a} for a in (None, sp.Symbol("x") > 0, "x > 0")),
        *({"fixed_beliefs": b} for b in (["x"], {3: [1]}, {"P2: 2": None}, {"P2: 2": ()})),
    ]
    for arguments in bad:
        with pytest.raises(ParameterError, match=next(iter(arguments))):
            derive_equilibria(textbook.entry(), **arguments)
    second = decision(0, "b", {"x": leaf(0), "y": leaf(1)})
    with pytest.raises(ImperfectRecall):
        derive_equilibria(ExtensiveGame("forgetful", decision(0, "a", {"l": second, "r": second})))


def test_chance_before_the_first_move():
    game = ExtensiveGame(
        "luck",
        chance(
            {
                "good": ("1/3", decision(0, "seen good", {"stay": leaf(1), "go": leaf(2)})),
                "bad": ("2/3", decision(0, "seen bad", {"stay": leaf(1), "go": leaf(0)})),
            }
        ),
    )
    (family,) = derive_equilibria(game, "sequential").families
    assert family.payoffs == (Rational(4, 3),)
    assert isinstance(family.assessment, Assessment)


def test_large_games_are_refused_at_once():
    with pytest.raises(UnsupportedGame, match="at most 150"):
        derive_equilibria("leduc_poker", "sequential", time_limit=1)


def test_declared_symbols_have_proper_members():
    t = sp.Symbol("t", positive=True)
    game = ExtensiveGame("gift", decision(0, "1", {"take": leaf(t), "leave": leaf(0)}))
    (family,) = derive_equilibria(game, "nash").families
    rng = np.random.default_rng(0)
    for _ in range(50):
        assert verify(game, family.sample(rng), "nash").holds


@pytest.mark.parametrize("concept", ["weak-pbe", "pbe", "sequential"])
def test_beliefs_from_outside_are_carried_on(concept, told_game):
    a = sp.Symbol("a", real=True)
    told = {"P2: first": (a, 1 - a)}
    assumptions = [a > Rational(1, 2), a <= 1]
    found = derive_equilibria(told_game, concept, assumptions=assumptions, fixed_beliefs=told)
    assert found.complete
    assert found.families
    for family in found.families:
        assert family.verify().holds
    usual = Assessment(
        {
            "P1: 1": {"a": F(1, 3), "b": F(2, 3)},
            "P2: first": {"go": 1},
            "P2: later": {"low": 1},
        },
        {"P2: later": (F(3, 4), F(1, 4))},
    )
    three_quarters = {"P2: first": (F(3, 4), F(1, 4))}
    assert verify(told_game, usual, concept, fixed_beliefs=three_quarters).holds
    assert derive_equilibria(told_game, concept, fixed_beliefs=three_quarters).contains(usual)


@pytest.mark.parametrize("concept", ["weak-pbe", "sequential"])
def test_wrong_beliefs_are_outside(concept):
    """P2 always moves, so its belief follows from P1's strategy, coordinate or not."""
    second = {"x": leaf(0, 0), "y": leaf(0, 0)}
    moves = {"a": decision(1, "2", second), "b": decision(1, "2", second)}
    game = ExtensiveGame("idle", decision(0, "1", moves))
    found = derive_equilibria(game, concept)
    mixes = {"P1: 1": {"a": F(1, 3), "b": F(2, 3)}, "P2: 2": {"x": 1}}
    assert found.contains(Assessment(mixes, {"P2: 2": (F(1, 3), F(2, 3))}))
    assert not found.contains(Assessment(mixes, {"P2: 2": (F(1, 2), F(1, 2))}))


def test_families_are_closed():
    """P2's mix may end where its beliefs about P3's set would be free, but for consistency."""

    def third(first: tuple[int, ...], second: tuple[int, ...]) -> Any:
        return decision(2, "3", {"x": leaf(*first), "y": leaf(*second)})

    def second(then: Any) -> Any:
        return decision(1, "2", {"l": leaf(0, 1, 0), "r": then})

    first = {
        "out": leaf(2, 2, 2),
        "a": second(third((0, 2, 1), (3, 0, 0))),
        "b": second(third((0, 0, 0), (0, 2, 1))),
    }
    found = derive_equilibria(ExtensiveGame("stay out", decision(0, "1", first)), "sequential")
    assert found.complete
    assert len(found.families) == 2
    for family in found.families:
        assert family.verify().holds
        assert not any(isinstance(c, sp.Gt | sp.Lt) for c in family.conditions)
    assert found.recheck("z3").answer == "unsat"


def test_beliefs_from_outside_are_probabilities():
    q = sp.Symbol("q")
    for belief in ((-1, 2), (1, 1), (q, 1 - q)):
        with pytest.raises(AssessmentError, match="add up to 1"):
            derive_equilibria(textbook.beer_quiche(), fixed_beliefs={"P2: quiche": belief})


def test_assumptions_are_about_the_game():
    with pytest.raises(AssessmentError, match="speaks of z"):
        derive_equilibria(textbook.entry(), assumptions=[sp.Symbol("z") > 0])


def test_players_without_a_move_are_told_too():
    game = ExtensiveGame("one", decision(0, "1", {"a": leaf(1, 0), "b": leaf(0, 1)}))
    found = derive_equilibria(game, "sequential")
    (family,) = found.families
    assert "P1" in found.markdown()
    assert "P1" in found.latex()
    assert "We show" in family.proof("markdown")
    with pytest.raises(ParameterError, match="default_rng"):
        family.sample(3)  # type: ignore[arg-type]
    assert len(family.samples(2)) == 2
