"""Streaming a large Parquet file: rows a second, and memory that does not grow with the file."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import Row

FEW = 1_000_000

WRITE = """
import sys
import numpy as np, pyarrow as pa, pyarrow.parquet as pq
path, rows = sys.argv[1], int(sys.argv[2])
schema = pa.schema([("heart_rate", pa.float64())])
generator = np.random.default_rng(1)
with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
    for start in range(0, rows, 1 << 20):
        size = min(1 << 20, rows - start)
        writer.write_table(pa.table([pa.array(40 + 160 * generator.random(size))], schema=schema))
"""

# VmHWM and not ru_maxrss: the latter starts from the peak of the parent process.
PERTURB = """
import sys, time
from noisewright import Interval
from noisewright.io import perturb_file
from noisewright.mechanisms import OGPM
start = time.perf_counter()
perturb_file(sys.argv[1], sys.argv[2], {"heart_rate": OGPM(Interval(40, 200), epsilon=2.0)})
seconds = time.perf_counter() - start
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(seconds, int(peak.split()[1]) / 1024)
"""


def rows(count: int) -> list[Row]:
    """A small and a large file: the time of the large one, and what it needs beyond the small one."""
    _, little = stream(min(count, FEW))
    seconds, much = stream(count)
    growth = much - little
    few = f"{min(count, FEW):,} rows"
    note = f"threads read, draw and write; peak {much:,.0f} MiB, {little:,.0f} MiB for {few}"
    what = f"Parquet to Parquet, {count:,} rows"
    return [Row(what, count / seconds, "memory growth", None, "constant", growth < 100, note)]


def stream(count: int) -> tuple[float, float]:
    """Seconds and peak memory (MiB) of randomizing a file of so many rows, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "readings.parquet"), Path(folder, "reports.parquet")
        subprocess.run([sys.executable, "-c", WRITE, str(source), str(count)], check=True)
        done = subprocess.run(
            [sys.executable, "-c", PERTURB, str(source), str(target)],
            check=True,
            capture_output=True,
            text=True,
        )
        seconds, memory = map(float, done.stdout.split())
        return seconds, memory
