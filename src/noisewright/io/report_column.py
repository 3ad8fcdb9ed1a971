"""What a randomized column is to tables and files: how it is drawn, how it is stored, how it is read back.

``column_kinds.py`` has one kind of column for every kind of report: numbers, labels and codes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from noisewright.errors import BadTable
from noisewright.io.numbers import ArrowColumn, place
from noisewright.mechanisms import Mechanism
from noisewright.randomness import Source

CHANGED = "a mechanism never leaves a report out, so the table was changed after it was written"


class ReportColumn(ABC):
    """One column that goes through a mechanism."""

    numeric: ClassVar[bool] = False
    """Whether a CSV holds numbers in it; everything else is read as text."""

    @property
    def numbers_in(self) -> bool:
        """Whether the true values are numbers, whatever the reports are."""
        return self.numeric

    def __init__(self, name: str, mechanism: Mechanism) -> None:
        self.name = name
        self.mechanism: Any = mechanism

    @property
    @abstractmethod
    def type(self) -> pa.DataType:
        """The Arrow type in which reports are stored."""

    @property
    def row_bytes(self) -> int:
        """How many bytes the report of one row takes while it is worked on."""
        return 8

    @abstractmethod
    def draw(self, values: ArrowColumn, source: Source, *, out_of_domain: str, first_row: int) -> ArrowColumn:
        """Reports for the true values of a batch; a refusal names the column and the row, never the value."""

    @abstractmethod
    def stored(self, reports: Any) -> ArrowColumn:
        """Reports, as the mechanism returns them, as a column."""

    @abstractmethod
    def read(self, reports: ArrowColumn, *, first_row: int, where: str) -> NDArray[Any]:
        """Reports as their mechanism made them; a refusal names the row and never the report."""

    def as_text(self, reports: ArrowColumn) -> ArrowColumn:
        """Reports as a CSV holds them."""
        return reports

    def strange(self, row: int, where: str) -> str:
        """The sentence that refuses a report which the mechanism cannot have made."""
        return (
            f"{place(self.name, row)} of {where} was not made by {type(self.mechanism).__name__}: its "
            f"reports are {self.looks()}; true values must never be given here"
        )

    @abstractmethod
    def looks(self) -> str:
        """What reports look like, in a few words."""

    def refuse_gaps(self, reports: ArrowColumn, first_row: int, where: str) -> None:
        """Refuse a column of reports in which something is missing."""
        gaps: Any = reports.is_null(nan_is_null=pa.types.is_floating(reports.type))
        row = pc.index(gaps, True).as_py()
        if row >= 0:
            raise BadTable(f"{place(self.name, first_row + row)} of {where} is missing; {CHANGED}")
