"""Records of a file: which columns are the model's features, which hold labels, and the rows themselves.

Records are numbered by their rows in the file; the first one below the header is record 1. An error names the
record and the column, never the value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.text import counted

if TYPE_CHECKING:
    from noisewright.io.table_files import InputFile

MOST_VALUES: Final = 1 << 28
"""Numbers that a table may hold here: two GiB of them."""

REMEDY: Final = "drop or impute it first"


@dataclass(frozen=True)
class ColumnRoles:
    """The roles of the columns of a table; a column without a role is a feature.

    Args:
        sensitive: Features that are randomized.
        features: The columns that the model takes, in its order; if empty, the model decides.
        ignore: Columns that are not features.
        answers: The column of true labels.
        groups: Columns that make groups of records.
    """

    sensitive: tuple[str, ...]
    features: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    answers: str | None = None
    groups: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for role, names in (("ignore=...", self.ignore), ("groups=...", self.groups)):
            for name in names:
                if names.count(name) > 1:
                    raise InvalidParameter(f"column {name!r} is named twice by {role}")
        for name in self.features:
            if name in self.ignore:
                raise InvalidParameter(f"column {name!r} cannot be both in features=... and ignore=...")
        if self.answers in self.groups:
            raise InvalidParameter(f"column {self.answers!r} cannot be both answers=... and groups=...")
        roles = {**dict.fromkeys(self.ignore, "ignore=..."), **dict.fromkeys(self.groups, "groups=...")}
        if self.answers is not None:
            roles[self.answers] = "answers=..."
        for name in self.sensitive:  # groups of sensitive values would show them
            if name in roles:
                raise InvalidParameter(f"column {name!r} cannot be both sensitive=... and {roles[name]}")

    @property
    def labels(self) -> tuple[str, ...]:
        """Columns that hold labels and need not hold numbers."""
        return (*([self.answers] if self.answers is not None else []), *self.groups)

    def columns(self, present: Sequence[str], known: Sequence[str] | None, where: str) -> tuple[str, ...]:
        """Return the features in the order of the model.

        Args:
            present: The columns of the table.
            known: The names stored in the model, if there are any.
            where: The name of the table in errors.

        >>> roles = ColumnRoles(("age",), answers="stroke")
        >>> roles.columns(["id", "age", "bmi", "stroke"], ["bmi", "age"], "x.csv")
        ('bmi', 'age')
        >>> ColumnRoles(("age",), ignore=("id",)).columns(["id", "age", "bmi"], None, "x.csv")
        ('age', 'bmi')
        """
        from noisewright.io.table_files import check_names  # noqa: PLC0415  (Arrow is slow to load)

        features, said_by = self._features(present, known)
        answers = () if self.answers is None else (self.answers,)
        roles = {"sensitive=...": self.sensitive, "answers=...": answers, "groups=...": self.groups}
        for role, names in {**roles, "ignore=...": self.ignore, said_by: features}.items():
            try:
                check_names(names, present, where=where)
            except BadTable as refusal:
                raise BadTable(f"{role}: {refusal}") from None
        for name in self.sensitive:
            if name not in features:
                raise InvalidParameter(
                    f"sensitive=... names column {name!r}, which is not among the features of {said_by}"
                )
        if self.answers in features:
            raise InvalidParameter(f"column {self.answers!r} is both answers=... and a feature of {said_by}")
        return features

    def _features(self, present: Sequence[str], known: Sequence[str] | None) -> tuple[tuple[str, ...], str]:
        """Return the features and their origin: the caller, the model, or the table."""
        if self.features:
            return self.features, "features=..."
        if known is not None:
            return tuple(known), "the model"
        rest = tuple(name for name in present if name not in (*self.labels, *self.ignore))
        return rest, "the rest of the columns"


def check_count(features: Sequence[str], wanted: int | None, where: str) -> None:
    """Refuse a table with more or fewer features than the model takes."""
    if wanted is not None and len(features) != wanted:
        raise BadTable(
            f"the model takes {counted(wanted, 'feature')}, but would get {counted(len(features), 'column')} "
            f"of {where}; name them in order with features=... (groups can be among them), or use ignore=..."
        )


@dataclass(frozen=True, eq=False)
class RecordTable:
    """The features of records, in the order of the model, and separate columns of labels.

    Attributes:
        names: The features.
        values: One row per record, one column per feature.
        labels: The columns of labels, by name.
    """

    names: tuple[str, ...]
    values: Floats
    labels: Mapping[str, tuple[Any, ...]]

    def groups(self, columns: Sequence[str]) -> list[str] | None:
        """Return the group of each record: the values of the columns, each with its name.

        >>> table = RecordTable(("x",), np.zeros((2, 1)), {"sex": ("F", "M"), "smokes": (0.0, 1.0)})
        >>> table.groups(["sex", "smokes"])
        ['sex = F, smokes = 0', 'sex = M, smokes = 1']
        """
        if not columns:
            return None
        named = [
            [f"{name} = {f'{label:g}' if isinstance(label, float) else label}" for label in self.labels[name]]
            for name in columns
        ]
        return [", ".join(parts) for parts in zip(*named, strict=True)]


def read_table(table: InputFile, where: str, features: Sequence[str], labels: Sequence[str]) -> RecordTable:
    """Read all records of a file.

    Args:
        table: The file.
        where: Its name in errors.
        features: Columns of numbers, in the model's order.
        labels: Columns of labels; one may also be a feature.
    """
    texts = [name for name in labels if name not in features]
    pieces: list[Floats] = []
    found: dict[str, list[Any]] = {name: [] for name in labels}
    rows = 0
    with _with_remedy():
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


def choose_records(
    there: int, record_numbers: Sequence[int], sample: int | None, seed: int | None
) -> list[int] | None:
    """Return the numbers of the records to predict; None stands for all.

    Args:
        there: Number of records in the table.
        record_numbers: Records that are named, counted from 1.
        sample: Number of records to draw at random instead; None draws none.
        seed: Seed of the draw; None draws one from the operating system.

    >>> choose_records(9, [7, 2], None, None), len(choose_records(9, [], 3, None))
    ([2, 7], 3)
    >>> choose_records(9, [], 9, None) is None
    True
    """
    if record_numbers and sample is not None:
        raise InvalidParameter(
            "record_numbers names records and sample=... draws some; give only one of them"
        )
    for number in record_numbers:
        if not 1 <= number <= there:
            raise InvalidParameter(f"must be from 1 to {there:,}, got {number}", field="record_numbers")
        if list(record_numbers).count(number) > 1:
            raise InvalidParameter(f"record_numbers names record {number} twice")
    if record_numbers:
        return sorted(record_numbers)
    if sample is not None and sample < 1:
        raise InvalidParameter(f"must be 1 or more, got {sample}", field="sample")
    if sample is None or sample >= there:
        return None
    # The choice of records is not secret, so an ordinary generator draws them.
    drawn = np.random.default_rng(seed).choice(there, sample, replace=False)
    return sorted(int(place) + 1 for place in drawn)


@contextmanager
def _with_remedy() -> Iterator[None]:
    """Add to an error how to leave out a column of text, which is often not a feature of the model."""
    try:
        yield
    except BadTable as refusal:
        said = str(refusal)
        if "is not a number" in said or "where numbers are needed" in said:
            said += "; leave out a column that the model does not take with ignore=..."
        raise BadTable(said) from None


def _numbers(column: Any, name: str, first: int) -> Floats:
    from noisewright.io.numbers import floats  # noqa: PLC0415  (Arrow is slow to load)

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
