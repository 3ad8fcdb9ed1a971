"""Columns of labels: true values are labels of a public list, and so are reports."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from noisewright.domains import Bins, Cells
from noisewright.engine.labels import LabelList
from noisewright.engine.numbers import ArrowColumn, floats, row_refusal
from noisewright.engine.report_column import ReportColumn
from noisewright.errors import OutOfDomain
from noisewright.mechanisms import Mechanism
from noisewright.randomness import Source

NOBODY: Cells = np.zeros(0, dtype=np.int64)


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
