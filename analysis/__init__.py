"""Questions asked of games and policies: NashConv, published results, figures."""

from .draws import Draws
from .evaluation import nash_conv
from .policies import RandomPolicy, resolve_policy
from .report import InformationSetGain, Report

__all__ = [
    "Draws",
    "InformationSetGain",
    "RandomPolicy",
    "Report",
    "nash_conv",
    "resolve_policy",
]
