"""The code in the pages about releasing runs as it stands there, block after block, in an empty folder.

It is run with fewer halves and trials than the pages say by default: what is tested is that it runs.
"""

import re
from pathlib import Path

import pytest

from noisewright.release import Release, Secret
from noisewright.release.attacks import calibration

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
FEW = 64


def section(page: str, heading: str) -> str:
    """The text from a heading to the next of its rank."""
    text = (ROOT / page).read_text(encoding="utf-8")
    start = text.index(f"\n## {heading}\n")
    end = text.find("\n## ", start + 4)
    return text[start : end if end > 0 else None]


@pytest.fixture
def lean(monkeypatch):
    """Few halves, few trials."""
    for function in (Release.__init__, Secret.__init__):
        monkeypatch.setitem(function.__kwdefaults__, "worlds", FEW)
    monkeypatch.setattr(Release.attack, "__defaults__", (FEW, 0.99, None))
    monkeypatch.setattr(calibration, "MANY", calibration.FEW)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "heading", "least"),
    [("README.md", "Release a model with a proof", 4), ("docs/python.md", "Releasing", 8)],
)
def test_every_block_runs(page, heading, least, lean, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall(section(page, heading).replace("worlds=128", f"worlds={FEW}"))
    assert len(blocks) >= least
    names: dict[str, object] = {}
    for number, block in enumerate(blocks, start=1):
        code = compile(block, f"{page}, block {number} of {heading!r}", "exec")
        exec(code, names)
