"""All metrics of private (or reconstructed) routes at once, route by route."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from noisewright.domains import Floats
from noisewright.report.plots import new_axes
from noisewright.trajectory.metrics.pointwise import check_radius, distances, lost_visits, route_means
from noisewright.trajectory.metrics.shapes import LONGEST, dynamic_time_warping, frechet_distance
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.grids import Places
from noisewright.trajectory.spaces import Space, distance_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
CELLS = (20, 20)
"""Cells in which visits to hotspots are counted, unless others are given."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How far private routes are from the true ones, in the units of the space.

    Arrays have one entry for each route; the last three are NaN for routes too long to be compared.

    Attributes:
        units: The unit of distances.
        locations: The number of points.
        radius: The radius within which a point is near enough.
        pooled_error: The mean error of all points.
        quantiles: Quantiles of the errors of all points.
        error: The mean error of the points of each route.
        within: The share of its points within the radius.
        lost: The visits to hotspots that it loses.
        warping: The total distance by dynamic time warping.
        per_step: The same for one step of the walk.
        frechet: The discrete Fréchet distance.
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
        """Return quantiles over the routes of one of the arrays; routes without a value are left out.

        Args:
            name: The name of the array.
        """
        values = getattr(self, name)
        return _quantiles(values[np.isfinite(values)])

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation in plain JSON values, without names of routes."""
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
        """Draw the share of all points within each distance, through the quantiles of the errors.

        The dotted line is the radius; its label gives the share within it as an average over routes, which is
        not the share of all points if routes differ in length. Returns the matplotlib axes.
        """
        axes = axes if axes is not None else new_axes()
        shares, distances = list(self.quantiles), list(self.quantiles.values())
        axes.plot(distances, shares, "o-", label="all points")
        radius = distance_words(self.radius, self.units)
        within = f"radius {radius}: {self.range_query_preservation:.0%} of a route, on average"
        axes.axvline(self.radius, color="gray", linestyle=":", label=within)
        axes.set(xlabel=f"distance from the true location, {self.units}", ylabel="share of points within")
        axes.set(xlim=(0, None), ylim=(0, 1))
        axes.legend()
        return axes


def evaluate(
    space: Space, true: Routes, private: Routes, *, radius: float | None = None, places: Places = CELLS
) -> Evaluation:
    """Compare routes by every metric.

    Args:
        space: The space, which measures distances.
        true: The true routes.
        private: The private (or reconstructed) routes, point by point.
        radius: The radius within which a point is near enough; by default a tenth of the space's diameter.
        places: Where visits to hotspots are counted; by default 20 × 20 cells.

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
