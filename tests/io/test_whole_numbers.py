"""The sentence for columns of whole numbers that were declared as intervals."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Circle, Integers, Interval
from noisewright.io import (
    WholeNumbers,
    perturb_file,
    perturb_table,
    read_description,
    tally_file,
    tally_table,
)
from noisewright.io.numbers import FEWEST, WholeColumn
from noisewright.mechanisms import OGPM, CircularOGPM
from noisewright.randomness import SeededSource, Source

AGES = np.tile([18.0, 30.0, 90.0], 10)
DECLARED = {"age": OGPM(Interval(0, 99.5), 1.0)}
SENTENCE = r"every value of 'age' is a whole number: declare Integers\(0, 99\) to get narrower intervals"


@pytest.mark.parametrize(
    ("last", "words"),
    [
        (1, "declare LABELS, which estimates the share of each with the least noise"),
        (
            4,
            "declare WHOLE to get narrower intervals of bins .*; the mean's interval becomes about 25% wider",
        ),
        (
            99,
            "declare WHOLE to get narrower intervals of bins and quantiles, and bins that end between [a-z ]*$",
        ),
    ],
)
def test_what_is_declared_instead_costs_no_more_than_it_says(last, words):
    """0 and 1 are labels; few whole numbers pay for half a step at both ends, and many hardly do."""
    column = WholeColumn("x", Integers(0, last), 30, complete=True)
    assert re.search(words, column.advice("WHOLE", "LABELS"))


class Unused(Source):
    """A source that must not be asked."""

    private = True

    def stream(self):
        raise AssertionError("noise was drawn before the sentence")


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("dtype", [np.float64, np.int16])
def test_tables_get_a_warning_before_anything_is_drawn(make, dtype):
    table = make({"age": AGES.astype(dtype)})
    with pytest.warns(WholeNumbers, match=SENTENCE) as caught:
        reports = perturb_table(table, DECLARED, SeededSource(1))
    assert caught[0].filename == __file__
    assert np.array_equal(np.asarray(reports["age"]), DECLARED["age"].perturb(AGES, SeededSource(1)))
    with pytest.raises(WholeNumbers):  # warnings are errors in tests
        perturb_table(table, DECLARED, Unused())


@pytest.mark.parametrize(
    ("values", "mechanism"),
    [
        (AGES, OGPM(Integers(0, 99), 1.0)),
        (np.append(AGES, 30.5), OGPM(Interval(0, 99), 1.0)),
        (AGES % 24, CircularOGPM(Circle(24), 1.0)),
        (np.zeros(30), OGPM(Interval(-0.5, 0.5), 1.0)),  # an interval with a single whole number
        (AGES, OGPM(Interval(0, 1e9), 1.0)),  # more whole numbers than cells
        (AGES[: FEWEST - 1], OGPM(Interval(0, 99), 1.0)),  # a warning may end up in a log
    ],
)
def test_there_is_no_warning_where_nothing_is_gained(values, mechanism):
    perturb_table(pa.table({"age": values}), {"age": mechanism})


def test_the_sentence_stays_out_of_files_of_reports(tmp_path):
    pq.write_table(pa.table({"age": AGES}), tmp_path / "people.parquet")
    with pytest.warns(WholeNumbers, match=SENTENCE):
        perturb_file(tmp_path / "people.parquet", tmp_path / "reports.csv", DECLARED, source=SeededSource(1))
    (tmp_path / "odd.csv").write_text("age\n" + "30.5\n" * 30)
    perturb_file(tmp_path / "odd.csv", tmp_path / "other.csv", DECLARED, source=SeededSource(1))
    one, other = ((tmp_path / f"{name}.csv.json").read_text() for name in ("reports", "other"))
    assert one == other


def test_of_a_long_file_the_first_rows_are_looked_at(tmp_path):
    (tmp_path / "people.csv").write_text("age\n" + "30\n" * 300_000)
    found = []
    perturb_file(tmp_path / "people.csv", tmp_path / "reports.parquet", DECLARED, notice=found.append)
    assert [column.what for column in found] == ["the first 262,144 values of 'age' are all whole numbers"]


@pytest.mark.parametrize("make", [pa.table, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("dtype", [np.int8, np.uint32, np.int64, np.float32])
def test_integer_columns_are_read_back_with_their_domain(make, dtype):
    mechanism = OGPM(Integers(0, 99), 1.0)
    reports = perturb_table(make({"age": AGES.astype(dtype)}), {"age": mechanism})
    if make is not pl.DataFrame:  # which can carry no description
        about = reports if make is pa.table else pa.Table.from_pandas(reports)
        description = reports.attrs["noisewright"] if make is pd.DataFrame else None
        found = json.loads(json.dumps(description)) if description else read_description(about).to_dict()
        assert found["columns"]["age"]["mechanism"]["domain"] == Integers(0, 99).to_dict()


@pytest.mark.parametrize("name", ["reports.parquet", "reports.arrow", "reports.csv"])
def test_files_keep_the_cells_and_their_tally_the_domain(tmp_path, name):
    mechanism = OGPM(Integers(-5, 99), 1.0)
    pq.write_table(pa.table({"age": AGES.astype(np.int32)}), tmp_path / "people.parquet")
    perturb_file(tmp_path / "people.parquet", tmp_path / name, {"age": mechanism}, source=SeededSource(2))
    tally = tally_file(tmp_path / name)["age"]
    assert tally.domain == Integers(-5, 99)
    again = perturb_table(pa.table({"age": AGES}), {"age": mechanism}, SeededSource(2))
    assert tally.count == tally_table(again)["age"].count == 30
    assert (np.asarray(again["age"]) % 1 != 0).any()
