"""What a Python function is made of, as a number: another one where it would answer differently.

A declared name does not tell one script from another that took its place. Their code does, together
with the data that it uses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from inspect import getattr_static
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

_AS_TEXT = bool | int | float | complex | str | bytes | None


def fingerprint(function: Callable[..., Any]) -> str:
    """SHA-256 of a function: its code, defaults, closure, and the global names that it uses.

    Functions of the same module that it calls are taken in; those of other modules, and classes,
    count by their name. Of objects that show nothing but their address, only the type counts. The
    number is the same in every process, but not in every version of Python.
    """
    core = function
    while isinstance(core, partial):
        core = core.func
    parts = repr(_Reader(getattr(core, "__module__", None)).read(function))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


class _Reader:
    """Takes values apart, down to texts.

    Args:
        module: the name of the module whose functions are taken apart, too.
    """

    def __init__(self, module: str | None):
        self._module = module
        self._functions: set[FunctionType] = set()  # that were taken apart
        self._inside: set[int] = set()  # the objects that are being taken apart

    def read(self, value: Any) -> Any:
        """A text, or a list of texts and lists."""
        if isinstance(value, _AS_TEXT):
            return repr(value)
        if isinstance(value, FunctionType):
            return self._function(value)
        if id(value) in self._inside:
            return "..."
        self._inside.add(id(value))
        try:
            return self._parts(value)
        finally:
            self._inside.remove(id(value))

    def _parts(self, value: Any) -> Any:
        match value:
            case list() | tuple():
                return [type(value).__name__, *map(self.read, value)]
            case set() | frozenset():
                return [type(value).__name__, *sorted(repr(self.read(item)) for item in value)]
            case dict():
                return ["dict", *([self.read(k), self.read(v)] for k, v in value.items())]
            case np.ndarray():
                return [str(value.dtype), self.read(value.shape), self.read(value.ravel().tolist())]
            case CodeType():
                return [value.co_code.hex(), self.read(value.co_names), self.read(value.co_consts)]
            case partial():
                return ["partial", *map(self.read, (value.func, value.args, value.keywords))]
            case MethodType():
                return ["method", self.read(value.__func__), self.read(value.__self__)]
        call = getattr_static(type(value), "__call__", None)
        if isinstance(call, FunctionType):  # an object that can be called like a function
            return [_name(type(value)), self.read(call), self.read(getattr(value, "__dict__", {}))]
        if hasattr(value, "__wrapped__"):  # by functools.cache, for instance
            return [_name(type(value)), self.read(value.__wrapped__)]
        return _shown(value)

    def _function(self, function: FunctionType) -> Any:
        if function.__module__ != self._module or function in self._functions:
            return _name(function)
        self._functions.add(function)
        named = sorted(set(_names(function.__code__)) & function.__globals__.keys())
        return [
            self.read(function.__code__),
            self.read(function.__defaults__),
            self.read(function.__kwdefaults__),
            [self.read(content) for content in _closure(function)],
            [[name, self.read(function.__globals__[name])] for name in named],
        ]


def _closure(function: FunctionType) -> Iterator[Any]:
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty: what it names is defined later
            yield cell.cell_contents


def _names(code: CodeType) -> Iterator[str]:
    """The names that some code uses, and the code inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _name(value: Any) -> str:
    return f"{value.__module__}.{value.__qualname__}"


def _shown(value: Any) -> str:
    """What an object shows of itself, unless that differs from process to process."""
    try:
        shown = repr(value)
    except Exception:  # of somebody else's making
        shown = " at 0x"
    return _name(type(value)) if " at 0x" in shown else shown
