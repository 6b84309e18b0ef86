"""Compiled game trees and the algorithms on them."""

from .best_response import (
    Evaluation,
    best_response,
    counterfactual_gains,
    evaluate,
    expected_values,
    gain_shares,
    nash_conv,
)
from .exact import ExactEvaluation, evaluate_exact, exact_profile
from .profile import Profile, ProfilePolicy
from .regret import (
    CFR,
    CFRPlus,
    DiscountedCFR,
    LinearCFR,
    PredictiveCFRPlus,
    RegretMinimiser,
    UpdateRule,
)
from .solve import ALGORITHMS, Solver, SolveResult, solve
from .tree import DEFAULT_MAX_NODES, GameTree, compile_tree

__all__ = [
    "ALGORITHMS",
    "CFR",
    "DEFAULT_MAX_NODES",
    "CFRPlus",
    "DiscountedCFR",
    "Evaluation",
    "ExactEvaluation",
    "GameTree",
    "LinearCFR",
    "PredictiveCFRPlus",
    "Profile",
    "ProfilePolicy",
    "RegretMinimiser",
    "SolveResult",
    "Solver",
    "UpdateRule",
    "best_response",
    "compile_tree",
    "counterfactual_gains",
    "evaluate",
    "evaluate_exact",
    "exact_profile",
    "expected_values",
    "gain_shares",
    "nash_conv",
    "solve",
]
