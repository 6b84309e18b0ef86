"""Positions of Werewolf, and the stages of the play."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, TypeAlias

from ..rules import Observation, Observations

NOBODY = -1
"""In place of a seat: nobody."""

Acts: TypeAlias = tuple[tuple[int, int], ...]
"""(seat, action) pairs, by seat; `NOBODY` stands for the wolves together."""

Note: TypeAlias = tuple[int, bool | str]
"""What a role remembers: of which seat (or `NOBODY`), and what."""

Notes: TypeAlias = tuple[tuple[Note, ...], ...]
"""The notes of every seat, each seat's sorted."""


class Stage(IntEnum):
    """The part of the play that a position belongs to.

    Some stages only lead on to others, and no position of a play is found in them: `DAY`,
    `ELIMINATION` and `NIGHTFALL`.
    """

    DEAL = 0
    """Chance deals the next card."""
    LOVERS = 1
    """Chance draws the lovers."""
    DAY = 2
    COIN = 3
    """Chance decides between the last wolf and the last other player."""
    REVEAL = 4
    """Seers reveal themselves or not; hidden until all have chosen."""
    ORDER = 5
    """Chance draws the next place of the order of speakers."""
    TALK = 6
    ELIMINATION = 7
    SKIP = 8
    """The town's spokesman decides whether somebody is drawn."""
    VOTE = 9
    TIE = 10
    """Chance decides between the seats that ``acts`` lists."""
    DRAW = 11
    """Chance draws whom to eliminate."""
    DRAWN = 12
    """A concealed Seer has been drawn, and reveals itself or not."""
    PROPOSER = 13
    """Chance draws who decides on the elimination."""
    PROPOSAL = 14
    DUSK = 15
    """Those eliminated die: ``acts`` lists whose last deeds are still to come."""
    NIGHTFALL = 16
    KILLER = 17
    """Chance draws the wolf that decides for all."""
    KILL = 18
    """The wolves choose."""
    KILL_TIE = 19
    """Chance decides between the seats that ``acts`` lists."""
    NIGHT = 20
    """The other roles act."""
    DAWN = 21
    """As `DUSK`, for the deaths of the night."""
    END = 22


class Position(NamedTuple):
    """A position of Werewolf: what the rest of the play depends on, and no more.

    Attributes:
        stage: the part of the play.
        day: how many days have begun.
        roles: the role of every seat; nothing (``""``) where no card has been dealt.
        alive: which seats live.
        queue: the seats still to act in this stage, next one first; where chance moves, none.
        acts: what has been chosen in this stage, hidden or not, as far as it still matters.
        notes: what each seat's role remembers.
        public: what is publicly known of each seat: nothing (``""``), ``wolf``, ``not wolf``, or a
            role.
        lovers: the pair, if there is one.
        executed: the seats voted out the day before, if a role still asks for them.
        order: the order of speakers as far as it has been drawn.
        voted_out_wolves: how many wolves have been voted out, if a rule counts them.
        winner: ``town``, ``wolves``, ``draw``, or nothing while the game goes on.
    """

    stage: Stage
    day: int
    roles: tuple[str, ...]
    alive: tuple[bool, ...]
    queue: tuple[int, ...] = ()
    acts: tuple[tuple[int, int | str], ...] = ()
    notes: Notes = ()
    public: tuple[str, ...] = ()
    lovers: tuple[int, ...] = ()
    executed: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    voted_out_wolves: int = 0
    winner: str = ""


TIED = "tied"
"""In ``acts``: what the seats between which chance decides are."""


def tied_seats(position: Position) -> list[int]:
    """The seats between which chance decides, `NOBODY` last."""
    return sorted((seat for seat, _ in position.acts), key=lambda seat: (seat == NOBODY, seat))


def replaced(values: tuple, seat: int, value: object) -> tuple:
    """``values`` with ``value`` at ``seat``."""
    return (*values[:seat], value, *values[seat + 1 :])


class News:
    """What the players newly observe, while a move is being worked out.

    Args:
        players: how many players there are.
    """

    def __init__(self, players: int):
        self._seen: list[list[Observation]] = [[] for _ in range(players)]

    def tell(self, seat: int, observation: Observation) -> None:
        """``seat`` observes something."""
        self._seen[seat].append(observation)

    def tell_all(self, observation: Observation, but: int = NOBODY) -> None:
        """Everybody, dead or alive, observes something; ``but`` excepted."""
        for seat, seen in enumerate(self._seen):
            if seat != but:
                seen.append(observation)

    def observations(self) -> Observations:
        """All of it, as `Rules.play` returns it."""
        return tuple(map(tuple, self._seen))
