"""Werewolf, also known as Mafia: roles, days and nights, and every convention as a parameter."""

from .account import Account
from .parameters import Options
from .position import NOBODY, Position, Stage
from .role import TOWN, WOLVES, Choices, Role
from .roles import ROLES, add_role
from .rules import Werewolf
from .table import Table

__all__ = [
    "NOBODY",
    "ROLES",
    "TOWN",
    "WOLVES",
    "Account",
    "Choices",
    "Options",
    "Position",
    "Role",
    "Stage",
    "Table",
    "Werewolf",
    "add_role",
]
