"""Reconstructed routes that were just written: what a reader and a machine are told of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.collection import Collection
from noisewright.trajectory.reconstruction import Reconstruction
from noisewright.trajectory.words import distance_words

PROCESSED = "estimates that were reconstructed from them"
"""What a file of estimates says of itself, so that nobody takes it for reports."""

FREE = (
    "This is post-processing: only the reports, the law of their noise and public facts went in, so it costs "
    "no privacy and the guarantee of the reports stays as it is."
)

ENOUGH = 4096
"""Estimates at which the expected error of a report is looked up."""


@dataclass(frozen=True, eq=False)
class RouteEstimate:
    """A file of reconstructed routes, the reports behind it, and what the reconstruction says of itself."""

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
        return self.collection.mechanism.expected_error(self._some(self.found.routes.points))

    @cached_property
    def after(self) -> float:
        """How far an estimate of a reported point is off on average, by its posterior."""
        return float(self.found.spread[self.collection.reported].mean())

    def _some(self, points: Floats) -> Floats:
        return points[:: max(1, len(points) // ENOUGH)] if len(points) > ENOUGH else points

    @property
    def gain(self) -> str:
        """Both errors in one sentence."""
        units = self.collection.mechanism.space.units
        before, after = distance_words(self.before, units), distance_words(self.after, units)
        return (
            f"Expected error of a location: {before} as reported; {after} as estimated, by the estimates' "
            "own account, which noisewright routes evaluate can check where true routes are at hand."
        )

    def lines(self) -> list[str]:
        """The estimate in the terminal."""
        routes = self.found.routes
        return [
            f"{len(routes):,} {'route' if len(routes) == 1 else 'routes'} of {len(routes.points):,} points, "
            f"estimated, in {self.path}",
            f"  {self.gain}",
            f"  {FREE}",
            f"  Guarantee of the reports: {self.collection.guarantee}",
        ]

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
