"""True and private routes side by side: the n-th point of one belongs to the n-th point of the other."""

from __future__ import annotations

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import BadTable
from noisewright.trajectory.routes import Routes
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
    """How far every private point lies from the true one, in the units of the space."""
    check_pair(true, private)
    return space.distance(true.points, private.points)


def route_sums(routes: Routes, values: Floats) -> Floats:
    """The sum over each route of a number given for each point."""
    return np.asarray(np.add.reduceat(values, routes.starts[:-1]), dtype=np.float64)


def route_means(routes: Routes, values: Floats) -> Floats:
    """The mean over each route of a number given for each point."""
    return np.asarray(route_sums(routes, values) / routes.lengths)
