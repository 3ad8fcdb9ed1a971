"""Columns of a table that go through a mechanism: the base class, and columns of numbers.

``labels.py`` has the columns of labels, ``codes.py`` those whose reports are bytes. Refusals name the column
and the data row (row 1 is the first one below the header), never the value.

Whether all values of a column are whole is a fact about private data. It is shown to
whoever holds the data and runs the program, and never written into a file of reports or its description.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from noisewright.domains import Floats, Integers, Interval, NumericDomain
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError, OutOfDomain
from noisewright.io.file_access import warn_caller
from noisewright.mechanisms import Mechanism
from noisewright.randomness import Source

REMEDY = "drop or impute such rows first"
CHANGED = "a mechanism never leaves a report out, so the table was changed after it was written"

ArrowColumn = Any
"""An Arrow ``Array`` or ``ChunkedArray``; the stubs of pyarrow have no name for both."""


def place(name: str, row: int) -> str:
    """Name a cell of a table in a refusal; ``row`` counts from 0, readers count from 1.

    >>> place("heart_rate", 0)
    'heart_rate in data row 1'
    """
    return f"{name} in data row {row + 1}"


def floats(column: ArrowColumn, name: str, first_row: int = 0) -> Floats:
    """Return the numbers of a column of any numeric type; refuse text, dates, booleans and nulls.

    >>> floats(pa.array([71, 64], pa.int16()), "heart_rate")
    array([71., 64.])
    """
    plain: Any = _decoded(column)
    kind = plain.type
    if pa.types.is_null(kind) and len(plain):
        raise BadTable(f"{place(name, first_row)} is missing (null); {REMEDY}")
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        raise BadTable(f"{name} holds {kind} values where numbers are needed")
    if plain.null_count:
        missing: Any = plain.is_null()
        row = pc.index(missing, True).as_py()
        raise BadTable(f"{place(name, first_row + row)} is missing (null); {REMEDY}")
    # A number beyond 2^53 may round here; a lattice of cells is far coarser than that.
    numbers: Any = _one_array(plain.cast(pa.float64(), safe=False))
    return np.asarray(np.from_dlpack(numbers), dtype=np.float64)  # to_numpy would import pandas


def _decoded(column: ArrowColumn) -> ArrowColumn:
    if pa.types.is_run_end_encoded(column.type):
        column = pc.call_function("run_end_decode", [column])
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _one_array(column: ArrowColumn) -> Any:
    if not isinstance(column, pa.ChunkedArray):
        return column
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def texts(column: ArrowColumn, name: str) -> Any:
    """Return the values of a column as texts in one array: names of people, or of groups of people."""
    try:
        return _one_array(_decoded(column).cast(pa.string()))
    except pa.ArrowException:
        raise BadTable(f"{name} holds {column.type} values, which name nobody; texts or numbers do") from None


def arrow(reports: Floats) -> ArrowColumn:
    """Return reports as an Arrow array, without a copy (``pa.array`` would import pandas)."""
    return pa.Array.from_buffers(pa.float64(), reports.size, [None, pa.py_buffer(reports.data)])


def row_refusal(
    domain: NumericDomain, values: Floats, name: str, out_of_domain: str, first_row: int
) -> OutOfDomain:
    """Return the refusal of the first value outside a domain, by its row of the table."""
    bad = ~(np.isfinite(values) if out_of_domain == "clip" else domain.contains(values))
    row = int(np.argmax(bad))
    try:
        domain.admit(values[row], name=place(name, first_row + row), out_of_domain=out_of_domain)
    except OutOfDomain as refusal:
        return refusal
    return OutOfDomain(f"{name} holds a value that its mechanism on {domain!r} refuses")


def admitted(
    domain: NumericDomain, values: ArrowColumn, name: str, out_of_domain: str, first_row: int
) -> Floats:
    """Return the numbers of a column that belong to a domain; refuse the first that does not, by its row."""
    numbers = floats(values, name, first_row)
    with suppress(OutOfDomain):
        return np.asarray(domain.admit(numbers, name=name, out_of_domain=out_of_domain))
    raise row_refusal(domain, numbers, name, out_of_domain, first_row)


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
        """Number of bytes of one report in memory."""
        return 8

    @abstractmethod
    def draw(self, values: ArrowColumn, source: Source, *, out_of_domain: str, first_row: int) -> ArrowColumn:
        """Draw reports for the true values of a batch; a refusal names column and row, never the value."""

    @abstractmethod
    def truth(self, values: ArrowColumn, *, out_of_domain: str, first_row: int) -> Any:
        """Return the true values of a batch as the mechanism takes them, or refuse one by its row."""

    @abstractmethod
    def stored(self, reports: Any) -> ArrowColumn:
        """Return reports of the mechanism as a column."""

    @abstractmethod
    def read(self, reports: ArrowColumn, *, first_row: int, where: str) -> NDArray[Any]:
        """Return reports as their mechanism made them; a refusal names the row and never the report."""

    def as_text(self, reports: ArrowColumn) -> ArrowColumn:
        """Return reports as a CSV holds them."""
        return reports

    def misfit(self, row: int, where: str) -> str:
        """Return the refusal of a report that the mechanism cannot have made."""
        return (
            f"{place(self.name, row)} of {where} was not made by {type(self.mechanism).__name__}: its "
            f"reports are {self.appearance()}; true values must never be given here"
        )

    @abstractmethod
    def appearance(self) -> str:
        """Say in a few words what reports look like."""

    def refuse_gaps(self, reports: ArrowColumn, first_row: int, where: str) -> None:
        """Refuse a column of reports in which something is missing."""
        gaps: Any = reports.is_null(nan_is_null=pa.types.is_floating(reports.type))
        row = pc.index(gaps, True).as_py()
        if row >= 0:
            raise BadTable(f"{place(self.name, first_row + row)} of {where} is missing; {CHANGED}")


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
        if not truth.size:  # Spark hands out empty batches
            return arrow(truth)
        with suppress(OutOfDomain):  # its message names a place in the batch; the refusal below names the row
            drawn = self.mechanism.perturb(truth, source, out_of_domain=out_of_domain, name=self.name)
            return arrow(np.asarray(drawn))
        raise row_refusal(self.mechanism.domain, truth, self.name, out_of_domain, first_row)

    def truth(self, values: ArrowColumn, *, out_of_domain: str, first_row: int) -> Any:
        return admitted(self.mechanism.domain, values, self.name, out_of_domain, first_row)

    def stored(self, reports: Any) -> ArrowColumn:
        return arrow(np.array(reports, dtype=np.float64))

    def read(self, reports: ArrowColumn, *, first_row: int, where: str) -> NDArray[Any]:
        self.refuse_gaps(reports, first_row, where)
        return floats(reports, self.name, first_row)

    def appearance(self) -> str:
        return f"the centres of the cells of {self.mechanism.reports!r}"


FEWEST: Final = 10
"""The fewest values that a warning may be about: fewer may be of one person, and warnings reach logs.
A column of integer type needs no such care, since its type is not secret."""

WORTH_SAYING: Final = 0.05
"""The least widening of the mean's interval that is mentioned: whole numbers are padded by half a step at
both ends, which is half of the width for 0, 1 and 2 and little for ages."""


class WholeNumbers(UserWarning):
    """A column declared as an interval holds whole numbers only; ``Integers`` would serve it better."""


@dataclass(frozen=True)
class WholeColumn:
    """A column of whole numbers, with the domain that would suit it: the whole numbers of its interval."""

    name: str
    domain: Integers
    rows: int
    complete: bool

    @property
    def what(self) -> str:
        """What was found, without any value."""
        if self.complete:
            return f"every value of {self.name!r} is a whole number"
        return f"the first {self.rows:,} values of {self.name!r} are all whole numbers"

    def advice(self, integers: str, labels: str) -> str:
        """Return the whole sentence: what was found, and what to declare instead.

        Args:
            integers: how the caller writes the whole numbers of this column.
            labels: how the caller writes them as labels, which is best for two.
        """
        if self.domain.size == 2:
            return f"{self.what}: declare {labels}, which estimates the share of each with the least noise"
        sentence = (
            f"{self.what}: declare {integers} to get narrower intervals of bins and quantiles, and bins that "
            "end between whole numbers"
        )
        wider = 1 / (self.domain.size - 1)
        if wider < WORTH_SAYING:
            return sentence
        return f"{sentence}; the mean's interval becomes about {wider:.0%} wider"


Notice = Callable[[WholeColumn], None]
"""A function that informs whoever holds the data."""


def warn(found: WholeColumn) -> None:
    """Warn a Python program at the line that asked for the randomizing."""
    labels = f"Categories([{found.domain.first}, {found.domain.last}])"
    warn_caller(found.advice(repr(found.domain), labels), WholeNumbers)


def note_whole_numbers(
    mechanisms: Mapping[str, Mechanism], table: pa.Table, notice: Notice | None = None, *, complete: bool
) -> None:
    """Name every column that is declared as an interval and holds whole numbers only.

    Args:
        mechanisms: the mechanism of each column.
        table: the true values, or the first part of them.
        notice: called once for each such column, however short. Default: a warning, for columns of
            ``FEWEST`` values or more.
        complete: whether ``table`` holds all rows.
    """
    for name, domain in _declared(mechanisms):
        column = table.column(name)
        enough = notice is not None or pa.types.is_integer(column.type) or len(column) >= FEWEST
        if enough and _all_whole(column, name, domain):
            (notice or warn)(WholeColumn(name, domain, len(column), complete))


def _declared(mechanisms: Mapping[str, Mechanism]) -> Iterator[tuple[str, Integers]]:
    """Columns on a plain interval, each with the whole numbers of that interval if it has two or more."""
    for name, mechanism in mechanisms.items():
        domain = mechanism.domain
        if type(domain) is Interval:
            with suppress(InvalidParameter):  # a single whole number, or more than a lattice has cells
                yield name, Integers(math.ceil(domain.low), math.floor(domain.high), cells=domain.cells)


def _all_whole(column: ArrowColumn, name: str, domain: Integers) -> bool:
    with suppress(NoisewrightError):  # values that are not numbers are refused when they are drawn
        return bool(domain.contains(floats(column, name, 0)).all())
    return False
