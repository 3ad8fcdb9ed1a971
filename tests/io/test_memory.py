"""Files of any length go through a bounded amount of memory."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

RUN = """
import re, sys
from pathlib import Path
from noisewright import Interval
from noisewright.io import perturb_file
from noisewright.mechanisms import OGPM
written = perturb_file(sys.argv[1], sys.argv[2], {"pulse": OGPM(Interval(40, 200), 1.0)})
# Not getrusage: its maximum is inherited from the process that started this one.
print(written.rows, int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def write(path, rows):
    """One row group as long as the file, and an unneeded column: both would tempt a reader to load it all."""
    generator = np.random.default_rng(1)
    schema = pa.schema({"pulse": pa.float64(), "other": pa.float64()})
    table = pa.table({name: generator.uniform(40, 200, rows) for name in schema.names}, schema=schema)
    if path.suffix == ".csv":
        csv.write_csv(table, path)
    else:
        pq.write_table(table, path, row_group_size=rows)


def peak(readings, output):
    done = subprocess.run(
        [sys.executable, "-c", RUN, readings, output], check=True, capture_output=True, text=True, timeout=600
    )
    return tuple(map(int, done.stdout.split()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak from /proc")
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_six_times_the_rows_take_about_the_same_memory(tmp_path, kind):
    peaks = {}
    for rows in (1_000_000, 6_000_000):
        readings = tmp_path / f"{rows}.{kind}"
        write(readings, rows)
        done, peaks[rows] = peak(readings, tmp_path / f"reports-{rows}.parquet")
        assert done == rows
        readings.unlink()
    # Five million more values and their reports are 80 MB; a program that held them would show.
    assert peaks[6_000_000] - peaks[1_000_000] < 60
