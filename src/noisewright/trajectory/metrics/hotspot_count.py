"""How many visits to hotspots are lost: the hotspot count difference."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import is_number
from noisewright.trajectory.metrics.pairing import check_pair, route_sums
from noisewright.trajectory.rounding import CellGrid, PointSet
from noisewright.trajectory.routes import Routes
from noisewright.trajectory.spaces import Space

Places = CellGrid | PointSet | tuple[int, int] | ArrayLike
"""Where visits are counted: cells, (columns, rows) of cells, or points that locations are rounded to."""


def hotspot_difference(
    space: Space, true: Routes, private: Routes, places: Places, share: float = 0.2
) -> float:
    """How many visits of a route to hotspots are no longer visits to hotspots, averaged over routes.

    Hotspots are the given share of the places that are truly visited, the most visited first; a visit is kept
    if the private point is rounded to a hotspot too, be it another one (Zheng 2026, 6.3.2).

    >>> from noisewright.trajectory import Rectangle
    >>> true = Routes.of([[(0.1, 0.1), (0.1, 0.1), (0.9, 0.9)]])
    >>> private = Routes.of([[(0.1, 0.1), (0.9, 0.1), (0.9, 0.9)]])
    >>> hotspot_difference(Rectangle(0, 0, 1, 1), true, private, (2, 2), share=0.5)
    1.0
    """
    return float(lost_visits(space, true, private, places, share).mean())


def lost_visits(space: Space, true: Routes, private: Routes, places: Places, share: float = 0.2) -> Floats:
    """The visits to hotspots that each route loses."""
    check_pair(true, private)
    if not is_number(share) or not 0 < share <= 1:
        raise InvalidParameter(f"the share of hotspots must be above 0 and at most 1, got {share!r}")
    rounding = _rounding(space, places)
    before, after = _numbers(rounding, true), _numbers(rounding, private)
    hot = _most_visited(before, share)
    lost = np.isin(before, hot) & ~np.isin(after, hot)
    return route_sums(true, lost.astype(np.float64))


def _most_visited(visits: Cells, share: float) -> NDArray[np.int64]:
    """The numbers of the most visited places; of equally visited ones the lower number comes first."""
    places, counts = np.unique(visits, return_counts=True)
    many = int(np.ceil(share * places.size - 1e-9))
    return np.asarray(places[np.argsort(-counts, kind="stable")[:many]])


def _rounding(space: Space, places: Places) -> CellGrid | PointSet:
    if isinstance(places, (CellGrid, PointSet)):
        return places
    if isinstance(places, tuple) and len(places) == 2 and all(isinstance(side, int) for side in places):
        return CellGrid(space, *places)
    return PointSet(space, places)


def _numbers(rounding: CellGrid | PointSet, routes: Routes) -> Cells:
    """The number of the place that each point is rounded to."""
    if isinstance(rounding, CellGrid):
        return rounding.cell_of(routes.points)
    return rounding.nearest(routes.points)
