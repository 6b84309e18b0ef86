"""How much memory the arrays of a compiled tree take."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .tree import GameTree

OF_SETS = (
    "owner", "first", "num_actions", "parent_sequence", "blocks", "sequence_blocks", "first_node",
    "last_node",
)  # fmt: skip
"""Arrays with one row per information set, or fewer."""


@dataclass(frozen=True)
class Memory:
    """Bytes of the arrays that exist at present; what is made on demand counts once it is made.

    Information-state strings and lists of actions are Python objects and not counted.

    Attributes:
        num_nodes: of the tree.
        nodes: bytes of arrays with one row per node or leaf, the sequences there included.
        information_sets: bytes of arrays with one row per information set.
        sequence_form: bytes of the entries that best responses read; see `sequence_form`.
        vector_form: bytes of what regret minimisers read; see `vector_form`.
    """

    num_nodes: int
    nodes: int
    information_sets: int
    sequence_form: int
    vector_form: int

    @property
    def total(self) -> int:
        """Bytes of all arrays."""
        return self.nodes + self.information_sets + self.sequence_form + self.vector_form

    @property
    def per_node(self) -> float:
        """Bytes of all arrays, divided by the number of nodes."""
        return self.total / self.num_nodes

    def to_dict(self) -> dict[str, float]:
        """All of the above, for tables and JSON."""
        return asdict(self) | {"total": self.total, "per_node": self.per_node}


def memory_of(tree: GameTree) -> Memory:
    """See `GameTree.memory`; builds nothing."""
    parts = dict(vars(tree))
    form, layout = parts.pop("_entries", ()), parts.pop("vector_layout", None)
    arrays = {name: part for name, part in parts.items() if isinstance(part, np.ndarray)}
    sets = _bytes(array for name, array in arrays.items() if name in OF_SETS)
    vector = () if layout is None else (layout.place, *(a for part in layout.form for a in part))
    return Memory(
        num_nodes=tree.num_nodes,
        nodes=_bytes(arrays.values()) - sets,
        information_sets=sets,
        sequence_form=_bytes(form),
        vector_form=_bytes(vector),
    )


def _bytes(arrays: Iterable[Any]) -> int:
    return sum(array.nbytes for array in arrays)
