"""How refusals say to install an extra: from where this copy came from, never by a name that anybody may own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from noisewright import errors
from noisewright.errors import MissingExtra, installation

PROJECT = Path(__file__).parents[1]


def installed(monkeypatch: pytest.MonkeyPatch, folder: Path, origin: Any) -> None:
    """As if the package lay in site-packages of a folder, with such a note of where it came from."""
    note = origin if origin is None or isinstance(origin, str) else json.dumps(origin)
    monkeypatch.setattr(errors, "__file__", str(folder / "site-packages" / "noisewright" / "errors.py"))
    monkeypatch.setattr(metadata, "distribution", lambda name: SimpleNamespace(read_text=lambda file: note))


def test_in_a_clone_it_is_the_clone():
    assert installation("plots") == f"run: pip install -e '{PROJECT.resolve()}[plots]'"
    assert str(MissingExtra.of("plots need matplotlib", "plots")).startswith(
        "plots need matplotlib; run: pip"
    )


ORIGINS = {
    "git": (
        {"url": "https://example.org/n.git", "vcs_info": {"vcs": "git", "commit_id": "a1b2"}},
        "run: pip install 'noisewright[models] @ git+https://example.org/n.git@a1b2'",
    ),
    "git by ssh": (
        {"url": "ssh://git@example.org/n.git", "vcs_info": {"vcs": "git", "commit_id": "a1b2"}},
        "run: pip install 'noisewright[models] @ git+ssh://git@example.org/n.git@a1b2'",
    ),
    "an archive, with a password": (
        {"url": "https://me:secret@example.org/n-1-py3-none-any.whl", "archive_info": {}},
        "run: pip install 'noisewright[models] @ https://example.org/n-1-py3-none-any.whl'",
    ),
}
UNKNOWN = "in your copy of the project, run: pip install '.[models]'"


@pytest.mark.parametrize(("origin", "said"), ORIGINS.values(), ids=ORIGINS)
def test_elsewhere_it_is_what_was_installed(monkeypatch, tmp_path, origin, said):
    installed(monkeypatch, tmp_path, origin)
    assert installation("models") == said


def test_a_folder_is_named_while_it_exists(monkeypatch, tmp_path):
    copy = tmp_path / "my copy"
    installed(monkeypatch, tmp_path, {"url": copy.as_uri(), "dir_info": {}})
    assert installation("models") == UNKNOWN
    copy.mkdir()
    assert installation("models") == f"run: pip install '{copy}[models]'"


@pytest.mark.parametrize(
    "origin", [None, "", "no JSON", "[]", "{}", '{"url": 7}', '{"url": "x", "vcs_info": {}}']
)
def test_without_a_note_it_is_the_users_own_copy(monkeypatch, tmp_path, origin):
    installed(monkeypatch, tmp_path, origin)
    assert installation("models") == UNKNOWN


def test_nowhere_is_the_bare_name_to_be_installed():
    """In the code and the docs the name stands with the place, or not at all."""
    kinds = {".py", ".md"}
    files = [path for room in ("src", "docs") for path in (PROJECT / room).rglob("*") if path.suffix in kinds]
    for path in [*files, PROJECT / "README.md"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"install\s+['\"]?noisewright(?!\[\w+\] @)", text), path


def test_errors_are_still_imported_for_free():
    code = "import sys, noisewright.errors; sys.exit('importlib.metadata' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
