"""Finished worlds on disk, so that interrupted work continues where it stopped.

The folder holds *exact* outputs of private data, before any noise. Only its owner may read it (0700, its
files 0600). Whoever gets hold of it needs no attack any more: delete it when the release is done. It also
holds the fingerprint of the data, which is stored nowhere else, and the public seed: interrupted work can
only continue with the same worlds.
"""

from __future__ import annotations

import io
import zipfile
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadRelease
from noisewright.io.digest import digest, versions
from noisewright.io.private_files import PrivateFolder, write_private
from noisewright.release.algorithms.base import Algorithm
from noisewright.release.basics.worlds import WorldList
from noisewright.release.execution.task import Batch, Task, batch_size

FORMAT: Final = 1
SEED: Final = ".seed"
LONGEST_SEED: Final = 40
README: Final = """This folder is PRIVATE.

It holds the exact outputs of an algorithm in each world, before any noise, and a fingerprint of the
data. Publishing any of it undoes the protection of the release made from it. It is here only so that
interrupted work can continue; delete it when the release is done.
"""


class KeptWorlds:
    """The finished batches of one run: saved whole or not at all, read back only if they are intact."""

    def __init__(self, folder: Path, task: Task, worlds: WorldList) -> None:
        """Make the folder, or continue with one that holds the same run."""
        self.folder = PrivateFolder(folder, "exact outputs of private data", BadRelease)
        described = describe(task, worlds)
        try:
            self.folder.make()
            kept = self.folder.manifest()
            if kept is None:
                self.folder.begin(README, described)
            else:
                self.folder.check_same(kept, described, "worlds of another run", again="that run")
        except OSError as error:
            raise cannot_keep(folder, error) from None

    def load(self, batch: Batch, length: int) -> Floats | None:
        """Return the outputs of a batch, or None if they are missing or damaged and must be run again."""
        try:
            with self._path(batch).open("rb") as file, np.load(file, allow_pickle=False) as content:
                outputs = content["outputs"]  # reading checks the CRC
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        sound = outputs.dtype == np.float64 and outputs.shape == (batch.seeds.size, length)
        return outputs if sound and np.isfinite(outputs).all() else None

    def save(self, batch: Batch, outputs: Floats) -> None:
        """Put a finished batch on disk."""
        content = io.BytesIO()
        np.savez(content, outputs=outputs)
        try:
            write_private(self._path(batch), content.getvalue())
        except OSError as error:
            raise cannot_keep(self.folder.path, error) from None

    def _path(self, batch: Batch) -> Path:
        return self.folder.path / f"worlds-{batch.first:05}.npz"


def describe(task: Task, worlds: WorldList) -> dict[str, Any]:
    """Describe a run to tell runs apart: an entry for everything that could change a result."""
    return {
        "format": FORMAT,
        "batch": batch_size(worlds.count),
        "algorithm": digest(task.algorithm),
        "data": digest(task.rows, task.labels, task.facts),
        "worlds": digest(np.packbits(worlds.member), worlds.member.shape, worlds.seeds),
        "versions": versions(),
    }


def cannot_keep(folder: str | PathLike[str], error: OSError) -> BadRelease:
    """Return the error for a folder that cannot be used."""
    return BadRelease(f"finished worlds cannot be kept in {folder}: {error.strerror}")


def kept_seed(folder: str | PathLike[str], fresh: int) -> int:
    """Return the seed stored in a folder; if it has none, store and return ``fresh``.

    The seed determines the list of worlds, never which one is used: every release draws that anew.

    Args:
        folder: Private folder of kept worlds; made if it does not exist.
        fresh: Seed to use if the folder has none yet.

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
            return int(file.read(LONGEST_SEED))
    except OSError as error:
        raise cannot_keep(folder, error) from None
    except ValueError:
        raise BadRelease(f"the seed in {folder} is damaged; name an empty or a new folder") from None


def algorithm_folder(
    keep: str | PathLike[str] | None, algorithm: Algorithm, worlds: WorldList
) -> Path | None:
    """Return the subfolder for an algorithm's finished worlds; None if none are kept."""
    return None if keep is None else Path(keep) / f"{digest(algorithm)[:16]}-{worlds.count}"
