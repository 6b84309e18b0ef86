"""What a benchmark says: one comparison a row."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One comparison.

    Attributes:
        task: what is done.
        game: on which game.
        ours: our figure, in ``unit``.
        peer: the peer's name.
        theirs: its figure, None where the peer is absent.
        unit: of both figures.
        ratio: how many times better ours is (for the compiler: how many traversals it costs).
        needed: threshold of the ratio, None where nothing is asked.
        at_most: whether the threshold bounds the ratio from above.
        note: remarks.
    """

    task: str
    game: str
    ours: float
    peer: str
    theirs: float | None
    unit: str
    ratio: float | None
    needed: float | None = None
    at_most: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the threshold is met; None without one."""
        if self.needed is None or self.ratio is None:
            return None
        return self.ratio < self.needed if self.at_most else self.ratio >= self.needed

    def to_json(self) -> dict[str, Any]:
        """The row with its verdict."""
        return asdict(self) | {"met": self.met}
