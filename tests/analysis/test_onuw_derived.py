"""The theorems on the three-player game are found by derivation, not only verified."""

from typing import Any

import pytest
import sympy

from crywolf.analysis.theorems import THEOREMS
from crywolf.solvers.pbe import derive_equilibria

sp: Any = sympy
FAMILIES = ("i", "ii", "iii", "iva", "ivb", "va", "vb")


@pytest.mark.slow
def test_the_seven_families_are_derived_complete():
    found = derive_equilibria("onuw_robber3", "weak-pbe")
    assert found.complete
    assert len(found.families) == 7
    payoffs = {sp.factor(sp.sympify(family.payoffs[2])) for family in found.families}
    assert {sp.Integer(1), sp.Integer(-1)} < payoffs
    for family in found.families:
        assert family.verify().holds
    for name in ("theorem_4_1", "theorem_4_2_without_discussion", "symmetric_family"):
        claim: Any = THEOREMS[f"onuw_{name}"]
        assert found.contains(claim.assessment), name
    # Each stated family is one of ours, and every one of ours is met.
    met = set()
    for name in FAMILIES:
        stated: Any = THEOREMS[f"onuw_family_{name}"]
        inside = [i for i, f in enumerate(found.families) if f.contains(stated.assessment)]
        assert inside, name
        met |= set(inside)
    assert met == set(range(7))
