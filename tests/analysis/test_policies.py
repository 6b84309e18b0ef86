"""Policies by name, from files and from code."""

import textwrap
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel

from crywolf.analysis.policies import RandomPolicy, resolve_policy
from crywolf.games.errors import PolicyError, PolicyFileError
from crywolf.solvers import GameTree, Profile

CODE = """
    from open_spiel.python import policy
    import pyspiel

    def python(game):
        return policy.UniformRandomPolicy(game)

    def compiled(game):
        return pyspiel.UniformRandomPolicy(game)

    def number(game):
        return 3

    def broken(game):
        raise KeyError("mine")

    not_callable = 3
"""


@pytest.fixture(scope="module")
def game() -> pyspiel.Game:
    return pyspiel.load_game("kuhn_poker")


@pytest.fixture(scope="module")
def tree(game: pyspiel.Game) -> GameTree:
    return GameTree.compile(game)


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "my_package"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "my_policies.py").write_text(textwrap.dedent(CODE))
    (folder / "my_bug.py").write_text("import no_such_module_xyz\n")
    monkeypatch.syspath_prepend(tmp_path)
    return "my_package.my_policies"


def test_objects_come_back_as_they_are(game: pyspiel.Game, tree: GameTree):
    for policy in (
        Profile.uniform(tree),
        openspiel.UniformRandomPolicy(game),
        pyspiel.UniformRandomPolicy(game),
    ):
        assert resolve_policy(policy, game).policy is policy


def test_uniform(game: pyspiel.Game, tree: GameTree):
    with_tree = resolve_policy("uniform", game, tree)
    assert with_tree.label == "uniform"
    assert with_tree.policy == Profile.uniform(tree)
    assert isinstance(resolve_policy("uniform", game).policy, openspiel.UniformRandomPolicy)


def test_random_is_a_function_of_seed_and_information_state(game: pyspiel.Game, tree: GameTree):
    named = resolve_policy("random:7", game)
    assert named.label == "random:7"
    one = Profile.from_policy(tree, named.policy)
    assert one == Profile.from_policy(tree, RandomPolicy(game, 7))
    assert one != Profile.from_policy(tree, RandomPolicy(game, 8))
    assert one == resolve_policy("random:7", None, tree).policy
    # Two different sets with the same actions get different distributions.
    assert one.strategy("0") != one.strategy("1")


def test_random_is_uniform_on_the_simplex(game: pyspiel.Game):
    state = game.new_initial_state()
    state.apply_action(0)
    state.apply_action(1)
    draws = [RandomPolicy(game, seed).action_probabilities(state)[0] for seed in range(2000)]
    assert np.mean(draws) == pytest.approx(0.5, abs=0.02)
    assert np.var(draws) == pytest.approx(1 / 12, abs=0.01)


def test_files(game: pyspiel.Game, tree: GameTree, tmp_path: Path):
    path = tmp_path / "policy.npz"
    saved = Profile.random(tree, np.random.default_rng(0))
    saved.save(path)
    assert resolve_policy(str(path), game, tree).policy == saved
    with pytest.raises(PolicyError, match="max_nodes"):
        resolve_policy(str(path), game)
    with pytest.raises(PolicyFileError, match="no policy file"):
        resolve_policy(str(tmp_path / "other.npz"), game, tree)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(PolicyFileError, match="truncated"):
        resolve_policy(str(path), game, tree)


def test_code(game: pyspiel.Game, code: str):
    assert isinstance(resolve_policy(f"{code}:python", game).policy, openspiel.Policy)
    named = resolve_policy(f"{code}:compiled", game)
    assert isinstance(named.policy, pyspiel.Policy)
    assert named.label == f"{code}:compiled"


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (":number", "returned int"),
        (":broken", "KeyError: 'mine'"),
        (":missing", "has no function missing"),
        (":not_callable", "TypeError"),
    ],
)
def test_failing_code_is_chained(game: pyspiel.Game, code: str, suffix: str, text: str):
    with pytest.raises(PolicyError, match=text) as caught:
        resolve_policy(code + suffix, game)
    assert (caught.value.__cause__ is None) == (suffix == ":number")


def test_modules_that_cannot_be_imported(game: pyspiel.Game, code: str):
    with pytest.raises(PolicyError, match="no module not_here"):
        resolve_policy("not_here.at_all:f", game)
    with pytest.raises(PolicyError, match="no_such_module_xyz"):  # the user's import, not ours
        resolve_policy("my_package.my_bug:f", game)


@pytest.mark.parametrize(
    "text",
    [
        "", "uniformly", "random", "random:", "random:x", "random:-1", "random:1.5", "random:٣",
        "a.b", "a b:c", "a.b:c.d", "a..b:c", ":f", "m:", "policy.npy", "/tmp", "1:f", "é-x:f",
    ],
)  # fmt: skip
def test_malformed_names_show_the_four_forms(game: pyspiel.Game, text: str):
    with pytest.raises(PolicyError) as caught:
        resolve_policy(text, game)
    for form in ("uniform", "random:SEED", ".npz", "package.module:function"):
        assert form in str(caught.value)


@pytest.mark.parametrize("thing", [None, 3, {"0": {0: 1.0}}, object])
def test_other_objects_are_refused(game: pyspiel.Game, thing: object):
    with pytest.raises(PolicyError, match="is not a policy"):
        resolve_policy(thing, game)
