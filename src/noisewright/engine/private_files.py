"""Files for their owner alone: kept results of private data must not be readable by others."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from noisewright.collect.keys import OTHERS


def open_to_others(path: Path) -> bool:
    """Whether anybody but the owner may read, write or enter a file or folder; unknown systems pass."""
    return os.name == "posix" and bool(path.stat().st_mode & OTHERS)


def write_private(path: Path, content: bytes) -> None:
    """A file for its owner alone, which appears whole or not at all."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(4)}.part")
    try:
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
