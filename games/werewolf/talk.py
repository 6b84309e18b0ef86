"""The talk: who may say what, in public, before the elimination.

A vocabulary is a set of statements; each is an action, and everybody hears it. Vocabularies can be
combined, and with any of them one may say nothing:

- ``roles``: "I am the Seer", for every role in the deck;
- ``results``: "P2 is a wolf" and "P2 is not a wolf", of any other player, dead or alive;
- ``accuse``, ``defend``, ``support``: another living player;
- ``aiwolf``: the sentences of the AIWolf protocol 3.6 that have no operator and leave the subject
  out, about definite agents, dead or alive; AGREE and DISAGREE with what has been said on the same
  day. Saying nothing is called ``Skip`` there.

``reveal`` is no statement but a true, uncontested claim, see `days` and `voting`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from ..errors import ParameterError
from .actions import Action, ActionTable
from .parameters import Options
from .position import NOBODY, Position
from .role import Role

Statement: TypeAlias = tuple[Action, str]
"""A statement and its name."""

NOTHING = Action("say nothing")
KEPT = 1 << 16
"""Lists of legal statements remembered."""
OPINIONS = ("AGREE", "DISAGREE")


def _roles(options: Options, roles: Mapping[str, Role]) -> Iterator[Statement]:
    for role in roles.values():
        yield Action("claim", NOBODY, role.name), f"I am the {role.title}"


def _results(options: Options, roles: Mapping[str, Role]) -> Iterator[Statement]:
    for seat in range(options.players):
        for what, words in (("wolf", "a wolf"), ("not wolf", "not a wolf")):
            yield Action("result", seat, what), f"P{seat + 1} is {words}"


def _about(verb: str) -> Callable[[Options, Mapping[str, Role]], Iterator[Statement]]:
    def statements(options: Options, roles: Mapping[str, Role]) -> Iterator[Statement]:
        for seat in range(options.players):
            yield Action(verb, seat), f"{verb} P{seat + 1}"

    return statements


def _aiwolf(options: Options, roles: Mapping[str, Role]) -> Iterator[Statement]:
    from ..aiwolf import sentences, vocabulary  # here, for it may well know this game

    yield Action("over"), str(vocabulary.Quiet.OVER)
    for seat in range(options.players):
        about = [
            sentences.Claim(verb, seat + 1, role)
            for verb in vocabulary.CLAIMS
            for role in vocabulary.Role
        ]
        about += [
            sentences.Result(verb, seat + 1, species)
            for verb in vocabulary.RESULTS
            for species in vocabulary.Species
        ]
        about += [sentences.Action(verb, seat + 1) for verb in vocabulary.ACTIONS]
        for sentence in about:
            yield Action("sentence", seat, str(sentence)), str(sentence)
    for day in range(1, options.last_day + 1):
        for index in range(options.players * options.talk_rounds):
            for verb in vocabulary.OPINIONS:
                said = sentences.TalkNumber(day, index)
                name = str(sentences.Opinion(verb, said))
                yield Action(str(verb), NOBODY, f"{day} {index}"), name


VOCABULARIES: dict[str, Callable[[Options, Mapping[str, Role]], Iterator[Statement]]] = {
    "roles": _roles,
    "results": _results,
    "accuse": _about("accuse"),
    "defend": _about("defend"),
    "support": _about("support"),
    "aiwolf": _aiwolf,
    "reveal": lambda options, roles: iter(()),
}
"""Every vocabulary with its statements, saying nothing aside."""

OF_THE_LIVING = ("accuse", "defend", "support")
"""Verbs whose statements are about other living players."""


class Talk:
    """What can be said in one game.

    Args:
        options: the conventions.
        roles: the roles in the deck, by name.

    Attributes:
        names: the vocabularies.
        reveals: whether Seers may reveal themselves.
        speaks: whether there are statements.

    Raises:
        ParameterError: a vocabulary is unknown.
    """

    def __init__(self, options: Options, roles: Mapping[str, Role]):
        self.names = () if options.talk == "none" else tuple(options.talk.split("+"))
        for name in self.names:
            if name not in VOCABULARIES:
                raise ParameterError(
                    f"werewolf: talk={options.talk!r}: there is no vocabulary {name!r}; join some "
                    f"of {', '.join(VOCABULARIES)} by +, or choose none"
                )
        self.reveals = "reveal" in self.names
        self.speaks = any(name != "reveal" for name in self.names)
        self._rounds = options.talk_rounds
        self._statements = self._all(options, roles) if self.speaks else []
        self._legal: dict[tuple[int, tuple[bool, ...]], tuple[int, ...]] = {}

    def _all(self, options: Options, roles: Mapping[str, Role]) -> list[Statement]:
        nothing = "Skip" if "aiwolf" in self.names else "say nothing"
        found: dict[Action, str] = {NOTHING: nothing}
        for name in self.names:
            found |= dict(VOCABULARIES[name](options, roles))
        return list(found.items())

    def all_statements(self) -> list[Statement]:
        """Every statement of the game with its name."""
        return self._statements

    def legal(self, actions: ActionTable, position: Position) -> tuple[int, ...]:
        """The statements open to the next speaker, ascending."""
        seat, alive = position.queue[0], position.alive
        known = self._legal.get((seat, alive))
        if known is None:
            if len(self._legal) >= KEPT:
                self._legal.clear()
            known = self._legal[seat, alive] = self._always_open(actions, seat, alive)
        if "aiwolf" not in self.names:
            return known
        opinions = [
            actions.number(verb, NOBODY, f"{position.day} {index}")
            for index in range(sum(alive) * self._rounds - len(position.queue))
            for verb in OPINIONS
        ]
        return tuple(sorted((*known, *opinions)))

    def _always_open(
        self, actions: ActionTable, seat: int, alive: tuple[bool, ...]
    ) -> tuple[int, ...]:
        """The statements that do not depend on what has been said."""
        legal = []
        for action, _ in self._statements:
            verb, target, _ = action
            if verb in OF_THE_LIVING:
                allowed = target != seat and alive[target]
            elif verb == "result":
                allowed = target != seat
            else:
                allowed = verb not in OPINIONS
            if allowed:
                legal.append(actions.number(*action))
        return tuple(sorted(legal))
