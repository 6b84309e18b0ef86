"""Public names of packages that are imported when they are first used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package, so that importing the package costs nothing.

    A public name may be that of a module, too, such as ``solve`` in ``solvers.solve``: it stays the
    name of what the module defines, as after an import at once. The package lists all its public
    names (``dir``, tab completion), imported or not.

    Args:
        package: the package's ``__name__``, which also has the names in ``__all__``; type checkers
            need the imports under ``if TYPE_CHECKING``.
        homes: where each name is defined: ``module``; ``module:other`` if it has another name
            there; ``module:`` if the name stands for the module itself. Modules are relative to the
            package.

    Returns:
        What imports a name, and keeps it in the package.
    """
    this = sys.modules[package]

    class Package(ModuleType):
        """A package whose modules do not hide its public names."""

        def __setattr__(self, name: str, value: Any) -> None:
            if name in homes and getattr(value, "__name__", None) == f"{package}.{name}":
                return  # the import system binds a module that was imported
            super().__setattr__(name, value)

        def __dir__(self) -> list[str]:
            return sorted(self.__all__)

    this.__class__ = Package

    def imported(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            return _module(package, name)
        module, colon, other = home.partition(":")
        found = import_module(f"{package}.{module}")
        value = found if colon and not other else getattr(found, other or name)
        vars(this)[name] = value
        return value

    return imported


def _module(package: str, name: str) -> ModuleType:
    """A module of the package, which need not have been imported before it is used."""
    full = f"{package}.{name}"
    if not name.startswith("_"):
        try:
            return import_module(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
    raise AttributeError(f"module {package!r} has no attribute {name!r}")
