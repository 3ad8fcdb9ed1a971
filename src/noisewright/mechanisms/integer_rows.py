"""Tables of integers as public fields: read from anywhere, checked entry by entry."""

from __future__ import annotations

import hashlib
import itertools
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.mechanisms.basics.tables import Table

BITS = 52
"""Weights of a designed law sum to 2⁵²: every JSON reader keeps such integers, and rounding costs < 10⁻¹²."""

MOST_ENTRIES = 1 << 17
"""Entries of the largest table, about two megabytes of JSON."""

IntegerRows = tuple[tuple[int, ...], ...]


def read_rows(weights: Any, columns: int) -> IntegerRows:
    """Rows of integers, as many in each as there are outputs; anything else is refused.

    >>> half = 1 << (BITS - 1)
    >>> read_rows([[half, half]], 2) == ((half, half),)
    True
    """
    if not isinstance(weights, list | tuple) or not 1 <= len(weights) * columns <= MOST_ENTRIES:
        raise InvalidParameter(f"the weights of a law must be a table of 1 to {MOST_ENTRIES} whole numbers")
    rows = tuple(_whole_numbers("each row of the weights", row, columns, 1, 1 << BITS) for row in weights)
    if any(sum(row) != 1 << BITS for row in rows):
        raise InvalidParameter(f"each row of the weights must sum to 2^{BITS}")
    return rows


def read_outputs(outputs: Any, places: int) -> tuple[int, ...]:
    """Numbers of the report cells that a law uses, in order."""
    if not isinstance(outputs, list | tuple):
        raise InvalidParameter("the outputs of a law must be a list of whole numbers")
    cells = _whole_numbers("the outputs of a law", outputs, len(outputs), 0, places - 1)
    if not cells or any(left >= right for left, right in itertools.pairwise(cells)):
        raise InvalidParameter("the outputs of a law must be distinct, in order, and at least one")
    return cells


def _whole_numbers(what: str, values: Any, count: int, low: int, high: int) -> tuple[int, ...]:
    fits = isinstance(values, list | tuple) and len(values) == count
    if not fits or not all(type(value) is int and low <= value <= high for value in values):
        raise InvalidParameter(f"{what} must be {count} whole numbers from {low} to {high}")
    return tuple(values)


def table_of(rows: IntegerRows) -> Table:
    """The rows as a table to sample from; refused unless each sums to 2⁵²."""
    return Table(np.array(rows, dtype=np.int64), BITS)


def full_matrix(table: Table, outputs: tuple[int, ...], places: int) -> Floats:
    """The probability of every report for every row, zero for reports that are no outputs."""
    full = np.zeros((table.weights.shape[0], places))
    full[:, outputs] = table.masses
    return full


def digest(rows: IntegerRows) -> str:
    """Eight letters that tell two tables apart at a glance."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:8]
