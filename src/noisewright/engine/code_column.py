"""Columns of codes: true values are labels, and reports are fixed numbers of bytes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from noisewright.domains.codes import Bytes, Codes
from noisewright.engine.halving import first_refused
from noisewright.engine.hex_text import first_of_other_length, from_hex, to_hex
from noisewright.engine.label_column import LabelInput
from noisewright.engine.numbers import ArrowColumn
from noisewright.errors import BadTable, OutOfDomain
from noisewright.randomness import Source

TEXTS: Final = (pa.string(), pa.large_string(), pa.string_view())
VARIABLE: Final = (pa.binary(), pa.large_binary(), pa.binary_view())
"""Types that software which knows no fixed width turns codes into."""


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
            raise OutOfDomain(self.strange(first_row + wrong, where))
        with suppress(OutOfDomain):  # it knows no rows of the table; the refusal below names one
            return self._codes.from_bytes(rows)
        raise OutOfDomain(self.strange(first_row + first_refused(rows, self._codes.from_bytes), where))

    def _rows(self, reports: ArrowColumn, where: str) -> tuple[Bytes, int | None]:
        """Rows of bytes, and where the first report stands that has another width."""
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

    def looks(self) -> str:
        return f"{self._codes.kind} in {self._codes.width} bytes"


def _decoded(reports: ArrowColumn) -> ArrowColumn:
    """The same reports in one of three types: texts, bytes of any number, bytes of one number."""
    if pa.types.is_dictionary(reports.type):
        reports = reports.cast(reports.type.value_type)
    if reports.type in TEXTS:
        return reports.cast(pa.large_string())
    return reports.cast(pa.large_binary()) if reports.type in VARIABLE else reports


def _bytes_of(chunk: Any, kind: pa.DataType, width: int) -> Bytes:
    """The bytes of a chunk of codes, without a copy where that can be."""
    plain = chunk if chunk.type == kind else chunk.cast(kind)
    start = plain.offset * width
    data = np.frombuffer(plain.buffers()[1], dtype=np.uint8)[start : start + len(plain) * width]
    return data.reshape(len(plain), width)
