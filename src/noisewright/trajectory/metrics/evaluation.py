"""All metrics of private (or reconstructed) routes at once, route by route."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.metrics.hotspot_count import Places, lost_visits
from noisewright.trajectory.metrics.pairing import distances, route_means
from noisewright.trajectory.metrics.pointwise import check_radius
from noisewright.trajectory.metrics.shapes import LONGEST, dynamic_time_warping, frechet_distance
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CELLS = (20, 20)
"""Cells in which visits to hotspots are counted, unless others are given."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How far private routes are from the true ones, in the units of the space.

    Arrays have one entry for each route: the mean ``error`` of its points, the share ``within`` the radius,
    the ``lost`` visits to hotspots, the distance in all (``warping``) and ``per_step`` by dynamic time
    warping, and the ``frechet`` distance. The last three are NaN for routes too long to be compared.
    ``quantiles`` are of the errors of all points.
    """

    units: str
    locations: int
    radius: float
    pooled_error: float
    quantiles: dict[float, float]
    error: Floats
    within: Floats
    lost: Floats
    warping: Floats
    per_step: Floats
    frechet: Floats

    @property
    def average_error(self) -> float:
        """The mean over routes of their mean errors."""
        return float(self.error.mean())

    @property
    def range_query_preservation(self) -> float:
        """The share of points within the radius, averaged over routes."""
        return float(self.within.mean())

    @property
    def hotspot_difference(self) -> float:
        """The visits to hotspots that a route loses, on average."""
        return float(self.lost.mean())

    def over_routes(self, name: str) -> dict[float, float]:
        """Quantiles over the routes of one of the arrays; routes without a value are left out."""
        values = getattr(self, name)
        return _quantiles(values[np.isfinite(values)])

    def to_dict(self) -> dict[str, Any]:
        """The evaluation in plain JSON values, without names of routes."""
        arrays = ("error", "within", "lost", "warping", "per_step", "frechet")
        routes = {name: {f"{at:g}": value for at, value in self.over_routes(name).items()} for name in arrays}
        return {
            "units": self.units,
            "routes": len(self.error),
            "locations": self.locations,
            "average_error": self.average_error,
            "pooled_error": self.pooled_error,
            "error_quantiles": {f"{at:g}": value for at, value in self.quantiles.items()},
            "radius": self.radius,
            "range_query_preservation": self.range_query_preservation,
            "hotspot_difference": self.hotspot_difference,
            "route_quantiles": routes,
        }

    def plot(self, axes: Axes | None = None) -> Axes:
        """Draw the share of points within a distance; returns the matplotlib axes."""
        from noisewright.trajectory.drawing import plot_evaluation  # noqa: PLC0415  (matplotlib is an extra)

        return plot_evaluation(self, axes)


def evaluate(
    space: Space, true: Routes, private: Routes, *, radius: float | None = None, places: Places = CELLS
) -> Evaluation:
    """Compare routes by every metric; the radius is a tenth of the diameter of the space unless it is given.

    >>> from noisewright.trajectory import Rectangle
    >>> true, private = Routes.of([[(0, 0), (1, 0)]]), Routes.of([[(0, 0), (1, 0.5)]])
    >>> found = evaluate(Rectangle(0, 0, 1, 1), true, private)
    >>> found.average_error, found.range_query_preservation, found.frechet.tolist()
    (0.25, 0.5, [0.5])
    """
    reach = space.diameter / 10 if radius is None else check_radius(radius)
    errors = distances(space, true, private)
    warping, per_step, frechet = _shapes(space, true, private)
    return Evaluation(
        units=space.units,
        locations=len(errors),
        radius=reach,
        pooled_error=float(errors.mean()),
        quantiles=_quantiles(errors),
        error=route_means(true, errors),
        within=route_means(true, (errors <= reach).astype(np.float64)),
        lost=lost_visits(space, true, private, places),
        warping=warping,
        per_step=per_step,
        frechet=frechet,
    )


def _shapes(space: Space, true: Routes, private: Routes) -> tuple[Floats, Floats, Floats]:
    found = np.full((len(true), 3), np.nan)
    for row, (first, second) in enumerate(zip(true, private, strict=True)):
        if len(first) <= LONGEST:
            walk = dynamic_time_warping(space, first, second)
            found[row] = walk.total, walk.per_step, frechet_distance(space, first, second)
    return found[:, 0], found[:, 1], found[:, 2]


def _quantiles(values: Floats) -> dict[float, float]:
    if not values.size:
        return {}
    return dict(zip(QUANTILES, np.quantile(values, QUANTILES).tolist(), strict=True))
