"""Casts, names, exact profiles: agents as one OpenSpiel policy."""

from collections.abc import Iterator
from fractions import Fraction

import pyspiel
import pytest
from typer.testing import CliRunner

from crywolf.analysis import nash_conv
from crywolf.analysis.agents import (
    AGENTS,
    AgentPolicy,
    Knowledge,
    add_agent,
    agent,
    best_response,
    from_profile,
    registry,
)
from crywolf.analysis.policies import FORMS, resolve_policy
from crywolf.cli import app
from crywolf.games import Onuw, load_game, rules_of
from crywolf.games.errors import InexactError, ParameterError, PolicyError
from crywolf.solvers import GameTree, Profile
from crywolf.solvers.best_response import evaluate
from crywolf.solvers.exact import evaluate_exact, exact_profile

TALK = "onuw_robber3_talk"


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return GameTree.compile(load_game(TALK))


@pytest.fixture
def names() -> Iterator[None]:
    """Names that a test gives are forgotten after it."""
    before = dict(AGENTS)
    yield
    registry._agents.clear()
    registry._agents.update(before)


def exact(tree: GameTree, cast) -> tuple[Fraction, tuple[Fraction, ...]]:
    rows = AgentPolicy(tree.rules, cast).strategies(tree)
    evaluation = evaluate_exact(tree, exact_profile(tree, rows))
    return evaluation.nash_conv, evaluation.values


# -------------------------------------------------------------------------- values that are known


def test_published_and_derived_values_of_the_theory_game():
    tree = GameTree.compile(load_game("onuw_robber3"))
    # Uniform play has NashConv 1/3. If the Robber votes for whom it robbed, nobody can gain.
    assert exact(tree, "uniform")[0] == Fraction(1, 3)
    liar = Fraction(0), (Fraction(-1, 12), Fraction(-1, 12), Fraction(1, 4))
    assert exact(tree, "deceive") == liar
    # Werewolves that both vote for the Robber: an equilibrium in which it always loses.
    block = Fraction(0), (Fraction(1, 3), Fraction(1, 3), Fraction(-1))
    assert exact(tree, {"wolves": "block_vote", "rest": "uniform"}) == block


@pytest.mark.parametrize("cast", [*AGENTS, {"town": "honest", "wolves": "deceive"}])
def test_exact_profile_and_openspiel_policy_agree(tree: GameTree, cast):
    policy = AgentPolicy(TALK, cast)
    floats = evaluate(policy.profile(tree))
    assert policy.profile(tree) == Profile.from_policy(tree, policy)
    nash, values = exact(tree, cast)
    assert floats.nash_conv == pytest.approx(float(nash), abs=1e-12)
    assert floats.values == pytest.approx([float(v) for v in values], abs=1e-12)
    assert nash_conv(TALK, policy).nash_conv == pytest.approx(float(nash), abs=1e-12)


@pytest.mark.parametrize("cast", ["uniform", "honest", "consistent", "random_protocol:3"])
@pytest.mark.parametrize("player", [0, 1, 2])
def test_best_responses_are_agents(tree: GameTree, cast: str, player: int):
    policy = AgentPolicy(TALK, cast)
    before = evaluate(policy.profile(tree))
    response = best_response(tree, policy, player)
    mixed = AgentPolicy(TALK, {f"P{player + 1}": response, "rest": cast})
    after = evaluate(mixed.profile(tree))
    assert after.values[player] == pytest.approx(before.best_response_values[player], abs=1e-12)
    assert after.values[player] >= before.values[player] - 1e-12
    assert best_response(tree, policy.profile(tree), player).__name__ == response.__name__


def test_profiles_are_agents(tree: GameTree):
    profile = AgentPolicy(TALK, "uniform").profile(tree)
    again = AgentPolicy(TALK, from_profile(profile)).strategies(tree)
    assert all(sum(row.values()) == 1 for row in again.values())
    assert AgentPolicy(TALK, from_profile(profile)).profile(tree) == profile
    with pytest.raises(PolicyError, match="no information set"):
        AgentPolicy("onuw_robber3", from_profile(profile)).profile(
            GameTree.compile(load_game("onuw_robber3"))
        )
    with pytest.raises(PolicyError, match="is of onuw_robber3_talk, not of onuw_robber3"):
        best_response(GameTree.compile(load_game("onuw_robber3")), profile, 0)
    with pytest.raises(ParameterError, match="players 0 to 2"):
        best_response(tree, profile, 3)


# ------------------------------------------------------------------------------------------- casts


def test_seats_go_before_roles_and_roles_before_teams(tree: GameTree):
    def plays(number: int):
        return lambda knowledge: {knowledge.legal[number]: 1}

    policy = AgentPolicy(
        TALK, {"P1": plays(0), "werewolf": plays(-1), "wolves": plays(0), "rest": "uniform"}
    )
    rows = policy.strategies(tree)
    for h, key in enumerate(tree.keys):
        row = list(rows[key].values())
        chosen = {0: 0, 1: len(row) - 1}.get(int(tree.owner[h]))
        if chosen is None:
            assert len(set(row)) == 1
        else:
            assert row[chosen] == 1


def test_a_robber_with_a_werewolf_card_stays_what_it_was_dealt(tree: GameTree):
    policy = AgentPolicy(TALK, {"town": "deceive", "wolves": "honest"})
    everybody = AgentPolicy(TALK, "deceive").strategies(tree)
    for key, row in policy.strategies(tree).items():
        if key.startswith("P3"):
            assert row == everybody[key]


@pytest.mark.parametrize(
    ("cast", "text"),
    [
        ("truthful", "no agent is called 'truthful'; there are uniform, honest"),
        ({"town": "honest"}, "nobody is cast for werewolf"),
        ({"werewolf": "honest"}, "nobody is cast for robber"),
        ({}, "nobody is cast for werewolf, robber"),
        ({"P1": "honest", "P2": "honest"}, "nobody is cast for werewolf"),
        ({"P4": "honest", "rest": "honest"}, "nobody called 'P4'.*P1, P2, P3, werewolf, robber"),
        ({"seer": "honest", "rest": "honest"}, "nobody called 'seer'"),
        ({"rest": 3}, "is no agent"),
        ({"rest": AgentPolicy(TALK, "honest")}, "the answer method"),
        ("honest:3", "takes no seed"),
        ("random_protocol:x", "no whole number"),
    ],
)
def test_bad_casts(cast, text: str):
    with pytest.raises(PolicyError, match=text):
        AgentPolicy(TALK, cast)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no agent is called ''"),
        ("town=honest+", "is not of the form WHO=AGENT"),
        ("town=+wolves=honest", "is not of the form WHO=AGENT"),
        ("honest+deceive", "is not of the form WHO=AGENT"),
        ("town=honest+town=honest", "town is cast twice"),
        ("town=honest+wolves=decieve", "no agent is called 'decieve'"),
    ],
)
def test_bad_texts(text: str, problem: str):
    with pytest.raises(PolicyError, match=problem):
        resolve_policy(f"agent:{text}", load_game(TALK))


def test_named_policies(tree: GameTree):
    named = resolve_policy("agent:town=honest+wolves=deceive", None, tree)
    assert named.label == named.policy.name == "agent:town=honest+wolves=deceive"
    same = AgentPolicy(TALK, {"town": "honest", "wolves": "deceive"})
    assert named.policy.strategies(tree) == same.strategies(tree)
    assert "agent:NAME" in FORMS
    run = CliRunner().invoke(app, ["nashconv", TALK, "--policy", "agent:honest", "--json"])
    assert run.exit_code == 0
    assert '"nash_conv": 1.333333' in run.stdout


def test_other_games_are_refused(tree: GameTree):
    with pytest.raises(PolicyError, match=r"kuhn_poker is a game of OpenSpiel's own.*random:SEED"):
        AgentPolicy("kuhn_poker", "uniform")
    with pytest.raises(PolicyError, match="has no roles"):
        nash_conv("beer_quiche", "agent:honest")
    assert nash_conv("beer_quiche", "agent:uniform").nash_conv == pytest.approx(0.9)
    policy = AgentPolicy(TALK, "uniform")
    for other in ("onuw_robber3", "kuhn_poker"):
        with pytest.raises(PolicyError, match=f"plays {TALK}, and the state is of {other}"):
            policy.exact(pyspiel.load_game(other).new_initial_state(), 0)
    with pytest.raises(PolicyError, match="the tree is of onuw_robber3"):
        policy.strategies(GameTree.compile(load_game("onuw_robber3")))
    state = load_game(TALK).new_initial_state()
    with pytest.raises(PolicyError, match="the player to move, which is 2, not 0"):
        policy.action_probabilities(state, 0)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    with pytest.raises(PolicyError, match="the player to move"):
        policy.action_probabilities(state)


def test_rules_games_and_names_are_the_same_game():
    rules = rules_of(load_game(TALK))
    assert isinstance(rules, Onuw)
    state = load_game(TALK).new_initial_state()
    answers = [AgentPolicy(game, "honest").exact(state) for game in (TALK, rules, load_game(TALK))]
    assert answers[0] == answers[1] == answers[2]


# ------------------------------------------------------------------------------------------- names


@pytest.mark.usefixtures("names")
def test_own_agents_have_names(tree: GameTree):
    @add_agent("stubborn")
    def stubborn(knowledge: Knowledge, seed: int = 0):
        """Always plays the same.

        More words.
        """
        return {knowledge.legal[seed % len(knowledge.legal)]: Fraction(1)}

    assert AGENTS["stubborn"].summary == "Always plays the same."
    assert AGENTS["stubborn"].seeded
    assert agent("stubborn") is stubborn
    rows = resolve_policy("agent:stubborn:1", None, tree).policy.strategies(tree)
    assert all(list(row.values())[1] == 1 for row in rows.values())
    assert all(entry.summary.endswith(".") for entry in AGENTS.values())
    with pytest.raises(ParameterError, match="cannot be an agent's name"):
        add_agent("Not a name")


@pytest.mark.parametrize(
    ("answer", "error", "text"),
    [
        ({}, PolicyError, "must sum to exactly 1"),
        ({0: Fraction(1, 2), 1: Fraction(1, 3)}, PolicyError, "NS 1/2, S1 1/3, S2 0"),
        ({0: Fraction(3, 2), 1: Fraction(-1, 2)}, PolicyError, "must not be negative"),
        ({99: 1}, PolicyError, r"illegal actions \[99\]; legal are 0 \(NS\)"),
        ({0: 0.5, 1: 0.5}, InexactError, "exact"),
        (None, PolicyError, "answers None"),
    ],
)
def test_answers_are_checked(answer, error: type[Exception], text: str):
    policy = AgentPolicy(TALK, lambda knowledge: answer)
    with pytest.raises(error, match=text):
        policy.action_probabilities(load_game(TALK).new_initial_state())
