"""Jobs of Spark: what is checked before one starts, how it is watched, and what becomes of its failures."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from noisewright.errors import BadTable, NoisewrightError
from noisewright.io.description import KEY
from noisewright.io.location import Location
from noisewright.io.part_task import check_path
from noisewright.progress import Progress
from noisewright.spark.tasks import find_row, measure_part, send_part

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ANSWER: Final = "outcome string"
"""The frame that tasks answer with: one text for each part."""

FAN: Final = 64
"""Tallies that the driver adds up itself; of more parts, tasks add them up first."""

UNKNOWN: Final = re.compile(r"Python|InArrow|InPandas|UDF|RDD|Limit|TakeOrdered|MapElements|MapPartitions")
"""Steps of a plan that run functions of the user, or take the first rows that come."""


def check_folder(path: str | None, frame: DataFrame) -> str:
    """Return the folder for reports, or refuse to draw without one."""
    path = check_path(path, "Spark")
    if not Location(path).takes_a_name_once and _speculates(frame):
        raise BadTable(
            f"{Location(path)} cannot refuse the second of two copies of a task: write to HDFS or a shared "
            "disk, or start Spark with spark.speculation=false"
        )
    return path


def _speculates(frame: DataFrame) -> bool:
    try:
        return str(frame.sparkSession.conf.get("spark.speculation", "false")).lower() == "true"
    except _failures():  # some services hide their settings
        return True


def check_repeatable(frame: DataFrame) -> bool:
    """Refuse a frame that comes out differently each time; return whether Spark may repeat its tasks.

    A task that fails is computed anew from the sources. If its rows then differ, a person could be in two
    parts and get two reports. Plans that hold functions of the user, rows of an RDD or the first rows that
    come, and plans that stay on a server (Spark Connect), tell nothing about that.
    """
    if is_remote(frame):
        return False
    plan = frame._jdf.queryExecution().analyzed()
    if not plan.deterministic():
        raise BadTable(
            "the frame comes out differently each time it is computed, since it has random numbers or "
            "numbers of partitions in it: a person could get two reports. Write it to files, or checkpoint() "
            "it, and randomize what was written"
        )
    return UNKNOWN.search(frame._jdf.queryExecution().executedPlan().toString()) is None


def is_remote(frame: DataFrame) -> bool:
    """Return whether a frame lives on a server of Spark Connect."""
    return type(frame).__module__.startswith("pyspark.sql.connect")


def select(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """Return some columns of a frame, whatever signs their names have."""
    return frame.select(*map(quoted, names))


def quoted(name: str) -> str:
    """Return a name as Spark's expressions take it."""
    return "`" + name.replace("`", "``") + "`"


def number_of_parts(frame: DataFrame) -> int:
    """Return the number of parts of a frame; where that is not known, more than one task should add up."""
    return FAN + 1 if is_remote(frame) else int(frame.rdd.getNumPartitions())


@contextmanager
def divided(frame: DataFrame, seed: int | None) -> Iterator[list[int] | None]:
    """Yield the first row of each part, and at the end the number of rows; only seeded noise needs them."""
    if seed is None:
        yield None
        return
    with persisted(frame):  # otherwise some frames are divided anew by each job
        pairs = (text.split() for text in answers(frame.mapInArrow(measure_part, ANSWER), None))
        found = {int(number): int(rows) for number, rows in pairs}
        sizes = (found.get(number, 0) for number in range(max(found, default=-1) + 1))
        yield [0, *accumulate(sizes)]


@contextmanager
def persisted(frame: DataFrame, *, keep: bool = True) -> Iterator[None]:
    """Keep the rows of a frame on its workers, so that all jobs of the block see the same ones."""
    if not keep:
        yield
        return
    frame.persist()
    try:
        yield
    finally:
        frame.unpersist()


def received(frame: DataFrame) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Yield the number and the rows of each part, sent to this machine one part after another."""
    with sentences():
        rows = frame.mapInArrow(send_part, "part int, content binary").toLocalIterator()
        for number, sent in groupby(rows, attrgetter("part")):
            yield number, (batch for row in sent for batch in pa.ipc.open_stream(row.content))


def description_of(frame: DataFrame) -> str:
    """Return the description that a column of a frame carries."""
    found = (field.metadata.get(KEY) for field in frame.schema.fields if field.metadata)
    text = next((said for said in found if said), None)
    if text is None:
        raise BadTable(
            "the frame carries no description of its reports: read the folder by noisewright.spark.read, or "
            "give description=read_description(folder)"
        )
    return str(text)


def address_of(path: str) -> str:
    """Return a folder as Spark finds it: it takes no escapes, and without a scheme looks in its own store."""
    where = Location(path)
    return str(where) if where.local is None else f"file://{where.local.absolute()}"


def with_file(frame: DataFrame, refusal: NoisewrightError) -> NoisewrightError:
    """Return a refusal of a row with the file and the row there, if Spark knows them."""
    place = re.match(r"part (\d+): (.* in data row )(\d+)( .*)", str(refusal), re.DOTALL)
    if place is None:
        return refusal
    number, row = int(place[1]) - 1, int(place[3]) - 1
    try:
        # After a shuffle a second look could divide the rows in another way.
        if is_remote(frame) or _order(frame) != "DETERMINATE":
            return refusal
        places = frame.select("_metadata.file_name", "_metadata.row_index")
        rows = places.mapInArrow(partial(find_row, number, row), "file string, row long").collect()
    except _failures():  # the frame is not of files, or of files without numbers of rows
        return refusal
    if len(rows) != 1:
        return refusal
    return type(refusal)(f"{rows[0].file}: {place[2]}{rows[0].row + 1}{place[4]}")


def _order(frame: DataFrame) -> str:
    """Return what Spark promises about the order of a frame's rows."""
    return str(frame._jdf.queryExecution().toRdd().outputDeterministicLevel().toString())


def _failures() -> tuple[type[Exception], ...]:
    """Return the errors that Spark raises by itself."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  (a frame has loaded both)
    from pyspark.errors import PySparkException  # noqa: PLC0415

    return PySparkException, Py4JError


@contextmanager
def sentences() -> Iterator[None]:
    """Turn a failure of Spark into one sentence; its text may quote data, so Spark's log keeps that."""
    try:
        yield
    except _failures() as failure:
        if "No module named 'noisewright'" in str(failure):
            raise BadTable(
                "the Python of Spark's workers does not have this package: install it on all machines, and "
                "set PYSPARK_PYTHON to the Python that has it before the session starts"
            ) from None
        said = getattr(failure, "getCondition", lambda: None)() or type(failure).__name__
        raise BadTable(f"Spark could not do it ({said}); its log says why") from None


def answers(frame: DataFrame, progress: Progress | None) -> list[str]:
    """Run a job and return what its tasks answer."""
    with sentences(), _watch(frame, progress):
        return [row.outcome for row in frame.collect()]


@contextmanager
def _watch(frame: DataFrame, progress: Progress | None) -> Iterator[None]:
    """Tell how many tasks of the job are done, about once a second."""
    if progress is None:
        yield
        return
    session, ended = frame.sparkSession, threading.Event()
    if is_remote(frame):

        def heard(stages: Any, **_: Any) -> None:
            tasks = [(stage.num_completed_tasks, stage.num_tasks) for stage in stages or ()]
            progress(sum(done for done, _ in tasks), sum(all_ for _, all_ in tasks) or None)

        session.registerProgressHandler(heard)
        try:
            yield
        finally:
            session.removeProgressHandler(heard)
        return
    context, tag = session.sparkContext, f"noisewright-{id(ended)}"
    tracker, jobs = context.statusTracker(), context._jsc.sc().statusTracker()
    context.addJobTag(tag)

    def ask() -> None:
        while not ended.wait(1.0):
            stages = [
                stage
                for job in jobs.getJobIdsForTag(tag)
                if (info := tracker.getJobInfo(job)) is not None
                for number in info.stageIds
                if (stage := tracker.getStageInfo(number)) is not None
            ]
            progress(
                sum(stage.numCompletedTasks for stage in stages), sum(stage.numTasks for stage in stages)
            )

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        context.removeJobTag(tag)
