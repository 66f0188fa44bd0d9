"""The notebooks of docs/notebooks run from the first cell to the last."""

from __future__ import annotations

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = Path(__file__).parents[3] / "docs" / "notebooks"


@pytest.mark.timeout(240)
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=200, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    shown = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
    assert len(shown) >= 2


def test_there_are_three() -> None:
    assert len(list(NOTEBOOKS.glob("*.ipynb"))) == 3
