"""Werewolf against a slow, independently written reference on random roles, conventions and plays."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import load_game, rules_of
from crywolf.games.werewolf import Werewolf

from .moderator import Fact, Play, compare
from .reference_werewolf import NOBODY, WOLVES, Village

DEFAULTS: dict[str, Any] = {
    "deal": "chance",
    "first": "day",
    "end": "parity",
    "town_wins_at": 0,
    "voted_out_wins": 0,
    "no_lynch": "forbidden",
    "abstain": False,
    "self_vote": False,
    "elimination": "votes",
    "vote": "simultaneous",
    "open_votes": True,
    "majority": "plurality",
    "ties": "random",
    "reveal_night": "none",
    "reveal_day": "none",
    "reveal_first_night_only": False,
    "nights": True,
    "quiet_nights": 0,
    "night_kill": "consensus",
    "kill_own": False,
    "no_kill": False,
    "guard_repeat": True,
    "guard_self": True,
    "witch_self": True,
    "lovers": "none",
    "talk": "none",
    "talk_rounds": 1,
    "talk_order": "seat",
    "talk_first_day": True,
    "reveal_when_drawn": True,
    "max_days": 0,
    "timeout": "draw",
}

# --------------------------------------------------------------- the reference against the theory

Policy = Callable[[Village, str, list[str]], list[str]]
"""The moves of a player among which it chooses uniformly."""


def leaves(
    parameters: Mapping[str, Any], policy: Policy = lambda _, __, moves: moves
) -> Iterator[tuple[str, Fraction]]:
    """The winner and the probability of every play of the reference."""
    plays: list[tuple[list[tuple[str, str]], Fraction]] = [([], Fraction(1))]
    while plays:
        history, reach = plays.pop()
        village = Village(**{**DEFAULTS, **parameters})
        play = Play(village)
        for who, move in history:
            play.answer(who, move)
        if play.question is None:
            yield village.winner, reach
        elif play.question.chances:
            for move, chance in play.question.chances.items():
                plays.append(([*history, ("", move)], reach * chance))
        else:
            ((who, moves),) = play.question.asked.items()
            chosen = policy(village, who, list(moves))
            for move in chosen:
                plays.append(([*history, (who, move)], reach / len(chosen)))


def town_wins(parameters: Mapping[str, Any], policy: Policy = lambda _, __, m: m) -> Fraction:
    """The probability that the town wins."""
    found = (p for winner, p in leaves(parameters, policy) if winner == "town")
    return sum(found, Fraction(0))


def test_the_reference_has_the_published_numbers_of_leaves():
    def size(**parameters: Any) -> int:
        return sum(1 for _ in leaves(parameters))

    assert size(players=3, roles="werewolf+2villager") == 36
    assert size(players=4, roles="werewolf+3villager") == 840
    assert size(players=5, roles="werewolf+4villager", elimination="random") == 185


def test_the_reference_has_the_published_values():
    village = {"players": 5, "roles": "werewolf+4villager", "elimination": "random"}
    assert 1 - town_wins(village) == Fraction(8, 15)
    six = {**village, "players": 6, "roles": "werewolf+5villager", "deal": "fixed"}
    assert 1 - town_wins(six) == Fraction(5, 8)
    assert 1 - town_wins({**six, "end": "coin"}) == Fraction(5, 16)
    vengeful = {"players": 5, "roles": "godfather+werewolf+3vengeful", "deal": "fixed"}
    vengeful |= {"elimination": "random", "nights": False}
    assert town_wins(vengeful) == Fraction(2, 5)
    lovers = {"players": 6, "roles": "2werewolf+4villager", "deal": "fixed", "lovers": "wolves"}
    lovers |= {"elimination": "random", "nights": False}
    assert town_wins(lovers) == Fraction(3, 5)


def revealing(when_drawn: bool) -> Policy:
    """The Seer reveals itself when it has found a wolf (or is drawn); wolves kill the known."""

    def policy(village: Village, who: str, moves: list[str]) -> list[str]:
        if "reveal" in moves:
            found = any(wolf for _, wolf in village.results[who])
            drawn = ("drawn", who) in village.told[who]
            return ["reveal"] if found or (drawn and when_drawn) else ["conceal"]
        for known in ("seer", "not wolf"):
            kills = [m for m in moves if village.public.get(m.removeprefix("kill ")) == known]
            if kills:
                return kills
        return moves

    return policy


def test_the_reference_has_the_published_values_of_a_seer():
    seer = {"players": 5, "roles": "seer+werewolf+3villager", "deal": "fixed"}
    seer |= {"elimination": "random", "talk": "reveal"}
    assert town_wins(seer, revealing(when_drawn=False)) == Fraction(5, 9)
    assert town_wins(seer, revealing(when_drawn=True)) == Fraction(59, 90)


# ------------------------------------------------------------------ the engine and the reference

NOT_WOLVES = (
    "villager",
    "seer",
    "guard",
    "doctor",
    "witch",
    "hunter",
    "medium",
    "mason",
    "vengeful",
    "possessed",
    "minion",
)
VOCABULARIES = ("reveal", "roles", "results", "accuse", "defend", "support", "aiwolf")
PRESETS = (
    "werewolf",
    "mountainous",
    "nightless",
    "semi_nightless",
    "lovers",
    "white_flag",
    "red_flag",
    "vengeful",
    "one_seer",
    "werewolf5",
    "werewolf15",
    "gratr8",
)


def one_of(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


@st.composite
def decks(draw: st.DrawFn, players: int) -> list[str]:
    """Roles with wolves in the minority, in any order."""
    wolves = draw(st.integers(1, (players - 1) // 2))
    pack = st.lists(one_of("werewolf", "werewolf", "godfather"), min_size=wolves, max_size=wolves)
    # Few kinds in one deck: then each occurs often, and any two of them meet in some deck.
    kinds = draw(
        st.lists(st.sampled_from(NOT_WOLVES), min_size=1, max_size=4, unique=True)
        | one_of(("seer", "villager"), ("hunter", "witch"), ("hunter", "vengeful"))
    )
    rest = players - wolves
    others = st.lists(st.sampled_from(kinds), min_size=rest, max_size=rest)
    return draw(st.permutations(draw(pack) + draw(others)))


@st.composite
def parameter_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Valid parameters of `Werewolf`, mostly of small games."""
    players = draw(one_of(3, 4, 4, 5, 5, 5, 6, 6, 7, 8, 9, 10))
    deck = draw(decks(players))
    wolves = sum(role in WOLVES for role in deck)
    nights = draw(one_of(True, True, True, False))
    quiet = draw(one_of(0, 0, 1, 2)) if nights else 0
    reveal_night = draw(one_of("none", "team", "role")) if nights else "none"
    vote = draw(one_of("simultaneous", "sequential"))
    ends = ["parity", "coin", "all_dead"] + ["villagers_dead"] * ("villager" in deck)
    no_lynch = ["forbidden", "allowed"] + ["even"] * nights
    words = draw(st.sets(st.sampled_from(VOCABULARIES)))
    if "seer" in deck and draw(st.booleans()):
        words.add("reveal")
    return {
        "players": players,
        "roles": "+".join(deck),
        "deal": draw(one_of("chance", "fixed", "hidden")),
        "first": draw(one_of("day", "night")) if nights else "day",
        "end": draw(st.sampled_from(ends)),
        "town_wins_at": draw(st.integers(0, wolves - 1)),
        "voted_out_wins": draw(st.integers(0, wolves)),
        "no_lynch": draw(st.sampled_from(no_lynch)),
        "abstain": draw(st.booleans()),
        "self_vote": draw(st.booleans()),
        "elimination": draw(one_of("votes", "votes", "random", "random", "order", "proposer")),
        "vote": vote,
        "open_votes": vote == "sequential" or draw(st.booleans()),
        "majority": draw(one_of("plurality", "strict")),
        "ties": draw(one_of("random", "nobody", "all")),
        "reveal_night": reveal_night,
        "reveal_day": draw(one_of("none", "team", "role")),
        "reveal_first_night_only": reveal_night != "none" and draw(st.booleans()),
        "nights": nights,
        "quiet_nights": quiet,
        "night_kill": draw(one_of("consensus", "random", "vote")),
        "kill_own": draw(st.booleans()),
        "no_kill": draw(st.booleans()),
        "guard_repeat": draw(st.booleans()),
        "guard_self": draw(st.booleans()),
        "witch_self": draw(st.booleans()),
        "lovers": draw(st.sampled_from(["none", "random"] + ["wolves"] * (wolves == 2))),
        "talk": "+".join(sorted(words)) or "none",
        "talk_rounds": draw(one_of(1, 1, 2)),
        "talk_order": draw(one_of("seat", "shuffled")),
        "talk_first_day": draw(st.booleans()),
        "reveal_when_drawn": draw(st.booleans()),
        "max_days": draw(one_of(0, 0, 0, 1, 2)),
        "timeout": draw(one_of("draw", "wolves", "town")),
    }


def facts(game: Werewolf) -> Callable[[Any], Fact]:
    """How an observation of the engine reads in the reference."""

    def person(seat: int) -> str:
        return NOBODY if seat < 0 else f"P{seat + 1}"

    def pairs(seats: Any) -> tuple[tuple[str, str], ...]:
        return tuple((person(seat), what) for seat, what in seats)

    def moves(seats: Any) -> tuple[tuple[str, str], ...]:
        return tuple((person(seat), game.action_name(seat, action)) for seat, action in seats)

    def told(observation: Any) -> Fact:
        match observation:
            case ("wolves" | "masons" | "lovers" as word, seats):
                return (word, tuple(map(person, seats)))
            case ("dawn" | "eliminated" as word, seats):
                return (word, pairs(seats))
            case ("votes" | "pack votes" as word, seats):
                return (word, moves(seats))
            case ("voted" | "said" as word, seat, action):
                return (word, person(seat), game.action_name(seat, action))
            case ("revealed", seat, role, results):
                known = tuple((person(other), wolf) for other, wolf in results)
                return ("revealed", person(seat), role, known)
            case ("shot" | "avenged" | "result" as word, seat, other, what):
                return (word, person(seat), person(other), what)
            case (word, int(seat), *rest) if not isinstance(seat, bool):
                return (word, person(seat), *rest)
            case _:  # ("role", name), ("draw", bool), ("coin", winner)
                return observation

    return told


def compare_with_reference(game: Werewolf, plays: int, seed: int) -> None:
    parameters = {name: getattr(game, name) for name in ("players", "roles", *DEFAULTS)}
    chooser = Random(seed)
    for _ in range(plays):
        compare(
            game,
            Village(**parameters),
            chooser,
            living=lambda position: [
                f"P{s + 1}" for s, lives in enumerate(position.alive) if lives
            ],
            fact=facts(game),
        )


@settings(max_examples=2 * settings().max_examples)
@given(parameter_sets(), st.integers(0, 2**32 - 1))
def test_random_plays_agree_with_the_reference(parameters: dict[str, Any], seed: int):
    compare_with_reference(Werewolf(**parameters), plays=8, seed=seed)


@pytest.mark.parametrize("name", PRESETS)
def test_plays_of_presets_agree_with_the_reference(name: str):
    game = rules_of(load_game(name))
    assert isinstance(game, Werewolf)
    compare_with_reference(game, plays=10, seed=2408)
