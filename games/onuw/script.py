"""Night actions that are laid down in advance.

A script such as ``seer:P4+robber:P1+troublemaker:P3-P5`` names for some roles the one thing that
every holder does. What is done is written as its places (``P4``, ``C1-C2`` for centre cards) or as
the name of the action (``NS``, ``no swap``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..errors import ParameterError
from .actions import ActionTable
from .role import Role, Table, title
from .scene import Cards, Move, Scene

FREE = "free"


def night_script(
    text: str,
    scene: Scene,
    roles: Mapping[str, Role],
    actions: ActionTable,
    deal: Cards | None,
) -> dict[str, int]:
    """The action of every scripted role; empty if the night is free.

    Args:
        text: the ``night`` parameter.
        scene: the game.
        roles: the roles in the deck.
        actions: the numbering of actions.
        deal: the cards by place, or None if chance deals them.

    Raises:
        ParameterError: a role or an action is unknown, or a holder could not do it.
    """
    script: dict[str, int] = {}
    if text.strip().lower() == FREE:
        return script
    for part in text.split("+"):
        name, colon, word = (piece.strip() for piece in part.partition(":"))
        name = name.lower()
        where = f"night={text!r}: {part!r}"
        if not colon or name not in roles:
            raise ParameterError(
                f"{where} does not name a role of the deck and what it does; write "
                f"role:action, e.g. seer:P4, with roles among {', '.join(roles)}; or night=free"
            )
        if name in script:
            raise ParameterError(f"{where}: {name} is scripted twice; give it one action")
        script[name] = _action(where, word, name, scene, roles[name], actions)
        for table, seat in _turns(name, scene, actions, deal):
            _require_legal(where, script[name], table, seat, roles[name], deal is not None)
        if deal is not None and name not in deal[: scene.num_players]:
            raise ParameterError(f"{where}: no player is dealt {name}; leave it out")
    return script


def _action(
    where: str, word: str, name: str, scene: Scene, role: Role, actions: ActionTable
) -> int:
    moves = role.moves(scene)
    wanted = word.replace(" ", "").lower()
    for move, action_name in moves:
        names_it = action_name.replace(" ", "").lower() == wanted
        if names_it or (move.places and sorted(wanted.split("-")) == _places(scene, move)):
            return actions.number(move)
    if not moves:
        raise ParameterError(f"{where}: the {title(name)} chooses nothing at night; leave it out")
    words = ", ".join(action_name for _, action_name in moves)
    raise ParameterError(f"{where}: {word!r} is nothing that the {title(name)} does: {words}")


def _places(scene: Scene, move: Move) -> list[str]:
    names = map(scene.place_name, move.places)
    return sorted(name.lower().replace("centre ", "c") for name in names)


def _turns(
    name: str, scene: Scene, actions: ActionTable, deal: Cards | None
) -> Iterator[tuple[Table, int]]:
    """The holder's turns; with a deal by chance that of every seat, as the only holder."""
    for seat in scene.seats:
        if deal is None:
            alone = ("",) * seat + (name,) + ("",) * (len(scene.deck) - seat - 1)
            yield Table(alone, alone, scene, actions), seat
        elif deal[seat] == name:
            yield Table(deal, deal, scene, actions), seat


def _require_legal(
    where: str, action: int, table: Table, seat: int, role: Role, dealt: bool
) -> None:
    choices = role.choices(table, seat)
    if action in choices:
        return
    who = f"{title(role.name)} {'is' if dealt else 'may be'} P{seat + 1}"
    if not choices:
        raise ParameterError(f"{where}: the {who} and has no choice in this game; leave it out")
    can = ", ".join(table.actions.names[choice] for choice in choices)
    cure = "" if dealt else "; or say who holds it with deal=fixed or deal=stacked"
    raise ParameterError(f"{where}: the {who} and cannot do that; choose among: {can}{cure}")
