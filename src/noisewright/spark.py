"""Reports on a Spark cluster: drawn once, counted where they lie, and estimated as on one machine.

    from noisewright import Interval, spark
    from noisewright.mechanisms import SW

    hours = {"hours": SW(Interval(0, 24), 2.0)}
    private = spark.perturb(people, hours, path="s3a://bucket/reports", keep=["region"])
    spark.estimate(private, by="region")

Spark computes a frame whenever somebody looks at it, and repeats tasks that fail or are slow. A repeated draw
gives the same person fresh noise, and averaging undoes the privacy. So :func:`perturb` draws and writes in
one job, each part once whatever Spark repeats (``io/report_folder.py``), and returns a frame that reads what
was written. Python workers write by Arrow, so they need this package and access to the folder; a path
without a scheme is a folder of this machine, or of a disk that all machines share.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from noisewright.domains import Domain
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.io.columns import Bounds, ColumnPlan, with_mechanisms
from noisewright.io.description import KEY, Description
from noisewright.io.location import Location
from noisewright.io.numbers import note_whole_numbers
from noisewright.io.part_task import (
    PartTask,
    add_counts,
    check_person,
    check_source,
    count_part,
    outcome,
    outcome_text,
    part_run,
    tallies_of,
)
from noisewright.io.report_folder import FinishedFolder
from noisewright.io.tallies import check_group, choose_columns
from noisewright.mechanisms import Mechanism
from noisewright.progress import Progress
from noisewright.randomness import Source
from noisewright.survey.estimates import Estimates
from noisewright.survey.groups import CountedGroups, CountedReports, GroupEstimates, counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from noisewright.ledger import Ledger

ANSWER: Final = "outcome string"
"""The frame that tasks answer with: one text for each part."""

FAN: Final = 64
"""Tallies that the driver adds up itself; of more parts, tasks add them up first."""

ADDERS: Final = 8
"""Tasks that add up tallies, and tallies that the driver then gets."""

PREVIEW: Final = 1000
"""Rows that are looked at before anything is drawn, for advice on columns of whole numbers."""

MOST_METADATA: Final = 1 << 24
"""Bytes of all descriptions in the schema of a frame; longer ones stand at one column only."""

PYTHON: Final = re.compile(r"Python|InArrow|InPandas")
"""Names of steps of a plan that run functions of the user."""


def perturb(
    frame: DataFrame,
    mechanisms: Mapping[str, Mechanism | Domain],
    path: str | None = None,
    *,
    source: Source | None = None,
    keep: Sequence[str] = (),
    out_of_domain: str = "refuse",
    replace: bool = False,
    progress: Progress | None = None,
    epsilon: float | Mapping[str, float] | None = None,
    purpose: str | Mapping[str, str] | None = None,
    bins: Bounds | None = None,
    ledger: Ledger | None = None,
    person: str | None = None,
) -> DataFrame:
    """Randomize columns of a frame into a folder of reports, once, and return a frame that reads them.

    The folder appears whole or not at all. A refusal names part and row, never the value, and leaves nothing
    behind. Frames that would come out differently when Spark repeats a task are refused.

    Args:
        frame: True values; every row is one person, or costs its person the budget once more.
        mechanisms: The mechanism of each column to randomize, or the domain of its true values.
        path: The folder for the reports, which all machines reach. Reports must be written: a frame that is
            only computed would draw anew each time.
        source: Randomness; by default a :class:`~noisewright.randomness.SecureSource`. A fresh
            :class:`~noisewright.randomness.SeededSource` gives the same reports however the frame is divided.
        keep: Public columns that are passed on as they are; all others stay behind.
        out_of_domain: "refuse" values outside a domain, or "clip" numbers into it.
        replace: Whether reports of an earlier run in that folder are replaced.
        progress: Called with the parts done, and all parts.
        epsilon: Budget of all columns given as domains together, or of each by name.
        purpose: What the reports of those columns are wanted for, as for
            :func:`~noisewright.io.perturb_table`.
        bins: Edges, or the number, of the bins of some of those columns.
        ledger: What each person has spent and reported. A value that was reported before gets the same report
            again, for free. The ledger is a file of this machine, so all rows come here to be drawn.
        person: The column of people's names, for the ledger; it does not come out unless it is kept.
    """
    plan = ColumnPlan(with_mechanisms(mechanisms, epsilon, purpose, bins), keep, out_of_domain)
    plan.check(frame.columns, where="the frame")
    check_person(ledger, person, frame.columns)
    seed = check_source(source)
    folder = _folder(path, frame)
    repeats = _check_repeatable(frame)
    names = plan.in_order_of(frame.columns)
    wanted = _select(frame, names if person is None or person in names else [*names, person])
    note_whole_numbers(plan.mechanisms, _answers(wanted.limit(PREVIEW).toArrow), complete=False)
    with (
        _divided(wanted, seed) as starts,
        part_run(
            plan,
            seed,
            folder,
            rows=None if starts is None else starts[-1],
            repeatable=repeats,
            replace=replace,
        ) as (
            task,
            finish,
        ),
    ):
        try:
            if ledger is not None and person is not None:
                finish(task.perturb_known(_received(wanted), ledger, person, progress))
            else:
                draw = partial(_draw, task, starts)
                finish(_texts(wanted.mapInArrow(draw, ANSWER), progress))
        except NoisewrightError as refusal:
            raise _with_file(frame, refusal) from None
    return read(frame.sparkSession, folder)


def read(session: SparkSession, path: str) -> DataFrame:
    """Return a frame of the reports in a folder, which knows what they are.

    A folder that is unfinished, or has lost a part, is refused.

    Args:
        session: The session of Spark.
        path: The folder that :func:`perturb`, or ``noisewright perturb`` with a folder, wrote.
    """
    found = FinishedFolder.find(path)
    if found is None:
        raise BadTable(
            f"{Location(path)} is not a folder of reports that Noisewright wrote; read other files by Spark, "
            "and give the description to tally or estimate"
        )
    frame = _answers(lambda: session.read.parquet(_address(path)))
    text = found.description.to_json()
    names = list(found.description.mechanisms)
    for name in names if len(text) * len(names) <= MOST_METADATA else names[:1]:
        frame = frame.withMetadata(name, {KEY: text})
    return frame


def tally(
    frame: DataFrame,
    columns: Sequence[str] | None = None,
    *,
    by: str | None = None,
    description: Description | None = None,
    progress: Progress | None = None,
) -> CountedReports | CountedGroups:
    """Count the reports of a frame where they lie; only counts travel, and they add up as a tree.

    Args:
        frame: Reports, as :func:`read` or :func:`perturb` returned them, perhaps filtered or joined since.
        columns: The columns to count; by default, all reports of the frame.
        by: A public column whose values divide the people into groups.
        description: What the reports are, if the frame lost it
            (:func:`~noisewright.io.read_description` of the folder they came from).
        progress: Called with the parts done, and all parts.
    """
    text = description.to_json() if description is not None else _description(frame)
    about = Description.from_json(text, "the frame")
    check_group(by, about, frame.columns, "the frame")
    wanted = list(choose_columns(about, frame.columns, columns, "the frame"))
    count = partial(_count, text, wanted, by)
    counts = _select(frame, wanted if by is None else [*wanted, by]).mapInArrow(count, ANSWER)
    if _number_of_parts(frame) > FAN:
        counts = counts.repartition(ADDERS).mapInArrow(_add, ANSWER)
    total = add_counts(outcome(each) for each in _texts(counts, progress))
    return counted(tallies_of(total, text, "the frame"), by)


def estimate(
    frame: DataFrame,
    columns: Sequence[str] | None = None,
    *,
    by: str | None = None,
    description: Description | None = None,
    progress: Progress | None = None,
    **asked: Any,
) -> Estimates | GroupEstimates:
    """Estimate everything that the reports of a frame reveal, with intervals: of all people, or by group.

    The numbers are those of one process, to the last digit, however the frame is divided.

    Args:
        frame: Reports, as for :func:`tally`.
        columns: The columns to estimate; by default, all reports of the frame.
        by: A public column whose values divide the people into groups.
        description: What the reports are, if the frame lost it.
        progress: Called with the parts counted, and all parts.
        asked: Fields of :class:`~noisewright.survey.EstimateRequest`, such as ``bins=10`` or ``level=0.9``.
    """
    return tally(frame, columns, by=by, description=description, progress=progress).estimate(**asked)


# -- what tasks do -------------------------------------------------------------------------------------


def _draw(
    task: PartTask, starts: list[int] | None, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Randomize one part on a worker, and answer with what was written."""
    number = _context().partitionId()
    first_row = 0 if starts is None else starts[number]

    def work() -> Any:
        part = task.perturb(number, batches, first_row=first_row)
        if starts is not None and part.rows != starts[number + 1] - first_row:
            raise BadTable(f"part {number + 1} has other rows than when it was counted; nothing is used")
        return part

    yield _answer(outcome_text(work))


def _count(
    description: str, columns: Sequence[str], by: str | None, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Count one part on a worker."""
    where = f"part {_context().partitionId() + 1} of the frame"
    yield _answer(outcome_text(lambda: count_part(batches, description, columns, by, where)))


def _add(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Add up on a worker what several parts counted."""
    texts = (str(text) for batch in batches for text in batch.column(0).to_pylist())
    yield _answer(outcome_text(lambda: add_counts(outcome(text) for text in texts)))


def _measure(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the rows of one part on a worker."""
    yield _answer(f"{_context().partitionId()} {sum(batch.num_rows for batch in batches)}")


def _context() -> Any:
    """Return what Spark tells a task about itself."""
    from pyspark import TaskContext  # noqa: PLC0415  (only a worker needs it)

    return TaskContext.get()


def _send(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pack the rows of one part on a worker, to be drawn where the ledger is."""
    number = _context().partitionId()
    for batch in batches:
        packed = pa.BufferOutputStream()
        with pa.ipc.new_stream(packed, batch.schema) as stream:
            stream.write_batch(batch)
        content = pa.array([packed.getvalue().to_pybytes()], pa.binary())
        yield pa.RecordBatch.from_arrays([pa.array([number], pa.int32()), content], ["part", "content"])


def _answer(text: str) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict({"outcome": [text]})


# -- what the driver does --------------------------------------------------------------------------------


def _folder(path: str | None, frame: DataFrame) -> str:
    """Return the folder for reports, or refuse to draw without one."""
    if path is None:
        raise InvalidParameter(
            "is needed: the folder that reports are written to, once. A frame that Spark only computes would "
            "draw fresh noise for the same people each time, and averaging would undo the privacy",
            field="path",
        )
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


def _check_repeatable(frame: DataFrame) -> bool:
    """Refuse a frame that comes out differently each time; return whether Spark may repeat its tasks.

    A task that fails is computed anew from the sources. If its rows then differ, a person could be in two
    parts and get two reports. Plans that hold functions of the user, or that stay on a server (Spark
    Connect), tell nothing about that.
    """
    if _remote(frame):
        return False
    plan = frame._jdf.queryExecution().analyzed()
    if not plan.deterministic():
        raise BadTable(
            "the frame comes out differently each time it is computed, since it has random numbers or "
            "numbers of partitions in it: a person could get two reports. Write it to files, or checkpoint() "
            "it, and randomize what was written"
        )
    return PYTHON.search(plan.toString()) is None


def _remote(frame: DataFrame) -> bool:
    """Return whether a frame lives on a server of Spark Connect."""
    return type(frame).__module__.startswith("pyspark.sql.connect")


def _select(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    return frame.select(*("`" + name.replace("`", "``") + "`" for name in names))


def _number_of_parts(frame: DataFrame) -> int:
    """Return the number of parts of a frame; where that is not known, more than one task should add up."""
    return FAN + 1 if _remote(frame) else int(frame.rdd.getNumPartitions())


@contextmanager
def _divided(frame: DataFrame, seed: int | None) -> Iterator[list[int] | None]:
    """Yield the first row of each part, and at the end the number of rows; only seeded noise needs them."""
    if seed is None:
        yield None
        return
    frame.persist()  # otherwise some frames are divided anew by each job
    try:
        pairs = (text.split() for text in _texts(frame.mapInArrow(_measure, ANSWER), None))
        found = {int(number): int(rows) for number, rows in pairs}
        sizes = (found.get(number, 0) for number in range(max(found, default=-1) + 1))
        yield [0, *accumulate(sizes)]
    finally:
        frame.unpersist()


def _received(frame: DataFrame) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Yield the number and the rows of each part, sent to this machine one part after another."""
    with _sentences():
        rows = frame.mapInArrow(_send, "part int, content binary").toLocalIterator()
        for number, sent in groupby(rows, attrgetter("part")):
            yield number, (batch for row in sent for batch in pa.ipc.open_stream(row.content))


def _description(frame: DataFrame) -> str:
    """Return the description that a column of a frame carries."""
    found = (field.metadata.get(KEY) for field in frame.schema.fields if field.metadata)
    text = next((said for said in found if said), None)
    if text is None:
        raise BadTable(
            "the frame carries no description of its reports: read the folder by noisewright.spark.read, or "
            "give description=read_description(folder)"
        )
    return str(text)


def _address(path: str) -> str:
    """Return a folder as Spark finds it; without a scheme Spark would look in its own default store."""
    where = Location(path)
    return str(where) if where.local is None else where.local.absolute().as_uri()


def _with_file(frame: DataFrame, refusal: NoisewrightError) -> NoisewrightError:
    """Return a refusal of a row with the file and the row there, if Spark knows them."""
    place = re.match(r"part (\d+): (.* in data row )(\d+)( .*)", str(refusal), re.DOTALL)
    if place is None:
        return refusal
    number, row = int(place[1]) - 1, int(place[3]) - 1
    try:
        places = frame.select("_metadata.file_name", "_metadata.row_index")
        rows = places.mapInArrow(partial(_find, number, row), "file string, row long").collect()
    except _failures():  # the frame is not of files, or of files without numbers of rows
        return refusal
    if len(rows) != 1:
        return refusal
    return type(refusal)(f"{rows[0].file}: {place[2]}{rows[0].row + 1}{place[4]}")


def _find(number: int, row: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Find on a worker where a row of a part stands in its file."""
    mine, done = _context().partitionId() == number, 0
    for batch in batches:
        if mine and 0 <= row - done < batch.num_rows:
            yield batch.slice(row - done, 1).rename_columns(["file", "row"])
        done += batch.num_rows


def _failures() -> tuple[type[Exception], ...]:
    """Return the errors that Spark raises by itself."""
    from py4j.protocol import Py4JError  # noqa: PLC0415  (a frame has loaded both)
    from pyspark.errors import PySparkException  # noqa: PLC0415

    return PySparkException, Py4JError


@contextmanager
def _sentences() -> Iterator[None]:
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
        raise BadTable(f"Spark could not do it ({said}); its log says why, and no report has left") from None


def _answers(ask: Any) -> Any:
    with _sentences():
        return ask()


def _texts(frame: DataFrame, progress: Progress | None) -> list[str]:
    """Run a job and return what its tasks answer."""
    with _sentences(), _watch(frame, progress):
        return [row.outcome for row in frame.collect()]


@contextmanager
def _watch(frame: DataFrame, progress: Progress | None) -> Iterator[None]:
    """Tell how many tasks of the job are done, about once a second."""
    if progress is None:
        yield
        return
    session, ended = frame.sparkSession, threading.Event()
    if _remote(frame):

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
