"""Outputs on disk: a further question about the same experiment costs no run, and interrupted work goes on.

The folder is made for its owner alone (0700, its files 0600). Each output is what the mechanism would
publish, but very many of them for one input undo any noise. Fingerprints of both inputs are there, too.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from noisewright.audit.basics.budget import Sizes
from noisewright.audit.basics.outputs import Outputs
from noisewright.audit.blackbox import BlackBox
from noisewright.audit.blackbox.base import root_seed
from noisewright.audit.blackbox.exchange import identity
from noisewright.audit.experiment.sampler import Chunk
from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.io.digest import digest
from noisewright.io.private_files import PrivateFolder, write_private


def outputs_folder(path: Path) -> PrivateFolder:
    """Return the private folder at a path, for outputs under audit."""
    return PrivateFolder(path, "outputs for private inputs", BadMechanism)


def cannot_keep(folder: PrivateFolder, error: OSError) -> InvalidParameter:
    """Return the refusal for a folder that the system does not let us use."""
    return InvalidParameter(f"outputs cannot be kept in {folder.path}: {error.strerror}; name another folder")


# -- Parquet: numbers to the last bit as columns of doubles, everything else as text -------------------


WORDS: Final = "words"
NUMBER: Final = "number_"
ENTRY: Final = "entry_"
"""Columns of lists, which a single number is not."""


def to_parquet(outputs: Outputs) -> bytes:
    """Return the file of some outputs, with a checksum on every page."""
    columns: dict[str, Any]
    if outputs.numbers is None or not outputs.width:  # vectors without entries have no column either
        columns = {WORDS: pa.array(outputs.as_words().tolist(), pa.string())}
    else:
        name = ENTRY if outputs.listed else NUMBER
        columns = {f"{name}{place}": pa.array(column) for place, column in enumerate(outputs.numbers.T)}
    target = io.BytesIO()
    words = WORDS in columns  # drawn numbers cannot be made smaller, texts repeat
    pq.write_table(
        pa.table(columns),
        target,
        compression="zstd" if words else "none",
        use_dictionary=words,
        write_page_checksum=True,
    )
    return target.getvalue()


def from_parquet(path: Path) -> Outputs | None:
    """Return the outputs of a file, or None if it is not there or damaged."""
    try:
        table = pq.read_table(io.BytesIO(path.read_bytes()), page_checksum_verification=True)
    except (OSError, pa.ArrowException):
        return None
    if table.column_names == [WORDS]:
        column = table.column(WORDS)
        if column.type != pa.string() or column.null_count:
            return None
        words = np.empty(len(column), dtype=object)
        words[:] = column.to_pylist()
        return Outputs(None, words)
    listed = table.column_names[:1] == [f"{ENTRY}0"]
    if table.column_names != [f"{ENTRY if listed else NUMBER}{place}" for place in range(table.num_columns)]:
        return None
    if any(field.type != pa.float64() for field in table.schema) or not table.num_columns:
        return None
    return Outputs(np.column_stack([column.to_numpy() for column in table.columns]), listed=listed)


# -- the chunks of one experiment ----------------------------------------------------------------------


FORMAT: Final = 1
SIZES: Final = "parts by the clock"
FAILURES: Final = "failures"
NAME: Final = re.compile(r"(left|right)-(\d{9})-(\d{9})\.parquet")

README: Final = """This folder is PRIVATE.

It holds the outputs of a mechanism for two inputs, drawn very many times, and fingerprints of the inputs.
That many outputs for one input undo the noise in each of them. The folder lets further questions about the
same experiment cost nothing; delete it when the audit is done.
"""


class StoredSamples:
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
            kept = self.folder.manifest()
        except OSError as error:
            raise cannot_keep(self.folder, error) from None
        if kept is not None and not _whole(kept):
            raise self.folder.damaged()
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
        """Remember the sizes of the parts of a timed audit, so that a further question uses the same."""
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
        """Return the chunk that begins with a block, or None; a damaged one is removed and drawn again."""
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
        """Return how many of ``blocks`` blocks from the first on can be drawn before a kept chunk begins."""
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
        """Return the number of blocks of each kept chunk; of two with the same first block, the longer."""
        found: dict[tuple[str, int], int] = {}
        for match in filter(None, (NAME.fullmatch(path.name) for path in self.folder.path.iterdir())):
            side, first, blocks = match[1], int(match[2]), int(match[3])
            found[side, first] = max(blocks, found.get((side, first), 0))
        return found

    def _same(self, kept: dict[str, Any], seed: int | None) -> int:
        """Return the seed of the kept experiment, or refuse if this is another one."""
        wanted = self._described | ({} if seed is None else {"seed": seed})
        self.folder.check_same(kept, wanted, "outputs of another experiment")
        return int(kept["seed"])


def _name(side: str, chunk: Chunk) -> str:
    return f"{side}-{chunk.first:09}-{chunk.blocks:09}.parquet"


def _whole(manifest: dict[str, Any]) -> bool:
    """Return whether the seed, block size and parts of a manifest are possible ones."""
    counts = manifest.get("seed"), manifest.get(FAILURES, 0)
    sizes = manifest.get(SIZES, [1, 1, 1, 1.0])
    if not (isinstance(sizes, list) and len(sizes) == len(Sizes._fields)):
        return False
    *parts, seconds = sizes
    if not (type(seconds) is float and seconds > 0 and all(type(each) is int for each in (*counts, *parts))):
        return False
    return type(manifest.get("block")) is int and min(manifest["block"], *parts) >= 1 and min(counts) >= 0
