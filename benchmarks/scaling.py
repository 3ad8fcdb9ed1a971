"""What engines of clusters cost above their own work: CPU time a row, and memory, on this machine.

    python -m benchmarks.scaling [--rows 100000000]

Times are CPU times of all processes that take part: the driver, the JVM and the Python workers. The measures
of one engine are taken in turn within one run, after a small one that warms it up. Spark is compared with an
empty function that Arrow batches go through (``mapInArrow``) and that writes what it gets, Dask's threads
with the plain engine on the same files.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.timing import Row, show
from noisewright import Interval
from noisewright.io import perturb_file, tally_files
from noisewright.mechanisms import OGPM

HOURS = {"hours": OGPM(Interval(0, 24), 1.0)}
ROWS_A_FILE = 1_250_000
MEMORY = "4g"


def write(folder: Path, rows: int) -> Path:
    """Write files of hours, all of one size, which does not grow with the number of rows."""
    folder.mkdir()
    files = max(8, rows // ROWS_A_FILE)
    for number in range(files):
        random, left = np.random.default_rng(number), rows // files
        schema = pa.schema([("hours", pa.float64())])
        with pq.ParquetWriter(folder / f"{number:03}.parquet", schema, use_dictionary=False) as writer:
            while left:
                size = min(left, 1 << 20)
                writer.write_table(pa.table([pa.array(random.uniform(0, 24, size))], schema=schema))
                left -= size
    return folder


class Meter:
    """CPU seconds of this process and all of its children, and the most memory they had together."""

    def __init__(self) -> None:
        import psutil

        self.me, self.error = psutil.Process(), psutil.Error

    def _family(self) -> list[Any]:
        return [self.me, *self.me.children(recursive=True)]

    def cpu(self) -> float:
        """CPU seconds up to now, those of children that ended included."""
        total = 0.0
        for process in self._family():
            try:
                times = process.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
            except self.error:
                continue
        return total

    def memory(self) -> float:
        """MiB of all processes now."""
        total = 0.0
        for process in self._family():
            try:
                total += process.memory_info().rss / 2**20
            except self.error:
                continue
        return total

    def measure(self, work: Callable[[], object]) -> tuple[float, float, float]:
        """Return CPU seconds, seconds of the clock, and the most memory, sampled ten times a second."""
        ended, peak = threading.Event(), [self.memory()]

        def watch() -> None:
            while not ended.wait(0.1):
                peak[0] = max(peak[0], self.memory())

        watcher = threading.Thread(target=watch)
        cpu, clock = self.cpu(), time.perf_counter()
        watcher.start()
        try:
            work()
        finally:
            ended.set()
            watcher.join()
        return self.cpu() - cpu, time.perf_counter() - clock, peak[0]


def rows(count: int = 10_000_000) -> list[Row]:
    """The lines of all engines that are installed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        people = write(folder / "people", count)
        few = write(folder / "few", 80_000)
        found = []
        if find_spec("dask") and find_spec("distributed"):
            found += _dask(people, few, folder, count)
        if find_spec("pyspark") and (shutil.which("java") or "JAVA_HOME" in os.environ):
            found += _spark(people, few, folder, count)
        return found


def _line(
    what: str,
    count: int,
    measured: tuple[float, float, float],
    against: str = "",
    other: float = 0.0,
    most: float | None = None,
) -> Row:
    cpu, clock, memory = measured
    note = f"{1e9 * cpu / count:,.0f} ns a row CPU, {1e9 * clock / count:,.0f} clock; peak {memory:,.0f} MiB"
    ratio = cpu / other if other else None
    kept = None if most is None or ratio is None else ratio <= most
    asked = "" if most is None else f"at most {most:g}×"
    return Row(what, count / cpu, against, ratio, asked, kept, note)


def _dask(people: Path, few: Path, folder: Path, count: int) -> list[Row]:
    import dask
    import dask.dataframe as dd

    from noisewright import dask as ours

    meter = Meter()

    def plain(source: Path) -> None:
        perturb_file(source, folder / "plain", HOURS, replace=True)
        tally_files([folder / "plain"])

    def on_threads(source: Path) -> None:
        with dask.config.set(scheduler="threads", num_workers=2):
            frame = dd.read_parquet(source)
            ours.tally(ours.perturb(frame, HOURS, str(folder / "dask"), replace=True))

    for work in (plain, on_threads):
        work(few)
    one = meter.measure(partial(plain, people))
    two = meter.measure(partial(on_threads, people))
    what = f"{count:,} rows: perturb and tally"
    return [
        _line(f"{what}, plain engine", count, one),
        _line(f"{what}, Dask threads", count, two, "plain engine", one[0], 1.5),
    ]


def _spark(people: Path, few: Path, folder: Path, count: int) -> list[Row]:
    from pyspark.sql import SparkSession

    from noisewright import spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]")
    for name, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": MEMORY,
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    meter = Meter()

    def identity(source: Path) -> None:
        frame = session.read.parquet(str(source)).mapInArrow(lambda batches: batches, "hours double")
        frame.write.mode("overwrite").parquet(str(folder / "identity"))

    def perturb(source: Path) -> None:
        spark.perturb(session.read.parquet(str(source)), HOURS, str(folder / "spark"), replace=True)

    def tally(_: Path) -> None:
        spark.tally(spark.read(session, str(folder / "spark")))

    for work in (identity, perturb, tally):
        work(few)
    one, two, three = (meter.measure(partial(work, people)) for work in (identity, perturb, tally))
    session.stop()
    return [
        _line(f"{count:,} rows: Spark, identity mapInArrow to Parquet", count, one),
        _line(f"{count:,} rows: Spark, perturb to Parquet", count, two, "identity", one[0], 1.5),
        _line(f"{count:,} rows: Spark, tally", count, three),
    ]


def main() -> None:
    """Measure all engines that are installed and print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rows", type=int, default=10_000_000)
    show(rows(options.parse_args().rows))


if __name__ == "__main__":
    main()
