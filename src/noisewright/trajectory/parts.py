"""Routes in parts: one part of a table of locations as a task for another machine, and all of them together.

Routes protect a person only as wholes, so every route lies in one part. Parts are files of routes or of cells
like any others, each with its own description, in a folder that is drawn once (``io/report_folder.py``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa

from noisewright import __version__
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.io.part_task import outcome
from noisewright.io.partitions import find_partitions
from noisewright.io.report_folder import FinishedFolder, Part, ReportFolder
from noisewright.randomness import SecureSource
from noisewright.trajectory.collection import FORMAT, Collection, read_evidence
from noisewright.trajectory.files import RouteFile
from noisewright.trajectory.files.cells import cell_columns, is_cell_file, read_cells
from noisewright.trajectory.files.columns import Columns
from noisewright.trajectory.files.tables import location_columns, rows_of, table_of
from noisewright.trajectory.mechanisms import CellReports
from noisewright.trajectory.perturb import draw_reports
from noisewright.trajectory.perturb_request import KEEP, PerturbRequest
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

Reports = TypeVar("Reports", Collection, CellReports)


@dataclass(frozen=True, eq=False)
class RoutePartTask:
    """Randomize the routes of parts of one table into one folder.

    Attributes:
        folder: The folder of the run.
        space: Where locations lie.
        request: What is asked.
        columns: Which column is which.
        longest: Number of points of the longest route of the whole table.
        repeatable: Whether a part has the same rows whenever it is computed.
    """

    folder: ReportFolder
    space: Space
    request: PerturbRequest
    columns: Columns
    longest: int
    repeatable: bool = True

    @property
    def names(self) -> list[str]:
        """The columns that are needed."""
        found = (self.columns.route, self.columns.time, *self.columns.pair)
        return [name for name in found if name is not None]

    def perturb(self, number: int, batches: Iterable[pa.RecordBatch]) -> Part:
        """Randomize the routes of one part and write them; a part that is there already is not drawn again.

        Args:
            number: Which part of the table it is, from 0.
            batches: Its true locations.
        """
        try:
            some = [batch for batch in batches if batch.num_rows]
            drawn = (self._draw(number, pa.Table.from_batches(part)) for part in [some] if part)
            return self.folder.write(number, drawn, repeatable=self.repeatable)
        except NoisewrightError as refusal:
            raise type(refusal)(f"part {number + 1}: {refusal}") from None

    def _draw(self, number: int, table: pa.Table) -> pa.Table:
        file = rows_of(table, self.columns).to_route_file()
        if self.request.names != KEEP:
            names = tuple(f"{number + 1}-{route + 1}" for route in range(len(file.routes)))
            file = replace(file, routes=replace(file.routes, names=names))
        drawn, _ = draw_reports(self.request, file, self.space, self.longest, SecureSource())
        if isinstance(drawn, CellReports):
            return table_of(cell_columns("parquet", drawn), drawn.to_dict())
        private = RouteFile(drawn.routes, None, drawn.reported, file.coordinates)
        return table_of(location_columns("parquet", private), drawn.to_dict())


@dataclass(frozen=True)
class RouteRun:
    """A run that randomizes a table of locations.

    Attributes:
        task: What each part of the table goes through.
    """

    task: RoutePartTask

    def finish(self, outcomes: Iterable[str]) -> FinishedFolder:
        """List the parts that tasks wrote, or raise the refusal of one."""
        kind = "routes" if self.task.request.grid is None else "cells"
        about = {"format": FORMAT, "package": f"noisewright {__version__}", "kind": kind}
        return self.task.folder.finish((Part(**outcome(each)) for each in outcomes), about)


@contextmanager
def route_run(
    path: str,
    space: Space,
    request: PerturbRequest,
    columns: Columns,
    longest: int,
    *,
    repeatable: bool,
    replace: bool,
) -> Iterator[RouteRun]:
    """Yield a run that writes to a folder; one that fails leaves nothing behind.

    Args:
        path: The folder for the private routes.
        space: Where locations lie.
        request: What is asked.
        columns: Which column is which.
        longest: Number of points of the longest route of the whole table.
        repeatable: Whether a part has the same rows whenever it is computed.
        replace: Whether reports of an earlier run are removed first.
    """
    folder = ReportFolder.begin(path, replace=replace)
    try:
        yield RouteRun(RoutePartTask(folder, space, request, columns, longest, repeatable))
    except BaseException:
        folder.abandon()
        raise


def find_route_columns(names: Sequence[str], chosen: Mapping[str, str] | None) -> Columns:
    """Return which column of a frame is which; a frame needs a column of routes.

    Args:
        names: The columns of the frame.
        chosen: Those that have no usual name, as for :func:`~noisewright.trajectory.read_routes`.
    """
    found = Columns.among(names, dict(chosen or {}))
    if found.route is None:
        raise InvalidParameter(
            'names no column of routes, and none has a usual name; add {"route": "NAME"}', field="columns"
        )
    return found


def read_parts(path: str | os.PathLike[str]) -> Collection | CellReports:
    """Read all parts of a folder of private routes, or of reports of cells, as one collection.

    Args:
        path: The folder, on this machine.
    """
    files = []
    for partition in find_partitions(path):
        if partition.file.local is None:
            raise BadTable(f"{path} must be a folder of this machine; copy it here to count its routes")
        partition.open()  # refuses a part that is not the one that was written
        files.append(partition.file.local)
    if is_cell_file(files[0]):
        return _together([read_cells(file) for file in files], str(path))
    return _together([read_evidence(file)[1] for file in files], str(path))


def _together(parts: Sequence[Reports], where: str) -> Reports:
    """Join collections that were made in the same way."""
    first = parts[0]
    for part in parts[1:]:
        same = (part.mechanism == first.mechanism, part.budget == first.budget)
        if not all(same) or part.randomness != first.randomness:
            raise BadTable(f"the parts of {where} were not made in the same way; count them apart")
    timed = all(_times(part) is not None for part in parts)
    lengths = np.concatenate([np.diff(_starts(part)) for part in parts])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    times = np.concatenate([_times(part) for part in parts]) if timed else None
    if isinstance(first, CellReports):
        names = tuple(name for part in parts for name in part.names)
        reports = np.concatenate([part.reports for part in parts])
        return replace(first, reports=reports, starts=starts, names=names, times=times)
    names = tuple(name for part in parts for name in part.routes.names)
    points = np.concatenate([part.routes.points for part in parts])
    reported = np.concatenate([part.reported for part in parts])
    return replace(first, routes=Routes(points, starts, names, times), reported=reported)


def _starts(part: Collection | CellReports) -> Any:
    return part.starts if isinstance(part, CellReports) else part.routes.starts


def _times(part: Collection | CellReports) -> Any:
    return part.times if isinstance(part, CellReports) else part.routes.times
