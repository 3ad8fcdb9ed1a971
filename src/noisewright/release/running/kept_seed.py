"""The public seed of kept worlds: interrupted work can only go on with the same halves."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Final

from noisewright.engine.private_files import write_private
from noisewright.errors import BadRelease
from noisewright.release.running.keeping import cannot_keep

SEED: Final = ".seed"
LONGEST: Final = 40


def kept_seed(folder: str | PathLike[str], fresh: int) -> int:
    """The seed that a folder remembers, or a fresh one, which it remembers from now on.

    The seed says which halves there are and never which one is used: that is drawn anew by every release.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept_seed(folder, 5), kept_seed(folder, 6)
    (5, 5)
    """
    path = Path(folder) / SEED
    try:
        Path(folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            write_private(path, str(fresh).encode())
            return fresh
        with path.open("rb") as file:
            return int(file.read(LONGEST))
    except OSError as error:
        raise cannot_keep(folder, error) from None
    except ValueError:
        raise BadRelease(f"the seed in {folder} is damaged; name an empty or a new folder") from None
