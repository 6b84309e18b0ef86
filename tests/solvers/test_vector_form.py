"""The parts of the vector form that no other test looks at by themselves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from crywolf.solvers import vector_form
from crywolf.solvers.vector_form import _kinds, _unique_columns

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1 / 3, 2.0**-40])


@given(
    arrays.arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(1, 6)), elements=NUMBERS)
)
def test_equal_rows_are_of_one_kind(numbers):
    kind, counts = _kinds(numbers)
    _, wanted, sizes = np.unique(numbers, axis=0, return_inverse=True, return_counts=True)
    assert kind.tolist() == wanted.ravel().tolist()
    assert counts.tolist() == sizes.tolist()


def test_rows_of_one_code_are_told_apart(monkeypatch):
    class Zeros:
        def integers(self, low, high, size, dtype):
            return np.zeros(size, dtype)

    numbers = np.array([[1.0, 2.0], [2.0, 1.0], [1.0, 2.0]])
    codes = (numbers.view(np.uint64) ^ (numbers.view(np.uint64) >> np.uint64(44))).sum(axis=1)
    assert len(set(codes.tolist())) == 1  # with all factors 1
    monkeypatch.setattr(vector_form.np.random, "default_rng", lambda seed: Zeros())
    kind, counts = _kinds(numbers)
    assert (kind.tolist(), counts.tolist()) == ([0, 1, 0], [2, 1])


@pytest.mark.parametrize("players", [1, 2, 3])
@given(data=st.data())
def test_columns_are_numbered_in_order(players, data):
    shape = (players, data.draw(st.integers(0, 12)))
    others = data.draw(arrays.arrays(np.uint32, shape, elements=st.integers(0, 4)))
    columns, place = _unique_columns(others)
    assert np.array_equal(columns[:, place], others)
    tuples = list(map(tuple, columns.T.tolist()))
    assert tuples == sorted(set(tuples))
