"""Seats of Werewolf with other names, and what a player knows of a position."""

import random
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import CHANCE, TERMINAL, Cursor, Werewolf, advance, start
from crywolf.games.werewolf import Position, Stage

from .werewolf_plays import fixed, histories, play, rules

ALIKE = (
    "mountainous(players=7,wolves=2,no_lynch=allowed)",
    "one_seer(players=7,wolves=2)",
    "red_flag(mafia=3,town=5)",
    "lovers",
    "vengeful",
    "werewolf(players=6,roles=2werewolf+seer+witch+guard+villager,first=night,end=all_dead,"
    "guard_repeat=False,night_kill=vote,lovers=random)",
    "werewolf(players=6,roles=godfather+2mason+hunter+medium+villager,elimination=proposer,"
    "reveal_day=role,reveal_night=team,night_kill=random)",
    "werewolf(players=6,roles=2werewolf+2seer+2villager,talk=reveal,elimination=random,"
    "first=night,end=coin)",
    "werewolf(players=5,roles=werewolf+minion+3villager,open_votes=False,ties=all,no_kill=True)",
)
"""Games whose seats are interchangeable."""


@pytest.mark.parametrize("text", ALIKE)
def test_seats_are_interchangeable(text: str):
    assert rules(text).interchangeable


@pytest.mark.parametrize(
    "conventions",
    [
        {"elimination": "order"},
        {"vote": "sequential"},
        {"talk": "accuse"},
        {"talk": "reveal+roles"},
        {"roles": "werewolf+2hunter+4villager"},
        {"roles": "werewolf+hunter+vengeful+4villager"},
    ],
)
def test_seats_are_not_where_somebody_acts_in_seat_order(conventions: dict[str, Any]):
    assert not Werewolf(**conventions).interchangeable


def walk(game: Werewolf, seed: int) -> list[Position]:
    """The positions of a random play."""
    chooser = random.Random(seed)
    position = game.initial().position
    found = [position]
    while game.mover(position) != TERMINAL:
        position = game.play(position, chooser.choice(game.actions(position))).position
        found.append(position)
    return found


def renamed_action(game: Werewolf, position: Position, action: int, seats: Sequence[int]) -> int:
    table = game.table.chance if game.mover(position) == CHANCE else game.table.actions
    return table.renamed(action, seats)


def in_any_order(game: Werewolf, position: Position) -> Position:
    """The position without whom chance or the numbers have put first among equals."""
    if position.stage is Stage.SKIP or (
        position.stage is Stage.KILL and game.night_kill == "consensus"
    ):
        return position._replace(queue=())
    return position


@settings(max_examples=150)
@given(st.sampled_from(ALIKE), st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_renaming_seats_commutes_with_play(text: str, seed: int, shuffler: random.Random):
    game = rules(text)
    seats = list(range(game.num_players))
    shuffler.shuffle(seats)
    for position in walk(game, seed):
        other = game.relabelled(position, seats)
        back = [seats.index(seat) for seat in range(len(seats))]
        assert game.relabelled(other, back) == position
        for seat, name in enumerate(seats):
            assert game.signature(other, name) == game.signature(position, seat)
        if game.mover(position) == TERMINAL:
            assert game.outcome(other) == game.outcome(position)
            payoffs = game.payoffs(position)
            assert [game.payoffs(other)[name] for name in seats] == list(payoffs)
            continue
        if position.stage is Stage.DEAL:
            continue  # the next card goes to the lowest seat, whose name has changed
        dealer = game.mover(position) == CHANCE
        assert dealer == (game.mover(other) == CHANCE)
        if dealer:
            chances = {
                renamed_action(game, position, a, seats): p
                for a, p in game.chance_outcomes(position)
            }
            assert dict(game.chance_outcomes(other)) == chances
        if not dealer and other.queue[0] != seats[position.queue[0]]:
            continue  # of simultaneous movers another one is asked first
        for action in game.actions(position):
            after = game.play(position, action).position
            renamed = game.play(other, renamed_action(game, position, action, seats)).position
            expected = game.relabelled(after, seats)
            assert in_any_order(game, renamed) == in_any_order(game, expected)


@settings(max_examples=60)
@given(st.sampled_from(ALIKE), st.integers(0, 10_000))
def test_signatures_are_ordered_and_name_no_seat(text: str, seed: int):
    game = rules(text)
    for position in walk(game, seed):
        signatures: list[Any] = [game.signature(position, s) for s in range(game.num_players)]
        assert sorted(signatures) == sorted(reversed(signatures))
        assert all(hash(signature) is not None for signature in signatures)


def test_signatures_tell_apart_what_the_seer_knows():
    game = rules("one_seer(players=7)")
    position = fixed("werewolf+seer+5villager", talk="reveal", elimination="random").initial()
    noted = position.position._replace(
        notes=((), ((2, False), (3, False)), (), (), (), (), ()),
    )
    by_signature: dict[Hashable, list[int]] = defaultdict(list)
    for seat in range(7):
        by_signature[game.signature(noted, seat)].append(seat)
    assert list(by_signature.values()) == [[0], [1], [2, 3], [4, 5, 6]]


# --------------------------------------------------------------------------- what a player knows

SMALL = (
    "werewolf(players=3,roles=werewolf+seer+villager,first=night,end=all_dead,quiet_nights=1,"
    "elimination=random)",
    "werewolf(players=4,roles=werewolf+seer+2villager,talk=reveal,elimination=random,"
    "first=night,quiet_nights=1)",
    "werewolf(players=4,roles=2seer+werewolf+villager,deal=fixed,talk=reveal,elimination=random,"
    "first=night,quiet_nights=1)",
    "werewolf(players=4,roles=werewolf+witch+guard+villager,first=night,deal=hidden,"
    "guard_repeat=False,elimination=random,end=all_dead,max_days=1)",
    "werewolf(players=5,roles=2werewolf+hunter+2villager,deal=hidden,first=night,night_kill=vote,"
    "elimination=random,end=all_dead,max_days=1,lovers=random,reveal_night=team)",
    "werewolf(players=3,roles=werewolf+mason+mason,vote=sequential,end=all_dead,max_days=1)",
    "werewolf(players=4,roles=werewolf+medium+2villager,end=all_dead,max_days=2,deal=hidden,"
    "elimination=proposer,reveal_day=role,voted_out_wins=1)",
    "werewolf(players=3,roles=godfather+werewolf+villager,end=all_dead,talk=roles,max_days=1,"
    "talk_order=shuffled,elimination=random)",
)


@pytest.mark.parametrize("text", SMALL)
def test_what_is_known_is_a_function_of_the_view(text: str):
    game = rules(text)
    first: dict[tuple[int, bool, Hashable], Position] = {}
    for cursor in histories(game, 200_000):
        if game.mover(cursor.position) == TERMINAL:
            continue
        for player, view in enumerate(cursor.views):
            moves = game.mover(cursor.position) == player
            known = game.known(cursor.position, player)
            assert first.setdefault((player, moves, view), known) == known


def test_what_is_known_and_what_not():
    game = fixed("2werewolf+seer+witch+2villager", first="night", end="all_dead", deal="hidden")
    night = play(game, "kill P5", "no potion").position
    seer = game.known(night, 2)
    assert seer.stage is Stage.NIGHT
    assert seer.queue == (2,)
    assert seer.acts == ()
    assert seer.roles == ("", "", "seer", "", "", "")
    wolf = game.known(night, 0)
    assert wolf.roles == ("werewolf", "werewolf", "", "", "", "")
    assert wolf.stage is Stage.DAY  # a wolf cannot tell how far the night has got
    day = play(game, "kill P5", "no potion", "check P2").position
    assert game.known(day, 2).notes[2] == ((1, True),)
    assert game.known(day, 0).notes == ((),) * 6
    assert game.known(day, 0).alive == (True, True, True, True, False, True)
    told = play(game, "kill P5").position  # the Witch has been told the victim
    assert game.known(told, 3).acts == told.acts
    mixed = fixed("werewolf+godfather+3villager", deal="hidden").initial().position
    assert game.known(mixed, 4).roles == ("", "", "", "", "villager")
    assert fixed("werewolf+godfather+3villager", deal="hidden").known(mixed, 0).roles[1] == "wolf"


def test_everybody_knows_a_fixed_deal():
    game = fixed("werewolf+2villager")
    assert game.known(game.initial().position, 2).roles == game.deck


def cursors(game: Werewolf, seed: int) -> Iterator[Cursor]:
    chooser = random.Random(seed)
    cursor = start(game)
    while game.mover(cursor.position) != TERMINAL:
        yield cursor
        cursor = advance(game, cursor, chooser.choice(game.actions(cursor.position)))


@settings(max_examples=40)
@given(st.sampled_from(ALIKE), st.integers(0, 10_000))
def test_legal_actions_are_a_function_of_what_is_known(text: str, seed: int):
    game = rules(text)
    for cursor in cursors(game, seed):
        mover = game.mover(cursor.position)
        if mover < 0 or cursor.position.stage is Stage.NIGHT:
            continue
        if cursor.position.stage is Stage.KILL or cursor.position.stage is Stage.DUSK:
            continue  # by the roles of others, of whom the mover knows as much as it needs
        known = game.known(cursor.position, mover)
        assert game.legal_actions(known) == game.legal_actions(cursor.position)
