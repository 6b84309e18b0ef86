import pickle

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python import policy as openspiel

from crywolf.games import load_game
from crywolf.games.errors import PolicyError, PolicyFileError
from crywolf.games.extensive import ExtensiveGame, decision, leaf
from crywolf.solvers import GameTree, Profile
from crywolf.solvers.profile import states_at

from .conftest import compiled

GAMES = ["kuhn_poker", "kuhn_poker(players=3)", "onuw_robber3", "onuw_robber3_talk"]
games = st.sampled_from(GAMES)
seeds = st.integers(0, 2**32 - 1)


def random_profile(name: str, seed: int) -> Profile:
    return Profile.random(compiled(name), np.random.default_rng(seed))


@given(games, seeds)
def test_round_trips_change_nothing(name, seed):
    profile = random_profile(name, seed)
    tree = profile.tree
    assert Profile.from_policy(tree, profile.to_policy()) == profile
    assert Profile.from_policy(tree, profile.to_tabular()) == profile
    assert Profile.from_policy(tree, profile.to_pyspiel()) == profile
    assert Profile.from_dict(tree, profile.to_dict()) == profile
    by_name = {key: profile.strategy(key) for key in tree.keys}
    assert Profile.from_dict(tree, by_name) == profile


@given(games, seeds)
def test_files_change_nothing(tmp_path_factory, name, seed):
    profile = random_profile(name, seed)
    path = tmp_path_factory.mktemp("policies") / "policy.npz"
    profile.save(path)
    assert Profile.load(path, profile.tree) == profile
    assert [p.name for p in path.parent.iterdir()] == ["policy.npz"]  # no temporary file is left


@given(games, seeds)
def test_random_and_uniform_are_distributions(name, seed):
    profile = random_profile(name, seed)
    uniform = Profile.uniform(profile.tree)
    for key in profile.tree.keys:
        assert sum(profile.strategy(key).values()) == pytest.approx(1.0, abs=1e-12)
        assert len(set(uniform.strategy(key).values())) == 1
    assert (profile.probabilities[: profile.tree.num_players] == 1.0).all()


def test_random_is_dirichlet(kuhn):
    rng = np.random.default_rng(5)
    draws = np.array([Profile.random(kuhn, rng).probabilities[kuhn.slice(0)] for _ in range(4000)])
    assert draws.mean(axis=0) == pytest.approx([0.5, 0.5], abs=0.02)
    assert draws.var(axis=0) == pytest.approx([1 / 12, 1 / 12], abs=0.005)  # uniform on [0, 1]


def test_random_depends_on_the_generator_only(kuhn):
    assert random_profile("kuhn_poker", 3) == random_profile("kuhn_poker", 3)
    assert random_profile("kuhn_poker", 3) != random_profile("kuhn_poker", 4)
    assert Profile.uniform(kuhn) != "uniform"


@pytest.mark.parametrize("name", GAMES)
def test_from_openspiel_policies(tree_of, name):
    tree = tree_of(name)
    uniform = Profile.uniform(tree)
    assert Profile.from_policy(tree, openspiel.UniformRandomPolicy(tree.game)) == uniform
    assert Profile.from_policy(tree, openspiel.TabularPolicy(tree.game)) == uniform
    assert Profile.from_policy(tree, pyspiel.UniformRandomPolicy(tree.game)) == uniform
    first = Profile.from_policy(tree, openspiel.FirstActionPolicy(tree.game))
    assert first.strategy(tree.keys[0])[tree.action_names(0)[0]] == 1.0


def test_to_tabular_is_openspiels_own(tree_of):
    profile = random_profile("leduc_poker", 0)
    game = profile.tree.game
    ours, theirs = profile.to_tabular(), openspiel.TabularPolicy(game)
    assert set(ours.state_lookup) == set(theirs.state_lookup)
    for key, row in profile.to_dict().items():
        theirs.policy_for_key(key)[list(row)] = list(row.values())
        assert np.array_equal(ours.policy_for_key(key), theirs.policy_for_key(key))
    for player in range(2):
        assert set(ours.states_per_player[player]) == set(theirs.states_per_player[player])


def test_to_policy_answers_at_states_of_any_copy_of_the_game():
    profile = random_profile("onuw_robber3_talk", 1)
    policy = profile.to_policy()
    state = load_game("onuw_robber3_talk").new_initial_state()
    while not state.is_terminal():
        row = policy.action_probabilities(state)
        assert list(row) == state.legal_actions()
        assert row == policy.action_probabilities(state, state.current_player())
        state.apply_action(state.legal_actions()[0])
    other = pyspiel.load_game("kuhn_poker").new_initial_state()
    other.apply_action(0)
    other.apply_action(1)
    with pytest.raises(PolicyError, match="another game"):
        policy.action_probabilities(other)


@pytest.mark.parametrize("name", [*GAMES, "leduc_poker"])
def test_states_at(tree_of, name):
    tree = tree_of(name)
    for nodes in (tree.first_node, tree.last_node):
        seen = {}
        for h, state in states_at(tree, nodes):
            seen[h] = state.information_state_string()
            assert state.history() == tree.history(int(nodes[h]))
        assert seen == dict(enumerate(tree.keys))
    for h in range(tree.num_infosets):
        nodes = tree.nodes_of(h)
        assert (nodes[0], nodes[-1]) == (tree.first_node[h], tree.last_node[h])


class Peeking(openspiel.Policy):
    """Plays by the opponent's card, or by chance of its own."""

    def __init__(self, game, choose):
        super().__init__(game, [0, 1])
        self.choose = choose

    def action_probabilities(self, state, player_id=None):
        p = self.choose(state)
        first, second = state.legal_actions()
        return {first: p, second: 1 - p}


def test_policies_that_are_no_behaviour_strategies_are_refused(kuhn):
    rng = np.random.default_rng(0)
    peeks = Peeking(kuhn.game, lambda state: state.history()[1 - state.current_player()] / 2)
    throws = Peeking(kuhn.game, lambda state: rng.random())
    for policy in (peeks, throws):
        with pytest.raises(PolicyError, match="two histories of information set"):
            Profile.from_policy(kuhn, policy)
    own = Peeking(kuhn.game, lambda state: state.history()[state.current_player()] / 2)
    assert Profile.from_policy(kuhn, own).strategy("2") == {"Pass": 1.0, "Bet": 0.0}


def test_policies_are_asked_once_per_information_set(tree_of):
    tree = tree_of("leduc_poker")
    asked = []

    class Counting(openspiel.UniformRandomPolicy):
        def action_probabilities(self, state, player_id=None):
            asked.append(state.information_state_string(player_id))
            return super().action_probabilities(state, player_id)

    Profile.from_policy(tree, Counting(tree.game))
    assert sorted(asked) == sorted(tree.keys)


# ---------------------------------------------------------------------------------------- refusals


class Answering(openspiel.Policy):
    def __init__(self, game, answer):
        super().__init__(game, [0, 1])
        self.answer = answer

    def action_probabilities(self, state, player_id=None):
        return self.answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({}, "no distribution"),
        (None, "no distribution"),
        ([0.5, 0.5], "no distribution"),
        ({0: 0.5}, "sums to 0.5"),
        ({0: 0.7, 1: 0.7}, "sums to 1.4"),
        ({0: -0.5, 1: 1.5}, "not negative"),
        ({0: float("nan"), 1: 1.0}, "finite"),
        ({0: float("inf"), 1: 1.0}, "finite"),
        ({0: 0.5, 1: 0.25, 7: 0.25}, r"actions \[7\]; legal are 0 \(Pass\), 1 \(Bet\)"),
    ],
)
def test_bad_answers_are_refused_naming_the_information_set(kuhn, answer, words):
    with pytest.raises(PolicyError, match=words) as caught:
        Profile.from_policy(kuhn, Answering(kuhn.game, answer))
    assert any(repr(key) in str(caught.value) for key in kuhn.keys)


def test_probability_zero_on_an_illegal_action_and_left_out_actions_are_fine(kuhn):
    profile = Profile.from_policy(kuhn, Answering(kuhn.game, {1: 1.0, 2: 0.0}))
    assert set(profile.probabilities.tolist()) == {0.0, 1.0}


def test_answers_in_single_precision_are_normalised(kuhn):
    third = float(np.float32(1 / 3))
    off = {0: third, 1: 2 * third}
    assert 1e-9 < abs(sum(off.values()) - 1) < 1e-6
    profile = Profile.from_policy(kuhn, Answering(kuhn.game, off))
    assert profile.probabilities[kuhn.slice(0)] == pytest.approx([1 / 3, 2 / 3], abs=1e-15)


def test_our_own_errors_pass_through(kuhn, tree_of):
    with pytest.raises(PolicyError, match="kuhn_poker has no information set") as caught:
        Profile.from_policy(tree_of("leduc_poker"), Profile.uniform(kuhn).to_policy())
    assert "failed" not in str(caught.value)


def test_profiles_of_games_that_differ_only_in_payoffs_are_unequal():
    def profile(win: int) -> Profile:
        root = decision(0, "1", {"L": leaf(win), "R": leaf(0)})
        return Profile.uniform(GameTree.compile(ExtensiveGame("g", root)))

    assert profile(1) == profile(1)
    assert profile(1) != profile(2)


def test_incomplete_tables_are_refused(kuhn):
    with pytest.raises(PolicyError, match="no distribution"):
        Profile.from_policy(kuhn, pyspiel.TabularPolicy({"0": [(0, 1.0)]}))
    partial = openspiel.TabularPolicy(kuhn.game, players=(0,))
    with pytest.raises(PolicyError, match=r"'1p' \(P2\) failed: KeyError"):
        Profile.from_policy(kuhn, partial)


def test_small_errors_are_normalised_and_larger_ones_refused(kuhn):
    exact = Profile.uniform(kuhn).probabilities
    nudged = exact.copy()
    nudged[kuhn.slice(3)] *= 1 + 5e-10
    assert Profile(kuhn, nudged).probabilities == pytest.approx(exact, abs=1e-15)
    nudged[kuhn.slice(3)] *= 1 + 1e-8
    with pytest.raises(PolicyError, match="sum"):
        Profile(kuhn, nudged)
    with pytest.raises(PolicyError, match="sequences"):
        Profile(kuhn, exact[:-1])


def test_probabilities_are_a_read_only_copy(kuhn):
    mine = Profile.uniform(kuhn).probabilities.copy()
    profile = Profile(kuhn, mine)
    mine[5] = 7.0
    assert profile.probabilities[5] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        profile.probabilities[5] = 1.0


def test_from_dict_refuses_gaps_and_unknown_names(robber3):
    table = Profile.uniform(robber3).to_dict()
    names = {key: dict(row) for key, row in table.items()}
    key = robber3.keys[0]
    with pytest.raises(PolicyError, match="1 of 6 information sets"):
        Profile.from_dict(robber3, {k: v for k, v in names.items() if k != key})
    with pytest.raises(PolicyError, match="no information set 'P9'"):
        Profile.from_dict(robber3, names | {"P9": {0: 1.0}})
    with pytest.raises(PolicyError, match="no action 'fly'"):
        Profile.from_dict(robber3, names | {key: {"fly": 1.0}})
    with pytest.raises(PolicyError, match="no action 99"):
        Profile.from_dict(robber3, names | {key: {99: 1.0}})
    twice = {robber3.legal[0][0]: 0.5, robber3.action_names(0)[0]: 0.5}
    with pytest.raises(PolicyError, match="by name and number"):
        Profile.from_dict(robber3, names | {key: twice})
    with pytest.raises(PolicyError, match="no information set"):
        Profile.uniform(robber3).strategy("P9")


# ------------------------------------------------------------------------------------------- files


@pytest.fixture
def saved(tmp_path, kuhn):
    path = tmp_path / "policy.npz"
    Profile.uniform(kuhn).save(path)
    return path


def test_missing_and_unwritable_files(tmp_path, kuhn):
    with pytest.raises(PolicyFileError, match="no policy file"):
        Profile.load(tmp_path / "nothing.npz", kuhn)
    with pytest.raises(PolicyFileError, match="cannot be read"):
        Profile.load(tmp_path, kuhn)
    (tmp_path / "file").touch()
    for path in (tmp_path / "no folder" / "p.npz", tmp_path / "file" / "p.npz", tmp_path, ""):
        with pytest.raises(PolicyFileError, match="cannot write"):
            Profile.uniform(kuhn).save(path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_every_truncation_is_noticed(saved, kuhn):
    content = saved.read_bytes()
    for length in range(0, len(content), 7):
        saved.write_bytes(content[:length])
        with pytest.raises(PolicyFileError):
            Profile.load(saved, kuhn)


@given(st.data())
def test_every_flipped_byte_is_noticed_or_harmless(tmp_path_factory, data):
    kuhn = compiled("kuhn_poker")
    path = tmp_path_factory.mktemp("policies") / "policy.npz"
    Profile.uniform(kuhn).save(path)
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    try:
        loaded = Profile.load(path, kuhn)
    except PolicyFileError:
        return
    assert loaded == Profile.uniform(kuhn)  # a byte that means nothing, such as a time stamp


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04", pickle.dumps({"a": 1})])
def test_foreign_files(saved, kuhn, content):
    saved.write_bytes(content)
    with pytest.raises(PolicyFileError, match=r"policy\.npz"):
        Profile.load(saved, kuhn)


def test_foreign_arrays_and_archives(saved, kuhn):
    np.savez(saved, a=np.ones(3))
    with pytest.raises(PolicyFileError, match="no policy file of crywolf"):
        Profile.load(saved, kuhn)
    with open(saved, "wb") as file:
        np.save(file, np.ones(3))
    with pytest.raises(PolicyFileError, match="no policy file of crywolf"):
        Profile.load(saved, kuhn)
    np.savez(saved, format=np.array("crywolf policy"), version=np.array(99))
    with pytest.raises(PolicyFileError, match="version 99"):
        Profile.load(saved, kuhn)
    np.savez(saved, format=np.array("crywolf policy"), version=np.array(1))
    with pytest.raises(PolicyFileError, match="lacks parts"):
        Profile.load(saved, kuhn)


def test_another_game_is_refused_naming_both(saved, robber3):
    with pytest.raises(PolicyError, match=r"kuhn_poker\(players=2\).*onuw\(") as caught:
        Profile.load(saved, robber3)
    assert not isinstance(caught.value, PolicyFileError)


def test_the_same_game_through_other_doors_is_accepted(saved):
    tree = GameTree.compile(pyspiel.load_game("kuhn_poker(players=2)"))
    assert Profile.load(saved, tree) == Profile.uniform(tree)


def test_saving_replaces_a_file(saved, kuhn):
    profile = random_profile("kuhn_poker", 8)
    profile.save(saved)
    assert Profile.load(saved, kuhn) == profile


# ------------------------------------------------------------------------------------------- words


def test_words(kuhn, tree_of):
    profile = Profile.uniform(kuhn)
    assert "12 information sets" in repr(profile)
    table = profile._repr_html_()
    assert table.count("<tr>") == 13
    assert "Pass&nbsp;0.5, Bet&nbsp;0.5" in table
    long = Profile.uniform(tree_of("leduc_poker"))._repr_html_()
    assert "876 more information sets" in long
    assert len(long) < 30_000
