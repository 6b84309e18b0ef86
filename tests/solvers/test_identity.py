"""Which games are the same: by name where a registration stands behind it, else by their trees."""

from fractions import Fraction

import pyspiel
import pytest
import sympy

from crywolf.games import Onuw, load_game, register, rules_of
from crywolf.games import openspiel as registry
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree
from crywolf.solvers.identity import surely_same
from crywolf.solvers.walk_pyspiel import walk_pyspiel

from .test_tree import BrokenGame


class Bet(ExtensiveGame):
    """A parameter that does not tell all: ``prize`` is missing from ``parameters``."""

    def __init__(self, stake: int = 1, prize: int = 2):
        super().__init__("test_bet", decision(0, "1", {"a": leaf(stake), "b": leaf(prize)}))
        self.parameters = {"stake": stake}


class Fixed(ExtensiveGame):
    name = "test_fixed"  # type: ignore[misc]
    title = "Fixed"  # type: ignore[misc]

    def __init__(self):
        super().__init__("test_fixed", leaf(1))


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> type[Fixed]:
    monkeypatch.setattr(registry, "_registrations", dict(registry._registrations))
    monkeypatch.setattr(registry.pyspiel, "register_game", lambda kind, creator: None)
    register(Fixed)
    return Fixed


def test_names_settle_registered_games():
    rules = rules_of(load_game("onuw_robber3"))
    assert rules is not None
    assert surely_same(rules, load_game("onuw_robber3"))
    assert surely_same(rules, Onuw(**rules.parameters))  # type: ignore[arg-type]
    assert not surely_same(rules, Onuw())
    leduc = pyspiel.load_game("leduc_poker")
    assert surely_same(leduc, pyspiel.load_game("leduc_poker(players=2)"))
    assert not surely_same(leduc, pyspiel.load_game("leduc_poker(players=3)"))


def test_names_settle_nothing_else(fixed: type[Fixed]):
    assert not surely_same(Bet(), Bet(prize=3))  # not registered
    assert not surely_same(fixed(), fixed())  # no parameters
    assert not surely_same(BrokenGame("none"), BrokenGame("none"))  # unknown to OpenSpiel
    one = BrokenGame("none")
    assert surely_same(one, one)


def lottery(p: object, win: object = 1) -> GameTree:
    outcomes = {"a": (p, leaf(win)), "b": (1 - p, leaf(0))}  # type: ignore[operator]
    return GameTree.compile(ExtensiveGame("lottery", chance(outcomes)))


def test_trees_settle_the_rest():
    third, x = Fraction(1, 3), sympy.Symbol("x", positive=True)
    assert lottery(third).same_game(lottery(third))
    assert not lottery(third).same_game(lottery(1 - third))
    assert not lottery(third).same_game(lottery(third, win=2))
    assert lottery(third, x).same_game(lottery(third, x))
    assert not lottery(third, x).same_game(lottery(third, 2 * x))
    assert GameTree.compile(BrokenGame("none")).same_game(GameTree.compile(BrokenGame("none")))


def test_an_exact_game_is_the_same_as_its_floats():
    exact = lottery(Fraction(1, 3))
    floats = GameTree._assemble(exact.game, "lottery", walk_pyspiel(exact.game, 100))
    assert floats.rationalised
    assert exact.same_game(floats)
    assert floats.same_game(exact)
    symbolic = lottery(Fraction(1, 3), sympy.Symbol("x", positive=True))
    assert not symbolic.same_game(floats)
