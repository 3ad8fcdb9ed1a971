"""Asking a collection of private routes for counts: what is asked, and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.estimate.intervals import CONFIDENCE
from noisewright.trajectory.aggregates import (
    Count,
    DensityMap,
    Hotspot,
    ODTable,
    count_inside,
    density_map,
    hotspots,
    origin_destination,
)
from noisewright.trajectory.aggregates.density import CELLS
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.tracs_d import TraCSD

WIDE = (
    "Reports of TraCS-D leave these intervals wide; where counts matter more than single routes, collect "
    "with --method C."
)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class CountRequest:
    """What is asked, checked before any report is read."""

    regions: tuple[Box, ...] = ()
    grid: tuple[int, int] | None = None
    zones: tuple[int, int] | None = None
    top: int | None = None
    level: float = 0.95

    def __post_init__(self) -> None:
        CONFIDENCE.check(self.level)

    @property
    def anything(self) -> bool:
        """Whether there is a question at all."""
        return bool(self.regions) or any(part is not None for part in (self.grid, self.zones, self.top))


@dataclass(frozen=True, eq=False)
class RouteCounts:
    """The answers, each with its intervals; what was not asked is None."""

    collection: Collection
    regions: tuple[tuple[Box, Count], ...]
    density: DensityMap | None
    trips: ODTable | None
    hotspots: tuple[Hotspot, ...] | None
    level: float

    @property
    def notes(self) -> list[str]:
        """What a reader must know to take the numbers for what they are."""
        found = [*(count for _, count in self.regions), self.density, self.trips]
        said = [part.assumption for part in found if part is not None]
        notes = [f"The intervals are {said[0]}."] if said else []
        if self.hotspots:
            notes.append(
                f"The intervals of all cells hold together in {100 * self.level:g} % of collections, so "
                "hardly ever is any hotspot wrongly called sure."
            )
        if isinstance(self.collection.mechanism, TraCSD):
            notes.append(WIDE)
        if not self.collection.private:
            notes.append(f"Randomness of the reports: {self.collection.randomness}.")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """The answers in strict JSON values."""
        return {
            "private": self.collection.private,
            "level": self.level,
            "regions": [{"region": list(box), **count.to_dict()} for box, count in self.regions],
            "density": None if self.density is None else self.density.to_dict(),
            "origin_destination": None if self.trips is None else self.trips.to_dict(),
            "hotspots": None if self.hotspots is None else [spot.to_dict() for spot in self.hotspots],
            "notes": self.notes,
        }


def count_all(collection: Collection, request: CountRequest) -> RouteCounts:
    """Everything that is asked of a collection whose reports are as they were drawn."""
    reports, mechanism, level = reports_of(collection), collection.mechanism, request.level
    cells = request.grid or CELLS
    return RouteCounts(
        collection,
        tuple((box, count_inside(reports, mechanism, box, level)) for box in request.regions),
        None if request.grid is None else density_map(reports, mechanism, cells, level),
        None if request.zones is None else origin_destination(reports, mechanism, request.zones, level),
        None
        if request.top is None
        else tuple(hotspots(reports, mechanism, cells, top=request.top, level=level)),
        level,
    )


def reports_of(collection: Collection) -> Routes:
    """The reports alone: points that were filled in between them are no evidence."""
    routes, reported = collection.routes, collection.reported
    if reported.all():
        return routes
    counts = np.add.reduceat(reported.astype(np.int64), routes.starts[:-1])
    some = counts > 0
    names = tuple(name for name, there in zip(routes.names, some, strict=True) if there)
    return Routes(routes.points[reported], np.concatenate([[0], np.cumsum(counts[some])]), names)
