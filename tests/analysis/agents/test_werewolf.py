"""Agents in Werewolf: published values, beliefs against the whole tree, truth and falsehood."""

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis.agents import (
    AGENTS,
    AgentPolicy,
    Knowledge,
    agent,
    best_response,
    expected_payoffs,
    outcomes,
    reading_of,
)
from crywolf.analysis.agents.knowledge import checked
from crywolf.analysis.agents.werewolf import WerewolfReading
from crywolf.games import TERMINAL, Cursor, advance, load_game, rules_of, start
from crywolf.games.werewolf import ROLES, Werewolf
from crywolf.solvers import GameTree
from crywolf.solvers.best_response import evaluate
from crywolf.solvers.exact import evaluate_exact, exact_profile


def winner(rules: Werewolf, end: Cursor) -> str:
    return rules.outcome(end.position)


def first_out_is_wolf(rules: Werewolf, end: Cursor) -> bool:
    """Whether the first player voted out is a wolf; in plays where a day ends with one out."""
    events = [entry for entry in end.views[0] if isinstance(entry, tuple)]
    ((seat, _),) = next(event[1] for event in events if event[0] == "eliminated")
    return ROLES[end.position.roles[seat]].wolf


def knowledge_at(rules: Werewolf, cursor: Cursor) -> Knowledge:
    mover = rules.mover(cursor.position)
    legal = rules.legal_actions(cursor.position)
    return Knowledge(rules, mover, cursor.views[mover], legal)


# ---------------------------------------------------------------------------------- known values


@pytest.mark.parametrize(
    ("players", "independent", "protocol"),
    [(5, Fraction(9, 64), Fraction(2, 5)), (6, Fraction(89, 625), Fraction(1, 3))],
)
def test_why_the_town_needs_the_random_protocol(players, independent, protocol):
    rules = Werewolf(players=players, roles=f"2werewolf+{players - 2}villager", max_days=1)

    def chance(town: str, wolves: str) -> Fraction:
        policy = AgentPolicy(rules, {"wolves": wolves, "town": town})
        return outcomes(policy, first_out_is_wolf)[True]

    assert chance("independent", "block_vote") == independent
    for seed in range(3):
        assert chance(f"random_protocol:{seed}", "block_vote") == protocol
        assert chance(f"random_protocol:{seed}", f"drawn_block:{seed}") == protocol


def test_one_seer_with_rules_of_thumb():
    """Town's chances with five players, one wolf, and a Seer that tells all at some time."""
    rules = rules_of(load_game("one_seer(players=5,wolves=1)"))
    for seer, value in (("patient_seer", Fraction(5, 9)), ("rule_seer", Fraction(59, 90))):
        policy = AgentPolicy(rules, {"seer": seer, "rest": "block_vote"})
        assert outcomes(policy, winner) == {"town": value, "wolves": 1 - value}


def test_nash_conv_of_casts_on_a_small_game():
    rules = Werewolf(players=4, roles="werewolf+seer+2villager", first="night", max_days=1)
    tree = GameTree.compile(rules)
    found = set()
    for cast in ("uniform", "honest", {"wolves": "block_vote", "town": "random_protocol"}):
        policy = AgentPolicy(rules, cast)
        exact = evaluate_exact(tree, exact_profile(tree, policy.strategies(tree)))
        assert exact.values == expected_payoffs(policy)  # walked, not compiled
        profile = policy.profile(tree)
        assert evaluate(profile).nash_conv == pytest.approx(float(exact.nash_conv))
        for player in range(4):
            response = best_response(tree, policy, player)
            rest = {f"P{player + 1}": response, "rest": policy.answer}
            value = expected_payoffs(AgentPolicy(rules, rest))[player]
            assert value == exact.best_response_values[player] >= exact.values[player]
        found.add(exact.nash_conv)
    assert len(found) > 1


# -------------------------------------------------------------------------------------- knowledge

SMALL = [
    Werewolf(players=4, roles="werewolf+seer+2villager", elimination="random", first="night"),
    Werewolf(
        players=4, roles="werewolf+hunter+2villager", elimination="order", reveal_night="team"
    ),
    Werewolf(players=5, roles="2werewolf+3villager", elimination="random", end="all_dead"),
    Werewolf(players=5, roles="werewolf+2mason+minion+villager", elimination="random", max_days=2),
    Werewolf(players=5, roles="werewolf+medium+3villager", elimination="random", reveal_day="role"),
    Werewolf(players=4, roles="werewolf+seer+2villager", elimination="random", talk="reveal"),
]


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.roles)
def test_suspicion_counts_the_deals_that_can_lead_here(rules: Werewolf):
    """For every view of the whole tree: among the deals with a play that shows it, each alike."""
    deals, known = defaultdict(set), {}
    stack = [start(rules)]
    while stack:
        cursor = stack.pop()
        mover = rules.mover(cursor.position)
        if mover == TERMINAL:
            continue
        if mover >= 0:
            knowledge = knowledge_at(rules, cursor)
            deals[mover, knowledge.view].add(cursor.position.roles)
            known[mover, knowledge.view] = knowledge, cursor.position.alive
        stack += [advance(rules, cursor, a) for a in rules.actions(cursor.position)]
    assert known
    for place, (knowledge, alive) in known.items():
        reading = reading_of(knowledge)
        possible = deals[place]
        assert reading.living == tuple(seat for seat, lives in enumerate(alive) if lives)
        for seat in reading.living:
            wolves = sum(ROLES[roles[seat]].wolf for roles in possible)
            assert reading.suspicion[seat] == Fraction(wolves, len(possible))


GAMES = [
    Werewolf(players=5, roles="werewolf+seer+possessed+2villager", first="night",
             quiet_nights=1, talk="aiwolf"),
    Werewolf(players=8, roles="3werewolf+2villager+seer+witch+guard", first="night",
             reveal_night="role", talk="roles+results+accuse+defend+support",
             talk_order="shuffled", vote="sequential", abstain=True, ties="nobody",
             end="all_dead"),
    Werewolf(players=7, roles="2werewolf+seer+medium+hunter+mason+villager",
             talk="reveal+roles+results", reveal_day="team", talk_rounds=2),
    Werewolf(players=6, roles="godfather+werewolf+2vengeful+doctor+minion", end="all_dead",
             elimination="proposer", lovers="random", no_kill=True, kill_own=True),
    Werewolf(players=5, roles="werewolf+seer+3villager", deal="fixed", talk="roles+accuse",
             no_lynch="allowed", night_kill="random"),
    Werewolf(players=5, roles="werewolf+seer+3villager", deal="hidden", elimination="order",
             no_lynch="allowed", talk="reveal"),
]  # fmt: skip


def random_play(rules: Werewolf, data: st.DataObject):
    """The decisions of a random play: cursors where a player moves."""
    cursor = start(rules)
    while (mover := rules.mover(cursor.position)) != TERMINAL:
        if mover >= 0:
            yield cursor
        actions = rules.actions(cursor.position)
        cursor = advance(rules, cursor, data.draw(st.sampled_from(actions)))


@settings(max_examples=25)
@given(st.sampled_from(GAMES), st.data())
def test_every_agent_plays_every_decision_and_believes_nothing_impossible(rules, data):
    for cursor in random_play(rules, data):
        knowledge = knowledge_at(rules, cursor)
        for name in AGENTS:
            assert sum(checked(agent(name), knowledge).values()) == 1
        roles = cursor.position.roles
        reading = reading_of(knowledge)
        assert isinstance(reading, WerewolfReading)
        assert reading.role == roles[knowledge.player]
        assert all(chances.get(role, 0) > 0 for role, chances in zip(roles, reading.roles))
        assert all(p < 1 or ROLES[roles[s]].wolf for s, p in reading.suspicion.items())


CARDS = {
    "BODYGUARD": ("guard", "doctor"), "VILLAGER": ("villager",), "SEER": ("seer",),
    "MEDIUM": ("medium",), "WEREWOLF": ("werewolf",), "POSSESSED": ("possessed",),
}  # fmt: skip


def truth(rules: Werewolf, cursor: Cursor, speaker: int, action: int) -> bool | None:
    """Whether a statement is true in the real position, from its words; None if it claims none."""
    words = rules.action_name(speaker, action)
    roles, view = cursor.position.roles, cursor.views[speaker]

    def seat(text: str) -> int:
        return int(text.strip("P]").removeprefix("Agent[")) - 1

    def found(kinds: tuple[str, ...], target: int, wolf: bool) -> bool:
        return any((kind, target, wolf) in view for kind in kinds)

    match words.split():
        case ["I", "am", "the", role]:
            return roles[speaker] == role.lower()
        case ["accuse" | "defend" as verb, target]:
            return ROLES[roles[seat(target)]].wolf == (verb == "accuse")
        case [target, "is", *rest]:
            return found(("checked", "medium"), seat(target), rest[0] != "not")
        case ["ESTIMATE" | "COMINGOUT", target, role]:
            return roles[seat(target)] in CARDS[role]
        case ["DIVINED" | "IDENTIFIED" as verb, target, species]:
            kind = "checked" if verb == "DIVINED" else "medium"
            return found((kind,), seat(target), species == "WEREWOLF")
        case ["VOTED" | "GUARDED" | "ATTACKED" as verb, target]:
            deed = {"VOTED": "vote", "GUARDED": "protect", "ATTACKED": "kill"}[verb]
            own = [rules.action_name(speaker, a) for a in view if isinstance(a, int)]
            return f"{deed} P{seat(target) + 1}" in own
    return None


@settings(max_examples=40)
@given(st.sampled_from([rules for rules in GAMES if rules.table.talk.speaks]), st.data())
def test_honest_says_nothing_false_and_deceive_nothing_true(rules, data):
    for cursor in random_play(rules, data):
        knowledge = knowledge_at(rules, cursor)
        if not any("say nothing" in n or n == "Skip" for n in knowledge.names.values()):
            continue
        speaker = knowledge.player
        for name, lie in (("honest", False), ("deceive", True)):
            for action, p in agent(name)(knowledge).items():
                if p:
                    assert truth(rules, cursor, speaker, action) is not lie
        # What is chosen is said on purpose: roles can always be claimed, falsely too.
        assert all(
            truth(rules, cursor, speaker, a) is False
            for a, p in agent("deceive")(knowledge).items()
            if p
        )


# ----------------------------------------------------------------------------------------- habits


def play(rules: Werewolf, *words: str) -> Knowledge:
    """The decision after actions of these names, chance's among them."""
    cursor = start(rules)
    for word in words:
        mover = rules.mover(cursor.position)
        names = {rules.action_name(mover, a): a for a in rules.actions(cursor.position)}
        cursor = advance(rules, cursor, names[word])
    return knowledge_at(rules, cursor)


def choices(name: str, knowledge: Knowledge) -> dict[str, Fraction]:
    return {knowledge.names[a]: p for a, p in agent(name)(knowledge).items() if p}


def hidden(**options) -> Werewolf:
    return Werewolf(players=5, roles="werewolf+seer+3villager", deal="hidden", **options)


def test_a_seer_checks_whom_it_knows_least_about_and_votes_for_whom_it_found():
    rules = hidden(first="night", vote="sequential")
    night = play(rules, "kill P3")
    assert choices("rule_seer", night) == {f"check P{s}": Fraction(1, 4) for s in (1, 3, 4, 5)}
    # P4 is no wolf, P3 was killed and is none either: P1 or P5.
    votes = play(rules, "kill P3", "check P4", "vote P2")
    assert reading_of(votes).suspicion == {0: Fraction(1, 2), 1: 0, 3: 0, 4: Fraction(1, 2)}
    assert choices("rule_seer", votes) == {"vote P1": Fraction(1, 2), "vote P5": Fraction(1, 2)}
    found = play(rules, "kill P3", "check P1", "vote P2")
    assert choices("rule_seer", found) == {"vote P1": 1}


def test_a_seer_speaks_when_it_has_found_a_wolf():
    rules = hidden(first="night", talk="roles+results")
    silent = play(rules, "kill P3", "check P4", "say nothing")
    assert choices("rule_seer", silent) == {"say nothing": 1}
    assert choices("honest", silent) == {"P4 is not a wolf": 1}
    found = play(rules, "kill P3", "check P1", "say nothing")
    assert choices("rule_seer", found) == {"P1 is a wolf": 1}
    lies = choices("deceive", found)
    assert "P1 is not a wolf" in lies
    assert "P1 is a wolf" not in lies
    assert "I am the Seer" not in lies


def test_listeners_believe_the_largest_consistent_set():
    rules = hidden(first="night", talk="roles+results", vote="sequential")
    claims = ("say nothing", "P1 is a wolf", "say nothing", "I am the Villager")
    voter = play(rules, "kill P3", "check P1", *claims, "vote P2", "vote P1")
    assert voter.player == 3
    assert choices("consistent", voter) == {"vote P1": 1}
    assert set(choices("honest", voter)) == {"vote P1", "vote P2", "vote P5"}
    # The wolf says the same of the Seer: as many statements are true either way.
    counter = ("P2 is a wolf", "P1 is a wolf", "say nothing", "say nothing")
    torn = play(rules, "kill P3", "check P1", *counter, "vote P2", "vote P1")
    assert choices("consistent", torn) == {"vote P1": Fraction(1, 2), "vote P2": Fraction(1, 2)}


def test_wolves_vote_and_kill_as_one():
    rules = Werewolf(players=6, roles="2werewolf+4villager", deal="hidden")
    assert choices("block_vote", play(rules)) == {"vote P3": 1}
    assert choices("block_vote", play(rules, "vote P3")) == {"vote P3": 1}
    drawn = [choices(f"drawn_block:{s}", play(rules)) for s in range(20)]
    assert drawn == [choices(f"drawn_block:{s}", play(rules, "vote P3")) for s in range(20)]
    assert {vote for row in drawn for vote in row} == {f"vote P{s}" for s in (3, 4, 5, 6)}
    night = play(rules, *["vote P3"] * 2, "vote P4", *["vote P3"] * 3)
    assert choices("block_vote", night) == {f"kill P{s}": Fraction(1, 3) for s in (4, 5, 6)}


def test_wolves_kill_a_revealed_seer_then_the_cleared():
    rules = hidden(elimination="random", talk="reveal")
    # Day 1: the Seer conceals, P5 goes; at night P3 dies and the Seer learns that P4 is no wolf.
    day = ("conceal", "P5", "kill P3", "check P4", "reveal")
    assert choices("rule_seer", play(rules, *day[:-1])) == {"conceal": 1}
    assert choices("honest", play(rules, *day[:-1])) == {"reveal": 1}


def test_the_protocol_is_one_block_for_everybody():
    rules = Werewolf(players=7, roles="werewolf+6villager", vote="sequential")
    targets = set()
    for seed in range(20):
        policy = agent("random_protocol", seed=seed)
        cursor, votes = start(rules), []
        while not any(e[0] == "eliminated" for e in cursor.views[0] if isinstance(e, tuple)):
            position = cursor.position
            mover = rules.mover(position)
            if mover < 0:
                cursor = advance(rules, cursor, rules.actions(position)[0])
                continue
            row = policy(knowledge_at(rules, cursor))
            ((action, p),) = row.items()
            assert p == 1
            votes.append(rules.action_name(mover, action))
            cursor = advance(rules, cursor, action)
        assert len(votes) == 7
        top = max(set(votes), key=votes.count)
        assert votes.count(top) == 6  # its target votes for the next
        targets.add(top)
    assert len(targets) > 3


def test_a_witch_saves_and_poisons_only_a_likely_wolf():
    rules = Werewolf(
        players=6, roles="2werewolf+witch+seer+2villager", deal="hidden", first="night"
    )
    night = play(rules, "kill P5")
    assert choices("honest", night) == {"save": 1}
    saved = play(rules, "kill P5", "save", "check P1", *["vote P6"] * 5, "vote P1", "kill P5")
    assert choices("honest", saved) == {"no potion": 1}


def test_large_tables_are_refused_only_where_statements_are_weighed(monkeypatch):
    from crywolf.analysis.agents import deals
    from crywolf.games.errors import ProblemTooLarge

    monkeypatch.setattr(deals, "MAX_DEALS", 100)
    deals.every_deal.cache_clear()
    rules = Werewolf(players=15, roles="3werewolf+seer+medium+guard+possessed+8villager",
                     deal="hidden", talk="accuse")  # fmt: skip
    voter = play(rules, *["say nothing"] * 15)
    assert choices("honest", voter)
    with pytest.raises(ProblemTooLarge, match="cast an agent that does not weigh statements"):
        agent("consistent")(voter)
