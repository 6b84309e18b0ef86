"""From whatever a user has in hand to a ``pyspiel.Game``."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pyspiel

from .errors import ParameterError, UnknownGame
from .openspiel import Parameter, Registration, RulesGame, as_openspiel, registrations
from .quiet import without_echo
from .rules import Rules


def load_game(game: str | Rules[Any] | pyspiel.Game) -> pyspiel.Game:
    """Loads a game.

    Args:
        game: a name or game string such as ``onuw_robber3`` or ``onuw(players=4,deal=fixed)``; or
            the path of a file, which ends in ``.efg`` (Gambit) or ``.tree`` (a compiled tree that
            knows its game string); or a rules object; or a ``pyspiel.Game``, which is returned as
            it is.

    Raises:
        UnknownGame: no game of that name is registered; the text has the closest names.
        EfgError: there is no such file, or it is no .efg file.
        TreeFileError: there is no such file, or it is no compiled tree, or one without game string.
        ImperfectRecall: a player forgets in the game of the file.
        ParameterError: a parameter is malformed, unknown, of the wrong type or refused.
    """
    if isinstance(game, pyspiel.Game):
        return game
    if isinstance(game, Rules):
        return as_openspiel(game)
    if not isinstance(game, str):
        raise UnknownGame(
            f"{type(game).__name__} is no game; pass a name, a rules object or a pyspiel.Game (of "
            "a compiled tree: tree.game)"
        )
    if is_tree_path(game):
        from .saved import SavedGame  # loads games itself

        return SavedGame.read(game).load()
    if game.lower().endswith(".efg"):
        return as_openspiel(_read(game))
    text = game.strip()
    name, fields = _parts(text)
    registration = registrations().get(name)
    if registration:
        return registration.create(_typed(registration, fields))
    try:
        with without_echo("OpenSpiel exception: "):
            return pyspiel.load_game(text)
    except Exception as error:  # games check their parameters each in its own way
        raise ParameterError(f"{text}: {type(error).__name__}: {error}") from error


def load_rules(game: str | Rules[Any] | pyspiel.Game) -> Rules[Any] | None:
    """The exact rules of a game, or None if there are none.

    Of a registered game they are made without its OpenSpiel game, which may take longer.

    Args:
        game: as for `load_game`.

    Raises:
        As `load_game`.
    """
    if isinstance(game, Rules):
        return game
    if isinstance(game, str):
        text = game.strip()
        registration = registrations().get(text.partition("(")[0].strip())
        if registration:
            return registration.rules(_typed(registration, _parts(text)[1]))
    return rules_of(load_game(game))


def rules_of(game: Any) -> Rules[Any] | None:
    """The exact rules behind a game, or None if there are none.

    Args:
        game: a ``pyspiel.Game`` or a rules object.
    """
    if isinstance(game, Rules):
        return game
    return game.rules if isinstance(game, RulesGame) else None


def game_name(game: Any) -> str:
    """The name of a game for people: short, with the parameters that are not defaults.

    For registered games, rules objects included, it is a game string for `load_game`.

    Args:
        game: a ``pyspiel.Game`` or a rules object.
    """
    if isinstance(game, Rules):
        registration = registrations().get(game.name)
        if registration is None or not registration.made(game):
            return game.name
        game = as_openspiel(game)
    return str(game).removesuffix("()")


def game_string(game: pyspiel.Game | Rules[Any]) -> str:
    """Name and all parameters, defaults included, sorted: the same for rules and OpenSpiel.

    It tells registered games apart, but not two rules objects without parameters.
    """
    rules = rules_of(game)
    if rules is not None:
        name, parameters = rules.name, rules.parameters
    else:
        plain: Any = game
        name, parameters = plain.get_type().short_name, plain.get_parameters()
    return f"{name}({','.join(f'{key}={parameters[key]}' for key in sorted(parameters))})"


def is_tree_path(text: str) -> bool:
    """Whether a text that names a game is the path of a compiled tree."""
    return text.lower().endswith(".tree")


def _read(path: str) -> Rules[Any]:
    """The game of an .efg file, called by its title, or as the file if it has none.

    A title that is the name of a game of OpenSpiel gets the ending ``.efg``: names are unique.
    """
    from .efg import read_efg  # needs SymPy, which is slow to load

    file = read_efg(path)
    title = file.short_title
    if title in pyspiel.registered_names():
        return file.game(f"{title}.efg")
    return file.game(title or Path(path).name)


def _unknown(name: str) -> str:
    ours = list(registrations())
    close = get_close_matches(name, pyspiel.registered_names(), n=4, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"try one of {', '.join(ours)}."
    if name.startswith("python_"):
        hint += " OpenSpiel's Python games need: import open_spiel.python.games"
    return f"no game is called {name!r}; {hint}"


def _parts(text: str) -> tuple[str, dict[str, str]]:
    """The name of a game string, and its fields.

    Raises:
        UnknownGame: no game of that name is registered.
        ParameterError: the string is malformed.
    """
    name, bracket, rest = text.partition("(")
    name = name.strip()
    if name not in pyspiel.registered_names():
        raise UnknownGame(_unknown(name))
    if bracket and not (rest.endswith(")") and text.count("(") == text.count(")")):
        raise ParameterError(
            f"{text}: the brackets do not match; write {name}(parameter=value,...)"
        )
    return name, _fields(text, rest[:-1])


def _fields(text: str, inside: str) -> dict[str, str]:
    """The ``name=value`` fields of a game string.

    OpenSpiel silently drops a field without ``=``, so that ``onuw(roles=2werewolf,robber)`` would
    lose the Robber; here it is an error.
    """
    fields: dict[str, str] = {}
    depth, piece = 0, ""
    for sign in [*inside, ","]:
        depth += (sign == "(") - (sign == ")")
        if sign != "," or depth:
            piece += sign
            continue
        key, equals, value = piece.partition("=")
        if not equals and (piece.strip() or inside.strip()):
            raise ParameterError(
                f"{text}: {piece!r} is not of the form name=value; parameters are separated by "
                "commas, roles by +"
            )
        if equals:
            fields[key.strip()] = value.strip()
        piece = ""
    return fields


def _typed(registration: Registration, fields: dict[str, str]) -> dict[str, Parameter]:
    """Field values as the types of the parameters' defaults."""
    typed: dict[str, Parameter] = {}
    for name, value in fields.items():
        wanted = type(registration.defaults.get(name, ""))
        try:
            if wanted is bool:
                typed[name] = {"true": True, "false": False}[value.lower()]
            else:
                typed[name] = wanted(value)
        except (KeyError, ValueError):
            raise ParameterError(
                f"{registration.short_name}: {name}={value} is not of type {wanted.__name__}; "
                f"the default is {registration.defaults[name]}"
            ) from None
    return typed
