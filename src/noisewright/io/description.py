"""The description that a table of reports carries, so that an analyst needs nothing else.

The description is plain JSON under one key of the Arrow schema's metadata (Parquet and Arrow files keep it
there) or in a file beside a CSV. Reading one rebuilds every mechanism, which proves its guarantee again; a
claim that the rebuilt mechanism does not make is refused. Nothing is ever unpickled.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from noisewright import __version__
from noisewright.domains import FiniteDomain
from noisewright.domains.codes import Codes
from noisewright.domains.numeric import WHAT_TO_DO
from noisewright.errors import BadTable, InvalidParameter, NoisewrightError
from noisewright.guarantees import Guarantee
from noisewright.io.codes import CodeColumn
from noisewright.io.file_access import existing_file, reading
from noisewright.io.labels import LabelColumn
from noisewright.io.location import Location
from noisewright.io.numbers import NumberColumn, ReportColumn
from noisewright.io.strict_json import strict_json
from noisewright.io.table_files import ARROW_MAGIC, PARQUET_MAGIC, check_magic, kind_of, sidecar
from noisewright.mechanisms import LabelExponential, Mechanism, NumericMechanism
from noisewright.mechanisms.joint.shared_coins import SharedCoins
from noisewright.randomness import SIMULATED, SecureSource, label

KEY: Final = "noisewright"
SPARK_KEY: Final = b"org.apache.spark.sql.parquet.row.metadata"
"""Where Spark writes the metadata of columns into a Parquet file."""

LIST: Final = "_noisewright.json"
"""The file of a folder of reports that lists its parts and describes them."""

FORMAT: Final = 1
LARGEST: Final = 1 << 22
"""Bytes of the longest description: enough for a thousand columns, the largest designed law, or some 300,000
labels of ten letters."""

LARGEST_LIST: Final = LARGEST + (1 << 27)
"""Bytes of the longest list of parts: about a million of them."""

MOST_ENTRIES: Final = 1 << 24
"""Entries of all tables that one description may ask for: 128 MiB of integers."""

MOST_JOINT: Final = 64
"""Columns of people who share coins; a small description could ask for minutes of calibration otherwise."""

PRIVATE: Final = label(SecureSource())
FIELDS: Final = ("format", "package", "randomness", "out_of_domain", "columns", "row", "kept")


def column_of(name: str, mechanism: Mechanism) -> ReportColumn:
    """Return the column that stores the reports of a mechanism.

    >>> from noisewright import Categories
    >>> from noisewright.mechanisms import KRR
    >>> column_of("smoker", KRR(Categories(["no", "yes"]), 1.0)).type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    try:
        return _kind(mechanism)(name, mechanism)
    except InvalidParameter as refusal:
        raise InvalidParameter(f"column {name!r}: {refusal}") from None


def _kind(mechanism: object) -> type[ReportColumn]:
    if isinstance(mechanism, NumericMechanism):
        return NumberColumn
    if isinstance(mechanism, Mechanism) and isinstance(mechanism.domain, FiniteDomain):
        if isinstance(mechanism.reports, FiniteDomain):
            return LabelColumn
        if isinstance(mechanism.reports, Codes):
            return CodeColumn
    raise InvalidParameter(
        "a column needs a mechanism for numbers, such as OGPM(Interval(40, 200), epsilon=2), or for labels"
    )


def row_guarantee(mechanisms: Mapping[str, Mechanism]) -> Guarantee:
    """Return the cost of the reports of one row together, which may all be about one person."""
    first, *others = (mechanism.guarantee for mechanism in mechanisms.values())
    return first.compose(*others)


@dataclass(frozen=True)
class Description:
    """The mechanisms behind a table of reports, what one row costs, and where the randomness came from.

    Attributes:
        mechanisms: The mechanism of each column of reports.
        kept: Columns that were passed on as they are.
        out_of_domain: What was done with values outside a domain: "refuse" or "clip".
        randomness: Where the noise came from, in words; seeded noise is not private.
        package: The version of Noisewright that wrote it.

    >>> from noisewright import Interval
    >>> from noisewright.mechanisms import OGPM
    >>> description = Description({"heart_rate": OGPM(Interval(40, 200), epsilon=2.0)})
    >>> Description.from_json(description.to_json()) == description
    True
    """

    mechanisms: Mapping[str, Mechanism]
    kept: tuple[str, ...] = ()
    out_of_domain: str = "refuse"
    randomness: str = PRIVATE
    package: str = field(default=__version__, compare=False)

    @property
    def private(self) -> bool:
        """Whether the promise holds; seeded noise is for tests only."""
        return self.randomness == PRIVATE

    @property
    def guarantee(self) -> Guarantee:
        """What one row of reports costs; kept columns are not covered by it."""
        return row_guarantee(self.mechanisms)

    def explain_column(self, name: str) -> str:
        """Say in one sentence what one report of a column reveals."""
        return self._honest(self.mechanisms[name].guarantee.explain())

    def explain_row(self) -> str:
        """Say in one sentence what one row of reports reveals."""
        count = len(self.mechanisms)
        return self._honest(
            self.guarantee.explain("one row" if count == 1 else f"one row of {count} reports")
        )

    def _honest(self, sentence: str) -> str:
        return sentence if self.private else f"NOT PRIVATE, the noise was seeded; otherwise: {sentence}"

    def to_dict(self) -> dict[str, Any]:
        """Describe the reports in strict JSON values."""
        columns = {
            name: {
                "mechanism": mechanism.to_dict(),
                "guarantee": mechanism.guarantee.to_dict(),
                "explanation": self.explain_column(name),
            }
            for name, mechanism in self.mechanisms.items()
        }
        row = {"guarantee": self.guarantee.to_dict(), "explanation": self.explain_row()}
        facts = (FORMAT, self.package, self.randomness, self.out_of_domain, columns, row, list(self.kept))
        return dict(zip(FIELDS, facts, strict=True))

    def to_json(self) -> str:
        """Return the description as it is stored; refused if it is too long to be read back."""
        text = json.dumps(self.to_dict(), allow_nan=False, ensure_ascii=False)
        if len(text) > LARGEST or len(text.encode()) > LARGEST:
            raise BadTable(
                f"the labels of these columns take more than the {LARGEST >> 20} MiB that a table may say of "
                "itself; shorten them, or put rare ones together under a public label"
            )
        return text

    def metadata(self) -> dict[bytes | str, bytes | str]:
        """Return the description as metadata of an Arrow schema."""
        return {KEY: self.to_json()}

    @staticmethod
    def from_json(text: str | bytes, where: str = "the table") -> Description:
        """Rebuild a description from :meth:`to_json`, or refuse with what is wrong."""
        return Description.from_dict(strict_json(text, f"the description of {where}", largest=LARGEST), where)

    @staticmethod
    def from_dict(found: object, where: str = "the table") -> Description:
        """Rebuild a description from :meth:`to_dict`, proving every guarantee again."""
        if not isinstance(found, Mapping) or type(found.get("format")) is not int:
            raise BadTable(f"the description of {where} was not written by Noisewright")
        if found.get("kind") in ("routes", "cells"):
            raise BadTable(f"{where} holds private routes; noisewright routes count reads it")
        if found["format"] > FORMAT:
            raise BadTable(
                f"{where} was written by a newer Noisewright (format {found['format']}, this version reads "
                f"format {FORMAT}); upgrade to read it"
            )
        try:
            return _rebuilt(found)
        except (NoisewrightError, TypeError, ValueError, KeyError, AttributeError, OverflowError) as broken:
            raise BadTable(f"the description of {where} is broken: {str(broken)[:300]}") from None


def _rebuilt(found: Mapping[str, Any]) -> Description:
    _same_names("fields", found, FIELDS)
    for name, part in found["columns"].items():
        _same_names(f"fields of column {name!r}", part, ("mechanism", "guarantee", "explanation"))
    _same_names("fields of the row", found["row"], ("guarantee", "explanation"))
    if sum(_table_size(part["mechanism"]) for part in found["columns"].values()) > MOST_ENTRIES:
        raise BadTable(f"the tables of its columns have more than {MOST_ENTRIES:,} entries together")
    if sum(_is_joint(part["mechanism"]) for part in found["columns"].values()) > MOST_JOINT:
        raise BadTable(f"more than {MOST_JOINT} of its columns are of people who share coins")
    mechanisms = {name: _mechanism(name, part["mechanism"]) for name, part in found["columns"].items()}
    for name, mechanism in mechanisms.items():
        _same_promise(f"column {name!r}", found["columns"][name]["guarantee"], mechanism.guarantee)
    _same_promise("a row", found["row"]["guarantee"], row_guarantee(mechanisms))
    _one_of("out_of_domain", found["out_of_domain"], WHAT_TO_DO)
    _one_of("randomness", found["randomness"], (PRIVATE, SIMULATED))
    kept = tuple(str(name) for name in found["kept"])
    return Description(mechanisms, kept, found["out_of_domain"], found["randomness"], str(found["package"]))


def _table_size(mechanism: Mapping[str, Any]) -> int:
    """Return the number of entries of a mechanism's table when it is rebuilt, as its points imply."""
    points = mechanism.get("points", 0)
    if mechanism.get("mechanism") == LabelExponential.__name__:  # a row and a column for each label
        domain = mechanism["domain"]
        points = len(domain["labels"] if "labels" in domain else domain["edges"])
    return points**2 if type(points) is int and 0 < points <= LARGEST else 0


def _is_joint(mechanism: Mapping[str, Any]) -> bool:
    kind = Mechanism.registry.get(str(mechanism.get("mechanism")))
    return kind is not None and issubclass(kind, SharedCoins)


def _mechanism(name: str, part: Mapping[str, Any]) -> Mechanism:
    mechanism = Mechanism.from_dict(part)
    if not isinstance(mechanism, NumericMechanism) and not isinstance(mechanism.domain, FiniteDomain):
        raise BadTable(f"column {name!r} is neither a column of numbers nor one of labels")
    return mechanism


def _same_names(what: str, found: Mapping[str, Any], wanted: tuple[str, ...]) -> None:
    if set(found) != set(wanted):
        raise BadTable(f"the {what} must be exactly {', '.join(wanted)}")


def _same_promise(what: str, claimed: Mapping[str, Any], kept: Guarantee) -> None:
    if Guarantee.from_dict(claimed) != kept:
        raise BadTable(f"the promise for {what} is not the one that its mechanism keeps")


def _one_of(what: str, found: object, known: tuple[str, ...]) -> None:
    if found not in known:
        raise BadTable(f"{what} must be one of {', '.join(map(repr, known))}")


def read_description(reports: Any) -> Description:
    """Return what a file or table of reports says of itself, its mechanisms rebuilt and proved again.

    Args:
        reports: A file or folder of reports, or a .json that was written beside one; an Arrow table, batch or
            schema, a pandas frame that :func:`perturb_table` returned, or a dictionary. Polars frames carry
            no metadata: keep the description of the Arrow table or file instead.
    """
    if isinstance(reports, (str, os.PathLike)):
        where = Location(reports)
        if where.is_folder():
            where = where.child(LIST)
        if str(where).endswith(".json"):
            return _in_json(where)
        return _in_file(where if where.local is None else existing_file(where.local))
    if isinstance(reports, Mapping):
        return Description.from_dict(reports)
    if isinstance(attributes := getattr(reports, "attrs", None), Mapping):
        return Description.from_dict(_present(attributes.get(KEY), "the frame"))
    schema = getattr(reports, "schema", reports)
    if isinstance(schema, pa.Schema):
        return _in_schema(schema, "the table")
    raise BadTable(f"a {type(reports).__name__} carries no description; give the file or the Arrow table")


def find_description(path: str | os.PathLike[str]) -> Description | None:
    """Return what a file or folder says of itself if it holds reports, or None if it says nothing."""
    if (where := Location(path)).is_folder():
        return None if where.child(LIST).size() is None else _in_json(where.child(LIST), str(where))
    file = existing_file(path)
    if kind_of(file) != "csv" and (said := _said(_schema(file))) is not None:
        return Description.from_json(said, str(file))
    return _in_json(Location(sidecar(file)), str(file)) if sidecar(file).exists() else None


def _in_file(file: Path | Location) -> Description:
    """Return the description inside a file, or else the one beside it."""
    if kind_of(str(file)) != "csv" and (said := _said(_schema(file))) is not None:
        return Description.from_json(said, str(file))
    beside = Location(file if isinstance(file, Path) else file.address).sibling(".json")
    if beside.size() is not None:
        return _in_json(beside, str(file))
    if kind_of(str(file)) == "csv":
        raise BadTable(
            f"{file} has no description beside it; {beside.name} is missing. If these are true values, "
            "randomize them first by noisewright perturb; if they are reports, give their description by "
            "description=…"
        )
    return Description.from_json(_present(None, str(file)))


def _schema(file: Path | Location) -> pa.Schema:
    """Return the Arrow schema of a Parquet or Arrow file."""
    if isinstance(file, Location):
        with reading(file), file.open() as opened:
            return pq.read_schema(opened)
    kind = kind_of(file)
    check_magic(file, PARQUET_MAGIC if kind == "parquet" else ARROW_MAGIC, f"a file of kind {kind}")
    with reading(file):
        if kind == "parquet":
            return pq.read_schema(file)
        with pa.OSFile(str(file), "rb") as opened:
            return pa.ipc.open_file(opened).schema


def _said(schema: pa.Schema) -> str | bytes | None:
    """Return the description in the metadata of a schema: in its own place, or where Spark keeps it."""
    metadata = schema.metadata or {}
    if (said := metadata.get(KEY.encode())) is not None or SPARK_KEY not in metadata:
        return said
    spark = strict_json(metadata[SPARK_KEY], "the schema that Spark wrote")
    fields = spark.get("fields") if isinstance(spark, Mapping) else None
    columns = (
        each.get("metadata")
        for each in (fields if isinstance(fields, list) else ())
        if isinstance(each, Mapping)
    )
    found = (each.get(KEY) for each in columns if isinstance(each, Mapping))
    return next((text for text in found if isinstance(text, str)), None)


def _in_json(file: Location, where: str = "") -> Description:
    """Return the description that a JSON file is, or, for a list of the parts of a folder, has."""
    text = file.read(LARGEST_LIST)
    if text is None:
        raise BadTable(f"cannot read {file}: there is no such file or folder")
    found = strict_json(text, str(file), largest=LARGEST_LIST)
    if isinstance(found, Mapping) and "description" in found:
        found = found["description"]
    return Description.from_dict(found, where or str(file))


def _in_schema(schema: pa.Schema, where: str) -> Description:
    return Description.from_json(_present(_said(schema), where), where)


def _present(found: Any, where: str) -> Any:
    if found is None:
        raise BadTable(
            f"{where} carries no description of its reports: it was not written by Noisewright, or was "
            "rewritten by software that dropped it; then give the description of the original file by "
            "description=…"
        )
    return found
