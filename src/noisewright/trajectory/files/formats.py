"""One reader and one writer for each format; every refusal names the file, and files appear whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from noisewright.errors import BadTable
from noisewright.io.file_errors import existing_file
from noisewright.io.file_errors import writing as failing_disks
from noisewright.io.outputs import check_target, published
from noisewright.io.table_files import sidecar
from noisewright.trajectory.files.description import to_text
from noisewright.trajectory.files.geojson import read_geojson, write_geojson
from noisewright.trajectory.files.gpx import read_gpx, write_gpx
from noisewright.trajectory.files.route_file import WITH_SIDECAR, Kind, RouteFile
from noisewright.trajectory.files.tables import read_table, write_locations

READERS: Final[dict[Kind, Callable[[Path, Mapping[str, str], bool], RouteFile]]] = {
    "csv": read_table,
    "parquet": read_table,
    "geojson": read_geojson,
    "gpx": read_gpx,
}

WRITERS: Final[dict[Kind, Callable[[Path, RouteFile], None]]] = {
    "csv": partial(write_locations, "csv"),
    "parquet": partial(write_locations, "parquet"),
    "geojson": write_geojson,
    "gpx": write_gpx,
}


def read_as(
    kind: Kind, path: str | os.PathLike[str], columns: Mapping[str, str], one_route: bool = False
) -> RouteFile:
    """Read a file of a known format; whatever is wrong with it is said in one sentence with its name."""
    found = existing_file(path)
    try:
        return READERS[kind](found, columns, one_route)
    except BadTable as refusal:  # the parts that refuse know only the row or the feature
        if str(found) in str(refusal):
            raise
        raise BadTable(f"cannot read routes from {found}: {refusal}") from None


def write_as(kind: Kind, path: Path, content: RouteFile, replace: bool, original: Path | None) -> Path:
    """Write a file of a known format; it and its description appear together, when all is well."""
    target = path.resolve() if path.is_symlink() else path  # what a link points to is replaced, not the link
    targets = _targets(kind, target, described=content.about is not None)
    for each in targets:
        check_target(each, original, replace=replace)
    with failing_disks(target), published(*targets) as drafts:
        if len(drafts) > 1 and content.about is not None:
            drafts[0].write_text(to_text(content.about) + "\n", encoding="utf-8")
        WRITERS[kind](drafts[-1], content)
    return target


def _targets(kind: Kind, target: Path, *, described: bool) -> list[Path]:
    """The files to write; a description takes its name first, for reports must never stand without one."""
    if kind not in WITH_SIDECAR:
        return [target]
    beside = sidecar(target)
    if described:
        return [beside, target]
    if beside.exists():
        raise BadTable(
            f"{beside} describes another file of this name and would be taken for the new one; "
            "remove it first, or choose another name"
        )
    return [target]
