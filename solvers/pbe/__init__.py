"""Exact equilibrium analysis: assessments, their verification, the derivation of all."""

from .assessment import Assessment
from .certificate import Certificate
from .conditions import CONCEPTS
from .derive import derive_equilibria
from .equilibria import Equilibria
from .families import Family
from .recheck import Recheck
from .verify import Verdict, Violation, verify

__all__ = [
    "CONCEPTS",
    "Assessment",
    "Certificate",
    "Equilibria",
    "Family",
    "Recheck",
    "Verdict",
    "Violation",
    "derive_equilibria",
    "verify",
]
