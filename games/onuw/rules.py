"""One Night Ultimate Werewolf as an exact extensive-form game.

The play: cards are dealt (one chance node a card, or fixed seats); at night the roles take their
turns by their initial cards, in the order of `roles.ROLES`; then the talk, if any; then everybody
votes for another player. Votes are simultaneous: they are consecutive moves that nobody sees.

Which of the simultaneous voters moves first in the tree is a parameter, because beliefs are
attached to nodes: with ``informed_first`` the players who know what happened at night (the Robber)
come first, their information sets are as small as possible, and exact solvers need fewer beliefs.
Nash and sequential equilibria do not depend on it; weak perfect Bayesian equilibria do.

Every role of the printed game is there but the Doppelganger; `roles.add_role` adds others.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import ClassVar

from ..errors import ParameterError
from ..rules import CHANCE, TERMINAL, Exact, Observation, Observations, Rules, Step
from .actions import ActionTable
from .limits import constant_sum, longest_play
from .position import PENDING, Position, Stage
from .resolution import deaths, resolution
from .role import Table, title
from .roles import ROLES, parse_roles
from .scene import Cards, Scene
from .script import night_script
from .talk import talk as talk_of
from .words import cards_in_words, in_words, sight

DEAL, NIGHT, TALK, VOTE, END = Stage  # as globals they are found faster

SETTLED = 1 << 16
"""Outcomes of votes, and payoffs of deaths, that are remembered."""


class Onuw(Rules[Position]):
    """The rules of ONUW.

    Args:
        players: number of players, 3 to 10.
        centre: number of cards in the centre, 0 to 4.
        roles: the cards, ``players + centre`` of them, e.g. ``2werewolf+seer+robber+2villager``.
        deal: ``chance`` shuffles; ``fixed`` deals the roles in the order written: seats P1, P2,
            ..., then the centre, and everybody knows it. ``stacked`` deals them so too, but the
            players are told (`in_words`) that they were shuffled: a setting for experiments with
            players who read the rules. The tree has that one deal, so an equilibrium of it is one
            of players who know it.
        resolution: ``official`` or ``paper``, see `resolution`.
        vote_order: ``informed_first`` or ``seat``.
        talk: what can be said: ``none``; ``robber`` (the Robber claims a night action); or
            vocabularies of `talk` joined with ``+``, e.g. ``roles+night+accuse``: then everybody
            speaks once a round, in the order of the seats.
        lone_wolf_looks: whether a Werewolf without a partner may look at one centre card.
        night: ``free``, or what some roles do, e.g. ``seer:P4+robber:P1+troublemaker:P3-P5`` or
            ``drunk:C2``, see `script`: they do it without a decision and see what they see. It is
            public unless the deal is ``stacked``.
        talk_rounds: how often everybody speaks, 1 to 10.

    Attributes:
        scene: what is public before the deal.
        roles: the roles in the deck, in the order of the night.
        kinds: their names; chance outcome k deals ``kinds[k]``.
        dealt: the cards by place, or None if chance deals them.
        talk: who may say what.
        resolution: the payoffs by final cards and deaths.
        action_table: numbers, names, night moves and statements of the actions.
        open_to: by seat, the statements that it may make, as actions.
        script: the action of each role whose night is laid down.

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
        night: str = "free",
        talk_rounds: int = 1,
    ):
        deck = parse_roles(roles)
        _check_numbers(players, centre, roles, deck)
        _check_choice("deal", deal, "chance", "fixed", "stacked")
        _check_choice("vote_order", vote_order, "informed_first", "seat")
        self.parameters = {
            "players": players,
            "centre": centre,
            "roles": roles,
            "deal": deal,
            "resolution": resolution,
            "vote_order": vote_order,
            "talk": talk,
            "lone_wolf_looks": lone_wolf_looks,
            "night": night,
            "talk_rounds": talk_rounds,
        }
        self.num_players = players
        self.deck = deck
        self.scene = Scene(players, deck, lone_wolf_looks)
        self.roles = {name: role for name, role in ROLES.items() if name in deck}
        self.kinds = tuple(self.roles)
        for role in self.roles.values():
            _check(
                not role.needs_centre or centre > 0,
                f"the {title(role.name)} needs centre cards; choose centre=1 to 4 or leave it out",
            )
        self.resolution = _resolution(resolution, self.roles.values())
        self.talk = talk_of(talk, talk_rounds, self.scene, self.roles)
        _check(
            deal == "fixed" or not self.talk.robber_only,
            f"talk={talk!r} makes public who holds a role; it needs deal=fixed",
        )
        everything = () if self.talk.robber_only else self.talk.all_statements()
        self.action_table = ActionTable(self.scene, self.roles.values(), everything)
        self.open_to = tuple(
            tuple(sorted(map(self.action_table.say, statements)))
            for statements in self.talk.statements
        )
        self.dealt = None if deal == "chance" else deck
        self.script = night_script(night, self.scene, self.roles, self.action_table, self.dealt)
        self._nothing: Observations = ((),) * players
        # Per deal, computed once: who acts at night, who votes when.
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
        self._paid = lru_cache(maxsize=SETTLED)(self._pay)
        self.num_distinct_actions = len(self.action_table)
        self.max_chance_outcomes = 0 if self.dealt else len(self.kinds)
        self.max_chance_nodes = 0 if self.dealt else len(deck)
        self.max_game_length = longest_play(self)
        self.utility_range = (Fraction(-1), Fraction(1))
        self.utility_sum = constant_sum(self)

    def __reduce__(self) -> tuple[partial[Onuw], tuple[()]]:
        """Pickled as its parameters; the caches are made anew."""
        return partial(type(self), **self.parameters), ()

    # ------------------------------------------------------------------------------ the protocol

    def initial(self) -> Step[Position]:
        """Before the deal; with given seats, the first decision of the night."""
        if self.dealt:
            return self.dealt_out(self.dealt)
        empty = Position(DEAL, (), (), (), (), (PENDING,) * self.num_players)
        return Step(empty, self._nothing)

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
        if position.stage is NIGHT:
            table = self.table(position.initial, position.cards)
            return self.roles[position.initial[seat]].choices(table, seat)
        return self.open_to[seat]

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
            role = self.roles[initial[seat]]
            cards, seen = role.perform(self.table(initial, cards), seat, action)
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
        return self._paid(cards, deaths([self.roles[card] for card in cards], votes))

    def _pay(self, cards: Cards, dead: frozenset[int]) -> tuple[Exact, ...]:
        return self.resolution([self.roles[card] for card in cards], dead)

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

    def dealt_out(self, dealt: Cards, cards: Cards | None = None) -> Step[Position]:
        """After a deal done at once: the first decision of the night, or what follows it.

        Args:
            dealt: the cards by place, which say who acts how.
            cards: those that lie there instead, to follow them through the night.
        """
        news: list[list[Observation]] = [[("card", dealt[s])] for s in range(self.num_players)]
        votes = (PENDING,) * self.num_players
        return self._nightfall(Position(DEAL, (), dealt, cards or dealt, (), votes), news)

    def _nightfall(self, position: Position, news: list[list[Observation]]) -> Step[Position]:
        queue = self._night(position.initial)
        return self._night_falls_on(position._replace(stage=NIGHT, queue=queue), news)

    def _night_falls_on(self, position: Position, news: list[list[Observation]]) -> Step[Position]:
        """Goes to the next night turn that needs a decision, telling each role what it sees."""
        stage, queue, initial, cards, statements, votes = position
        table = self.table(initial, cards)
        for turn, seat in enumerate(queue):
            role = self.roles[initial[seat]]
            news[seat] += role.sees(table, seat)
            if not role.choices(table, seat):
                continue
            if role.name not in self.script:
                waiting = Position(stage, queue[turn:], initial, cards, statements, votes)
                return Step(waiting, _frozen(news))
            action = self.script[role.name]
            cards, seen = role.perform(table, seat, action)
            news[seat] += (("did", action), *seen)
            table = self.table(initial, cards)
        speakers = self.talk.speakers(table)
        talk = Position(TALK, speakers, initial, cards, statements, votes)
        return self._talk_goes_on(talk, news)

    def _talk_goes_on(self, position: Position, news: list[list[Observation]]) -> Step[Position]:
        if not position.queue:
            position = position._replace(stage=VOTE, queue=self._votes(position.initial))
        return Step(position, _frozen(news))

    def _night_order(self, initial: Cards) -> tuple[int, ...]:
        order = {role: rank for rank, role in enumerate(self.kinds)}
        return tuple(sorted(range(self.num_players), key=lambda seat: (order[initial[seat]], seat)))

    def _vote_order(self, initial: Cards) -> tuple[int, ...]:
        seats = range(self.num_players)
        if self.parameters["vote_order"] == "seat":
            return tuple(seats)
        return tuple(sorted(seats, key=lambda seat: (not self.roles[initial[seat]].informed, seat)))

    def table(self, initial: Cards, cards: Cards) -> Table:
        """What a night turn can depend on."""
        return Table(initial, cards, self.scene, self.action_table)

    def _choices(self, initial: Cards, cards: Cards, seat: int) -> tuple[int, ...]:
        return self.roles[initial[seat]].choices(self.table(initial, cards), seat)

    # --------------------------------------------------------------------------------- the words

    def action_name(self, player: int, action: int) -> str:
        """See `Rules.action_name`."""
        return title(self.kinds[action]) if player == CHANCE else self.action_table.names[action]

    def in_words(self) -> str:
        """See `Rules.in_words`."""
        script = [(name, self.action_table.names[action]) for name, action in self.script.items()]
        kinds = list(self.roles.values())
        return in_words(self.parameters, self.scene, kinds, self.talk.words, script)

    def observation_name(self, player: int, observation: Observation) -> str:
        """See `Rules.observation_name`."""
        table = self.action_table
        match observation:
            case ("said", int(seat), int(action)):
                return table.wording.heard(seat, table.statement(action))
            case ("did", int(action)):  # a laid-down action reads like the same one chosen
                return table.names[action]
        return sight(self.scene, observation)

    def describe(self, position: Position) -> str:
        """See `Rules.describe`."""
        parts = [f"dealt: {cards_in_words(self.scene, position.initial)}"]
        if position.cards != position.initial:
            parts.append(f"now: {cards_in_words(self.scene, position.cards)}")
        parts += [f"P{s + 1}: {self.action_table.names[a]}" for s, a in position.statements]
        cast = [f"P{s + 1} votes P{v + 1}" for s, v in enumerate(position.votes) if v != PENDING]
        return "; ".join(parts + cast)


_resolution = resolution  # the constructor's parameter of that name hides the function


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise ParameterError(f"onuw: {message}")


def _check_numbers(players: int, centre: int, roles: str, deck: Cards) -> None:
    _check(3 <= players <= 10, f"players={players}: choose 3 to 10")
    _check(0 <= centre <= 4, f"centre={centre}: choose 0 to 4")
    _check(
        len(deck) == players + centre,
        f"roles={roles!r} has {len(deck)} cards, but {players} players and {centre} centre "
        f"cards need {players + centre}",
    )


def _check_choice(name: str, value: str, *choices: str) -> None:
    listed = f"{', '.join(choices[:-1])} or {choices[-1]}"
    _check(value in choices, f"{name}={value!r}: choose {listed}")


def _frozen(news: list[list[Observation]]) -> Observations:
    return tuple(map(tuple, news))
