"""Bad files and failing disks: one clear sentence, nothing left behind, an earlier output untouched."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from noisewright import Interval
from noisewright.errors import BadTable, NoisewrightError
from noisewright.io import files, perturb_file
from noisewright.io.table_files import ROWS
from noisewright.mechanisms import OGPM

PULSE = {"pulse": OGPM(Interval(40, 200), 1.0)}
SECRET = "731731"

CSV = {
    "no bytes": (b"", r"readings.csv is empty: it has no bytes at all"),
    "blank": (b"\n", r"readings.csv has no rows; it needs a header line"),
    "header": (b"pulse,name\n", r"readings.csv has columns but no rows"),
    "header without end": (b"pulse,name", r"readings.csv has no rows"),
    "text": (b"pulse,name\n71,x\n731731x,y\n", r"pulse in data row 2 is not a number"),
    "text after blanks": (b"pulse,name\n71,x\n\n\n731731x,y\n", r"pulse in data row 2 is not a number"),
    "boolean": (b"pulse\ntrue\n", r"pulse in data row 1 is not a number"),
    "decimal comma": (b'pulse\n71\n"731731,5"\n', r"pulse in data row 2 is not a number"),
    "empty field": (b"pulse,name\n71,x\n,y\n", r"pulse in data row 2 is missing"),
    "empty line": (b"pulse\n71\n\n72\n", r"pulse in data row 2 is missing"),
    "nan": (b"pulse\n71\nNaN\n", r"pulse in data row 2 is missing"),
    "inf": (b"pulse\n71\ninf\n", r"pulse in data row 2 is infinite"),
    "minus inf": (b"pulse\n71\n-inf\n", r"pulse in data row 2 is infinite"),
    "overflow": (b"pulse\n71\n1e999\n", r"pulse in data row 2 is infinite"),
    "outside": (b"pulse\n71\n731731\n", r"pulse in data row 2 lies above Interval\(40.0, 200.0\)"),
    "below": (b"pulse\n71\n-731731\n", r"pulse in data row 2 lies below Interval\(40.0, 200.0\)"),
    "short row": (b"pulse,name\n71,x\n731731\n", r"data row 2 of .*readings.csv does not fit its header: 1 "),
    "long row": (b"pulse,name\n71,x\n731731,y,z\n", r"data row 2 of .*readings.csv does not fit its header: 3 "),
    "binary row": (b"pulse,name\n71,x\n731731,\xc0,z\n", r"data row 2 of .*readings.csv does not fit its header"),
    "open quote": (b'pulse,name\n71,"x\n72,731731\n', r"readings.csv has a quote that is opened and never closed"),
    "endless row": (b'pulse,name\n71,"x\n' + b"72,731731\n" * 300_000, r"has a row of more than 1 MiB"),
    "twice": (b"pulse,pulse\n71,72\n", r"readings.csv has 2 columns named 'pulse'"),
    "missing": (b"heart,name\n71,x\n", r"readings.csv has no column 'pulse'; it has 2 columns, none of that name"),
    "misspelt": (b"731731,pulse ,puls\n1,71,72\n", r"has no column 'pulse'; did you mean 'pulse ' or 'puls'\?$"),
    "no header, text": (b"Ada 731731,ada@x.org\nBo,b\n", r"it has 2 columns, none of that name; is the header line"),
    "one column": (b"731731\n71\n", r"it has 1 column, not of that name; is the header line missing"),
    "semicolons": (b"Ada;731731;6.5\nBo;71;7\n", r"separated by commas; this file seems to use semicolons$"),
    "tabs": (b"name\tpulse\nBo\t71\n", r"separated by commas; this file seems to use tabs$"),
    "bars": (b"name|pulse\nBo|71\n", r"separated by commas; this file seems to use vertical bars$"),
    "semicolons, decimal commas": (b"a;b\nBo;731731,5;6,5\n", r"3 fields instead of 1; .* use semicolons$"),
    "ragged, one name": (b"pulse\n71,5,2\n", r"3 fields instead of 1$"),
    "thousands": (b'pulse\n"731,731"\n', r"is not a number; write numbers as 71.5, without units or thousands"),
    "no header": (b"731731,Ada\n71,Bo\n", r"readings.csv has no column 'pulse'; .*is the header line missing"),
    "utf-16": ("pulse\n71\n".encode("utf-16"), r"readings.csv is UTF-16 text; save it as UTF-8"),
    "latin header": (b"pulse,\xe9t\xe9\n71,1\n", r"its text is not UTF-8"),
    "nul": (b"pulse\n\x00\x00\n", r"pulse in data row 1 is not a number"),
    "parquet": (b"PAR1\x00\xff\x10\n\xfe,\n", r"readings.csv"),
}  # fmt: skip


def left_behind(folder):
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("readings"))


def assert_refused(readings, sentence, output="reports.parquet", **options):
    """Refused in one sentence without the secret; neither a new output nor an earlier one is touched."""
    folder = readings.parent
    for earlier in (False, True):
        if earlier:
            (folder / output).write_bytes(b"an earlier output")
        with pytest.raises(NoisewrightError, match=sentence) as refusal:
            perturb_file(readings, folder / output, PULSE, replace=True, **options)
        assert SECRET not in str(refusal.value)
        assert "\n" not in str(refusal.value)
        assert refusal.value.__suppress_context__ or refusal.value.__context__ is None
        assert left_behind(folder) == ([output] if earlier else [])
    assert (folder / output).read_bytes() == b"an earlier output"


@pytest.mark.parametrize(("content", "sentence"), CSV.values(), ids=CSV)
def test_a_bad_csv_is_refused(tmp_path, content, sentence):
    readings = tmp_path / "readings.csv"
    readings.write_bytes(content)
    assert_refused(readings, sentence)


def test_text_in_a_kept_column_must_be_utf8(tmp_path):
    readings = tmp_path / "readings.csv"
    readings.write_bytes(b"pulse,name\n71,\xff\n")
    assert_refused(readings, "name in data row 1 is not UTF-8 text", keep=["name"])


PARQUET = {
    "text": (pa.table({"pulse": ["731731", "b"]}), "pulse holds string values where numbers are needed"),
    "boolean": (pa.table({"pulse": [True]}), "pulse holds bool values where numbers are needed"),
    "null": (pa.table({"pulse": [71.0, None]}), "pulse in data row 2 is missing"),
    "nan": (pa.table({"pulse": [71.0, float("nan")]}), "pulse in data row 2 is missing"),
    "inf": (pa.table({"pulse": [71.0, float("inf")]}), "pulse in data row 2 is infinite"),
    "outside": (pa.table({"pulse": [71, 731731]}), "pulse in data row 2 lies above"),
    "no rows": (pa.table({"pulse": pa.array([], pa.float64())}), "has columns but no rows"),
    "no columns": (pa.table({}), "has no column 'pulse'"),
    "missing": (pa.table({"heart": [71.0]}), "has no column 'pulse'; it has 1 column, not of that name"),
    "twice": (pa.table([[71.0], [72.0]], names=["pulse", "pulse"]), "has 2 columns named 'pulse'"),
}


@pytest.mark.parametrize(("table", "sentence"), PARQUET.values(), ids=PARQUET)
def test_a_bad_parquet_is_refused(tmp_path, table, sentence):
    pq.write_table(table, tmp_path / "readings.parquet")
    assert_refused(tmp_path / "readings.parquet", sentence)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.999])
def test_a_truncated_file_is_refused(tmp_path, kind, share):
    readings = tmp_path / f"readings.{kind}"
    table = pa.table({"pulse": np.linspace(40, 200, 5000)})
    if kind == "parquet":
        pq.write_table(table, readings)
    else:
        with pa.OSFile(str(readings), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    whole = readings.read_bytes()
    readings.write_bytes(whole[: int(share * len(whole))])
    assert_refused(readings, "readings.* is truncated: it begins as")


@pytest.mark.parametrize("name", ["readings.parquet", "readings.arrow"])
@pytest.mark.parametrize(
    "content", [b"pulse\n71\n", b"x", b"PAR1", b"ARROW1", b"PAR1PAR1", b"ARROW1\0\0ARROW1"]
)
def test_a_file_of_another_kind_is_refused(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert_refused(tmp_path / name, "readings")


def test_a_damaged_parquet_is_refused(tmp_path):
    readings = tmp_path / "readings.parquet"
    pq.write_table(pa.table({"pulse": np.linspace(40, 200, 50_000)}), readings)
    content = bytearray(readings.read_bytes())
    content[20:400] = bytes(380)
    readings.write_bytes(content)
    assert_refused(readings, "the file is damaged")


def test_a_bad_value_far_into_a_file_leaves_nothing(tmp_path):
    values = np.full(3 * ROWS, 71.5)
    values[-1] = 731731
    pq.write_table(pa.table({"pulse": values}), tmp_path / "readings.parquet")
    assert_refused(tmp_path / "readings.parquet", f"pulse in data row {3 * ROWS} lies above")
    (tmp_path / "reports.parquet").unlink()
    (tmp_path / "readings.csv").write_text("pulse\n" + "71.5\n" * (ROWS + 1) + "731731\n")
    assert_refused(tmp_path / "readings.csv", f"pulse in data row {ROWS + 2} lies above")
    (tmp_path / "reports.parquet").unlink()
    (tmp_path / "readings.csv").write_text("pulse\n" + "71.5\n" * (6 * ROWS) + "731731x\n")
    assert_refused(tmp_path / "readings.csv", f"pulse in data row {6 * ROWS + 1} is not a number")


@pytest.fixture
def good(tmp_path):
    readings = tmp_path / "readings.csv"
    readings.write_text("pulse,name\n71,x\n64,y\n")
    return readings


def test_paths_without_meaning_are_refused(good, tmp_path):
    def refuse(original, output, sentence):
        with pytest.raises(BadTable, match=sentence):
            perturb_file(original, output, PULSE, replace=True)
        assert left_behind(tmp_path) == ["folder.csv"]

    (tmp_path / "folder.csv").mkdir()
    refuse(tmp_path / "nowhere.csv", tmp_path / "o.csv", "cannot read .*nowhere.csv: there is no such file")
    refuse(
        tmp_path / "folder.csv", tmp_path / "o.csv", "folder.csv is a folder or a glob; reports need a folder"
    )
    refuse(good, tmp_path / "folder.csv", "is not a regular file")
    refuse(good, tmp_path / "none" / "o.csv", "the folder .*none does not exist")
    refuse(good, tmp_path / "o.xlsx", "must end in one of .parquet, .pq, .csv")
    refuse(tmp_path / "nowhere", tmp_path / "o", "cannot read .*nowhere: there is no such file or folder")
    refuse(tmp_path / "readings.txt", tmp_path / "o.csv", "must end in one of")
    refuse(good, good, "is the input itself")
    refuse("/dev/null.csv", tmp_path / "o.csv", "cannot read")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "readings.csv")
    with pytest.raises(BadTable, match="is not a regular file"):
        perturb_file(tmp_path / "readings.csv", tmp_path / "reports.csv", PULSE)


def test_the_input_is_never_overwritten_through_a_link(good, tmp_path):
    before = good.read_bytes()
    for make in ("symlink_to", "hardlink_to"):
        link = tmp_path / f"readings-{make}.csv"
        getattr(link, make)(good)
        with pytest.raises(BadTable, match="is the input itself"):
            perturb_file(good, link, PULSE, replace=True)
    assert good.read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads and writes everything")
def test_permissions_are_respected(good, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    with pytest.raises(BadTable, match=r"cannot write .*: permission denied; no output"):
        perturb_file(good, locked / "o.csv", PULSE)
    good.chmod(0)
    with pytest.raises(BadTable, match=r"cannot read .*: permission denied"):
        perturb_file(good, tmp_path / "o.csv", PULSE)


class FailingWriter:
    def __init__(self, error):
        self.error = error

    def write_table(self, table):
        raise self.error

    def close(self):
        raise OSError(errno.ENOSPC, "again at the end")


ERRORS = [
    (OSError(errno.ENOSPC, "No space"), BadTable, "the disk is full; no output was left behind"),
    (OSError(errno.EDQUOT, "Quota"), BadTable, "the disk quota is used up"),
    (OSError(errno.EIO, "I/O"), BadTable, "Input/output error"),
    (OSError("odd"), BadTable, "the system refused"),
    (pa.ArrowInvalid("731731"), BadTable, "a kept column has a type"),
    (KeyboardInterrupt(), KeyboardInterrupt, None),
    (MemoryError(), MemoryError, None),
]


@pytest.mark.parametrize(("error", "kind", "sentence"), ERRORS)
@pytest.mark.parametrize("output", ["reports.parquet", "reports.csv"])
def test_whatever_stops_the_writing_leaves_nothing(
    good, tmp_path, monkeypatch, error, kind, sentence, output
):
    monkeypatch.setattr(files, "_writer", lambda *_: FailingWriter(error))
    (tmp_path / output).write_bytes(b"an earlier output")
    with pytest.raises(kind, match=sentence):
        perturb_file(good, tmp_path / output, PULSE, replace=True)
    assert left_behind(tmp_path) == [output]
    assert (tmp_path / output).read_bytes() == b"an earlier output"


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failure_at_the_very_end_leaves_nothing(good, tmp_path, monkeypatch, failing):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space")

    monkeypatch.setattr(*((os, "fsync") if failing == "fsync" else (Path, "replace")), fail)
    with pytest.raises(BadTable, match="the disk is full"):
        perturb_file(good, tmp_path / "reports.csv", PULSE)
    assert left_behind(tmp_path) == []


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))  # as a disk with one MiB left
from noisewright.cli.main import run
run()
"""


@pytest.mark.parametrize("output", ["reports.parquet", "reports.csv", "reports.arrow"])
def test_a_real_limit_of_the_system_leaves_nothing(tmp_path, output):
    pq.write_table(pa.table({"pulse": np.linspace(40, 200, 2 * ROWS)}), tmp_path / "readings.parquet")
    (tmp_path / output).write_bytes(b"an earlier output")
    command = [
        "perturb",
        "readings.parquet",
        "--epsilon=1",
        "--interval=pulse=40:200",
        "-o",
        output,
        "--force",
    ]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *command],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    expected = f"noisewright: cannot write {output}: the file would become larger than allowed here"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{expected}; no output was left behind\n"
    assert left_behind(tmp_path) == [output]
    assert (tmp_path / output).read_bytes() == b"an earlier output"


def test_a_kept_column_that_a_csv_cannot_hold_is_refused(tmp_path):
    pq.write_table(pa.table({"pulse": [71.0], "tags": [["a", "b"]]}), tmp_path / "readings.parquet")
    assert_refused(tmp_path / "readings.parquet", "a kept column has a type", "reports.csv", keep=["tags"])
