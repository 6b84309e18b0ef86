"""How Werewolf eliminates: votes and ties, draws, proposers, and what becomes public."""

from fractions import Fraction as F
from itertools import product

import pytest

from crywolf.games import start

from .werewolf_plays import fixed, go, knows, living, news, offers, outcomes, play, rules


def votes(*targets: int | str) -> list[str]:
    return [f"vote P{t}" if isinstance(t, int) else t for t in targets]


# -------------------------------------------------------------------------------------- votes


def test_votes_are_hidden_until_all_are_cast():
    game = fixed("werewolf+3villager")
    cursor = play(game, *votes(2, 3, 2))
    assert knows(game, cursor, 3) == "P4: dealt Villager"
    assert offers(game, cursor) == votes(1, 2, 3)
    done = go(game, cursor, "vote P2")
    assert news(game, done, 0) == [
        "votes: P1 vote P2, P2 vote P3, P3 vote P2, P4 vote P2",
        "eliminated: P2",
    ]
    secret = fixed("werewolf+3villager", open_votes=False)
    assert news(secret, play(secret, *votes(2, 3, 2, 2)), 0) == ["eliminated: P2"]


def test_sequential_votes_are_seen_at_once():
    game = fixed("werewolf+3villager", vote="sequential")
    cursor = play(game, *votes(2, 3))
    assert knows(game, cursor, 3) == "P4: dealt Villager; P1: vote P2; P2: vote P3"
    done = go(game, cursor, *votes(2, 2))
    assert news(game, done, 0) == ["P4: vote P2", "eliminated: P2"]


def test_self_votes_abstentions_and_nobody_are_offered_when_allowed():
    plain = fixed("werewolf+2villager")
    assert offers(plain, start(plain)) == votes(2, 3)
    game = fixed("werewolf+2villager", self_vote=True, abstain=True, no_lynch="allowed")
    assert offers(game, start(game)) == ["abstain", "vote nobody", *votes(1, 2, 3)]


@pytest.mark.parametrize(
    ("cast", "ties", "alive"),
    [
        ((2, 3, 4, 2), "nobody", "134"),
        ((2, 1, 4, 3), "nobody", "1234"),
        ((2, 1, 1, 2), "nobody", "1234"),
        ((2, 1, 1, 2), "all", "34"),
        ((2, 3, 4, "abstain"), "all", "1"),
        (("abstain", "abstain", 4, "abstain"), "nobody", "123"),
        (("abstain", "abstain", "abstain", "abstain"), "random", "1234"),
        (("vote nobody", "vote nobody", 4, 3), "random", "1234"),
        (("vote nobody", "vote nobody", 4, 4 - 1), "nobody", "1234"),
        (("vote nobody", "abstain", 4, "abstain"), "all", "123"),
        (("vote nobody", "abstain", 4, "abstain"), "nobody", "1234"),
    ],
)
def test_the_count(cast: tuple[int | str, ...], ties: str, alive: str):
    game = fixed(
        "4villager+werewolf",
        ties=ties,
        abstain=True,
        no_lynch="allowed",
        end="all_dead",
        nights=False,
    )
    # P5, the wolf, abstains.
    cursor = play(game, *votes(*cast), "abstain")
    assert living(cursor) == alive + "5"


def test_chance_breaks_ties_and_nobody_may_be_among_the_tied():
    game = fixed("werewolf+3villager", no_lynch="allowed", end="all_dead")
    cursor = play(game, *votes(2, "vote nobody", "vote nobody", 2))
    assert offers(game, cursor) == ["P2", "nobody"]
    assert game.chance_outcomes(cursor.position)[0][1] == F(1, 2)
    assert living(go(game, cursor, "nobody")) == "1234"
    assert living(go(game, cursor, "P2")) == "134"
    assert "votes" in knows(game, cursor, 1)  # the votes are open, whatever chance decides


@pytest.mark.parametrize(
    ("cast", "alive"), [((2, 3, 2, 2), "134"), ((2, 3, 4, 2), "1234"), ((2, 1, 1, 2), "1234")]
)
def test_a_strict_majority_is_more_than_half_of_the_living(cast: tuple[int, ...], alive: str):
    game = fixed("werewolf+3villager", majority="strict", end="all_dead", nights=False)
    assert living(play(game, *votes(*cast))) == alive


def test_independent_voters_and_a_block_of_wolves():
    # The town votes at random, the wolves for one townsperson: a wolf is hit with 9/64, not 2/5.
    game = fixed("2werewolf+3villager", end="all_dead", max_days=1)
    hit = F(0)
    for targets in product(*[[t for t in range(5) if t != voter] for voter in (2, 3, 4)]):
        cursor = play(game, *votes(3, 3, *(t + 1 for t in targets)))
        chances = game.chance_outcomes(cursor.position) if game.mover(cursor.position) == -1 else ()
        wolves = [p for a, p in chances if game.action_name(-1, a) in ("P1", "P2")]
        hit += sum(wolves) / F(64) if chances else F("1" not in living(cursor), 64)
        hit += F(not chances and "2" not in living(cursor), 64)
    assert hit == F(9, 64)


# ------------------------------------------------------------------------------ public draws


def test_the_spokesman_of_the_town_decides_whether_somebody_is_drawn():
    game = fixed("werewolf+4villager", elimination="random", no_lynch="allowed")
    before = start(game)
    assert game.mover(before.position) == 1
    assert offers(game, before) == ["draw", "skip"]
    drawn = go(game, before, "draw")
    assert news(game, drawn, 0) == ["somebody is drawn"]
    assert offers(game, drawn) == ["P1", "P2", "P3", "P4", "P5"]
    skipped = go(game, before, "skip")
    assert news(game, skipped, 4) == ["nobody is drawn", "eliminated: nobody"]
    assert game.mover(skipped.position) == 0  # the night


def test_without_a_living_townsperson_there_is_nobody_to_ask():
    game = fixed("werewolf+possessed+villager", elimination="random", no_lynch="allowed",
                 end="all_dead", first="night")  # fmt: skip
    cursor = play(game, "kill P3")
    assert offers(game, cursor) == ["P1", "P2"]


def test_a_proposer_is_drawn_in_public():
    game = fixed("werewolf+3villager", elimination="proposer", no_lynch="allowed", end="all_dead")
    cursor = play(game, "P3")
    assert news(game, cursor, 0) == ["proposer: P3"]
    assert offers(game, cursor) == ["propose nobody", "propose P1", "propose P2", "propose P4"]
    assert living(go(game, cursor, "propose P4")) == "123"
    assert living(go(game, cursor, "propose nobody")) == "1234"
    game = fixed("werewolf+3villager", elimination="proposer")
    assert outcomes(game)["town"] == F(1, 4)  # as good as lots, if proposers choose at random


def test_an_order_takes_the_lowest():
    game = fixed("2villager+werewolf+2villager", elimination="order")
    cursor = start(game)
    assert living(cursor) == "2345"
    assert knows(game, cursor, 4).endswith("eliminated: P1")
    assert game.outcome(go(game, cursor, "kill P2").position) == "town"


# ---------------------------------------------------------------------------- what is revealed


@pytest.mark.parametrize(
    ("reveal", "words"), [("none", "P4"), ("team", "P4 (not wolf)"), ("role", "P4 (villager)")]
)
def test_reveals_by_day_and_at_night(reveal: str, words: str):
    game = fixed("werewolf+4villager", elimination="random", reveal_day=reveal)
    assert knows(game, play(game, "P4"), 1).endswith(f"eliminated: {words}")
    assert knows(game, play(game, "P4", "kill P5"), 1).endswith("dawn, dead: P5")
    game = fixed("werewolf+4villager", elimination="random", reveal_night=reveal)
    night = play(game, "P5", "kill P4")
    assert knows(game, night, 1).endswith(f"eliminated: P5; dawn, dead: {words}")
    assert night.position.public[3] == {"none": "", "team": "not wolf", "role": "villager"}[reveal]


def test_cards_may_be_revealed_in_the_first_night_alone():
    game = fixed("werewolf+6villager", elimination="random", first="night", reveal_night="role",
                 reveal_first_night_only=True)  # fmt: skip
    cursor = play(game, "kill P7", "P6", "kill P5")
    assert "dead: P7 (villager); eliminated: P6; dawn, dead: P5" in knows(game, cursor, 1)


# --------------------------------------------------------------------------- the Seer's claim


def test_a_seer_conceals_or_reveals_itself_and_its_results():
    game = fixed("werewolf+seer+5villager", elimination="random", talk="reveal", first="night")
    cursor = play(game, "kill P7", "check P3")
    assert game.mover(cursor.position) == 1
    assert offers(game, cursor) == ["reveal", "conceal"]
    hidden = go(game, cursor, "conceal")
    assert not news(game, hidden, 0)
    assert offers(game, hidden) == [f"P{seat}" for seat in range(1, 7)]
    shown = go(game, cursor, "reveal")
    assert news(game, shown, 0) == ["P2 reveals: Seer, P3 is not a wolf"]
    assert shown.position.public == ("", "seer", "not wolf", "", "", "", "")
    assert offers(game, shown) == ["P1", "P4", "P5", "P6"]  # whoever is cleared is not drawn
    # Later results are public at dawn, if it lives.
    later = go(game, shown, "P6", "kill P5", "check P1")
    assert news(game, later, 2) == ["dawn, dead: P5", "P2 tells: P1 is a wolf"]
    assert news(game, later, 1)[1:] == ["dawn, dead: P5", "P1 is a wolf"]
    assert offers(game, later) == ["P1"]  # known wolves go first
    dead = go(game, shown, "P6", "kill P2", "check P1")
    assert news(game, dead, 2) == ["dawn, dead: P2"]


def test_a_seer_that_is_drawn_may_reveal_itself_and_live():
    game = fixed("werewolf+seer+3villager", elimination="random", talk="reveal")
    drawn = play(game, "conceal", "P2")
    assert news(game, drawn, 1) == ["drawn: P2"]
    assert not news(game, drawn, 0)
    lives = go(game, drawn, "reveal")
    assert news(game, lives, 0) == ["drawn: P2", "P2 reveals: Seer"]
    assert offers(game, lives) == ["P1", "P3", "P4", "P5"]
    dies = go(game, drawn, "conceal")
    assert news(game, dies, 0) == ["eliminated: P2"]
    strict = fixed("werewolf+seer+3villager", elimination="random", talk="reveal",
                   reveal_when_drawn=False)  # fmt: skip
    assert living(play(strict, "conceal", "P2")) == "1345"


def test_in_an_order_the_next_one_goes_when_a_seer_reveals_itself():
    game = fixed("2seer+werewolf+2villager", elimination="order", talk="reveal")
    cursor = play(game, "conceal", "conceal")
    assert news(game, cursor, 0) == ["drawn: P1"]
    second = go(game, cursor, "reveal")
    assert news(game, second, 1) == ["drawn: P1", "P1 reveals: Seer", "drawn: P2"]
    assert game.outcome(go(game, second, "reveal").position) == "town"


def test_two_seers_choose_at_once():
    game = fixed("2seer+werewolf+4villager", elimination="random", talk="reveal")
    first = play(game, "reveal")
    assert game.mover(first.position) == 1
    assert not news(game, first, 1)
    both = go(game, first, "reveal")
    assert news(game, both, 6) == ["P1 reveals: Seer", "P2 reveals: Seer"]
    one = go(game, first, "conceal")
    assert news(game, one, 1) == ["conceal", "P1 reveals: Seer"]


def test_without_unclear_players_anybody_is_drawn():
    from crywolf.games.werewolf.voting import candidates

    game = rules("one_seer(players=5)")
    position = game.initial().position._replace(
        roles=("werewolf", "seer", "villager", "villager", "villager"),
        public=("not wolf", "seer", "not wolf", "not wolf", ""),
        alive=(True, True, True, True, False),
    )
    assert candidates(game.table, position) == (0, 1, 2, 3)


def test_the_value_of_one_seer():
    # The wolves kill anybody while the Seer is concealed, then the Seer, then those it has cleared.
    game = fixed("werewolf+seer+3villager", elimination="random", talk="reveal")
    actions = game.table.actions

    def policy(found: bool, drawn: bool):
        def choose(_, position):
            legal = game.legal_actions(position)
            stage, seat = position.stage.name, position.queue[0]
            if stage in ("REVEAL", "DRAWN"):
                sees = any(wolf and position.alive[s] for s, wolf in position.notes[seat])
                talks = (found and sees) or (drawn and stage == "DRAWN")
                return {actions.number("reveal" if talks else "conceal"): F(1)}
            if stage == "KILL":
                marks = [position.public[actions.target(a)] for a in legal]
                for mark in ("seer", "not wolf", ""):
                    if mark in marks:
                        legal = [a for a, m in zip(legal, marks) if m == mark]
                        break
            if stage == "NIGHT":
                checked = [s for s, _ in position.notes[seat]]
                legal = [a for a in legal if actions.target(a) not in checked] or legal
            return dict.fromkeys(legal, F(1, len(legal)))

        return choose

    assert outcomes(game, policy(found=False, drawn=False))["town"] == F(7, 15)
    assert outcomes(game, policy(found=True, drawn=False))["town"] == F(5, 9)
    assert outcomes(game, policy(found=True, drawn=True))["town"] == F(59, 90)
