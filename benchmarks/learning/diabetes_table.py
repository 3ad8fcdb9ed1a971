"""The diabetes table (Pore 2023): its rows, its public ranges, and two ways to split it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from noisewright.domains import Cells, Floats, Interval
from noisewright.errors import BadTable, InvalidParameter
from noisewright.io.file_access import existing_file, reading

FEATURES = (
    "Pregnancies",
    "Glucose",
    "BloodPressure",
    "SkinThickness",
    "Insulin",
    "BMI",
    "DiabetesPedigreeFunction",
    "Age",
)
ANSWER = "Outcome"
TEST_ROWS = 554
"""Of 2,768 rows; the other 2,214 are clients (section 7.1)."""

SPLITS = ("rows", "distinct")


@dataclass(frozen=True, eq=False)
class Table:
    """The features, the labels 0 and 1, and for each row the number of its distinct record."""

    values: Floats
    codes: Cells
    records: Cells

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def domain(self) -> dict[str, Interval]:
        """The range of each feature, taken as public as in the paper."""
        ends = zip(FEATURES, self.values.min(axis=0), self.values.max(axis=0), strict=True)
        return {name: Interval(float(low), float(high)) for name, low, high in ends}

    @property
    def distinct(self) -> int:
        """How many different records the rows are copies of."""
        return int(self.records.max()) + 1

    def split(self, how: str, generator: np.random.Generator) -> tuple[Cells, Cells]:
        """Rows of clients and rows for testing.

        "rows" splits as the paper does: nine in ten test rows then have a copy among the clients.
        "distinct" keeps all copies of a record on one side, so the numbers of rows vary a little.
        """
        if how not in SPLITS:
            raise InvalidParameter(f"split must be rows or distinct, got {how!r}")
        if how == "rows":
            order = generator.permutation(len(self))
            return order[TEST_ROWS:], order[:TEST_ROWS]
        turn = generator.permutation(self.distinct)[self.records]
        order = np.argsort(turn, kind="stable")
        border = int(np.searchsorted(turn[order], turn[order[TEST_ROWS]], side="left"))
        return generator.permutation(order[border:]), order[:border]


def read_diabetes(folder: Path) -> Table:
    """The whole table, or a refusal."""
    import pyarrow as pa
    from pyarrow import csv

    found = existing_file(folder / "diabetes" / "Healthcare-Diabetes.csv")
    wanted = [*FEATURES, ANSWER]
    options = csv.ConvertOptions(column_types=dict.fromkeys(wanted, pa.float64()))
    with reading(found):
        table = csv.read_csv(found, convert_options=options)
    missing = [name for name in wanted if name not in table.column_names]
    if missing:
        raise BadTable(f"{found} has no column {missing[0]!r}; is it the diabetes table?")
    columns = np.stack([table[name].to_numpy().astype(np.float64) for name in wanted], axis=1)
    if len(columns) <= TEST_ROWS or not np.isfinite(columns).all():
        raise BadTable(f"{found} must have more than {TEST_ROWS} rows of numbers only")
    records = np.unique(columns, axis=0, return_inverse=True)[1].reshape(-1)
    return Table(columns[:, :-1], columns[:, -1].astype(np.int64), records.astype(np.int64))
