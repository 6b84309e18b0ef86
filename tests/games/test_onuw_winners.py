"""Who dies and who wins: every row of the winner table, chains of shots, sums, vote-only games."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games import TERMINAL, Onuw
from crywolf.games.onuw import ROLES
from crywolf.games.onuw.resolution import deaths, most_voted, official, paper
from crywolf.games.onuw.totals import all_ballots, ballots

from .onuw_plays import fixed, leaves

W, V, M, T, H = "werewolf", "villager", "minion", "tanner", "hunter"


def winners(cards: str, votes: str) -> set[int]:
    """Who wins by the printed rules, numbered from 1, e.g. of cards ``WVV`` and votes ``211``."""
    names = {"W": W, "V": V, "M": M, "T": T, "H": H}
    hand = [ROLES[names[card]] for card in cards]
    payoffs = official(hand, deaths(hand, [int(vote) - 1 for vote in votes]))
    assert set(payoffs) <= {1, -1}
    return {seat for seat, payoff in enumerate(payoffs, 1) if payoff == 1}


@pytest.mark.parametrize(
    ("cards", "votes", "expected"),
    [
        # A Werewolf dies: the Village, and the Tanner if it died too.
        ("WVV", "211", {2, 3}),
        ("WMVV", "3111", {3, 4}),
        ("WTVV", "3114", {3, 4}),  # P1 dies alone
        ("WTVV", "2112", {2, 3, 4}),  # P1 and P2 die
        ("WWTV", "2111", {4}),  # the second Werewolf loses with the first, the Tanner lives
        # No Werewolf dies, one is among the players, the Tanner dies: the Tanner alone.
        ("WMTV", "3313", {3}),
        ("WMTV", "3434", {3}),  # with a villager
        ("WMTV", "2323", {3}),  # with the Minion
        # No Werewolf dies, one is among the players, no Tanner dies: Werewolves and Minion.
        ("WVV", "231", {1}),  # nobody dies
        ("WWV", "331", {1, 2}),
        ("WMV", "312", {1, 2}),  # nobody dies
        ("WMV", "331", {1, 2}),
        ("WMV", "212", {1, 2}),  # the Minion dies
        ("WMTV", "2142", {1, 2}),  # the Minion dies, the Tanner lives
        # No Werewolf among the players, nobody dies: the Village; a Minion and a Tanner lose.
        ("VVV", "231", {1, 2, 3}),
        ("MVV", "231", {2, 3}),
        ("MTV", "231", {3}),
        # No Werewolf among the players, somebody dies.
        ("VVV", "211", set()),  # all lose
        ("MVV", "311", set()),  # only the Minion itself
        ("MVV", "323", {1}),  # somebody else
        ("MVVV", "2121", {1}),  # the Minion and somebody else
        ("TVV", "211", {1}),  # the Tanner alone
        ("TVVV", "2121", {1}),  # the Tanner and a villager
        ("TMV", "311", {1, 2}),  # the Tanner, who is somebody else to the Minion
        ("TMV", "212", set()),  # only the Minion
    ],
)
def test_every_row_of_the_winner_table(cards: str, votes: str, expected: set[int]):
    assert winners(cards, votes) == expected


def by_the_table(hand: list[str], dead: set[int]) -> set[int]:
    """The winners by the five rows, one after the other."""
    of = {role: {seat for seat, card in enumerate(hand) if card == role} for role in (W, M, T)}
    village = set(range(len(hand))) - of[W] - of[M] - of[T]
    if dead & of[W]:
        return village | (dead & of[T])
    if of[W] and dead & of[T]:
        return dead & of[T]
    if of[W]:
        return of[W] | of[M]
    if not dead:
        return village
    return (dead & of[T]) | {minion for minion in of[M] if dead - {minion}}


@given(st.data(), st.integers(3, 8))
def test_official_payoffs_follow_the_table(data: st.DataObject, n: int):
    hand = data.draw(st.lists(st.sampled_from([W, W, M, T, H, V]), min_size=n, max_size=n))
    votes = [data.draw(st.sampled_from([t for t in range(n) if t != s])) for s in range(n)]
    counts = Counter(votes)
    dead = set() if set(counts.values()) == {1} else {
        seat for seat in counts if counts[seat] == max(counts.values())
    }  # fmt: skip
    for _ in range(n):
        dead |= {votes[seat] for seat in dead if hand[seat] == H}
    roles = [ROLES[card] for card in hand]
    assert deaths(roles, votes) == dead
    expected = by_the_table(hand, dead)
    assert official(roles, deaths(roles, votes)) == tuple(
        1 if seat in expected else -1 for seat in range(n)
    )


# ------------------------------------------------------------------------------------- the Hunter


@pytest.mark.parametrize(
    ("cards", "votes", "dead"),
    [
        ("HWVV", "2111", {1, 2}),  # the Hunter takes the Werewolf along
        ("HWVV", "2211", {1, 2}),  # it died anyway
        ("HWVV", "3222", {2}),  # a Hunter that lives shoots nobody
        ("HWV", "231", set()),  # nobody dies, nobody is shot
        ("HHWV", "2311", {1, 2, 3}),  # a Hunter shoots a Hunter, who shoots the Werewolf
        ("HHVV", "2111", {1, 2}),  # they shoot each other
        ("HHHW", "2341", set()),  # one vote each
        ("HHHWV", "23411", {1, 2, 3, 4}),  # a chain of three
    ],
)
def test_shots_of_the_hunter(cards: str, votes: str, dead: set[int]):
    names = {"W": W, "V": V, "H": H}
    hand = [ROLES[names[card]] for card in cards]
    assert {s + 1 for s in deaths(hand, [int(vote) - 1 for vote in votes])} == dead


def test_the_hunter_counts_by_its_final_card():
    game = fixed("robber+hunter+werewolf")
    ends = {tuple(names): leaf for names, leaf in leaves(game)}
    # P1 stole the Hunter's card, dies, and takes the Werewolf along for whom it voted.
    stolen = ends["S2", "vote P3", "vote P1", "vote P1"]
    assert game.payoffs(stolen.position) == (1, 1, -1)
    # P2, who was dealt it, takes nobody along any more.
    robbed = ends["S2", "vote P2", "vote P3", "vote P2"]
    assert game.payoffs(robbed.position) == (-1, -1, 1)
    # With its own card it would have.
    kept = ends["NS", "vote P2", "vote P3", "vote P2"]
    assert game.payoffs(kept.position) == (1, 1, -1)


def test_shots_decide_who_wins():
    assert winners("HWVV", "2111") == {1, 3, 4}  # the Werewolf was shot
    assert winners("HWTV", "3111") == {3}  # the Tanner was shot: it wins alone
    assert winners("HWMV", "3111") == {2, 3}  # the Minion was shot: it wins with the Werewolf
    assert winners("HMVV", "2111") == {2}  # somebody else died too: the Minion wins, though shot
    assert winners("HHWT", "2311") == {1, 2}  # the Werewolf, through two Hunters


# ------------------------------------------------------------------- sums of payoffs, for all decks


def true_totals(game: Onuw) -> set[Fraction]:
    return {sum(game.payoffs(leaf.position), Fraction(0)) for _, leaf in leaves(game)}


DECKS = [
    "werewolf+2villager",
    "werewolf+villager+tanner",  # one winner, but nobody dying the Werewolf's: constant
    "werewolf+minion+2villager",
    "werewolf+minion+hunter+villager",
    "2werewolf+hunter+villager",
    "3tanner",
    "werewolf+tanner+2villager",
    "minion+2villager",
    "troublemaker+robber+werewolf",
    "troublemaker+werewolf+hunter+tanner",
]


@pytest.mark.parametrize("roles", DECKS)
@pytest.mark.parametrize("deal", ["fixed", "chance"])
def test_the_declared_sum_is_that_of_all_endings(roles: str, deal: str):
    players = len(fixed(roles).deck)
    game = Onuw(players, 0, roles, deal=deal)
    totals = true_totals(game)
    assert game.utility_sum == (totals.pop() if len(totals) == 1 else None)


@pytest.mark.parametrize(
    ("roles", "resolution", "total"),
    [
        # The Drunk swaps its own card away: always two Werewolves of four players.
        ("2werewolf+villager+mason+drunk", "official", 0),
        ("2werewolf+2villager+drunk", "paper", 0),
        # The Robber may leave the Drunk its card, no Werewolf's.
        ("2werewolf+robber+villager+drunk", "official", 0),
        # The Troublemaker may give a Werewolf to the Drunk, who takes it out of play.
        ("2werewolf+troublemaker+villager+drunk", "official", None),
        ("2werewolf+3villager", "official", None),
        # Nobody ever is a Werewolf: a draw.
        ("drunk+4villager", "paper", 0),
        ("drunk+4villager", "official", None),
    ],
)
def test_sums_with_a_drunk_are_those_of_the_hands_that_can_be_reached(
    roles: str, resolution: str, total: int | None
):
    game = Onuw(4, 1, roles, resolution=resolution)
    assert game.utility_sum == total
    if total is None:
        return
    # Over all 24 layouts or so, with every night and 81 ballots.
    totals = {sum(game.payoffs(position), Fraction(0)) for position in ends(game)}
    assert totals == {Fraction(total)}


def ends(game: Onuw) -> set[Any]:
    """Every final position, equal ones once."""
    stack = [game.initial().position]
    met = set(stack)
    while stack:
        position = stack.pop()
        if game.mover(position) != TERMINAL:
            below = {game.play(position, action).position for action in game.actions(position)}
            stack += below - met
            met |= below
    return {position for position in met if game.mover(position) == TERMINAL}


@settings(max_examples=40)
@given(st.data(), st.integers(0, 2), st.sampled_from(["chance", "fixed"]))
def test_the_declared_sum_of_random_decks_is_that_of_all_endings(
    data: st.DataObject, centre: int, deal: str
):
    roles = [name for name in ROLES if centre or name != "drunk"]
    deck = data.draw(st.lists(st.sampled_from(roles), min_size=3 + centre, max_size=3 + centre))
    game = Onuw(3, centre, "+".join(deck), deal=deal)
    totals = {sum(game.payoffs(position), Fraction(0)) for position in ends(game)}
    assert game.utility_sum == (totals.pop() if len(totals) == 1 else None)


def test_a_script_can_make_the_sum_constant():
    deck = "werewolf+drunk+troublemaker+villager+werewolf"
    assert fixed(deck, centre=1).utility_sum is None
    # P2 takes the second Werewolf and gives away none: two of four.
    assert fixed(deck, centre=1, night="troublemaker:no swap").utility_sum == 0


def test_the_sum_of_a_large_table_is_known_at_once():
    # Five Werewolves of ten players, whoever holds them after five turns that move cards.
    cards = "5werewolf+2robber+3troublemaker"
    assert fixed(cards + "+werewolf+3villager", centre=4).utility_sum == 0
    # A Drunk among them may take the sixth.
    assert fixed("5werewolf+drunk+robber+3troublemaker+werewolf", centre=1).utility_sum is None


@pytest.mark.parametrize("n", range(3, 11))
def test_the_ballots_bring_about_every_set_of_most_voted(n: int):
    for votes in ballots(n):
        assert len(votes) == n
        assert all(vote != seat and 0 <= vote < n for seat, vote in enumerate(votes))
    found = {most_voted(votes) for votes in ballots(n)}
    half = [set_ for size in range(1, n // 2 + 1) for set_ in combinations(range(n), size)]
    assert found == {(), *half}
    if n <= 6:
        assert len(all_ballots(n)) == (n - 1) ** n
        assert found == {most_voted(votes) for votes in all_ballots(n)}


# -------------------------------------------------------------------- votes alone, three players


def village_wins(votes: tuple[int, ...], wolf: int) -> bool:
    hand = [ROLES[W if seat == wolf else V] for seat in range(3)]
    dead = deaths(hand, votes)
    found = paper(hand, dead)
    assert found in (official(hand, dead), (0, 0, 0))
    return found[(wolf + 1) % 3] == 1


def test_independent_votes_find_the_one_werewolf_in_a_quarter_of_all_games():
    game = Onuw(3, 0, "werewolf+2villager", resolution="paper")
    ballot = [(1, 2), (0, 2), (0, 1)]
    wins = [village_wins(votes, 0) for votes in product(*ballot)]
    assert Fraction(sum(wins), len(wins)) == Fraction(1, 4)
    # The same from the game: payoff 1 to the Village, by uniform play, weighted by the deals.
    value = Fraction(0)
    for _, leaf in leaves(game):
        cards, payoffs = leaf.position.cards, game.payoffs(leaf.position)
        value += Fraction(payoffs[cards.index(V)] == 1, 3 * 8)
    assert value == Fraction(1, 4)


def test_the_best_plan_of_the_village_finds_it_in_a_third():
    # A plan is a vote for each seat, which it keeps if it is a villager; the Werewolf's plan is its
    # vote at each seat. Who is the Werewolf is equally likely.
    plans = list(product((1, 2), (0, 2), (0, 1)))

    def value(village: tuple[int, ...], answer: tuple[int, ...]) -> Fraction:
        won = 0
        for wolf in range(3):
            votes = (*village[:wolf], answer[wolf], *village[wolf + 1 :])
            won += village_wins(votes, wolf)
        return Fraction(won, 3)

    third = Fraction(1, 3)
    # Against no answer any plan, hence any lottery over plans, wins more often; and voting for the
    # lowest other seat wins that often whatever the answer.
    assert all(value(village, answer) <= third for village in plans for answer in plans)
    assert all(value((1, 0, 0), answer) == third for answer in plans)
