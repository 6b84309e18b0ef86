"""The talk of ONUW: who may say what, what it claims, and whether that is true."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games import Cursor, Onuw, advance, start
from crywolf.games.errors import IllegalMove, ParameterError
from crywolf.games.onuw import Claims, Move, Stage, Statement, after_night, claims, is_true

from .onuw_plays import fixed, knows, offers, play, rules

VILLAGE = "werewolf+2villager"


def statements(roles: str, talk: str, centre: int = 0, **others: Any) -> list[str]:
    """What P1 can say, whatever its card."""
    game = fixed(roles, centre, talk=talk, **others)
    return [game.action_table.names[a] for a in game.open_to[0]]


# ------------------------------------------------------------------------------- the vocabularies


def test_claims_of_cards():
    assert statements(VILLAGE, "roles") == [
        "say nothing",
        "say I started as Werewolf",
        "say I started as Villager",
        "say I am now Werewolf",
        "say I am now Villager",
    ]
    assert statements(VILLAGE, "others") == [
        "say nothing",
        *(
            f"say {who} {verb} {card}"
            for who in ("P2", "P3")
            for verb in ("started as", "is now")
            for card in ("Werewolf", "Villager")
        ),
    ]


def test_accusations():
    assert statements(VILLAGE, "accuse") == [
        "say nothing",
        "accuse P2",
        "accuse P3",
        "defend P1",
        "defend P2",
        "defend P3",
    ]


@pytest.mark.parametrize(
    ("roles", "centre", "nights"),
    [
        ("werewolf+2villager", 0, ["Werewolf: Werewolves P1"]),
        (
            "2werewolf+2villager",
            1,
            [
                "Werewolf: Werewolves P1",
                "Werewolf: Werewolves P1 P2",
                "Werewolf: Werewolves P1 P3",
            ],
        ),
        ("minion+2mason", 0, ["Minion: no Werewolves", "Mason: Masons P1 P2", "Mason: Masons P1 P3"]),
        (
            "seer+werewolf+villager",
            0,
            [
                "Werewolf: Werewolves P1",
                "Seer: P2 has Werewolf",
                "Seer: P2 has Villager",
                "Seer: P3 has Werewolf",
                "Seer: P3 has Villager",
            ],
        ),
        (
            "robber+2villager",
            0,
            ["Robber: NS", "Robber: S2, now Villager", "Robber: S3, now Villager"],
        ),
        ("troublemaker+2villager", 0, [
            "Troublemaker: no swap", "Troublemaker: swap P2 and P3"
        ]),
        ("drunk+4villager", 2, ["Drunk: take centre 1", "Drunk: take centre 2"]),
        ("insomniac+2villager", 0, ["Insomniac: now Insomniac", "Insomniac: now Villager"]),
        ("hunter+tanner+villager", 0, []),
    ],
)  # fmt: skip
def test_claims_of_nights(roles: str, centre: int, nights: list[str]):
    expected = ["say nothing", *(f"say {night}" for night in nights)]
    assert statements(roles, "night", centre) == expected


def test_claims_of_centre_cards():
    found = statements("seer+werewolf+villager+2villager", "night", centre=2)
    assert [name for name in found if "centre" in name] == [
        f"say Seer: centre 1 has {first}, centre 2 has {second}"
        for first, second in (
            # One Werewolf and three Villagers in the deck; the Seer is spoken for.
            ("Werewolf", "Villager"),
            ("Villager", "Werewolf"),
            ("Villager", "Villager"),
        )
    ]
    lone = statements("werewolf+seer+villager+villager", "night", 1, lone_wolf_looks=True)
    assert [name for name in lone if "Werewolves" in name] == [
        "say Werewolf: no look, Werewolves P1",
        "say Werewolf: Werewolves P1, centre 1 has Seer",
        "say Werewolf: Werewolves P1, centre 1 has Villager",
    ]


def test_vocabularies_are_joined():
    parts = [set(statements(VILLAGE, talk)) for talk in ("roles", "night", "accuse")]
    joined = statements(VILLAGE, "roles+night+accuse")
    assert set(joined) == set.union(*parts)
    assert len(joined) == len(set(joined))
    assert statements(VILLAGE, "accuse + roles + night") != joined  # numbered as written


def test_the_robbers_vocabulary_is_numbered_as_ever():
    names = rules("onuw_robber3_talk").action_table.names
    assert names == [
        *("NS", "S1", "S2", "S3"),
        *("no look", "look P1", "look P2", "look P3"),
        *("say NS", "say S1", "say S2", "say S3"),
        *("vote P1", "vote P2", "vote P3"),
    ]


# ------------------------------------------------------------------------------------ the speaking


def test_everybody_speaks_in_turn_and_all_others_hear_it():
    game = fixed("werewolf+2villager", talk="accuse", talk_rounds=2)
    said = ["accuse P2", "say nothing", "defend P3", "defend P1", "accuse P1", "accuse P2"]
    cursor = start(game)
    for turn, name in enumerate(said):
        assert game.mover(cursor.position) == turn % 3
        assert cursor.position.stage is Stage.TALK
        action = offers(game, cursor).index(name)
        cursor = advance(game, cursor, game.legal_actions(cursor.position)[action])
    assert cursor.position.stage is Stage.VOTE
    heard = [
        "P1 accuses P2",
        "P2 says nothing",
        "P3 defends P3",
        "P1 defends P1",
        "P2 accuses P1",
        "P3 accuses P2",
    ]
    for player in range(3):  # its own words are its own actions
        expected = [said[i] if i % 3 == player else heard[i] for i in range(6)]
        assert knows(game, cursor, player).split("; ")[-6:] == expected
    assert game.max_game_length == 6 + 3
    assert "P3: accuse P2" in game.describe(cursor.position)
    assert "in 2 rounds each in turn, P1 first, says in public" in game.in_words()


def test_what_can_be_said_depends_on_the_seat_alone():
    offered: dict[int, set[tuple[int, ...]]] = {}
    game = Onuw(3, 1, "werewolf+seer+robber+villager", talk="roles+night+accuse")
    stack = [game.initial().position]
    met = set(stack)
    while stack:
        position = stack.pop()
        if position.stage is Stage.TALK:
            offered.setdefault(position.queue[0], set()).add(game.legal_actions(position))
            if position.statements:
                continue
        elif position.stage is Stage.VOTE:
            continue
        below = {game.play(position, action).position for action in game.actions(position)}
        stack += below - met
        met |= below
    assert offered.keys() == {0, 1}  # P2's turn is the last one looked at
    assert all(len(choices) == 1 for choices in offered.values())


def test_a_card_that_speaks_lies_like_any_other():
    game = fixed("werewolf+seer+villager", talk="night")
    cursor = play(game, "look P1", "say Seer: P3 has Villager")
    assert knows(game, cursor, 1).endswith('P1 says "Seer: P3 has Villager"')


@pytest.mark.parametrize(
    ("talk", "rounds", "complaint"),
    [
        ("poetry", 1, "choose one of none, robber, roles, others, night, accuse; the last 4 can"),
        ("roles+none", 1, "none stands alone"),
        ("robber+accuse", 1, "robber stands alone"),
        ("roles+roles", 1, "names roles twice"),
        ("", 1, "talk='' is unknown"),
        ("none", 3, "talk_rounds=3, but talk=none; choose what can be said"),
        ("roles", 0, "talk_rounds=0: choose 1 to 10"),
        ("roles", 11, "talk_rounds=11: choose 1 to 10"),
    ],
)
def test_talk_that_makes_no_sense_is_refused(talk: str, rounds: int, complaint: str):
    with pytest.raises(ParameterError) as caught:
        fixed("2werewolf+robber", talk=talk, talk_rounds=rounds)
    assert complaint in str(caught.value)


# ------------------------------------------------------------------------- statements as values


@pytest.mark.parametrize(
    ("name", "statement", "claimed"),
    [
        ("say nothing", Statement(), Claims()),
        (
            "say I started as Seer",
            Statement("start", role="seer"),
            Claims(dealt=((0, "seer"),)),
        ),
        (
            "say I am now Werewolf",
            Statement("now", role="werewolf"),
            Claims(holds=((0, "werewolf"),)),
        ),
        (
            "say P2 started as Robber",
            Statement("start", 1, "robber"),
            Claims(dealt=((1, "robber"),)),
        ),
        ("say P3 is now Seer", Statement("now", 2, "seer"), Claims(holds=((2, "seer"),))),
        ("accuse P2", Statement("accuse", 1), Claims(werewolf=((1, True),))),
        ("defend P1", Statement("defend", 0), Claims(werewolf=((0, False),))),
        (
            "say Robber: S2, now Werewolf",
            Statement("night", role="robber", move=Move("switch", (1,)), seen=(("now", "werewolf"),)),
            Claims(
                dealt=((0, "robber"),),
                moves=((0, Move("switch", (1,))),),
                seen=((0, (("now", "werewolf"),)),),
            ),
        ),
        (
            "say Werewolf: Werewolves P1",
            Statement("night", role="werewolf", seen=(("werewolves", (0,)),)),
            Claims(dealt=((0, "werewolf"),), seen=((0, (("werewolves", (0,)),)),)),
        ),
    ],
)  # fmt: skip
def test_statements_and_their_claims(name: str, statement: Statement, claimed: Claims):
    table = fixed("werewolf+seer+robber", talk="roles+others+night+accuse").action_table
    action = table.names.index(name)
    assert table.statement(action) == statement
    assert table.say(statement) == action
    assert claims(statement, speaker=0) == claimed


def test_what_the_robber_says_of_its_move_claims_no_result():
    table = rules("onuw_robber3_talk").action_table
    statement = table.statement(table.names.index("say S1"))
    assert statement == Statement("move", role="robber", move=Move("switch", (0,)))
    assert claims(statement, 2) == Claims(
        dealt=((2, "robber"),), moves=((2, Move("switch", (0,))),)
    )


def truths(game: Onuw, speaker: int, cursor: Cursor) -> set[str]:
    names = game.action_table.names
    return {names[a] for a in game.open_to[speaker] if is_true(game, a, speaker, cursor)}


def test_what_is_true_of_a_night():
    game = fixed("robber+werewolf+seer", talk="roles+others+night+accuse")
    table = game.action_table
    actions = {0: table.number(Move("switch", (1,))), 2: table.number(Move("look", (1,)))}
    cursor = after_night(game, game.deck, actions)
    assert cursor.position.cards == ("werewolf", "robber", "seer")
    assert truths(game, 0, cursor) == {
        "say nothing",
        "say I started as Robber",
        "say I am now Werewolf",
        "say P2 started as Werewolf",
        "say P2 is now Robber",
        "say P3 started as Seer",
        "say P3 is now Seer",
        "say Robber: S2, now Werewolf",
        "defend P2",
        "defend P3",
    }
    assert truths(game, 2, cursor) >= {"say Seer: P2 has Werewolf", "accuse P1", "defend P2"}
    assert "say Werewolf: Werewolves P2" in truths(game, 1, cursor)


def test_another_deal_can_be_tried_and_a_wrong_one_is_refused():
    game = Onuw(3, 1, "werewolf+seer+robber+villager", night="robber:NS")
    deal = ("villager", "robber", "werewolf", "seer")
    cursor = after_night(game, deal)
    assert cursor.position.initial == deal
    assert cursor.position.stage is Stage.VOTE
    assert cursor == play(game, "Villager", "Robber", "Werewolf", "Seer")._replace(news=cursor.news)
    with pytest.raises(ParameterError, match="is not made of"):
        after_night(game, ("villager", "villager", "werewolf", "seer"))
    with pytest.raises(IllegalMove, match=r"P1 has a decision at night; give actions\[0\]"):
        after_night(game, ("seer", "robber", "werewolf", "villager"))
    with pytest.raises(IllegalMove, match="is not legal for P1"):
        after_night(game, ("seer", "robber", "werewolf", "villager"), {0: 0})


@given(st.data(), st.integers(3, 5), st.integers(0, 3), st.booleans())
def test_everybody_can_tell_its_true_night_and_only_in_one_way(
    data: st.DataObject, players: int, centre: int, looks: bool
):
    sleepers = ["hunter", "tanner", "villager"]
    awake = ["werewolf", "minion", "mason", "seer", "robber", "troublemaker", "insomniac"]
    awake += ["drunk"] * (centre > 0)
    count = players + centre
    deck = data.draw(st.lists(st.sampled_from(awake + sleepers), min_size=count, max_size=count))
    game = Onuw(
        players, centre, "+".join(deck), talk="night", lone_wolf_looks=looks, deal="stacked"
    )
    cursor = start(game)
    while cursor.position.stage is Stage.NIGHT:
        action = data.draw(st.sampled_from(game.legal_actions(cursor.position)))
        cursor = advance(game, cursor, action)
    table = game.action_table
    for seat in range(players):
        told = [table.statement(a) for a in game.open_to[seat] if is_true(game, a, seat, cursor)]
        assert told[0] == Statement()
        assert [s.role for s in told[1:]] == [deck[seat]] * (deck[seat] in awake)
    assert len(set(table.names)) == len(table.names) == game.num_distinct_actions
    assert all(list(choices) == sorted(set(choices)) for choices in game.open_to)
