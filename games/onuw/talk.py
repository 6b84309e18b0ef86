"""The talk phase: who may say what, in public, before the vote.

A vocabulary lists the speakers of a deal, in order, and the statements open to each. Statements are
actions; every other player hears them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import ParameterError
from .roles import ROLES, Table


def _nobody(table: Table) -> tuple[int, ...]:
    return ()


def _no_statement(table: Table, seat: int) -> tuple[int, ...]:
    return ()


def _the_robber(table: Table) -> tuple[int, ...]:
    return table.holders("robber")


def _switch_claims(table: Table, seat: int) -> tuple[int, ...]:
    """The Robber's own night choices, each as a claim, true or not."""
    return tuple(table.actions.say(a) for a in ROLES["robber"].choices(table, seat))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What can be said.

    Attributes:
        speakers: the seats that speak, in order. Who speaks is public, so a vocabulary whose
            speakers depend on the deal (``fixed_only``) is refused when cards are dealt by chance.
        statements: the actions open to a speaker.
        words: who may say what, in words; empty if nobody speaks.
    """

    speakers: Callable[[Table], tuple[int, ...]]
    statements: Callable[[Table, int], tuple[int, ...]]
    fixed_only: bool = False
    words: str = ""


VOCABULARIES: dict[str, Vocabulary] = {
    "none": Vocabulary(_nobody, _no_statement),
    "robber": Vocabulary(
        _the_robber,
        _switch_claims,
        fixed_only=True,
        words="the Robber says in public what it did at night, truly or not",
    ),
}


def vocabulary(name: str) -> Vocabulary:
    """The vocabulary called ``name``.

    Raises:
        ParameterError: there is none.
    """
    try:
        return VOCABULARIES[name]
    except KeyError:
        raise ParameterError(
            f"talk={name!r} is unknown; choose one of {', '.join(VOCABULARIES)}"
        ) from None
