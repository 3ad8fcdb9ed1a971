"""Good files: what comes out, and what does not."""

import os
import stat

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Circle, Interval
from noisewright.errors import BadTable
from noisewright.io import perturb_file, perturb_table, read_description
from noisewright.io.table_files import ROWS
from noisewright.mechanisms import OGPM, CircularOGPM
from noisewright.randomness import SeededSource

MECHANISMS = {"pulse": OGPM(Interval(40, 200), 1.5), "wake": CircularOGPM(Circle(24), 0.5)}
TABLE = pa.table(
    {
        "name": ["Ada", "Bo", "Cy"],
        "pulse": [71.5, 64, 102],
        "wake": [6.5, 23.0, 0.0],
        "code": ["007", "", "7"],
    }
)
READERS = {"parquet": pd.read_parquet, "csv": pd.read_csv, "arrow": pd.read_feather}


def write(table, path):
    frame = pl.from_arrow(table)
    {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".arrow": frame.write_ipc}[path.suffix](path)
    return path


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".arrow"])
@pytest.mark.parametrize("output", [*READERS])
def test_files_of_all_kinds_give_the_same_reports(tmp_path, kind, output):
    readings = write(TABLE, tmp_path / f"readings{kind}")
    written = perturb_file(readings, tmp_path / f"reports.{output}", MECHANISMS, source=SeededSource(4))
    found = READERS[output](tmp_path / f"reports.{output}")
    expected = perturb_table(TABLE, MECHANISMS, SeededSource(4))
    assert (written.rows, found.columns.tolist()) == (3, ["pulse", "wake"])
    for name in MECHANISMS:
        assert np.array_equal(found[name], expected[name].to_numpy())  # CSV keeps every bit, too


@pytest.mark.parametrize("kind", [".csv", ".parquet", ".arrow"])
def test_raw_columns_leave_no_trace_in_the_output(tmp_path, kind):
    table = TABLE.replace_schema_metadata({"note": "Ada is ill"})
    output = tmp_path / f"reports{kind}"
    perturb_file(write(table, tmp_path / "readings.parquet"), output, MECHANISMS)
    pq.write_table(table, tmp_path / "second.parquet")
    perturb_file(tmp_path / "second.parquet", output, MECHANISMS, replace=True)
    for path in tmp_path.glob("reports*"):
        assert b"Ada" not in path.read_bytes()
        assert b"name" not in path.read_bytes().replace(b'"name', b"")


@pytest.mark.parametrize("output", ["reports.parquet", "reports.csv", "reports.arrow"])
def test_kept_columns_of_a_csv_stay_the_text_they_are(tmp_path, output):
    readings = tmp_path / "readings.csv"
    readings.write_text('pulse,code,note\n71,007,"a ""b"", c"\n64,NA,\n')
    perturb_file(readings, tmp_path / output, {"pulse": MECHANISMS["pulse"]}, keep=["code", "note"])
    kind = output.rpartition(".")[2]
    found = READERS[kind](
        tmp_path / output, **({"dtype": str, "keep_default_na": False} if kind == "csv" else {})
    )
    assert found["code"].tolist() == ["007", "NA"]
    assert found["note"].tolist() == ['a "b", c', ""]
    assert read_description(tmp_path / output).kept == ("code", "note")


@pytest.mark.parametrize("output", ["reports.parquet", "reports.csv", "reports.arrow"])
def test_kept_dictionaries_may_differ_between_batches(tmp_path, output):
    rows = ROWS + 5
    group = pa.array(["a"] * ROWS + ["b"] * 5).dictionary_encode()
    chunks = pa.chunked_array([group[:ROWS], pa.array(["b"] * 5).dictionary_encode()])
    table = pa.table({"pulse": np.full(rows, 71.5), "group": chunks})
    pq.write_table(table, tmp_path / "readings.parquet")
    perturb_file(
        tmp_path / "readings.parquet", tmp_path / output, {"pulse": MECHANISMS["pulse"]}, keep=["group"]
    )
    found = READERS[output.rpartition(".")[2]](tmp_path / output)
    assert found["group"].iloc[[0, ROWS]].tolist() == ["a", "b"]


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbfpulse,wake\n71,6\n64,7\n",
        b"pulse,wake\r\n71,6\r\n64,7\r\n",
        b"pulse,wake\n71,6\n\n64,7\n\n",
        b"pulse,wake\n71,6\n64,7",
        b'"pulse","wake"\n"71","6"\n 64 ,7e0\n',
        b'note,pulse,wake\n"two\nlines, and ""quotes""",71,6\n5" pipe,64,7\n',
        b",pulse,wake\n0,71,6\n1,64,7\n",
        b"2024,pulse,wake\n0,71,6\n1,64,7\n",
        b"x,x,pulse,wake\n0,0,71,6\n1,1,64,7\n",
        b"\xc3\xa9t\xc3\xa9,pulse,wake\n\xff,71,6\n1,64,7\n",
    ],
    ids=["bom", "crlf", "blank", "no end", "quoted", "lines", "index", "year", "twice", "latin"],
)
def test_what_is_odd_but_clear_in_a_csv_is_read(tmp_path, text):
    (tmp_path / "readings.csv").write_bytes(text)
    written = perturb_file(
        tmp_path / "readings.csv", tmp_path / "reports.arrow", MECHANISMS, source=SeededSource(1)
    )
    expected = MECHANISMS["pulse"].perturb([71.0, 64.0], SeededSource(1))
    assert written.rows == 2
    assert np.array_equal(pd.read_feather(tmp_path / "reports.arrow")["pulse"], expected)


def test_an_output_is_replaced_only_if_asked(tmp_path):
    readings = write(TABLE, tmp_path / "readings.csv")
    output = tmp_path / "reports.parquet"
    perturb_file(readings, output, MECHANISMS)
    before = output.read_bytes()
    with pytest.raises(BadTable, match="exists already, and a second draw"):
        perturb_file(readings, output, MECHANISMS)
    assert output.read_bytes() == before
    perturb_file(readings, output, MECHANISMS, replace=True)
    assert output.read_bytes() != before


def test_a_description_beside_a_csv_is_not_overwritten_unasked(tmp_path):
    readings = write(TABLE, tmp_path / "readings.csv")
    (tmp_path / "reports.csv.json").write_text("mine")
    with pytest.raises(BadTable, match=r"reports.csv.json exists already"):
        perturb_file(readings, tmp_path / "reports.csv", MECHANISMS)
    assert (tmp_path / "reports.csv.json").read_text() == "mine"
    assert not (tmp_path / "reports.csv").exists()


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o027, 0o640), (0o077, 0o600)])
def test_the_umask_says_who_may_read_a_new_output(tmp_path, umask, mode):
    readings = write(TABLE, tmp_path / "readings.csv")
    before = os.umask(umask)
    try:
        written = perturb_file(readings, tmp_path / "reports.csv", MECHANISMS)
    finally:
        os.umask(before)
    for path in (written.path, written.sidecar):
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "readings.csv",
        "reports.csv",
        "reports.csv.json",
    ]


def test_only_the_owner_may_read_a_draft(tmp_path):
    def look(done, total):
        (draft,) = tmp_path.glob(".noisewright-*")
        seen.append(stat.S_IMODE(draft.stat().st_mode))

    seen, readings = [], write(TABLE, tmp_path / "readings.csv")
    perturb_file(readings, tmp_path / "reports.parquet", MECHANISMS, progress=look)
    assert set(seen) == {0o600}


def test_a_replaced_output_keeps_its_readers(tmp_path):
    readings = write(TABLE, tmp_path / "readings.csv")
    output = tmp_path / "reports.parquet"
    output.write_bytes(b"old")
    output.chmod(0o640)
    perturb_file(readings, output, MECHANISMS, replace=True)
    assert stat.S_IMODE(output.stat().st_mode) == 0o640


def test_a_link_is_followed_and_stays(tmp_path):
    readings = write(TABLE, tmp_path / "readings.csv")
    (tmp_path / "shelf").mkdir()
    link = tmp_path / "reports.parquet"
    link.symlink_to(tmp_path / "shelf" / "real.parquet")
    perturb_file(readings, link, MECHANISMS)
    assert link.is_symlink()
    assert read_description(tmp_path / "shelf" / "real.parquet").mechanisms == MECHANISMS


def test_progress_is_told_in_rows(tmp_path):
    pq.write_table(pa.table({"pulse": np.full(2 * ROWS + 1, 71.5)}), tmp_path / "readings.parquet")
    told = []
    perturb_file(
        tmp_path / "readings.parquet",
        tmp_path / "reports.parquet",
        {"pulse": MECHANISMS["pulse"]},
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(ROWS, 2 * ROWS + 1), (2 * ROWS, 2 * ROWS + 1), (2 * ROWS + 1, 2 * ROWS + 1)]
