"""Files that are too large to be held in memory are refused before they are opened."""

from __future__ import annotations

from pathlib import Path

from noisewright.engine.sentences import reading
from noisewright.errors import BadTable


def refuse_large(path: Path, largest: int) -> None:
    """Refuse a document above a number of bytes, and say what to do instead."""
    with reading(path):
        size = path.stat().st_size
    if size > largest:
        raise BadTable(
            f"it is larger than {largest >> 20} MiB; split it into several files, or convert it to Parquet"
        )
