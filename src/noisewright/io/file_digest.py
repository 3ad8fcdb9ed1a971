"""The SHA-256 of a file, as provenance states it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from noisewright.io.file_errors import reading
from noisewright.report.provenance import Digest


def file_digest(path: str | os.PathLike[str], name: str | None = None) -> Digest:
    """Read a file; it goes by its own name, without folders, unless another one is given.

    >>> file_digest(os.devnull).sha256[:16]
    'e3b0c44298fc1c14'
    """
    with reading(Path(path)), Path(path).open("rb") as file:
        return Digest(name or Path(path).name, hashlib.file_digest(file, "sha256").hexdigest())
