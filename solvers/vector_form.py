"""The vector form of a game: its sequence form rearranged so that kernels run over neighbours.

Two exact rearrangements, found from the arrays alone, whatever the game:

- **Bundles.** Information sets of one player, at one depth of its own moves and with one number of
  actions, lie side by side: all first actions, then all second actions, and so on. Regret matching
  then works on many sets at once (what M. Johanson et al., "Accelerating best response calculation
  in large extensive games", IJCAI 2011, do for all hands of a public state of poker).
- **Blocks.** The payoff matrix of the sequence form, one player's sequences against tuples of the
  others', falls into connected components: with private cards, one for each public history, of
  all hands against all hands. Components that are dense enough become blocks. Blocks of one shape
  are worked on together; if they also have the same numbers, these are kept once. Each reach is
  thus gathered once for a block instead of once for an entry, and almost no weights are read.

What fits no block stays row by row. Entries, their weights and the order of sums within a row are
those of the sequence form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from . import _vector_kernels as kernels
from ._kernels import SequenceForm
from ._vector_kernels import Blocks, Bundles, Loose, VectorForm

Integers: TypeAlias = NDArray[np.int64]

FILL = 0.45
"""The least share of entries in a block. Where hands exclude each other it is at least a half."""
MIN_BLOCKS = 8
"""The least number of blocks worth a group: each group costs the start of several loops."""


@dataclass(frozen=True, eq=False)
class VectorLayout:
    """The vector form of a tree, and how its sequences are numbered.

    Attributes:
        form: the arrays that kernels read.
        place: uint32 (S,), the place of each sequence of the tree in the vector form.
    """

    form: VectorForm
    place: NDArray[np.uint32]

    @property
    def size(self) -> int:
        """Length of arrays in the order of the vector form, padding included."""
        return int(self.form.bundles.sequences[-1])

    @classmethod
    def of(cls, form: SequenceForm) -> VectorLayout:
        """Rearranges a sequence form: time E log E, memory linear in E, the number of entries."""
        n = len(form.blocks) - 1
        bundles, place = _bundles(form)
        grouped, loose = _Grouping(n), _Loosening()
        for p in range(n):
            matrix = _Matrix(*_entries_of(form, p))
            left = grouped.add(matrix, place)
            loose.add(matrix, left, place)
        return cls(VectorForm(bundles, grouped.blocks(), loose.loose()), place)

    def form_in(self, dtype: np.dtype[Any]) -> VectorForm:
        """The form with its weights in another type of floats."""
        bundles, blocks, loose = self.form
        return VectorForm(
            bundles,
            blocks._replace(weight=blocks.weight.astype(dtype, copy=False)),
            loose._replace(weight=loose.weight.astype(dtype, copy=False)),
        )

    def to_vector(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers of the tree's sequences, (S,), in the order of the vector form."""
        vector = np.zeros(self.size)
        vector[self.place] = values
        return vector

    def to_tree(self, vector: NDArray[np.float64]) -> NDArray[np.float64]:
        """Numbers in the order of the vector form, (S,), in that of the tree's sequences."""
        return vector[self.place]


# ---------------------------------------------------------------------------------------- bundles


def _bundles(form: SequenceForm) -> tuple[Bundles, NDArray[np.uint32]]:
    """The bundles of all players, and the place of each sequence."""
    n, sets, size = len(form.blocks) - 1, len(form.first), len(form.row) - 1
    actions = form.num_actions.astype(np.int64)
    set_of = np.full(size, -1, np.int64)
    set_of[n:] = np.repeat(np.arange(sets), actions)
    depth = np.empty(sets, np.int64)
    kernels.own_depths(set_of, form.parent, depth)
    owner = np.repeat(np.arange(n), np.diff(form.blocks))
    kind = np.stack([owner, depth, actions], axis=1)
    order = np.lexsort(kind.T[::-1])  # stable: within a bundle as in the tree
    kind = kind[order]
    new = np.ones(sets, bool)
    new[1:] = (kind[1:] != kind[:-1]).any(axis=1)
    lane = np.flatnonzero(new)
    real = np.diff(np.append(lane, sets))
    width = _padded(real)
    many = kind[lane, 2]
    start = n + _starts(width * many)
    bundle = np.repeat(np.arange(len(lane)), real)
    position = np.empty(sets, np.int64)
    position[order] = np.arange(sets)
    at = position[set_of[n:]]
    g = bundle[at]
    action = np.arange(size - n) - np.repeat(_starts(actions)[:-1], actions)
    place = np.arange(size)
    place[n:] = start[g] + action * width[g] + at - lane[g]
    ranges = np.searchsorted(kind[lane, 0], np.arange(n + 1))
    bundles = Bundles(
        players=_unsigned(ranges),
        sequences=_unsigned(start[ranges]),
        table=np.stack([start[:-1], many, width, real, lane], axis=1).astype(np.uint64),
        parent=place[form.parent[order]].astype(np.uint32),
    )
    return bundles, place.astype(np.uint32)


# ----------------------------------------------------------------------------------------- blocks


def _entries_of(
    form: SequenceForm, p: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
    """The rows of p's entries, ascending, the others' sequences and the weights."""
    start, stop = form.sequences[p : p + 2].tolist()
    sequences = np.concatenate(([p], np.arange(start, stop))).astype(np.uint32)
    ends = form.row.astype(np.int64)
    parts = slice(ends[p], ends[p + 1]), slice(ends[start], ends[stop])
    return (
        np.repeat(sequences, np.diff(ends)[sequences]),
        np.concatenate([form.others[:, part] for part in parts], axis=1),
        np.concatenate([form.weight[part] for part in parts]),
    )


class _Matrix:
    """One player's payoff matrix and its connected components.

    Attributes:
        rows: the player's sequences that have entries.
        columns: (n-1, C), the tuples of the others' sequences.
        row, column: the place of each entry in these.
        weight: of each entry.
        component: of each entry.
        num_rows, num_columns, size: of each component; the last in entries.
    """

    def __init__(
        self, row: NDArray[np.uint32], others: NDArray[np.uint32], weight: NDArray[np.float64]
    ):
        # Slow to load; only regret minimisers come here.
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        self.weight = weight
        new = np.append(True, row[1:] != row[:-1])[: len(row)]  # rows come in ascending order
        self.rows, self.row = row[new], np.cumsum(new, dtype=np.int32) - np.int32(1)
        self.columns, self.column = _unique_columns(others)
        r, c = len(self.rows), self.columns.shape[1]
        links = coo_array(
            (np.ones(len(weight), np.int8), (self.row, self.column + r)), shape=(r + c, r + c)
        )
        count, label = connected_components(links, directed=False)
        self._row_label, self._column_label = label[:r], label[r:]
        self.component = label[self.row]
        self.num_rows = np.bincount(label[:r], minlength=count)
        self.num_columns = np.bincount(label[r:], minlength=count)
        self.size = np.bincount(self.component, minlength=count)
        self._row_rank, self._row_order = _ranks(self._row_label, self.num_rows)
        self._column_rank, self._column_order = _ranks(self._column_label, self.num_columns)

    def rows_of(self, components: Integers) -> NDArray[np.uint32]:
        """(count, k), the rows of components that have k each."""
        k = int(self.num_rows[components[0]])
        first = _starts(self.num_rows)[components]
        return self.rows[self._row_order[first[:, None] + np.arange(k)]]

    def columns_of(self, components: Integers) -> NDArray[np.uint32]:
        """(n-1, count, m), the columns of components that have m each."""
        m = int(self.num_columns[components[0]])
        first = _starts(self.num_columns)[components]
        return self.columns[:, self._column_order[first[:, None] + np.arange(m)]]

    def numbers(self, components: Integers) -> NDArray[np.float64]:
        """(count, m * k), the matrices of components of one shape, column by column."""
        k, m = self.num_rows[components[0]], self.num_columns[components[0]]
        number = np.full(len(self.size), -1)
        number[components] = np.arange(len(components))
        e = np.flatnonzero(number[self.component] >= 0)
        dense = np.zeros((len(components), m * k))
        cell = self._column_rank[self.column[e]] * k + self._row_rank[self.row[e]]
        dense[number[self.component[e]], cell] = self.weight[e]
        return dense


class _Grouping:
    """Collects the groups of blocks of all players."""

    def __init__(self, num_players: int) -> None:
        self._players = [0]
        self._shapes: list[tuple[int, ...]] = []
        self._row: list[NDArray[np.uint32]] = []
        self._column: list[NDArray[np.uint32]] = [np.zeros((num_players - 1, 0), np.uint32)]
        self._weight: list[NDArray[np.float64]] = []
        self._used = [0, 0, 0]

    def add(self, matrix: _Matrix, place: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Makes groups of the next player's blocks; returns which entries are left."""
        k, m = matrix.num_rows, matrix.num_columns
        fits = (k * m * FILL <= matrix.size) & (np.maximum(k, m) <= kernels.MAX_SIDE)
        left = np.ones(len(matrix.size), bool)
        _, shape, counts = np.unique(
            np.stack([k, m], axis=1)[fits], axis=0, return_inverse=True, return_counts=True
        )
        for s in np.flatnonzero(counts >= MIN_BLOCKS):
            components = np.flatnonzero(fits)[shape.ravel() == s]
            numbers = matrix.numbers(components)
            for same, chosen in _alike(numbers):
                left[components[chosen]] = False
                self._append(matrix, components[chosen], numbers[chosen], same, place)
        self._players.append(len(self._shapes))
        return left[matrix.component]

    def _append(
        self,
        matrix: _Matrix,
        components: Integers,
        numbers: NDArray[np.float64],
        same: bool,
        place: NDArray[np.uint32],
    ) -> None:
        rows, columns = matrix.rows_of(components), matrix.columns_of(components)
        count, k, m = len(components), rows.shape[1], columns.shape[2]
        stride = 0 if same else int(_padded(count))
        weight = np.zeros((m, k, stride or 1))
        weight[:, :, : 1 if same else count] = numbers[: 1 if same else count].T.reshape(m, k, -1)
        self._shapes.append((k, m, count, stride, *self._used))
        self._row.append(place[rows.T.ravel()])
        self._column.append(place[columns.transpose(0, 2, 1).reshape(len(columns), -1)])
        self._weight.append(weight.ravel())
        sizes = rows.size, m * count, weight.size
        self._used = [used + size for used, size in zip(self._used, sizes, strict=True)]

    def blocks(self) -> Blocks:
        """The arrays."""
        return Blocks(
            players=_unsigned(self._players),
            table=np.array(self._shapes, np.uint64).reshape(-1, 7),
            row=np.concatenate([*self._row, []]).astype(np.uint32),
            column=np.concatenate(self._column, axis=1).astype(np.uint32),
            weight=np.concatenate([*self._weight, []]).astype(np.float64),
        )


class _Loosening:
    """Collects the entries of all players that fit no block."""

    def __init__(self) -> None:
        self._players, self._used = [0], 0
        self._row: list[NDArray[np.uint32]] = []
        self._start: list[Integers] = []
        self._others: list[NDArray[np.uint32]] = []
        self._weight: list[NDArray[np.float64]] = []

    def add(self, matrix: _Matrix, left: NDArray[np.bool_], place: NDArray[np.uint32]) -> None:
        """Takes the next player's entries that are left; they come row by row."""
        e = np.flatnonzero(left)
        rows, first = np.unique(matrix.row[e], return_index=True)
        self._row.append(place[matrix.rows[rows]])
        self._start.append(self._used + first)
        self._others.append(place[matrix.columns[:, matrix.column[e]]])
        self._weight.append(matrix.weight[e])
        self._used += len(e)
        self._players.append(self._players[-1] + len(rows))

    def loose(self) -> Loose:
        """The arrays."""
        return Loose(
            players=_unsigned(self._players),
            row=np.concatenate(self._row),
            start=_unsigned(np.append(np.concatenate(self._start), self._used)),
            others=np.ascontiguousarray(np.concatenate(self._others, axis=1)),
            weight=np.concatenate(self._weight),
        )


def _alike(numbers: NDArray[np.float64]) -> list[tuple[bool, Integers]]:
    """Matrices (rows) that occur often, each with its places; then the others, if not few."""
    kind, counts = _kinds(numbers)
    often = counts >= MIN_BLOCKS
    found = [(True, np.flatnonzero(kind == k)) for k in np.flatnonzero(often)]
    rest = np.flatnonzero(~often[kind])
    return [*found, (False, rest)] if len(rest) >= MIN_BLOCKS else found


def _kinds(numbers: NDArray[np.float64]) -> tuple[Integers, Integers]:
    """The rank of each row among the different rows, and how often each of these occurs.

    Rows are told apart by sums of their bits times odd numbers, which is checked: sorting long rows
    takes ten times as long.
    """
    odd = np.random.default_rng(0).integers(0, 2**63, numbers.shape[1], np.uint64) * 2 + 1
    bits = (numbers + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    codes = (bits ^ (bits >> np.uint64(44))) @ odd  # sums keep low bits; the sign is the highest
    _, first, kind, counts = np.unique(
        codes, return_index=True, return_inverse=True, return_counts=True
    )
    if not np.array_equal(numbers[first][kind], numbers):  # two rows of one code, as good as never
        _, kind, counts = np.unique(numbers, axis=0, return_inverse=True, return_counts=True)
        return kind.ravel(), counts
    order = np.lexsort(numbers[first].T[::-1])
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[kind], counts[order]


def _unique_columns(others: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """The different columns in lexicographic order, and the place of each among them."""
    if len(others) == 0:  # one player: all entries are against the same nobody
        nobody = np.zeros((0, min(1, others.shape[1])), np.uint32)
        return nobody, np.zeros(others.shape[1], np.int32)
    if len(others) == 1:  # no sorting
        met = np.zeros(int(others.max(initial=0)) + 1, bool)
        met[others[0]] = True
        rank = np.cumsum(met, dtype=np.int32) - np.int32(1)
        return np.flatnonzero(met)[None].astype(np.uint32), rank[others[0]]
    order = np.lexsort(others[::-1])
    ordered = others[:, order]
    new = np.ones(len(order), bool)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    place = np.empty(len(order), np.int32)
    place[order] = np.cumsum(new, dtype=np.int32) - np.int32(1)
    return ordered[:, new], place


def _ranks(label: Integers, counts: Integers) -> tuple[Integers, Integers]:
    """The rank of each element among those of its label, and the elements ordered by label."""
    order = np.argsort(label, kind="stable")
    rank = np.empty(len(label), np.int64)
    rank[order] = np.arange(len(label)) - np.repeat(_starts(counts)[:-1], counts)
    return rank, order


def _starts(sizes: Integers) -> Integers:
    """Where consecutive parts of these sizes begin, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes)))


def _padded(count: Any) -> Any:
    """Whole numbers rounded up to multiples of `PAD`."""
    return (count + kernels.PAD - 1) // kernels.PAD * kernels.PAD


def _unsigned(numbers: Integers | list[int]) -> NDArray[np.uint64]:
    return np.asarray(numbers, np.uint64)
