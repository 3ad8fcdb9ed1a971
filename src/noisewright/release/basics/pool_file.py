"""The pool of a file: numbers for the features, and labels if the algorithm learns from them.

An error names the column and the data row (row 1 is the first one below the header), never the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.io.labels import text_of
from noisewright.io.numbers import floats, place
from noisewright.io.table_files import InputFile, check_names, kind_of, open_input, separator_hint

MOST_VALUES: Final = 1 << 28
"""Numbers that a table may hold here: two GiB of them."""

APART: Final = 100
"""Columns whose spreads differ by more than this factor are probably not meant to count equally."""


@dataclass(frozen=True, eq=False)
class PoolTable:
    """Rows with the names of their columns, as a data frame has them.

    Attributes:
        rows: Features, (records, features).
        columns: Their names.
        labels: One label for each record; None if there are none.
        left_out: Columns of the file that are not used.
    """

    rows: Floats
    columns: tuple[str, ...]
    labels: NDArray[Any] | None
    left_out: tuple[str, ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.rows, dtype=dtype, copy=True if copy is None else copy)


def read_pool_table(
    path: Path, columns: Sequence[str] = (), label: str | None = None, *, numeric_label: bool = False
) -> PoolTable:
    """Return the chosen columns of a file, or all that begin with a number, and the label column.

    Args:
        path: A CSV, Parquet or Arrow file.
        columns: Features; if empty, all columns of numbers except the label.
        label: Column of the labels; None if there is none.
        numeric_label: Whether labels are numbers; otherwise they are read as texts.
    """
    file = open_input(path)
    if label in columns:
        raise InvalidParameter(f"column {label!r} cannot be both label=… and a feature")
    wanted = [*columns, *([] if label is None else [label])]
    check_names(wanted, file.names, where=str(path))
    features = list(columns) or [name for name in _numeric(file, path) if name != label]
    if not features:
        hint = separator_hint(file.names[0]) if len(file.names) == 1 else None
        remedy = hint or "name some with columns=…"
        raise BadTable(f"{path} has no column of numbers to release anything about; {remedy}")
    check_names(features, file.names, where=str(path))
    rows, labels = _read(file, path, features, label, numeric_label)
    left_out = tuple(name for name in file.names if name not in (*features, label))
    return PoolTable(rows, tuple(features), labels, left_out)


def _read(
    file: InputFile, path: Path, features: list[str], label: str | None, numeric_label: bool
) -> tuple[Floats, NDArray[Any] | None]:
    texts = [] if label is None or numeric_label else [label]
    numbers = [*features, label] if label is not None and numeric_label else features
    pieces: list[Floats] = []
    labels: list[Any] = []
    done = 0
    for batch in file.batches(numbers, texts):
        pieces.append(np.column_stack([_finite(batch.column(name), name, done) for name in features]))
        if label is not None:
            column = batch.column(label)
            labels += list(_finite(column, label, done)) if numeric_label else _texts(column, label, done)
        done += batch.num_rows
        if done * len(features) > MOST_VALUES:
            raise BadTable(f"{path} has more than {MOST_VALUES:,} numbers; take fewer rows or columns")
    if not done:
        raise BadTable(f"{path} has columns but no rows")
    return np.concatenate(pieces), None if label is None else np.array(labels)


def _numeric(file: InputFile, path: Path) -> list[str]:
    """Return the columns that begin with a number; later rows are checked when they are read."""
    first = next(iter(file.batches([], list(dict.fromkeys(file.names)))), None)
    if first is None:
        return []
    csv = kind_of(path) == "csv"
    return [name for name in first.schema.names if _holds_numbers(first.column(name), text=csv)]


def _holds_numbers(column: Any, *, text: bool) -> bool:
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if not text:
        return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))
    head = next((str(value) for value in column.to_pylist() if value not in (None, "")), "")
    try:
        float(head)
    except ValueError:
        return False
    return True


def spread_apart(rows: Floats) -> bool:
    """Return whether some column is more than ``APART`` times as wide as another that varies.

    >>> spread_apart(np.array([[0.0, 5.0, 0.0], [1.0, 5.0, 1000.0]]))
    True
    """
    spreads = rows.std(axis=0)
    some = spreads[spreads > 0]
    return bool(some.size and some.max() > APART * some.min())


def _finite(column: Any, name: str, first: int) -> Floats:
    values = floats(column, name, first)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise OutOfDomain(f"{place(name, first + row)} is not a finite number; drop such rows first")
    return values


def _texts(column: Any, name: str, first: int) -> list[str]:
    found: list[Any] = column.to_pylist()
    for row, value in enumerate(found, first):
        if value is None or value == "":
            raise BadTable(f"{place(name, row)} is missing; drop such rows first")
    try:
        return [text_of(value) for value in found]
    except InvalidParameter:
        raise BadTable(
            f"{name} holds values where labels are needed; labels are texts or whole numbers"
        ) from None
