"""Reading the records that a model is asked about: numbers for its features, labels for the rest.

Records are counted as their rows in the file; the first one below the header is record 1. A refusal names
the record and the column, never the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.engine.inputs import InputFile
from noisewright.engine.numbers import floats
from noisewright.errors import BadTable, InvalidParameter

MOST_VALUES: Final = 1 << 28
"""Numbers that a table may hold here: two GiB of them."""

REMEDY: Final = "drop or impute it first"


@dataclass(frozen=True, eq=False)
class RecordTable:
    """The features of records, in the order of the model, and columns of labels beside them."""

    names: tuple[str, ...]
    values: Floats
    labels: Mapping[str, tuple[Any, ...]]

    def groups(self, columns: Sequence[str]) -> list[str] | None:
        """The group of each record: the values of the columns, each with its name.

        >>> table = RecordTable(("x",), np.zeros((2, 1)), {"sex": ("F", "M"), "smokes": (0.0, 1.0)})
        >>> table.groups(["sex", "smokes"])
        ['sex = F, smokes = 0', 'sex = M, smokes = 1']
        """
        if not columns:
            return None
        named = [[f"{name} = {_short(label)}" for label in self.labels[name]] for name in columns]
        return [", ".join(parts) for parts in zip(*named, strict=True)]


def read_table(table: InputFile, where: str, features: Sequence[str], labels: Sequence[str]) -> RecordTable:
    """All records of a file; a column may be a feature and a column of labels at once."""
    texts = [name for name in labels if name not in features]
    pieces: list[Floats] = []
    found: dict[str, list[Any]] = {name: [] for name in labels}
    rows = 0
    with _naming_the_way_out():
        for batch in table.batches(list(features), texts):
            pieces.append(np.column_stack([_numbers(batch.column(name), name, rows) for name in features]))
            for name in labels:
                found[name] += _labels(batch.column(name), name, rows)
            rows += batch.num_rows
            if rows * len(features) > MOST_VALUES:
                raise BadTable(f"{where} has more than {MOST_VALUES:,} numbers; ask about fewer records")
    if not rows:
        raise BadTable(f"{where} has columns but no records")
    labelled = {name: tuple(column) for name, column in found.items()}
    return RecordTable(tuple(features), np.concatenate(pieces), labelled)


def chosen(there: int, records: Sequence[int], count: int | None, seed: int | None) -> list[int] | None:
    """The numbers of the records to look at: those named, or a random sample; nothing stands for all.

    >>> chosen(9, [7, 2], None, None), len(chosen(9, [], 3, None)), chosen(9, [], 9, None)
    ([2, 7], 3, None)
    """
    if records and count is not None:
        raise InvalidParameter("--record names records and --records draws some; give only one of them")
    if records:
        return _named(there, records)
    if count is None:
        return None
    if count < 1:
        raise InvalidParameter(f"--records must be 1 or more, got {count}")
    if count >= there:
        return None
    # Which records are looked at is no secret, so an ordinary generator draws them.
    drawn = np.random.default_rng(seed).choice(there, count, replace=False)
    return sorted(int(place) + 1 for place in drawn)


def _named(there: int, records: Sequence[int]) -> list[int]:
    for number in records:
        if not 1 <= number <= there:
            raise InvalidParameter(f"--record must be from 1 to {there:,}, got {number}")
        if list(records).count(number) > 1:
            raise InvalidParameter(f"--record names record {number} twice")
    return sorted(records)


@contextmanager
def _naming_the_way_out() -> Iterator[None]:
    """A column of text is often one that the model does not take; say how to leave it out."""
    try:
        yield
    except BadTable as refusal:
        said = str(refusal)
        if "is not a number" in said or "where numbers are needed" in said:
            said += "; leave out a column that the model does not take with --ignore"
        raise BadTable(said) from None


def _numbers(column: Any, name: str, first: int) -> Floats:
    if column.null_count:
        row = first + column.is_null().to_pylist().index(True) + 1
        raise BadTable(f"record {row}: {name} is missing; {REMEDY}")
    return floats(column, name, first)


def _labels(column: Any, name: str, first: int) -> list[Any]:
    found: list[Any] = column.to_pylist()
    for row, label in enumerate(found, first + 1):
        if label is None or label == "" or label != label:  # noqa: PLR0124  (only NaN differs from itself)
            raise BadTable(f"record {row}: {name} is missing; {REMEDY}")
    return found


def _short(label: Any) -> str:
    return f"{label:g}" if isinstance(label, float) else str(label)
