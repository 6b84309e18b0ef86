"""Expressions are read as SymPy means them, and nothing else is."""

from fractions import Fraction as F
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from crywolf.games.errors import ExpressionError
from crywolf.solvers.pbe.expressions import read_expression, read_relation

sp: Any = sympy
P, Q = sp.symbols("p q")
KNOWN = {"p": P, "q": Q, "E": sp.Symbol("E")}

_leaves = st.one_of(
    st.fractions(max_denominator=9, min_value=-9, max_value=9).map(
        lambda x: sp.Rational(x.numerator, x.denominator)
    ),
    st.sampled_from([P, Q, sp.sqrt(2), sp.Symbol("E")]),
)
_expressions: Any = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda xs: xs[0] + xs[1]),
        st.tuples(inner, inner).map(lambda xs: xs[0] * xs[1]),
        st.tuples(inner, inner).map(lambda xs: xs[0] / xs[1] if xs[1] != 0 else xs[0]),
        inner.map(lambda x: x**2),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(_expressions)
def test_what_sympy_writes_is_read(expression):
    assert sp.simplify(sp.sympify(read_expression(str(expression), KNOWN)) - expression) == 0


@settings(deadline=None)
@given(_expressions, st.sampled_from([sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq, sp.Ne]))
def test_relations_that_sympy_writes_are_read(expression, kind):
    relation = kind(P, expression, evaluate=False)
    read = read_relation(str(relation), KNOWN)
    assert type(read) is type(relation)
    assert read.lhs == P
    assert sp.simplify(read.rhs - relation.rhs) == 0


def test_values():
    assert read_expression("1/3", {}) == F(1, 3)
    assert isinstance(read_expression("2**-2", {}), F)
    assert read_expression("E", KNOWN) == sp.Symbol("E")  # not Euler's number
    assert read_relation("(p > 0) & (q < 1) | ~(p < q)", KNOWN) == sp.Or(
        sp.And(P > 0, Q < 1), P >= Q
    )
    assert read_relation("And(p > 0, Or(q > 1, p != 0), Not(p < 1))", KNOWN) == sp.And(
        P > 0, sp.Or(Q > 1, sp.Ne(P, 0)), P >= 1
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.5", "float"),
        ("x", "unknown symbol 'x'; known are: E, p, q"),
        ("__import__('os').system('true')", "not made of"),
        ("p.subs", "not made of"),
        ("[p]", "not made of"),
        ("(lambda: p)()", "not made of"),
        ("'p'", "not made of"),
        ("True", "not made of"),
        ("1j", "not made of"),
        ("p <= 1", "not made of"),
        ("sqrt(p, q)", "not made of"),
        ("sqrt(-1)", "not a real number"),
        ("1/0", "divides by 0"),
        ("p/(q - q)", "divides by 0"),
        ("0**-1", "divides by 0"),
        ("p**q", "exponents"),
        ("9**9**9", "exponents"),
        ("((9**64)**64)**64", "too large"),
        ("(", "no expression"),
        ("", "no expression"),
        ("p\0", "no expression"),
        ("9" * 5_000, "no expression"),
        ("(" * 5_000 + "1" + ")" * 5_000, "no expression|nested"),
        ("-" * 50_000 + "1", "nested|no expression"),
        ("1 + " * 40_000 + "1", "too long"),
        (7, "not a text"),
    ],
)
def test_everything_else_is_refused(text, said):
    with pytest.raises(ExpressionError, match=said):
        read_expression(text, KNOWN)


@pytest.mark.parametrize(
    "text", ["p", "p < q < 1", "f(p, q)", "Eq(p)", "True", "p in q", "p > 0.5"]
)
def test_what_is_no_relation_is_refused(text):
    with pytest.raises(ExpressionError):
        read_relation(text, KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "((1+b)**64)**64 >= 0",
        "*".join(f"(1+b**{k})" for k in range(1, 64)) + " >= 0",
        "+".join(f"sqrt({k})" for k in (2, 3, 5, 7, 11, 13, 17)) + " >= b",
        "(1+b+b**2+b**3)**64 >= 0",
        "(1+b)**-65 >= 0",
        "((1+b)**(64/1))**(64/1) >= 0",
        "(1+b)**(32+32)*(1+b)**(32+32) >= 0",
        "+".join(f"{k}**(1/2)" for k in (2, 3, 5, 7, 11)) + " >= b",
        "b**(1/65) >= 0",
    ],
)
def test_what_would_take_for_ever_is_refused(text):
    with pytest.raises(ExpressionError):
        read_relation(text, {"b": sympy.Symbol("b")})
