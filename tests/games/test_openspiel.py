"""The OpenSpiel adapter: registration, errors, honest declarations, and OpenSpiel's own tests."""

import copy
import gc
import pickle
import subprocess
import sys
import unittest
from collections import Counter
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pyspiel
import pytest
import sympy
from open_spiel.integration_tests import api_test
from open_spiel.python import policy
from open_spiel.python.algorithms import expected_game_score, exploitability

from crywolf.games import (
    CHANCE,
    TERMINAL,
    Onuw,
    Rules,
    RulesGame,
    RulesState,
    Step,
    advance,
    as_openspiel,
    load_game,
    register,
    registrations,
    rules_of,
    start,
)
from crywolf.games.errors import (
    CrywolfError,
    IllegalMove,
    ParameterError,
    UnknownGame,
    UnsupportedGame,
)
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.loading import game_name

Utility = pyspiel.GameType.Utility
ChanceMode = pyspiel.GameType.ChanceMode


def random_states(game: pyspiel.Game, seed: int = 0, plays: int = 20) -> list[Any]:
    """Every state of some random plays."""
    rng = np.random.default_rng(seed)
    states = []
    for _ in range(plays):
        state = game.new_initial_state()
        states.append(state)
        while not state.is_terminal():
            state = state.child(int(rng.choice(state.legal_actions())))
            states.append(state)
    return states


# ------------------------------------------------------------------------- names and parameters


def test_presets_are_registered_with_openspiel_and_carry_their_rules(preset: str):
    game = pyspiel.load_game(preset)
    assert isinstance(game, RulesGame)
    assert isinstance(game.rules, Onuw)
    assert game.rules.parameters == registrations()[preset].defaults
    assert str(game) == f"{preset}()"
    assert rules_of(game) is game.rules


def test_a_preset_is_onuw_with_other_defaults():
    long = (
        "onuw(players=3,centre=0,roles=2werewolf+robber,deal=fixed,resolution=paper,"
        "vote_order=informed_first,talk=none,lone_wolf_looks=False)"
    )
    long_form, preset = load_game(long), load_game("onuw_robber3")
    assert isinstance(long_form, RulesGame)
    assert isinstance(preset, RulesGame)
    assert long_form.rules.parameters == preset.rules.parameters
    talk = rules_of(load_game("onuw_robber3(talk=robber)"))
    assert talk is not None
    assert talk.parameters == registrations()["onuw_robber3_talk"].defaults


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (Onuw(), "onuw"),
        (
            Onuw(4, 2, "2werewolf+seer+robber+2villager", lone_wolf_looks=True),
            "onuw(centre=2,lone_wolf_looks=True,players=4)",
        ),
        (ExtensiveGame("mine", leaf(1)), "mine"),
        (ExtensiveGame("onuw", leaf(1)), "onuw"),  # not the registered class of that name
    ],
)
def test_names_of_rules_hold_what_is_not_default(rules: Rules[Any], name: str):
    assert game_name(rules) == name
    if isinstance(rules, Onuw):
        assert rules_of(load_game(name)).parameters == rules.parameters  # type: ignore[union-attr]
        assert game_name(as_openspiel(rules)) == name


def test_what_load_game_takes():
    game = load_game("  onuw( players = 4 , centre=2 ) ")
    assert str(game) == "onuw(centre=2,players=4)"
    assert load_game(game) is game
    rules = Onuw(4, 2)
    assert rules_of(load_game(rules)) is rules
    assert str(load_game(rules)) == str(game)
    assert rules_of(rules) is rules
    assert rules_of(load_game("kuhn_poker(players=3)")) is None
    nested = "turn_based_simultaneous_game(game=goofspiel(imp_info=True,num_cards=3))"
    assert load_game(nested).num_players() == 2
    assert str(load_game("onuw(lone_wolf_looks=true)")) == "onuw(lone_wolf_looks=True)"


@pytest.mark.parametrize("load", [load_game, pyspiel.load_game])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("onuw(players=77)", "players=77: choose 3 to 10"),
        ("onuw(roles=2werewolf+sheriff)", "'sheriff' is not a role"),
        ("onuw_robber3(players=4)", "3 cards, but 4 players and 0 centre cards need 4"),
        ("onuw(talk=robber)", "it needs deal=fixed"),
    ],
)
def test_what_the_rules_refuse_reaches_the_user(load: Any, text: str, complaint: str):
    with pytest.raises(ParameterError, match=complaint):
        load(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("onuw(player=3)", "no parameter 'player'; it has players=3, centre=3"),
        ("onuw(players=many)", "players=many is not of type int; the default is 3"),
        ("onuw(lone_wolf_looks=1)", "lone_wolf_looks=1 is not of type bool"),
        ("onuw(roles=2werewolf,robber)", "'robber' is not of the form name=value"),
        ("onuw(players=3", "the brackets do not match"),
        ("onuw(roles=(a)", "the brackets do not match"),
        ("onuw)", "did you mean onuw"),
        ("liars_dice(foo=3)", "Unknown parameter 'foo'"),
    ],
)
def test_malformed_parameters_are_refused(text: str, complaint: str):
    with pytest.raises((ParameterError, UnknownGame), match=complaint.replace("(", r"\(")):
        load_game(text)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("onuv", "did you mean onuw"),
        ("onuw_rober3", "did you mean onuw_robber3"),
        ("leduc", "leduc_poker"),
        ("python_kuhn_pokr", "import open_spiel.python.games"),
        ("", "try one of onuw, "),
        (3, "int is no game"),
    ],
)
def test_an_unknown_game_is_answered_with_close_names(name: Any, hint: str):
    with pytest.raises(UnknownGame, match=hint):
        load_game(name)


# ----------------------------------------------------------------------- copies, pickles, lifetimes


def test_games_and_states_survive_every_way_of_copying(onuw_game: str):
    game = load_game(onuw_game)
    rng = np.random.default_rng(1)
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(int(rng.choice(state.legal_actions())))
    for game_copy, state_copy in (
        pickle.loads(pickle.dumps((game, state))),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state)),
        copy.deepcopy((game, state)),
        (pyspiel.load_game(str(game)), state.clone()),
    ):
        assert isinstance(game_copy, RulesGame)
        assert isinstance(state_copy, RulesState)
        assert game_copy.rules.parameters == game.rules.parameters
        assert (str(game_copy), str(state_copy)) == (str(game), str(state))
        assert state_copy.history() == state.history()
        assert state_copy.record.cursor == state.record.cursor
        assert state_copy.get_game().rules.parameters == game.rules.parameters
        state_copy.apply_action(state_copy.legal_actions()[0])
        assert len(state.history()) == 2


def test_rules_survive_pickling_with_their_caches():
    rules = pickle.loads(pickle.dumps(Onuw(4, 0, "werewolf+seer+robber+villager")))
    assert rules.parameters == Onuw(4, 0, "werewolf+seer+robber+villager").parameters
    random_states(as_openspiel(rules), plays=3)


def test_a_state_keeps_its_game_alive():
    state = pyspiel.load_game("onuw_robber3").new_initial_state()
    gc.collect()
    assert state.get_game().rules.num_players == 3


def test_a_state_holds_one_attribute_that_copies_to_itself():
    state = load_game("onuw_robber3").new_initial_state()
    assert list(vars(state)) == ["record"]
    assert copy.deepcopy(state.record) is state.record
    assert copy.copy(state.record) is state.record
    assert state.clone().record is state.record


def test_a_process_that_registered_games_exits_cleanly():
    # OpenSpiel drops its game creators after the interpreter: plain functions would abort here.
    code = "import crywolf.games, pyspiel; pyspiel.load_game('onuw_robber3').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# ------------------------------------------------------------------------------------------- play


def test_an_illegal_action_raises_and_changes_nothing():
    state = load_game("onuw_robber3").new_initial_state()
    before = str(state)
    for action in (3, -2, 10**6):
        with pytest.raises(IllegalMove, match=r"not legal for P3; legal: 0 \(NS\)"):
            state.apply_action(action)
    assert (str(state), state.history()) == (before, [])
    dealt = load_game("onuw").new_initial_state()
    with pytest.raises(IllegalMove, match="not legal for chance"):
        dealt.apply_action(4)
    with pytest.raises(CrywolfError):
        state.chance_outcomes()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(IllegalMove, match="over"):
        state.apply_action(0)


def test_the_words_of_a_play():
    state = load_game("onuw_robber3").new_initial_state()
    assert [state.action_to_string(a) for a in state.legal_actions()] == ["NS", "S1", "S2"]
    state.apply_action(2)
    assert state.information_state_string(2) == "P3: dealt Robber; S2; now Werewolf"
    assert state.observation_string(2) == "S2; now Werewolf"
    assert state.observation_string(0) == ""
    assert state.information_state_string(0) == "P1: dealt Werewolf; Werewolves P1 P2"
    assert "now: P1 Werewolf, P2 Robber, P3 Werewolf" in str(state)


def test_states_and_rules_agree_on_every_play(onuw_game: str):
    game = load_game(onuw_game)
    rules = rules_of(game)
    assert rules is not None
    for state in random_states(game):
        cursor = start(rules)
        for action in state.history():
            cursor = advance(rules, cursor, action)
        position = cursor.position
        assert state.current_player() == rules.mover(position)
        if state.is_terminal():
            assert state.returns() == [float(u) for u in rules.payoffs(position)]
            assert state.legal_actions() == []
            continue
        assert state.returns() == [0.0] * rules.num_players
        assert tuple(state.legal_actions()) == rules.actions(position)
        if state.is_chance_node():
            assert state.chance_outcomes() == [
                (a, float(p)) for a, p in rules.chance_outcomes(position)
            ]
        for player, view in enumerate(cursor.views):
            words = rules.information_state_string(player, view)
            assert state.information_state_string(player) == words


def test_observations_fold_to_the_information_state(onuw_game: str):
    game = load_game(onuw_game)
    for final in random_states(game, seed=3, plays=10):
        if not final.is_terminal():
            continue
        state = game.new_initial_state()
        folded = [[state.observation_string(p)] for p in range(game.num_players())]
        for action in final.history():
            state.apply_action(action)
            for player, seen in enumerate(folded):
                seen.append(state.observation_string(player))
        for player, seen in enumerate(folded):
            words = "; ".join(text for text in seen if text)
            assert state.information_state_string(player) == f"P{player + 1}: {words}"


def test_tensors_tell_information_states_apart(onuw_game: str):
    game = load_game(onuw_game)
    states = [s for s in random_states(game, plays=40) if s.current_player() >= 0]
    tensor_of: dict[str, bytes] = {}
    for state in states:
        for player in range(game.num_players()):
            tensor = np.asarray(state.information_state_tensor(player), np.float32)
            assert tensor.shape == (game.information_state_tensor_size(),)
            key = state.information_state_string(player)
            assert tensor_of.setdefault(key, tensor.tobytes()) == tensor.tobytes()
    assert len(set(tensor_of.values())) == len(tensor_of)


# --------------------------------------------------------------------------- honest declarations


@pytest.mark.parametrize(
    ("text", "utility", "mode"),
    [
        ("onuw", Utility.GENERAL_SUM, ChanceMode.EXPLICIT_STOCHASTIC),
        ("onuw_robber3", Utility.GENERAL_SUM, ChanceMode.DETERMINISTIC),
        # Two Werewolves of four: whoever wins, two win and two lose.
        (
            "onuw(players=4,centre=0,roles=2werewolf+2villager)",
            Utility.ZERO_SUM,
            ChanceMode.EXPLICIT_STOCHASTIC,
        ),
        # No Werewolf under the paper's resolution: always a draw.
        (
            "onuw(centre=0,roles=3villager,deal=fixed,resolution=paper)",
            Utility.ZERO_SUM,
            ChanceMode.DETERMINISTIC,
        ),
    ],
)
def test_instances_declare_their_own_type(text: str, utility: Any, mode: Any):
    kind = load_game(text).get_type()
    assert (kind.utility, kind.chance_mode) == (utility, mode)
    assert (kind.min_num_players, kind.max_num_players) == (3, 10)


def test_declared_sizes_come_from_the_rules():
    game = load_game("onuw(players=4,centre=2)")
    rules = rules_of(game)
    assert rules is not None
    assert game.num_players() == 4
    assert game.num_distinct_actions() == rules.num_distinct_actions
    assert game.max_chance_outcomes() == 4
    assert game.max_chance_nodes_in_history() == 6
    assert game.max_game_length() == 6  # the Seer, the Robber and four votes
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0)


# ------------------------------------------------------------------- rules that are not registered


def entry_game() -> ExtensiveGame:
    """Market entry: the incumbent fights or yields; two equilibria, one of them incredible."""
    return ExtensiveGame(
        "market_entry",
        decision(
            0,
            "entrant",
            {
                "out": leaf(1, 3),
                "in": decision(1, "incumbent", {"fight": leaf(0, 0), "yield": leaf(2, 1)}),
            },
        ),
    )


def test_an_unregistered_rules_object_runs_in_openspiel_and_pickles():
    game = as_openspiel(entry_game())
    assert game.rules.name == "market_entry"
    uniform: policy.Policy = policy.UniformRandomPolicy(game)
    # Entrant: half of 1, a quarter of 0, a quarter of 2. Incumbent: half of 3, a quarter of 1.
    values = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])
    assert list(values) == [1.0, 1.75]
    state = game.new_initial_state().child(1)
    game_copy, state_copy = pickle.loads(pickle.dumps((game, state)))
    assert str(state_copy) == str(state)
    assert game_copy.rules.num_players == 2
    pyspiel.random_sim_test(game, num_sims=5, serialize=False, verbose=False)


def test_a_constant_sum_is_declared():
    tree = decision(0, "a", {"l": leaf(1, 2), "r": leaf("5/2", "1/2")})
    game = as_openspiel(ExtensiveGame("split", tree))
    assert game.get_type().utility == Utility.CONSTANT_SUM
    assert game.utility_sum() == 3.0


def test_symbols_are_refused():
    import sympy

    x = sympy.Symbol("x")
    tree = chance({"h": ("1/2", leaf(x, 0)), "t": ("1/2", leaf(0, 1))})
    with pytest.raises(UnsupportedGame, match="symbols x"):
        as_openspiel(ExtensiveGame("symbolic", tree))


def test_payoffs_with_symbols_have_no_range():
    t = sympy.Symbol("t", positive=True)
    symbolic = ExtensiveGame("symbolic", decision(0, "1", {"L": leaf(t), "R": leaf(1)}))
    assert symbolic.utility_range is None
    assert symbolic.subs({t: 3}).utility_range == (1, 3)
    with pytest.raises(UnsupportedGame, match="symbolic has no range of payoffs"):
        RulesGame(symbolic)
    root = ExtensiveGame("root", decision(0, "1", {"L": leaf(sympy.sqrt(2)), "R": leaf("3/2")}))
    assert root.utility_range == (sympy.sqrt(2), Fraction(3, 2))
    assert as_openspiel(root).min_utility() == pytest.approx(2**0.5)


def test_a_name_of_another_game_is_refused():
    tree = decision(0, "a", {"l": leaf(1, 0), "r": leaf(0, 1)})
    with pytest.raises(ParameterError, match="belongs to another OpenSpiel game"):
        as_openspiel(ExtensiveGame("kuhn_poker", tree))

    class Mine(Onuw):
        """Inherits the name of its parent."""

    with pytest.raises(ParameterError, match="belongs to another"):
        as_openspiel(Mine())


# ---------------------------------------------------------------------------------- registration


class Guess(Rules[tuple[int, ...]]):
    """P2 guesses the number that P1 chose, and sees nothing."""

    name: ClassVar[str] = "test_guess"
    title: ClassVar[str] = "Guess"

    def __init__(self, numbers: int = 2, stake: float = 1.0):
        self.parameters = {"numbers": numbers, "stake": stake}
        self.num_players = 2
        self.num_distinct_actions = numbers
        self.max_chance_outcomes = 0
        self.max_game_length = 2
        self.max_chance_nodes = 0
        self.stake = Fraction(stake)
        self.utility_range = (-self.stake, self.stake)
        self.utility_sum = Fraction(0)

    def initial(self) -> Step[tuple[int, ...]]:
        return Step((), ((), ()))

    def mover(self, position: tuple[int, ...]) -> int:
        return len(position) if len(position) < 2 else TERMINAL

    def legal_actions(self, position: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(range(self.num_distinct_actions))

    def play(self, position: tuple[int, ...], action: int) -> Step[tuple[int, ...]]:
        return Step((*position, action), ((), ()))

    def payoffs(self, position: tuple[int, ...]) -> tuple[Fraction, ...]:
        right = position[0] == position[1]
        return (-self.stake, self.stake) if right else (self.stake, -self.stake)

    def action_name(self, player: int, action: int) -> str:
        return str(action)

    def observation_name(self, player: int, observation: Any) -> str:
        raise AssertionError("there are no observations")


def test_a_users_rules_become_a_full_game_and_can_be_replaced():
    register(Guess)
    register(Guess, "test_guess_six", {"numbers": 6})
    assert str(pyspiel.load_game("test_guess(stake=2.0)")) == "test_guess(stake=2.0)"
    assert load_game("test_guess(stake=2)").max_utility() == 2.0
    assert load_game("test_guess_six").num_distinct_actions() == 6
    pyspiel.random_sim_test(load_game("test_guess_six"), num_sims=5, serialize=True, verbose=False)
    # The value of the game for the guesser: right once in six times.
    game = load_game("test_guess_six")
    uniform: policy.Policy = policy.UniformRandomPolicy(game)
    values = expected_game_score.policy_value(game.new_initial_state(), [uniform, uniform])
    assert values[1] == pytest.approx(1 / 6 - 5 / 6)
    assert exploitability.nash_conv(game, uniform) == pytest.approx(0.0)
    register(Guess, "test_guess_six", {"numbers": 5})
    assert pyspiel.load_game("test_guess_six").num_distinct_actions() == 5


class Demanding(Guess):
    """A parameter without a default."""

    def __init__(self, numbers: int):
        super().__init__(numbers)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((Guess, "kuhn_poker"), "OpenSpiel has its own game"),
        ((Guess, "test_bad", {"colour": 1}), "no parameter 'colour'"),
        ((Guess, "test_bad", {"numbers": "six"}), "is not of type int"),
        ((Demanding, "test_bad"), "'numbers' needs a default"),
        ((Onuw, "test_bad", {"roles": "a,b"}), "which a game string cannot carry"),
        ((Onuw, "test_bad", {"players": 99}), "players=99"),
    ],
)
def test_what_register_refuses(arguments: Any, complaint: str):
    with pytest.raises(ParameterError, match=complaint):
        register(*arguments)
    assert "test_bad" not in registrations()


# ---------------------------------------------------------------------------- OpenSpiel's own tests


def test_random_simulations_with_serialisation(onuw_game: str):
    pyspiel.random_sim_test(load_game(onuw_game), num_sims=4, serialize=True, verbose=False)


def test_openspiel_algorithms_find_the_published_numbers():
    # NashConv of the uniform policy is 1/3, by exact rational computation.
    game = load_game("onuw_robber3")
    uniform = policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, uniform) == pytest.approx(1 / 3, abs=1e-12)
    # The same from OpenSpiel's C++, on the game copied into its memory.
    cached = pyspiel.convert_to_cached_tree(game)
    assert pyspiel.nash_conv(cached, pyspiel.UniformRandomPolicy(cached)) == pytest.approx(1 / 3)


def test_cfr_finds_an_equilibrium_of_the_theory_game():
    game = load_game("onuw_robber3")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    assert pyspiel.nash_conv(game, solver.average_policy()) < 0.05


def run_api_tests(base: type[unittest.TestCase], name: str, text: str) -> None:
    """Runs one of OpenSpiel's API test classes on a game."""
    case: Any = type(name, (base,), {"game_name": name, "game": load_game(text)})
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = unittest.TestResult()
    tests.run(result)
    assert result.testsRun >= tests.countTestCases()
    assert not [trace for _, trace in result.errors + result.failures]


def test_openspiel_api_on_samples(onuw_game: str):
    run_api_tests(api_test.EnforceAPIOnPartialTreeBase, "samples", onuw_game)


# Nodes of chance, of players, and leaves; and information sets. Counted by hand.
FULL_TREES = {
    # 1 night node, 3 + 6 + 12 votes, 24 leaves; the Robber has 1 + 3 sets, the others one each.
    "onuw_robber3": (0, 22, 24, 6),
    "onuw_robber3_official": (0, 22, 24, 6),
    # Each night move is followed by three statements: 1 + 3, then 9 + 18 + 36 votes; the Robber has
    # 1 + 3 + 9 sets, each Werewolf one for each statement.
    "onuw_robber3_talk": (0, 67, 72, 19),
    # 1 + 2 + 3 chance nodes make three deals; a deal has 1 + 2 + 4 votes and 8 leaves; each player
    # has one set for each card.
    "onuw(centre=0,roles=werewolf+2villager)": (6, 21, 24, 6),
}


@pytest.mark.parametrize("text", FULL_TREES)
def test_openspiel_api_on_the_full_tree(text: str, monkeypatch: pytest.MonkeyPatch):
    *nodes, information_sets = FULL_TREES[text]
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, text, tuple(nodes))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, text, information_sets)
    run_api_tests(api_test.EnforceAPIOnFullTreeBase, text, text)


def test_openspiel_api_on_the_full_tree_of_a_dealt_game(monkeypatch: pytest.MonkeyPatch):
    # OpenSpiel's test asks for more than perfect recall: that all histories of an information set
    # have equally many moves, those of the others included. Here they have: everybody has a turn
    # in every deal. With roles in the centre they have not, and need not.
    text = "onuw(centre=0,roles=werewolf+seer+robber,vote_order=seat)"
    rules = rules_of(load_game(text))
    assert rules is not None
    movers, sets, stack = Counter[int](), set(), [start(rules)]
    while stack:
        cursor = stack.pop()
        mover = rules.mover(cursor.position)
        movers[min(mover, 0)] += 1
        if mover >= 0:
            sets.add((mover, cursor.views[mover]))
        if mover != TERMINAL:
            stack += [advance(rules, cursor, a) for a in rules.actions(cursor.position)]
    nodes = (movers[CHANCE], movers[0], movers[TERMINAL])
    # Six deals, two looks of the Seer, three choices of the Robber, eight ballots.
    assert nodes[2] == 6 * 2 * 3 * 8
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, text, nodes)
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, text, len(sets))
    run_api_tests(api_test.EnforceAPIOnFullTreeBase, text, text)
