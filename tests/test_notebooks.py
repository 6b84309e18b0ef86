"""Every notebook runs from top to bottom, and its committed outputs are what it prints."""

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def texts(cell):
    """What a code cell shows, pictures left out and memory addresses blanked."""
    shown = []
    for output in cell.outputs:
        assert output.output_type != "error", output.ename
        if output.output_type == "stream":
            shown.append(output.text)
        else:
            shown += [v for k, v in sorted(output.data.items()) if k.startswith("text/")]
    return re.sub(r"0x[0-9a-f]+", "0x", "".join(shown))


def pictures(cell):
    return sum(
        any(kind.startswith("image/") for kind in output.get("data", ())) for output in cell.outputs
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_its_outputs_are_current(path):
    committed = nbformat.read(path, as_version=4)
    fresh: Any = nbformat.from_dict(committed)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    place = {"metadata": {"path": str(path.parent)}}  # as Jupyter does
    NotebookClient(fresh, timeout=300, kernel_name="python3", resources=place).execute()
    for old, new in zip(committed.cells, fresh.cells, strict=True):
        if old.cell_type == "code":
            assert old.execution_count is not None, "commit notebooks with their outputs"
            assert texts(new) == texts(old), old.source
            assert pictures(new) == pictures(old), old.source


def test_there_are_notebooks():
    assert NOTEBOOKS
