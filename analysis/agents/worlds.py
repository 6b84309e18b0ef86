"""Every night of ONUW that a player holds possible, with its exact probability.

A *world* is a deal and everybody's night actions. The worlds of a view are those in which the
player would have seen just that: they are found by playing the rules and dropping a line as soon as
it tells the player something else, so whatever the roles do is taken into account. Prior: deals as
the game deals them, and every night action of the others equally likely.

Worlds are columns of small integers; what a seat knows in them is kept once for each different
night of that seat, so a question about statements is asked of a few hundred nights and answered for
all worlds at once. Worlds that differ only in nights of which nobody has said anything are one.

Time grows with the number of worlds, some 20,000 a second, once for each different night of a
player and each set of seats that tell of theirs. For one view `onuw5` has up to 23,112 when nobody
does, and 127,512 when all do; far larger decks are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.errors import ProblemTooLarge
from ...games.onuw import Onuw, Position, Stage
from ...games.onuw.scene import Cards
from ...games.rules import CHANCE, View

MAX_WORLDS = 1_000_000
"""Worlds of one view that are accepted, and lines followed at the same time."""
VIEWS_KEPT = 32
"""Views whose worlds are remembered."""


@dataclass(frozen=True, eq=False)
class Worlds:
    """The worlds of a view: ``W`` of them, in a game of ``n`` players and ``m`` places for cards.

    Attributes:
        cards: the names of the roles that the columns below count.
        initial: int8 (W, m), the cards as dealt: seats, then centre.
        final: int8 (W, m), the cards at the end of the night.
        night: int32 (W, n), what each seat that is told of knows, as an index in ``nights``.
        nights: for each such seat the different views at the end of the night.
        weight: (W,) integers proportional to the probabilities, int64 or Python's.
    """

    cards: tuple[str, ...]
    initial: NDArray[np.int8]
    final: NDArray[np.int8]
    night: NDArray[np.int32]
    nights: Mapping[int, tuple[View, ...]]
    weight: NDArray

    def __len__(self) -> int:
        return len(self.weight)

    def where(self, seat: int, holds: Callable[[View], bool]) -> NDArray[np.bool_]:
        """(W,), whether something holds for what ``seat``, which is told of, knows."""
        return np.array([holds(view) for view in self.nights[seat]], np.bool_)[self.night[:, seat]]

    def having(
        self, cards: NDArray[np.int8], place: int, wanted: Callable[[str], bool]
    ) -> NDArray[np.bool_]:
        """(W,), whether the card on a place, in a column of ``initial`` or ``final``, is wanted."""
        return np.array([wanted(card) for card in self.cards], np.bool_)[cards[:, place]]

    def probability(
        self, event: NDArray[np.bool_], given: NDArray[np.bool_] | None = None
    ) -> Fraction:
        """The probability of an event, given another one that has a world."""
        if given is None:
            return Fraction(int(self.weight[event].sum()), int(self.weight.sum()))
        return Fraction(int(self.weight[event & given].sum()), int(self.weight[given].sum()))


@lru_cache(maxsize=VIEWS_KEPT)
def worlds_of(rules: Onuw, player: int, night: View, told: frozenset[int]) -> Worlds:
    """The worlds in which a player has observed and done ``night`` before the talk.

    Args:
        rules: the game.
        player: who.
        night: its view before the talk.
        told: the seats of whose nights questions will be asked.

    Raises:
        ProblemTooLarge: there are more than `MAX_WORLDS`.
    """
    lines = _lines(rules, player, night, sorted(told))
    nights: dict[int, dict[View, int]] = {seat: {} for seat in sorted(told)}
    hands: dict[Cards, int] = {}
    rows: list[tuple[int, ...]] = []
    for line in lines:
        known = dict.fromkeys(range(rules.num_players), 0)
        for (seat, seen), view in zip(nights.items(), line.views):
            known[seat] = seen.setdefault(view, len(seen))
        dealt = hands.setdefault(line.position.initial, len(hands))
        held = hands.setdefault(line.position.cards, len(hands))
        rows.append((dealt, held, *known.values()))
    common = lcm(*(share.denominator for share in lines.values()))
    weights = [share.numerator * (common // share.denominator) for share in lines.values()]
    fits = sum(weights) < 1 << 62
    numbers = np.array(rows, np.int32)
    cards = np.array([[rules.kinds.index(card) for card in hand] for hand in hands], np.int8)
    return Worlds(
        rules.kinds,
        cards[numbers[:, 0]],
        cards[numbers[:, 1]],
        numbers[:, 2:],
        {seat: tuple(seen) for seat, seen in nights.items()},
        np.array(weights, np.int64 if fits else object),
    )


class _Line(NamedTuple):
    """A deal and a night, or the first part of one: position, own view, views of those told of."""

    position: Position
    own: View
    views: tuple[View, ...]


def _lines(rules: Onuw, player: int, night: View, told: Sequence[int]) -> dict[_Line, Fraction]:
    """The end of each possible night with its prior probability.

    All lines are followed at the same time, one move of each at a time, and those that nothing
    tells apart any more are joined.
    """
    first = rules.initial()
    ends: dict[_Line, Fraction] = {}
    lines = {
        _Line(
            first.position,
            first.observations[player],
            tuple(first.observations[seat] for seat in told),
        ): Fraction(1)
    }
    while lines:
        following: dict[_Line, Fraction] = {}
        for line, share in lines.items():
            position, own, views = line
            if own != night[: len(own)]:
                continue
            if position.stage not in (Stage.DEAL, Stage.NIGHT):
                if own == night:
                    ends[line] = ends.get(line, Fraction(0)) + share
                continue
            mover = rules.mover(position)
            if mover == CHANCE:
                choices = [(a, share * p) for a, p in rules.chance_outcomes(position)]
            elif mover != player:
                legal = rules.legal_actions(position)
                each = share * Fraction(1, len(legal))
                choices = [(a, each) for a in legal]
            elif len(own) < len(night):
                choices = [(_own_action(night[len(own)]), share)]
            else:  # the player is deciding
                ends[line] = ends.get(line, Fraction(0)) + share
                continue
            for action, chance in choices:
                after, news = rules.play(position, action)
                if mover >= 0:
                    news = (*news[:mover], (action, *news[mover]), *news[mover + 1 :])
                new = _Line(
                    after,
                    own + news[player],
                    tuple(view + news[seat] for view, seat in zip(views, told)),
                )
                following[new] = following.get(new, Fraction(0)) + chance
        if max(len(following), len(ends)) > MAX_WORLDS:
            raise ProblemTooLarge(
                f"{rules.name}: more than {MAX_WORLDS:,} deals and nights agree with what "
                f"P{player + 1} has seen; play a game with fewer cards, or cast an agent that does "
                "not weigh them, such as uniform"
            )
        lines = following
    return ends


def _own_action(entry: Hashable) -> int:
    assert isinstance(entry, int)  # the player decides here, so its view goes on with its action
    return entry
