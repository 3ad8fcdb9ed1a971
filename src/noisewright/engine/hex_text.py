"""Rows of bytes as hexadecimal text and back, for CSV files; all rows at once."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.domains.codes import Bytes

DIGITS: Final = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
NO_DIGIT: Final = 255
VALUES: Final = np.full(256, NO_DIGIT, dtype=np.uint8)
VALUES[DIGITS] = np.arange(16)
VALUES[np.frombuffer(b"ABCDEF", dtype=np.uint8)] = np.arange(10, 16)


def to_hex(rows: Bytes) -> Any:
    """An Arrow array of texts, two letters a byte.

    >>> to_hex(np.array([[10, 255]], dtype=np.uint8)).to_pylist()
    ['0aff']
    """
    count, width = rows.shape
    letters = np.empty((count, width, 2), dtype=np.uint8)
    letters[..., 0], letters[..., 1] = DIGITS[rows >> 4], DIGITS[rows & 15]
    offsets = np.arange(count + 1, dtype=np.int64) * (2 * width)  # 32 bits would wrap at two gigabytes
    buffers = [None, pa.py_buffer(offsets.data), pa.py_buffer(letters.data)]
    return pa.Array.from_buffers(pa.large_string(), count, buffers)


def from_hex(texts: Any, width: int) -> tuple[Bytes, int | None]:
    """The rows of bytes, and where the first text stands that is none, if there is one.

    >>> from_hex(pa.array(["0aff", "0a"]), 2)[1]
    1
    """
    if (wrong := first_of_other_length(texts, 2 * width)) is not None:
        return np.zeros((0, width), dtype=np.uint8), wrong
    letters = np.frombuffer(b"".join(_raw(texts)), dtype=np.uint8).reshape(-1, width, 2)
    digits = VALUES[letters]
    strange = (digits == NO_DIGIT).any(axis=(1, 2))
    rows: Bytes = (digits[..., 0] << np.uint8(4)) | (digits[..., 1] & np.uint8(15))
    return rows, int(np.argmax(strange)) if strange.any() else None


def first_of_other_length(column: Any, length: int) -> int | None:
    """Where the first text or code stands that has another number of bytes."""
    right: Any = pc.call_function("equal", [pc.binary_length(column), pa.scalar(length)])
    wrong = int(pc.index(right, False).as_py())
    return wrong if wrong >= 0 else None


def _raw(texts: Any) -> list[bytes]:
    """The letters of each chunk, without a Python object for each text."""
    chunks = texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]
    return [_letters(chunk.cast(pa.large_string())) for chunk in chunks if len(chunk)]


def _letters(chunk: Any) -> bytes:
    _, offsets, data = chunk.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
    return bytes(memoryview(data)[int(ends[0]) : int(ends[-1])])
