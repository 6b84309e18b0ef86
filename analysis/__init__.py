"""Questions asked of games and policies: NashConv, published results, figures."""

from .draws import Draws
from .estimate import Estimate, estimate
from .evaluation import nash_conv
from .policies import RandomPolicy, resolve_policy
from .report import InformationSetGain, Report

__all__ = [
    "Draws",
    "Estimate",
    "InformationSetGain",
    "RandomPolicy",
    "Report",
    "estimate",
    "nash_conv",
    "resolve_policy",
]
