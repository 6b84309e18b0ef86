"""Symmetries against brute force, and what they do to payoffs and equilibria."""

from fractions import Fraction as F
from itertools import islice, permutations
from math import factorial

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import textbook
from crywolf.games.errors import AssessmentError, ParameterError, PolicyError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.games.rules import CHANCE
from crywolf.solvers.exact import evaluate_exact, exact_profile
from crywolf.solvers.pbe import Assessment, symmetry, verify
from crywolf.solvers.pbe.symmetry import apply, automorphisms, symmetry_group
from crywolf.solvers.tree import GameTree

from .conftest import compiled

p = sp.Symbol("p", positive=True)
SYMMETRIC = ["onuw_robber3", "onuw_robber3_talk", "cheap_talk", "matching_pennies", "tiny_hanabi"]

# ------------------------------------------------------------------------------------ brute force


def leaves_through(tree):
    """The terminal nodes, by rank, that each action leads to; and their chance probabilities."""
    through = {(h, a): set() for h in range(tree.num_infosets) for a in range(len(tree.legal[h]))}
    reach = [F(1)] * tree.num_leaves
    for z, node in enumerate(tree.leaves.tolist()):
        while node > 0:
            above = int(tree.parent[node])
            if tree.player[above] == CHANCE:
                reach[z] = sp.expand(reach[z] * tree.exact_tables[0][tree.probability[node]])
            else:
                through[int(tree.node_infoset[above]), int(tree.branch[node])].add(z)
            node = above
    return {action: frozenset(zs) for action, zs in through.items()}, reach


def payoff(tree, z, player):
    return sp.expand(tree.exact_tables[1][tree.payoff[tree.leaves[z]]][player])


def by_brute_force(tree):
    """All automorphisms but for what they do to leaves, from all permutations of these."""
    through, reach = leaves_through(tree)
    action_of = {zs: action for action, zs in through.items()}
    assert len(action_of) == len(through)
    players, ranks = range(tree.num_players), range(tree.num_leaves)
    utility = [[payoff(tree, z, i) for i in players] for z in ranks]
    found = set()
    for leaf_map in permutations(ranks):
        if any(reach[z] != reach[leaf_map[z]] for z in ranks):
            continue
        moved = {action: frozenset(leaf_map[z] for z in zs) for action, zs in through.items()}
        if not set(moved.values()) <= set(action_of):
            continue
        image = {action: action_of[zs] for action, zs in moved.items()}
        sets = {(h, to[0]) for (h, _), to in image.items()}
        if len(sets) > tree.num_infosets:
            continue
        infoset = tuple(to for _, to in sorted(sets))
        for player in permutations(players):
            kept = all(
                utility[z][i] == utility[leaf_map[z]][player[i]] for z in ranks for i in players
            )
            owned = all(player[tree.owner[h]] == tree.owner[to] for h, to in enumerate(infoset))
            if kept and owned:
                menus = [range(len(legal)) for legal in tree.legal]
                action = tuple(tuple(image[h, a][1] for a in m) for h, m in enumerate(menus))
                found.add((player, infoset, action))
    return found


@st.composite
def tiny_games(draw):
    """Two stages of two and two or three moves, the second one seeing the first or not."""
    one, two = draw(st.sampled_from([(CHANCE, 0), (0, CHANCE), (0, 1), (1, 0), (1, 1)]))
    seen = draw(st.booleans()) or one == two
    names = "ab" if draw(st.booleans()) else "abc"
    biased = {"a": p, "b": 1 - p} if draw(st.booleans()) else {"a": F(1, 2), "b": F(1, 2)}
    unit = draw(st.sampled_from([F(1), p * (p + 1), p**2 + p]))

    def node(mover, label, children):
        if mover != CHANCE:
            return decision(mover, label, children)
        weights = biased if len(children) == 2 else dict.fromkeys(children, F(1, 3))
        return chance({name: (weights[name], child) for name, child in children.items()})

    def end():
        return leaf(*(draw(st.sampled_from([0, 1])) * unit for _ in range(2)))

    second = {x: node(two, f"2{x if seen else ''}", {y: end() for y in names}) for x in "ab"}
    return ExtensiveGame("tiny", node(one, "1", second))


@settings(max_examples=60)
@given(tiny_games())
def test_all_permutations_give_the_same(game):
    tree = GameTree.compile(game)
    found = automorphisms(tree)
    group = symmetry_group(tree)
    assert group.complete
    assert len(found) == group.order
    assert {(f.player, f.infoset, f.action) for f in found} == by_brute_force(tree)
    assert len({(f.player, f.infoset, f.action) for f in found}) == group.order
    through, reach = leaves_through(tree)
    for f in found:
        for z, image in enumerate(f.leaf):
            assert reach[z] == reach[image]
            assert all(payoff(tree, z, i) == payoff(tree, image, f.player[i]) for i in (0, 1))
        for (h, a), zs in through.items():
            assert {f.leaf[z] for z in zs} == through[f.infoset[h], f.action[h][a]]


# ---------------------------------------------------------------------------------- known groups


def test_the_mirror_of_the_theory_game(robber3):
    """The Werewolves change places, although P1's vote stands before P2's in the tree."""
    identity, mirror = automorphisms(robber3)
    assert identity.player == (0, 1, 2)
    assert identity.infoset == tuple(range(6))
    assert mirror.player == (1, 0, 2)
    words = {}
    for h, ranks in enumerate(mirror.action):
        there = robber3.action_names(mirror.infoset[h])
        names = robber3.action_names(h)
        words[robber3.keys[h]] = {names[a]: there[b] for a, b in enumerate(ranks)}
    swapped = {"vote P1": "vote P2", "vote P2": "vote P1"}
    for key, mapped in words.items():
        if key == "P3: dealt Robber":
            assert mapped == {"NS": "NS", "S1": "S2", "S2": "S1"}
        elif key.startswith("P3"):
            assert mapped == swapped
        else:
            assert mapped == {name: swapped.get(name, name) for name in mapped}
    assert symmetry.keeps_nodes(mirror, robber3)  # P1 and P2 always vote


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("kuhn_poker", 1),
        ("beer_quiche", 1),
        ("battle_of_the_sexes", 2),
        ("prisoners_dilemma", 2),
        ("matching_pennies", 4),  # cyclic: the players take turns in being the one that matches
        ("cheap_talk", 4),  # types with their actions, and messages
        ("onuw_robber3_official", 2),
        ("onuw_robber3_talk", 12),  # the mirror, and all permutations of what is said
    ],
)
def test_orders(tree_of, name, order):
    group = symmetry_group(tree_of(name))
    assert (group.order, group.complete) == (order, True)
    assert len(automorphisms(tree_of(name))) == order
    assert bool(group.generators) == (order > 1)


def sunspots(n, seen):
    """One of n equally likely things happens, of which a player gets to know, or does not."""

    def move(i):
        return decision(0, f"1{i if seen else ''}", {"l": leaf(0, 0), "r": leaf(1, 1)})

    return GameTree.compile(
        ExtensiveGame("sunspots", chance({str(i): (F(1, n), move(i)) for i in range(n)}))
    )


def test_a_huge_group_is_held_by_a_few():
    tree = sunspots(12, seen=True)
    group = symmetry_group(tree)
    assert group.order == factorial(12)
    assert len(group.generators) == 12 * 11 // 2
    some = automorphisms(tree, limit=50)
    assert len(set(some)) == 50
    assert some == tuple(islice(group, 50))
    assert some[0].leaf == tuple(range(24))


def test_what_only_chance_tells_apart_stays():
    assert symmetry_group(sunspots(12, seen=False)).order == 1


def test_only_the_identity_beyond_the_limits(tree_of, monkeypatch):
    monkeypatch.setattr(symmetry, "MAX_NODES", 45)
    group = symmetry_group(tree_of("onuw_robber3"))
    assert (group.order, group.complete) == (1, False)
    assert [a.infoset for a in group] == [tuple(range(6))]
    monkeypatch.setattr(symmetry, "MAX_NODES", 46)
    assert symmetry_group(tree_of("onuw_robber3")).order == 2
    monkeypatch.setattr(symmetry, "MAX_EFFORT", 0)
    group = symmetry_group(tree_of("onuw_robber3"))
    assert (group.order, group.complete) == (1, False)


def test_a_search_cut_short_still_gives_a_group(tree_of, monkeypatch):
    tree = tree_of("tiny_hanabi")
    orders = set()
    for effort in range(40):
        monkeypatch.setattr(symmetry, "MAX_EFFORT", effort)
        group = symmetry_group(tree)
        found = set(group)
        assert len(found) == group.order
        assert all(f.after(g) in found for f in found for g in group.generators)
        orders.add((group.order, group.complete))
    assert orders >= {(1, False), (32, True)}
    assert all(complete == (order == 32) for order, complete in orders)


def test_symbols_are_compared_after_expanding():
    def game(u, v):
        return GameTree.compile(ExtensiveGame("g", decision(0, "1", {"l": leaf(u), "r": leaf(v)})))

    assert symmetry_group(game(p * (p + 1), p**2 + p)).order == 2
    assert symmetry_group(game(p, 2 * p)).order == 1


# ------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("name", SYMMETRIC)
def test_they_are_a_group(name):
    found = automorphisms(compiled(name))
    identity = found[0]
    assert len(found) > 1
    for f in found:
        assert f.after(f.inverse) == f.inverse.after(f) == identity
        assert f.after(identity) == f
        assert {f.after(g) for g in found} == set(found)


@pytest.mark.parametrize("name", SYMMETRIC)
def test_generators_generate(name):
    group = symmetry_group(compiled(name))
    reached = {next(iter(group))}
    fresh = set(reached)
    while fresh:
        fresh = {g.after(f) for f in fresh for g in group.generators} - reached
        reached |= fresh
    assert reached == set(group)


def profiles(tree, draw):
    strategies = {}
    for h, key in enumerate(tree.keys):
        weights = [draw(st.integers(0, 3)) for _ in tree.legal[h]]
        weights[0] += not sum(weights)
        mix = [F(w, sum(weights)) for w in weights]
        strategies[key] = dict(zip(tree.action_names(h), mix, strict=True))
    return strategies


@given(st.data())
def test_payoffs_and_incentives_change_places(data):
    tree = compiled(data.draw(st.sampled_from(SYMMETRIC)))
    strategies = profiles(tree, data.draw)
    f = data.draw(st.sampled_from(automorphisms(tree)))
    mirrored, _ = apply(f, tree, strategies, {})
    here = evaluate_exact(tree, exact_profile(tree, strategies))
    there = evaluate_exact(tree, exact_profile(tree, mirrored))
    for i, image in enumerate(f.player):
        assert there.values[image] == here.values[i]
        assert there.gains[image] == here.gains[i]
    assert apply(f.inverse, tree, mirrored, {})[0] == strategies


def theorem_4_1(x):
    return {
        "P1: dealt Werewolf; Werewolves P1 P2": {"vote P2": 1},
        "P2: dealt Werewolf; Werewolves P1 P2": {"vote P1": 1},
        "P3: dealt Robber": {"S1": F(1, 2), "S2": F(1, 2)},
        "P3: dealt Robber; NS": {"vote P1": x, "vote P2": 1 - x},
        "P3: dealt Robber; S1; now Werewolf": {"vote P1": 1},
        "P3: dealt Robber; S2; now Werewolf": {"vote P2": 1},
    }


def test_theorem_4_1_is_its_own_mirror_image(robber3):
    """The family, that is: p becomes 1 - p."""
    mirrored, _ = apply(automorphisms(robber3)[1], robber3, theorem_4_1(p), {})
    assert mirrored == theorem_4_1(1 - p)


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_verdicts_of_the_theory_game_are_mirrored(data):
    """In the theory game order does not matter to any concept, see `keeps_nodes`."""
    tree = compiled("onuw_robber3(vote_order=seat)")  # the Robber has beliefs about the votes
    mirror = automorphisms(tree)[1]
    assert symmetry.keeps_nodes(mirror, tree)
    strategies = theorem_4_1(F(1, 2)) if data.draw(st.booleans()) else profiles(tree, data.draw)
    beliefs = {}
    for h, key in enumerate(tree.keys):
        played = strategies["P3: dealt Robber"].get(key.split("; ")[1] if "; " in key else "")
        if key.startswith("P3: dealt Robber; ") and not played:
            weights = [data.draw(st.integers(1, 2)) for _ in tree.nodes_of(h)]
            beliefs[key] = tuple(F(w, sum(weights)) for w in weights)
    mirrored, images = apply(mirror, tree, strategies, beliefs)
    for concept in ("weak-pbe", "sequential"):
        here = verify(tree, Assessment(strategies, beliefs), concept)
        there = verify(tree, Assessment(mirrored, images), concept)
        assert here.holds == there.holds
        assert len(here.violations) == len(there.violations)


@pytest.mark.parametrize("concept", ["weak-pbe", "pbe", "sequential"])
def test_equilibria_of_cheap_talk_stay_equilibria(tree_of, concept):
    tree = tree_of("cheap_talk")
    pooling = {"P1: t1": {"m1": 1}, "P1: t2": {"m1": 1}}
    separating = {"P1: t1": {"m1": 1}, "P1: t2": {"m2": 1}}
    listens = {"P2: m1": {"a1": 1}, "P2: m2": {"a2": 1}}
    ignores = {"P2: m1": {"a3": 1}, "P2: m2": {"a3": 1}}
    beliefs = {"P2: m2": (F(1, 3), F(2, 3))}
    cases = [
        (separating | listens, {}, True),
        (pooling | ignores, beliefs, True),
        (separating | ignores, {}, False),
    ]
    for strategies, given_beliefs, holds in cases:
        images = set()
        for f in automorphisms(tree):
            assert symmetry.keeps_nodes(f, tree)
            mirrored, belief = apply(f, tree, strategies, given_beliefs)
            assert verify(tree, Assessment(mirrored, belief), concept).holds is holds
            images.add(str((mirrored, belief)))
        assert len(images) == (4 if given_beliefs else 2)


# ------------------------------------------------------------- moves that do not see each other


@pytest.fixture
def committee():
    """P3 stays out or asks P1 and P2 to guess what it did; P1 writes its guess down first."""

    def guesses(kind):
        def vote(first):
            return {
                second: leaf(
                    int(first == kind == "s1"), int(second == kind == "s2"), int(first == second)
                )
                for second in ("s1", "s2", "s0")
            }

        rows = {first: decision(1, "2", vote(first)) for first in ("s1", "s2", "s0")}
        return decision(0, "1", rows)

    moves = {"out": leaf(0, 0, 2), "s1": guesses("s1"), "s2": guesses("s2")}
    return GameTree.compile(ExtensiveGame("committee", decision(2, "3", moves)))


def test_beliefs_about_moves_that_change_places(committee):
    identity, mirror = automorphisms(committee)
    assert mirror.player == (1, 0, 2)
    assert symmetry.keeps_nodes(identity, committee)
    assert not symmetry.keeps_nodes(mirror, committee)
    third, x = F(1, 3), sp.Symbol("x")
    strategies = {
        "P3: 3": {"out": F(1)},
        "P1: 1": {"s1": x, "s0": 1 - x},
        "P2: 2": {"s2": F(3, 4), "s0": F(1, 4)},
    }
    # P1 believes in s1 with 1/3; P2 too, and that P1 plays its mix.
    two = tuple(sp.expand(b * m) for b in (third, 2 * third) for m in (x, F(0), 1 - x))
    beliefs = {"P1: 1": (third, 2 * third), "P2: 2": two}
    mirrored, images = apply(mirror, committee, strategies, beliefs)
    assert mirrored == {
        "P1: 1": {"s1": F(3, 4), "s0": F(1, 4)},
        "P2: 2": {"s2": x, "s0": 1 - x},
        "P3: 3": {"out": F(1)},
    }
    assert images == {
        "P1: 1": (2 * third, third),
        "P2: 2": (F(1, 2), F(0), F(1, 6), F(1, 4), F(0), F(1, 12)),
    }
    with pytest.raises(PolicyError, match="'P2: 2'; give it"):
        apply(mirror, committee, {"P1: 1": {"s1": 1}}, beliefs)


def test_sequential_equilibria_stay_so_when_moves_change_places(committee):
    mirror = automorphisms(committee)[1]
    strategies = {"P3: 3": {"out": 1}, "P1: 1": {"s1": 1}, "P2: 2": {"s2": 1}}
    beliefs = {"P1: 1": (F(1, 3), F(2, 3)), "P2: 2": (F(1, 3), 0, 0, F(2, 3), 0, 0)}
    mirrored, images = apply(mirror, committee, strategies, beliefs)
    assert images == {"P1: 1": (F(2, 3), F(1, 3)), "P2: 2": (F(2, 3), 0, 0, F(1, 3), 0, 0)}
    assert verify(committee, Assessment(strategies, beliefs), "sequential").holds
    assert verify(committee, Assessment(mirrored, images), "sequential").holds


# ----------------------------------------------------------------------------------- bad input


def test_refusals(robber3):
    mirror = automorphisms(robber3)[1]
    with pytest.raises(ParameterError, match="at least 1"):
        automorphisms(robber3, limit=0)
    with pytest.raises(PolicyError, match="no information set"):
        apply(mirror, robber3, {"P9": {"x": 1}}, {})
    with pytest.raises(PolicyError, match="no action 'S3'"):
        apply(mirror, robber3, {"P3: dealt Robber": {"S3": 1}}, {})
    with pytest.raises(AssessmentError, match="1 entries; give one for each of its 6 nodes"):
        apply(mirror, robber3, {}, {robber3.keys[0]: (1,)})


def test_textbook_symmetry_of_chicken():
    """Two players who are alike: the only symmetry exchanges them."""
    tree = GameTree.compile(textbook.chicken())
    assert [f.player for f in automorphisms(tree)] == [(0, 1), (1, 0)]
