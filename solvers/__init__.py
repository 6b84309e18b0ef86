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
from .cfr import CFRPlus
from .exact import ExactEvaluation, evaluate_exact, exact_profile
from .profile import Profile, ProfilePolicy
from .solve import ALGORITHMS, Solver, SolveResult, solve
from .tree import DEFAULT_MAX_NODES, GameTree, compile_tree

__all__ = [
    "ALGORITHMS",
    "DEFAULT_MAX_NODES",
    "CFRPlus",
    "Evaluation",
    "ExactEvaluation",
    "GameTree",
    "Profile",
    "ProfilePolicy",
    "SolveResult",
    "Solver",
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
