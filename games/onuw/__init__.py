"""One Night Ultimate Werewolf (ONUW): rules, roles, votes and talk."""

from .rules import Onuw, Position, Stage

__all__ = ["Onuw", "Position", "Stage"]
