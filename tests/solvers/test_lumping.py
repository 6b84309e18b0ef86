"""Lumped values are those of the whole tree, whatever the seats are called."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games.errors import (
    InexactError,
    NotInterchangeable,
    ParameterError,
    PolicyError,
    TooManyLumps,
)
from crywolf.games.rules import CHANCE, TERMINAL
from crywolf.solvers.lumped_response import optimal_response
from crywolf.solvers.lumping import (
    count_leaves,
    optimal_probability,
    outcome_probabilities,
)
from crywolf.solvers.lumps import Lumping
from crywolf.solvers.tree import GameTree

from .interchangeable_games import (
    Hunt,
    compiled_response,
    eager_fox,
    naive_leaves,
    naive_optimum,
    naive_probabilities,
    paying,
    uniform,
)


def knowing_fox(rules, position):
    return "min" if position.roles[rules.mover(position)] == "fox" else uniform(rules, position)


def everybody_knows(rules, position):
    return "min" if position.roles[rules.mover(position)] == "fox" else "max"


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("policy", [uniform, eager_fox])
def test_probabilities_are_those_of_the_whole_tree(players, policy):
    rules = Hunt(players)
    found = outcome_probabilities(rules, policy)
    assert found.probabilities == naive_probabilities(rules, policy)
    assert found["hens"] + found["fox"] == 1
    assert found["nobody"] == 0


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("decisions", [knowing_fox, everybody_knows])
def test_optima_are_those_of_the_whole_tree(players, decisions):
    rules = Hunt(players)
    found = optimal_probability(rules, "hens", decisions)
    assert found.value == naive_optimum(rules, "hens", decisions)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_leaves(players):
    assert count_leaves(Hunt(players)).value == naive_leaves(Hunt(players))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("policy", [uniform, eager_fox])
@pytest.mark.parametrize("outcome", ["hens", "fox"])
def test_responses_are_those_of_the_compiled_tree(players, policy, outcome):
    twin = paying(Hunt(players), outcome)
    tree = GameTree.compile(twin)
    for player in range(players):
        expected = compiled_response(twin, tree, player, policy)
        assert optimal_response(Hunt(players), player, outcome, policy).value == expected


def test_whoever_knows_more_does_better():
    """A hen does not see who is the fox: between random shots and the sight of the position."""
    rules = Hunt(5)
    hen = rules.play(rules.initial().position, rules.kinds.index("hen")).position

    def first(rules, position):
        return "max" if rules.mover(position) == 0 else uniform(rules, position)

    random = outcome_probabilities(rules, uniform, start=hen)["hens"]
    response = optimal_response(rules, 0, "hens", uniform, start=hen).value
    assert random <= response < naive_optimum(rules, "hens", first, hen)


@given(st.data())
def test_renamed_positions_have_equal_values(data):
    """On a random play: the same canonical position, outcome, probabilities and optimum."""
    rules = Hunt(4)
    position = rules.initial().position
    for _ in range(data.draw(st.integers(0, 9))):
        if rules.mover(position) == TERMINAL:
            break
        position = rules.play(
            position, data.draw(st.sampled_from(rules.actions(position)))
        ).position
    seats = data.draw(st.permutations(range(4)))
    if rules.mover(position) == CHANCE and position.stage == "deal":
        seats = list(range(4))  # cards are dealt in the order of the seats
    renamed = rules.relabelled(position, seats)
    lumping = Lumping(rules)
    assert lumping.canonical(renamed) == lumping.canonical(position)
    for start in (position, renamed):
        found = outcome_probabilities(rules, eager_fox, start=start)
        assert found.probabilities == naive_probabilities(rules, eager_fox, position)
        best = optimal_probability(rules, "hens", knowing_fox, start=start)
        assert best.value == naive_optimum(rules, "hens", knowing_fox, position)


def test_27_players():
    found = outcome_probabilities(Hunt(27), uniform)
    assert found.lumps < 1000
    assert 0 < found["hens"] < 1
    assert count_leaves(Hunt(27)).value > 10**30


def test_progress_ends_with_the_number_of_lumps():
    seen = []
    found = outcome_probabilities(Hunt(20), uniform, progress=seen.append)
    assert seen[-1] == found.lumps
    assert seen == sorted(seen)
    assert len(seen) > 1


def test_too_many_lumps_are_refused():
    for ask in (
        lambda limit: outcome_probabilities(Hunt(6), uniform, max_lumps=limit).lumps,
        lambda limit: optimal_probability(Hunt(6), "hens", knowing_fox, max_lumps=limit).lumps,
        lambda limit: count_leaves(Hunt(6), max_lumps=limit).lumps,
        lambda limit: optimal_response(Hunt(5), 0, "hens", uniform, max_lumps=limit).lumps,
    ):
        needed = ask(10_000)
        assert ask(needed) == needed
        with pytest.raises(
            TooManyLumps, match=r"more than .* lumps; pass a larger max_lumps"
        ) as error:
            ask(needed - 1)
        assert error.value.limit == needed - 1


def test_numbered_seats_are_refused():
    with pytest.raises(NotInterchangeable, match="it matters how the players are numbered"):
        outcome_probabilities(Hunt(4, numbered=True), uniform)
    for ask in (
        lambda game: outcome_probabilities(game, uniform),
        lambda game: optimal_response(game, 0, "hens", uniform),
        count_leaves,
    ):
        with pytest.raises(NotInterchangeable, match="onuw_robber3: the game does not say"):
            ask("onuw_robber3")
        with pytest.raises(NotInterchangeable, match="kuhn_poker: the game does not say"):
            ask("kuhn_poker")


@pytest.mark.parametrize(
    ("mixture", "error", "words"),
    [
        ({}, PolicyError, "sum to exactly 1"),
        ({0: F(1, 2)}, PolicyError, "sum to exactly 1"),
        ({0: F(3, 2), 1: F(-1, 2)}, PolicyError, "nonnegative"),
        ({17: F(1)}, PolicyError, "of the actions 0, 1 that"),
        ({1: 1.0}, InexactError, "write Fraction"),
    ],
)
def test_bad_policies_are_refused(mixture, error, words):
    for ask in (
        lambda policy: outcome_probabilities(Hunt(3), policy),
        lambda policy: optimal_probability(Hunt(3), "hens", policy),
        lambda policy: optimal_response(Hunt(3), 0, "hens", policy),
    ):
        with pytest.raises(error, match=words):
            ask(lambda *_: mixture)


def test_bad_questions_are_refused():
    with pytest.raises(PolicyError, match="'best' is no decision"):
        optimal_probability(Hunt(3), "hens", lambda *_: "best")  # type: ignore[arg-type]
    for ask in (
        lambda policy: outcome_probabilities(Hunt(3), policy),
        lambda policy: optimal_response(Hunt(3), 0, "hens", policy),
    ):
        with pytest.raises(PolicyError, match="'max' where probabilities of actions are needed"):
            ask(lambda *_: "max")
    with pytest.raises(ParameterError, match="players 0 to 2, not 3"):
        optimal_response(Hunt(3), 3, "hens", uniform)
