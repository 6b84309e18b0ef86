"""Every two values of Werewolf's parameters together, in games that OpenSpiel and our checks accept."""

from itertools import cycle, islice
from typing import Any

import numpy as np
import pyspiel
import pytest

from crywolf.games import CHANCE, TERMINAL, Werewolf, check_game, load_game

from .pairwise import Row, pairwise

DECKS = {
    "plain": "werewolf+villager",
    "seers": "werewolf+seer+villager+guard+medium+seer",
    "potions": "werewolf+witch+doctor+hunter+villager+witch",
    "allies": "werewolf+possessed+minion+villager+mason+mason",
    "vengeance": "godfather+vengeful+hunter+vengeful+hunter+seer",
}
"""Cards after one another; wolves that come too early are left out."""

FACTORS: dict[str, tuple[Any, ...]] = {
    "players": (3, 4, 5, 6),
    "deck": tuple(DECKS),
    "wolves": (1, 2),
    "deal": ("chance", "fixed", "hidden"),
    "first": ("day", "night"),
    "end": ("parity", "coin", "all_dead", "villagers_dead"),
    "town_wins_at": (0, 1),
    "voted_out_wins": (0, 1),
    "no_lynch": ("forbidden", "allowed", "even"),
    "abstain": (False, True),
    "self_vote": (False, True),
    "elimination": ("votes", "random", "order", "proposer"),
    "vote": ("simultaneous", "sequential"),
    "open_votes": (True, False),
    "majority": ("plurality", "strict"),
    "ties": ("random", "nobody", "all"),
    "reveal_night": ("none", "team", "role"),
    "reveal_day": ("none", "team", "role"),
    "reveal_first_night_only": (False, True),
    "nights": (True, False),
    "quiet_nights": (0, 1),
    "night_kill": ("consensus", "random", "vote"),
    "kill_own": (False, True),
    "no_kill": (False, True),
    "guard_repeat": (True, False),
    "guard_self": (True, False),
    "witch_self": (True, False),
    "lovers": ("none", "wolves", "random"),
    "talk": ("none", "roles", "results+accuse", "reveal", "defend+support+reveal", "aiwolf"),
    "talk_rounds": (1, 2),
    "talk_order": ("seat", "shuffled"),
    "talk_first_day": (True, False),
    "reveal_when_drawn": (True, False),
    "max_days": (0, 1, 2),
    "timeout": ("draw", "wolves", "town"),
}


def cards(row: Row) -> list[str]:
    """The deck of a game whose players, deck and wolves are given."""
    kinds = DECKS[row["deck"]].split("+")
    others = [kind for kind in kinds if kind not in ("werewolf", "godfather")]
    pack = [kinds[0], "werewolf"][: row["wolves"]]
    return pack + list(islice(cycle(others), row["players"] - len(pack)))


def allowed(row: Row) -> bool:
    """Whether the rules have such games."""
    if {"players", "deck", "wolves"} <= row.keys():
        hand = cards(row)
        if row.get("end") == "villagers_dead" and "villager" not in hand:
            return False
        if row["wolves"] == 2 and row["players"] == 3 and row.get("first") == "night":
            return False  # over after one move, and chance never moves
        if row.get("end") == "parity" and 2 * row["wolves"] >= row["players"]:
            return False
    if "wolves" in row:
        if row.get("town_wins_at", 0) >= row["wolves"]:
            return False
        if row.get("lovers") == "wolves" and row["wolves"] != 2:
            return False
    if row.get("max_days") == 1 and (row.get("no_lynch") == "even" or row.get("end") == "coin"):
        return False  # perhaps over without any move, or before a coin can be tossed
    if row.get("nights") is False and (
        row.get("first") == "night" or row.get("quiet_nights") or row.get("no_lynch") == "even"
    ):
        return False
    secret = row.get("vote") == "sequential" and row.get("open_votes") is False
    return not (secret and row.get("elimination") == "votes")


def game_string(row: Row) -> str:
    values = {name: value for name, value in row.items() if name not in ("deck", "wolves")}
    values["roles"] = "+".join(cards(row))
    return "werewolf(" + ",".join(f"{name}={value}" for name, value in values.items()) + ")"


GAMES = [game_string(row) for row in pairwise(FACTORS, allowed, least=64)]


def test_there_are_enough_games_and_each_value_meets_each_other():
    assert len(GAMES) >= 64
    for words in (("end=coin", "talk=aiwolf"), ("witch", "lovers=random"), ("nights=False", "=6")):
        assert any(all(word in game for word in words) for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_combinations_pass_the_tests_of_openspiel_and_ours(game: str):
    pyspiel.random_sim_test(load_game(game), num_sims=1, serialize=True, verbose=False)
    check_game(game, max_nodes=250).raise_if_failed()


SMALL = (
    "werewolf(players=3,roles=werewolf+2villager)",
    "werewolf(players=3,roles=werewolf+seer+villager,vote=sequential,ties=nobody,max_days=2)",
    "werewolf(players=3,roles=werewolf+witch+villager,first=night,end=all_dead,max_days=1)",
    "werewolf(players=3,roles=werewolf+hunter+villager,end=coin,no_lynch=allowed,max_days=1)",
    "werewolf(players=4,roles=2werewolf+2villager,end=coin,elimination=random,night_kill=vote)",
    "mountainous(players=5)",
    "one_seer(players=5)",
    "lovers(town=3)",
    "vengeful",
    "nightless(town=3)",
)


@pytest.mark.parametrize("game", SMALL)
def test_small_games_pass_completely(game: str):
    report = check_game(game, max_nodes=100_000)
    report.raise_if_failed()
    assert report.exhaustive


@pytest.mark.parametrize("game", SMALL)
def test_symmetric_games_are_symmetric(game: str):
    rules = load_game(game).rules
    if rules.interchangeable and rules.deal == "chance":
        seats = list(range(rules.num_players))
        turned = [seats[1:] + seats[:1], [seats[1], seats[0], *seats[2:]]]
        check_game(game, max_nodes=100_000, symmetries=turned).raise_if_failed()


@pytest.mark.parametrize(
    "rules",
    [
        Werewolf(
            players=6, roles="werewolf+villager+doctor+possessed+hunter+villager", first="night",
            no_lynch="even", elimination="proposer", majority="strict", ties="nobody",
            reveal_day="team", max_days=2,
        ),
        Werewolf(
            players=6, roles="werewolf+villager+vengeful+witch+villager+villager", first="night",
            end="villagers_dead", no_lynch="even", ties="nobody", night_kill="random", max_days=1,
        ),
        Werewolf(
            players=4, roles="werewolf+3villager", first="night", no_lynch="even", no_kill=True,
        ),
    ],
    ids=["doctor", "witch", "no kill"],
)  # fmt: skip
def test_a_kill_before_day_1_may_make_an_even_number_odd(rules):
    rng = np.random.default_rng(0)
    for _ in range(300):
        position, counts = rules.initial().position, [0, 0]
        while (mover := rules.mover(position)) != TERMINAL:
            counts[mover == CHANCE] += 1
            position = rules.play(position, int(rng.choice(rules.actions(position)))).position
        assert counts[0] <= rules.max_game_length
        assert counts[1] <= rules.max_chance_nodes
