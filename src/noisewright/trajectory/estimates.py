"""Reconstructed routes of a collection, with the gain in accuracy and the (zero) cost in privacy."""

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
"""The mark in a file of estimates, so that nobody takes it for reports."""

FREE = (
    "This is post-processing: only the reports, the law of their noise and public facts went in, so it costs "
    "no privacy and the guarantee of the reports stays as it is."
)

ENOUGH = 4096
"""Most estimates at which the expected error of a report is evaluated."""


@dataclass(frozen=True, eq=False)
class RouteEstimate(Reportable):
    """Reconstructed routes, the reports behind them, and the expected errors of both.

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
        """The estimates as a collection, marked as processed: what the file describes."""
        return replace(self.collection, routes=self.found.routes, processed=PROCESSED)

    @cached_property
    def before(self) -> float:
        """The expected error of a report, at the places of the estimates."""
        points = self.found.routes.points
        return self.collection.mechanism.expected_error(points[:: max(1, len(points) // ENOUGH)])

    @cached_property
    def after(self) -> float:
        """The expected error of the estimate of a reported point, by its posterior."""
        return float(self.found.spread[self.collection.reported].mean())

    @property
    def gain(self) -> str:
        """Both errors in one sentence."""
        units = self.collection.mechanism.space.units
        before, after = distance_words(self.before, units), distance_words(self.after, units)
        return (
            f"Expected error of a location: {before} as reported; {after} as estimated, by the posterior. "
            "With the true routes at hand, noisewright routes evaluate checks that."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate in strict JSON values."""
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
        """Write the estimates to their file, marked as estimates and not reports.

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
        """Describe the estimates as a document, without the true routes."""
        from noisewright.trajectory.report import estimate_report  # noqa: PLC0415  (it needs this module)

        return estimate_report(self)


def estimate_routes(
    collection: Collection,
    path: str | os.PathLike[str] = "estimates",
    *,
    person: str | None = None,
    **facts: Any,
) -> RouteEstimate:
    """Estimate where the routes of a collection went from its reports and public facts, at no privacy cost.

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
