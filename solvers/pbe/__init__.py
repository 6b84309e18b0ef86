"""Exact equilibrium analysis: assessments, their verification, and its explanation."""

from .assessment import Assessment
from .conditions import CONCEPTS
from .verify import Verdict, Violation, verify

__all__ = ["CONCEPTS", "Assessment", "Verdict", "Violation", "verify"]
