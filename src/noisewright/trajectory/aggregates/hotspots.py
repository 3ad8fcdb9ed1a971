"""Hotspots: the cells with the most locations, and whether chance could have made them stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from noisewright.errors import InvalidParameter
from noisewright.estimate.result import LEVEL
from noisewright.parameters import is_number, whole
from noisewright.trajectory.aggregates.density import CELLS, DensityMap, density_map
from noisewright.trajectory.cells import CellOracle, CellReports
from noisewright.trajectory.location import LocationMechanism
from noisewright.trajectory.routes import Routes

TOP = 10


@dataclass(frozen=True)
class Hotspot:
    """A cell with many of the locations: its share, an interval, and whether it is surely above a threshold.

    The share is missing where the reports do not tell it.

    The intervals of all cells of the map, shown or not, hold together in a stated share of collections; so
    hardly ever is any hotspot wrongly called ``sure``.
    """

    name: str
    cell: tuple[int, int]
    centre: tuple[float, float]
    share: float | None
    low: float
    high: float
    threshold: float

    @property
    def sure(self) -> bool:
        """Whether the whole interval lies above the threshold."""
        return self.low > self.threshold

    def to_dict(self) -> dict[str, Any]:
        """The hotspot in plain JSON values."""
        return {**vars(self), "cell": list(self.cell), "centre": list(self.centre), "sure": self.sure}


def hotspots(
    reports: Routes | CellReports,
    mechanism: LocationMechanism | CellOracle,
    cells: tuple[int, int] = CELLS,
    *,
    top: int | None = None,
    share: float | None = None,
    level: float = LEVEL,
) -> list[Hotspot]:
    """The ``top`` cells by their likely share, or all with at least a ``share`` of the locations; most first.

    The threshold of a sure hotspot is ``share``, and without it the share of an even spread.

    >>> from noisewright.randomness import SeededSource
    >>> from noisewright.trajectory import Rectangle, TraCSC
    >>> mechanism = TraCSC(Rectangle(0, 0, 1, 1), epsilon=8.0)
    >>> reports = Routes.of([mechanism.perturb(np.full((2000, 2), 0.2), SeededSource(1))])
    >>> [(spot.cell, spot.sure) for spot in hotspots(reports, mechanism, (2, 2), share=0.5)]
    [((0, 0), True)]
    """
    found = density_map(reports, mechanism, cells, level, simultaneous=True)
    threshold = _threshold(share, found.likely.size)
    order = np.argsort(-found.likely, axis=None, kind="stable")
    if top is not None or share is None:
        order = order[: whole("top", TOP if top is None else top, 1, 1 << 16)]
    if share is not None:
        order = order[found.likely.reshape(-1)[order] >= threshold]
    return [_hotspot(found, int(place), threshold) for place in order]


def _threshold(share: float | None, cells: int) -> float:
    if share is None:
        return 1 / cells
    if not is_number(share) or not 0 < share < 1:
        raise InvalidParameter(f"share must be a number between 0 and 1, got {share!r}")
    return float(share)


def _hotspot(found: DensityMap, place: int, threshold: float) -> Hotspot:
    column, row = np.unravel_index(place, found.likely.shape)
    x, y = found.centres[column, row]
    low, high = float(found.low[column, row]), float(found.high[column, row])
    told = float(found.estimate[column, row])
    name, share = found.grid.names[place], None if np.isnan(told) else told
    return Hotspot(name, (int(column), int(row)), (float(x), float(y)), share, low, high, threshold)
