"""Reports on a Dask cluster: drawn once, counted where they lie, and estimated as on one machine.

    from noisewright import Interval, dask
    from noisewright.mechanisms import SW

    hours = {"hours": SW(Interval(0, 24), 2.0)}
    private = dask.perturb(people, hours, path="/shared/reports", keep=["region"])
    dask.tally(private, by="region").estimate()

Dask computes a frame whenever somebody looks at it, and computes again what a lost worker held. A repeated
draw gives the same person fresh noise, and averaging undoes the privacy. So :func:`perturb` draws and writes
at once, each part one time whatever Dask repeats (``io/report_folder.py``), and returns a frame that reads
what was written. It runs where Dask runs: on threads, on processes, or on the workers of a client, which then
need this package and access to the folder.

**Frames that may change.** Dask's own random steps fix their seeds when a frame is made, so files and pandas
frames that go through Dask's steps partition by partition have the same rows whenever they are computed. Of
functions of the user, delayed objects, persisted frames, shuffles and joins that is not known. A part of such
a frame is not drawn again once an attempt has begun. If several parts come from the same results, and Dask
loses some of those, a row could move from a part that is drawn to one that is not: the run is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from noisewright.domains import Domain
from noisewright.errors import BadTable, MissingExtra, NoisewrightError
from noisewright.io.columns import Bounds, ColumnPlan, with_mechanisms
from noisewright.io.description import KEY, Description
from noisewright.io.file_access import reading
from noisewright.io.location import Location
from noisewright.io.numbers import note_whole_numbers
from noisewright.io.part_task import (
    add_counts,
    check_path,
    check_person,
    check_source,
    count_part,
    outcome,
    outcome_text,
    part_run,
    tallies_of,
)
from noisewright.io.partitions import Partition
from noisewright.io.report_folder import FinishedFolder, Part
from noisewright.io.tables import from_pandas
from noisewright.mechanisms import Mechanism
from noisewright.progress import Progress
from noisewright.randomness import Source
from noisewright.survey.estimates import Estimates
from noisewright.survey.groups import CountedGroups, CountedReports, GroupEstimates, counted
from noisewright.trajectory.parts import find_route_columns, route_run
from noisewright.trajectory.perturb_request import PerturbRequest
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    import pandas as pd
    from dask.dataframe import DataFrame

    from noisewright.ledger import Ledger

FAN: Final = 32
"""Tallies that one task adds up."""

PREVIEW: Final = 1000
"""Rows that are looked at before anything is drawn, for advice on columns of whole numbers."""

ALONE: Final = "Blockwise"
"""The class of all of Dask's steps that make each part of one partition."""

IN_ORDER: Final = {"Concat", "Partitions", "Repartition"}
"""Classes of steps that make parts of several partitions, the same rows each time."""

FUNCTION: Final = "a function of the user"


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

    The folder appears whole or not at all. A refusal names part and row, or file and row where a part is one
    Parquet file, never the value, and leaves nothing behind.

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
    plan.check(_names(frame), where="the frame")
    check_person(ledger, person, _names(frame))
    seed, folder = check_source(source), check_path(path, "Dask")
    names = plan.in_order_of(frame.columns)
    wanted = frame[names if person is None or person in names else [*names, person]]
    kinds = {name: _kind(wanted._meta[name], name) for name in plan.keep}
    steps = _steps(wanted.expr)
    repeatable = steps <= {ALONE, *IN_ORDER}
    if repeatable:  # a frame of another kind may take long, or have effects
        _advise(plan, wanted)
    starts = None if seed is None else [0, *accumulate(_rows_of_parts(wanted))]
    rows = None if starts is None else starts[-1]
    with part_run(plan, seed, folder, rows=rows, repeatable=repeatable, replace=replace) as (task, finish):
        if ledger is not None and person is not None:
            finish(task.perturb_known(_received(wanted, kinds), ledger, person, progress))
            return read(folder)
        draws = _tasks(wanted, _draw, task, kinds, starts)
        with _unless_lost(watch=not repeatable and not steps <= {ALONE, FUNCTION}):
            try:
                texts = _texts(draws, draws, progress)
            except NoisewrightError as refusal:
                raise _with_file(wanted, refusal) from None
        finish(texts)
    return read(folder)


def perturb_routes(
    frame: DataFrame,
    space: Space,
    path: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    replace: bool = False,
    progress: Progress | None = None,
    **asked: Any,
) -> DataFrame:
    """Randomize a frame of locations, route by route, into a folder, and return a frame that reads it.

    Every route is moved to one task, so that it has its whole budget and its order. ``noisewright routes
    count`` reads the folder; each part is a file of routes like any other. Routes move between workers, so a
    run that loses one is refused and leaves nothing behind.

    Args:
        frame: True locations, a row each, with a column that names the route.
        space: Where locations lie. It is public and must not come from the data.
        path: The folder for the private routes, which all machines reach.
        columns: Which column is which, where names are not usual ones, as for
            :func:`~noisewright.trajectory.read_routes`.
        replace: Whether reports of an earlier run in that folder are replaced.
        progress: Called with the parts done, and all parts.
        asked: Fields of :class:`~noisewright.trajectory.PerturbRequest`, such as ``epsilon=4.0``,
            ``per="route"`` or ``grid=(8, 8)``.
    """
    import dask.dataframe as dd  # noqa: PLC0415

    request, roles = PerturbRequest(**asked), find_route_columns(_names(frame), columns)
    folder, longest = check_path(path, "Dask"), 1
    if request.per == "route":
        with _sentences():
            longest = int(frame.groupby(roles.route).size().max().compute())
    with route_run(folder, space, request, roles, longest, repeatable=False, replace=replace) as run:
        draws = _tasks(frame[run.task.names].shuffle(on=roles.route), _draw_routes, run.task)
        with _unless_lost(watch=True):
            texts = _texts(draws, draws, progress)
        found = run.finish(texts)
    return dd.read_parquet([str(file) for file in found.files])


def read(path: str) -> DataFrame:
    """Return a frame of the reports in a folder, which knows what they are.

    Numbers are plain floats and labels are texts; codes and kept columns have the types of Arrow, so that a
    missing value changes no type. A folder that is unfinished, or has lost a part, is refused.

    Args:
        path: The folder that :func:`perturb`, or ``noisewright perturb`` with a folder, wrote.
    """
    try:
        import dask  # noqa: PLC0415  (importing this module is free)
        import dask.dataframe as dd  # noqa: PLC0415
    except ImportError:
        raise MissingExtra.of("frames of Dask need Dask", "dask") from None

    found = FinishedFolder.find(path)
    if found is None:
        raise BadTable(
            f"{Location(path)} is not a folder of reports that Noisewright wrote; read other files by Dask, "
            "and give the description to tally or estimate"
        )
    text = found.description.to_json()
    first = _open(found.parts[0], path).file.schema_arrow.empty_table()
    with dask.config.set({"dataframe.convert-string": False}):  # Dask would make texts of codes
        return dd.from_map(_read, found.parts, folder=path, text=text, meta=_pandas(first, text))


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
    from dask import delayed  # noqa: PLC0415

    names = _names(frame)
    text = description.to_json() if description is not None else _description(frame)
    about = Description.from_json(text, "the frame")
    wanted = list(columns) if columns else [name for name in about.mechanisms if name in names]
    present = [name for name in dict.fromkeys([*wanted, by]) if name in names]
    if not present:
        raise BadTable("the frame has none of the columns that its description names")
    parts = counts = _tasks(frame[present], _count, text, columns, by)
    while len(counts) > 1:
        counts = [delayed(_add)(counts[start : start + FAN]) for start in range(0, len(counts), FAN)]
    [total] = _texts(counts, parts, progress)
    return counted(tallies_of(outcome(total), text, "the frame"), by)


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


def _draw(frame: pd.DataFrame, shared: tuple[Any, ...], partition_info: Mapping[str, Any]) -> str:
    """Randomize one part on a worker, and answer with what was written."""
    task, kinds, starts = shared
    number = partition_info["number"]
    first_row = 0 if starts is None else starts[number]

    def work() -> Part:
        if starts is not None and len(frame) != starts[number + 1] - first_row:
            raise BadTable(f"part {number + 1} has other rows than when it was counted; nothing is used")
        part: Part = task.perturb(number, _batches(frame, kinds), first_row=first_row)
        return part

    return outcome_text(work)


def _draw_routes(frame: pd.DataFrame, shared: tuple[Any, ...], partition_info: Mapping[str, Any]) -> str:
    """Randomize the routes of one part on a worker, and answer with what was written."""
    [task] = shared
    return outcome_text(lambda: task.perturb(partition_info["number"], _batches(frame, {})))


def _received(
    frame: DataFrame, kinds: Mapping[str, pa.DataType]
) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Yield the number and the rows of each part, computed one after another and sent to this machine."""
    for number in range(frame.npartitions):
        with _sentences():
            part = frame.partitions[number].compute()
        yield number, _batches(part, kinds)


def _count(frame: pd.DataFrame, shared: tuple[Any, ...], partition_info: Mapping[str, Any]) -> str:
    """Count one part on a worker."""
    description, columns, by = shared
    where = f"part {partition_info['number'] + 1} of the frame"
    return outcome_text(lambda: count_part(_batches(frame, {}), description, columns, by, where))


def _add(texts: Sequence[str]) -> str:
    """Add up on a worker what several parts counted."""
    return outcome_text(lambda: add_counts(map(outcome, texts)))


def _measure(frame: pd.DataFrame, _: tuple[Any, ...]) -> str:
    """Count the rows of one part on a worker."""
    return outcome_text(lambda: [len(frame)])


def _batches(frame: pd.DataFrame, kinds: Mapping[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Yield a part as Arrow; the types of kept columns are those of the whole frame."""
    columns = {name: from_pandas(frame[name], name, kinds.get(name)) for name in frame.columns}
    yield from pa.table(columns).to_batches()


def _open(part: Part, folder: str) -> Any:
    return Partition(Location(folder).child(part.name), {}, part, folder).open()


def _read(part: Part, folder: str, text: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Read one part of a folder of reports on a worker; refuse a file that is not the one that was drawn."""
    file = _open(part, folder)
    with reading(file.path):
        return _pandas(file.file.read(None if columns is None else list(columns)), text)


def _pandas(table: pa.Table, text: str) -> pd.DataFrame:
    """Return reports as pandas holds them, with their description."""
    import pandas as pd  # noqa: PLC0415

    def kind(found: pa.DataType) -> Any:
        if pa.types.is_float64(found):
            return None
        return pd.StringDtype("pyarrow") if _is_text(found) else pd.ArrowDtype(found)

    plain = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    frame = pa.table(plain, names=table.column_names).to_pandas(types_mapper=kind)
    frame.attrs = {KEY: json.loads(text)}
    return frame


# -- what the client does --------------------------------------------------------------------------------


def _names(frame: DataFrame) -> list[str]:
    """Return the columns of a frame of Dask that are named by text; refuse anything else."""
    if not hasattr(frame, "expr") or not hasattr(frame, "columns"):
        raise BadTable(
            f"the frame is a {type(frame).__name__} and not a dask.dataframe.DataFrame; noisewright.io has "
            "perturb_table and tally_table for tables in memory"
        )
    return [name for name in frame.columns if isinstance(name, str)]


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _kind(column: pd.Series[Any], name: str) -> pa.DataType:
    """Return the type of a kept column in all parts; a column of objects must hold texts."""
    plain = getattr(column.dtype, "categories", column)
    found: pa.DataType = from_pandas(plain[:0], name).type
    return pa.string() if _is_text(found) or pa.types.is_null(found) else found


def _steps(expression: Any) -> set[str]:
    """Return the kinds of steps that a frame is made by, as far as they matter for computing it again."""
    found, seen, left = set(), set(), [expression]
    while left:
        value = left.pop()
        if hasattr(value, "__dask_graph__"):
            if id(value) not in seen:
                seen.add(id(value))
                found.add(next(iter(_bases(value) & {ALONE, *IN_ORDER}), type(value).__name__))
                operands = getattr(value, "operands", None)
                left.extend(operands if isinstance(operands, list | tuple) else ())
        elif isinstance(value, list | tuple | set):
            left.extend(value)
        elif isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, partial):
            left.extend([value.func, value.args, value.keywords])
        elif callable(value) and not _is_known(value):
            found.add(FUNCTION)
    return found


def _is_known(function: Any) -> bool:
    """Return whether a function, or a type, gives the same result each time: Dask's own, and readers."""
    package = str(getattr(function, "__module__", "")).partition(".")[0]
    if isinstance(function, type):
        return package in ("builtins", "dask", "numpy", "pandas", "pyarrow")
    reader = package == "pandas" and str(getattr(function, "__name__", "")).startswith("read_")
    return reader or package == "dask" or isinstance(function, np.ufunc)


def _advise(plan: ColumnPlan, frame: DataFrame) -> None:
    """Look at a few rows for columns of whole numbers that are declared as intervals."""
    with _sentences():
        first = frame.partitions[0].head(PREVIEW)
    if len(first):
        found = {name: from_pandas(first[name], name) for name in plan.mechanisms}
        note_whole_numbers(plan.mechanisms, pa.table(found), complete=False)


def _rows_of_parts(frame: DataFrame) -> Iterator[int]:
    """Yield the number of rows of each part; only seeded noise needs to know."""
    yield from (outcome(text)[0] for text in _texts(_tasks(frame, _measure)))


def _description(frame: DataFrame) -> str:
    """Return the description that a frame carries."""
    found = frame._meta.attrs.get(KEY)
    if found is None:
        raise BadTable(
            "the frame carries no description of its reports: read the folder by noisewright.dask.read, or "
            "give description=read_description(folder)"
        )
    return json.dumps(found)


def _tasks(frame: DataFrame, function: Callable[..., str], *shared: Any) -> list[Any]:
    """Return one task for each part of a frame, and send what they share only once."""
    from dask import delayed  # noqa: PLC0415

    once = delayed(shared, traverse=False)
    answers = frame.map_partitions(function, once, meta=("outcome", object), enforce_metadata=False)
    tasks: list[Any] = answers.to_delayed()
    return tasks


def _texts(tasks: Sequence[Any], parts: Sequence[Any] = (), progress: Progress | None = None) -> list[str]:
    """Run tasks and return what they answer; the first refusal ends the run.

    Args:
        tasks: The tasks whose answers are wanted.
        parts: Those that count for the progress.
        progress: Called with the parts done, and all parts.
    """
    import dask  # noqa: PLC0415
    from dask.callbacks import Callback  # noqa: PLC0415

    wanted, watched, done = {task.key for task in tasks}, {part.key for part in parts}, 0

    def heard(key: Any, answer: Any, *_: Any) -> None:
        nonlocal done
        if key in wanted:
            outcome(answer)
        if key in watched:
            done += 1
            if progress:
                progress(done, len(watched))

    with _sentences():
        if (client := _client()) is None:
            with Callback(posttask=heard):
                return list(dask.compute(*tasks))
        from distributed import as_completed  # noqa: PLC0415  (a client has loaded it)

        others = [part for part in parts if part.key not in wanted]
        futures = client.compute([*tasks, *others])
        try:
            for future in as_completed(futures):
                heard(future.key, future.result() if future.key in wanted else None)
            return [future.result() for future in futures[: len(tasks)]]
        finally:
            client.cancel(futures)


def _client() -> Any:
    """Return the client of a cluster that Dask would use; None if it would use threads or processes."""
    from dask.base import get_scheduler  # noqa: PLC0415

    found = getattr(get_scheduler(), "__self__", None)
    return found if hasattr(found, "subscribe_topic") else None


@contextmanager
def _unless_lost(*, watch: bool) -> Iterator[None]:
    """Refuse what was done if a cluster lost work meanwhile, and computed it again."""
    client, lost = _client() if watch else None, []
    if client is None:
        yield
        return

    def heard(event: Any) -> None:
        said = event[1] if isinstance(event[1], dict) else {}
        if said.get("action") == "remove-worker":
            lost.extend([*said.get("processing-tasks", [""]), *said.get("lost-computed-tasks", [""])])

    client.subscribe_topic("all", heard)
    try:
        yield
    finally:
        client.unsubscribe_topic("all")
    if lost:
        raise BadTable(
            "a worker was lost, and Dask computed again what it held: it cannot be known whether rows moved "
            "from one part to another then, and nothing is used. Write the frame to files, and randomize "
            "those"
        )


@contextmanager
def _sentences() -> Iterator[None]:
    """Turn a failure of Dask, or of the frame, into one sentence; its own text may quote data."""
    try:
        yield
    except NoisewrightError as refusal:
        raise refusal.with_traceback(None) from None
    except Exception as failure:
        raise BadTable(
            f"Dask could not compute the frame ({type(failure).__name__}); frame.compute(), or the logs of "
            "its workers, say why, and no report has left"
        ) from None


def _with_file(frame: DataFrame, refusal: NoisewrightError) -> NoisewrightError:
    """Return a refusal of a row with its file and the row there, if the frame is all rows of Parquet files.

    Dask has no public way to ask for that, so whatever is not as expected leaves the refusal as it is.
    """
    place = re.match(r"part (\d+): (.* in data row )(\d+)( .*)", str(refusal), re.DOTALL)
    if place is None:
        return refusal
    number, row = int(place[1]) - 1, int(place[3])
    try:
        [files] = [step for step in frame.expr.walk() if "Elemwise" not in _bases(step)]
        tuned = frame.map_partitions(_measure, (), meta=("outcome", object)).optimize(fuse=False).expr
        joined = [step._fusion_buckets[number] for step in tuned.walk() if "FusedIO" in _bases(step)]
        for each in [] if files.filters else joined[0] if joined else [files._partitions[number]]:
            path, groups, _ = files._plan["parts"][each]["piece"]
            about = pq.read_metadata(path, filesystem=files._dataset_info["fs"])
            sizes = [about.row_group(group).num_rows for group in range(about.num_row_groups)]
            for group in range(len(sizes)) if groups is None else groups:
                if row <= sizes[group]:
                    return type(refusal)(f"{path}: {place[2]}{sum(sizes[:group]) + row}{place[4]}")
                row -= sizes[group]
    except (AttributeError, LookupError, TypeError, ValueError, OSError):
        pass
    return refusal


def _bases(step: Any) -> set[str]:
    return {base.__name__ for base in type(step).__mro__}
