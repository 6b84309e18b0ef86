"""The game that the file of a compiled tree was compiled from, as far as the file knows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Self

import pyspiel

from .archive import ArchiveKind
from .errors import TreeFileError
from .loading import game_string, load_game

KIND = ArchiveKind("compiled tree", 1, TreeFileError, "GameTree.save")


@dataclass(frozen=True)
class SavedGame:
    """The source of a tree that was read from a file.

    Attributes:
        name: of the game.
        title: the game's name for people.
        text: the game string, None if the game has none.
        full: the same with all parameters, as `game_string` writes it.
        actions: of a game without game string, the names of the actions by information-state
            string, in the order of their numbers.
        outcomes: of a game without game string, the names of chance's outcomes by number; empty
            if the file does not know them.
    """

    name: str
    title: str
    text: str | None
    full: str
    actions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    outcomes: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """What a file says of its game, names left out.

        Raises:
            TreeFileError: the file is missing, truncated, altered, of another program or version.
        """
        facts, _ = KIND.read(path)
        try:
            return cls.of(facts)
        except (KeyError, TreeFileError) as error:
            raise broken(path, error) from error

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Self:
        """From the facts of a file, names left out.

        Raises:
            KeyError: they lack parts.
            TreeFileError: parts are of another type.
        """
        name, text, full = facts["name"], facts["game"], facts["game_string"]
        title = facts.get("title", name)  # there was none at first
        if not all(isinstance(word, str) for word in (name, title, full, text or "")):
            raise TreeFileError("its name and its game string do not fit")
        return cls(name, title, text, full)

    def load(self) -> pyspiel.Game:
        """The game.

        Raises:
            TreeFileError: there is no game string, or it now stands for another game.
            UnknownGame: no game of that name is registered.
        """
        if self.text is None:
            raise TreeFileError(
                f"the game {self.name} is known from the file of a compiled tree alone, which "
                "holds its nodes and names, but not the rules, and it has no game string to load "
                "them by. What needs the tree only works (solve, nashconv, convert, draw); for "
                "the rest compile the game itself, or `crywolf convert` the file to .efg"
            )
        game = load_game(self.text)
        if game_string(game) != self.full:
            raise TreeFileError(
                f"{self.text} now is {game_string(game)}, but the file was compiled from "
                f"{self.full}; compile the game again"
            )
        return game

    def outcome_name(self, number: int) -> str:
        """The name of an outcome of chance, of a game without game string.

        Raises:
            TreeFileError: the file does not know it.
        """
        name = self.outcomes.get(number)
        if name is None:
            raise TreeFileError(
                f"the file of the compiled tree of {self.name} does not hold the names of chance's "
                "outcomes; compile the game itself (and save its tree anew: GameTree.save)"
            )
        return name


def broken(path: str | PathLike[str], error: Exception) -> TreeFileError:
    """The refusal of a file that is whole, but describes no tree."""
    return TreeFileError(
        f"{path} lacks parts of a compiled tree or has broken ones ({error}); GameTree.save writes "
        "it anew"
    )
