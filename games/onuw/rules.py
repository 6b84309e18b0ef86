"""One Night Ultimate Werewolf as an exact extensive-form game.

The play: cards are dealt (one chance node a card, or fixed seats); at night the roles take their
turns by their initial cards, in the order of `roles.ROLES`; then the talk, if any; then everybody
votes for another player. Votes are simultaneous: they are consecutive moves that nobody sees.

Which of the simultaneous voters moves first in the tree is a parameter, because beliefs are
attached to nodes: with ``informed_first`` the players who know what happened at night (the Robber)
come first, their information sets are as small as possible, and exact solvers need fewer beliefs.
Nash and sequential equilibria do not depend on it; weak perfect Bayesian equilibria do.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import ClassVar, NamedTuple

from ..errors import GameError, ParameterError
from ..rules import CHANCE, TERMINAL, Exact, Observation, Observations, Rules, Step
from .actions import ActionTable
from .resolution import resolution
from .roles import ROLES, Cards, Table, parse_roles
from .talk import vocabulary
from .words import in_words

PENDING = -1
SETTLED = 1 << 16
"""Outcomes of votes that are remembered."""


class Stage(IntEnum):
    """The part of the play that a position belongs to."""

    DEAL = 0
    NIGHT = 1
    TALK = 2
    VOTE = 3
    END = 4


DEAL, NIGHT, TALK, VOTE, END = Stage  # as globals they are found faster


class Position(NamedTuple):
    """A position of ONUW.

    Attributes:
        stage: the part of the play.
        queue: the seats still to act in this stage, next one first.
        initial: the cards as dealt (so far): seats, then centre.
        cards: the cards now.
        statements: (seat, action) of each statement made.
        votes: the seat that each seat votes for, `PENDING` if it has not voted.
    """

    stage: Stage
    queue: tuple[int, ...]
    initial: Cards
    cards: Cards
    statements: tuple[tuple[int, int], ...]
    votes: tuple[int, ...]


class Onuw(Rules[Position]):
    """The rules of ONUW.

    Args:
        players: number of players, 3 to 10.
        centre: number of cards in the centre, 0 to 4.
        roles: the cards, ``players + centre`` of them, e.g. ``2werewolf+seer+robber+2villager``.
        deal: ``chance`` shuffles; ``fixed`` deals the roles in the order written: seats P1, P2,
            ..., then the centre.
        resolution: ``official`` or ``paper``, see `resolution`.
        vote_order: ``informed_first`` or ``seat``.
        talk: a vocabulary of `talk`: ``none``, or ``robber`` (the Robber claims a night action).
        lone_wolf_looks: whether a Werewolf without a partner may look at one centre card.

    Raises:
        ParameterError: the parameters contradict each other or name something unknown.
    """

    name: ClassVar[str] = "onuw"
    title: ClassVar[str] = "One Night Ultimate Werewolf"

    def __init__(
        self,
        players: int = 3,
        centre: int = 3,
        roles: str = "2werewolf+seer+robber+2villager",
        deal: str = "chance",
        resolution: str = "official",
        vote_order: str = "informed_first",
        talk: str = "none",
        lone_wolf_looks: bool = False,
    ):
        deck = parse_roles(roles)
        _check(3 <= players <= 10, f"players={players}: choose 3 to 10")
        _check(0 <= centre <= 4, f"centre={centre}: choose 0 to 4")
        _check(
            len(deck) == players + centre,
            f"roles={roles!r} has {len(deck)} cards, but {players} players and {centre} centre "
            f"cards need {players + centre}",
        )
        _check(deal in ("chance", "fixed"), f"deal={deal!r}: choose chance or fixed")
        _check(
            vote_order in ("informed_first", "seat"),
            f"vote_order={vote_order!r}: choose informed_first or seat",
        )
        self.parameters = {
            "players": players,
            "centre": centre,
            "roles": roles,
            "deal": deal,
            "resolution": resolution,
            "vote_order": vote_order,
            "talk": talk,
            "lone_wolf_looks": lone_wolf_looks,
        }
        self.num_players = players
        self.deck = deck
        self.kinds = tuple(role for role in ROLES if role in deck)
        self.action_table = ActionTable(players, centre)
        self._payoffs = _resolution(resolution)
        self._vocabulary = vocabulary(talk)
        _check(
            deal == "fixed" or not self._vocabulary.fixed_only,
            f"talk={talk!r} makes public who holds a role; it needs deal=fixed",
        )
        self._lone_wolf_looks = lone_wolf_looks
        self._nothing: Observations = ((),) * players
        self.num_distinct_actions = len(self.action_table)
        self.max_chance_outcomes = len(self.kinds) if deal == "chance" else 0
        self.max_chance_nodes = len(deck) if deal == "chance" else 0
        self.max_game_length = self._longest_play()
        self.utility_range = (Fraction(-1), Fraction(1))
        self.utility_sum = self._constant_sum()
        # Per deal, computed once: who acts at night, who speaks, who votes when.
        self._night = cache(self._night_order)
        self._votes = cache(self._vote_order)
        # Half of all nodes are votes: what they need is looked up, not built.
        seats = range(players)
        self._ballots = tuple(
            tuple(self.action_table.vote(target) for target in seats if target != seat)
            for seat in seats
        )
        self._share = cache(Fraction)
        self._settled = lru_cache(maxsize=SETTLED)(self._settle)

    def __reduce__(self) -> tuple[partial[Onuw], tuple[()]]:
        """Pickled as its parameters; the caches are made anew."""
        return partial(type(self), **self.parameters), ()

    # ------------------------------------------------------------------------------ the protocol

    def initial(self) -> Step[Position]:
        """Before the deal; with fixed seats, the first decision of the night."""
        empty = Position(DEAL, (), (), (), (), (PENDING,) * self.num_players)
        if self.parameters["deal"] == "chance":
            return Step(empty, self._nothing)
        news: list[list[Observation]] = [
            [("card", self.deck[seat])] for seat in range(self.num_players)
        ]
        return self._nightfall(empty._replace(initial=self.deck, cards=self.deck), news)

    def mover(self, position: Position) -> int:
        """See `Rules.mover`."""
        if position.queue:
            return position.queue[0]
        return CHANCE if position.stage is DEAL else TERMINAL

    def chance_outcomes(self, position: Position) -> tuple[tuple[int, Fraction], ...]:
        """The next card of the deal: each kind of card left, by how many are left."""
        dealt = position.initial
        left = [self.deck.count(role) - dealt.count(role) for role in self.kinds]
        share = self._share
        total = len(self.deck) - len(dealt)
        return tuple((kind, share(count, total)) for kind, count in enumerate(left) if count)

    def legal_actions(self, position: Position) -> tuple[int, ...]:
        """See `Rules.legal_actions`."""
        seat = position.queue[0]
        if position.stage is VOTE:
            return self._ballots[seat]
        table = self._table(position)
        if position.stage is NIGHT:
            return ROLES[position.initial[seat]].choices(table, seat)
        return self._vocabulary.statements(table, seat)

    def play(self, position: Position, action: int) -> Step[Position]:
        """See `Rules.play`."""
        stage, queue, initial, cards, statements, votes = position
        if stage is VOTE:  # nobody sees a vote; the commonest move comes first
            seat, rest = queue[0], queue[1:]
            votes = (*votes[:seat], self.action_table.voted_for(action), *votes[seat + 1 :])
            stage = VOTE if rest else END
            return Step(Position(stage, rest, initial, cards, statements, votes), self._nothing)
        if stage is DEAL:
            return self._deal(position, self.kinds[action])
        news: list[list[Observation]] = [[] for _ in range(self.num_players)]
        seat = queue[0]
        if stage is NIGHT:
            role = ROLES[initial[seat]]
            cards, seen = role.perform(self._table(position), seat, action)
            news[seat] += seen
            return self._night_falls_on(
                Position(stage, queue[1:], initial, cards, statements, votes), news
            )
        position = Position(stage, queue[1:], initial, cards, (*statements, (seat, action)), votes)
        for listener in range(self.num_players):
            if listener != seat:
                news[listener].append(("said", seat, action))
        return self._talk_goes_on(position, news)

    def payoffs(self, position: Position) -> tuple[Exact, ...]:
        """See `Rules.payoffs`."""
        return self._settled(position.cards[: self.num_players], position.votes)

    def _settle(self, cards: Cards, votes: tuple[int, ...]) -> tuple[Exact, ...]:
        return self._payoffs([ROLES[card].werewolf for card in cards], votes)

    # -------------------------------------------------------------------------------- the phases

    def _deal(self, position: Position, card: str) -> Step[Position]:
        place = len(position.initial)
        cards = (*position.initial, card)
        news = self._nothing
        if place < self.num_players:
            news = (*news[:place], (("card", card),), *news[place + 1 :])
        position = Position(DEAL, (), cards, cards, (), position.votes)
        if len(cards) < len(self.deck):
            return Step(position, news)
        return self._nightfall(position, list(map(list, news)))

    def _nightfall(self, position: Position, news: list[list[Observation]]) -> Step[Position]:
        queue = self._night(position.initial)
        return self._night_falls_on(position._replace(stage=NIGHT, queue=queue), news)

    def _night_falls_on(self, position: Position, news: list[list[Observation]]) -> Step[Position]:
        """Goes to the next night turn that needs a decision, telling each role what it sees."""
        stage, queue, initial, cards, statements, votes = position
        table = self._table(position)
        for turn, seat in enumerate(queue):
            role = ROLES[initial[seat]]
            news[seat] += role.sees(table, seat)
            if role.choices(table, seat):
                waiting = Position(stage, queue[turn:], initial, cards, statements, votes)
                return Step(waiting, _frozen(news))
        speakers = self._vocabulary.speakers(table)
        talk = Position(TALK, speakers, initial, cards, statements, votes)
        return self._talk_goes_on(talk, news)

    def _talk_goes_on(self, position: Position, news: list[list[Observation]]) -> Step[Position]:
        if not position.queue:
            position = position._replace(stage=VOTE, queue=self._votes(position.initial))
        return Step(position, _frozen(news))

    def _night_order(self, initial: Cards) -> tuple[int, ...]:
        order = {role: rank for rank, role in enumerate(ROLES)}
        return tuple(sorted(range(self.num_players), key=lambda seat: (order[initial[seat]], seat)))

    def _vote_order(self, initial: Cards) -> tuple[int, ...]:
        seats = range(self.num_players)
        if self.parameters["vote_order"] == "seat":
            return tuple(seats)
        return tuple(sorted(seats, key=lambda seat: (not ROLES[initial[seat]].informed, seat)))

    def _table(self, position: Position) -> Table:
        return Table(
            position.initial,
            position.cards,
            self.num_players,
            self.action_table,
            self._lone_wolf_looks,
        )

    def _longest_play(self) -> int:
        """An upper bound on the number of player moves: night turns, statements and votes."""
        n = self.num_players
        deck = self._table(Position(NIGHT, (), self.deck, self.deck, (), ()))
        if self.parameters["deal"] == "fixed":
            turns = sum(bool(ROLES[deck.initial[s]].choices(deck, s)) for s in range(n))
            return turns + len(self._vocabulary.speakers(deck)) + n
        turns = 0
        for card in self.deck:  # whether its holder could have a choice: it has most when alone
            alone = (card, *[""] * (len(self.deck) - 1))
            table = self._table(Position(NIGHT, (), alone, alone, (), ()))
            turns += bool(ROLES[card].choices(table, 0))
        return min(n, turns) + len(self._vocabulary.speakers(deck)) + n

    def _constant_sum(self) -> Fraction | None:
        """The sum of payoffs if every way to end the game gives the same one, else None.

        No role of the core moves a card between the centre and a seat, so the number of Werewolves
        among the players is that of the deal.
        """
        n, centre = self.num_players, len(self.deck) - self.num_players
        if self.parameters["deal"] == "fixed":
            counts = {sum(ROLES[card].werewolf for card in self.deck[:n])}
        else:
            wolves = sum(ROLES[card].werewolf for card in self.deck)
            counts = set(range(max(0, wolves - centre), min(n, wolves) + 1))
        ballots = ([1] + [0] * (n - 1), [(s + 1) % n for s in range(n)])  # P1 dies; nobody dies
        sums = set()
        for count in counts:
            for first in range(n):
                wolves_at = [(seat - first) % n < count for seat in range(n)]
                sums |= {sum(self._payoffs(wolves_at, ballot)) for ballot in ballots}
        return sums.pop() if len(sums) == 1 else None

    # --------------------------------------------------------------------------------- the words

    def action_name(self, player: int, action: int) -> str:
        """See `Rules.action_name`."""
        return (
            self.kinds[action].capitalize() if player == CHANCE else self.action_table.names[action]
        )

    def in_words(self) -> str:
        """See `Rules.in_words`."""
        return in_words(self.parameters, self.deck, self._vocabulary)

    def observation_name(self, player: int, observation: Observation) -> str:
        """See `Rules.observation_name`."""
        match observation:
            case ("card", str(role)):
                return f"dealt {role.capitalize()}"
            case ("werewolves", tuple(seats)):
                return "Werewolves " + " ".join(f"P{s + 1}" for s in seats)
            case ("saw", int(place), str(role)):
                return f"{self.action_table.place_name(place)} has {role.capitalize()}"
            case ("now", str(role)):
                return f"now {role.capitalize()}"
            case ("said", int(seat), int(action)):
                claim = self.action_table.names[self.action_table.said(action)]
                return f'P{seat + 1} says "{claim}"'
        raise GameError(f"not an observation of {self.name}: {observation!r}")

    def describe(self, position: Position) -> str:
        """See `Rules.describe`."""
        n = self.num_players

        def table(cards: Cards) -> str:
            words = [f"P{i + 1} {c.capitalize()}" for i, c in enumerate(cards[:n])]
            words += [f"centre {c.capitalize()}" for c in cards[n:]]
            return ", ".join(words) or "nothing"

        parts = [f"dealt: {table(position.initial)}"]
        if position.cards != position.initial:
            parts.append(f"now: {table(position.cards)}")
        parts += [f"P{s + 1}: {self.action_table.names[a]}" for s, a in position.statements]
        cast = [f"P{s + 1} votes P{v + 1}" for s, v in enumerate(position.votes) if v != PENDING]
        return "; ".join(parts + cast)


_resolution = resolution  # the constructor's parameter of that name hides the function


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ParameterError(f"onuw: {message}")


def _frozen(news: list[list[Observation]]) -> Observations:
    return tuple(map(tuple, news))
