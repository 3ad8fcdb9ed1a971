"""Outputs that are refused before any work is done, because they could not be written in the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from noisewright.errors import BadTable

ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist already.")]
"""The option of every verb that writes a file."""


def check_new_file(target: Path, inputs: Sequence[Path] = (), *, replace: bool) -> None:
    """Refuse a file in no folder, one that is an input, no ordinary file, or would be replaced silently."""
    if not target.absolute().parent.is_dir():
        raise BadTable(f"cannot write {target}: the folder {target.absolute().parent} does not exist")
    if not target.exists():
        return
    if any(path.exists() and target.samefile(path) for path in inputs):
        raise BadTable(f"the output {target} is an input itself; choose another name")
    if not target.is_file():
        raise BadTable(f"cannot write {target}: it exists and is not a regular file")
    if not replace:
        raise BadTable(f"{target} exists already; choose another name, or pass replace=True to replace it")
