"""Few combinations of parameters in which every two values meet: pairwise covering.

Most defects of configurations show with two parameters; a covering set finds them in some sixty
games instead of many thousands.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Row = dict[str, Any]
Pair = tuple[tuple[str, Any], tuple[str, Any]]


def pairwise(
    factors: Mapping[str, Sequence[Any]],
    allowed: Callable[[Row], bool] = lambda row: True,
    least: int = 0,
) -> list[Row]:
    """Rows in which every two values that can stand together do, found greedily.

    Each row starts with the pair that was met least often and takes, factor by factor, the value
    that meets the others least often; ties go to the earlier value. So the rows depend on nothing
    but the arguments.

    Args:
        factors: the values of each parameter.
        allowed: whether a row, perhaps of some parameters only, contradicts no rule. It must refuse
            as soon as the values that are there do.
        least: at least so many rows.

    Raises:
        ValueError: there seem not to be so many.
    """
    met: Counter[Pair] = Counter(
        {
            ((a, x), (b, y)): 0
            for a, b in combinations(factors, 2)
            for x, y in product(factors[a], factors[b])
        }
    )
    rows: list[Row] = []
    repeated = 0
    while met:
        pair = min(met, key=lambda p: met[p])  # the first of the least met
        if met[pair] and len(rows) >= least:
            break
        row = _completed(dict(pair), factors, allowed, met)
        if row is None:
            del met[pair]  # these two cannot stand together
            continue
        met.update(pairs_of(row, factors))
        if row not in rows:
            rows.append(row)
            continue
        repeated += 1
        if repeated > 20 * least + 100:
            raise ValueError(f"no {least} combinations found, only {len(rows)}")
    return rows


def pairs_of(row: Row, factors: Mapping[str, Sequence[Any]]) -> list[Pair]:
    """The pairs of values that meet in a row, of the parameters that it has."""
    items = [(name, row[name]) for name in factors if name in row]
    return list(combinations(items, 2))


def _completed(
    row: Row,
    factors: Mapping[str, Sequence[Any]],
    allowed: Callable[[Row], bool],
    met: Mapping[Pair, int],
) -> Row | None:
    """The row with all other factors, or None if no values for them are allowed."""
    if not allowed(row):
        return None
    missing = next((name for name in factors if name not in row), None)
    if missing is None:
        return row
    tries = [row | {missing: value} for value in factors[missing]]
    tries.sort(key=lambda r: sum(met.get(p, 0) for p in pairs_of(r, factors) if missing in dict(p)))
    for longer in tries:
        found = _completed(longer, factors, allowed, met)
        if found is not None:
            return found
    return None
