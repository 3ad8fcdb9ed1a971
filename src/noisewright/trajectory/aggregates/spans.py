"""Stretches of one coordinate, known from outside and from inside.

A box on a map need not be a box along the coordinates that a mechanism randomizes. So a span has two pairs of
ends: whoever is in the region is between the *outer* ends, and whoever is between the *inner* ends of both
coordinates is in the region. Where the region is a box along the coordinates, both pairs are the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from noisewright.domains import Cells, Circle, NumericDomain
from noisewright.estimate.partition import equal_bins
from noisewright.trajectory.spaces.base import Flags

Ends = tuple[float, float]


@dataclass(frozen=True)
class Span:
    """A stretch of a coordinate from low to high ≥ low; on a circle, onward, and high may be past a turn."""

    outer: Ends
    inner: Ends | None

    @classmethod
    def between(cls, low: float, high: float) -> Span:
        """A stretch whose ends are known exactly."""
        return cls((low, high), (low, high))

    def touched(self, domain: NumericDomain, cells: Cells) -> Flags:
        """Which lattice cells hold a value that may be in the span."""
        first, length = _stretch(domain, self.outer)
        after = _after(domain, cells, first)
        return np.asarray((after >= 0) & (after <= length))

    def filled(self, domain: NumericDomain, cells: Cells) -> Flags:
        """Which lattice cells hold only values that are surely in the span."""
        if self.inner is None:
            return np.zeros(cells.shape, dtype=np.bool_)
        low, high = self.inner
        first, length = _stretch(domain, self.inner)
        after = _after(domain, cells, first)
        if isinstance(domain, Circle):
            return np.asarray(((after > 0) & (after < length)) | (high - low >= domain.length))
        begun = (after > 0) | (low <= domain.start)
        return np.asarray(begun & ((after < length) | (high >= domain.start + domain.length)))

    def ends(self, domain: NumericDomain) -> Cells:
        """The lattice cells around the ends, where the two answers above change."""
        values = np.array([*self.outer, *(self.inner or ())])
        near = np.floor(domain.position(values)).astype(np.int64)[:, None] + np.array([-1, 0, 1])
        if isinstance(domain, Circle):
            return np.unique(near % domain.lattice)
        return np.unique(np.clip(near, 0, domain.lattice - 1))


def equal_spans(domain: NumericDomain, count: int) -> tuple[Span, ...]:
    """A coordinate cut into equal spans."""
    return tuple(Span.between(low, high) for low, high in pairwise(equal_bins(domain, count).tolist()))


def _stretch(domain: NumericDomain, ends: Ends) -> tuple[int, int]:
    """The lattice cell of the low end, and how many cells further the high end lies."""
    low, high = np.floor(domain.position(np.array(ends))).astype(np.int64)
    return int(low), int(high - low)


def _after(domain: NumericDomain, cells: Cells, first: int) -> Cells:
    """How many cells after the first one each cell comes; on a circle, going round."""
    after = cells - first
    return np.asarray(after % domain.lattice if isinstance(domain, Circle) else after)
