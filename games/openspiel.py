"""Any `Rules` as an OpenSpiel game, so that every OpenSpiel algorithm runs on it.

One generic pair of classes, `RulesGame` and `RulesState`, serves all rules: the rules say what is
legal, what happens and who learns what; the pair only translates. `register` makes a rules class
(or a function that makes rules) known to ``pyspiel.load_game`` under a name, with the parameters of
its constructor.

What OpenSpiel is told:

- The **information-state string** is the player's view in words. It is the fold of what the player
  observed and did, hence perfect recall, keys of one player only, and nothing unseen.
- The **observation string** is what the player newly learned from the last move (`Cursor.news`),
  empty if nothing. Joined in order, observation strings give the information state. An observation
  is news, not a summary of the position: a learner that has no memory needs the information state.
- Exact chance probabilities and payoffs are converted to floating point here and nowhere else.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import pyspiel

from .errors import BadPayoff, ParameterError, UnsupportedGame
from .observers import InformationStateObserver, NewsObserver
from .rules import CHANCE, TERMINAL, Cursor, Exact, Rules, advance, start

Parameter: TypeAlias = int | float | str | bool

FORBIDDEN = ",()="
"""Characters that end a string parameter in an OpenSpiel game string."""


# -------------------------------------------------------------------------------- states and games


class Record(NamedTuple):
    """The whole content of a state, immutable.

    OpenSpiel clones a Python state by deep-copying its attributes one by one; a single record that
    copies to itself makes this cheap.

    Attributes:
        rules: the rules.
        cursor: the position and the players' views.
    """

    rules: Rules[Any]
    cursor: Cursor

    def __copy__(self) -> Record:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Record:
        return self


class RulesState(pyspiel.State):
    """A position of a `RulesGame`; see ``pyspiel.State`` for the methods.

    Attributes:
        record: rules and cursor, for code that wants exact numbers.
    """

    def __init__(self, game: RulesGame, record: Record):
        super().__init__(game)
        self.record = record

    def current_player(self) -> int:
        """The mover: a player, or OpenSpiel's number for chance or the end of the game."""
        rules, cursor = self.record
        return rules.mover(cursor.position)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        rules, cursor = self.record
        return rules.mover(cursor.position) == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        rules, cursor = self.record
        return list(rules.legal_actions(cursor.position))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes of a chance node with floating-point probabilities."""
        rules, cursor = self.record
        if rules.mover(cursor.position) != CHANCE:
            raise UnsupportedGame(
                f"{rules.name}: chance outcomes asked for where chance does not move"
            )
        return [(action, _number(rules, p)) for action, p in rules.chance_outcomes(cursor.position)]

    def _apply_action(self, action: int) -> None:
        rules, cursor = self.record
        rules.require_legal(cursor.position, action)
        self.record = Record(rules, advance(rules, cursor, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self.record.rules.action_name(player, action)

    def returns(self) -> list[float]:
        """Payoffs of a finished game, in utilities; zeros before."""
        rules, cursor = self.record
        if rules.mover(cursor.position) != TERMINAL:
            return [0.0] * rules.num_players
        return [_number(rules, payoff) for payoff in rules.payoffs(cursor.position)]

    def __str__(self) -> str:
        """The position and what each player knows of it, hidden cards included."""
        rules, cursor = self.record
        words = [rules.information_state_string(p, view) for p, view in enumerate(cursor.views)]
        return "\n".join([rules.describe(cursor.position), *words])

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.get_game(), self.history())


class RulesGame(pyspiel.Game):
    """A rules object as an OpenSpiel game.

    Use `register` and ``pyspiel.load_game``, or `as_openspiel`.

    Args:
        rules: the rules.
        registration: the registered game that this is an instance of, if any.
    """

    def __init__(self, rules: Rules[Any], registration: Registration | None = None):
        self.rules = rules
        self.registration = registration
        self._start: Record | None = None
        defaults = registration.defaults if registration else {}
        chosen = {
            name: value
            for name, value in rules.parameters.items()
            if name in defaults and value != defaults[name]
        }
        super().__init__(_game_type(rules, registration), _game_info(rules), chosen)

    def new_initial_state(self) -> RulesState:
        """The state before the first move."""
        if self._start is None:  # every clone of a state comes through here, hence kept
            self._start = Record(self.rules, start(self.rules))
        return RulesState(self, self._start)

    def max_chance_nodes_in_history(self) -> int:
        """The largest number of chance moves in a play."""
        return self.rules.max_chance_nodes

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An observer of a player's own knowledge, or None for any other kind.

        Rules do not say which news are public, so there are no observers of public or of private
        information alone.

        Raises:
            ParameterError: observer parameters were given; there are none.
        """
        if params:
            raise ParameterError(f"{self.rules.name}: observers take no parameters, got {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return InformationStateObserver(self.rules) if kind.perfect_recall else NewsObserver()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.registration:
            return _load, (str(self),)
        return as_openspiel, (self.rules,)


def _load(text: str) -> pyspiel.Game:
    return pyspiel.load_game(text)


def _replay(game: RulesGame, history: Sequence[int]) -> pyspiel.State:
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


# --------------------------------------------------------------------------- what OpenSpiel is told


def _game_type(rules: Rules[Any], registration: Registration | None) -> pyspiel.GameType:
    """The honest type of this instance: parameters may change the utility and the chance mode."""
    kinds = pyspiel.GameType
    if rules.utility_sum is None:
        utility = kinds.Utility.GENERAL_SUM
    elif rules.utility_sum == 0:
        utility = kinds.Utility.ZERO_SUM
    else:
        utility = kinds.Utility.CONSTANT_SUM
    fewest, most = registration.seats if registration else (rules.num_players,) * 2
    return kinds(
        short_name=registration.short_name if registration else rules.name,
        long_name=rules.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=(
            kinds.ChanceMode.EXPLICIT_STOCHASTIC
            if rules.max_chance_nodes
            else kinds.ChanceMode.DETERMINISTIC
        ),
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification=dict(registration.defaults) if registration else {},
    )


def _game_info(rules: Rules[Any]) -> pyspiel.GameInfo:
    if rules.utility_range is None:
        raise UnsupportedGame(
            f"{rules.name} has no range of payoffs; OpenSpiel games need the smallest and the "
            "largest payoff as numbers: set utility_range, and substitute numbers for symbols"
        )
    smallest, largest = rules.utility_range
    total = {} if rules.utility_sum is None else {"utility_sum": _number(rules, rules.utility_sum)}
    return pyspiel.GameInfo(
        num_distinct_actions=rules.num_distinct_actions,
        max_chance_outcomes=rules.max_chance_outcomes,
        num_players=rules.num_players,
        min_utility=_number(rules, smallest),
        max_utility=_number(rules, largest),
        max_game_length=rules.max_game_length,
        **total,
    )


def _number(rules: Rules[Any], value: Exact) -> float:
    """An exact number as a float.

    Raises:
        UnsupportedGame: it holds symbols.
    """
    try:
        return float(value if not isinstance(value, int) else Fraction(value))
    except OverflowError:
        raise BadPayoff(
            f"{rules.name}: a payoff is too large for a float; divide all payoffs by one number"
        ) from None
    except TypeError:
        raise UnsupportedGame(
            f"{rules.name}: {value} is not a number; OpenSpiel games are numeric, so substitute "
            "numbers for the symbols first"
        ) from None


# ------------------------------------------------------------------------------------- registration


@dataclass(frozen=True)
class Registration:
    """What makes rules, under a name that ``pyspiel.load_game`` knows.

    Attributes:
        short_name: the name.
        maker: a rules class, or a function that returns rules.
        defaults: every parameter of the maker with this game's default value.
        seats: fewest and most players.
        summary: the game in one line.
    """

    short_name: str
    maker: Callable[..., Rules[Any]]
    defaults: Mapping[str, Parameter]
    seats: tuple[int, int]
    summary: str = ""

    def create(self, parameters: Mapping[str, Parameter]) -> RulesGame:
        """The game for ``parameters``; see `rules`."""
        return RulesGame(self.rules(parameters), self)

    def rules(self, parameters: Mapping[str, Parameter]) -> Rules[Any]:
        """The rules for ``parameters``; those left out have their defaults.

        Raises:
            ParameterError: a parameter is unknown, of the wrong type, or refused by the rules.
        """
        known = ", ".join(f"{name}={value}" for name, value in self.defaults.items()) or "none"
        chosen = dict(self.defaults)
        for name, value in parameters.items():
            if name not in chosen:
                raise ParameterError(f"{self.short_name} has no parameter {name!r}; it has {known}")
            wanted = type(self.defaults[name])
            if wanted is float and type(value) is int:
                value = float(value)
            if type(value) is not wanted:
                raise ParameterError(
                    f"{self.short_name}: {name}={value!r} is not of type {wanted.__name__}; "
                    f"the default is {self.defaults[name]!r}"
                )
            if isinstance(value, str) and any(sign in value for sign in FORBIDDEN):
                raise ParameterError(
                    f"{self.short_name}: {name}={value!r} holds one of {FORBIDDEN!r}, which a game "
                    "string cannot carry"
                )
            chosen[name] = value
        return self.maker(**chosen)

    def made(self, rules: Rules[Any]) -> bool:
        """Whether these rules are one of the games: from the maker, and without symbols.

        Rules that a function makes name it as ``maker``.
        """
        made = getattr(rules, "maker", type(rules)) is self.maker
        return made and not getattr(rules, "symbols", ())


_registrations: dict[str, Registration] = {}


def registrations() -> Mapping[str, Registration]:
    """The games made known by `register`, by short name."""
    return MappingProxyType(_registrations)


def register(
    maker: Callable[..., Rules[Any]],
    short_name: str | None = None,
    defaults: Mapping[str, Parameter] | None = None,
    *,
    seats: tuple[int, int] | None = None,
    summary: str | None = None,
) -> Registration:
    """Makes a rules class, or a function that makes rules, known to ``pyspiel.load_game``.

    The game's parameters are the keyword parameters of the class's constructor, or those of the
    function. A preset is the same class under another name with other defaults. Registering a name
    again replaces the game, as in a notebook cell that is run twice.

    Args:
        maker: the rules class or function; ``maker(**parameters)`` must work. For `as_openspiel` to
            know them again, rules that a function makes have it as their attribute ``maker``.
        short_name: the name; by default that of the rules.
        defaults: default values that differ from those of the constructor.
        seats: fewest and most players over all parameters; by default the number of players that
            the defaults give.
        summary: the game in one line, for lists of games; by default the rules' title.

    Raises:
        ParameterError: a parameter has no default or is not int, float, str or bool;
            ``defaults`` names an unknown parameter; the defaults are refused by the rules; or the
            name belongs to a game of OpenSpiel itself.
    """
    name = short_name or getattr(maker, "name", None) or inspect.unwrap(maker).__name__
    if name not in _registrations and name in pyspiel.registered_names():
        raise ParameterError(f"OpenSpiel has its own game {name!r}; choose another short_name")
    own: dict[str, Parameter] = {}
    for parameter in inspect.signature(maker).parameters.values():
        if not isinstance(parameter.default, int | float | str | bool):
            raise ParameterError(
                f"{name}: parameter {parameter.name!r} needs a default that is an int, float, "
                "str or bool; games without such parameters go through as_openspiel"
            )
        own[parameter.name] = parameter.default
    unchanged = Registration(name, maker, MappingProxyType(own), seats or (0, 0))
    example = unchanged.create(defaults or {}).rules  # refuses bad defaults
    fewest, most = seats or (example.num_players, example.num_players)
    merged = MappingProxyType(own | dict(defaults or {}))
    registration = Registration(
        name, maker, merged, (fewest, most), example.title if summary is None else summary
    )
    _registrations[name] = registration
    pyspiel.register_game(_game_type(example, registration), _creator(name))
    return registration


def _creator(short_name: str) -> type:
    """What OpenSpiel calls to make the game: a class, although a function would look simpler.

    OpenSpiel lets go of its creators after the interpreter has shut down. A function would then be
    freed and the process would abort; a class refers to itself and stays.
    """

    class Creator:
        def __new__(cls, parameters: Mapping[str, Parameter]) -> RulesGame:  # type: ignore[misc]
            return _registrations[short_name].create(parameters)

    return Creator


def as_openspiel(rules: Rules[Any]) -> RulesGame:
    """A rules object as an OpenSpiel game.

    If it is registered under its own name, the game is a full citizen of OpenSpiel. If not
    (an explicit tree, say), every algorithm runs on it, and it can be pickled when the rules can;
    but OpenSpiel cannot find it by name: ``pyspiel.load_game(str(game))``,
    ``pyspiel.deserialize_game_and_state`` and ``pyspiel.random_sim_test(game, serialize=True)``
    do not work.

    Raises:
        ParameterError: the name belongs to another game, which would be loaded in its place.
        UnsupportedGame: the game has symbols in place of numbers, or no range of payoffs.
    """
    symbols = getattr(rules, "symbols", ())
    if symbols:
        raise UnsupportedGame(
            f"{rules.name} has the symbols {', '.join(map(str, symbols))}; OpenSpiel games are "
            "numeric, so substitute numbers first, e.g. rules.subs({...})"
        )
    registration = _registrations.get(rules.name)
    if registration and registration.made(rules):
        return RulesGame(rules, registration)
    if registration or rules.name in pyspiel.registered_names():
        raise ParameterError(
            f"the name {rules.name!r} belongs to another OpenSpiel game; rename the rules"
        )
    return RulesGame(rules)
