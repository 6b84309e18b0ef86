"""Questions asked of games and policies: NashConv, published results, figures."""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
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

__getattr__ = lazily(
    __name__,
    {
        "Draws": "draws",
        "InformationSetGain": "report",
        "RandomPolicy": "policies",
        "Report": "report",
        "nash_conv": "evaluation",
        "resolve_policy": "policies",
    },
)
