"""Jobs of Dask: what is known about a frame before one starts, how it is watched, and how it may fail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from noisewright.dask.tasks import batches_of, is_text, measure_part
from noisewright.errors import BadTable, NoisewrightError
from noisewright.io.columns import ColumnPlan
from noisewright.io.description import KEY
from noisewright.io.numbers import note_whole_numbers
from noisewright.io.part_task import (
    outcome,
)
from noisewright.io.tables import from_pandas
from noisewright.progress import Progress

if TYPE_CHECKING:
    import pandas as pd
    from dask.dataframe import DataFrame


PREVIEW: Final = 1000
"""Rows that are looked at before anything is drawn, for advice on columns of whole numbers."""

ALONE: Final = "Blockwise"
"""The class of all of Dask's steps that make each part of one partition."""

IN_ORDER: Final = {"Concat", "Partitions", "Repartition"}
"""Classes of steps that make parts of several partitions, the same rows each time."""

FUNCTION: Final = "a function of the user"


def received(
    frame: DataFrame, kinds: Mapping[str, pa.DataType]
) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Yield the number and the rows of each part, computed one after another and sent to this machine."""
    for number in range(frame.npartitions):
        with sentences():
            part = frame.partitions[number].compute()
        yield number, batches_of(part, kinds)


def text_names(frame: DataFrame) -> list[str]:
    """Return the columns of a frame of Dask that are named by text; refuse anything else."""
    if not hasattr(frame, "expr") or not hasattr(frame, "columns"):
        raise BadTable(
            f"the frame is a {type(frame).__name__} and not a dask.dataframe.DataFrame; noisewright.io has "
            "perturb_table and tally_table for tables in memory"
        )
    return [name for name in frame.columns if isinstance(name, str)]


def kept_type(column: pd.Series[Any], name: str) -> pa.DataType:
    """Return the type of a kept column in all parts; a column of objects must hold texts."""
    plain = getattr(column.dtype, "categories", column)
    found: pa.DataType = from_pandas(plain[:0], name).type
    return pa.string() if is_text(found) or pa.types.is_null(found) else found


def steps_of(expression: Any) -> set[str]:
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
    from dask.utils import M  # noqa: PLC0415

    package = str(getattr(function, "__module__", "")).partition(".")[0]
    if isinstance(function, type):
        return package in ("builtins", "dask", "numpy", "pandas", "pyarrow")
    if isinstance(function, type(M.sample)):  # a method of pandas by its name, which may draw
        return False
    reader = package == "pandas" and str(getattr(function, "__name__", "")).startswith("read_")
    return reader or package == "dask" or isinstance(function, np.ufunc)


def advise(plan: ColumnPlan, frame: DataFrame) -> None:
    """Look at a few rows for columns of whole numbers that are declared as intervals."""
    with sentences():
        first = frame.partitions[0].head(PREVIEW)
    if len(first):
        found = {name: from_pandas(first[name], name) for name in plan.mechanisms}
        note_whole_numbers(plan.mechanisms, pa.table(found), complete=False)


def rows_of_parts(frame: DataFrame) -> Iterator[int]:
    """Yield the number of rows of each part; only seeded noise needs to know."""
    yield from (outcome(text)[0] for text in answers(tasks_of(frame, measure_part)))


def description_of(frame: DataFrame) -> str:
    """Return the description that a frame carries."""
    found = frame._meta.attrs.get(KEY)
    if found is None:
        raise BadTable(
            "the frame carries no description of its reports: read the folder by noisewright.dask.read, or "
            "give description=read_description(folder)"
        )
    return json.dumps(found)


def tasks_of(frame: DataFrame, function: Callable[..., str], *shared: Any) -> list[Any]:
    """Return one task for each part of a frame, and send what they share only once."""
    from dask import delayed  # noqa: PLC0415

    once = delayed(shared, traverse=False)
    answers = frame.map_partitions(function, once, meta=("outcome", object), enforce_metadata=False)
    tasks: list[Any] = answers.to_delayed()
    return tasks


def answers(tasks: Sequence[Any], parts: Sequence[Any] = (), progress: Progress | None = None) -> list[str]:
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

    with sentences():
        if (client := _client()) is None:
            with Callback(posttask=heard):
                return list(dask.compute(*tasks))
        from distributed import as_completed  # noqa: PLC0415  (a client has loaded it)

        _check_versions(client)
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


def _check_versions(client: Any) -> None:
    """Refuse machines without this package: they would die of its tasks, and Dask would wait for others."""
    name = "noisewright"
    said = client.get_versions(packages=[name])
    machines = [said["client"], said["scheduler"], *said["workers"].values()]
    if len({machine["packages"].get(name) for machine in machines if machine}) > 1:
        raise BadTable(
            "machines of Dask have another version of this package than this one, or none: install the same "
            "on the scheduler and on all workers"
        )


@contextmanager
def unless_lost(*, watch: bool) -> Iterator[None]:
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
def sentences() -> Iterator[None]:
    """Turn a failure of Dask, or of the frame, into one sentence; its own text may quote data."""
    try:
        yield
    except NoisewrightError as refusal:
        raise refusal.with_traceback(None) from None
    except Exception as failure:
        raise BadTable(
            f"Dask could not compute the frame ({type(failure).__name__}); frame.compute(), or the logs of "
            "its workers, say why"
        ) from None


def with_file(frame: DataFrame, refusal: NoisewrightError) -> NoisewrightError:
    """Return a refusal of a row with its file and the row there, if the frame is all rows of Parquet files.

    Dask has no public way to ask for that, so whatever is not as expected leaves the refusal as it is.
    """
    place = re.match(r"part (\d+): (.* in data row )(\d+)( .*)", str(refusal), re.DOTALL)
    if place is None:
        return refusal
    number, row = int(place[1]) - 1, int(place[3])
    try:
        [files] = [step for step in frame.expr.walk() if "Elemwise" not in _bases(step)]
        tuned = frame.map_partitions(measure_part, (), meta=("outcome", object)).optimize(fuse=False).expr
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
