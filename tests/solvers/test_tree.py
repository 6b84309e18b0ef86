import math
import tracemalloc
from fractions import Fraction

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games import load_game, rules_of
from crywolf.games.errors import (
    BadChance,
    BadPayoff,
    ForeignInformationSet,
    ImperfectRecall,
    InexactError,
    TreeFileError,
    TreeTooLarge,
    UnequalActions,
    UnsupportedGame,
)
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers import GameTree, Profile, lemke, nash_conv, walk_pyspiel, walk_rules
from crywolf.solvers.assembly import smallest
from crywolf.solvers.rational import rational, simplest_between
from crywolf.solvers.tree import sequences_of
from crywolf.solvers.tree_size import estimate_size

ONUW = [
    "onuw_robber3",
    "onuw_robber3_official",
    "onuw_robber3_talk",
    "onuw_robber3(vote_order=seat)",
    "onuw(players=3,centre=0,roles=werewolf+robber+seer)",
    "onuw(players=3,centre=0,roles=werewolf+robber+seer,deal=fixed)",
    "onuw(players=3,centre=1,roles=werewolf+seer+robber+villager,vote_order=seat)",
    "onuw(players=3,centre=1,roles=2werewolf+seer+villager,lone_wolf_looks=true)",
    "onuw(players=4,centre=0,roles=2werewolf+2villager,resolution=paper)",
]


class BrokenState(pyspiel.State):
    """P1 moves twice, then P2; ``flaw`` says which rule of extensive games is broken."""

    def __init__(self, game, flaw):
        super().__init__(game)
        self.flaw = flaw
        self.moves = ()

    def current_player(self):
        if self.flaw.startswith("chance") and not self.moves:
            return pyspiel.PlayerId.CHANCE
        return (0, 0, 1, pyspiel.PlayerId.TERMINAL)[len(self.moves)]

    def is_terminal(self):
        return len(self.moves) == 3

    def chance_outcomes(self):
        second = 2 / 3 + 1e-10 if self.flaw == "chance, a little" else 0.4
        return [(0, 1 / 3), (1, second)]

    def _legal_actions(self, player):
        if self.flaw == "unequal" and len(self.moves) == 2 and self.moves[0]:
            return [0]
        return [0, 1]

    def _apply_action(self, action):
        self.moves = (*self.moves, action)

    def _action_to_string(self, player, action):
        return f"move{action}"

    def information_state_string(self, player=None):
        if len(self.moves) == 0:
            return "P1 starts"
        if len(self.moves) == 1:
            return "P1 goes on" + ("" if self.flaw == "forgetting" else str(self.moves))
        return "P1 goes on(0,)" if self.flaw == "foreign" else "P2"

    def returns(self):
        return [float("nan") if self.flaw == "payoff" else float(sum(self.moves)), 0.0]

    def __str__(self):
        return str(self.moves)


class BrokenGame(pyspiel.Game):
    def __init__(self, flaw):
        kinds = pyspiel.GameType
        kind = kinds(
            short_name=f"broken_{flaw}",
            long_name="broken",
            dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kinds.Information.IMPERFECT_INFORMATION,
            utility=kinds.Utility.GENERAL_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=2,
            max_chance_outcomes=2,
            num_players=2,
            min_utility=0.0,
            max_utility=3.0,
            max_game_length=3,
        )
        super().__init__(kind, info, {})
        self.flaw = flaw

    def new_initial_state(self):
        return BrokenState(self, self.flaw)


@pytest.mark.parametrize(
    ("name", "nodes", "leaves", "infosets"),
    [
        ("kuhn_poker", 58, 30, 12),  # Kuhn 1950: 12 information sets, 30 plays
        ("leduc_poker", 9457, 5520, 936),  # Southey et al. 2005: 936 information sets
        ("liars_dice", 294883, 147420, 24576),
        ("social_deduction(players=3,max_rounds=1)", 139558, 73728, 43884),
        ("onuw_robber3", 46, 24, 6),
        ("tic_tac_toe", 549946, 255168, 294778),  # 255,168 plays are well known
    ],
)
def test_sizes_of_known_games(tree_of, name, nodes, leaves, infosets):
    tree = tree_of(name)
    assert (tree.num_nodes, len(tree.leaves), tree.num_infosets) == (nodes, leaves, infosets)
    assert tree.num_sequences == tree.num_players + sum(map(len, tree.legal))


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker", *ONUW])
def test_arrays_describe_the_game(tree_of, name):
    """Replays every node in OpenSpiel and compares what the arrays say of it."""
    tree = tree_of(name)
    states = {0: tree.game.new_initial_state()}
    for node in range(tree.num_nodes):
        if node:
            states[node] = states[int(tree.parent[node])].child(int(tree.action[node]))
        state = states[node]
        assert tree.player[node] == state.current_player()
        h = tree.node_infoset[node]
        if state.is_terminal():
            payoffs = [float(u) for u in tree.payoffs[tree.payoff[node]]]
            assert payoffs == state.returns()
        elif not state.is_chance_node():
            assert tree.keys[h] == state.information_state_string()
            assert list(tree.legal[h]) == state.legal_actions()
            assert tree.owner[h] == state.current_player()
        if tree.probability[node] >= 0:
            parent = states[int(tree.parent[node])]
            probability = float(tree.probabilities[tree.probability[node]])
            assert dict(parent.chance_outcomes())[int(tree.action[node])] == probability
    assert tree.chance_reach[0] == 1.0
    for leaf_node in tree.leaves[::37].tolist():
        assert tree.history(leaf_node) == states[leaf_node].history()


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", *ONUW])
def test_sequence_form(tree_of, name):
    tree = tree_of(name)
    covered = sorted(s for p in range(tree.num_players) for s in sequences_of(tree, p))
    assert covered == list(range(tree.num_sequences))
    for h in range(tree.num_infosets):
        p = int(tree.owner[h])
        assert tree.blocks[p] <= h < tree.blocks[p + 1]
        # A parent sequence comes before the set: bottom-up passes run backwards.
        assert tree.parent_sequence[h] < tree.first[h]
        assert tree.parent_sequence[h] in sequences_of(tree, p)
        assert {int(tree.node_sequence[i, p]) for i in tree.nodes_of(h)} == {
            int(tree.parent_sequence[h])
        }
    # Every leaf's contribution is in the rows: with all plans 1 the gradients sum to the payoffs.
    value = tree.chance_reach[tree.leaves, None] * tree.payoff_table[tree.payoff[tree.leaves]]
    for p in range(tree.num_players):
        rows = sequences_of(tree, p)
        total = sum(tree.weight[int(tree.row[s]) : int(tree.row[s + 1])].sum() for s in rows)
        assert total == pytest.approx(value[:, p].sum(), abs=1e-9)


@pytest.mark.parametrize("name", ONUW)
def test_fast_path_and_openspiel_give_identical_trees(tree_of, name):
    fast = tree_of(name)
    assert fast.rules is not None
    game = load_game(name)
    slow = GameTree._assemble(game, name, walk_pyspiel.walk_pyspiel(game, 10**6))
    assert slow.rules is None
    assert fast.keys == slow.keys
    assert fast.legal == slow.legal
    arrays = (
        "parent", "action", "branch", "player", "node_infoset", "owner", "first", "num_actions",
        "parent_sequence", "blocks", "node_sequence", "row", "others", "weight",
    )  # fmt: skip
    for attribute in arrays:
        a, b = getattr(fast, attribute), getattr(slow, attribute)
        assert a.dtype == b.dtype
        assert np.array_equal(a, b), attribute
    assert fast.exact_tables == slow.exact_tables
    for h in range(fast.num_infosets):
        assert fast.action_names(h) == slow.action_names(h)
    for node in range(0, fast.num_nodes, 1 + fast.num_nodes // 60):
        assert fast.history_words(node) == slow.history_words(node)
        if node:
            assert fast.edge_name(node) == slow.edge_name(node)


def test_compiling_rules_and_their_openspiel_game_is_the_same(robber3):
    other = GameTree.compile(rules_of(load_game("onuw_robber3")))
    assert other.game_string == robber3.game_string
    assert other.keys == robber3.keys


def test_game_string_names_defaults():
    plain = GameTree.compile(pyspiel.load_game("kuhn_poker"))
    spelled = GameTree.compile(pyspiel.load_game("kuhn_poker(players=2)"))
    assert plain.game_string == spelled.game_string == "kuhn_poker(players=2)"


def test_words(robber3, kuhn):
    deep = int(robber3.leaves[0])
    words = robber3.history_words(deep)
    assert words.startswith("(")
    assert words.count(",") == len(robber3.history(deep)) - 1
    assert kuhn.history_words(int(kuhn.leaves[0])) == "(Deal:0, Deal:1, Pass, Pass)"
    assert kuhn.edge_name(1) == "Deal:0"
    assert "6 information sets" in repr(robber3)


@pytest.mark.parametrize(
    "game",
    [
        pyspiel.load_game("liars_dice(dice_sides=5)"),
        load_game("onuw(players=4,centre=1,roles=2werewolf+seer+robber+villager)"),
        load_game("onuw_robber3"),
    ],
    ids=str,
)
def test_progress_is_reported(game):
    seen = []
    tree = GameTree.compile(game, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == tree.num_nodes
    steps = np.diff([0, *seen])
    assert steps.max() < 30_000  # the first look is taken at 20,000 nodes


def test_memory_is_what_the_arrays_take(tree_of):
    tree = GameTree.compile(pyspiel.load_game("leduc_poker"))
    before = tree.memory
    assert (before.sequence_form, before.vector_form) == (0, 0)
    columns = (tree.parent, tree.action, tree.branch, tree.player, tree.node_infoset,
               tree.probability, tree.payoff, tree.node_sequence)  # fmt: skip
    assert before.nodes == sum(column.nbytes for column in columns)
    assert before.nodes == tree.num_nodes * (4 + 1 + 1 + 1 + 4 + 1 + 1 + 2 * 4)
    assert f"{before.per_node:.0f} bytes per node" in repr(tree)
    form = tree.row.nbytes + tree.others.nbytes + tree.weight.nbytes
    assert tree.memory.sequence_form == form
    assert tree.memory.vector_form == 0
    _ = tree.vector_layout
    after = tree.memory
    assert after.vector_form > 0
    assert after.total == before.total + form + after.vector_form + tree.sequence_blocks.nbytes
    assert after.to_dict()["per_node"] == after.per_node == after.total / tree.num_nodes


def test_columns_have_the_smallest_type_that_holds_them():
    wide = {f"{i:03}": leaf(i) for i in range(200)}
    tree = GameTree.compile(ExtensiveGame("wide", decision(0, "1", wide)))
    assert (tree.action.dtype, tree.branch.dtype, tree.payoff.dtype) == (np.int16,) * 3
    assert tree.probability.dtype == np.int8
    assert tree.branch.tolist() == [0, *range(200)]
    assert tree.action[1:].tolist() == list(range(200))
    for count, kind in ((128, np.int8), (129, np.int16), (32_768, np.int16), (32_769, np.int32)):
        assert smallest(count) == kind
        assert np.array([count - 1]).astype(smallest(count))[0] == count - 1


def test_long_games():
    """A chain of 6,000 moves in which views have up to 6,000 entries."""
    node = leaf(0, 0)
    for i in reversed(range(6_000)):
        node = decision(i % 2, f"s{i}", {"stop": leaf(i, -i), "go on": node})
    tree = GameTree.compile(ExtensiveGame("chain", node))
    assert (tree.num_nodes, tree.num_infosets) == (12_001, 6_000)
    assert tree.keys == tuple(f"P{p + 1}: s{i}" for p in range(2) for i in range(p, 6_000, 2))


@given(st.lists(st.tuples(st.integers(0, 2), st.lists(st.sampled_from("abc"))), max_size=20))
def test_views_are_told_as_they_are(views):
    trie = walk_rules._Trie(3)
    numbers = [trie.extend(owner, entries) for owner, entries in views]
    owners = [owner for owner, _ in views]
    assert list(trie.views(numbers, owners)) == [tuple(entries) for _, entries in views]


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("name", "limit", "true_size"),
    [
        ("tic_tac_toe", 1000, 549946),
        ("tic_tac_toe", 100_000, 549946),
        ("connect_four", 2_000_000, None),
        ("go(board_size=9)", 2_000_000, None),
        ("chess", 2_000_000, None),
        ("python_tic_tac_toe", 20_000, 549946),
    ],
)
def test_too_large_is_refused_before_memory_grows(name, limit, true_size):
    import open_spiel.python.games  # noqa: F401

    game = pyspiel.load_game(name)
    if not game.get_type().provides_information_state_string:
        pytest.skip("no information-state strings")
    tracemalloc.start()
    try:
        with pytest.raises(TreeTooLarge, match="max_nodes") as caught:
            GameTree.compile(game, max_nodes=limit)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Chess needs 62 MB for the nodes before the first check, as its keys are very long; all the
    # nodes that the limit allows would take a hundred times as much.
    assert peak < 80e6
    assert caught.value.limit == limit
    assert caught.value.estimate > limit
    if true_size is not None:
        error = abs(caught.value.estimate - true_size)
        assert error < 4 * caught.value.standard_error


def test_the_refusal_tells_the_memory():
    with pytest.raises(TreeTooLarge, match=r"GB to compile, .* GB to solve\); pass a larger"):
        GameTree.compile(pyspiel.load_game("connect_four"))


def test_a_tree_just_under_the_limit_compiles_and_one_above_does_not():
    game = pyspiel.load_game("leduc_poker")
    assert GameTree.compile(game, max_nodes=9457).num_nodes == 9457
    with pytest.raises(TreeTooLarge):
        GameTree.compile(game, max_nodes=9456)
    rules = rules_of(load_game("onuw_robber3"))
    assert GameTree.compile(rules, max_nodes=46).num_nodes == 46
    with pytest.raises(TreeTooLarge):
        GameTree.compile(rules, max_nodes=45)


class Scripted:
    """Draws what it is told to, first choices where that ends; remembers how many choices were."""

    def __init__(self, script):
        self.script = script
        self.choices = []

    def integers(self, n):
        self.choices.append(n)
        place = len(self.choices) - 1
        return self.script[place] if place < len(self.script) else 0


def mean_of_all_descents(probe):
    """The exact expectation of a random descent: every one with its probability."""
    total, script = Fraction(0), []
    while script is not None:
        rng = Scripted(script)
        size = Fraction(probe(rng))
        total += size / math.prod(rng.choices)
        drawn = script + [0] * (len(rng.choices) - len(script))
        script = None
        for place in reversed(range(len(drawn))):  # the next descent in lexicographic order
            if drawn[place] + 1 < rng.choices[place]:
                script = [*drawn[:place], drawn[place] + 1]
                break
    return total


@pytest.mark.parametrize(
    "name", ["onuw_robber3_talk", "onuw(players=3,centre=0,roles=werewolf+robber+seer)"]
)
def test_size_estimate_is_unbiased(tree_of, name):
    """Knuth 1975, Theorem 1: the mean over all descents is exactly the number of nodes."""
    tree = tree_of(name)
    probes = (
        lambda rng: walk_rules._probe(tree.rules, rng),
        lambda rng: walk_pyspiel._probe(tree.game, rng),
    )
    for probe in probes:
        assert mean_of_all_descents(probe) == tree.num_nodes


def test_size_estimate_of_a_complete_tree_is_exact():
    estimate = estimate_size(lambda rng: 127.0, 100)
    assert estimate == (127.0, 0.0, False)
    assert estimate_size(lambda rng: 401.0, 100).hopeless


@pytest.mark.parametrize(("above", "hopeless"), [(40, False), (41, True)])
def test_a_tree_is_hopeless_if_more_than_5_in_8_descents_are_far_above_the_limit(above, hopeless):
    sizes = iter([401.0] * above + [400.0] * (64 - above))
    assert estimate_size(lambda rng: next(sizes), 100).hopeless is hopeless


def test_size_estimate_condemns_no_tree_below_the_limit():
    """A comb: one path of 1000 nodes with leaves beside it. Descents are extremely skewed."""

    def probe(rng):
        size, weight = 1.0, 1.0
        for _ in range(1000):
            weight *= 2
            size += weight
            if rng.integers(2):
                break
        return size

    estimate = estimate_size(probe, 2001)  # the size is exactly 2001
    assert not estimate.hopeless


def test_forgetting_shows_both_histories():
    with pytest.raises(ImperfectRecall, match=r"\(move0\).*\(move1\)"):
        GameTree.compile(BrokenGame("forgetting"))


@pytest.mark.parametrize(
    ("flaw", "error", "words"),
    [
        ("foreign", ForeignInformationSet, "P1 and P2 share"),
        ("unequal", UnequalActions, r"\[0, 1\].*\[0\]"),
        ("chance", BadChance, "sum to 0.73"),
        ("payoff", BadPayoff, "not finite"),
    ],
)
def test_broken_games_are_refused_by_name(flaw, error, words):
    with pytest.raises(error, match=words):
        GameTree.compile(BrokenGame(flaw))


def test_the_unbroken_game_compiles():
    assert GameTree.compile(BrokenGame("none")).num_nodes == 15


def test_simultaneous_moves_are_refused_with_the_cure():
    game = pyspiel.load_game("goofspiel(num_cards=3,imp_info=true)")
    with pytest.raises(UnsupportedGame, match="convert_to_turn_based"):
        GameTree.compile(game)
    assert GameTree.compile(pyspiel.convert_to_turn_based(game)).num_infosets > 0


def test_sampled_chance_is_refused():
    game = pyspiel.load_game("tarok(players=3)")
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    assert game.get_type().provides_information_state_string
    with pytest.raises(UnsupportedGame, match="samples its chance moves"):
        GameTree.compile(game)


def test_games_without_information_state_strings_are_refused():
    game = pyspiel.load_game("pig(players=2)")
    assert not game.get_type().provides_information_state_string
    with pytest.raises(UnsupportedGame, match="no information-state strings"):
        GameTree.compile(game)


# --------------------------------------------------------------------------------- the exact twin


def test_exact_twin_of_rules_and_of_floats(robber3, tree_of):
    assert not robber3.rationalised
    assert all(u.denominator == 1 for row in robber3.exact_tables[1] for u in row)
    kuhn3 = tree_of("kuhn_poker(players=3)")
    assert kuhn3.rationalised
    assert set(kuhn3.exact_tables[0]) == {Fraction(1, 4), Fraction(1, 3), Fraction(1, 2)}


def test_chance_that_sums_to_1_only_as_floats_is_refused():
    """1/3 and 2/3 + 1e-10: the tolerance for floats accepts them; no fractions sum to 1."""
    tree = GameTree.compile(BrokenGame("chance, a little"))
    with pytest.raises(InexactError, match=r"chance node after \(\) sum to"):
        _ = tree.exact_tables


def test_simplest_fractions_of_floats():
    thirds = [("a", 0.3), ("b", 0.7)]
    assert sum(rational(p) for _, p in thirds) == 1
    assert rational(0.1) == Fraction(1, 10)
    assert rational(1 / 3) == Fraction(1, 3)
    assert rational(-2 / 7) == Fraction(-2, 7)
    assert rational(Fraction(1, 3)) == Fraction(1, 3)


@given(st.fractions(), st.fractions(min_value=0, max_value=1))
def test_simplest_between_is_simplest(low, width):
    found = simplest_between(low, low + width)
    assert low <= found <= low + width
    below = [
        Fraction(p, q)
        for q in range(1, min(found.denominator, 60))
        for p in (-(-low * q // 1),)
        if Fraction(int(p), q) <= low + width
    ]
    assert not below  # no fraction of smaller denominator lies between


def test_symbols_are_refused_where_numbers_are_needed():
    import sympy

    x = sympy.Symbol("x", positive=True)
    game = ExtensiveGame("symbolic", decision(0, "1", {"L": leaf(x), "R": leaf(1)}))
    tree = GameTree.compile(game)
    with pytest.raises(InexactError, match="subs"):
        _ = tree.weight
    assert tree.exact_tables[1][0] == (x,)


def test_single_player_and_chance_only_games():
    alone = ExtensiveGame(
        "alone",
        chance(
            {
                "a": ("1/3", decision(0, "A", {"L": leaf(3), "R": leaf(0)})),
                "b": ("2/3", decision(0, "B", {"L": leaf(0), "R": leaf(6)})),
            }
        ),
    )
    tree = GameTree.compile(alone)
    assert tree.others.shape == (0, 2)
    assert tree.weight.tolist() == pytest.approx([1.0, 4.0])
    lottery = ExtensiveGame("lottery", chance({"a": ("1/4", leaf(4, 0)), "b": ("3/4", leaf(0, 8))}))
    tree = GameTree.compile(lottery)
    assert tree.num_infosets == 0
    assert tree.num_sequences == 2


@pytest.mark.parametrize("tiny", ["1e-400", "-1e-320", "3e-301"])
def test_payoffs_that_floats_take_for_nothing_are_refused(tiny):
    small = Fraction(tiny)
    game = ExtensiveGame("tiny", decision(0, "1", {"a": leaf(small, -small), "b": leaf(0, 0)}))
    tree = GameTree.compile(game)
    with pytest.raises(BadPayoff, match="multiply all payoffs"):
        nash_conv(Profile.uniform(tree))
    assert lemke(tree).values == (max(small, 0), -max(small, 0))  # fractions do not mind


def test_a_number_is_no_path(tmp_path):
    for path in (1, True):
        with pytest.raises(TreeFileError, match="TypeError"):
            GameTree.load(path)  # type: ignore[arg-type]
