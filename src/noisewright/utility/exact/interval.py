"""Exact utilities for one sensitive feature: the half-lines of a linear model leave one interval of cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.utility.channels import Channel
from noisewright.utility.exact.halfspaces import DOUBLE, INWARD, OUTWARD, Halfspaces


@dataclass(frozen=True, eq=False)
class Intervals:
    """For each record the cells [first, last) that surely keep its answer, and those that may keep it."""

    surely: tuple[Cells, Cells]
    maybe: tuple[Cells, Cells]

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """The intervals that half-lines, in numbers of cells, leave."""
        return cls(_cells(regions, cells, INWARD), _cells(regions, cells, OUTWARD))

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Lower and upper bounds for the probability that each record keeps its answer."""
        low, high = (
            np.maximum(channel.below(units[:, 0], last) - channel.below(units[:, 0], first), 0.0)
            for first, last in (self.surely, self.maybe)
        )
        return low, high


def _cells(regions: Halfspaces, cells: int, outward: float) -> tuple[Cells, Cells]:
    """The cells that all half-lines leave, moved outward by what rounding can do."""
    slope = regions.coefficients[:, 0]
    room = regions.constants + outward * regions.margins
    with np.errstate(divide="ignore", invalid="ignore"):
        place = -room / slope  # of the score's zero, in cells
    place -= np.sign(slope) * outward * DOUBLE * (np.abs(place) + cells)
    first = np.where(slope > 0, np.ceil(np.clip(place, 0, cells)), 0.0).max(axis=1)
    last = np.where(slope < 0, np.floor(np.clip(place, -1, cells - 1)) + 1, cells).min(axis=1)
    last[((slope == 0) & (room < 0)).any(axis=1)] = 0.0
    return first.astype(np.int64), np.maximum(first, last).astype(np.int64)
