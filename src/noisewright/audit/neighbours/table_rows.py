"""Databases held as tables: Arrow tables and pandas frames, handed on as the kind they came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from noisewright.audit.neighbours.rows import Label, Range, Rows, range_of
from noisewright.audit.neighbours.typed_numbers import typed_ends, typed_numbers
from noisewright.domains import Cells, Floats


@dataclass(frozen=True, eq=False)
class TableRows(Rows):
    """An Arrow table.

    >>> rows = TableRows(pa.table({"age": [31, 57], "city": ["A", "B"]}))
    >>> rows.extended(rows.ranges()).take(np.array([3])).to_pylist()
    [{'age': 57, 'city': 'A'}]
    """

    table: pa.Table

    @property
    def count(self) -> int:
        return int(self.table.num_rows)

    def take(self, chosen: Cells) -> pa.Table:
        return self.table.take(chosen)

    def ranges(self) -> dict[Label, Range]:
        kinds = {name: self.table.schema.field(name).type for name in self.table.column_names}
        numeric = [
            name for name, kind in kinds.items() if pa.types.is_integer(kind) or pa.types.is_floating(kind)
        ]
        found = {name: range_of(_floats(self.table.column(name))) for name in numeric}
        return {name: span for name, span in found.items() if span is not None}

    def extended(self, ranges: Mapping[Label, Range]) -> TableRows:
        more = self.table.take([0, 0])
        for place, field in enumerate(self.table.schema):
            if field.name in ranges:
                ends = pa.array(np.array(ranges[field.name])).cast(field.type, safe=False)
                more = more.set_column(place, field, ends)
        return TableRows(pa.concat_tables([self.table, more]).combine_chunks())


@dataclass(frozen=True, eq=False)
class FrameRows(Rows):
    """A pandas frame. The index may name people, so a choice of rows gets a fresh one.

    A column of text in which every cell is a number counts as numbers and stays text.
    """

    frame: Any

    @property
    def count(self) -> int:
        return len(self.frame)

    def take(self, chosen: Cells) -> Any:
        return self.frame.iloc[chosen].reset_index(drop=True)

    def ranges(self) -> dict[Label, Range]:
        numeric = self.frame.select_dtypes("number")
        found = {
            name: range_of(numeric[name].to_numpy(np.float64, na_value=np.nan)) for name in numeric.columns
        }
        found |= {name: range_of(np.array(list(typed))) for name, typed in self._typed.items()}
        return {name: span for name, span in found.items() if span is not None}

    @cached_property
    def _typed(self) -> dict[Label, dict[float, str]]:
        """The numbers of every column that holds them as text."""
        text = self.frame.select_dtypes(["object", "string"])
        columns = {name: typed_numbers(text[name].where(text[name].notna(), "")) for name in text.columns}
        return {name: typed for name, typed in columns.items() if typed is not None}

    def extended(self, ranges: Mapping[Label, Range]) -> FrameRows:
        import pandas as pd  # noqa: PLC0415  (who holds a frame has it; nobody else needs it)

        more = self.frame.iloc[[0, 0]].reset_index(drop=True)
        for name, span in ranges.items():
            more[name] = pd.Series(self._ends(name, span)).astype(self.frame[name].dtype)
        return FrameRows(pd.concat([self.frame, more], ignore_index=True))

    def _ends(self, name: Label, span: Range) -> Any:
        """A smallest and a largest value as the column can hold them; whole numbers stay whole."""
        if name in self._typed:
            return typed_ends(span, self._typed[name])
        return np.trunc(span) if self.frame[name].dtype.kind in "iu" else span


def _floats(column: Any) -> Floats:
    return np.asarray(column.cast(pa.float64()).drop_null().to_numpy(), dtype=np.float64)
