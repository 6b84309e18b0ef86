"""One Night Ultimate Werewolf (ONUW): rules, roles, votes and talk.

- `Onuw`: the rules, an exact extensive-form game.
- `Role`, `add_role`, `ROLES`: the cards. A role is one value that says what its holder does at
  night, on which team it is and when it wins; `Scene`, `Table`, `Move` and `Outcome` are what its
  functions are given and make.
- `Statement`, `claims`: what is said in the talk, as values; ``game.action_table`` turns actions
  into statements and moves, and back. `after_night` plays a night with given cards and actions, and
  `is_true` tells whether a statement is true of it.
"""

from .position import Position, Stage
from .role import Outcome, Role, Table
from .roles import ROLES, add_role
from .rules import Onuw
from .scene import Move, Scene
from .statements import Claims, Statement, claims
from .truth import after_night, is_true

__all__ = [
    "ROLES",
    "Claims",
    "Move",
    "Onuw",
    "Outcome",
    "Position",
    "Role",
    "Scene",
    "Stage",
    "Statement",
    "Table",
    "add_role",
    "after_night",
    "claims",
    "is_true",
]
