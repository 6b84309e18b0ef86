"""Positions of ONUW."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .scene import Cards

PENDING = -1
"""The vote of a seat that has not voted."""


class Stage(IntEnum):
    """The part of the play that a position belongs to."""

    DEAL = 0
    NIGHT = 1
    TALK = 2
    VOTE = 3
    END = 4


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
