"""The code in the pages about learning runs as it stands there, block after block, in an empty folder."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def section(page: str, heading: str) -> str:
    """The text from a heading to the next of its rank."""
    text = (ROOT / page).read_text(encoding="utf-8")
    start = text.index(f"\n## {heading}\n")
    end = text.find("\n## ", start + 4)
    return text[start : end if end > 0 else None]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "heading", "least"),
    [("README.md", "Learn from randomized data", 5), ("docs/python.md", "Learning", 8)],
)
def test_every_block_runs(page, heading, least, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(section(page, heading))
    assert len(blocks) >= least
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, start=1):
        code = compile(block, f"{page}, block {number} of {heading!r}", "exec")
        exec(code, names)
