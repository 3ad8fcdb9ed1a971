"""Frames of Dask: randomize columns and routes, read reports, count and estimate them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from noisewright.dask.jobs import (
    ALONE,
    FUNCTION,
    IN_ORDER,
    advise,
    answers,
    description_of,
    kept_type,
    received,
    rows_of_parts,
    sentences,
    steps_of,
    tasks_of,
    text_names,
    unless_lost,
    with_file,
)
from noisewright.dask.tasks import (
    add_parts,
    as_pandas,
    count_frame,
    draw_part,
    draw_routes,
    open_part,
    read_part,
)
from noisewright.domains import Domain
from noisewright.errors import BadTable, MissingExtra, NoisewrightError
from noisewright.io.columns import Bounds, ColumnPlan, with_mechanisms
from noisewright.io.description import Description
from noisewright.io.location import Location
from noisewright.io.part_task import (
    check_path,
    check_person,
    check_source,
    outcome,
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
from noisewright.trajectory.parts import find_route_columns, route_run
from noisewright.trajectory.perturb_request import PerturbRequest
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    from dask.dataframe import DataFrame

    from noisewright.ledger import Ledger

FAN: Final = 32
"""Tallies that one task adds up."""


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
    plan.check(text_names(frame), where="the frame")
    check_person(ledger, person, text_names(frame))
    seed, folder = check_source(source), check_path(path, "Dask")
    names = plan.in_order_of(frame.columns)
    wanted = frame[names if person is None or person in names else [*names, person]]
    kinds = {name: kept_type(wanted._meta[name], name) for name in plan.keep}
    steps = steps_of(wanted.expr)
    repeatable = steps <= {ALONE, *IN_ORDER}
    if repeatable:  # a frame of another kind may take long, or have effects
        advise(plan, wanted)
    starts = None if seed is None else [0, *accumulate(rows_of_parts(wanted))]
    rows = None if starts is None else starts[-1]
    with part_run(plan, seed, folder, rows=rows, repeatable=repeatable, replace=replace, ledger=ledger) as (
        task,
        finish,
    ):
        if ledger is not None and person is not None:
            with unless_lost(watch=not repeatable):
                same = wanted if repeatable else wanted.persist()  # parts are computed one by one
                texts = list(task.perturb_known(received(same, kinds), ledger, person, progress))
            finish(texts)
            return read(folder)
        draws = tasks_of(wanted, draw_part, task, kinds, starts)
        with unless_lost(watch=not repeatable and not steps <= {ALONE, FUNCTION}):
            try:
                texts = answers(draws, draws, progress)
            except NoisewrightError as refusal:
                raise with_file(wanted, refusal) from None
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

    request, roles = PerturbRequest(**asked), find_route_columns(text_names(frame), columns)
    folder, longest = check_path(path, "Dask"), 1
    if request.per == "route":
        with sentences():
            longest = int(frame.groupby(roles.route).size().max().compute())
    with route_run(folder, space, request, roles, longest, repeatable=False, replace=replace) as run:
        draws = tasks_of(frame[run.task.names].shuffle(on=roles.route), draw_routes, run.task)
        with unless_lost(watch=True):
            texts = answers(draws, draws, progress)
        found = run.finish(texts)
    return dd.read_parquet([str(file) for file in found.files])


def read(path: str) -> DataFrame:
    """Return a frame of the reports in a folder, which knows what they are.

    Columns have the types of Arrow, so that nothing is copied and a missing value changes no type; labels are
    texts, and codes are bytes. A folder that is unfinished, or has lost a part, is refused.

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
    first = open_part(found.parts[0], path).file.schema_arrow.empty_table()
    with dask.config.set({"dataframe.convert-string": False}):  # Dask would make texts of codes
        return dd.from_map(read_part, found.parts, folder=path, text=text, meta=as_pandas(first, text))


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

    names = text_names(frame)
    text = description.to_json() if description is not None else description_of(frame)
    about = Description.from_json(text, "the frame")
    check_group(by, about, names, "the frame")
    wanted = list(choose_columns(about, names, columns, "the frame"))
    needed = wanted if by is None else [*wanted, by]
    parts = counts = tasks_of(frame[needed], count_frame, text, wanted, by)
    while len(counts) > 1:
        counts = [delayed(add_parts)(counts[start : start + FAN]) for start in range(0, len(counts), FAN)]
    [total] = answers(counts, parts, progress)
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
