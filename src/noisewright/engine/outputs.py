"""Files that appear whole or not at all.

Everything is written to a hidden file in the same folder, readable by its owner alone, forced to disk, and
only then given its name and the permissions of any new file there, for reports are made to be passed on.
Whatever goes wrong before that, a full disk, a bad value in the last row or Ctrl-C, removes the hidden file,
and an earlier file of that name stays as it was.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from noisewright.engine.formulas import FormulaWatch
from noisewright.errors import BadTable


def check_target(target: Path, original: Path | None, *, replace: bool) -> None:
    """Refuse an output that is the input, is no ordinary file, or would silently replace one."""
    if not target.parent.is_dir():
        raise BadTable(f"cannot write {target}: the folder {target.parent} does not exist")
    if not target.exists():
        return
    if original is not None and target.samefile(original):
        raise BadTable(f"the output {target} is the input itself; choose another name")
    if not target.is_file():
        raise BadTable(f"cannot write {target}: it exists and is not a regular file")
    if not replace:
        raise BadTable(
            f"{target} exists already, and a second draw from the same data spends the budget a second time; "
            "choose another name, or pass replace=True to replace it"
        )


@contextmanager
def published(*targets: Path) -> Iterator[list[Path]]:
    """Hidden drafts that take their targets' names together if the block ends well, and vanish otherwise."""
    drafts = [target.with_name(f".noisewright-{secrets.token_hex(8)}.part") for target in targets]
    try:
        for draft in drafts:
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield drafts
        for draft, target in zip(drafts, targets, strict=True):
            _settle(draft, target)
        for draft, target in zip(drafts, targets, strict=True):
            draft.replace(target)
        _sync(targets[0].parent)
    finally:
        for draft in drafts:
            draft.unlink(missing_ok=True)


def _settle(draft: Path, target: Path) -> None:
    """Force a draft to disk; one that replaces a file takes over who may read it."""
    draft.chmod(target.stat().st_mode & 0o777 if target.exists() else _mode_beside(draft))
    _sync(draft)


def _mode_beside(draft: Path) -> int:
    """Who may read a new file in a folder: tried out, since asking for the umask means to change it."""
    trial = draft.with_suffix(".trial")
    os.close(os.open(trial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        return stat.S_IMODE(trial.stat().st_mode)
    finally:
        trial.unlink()


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def report_writer(kind: str, path: Path, schema: pa.Schema) -> Iterator[Any]:
    """An object with ``write_table`` for a file of a given kind; closed at the end whatever happens.

    A CSV with cells that a spreadsheet would run is written as it is, and warned of.
    """
    with pa.OSFile(str(path), "wb") as sink:
        writer = _writer(kind, sink, schema)
        try:
            yield writer
        except BaseException:
            with suppress(OSError, pa.ArrowException):
                writer.close()  # the draft is about to vanish: only release what the writer holds
            raise
        writer.close()
    if isinstance(writer, FormulaWatch):
        writer.tell()


def _writer(kind: str, sink: Any, schema: pa.Schema) -> Any:
    if kind == "csv":
        return FormulaWatch(csv.CSVWriter(sink, schema), schema.names)
    if kind == "arrow":
        return pa.ipc.new_file(sink, schema)
    reports = [field for field in schema if not field.nullable]
    numbers = [field.name for field in reports if pa.types.is_floating(field.type)]
    codes = [field.name for field in reports if pa.types.is_fixed_size_binary(field.type)]
    # Noise has no repeated values for a dictionary to save, but the bytes of numbers, taken column by column,
    # do shrink: half the size at twice the speed of the usual settings. Labels do repeat.
    return pq.ParquetWriter(
        sink,
        schema,
        compression="snappy",
        use_dictionary=[  # type: ignore[arg-type]  # the stubs know only yes and no
            name for name in schema.names if name not in (*numbers, *codes)
        ],
        column_encoding=dict.fromkeys(numbers, "BYTE_STREAM_SPLIT"),
    )
