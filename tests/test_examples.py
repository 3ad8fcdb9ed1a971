"""The notebooks in ``examples/`` are clean, and run from top to bottom in a kernel of their own."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from test_english import LONGEST_MEAN, mean_length, objections

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
RUN = """
import sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=600, resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(book, sys.argv[3])
"""
"""A process of its own: the kernel's libraries warn of each other, and warnings are errors in tests."""


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def text(cell):
    return "".join(cell["source"])


def test_there_is_one_for_each_reader():
    assert [path.stem for path in NOTEBOOKS] == ["audit", "learning", "routes", "survey"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_committed_without_outputs_and_traces(path):
    book = read(path)
    assert (book["metadata"], book["nbformat"], book["nbformat_minor"]) == (METADATA, 4, 5)
    assert 8 <= len(book["cells"]) <= 15
    assert book["cells"][0]["cell_type"] == "markdown"
    assert text(book["cells"][0]).startswith("# ")
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    for cell in book["cells"]:
        assert cell["metadata"] == {}
        assert text(cell).strip()
        if cell["cell_type"] == "code":
            assert (cell["execution_count"], cell["outputs"]) == (None, [])
            ast.parse(text(cell))
    written = json.dumps(book, indent=1, ensure_ascii=False) + "\n"
    assert path.read_text(encoding="utf-8") == written, (
        "write it as Jupyter does, so that changes are readable"
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_in_plain_english(path):
    prose = [text(cell) for cell in read(path)["cells"] if cell["cell_type"] == "markdown"]
    assert [each for part in prose for each in objections(part)] == []
    assert mean_length(prose) <= LONGEST_MEAN


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(path, tmp_path):
    pytest.importorskip("nbclient", reason="run `make tools`")
    pytest.importorskip("ipykernel", reason="run `make tools`")
    work, executed = tmp_path / "work", tmp_path / "executed.ipynb"
    work.mkdir()
    command = [sys.executable, "-c", RUN, str(path), str(work), str(executed)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    cells = [cell for cell in read(executed)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    shown = [output for cell in cells for output in cell["outputs"]]
    assert not [each["text"] for each in shown if each.get("name") == "stderr"], (
        "warnings are shown to readers"
    )
    pages = [each for each in shown if "text/html" in each.get("data", {})]
    assert pages, "no result is shown as a page"
