"""Prompts: what a player knows and what it may do, in words.

The first message explains the game and is the same for every player and every information set, so
that a server, or the local backend, can keep what it computed for it. The second holds the player's
view and the options under labels. Options are shown in a given order, because models favour labels
and places whatever stands there; how orders are averaged is the elicitation's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

import pyspiel

from ..games.loading import game_name, rules_of
from .briefs import BRIEFS
from .chat import Message
from .views import PlayerView

LETTERS = len(ascii_uppercase)
"""Options that letters can label."""
SHOWN = 500
"""Characters of a bad answer that the model is shown again."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What every player is told about a game.

    Attributes:
        title: the game's name in words.
        num_players: number of players.
        rules: the rules in words, and how to read an information state; may be empty.
    """

    title: str
    num_players: int
    rules: str

    @classmethod
    def of(cls, game: pyspiel.Game, rules: str | None = None) -> Brief:
        """The brief of a game.

        Args:
            game: the game.
            rules: the rules in words; by default those that the game itself tells
                (`Rules.in_words`), or ours for some games of OpenSpiel, or none.
        """
        kind, own = game.get_type(), rules_of(game)
        tell = BRIEFS.get(kind.short_name, lambda _: "")
        words = tell(game) if own is None else own.in_words()
        title = kind.long_name if own is None else own.title
        name = game_name(game) if own is not None else _name(game)
        if name != kind.short_name and (own is None or not words):
            title += f" ({name})"  # the title itself does not depend on the parameters
        return cls(title, game.num_players(), (words if rules is None else rules).strip())

    @property
    def told(self) -> bool:
        """Whether the rules are told; else a model knows the title, its view and the options."""
        return bool(self.rules)


def _name(game: pyspiel.Game) -> str:
    """`game_name` without parameters that have their defaults.

    So equal games are told in equal words, and have equal keys in call stores.
    """
    kind: Any = game.get_type()
    if kind.short_name not in pyspiel.registered_names():
        return game_name(game)
    default = kind.parameter_specification
    chosen = {
        name: value
        for name, value in game.get_parameters().items()
        if name not in default or value != default[name]
    }
    return game_name(pyspiel.load_game(kind.short_name, chosen))


def labels(count: int) -> tuple[str, ...]:
    """Labels for ``count`` options: letters, or numbers from 1 if there are too many."""
    if count <= LETTERS:
        return tuple(ascii_uppercase[:count])
    return tuple(str(i + 1) for i in range(count))


def rotated(options: Sequence[str], by: int) -> tuple[str, ...]:
    """The options from number ``by`` on, then those before it."""
    return (*options[by:], *options[:by])


def ask_for_label(brief: Brief, view: PlayerView, rotation: int) -> tuple[Message, ...]:
    """The question for one move.

    Args:
        brief: the game.
        view: who is asked, and what it knows.
        rotation: how many places the options are turned.
    """
    kind = _kind(len(view.options))
    return _conversation(brief, view, rotation, f"Answer with one {kind} only.")


def ask_for_mix(brief: Brief, view: PlayerView, rotation: int) -> tuple[Message, ...]:
    """The question for a mixed strategy; arguments as for `ask_for_label`.

    It shows no example, because small models copy any numbers that they are shown.
    """
    return _conversation(
        brief,
        view,
        rotation,
        f"Answer with a JSON object only: for each {_kind(len(view.options))}, the probability "
        "with which you choose it. The probabilities sum to 1.",
    )


def ask_again(messages: tuple[Message, ...], answer: str, reason: str) -> tuple[Message, ...]:
    """The conversation continued: the answer that could not be used, and why.

    Args:
        messages: the conversation so far.
        answer: what the model said.
        reason: what was wrong with it, and what is asked for.
    """
    return (
        *messages,
        Message("assistant", answer.strip()[:SHOWN] or "(nothing)"),
        Message("user", reason),
    )


def _kind(count: int) -> str:
    return "letter" if count <= LETTERS else "number"


def _conversation(
    brief: Brief, view: PlayerView, rotation: int, instruction: str
) -> tuple[Message, ...]:
    players = ", ".join(f"P{p + 1}" for p in range(brief.num_players))
    system = f"You play {brief.title} with the players {players}."
    if brief.rules:
        system += f"\n{brief.rules}"
    system += "\nMake your own payoff as large as you can."
    known = "\n".join(f"- {statement}" for statement in view.known) or "- nothing yet"
    options = rotated(view.options, rotation)
    menu = "\n".join(f"{name}: {o}" for name, o in zip(labels(len(options)), options, strict=True))
    user = (
        f"You are P{view.player + 1}. What you know and did, in order:\n{known}\n"
        f"Your options:\n{menu}\n{instruction}"
    )
    return Message("system", system), Message("user", user)
