"""Exact equilibrium analysis: assessments, their verification, the derivation of all."""

from .assessment import Assessment
from .conditions import CONCEPTS
from .derive import Certificate, Equilibria, derive_equilibria
from .families import Family
from .verify import Verdict, Violation, verify

__all__ = [
    "CONCEPTS",
    "Assessment",
    "Certificate",
    "Equilibria",
    "Family",
    "Verdict",
    "Violation",
    "derive_equilibria",
    "verify",
]
