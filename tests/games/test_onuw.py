"""ONUW: the published table, the rules in detail, and properties of random parameter sets."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crywolf.games import CHANCE, TERMINAL, Cursor, Onuw, advance, start
from crywolf.games.errors import IllegalMove, ParameterError

from .onuw_plays import deals, knows, leaves, offers, play, rules

# ------------------------------------------------------------------- the three-player theory game

# Jin et al. 2024, Section 4: payoffs by votes of (P1, P2, P3) and by the Robber's night move.
TABLE = """
2,1,1 | -1,-1,1 | -1,1,1  | -1,1,-1
2,1,2 | -1,-1,1 | 1,-1,-1 | 1,-1,1
2,3,1 | 0,0,0   | 0,0,0   | 0,0,0
2,3,2 | -1,-1,1 | 1,-1,-1 | 1,-1,1
3,1,1 | -1,-1,1 | -1,1,1  | -1,1,-1
3,1,2 | 0,0,0   | 0,0,0   | 0,0,0
3,3,1 | 1,1,-1  | 1,-1,-1 | -1,1,-1
3,3,2 | 1,1,-1  | 1,-1,-1 | -1,1,-1
"""

Numbers = tuple[int, ...]


def numbers(text: str) -> Numbers:
    return tuple(int(x) for x in text.split(","))


PUBLISHED = {
    (move, numbers(votes)): numbers(payoffs)
    for votes, *rows in (line.split("|") for line in TABLE.strip().splitlines())
    for move, payoffs in zip(("NS", "S1", "S2"), rows, strict=True)
}


def theory_leaves(name: str) -> dict[tuple[str, Numbers], tuple[Any, ...]]:
    game = rules(name)
    found = {
        (names[0], tuple(vote + 1 for vote in leaf.position.votes)): game.payoffs(leaf.position)
        for names, leaf in leaves(game)
    }
    assert sum(1 for _ in leaves(game)) == len(found)
    return found


@pytest.mark.parametrize("order", ["informed_first", "seat"])
def test_all_24_leaves_of_the_theory_game_are_the_published_ones(order: str):
    found = theory_leaves(f"onuw_robber3(vote_order={order})")
    assert len(PUBLISHED) == 24
    assert found == PUBLISHED
    assert all(type(payoff) is Fraction for payoffs in found.values() for payoff in payoffs)


def test_official_differs_exactly_where_nobody_dies():
    official = theory_leaves("onuw_robber3_official")
    differing = {key for key in PUBLISHED if official[key] != PUBLISHED[key]}
    assert differing == {
        (move, votes) for move in ("NS", "S1", "S2") for votes in ((2, 3, 1), (3, 1, 2))
    }
    # Nobody dies, so whoever holds a Werewolf card now wins; the table shows who does.
    assert {key: official[key] for key in differing} == {
        (move, votes): payoffs
        for move, payoffs in {"NS": (1, 1, -1), "S1": (-1, 1, 1), "S2": (1, -1, 1)}.items()
        for votes in ((2, 3, 1), (3, 1, 2))
    }


def test_the_robber_says_what_it_likes_and_the_others_hear_it():
    game = rules("onuw_robber3_talk")
    plain = theory_leaves("onuw_robber3")
    seen = Counter()
    for names, leaf in leaves(game):
        votes = tuple(vote + 1 for vote in leaf.position.votes)
        assert game.payoffs(leaf.position) == plain[names[0], votes]
        assert names[1].startswith("say ")
        heard = f'P3 says "{names[1].removeprefix("say ")}"'
        for player in (0, 1):
            assert heard in game.information_state_string(player, leaf.views[player])
        seen[names[0], names[1]] += 1
    assert len(seen) == 9
    assert set(seen.values()) == {8}


def test_the_informed_player_votes_first_by_default():
    def movers(text: str) -> set[tuple[int, ...]]:
        game = rules(text)
        found = set()
        for names, _ in leaves(game):
            cursor, order = start(game), []
            for name in names:
                mover = game.mover(cursor.position)
                order.append(mover)
                (action,) = (
                    a for a in game.actions(cursor.position) if game.action_name(mover, a) == name
                )
                cursor = advance(game, cursor, action)
            found.add(tuple(order))
        return found

    assert movers("onuw_robber3") == {(2, 2, 0, 1)}
    assert movers("onuw_robber3(vote_order=seat)") == {(2, 0, 1, 2)}


# ------------------------------------------------------------------------------- the single rules


def test_the_robber_takes_the_card_and_is_told_which():
    game = Onuw(3, 0, "seer+robber+werewolf", deal="fixed")
    cursor = play(game, "look P2", "S3")
    assert cursor.position.cards == ("seer", "werewolf", "robber")
    assert cursor.position.initial == ("seer", "robber", "werewolf")
    assert knows(game, cursor, 1) == "P2: dealt Robber; S3; now Werewolf"
    # The one who was robbed and the Seer, who looked before, know nothing of it.
    assert knows(game, cursor, 2) == "P3: dealt Werewolf; Werewolves P3"
    assert knows(game, cursor, 0) == "P1: dealt Seer; look P2; P2 has Robber"
    # No switch: nothing changes and nothing is told.
    still = play(game, "look P2", "NS")
    assert still.position.cards == still.position.initial
    assert knows(game, still, 1) == "P2: dealt Robber; NS"


def test_a_stolen_card_brings_its_team_but_not_its_night_turn():
    game = Onuw(3, 0, "werewolf+robber+villager", deal="fixed")
    cursor = play(game, "S1", "vote P1", "vote P2", "vote P2")
    # P2 stole the Werewolf and dies: the Village, P1 included, wins.
    assert cursor.position.cards == ("robber", "werewolf", "villager")
    assert game.payoffs(cursor.position) == (1, -1, 1)
    # A Robber that steals the Seer's card does not look.
    seer = Onuw(3, 0, "seer+robber+villager", deal="fixed")
    assert offers(seer, play(seer, "look P3", "S1")) == ["vote P2", "vote P3"]  # P1's


def test_the_seer_sees_one_player_or_two_centre_cards():
    game = Onuw(3, 3, "seer+villager+robber+werewolf+werewolf+villager", deal="fixed")
    assert offers(game, start(game)) == [
        "look P2",
        "look P3",
        "look centre 1 and centre 2",
        "look centre 1 and centre 3",
        "look centre 2 and centre 3",
    ]
    cursor = play(game, "look centre 2 and centre 3")
    assert knows(game, cursor, 0).endswith("centre 2 has Werewolf; centre 3 has Villager")
    # The Seer acts before the Robber: it sees the cards as they lie then.
    assert knows(game, play(game, "look P3", "S2"), 0).endswith("P3 has Robber")


@pytest.mark.parametrize(
    ("centre", "pairs"), [("", 0), ("+villager", 0), ("+2villager", 1), ("+4villager", 6)]
)
def test_the_seer_needs_two_centre_cards_for_a_pair(centre: str, pairs: int):
    cards = {"": 0, "+villager": 1, "+2villager": 2, "+4villager": 4}[centre]
    game = Onuw(3, cards, "seer+2villager" + centre, deal="fixed")
    assert len(offers(game, start(game))) == 2 + pairs


def test_werewolves_see_each_other_and_nobody_else_does():
    game = Onuw(4, 0, "werewolf+villager+werewolf+robber", deal="fixed")
    cursor = start(game)
    assert knows(game, cursor, 0) == "P1: dealt Werewolf; Werewolves P1 P3"
    assert knows(game, cursor, 2) == "P3: dealt Werewolf; Werewolves P1 P3"
    assert knows(game, cursor, 1) == "P2: dealt Villager"
    assert knows(game, cursor, 3) == "P4: dealt Robber"


def test_a_lone_werewolf_may_look_at_one_centre_card_if_that_is_allowed():
    deck = "werewolf+2villager+robber+werewolf"
    game = Onuw(3, 2, deck, deal="fixed", lone_wolf_looks=True)
    assert offers(game, start(game)) == ["no look", "look centre 1", "look centre 2"]
    looked = play(game, "look centre 2")
    assert knows(game, looked, 0).endswith("look centre 2; centre 2 has Werewolf")
    assert knows(game, play(game, "no look"), 0).endswith("Werewolves P1; no look")
    assert [offers(game, looked), game.max_game_length] == [["vote P2", "vote P3"], 4]
    # Not by default, not with a partner, not without a centre.
    for other in (
        Onuw(3, 2, deck, deal="fixed"),
        Onuw(3, 2, "2werewolf+villager+2villager", deal="fixed", lone_wolf_looks=True),
        Onuw(3, 0, "werewolf+2villager", deal="fixed", lone_wolf_looks=True),
    ):
        assert offers(other, start(other))[0].startswith("vote")


def test_nobody_sees_a_vote_or_votes_for_itself():
    game = Onuw(4, 0, "werewolf+3villager", deal="fixed")
    cursor = start(game)
    for seat in range(4):
        assert game.mover(cursor.position) == seat
        assert offers(game, cursor) == [f"vote P{s + 1}" for s in range(4) if s != seat]
        others = [view for player, view in enumerate(cursor.views) if player != seat]
        cursor = advance(game, cursor, game.legal_actions(cursor.position)[0])
        assert [v for p, v in enumerate(cursor.views) if p != seat] == others


def test_an_illegal_move_is_refused_by_name():
    game = Onuw(3, 0, "2werewolf+robber", deal="fixed")
    position = start(game).position
    with pytest.raises(IllegalMove, match=r"P3; legal: 0 \(NS\), 1 \(S1\), 2 \(S2\)"):
        game.checked_play(position, 3)
    end = play(game, "NS", "vote P1", "vote P2", "vote P1").position
    with pytest.raises(IllegalMove, match="over"):
        game.checked_play(end, 0)
    with pytest.raises(IllegalMove, match="chance"):
        Onuw().checked_play(Onuw().initial().position, 99)


# ------------------------------------------------------------------------------------- the deal


@pytest.mark.parametrize(
    ("players", "centre", "roles"),
    [
        (3, 0, "2werewolf+robber"),
        (3, 2, "werewolf+seer+robber+2villager"),
        (4, 3, "2werewolf+seer+robber+3villager"),
    ],
)
def test_the_deal_is_a_fair_shuffle(players: int, centre: int, roles: str):
    game = Onuw(players, centre, roles)
    shuffles = Counter(permutations(game.deck))
    total = sum(shuffles.values())
    assert deals(game) == {layout: Fraction(n, total) for layout, n in shuffles.items()}


def test_the_standard_deck_has_the_published_number_of_werewolves():
    # Five players of eight cards, two of them Werewolves: 6/56, 30/56 and 20/56 [Jin et al. 2024].
    game = Onuw(5, 3, "2werewolf+seer+robber+4villager")
    wolves: dict[int, Fraction] = defaultdict(Fraction)
    for layout, probability in deals(game).items():
        wolves[layout[:5].count("werewolf")] += probability
    assert wolves == {0: Fraction(6, 56), 1: Fraction(30, 56), 2: Fraction(20, 56)}


def test_a_player_sees_its_own_card_only():
    game = Onuw(3, 1, "werewolf+seer+robber+villager")
    cursor = play(game, "Robber", "Seer", "Villager", "Werewolf")
    assert [knows(game, cursor, p) for p in range(3)] == [
        "P1: dealt Robber",
        "P2: dealt Seer",
        "P3: dealt Villager",
    ]


def test_a_fixed_deal_follows_the_order_written():
    game = Onuw(3, 2, "robber+2werewolf+villager+seer", deal="fixed")
    assert game.initial().position.cards == ("robber", "werewolf", "werewolf", "villager", "seer")


# ------------------------------------------------------------------------------------- parameters


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"players": 2}, "players=2"),
        ({"players": 77}, "players=77"),
        ({"centre": -1}, "centre=-1"),
        ({"centre": 5}, "centre=5"),
        ({"players": 4}, "6 cards, but 4 players and 3 centre cards need 7"),
        ({"roles": "2werewolf+sheriff"}, "'sheriff' is not a role"),
        ({"roles": "0werewolf+6villager"}, "'0werewolf' is not a role"),
        ({"roles": "00werewolf+6villager"}, "'00werewolf' is not a role"),
        ({"roles": "999999999999werewolf"}, "is not a role"),
        ({"roles": ""}, "is not a role"),
        ({"deal": "dice"}, "deal='dice'"),
        ({"resolution": "duel"}, "resolution='duel' is unknown; choose one of official, paper"),
        ({"vote_order": "age"}, "vote_order='age'"),
        ({"talk": "poetry"}, "talk='poetry' is unknown; choose one of none, robber"),
        ({"talk": "robber"}, "it needs deal=fixed"),
    ],
)
def test_bad_parameters_are_refused_by_name(parameters: dict[str, Any], complaint: str):
    with pytest.raises(ParameterError) as caught:
        Onuw(**parameters)
    assert complaint in str(caught.value)


# --------------------------------------------------------------------------- random parameter sets


@st.composite
def parameter_sets(draw: st.DrawFn, most_players: int = 5) -> dict[str, Any]:
    players = draw(st.integers(3, most_players))
    centre = draw(st.integers(0, 3))
    cards = players + centre
    roles = draw(
        st.lists(
            st.sampled_from(["werewolf", "seer", "robber", "villager"]),
            min_size=cards,
            max_size=cards,
        )
    )
    deal = draw(st.sampled_from(["chance", "fixed"]))
    return {
        "players": players,
        "centre": centre,
        "roles": "+".join(roles),
        "deal": deal,
        "resolution": draw(st.sampled_from(["official", "paper"])),
        "vote_order": draw(st.sampled_from(["informed_first", "seat"])),
        "talk": draw(st.sampled_from(["none", "robber"])) if deal == "fixed" else "none",
        "lone_wolf_looks": draw(st.booleans()),
    }


def random_plays(game: Onuw, draw: Any, count: int = 1) -> Iterator[list[tuple[int, int, Cursor]]]:
    """Random plays: for each move the mover, the action, and the cursor after it."""
    for _ in range(count):
        cursor, moves = start(game), []
        while game.mover(cursor.position) != TERMINAL:
            mover = game.mover(cursor.position)
            action = draw(st.sampled_from(game.actions(cursor.position)))
            cursor = advance(game, cursor, action)
            moves.append((mover, action, cursor))
        yield moves


def winners_by_hand(cards: Sequence[str], votes: Sequence[int], resolution: str) -> set[int] | None:
    """Who wins, straight from the rule texts; None for a draw."""
    seats = set(range(len(votes)))
    received = {seat: sum(1 for v in votes if v == seat) for seat in seats}
    nobody_dies = all(received[seat] == 1 for seat in seats)
    dead = {s for s in seats if received[s] >= max(received.values()) and not nobody_dies}
    pack = {seat for seat in seats if cards[seat] == "werewolf"}
    village = seats - pack
    if resolution == "paper" and (not pack or nobody_dies):
        return None  # no Werewolf among the players; or a tie at one vote each
    if dead & pack:
        return village
    if pack:
        return pack
    return set() if dead else village


@given(st.data(), parameter_sets())
def test_payoffs_are_those_of_the_rule_texts(data: st.DataObject, parameters: dict[str, Any]):
    game = Onuw(**parameters)
    ((*_, (_, _, leaf)),) = random_plays(game, data.draw)
    n = game.num_players
    position = leaf.position
    winners = winners_by_hand(position.cards[:n], position.votes, parameters["resolution"])
    expected = [0] * n if winners is None else [1 if s in winners else -1 for s in range(n)]
    assert list(game.payoffs(position)) == expected
    if game.utility_sum is not None:
        assert sum(expected) == game.utility_sum


@given(st.data(), parameter_sets())
def test_views_are_the_fold_of_the_news(data: st.DataObject, parameters: dict[str, Any]):
    game = Onuw(**parameters)
    (moves,) = random_plays(game, data.draw)
    views = list(start(game).views)
    own: list[list[int]] = [[] for _ in views]
    for mover, action, cursor in moves:
        if mover >= 0:
            own[mover].append(action)
        for player, news in enumerate(cursor.news):
            views[player] += news
        assert tuple(views) == cursor.views
    for player, view in enumerate(views):
        assert [entry for entry in view if isinstance(entry, int)] == own[player]
    players_moves = sum(mover >= 0 for mover, *_ in moves)
    assert players_moves <= game.max_game_length
    assert len(moves) - players_moves == game.max_chance_nodes
    assert sorted(moves[-1][2].position.cards) == sorted(game.deck)


@given(st.data(), parameter_sets())
def test_strings_stand_for_one_view_and_fix_the_choices(
    data: st.DataObject, parameters: dict[str, Any]
):
    game = Onuw(**parameters)
    view_of: dict[str, tuple[int, Any]] = {}
    string_of: dict[tuple[int, Any], str] = {}
    choices_of: dict[str, tuple[int, ...]] = {}
    for moves in random_plays(game, data.draw, count=8):
        for cursor in [start(game), *(c for *_, c in moves)]:
            for player, view in enumerate(cursor.views):
                words = game.information_state_string(player, view)
                assert view_of.setdefault(words, (player, view)) == (player, view)
                assert string_of.setdefault((player, view), words) == words
            mover = game.mover(cursor.position)
            if mover >= 0:
                words = game.information_state_string(mover, cursor.views[mover])
                legal = game.legal_actions(cursor.position)
                assert choices_of.setdefault(words, legal) == legal


def translated(game: Onuw, action: int, seats: Sequence[int]) -> int:
    """An action with the seats it names permuted; the centre stays."""

    def moved(name: re.Match[str]) -> str:
        return f"{name[1]}{seats[int(name[2]) - 1] + 1}"

    names = game.action_table.names
    return names.index(re.sub(r"\b([PS])(\d)\b", moved, names[action]))


@given(st.data(), parameter_sets())
def test_permuting_the_seats_of_a_fixed_deal_permutes_the_payoffs(
    data: st.DataObject, parameters: dict[str, Any]
):
    deck = parameters["roles"].split("+")
    while deck.count("robber") > 1:  # several Robbers act in seat order, which breaks the symmetry
        deck[deck.index("robber")] = "villager"
    n = parameters["players"]
    seats = data.draw(st.permutations(range(n)))
    moved = list(deck)
    for old, new in enumerate(seats):
        moved[new] = deck[old]
    fixed = {**parameters, "deal": "fixed"}
    game = Onuw(**{**fixed, "roles": "+".join(deck)})
    other = Onuw(**{**fixed, "roles": "+".join(moved)})
    (moves,) = random_plays(game, data.draw)
    chosen: dict[int, list[int]] = defaultdict(list)
    for mover, action, _ in moves:
        chosen[seats[mover]].append(translated(game, action, seats))
    cursor = start(other)
    while (mover := other.mover(cursor.position)) != TERMINAL:
        cursor = advance(other, cursor, chosen[mover].pop(0))
    assert not any(chosen.values())
    before, after = game.payoffs(moves[-1][2].position), other.payoffs(cursor.position)
    assert [after[new] for new in seats] == list(before)


def uniform_value(game: Onuw) -> tuple[Fraction, ...]:
    """The exact expected payoffs when everybody chooses uniformly."""

    def value(position: Any) -> tuple[Fraction, ...]:
        mover = game.mover(position)
        if mover == TERMINAL:
            return game.payoffs(position)
        if mover == CHANCE:
            outcomes = game.chance_outcomes(position)
        else:
            legal = game.legal_actions(position)
            outcomes = tuple((action, Fraction(1, len(legal))) for action in legal)
        below = [(p, value(game.play(position, action).position)) for action, p in outcomes]
        return tuple(
            sum((p * v[i] for p, v in below), Fraction(0)) for i in range(game.num_players)
        )

    return value(game.initial().position)


def test_the_uniform_value_of_the_theory_game_is_the_mean_of_the_table():
    # Every night move has probability 1/3 and every vote 1/2, so all 24 entries weigh the same.
    mean = tuple(Fraction(sum(u[i] for u in PUBLISHED.values()), 24) for i in range(3))
    assert uniform_value(rules("onuw_robber3")) == mean


@pytest.mark.parametrize(
    "text",
    [
        "onuw_robber3",
        "onuw_robber3_talk",
        "onuw(centre=0,roles=werewolf+seer+robber)",
        "onuw(centre=1,roles=werewolf+2robber+seer,resolution=paper)",
        "onuw(players=4,centre=0,roles=robber+werewolf+seer+werewolf,deal=fixed)",
    ],
)
def test_vote_orders_give_the_same_expected_payoffs(text: str):
    parameters: dict[str, Any] = dict(rules(text).parameters)
    values = {
        uniform_value(Onuw(**{**parameters, "vote_order": order}))
        for order in ("informed_first", "seat")
    }
    assert len(values) == 1


def test_a_dealt_game_is_fair_to_all_seats():
    values = uniform_value(Onuw(3, 1, "2werewolf+seer+robber", resolution="paper"))
    assert len(set(values)) == 1


def test_the_dealt_game_is_the_average_of_the_fixed_deals():
    parameters: dict[str, Any] = {"players": 3, "centre": 1, "resolution": "official"}
    deck = ["werewolf", "werewolf", "seer", "robber"]
    dealt = uniform_value(Onuw(roles="+".join(deck), **parameters))
    fixed = [
        uniform_value(Onuw(roles="+".join(layout), deal="fixed", **parameters))
        for layout in permutations(deck)
    ]
    assert dealt == tuple(sum(values, Fraction(0)) / len(fixed) for values in zip(*fixed))


@given(
    st.sampled_from(["official", "paper"]),
    st.lists(st.sampled_from(["werewolf", "villager"]), min_size=3, max_size=4),
)
def test_a_declared_constant_sum_is_the_truth(resolution: str, roles: list[str]):
    n = len(roles)
    game = Onuw(n, 0, "+".join(roles), deal="fixed", resolution=resolution)
    ballots = product(*[[t for t in range(n) if t != seat] for seat in range(n)])
    totals = set()
    for votes in ballots:
        winners = winners_by_hand(roles, votes, resolution)
        totals.add(0 if winners is None else 2 * len(winners) - n)
    assert game.utility_sum == (totals.pop() if len(totals) == 1 else None)
