"""The numbering of ONUW's actions, and their names.

Actions are numbered in blocks, so that one number means one thing for every seat and a name needs
no position: switches, looks, what the Robber can say of its switch, votes; then, as far as the deck
and the talk have them, the other night actions and the other statements.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import ParameterError
from .role import Role
from .scene import Move, Scene, looks, switches
from .statements import Statement, Wording
from .words import sight


class ActionTable:
    """Numbers and names of the actions of a game.

    Args:
        scene: the game.
        roles: the roles in the deck.
        statements: what can be said.

    Attributes:
        names: the names of the actions, by number.
        wording: how statements are worded.

    Raises:
        ParameterError: two roles call different moves by one name.
    """

    def __init__(self, scene: Scene, roles: Iterable[Role], statements: Iterable[Statement]):
        self.names: list[str] = []
        self._moves: dict[int, Move] = {}
        self._numbers: dict[Move, int] = {}
        self._statements: dict[int, Statement] = {}
        self._said: dict[Statement, int] = {}
        self.wording = Wording(scene, self.move_name, lambda seen: sight(scene, seen))
        self._add_moves(switches(scene))
        robber = tuple(self._numbers)
        self._add_moves(looks(scene))
        self._add_statements(Statement("move", role="robber", move=move) for move in robber)
        self._vote = len(self.names)
        self.names += [f"vote {scene.place_name(seat)}" for seat in scene.seats]
        for role in roles:
            self._add_moves(role.moves(scene))
        self._add_statements(statements)

    def _add_moves(self, named: Iterable[tuple[Move, str]]) -> None:
        for move, name in named:
            if move not in self._numbers:
                if name in self.names:
                    raise ParameterError(f"two night actions are called {name!r}; rename {move}")
                self._numbers[move] = len(self.names)
                self._moves[len(self.names)] = move
                self.names.append(name)

    def _add_statements(self, statements: Iterable[Statement]) -> None:
        for statement in statements:
            if statement not in self._said:
                self._said[statement] = len(self.names)
                self._statements[len(self.names)] = statement
                self.names.append(self.wording.action_name(statement))

    def __len__(self) -> int:
        return len(self.names)

    def number(self, move: Move) -> int:
        """The action that carries out a night move."""
        return self._numbers[move]

    def is_move(self, action: int) -> bool:
        """Whether an action is a night action."""
        return action in self._moves

    def move(self, action: int) -> Move:
        """The night move of an action."""
        return self._moves[action]

    def move_name(self, move: Move) -> str:
        """The name of the action that carries out a night move."""
        return self.names[self._numbers[move]]

    def say(self, statement: Statement) -> int:
        """The action that makes a statement."""
        return self._said[statement]

    def statement(self, action: int) -> Statement:
        """The statement that an action makes."""
        return self._statements[action]

    def vote(self, seat: int) -> int:
        """A vote for ``seat``."""
        return self._vote + seat

    def voted_for(self, action: int) -> int:
        """The seat of a `vote`."""
        return action - self._vote
