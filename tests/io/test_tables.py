import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from noisewright import Circle, Integers, Interval
from noisewright.errors import BadTable, OutOfDomain
from noisewright.io import perturb_file, perturb_table, read_description
from noisewright.io.table_files import ROWS
from noisewright.mechanisms import OGPM, CircularOGPM
from noisewright.randomness import SeededSource

MECHANISMS = {"pulse": OGPM(Interval(40, 200), 1.5), "wake": CircularOGPM(Circle(24), 0.5)}


def columns(rows=1000):
    generator = np.random.default_rng(5)
    return {
        "pulse": generator.uniform(40, 200, rows),
        "wake": generator.uniform(0, 24, rows),
        "region": generator.choice(["north", "south"], rows),
    }


MAKERS = {"arrow": pa.table, "pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.mark.parametrize("kind", [*MAKERS])
def test_the_same_kind_comes_out_with_the_same_reports(kind):
    table = MAKERS[kind](columns())
    reports = perturb_table(table, MECHANISMS, SeededSource(11), keep=["region"])
    assert type(reports) is type(table)
    expected = perturb_table(pa.table(columns()), MECHANISMS, SeededSource(11), keep=["region"])
    assert pa.table(reports).column_names == ["pulse", "wake", "region"]
    for name in MECHANISMS:
        assert np.array_equal(np.asarray(reports[name]), expected[name].to_numpy())
    assert list(map(str, reports["region"])) == columns()["region"].tolist()


@pytest.mark.parametrize("kind", [*MAKERS])
def test_nothing_raw_comes_out_unasked(kind):
    reports = perturb_table(MAKERS[kind](columns()), MECHANISMS)
    assert pa.table(reports).column_names == ["pulse", "wake"]


def test_a_record_batch_comes_out_as_one():
    batch = pa.record_batch(columns())
    reports = perturb_table(batch, MECHANISMS, keep=["region"])
    assert isinstance(reports, pa.RecordBatch)
    assert reports.num_rows == batch.num_rows
    assert read_description(reports).kept == ("region",)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "parquet", "arrow"])
def test_one_seed_gives_the_same_reports_in_memory_and_in_files(tmp_path, suffix):
    """Also across the border between batches."""
    rows = 2 * ROWS + 17
    expected = perturb_table(pd.DataFrame(columns(rows)), MECHANISMS, SeededSource(2))
    readings, output = tmp_path / f"readings.{suffix}", tmp_path / "reports.parquet"
    frame = pl.DataFrame(columns(rows))
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "arrow": frame.write_ipc}[suffix](readings)
    assert perturb_file(readings, output, MECHANISMS, source=SeededSource(2)).rows == rows
    found = pd.read_parquet(output)
    for name in MECHANISMS:
        assert np.array_equal(found[name], expected[name])


def test_the_index_of_a_frame_does_not_come_out():
    frame = pd.DataFrame({"pulse": [71.0, 64.0]}, index=pd.Index(["Ada", "Bo"], name="patient"))
    frame.attrs["secret"] = "Ada has the flu"
    reports = perturb_table(frame, {"pulse": MECHANISMS["pulse"]})
    assert reports.index.equals(pd.RangeIndex(2))
    assert set(reports.attrs) == {"noisewright"}
    assert frame.columns.tolist() == ["pulse"]


def test_kept_pandas_columns_keep_their_type():
    frame = pd.DataFrame({"pulse": [71.5, 64.0], "group": pd.Categorical(["a", "b"])})
    reports = perturb_table(frame, {"pulse": MECHANISMS["pulse"]}, keep="group")
    assert reports["group"].dtype == frame["group"].dtype


@pytest.mark.parametrize("dtype", ["int64", "Int64", "float32", "Float64", "category", "int64[pyarrow]"])
def test_pandas_number_types(dtype):
    frame = pd.DataFrame({"pulse": pd.Series([71, 64, 71]).astype(dtype)})
    whole = OGPM(Integers(40, 200), 1.5)
    reports = perturb_table(frame, {"pulse": whole}, SeededSource(1))
    expected = whole.perturb([71.0, 64.0, 71.0], SeededSource(1))
    assert np.array_equal(reports["pulse"], expected)


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
def test_missing_values_of_a_frame_are_refused_with_their_place(missing):
    frame = pd.DataFrame({"pulse": [71.0, missing]})
    with pytest.raises(BadTable, match="pulse in data row 2 is missing"):
        perturb_table(frame, {"pulse": MECHANISMS["pulse"]})


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (pd.DataFrame({"pulse": ["secret", "text"]}), "pulse holds .* values where numbers"),
        (pd.DataFrame({"pulse": [71.0, "secret"]}), "pulse holds mixed values; make them all"),
        (pd.DataFrame({"pulse": [{"secret"}, 3]}), "pulse holds mixed values"),
        (pd.DataFrame([[71.0, 72.0]], columns=["pulse", "pulse"]), "2 columns named 'pulse'"),
        (pd.DataFrame({0: [71.0], "heart": [1]}), "no column 'pulse'; it has 1 column, not of that name"),
        (pd.DataFrame([[71.0, 6.5]]), "no column 'pulse'; none of its columns has a name"),
        (pd.DataFrame({"pulse": []}, dtype=float), "no rows"),
        (pl.DataFrame({"pulse": ["secret"]}), "pulse holds .* values where numbers"),
        (pl.DataFrame({"heart": [1.0]}), "no column 'pulse'; it has 1 column, not of that name"),
        (pl.DataFrame({"pulse": [71.0, None]}), "pulse in data row 2 is missing"),
        (pl.LazyFrame({"pulse": [71.0]}), "not a LazyFrame"),
        (pa.table({"pulse": pa.array([], pa.float64())}), "no rows"),
        ({"pulse": [71.0]}, "not a dict"),
        (None, "not a NoneType"),
    ],
)
def test_a_bad_table_is_refused_with_one_sentence(frame, sentence):
    with pytest.raises(BadTable, match=sentence) as refusal:
        perturb_table(frame, {"pulse": MECHANISMS["pulse"]})
    assert "secret" not in str(refusal.value)
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


def test_rows_are_counted_from_the_start_of_the_table():
    values = np.full(ROWS + 10, 71.0)
    values[ROWS + 4] = 999
    with pytest.raises(OutOfDomain, match=f"pulse in data row {ROWS + 5} lies above"):
        perturb_table(pa.table({"pulse": values}), {"pulse": MECHANISMS["pulse"]})


def test_arrow_tables_need_neither_pandas_nor_polars():
    code = """
import io, sys
from pyarrow.csv import read_csv
from noisewright import Interval
from noisewright.io import perturb_table
from noisewright.mechanisms import OGPM
table = read_csv(io.BytesIO(b"x\\n0.5\\n"))  # pa.table would import pandas
perturb_table(table, {"x": OGPM(Interval(0, 1), 1.0)})
print([name for name in ("pandas", "polars", "numba", "typer", "rich") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.strip() == "[]"
