"""Records are read from arrays and tables, and refused by record and feature, never by value."""

from __future__ import annotations

import numpy as np
import pytest

from noisewright import Interval
from noisewright.errors import BadTable, InvalidParameter, OutOfDomain
from noisewright.utility.core.records import read_records

TABLE = {"age": [40.0, 60.0, 80.0], "bmi": [22.0, 31.5, 28.0]}


def test_arrays_frames_and_tables_read_alike() -> None:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    array = np.column_stack(list(TABLE.values()))
    for data in (TABLE, pd.DataFrame(TABLE), pl.DataFrame(TABLE), pa.table(TABLE)):
        records = read_records(data, {"age": (0, 100)})
        assert (records.values == array).all()
        assert records.names == ("age", "bmi")
    records = read_records(array, {1: Interval(10, 60)}, features=["age", "bmi"])
    assert records.sensitive[0].name == "bmi"
    assert records.numbers.tolist() == [1, 2, 3]


def test_the_models_order_of_columns_wins() -> None:
    records = read_records(TABLE, {"age": (0, 100)}, features=["bmi", "age"])
    assert records.names == ("bmi", "age")
    assert records.sensitive[0].column == 1
    assert records.units()[:, 0].tolist() == pytest.approx([0.4, 0.6, 0.8], abs=2**-20)


def test_placed_reports_take_the_place_of_sensitive_values_only() -> None:
    records = read_records(TABLE, {"bmi": (10, 60)})
    rows = records.with_values(1, np.array([[0.0], [0.5]]))
    assert rows.tolist() == [[60.0, 10.0], [60.0, 35.0]]
    assert records.values[1].tolist() == [60.0, 31.5]


@pytest.mark.parametrize(
    ("data", "sensitive", "features", "error", "says"),
    [
        (TABLE, {}, None, InvalidParameter, "which features are sensitive"),
        (TABLE, {"height": (0, 1)}, None, InvalidParameter, "no feature is called 'height'"),
        (TABLE, {"age": (0, 100)}, ["age", "height"], BadTable, "no column 'height'; it has age, bmi"),
        (
            TABLE,
            {"age": (0, 70)},
            None,
            OutOfDomain,
            r"record 3: age lies above Interval\(0.0, 70.0\); widen",
        ),
        (TABLE, {"age": (50, 70)}, None, OutOfDomain, r"record 1: age lies below .* \(and 1 more record\)"),
        (TABLE, {"age": (70, 0)}, None, InvalidParameter, "needs its low end below its high end"),
        (TABLE, {"age": (0, 100), 0: (0, 100)}, None, InvalidParameter, "named twice"),
        (TABLE, {5: (0, 100)}, None, InvalidParameter, "a sensitive feature must be"),
        (TABLE, {0.7: (0, 100)}, None, InvalidParameter, "a sensitive feature must be"),
        (TABLE, {"age": (0, 100, 200)}, None, InvalidParameter, "age needs an interval"),
        (TABLE, {"age": "0:100"}, None, InvalidParameter, "age needs an interval"),
        ({"age": ["old", "young"]}, {"age": (0, 1)}, None, BadTable, "column 'age' holds something other"),
        ({"age": [1.0], "bmi": [1.0, 2.0]}, {"age": (0, 1)}, None, BadTable, "differ in length"),
        ({"age": [1.0, np.nan]}, {"age": (0, 1)}, None, BadTable, "record 2: age is missing or infinite"),
        ({"age": [1.0, None]}, {"age": (0, 1)}, None, BadTable, "record 2: age is missing"),
        (np.zeros((0, 2)), {0: (0, 1)}, None, BadTable, "no records"),
        (np.zeros(4), {0: (0, 1)}, None, BadTable, "one row per record"),
        (np.zeros((2, 2)), {0: (0, 1)}, ["a"], BadTable, "2 columns, but 1 features"),
        (7, {0: (0, 1)}, None, BadTable, "not a int"),
    ],
)
def test_bad_data_is_refused_in_a_sentence(data, sensitive, features, error, says) -> None:
    with pytest.raises(error, match=says) as refusal:
        read_records(data, sensitive, features)
    assert "80" not in str(refusal.value).replace("0.0, 70.0", "")
