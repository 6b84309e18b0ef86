"""What agents make of a view of ONUW: against brute force, and worked examples."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis.agents import (
    AGENTS,
    AgentPolicy,
    Knowledge,
    agent,
    outcomes,
    reading_of,
    worlds,
)
from crywolf.analysis.agents.onuw import OnuwReading
from crywolf.games import Cursor, Onuw, advance, load_game, rules_of, start
from crywolf.games.errors import ProblemTooLarge
from crywolf.games.onuw import Stage, Statement, after_night, is_true

from .brute_onuw import World, knows_same
from .brute_onuw import worlds as brute_worlds

TALK = "roles+others+night+accuse"
GAMES = [
    Onuw(players=3, centre=0, roles="2werewolf+robber", deal="fixed", talk="robber"),
    Onuw(players=3, centre=2, roles="2werewolf+robber+seer+villager", talk=TALK, talk_rounds=2),
    Onuw(players=3, centre=2, roles="werewolf+minion+robber+seer+insomniac", talk=TALK),
    Onuw(players=3, centre=1, roles="werewolf+troublemaker+drunk+seer", talk=TALK),
    Onuw(players=4, centre=1, roles="werewolf+robber+troublemaker+2mason", talk=TALK),
    Onuw(players=4, centre=0, roles="werewolf+robber+troublemaker+insomniac", talk="night+accuse"),
]


@cache
def all_worlds(rules: Onuw) -> list[World]:
    fixed = rules.parameters["deal"] == "fixed"
    return list(brute_worlds(rules.deck, rules.num_players, fixed))


def move_of(rules: Onuw, seat: int, name: str) -> tuple:
    """A night action in the words of brute_onuw, from its name."""
    if name in ("NS", "no swap"):
        return ("stay",)
    verb, _, rest = name.partition(" ")
    if not rest:
        return ("swap", seat, int(name.removeprefix("S")) - 1)
    places = []
    for place in rest.split(" and "):
        number = int(place.split()[-1].removeprefix("P")) - 1
        places.append(number + rules.num_players * place.startswith("centre"))
    return {"look": ("look", *places), "swap": ("swap", *places), "take": ("swap", seat, *places)}[
        verb
    ]


def seen_in(world: World, seat: int, players: int) -> tuple[Any, ...]:
    """What a seat saw, in the game's words."""
    role, shown = world.dealt[seat], world.seen[seat]
    if role in ("werewolf", "minion"):
        return (("werewolves", tuple(s for s in range(players) if world.dealt[s] == "werewolf")),)
    if role == "mason":
        return (("masons", tuple(s for s in range(players) if world.dealt[s] == "mason")),)
    if role == "seer":
        return tuple(("saw", place, card) for place, card in shown)
    return tuple(("now", card) for _, card in shown)


def holds(rules: Onuw, world: World, speaker: int, statement: Statement) -> bool:
    """Whether a statement is true of a world, from what its words mean."""
    seat = speaker if statement.seat is None else statement.seat
    if statement.kind in ("start", "now"):
        return (world.dealt if statement.kind == "start" else world.final)[seat] == statement.role
    if statement.kind in ("accuse", "defend"):
        return (world.final[seat] == "werewolf") == (statement.kind == "accuse")
    if world.dealt[speaker] != statement.role:
        return False
    if statement.move is not None:
        name = rules.action_table.move_name(statement.move)
        if world.moves[speaker] != move_of(rules, speaker, name):
            return False
    if statement.kind == "night":
        return seen_in(world, speaker, rules.num_players) == statement.seen
    return True


class Point(NamedTuple):
    """A decision in a play, with the truth about it."""

    cursor: Cursor
    truth: World
    said: list[tuple[int, Statement]]


def random_play(rules: Onuw, data: st.DataObject, stages: tuple[Stage, ...]) -> Point:
    """A random play up to a random decision in one of the stages."""
    cursor, moves, said = start(rules), {}, []
    last = 0 if rules.talk.robber_only and stages == (Stage.TALK,) else rules.num_players - 1
    until = data.draw(st.integers(0, last))
    while True:
        mover, stage = rules.mover(cursor.position), cursor.position.stage
        if stage in stages:
            if until == 0:
                night = tuple(moves.get(seat) for seat in range(rules.num_players))
                dealt = cursor.position.initial
                (truth,) = [w for w in all_worlds(rules) if (w.dealt, w.moves) == (dealt, night)]
                assert truth.final == cursor.position.cards
                return Point(cursor, truth, said)
            until -= 1
        action = data.draw(st.sampled_from(rules.actions(cursor.position)))
        if stage is Stage.NIGHT:
            moves[mover] = move_of(rules, mover, rules.action_name(mover, action))
        elif stage is Stage.TALK:
            said.append((mover, rules.action_table.statement(action)))
        cursor = advance(rules, cursor, action)


def knowledge_at(rules: Onuw, cursor: Cursor) -> Knowledge:
    mover = rules.mover(cursor.position)
    return Knowledge(rules, mover, cursor.views[mover], rules.legal_actions(cursor.position))


def chances(possible: list[World], rules: Onuw) -> Mapping[int, Fraction]:
    total = sum(w.weight for w in possible)
    return {
        seat: sum((w.weight for w in possible if w.final[seat] == "werewolf"), Fraction(0)) / total
        for seat in range(rules.num_players)
    }


# --------------------------------------------------------------------------------- brute force


@settings(max_examples=60)
@given(st.sampled_from(GAMES), st.data())
def test_beliefs_equal_brute_force(rules: Onuw, data: st.DataObject):
    cursor, truth, said = random_play(rules, data, (Stage.VOTE,))
    knowledge = knowledge_at(rules, cursor)
    player = knowledge.player
    possible = [w for w in all_worlds(rules) if knows_same(w, truth, player, rules.num_players)]
    reading = reading_of(knowledge)
    assert reading.suspicion == chances(possible, rules)
    # The largest sets of statements that are true together in some possible world.
    heard = list({(s, what) for s, what in said if s != player and what.kind != "nothing"})
    true_in = [
        {i for i, (s, what) in enumerate(heard) if holds(rules, w, s, what)} for w in possible
    ]
    subsets = [
        set(chosen)
        for size in range(len(heard) + 1)
        for chosen in combinations(range(len(heard)), size)
        if any(set(chosen) <= true for true in true_in)
    ]
    size = max(map(len, subsets))
    consistent = [chosen for chosen in subsets if len(chosen) == size]
    trusted = [
        w for w, true in zip(possible, true_in) if any(chosen <= true for chosen in consistent)
    ]
    assert reading.trusting_suspicion == chances(trusted, rules)


@settings(max_examples=60)
@given(st.sampled_from(GAMES), st.data())
def test_chances_of_statements_equal_brute_force(rules: Onuw, data: st.DataObject):
    cursor, truth, _ = random_play(rules, data, (Stage.TALK,))
    knowledge = knowledge_at(rules, cursor)
    player = knowledge.player
    possible = [w for w in all_worlds(rules) if knows_same(w, truth, player, rules.num_players)]
    total = sum(w.weight for w in possible)
    reading = reading_of(knowledge)
    for action in data.draw(st.lists(st.sampled_from(knowledge.legal), max_size=8)):
        statement = rules.action_table.statement(action)
        if statement.kind == "nothing":
            assert reading.chance(action) is None
            continue
        true = (w.weight for w in possible if holds(rules, w, player, statement))
        assert reading.chance(action) == sum(true, Fraction(0)) / total


# ----------------------------------------------------------------------------- truth and falsehood


@settings(max_examples=100)
@given(st.sampled_from(GAMES), st.data())
def test_honest_says_nothing_false_and_deceive_nothing_true(rules: Onuw, data: st.DataObject):
    cursor, truth, _ = random_play(rules, data, (Stage.TALK,))
    knowledge = knowledge_at(rules, cursor)
    table = rules.action_table
    silence = any(table.statement(a).kind == "nothing" for a in knowledge.legal)
    for action, probability in agent("honest")(knowledge).items():
        if probability and table.statement(action).kind != "nothing":
            assert is_true(rules, action, knowledge.player, cursor)
            assert holds(rules, truth, knowledge.player, table.statement(action))
    for action, probability in agent("deceive")(knowledge).items():
        if probability:  # there is always a false claim about one's own card
            assert not is_true(rules, action, knowledge.player, cursor)
            assert table.statement(action).kind != "nothing"
    assert silence or rules.talk.robber_only


# --------------------------------------------------------------------------------- worked examples


def at_vote(rules: Onuw, deal: tuple[str, ...], night: Mapping[int, str], said: Mapping[int, str]):
    """The first vote of P1 after a deal, a night and one round of talk; actions by name."""
    names = rules.action_table.names
    cursor = after_night(rules, deal, {seat: names.index(name) for seat, name in night.items()})
    while cursor.position.stage is Stage.TALK:
        seat = rules.mover(cursor.position)
        cursor = advance(rules, cursor, names.index(said.get(seat, "say nothing")))
    while rules.mover(cursor.position) != 0:
        cursor = advance(rules, cursor, rules.legal_actions(cursor.position)[0])
    return knowledge_at(rules, cursor)


def votes(name: str, knowledge: Knowledge) -> dict[str, Fraction]:
    row = agent(name)(knowledge)
    return {knowledge.names[action].removeprefix("vote "): p for action, p in row.items() if p}


ROBBERY = Onuw(
    players=4,
    centre=1,
    roles="werewolf+robber+2villager+seer",
    talk="night+accuse",
    vote_order="seat",
)


def test_a_robber_that_took_the_werewolf_card():
    deal = ("villager", "robber", "werewolf", "seer", "villager")
    silent = at_vote(ROBBERY, deal, {1: "S3", 3: "look P3"}, {})
    # P1, a Villager, knows nothing; everybody else is alike to it.
    assert votes("consistent", silent) == dict.fromkeys(["P2", "P3", "P4"], Fraction(1, 3))
    seer = {3: "say Seer: P3 has Werewolf"}
    told = at_vote(ROBBERY, deal, {1: "S3", 3: "look P3"}, seer)
    # If the Seer is right, P3 had the card; only a Robber can have taken it, which is P2 or in the
    # centre.
    assert reading_of(told).trusting_suspicion[3] == 0
    assert votes("consistent", told) == {"P3": 1}
    confession = seer | {1: "say Robber: S3, now Werewolf"}
    both = at_vote(ROBBERY, deal, {1: "S3", 3: "look P3"}, confession)
    assert reading_of(both).trusting_suspicion == {0: 0, 1: 1, 2: 0, 3: 0}
    assert votes("consistent", both) == {"P2": 1}
    assert votes("honest", both) == votes("honest", silent)  # believes only its own eyes


def test_two_against_one():
    """P2 and P4 fit together; P3 contradicts both, so P3 is the one not believed."""
    deal = ("villager", "robber", "werewolf", "seer", "villager")
    said = {
        1: "say Robber: S1, now Villager",
        2: "say Seer: P2 has Werewolf",
        3: "say Seer: P3 has Werewolf",
    }
    knowledge = at_vote(ROBBERY, deal, {1: "S1", 3: "look P3"}, said)
    assert votes("consistent", knowledge) == {"P3": 1}
    reading = reading_of(knowledge)
    assert isinstance(reading, OnuwReading)
    possible, plausible = reading.plausible()
    assert 0 < plausible.sum() < len(possible)


def test_a_werewolf_does_not_vote_for_its_pack():
    rules = Onuw(players=3, centre=0, roles="2werewolf+robber", deal="fixed", talk="robber")
    cursor = after_night(rules, rules.deck, {2: rules.action_table.names.index("NS")})
    cursor = advance(rules, cursor, rules.action_table.names.index("say NS"))
    while rules.mover(cursor.position) != 0:
        cursor = advance(rules, cursor, rules.legal_actions(cursor.position)[0])
    knowledge = knowledge_at(rules, cursor)
    # By its own eyes P2 and P3 are alike; if the Robber tells the truth P3 is no Werewolf.
    assert votes("honest", knowledge) == dict.fromkeys(["P2", "P3"], Fraction(1, 2))
    assert votes("consistent", knowledge) == {"P3": 1}


def test_the_published_settings_are_played_as_if_they_were_shuffled():
    rules = rules_of(load_game("onuw5_hard(talk=night+accuse)"))
    assert isinstance(rules, Onuw)
    cursor = start(rules)
    reading = reading_of(knowledge_at(rules, cursor))
    assert isinstance(reading, OnuwReading)
    # P1 is the Robber that took the Werewolf card from P4. The Troublemaker is one of three seats
    # or of three centre cards; 3 of its 7 choices take the card from P1, and two of these give it
    # the card of a seat that is the other Werewolf's with probability 1/5.
    assert reading.role == "robber"
    swapped = Fraction(1, 2) * Fraction(3, 7)
    assert reading.suspicion[0] == 1 - swapped + swapped * Fraction(2, 3) * Fraction(1, 5)


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_nothing_is_read_from_a_stacked_deck(name: str):
    """Two decks that look alike to P1 are alike to every agent, though the rules hold the cards."""
    answers = []
    for others in ("werewolf+robber+seer+villager", "robber+villager+werewolf+seer"):
        deck = f"villager+{others}"
        rules = Onuw(players=3, centre=2, roles=deck, deal="stacked", talk="roles+accuse")
        cursor = after_night(rules, rules.deck, dict.fromkeys(range(3), 0))  # NS for the Robber
        knowledge = knowledge_at(rules, cursor)
        assert knowledge.player == 0
        row = agent(name)(knowledge)
        answers.append({knowledge.names[action]: p for action, p in row.items()})
    assert answers[0] == answers[1]


def test_too_many_worlds_are_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worlds, "MAX_WORLDS", 10)
    rules = Onuw(players=3, centre=3, roles="2werewolf+seer+robber+villager+hunter")
    with pytest.raises(ProblemTooLarge, match="more than 10 deals and nights agree"):
        outcomes(AgentPolicy(rules, "honest"))
