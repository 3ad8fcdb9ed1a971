"""The description in a file of routes of how its reports were made: plain JSON, not interpreted here.

GeoJSON keeps it as the foreign member ``noisewright``, Parquet under that key of the schema's metadata, and a
CSV or GPX in ``<name>.json`` beside it, as tables of reports do.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from noisewright.errors import BadTable, InvalidParameter
from noisewright.io.description import LARGEST
from noisewright.io.file_access import reading
from noisewright.io.strict_json import strict_json
from noisewright.io.table_files import sidecar

NOT_JSON: Final = "about must be made of JSON values: texts, finite numbers, booleans, lists and dictionaries"


def to_text(about: dict[str, Any]) -> str:
    """Return a description as it is stored; refused if it would not be read back.

    >>> to_text({"epsilon": 4})
    '{"epsilon": 4}'
    """
    try:
        text = json.dumps(about, allow_nan=False, ensure_ascii=False)
        strict_json(text)
    except (TypeError, ValueError, RecursionError):
        raise InvalidParameter(NOT_JSON) from None
    if len(text.encode()) > LARGEST:
        raise InvalidParameter(f"about takes more than the {LARGEST >> 20} MiB that a description may have")
    return text


def from_text(text: str | bytes) -> dict[str, Any]:
    """Read the description that :func:`to_text` wrote, or refuse it."""
    return about_of(strict_json(text, "its description", largest=LARGEST))


def about_of(found: object) -> dict[str, Any]:
    """Return a description that was found inside a document; refuse anything else in its place."""
    if not isinstance(found, dict):
        raise BadTable("its description is not a JSON object; it was not written by Noisewright")
    return found


def about_beside(path: Path) -> dict[str, Any] | None:
    """Return the description beside a CSV or GPX file, if there is one."""
    beside = sidecar(path)
    if not beside.is_file():
        return None
    with reading(beside), beside.open("rb") as file:
        return from_text(file.read(LARGEST + 1))


def refuse_large(path: Path, largest: int) -> None:
    """Refuse a document above a number of bytes, and say what to do instead."""
    with reading(path):
        size = path.stat().st_size
    if size > largest:
        raise BadTable(
            f"it is larger than {largest >> 20} MiB; split it into several files, or convert it to Parquet"
        )
