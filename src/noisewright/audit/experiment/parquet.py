"""Outputs as Parquet: numbers to the last bit as columns of doubles, everything else as text."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from noisewright.audit.outputs import Outputs

WORDS: Final = "words"
NUMBER: Final = "number_"
ENTRY: Final = "entry_"
"""Columns of lists, which a single number is not."""


def to_parquet(outputs: Outputs) -> bytes:
    """The file of some outputs, with a checksum on every page."""
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
    """The outputs of a file, or None if it is not there or damaged."""
    try:
        table = pq.read_table(io.BytesIO(path.read_bytes()), page_checksum_verification=True)
    except (OSError, pa.ArrowException):
        return None
    if table.column_names == [WORDS]:
        return _words(table.column(WORDS))
    listed = table.column_names[:1] == [f"{ENTRY}0"]
    if table.column_names != [f"{ENTRY if listed else NUMBER}{place}" for place in range(table.num_columns)]:
        return None
    if any(field.type != pa.float64() for field in table.schema) or not table.num_columns:
        return None
    return Outputs(np.column_stack([column.to_numpy() for column in table.columns]), listed=listed)


def _words(column: Any) -> Outputs | None:
    if column.type != pa.string() or column.null_count:
        return None
    words = np.empty(len(column), dtype=object)
    words[:] = column.to_pylist()
    return Outputs(None, words)
