"""What numba takes to make kernels ready is not counted as work."""

import time

import numba
import pytest

from crywolf.solvers.stopwatch import Stopwatch


def test_compiling_is_counted_apart():
    @numba.njit
    def total(numbers):
        found = 0.0
        for number in numbers:
            found += number
        return found

    watch = Stopwatch()
    started = time.perf_counter()
    with watch.running():
        total((1.0, 2.0))
    whole = time.perf_counter() - started
    assert watch.compile_seconds > 0.0
    assert 0.0 <= watch.seconds < watch.compile_seconds
    assert watch.seconds + watch.compile_seconds <= whole
    compiled = watch.compile_seconds
    with watch.running():
        total((3.0, 4.0))
    assert watch.compile_seconds == compiled


def test_times_add_up():
    watch = Stopwatch()
    for _ in range(3):
        with watch.running():
            time.sleep(0.01)
    assert watch.seconds >= 0.03
    assert watch.compile_seconds == 0.0
    with pytest.raises(ZeroDivisionError), watch.running():
        _ = 1 / 0
