"""Policies of positions use what the mover knows, and treat seats alike."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.analysis.mafia_policies import (
    best_kills,
    best_kills_after,
    best_skips,
    block_votes,
    evenly,
    found,
    found_or_drawn,
    vanilla,
)
from crywolf.games.loading import load_rules
from crywolf.games.rules import CHANCE, TERMINAL
from crywolf.games.werewolf import Stage

GAMES = {
    "one_seer(players=7,wolves=2)": (vanilla, found, found_or_drawn, best_kills_after(found)),
    "mountainous(players=7,wolves=2,no_lynch=allowed)": (evenly, best_kills, best_skips),
    "mountainous(players=6,wolves=2,elimination=votes)": (evenly, block_votes),
}
CASES = [(game, policy) for game, policies in GAMES.items() for policy in policies]


def decision_in(rules, data) -> Any:
    """A position of a random play, usually one where a player moves."""
    position = rules.initial().position
    best = None
    for _ in range(data.draw(st.integers(1, 40))):
        if rules.mover(position) == TERMINAL:
            break
        action = data.draw(st.sampled_from(rules.actions(position)))
        position = rules.play(position, action).position
        if rules.mover(position) not in (CHANCE, TERMINAL):
            best = position
    return best


@pytest.mark.parametrize(("game", "policy"), CASES)
@settings(max_examples=30)
@given(st.data())
def test_the_seats_are_alike(game, policy, data):
    rules: Any = load_rules(game)
    position = decision_in(rules, data)
    if position is None:
        return
    seats = data.draw(st.permutations(range(rules.num_players)))
    renamed = rules.relabelled(position, seats)
    if rules.mover(renamed) != seats[rules.mover(position)]:
        return  # simultaneous moves are asked for in the order of the seats
    before, after = policy(rules, position), policy(rules, renamed)
    if isinstance(before, str):
        assert after == before
    else:
        name = rules.table.actions.renamed
        assert after == {name(action, seats): p for action, p in before.items()}


@pytest.mark.parametrize(("game", "policy"), [case for case in CASES if case[1] is not block_votes])
@settings(max_examples=30)
@given(st.data())
def test_nothing_hidden_is_used(game, policy, data):
    """If two players' cards were exchanged and the mover cannot tell, it does the same."""
    rules: Any = load_rules(game)
    position = decision_in(rules, data)
    if position is None:
        return
    seats = list(range(rules.num_players))
    one, two = data.draw(st.permutations(seats))[:2]
    seats[one], seats[two] = two, one
    other = position._replace(
        roles=tuple(position.roles[s] for s in seats), notes=tuple(position.notes[s] for s in seats)
    )
    mover = rules.mover(position)
    if mover not in (one, two) and rules.known(other, mover) == rules.known(position, mover):
        assert policy(rules, other) == policy(rules, position)


def test_a_block_votes_together():
    """Whoever of the mafia votes later follows, and never for one of its own."""
    rules: Any = load_rules("mountainous(players=5,wolves=2,elimination=votes)")
    position = rules.initial().position
    for name in ("Villager", "Werewolf", "Villager", "Villager", "Werewolf"):
        names = {rules.action_name(CHANCE, a): a for a in rules.actions(position)}
        position = rules.play(position, names.get(name, 0)).position
    chosen = {}
    while position.stage is Stage.VOTE:
        seat, mixture = rules.mover(position), block_votes(rules, position)
        targets = {rules.table.actions.target(action) for action in mixture}
        chosen[seat] = targets
        position = rules.play(position, max(mixture)).position
    assert chosen == {0: {1, 2, 3, 4}, 1: {0, 2, 3}, 2: {0, 1, 3, 4}, 3: {0, 1, 2, 4}, 4: {3}}
