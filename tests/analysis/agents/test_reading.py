"""A game of one's own joins: its family says how a view is read, and every agent plays it."""

from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import pytest

from crywolf.analysis.agents import (
    AgentPolicy,
    Family,
    Knowledge,
    Reading,
    Task,
    agent,
    agent_of,
    expected_payoffs,
    family,
)
from crywolf.games import CHANCE, TERMINAL, Rules, Step
from crywolf.games.errors import ParameterError, PolicyError


class Spot(NamedTuple):
    spy: int | None = None
    vote: int | None = None


class SpyHunt(Rules[Spot]):
    """P2 or P3 is the spy, P3 three times as often; P1 sees whether it is P2, and names one."""

    name = "spy_hunt"
    title = "Spy hunt"

    def __init__(self, sees: bool):
        self.sees = sees
        self.parameters = {"sees": sees}
        self.num_players, self.num_distinct_actions = 3, 3
        self.max_chance_outcomes, self.max_chance_nodes, self.max_game_length = 3, 1, 1
        self.utility_range, self.utility_sum = (Fraction(-1), Fraction(1)), None

    def initial(self) -> Step[Spot]:
        return Step(Spot(), ((), (), ()))

    def mover(self, position: Spot) -> int:
        if position.spy is None:
            return CHANCE
        return 0 if position.vote is None else TERMINAL

    def chance_outcomes(self, position: Spot):
        return ((1, Fraction(1, 4)), (2, Fraction(3, 4)))

    def legal_actions(self, position: Spot) -> tuple[int, ...]:
        return (1, 2)

    def play(self, position: Spot, action: int) -> Step[Spot]:
        if position.spy is None:
            news = (("spy", action),) if self.sees else ()
            return Step(Spot(action), (news, (), ()))
        return Step(position._replace(vote=action), ((), (), ()))

    def payoffs(self, position: Spot) -> tuple[Fraction, ...]:
        won = Fraction(1 if position.vote == position.spy else -1)
        return won, -won, -won

    def action_name(self, player: int, action: int) -> str:
        return f"P{action + 1}"

    def observation_name(self, player: int, observation: Any) -> str:
        return f"spy P{observation[1] + 1}"


class SpyReading(Reading):
    @cached_property
    def task(self) -> Task:
        return Task.VOTE

    def target(self, action: int) -> int | None:
        return action

    def chance(self, statement: int) -> Fraction | None:
        return None

    def detail(self, statement: int) -> int:
        return 0

    @cached_property
    def role(self) -> str:
        return "hunter"

    @cached_property
    def living(self) -> tuple[int, ...]:
        return (0, 1, 2)

    @cached_property
    def suspicion(self) -> dict[int, Fraction]:
        if self.knowledge.view:
            ((_, spy),) = self.knowledge.view  # type: ignore[misc]
            return {seat: Fraction(seat == spy) for seat in self.living}
        return {0: Fraction(0), 1: Fraction(1, 4), 2: Fraction(3, 4)}


class SpyFamily(Family):
    def roles(self, rules: SpyHunt) -> dict[str, str]:
        return {"hunter": "town", "spy": "wolves"}

    def read(self, knowledge: Knowledge) -> Reading:
        return SpyReading(knowledge)


@family.register
def _(rules: SpyHunt) -> Family:
    return SpyFamily()


@pytest.mark.parametrize(
    ("name", "sees", "value"),
    [
        ("honest", True, 1),
        ("honest", False, Fraction(1, 2)),
        ("deceive", True, -1),
        ("deceive", False, Fraction(-1, 2)),
        ("independent", True, 0),
        ("uniform", False, 0),
    ],
)
def test_agents_play_a_game_that_they_never_saw(name: str, sees: bool, value):
    policy = AgentPolicy(SpyHunt(sees), {"town": name, "spy": "uniform"})
    assert expected_payoffs(policy)[0] == value


def test_what_a_reading_does_not_say_is_refused():
    knowledge = Knowledge(SpyHunt(False), 0, (), (1, 2))
    with pytest.raises(
        PolicyError, match="what others say is not weighed in this game; cast honest"
    ):
        agent("consistent")(knowledge)
    with pytest.raises(ParameterError, match="'votes' is no task; there are speak, vote"):
        agent_of(votes=lambda reading: {})


def test_own_habits():
    second = agent_of(vote=lambda reading: {reading.knowledge.legal[1]: 1})
    assert expected_payoffs(AgentPolicy(SpyHunt(False), second))[0] == Fraction(1, 2)
