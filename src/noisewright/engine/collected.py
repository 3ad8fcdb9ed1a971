"""Reports that were made elsewhere, on devices or in pairs, as a file that says what it holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from noisewright.engine.description import Description
from noisewright.engine.files import Written
from noisewright.engine.kinds import column_of
from noisewright.engine.outputs import check_target, published, report_writer
from noisewright.engine.reading import kind_of, sidecar
from noisewright.engine.sentences import writing
from noisewright.mechanisms import Mechanism
from noisewright.randomness import SecureSource, Source, label


def write_reports(
    output: str | os.PathLike[str],
    reports: Mapping[str, Any],
    mechanisms: Mapping[str, Mechanism],
    *,
    source: Source | None = None,
    replace: bool = False,
) -> Written:
    """Write columns of reports, as their mechanisms returned them, for ``noisewright estimate`` to read.

    Only their kind is checked: whoever made the reports answers for the promise. ``source`` says whether the
    noise was real; leave it out for noise that was.

    >>> import tempfile
    >>> from noisewright import Categories
    >>> from noisewright.engine import tally_file
    >>> from noisewright.mechanisms import JointRandomizedResponse
    >>> joint = JointRandomizedResponse(Categories(["no", "yes"]), epsilon=1.0, users=4, correlation=-0.1)
    >>> answers = joint.respond(["no", "yes", "yes", "no"], [True, False, True, True])
    >>> target = tempfile.mkdtemp() + "/reports.parquet"
    >>> _ = write_reports(target, {"smokes": answers}, {"smokes": joint})
    >>> tally_file(target)["smokes"].count
    4
    """
    targets = report_targets(output, replace=replace)
    kind, target = kind_of(output), targets[-1]
    about = Description(dict(mechanisms), randomness=label(source or SecureSource()))
    table = _table(reports, mechanisms, about, text=kind == "csv")
    with writing(target), published(*targets) as drafts:
        if kind == "csv":
            drafts[0].write_text(about.to_json() + "\n", encoding="utf-8")
        with report_writer(kind, drafts[-1], table.schema) as writer:
            writer.write_table(table)
    return Written(table.num_rows, target, targets[0] if kind == "csv" else None, about)


def report_targets(
    output: str | os.PathLike[str], original: Path | None = None, *, replace: bool = False
) -> list[Path]:
    """The files that reports will go to, the reports last; refused if they could not be written in the end.

    Ask before people are asked for reports that would then have nowhere to go.
    """
    target = Path(output)
    targets = [sidecar(target), target] if kind_of(output) == "csv" else [target]
    for each in targets:
        check_target(each, original, replace=replace)
    return targets


def _table(
    reports: Mapping[str, Any], mechanisms: Mapping[str, Mechanism], about: Description, *, text: bool
) -> pa.Table:
    columns = {name: column_of(name, mechanism) for name, mechanism in mechanisms.items()}
    stored = {name: column.stored(reports[name]) for name, column in columns.items()}
    if text:
        stored = {name: column.as_text(stored[name]) for name, column in columns.items()}
    fields = [pa.field(name, array.type, nullable=False) for name, array in stored.items()]
    return pa.Table.from_arrays(list(stored.values()), schema=pa.schema(fields, metadata=about.metadata()))
