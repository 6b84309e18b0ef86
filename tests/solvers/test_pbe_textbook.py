"""Verification against equilibria that textbooks and papers state."""

from fractions import Fraction as F

import pyspiel
import pytest
import sympy as sp

from crywolf.games import textbook
from crywolf.solvers.pbe import CONCEPTS, Assessment, verify
from crywolf.solvers.tree import GameTree

b, m, p, q, r = sp.symbols("b m p q r")


def assessment(strategies, beliefs=(), assumptions=()):
    """Strategies with pure ones written as a bare action name."""
    mixes = {k: {v: 1} if isinstance(v, str) else v for k, v in strategies.items()}
    return Assessment(mixes, dict(beliefs), assumptions)


def holding(game, candidate):
    """The concepts that an assessment satisfies."""
    return {concept for concept in CONCEPTS if verify(game, candidate, concept).holds}


ALL = set(CONCEPTS)

HORSE = {"P1: 1": "R", "P2: 2": "R"}
GIBBONS3_A = {"P1: 1": "A", "P2: 2": "L", "P3: 3": {"L'": q, "R'": 1 - q}}
POOL_BEER = {
    "P1: weak": "beer",
    "P1: strong": "beer",
    "P2: beer": "retreat",
    "P2: quiche": {"fight": r, "retreat": 1 - r},
}
POOL_QUICHE = {
    "P1: weak": "quiche",
    "P1: strong": "quiche",
    "P2: quiche": "retreat",
    "P2: beer": {"fight": r, "retreat": 1 - r},
}


@pytest.mark.parametrize(
    ("game", "candidate", "concepts", "values"),
    [
        pytest.param(
            textbook.selten_horse(),
            assessment(
                {**HORSE, "P3: 3": {"R": r, "L": 1 - r}},
                {"P3: 3": (F(1, 3), F(2, 3))},
                [r >= 0, r <= F(1, 4)],
            ),
            ALL,
            (1, 1, 1),
            id="horse: 3 mixes up to 1/4 at belief 1/3",
        ),
        pytest.param(
            textbook.selten_horse(),
            assessment({**HORSE, "P3: 3": "L"}, {"P3: 3": (m, 1 - m)}, [m >= 0, m <= F(1, 3)]),
            ALL,
            (1, 1, 1),
            id="horse: 3 plays L at beliefs up to 1/3",
        ),
        pytest.param(
            textbook.selten_horse(),
            assessment({"P1: 1": "L", "P2: 2": "R", "P3: 3": "R"}, {"P3: 3": (1, 0)}),
            {"nash", "subgame-perfect"},
            (3, 2, 2),
            id="horse: Nash but not sequentially rational",
        ),
        pytest.param(
            textbook.gibbons_4_1_1(),
            assessment({"P1: 1": "L", "P2: 2": "L'"}),
            ALL,
            (2, 1),
            id="gibbons 4.1.1",
        ),
        pytest.param(
            textbook.gibbons_4_1_1(),
            assessment({"P1: 1": "R", "P2: 2": "R'"}, {"P2: 2": (m, 1 - m)}, [m >= 0, m <= 1]),
            {"nash", "subgame-perfect"},
            (1, 3),
            id="gibbons 4.1.1: the empty threat",
        ),
        pytest.param(
            textbook.gibbons_4_1_3(),
            assessment({"P1: 1": "D", "P2: 2": "L", "P3: 3": "R'"}),
            ALL,
            (3, 3, 3),
            id="gibbons 4.1.3",
        ),
        pytest.param(
            textbook.gibbons_4_1_3(),
            assessment(GIBBONS3_A, {"P3: 3": (F(1, 3), F(2, 3))}, [q >= F(1, 2), q <= 1]),
            ALL - {"sequential", "subgame-perfect"},
            (2, 0, 0),
            id="gibbons 4.1.3: weak PBE with mixing",
        ),
        pytest.param(
            textbook.gibbons_4_1_3(),
            assessment(
                {"P1: 1": "A", "P2: 2": "L", "P3: 3": "L'"},
                {"P3: 3": (m, 1 - m)},
                [m >= 0, m <= F(1, 3)],
            ),
            ALL - {"sequential", "subgame-perfect"},
            (2, 0, 0),
            id="gibbons 4.1.3: weak PBE with low belief",
        ),
        pytest.param(
            textbook.beer_quiche(),
            assessment(POOL_BEER, {"P2: quiche": (F(1, 2), F(1, 2))}, [r >= F(1, 2), r <= 1]),
            ALL,
            (F(29, 10), F(9, 10)),
            id="beer-quiche: pooling on beer",
        ),
        pytest.param(
            textbook.beer_quiche(),
            assessment(POOL_QUICHE, {"P2: beer": (F(1, 2), F(1, 2))}, [r >= F(1, 2), r <= 1]),
            ALL,
            (F(21, 10), F(9, 10)),
            id="beer-quiche: pooling on quiche",
        ),
        pytest.param(
            textbook.beer_quiche(p),
            assessment(
                {**POOL_BEER, "P2: quiche": "fight"},
                {"P2: quiche": (m, 1 - m)},
                [p < F(1, 2), m >= F(1, 2), m <= 1],
            ),
            ALL,
            (3 - p, 1 - p),
            id="beer-quiche with symbolic prior: pooling",
        ),
        pytest.param(
            textbook.beer_quiche(p),
            assessment(
                {
                    "P1: weak": {"beer": (1 - p) / p, "quiche": (2 * p - 1) / p},
                    "P1: strong": "beer",
                    "P2: beer": {"fight": F(1, 2), "retreat": F(1, 2)},
                    "P2: quiche": "fight",
                },
                {},
                [p > F(1, 2)],
            ),
            ALL,
            (2 - p, p),
            id="beer-quiche with symbolic prior: semi-separating",
        ),
        pytest.param(
            textbook.entry(),
            assessment({"P1: entrant": "Out", "P2: incumbent": "Fight"}),
            {"nash"},
            (0, 2),
            id="entry deterrence: the empty threat",
        ),
        pytest.param(
            textbook.bos_outside(),
            assessment(
                {
                    "P1: 1": "Out",
                    "P1: 1 inside": {"T": F(3, 4), "W": F(1, 4)},
                    "P2: 2": {"T": F(1, 4), "W": F(3, 4)},
                },
                {"P2: 2": (F(3, 4), F(1, 4))},
            ),
            ALL,
            (2, 2),
            id="battle of the sexes: out, mixed inside",
        ),
        pytest.param(
            textbook.bos_outside(),
            assessment(
                {"P1: 1": "Out", "P1: 1 inside": "T", "P2: 2": {"T": q, "W": 1 - q}},
                {"P2: 2": (F(3, 4), F(1, 4))},
                [q >= F(1, 4), q <= F(2, 3)],
            ),
            ALL - {"sequential", "subgame-perfect"},
            (2, 2),
            id="battle of the sexes: weak PBE that is not sequential",
        ),
        pytest.param(
            textbook.stripped_poker(),
            assessment(
                {
                    "P1: red": "raise",
                    "P1: black": {"raise": F(1, 3), "fold": F(2, 3)},
                    "P2: raised": {"call": F(2, 3), "pass": F(1, 3)},
                }
            ),
            ALL,
            (F(1, 3), F(-1, 3)),
            id="stripped-down poker",
        ),
        pytest.param(
            textbook.disagreeing_beliefs(),
            assessment(
                {"P2: 2": "out", "P1: first": "stop", "P1: second": "r"},
                {"P1: first": (1, 0), "P1: second": (0, 1)},
            ),
            {"nash", "subgame-perfect"},
            (0, 1),
            id="only a change of two moves pays",
        ),
    ],
)
def test_concepts_and_payoffs(game, candidate, concepts, values):
    assert holding(game, candidate) == concepts
    verdict = verify(game, candidate, "nash")
    assert all(
        verdict.equal(found, told) for found, told in zip(verdict.values, values, strict=True)
    )


def kuhn(bet):
    """The equilibrium family of Kuhn poker: the first player bets the King with ``bet``."""
    first = {"0": bet / 3, "1": 0, "2": bet}
    answer = {"0": 0, "1": bet / 3 + F(1, 3), "2": 1}
    second = {"0p": F(1, 3), "1p": 0, "2p": 1, "0b": 0, "1b": F(1, 3), "2b": 1}
    bets = {**first, **{card + "pb": x for card, x in answer.items()}, **second}
    return {key: {"Bet": x, "Pass": 1 - x} for key, x in bets.items()}


def test_kuhn_poker_family():
    tree = GameTree.compile(pyspiel.load_game("kuhn_poker"))
    inside = Assessment(kuhn(b), {}, [b > 0, b < 1])
    assert holding(tree, inside) == ALL
    verdict = verify(tree, inside, "sequential")
    assert verdict.values == (F(-1, 18), F(1, 18))
    assert verdict.rationalised
    # at the ends Bayes' rule no longer gives every belief, but Nash needs none
    assert verify(tree, Assessment(kuhn(b), {}, [b >= 0, b <= 1]), "nash").holds


def test_kuhn_poker_at_no_bet_has_a_one_parameter_family_of_sequential_beliefs():
    tree = GameTree.compile(pyspiel.load_game("kuhn_poker"))
    # each set's histories in the order of the deal: at '0b' player 2 holds the Jack, and so on
    beliefs = {
        "2b": (m, 1 - m),
        "0b": ((1 - m) / (1 + 2 * m), 3 * m / (1 + 2 * m)),
        "1b": (F(1, 4), F(3, 4)),
    }
    family = Assessment(kuhn(sp.Integer(0)), beliefs, [m >= 0, m <= 1])
    assert holding(tree, family) == ALL
    free = Assessment(
        family.strategies, {**beliefs, "0b": (r, 1 - r)}, [*family.assumptions, r >= 0, r <= 1]
    )
    assert holding(tree, free) == ALL - {"sequential"}


def test_kuhn_poker_wrong_call_is_refuted_with_the_gain():
    tree = GameTree.compile(pyspiel.load_game("kuhn_poker"))
    wrong = kuhn(F(1, 2))
    wrong["1pb"] = {"Bet": 1, "Pass": 0}
    verdict = verify(tree, Assessment(wrong), "nash")
    assert not verdict.holds
    (violation,) = verdict.violations
    assert violation.player == 1
    assert violation.amount > 0
    assert violation.deviation == {"0p": "Pass"}
