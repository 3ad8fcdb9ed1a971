"""Rows and values come out of databases as they went in."""

from __future__ import annotations

import datetime

import numpy as np
import pytest

from noisewright.errors import BadMechanism, InvalidParameter
from noisewright.published.eureka import Fixed, FreshData, Population
from noisewright.published.eureka.database_arrays import column_of, set_row, stack_columns

NAN = float("nan")
PERSON = np.dtype([("age", "i8"), ("name", "U3")])
DAYS = np.array(["2024-02-29", "2024-03-01"], "M8[D]")


def fixed(column, *values):
    """Two databases of two rows, the second of which has the first of the values."""
    databases = stack_columns([column, column], values)
    set_row(databases, 1, values[0])
    return databases


@pytest.mark.parametrize(
    ("column", "values", "kind"),
    [
        (np.array([0, 1], "i1"), [1, 0], "i1"),
        (np.array([0, 1], "i1"), [300, 0], "i8"),
        (np.array([0, 1], "u8"), [1, 0], "u8"),
        (np.array([0, 1]), [0.5, 0], "f8"),
        (np.array([0, 1]), [0, 0.5], "f8"),
        (np.array([0, 1]), [2**63 + 1, 0], "O"),
        (np.array([0, 1]), [2**53 + 1, 0.5], "O"),
        (np.array([0, 1]), [None, 0], "O"),
        (np.array([0, 1]), ["1", "0"], "O"),
        (np.array([0, 1]), [(1, 2), (3, 4)], "O"),
        (np.array([0.5, 1], "f4"), [0.25, 1], "f4"),
        (np.array([0.5, 1], "f4"), [0.1, 1], "f8"),
        (np.array([0.5, 1], "f4"), [1e300, 1], "f8"),
        (np.array([True, False]), [2, 0], "i8"),
        (np.array(["a", "b"]), ["a", "b"], "U1"),
        (np.array(["a", "b"]), ["abc", "a"], "U3"),
        (np.array(["a", "b"]), ["a\0", "a"], "O"),
        (np.array([b"a", b"b"]), ["a", "b"], "O"),
        (np.array([(31, "Ann"), (57, "Bob")], PERSON), [(2**40, "Eve"), (31, "Ann")], PERSON),
        (DAYS, [datetime.date(2025, 1, 1), DAYS[0]], "M8[D]"),
        (DAYS, [datetime.datetime(2025, 1, 1, 12), DAYS[0]], "O"),
    ],
)
def test_a_type_grows_until_it_holds_every_value(column, values, kind) -> None:
    databases = fixed(column, *values)
    assert databases.dtype == np.dtype(kind)
    assert databases[:, 1].tolist() == values[:1] * 2
    assert list(databases[:, 0]) == list(column)


def test_a_record_that_does_not_fit_stands_beside_whole_ones() -> None:
    people = np.array([(31, "Ann"), (57, "Bob")], PERSON)
    databases = fixed(people, (0.5, "Ann"), people[0])
    assert databases[:, 1].tolist() == [(0.5, "Ann")] * 2
    assert databases[1, 0]["name"] == "Bob"
    assert fixed(people, people[0]).dtype == PERSON
    assert fixed(people, 5)[0, 1] == 5


def test_missing_numbers_are_numbers() -> None:
    assert fixed(np.array([0.5, NAN]), NAN).dtype == np.float64
    assert fixed(np.array([0, 1]), NAN).dtype == np.float64
    assert column_of([0.5, NAN], 2).dtype == np.float64
    assert column_of(["a", NAN], 2).dtype == object


@pytest.mark.parametrize(
    "things",
    [
        [1, "a"], ["a", b"a"], [(1, "a"), (2, "b")], [[1, 2], [3, 4]], [[1], [2, 3]], [{"age": 1}, {"age": 2}],
        [2**53 + 1, 0.5], [1, None], [b"a\0", b"a"],
    ],
)  # fmt: skip
def test_what_a_list_holds_stays_as_it_is(things) -> None:
    column = column_of(things, 2)
    assert column.shape == (2,)
    assert column.tolist() == things
    assert [type(thing) for thing in column.tolist()] == [type(thing) for thing in things]


def test_rows_of_different_kinds_keep_them() -> None:
    days = np.array(["2024-02-29", "2024-03-01"], "M8[ns]")
    databases = stack_columns(
        [np.array([1, 2]), np.array(["a", "b"]), days, column_of([(1, "x"), (2, "y")], 2)]
    )
    assert databases.shape == (2, 4)
    assert list(databases[0]) == [1, "a", days[0], (1, "x")]
    assert isinstance(databases[0, 2], np.datetime64)
    assert stack_columns([np.array([1, 2]), np.array([0.5, 1])]).dtype == np.float64


def test_rows_of_several_attributes_stay_rows() -> None:
    pairs = np.array([[1, 2], [3, 4]])
    whole, half, named = fixed(pairs, (7, 8)), fixed(pairs, (0.5, 1), (0, 1)), fixed(pairs, ("Ann", 8))
    assert whole.shape == half.shape == named.shape == (2, 2, 2)
    assert (whole.dtype, half.dtype, named.dtype) == (np.int64, np.float64, object)
    assert whole.tolist() == [[[1, 2], [7, 8]], [[3, 4], [7, 8]]]
    assert half[1].tolist() == [[3.0, 4.0], [0.5, 1.0]]
    assert named[0].tolist() == [[1, 2], ["Ann", 8]]
    assert fixed(np.zeros((2, 3, 3)), np.eye(3))[1, 1].tolist() == np.eye(3).tolist()


@pytest.mark.parametrize(
    "value", [5, "ab", None, (1, 2, 3), (1,), {"age": 1}, (np.zeros(2), np.zeros((2, 3)))]
)
def test_a_value_without_the_attributes_of_a_row_is_refused(value) -> None:
    with pytest.raises(InvalidParameter, match=r"give a tuple or an array of shape \(2,\)"):
        fixed(np.zeros((2, 2)), value)


def test_what_would_be_changed_silently_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"beyond 2\^53 would be rounded.*dtype=object"):
        stack_columns([np.array([2**53 + 1]), np.array([0.5])])
    with pytest.raises(InvalidParameter, match=r"beyond 2\^53"):
        fixed(np.array([-(2**63), 1]), 0.5)
    assert fixed(np.array([2**53 + 1, 1], dtype=object), 0.5)[0].tolist() == [2**53 + 1, 0.5]
    with pytest.raises(InvalidParameter, match="different numbers of attributes"):
        stack_columns([np.zeros((2, 2)), np.zeros(2)])
    with pytest.raises(InvalidParameter, match="masked"):
        column_of(np.ma.masked_equal([1, 2], 2), 2)


@pytest.mark.parametrize(("drawn", "said"), [([1, 2, 3], "3 for 5"), (7, "no array for 5")])
def test_a_sampler_gives_a_row_for_every_database(drawn, said) -> None:
    box = FreshData(lambda databases, generator: databases, Population.alike(lambda *_: drawn, rows=2))
    with pytest.raises(BadMechanism, match=f"returned {said} databases; let it return one row each"):
        box.draw(Fixed(0, 1), 5, seed=1)
