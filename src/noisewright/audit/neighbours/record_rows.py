"""Databases held as lists, one record a person: a number, a tuple, a dictionary, or anything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.audit.neighbours.rows import Label, Range, Rows, range_of
from noisewright.domains import Cells
from noisewright.parameters import is_number


@dataclass(frozen=True, eq=False)
class RecordRows(Rows):
    """A list of records. A column is a field that is a number in every record.

    >>> rows = RecordRows([{"age": 31, "city": "A"}, {"age": 57, "city": "B"}])
    >>> rows.extended(rows.ranges()).take(np.array([1, 2]))
    [{'age': 57, 'city': 'B'}, {'age': 31, 'city': 'A'}]
    """

    records: list[Any]

    @property
    def count(self) -> int:
        return len(self.records)

    def take(self, chosen: Cells) -> list[Any]:
        return [self.records[row] for row in chosen.tolist()]

    def ranges(self) -> dict[Label, Range]:
        every = [_fields(record) for record in self.records]
        shared = [label for label in every[0] if all(label in fields for fields in every)]
        found = {label: range_of(np.array([float(fields[label]) for fields in every])) for label in shared}
        return {label: span for label, span in found.items() if span is not None}

    def extended(self, ranges: Mapping[Label, Range]) -> RecordRows:
        more = [
            _overwritten(self.records[0], {label: span[end] for label, span in ranges.items()})
            for end in (0, 1)
        ]
        return RecordRows(self.records + more)


def _fields(record: Any) -> dict[Label, Any]:
    """The numbers of a record by the names of their fields."""
    fields: dict[Label, Any]
    match record:
        case Mapping():
            fields = {str(label): value for label, value in record.items()}
        case tuple() | list() | np.ndarray():
            fields = dict(enumerate(record))
        case _:
            fields = {0: record}
    return {label: value for label, value in fields.items() if is_number(value)}


def _overwritten(record: Any, values: dict[Label, float]) -> Any:
    """A record with some fields replaced; whole numbers stay whole."""
    fitting = {label: _like(_fields(record)[label], value) for label, value in values.items()}
    match record:
        case Mapping():
            return {label: fitting.get(str(label), value) for label, value in record.items()}
        case tuple() | list():
            return type(record)([fitting.get(place, value) for place, value in enumerate(record)])
        case np.ndarray():
            return np.array([fitting.get(place, value) for place, value in enumerate(record)])
        case _:
            return fitting.get(0, record)


def _like(model: Any, value: float) -> Any:
    return int(value) if isinstance(model, int | np.integer) and float(value).is_integer() else value
