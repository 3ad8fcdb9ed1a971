"""Tables that are none: one clear sentence with the file and the row, and never a value."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright.errors import BadTable
from noisewright.trajectory.files import read_routes, tables, write_routes
from noisewright.trajectory.routes import Routes

SECRET = "731731"


def assert_refused(path, sentence):
    with pytest.raises(BadTable, match=sentence) as refusal:
        read_routes(path)
    said = str(refusal.value)
    assert path.name in said
    assert SECRET not in said
    assert "\n" not in said
    assert refusal.value.__suppress_context__ or refusal.value.__context__ is None


CSV = {
    "no bytes": ("", "is empty"),
    "header": ("lon,lat\n", "it has columns but no rows"),
    "text": ("lon,lat\n1,2\n731731E,2\n", "lon in data row 2 is not a number"),
    "boolean": ("lon,lat\n1,true\n", "lat in data row 1 is not a number"),
    "missing": ("lon,lat\n1,2\n,2\n", "lon in data row 2 is missing"),
    "nan": ("lon,lat\n1,2\n1,nan\n", "lat in data row 2 is missing|data row 2 has a missing"),
    "infinite": ("x,y\n1,2\n1,inf\n", "data row 2 has a missing or infinite coordinate"),
    "overflow": ("x,y\n1,1e999\n", "data row 1 has a missing or infinite coordinate"),
    "swapped": ("lon,lat\n35.6,139.731731\n", "longitude and latitude look swapped: data row 1 has a latitude beyond"),
    "metres": ("lon,lat\n1,2\n388731731,3947000\n", "data row 2 has a latitude beyond ±90 degrees; give degrees, or name the columns x and y"),
    "longitude": ("lon,lat\n1,2\n361,3\n", "data row 2 has a longitude outside −180 to 360"),
    "no route": ("route,x,y\na,1,2\n,1,2\n", "route in data row 2 must be a name of 1 to 1000 letters"),
    "long route": (f"route,x,y\na,1,2\n{SECRET * 1000},1,2\n", "route in data row 2 must be a name"),
    "no time": ("time,x,y\n5,1,2\n,1,2\n", "time in data row 2 has no readable time"),
    "odd time": ("time,x,y\n5,1,2\n731731 o'clock,1,2\n", "time in data row 2 has no readable time; times are written as 2012"),
    "leap day": ("time,x,y\n2011-02-29,1,2\n", "time in data row 1 has no readable time"),
    "milliseconds": ("time,x,y\n1333841588000,1,2\n", r"data row 1 .*seconds since 1970 \(not milliseconds\)"),
    "year 0": ("time,x,y\n0001-01-01T00:00:00+01:00,1,2\n", "data row 1 has no readable time"),
    "odd mark": ("reported,x,y\ntrue,1,2\n731731,1,2\n", "reported in data row 2 must be true or false"),
    "twice": ("lon,lon,lat\n1,2,3\n", "any of 'lon', 'lon' may be the longitude"),
    "exact twice": ("x,x,y\n1,2,3\n", "any of 'x', 'x' may be the x"),
    "short row": ("x,y\n1,2\n731731\n", "data row 2 of .* does not fit its header"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), CSV.values(), ids=CSV)
def test_a_bad_csv_is_refused(tmp_path, text, sentence):
    (tmp_path / "trips.csv").write_text(text)
    assert_refused(tmp_path / "trips.csv", sentence)


PAIR = {"x": [1.0, 2.0], "y": [1.0, 2.0]}
PARQUET = {
    "text": ({"x": ["731731", "1"], "y": [1, 2]}, "x holds string values where numbers are needed"),
    "boolean": ({"x": [True, False], "y": [1, 2]}, "x holds bool values where numbers are needed"),
    "null": ({"x": [1.0, None], "y": [1, 2]}, "x in data row 2 is missing"),
    "nan": ({"x": [1.0, 2.0], "y": [1.0, float("nan")]}, "data row 2 has a missing or infinite coordinate"),
    "no rows": ({"x": pa.array([], pa.float64()), "y": pa.array([], pa.float64())}, "it has columns but no rows"),
    "null route": ({"route": ["a", None], **PAIR}, "route in data row 2 is missing"),
    "real route": ({"route": [1.5, 2.5], **PAIR}, "route holds double values; routes are named by texts or whole"),
    "null time": ({"time": pa.array([0, None], pa.timestamp("s")), **PAIR}, "time in data row 2 is missing"),
    "odd time": ({"time": [True, False], **PAIR}, "time holds bool values; times are written as"),
    "far time": ({"time": pa.array([0, 2**60], pa.timestamp("ms")), **PAIR}, "time in data row 2 has no readable time"),
    "infinite time": ({"time": [1.0, float("inf")], **PAIR}, "time in data row 2 has no readable time"),
    "null mark": ({"reported": [True, None], **PAIR}, "reported in data row 2 is missing"),
    "odd mark": ({"reported": [1, 731731], **PAIR}, "reported in data row 2 must be true or false"),
    "listed mark": ({"reported": [[1], [2]], **PAIR}, "reported holds list<.*> values; marks are true or false"),
}  # fmt: skip


@pytest.mark.parametrize(("columns", "sentence"), PARQUET.values(), ids=PARQUET)
def test_a_bad_parquet_is_refused(tmp_path, columns, sentence):
    pq.write_table(pa.table(columns), tmp_path / "trips.parquet")
    assert_refused(tmp_path / "trips.parquet", sentence)


@pytest.mark.parametrize(
    "about", [b"{731731", b"[731731]", b'{"a": NaN}', b"\xff", b"[" * 100_000, b" " * (1 << 22) + b"{}"]
)
def test_a_broken_description_is_refused(tmp_path, about):
    pq.write_table(
        pa.table(PAIR).replace_schema_metadata({b"noisewright": about}), tmp_path / "trips.parquet"
    )
    assert_refused(tmp_path / "trips.parquet", "description")
    (tmp_path / "trips.csv").write_text("x,y\n1,2\n")
    (tmp_path / "trips.csv.json").write_bytes(about)
    assert_refused(tmp_path / "trips.csv", "description")


@pytest.mark.parametrize("share", [0.02, 0.5, 0.99])
def test_a_truncated_parquet_is_refused(tmp_path, share):
    path = write_routes(tmp_path / "trips.parquet", Routes.of([np.random.default_rng(5).random((2000, 2))]))
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    assert_refused(path, "truncated")


def test_a_table_of_more_rows_than_fit_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "MOST_ROWS", 3)
    (tmp_path / "trips.csv").write_text("x,y\n" + "1,2\n" * 4)
    assert_refused(tmp_path / "trips.csv", "it has more than 3 rows; split it")


@pytest.mark.parametrize("name", ["trips.txt", "trips", "trips.kml", "trips.geojson.gz"])
def test_other_kinds_of_files_are_refused_with_the_list(tmp_path, name):
    (tmp_path / name).write_text("x,y\n1,2\n")
    assert_refused(tmp_path / name, "must end in one of .csv, .parquet, .pq, .geojson, .json, .gpx")


@pytest.mark.parametrize("suffix", ["csv", "parquet", "geojson", "gpx"])
def test_files_that_are_not_there_or_no_files_are_refused(tmp_path, suffix):
    assert_refused(tmp_path / f"none.{suffix}", "there is no such file")
    (tmp_path / f"folder.{suffix}").mkdir()
    assert_refused(tmp_path / f"folder.{suffix}", "it is a folder")
