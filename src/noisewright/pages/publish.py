"""Putting a page on disk, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from noisewright.engine.outputs import published
from noisewright.engine.sentences import writing
from noisewright.errors import BadTable
from noisewright.mechanisms.drawing import new_figure

ENDINGS = (".html", ".htm")


def check_page(path: str | os.PathLike[str]) -> Path:
    """Refuse, before any work is done, a page that could not be drawn or written in the end."""
    target = _checked(path)
    if target.suffix.lower() not in ENDINGS:
        raise BadTable(f"a page is HTML, so its name must end in {' or '.join(ENDINGS)}, not as {path} does")
    new_figure(1, 1)
    return target


def write_text(path: str | os.PathLike[str], text: str) -> Path:
    """Write a page or another text, replacing an earlier one of that name; returns where it is.

    >>> import tempfile
    >>> write_text(Path(tempfile.mkdtemp()) / "page.html", "<p>hello").read_text()
    '<p>hello'
    """
    target = _checked(path)
    with writing(target), published(target) as (draft,):
        draft.write_text(text, encoding="utf-8")
    return target


def _checked(path: str | os.PathLike[str]) -> Path:
    target = Path(path).absolute()
    if target.is_dir() or not target.parent.is_dir():
        what = "it is a folder" if target.is_dir() else f"the folder {target.parent} does not exist"
        raise BadTable(f"cannot write {target}: {what}")
    return target
