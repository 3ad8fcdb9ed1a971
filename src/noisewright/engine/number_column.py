"""Columns of numbers: true values and reports are both floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from noisewright.engine.numbers import ArrowColumn, arrow, floats, perturb_column
from noisewright.engine.report_column import ReportColumn
from noisewright.randomness import Source


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
