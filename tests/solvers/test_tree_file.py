"""Compiled trees in files: exact as they were, and anything damaged or foreign refused by name."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pyspiel
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from crywolf.analysis.evaluation import nash_conv as scored
from crywolf.games import check_game, load_game
from crywolf.games.archive import ArchiveKind
from crywolf.games.errors import InexactError, TreeFileError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree, Profile, compile_tree, evaluate_exact, nash_conv, solve
from crywolf.solvers import tree as tree_module
from crywolf.solvers.checkpoint import fingerprint
from crywolf.solvers.efg_export import to_efg
from crywolf.solvers.exact_json import decode, encode
from crywolf.solvers.identity import same_by_names
from crywolf.solvers.tree_file import KIND, NODE_COLUMNS

from .test_tree import BrokenGame
from .two_player_games import random_game

X, Y = sympy.Symbol("x", positive=True), sympy.Symbol("y")
GAMES = [
    "kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "onuw_robber3", "onuw_robber3_talk",
    "onuw(players=3,centre=1,roles=werewolf+seer+robber+villager,vote_order=seat)",
]  # fmt: skip


def symbolic() -> GameTree:
    moves = {"L": leaf(X * 2 + Y**2, 1), "R": leaf(sympy.sqrt(2) * sympy.pi, Fraction(-1, 3))}
    outcomes = {"a": (X / 2, decision(0, "1", moves)), "b": (1 - X / 2, leaf(0, 0))}
    return GameTree.compile(ExtensiveGame("symbolic", chance(outcomes)))


def saved(tree: GameTree, folder) -> GameTree:
    path = folder / "game.tree"
    tree.save(path)
    return GameTree.load(path)


@pytest.mark.parametrize("name", GAMES)
def test_a_tree_comes_back(tree_of, tmp_path, name):
    tree = tree_of(name)
    again = saved(tree, tmp_path)
    for column in tree.__dataclass_fields__:
        if column != "origin":
            one, other = getattr(tree, column), getattr(again, column)
            assert type(one) is type(other)
            if isinstance(one, np.ndarray):
                assert np.array_equal(one, other), column
                assert one.dtype == other.dtype
            else:
                assert one == other
    types = [type(u) for row in tree.payoffs for u in row]
    assert [type(u) for row in again.payoffs for u in row] == types
    assert again.rationalised == tree.rationalised
    assert again.game_string == tree.game_string
    assert again.same_game(tree)
    assert fingerprint(again) == fingerprint(tree)
    assert str(again.game) == str(tree.game)  # loaded from the game string
    assert [again.action_names(h) for h in range(3)] == [tree.action_names(h) for h in range(3)]
    assert again.history_words(tree.num_nodes - 1) == tree.history_words(tree.num_nodes - 1)


def test_policies_and_checkpoints_serve_the_tree_from_a_file(tree_of, tmp_path):
    tree = tree_of("leduc_poker")
    again = saved(tree, tmp_path)
    solve(tree, "cfr+", 20, checkpoint=tmp_path / "run.npz")
    found = solve(again, "cfr+", 40, checkpoint=tmp_path / "run.npz")
    assert found.profile == solve(tree, "cfr+", 40).profile
    found.profile.save(tmp_path / "policy.npz")
    assert Profile.load(tmp_path / "policy.npz", tree) == found.profile


def test_a_path_is_a_game(tree_of, tmp_path):
    tree = tree_of("kuhn_poker")
    tree.save(tmp_path / "kuhn.tree")
    again = compile_tree(str(tmp_path / "kuhn.tree"))
    assert nash_conv(Profile.uniform(again)) == nash_conv(Profile.uniform(tree))


def test_the_game_is_loaded_only_when_it_is_asked_for(tree_of, tmp_path, monkeypatch):
    again = saved(tree_of("leduc_poker"), tmp_path)
    monkeypatch.setattr("crywolf.games.saved.load_game", lambda text: pytest.fail(text))
    profile = solve(again, "cfr+", 10).profile
    assert nash_conv(profile) > 0.0
    assert again.same_game(tree_of("leduc_poker"))
    assert not again.same_game(tree_of("kuhn_poker"))


def test_numbers_and_names_of_a_game_without_a_game_string(tmp_path):
    tree = GameTree.compile(random_game(3, zero_sum=False))
    again = saved(tree, tmp_path)
    uniform = [Fraction(1)] * tree.num_players
    uniform += [Fraction(1, int(k)) for k in tree.num_actions for _ in range(k)]
    assert evaluate_exact(again, uniform) == evaluate_exact(tree, uniform)
    names = [tree.action_names(h) for h in range(tree.num_infosets)]
    assert [again.action_names(h) for h in range(tree.num_infosets)] == names
    twice = saved(again, tmp_path)
    assert [twice.action_names(h) for h in range(tree.num_infosets)] == names
    for ask in (lambda: again.game, lambda: again.rules, lambda: again.source):
        with pytest.raises(TreeFileError, match=r"random_3 is known from the file.*no game string"):
            ask()
    words = [tree.history_words(node) for node in range(tree.num_nodes)]
    assert [twice.history_words(node) for node in range(tree.num_nodes)] == words
    assert twice.merged().action_names(0) == tree.merged().action_names(0)


def test_a_game_without_a_game_string_goes_on_to_an_efg_file(tmp_path):
    tree = GameTree.compile(random_game(3, zero_sum=False))
    file = to_efg(saved(tree, tmp_path))
    again = GameTree.compile(file.game())
    assert same_by_names(again, tree)
    assert again.exact_tables == tree.exact_tables
    words = [tree.history_words(node) for node in range(tree.num_nodes)]
    assert [again.history_words(node) for node in range(tree.num_nodes)] == words
    assert to_efg(saved(again, tmp_path)) == file


def test_a_file_from_before_outcomes_had_names_is_read_and_says_so(tmp_path):
    path = tmp_path / "game.tree"
    GameTree.compile(random_game(3, zero_sum=False)).save(path)
    facts, arrays = KIND.read(path)
    KIND.write(path, facts | {"action_names": []}, arrays)
    with pytest.raises(TreeFileError, match="the names of its actions do not fit"):
        GameTree.load(path)
    del facts["outcome_names"], facts["title"]
    KIND.write(path, facts, arrays)
    tree = GameTree.load(path)
    assert tree.title == tree.name == "random_3"
    with pytest.raises(TreeFileError, match="does not hold the names of chance's outcomes"):
        to_efg(tree)


def test_the_path_of_a_tree_is_a_game_wherever_games_are_loaded(tree_of, tmp_path):
    path = str(tmp_path / " blank.tree")  # a path is taken as it is
    tree_of("onuw_robber3").save(path)
    assert str(load_game(path)) == str(load_game("onuw_robber3"))
    assert check_game(path, max_nodes=100).ok
    assert compile_tree(path).num_nodes == tree_of("onuw_robber3").num_nodes
    assert scored(path, "uniform").kind == "exact"
    GameTree.compile(random_game(3, zero_sum=False)).save(path)
    with pytest.raises(TreeFileError, match=r"no game string.*crywolf convert"):
        load_game(path)
    with pytest.raises(TreeFileError, match="there is no compiled tree"):
        load_game(str(tmp_path / "none.tree"))
    KIND.write(path, {"name": "g"}, {})
    with pytest.raises(TreeFileError, match="lacks parts"):
        load_game(path)
    KIND.write(path, {"name": "g", "game": 3, "game_string": "g()"}, {})
    with pytest.raises(TreeFileError, match="lacks parts"):
        load_game(path)


def test_unregistered_openspiel_games_keep_their_numbers(tmp_path):
    again = saved(GameTree.compile(BrokenGame("none")), tmp_path)
    assert again.num_nodes == 15
    assert again.action_names(0) == ("move0", "move1")
    with pytest.raises(TreeFileError, match="compile the game itself"):
        _ = again.game


def test_a_game_string_that_stands_for_another_game_now_is_refused(tree_of, tmp_path, monkeypatch):
    again = saved(tree_of("kuhn_poker"), tmp_path)
    other = pyspiel.load_game("kuhn_poker(players=3)")
    monkeypatch.setattr("crywolf.games.saved.load_game", lambda text: other)
    with pytest.raises(TreeFileError, match=r"now is kuhn_poker\(players=3\)"):
        _ = again.source


def test_symbols_come_back(tmp_path):
    tree = symbolic()
    again = saved(tree, tmp_path)
    assert again.exact_tables == tree.exact_tables
    assert sympy.sympify(again.payoffs[0][0]).free_symbols == {X, Y}
    with pytest.raises(InexactError, match="subs"):
        _ = again.weight


def test_a_number_without_a_safe_form_is_refused(tmp_path):
    f = sympy.Function("f")
    tree = GameTree.compile(ExtensiveGame("odd", decision(0, "1", {"a": leaf(f(X)), "b": leaf(X)})))
    with pytest.raises(TreeFileError, match=r"odd cannot be saved: the number f\(x\) has no exact"):
        tree.save(tmp_path / "odd.tree")
    assert list(tmp_path.iterdir()) == []


@given(st.one_of(st.floats(allow_nan=False), st.integers(), st.fractions()))
def test_numbers_come_back(value):
    again = decode(json.loads(json.dumps(encode(value))))
    assert (again, type(again)) == (value, type(value))


@given(
    st.recursive(
        st.one_of(
            st.sampled_from([X, Y, sympy.pi, sympy.E, sympy.Symbol("n", integer=True)]),
            st.fractions(max_denominator=9).map(
                lambda p: sympy.Rational(p.numerator, p.denominator)
            ),
        ),
        lambda inner: st.one_of(
            st.builds(sympy.Add, inner, inner), st.builds(sympy.Mul, inner, inner),
            st.builds(sympy.Max, st.just(X), st.just(X + 1)), inner.map(sympy.Abs),
            st.builds(sympy.Pow, st.just(X), inner),
        ),
        max_leaves=6,
    )
)  # fmt: skip
def test_expressions_come_back_or_are_refused(value):
    try:
        code = encode(value)
    except InexactError:
        assert value.has(sympy.zoo, sympy.nan, sympy.oo, sympy.Derivative, sympy.arg)
        return
    assert decode(json.loads(json.dumps(code))) == value


# ---------------------------------------------------------------------------------------- refusals


def test_huge_numbers_come_back():
    big = Fraction(10**5000 + 1, 3**9000)
    assert decode(encode(big)) == big


def test_damaged_files_are_refused(kuhn, tmp_path):
    path = tmp_path / "kuhn.tree"
    kuhn.save(path)
    whole = path.read_bytes()
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(TreeFileError, match="cannot be read as a compiled tree"):
            GameTree.load(path)
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(whole), 300).tolist():
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            again = GameTree.load(path)
        except TreeFileError:
            continue
        assert fingerprint(again) == fingerprint(kuhn)  # a byte that means nothing, such as a date
        assert again.game_string == kuhn.game_string


def test_other_files_are_refused(kuhn, tmp_path):
    with pytest.raises(TreeFileError, match=r"there is no compiled tree .*GameTree\.save writes"):
        GameTree.load(tmp_path / "none.tree")
    path = tmp_path / "policy.npz"
    Profile.uniform(kuhn).save(path)
    with pytest.raises(TreeFileError, match="is no compiled tree of crywolf"):
        GameTree.load(path)
    with pytest.raises(TreeFileError, match="cannot write"):
        kuhn.save(tmp_path / "missing" / "kuhn.tree")


def test_other_versions_are_refused(kuhn, tmp_path, monkeypatch):
    path = tmp_path / "kuhn.tree"
    future = ArchiveKind(KIND.name, KIND.version + 1, KIND.error, KIND.cure)
    monkeypatch.setattr("crywolf.solvers.tree_file.KIND", future)
    kuhn.save(path)
    monkeypatch.undo()
    with pytest.raises(TreeFileError, match="has version 2 of the format; this crywolf reads 1"):
        GameTree.load(path)


class Trap:
    def __reduce__(self):
        return pytest.fail, ("code of the file was run",)


def test_nothing_is_unpickled(tmp_path):
    path = tmp_path / "trap.tree"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(TreeFileError, match="cannot be read"):
        GameTree.load(path)
    with open(path, "wb") as file:
        np.savez(file, format=np.array([Trap()], object), allow_pickle=True)
    with pytest.raises(TreeFileError, match="cannot be read"):
        GameTree.load(path)


def spoil(facts, arrays, flaw):
    """Changes what a file says, the checksum made right."""
    match flaw:
        case "parent beyond":
            arrays["parent"][1] = 1000
        case "parent after":
            arrays["parent"][2] = 5
        case "two roots":
            arrays["parent"][3] = -1
        case "not depth first":
            arrays["parent"][-1] = 1
        case "set beyond":
            arrays["node_infoset"][arrays["node_infoset"] == 3] = 1000
        case "set of a leaf":
            arrays["node_infoset"][arrays["player"] == -4] = 0
        case "set never met":
            arrays["node_infoset"][arrays["node_infoset"] == 3] = 2
        case "mover beyond":
            arrays["player"][arrays["player"] == 1] = 7
        case "mover of another set":
            arrays["owner"][:] = np.sort(1 - arrays["owner"])[::-1]
        case "more actions":
            facts["menus"][0].append(9)
        case "no actions":
            facts["menus"][0] = []
        case "payoff beyond":
            arrays["payoff"][-1] = 100
        case "no payoff":
            arrays["payoff"][-1] = -1
        case "probability of a move":
            arrays["probability"][-1] = 0
        case "payoffs for three":
            facts["payoffs"][0].append(1.0)
        case "infinite payoff":
            facts["payoffs"][0][0] = float("inf")
        case "code for a number":
            facts["payoffs"][0][0] = "__import__('os')"
        case "call for a number":
            facts["payoffs"][0][0] = ["Function", "f"]
        case "number too large":
            facts["payoffs"][0][0] = ["Pow", ["Rational", "2/1"], ["Rational", "ffffffffffff/1"]]
        case "short column":
            arrays["action"] = arrays["action"][:-1]
        case "floats":
            arrays["parent"] = arrays["parent"].astype(float)
        case "keys cut":
            arrays["key_bytes"] = arrays["key_bytes"][:-1]
        case "one key twice":
            arrays["key_lengths"][:] = 0
            arrays["key_bytes"] = arrays["key_bytes"][:0]
        case "no name":
            facts["name"] = None
        case "a column missing":
            del arrays["parent"]
        case "a fact missing":
            del facts["menus"]
        case "empty":
            arrays.update({column: arrays[column][:0] for column in NODE_COLUMNS})


@pytest.mark.parametrize(
    "flaw",
    [
        "parent beyond", "parent after", "two roots", "not depth first", "set beyond",
        "set of a leaf", "set never met", "mover beyond", "mover of another set", "more actions",
        "no actions", "payoff beyond", "no payoff", "probability of a move", "payoffs for three",
        "infinite payoff", "code for a number", "call for a number", "number too large", "short column",
        "floats", "keys cut", "one key twice", "no name", "a column missing", "a fact missing",
        "empty",
    ],
)  # fmt: skip
def test_files_of_no_tree_are_refused_whatever_their_checksum(kuhn, tmp_path, flaw):
    path = tmp_path / "kuhn.tree"
    kuhn.save(path)
    facts, arrays = KIND.read(path)
    arrays = {name: array.copy() for name, array in arrays.items()}
    spoil(facts, arrays, flaw)
    KIND.write(path, facts, arrays)
    with pytest.raises(TreeFileError, match="lacks parts of a compiled tree or has broken ones"):
        GameTree.load(path)


def test_loading_walks_no_game(tree_of, tmp_path, monkeypatch):
    tree_of("leduc_poker").save(tmp_path / "leduc.tree")
    monkeypatch.setattr(tree_module, "walk_pyspiel", lambda *_: pytest.fail("walked"))
    monkeypatch.setattr(tree_module, "walk_rules", lambda *_: pytest.fail("walked"))
    assert GameTree.load(tmp_path / "leduc.tree").num_nodes == 9457


def test_names_of_any_alphabet_come_back(tmp_path):
    moves = {"ü": leaf(1), "\ud800": leaf(2)}  # a lone surrogate, as a damaged name may have
    tree = GameTree.compile(ExtensiveGame("Grüße", decision(0, "größer", moves)))
    again = saved(tree, tmp_path)
    assert (again.keys, again.name) == (("P1: größer",), "Grüße")
    assert again.action_names(0) == ("ü", "\ud800")
