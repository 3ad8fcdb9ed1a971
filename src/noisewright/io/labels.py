"""Labels in tables: a column of an Arrow table as places in a public list, compared as text.

A table may hold 250 as a number, as text or in a dictionary, and the list may be a file of lines; so labels
are compared letter by letter as text, and nothing is trimmed, folded or guessed. Refusals name the column
and the data row, never the value.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from noisewright.domains import Bins, Cells, FiniteDomain
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.io.numbers import ArrowColumn, ReportColumn, admitted, floats, place, row_refusal
from noisewright.mechanisms import Mechanism
from noisewright.randomness import Source

OTHER = (
    'add a public label such as "other" to the list and write it in place of such values, but never take the '
    "list from the data"
)
NOBODY: Cells = np.zeros(0, dtype=np.int64)
MISSING = 'add a public label such as "unknown" to the list and write it in place of such values'


def text_of(label: Hashable) -> str:
    """Return a label as tables spell it.

    >>> text_of("asthma"), text_of(250), text_of(True)
    ('asthma', '250', 'true')
    """
    if isinstance(label, bool):
        return str(label).lower()  # as Arrow spells it
    if isinstance(label, str | int | np.integer):
        return str(label)
    raise InvalidParameter(f"the labels of a table are texts or whole numbers, not {type(label).__name__}")


class LabelList:
    """The labels of a domain as texts, ready to be looked up.

    >>> from noisewright import Categories
    >>> LabelList(Categories([250, 401])).places(pa.array(["401", "250"]), "code")
    array([1, 0])
    """

    def __init__(self, domain: FiniteDomain) -> None:
        self.texts = pa.array([text_of(label) for label in domain.labels], pa.string())
        if len(self.texts.unique()) < len(self.texts):
            raise InvalidParameter("two labels are spelled alike; in a table they could not be told apart")

    def __len__(self) -> int:
        return len(self.texts)

    def places(self, column: ArrowColumn, name: str, first_row: int = 0) -> Cells:
        """Return the place of each value in the list; a missing or unknown one is refused."""
        found = self.look_up(column, name)
        if found.null_count:
            row = pc.index(found.is_null(), True).as_py()
            raise self._refusal(column[row].as_py(), column.type, place(name, first_row + row))
        return np.asarray(found, dtype=np.int64)

    def look_up(self, column: ArrowColumn, name: str) -> Any:
        """Return the place of each value in the list as an Arrow array; null where there is none."""
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        found = [self._chunk(chunk, name) for chunk in chunks]
        return pa.concat_arrays(found) if found else pa.array([], pa.int32())

    def _chunk(self, chunk: Any, name: str) -> Any:
        """Look up each distinct value once, as text, however many rows have it."""
        if pa.types.is_null(chunk.type):
            return pa.nulls(len(chunk), pa.int32())
        if pa.types.is_run_end_encoded(chunk.type):
            chunk = pc.call_function("run_end_decode", [chunk])
        coded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        known: Any = pc.index_in(_texts(coded.dictionary, name), value_set=self.texts)
        return known.take(coded.indices)

    def _refusal(self, value: Any, kind: pa.DataType, where: str) -> Exception:
        if value is None or value == "":
            return BadTable(f"{where} is missing; {MISSING}")
        if isinstance(value, str) and pc.index(self.texts, value.strip()).as_py() >= 0:
            return OutOfDomain(f"{where} is a label of the list with blanks around it; remove them first")
        if isinstance(value, str) and _folded(value) in {
            _folded(str(text)) for text in self.texts.to_pylist()
        }:
            return OutOfDomain(f"{where} is a label of the list but for capitals or the coding of accents")
        if pa.types.is_boolean(kind):
            return OutOfDomain(f"{where} is a boolean, which labels spell true and false; write them so")
        return OutOfDomain(f"{where} is not one of the {len(self)} labels of the list; {OTHER}")


def _folded(text: str) -> str:
    """Return a text without the difference of capitals, with accents coded in one way."""
    return unicodedata.normalize("NFKC", text).casefold()


def _texts(values: Any, name: str) -> Any:
    kind = values.type
    readable = (pa.types.is_string, pa.types.is_large_string, pa.types.is_integer, pa.types.is_boolean)
    if not (any(test(kind) for test in readable) or kind == pa.string_view()):
        raise BadTable(
            f"{name} holds {kind} values where labels are needed; labels are texts, whole numbers or booleans"
        )
    return values.cast(pa.string())


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
        """Draw reports for the labels of a batch; None for an empty batch."""
        cells = self._cells(values, out_of_domain, first_row)
        return self.mechanism.perturb_cells(cells, source) if cells.size else None

    def truth(self, values: ArrowColumn, *, out_of_domain: str, first_row: int) -> Any:
        domain = self.mechanism.domain
        if isinstance(domain, Bins):
            return admitted(domain.within, values, self.name, out_of_domain, first_row)
        return [domain.labels[place] for place in self.list.places(values, self.name, first_row)]

    def _cells(self, values: ArrowColumn, out_of_domain: str, first_row: int) -> Cells:
        if not isinstance(self.mechanism.domain, Bins):
            return self.list.places(values, self.name, first_row)
        truth = floats(values, self.name, first_row)
        if not truth.size:
            return NOBODY
        with suppress(OutOfDomain):  # its message names a place in the batch; the refusal below names the row
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
            raise OutOfDomain(self.misfit(first_row + row, where))
        return np.asarray(self.mechanism.reports.centres(np.from_dlpack(found)))

    def as_text(self, reports: ArrowColumn) -> ArrowColumn:
        return reports.cast(pa.string())

    def appearance(self) -> str:
        return f"among {len(self._reported)} labels"
