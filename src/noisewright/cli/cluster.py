"""The verbs ``perturb`` and ``estimate`` on a cluster: ``--engine spark`` and ``--engine dask``.

Files are found and checked here, by the same rules as without an engine; the engine reads them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from noisewright.cli.engines import ENGINES, Engine, columns_inside, start_engine
from noisewright.errors import BadTable
from noisewright.io.columns import ColumnPlan
from noisewright.io.description import LIST, Description, column_of
from noisewright.io.files import Written
from noisewright.io.location import Location
from noisewright.io.partitions import Partition, find_partitions, without_repeats
from noisewright.io.perturb import check_apart, check_folder_columns
from noisewright.io.report_folder import FinishedFolder
from noisewright.io.table_files import KINDS, kind_of
from noisewright.io.tallies import (
    MISSING_GROUP,
    Tallies,
    add_groups,
    check_group,
    choose_columns,
    partition_description,
)
from noisewright.mechanisms import Mechanism
from noisewright.parameters import one_of
from noisewright.progress import Progress
from noisewright.survey.groups import CountedGroups


def perturb_on(
    engine: str,
    readings: str,
    output: str,
    mechanisms: Mapping[str, Mechanism],
    *,
    keep: Sequence[str],
    out_of_domain: str,
    **options: Any,
) -> Written:
    """Randomize columns of files on a cluster, as :func:`~noisewright.io.perturb_file` does here.

    Args:
        engine: "spark" or "dask".
        readings: Files of true values.
        output: The folder for the reports.
        mechanisms: The mechanism of each column to randomize.
        keep: Columns that are passed on as they are.
        out_of_domain: "refuse" values outside a domain, or "clip" numbers into it.
        options: Source, progress and so on, as for the engine's own ``perturb``.
    """
    one_of("engine", engine, ENGINES)
    plan, target = ColumnPlan(mechanisms, keep, out_of_domain), Location(output)
    if (ending := Path(str(target)).suffix.lower()) in KINDS:
        raise BadTable(f"{target} ends like a file, but --engine writes a folder; leave out {ending}")
    partitions = without_repeats(find_partitions(readings))
    check_apart(Location(readings), partitions, target)
    for each in partitions:
        check_folder_columns(plan, each, partitions[0], columns_inside(each))
    with start_engine(engine) as on:
        frame = on.frame(partitions, plan.numbers, plan.texts)
        on.room.perturb(frame, plan.mechanisms, output, keep=keep, out_of_domain=out_of_domain, **options)
    folder = FinishedFolder.find(output)
    assert folder is not None
    return folder.to_written()


def tally_on(
    engine: str,
    reports: Sequence[str],
    by: str | None,
    columns: Sequence[str] | None,
    progress: Progress | None,
    *,
    description: Description | None,
) -> dict[str | None, Tallies]:
    """Count reports on a cluster, as :func:`~noisewright.io.tallies.tally_groups` does here.

    Args:
        engine: "spark" or "dask".
        reports: Files and folders of reports.
        by: A public column, or a value that folders state, that divides the people into groups.
        columns: The columns to count; None for all.
        progress: Called with the parts done, and all parts.
        description: What the reports are, where they do not say it.
    """
    one_of("engine", engine, ENGINES)
    found = [(path, find_partitions(path)) for path in reports]
    without_repeats([each for _, partitions in found for each in partitions])
    folders = [path for path, (first, *_) in found if first.part and Location(path).is_folder()]
    others = [each for path, partitions in found if path not in folders for each in partitions]
    batches = _batches(others, by, columns, description)

    def count(frame: Any, tally: Any, origins: Sequence[str], by: str | None, **about: Description) -> Any:
        counts = tally(frame, columns, by=by, progress=progress, **about)
        groups: Mapping[Any, Tallies] = counts if isinstance(counts, CountedGroups) else {None: counts}
        return {group: replace(each, origins=tuple(origins)) for group, each in groups.items()}

    def parts(on: Engine) -> Iterator[dict[str | None, Tallies]]:
        for path in folders:
            yield count(on.read(path), on.room.tally, [str(Location(path))], by)
        for batch in batches:
            frame = on.frame(batch.partitions, *batch.columns)
            counts = count(frame, on.room.tally, batch.origins, batch.by, description=batch.about)
            yield counts if batch.value is None else {batch.value: counts[None]}

    with start_engine(engine) as on:
        return add_groups(parts(on), "the collection")


def listed_folders(reports: Sequence[str]) -> list[str]:
    """Return the folders that list their parts; other files are too many to take their digests here."""
    return [path for path in reports if Location(path).is_folder() and Location(path).child(LIST).size()]


@dataclass(frozen=True)
class _Batch:
    """Files of reports that are counted together.

    Attributes:
        about: What they hold.
        names: Their columns.
        by: The column that divides their people into groups.
        value: Or else the group of all of them, which their folders state.
        partitions: The files.
    """

    about: Description
    names: list[str]
    by: str | None
    value: str | None
    partitions: list[Partition]

    @property
    def origins(self) -> list[str]:
        """The files, or the folders whose parts they are."""
        return list(dict.fromkeys(each.folder or str(each) for each in self.partitions))

    @property
    def columns(self) -> tuple[list[str], list[str]]:
        """The columns to read: numbers, and texts."""
        parts = {name: column_of(name, each) for name, each in self.about.mechanisms.items()}
        numbers = [name for name in self.names if name in parts and parts[name].numeric]
        texts = [name for name in self.names if name in parts and not parts[name].numeric]
        return numbers, texts + [name for name in self.names if name == self.by]


def _batches(
    partitions: Sequence[Partition], by: str | None, columns: Sequence[str] | None, given: Description | None
) -> list[_Batch]:
    """Divide files of reports into those that can be counted together; refuse those that cannot."""
    found: dict[object, _Batch] = {}
    for each in partitions:
        file, about = each.open(), partition_description(each, given)
        check_group(by, about, [*file.names, *each.fixed], str(each))
        choose_columns(about, file.names, columns, str(each))
        value = each.fixed[by] or MISSING_GROUP if by is not None and by in each.fixed else None
        key = about.to_json(), tuple(file.names), value, kind_of(str(each.file))
        batch = found.setdefault(key, _Batch(about, file.names, by if value is None else None, value, []))
        if file.rows != 0:
            batch.partitions.append(each)
    return [batch for batch in found.values() if batch.partitions]
