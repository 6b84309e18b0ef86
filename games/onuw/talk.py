"""The talk phase: who may say what, in public, before the vote.

A vocabulary is a list of statements open to a seat, whatever card it holds: everybody can lie.
Statements are actions; every other player hears them. Vocabularies are joined with ``+``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from ..errors import ParameterError
from .role import Role, Table
from .scene import Scene, switches
from .statements import Statement

Roles: TypeAlias = Mapping[str, Role]


def _roles(scene: Scene, roles: Roles, seat: int) -> Iterator[Statement]:
    for role in roles:
        yield Statement("start", role=role)
    for role in roles:
        yield Statement("now", role=role)


def _others(scene: Scene, roles: Roles, seat: int) -> Iterator[Statement]:
    for other in scene.others(seat):
        for role in roles:
            yield Statement("start", other, role)
        for role in roles:
            yield Statement("now", other, role)


def _night(scene: Scene, roles: Roles, seat: int) -> Iterator[Statement]:
    for name, role in roles.items():
        for move, seen in role.tells(scene, seat):
            yield Statement("night", role=name, move=move, seen=seen)


def _accuse(scene: Scene, roles: Roles, seat: int) -> Iterator[Statement]:
    for other in scene.others(seat):
        yield Statement("accuse", other)
    for anybody in scene.seats:
        yield Statement("defend", anybody)


def _robber(scene: Scene, roles: Roles, seat: int) -> Iterator[Statement]:
    for move, _ in switches(scene):
        if move.places != (seat,):
            yield Statement("move", role="robber", move=move)


class Vocabulary(NamedTuple):
    """Statements of one kind.

    Attributes:
        statements: those open to a seat.
        words: what they say, in words.
    """

    statements: Callable[[Scene, Roles, int], Iterator[Statement]]
    words: str


VOCABULARIES: dict[str, Vocabulary] = {
    "roles": Vocabulary(_roles, "which card it was dealt or holds now"),
    "others": Vocabulary(_others, "which card somebody else was dealt or holds now"),
    "night": Vocabulary(_night, "what it did and saw at night in which role"),
    "accuse": Vocabulary(_accuse, "that somebody is a Werewolf now (accuse) or is none (defend)"),
}
"""What can be joined with ``+``. Besides there are ``none`` and ``robber``."""

NAMES = ("none", "robber", *VOCABULARIES)
MOST_ROUNDS = 10


class Talk(NamedTuple):
    """The talk of a game.

    Attributes:
        statements: by seat, what it may say.
        robber_only: whether only the Robber speaks. Who holds it is then public.
        rounds: how often everybody speaks.
        words: who may say what, in words; empty if nobody speaks.
    """

    statements: tuple[tuple[Statement, ...], ...]
    robber_only: bool
    rounds: int
    words: str

    def speakers(self, table: Table) -> tuple[int, ...]:
        """The seats that speak, in order."""
        if self.robber_only:
            return table.holders("robber") * self.rounds
        return tuple(s for s in table.scene.seats if self.statements[s]) * self.rounds

    def all_statements(self) -> Iterator[Statement]:
        """Everything that somebody may say, in the order in which it is numbered."""
        for statements in self.statements:
            yield from statements


def talk(name: str, rounds: int, scene: Scene, roles: Roles) -> Talk:
    """The talk called ``name``.

    Args:
        name: ``none``, ``robber``, or vocabularies joined with ``+``.
        rounds: how often everybody speaks.
        scene: the game.
        roles: the roles in the deck, in the order of the night.

    Raises:
        ParameterError: a vocabulary is unknown, named twice or cannot be joined; or the number of
            rounds is out of range, or more than 1 where nobody speaks.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ParameterError(f"talk_rounds={rounds}: choose 1 to {MOST_ROUNDS}")
    parts = name.replace(" ", "").split("+")
    for part in parts:
        if part not in NAMES:
            joined = "+".join(VOCABULARIES)
            raise ParameterError(
                f"talk={name!r} is unknown; choose one of {', '.join(NAMES)}; the last "
                f"{len(VOCABULARIES)} can be joined: {joined}"
            )
        if len(parts) > 1 and part not in VOCABULARIES:
            raise ParameterError(f"talk={name!r}: {part} stands alone; leave it out or the others")
        if parts.count(part) > 1:
            raise ParameterError(f"talk={name!r} names {part} twice; once is enough")
    if parts == ["none"]:
        if rounds > 1:
            raise ParameterError(
                f"talk_rounds={rounds}, but talk=none; choose what can be said, e.g. "
                "talk=roles+night+accuse, or talk_rounds=1"
            )
        return Talk(((),) * scene.num_players, False, 1, "")
    times = "" if rounds == 1 else f"in {rounds} rounds "
    if parts == ["robber"]:
        words = f"{times}the Robber says in public what it did at night, truly or not"
        statements = tuple(tuple(_robber(scene, roles, seat)) for seat in scene.seats)
        return Talk(statements, True, rounds, words)
    chosen = [VOCABULARIES[part] for part in parts]
    statements = tuple(
        (Statement(), *(s for part in chosen for s in part.statements(scene, roles, seat)))
        for seat in scene.seats
    )
    said = "; ".join(part.words for part in chosen)
    words = f"{times}each in turn, P1 first, says in public, truly or not: {said}; or nothing"
    return Talk(statements, False, rounds, words)
