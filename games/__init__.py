"""Hidden-role and deduction games as exact rules, and as OpenSpiel games.

Importing this package registers the presets (see `presets`) and the textbook games (see `textbook`)
with OpenSpiel. Trees of one's own are written with `extensive`.
"""

from . import presets as _presets  # noqa: F401  # registers the games
from . import textbook as _textbook  # noqa: F401  # registers more
from .conformance import Check, ConformanceReport, check_game
from .loading import load_game, rules_of
from .onuw import Onuw
from .openspiel import Registration, RulesGame, RulesState, as_openspiel, register, registrations
from .rules import CHANCE, TERMINAL, Cursor, Rules, Step, advance, start
from .werewolf import Werewolf
from .werewolf import presets as _werewolf_presets  # noqa: F401  # registers more

__all__ = [
    "CHANCE",
    "TERMINAL",
    "Check",
    "ConformanceReport",
    "Cursor",
    "Onuw",
    "Registration",
    "Rules",
    "RulesGame",
    "RulesState",
    "Step",
    "Werewolf",
    "advance",
    "as_openspiel",
    "check_game",
    "load_game",
    "register",
    "registrations",
    "rules_of",
    "start",
]
