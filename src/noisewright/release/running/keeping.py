"""Finished worlds on disk, so that interrupted work goes on where it stopped.

The folder holds *exact* outputs of private data, before any noise. It is made for its owner alone (0700, its
files 0600), and whoever gets hold of it needs no attack any more: delete it when the release is done. The
fingerprint of the data is in there, too, and nowhere else.
"""

from __future__ import annotations

import io
import zipfile
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.engine.digest import digest, versions
from noisewright.engine.private_files import write_private
from noisewright.engine.private_folder import PrivateFolder
from noisewright.errors import BadRelease
from noisewright.release.halves import Halves
from noisewright.release.running.batches import Batch, batch_size
from noisewright.release.running.one_world import Task

FORMAT: Final = 1
README: Final = """This folder is PRIVATE.

It holds the exact outputs of an algorithm in each world, before any noise, and a fingerprint of the
data. Publishing any of it undoes the protection of the release made from it. It is here only so that
interrupted work can go on; delete it when the release is done.
"""


class KeptWorlds:
    """The finished batches of one run: saved whole or not at all, read back only if they are sound."""

    def __init__(self, folder: Path, task: Task, worlds: Halves) -> None:
        """Make the folder, or go on with one that holds the same run."""
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
        """The outputs of a batch, or None if they are not there or damaged: then they are run again."""
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


def describe(task: Task, worlds: Halves) -> dict[str, Any]:
    """What a run is, for telling runs apart: an entry for everything that could move a result."""
    return {
        "format": FORMAT,
        "batch": batch_size(worlds.count),
        "algorithm": digest(task.algorithm),
        "data": digest(task.rows, task.labels, task.facts),
        "worlds": digest(np.packbits(worlds.member), worlds.member.shape, worlds.seeds),
        "versions": versions(),
    }


def cannot_keep(folder: str | PathLike[str], error: OSError) -> BadRelease:
    """The refusal for a folder that the system does not let us use."""
    return BadRelease(f"finished worlds cannot be kept in {folder}: {error.strerror}")
