"""ONUW against a slow, independently written reference on random decks, conventions and plays."""

from collections.abc import Callable, Sequence
from itertools import combinations
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import Onuw

from .moderator import Fact, compare
from .reference_onuw import OneNight

KINDS = (
    "werewolf",
    "villager",
    "mason",
    "seer",
    "robber",
    "troublemaker",
    "insomniac",
    "drunk",
)
OFFICIAL_ONLY = ("minion", "tanner", "hunter")
# Decks that decide at the vote, without and with cards that move.
ASLEEP = ("werewolf", "villager", *OFFICIAL_ONLY)
MOVING = ("werewolf", "robber", "troublemaker", "hunter")
VOCABULARIES = ("roles", "others", "accuse")
SEATS = [f"P{i}" for i in range(1, 11)]


def one_of(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


@st.composite
def scripts(draw: st.DrawFn, seats: Sequence[str], centre: int) -> str:
    """What some roles do at night, given the cards of the seats and who is not asked."""
    parts: list[str] = []
    for role in ("seer", "robber", "troublemaker", "drunk"):
        if role not in seats:
            continue
        others = [f"P{i}" for i, card in enumerate(seats, 1) if card != role]
        cards = [f"C{i}" for i in range(1, centre + 1)]
        moves = {
            "seer": [*others, *("-".join(pair) for pair in combinations(cards, 2))],
            "robber": ["NS", *others],
            "troublemaker": ["no swap", *("-".join(pair) for pair in combinations(others, 2))],
            "drunk": cards,
        }[role]
        if moves and draw(st.booleans()):
            parts.append(f"{role}:{draw(st.sampled_from(moves))}")
    return "+".join(sorted(parts)) or "free"


@st.composite
def parameter_sets(draw: st.DrawFn) -> dict[str, Any]:
    """Valid parameters of `Onuw`, mostly of small games."""
    players = draw(one_of(3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10))
    centre = draw(st.integers(0, 4))
    resolution = draw(one_of("official", "official", "paper"))
    kinds = KINDS[: None if centre else -1]
    if resolution == "official":
        kinds = draw(one_of(kinds + OFFICIAL_ONLY, ASLEEP, MOVING))
    # Few kinds in one deck: then each occurs often, and any two of them meet in some deck.
    kinds = draw(st.lists(st.sampled_from(kinds), min_size=2, max_size=5, unique=True))
    cards = players + centre
    deck = draw(st.lists(st.sampled_from(kinds), min_size=cards, max_size=cards))
    deal = draw(one_of("chance", "fixed", "stacked"))
    talk = "+".join(sorted(draw(st.sets(st.sampled_from(VOCABULARIES))))) or "none"
    if deal == "fixed" and "robber" in deck[:players] and draw(st.booleans()):
        talk = "robber"
    return {
        "players": players,
        "centre": centre,
        "roles": "+".join(deck),
        "deal": deal,
        "resolution": resolution,
        "vote_order": draw(one_of("informed_first", "seat")),
        "lone_wolf_looks": draw(st.booleans()),
        "night": "free" if deal == "chance" else draw(scripts(deck[:players], centre)),
        "talk": talk,
        "talk_rounds": 1 if talk in ("none", "robber") else draw(one_of(1, 1, 2)),
    }


def facts(game: Onuw) -> Callable[[Any], Fact]:
    """How an observation of the engine reads in the reference."""
    n = game.num_players

    def place(index: int) -> str:
        return f"P{index + 1}" if index < n else f"centre {index - n + 1}"

    def told(observation: Any) -> Fact:
        match observation:
            case ("saw", at, card):
                return ("saw", place(at), card)
            case ("werewolves" | "masons" as word, seats):
                return (word, tuple(map(place, seats)))
            case ("did", action):
                return ("did", game.action_name(0, action))
            case ("said", seat, action):
                return ("said", place(seat), game.action_name(seat, action))
            case _:  # ("card", role), ("now", role)
                return observation

    return told


@settings(max_examples=3 * settings().max_examples)
@given(parameter_sets(), st.integers(0, 2**32 - 1))
def test_random_plays_agree_with_the_reference(parameters: dict[str, Any], seed: int):
    game, chooser = Onuw(**parameters), Random(seed)
    for _ in range(10):
        compare(
            game,
            OneNight(**parameters),
            chooser,
            living=lambda _: SEATS[: game.num_players],
            fact=facts(game),
        )
