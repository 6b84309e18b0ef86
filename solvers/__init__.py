"""Compiled game trees and the algorithms on them."""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .best_response import (
        Evaluation,
        best_response,
        counterfactual_gains,
        evaluate,
        expected_values,
        gain_shares,
        nash_conv,
    )
    from .checkpoint import Solver
    from .correlated import CorrelatedEquilibrium, correlated_equilibrium
    from .correlation import CorrelationDevice, DeviceEvaluation, evaluate_device
    from .direct import DIRECT
    from .exact import ExactEvaluation, evaluate_exact, exact_profile
    from .exact_lp import ExactZeroSumSolution, solve_zero_sum_exact
    from .fictitious import FictitiousPlay
    from .lemke import LemkeEquilibrium, lemke
    from .lumped_response import optimal_response
    from .lumping import (
        LumpedValue,
        OutcomeProbabilities,
        count_leaves,
        optimal_probability,
        outcome_probabilities,
    )
    from .profile import Profile, ProfilePolicy
    from .qre import QRE, QRETrace, qre, trace_qre
    from .qre_fit import QREFit, fit_qre
    from .regret import (
        CFR,
        CFRPlus,
        DiscountedCFR,
        LinearCFR,
        PredictiveCFRPlus,
        RegretMinimiser,
        UpdateRule,
    )
    from .result import SolveResult
    from .sampling import ExternalSamplingMCCFR, OutcomeSamplingMCCFR
    from .sequence_lp import ZeroSumSolution, solve_zero_sum
    from .solve import ALGORITHMS, solve
    from .starts import StartsResult, solve_from_starts
    from .team import TeamBestResponse, team_best_response
    from .team_equilibrium import TeamMaxmin, team_maxmin
    from .tree import DEFAULT_MAX_NODES, GameTree, compile_tree

__all__ = [
    "ALGORITHMS",
    "CFR",
    "DEFAULT_MAX_NODES",
    "DIRECT",
    "QRE",
    "CFRPlus",
    "CorrelatedEquilibrium",
    "CorrelationDevice",
    "DeviceEvaluation",
    "DiscountedCFR",
    "Evaluation",
    "ExactEvaluation",
    "ExactZeroSumSolution",
    "ExternalSamplingMCCFR",
    "FictitiousPlay",
    "GameTree",
    "LemkeEquilibrium",
    "LinearCFR",
    "LumpedValue",
    "OutcomeProbabilities",
    "OutcomeSamplingMCCFR",
    "PredictiveCFRPlus",
    "Profile",
    "ProfilePolicy",
    "QREFit",
    "QRETrace",
    "RegretMinimiser",
    "SolveResult",
    "Solver",
    "StartsResult",
    "TeamBestResponse",
    "TeamMaxmin",
    "UpdateRule",
    "ZeroSumSolution",
    "best_response",
    "compile_tree",
    "correlated_equilibrium",
    "count_leaves",
    "counterfactual_gains",
    "evaluate",
    "evaluate_device",
    "evaluate_exact",
    "exact_profile",
    "expected_values",
    "fit_qre",
    "gain_shares",
    "lemke",
    "nash_conv",
    "optimal_probability",
    "optimal_response",
    "outcome_probabilities",
    "qre",
    "solve",
    "solve_from_starts",
    "solve_zero_sum",
    "solve_zero_sum_exact",
    "team_best_response",
    "team_maxmin",
    "trace_qre",
]

__getattr__ = lazily(
    __name__,
    {
        "ALGORITHMS": "solve",
        "CFR": "regret",
        "DEFAULT_MAX_NODES": "tree",
        "DIRECT": "direct",
        "QRE": "qre",
        "CFRPlus": "regret",
        "CorrelatedEquilibrium": "correlated",
        "CorrelationDevice": "correlation",
        "DeviceEvaluation": "correlation",
        "DiscountedCFR": "regret",
        "Evaluation": "best_response",
        "ExactEvaluation": "exact",
        "ExactZeroSumSolution": "exact_lp",
        "ExternalSamplingMCCFR": "sampling",
        "FictitiousPlay": "fictitious",
        "GameTree": "tree",
        "LemkeEquilibrium": "lemke",
        "LinearCFR": "regret",
        "LumpedValue": "lumping",
        "OutcomeProbabilities": "lumping",
        "OutcomeSamplingMCCFR": "sampling",
        "PredictiveCFRPlus": "regret",
        "Profile": "profile",
        "ProfilePolicy": "profile",
        "QREFit": "qre_fit",
        "QRETrace": "qre",
        "RegretMinimiser": "regret",
        "SolveResult": "result",
        "Solver": "checkpoint",
        "StartsResult": "starts",
        "TeamBestResponse": "team",
        "TeamMaxmin": "team_equilibrium",
        "UpdateRule": "regret",
        "ZeroSumSolution": "sequence_lp",
        "best_response": "best_response",
        "compile_tree": "tree",
        "correlated_equilibrium": "correlated",
        "count_leaves": "lumping",
        "counterfactual_gains": "best_response",
        "evaluate": "best_response",
        "evaluate_device": "correlation",
        "evaluate_exact": "exact",
        "exact_profile": "exact",
        "expected_values": "best_response",
        "fit_qre": "qre_fit",
        "gain_shares": "best_response",
        "lemke": "lemke",
        "nash_conv": "best_response",
        "optimal_probability": "lumping",
        "optimal_response": "lumped_response",
        "outcome_probabilities": "lumping",
        "qre": "qre",
        "solve": "solve",
        "solve_from_starts": "starts",
        "solve_zero_sum": "sequence_lp",
        "solve_zero_sum_exact": "exact_lp",
        "team_best_response": "team",
        "team_maxmin": "team_equilibrium",
        "trace_qre": "qre",
    },
)
