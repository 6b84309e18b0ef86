"""Figures that show themselves in a notebook, without pyplot and its global state."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure


class Picture(Figure):
    """A Matplotlib figure that Jupyter renders."""

    def _repr_png_(self) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format="png", dpi=100, metadata={"Software": None})
        return buffer.getvalue()
