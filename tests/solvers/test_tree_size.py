"""Sizes of trees in words."""

import pytest

from crywolf.games.errors import TreeTooLarge
from crywolf.solvers.tree import compile_tree
from crywolf.solvers.tree_size import size_words


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (50.0, "50 bytes"),
        (2800.0, "2.8 kB"),
        (999.6, "1 kB"),
        (994.0, "990 bytes"),
        (999_600.0, "1 MB"),
        (2.123e9, "2.1 GB"),
        (3e14, "300000 GB"),
        (1e100, "1e+91 GB"),
    ],
)
def test_sizes_in_sensible_units(size: float, said: str):
    assert size_words(size) == said


def test_a_small_tree_is_no_matter_of_gigabytes():
    with pytest.raises(TreeTooLarge, match=r"some [\d.]+ kB to compile, [\d.]+ kB to solve"):
        compile_tree("kuhn_poker", max_nodes=10)
