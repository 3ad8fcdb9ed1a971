"""How far private points lie from true ones: the mean error, and the share that is near enough."""

from __future__ import annotations

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.trajectory.metrics.pairing import distances, route_means
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space


def average_error(space: Space, true: Routes, private: Routes, *, pooled: bool = False) -> float:
    """The mean distance between true and private points, in the units of the space.

    Every route counts alike, however long it is (Zheng 2026, 6.3.1); with ``pooled`` every point does.

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
    """The share of private points within a radius of the true ones, averaged over routes.

    A search around the private point that reaches so far still finds the true place (Zheng 2026, 6.3.2).

    >>> from noisewright.trajectory import Rectangle
    >>> true, private = Routes.of([[(0, 0), (0, 0)]]), Routes.of([[(0, 0.1), (0, 0.3)]])
    >>> range_query_preservation(Rectangle(0, 0, 1, 1), true, private, radius=0.2)
    0.5
    """
    near = distances(space, true, private) <= check_radius(radius)
    return float(route_means(true, near.astype(np.float64)).mean())


def check_radius(radius: float) -> float:
    """A radius as a float, or a refusal."""
    if (number := real("the radius", radius)) <= 0:
        raise InvalidParameter(f"the radius must be above 0, got {radius!r}")
    return number
