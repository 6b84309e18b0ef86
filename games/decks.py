"""Decks of role cards as game strings write them, and tables of roles that users add to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Protocol, TypeVar

from .errors import ParameterError


class Named(Protocol):
    """A role, of any game."""

    @property
    def name(self) -> str:
        """Lower-case name, as in the ``roles`` parameter."""
        ...


R = TypeVar("R", bound=Named)


def parse_deck(text: str, roles: Iterable[str], example: str) -> tuple[str, ...]:
    """Role names from a string such as ``2werewolf+seer+3villager``.

    Args:
        text: the string.
        roles: the known names.
        example: a good string, for the message.

    Raises:
        ParameterError: an unknown role or a malformed count.
    """
    known = tuple(roles)
    cards: list[str] = []
    for part in text.replace(" ", "").lower().split("+"):
        name = part.lstrip("0123456789")
        digits = part[: len(part) - len(name)]
        if name not in known or not re.fullmatch(r"([1-9][0-9]?)?", digits):
            raise ParameterError(
                f"roles={text!r}: {part!r} is not a role; write e.g. {example} with roles among "
                f"{', '.join(known)}"
            )
        cards += [name] * int(digits or 1)
    return tuple(cards)


def insert_role(roles: dict[str, R], role: R, after: str, fixed: Collection[str]) -> None:
    """Adds a role to a table in night order, or replaces one that was added before.

    Args:
        roles: the table, changed in place.
        role: the role.
        after: the role after whose turn its own comes at night.
        fixed: roles that come with the game and cannot be replaced.

    Raises:
        ParameterError: the name is no name or taken, or no role is called ``after``.
    """
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", role.name):
        raise ParameterError(
            f"{role.name!r} is no name for a role; use lower-case letters, with - between words"
        )
    if role.name in fixed:
        raise ParameterError(f"{role.name!r} is a role of the game already; choose another name")
    others = {name: known for name, known in roles.items() if name != role.name}
    if after not in others:
        raise ParameterError(f"after={after!r} is not a role; choose one of {', '.join(others)}")
    roles.clear()
    for name, known in others.items():
        roles[name] = known
        if name == after:
            roles[role.name] = role
