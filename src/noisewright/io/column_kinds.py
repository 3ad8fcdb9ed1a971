"""The three kinds of randomized columns, and which of them a mechanism needs.

Of a column of numbers, true values and reports are both floats; of a column of labels, both are labels of a
public list; of a column of codes, true values are labels and reports are fixed numbers of bytes.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from noisewright.domains import Bins, Cells, FiniteDomain
from noisewright.domains.codes import Bytes, Codes
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.io.first_bad_row import first_refused
from noisewright.io.labels import LabelList
from noisewright.io.numbers import ArrowColumn, arrow, floats, perturb_column, row_refusal
from noisewright.io.report_column import ReportColumn
from noisewright.mechanisms import Mechanism, NumericMechanism
from noisewright.randomness import Source

NOBODY: Cells = np.zeros(0, dtype=np.int64)

TEXTS: Final = (pa.string(), pa.large_string(), pa.string_view())
VARIABLE: Final = (pa.binary(), pa.large_binary(), pa.binary_view())
"""Types that software which knows no fixed width turns codes into."""

DIGITS: Final = np.frombuffer(b"0123456789abcdef", dtype=np.uint8)
NO_DIGIT: Final = 255
VALUES: Final = np.full(256, NO_DIGIT, dtype=np.uint8)
VALUES[DIGITS] = np.arange(16)
VALUES[np.frombuffer(b"ABCDEF", dtype=np.uint8)] = np.arange(10, 16)


def column_of(name: str, mechanism: Mechanism) -> ReportColumn:
    """The column of a mechanism, by where its reports live.

    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> column_of("smoker", KRR(Categories(["no", "yes"]), 1.0)).type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    try:
        return _kind(mechanism)(name, mechanism)
    except InvalidParameter as refusal:
        raise InvalidParameter(f"column {name!r}: {refusal}") from None


def _kind(mechanism: object) -> type[ReportColumn]:
    if isinstance(mechanism, NumericMechanism):
        return NumberColumn
    if isinstance(mechanism, Mechanism) and isinstance(mechanism.domain, FiniteDomain):
        if isinstance(mechanism.reports, FiniteDomain):
            return LabelColumn
        if isinstance(mechanism.reports, Codes):
            return CodeColumn
    raise InvalidParameter(
        "a column needs a mechanism for numbers, such as OGPM(Interval(40, 200), epsilon=2), or for labels"
    )


# -- numbers ---------------------------------------------------------------------------------------------


class NumberColumn(ReportColumn):
    """Reports are stored as real values, each the centre of its cell.

    That is what every tool can average and plot, and nothing is lost: ``mechanism.reports.snap`` gives the
    cell back.
    """

    numeric = True

    @property
    def type(self) -> pa.DataType:
        return pa.float64()

    def draw(self, values: ArrowColumn, source: Source, *, out_of_domain: str, first_row: int) -> ArrowColumn:
        truth = floats(values, self.name, first_row)
        reports = perturb_column(
            self.mechanism,
            truth,
            source,
            out_of_domain=out_of_domain,
            name=self.name,
            first_row=first_row,
        )
        return arrow(reports)

    def stored(self, reports: Any) -> ArrowColumn:
        return arrow(np.array(reports, dtype=np.float64))

    def read(self, reports: ArrowColumn, *, first_row: int, where: str) -> NDArray[Any]:
        self.refuse_gaps(reports, first_row, where)
        return floats(reports, self.name, first_row)

    def looks(self) -> str:
        return f"the centres of the cells of {self.mechanism.reports!r}"


# -- labels ----------------------------------------------------------------------------------------------


class LabelInput(ReportColumn):
    """A column whose true values are labels, or numbers that become the label of their bin."""

    def __init__(self, name: str, mechanism: Mechanism) -> None:
        super().__init__(name, mechanism)
        self.list = LabelList(mechanism.domain)

    @property
    def numbers_in(self) -> bool:
        return isinstance(self.mechanism.domain, Bins)

    def draw_cells(
        self, values: ArrowColumn, source: Source, out_of_domain: str, first_row: int
    ) -> NDArray[Any] | None:
        """What the mechanism draws for the labels of a batch; nothing for an empty batch."""
        cells = self._cells(values, out_of_domain, first_row)
        return self.mechanism.perturb_cells(cells, source) if cells.size else None

    def _cells(self, values: ArrowColumn, out_of_domain: str, first_row: int) -> Cells:
        if not isinstance(self.mechanism.domain, Bins):
            return self.list.places(values, self.name, first_row)
        truth = floats(values, self.name, first_row)
        if not truth.size:
            return NOBODY
        with suppress(OutOfDomain):  # it names a place in the batch; the refusal below names the row
            return self.mechanism.domain.snap(truth, out_of_domain=out_of_domain)
        raise row_refusal(self.mechanism.domain.within, truth, self.name, out_of_domain, first_row)


class LabelColumn(LabelInput):
    """Reports are stored as text in a dictionary, so that every tool can count them."""

    @property
    def type(self) -> pa.DataType:
        return pa.dictionary(pa.int32(), pa.string())

    @cached_property
    def _reported(self) -> LabelList:
        return LabelList(self.mechanism.reports)

    def draw(self, values: ArrowColumn, source: Source, *, out_of_domain: str, first_row: int) -> ArrowColumn:
        drawn = self.draw_cells(values, source, out_of_domain, first_row)
        return self._at(NOBODY if drawn is None else drawn)

    def stored(self, reports: Any) -> ArrowColumn:
        return self._at(self.mechanism.reports.snap(reports, name="report"))

    def _at(self, cells: Cells) -> ArrowColumn:
        """Places in the list of reports as a column."""
        places = np.ascontiguousarray(cells, dtype=np.int32)
        indices: Any = pa.Array.from_buffers(pa.int32(), places.size, [None, pa.py_buffer(places.data)])
        return pa.DictionaryArray.from_arrays(indices, self._reported.texts)

    def read(self, reports: ArrowColumn, *, first_row: int, where: str) -> NDArray[Any]:
        self.refuse_gaps(reports, first_row, where)
        found = self._reported.look_up(reports, self.name)
        if found.null_count:
            row = pc.index(found.is_null(), True).as_py()
            raise OutOfDomain(self.strange(first_row + row, where))
        return np.asarray(self.mechanism.reports.centres(np.from_dlpack(found)))

    def as_text(self, reports: ArrowColumn) -> ArrowColumn:
        return reports.cast(pa.string())

    def looks(self) -> str:
        return f"among {len(self._reported)} labels"


# -- codes -----------------------------------------------------------------------------------------------


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


# -- rows of bytes as hexadecimal text and back, for CSV files; all rows at once ------------------------


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
