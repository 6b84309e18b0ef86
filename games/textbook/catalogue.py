"""What makes a function that writes down a tree a registered game.

    @textbook
    def matching_pennies() -> Node:
        \"\"\"Matching pennies: the only equilibrium is mixed. ...\"\"\"
        return decision(0, "1", {"heads": ..., "tails": ...})

The function then returns the game, and ``pyspiel.load_game("matching_pennies")`` does so, too. The
first line of the docstring is what lists of games show.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ParamSpec

from ..errors import ParameterError
from ..exact import exact
from ..extensive import ExtensiveGame
from ..nodes import Node
from ..openspiel import register
from ..rules import Exact

P = ParamSpec("P")


class TextbookGame(ExtensiveGame):
    """An explicit tree that belongs to a registered game.

    Args:
        maker: the registered function.
        root: the tree that it wrote down.
        arguments: of the function: whole numbers, and exact probabilities strictly between 0 and 1.

    Attributes:
        maker: as above.
        arguments: as above.
        parameters: the arguments as OpenSpiel has them, probabilities as strings; empty where one
            holds symbols.
    """

    def __init__(
        self, maker: Callable[..., TextbookGame], root: Node, arguments: Mapping[str, Exact]
    ):
        symbolic = [v for v in arguments.values() if not isinstance(v, int | Fraction)]
        inside = [relation for v in symbolic for relation in (v > 0, v < 1)]
        super().__init__(maker.__name__, root, inside)
        self.title = _summary(maker)  # type: ignore[misc]  # one class, many games
        self.maker = maker
        self.arguments = dict(arguments)
        if not symbolic:
            self.parameters = {
                name: str(value) if isinstance(value, Fraction) else value
                for name, value in arguments.items()
            }

    def subs(self, values: Mapping[Any, Any]) -> TextbookGame:
        """The same game with numbers (or expressions) in place of symbols."""
        import sympy

        numbers = {sympy.sympify(k): sympy.sympify(exact(v)) for k, v in values.items()}
        return self.maker(
            **{
                name: value if isinstance(value, int | Fraction) else value.subs(numbers)
                for name, value in self.arguments.items()
            }
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its arguments."""
        return functools.partial(self.maker, **self.arguments), ()


def textbook(tree: Callable[P, Node]) -> Callable[P, TextbookGame]:
    """Makes a function that writes down a tree return the game, and registers it by its name.

    A parameter whose default is a string is a probability strictly between 0 and 1: a string such
    as ``"1/10"``, a `Fraction`, or a SymPy expression, of which it is then assumed. All others are
    whole numbers.
    """
    signature = inspect.signature(tree)

    @functools.wraps(tree)
    def maker(*args: P.args, **kwargs: P.kwargs) -> TextbookGame:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if isinstance(signature.parameters[name].default, str):
                bound.arguments[name] = _probability(tree.__name__, name, value)
        return TextbookGame(maker, tree(*bound.args, **bound.kwargs), bound.arguments)

    register(maker, tree.__name__, summary=_summary(tree))
    return maker


def whole(game: str, name: str, value: int, largest: int) -> int:
    """``value`` if it is a whole number from 1 to ``largest``.

    Raises:
        ParameterError: it is not.
    """
    if type(value) is not int or not 1 <= value <= largest:
        raise ParameterError(f"{game}: {name}={value!r}; it is a whole number from 1 to {largest}")
    return value


def _probability(game: str, name: str, value: Any) -> Exact:
    number = exact(value)
    if not (0 < number < 1 if isinstance(number, Fraction) else number.free_symbols):
        raise ParameterError(
            f"{game}: {name}={number} is no rational probability strictly between 0 and 1; write "
            f"{name}=1/3"
        )
    return number


def _summary(function: Callable[..., Any]) -> str:
    """The first line of the docstring (which Python leaves out under -OO)."""
    lines = (inspect.getdoc(function) or function.__name__).splitlines()
    return lines[0].rstrip(".")
