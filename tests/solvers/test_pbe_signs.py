"""Reasons for signs: each holds by z3, too, under the very assumptions that it names."""

import pytest
import sympy as sp
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.solvers.pbe.field import ExactField
from crywolf.solvers.pbe.prover import Prover, Sense
from crywolf.solvers.pbe.signs import Signs

a, b, c, x, y = sp.symbols("a b c x y", real=True)
QUARTER, HALF = sp.Rational(1, 4), sp.Rational(1, 2)


@pytest.mark.parametrize(
    ("expression", "assumptions", "sign", "because"),
    [
        (sp.Rational(1, 3), [], "+", []),
        ((4 * a - 1) / a, [a >= QUARTER, a <= HALF], "0+", [a >= QUARTER]),
        ((1 - 2 * a) / a, [a >= QUARTER, a <= HALF], "0+", [a >= QUARTER, a <= HALF]),
        (1 - 3 * x, [x >= 0, x <= QUARTER], "+", [x <= QUARTER]),
        (a + b + c - 1, [sp.Eq(a + b + c, 1)], "0", [sp.Eq(a + b + c, 1)]),
        (x**2 - 2 * x * y + y**2, [], "0+", []),
        ((x - 1) * (y - 2), [x < 1, y < 1], "+", [x < 1, y < 1]),
        (c - b, [sp.Eq(a + b + c, 1), a >= 0, 2 * b <= 1 - a], "0+", None),
        ((x + 1) ** 2 - (x + 1) ** 2, [], "0", []),
    ],
)
def test_known_signs(expression, assumptions, sign, because):
    reason = Signs(assumptions).of(expression)
    assert reason is not None
    assert reason.sign == sign
    if because is not None:
        assert set(reason.because) == set(because)


@pytest.mark.parametrize(
    ("expression", "assumptions"),
    [
        (x, []),
        (x - 1, [x >= 0]),
        (-x, [x >= 0]),
        (x * y, [x >= 0]),
        (x**2 - 1, [x >= 0]),
        (sp.sqrt(2) * x - 1, [x >= 0]),
    ],
)
def test_no_reason_where_there_is_none(expression, assumptions):
    assert Signs(assumptions).of(expression) is None


def test_further_assumptions():
    signs = Signs([x >= 0])
    assert signs.of(x * y) is None
    reason = signs.given([y > 0]).of(x * y)
    assert reason is not None
    assert set(reason.because) == {x >= 0, y > 0}


NUMBERS = st.integers(-2, 2)


@st.composite
def polynomials(draw):
    terms = [sp.Integer(1), x, y, x * y, x**2, y**2]
    return sum(draw(NUMBERS) * term for term in terms)


@settings(max_examples=60)
@given(polynomials(), polynomials(), st.lists(polynomials(), max_size=2))
def test_reasons_suffice(one, two, facts):
    """z3 proves the sign from the assumptions that the reason names, and from those alone."""
    assumptions = [x >= 0, y > 0, x <= 1, sp.Eq(x + y, 1)]
    assumptions += [f >= 0 for f in facts if f.free_symbols]
    expression = sp.expand(one * two)
    reason = Signs(assumptions).of(expression)
    if reason is None:
        return
    assert set(reason.because) <= set(assumptions)
    field = ExactField([x, y])
    senses: dict[str, Sense] = {"+": ">", "0+": ">=", "0": "=="}
    prover = Prover(field, ())
    given_ = [prover.assumed(fact) for fact in reason.because]
    against = z3.Not(prover.formula(field(expression), senses[reason.sign]))
    proof = prover.refutable([*given_, against])
    assert proof.answer == "proved"
