"""What can be said in Werewolf, in which order, and who hears it."""

from fractions import Fraction as F

import pytest

from crywolf.games import Werewolf, start
from crywolf.games.aiwolf import parse_sentence
from crywolf.games.aiwolf.vocabulary import CLAIMS, RESULTS, Quiet, Role, Species, Verb

from .werewolf_plays import fixed, go, knows, news, offers, play

SILENT = "say nothing"


def test_the_statements_of_each_vocabulary():
    def first(talk: str) -> list[str]:
        game = fixed("werewolf+seer+2villager", talk=talk)
        return offers(game, start(game))

    claims = ["I am the Werewolf", "I am the Seer", "I am the Villager"]
    assert first("roles") == [SILENT, *claims]
    results = [f"P{s} is {what}" for s in (2, 3, 4) for what in ("a wolf", "not a wolf")]
    assert first("results") == [SILENT, *results]
    for verb in ("accuse", "defend", "support"):
        assert first(verb) == [SILENT, *(f"{verb} P{seat}" for seat in (2, 3, 4))]
    assert first("roles+accuse") == [SILENT, *claims, "accuse P2", "accuse P3", "accuse P4"]


def test_all_living_players_speak_in_seat_order_and_all_hear_it():
    game = fixed("werewolf+3villager", talk="accuse", elimination="random")
    cursor = play(game, "accuse P2", "accuse P1")
    assert news(game, cursor, 3) == ["P2 says: accuse P1"]
    assert news(game, cursor, 1) == ["accuse P1"]
    cursor = go(game, cursor, SILENT, SILENT)
    assert knows(game, cursor, 0) == (
        "P1: dealt Werewolf; wolves: P1; accuse P2; P2 says: accuse P1; P3 says: say nothing; "
        "P4 says: say nothing"
    )
    assert offers(game, cursor) == ["P1", "P2", "P3", "P4"]


def test_statements_about_the_dead():
    options = {"talk": "accuse+results", "elimination": "random", "end": "all_dead"}
    game = fixed("werewolf+5villager", **options)
    cursor = play(game, *[SILENT] * 6, "P2", "kill P3")
    accusations = [name for name in offers(game, cursor) if "accuse" in name]
    assert accusations == ["accuse P4", "accuse P5", "accuse P6"]
    assert "P3 is a wolf" in offers(game, cursor)
    assert game.mover(go(game, cursor, SILENT).position) == 3  # the dead are silent


def test_several_rounds_and_a_silent_first_day():
    options = {"talk": "accuse", "elimination": "random", "end": "all_dead"}
    game = fixed("werewolf+3villager", talk_rounds=2, **options)
    cursor = start(game)
    speakers = []
    for _ in range(8):
        speakers.append(game.mover(cursor.position))
        cursor = go(game, cursor, SILENT)
    assert speakers == [0, 1, 2, 3] * 2
    assert game.mover(cursor.position) == -1
    quiet = fixed("werewolf+3villager", talk_first_day=False, **options)
    cursor = play(quiet, "P2", "kill P3")
    assert offers(quiet, cursor) == [SILENT, "accuse P4"]


def test_an_order_drawn_once_for_the_whole_game():
    game = fixed("werewolf+3villager", talk="accuse", talk_order="shuffled", elimination="random",
                 end="all_dead", no_kill=True)  # fmt: skip
    cursor = start(game)
    assert [p for _, p in game.chance_outcomes(cursor.position)] == [F(1, 4)] * 4
    cursor = go(game, cursor, "P3")
    assert news(game, cursor, 0) == ["next in the order: P3"]
    assert offers(game, cursor) == ["P1", "P2", "P4"]
    cursor = go(game, cursor, "P1", "P4", "P2")
    assert cursor.position.queue == (2, 0, 3, 1)
    cursor = go(game, cursor, *[SILENT] * 4, "P4", "kill nobody")
    assert cursor.position.queue == (2, 0, 1)  # the same order, without the dead


def test_saying_something_changes_nothing_but_what_is_known():
    silent = play(fixed("werewolf+3villager", talk="accuse"), *[SILENT] * 4)
    loud = play(fixed("werewolf+3villager", talk="accuse"), *["accuse P4"] * 3, "accuse P1")
    assert silent.position == loud.position
    assert silent.views != loud.views


# --------------------------------------------------------------------------- the AIWolf protocol


@pytest.fixture(scope="module")
def contest() -> Werewolf:
    return fixed("werewolf+seer+3villager", talk="aiwolf", elimination="random")


def test_every_sentence_of_the_protocol_is_an_action(contest: Werewolf):
    first = offers(contest, start(contest))
    assert first[:2] == [Quiet.SKIP, Quiet.OVER]
    verbs = len(Verb) - 2  # AGREE and DISAGREE have nothing to refer to yet
    others = verbs - len(CLAIMS) - len(RESULTS)
    assert len(first) == 2 + 5 * (len(CLAIMS) * len(Role) + len(RESULTS) * len(Species) + others)
    for name in first:
        assert str(parse_sentence(name)) == name
    assert {"COMINGOUT Agent[01] SEER", "DIVINED Agent[02] HUMAN", "VOTE Agent[01]"} <= set(first)


def test_opinions_are_on_what_has_been_said_today(contest: Werewolf):
    cursor = play(contest, "VOTE Agent[02]", "Over")
    assert news(contest, cursor, 0) == ["P2 says: Over"]

    def opinions(cursor):
        return [name for name in offers(contest, cursor) if "AGREE" in name]

    assert opinions(cursor) == [
        f"{verb} TALK day1 ID:{index}" for index in (0, 1) for verb in ("AGREE", "DISAGREE")
    ]
    tomorrow = go(contest, cursor, *["Skip"] * 3, "P3", "kill P4", "check P1")
    assert not opinions(tomorrow)
    assert opinions(go(contest, tomorrow, "Skip")) == [
        "AGREE TALK day2 ID:0",
        "DISAGREE TALK day2 ID:0",
    ]
