"""The textbook games: registered, sound, and with the payoffs of their sources."""

import inspect
import pickle
from fractions import Fraction as F

import pyspiel
import pytest
import sympy as sp
from open_spiel.python.algorithms import expected_game_score
from open_spiel.python.policy import Policy

from crywolf.games import as_openspiel, check_game, load_game, registrations, rules_of, textbook
from crywolf.games.errors import GameError, ParameterError, UnsupportedGame
from crywolf.games.loading import game_name
from crywolf.games.rules import CHANCE, advance, start
from crywolf.games.textbook import TextbookGame
from crywolf.solvers import Profile, compile_tree, solve_zero_sum
from crywolf.solvers.identity import surely_same

NAMES = sorted(name for name in textbook.__all__ if name.islower())


def leaves(game):
    """The payoffs at the end of every play, by the names of its moves."""
    found = {}

    def walk(cursor, path):
        actions = () if game.mover(cursor.position) < CHANCE else game.actions(cursor.position)
        for action in actions:
            name = game.action_name(game.mover(cursor.position), action)
            walk(advance(game, cursor, action), (*path, name))
        if not actions:
            found[" ".join(path)] = game.payoffs(cursor.position)

    walk(start(game), ())
    return found


def backward_induction(game, node=None):
    """The payoffs of best moves from the end, where every set is a single node without ties."""
    node = start(game) if node is None else node
    mover = game.mover(node.position)
    if mover < CHANCE:
        return game.payoffs(node.position)
    values = [backward_induction(game, advance(game, node, a)) for a in game.actions(node.position)]
    return max(values, key=lambda value: value[mover])


def test_all_are_registered_under_their_names():
    assert len(NAMES) >= 20
    assert {
        r.short_name for r in registrations().values() if r.maker in vars(textbook).values()
    } == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_a_full_game_of_openspiel(name):
    make = getattr(textbook, name)
    game = pyspiel.load_game(name)
    rules = rules_of(game)
    assert isinstance(rules, TextbookGame)
    assert check_game(game).ok
    assert compile_tree(name).same_game(compile_tree(make()))
    assert str(as_openspiel(make())) == str(game) == f"{name}()"
    assert game_name(make()) == name
    assert leaves(pickle.loads(pickle.dumps(make()))) == leaves(make())
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    first = (inspect.getdoc(make) or "").splitlines()[0]
    assert registrations()[name].summary == first.rstrip(".")
    assert game.get_type().long_name == first.rstrip(".")


@pytest.mark.parametrize("name", NAMES)
def test_every_game_has_a_source(name):
    """A year, or the figure of a textbook."""
    assert any(
        f"({century}" in (inspect.getdoc(getattr(textbook, name)) or "")
        for century in ("17", "19", "20")
    )


@pytest.mark.parametrize("name", ["beer_quiche", "spence", "lemons"])
def test_a_prior_is_exact_in_the_string_and_as_a_symbol(name):
    make, (prior,) = getattr(textbook, name), registrations()[name].defaults
    game = pyspiel.load_game(f"{name}({prior}=1/7)")
    assert str(game) == f"{name}({prior}=1/7)"
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    rules = rules_of(game)
    assert rules is not None
    assert {p for _, p in rules.chance_outcomes(0)} == {F(1, 7), F(6, 7)}
    assert surely_same(rules, make("1/7"))
    assert not surely_same(rules, make("2/7"))
    p = sp.Symbol("p")
    symbolic = make(p)
    assert symbolic.symbols == (p,)
    assert set(symbolic.assumptions) == {p > 0, p < 1}
    assert leaves(symbolic) == leaves(make())
    assert str(as_openspiel(symbolic.subs({p: F(1, 7)}))) == str(game)
    assert str(load_game(f"{name}({prior}=0.25)")) == f"{name}({prior}=1/4)"
    assert symbolic.subs({p: 2 * p}).assumptions == (2 * p > 0, 2 * p < 1)
    assert game_name(symbolic) == name
    assert not surely_same(symbolic, make(sp.Symbol("p", positive=True)))
    assert pickle.loads(pickle.dumps(symbolic)).symbols == (p,)
    with pytest.raises(UnsupportedGame, match="symbols p"):
        load_game(symbolic)


@pytest.mark.parametrize(
    ("text", "error", "complaint"),
    [
        ("beer_quiche(weak=1)", ParameterError, "strictly between 0 and 1"),
        ("beer_quiche(weak=-1/10)", ParameterError, "strictly between 0 and 1"),
        ("beer_quiche(weak=p)", GameError, "'p' is not a number"),
        ("beer_quiche(strong=1/2)", ParameterError, "no parameter 'strong'; it has weak=1/10"),
        ("centipede(moves=0)", ParameterError, "from 1 to 100"),
        ("centipede(moves=1/2)", ParameterError, "not of type int"),
        ("entry(stores=2)", ParameterError, "it has none"),
    ],
)
def test_bad_parameters_are_refused(text, error, complaint):
    with pytest.raises(error, match=complaint):
        load_game(text)


def test_an_irrational_or_wrong_prior_is_refused():
    p = sp.Symbol("p")
    for wrong in (sp.sqrt(2) / 2, sp.Integer(2), F(0)):
        with pytest.raises(ParameterError, match="strictly between 0 and 1"):
            textbook.beer_quiche(wrong)
    with pytest.raises(GameError, match="float"):
        textbook.beer_quiche(0.1)
    with pytest.raises(ParameterError, match="strictly between 0 and 1"):
        textbook.beer_quiche(p).subs({p: 2})


@pytest.mark.parametrize(
    ("name", "path", "payoffs"),
    [
        ("selten_horse", "L R", (3, 2, 2)),
        ("selten_horse", "R L L", (0, 0, 1)),
        ("gibbons_4_1_1", "M L'", (0, 2)),
        ("gibbons_4_1_3", "D R R'", (0, 1, 1)),
        ("beer_quiche", "weak quiche retreat", (3, 0)),
        ("beer_quiche", "strong beer fight", (1, 0)),
        ("entry", "In Fight", (-1, -1)),
        ("bos_outside", "In W W", (1, 3)),
        ("burning_money", "burn T T", (2, 1)),
        ("cheap_talk", "t2 m1 a2", (3, 3)),
        ("stripped_poker", "black raise call", (-2, 2)),
        ("centipede", "pass pass pass take", (8, 32)),
        ("centipede(moves=6)", "pass pass pass pass pass take", (32, 128)),
        ("centipede(moves=6)", "pass pass pass pass pass pass", (256, 64)),
        ("chain_store", "in fight out", (0, 1, 5)),
        ("spence", "able study pay 2", (F(5, 4), 0)),
        ("lemons", "good offer 5 sell", (1, 1)),
        ("ultimatum", "low accept", (3, 1)),
        ("trust", "trust abuse", (-5, 15)),
        ("majority", "a b c", (2, 0, 1)),
        ("majority", "b b c", (1, 2, 0)),
    ],
)  # fmt: skip
def test_payoffs_are_those_of_the_source(name, path, payoffs):
    assert leaves(rules_of(load_game(name)))[path] == payoffs


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("entry", (1, 1)),
        ("chain_store", (2, 2, 4)),
        ("centipede", (4, 1)),
        ("centipede(moves=6)", (4, 1)),
        ("ultimatum", (3, 1)),
        ("trust", (0, 0)),
    ],
)
def test_backward_induction(name, values):
    assert backward_induction(rules_of(load_game(name))) == values


@pytest.mark.parametrize(("name", "value"), [("matching_pennies", 0), ("stripped_poker", 1 / 3)])
def test_values_of_zero_sum_games(name, value):
    assert solve_zero_sum(compile_tree(name)).value == pytest.approx(value, abs=1e-9)


def test_openspiel_evaluates_beer_quiche_at_its_pooling_equilibrium():
    tree = compile_tree("beer_quiche")
    pooling = {
        "P1: weak": {"beer": 1.0}, "P1: strong": {"beer": 1.0},
        "P2: beer": {"retreat": 1.0}, "P2: quiche": {"fight": 1.0},
    }  # fmt: skip
    policies: list[Policy] = [Profile.from_dict(tree, pooling).to_policy()] * 2
    values = expected_game_score.policy_value(tree.game.new_initial_state(), policies)
    assert list(values) == pytest.approx([2.9, 0.9])


def test_the_preset_with_the_printed_rules():
    rules = rules_of(pyspiel.load_game("onuw_robber3_official"))
    assert rules is not None
    assert rules.parameters["resolution"] == "official"
    assert rules.parameters["vote_order"] == "informed_first"
    assert rules.num_players == 3
