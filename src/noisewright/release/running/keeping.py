"""Finished worlds on disk, so that interrupted work goes on where it stopped.

The folder holds *exact* outputs of private data, before any noise. It is made for its owner alone (0700, its
files 0600), and whoever gets hold of it needs no attack any more: delete it when the release is done. The
fingerprint of the data is in there, too, and nowhere else.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.engine.digest import digest, versions
from noisewright.engine.private_files import open_to_others, write_private
from noisewright.engine.strict_json import strict_json
from noisewright.errors import BadRelease
from noisewright.release.halves import Halves
from noisewright.release.running.batches import Batch, batch_size
from noisewright.release.running.one_world import Task

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
README: Final = """This folder is PRIVATE.

It holds the exact outputs of an algorithm in each world, before any noise, and a fingerprint of the
data. Publishing any of it undoes the protection of the release made from it. It is here only so that
interrupted work can go on; delete it when the release is done.
"""


class KeptWorlds:
    """The finished batches of one run: saved whole or not at all, read back only if they are sound."""

    def __init__(self, folder: Path, task: Task, worlds: Halves) -> None:
        """Make the folder, or go on with one that holds the same run."""
        self.folder = folder
        described = describe(task, worlds)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_private()
            if (folder / MANIFEST).exists():
                self._check_same(described)
            else:
                self._begin(described)
        except OSError as error:
            raise BadRelease(f"finished worlds cannot be kept in {folder}: {error.strerror}") from None

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
            raise BadRelease(f"finished worlds cannot be kept in {self.folder}: {error.strerror}") from None

    def _path(self, batch: Batch) -> Path:
        return self.folder / f"worlds-{batch.first:05}.npz"

    def _check_private(self) -> None:
        if open_to_others(self.folder):
            raise BadRelease(
                f"the folder {self.folder} would hold exact outputs of private data and is open to others; "
                "take their rights away with chmod 700, or name a folder that does not exist yet"
            )

    def _begin(self, described: dict[str, Any]) -> None:
        if any(not each.name.startswith(".") for each in self.folder.iterdir() if each.name != "README.txt"):
            raise BadRelease(f"the folder {self.folder} holds other files; name an empty or a new one")
        write_private(self.folder / "README.txt", README.encode())
        write_private(self.folder / MANIFEST, json.dumps(described, indent=1).encode())

    def _check_same(self, described: dict[str, Any]) -> None:
        try:
            kept = strict_json((self.folder / MANIFEST).read_bytes())
        except ValueError:
            kept = None
        if not isinstance(kept, dict):
            raise BadRelease(f"the manifest in {self.folder} is damaged; name an empty or a new folder")
        other = [name for name in described if kept.get(name) != described[name]]
        if other:
            raise BadRelease(
                f"the folder {self.folder} holds worlds of another run (different: {', '.join(other)}); "
                "repeat that run as it was, or name an empty or a new folder"
            )


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
