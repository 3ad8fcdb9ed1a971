"""The pool: all records of a data holder, and the results that must stay with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.release.basics.worlds import LEAST_RECORDS

NUMBERS = "biufO"
"""Kinds of arrays that may hold numbers."""

LARGEST, SMALLEST = 1e100, 1e-100

AT_ONCE = 1 << 21
"""Numbers in one block of a table: 16 MB."""


@dataclass(frozen=True, eq=False)
class Pool:
    """All records: ``rows`` (records, features), one label each if there are any, and names of columns."""

    rows: Floats = field(repr=False)
    labels: NDArray[Any] | None = field(repr=False)
    names: tuple[str, ...] | None


def read_pool(table: Any, labels: Any = None) -> Pool:
    """Return the pool of an array or a data frame; errors name a place and never a value.

    Args:
        table: Finite numbers, (records, features).
        labels: One number or text for each record; None if there are none.

    >>> read_pool([[1, 2], [3, 4], [5, 6], [7, float("nan")]])
    Traceback (most recent call last):
    ...
    noisewright.errors.OutOfDomain: row 3, column 1 of X is not a finite number; leave such rows out, or ...
    """
    rows = _numbers(table)
    _check_finite(rows)
    if len(rows) < LEAST_RECORDS:
        raise BadTable(f"X has {len(rows)} records; a release needs at least {LEAST_RECORDS}")
    return Pool(rows, None if labels is None else _labels(labels, len(rows)), _names(table, rows.shape[1]))


def _numbers(table: Any) -> Floats:
    try:
        found = np.asarray(table)
        if found.dtype.kind not in NUMBERS or (found.dtype.kind == "O" and not _all_numbers(found)):
            raise TypeError
        rows = np.array(found, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):  # their texts quote the data
        raise BadTable("X holds something that is not a number; give numeric columns only") from None
    if rows.ndim == 1:
        rows = rows[:, None]
    if rows.ndim != 2 or not rows.shape[1]:
        raise BadTable(f"X must be a table of records by features, got an array of shape {rows.shape}")
    return rows


def _check_finite(rows: Floats) -> None:
    """Reject missing values, and numbers whose squares overflow or vanish: they break solvers."""
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        row, column = bad[0].tolist()
        raise OutOfDomain(
            f"row {row}, column {column} of X is not a finite number; leave such rows out, or fill the gaps "
            f"inside the algorithm"
        )
    spans = np.ptp(rows, axis=0)
    for column in np.flatnonzero((np.abs(rows).max(axis=0) > LARGEST) | ((spans > 0) & (spans < SMALLEST))):
        raise OutOfDomain(f"column {column} of X has numbers too large or too close to be squared; scale it")


def _all_numbers(found: NDArray[Any]) -> bool:
    """Return whether all are numbers, rather than texts that look like numbers."""
    return not any(isinstance(one, str | bytes | complex) for one in found.flat)


def _labels(labels: Any, records: int) -> NDArray[Any]:
    column = np.asarray(labels)
    if column.shape != (records,):
        raise InvalidParameter(
            f"must hold one label for each of the {records} records, got {column.shape}", field="y"
        )
    if column.dtype.kind == "O":
        column = column.astype(str) if all(isinstance(one, str) for one in column) else column
    if column.dtype.kind not in "biufU":
        raise BadTable("y must hold numbers or texts, one kind only")
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        place = int(np.flatnonzero(~np.isfinite(column))[0])
        raise OutOfDomain(f"y has no finite number for record {place}; leave such records out")
    return column


def _names(table: Any, features: int) -> tuple[str, ...] | None:
    names = getattr(table, "column_names", getattr(table, "columns", None))
    if names is None or len(names) != features or not all(isinstance(name, str) for name in names):
        return None
    if len(set(names)) < features:
        raise BadTable("two columns of X have the same name; rename one")
    return tuple(names)


class Confidential:
    """A result that is never copied or pickled, because its plan or facts are exact about the data.

    People send pickles, and workers and caches write them to disk. The parts that may leave are ``vector``
    and ``model``, which can be pickled by themselves, and the model file.
    """

    def __reduce__(self) -> NoReturn:
        raise InvalidParameter(
            f"a {type(self).__name__} holds exact outputs of private data, so it is not pickled or copied; "
            "take its model or vector, or write a model file with noisewright.release.save"
        )


def blocks(count: int, width: int, at_once: int = AT_ONCE) -> Iterator[slice]:
    """Cut ``count`` rows of ``width`` numbers into slices, so that a table of each slice stays small.

    >>> [(part.start, part.stop) for part in blocks(5, AT_ONCE // 2)]
    [(0, 2), (2, 4), (4, 5)]
    """
    step = max(1, at_once // max(1, width))
    for start in range(0, count, step):
        yield slice(start, min(count, start + step))
