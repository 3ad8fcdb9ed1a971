"""One column of an Arrow table as plain floats, or a refusal that says where and why not.

Refusals name the column and the data row (row 1 is the first one below the header), never the value.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from noisewright.domains import Floats, NumericDomain
from noisewright.errors import BadTable, OutOfDomain
from noisewright.mechanisms import NumericMechanism
from noisewright.randomness import Source

REMEDY = "drop or impute such rows first"

ArrowColumn = Any
"""An Arrow ``Array`` or ``ChunkedArray``; the stubs of pyarrow know neither by one name."""


def place(name: str, row: int) -> str:
    """How a refusal names a cell of a table; ``row`` counts from 0, readers count from 1.

    >>> place("heart_rate", 0)
    'heart_rate in data row 1'
    """
    return f"{name} in data row {row + 1}"


def floats(column: ArrowColumn, name: str, first_row: int = 0) -> Floats:
    """The numbers of a column of any numeric Arrow type; text, dates, booleans and nulls are refused.

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


def arrow(reports: Floats) -> ArrowColumn:
    """Reports as an Arrow array, without a copy (``pa.array`` would import pandas)."""
    return pa.Array.from_buffers(pa.float64(), reports.size, [None, pa.py_buffer(reports.data)])


def perturb_column(
    mechanism: NumericMechanism,
    values: Floats,
    source: Source,
    *,
    out_of_domain: str,
    name: str,
    first_row: int,
) -> Floats:
    """Draw the reports of a column; a refusal counts rows from the start of the table, not of the batch."""
    if not values.size:  # Spark hands out empty batches
        return values
    with suppress(OutOfDomain):  # it names a place in the batch; the refusal below names the one in the table
        return np.asarray(mechanism.perturb(values, source, out_of_domain=out_of_domain, name=name))
    raise row_refusal(mechanism.domain, values, name, out_of_domain, first_row)


def row_refusal(
    domain: NumericDomain, values: Floats, name: str, out_of_domain: str, first_row: int
) -> OutOfDomain:
    """The refusal of the first value outside a domain, by its row of the table."""
    bad = ~(np.isfinite(values) if out_of_domain == "clip" else domain.contains(values))
    row = int(np.argmax(bad))
    try:
        domain.admit(values[row], name=place(name, first_row + row), out_of_domain=out_of_domain)
    except OutOfDomain as refusal:
        return refusal
    return OutOfDomain(f"{name} holds a value that its mechanism on {domain!r} refuses")
