"""Spark and Dask as ``--engine`` starts them: frames of files, and the room of this package for such frames.

Spark takes its settings from where it always does (``spark-defaults.conf``, ``SPARK_REMOTE``,
``spark-submit``). Dask works on the cluster of ``DASK_SCHEDULER_ADDRESS``, or else on threads.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from noisewright.cli.terminal import say
from noisewright.errors import BadTable, MissingExtra
from noisewright.io.location import Location
from noisewright.io.numbers import WholeNumbers
from noisewright.io.partitions import Partition
from noisewright.io.table_files import check_names, kind_of, open_input

QUIET: Final = {"spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false"}
"""Settings of a session that is started here: the terminal is for our output."""


class Engine(ABC):
    """Reads files into frames of an engine, whose room randomizes and counts them."""

    room: Any
    """The room of this package for the engine: ``noisewright.spark`` or ``noisewright.dask``."""

    @abstractmethod
    def read(self, path: str) -> Any:
        """Return a frame of a folder of reports."""

    @abstractmethod
    def parquet(self, files: Sequence[Location], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        """Return a frame of columns of Parquet files, with the types that they have there."""

    @abstractmethod
    def csv(self, files: Sequence[Location], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        """Return a frame of columns of CSV files, with the types that were declared."""

    @abstractmethod
    def with_values(self, frame: Any, values: Mapping[str, str | None]) -> Any:
        """Return a frame with columns that have the same value in all rows."""

    @abstractmethod
    def join(self, frames: Sequence[Any]) -> Any:
        """Return the rows of several frames, one after the other."""

    def frame(self, partitions: Sequence[Partition], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        """Return a frame of files; values that only their folders state become columns of text.

        Args:
            partitions: The files.
            numbers: Columns that hold numbers.
            texts: All other columns that are wanted.
        """
        kinds = {kind_of(str(each.file)) for each in partitions}
        if len(kinds) > 1 or "arrow" in kinds:
            found = " and ".join(sorted(kinds))
            raise BadTable(f"--engine reads files of one kind, Parquet or CSV, and these are {found}")
        read = self.csv if "csv" in kinds else self.parquet
        inside = columns_inside(partitions[0])
        stated = [name for name in texts if inside and name not in inside and name in partitions[0].fixed]
        columns = [name for name in texts if name not in stated]
        frames = []
        for values, some in groupby(partitions, lambda each: [each.fixed.get(name) for name in stated]):
            frame = read([each.file for each in some], numbers, columns)
            frames.append(self.with_values(frame, dict(zip(stated, values, strict=True))))
        return frames[0] if len(frames) == 1 else self.join(frames)


def columns_inside(partition: Partition) -> list[str]:
    """Return the columns of a file; none for a CSV of a store, which only an engine can read."""
    stored = partition.file.local is None and kind_of(str(partition.file)) == "csv"
    return [] if stored else partition.open().names


@contextmanager
def start_engine(engine: str) -> Iterator[Engine]:
    """Start an engine, or take the one that runs; its warnings become our notices, or vanish.

    Args:
        engine: "spark" or "dask".
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning)  # of PySpark and Dask, about pandas
        warnings.filterwarnings("always", category=WholeNumbers)
        usual = warnings.showwarning

        def notify(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if issubclass(category, WholeNumbers):
                say(str(message))
            else:
                usual(message, category, *place)

        warnings.showwarning = notify  # type: ignore[assignment]
        with ENGINES[engine]() as on:
            yield on


# -- Spark -----------------------------------------------------------------------------------------------


@dataclass
class SparkEngine(Engine):
    """Spark.

    Attributes:
        session: The session.
        room: ``noisewright.spark``.
    """

    session: Any
    room: Any

    def read(self, path: str) -> Any:
        return self.room.read(self.session, path)

    def parquet(self, files: Sequence[Location], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        paths = map(spark_address, files)
        return _select(_ask(lambda: self.session.read.parquet(*paths)), [*numbers, *texts])

    def csv(self, files: Sequence[Location], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        paths = list(map(spark_address, files))
        reader = self.session.read.options(header=True, escape='"')
        names = _ask(lambda: reader.csv(paths[:1])).columns
        kinds = ", ".join(f"{_quoted(name)} {'double' if name in numbers else 'string'}" for name in names)
        # Otherwise rows of another length, and files with columns in another order, would be read wrongly.
        strict = reader.options(mode="FAILFAST", enforceSchema=False, columnPruning=False).schema(kinds)
        return _select(_ask(lambda: strict.csv(paths)), [*numbers, *texts])

    def with_values(self, frame: Any, values: Mapping[str, str | None]) -> Any:
        from pyspark.sql.functions import lit  # noqa: PLC0415

        for name, value in values.items():
            frame = frame.withColumn(name, lit(value).cast("string"))
        return frame

    def join(self, frames: Sequence[Any]) -> Any:
        first, *others = frames
        for each in others:
            first = first.union(each)
        return first


def _select(frame: Any, columns: Sequence[str]) -> Any:
    check_names(columns, frame.columns, where="the data set")
    return frame.select(*map(_quoted, columns))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _ask(ask: Callable[[], Any], engine: str = "Spark") -> Any:
    """Return what an engine answers that looks at the first rows, or refuse without them."""
    try:
        return ask()
    except Exception as failure:  # whatever an engine, or its reader, objects to
        raise BadTable(
            f"{engine} cannot read the files ({type(failure).__name__}): they are damaged, or a column of "
            "numbers holds something else"
        ) from None


def spark_address(file: Location) -> str:
    """Return a file as Spark finds it: it takes no escapes, and without a scheme looks in its own store.

    >>> spark_address(Location("/data/a b/region=north/1.csv"))
    'file:///data/a b/region=north/1.csv'
    """
    return str(file) if file.local is None else f"file://{file.local.absolute()}"


@contextmanager
def _spark() -> Iterator[Engine]:
    """Yield Spark with the session that there is, or with one that ends here."""
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415

        from noisewright import spark  # noqa: PLC0415
    except ImportError:
        raise MissingExtra.of("--engine spark needs PySpark", "spark") from None
    logging.disable(logging.ERROR)  # PySpark would log at length what becomes our sentence
    try:
        if (active := SparkSession.getActiveSession()) is not None:
            yield SparkEngine(active, spark)
            return
        with _session(SparkSession.builder) as session:
            yield SparkEngine(session, spark)
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _session(builder: Any) -> Iterator[Any]:
    """Start Spark and end it; its log goes to a file, which stays if Spark had something to say."""
    _check_java()
    for setting, value in {} if "SPARK_REMOTE" in os.environ else QUIET.items():
        builder = builder.config(setting, value)
    log, name = tempfile.mkstemp(prefix="noisewright-spark-", suffix=".log")
    try:
        session = _start(builder, log)
    except Exception as failure:  # whatever Java, the settings or a server object to
        os.close(log)
        raise BadTable(
            f"Spark does not start ({type(failure).__name__}); it needs Java 17 or newer. Its log is {name}"
        ) from None
    usual = os.fstat(log).st_size
    try:
        yield session
    finally:
        if os.fstat(log).st_size > usual:
            say(f"the log of Spark is in {name}")
        else:
            Path(name).unlink()
        session.stop()
        os.close(log)


def _check_java() -> None:
    """Refuse to start Spark on this machine without Java; a server, or spark-submit, has its own."""
    if {"SPARK_REMOTE", "PYSPARK_GATEWAY_PORT"}.intersection(os.environ):
        return
    home = os.environ.get("JAVA_HOME")
    if not (shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")):
        raise BadTable("Spark needs Java 17 or newer; install it, or set JAVA_HOME to where it is")


def _start(builder: Any, log: int) -> Any:
    """Start Spark, or connect to it; a process of Java that this starts writes its log to a file."""
    terminal = os.dup(2)
    os.dup2(log, 2)
    try:
        session = builder.getOrCreate()
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
    chosen = {"SPARK_REMOTE", "PYSPARK_PYTHON"}.intersection(os.environ)
    if not chosen and session.sparkContext.master.startswith("local"):
        session.sparkContext.pythonExec = sys.executable  # workers of this machine need this package, too
    return session


# -- Dask ------------------------------------------------------------------------------------------------


@dataclass
class DaskEngine(Engine):
    """Dask.

    Attributes:
        room: ``noisewright.dask``.
    """

    room: Any

    def read(self, path: str) -> Any:
        return self.room.read(path)

    def parquet(self, files: Sequence[Location], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        import dask.dataframe as dd  # noqa: PLC0415

        columns = [*numbers, *texts]
        _check_files(files, columns)
        paths, options = [str(each.local) for each in files], {}
        if files[0].local is None:
            paths, options = [each.path for each in files], {"filesystem": files[0].store}
        return _ask(lambda: dd.read_parquet(paths, columns=columns, **options), "Dask")

    def csv(self, files: Sequence[Location], numbers: Sequence[str], texts: Sequence[str]) -> Any:
        import dask.dataframe as dd  # noqa: PLC0415

        columns = [*numbers, *texts]
        _check_files(files, columns)  # pandas would take one field too many in each row for an index
        kinds = dict.fromkeys(numbers, "float64") | dict.fromkeys(texts, "str")
        # Otherwise texts such as NA and None would be read as missing.
        empty = {"keep_default_na": False, "na_values": {name: [""] for name in numbers}}
        paths = [str(each.local) for each in files]
        return _ask(lambda: dd.read_csv(paths, usecols=columns, dtype=kinds, **empty)[columns], "Dask")

    def with_values(self, frame: Any, values: Mapping[str, str | None]) -> Any:
        return frame.assign(**values) if values else frame

    def join(self, frames: Sequence[Any]) -> Any:
        import dask.dataframe as dd  # noqa: PLC0415

        return dd.concat(list(frames))


def _check_files(files: Sequence[Location], columns: Sequence[str]) -> None:
    for each in files:
        check_names(columns, open_input(each).names, where=str(each))


@contextmanager
def _dask() -> Iterator[Engine]:
    """Yield Dask on the cluster that its settings name, or on threads."""
    try:
        import dask  # noqa: PLC0415
        import dask.dataframe  # noqa: PLC0415
        from distributed import Client  # noqa: PLC0415

        from noisewright import dask as room  # noqa: PLC0415
    except ImportError:
        raise MissingExtra.of("--engine dask needs Dask", "dask") from None
    address = dask.config.get("scheduler-address", None)
    if address is None:
        with dask.config.set(scheduler="threads"):
            yield DaskEngine(room)
        return
    try:
        client = Client(address)
    except (OSError, ValueError, TimeoutError):
        raise BadTable(f"no scheduler of Dask answers at {Location(address)}") from None
    with client:
        yield DaskEngine(room)


ENGINES: Final[dict[str, Callable[[], AbstractContextManager[Engine]]]] = {"spark": _spark, "dask": _dask}
