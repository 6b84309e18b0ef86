"""The rules protocol: a game as pure functions over immutable positions.

A game is written once, exactly: chance probabilities and payoffs are `fractions.Fraction` (or SymPy
expressions, for games with symbolic parameters), positions are immutable and hashable, and nothing
here knows of OpenSpiel, NumPy or language models.

What a player knows is never computed from a position. Each move *says* what each player newly
observes (`Step.observations`), and a player's **view** is the fold of its own observations and own
actions in the order in which they happened::

    view = (("card", "Robber"), 1, ("now", "Werewolf"))     # 1 is the player's own action

The view is the information state. So perfect recall holds by construction, two players can never
share an information set, and a player can know only what it was told: the three defects that
OpenSpiel's own tests let pass (forgetting, shared keys, leaks) cannot be written.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from .errors import IllegalMove

CHANCE = -1
"""`Rules.mover` at a chance node; equal to ``pyspiel.PlayerId.CHANCE``."""
TERMINAL = -4
"""`Rules.mover` at the end of the game; equal to ``pyspiel.PlayerId.TERMINAL``."""

P = TypeVar("P", bound=Hashable)

Exact: TypeAlias = Any
"""A `Fraction`, an `int`, or a SymPy expression: anything exact. Never a float."""

Observation: TypeAlias = Hashable
"""Something a player learns. Any hashable value but an ``int`` (ints are own actions)."""

Observations: TypeAlias = tuple[tuple[Observation, ...], ...]
"""For each player, what it newly observes (usually nothing)."""

View: TypeAlias = tuple[Hashable, ...]
"""All that a player has observed and done so far, in order."""


class Step(NamedTuple, Generic[P]):
    """Where a move leads, and what each player learns from it.

    Attributes:
        position: the position after the move.
        observations: one tuple of new observations per player.
    """

    position: P
    observations: Observations


class Rules(ABC, Generic[P]):
    """The rules of one finite game with perfect recall.

    Subclasses set the attributes below in ``__init__`` and implement the abstract methods as pure
    functions: same arguments, same answer, nothing changed. Rules and positions must pickle,
    because OpenSpiel serialises states that hold them.

    Attributes:
        name: the OpenSpiel short name.
        parameters: every parameter with its value; `int`, `float`, `str` or `bool` only.
        num_players: number of players, numbered from 0 in code and from P1 in words.
        num_distinct_actions: players' actions are numbered below this.
        max_chance_outcomes: chance actions are numbered below this (0 without chance).
        max_game_length: the largest number of player moves in a play.
        max_chance_nodes: the largest number of chance moves in a play.
        utility_range: smallest and largest payoff of any player, in utilities; None where
            payoffs have symbols, and then there is no OpenSpiel game.
        utility_sum: the sum of all players' payoffs where it is the same at every terminal
            position, else None (general sum).
    """

    name: ClassVar[str]
    title: ClassVar[str]
    parameters: Mapping[str, int | float | str | bool]
    num_players: int
    num_distinct_actions: int
    max_chance_outcomes: int
    max_game_length: int
    max_chance_nodes: int
    utility_range: tuple[Exact, Exact] | None
    utility_sum: Fraction | None

    @abstractmethod
    def initial(self) -> Step[P]:
        """The position before the first move, and what the players know from the start."""

    @abstractmethod
    def mover(self, position: P) -> int:
        """Whose move it is: a player, `CHANCE` or `TERMINAL`."""

    @abstractmethod
    def legal_actions(self, position: P) -> tuple[int, ...]:
        """The mover's actions, ascending. They must be a function of the mover's view."""

    def chance_outcomes(self, position: P) -> tuple[tuple[int, Exact], ...]:
        """Outcomes of a chance node with their probabilities: each positive, the sum exactly 1."""
        raise NotImplementedError(f"{type(self).__name__} has no chance moves")

    @abstractmethod
    def play(self, position: P, action: int) -> Step[P]:
        """The move: successor position and new observations.

        The mover's own action enters its view by itself and need not be observed.
        Behaviour for an illegal action is unspecified; `checked_play` checks.
        """

    @abstractmethod
    def payoffs(self, position: P) -> tuple[Exact, ...]:
        """Each player's payoff at a terminal position, in utilities."""

    @abstractmethod
    def action_name(self, player: int, action: int) -> str:
        """A short name of an action of ``player`` (or of `CHANCE`): distinct within a position."""

    @abstractmethod
    def observation_name(self, player: int, observation: Observation) -> str:
        """An observation in words. Different observations need different words."""

    def describe(self, position: P) -> str:
        """A readable position (everything, hidden cards included)."""
        return str(position)

    def in_words(self) -> str:
        """The rules in plain words, for people and for language models; by default none."""
        return ""

    # ------------------------------------------------------------------ derived from the above

    def information_state_string(self, player: int, view: View) -> str:
        """The view in words, starting with the player: OpenSpiel's information-state string."""
        return f"P{player + 1}: " + "; ".join(self.view_words(player, view))

    def view_words(self, player: int, view: View) -> Iterator[str]:
        """The entries of a view in words, in order."""
        for entry in view:
            if isinstance(entry, int):
                yield self.action_name(player, entry)
            else:
                yield self.observation_name(player, entry)

    def actions(self, position: P) -> tuple[int, ...]:
        """All actions at a position that is not terminal, chance outcomes included."""
        if self.mover(position) == CHANCE:
            return tuple(action for action, _ in self.chance_outcomes(position))
        return self.legal_actions(position)

    def require_legal(self, position: P, action: int) -> None:
        """Raises `IllegalMove` for an action or chance outcome that the position lacks."""
        mover = self.mover(position)
        if mover == TERMINAL:
            raise IllegalMove(f"{self.name}: the game is over; no move is possible")
        legal = self.actions(position)
        if action not in legal:
            names = ", ".join(f"{a} ({self.action_name(mover, a)})" for a in legal)
            who = "chance" if mover == CHANCE else f"P{mover + 1}"
            raise IllegalMove(
                f"{self.name}: action {action} is not legal for {who}; legal: {names}"
            )

    def checked_play(self, position: P, action: int) -> Step[P]:
        """`play`, but raises `IllegalMove` for an action that the position does not offer."""
        self.require_legal(position, action)
        return self.play(position, action)


class Interchangeable(ABC, Generic[P]):
    """A mixin for rules that do not depend on how the players are numbered.

    Two positions of which one is the other with the seats renamed have the same values, so one of
    them stands for both: this makes games of many players solvable (`crywolf.solvers.lumping`).
    Which of several players with the same knowledge acts for all, and in which order simultaneous
    moves are asked for, may depend on the numbers.
    """

    @property
    @abstractmethod
    def interchangeable(self) -> bool:
        """Whether the seats are interchangeable under these parameters."""

    @abstractmethod
    def relabelled(self, position: P, seats: Sequence[int]) -> P:
        """The position in which seat s is called ``seats[s]`` wherever it occurs."""

    @abstractmethod
    def signature(self, position: P, seat: int) -> Hashable:
        """What distinguishes a seat from others without naming any seat; signatures are ordered.

        Relabelling moves it along: the signature of seat ``seats[s]`` after `relabelled` is that of
        s before.
        """

    def signatures(self, position: P) -> Sequence[Hashable]:
        """The signatures of all seats; rules may have a faster way than one by one."""
        seats = range(self.num_players)  # type: ignore[attr-defined]  # of the rules
        return [self.signature(position, seat) for seat in seats]

    @abstractmethod
    def known(self, position: P, player: int) -> P:
        """The position without what ``player`` does not know: a function of the player's view."""

    @abstractmethod
    def outcome(self, position: P) -> str:
        """Which side has won at a terminal position."""


class Cursor(NamedTuple):
    """A position together with every player's view of the play so far.

    Attributes:
        position: the rules' position.
        views: one view per player.
        news: what each player learned from the last move, own action included.
    """

    position: Any
    views: tuple[View, ...]
    news: tuple[View, ...]


def start(rules: Rules[Any]) -> Cursor:
    """The cursor before the first move."""
    step = rules.initial()
    return Cursor(step.position, step.observations, step.observations)


def advance(rules: Rules[Any], cursor: Cursor, action: int) -> Cursor:
    """The cursor after ``action``, which must be legal."""
    mover = rules.mover(cursor.position)
    position, observations = rules.play(cursor.position, action)
    if mover >= 0:
        own = ((action, *observations[mover]),)
        news = observations[:mover] + own + observations[mover + 1 :]
    else:
        news = observations
    views = tuple(view + new if new else view for view, new in zip(cursor.views, news, strict=True))
    return Cursor(position, views, news)
