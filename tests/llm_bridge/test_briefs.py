"""What players are told of OpenSpiel's games is what OpenSpiel plays.

Each game has a referee here that knows the rules from the words of the brief, numbers included. It
deals, names the mover and the legal moves, writes what a player knows, and pays out; in plays at
random, OpenSpiel must agree with it at every step.
"""

import random
import re
from collections import Counter

import pytest

from crywolf.games.loading import load_game
from crywolf.llm_bridge.briefs import BRIEFS
from crywolf.llm_bridge.prompts import Brief

PLAYS = 200


def words(name: str) -> str:
    game = load_game(name)
    return BRIEFS[game.get_type().short_name](game)


def numbers(pattern: str, text: str) -> list[int]:
    """The numbers that a sentence states, which must be there once."""
    (found,) = re.finditer(pattern, text)
    return [int(group) for group in found.groups()]


class Kuhn:
    def __init__(self, text: str, players: int):
        top = (
            2 if "0, 1, 2 and so on" in text else numbers(r"cards are 0 to (\d+), one of", text)[0]
        )
        self.players, self.deck = players, list(range(top + 1))
        self.cards: list[int] = []
        self.moves = ""

    def draws(self) -> list[int]:
        return self.deck if len(self.cards) < self.players else []

    def draw(self, card: int) -> None:
        self.deck.remove(card)
        self.cards.append(card)

    def over(self) -> bool:
        bet = self.moves.find("b")
        return len(self.moves) == self.players + max(bet, 0)

    def mover(self) -> int:
        return len(self.moves) % self.players

    def options(self) -> list[str]:
        return ["Pass", "Bet"]

    def known(self, player: int) -> str:
        return f"{self.cards[player]}{self.moves}"

    def move(self, name: str) -> None:
        self.moves += {"Pass": "p", "Bet": "b"}[name]

    def payoffs(self) -> list[float]:
        bettors = {i % self.players for i, move in enumerate(self.moves) if move == "b"}
        paid = [2 if p in bettors else 1 for p in range(self.players)]
        winner = max(bettors or range(self.players), key=lambda p: self.cards[p])
        return [sum(paid) * (p == winner) - paid[p] for p in range(self.players)]


class Leduc:
    def __init__(self, text: str, players: int):
        size, ranks = numbers(r"(\d+) cards, two of each of (\d+) ranks", text)
        assert size == 2 * ranks
        by_rank = "the number of a card is its rank" in text
        self.deck = [card // 2 if by_rank else card for card in range(size)]
        self.rank = (lambda card: card) if by_rank else (lambda card: card // 2)
        self.mapped = "count as a call" in text
        self.chips, ante = numbers(r"has (\d+) chips, antes (\d+)", text)
        self.first = numbers(r"P(\d+) begins each round", text)[0] - 1
        self.steps = numbers(r"pays (\d+) chips more", text) + numbers(
            r"with raises of (\d+)", text
        )
        self.paid = [ante] * players
        self.cards: list[int] = []
        self.public: int | None = None
        self.moves: list[list[int]] = [[], []]
        self.within = list(range(players))
        self.begin(0)

    def begin(self, round_: int) -> None:
        self.round, self.raises, self.moved = round_, 0, set()
        self.turn = self.next_from(self.first)

    def next_from(self, player: int) -> int:
        count = len(self.paid)
        return next(p for p in ((player + i) % count for i in range(count)) if p in self.within)

    def draws(self) -> list[int]:
        private = len(self.cards) < len(self.paid)
        return self.deck if private or (self.round == 1 and self.public is None) else []

    def draw(self, card: int) -> None:
        self.deck.remove(card)
        if len(self.cards) < len(self.paid):
            self.cards.append(card)
        else:
            self.public = card

    def settled(self) -> bool:
        return self.moved >= set(self.within) and len({self.paid[p] for p in self.within}) == 1

    def over(self) -> bool:
        return len(self.within) == 1 or (self.round == 1 and self.settled())

    def mover(self) -> int:
        return self.turn

    def options(self) -> list[str]:
        return ["Fold", "Call", "Raise"] if self.mapped else self.sensible()

    def sensible(self) -> list[str]:
        fold = ["Fold"] if self.paid[self.turn] < max(self.paid) else []
        return [*fold, "Call", *(["Raise"] if self.raises < 2 else [])]

    def known(self, player: int) -> str:
        money = " ".join(str(self.chips - paid) for paid in self.paid)
        public = "" if self.public is None else f"[Public: {self.public}]"
        one, two = (" ".join(map(str, moves)) for moves in self.moves)
        return (
            f"[Observer: {player}][Private: {self.cards[player]}][Round {self.round + 1}]"
            f"[Player: {self.turn}][Pot: {sum(self.paid)}][Money: {money}]{public}"
            f"[Round1: {one}][Round2: {two}]"
        )

    def move(self, name: str) -> None:
        name = name if name in self.sensible() else "Call"
        player, highest = self.turn, max(self.paid)
        self.moves[self.round].append(["Fold", "Call", "Raise"].index(name))
        self.moved.add(player)
        if name == "Fold":
            self.within.remove(player)
        else:
            self.raises += name == "Raise"
            self.paid[player] = highest + self.steps[self.round] * (name == "Raise")
        self.turn = self.next_from(player + 1)
        if self.round == 0 and len(self.within) > 1 and self.settled():
            self.begin(1)

    def payoffs(self) -> list[float]:
        def strength(player: int) -> tuple[bool, int]:
            mine = self.rank(self.cards[player])
            return mine == self.rank(self.public), mine

        best = max(map(strength, self.within)) if len(self.within) > 1 else None
        winners = [p for p in self.within if best is None or strength(p) == best]
        share = sum(self.paid) / len(winners)
        return [share * (p in winners) - paid for p, paid in enumerate(self.paid)]


class LiarsDice:
    def __init__(self, text: str, players: int):
        self.own, self.sides = numbers(r"rolls (\d+) dic?e with faces 1 to (\d+)", text)
        (self.all,) = numbers(r"there are (\d+) dice in all", text)
        (self.wild,) = numbers(r"a (\d+) is wild", text)
        by_quantity = "more dice, or as many of a higher face" in text
        assert by_quantity != ("a higher face, or more dice of the same face" in text)
        self.height = (lambda bid: bid) if by_quantity else (lambda bid: bid[::-1])
        self.rolls: list[int] = []
        self.bids: list[tuple[int, int]] = []
        self.challenged, self.players = False, players

    def draws(self) -> list[int]:
        return list(range(self.sides)) if len(self.rolls) < self.all else []

    def draw(self, side: int) -> None:
        self.rolls.append(side + 1)

    def over(self) -> bool:
        return self.challenged

    def mover(self) -> int:
        return len(self.bids) % self.players

    def options(self) -> list[str]:
        every = [(q + 1, face + 1) for q in range(self.all) for face in range(self.sides)]
        last = self.height(self.bids[-1]) if self.bids else (0, 0)
        higher = sorted((bid for bid in every if self.height(bid) > last), key=self.height)
        return [f"{q}-{face}" for q, face in higher] + (["Liar"] if self.bids else [])

    def known(self, player: int) -> str:
        dice = sorted(self.rolls[player * self.own : (player + 1) * self.own])
        return "".join(map(str, dice)) + "".join(f" {q}-{face}" for q, face in self.bids)

    def move(self, name: str) -> None:
        if name == "Liar":
            self.challenged = True
        else:
            quantity, face = map(int, name.split("-"))
            self.bids.append((quantity, face))

    def payoffs(self) -> list[float]:
        quantity, face = self.bids[-1]
        true = sum(roll in (face, self.wild) for roll in self.rolls) >= quantity
        winner = (len(self.bids) - 1 if true else len(self.bids)) % self.players
        return [1 if p == winner else -1 for p in range(self.players)]


REFEREES = {"kuhn_poker": Kuhn, "leduc_poker": Leduc, "liars_dice": LiarsDice}


@pytest.mark.parametrize(
    "name",
    [
        "kuhn_poker",
        "kuhn_poker(players=3)",
        "kuhn_poker(players=5)",
        "leduc_poker",
        "leduc_poker(players=3)",
        "leduc_poker(players=5)",
        "leduc_poker(suit_isomorphism=true)",
        "leduc_poker(players=3,suit_isomorphism=true,starting_player=2)",
        "leduc_poker(players=3,action_mapping=true)",
        "leduc_poker(action_mapping=true,starting_player=1)",
        "liars_dice",
        "liars_dice(numdice=2)",
        "liars_dice(numdice=2,dice_sides=3)",
        "liars_dice(dice_sides=4,bidding_rule=reset-quantity)",
        "liars_dice(numdice=3,dice_sides=2,bidding_rule=reset-quantity)",
    ],
)
def test_the_words_are_the_rules_that_are_played(name):
    game, generator, paid = load_game(name), random.Random(1), set()
    referee_of, text = REFEREES[game.get_type().short_name], words(name)
    for _ in range(PLAYS):
        state, referee = game.new_initial_state(), referee_of(text, game.num_players())
        while not state.is_terminal():
            if state.is_chance_node():
                draws = Counter(referee.draws())
                outcomes = dict(state.chance_outcomes())
                assert outcomes == pytest.approx({c: n / draws.total() for c, n in draws.items()})
                (card,) = generator.choices(list(outcomes), list(outcomes.values()))
                referee.draw(card)
                state.apply_action(card)
                continue
            assert not referee.draws()
            assert not referee.over()
            player = state.current_player()
            assert player == referee.mover()
            assert state.information_state_string(player) == referee.known(player)
            actions = state.legal_actions()
            names = [state.action_to_string(action) for action in actions]
            assert names == referee.options()
            place = generator.randrange(len(names))
            referee.move(names[place])
            state.apply_action(actions[place])
        assert referee.over()
        assert state.returns() == pytest.approx(referee.payoffs())
        paid.add(tuple(state.returns()))
    assert len(paid) > 1


def test_every_parameter_of_a_told_game_has_been_thought_of():
    """A parameter that OpenSpiel adds may change what is told."""
    thought_of = {
        "kuhn_poker": {"players"},
        "leduc_poker": {"players", "action_mapping", "suit_isomorphism", "starting_player"},
        "liars_dice": {"players", "numdice", "dice_sides", "bidding_rule"},
    }
    assert set(BRIEFS) == set(thought_of)
    for name, parameters in thought_of.items():
        assert set(load_game(name).get_parameters()) == parameters


@pytest.mark.parametrize("players", [2, 3])
def test_the_deck_of_kuhn_poker_is_told(players):
    game = load_game(f"kuhn_poker(players={players})")
    assert f"cards are 0 to {players}, one of each, and the highest" in Brief.of(game).rules
    assert game.max_chance_outcomes() == players + 1


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("kuhn_poker(players=2)", "kuhn_poker"),
        ("leduc_poker(players=3,suit_isomorphism=False)", "leduc_poker(players=3)"),
        ("liars_dice(dice_sides=6)", "liars_dice"),
    ],
)
def test_a_default_that_is_spelled_out_is_no_other_game(name, same):
    assert Brief.of(load_game(name)) == Brief.of(load_game(same))


def test_players_are_numbered_as_told():
    state = load_game("leduc_poker").new_initial_state()
    for card in (0, 3):
        state.apply_action(card)
    assert state.information_state_string(0).startswith("[Observer: 0][Private: 0]")
    assert "Observer and Player 0 is P1" in words("leduc_poker")
