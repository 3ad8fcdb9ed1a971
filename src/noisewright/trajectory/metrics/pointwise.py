"""Metrics point by point: the n-th point of a private route belongs to the n-th point of the true one.

They measure the distance to the truth, the share of points near enough, and lost visits to hotspots.
"""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable, InvalidParameter
from noisewright.parameters import is_number, real
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.routes.grids import Places, rounding
from noisewright.trajectory.spaces import Space


def check_pair(true: Routes, private: Routes) -> None:
    """Refuse routes that do not belong together."""
    if len(true) != len(private):
        raise BadTable(f"{len(true)} true routes cannot be compared with {len(private)} private ones")
    differ = true.lengths != private.lengths
    if differ.any():
        raise BadTable(
            f"route {int(np.argmax(differ)) + 1} has {int(true.lengths[differ][0])} true points and "
            f"{int(private.lengths[differ][0])} private ones; give both in the same order, none left out"
        )


def distances(space: Space, true: Routes, private: Routes) -> Floats:
    """Return how far every private point lies from the true one, in the units of the space."""
    check_pair(true, private)
    return space.distance(true.points, private.points)


def route_sums(routes: Routes, values: Floats) -> Floats:
    """Return the sum over each route of a number given for each point."""
    return np.asarray(np.add.reduceat(values, routes.starts[:-1]), dtype=np.float64)


def route_means(routes: Routes, values: Floats) -> Floats:
    """Return the mean over each route of a number given for each point."""
    return np.asarray(route_sums(routes, values) / routes.lengths)


def average_error(space: Space, true: Routes, private: Routes, *, pooled: bool = False) -> float:
    """Return the mean distance between true and private points, in the units of the space.

    Every route counts alike, however long it is (Zheng 2026, 6.3.1).

    Args:
        space: The space, which measures distances.
        true: The true routes.
        private: The private (or reconstructed) routes, point by point.
        pooled: Whether every point counts alike instead; no by default.

    >>> from noisewright.trajectory import Rectangle
    >>> true, private = Routes.of([[(0, 0), (0, 0), (0, 0)], [(1, 1)]]), Routes.of([[(0, 1)] * 3, [(1, 1)]])
    >>> average_error(Rectangle(0, 0, 1, 1), true, private)
    0.5
    >>> average_error(Rectangle(0, 0, 1, 1), true, private, pooled=True)
    0.75
    """
    errors = distances(space, true, private)
    return float(errors.mean() if pooled else route_means(true, errors).mean())


def range_query_preservation(space: Space, true: Routes, private: Routes, radius: float) -> float:
    """Return the share of private points within a radius of the true ones, averaged over routes.

    A search within this radius of the private point still finds the true place (Zheng 2026, 6.3.2).

    Args:
        space: The space, which measures distances.
        true: The true routes.
        private: The private (or reconstructed) routes, point by point.
        radius: The radius, above 0, in the units of the space.

    >>> from noisewright.trajectory import Rectangle
    >>> true, private = Routes.of([[(0, 0), (0, 0)]]), Routes.of([[(0, 0.1), (0, 0.3)]])
    >>> range_query_preservation(Rectangle(0, 0, 1, 1), true, private, radius=0.2)
    0.5
    """
    near = distances(space, true, private) <= check_radius(radius)
    return float(route_means(true, near.astype(np.float64)).mean())


def check_radius(radius: float) -> float:
    """Return a radius as a float, or refuse it."""
    if (number := real("radius", radius)) <= 0:
        raise InvalidParameter(f"must be above 0, got {radius!r}", field="radius")
    return number


def hotspot_difference(
    space: Space, true: Routes, private: Routes, places: Places, share: float = 0.2
) -> float:
    """Return how many visits of a route to hotspots are lost, averaged over routes.

    Hotspots are the most visited of the places that are truly visited. A visit is kept if the private point
    is rounded to a hotspot, too, even to another one (Zheng 2026, 6.3.2).

    Args:
        space: The space, which measures distances.
        true: The true routes.
        private: The private (or reconstructed) routes, point by point.
        places: Where visits are counted: a grid, (columns, rows) of one, or points to round to.
        share: The share of the visited places that are hotspots, above 0 and at most 1; a fifth by default.

    >>> from noisewright.trajectory import Rectangle
    >>> true = Routes.of([[(0.1, 0.1), (0.1, 0.1), (0.9, 0.9)]])
    >>> private = Routes.of([[(0.1, 0.1), (0.9, 0.1), (0.9, 0.9)]])
    >>> hotspot_difference(Rectangle(0, 0, 1, 1), true, private, (2, 2), share=0.5)
    1.0
    """
    return float(lost_visits(space, true, private, places, share).mean())


def lost_visits(space: Space, true: Routes, private: Routes, places: Places, share: float = 0.2) -> Floats:
    """Return the visits to hotspots that each route loses."""
    check_pair(true, private)
    if not is_number(share) or not 0 < share <= 1:
        raise InvalidParameter(f"the share of hotspots must be above 0 and at most 1, got {share!r}")
    target = rounding(space, places)
    before, after = target.cell_of(true.points), target.cell_of(private.points)
    visited, counts = np.unique(before, return_counts=True)
    many = int(np.ceil(share * visited.size - 1e-9))
    hot = visited[np.argsort(-counts, kind="stable")[:many]]  # of equals the lower number first
    lost = np.isin(before, hot) & ~np.isin(after, hot)
    return route_sums(true, lost.astype(np.float64))
