"""Roles added to Werewolf from outside, in one short file: a new night effect and a new death."""

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path

import pyspiel
import pytest

from crywolf.games import Werewolf, check_game, load_game, start
from crywolf.games.errors import ParameterError
from crywolf.games.werewolf import ROLES, Role, add_role

from . import vigilante
from .werewolf_plays import fixed, go, knows, living, news, offers, outcomes, play


@pytest.fixture(autouse=True)
def only_built_in_roles_afterwards() -> Iterator[None]:
    before = dict(ROLES)
    vigilante.add()
    yield
    ROLES.clear()
    ROLES.update(before)


def test_the_file_is_short_and_touches_nothing_but_the_public_names():
    text = Path(vigilante.__file__).read_text()
    assert len(text.splitlines()) <= 60
    imports = re.findall(r"^from (crywolf\S*) import", text, re.MULTILINE)
    assert imports == ["crywolf.games.werewolf"]


def test_the_vigilante_fires_once():
    game = fixed("werewolf+vigilante+guard+4villager", first="night", elimination="random")
    cursor = play(game, "kill P7", "protect P5")
    assert game.mover(cursor.position) == 1
    assert offers(game, cursor) == ["hold fire", *(f"fire at P{s}" for s in (1, 3, 4, 5, 6, 7))]
    fired = go(game, cursor, "fire at P5")  # protection is against wolves
    assert living(fired) == "12346"
    assert news(game, fired, 1) == ["fire at P5", "dawn, dead: P5 P7", "shot: P5 is not a wolf"]
    again = go(game, fired, "P6", "kill P4", "protect P2")
    assert game.mover(again.position) == -1  # no bullet, no turn
    held = go(game, cursor, "hold fire", "P6", "kill P4", "protect P2")
    assert game.mover(held.position) == 1
    assert game.outcome(go(game, cursor, "fire at P1").position) == "town"
    assert "The Vigilante has one bullet" in game.in_words()


def test_the_martyr_takes_a_wolf_along():
    game = fixed("2werewolf+village-martyr+4villager", first="night", reveal_night="role")
    assert knows(game, start(game), 2) == "P3: dealt Village Martyr"
    cursor = play(game, "kill P3")
    assert offers(game, cursor) == ["P1", "P2"]
    assert [p for _, p in game.chance_outcomes(cursor.position)] == [F(1, 2)] * 2
    hit = go(game, cursor, "P2")
    assert news(game, hit, 6) == ["P3 is avenged on P2 (werewolf)"]
    assert living(hit) == "14567"


def test_values_with_the_new_roles():
    # The wolf that must not kill the Martyr: at night 1 it kills another, or dies.
    game = fixed("werewolf+village-martyr+villager", first="night", elimination="random")
    assert outcomes(game) == {"town": F(1, 2), "wolves": F(1, 2)}


def test_openspiel_plays_the_new_roles_and_they_conform():
    text = "werewolf(players=4,roles=werewolf+vigilante+village-martyr+villager,first=night)"
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    check_game(load_game(text), max_nodes=20_000).raise_if_failed()


def test_seats_with_new_roles_are_renamed_like_others():
    game = fixed("werewolf+vigilante+3villager", first="night", end="all_dead")
    assert game.interchangeable
    position = play(game, "kill P4", "fire at P5").position
    turned = game.relabelled(position, [1, 2, 3, 4, 0])
    assert turned.roles == ("villager", "werewolf", "vigilante", "villager", "villager")
    assert turned.notes[2] == ((0, False),)


def test_claims_name_the_new_roles():
    game = fixed("werewolf+village-martyr+villager", talk="roles")
    assert "I am the Village Martyr" in offers(game, start(game))


def test_games_keep_the_roles_that_they_were_made_with():
    game = Werewolf(players=4, roles="werewolf+vigilante+2villager", first="night")
    copy = pickle.loads(pickle.dumps(game))
    add_role(replace(vigilante.VIGILANTE, words="changed"))
    assert game.table.roles["vigilante"] is vigilante.VIGILANTE
    assert copy.table.roles["vigilante"] is vigilante.VIGILANTE
    assert list(ROLES)[-1] == "village-martyr"
    assert ROLES["vigilante"].words == "changed"


@pytest.mark.parametrize(
    ("role", "after", "words"),
    [
        (Role("Vigilante"), "witch", "lower-case letters"),
        (Role("wolf2"), "witch", "lower-case letters"),
        (Role("seer"), "witch", "already"),
        (Role("cultist", "cult"), "witch", "choose town or wolves"),
        (Role("cultist"), "nobody", "after='nobody' is not a role"),
    ],
)
def test_refused_roles(role: Role, after: str, words: str):
    before = dict(ROLES)
    with pytest.raises(ParameterError, match=words):
        add_role(role, after)
    assert before == ROLES
