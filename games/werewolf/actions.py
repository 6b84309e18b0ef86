"""The numbering of Werewolf's actions, and their names.

An action is a verb with a seat, or with nobody, and perhaps a detail. Actions are numbered once for
a game, so that one number means one thing for every seat and a name needs no position.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from .position import NOBODY


class Action(NamedTuple):
    """What an action means.

    Attributes:
        verb: what is done.
        seat: to whom; or `NOBODY`.
        detail: for statements: what is said of the seat.
    """

    verb: str
    seat: int = NOBODY
    detail: str = ""


class ActionTable:
    """Numbers and names of the actions of a game.

    Args:
        players: number of seats.
        verbs: verbs that get an action for each seat, and one for nobody.
        deeds: verbs without a target.
        statements: further actions, with their names.
    """

    def __init__(
        self,
        players: int,
        verbs: Sequence[str],
        deeds: Sequence[str],
        statements: Iterable[tuple[Action, str]] = (),
    ):
        self.meanings: list[Action] = []
        self.names: list[str] = []
        self._numbers: dict[Action, int] = {}
        for deed in dict.fromkeys(deeds):
            self._add(Action(deed), deed)
        for verb in dict.fromkeys(verbs):
            self._add(Action(verb), f"{verb} nobody")
            for seat in range(players):
                self._add(Action(verb, seat), f"{verb} P{seat + 1}")
        for action, name in statements:
            self._add(action, name)
        self._targets = [action.seat for action in self.meanings]

    def _add(self, action: Action, name: str) -> None:
        if self._numbers.setdefault(action, len(self.names)) == len(self.names):
            self.meanings.append(action)
            self.names.append(name)

    def __len__(self) -> int:
        return len(self.names)

    def number(self, verb: str, seat: int = NOBODY, detail: str = "") -> int:
        """The number of an action."""
        return self._numbers[Action(verb, seat, detail)]

    def target(self, action: int) -> int:
        """The seat that an action is done to, or `NOBODY`."""
        return self._targets[action]

    def verb(self, action: int) -> str:
        """What an action does."""
        return self.meanings[action].verb

    def numbers(self, choices: Iterable[tuple[str, int]]) -> tuple[int, ...]:
        """The numbers of (verb, seat) pairs, ascending."""
        return tuple(sorted(self.number(verb, seat) for verb, seat in choices))

    def renamed(self, action: int, seats: Sequence[int]) -> int:
        """The action that does to ``seats[s]`` what ``action`` does to s."""
        verb, seat, detail = self.meanings[action]
        return action if seat == NOBODY else self._numbers[Action(verb, seats[seat], detail)]


class ChanceTable:
    """Numbers and names of the outcomes of chance moves: cards, seats, nobody, teams, pairs.

    Args:
        players: number of seats.
        kinds: the names of the cards that can be dealt.
        teams: the teams between which a coin can decide.
        pairs: whether pairs of seats are drawn.

    Attributes:
        names: the name of each outcome.
        pairs: the pairs of seats.
    """

    def __init__(self, players: int, kinds: Sequence[str], teams: Sequence[str], pairs: bool):
        self.pairs = tuple(combinations(range(players), 2)) if pairs else ()
        self._seat = len(kinds)
        self._team = self._seat + players + 1
        self._pair = self._team + len(teams)
        self.names = list(kinds)
        self.names += [f"P{seat + 1}" for seat in range(players)]
        self.names += ["nobody"]
        self.names += teams
        self.names += [f"P{a + 1} and P{b + 1}" for a, b in self.pairs]

    def __len__(self) -> int:
        return len(self.names)

    def seat(self, seat: int) -> int:
        """The draw of a seat, or of `NOBODY`."""
        return self._seat + seat if seat != NOBODY else self._team - 1

    def drawn(self, outcome: int) -> int:
        """The seat that an outcome draws, or `NOBODY`."""
        return outcome - self._seat if outcome < self._team - 1 else NOBODY

    def team(self, place: int) -> int:
        """The coin falls for a team, by its place."""
        return self._team + place

    def decided(self, outcome: int) -> int:
        """The place of the team for which the coin falls."""
        return outcome - self._team

    def pair(self, place: int) -> int:
        """The draw of a pair, by its place among `pairs`."""
        return self._pair + place

    def couple(self, outcome: int) -> tuple[int, int]:
        """The pair drawn."""
        return self.pairs[outcome - self._pair]

    def renamed(self, outcome: int, seats: Sequence[int]) -> int:
        """The outcome that draws ``seats[s]`` where ``outcome`` draws s."""
        if self._seat <= outcome < self._team - 1:
            return self.seat(seats[outcome - self._seat])
        if outcome >= self._pair:
            a, b = sorted(seats[seat] for seat in self.couple(outcome))
            return self.pair(self.pairs.index((a, b)))
        return outcome

    def evenly(self, seats: Iterable[int]) -> tuple[tuple[int, Fraction], ...]:
        """Each of the seats (ascending, `NOBODY` last) is as likely."""
        outcomes = [self.seat(seat) for seat in seats]
        share = _share(1, len(outcomes))
        return tuple((outcome, share) for outcome in outcomes)


_share = cache(Fraction)
