"""What a role card of ONUW is: its night, its team, and what may be claimed of it.

A role is one frozen `Role`. Everything that the game asks of a role is there, so a new role needs
no change anywhere else; see `roles.add_role`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..rules import Observation
from .scene import Cards, Move, NamedMoves, Scene

if TYPE_CHECKING:
    from .actions import ActionTable

Seen: TypeAlias = tuple[Observation, ...]
"""What a player learns, in order."""

Experience: TypeAlias = tuple[Move | None, Seen]
"""A night as its player can tell it: the move, if it had one, and all that it saw."""


class Table(NamedTuple):
    """What a night turn can depend on: the deal, the current cards, and the public scene.

    Attributes:
        initial: the cards as dealt.
        cards: the cards now.
        scene: what is public.
        actions: the numbering of actions.
    """

    initial: Cards
    cards: Cards
    scene: Scene
    actions: ActionTable

    def holders(self, role: str) -> tuple[int, ...]:
        """The seats that were dealt ``role``."""
        return tuple(s for s in self.scene.seats if self.initial[s] == role)

    def numbers(self, moves: Iterable[Move]) -> tuple[int, ...]:
        """The action numbers of moves."""
        return tuple(map(self.actions.number, moves))


class Outcome(NamedTuple):
    """The end of a game: what decides who wins.

    Attributes:
        cards: each seat's final card.
        werewolves: the seats whose final card is a Werewolf.
        dead: the seats that die, ascending.
        spoilt: whether a card died that takes the win from the Werewolves (`Role.spoils`).
    """

    cards: Cards
    werewolves: frozenset[int]
    dead: frozenset[int]
    spoilt: bool


def _no_choices(table: Table, seat: int) -> tuple[int, ...]:
    return ()


def _no_sight(table: Table, seat: int) -> Seen:
    return ()


def idle(table: Table, seat: int, action: int) -> tuple[Cards, Seen]:
    """What a role without choices performs."""
    return table.cards, ()


def _no_moves(scene: Scene) -> NamedMoves:
    return ()


def _nothing_to_tell(scene: Scene, seat: int) -> Iterable[Experience]:
    return ()


def nobody(votes: Sequence[int], seat: int) -> tuple[int, ...]:
    """Whom most roles take along when they die."""
    return ()


def village_wins(outcome: Outcome, seat: int) -> bool:
    """A Werewolf dies; or no player is a Werewolf and nobody dies."""
    if outcome.werewolves:
        return not outcome.werewolves.isdisjoint(outcome.dead)
    return not outcome.dead


def werewolves_win(outcome: Outcome, seat: int) -> bool:
    """A player is a Werewolf, none dies, and no dead card spoils it."""
    alive = outcome.werewolves.isdisjoint(outcome.dead)
    return bool(outcome.werewolves) and alive and not outcome.spoilt


@dataclass(frozen=True, slots=True)
class Role:
    """One role card.

    The functions are pure. ``choices`` may depend on the deal only as far as the holder knows it;
    who wins and who dies may not depend on how the seats are numbered. What a holder sees is a
    tuple of observations: ``("saw", place, card)``, ``("now", card)``, ``("werewolves", seats)``,
    ``("masons", seats)``, or ``("told", words)`` for anything else. `conformance.check_game` finds
    roles that break these rules.

    Attributes:
        name: lower-case name, as in the ``roles`` parameter: letters, with ``-`` between words.
        team: ``village``, ``werewolf``, or a team of its own; for the words.
        werewolf: whether the card is a Werewolf: the Village wins when one dies.
        informed: whether its night gives it knowledge that nobody shares; such players vote first
            under ``vote_order=informed_first``.
        needs_centre: whether it cannot be played without centre cards.
        moves: all that it may do at night anywhere at the table, with the names of the actions.
            Moves of different kinds have different names; moves that roles share are one action.
        sees: what the holder sees when its turn comes, before any decision.
        choices: actions open to the holder; empty when its turn needs no decision.
        perform: carries out an action: the cards afterwards, and what the holder sees.
        tells: the nights that a player at a seat can claim to have had with this role; each is what
            the holder's own view would show. The ``night`` vocabulary is made of them.
        wins: whether the holder of the card, at a seat, wins; that of its team if left out.
        takes_along: who dies too if the holder dies, from the votes and its seat.
        spoils: whether its death takes the win from the Werewolves.
        words: what the holder does at night, in words; empty if nothing.
        goal: what differs from the common goals, in words; empty if nothing.
    """

    name: str
    team: str = "village"
    werewolf: bool = False
    informed: bool = False
    needs_centre: bool = False
    moves: Callable[[Scene], NamedMoves] = _no_moves
    sees: Callable[[Table, int], Seen] = _no_sight
    choices: Callable[[Table, int], tuple[int, ...]] = _no_choices
    perform: Callable[[Table, int, int], tuple[Cards, Seen]] = idle
    tells: Callable[[Scene, int], Iterable[Experience]] = _nothing_to_tell
    wins: Callable[[Outcome, int], bool] = village_wins
    takes_along: Callable[[Sequence[int], int], tuple[int, ...]] = nobody
    spoils: bool = False
    words: str = ""
    goal: str = ""

    @property
    def in_paper(self) -> bool:
        """Whether ``resolution=paper``, which knows two teams and the vote, tells its fate."""
        goal = werewolves_win if self.werewolf else village_wins
        return self.wins is goal and self.takes_along is nobody and not self.spoils

    @property
    def pay_class(self) -> tuple[object, ...]:
        """Cards of one class can stand for each other when payoffs are counted."""
        return self.werewolf, self.spoils, self.wins, self.takes_along


def title(name: str) -> str:
    """A role's name as it is written in a sentence: Werewolf, Village Idiot."""
    return " ".join(word.capitalize() for word in name.split("-"))
