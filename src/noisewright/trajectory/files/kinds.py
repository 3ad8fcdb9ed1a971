"""Which format a file has: the end of its name says so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Literal

from noisewright.errors import BadTable

Kind = Literal["csv", "parquet", "geojson", "gpx"]

KINDS: Final[dict[str, Kind]] = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".geojson": "geojson",
    ".json": "geojson",
    ".gpx": "gpx",
}

WITH_SIDECAR: Final = ("csv", "gpx")
"""Formats without a place for a description: it stands in a file beside them."""

DEGREES_ONLY: Final = ("geojson", "gpx")
"""Formats whose standards know longitudes and latitudes (WGS 84) and nothing else."""


def kind_of(path: str | os.PathLike[str]) -> Kind:
    """Tell which format a name promises.

    >>> kind_of("trips.GeoJSON")
    'geojson'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in KINDS:
        raise BadTable(f"{path} must end in one of {', '.join(KINDS)}, which says how its routes are written")
    return KINDS[suffix]
