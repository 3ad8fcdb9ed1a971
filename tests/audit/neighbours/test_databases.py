"""Databases of every kind lose, change and gain rows, and stay of their kind."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from noisewright.audit.neighbours.databases import is_one_database, rows_of
from noisewright.audit.neighbours.pairs import Pool
from noisewright.errors import BadTable, InvalidParameter

AGES, PAY, CITIES = [31, 57, 44], [1.5, 0.5, 9.0], ["A", "B", "C"]
KINDS = {
    "column": np.array(PAY),
    "array": np.column_stack([AGES, PAY]),
    "records": [
        {"age": age, "pay": pay, "city": city} for age, pay, city in zip(AGES, PAY, CITIES, strict=True)
    ],
    "tuples": list(zip(AGES, PAY, CITIES, strict=True)),
    "numbers": PAY,
    "columns": {"age": np.array(AGES), "pay": np.array(PAY), "city": np.array(CITIES)},
    "arrow": pa.table({"age": AGES, "pay": PAY, "city": CITIES}),
    "pandas": pd.DataFrame({"age": AGES, "pay": PAY, "city": CITIES}, index=["Ada", "Bo", "Cy"]),
}


def rows(database):
    """Any kind as a list of tuples, so that kinds can be compared."""
    match database:
        case np.ndarray():
            return [tuple(np.atleast_1d(row).tolist()) for row in database]
        case pa.Table():
            return [tuple(row.values()) for row in database.to_pylist()]
        case pd.DataFrame():
            return [tuple(row) for row in database.itertuples(index=False)]
        case dict():
            return list(zip(*[column.tolist() for column in database.values()], strict=True))
    return [
        tuple(row.values()) if isinstance(row, dict) else row if isinstance(row, tuple) else (row,)
        for row in database
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_choice_of_rows_is_a_database_of_the_same_kind(kind):
    database = KINDS[kind]
    taken = rows_of(database).take(np.array([2, 0]))
    assert type(taken) is type(database)
    assert rows(taken) == [rows(database)[2], rows(database)[0]]


@pytest.mark.parametrize("kind", KINDS)
def test_extreme_rows_hold_the_smallest_and_largest_of_every_number(kind):
    pool = Pool.of(KINDS[kind])
    smallest, largest = rows(pool.rows.take(np.array([3, 4])))
    numbers = [(31, 57), (0.5, 9.0)] if len(smallest) > 1 else [(0.5, 9.0)]
    assert [pair for pair in zip(smallest, largest, strict=True) if "A" not in pair] == numbers
    assert rows(pool.rows.take(np.arange(3))) == rows(KINDS[kind])


def test_bounds_take_the_place_of_what_was_seen():
    pool = Pool.of(KINDS["arrow"], {"age": (0, 120)})
    assert [row["age"] for row in pool.rows.take(np.array([3, 4])).to_pylist()] == [0, 120]
    assert Pool.of(KINDS["column"], (-1, 1)).rows.take(np.array([3, 4])).tolist() == [-1, 1]


@pytest.mark.parametrize(
    "bounds", [{"height": (0, 1)}, {"age": (2, 1)}, {"age": (0, float("nan"))}, {"age": (1,)}]
)
def test_bounds_without_meaning_are_refused(bounds):
    with pytest.raises(InvalidParameter, match="bound"):
        Pool.of(KINDS["arrow"], bounds)


def test_text_alone_has_no_extremes():
    assert Pool.of(["yes", "no"]).extremes == []


def test_missing_values_are_no_extremes():
    pool = Pool.of(pa.table({"age": [31, None, 57]}))
    assert [row["age"] for row in pool.rows.take(np.array([3, 4])).to_pylist()] == [31, 57]
    assert Pool.of(np.array([1.0, np.nan, 2.0])).rows.take(np.array([3, 4])).tolist() == [1, 2]


@pytest.mark.parametrize(
    "database", [7, "text", np.zeros((2, 2, 2)), [5.0], np.array([]), {"a": [1, 2], "b": [1]}, {}]
)
def test_what_is_no_database_is_refused(database):
    with pytest.raises(BadTable):
        rows_of(database)


def test_a_list_alone_may_be_several_databases():
    assert [is_one_database(database) for database in KINDS.values()] == [
        True,
        True,
        False,
        False,
        False,
        True,
        True,
        True,
    ]


def typed():
    """A frame as a program's file is read: every cell is text."""
    return pd.DataFrame({"code": ["007", "031"], "pay": ["2.50", ""], "city": ["A", "B"]})


def test_numbers_that_are_text_stay_as_they_were_typed():
    pool = Pool.of(typed())
    assert rows(pool.rows.take(np.arange(4))) == [
        ("007", "2.50", "A"), ("031", "", "B"), ("007", "2.50", "A"), ("031", "2.50", "A"),
    ]  # fmt: skip


def test_bounds_of_numbers_that_are_text_are_typed_like_them():
    pool = Pool.of(typed(), {"code": (0, 99), "pay": (0, 9.5)})
    assert rows(pool.rows.take(np.array([2, 3]))) == [("0", "0.0", "A"), ("99", "9.5", "A")]
    with pytest.raises(InvalidParameter, match="'city', not a column of numbers"):
        Pool.of(typed(), {"city": (0, 1)})


def test_missing_cells_of_a_frame_are_no_numbers_and_no_hindrance():
    frame = pd.DataFrame({"pay": pd.array(["2", pd.NA, "4"], dtype="string"), 7: [1, 2, 3]})
    pool = Pool.of(frame, {7: (0, 5.5)})
    taken = pool.rows.take(np.array([3, 4]))
    assert rows(taken) == [("2", 0), ("4", 5)]
    assert list(taken.columns) == ["pay", 7]


@pytest.mark.parametrize("bounds", [(0, 1), {"city": (0, 1)}])
def test_bounds_need_a_column_of_numbers(bounds):
    with pytest.raises(InvalidParameter, match="the database has none"):
        Pool.of(pa.table({"city": CITIES}), bounds)


@pytest.mark.parametrize("bounds", [3, (1, 2, 3), "0:1"])
def test_bounds_are_two_numbers(bounds):
    with pytest.raises(InvalidParameter, match="a smallest and a largest value"):
        Pool.of(KINDS["column"], bounds)
