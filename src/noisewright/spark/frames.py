"""Frames of Spark: randomize columns and routes, read reports, count and estimate them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from noisewright.domains import Domain
from noisewright.errors import BadTable, NoisewrightError
from noisewright.io.columns import Bounds, ColumnPlan, with_mechanisms
from noisewright.io.description import KEY, Description
from noisewright.io.location import Location
from noisewright.io.numbers import note_whole_numbers
from noisewright.io.part_task import (
    add_counts,
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
from noisewright.spark.jobs import (
    ANSWER,
    FAN,
    address_of,
    answers,
    check_folder,
    check_repeatable,
    description_of,
    divided,
    number_of_parts,
    persisted,
    quoted,
    received,
    select,
    sentences,
    with_file,
)
from noisewright.spark.tasks import add_parts, count_part_here, draw_part
from noisewright.survey.estimates import Estimates
from noisewright.survey.groups import CountedGroups, CountedReports, GroupEstimates, counted
from noisewright.trajectory.parts import find_route_columns, route_run
from noisewright.trajectory.perturb_request import PerturbRequest
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from noisewright.ledger import Ledger

ADDERS: Final = 8
"""Tasks that add up tallies, and tallies that the driver then gets."""

PREVIEW: Final = 1000
"""Rows that are looked at before anything is drawn, for advice on columns of whole numbers."""

MOST_METADATA: Final = 1 << 24
"""Bytes of all descriptions in the schema of a frame; longer ones stand at one column only."""


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
    folder = check_folder(path, frame)
    repeats = check_repeatable(frame)
    names = plan.in_order_of(frame.columns)
    wanted = select(frame, names if person is None or person in names else [*names, person])
    with sentences():
        note_whole_numbers(plan.mechanisms, wanted.limit(PREVIEW).toArrow(), complete=False)
    with (
        divided(wanted, seed) as starts,
        part_run(
            plan,
            seed,
            folder,
            rows=None if starts is None else starts[-1],
            repeatable=repeats,
            replace=replace,
            ledger=ledger,
        ) as (
            task,
            finish,
        ),
    ):
        try:
            if ledger is not None and person is not None:
                with persisted(wanted, keep=not repeats):
                    finish(task.perturb_known(received(wanted), ledger, person, progress))
            else:
                draw = partial(draw_part, task, starts)
                finish(answers(wanted.mapInArrow(draw, ANSWER), progress))
        except NoisewrightError as refusal:
            raise with_file(frame, refusal) from None
    return read(frame.sparkSession, folder)


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
    count`` reads the folder; each part is a file of routes like any other.

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
    request, roles = PerturbRequest(**asked), find_route_columns(frame.columns, columns)
    folder, repeats = check_folder(path, frame), check_repeatable(frame)
    route = quoted(str(roles.route))
    longest = 1
    if request.per == "route":
        with sentences():
            lengths = frame.groupBy(route).count().agg({"count": "max"})
            longest = int(lengths.collect()[0][0] or 1)
    with route_run(folder, space, request, roles, longest, repeatable=repeats, replace=replace) as run:
        whole = select(frame, run.task.names).repartition(route)
        run.finish(answers(whole.mapInArrow(partial(draw_part, run.task, None), ANSWER), progress))
    return read_files(frame.sparkSession, folder)


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
    found.check_marks()
    frame = read_files(session, path)
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
    text = description.to_json() if description is not None else description_of(frame)
    about = Description.from_json(text, "the frame")
    check_group(by, about, frame.columns, "the frame")
    wanted = list(choose_columns(about, frame.columns, columns, "the frame"))
    count = partial(count_part_here, text, wanted, by)
    counts = select(frame, wanted if by is None else [*wanted, by]).mapInArrow(count, ANSWER)
    if number_of_parts(frame) > FAN:
        counts = counts.repartition(ADDERS).mapInArrow(add_parts, ANSWER)
    total = add_counts(outcome(each) for each in answers(counts, progress))
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


def read_files(session: SparkSession, path: str) -> DataFrame:
    """Return a frame of the files in a folder."""
    with sentences():
        return session.read.parquet(address_of(path))
