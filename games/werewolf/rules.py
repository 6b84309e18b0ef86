"""Werewolf, also known as Mafia, as an exact extensive-form game.

Days and nights take turns. By day the players talk, as far as the conventions let them, and
eliminate one of them; at night the wolves kill one, and other roles act. The town wins when no wolf
lives, the wolves when they are enough. Every convention on which published analyses differ is a
parameter.

The rules are a machine of stages (`position.Stage`). Each stage has a move: who makes it stands in
the position, what can be done and what follows is a function of the modules `dealing`, `days`,
`voting`, `deaths` and `night`. What follows may be a stage that only leads on, and is entered until
there is somebody to move.

Sources: M. Braverman, O. Etesami and E. Mossel, "Mafia: a theoretical study of players and
coalitions in a partial information environment", Annals of Applied Probability 18 (2008);
P. Migdał, "A mathematical model of the Mafia game", arXiv:1009.1031 (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any, ClassVar, NamedTuple, TypeAlias

from ..rules import (
    CHANCE,
    TERMINAL,
    Exact,
    Interchangeable,
    Observation,
    Rules,
    Step,
)
from . import days, dealing, deaths, night, symmetry, voting
from .endings import payoffs
from .lengths import longest_play
from .parameters import Options
from .position import News, Position, Stage
from .rulebook import in_words
from .table import KEPT, Table
from .totals import constant_sum
from .words import describe, observation_name

VOTE, END = Stage.VOTE, Stage.END  # as globals they are found faster

Enter: TypeAlias = Callable[[Table, Position, News], Position]
Legal: TypeAlias = Callable[[Table, Position], tuple[int, ...]]
Outcomes: TypeAlias = Callable[[Table, Position], tuple[tuple[int, Fraction], ...]]
Play: TypeAlias = Callable[[Table, Position, int, News], Position]


class Move(NamedTuple):
    """What can be done in a stage.

    Attributes:
        play: what an action or chance outcome leads to.
        legal: the mover's actions, where players move.
        outcomes: those of chance, where it moves.
    """

    play: Play
    legal: Legal | None = None
    outcomes: Outcomes | None = None


def _wake_and_settle(table: Table, position: Position, news: News) -> Position:
    return deaths.settle(table, deaths.wake(table, position, news), news)


ENTER: dict[Stage, Enter] = {
    Stage.DAY: days.day_breaks,
    Stage.ELIMINATION: voting.begin,
    Stage.DUSK: deaths.settle,
    Stage.NIGHTFALL: days.night_falls,
    Stage.KILL: night.gather,
    Stage.NIGHT: night.rounds,
    Stage.DAWN: _wake_and_settle,
}
"""What happens when a stage begins, before anybody moves in it; in the others nothing."""

MOVES: dict[Stage, Move] = {
    Stage.DEAL: Move(dealing.deal, outcomes=dealing.cards_left),
    Stage.LOVERS: Move(dealing.draw_lovers, outcomes=dealing.any_pair),
    Stage.COIN: Move(days.toss, outcomes=days.coin),
    Stage.REVEAL: Move(days.choose_to_reveal, days.reveal_choices),
    Stage.ORDER: Move(days.draw_place, outcomes=days.next_places),
    Stage.TALK: Move(days.say, days.statements),
    Stage.SKIP: Move(voting.choose_to_draw, voting.skip_choices),
    Stage.VOTE: Move(voting.cast, voting.ballot),
    Stage.TIE: Move(voting.break_tie, outcomes=voting.tied),
    Stage.DRAW: Move(voting.draw, outcomes=voting.any_candidate),
    Stage.DRAWN: Move(voting.answer, days.reveal_choices),
    Stage.PROPOSER: Move(voting.appoint, outcomes=voting.any_living),
    Stage.PROPOSAL: Move(voting.propose, voting.proposals),
    Stage.DUSK: Move(deaths.last_deed, deaths.last_choices, deaths.avengers),
    Stage.KILLER: Move(night.appoint_killer, outcomes=night.any_wolf),
    Stage.KILL: Move(night.choose_victim, night.victims),
    Stage.KILL_TIE: Move(night.break_tie, outcomes=night.tied),
    Stage.NIGHT: Move(night.take_turn, night.turn_choices),
    Stage.DAWN: Move(deaths.last_deed, deaths.last_choices, deaths.avengers),
}
"""The move of each stage."""


@dataclass(kw_only=True, eq=False, repr=False)
class Werewolf(Options, Rules[Position], Interchangeable[Position]):
    """The rules of Werewolf; for the parameters see `Options`.

    Raises:
        ParameterError: the parameters contradict each other or name something unknown.

    Attributes:
        table: the conventions, cards, seats and actions.
    """

    name: ClassVar[str] = "werewolf"
    title: ClassVar[str] = "Werewolf, or Mafia"

    def __post_init__(self) -> None:
        self.maker: Callable[..., Werewolf] = type(self)
        self.table = Table(self)
        self.parameters = {field.name: getattr(self, field.name) for field in fields(Options)}
        self.deck = self.table.deck
        self.num_players = self.players
        self.num_distinct_actions = len(self.table.actions)
        self.max_game_length, self.max_chance_nodes = longest_play(self.table)
        self.max_chance_outcomes = len(self.table.chance) if self.max_chance_nodes else 0
        self.utility_range = (Fraction(-1), Fraction(1))
        self._payoffs = lru_cache(maxsize=KEPT)(partial(payoffs, self.table))
        self._in_words = lru_cache(maxsize=KEPT)(partial(observation_name, self.table))
        self._hidden_votes = self.vote == "simultaneous"

    def __reduce__(self) -> tuple[partial[Any], tuple[()]]:
        """Pickled as its parameters; the tables are made anew."""
        return partial(self.maker, **self.parameters), ()

    # ------------------------------------------------------------------------------ the protocol

    def initial(self) -> Step[Position]:
        """Before the deal; where chance does not deal, before the first other move."""
        news = News(self.players)
        return self._step(Stage.DEAL, dealing.opening(self.table, news), news)

    def mover(self, position: Position) -> int:
        """See `Rules.mover`."""
        if position.queue:
            return position.queue[0]
        return TERMINAL if position.stage is END else CHANCE

    def legal_actions(self, position: Position) -> tuple[int, ...]:
        """See `Rules.legal_actions`."""
        stage = position.stage
        if stage is VOTE:
            return self.table.ballot(position.alive, position.queue[0])
        legal = MOVES[stage].legal
        assert legal is not None, f"nobody moves in {stage.name}"
        return legal(self.table, position)

    def chance_outcomes(self, position: Position) -> tuple[tuple[int, Fraction], ...]:
        """See `Rules.chance_outcomes`."""
        outcomes = MOVES[position.stage].outcomes
        assert outcomes is not None, f"chance does not move in {position.stage.name}"
        return outcomes(self.table, position)

    def play(self, position: Position, action: int) -> Step[Position]:
        """See `Rules.play`."""
        stage = position.stage
        if stage is VOTE and self._hidden_votes and len(position.queue) > 1:
            return Step(voting.vote_unseen(position, action), self.table.nothing)
        news = News(self.players)
        return self._step(stage, MOVES[stage].play(self.table, position, action, news), news)

    def _step(self, stage: Stage, position: Position, news: News) -> Step[Position]:
        """Enters stages until there is a move; ``stage`` has been entered."""
        while position.stage is not stage:
            stage = position.stage
            enter = ENTER.get(stage)
            if enter is not None:
                position = enter(self.table, position, news)
        return Step(position, news.observations())

    def payoffs(self, position: Position) -> tuple[Exact, ...]:
        """See `Rules.payoffs`."""
        return self._payoffs(position.roles, position.winner)

    @cached_property
    def utility_sum(self) -> Fraction | None:  # type: ignore[override]  # found when asked for
        """See `Rules.utility_sum` and `totals.constant_sum`."""
        return constant_sum(self)

    # ---------------------------------------------------------------------- seats as they please

    @property
    def interchangeable(self) -> bool:
        """See `Interchangeable.interchangeable`.

        They are not where somebody acts in seat order before the eyes of others: sequential votes,
        statements, elimination in seat order, two Hunters who may die together.
        """
        return symmetry.interchangeable(self.table)

    def relabelled(self, position: Position, seats: Sequence[int]) -> Position:
        """See `Interchangeable.relabelled`."""
        return symmetry.relabelled(self.table, position, seats)

    def signature(self, position: Position, seat: int) -> Hashable:
        """See `Interchangeable.signature`."""
        return symmetry.signatures(self.table, position)[seat]

    def signatures(self, position: Position) -> list[Hashable]:
        """See `Interchangeable.signatures`."""
        return symmetry.signatures(self.table, position)

    def known(self, position: Position, player: int) -> Position:
        """See `Interchangeable.known`, and `symmetry.known` for what is left."""
        return symmetry.known(self.table, position, player)

    def outcome(self, position: Position) -> str:
        """``town``, ``wolves`` or ``draw``."""
        return position.winner

    # --------------------------------------------------------------------------------- the words

    def action_name(self, player: int, action: int) -> str:
        """See `Rules.action_name`."""
        return (self.table.chance if player == CHANCE else self.table.actions).names[action]

    def observation_name(self, player: int, observation: Observation) -> str:
        """See `Rules.observation_name`."""
        return self._in_words(observation)

    def describe(self, position: Position) -> str:
        """See `Rules.describe`."""
        return describe(self.table, position)

    def in_words(self) -> str:
        """See `Rules.in_words`."""
        return in_words(self.table)
