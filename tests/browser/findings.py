"""What a browser finds on pages: the Python side of the scripts in this folder.

``make browser`` installs what they need. Where that was not done, tests that ask for it are skipped, and say so.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INSTALLED = Path(os.environ.get("NOISEWRIGHT_BROWSER", ROOT / ".venv" / "browser"))
KINDS = ("accessibility", "console", "foreign", "missing", "overflow", "links")
"""The lists of findings of a site; each is empty on a good one."""


def node() -> str:
    """The path of Node, from the lock or of the machine; skips the test where there is none, or no browser."""
    found = shutil.which(ROOT / ".venv" / "bin" / "node") or shutil.which("node")
    if found is None:
        pytest.skip("no Node: run `make browser`")
    if not (INSTALLED / "node_modules" / "playwright-core").is_dir():
        pytest.skip("no browser: run `make browser`")
    return found


def run_script(script: str, *arguments: str | Path) -> Any:
    """Run a script of this folder, and return the JSON document that it prints."""
    command = [node(), str(HERE / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"{script} ended with {done.returncode}:\n{done.stderr}"
    return json.loads(done.stdout)


def site_findings(folder: Path, screenshots: Path | None = None) -> dict[str, Any]:
    """Walk every page of a built site at two widths, light and dark.

    Args:
        folder: The folder of the site, with its ``index.html``.
        screenshots: Where a picture of every view goes; default: nowhere.

    Returns:
        The document of ``site.mjs``: ``pages``, ``views``, ``seconds``, and a list for each of ``KINDS``.
    """
    return run_script("site.mjs", folder, *(["--screenshots", screenshots] if screenshots else []))


def in_words(findings: dict[str, Any]) -> str:
    """One line for each finding, for the message of a test that fails."""
    return "\n".join(
        f"{kind}: {json.dumps(each, ensure_ascii=False)}" for kind in KINDS for each in findings[kind]
    )
