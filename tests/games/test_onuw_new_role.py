"""A role added to ONUW from outside, in one short file, and played through OpenSpiel."""

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyspiel
import pytest

from crywolf.games import Onuw, check_game, load_game, start
from crywolf.games.errors import ParameterError
from crywolf.games.onuw import (
    ROLES,
    Move,
    Outcome,
    Role,
    Table,
    add_role,
    after_night,
    is_true,
)

from . import village_idiot
from .onuw_plays import deals, fixed, knows, leaves, offers, play


@pytest.fixture(autouse=True)
def only_printed_roles_afterwards() -> Iterator[None]:
    before = dict(ROLES)
    yield
    ROLES.clear()
    ROLES.update(before)


@pytest.fixture
def idiot() -> Role:
    village_idiot.add()
    return village_idiot.VILLAGE_IDIOT


# ------------------------------------------------------------ a role with a night of its own kind


def test_the_file_is_short_and_touches_nothing_but_the_public_names():
    text = Path(village_idiot.__file__).read_text()
    assert len(text.splitlines()) <= 60
    imports = re.findall(r"^from (crywolf\S*) import", text, re.MULTILINE)
    assert imports == ["crywolf.games.onuw"]


@pytest.mark.usefixtures("idiot")
def test_the_village_idiot_moves_all_other_cards():
    game = fixed("seer+village-idiot+werewolf+villager")
    assert offers(game, play(game, "look P3")) == ["no shift", "shift left", "shift right"]
    right = play(game, "look P3", "shift right")
    assert right.position.cards == ("villager", "village-idiot", "seer", "werewolf")
    left = play(game, "look P3", "shift left")
    assert left.position.cards == ("werewolf", "village-idiot", "villager", "seer")
    assert knows(game, right, 1) == "P2: dealt Village Idiot; shift right"
    assert play(game, "look P3", "no shift").position.cards == game.deck
    assert "the Village Idiot may move" in game.in_words()


@pytest.mark.usefixtures("idiot")
def test_openspiel_plays_the_new_role():
    text = "onuw(players=3,centre=1,roles=werewolf+seer+village-idiot+villager,talk=roles)"
    game = pyspiel.load_game(text)
    assert game.num_players() == 3
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    check_game(load_game(text.replace(",talk=roles", ""))).raise_if_failed()


@pytest.mark.usefixtures("idiot")
def test_its_night_is_scripted_and_told_like_any_other():
    game = fixed("werewolf+village-idiot+villager", night="village-idiot:shift left", talk="night")
    cursor = start(game)
    assert cursor.position.cards == ("villager", "village-idiot", "werewolf")
    names = game.action_table.names
    true = [names[a] for a in game.open_to[1] if is_true(game, a, 1, cursor)]
    assert true == ["say nothing", "say Village Idiot: shift left"]
    free = fixed("werewolf+village-idiot+villager", talk="night")
    number = free.action_table.number(Move("shift left"))
    again = after_night(free, free.deck, {1: number})
    assert knows(free, again, 1) == knows(game, cursor, 1)


@pytest.mark.usefixtures("idiot")
def test_it_takes_its_place_in_the_order_of_the_night():
    names = list(ROLES)
    assert names[names.index("troublemaker") + 1] == "village-idiot"
    village_idiot.add()  # as when a cell is run twice
    assert list(ROLES) == names
    assert len(deals(Onuw(3, 0, "werewolf+village-idiot+seer"))) == 6


# ----------------------------------------------------------------------- a role with its own team


def _cult_wins(outcome: Outcome, seat: int) -> bool:
    """Alive, with two dead or more."""
    return seat not in outcome.dead and len(outcome.dead) >= 2


CULTIST = Role("cultist", team="cult", wins=_cult_wins, goal="The Cultist wins if two others die.")


def test_a_new_team_wins_by_its_own_rule():
    add_role(CULTIST, after="tanner")
    game = fixed("cultist+werewolf+2villager")
    for names, leaf in leaves(game):
        payoffs = game.payoffs(leaf.position)
        votes = [int(name[-1]) for name in names]
        dead = {seat for seat in votes if votes.count(seat) == 2}  # two of them, or one with more
        two_others = len(dead) == 2 and 1 not in dead
        assert payoffs[0] == (1 if two_others else -1)
        assert payoffs[2] == payoffs[3]
    totals = {sum(game.payoffs(leaf.position), Fraction(0)) for _, leaf in leaves(game)}
    assert len(totals) > 1
    assert game.utility_sum is None
    assert "The Cultist wins if two others die." in game.in_words()
    with pytest.raises(ParameterError, match="resolution=paper has no rule for Cultist"):
        fixed("cultist+werewolf+2villager", resolution="paper")


def test_games_keep_the_roles_they_were_made_with():
    add_role(CULTIST, after="tanner")
    text = "cultist+werewolf+2villager"
    old = fixed(text)
    ends = [leaf for _, leaf in leaves(old)]
    before = [old.payoffs(leaf.position) for leaf in ends]
    add_role(replace(CULTIST, wins=lambda outcome, seat: True), after="tanner")
    again = fixed(text)
    assert [old.payoffs(leaf.position) for leaf in ends] == before
    assert all(again.payoffs(leaf.position)[0] == 1 for leaf in ends)
    # What is pickled is the parameters: another process has the roles that it has added.
    assert pickle.loads(pickle.dumps(old)).roles["cultist"] is ROLES["cultist"]


@pytest.mark.parametrize(
    ("role", "after", "complaint"),
    [
        (Role("seer"), "villager", "'seer' is a role of the game already"),
        (Role("Cultist"), "villager", "use lower-case letters"),
        (Role("cult 2"), "villager", "use lower-case letters"),
        (Role("cult+2"), "villager", "use lower-case letters"),
        (Role(""), "villager", "'' is no name"),
        (Role("cultist"), "sheriff", "after='sheriff' is not a role; choose one of werewolf"),
        (Role("cultist"), "cultist", "after='cultist' is not a role"),
    ],
)
def test_roles_that_cannot_be_added(role: Role, after: str, complaint: str):
    before = list(ROLES.items())
    with pytest.raises(ParameterError) as caught:
        add_role(role, after=after)
    assert complaint in str(caught.value)
    assert list(ROLES.items()) == before


# ------------------------------------------------------------------------ a role that is told more


def test_a_role_can_be_told_anything():
    def hears(table: Table, seat: int) -> tuple[tuple[str, str], ...]:
        wolves = sum(table.initial[s] == "werewolf" for s in table.scene.seats)
        return (("told", f"Werewolves among the players: {wolves}"),)

    add_role(Role("gossip", informed=True, sees=hears), after="seer")
    game = fixed("gossip+werewolf+villager+werewolf", centre=1)
    assert knows(game, start(game), 0) == "P1: dealt Gossip; Werewolves among the players: 1"
    check_game(load_game("onuw(centre=1,roles=gossip+2werewolf+villager)")).raise_if_failed()


def test_two_moves_of_one_name_are_refused():
    add_role(Role("joker", moves=lambda scene: [(Move("joke"), "NS")]), after="seer")
    with pytest.raises(ParameterError, match="two night actions are called 'NS'; rename"):
        fixed("joker+2werewolf")


def test_the_tutorial_has_this_file_and_runs():
    text = (Path(__file__).parents[2] / "docs" / "add_an_onuw_role.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks[0] == Path(village_idiot.__file__).read_text()
    space: dict[str, Any] = {}
    for block in blocks:
        exec(block, space)
    assert space["game"].rules.kinds == (
        "werewolf",
        "seer",
        "village-idiot",
        "villager",
    )
    assert space["cult"].num_players() == 4


def test_the_old_name_is_unknown_without_the_file():
    with pytest.raises(ParameterError, match="'village-idiot' is not a role"):
        Onuw(3, 0, "werewolf+village-idiot+seer")
