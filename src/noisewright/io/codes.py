"""Columns of labels whose reports are codes: bytes of one width, hexadecimal in a CSV."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from noisewright.domains.codes import Bytes, Codes
from noisewright.errors import BadTable, OutOfDomain
from noisewright.io.labels import LabelInput
from noisewright.io.numbers import ArrowColumn
from noisewright.randomness import Source

TEXTS: Final = (pa.string(), pa.large_string(), pa.string_view())
VARIABLE: Final = (pa.binary(), pa.large_binary(), pa.binary_view())
"""Types that codes become in software without a type of fixed width."""

DIGITS: Final = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
NO_DIGIT: Final = 255
VALUES: Final = np.full(256, NO_DIGIT, dtype=np.uint8)
VALUES[DIGITS] = np.arange(16)
VALUES[np.frombuffer(b"ABCDEF", dtype=np.uint8)] = np.arange(10, 16)


class CodeColumn(LabelInput):
    """Reports are stored as bytes of one width; a CSV holds them in hexadecimal."""

    @property
    def _codes(self) -> Codes:
        codes: Codes = self.mechanism.reports
        return codes

    @property
    def type(self) -> pa.DataType:
        return pa.binary(self._codes.width)

    @property
    def row_bytes(self) -> int:
        return self._codes.width

    def draw(self, values: ArrowColumn, source: Source, *, out_of_domain: str, first_row: int) -> ArrowColumn:
        drawn = self.draw_cells(values, source, out_of_domain, first_row)
        return (
            self._arrow(np.zeros((0, self._codes.width), np.uint8)) if drawn is None else self.stored(drawn)
        )

    def stored(self, reports: Any) -> ArrowColumn:
        return self._arrow(self._codes.to_bytes(reports))

    def _arrow(self, rows: Bytes) -> ArrowColumn:
        data = pa.py_buffer(np.ascontiguousarray(rows).data)
        return pa.Array.from_buffers(self.type, len(rows), [None, data])

    def read(self, reports: ArrowColumn, *, first_row: int, where: str) -> NDArray[Any]:
        self.refuse_gaps(reports, first_row, where)
        rows, wrong = self._rows(reports, where)
        if wrong is not None:
            raise OutOfDomain(self.misfit(first_row + wrong, where))
        with suppress(OutOfDomain):  # its message names no row of the table; the refusal below does
            return self._codes.from_bytes(rows)
        raise OutOfDomain(self.misfit(first_row + first_refused(rows, self._codes.from_bytes), where))

    def _rows(self, reports: ArrowColumn, where: str) -> tuple[Bytes, int | None]:
        """Return rows of bytes, and the place of the first report of another width."""
        width = self._codes.width
        plain = _decoded(reports)
        if plain.type == pa.large_string():
            return from_hex(plain, width)
        if not (pa.types.is_fixed_size_binary(plain.type) or plain.type == pa.large_binary()):
            raise BadTable(
                f"{self.name} of {where} holds {plain.type} values where codes of {width} bytes are needed"
            )
        if (wrong := first_of_other_length(plain, width)) is not None:
            return np.zeros((0, width), dtype=np.uint8), wrong
        chunks = plain.chunks if isinstance(plain, pa.ChunkedArray) else [plain]
        parts = [_bytes_of(chunk, self.type, width) for chunk in chunks]
        return np.concatenate(parts) if parts else np.zeros((0, width), np.uint8), None

    def as_text(self, reports: ArrowColumn) -> ArrowColumn:
        return to_hex(self._rows(reports, "the table")[0])

    def appearance(self) -> str:
        return f"{self._codes.kind} in {self._codes.width} bytes"


def _decoded(reports: ArrowColumn) -> ArrowColumn:
    """Return the same reports in one of three types: texts, bytes of any width, bytes of one width."""
    if pa.types.is_dictionary(reports.type):
        reports = reports.cast(reports.type.value_type)
    if reports.type in TEXTS:
        return reports.cast(pa.large_string())
    return reports.cast(pa.large_binary()) if reports.type in VARIABLE else reports


def _bytes_of(chunk: Any, kind: pa.DataType, width: int) -> Bytes:
    """Return the bytes of a chunk of codes, without a copy where possible."""
    plain = chunk if chunk.type == kind else chunk.cast(kind)
    start = plain.offset * width
    data = np.frombuffer(plain.buffers()[1], dtype=np.uint8)[start : start + len(plain) * width]
    return data.reshape(len(plain), width)


def to_hex(rows: Bytes) -> Any:
    """Return an Arrow array of texts, two letters a byte.

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
    """Return the rows of bytes, and the place of the first text that is not one, if any.

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
    """Return the place of the first text or code that has another number of bytes."""
    right: Any = pc.call_function("equal", [pc.binary_length(column), pa.scalar(length)])
    wrong = int(pc.index(right, False).as_py())
    return wrong if wrong >= 0 else None


def _raw(texts: Any) -> list[bytes]:
    """Return the letters of each chunk, without a Python object for each text."""
    chunks = texts.chunks if isinstance(texts, pa.ChunkedArray) else [texts]
    return [_letters(chunk.cast(pa.large_string())) for chunk in chunks if len(chunk)]


def _letters(chunk: Any) -> bytes:
    _, offsets, data = chunk.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
    return bytes(memoryview(data)[int(ends[0]) : int(ends[-1])])


def first_refused(reports: NDArray[Any], check: Callable[[NDArray[Any]], object]) -> int:
    """Find the first report that a check refuses, by halving; there must be one.

    >>> import numpy as np
    >>> from noisewright.domains import Places
    >>> first_refused(np.array([1, 0, 2, 5, 1, 7]), Places(4).to_bytes)
    3
    """
    low, high = 0, len(reports)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            check(reports[low:middle])
        except OutOfDomain:
            high = middle
        else:
            low = middle
    return low
