"""The covering sets of `pairwise`: complete, small, and within the rules."""

from itertools import combinations, product

import pytest

from .pairwise import pairs_of, pairwise

FACTORS = {"a": (1, 2, 3), "b": "xy", "c": (True, False), "d": (0, 1, 2, 3), "e": "pqr"}


def all_pairs(factors):
    return {
        ((a, x), (b, y))
        for a, b in combinations(factors, 2)
        for x, y in product(factors[a], factors[b])
    }


def test_every_pair_is_met_in_few_rows():
    rows = pairwise(FACTORS)
    assert {pair for row in rows for pair in pairs_of(row, FACTORS)} == all_pairs(FACTORS)
    # 4 x 3 pairs of the two largest factors are a lower bound; all combinations are 144.
    assert 12 <= len(rows) <= 18
    assert rows == pairwise(FACTORS)


def test_rules_are_kept_and_what_they_forbid_is_left_out():
    def allowed(row):
        return not (row.get("a") == 1 and row.get("d", 0) > 1)

    rows = pairwise(FACTORS, allowed)
    assert all(map(allowed, rows))
    forbidden = {(("a", 1), ("d", 2)), (("a", 1), ("d", 3))}
    met = {pair for row in rows for pair in pairs_of(row, FACTORS)}
    assert met == all_pairs(FACTORS) - forbidden


def test_more_rows_on_request_are_new_ones():
    rows = pairwise(FACTORS, least=40)
    assert len(rows) == 40
    assert all(rows.count(row) == 1 for row in rows)


def test_more_rows_than_there_are_is_refused():
    with pytest.raises(ValueError, match="no 5 combinations"):
        pairwise({"a": (1, 2), "b": (1, 2)}, least=5)
