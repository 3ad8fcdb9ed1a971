"""Outputs: refused before any work is done if they could not be written in the end; tables written whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from noisewright.errors import BadTable

ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist already.")]
"""The option of every verb that writes a file."""

TABLES: Final = (".csv", ".parquet", ".pq", ".arrow", ".feather")
"""Endings of the tables that verbs write."""


def check_new_file(target: Path, inputs: Sequence[Path] = (), *, replace: bool) -> None:
    """Refuse a file in no folder, one that is an input, no ordinary file, or would be replaced silently."""
    if not target.absolute().parent.is_dir():
        raise BadTable(f"cannot write {target}: the folder {target.absolute().parent} does not exist")
    if not target.exists():
        return
    if any(path.exists() and target.samefile(path) for path in inputs):
        raise BadTable(f"the output {target} is an input itself; choose another name")
    if not target.is_file():
        raise BadTable(f"cannot write {target}: it exists and is not a regular file")
    if not replace:
        raise BadTable(f"{target} exists already; choose another name, or pass replace=True to replace it")


def check_output(
    output: str, endings: Sequence[str], what: str, inputs: Sequence[Path], *, replace: bool
) -> None:
    """Refuse an output that is an input, has the wrong ending, or would silently replace a file."""
    target = Path(output)
    if target.suffix.lower() not in endings:
        raise BadTable(f"{what} must end in {' or '.join(endings)}, not as {output} does")
    check_new_file(target, inputs, replace=replace)


def write_columns(output: str, columns: Mapping[str, Any]) -> None:
    """Write columns as a table, whole or not at all."""
    import pyarrow as pa  # noqa: PLC0415  (slow to load)

    from noisewright.io.file_errors import writing  # noqa: PLC0415
    from noisewright.io.files import report_writer  # noqa: PLC0415
    from noisewright.io.outputs import published  # noqa: PLC0415
    from noisewright.io.table_files import kind_of  # noqa: PLC0415

    target = Path(output).resolve()
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    with (
        writing(target),
        published(target) as (draft,),
        report_writer(kind_of(target), draft, table.schema) as to,
    ):
        to.write_table(table)
