"""Opening a file by the kind that its name says, and reading back what a table says of itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from noisewright.engine.csv_input import CsvInput
from noisewright.engine.description import KEY, LARGEST, Description
from noisewright.engine.inputs import (
    ARROW_MAGIC,
    PARQUET_MAGIC,
    ArrowInput,
    InputFile,
    ParquetInput,
    check_magic,
)
from noisewright.engine.sentences import existing_file, reading
from noisewright.errors import BadTable

KINDS: Final = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".csv": "csv",
    ".arrow": "arrow",
    ".feather": "arrow",
}
"""The kind of a file by the end of its name."""

OPENERS: Final[dict[str, Callable[[Path], InputFile]]] = {
    "parquet": ParquetInput,
    "csv": CsvInput,
    "arrow": ArrowInput,
}


def kind_of(path: str | os.PathLike[str]) -> str:
    """Tell what kind of file a name promises.

    >>> kind_of("readings.CSV")
    'csv'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in KINDS:
        raise BadTable(f"{path} must end in one of {', '.join(KINDS)}, which says what kind of file it is")
    return KINDS[suffix]


def open_input(path: str | os.PathLike[str]) -> InputFile:
    """A file of true values, checked as far as that goes without reading its rows."""
    return OPENERS[kind_of(path)](existing_file(path))


def sidecar(path: Path) -> Path:
    """Where the description of a CSV file stands.

    >>> str(sidecar(Path("reports.csv")))
    'reports.csv.json'
    """
    return path.with_name(path.name + ".json")


def read_description(reports: Any) -> Description:
    """What a file or table of reports says of itself, with its mechanisms rebuilt and proved again.

    Takes a path, an Arrow table, batch or schema, a pandas frame that :func:`perturb_table` returned, or a
    dictionary. Polars frames carry no metadata: keep the description of the Arrow table or file instead.
    """
    if isinstance(reports, (str, os.PathLike)):
        return _in_file(existing_file(reports))
    if isinstance(reports, Mapping):
        return Description.from_dict(reports)
    if isinstance(attributes := getattr(reports, "attrs", None), Mapping):
        return Description.from_dict(_present(attributes.get(KEY), "the frame"))
    schema = getattr(reports, "schema", reports)
    if isinstance(schema, pa.Schema):
        return _in_schema(schema, "the table")
    raise BadTable(f"a {type(reports).__name__} carries no description; give the file or the Arrow table")


def _in_file(path: Path) -> Description:
    kind = kind_of(path)
    if kind == "csv":
        return _in_sidecar(path)
    check_magic(path, PARQUET_MAGIC if kind == "parquet" else ARROW_MAGIC, f"a file of kind {kind}")
    with reading(path):
        if kind == "parquet":
            return _in_schema(pq.read_schema(path), str(path))
        with pa.OSFile(str(path), "rb") as file:
            return _in_schema(pa.ipc.open_file(file).schema, str(path))


def _in_sidecar(path: Path) -> Description:
    beside = sidecar(path)
    if not beside.exists():
        raise BadTable(f"{path} has no description beside it; {beside.name} is missing")
    with reading(beside), beside.open("rb") as file:
        return Description.from_json(file.read(LARGEST + 1), str(path))


def _in_schema(schema: pa.Schema, where: str) -> Description:
    return Description.from_json(_present((schema.metadata or {}).get(KEY.encode()), where), where)


def _present(found: Any, where: str) -> Any:
    if found is None:
        raise BadTable(
            f"{where} carries no description of its reports: it was not written by Noisewright, or was "
            "rewritten by software that dropped it"
        )
    return found
