"""Names of equilibria that everybody would give them."""

from fractions import Fraction as F
from typing import Any

import pytest
import sympy as sp

from crywolf.games.errors import GameError, PolicyError
from crywolf.games.extensive import ExtensiveGame, chance, decision, leaf
from crywolf.solvers.pbe.naming import MAX_LENGTH, describe
from crywolf.solvers.tree import GameTree

q, x, y = sp.symbols("q x y")


def breakfasts(weak: Any = F(1, 10)):
    """Beer-quiche (Cho and Kreps 1987)."""

    def respond(meal, liked, is_weak):
        fight, spare = leaf(int(liked), int(is_weak)), leaf(liked + 2, int(not is_weak))
        return decision(1, meal, {"fight": fight, "spare": spare})

    def eat(label, is_weak):
        meals = {meal: respond(meal, (meal == "quiche") == is_weak, is_weak) for meal in MEALS}
        return decision(0, label, meals)

    types = {"weak": (weak, eat("weak", True)), "strong": (1 - weak, eat("strong", False))}
    return GameTree.compile(ExtensiveGame("breakfasts", chance(types)))


MEALS = ("beer", "quiche")


@pytest.fixture
def breakfast():
    return breakfasts()


def after(weak, strong, beer, quiche):
    return {"P1: weak": weak, "P1: strong": strong, "P2: beer": beer, "P2: quiche": quiche}


FIGHT, SPARE, BEER, QUICHE = {"fight": 1}, {"spare": 1}, {"beer": 1}, {"quiche": 1}
MAYBE = {"fight": q, "spare": 1 - q}


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        (after(BEER, BEER, SPARE, MAYBE), "pooling on beer; P2: spare"),
        (after(QUICHE, QUICHE, FIGHT, SPARE), "pooling on quiche; P2: spare"),
        (
            after(QUICHE, BEER, SPARE, FIGHT),
            "separating (weak: quiche, strong: beer); P2: spare, fight",
        ),
        (
            after({"beer": "1/9", "quiche": "8/9"}, BEER, {"fight": "1/2", "spare": "1/2"}, FIGHT),
            "semi-separating (weak: beer/quiche, strong: beer); P2: fight/spare, fight",
        ),
        (
            after({"beer": x, "quiche": 1 - x}, {"beer": x, "quiche": 1 - x}, SPARE, SPARE),
            "pooling on beer/quiche (free); P2: spare, spare",
        ),
        (
            after({"beer": x, "quiche": 1 - x}, {"beer": y, "quiche": 1 - y}, SPARE, SPARE),
            "semi-separating (weak: beer/quiche (free), strong: beer/quiche (free)); "
            "P2: spare, spare",
        ),
    ],
)
def test_signals(breakfast, profile, name):
    assert describe(breakfast, profile) == name


def test_payoffs_stand_at_the_end_if_they_fit(breakfast):
    profile = after(BEER, BEER, SPARE, MAYBE)
    name = describe(breakfast, profile, (F(29, 10), F(9, 10)))
    assert name == "pooling on beer; P2: spare; payoffs (29/10, 9/10)"
    long = (sp.expand((x + y + 1) ** 9), F(9, 10))
    assert describe(breakfast, profile, long) == "pooling on beer; P2: spare"


def test_symbols_of_the_game_are_not_free():
    p = sp.Symbol("p")
    bluff = {"beer": (1 - p) / p, "quiche": 2 - 1 / p}
    half = {"fight": F(1, 2), "spare": F(1, 2)}
    name = describe(breakfasts(p), after(bluff, BEER, half, FIGHT), (2 - p, p))
    assert name == (
        "semi-separating (weak: beer/quiche, strong: beer); P2: fight/spare, fight; "
        "payoffs (2 - p, p)"
    )


def test_a_probability_that_is_0_in_disguise_is_0(breakfast):
    zero = (x + 1) ** 2 - x**2 - 2 * x - 1
    profile = after(BEER, {"beer": 1 - zero, "quiche": zero}, SPARE, MAYBE)
    assert describe(breakfast, profile) == "pooling on beer; P2: spare"


def test_messages_that_nobody_hears_are_no_signals():
    def guess(kind):
        ends = {c: leaf(int(c == kind), 0) for c in "hl"}
        other = {m: decision(1, "2", {c: ends[c] for c in "hl"}) for m in "ab"}
        return decision(0, kind, other)

    tree = GameTree.compile(
        ExtensiveGame("deaf", chance({"h": ("1/2", guess("h")), "l": ("1/2", guess("l"))}))
    )
    profile = {"P1: h": {"a": 1}, "P1: l": {"b": 1}, "P2: 2": {"h": 1}}
    assert describe(tree, profile) == "pure; P1: a, b · P2: h"


def test_two_types_of_three_pool():
    def say(kind):
        hear = {m: decision(1, m, {"l": leaf(0, 0), "r": leaf(1, 1)}) for m in "ab"}
        return decision(0, kind, hear)

    third = F(1, 3)
    tree = GameTree.compile(
        ExtensiveGame("three types", chance({k: (third, say(k)) for k in ("t1", "t2", "t3")}))
    )
    profile = {"P1: t1": {"a": 1}, "P1: t2": {"b": 1}, "P1: t3": {"b": 1}}
    profile |= {"P2: a": {"l": 1}, "P2: b": {"r": 1}}
    assert describe(tree, profile) == "semi-separating (t1: a, t2: b, t3: b); P2: l, r"


@pytest.fixture
def outside():
    """Battle of the sexes with an outside option (Kohlberg and Mertens 1986)."""
    second = {
        "T": decision(1, "2", {"T": leaf(3, 1), "W": leaf(0, 0)}),
        "W": decision(1, "2", {"T": leaf(0, 0), "W": leaf(1, 3)}),
    }
    first = {"Out": leaf(2, 2), "In": decision(0, "1 inside", second)}
    return GameTree.compile(ExtensiveGame("outside", decision(0, "1", first)))


@pytest.mark.parametrize(
    ("first", "inside", "second", "name"),
    [
        ({"In": 1}, {"T": 1}, {"T": 1}, "pure; P1: In, T · P2: T"),
        ({"Out": 1}, {"W": 1}, {"W": 1}, "pure; P1: Out"),
        ({"Out": 1}, {"T": "3/4", "W": "1/4"}, {"T": "1/4", "W": "3/4"}, "pure on the path; P1: Out"),
        ({"In": 1}, {"T": q, "W": 1 - q}, {"T": 1}, "mixed; P1: In, T/W (free) · P2: T"),
        (
            {"Out": q, "In": 1 - q},
            {"T": "3/4", "W": "1/4"},
            {"T": "1/4", "W": "3/4"},
            "completely mixed; P1: Out/In (free), T/W · P2: T/W",
        ),
    ],
)  # fmt: skip
def test_choices_on_the_path(outside, first, inside, second, name):
    assert describe(outside, {"P1: 1": first, "P1: 1 inside": inside, "P2: 2": second}) == name


def theorem_4_1(tree):
    vote = {"P1": "vote P1", "P2": "vote P2"}
    return {
        "P1: dealt Werewolf; Werewolves P1 P2": {vote["P2"]: 1},
        "P2: dealt Werewolf; Werewolves P1 P2": {vote["P1"]: 1},
        "P3: dealt Robber": {"S1": "1/2", "S2": "1/2"},
        "P3: dealt Robber; NS": {vote["P1"]: q, vote["P2"]: 1 - q},
        "P3: dealt Robber; S1; now Werewolf": {vote["P1"]: 1},
        "P3: dealt Robber; S2; now Werewolf": {vote["P2"]: 1},
    }


def test_theorem_4_1(robber3):
    """Jin et al. 2024: the Robber takes one of the cards and votes for the player it robbed."""
    name = describe(robber3, theorem_4_1(robber3), (0, 0, 1))
    assert name == (
        "mixed; P1: vote P2 · P2: vote P1 · P3: S1/S2, vote P1, vote P2; payoffs (0, 0, 1)"
    )


def test_names_are_short(tree_of):
    tree = tree_of("onuw_robber3_talk")
    uniform = {
        key: dict.fromkeys(tree.action_names(h), F(1, len(tree.legal[h])))
        for h, key in enumerate(tree.keys)
    }
    name = describe(tree, uniform)
    assert name.startswith("completely mixed; P1: vote P2/vote P3")
    assert name.endswith(" ...")
    assert len(name) <= MAX_LENGTH


def test_sets_without_a_choice_may_be_left_out():
    tree = GameTree.compile(
        ExtensiveGame("forced", decision(0, "a", {"go": decision(1, "b", {"l": leaf(0, 0)})}))
    )
    assert describe(tree, {}) == "pure"


def test_refusals(outside):
    good = {"P1: 1": {"In": 1}, "P1: 1 inside": {"T": 1}, "P2: 2": {"T": 1}}
    with pytest.raises(PolicyError, match="no strategy"):
        describe(outside, {"P1: 1": {"In": 1}})
    with pytest.raises(PolicyError, match="no action 'X'"):
        describe(outside, good | {"P2: 2": {"X": 1}})
    with pytest.raises(PolicyError, match="no information set 'P3'"):
        describe(outside, good | {"P3": {"X": 1}})
    with pytest.raises(GameError, match="float"):
        describe(outside, good | {"P2: 2": {"T": 0.5, "W": 0.5}})
