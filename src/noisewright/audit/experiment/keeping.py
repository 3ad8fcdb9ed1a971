"""Outputs on disk: a second question to the same experiment costs no draw, and interrupted work goes on.

The folder is made for its owner alone (0700, its files 0600). Each output is what the mechanism would
publish, but very many of them for one input undo any noise; fingerprints of both inputs are in there, too.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from noisewright.audit.blackbox import BlackBox
from noisewright.audit.blackbox.subjects import identity
from noisewright.audit.experiment.parquet import from_parquet, to_parquet
from noisewright.audit.experiment.private_folder import cannot_keep, outputs_folder
from noisewright.audit.experiment.running import Chunk
from noisewright.audit.experiment.seeds import root_seed
from noisewright.audit.folds import Sizes
from noisewright.audit.outputs import Outputs
from noisewright.engine.digest import digest
from noisewright.engine.private_files import write_private

FORMAT: Final = 1
SIZES: Final = "parts by the clock"
FAILURES: Final = "failures"
NAME: Final = re.compile(r"(left|right)-(\d{9})-(\d{9})\.parquet")
README: Final = """This folder is PRIVATE.

It holds the outputs of a mechanism for two inputs, drawn very many times, and fingerprints of the inputs.
So many outputs for one input undo the noise in each of them. It is here so that further questions to the
same experiment cost nothing; delete it when the audit is done.
"""


class KeptSamples:
    """The chunks of one experiment: saved whole or not at all, read back only if they are sound."""

    def __init__(self, folder: Path, box: BlackBox, left: Any, right: Any, seed: int | None) -> None:
        """Make the folder, or go on with one that holds the same experiment."""
        self.folder = outputs_folder(folder)
        self._described = {
            "format": FORMAT,
            "mechanism": digest(box.describe()),
            "left input": digest(identity(left), follows=False),
            "right input": digest(identity(right), follows=False),
        }
        try:
            self.folder.make()
            kept = self._manifest()
        except OSError as error:
            raise cannot_keep(self.folder, error) from None
        self.seed: int = root_seed(seed) if kept is None else self._same(kept, seed)
        self.block: int | None = None if kept is None else kept["block"]
        self.sizes = None if kept is None or SIZES not in kept else Sizes(*kept[SIZES])
        self.failures = 0 if kept is None else int(kept.get(FAILURES, 0))
        self._chunks = {} if kept is None else self._find()

    def begin(self, block: int) -> None:
        """Remember the size of a block; from now on the folder belongs to this experiment."""
        self.block = block
        self._describe()

    def remember(self, sizes: Sizes) -> None:
        """Remember what the clock gave the parts of an audit, so that a further question has the same."""
        if sizes != self.sizes:
            self.sizes = sizes
            self._describe()

    def fail(self) -> None:
        """Remember that a run failed, and is missing among those that are kept."""
        self.failures += 1
        if self.block is not None:
            self._describe()

    def _describe(self) -> None:
        """Write down what is in the folder."""
        further = {"seed": self.seed, "block": self.block, FAILURES: self.failures}
        parts = {} if self.sizes is None else {SIZES: list(self.sizes)}
        try:
            self.folder.begin(README, self._described | further | parts)
        except OSError as error:
            raise cannot_keep(self.folder, error) from None

    def load(self, side: str, first: int) -> tuple[Chunk, Outputs] | None:
        """The chunk that begins with a block, or None; a damaged one is removed, and then drawn again."""
        blocks = self._chunks.get((side, first))
        if blocks is None or self.block is None:
            return None
        chunk = Chunk(first, blocks)
        path = self.folder.path / _name(side, chunk)
        outputs = from_parquet(path)
        if outputs is not None and len(outputs) == blocks * self.block:
            return chunk, outputs
        path.unlink(missing_ok=True)
        del self._chunks[side, first]
        return None

    def gap(self, side: str, first: int, blocks: int) -> int:
        """How many of so many blocks from the first on can be drawn before a kept chunk begins."""
        later = [start for kept_side, start in self._chunks if kept_side == side and start > first]
        return min([blocks, *(start - first for start in later)])

    def save(self, side: str, chunk: Chunk, outputs: Outputs) -> None:
        """Put a finished chunk on disk."""
        content = to_parquet(outputs)
        try:
            write_private(self.folder.path / _name(side, chunk), content)
        except OSError as error:
            raise cannot_keep(self.folder, error) from None
        self._chunks[side, chunk.first] = chunk.blocks

    def _find(self) -> dict[tuple[str, int], int]:
        """How many blocks each kept chunk has; of two that begin with one block, the longer."""
        found: dict[tuple[str, int], int] = {}
        for match in filter(None, (NAME.fullmatch(path.name) for path in self.folder.path.iterdir())):
            side, first, blocks = match[1], int(match[2]), int(match[3])
            found[side, first] = max(blocks, found.get((side, first), 0))
        return found

    def _manifest(self) -> dict[str, Any] | None:
        """What a folder says of its experiment, or None for an empty one."""
        kept = self.folder.manifest()
        if kept is not None and not _whole(kept):
            raise self.folder.damaged()
        return kept

    def _same(self, kept: dict[str, Any], seed: int | None) -> int:
        """The seed of the kept experiment, if this is the same one."""
        wanted = self._described | ({} if seed is None else {"seed": seed})
        self.folder.check_same(kept, wanted, "outputs of another experiment")
        return int(kept["seed"])


def _name(side: str, chunk: Chunk) -> str:
    return f"{side}-{chunk.first:09}-{chunk.blocks:09}.parquet"


def _whole(manifest: dict[str, Any]) -> bool:
    """Whether a manifest has a seed, and sizes of blocks and parts, that outputs can have been drawn with."""
    counts = manifest.get("seed"), manifest.get(FAILURES, 0)
    sizes = manifest.get(SIZES, [1, 1, 1, 1.0])
    if not (isinstance(sizes, list) and len(sizes) == len(Sizes._fields)):
        return False
    *parts, seconds = sizes
    if not (type(seconds) is float and seconds > 0 and all(type(each) is int for each in (*counts, *parts))):
        return False
    return type(manifest.get("block")) is int and min(manifest["block"], *parts) >= 1 and min(counts) >= 0
