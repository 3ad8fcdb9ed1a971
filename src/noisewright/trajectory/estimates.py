"""Estimates of a collection's routes: what was reconstructed, what it gained and what it cost."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.report import Report, Reportable
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.files import Coordinates, write_routes
from noisewright.trajectory.reconstruction import Reconstruction, reconstruct
from noisewright.trajectory.spaces import distance_words

PROCESSED = "estimates that were reconstructed from them"
"""What a file of estimates says of itself, so that nobody takes it for reports."""

FREE = (
    "This is post-processing: only the reports, the law of their noise and public facts went in, so it costs "
    "no privacy and the guarantee of the reports stays as it is."
)

ENOUGH = 4096
"""Estimates at which the expected error of a report is looked up."""


@dataclass(frozen=True, eq=False)
class RouteEstimate(Reportable):
    """Reconstructed routes, the reports behind them, and what the reconstruction says of itself.

    Attributes:
        path: The file that the estimates are in, or go to.
        collection: The reports.
        found: The reconstruction.
    """

    path: Path
    collection: Collection
    found: Reconstruction

    @property
    def collection_of_estimates(self) -> Collection:
        """What the file says of how its points were made."""
        return replace(self.collection, routes=self.found.routes, processed=PROCESSED)

    @cached_property
    def before(self) -> float:
        """How far a report is off on average, where the estimates are."""
        points = self.found.routes.points
        return self.collection.mechanism.expected_error(points[:: max(1, len(points) // ENOUGH)])

    @cached_property
    def after(self) -> float:
        """How far an estimate of a reported point is off on average, by its posterior."""
        return float(self.found.spread[self.collection.reported].mean())

    @property
    def gain(self) -> str:
        """Both errors in one sentence."""
        units = self.collection.mechanism.space.units
        before, after = distance_words(self.before, units), distance_words(self.after, units)
        return (
            f"Expected error of a location: {before} as reported; {after} as estimated, by the estimates' "
            "own account, which noisewright routes evaluate can check where true routes are at hand."
        )

    def to_dict(self) -> dict[str, Any]:
        """The estimate in strict JSON values."""
        spread = np.quantile(self.found.spread, [0.05, 0.5, 0.95]).tolist()
        return {
            "output": str(self.path),
            "routes": len(self.found.routes),
            "points": len(self.found.routes.points),
            "units": self.collection.mechanism.space.units,
            "expected_error_of_reports": self.before,
            "expected_error_of_estimates": self.after,
            "spread_quantiles": dict(zip(["0.05", "0.5", "0.95"], spread, strict=True)),
            "costs_privacy": False,
            **self.collection_of_estimates.to_dict(),
        }

    def write(self, coordinates: Coordinates, *, replace: bool = False, original: Path | None = None) -> None:
        """Write the estimates to their file, which says of itself that they are no reports.

        Args:
            coordinates: The kind of their coordinates.
            replace: Whether a file that exists may be replaced; no by default.
            original: The file of the reports, which is never replaced.
        """
        write_routes(
            self.path,
            self.found.routes,
            coordinates=coordinates,
            about=self.collection_of_estimates.to_dict(),
            reported=self.collection.reported,
            replace=replace,
            original=original,
        )

    def report(self) -> Report:
        """Describe the estimates as a document; true routes are never looked at."""
        from noisewright.trajectory.report import estimate_report  # noqa: PLC0415  (it needs this module)

        return estimate_report(self)


def estimate_routes(
    collection: Collection,
    path: str | os.PathLike[str] = "estimates",
    *,
    person: str | None = None,
    **facts: Any,
) -> RouteEstimate:
    """Estimate where the routes of a collection went, from its reports and public facts: no privacy is spent.

    Args:
        collection: Reports as they were drawn.
        path: The file that the estimates will go to.
        person: A mark up to which names of routes of one person agree: "/" for ada/monday and ada/tuesday.
            By default each route is of another person.
        facts: ``max_speed``, ``points`` and ``grid`` of :func:`reconstruct`.
    """
    people = [name.split(person)[0] for name in collection.routes.names] if person else None
    found = reconstruct(
        collection.routes, collection.mechanism, reported=collection.reported, people=people, **facts
    )
    return RouteEstimate(Path(path), collection, found)
