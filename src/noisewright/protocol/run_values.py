"""The true values of the users that one worker holds; they are read there and never leave it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noisewright.domains import Categories
from noisewright.errors import BadTable, OutOfDomain


@dataclass(frozen=True)
class Holding:
    """What a worker holds: how many users there are in all, and the labels of its own, every so-many-th."""

    total: int
    labels: list[Any]


def hold(people: Mapping[str, Any], domain: Categories, index: int, workers: int) -> Holding:
    """The labels of users index, index + workers, … , from a file or made up; unknown labels are refused."""
    if people["file"] is None:
        return _simulated(people["count"], people["share"], domain, index, workers)
    column = read_column(Path(people["file"]), people["column"])
    for row in range(index, len(column), workers):
        if column[row] not in domain.labels:
            raise OutOfDomain(
                f"{people['column']}[{row}] is not one of the {len(domain)} categories in [users]; complete "
                "the public list or mend the file"
            )
    return Holding(len(column), column[index::workers])


def _simulated(count: int, share: float, domain: Categories, index: int, workers: int) -> Holding:
    holders = round(count * share)
    labels = [
        domain.labels[1] if user < holders else domain.labels[0] for user in range(index, count, workers)
    ]
    return Holding(count, labels)


def read_column(path: Path, column: str) -> list[Any]:
    """One column of a CSV or Parquet file, as text where it is CSV: labels are exact."""
    import pyarrow as pa  # noqa: PLC0415  (Arrow takes a moment to load)

    try:
        table = _read(path, column)
    except KeyError:
        raise BadTable(f"{path} has no column {column!r}; name one that it has") from None
    except (OSError, pa.ArrowException):
        raise BadTable(f"{path} cannot be read as CSV or Parquet; check that it is one of them") from None
    return [str(value) if value is not None else None for value in table.to_pylist()]


def _read(path: Path, column: str) -> Any:
    import pyarrow as pa  # noqa: PLC0415
    from pyarrow import csv, parquet  # noqa: PLC0415

    if path.suffix.lower() == ".parquet":
        if column not in parquet.read_schema(path).names:
            raise KeyError(column)
        return parquet.read_table(path, columns=[column]).column(column)
    options = csv.ConvertOptions(column_types={column: pa.string()}, strings_can_be_null=False)
    return csv.read_csv(path, convert_options=options).column(column)
