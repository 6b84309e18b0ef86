"""Exact equilibrium analysis: assessments, their verification, the derivation of all."""

from .assessment import Assessment
from .certificate import Certificate
from .conditions import CONCEPTS
from .derive import derive_equilibria
from .equilibria import Equilibria
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
