"""A closed line of straight sides: what is inside it, and which of its points is nearest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noisewright.domains import Floats
from noisewright.trajectory.spaces.base import Flags

AT_ONCE = 1 << 20
"""Pairs of a point and a side that are looked at together, so that memory stays small."""


@dataclass(frozen=True, eq=False)
class Outline:
    """The sides between consecutive corners (corners × 2); the last leads back to the first."""

    corners: Floats

    @cached_property
    def steps(self) -> Floats:
        """From each corner to the next."""
        return np.roll(self.corners, -1, axis=0) - self.corners

    @property
    def area(self) -> float:
        """The area inside, by the shoelace formula; negative if the corners go round clockwise."""
        return float(cross(self.corners - self.corners[0], self.steps).sum() / 2)

    @property
    def centroid(self) -> Floats:
        """The centre of mass of the area."""
        start = self.corners - self.corners[0]
        weights = cross(start, self.steps)
        return np.asarray(
            self.corners[0] + (weights[:, None] * (2 * start + self.steps)).sum(axis=0) / (3 * weights.sum())
        )

    @property
    def slack(self) -> float:
        """How far rounding may carry a point of the outline off it: sixteen units in the last place."""
        return 16 * float(np.spacing(np.abs(self.corners).max()))

    def surrounds(self, points: Floats) -> Flags:
        """Which points lie inside: a ray to the right crosses the outline an odd number of times."""
        return self._in_blocks(self._crossed_oddly, points).astype(np.bool_)

    def nearest(self, points: Floats) -> Floats:
        """The nearest point of the outline to each point."""
        return self._in_blocks(self._nearest, points, 2)

    def distance(self, points: Floats) -> Floats:
        """How far each point is from the outline."""
        gap = points - self.nearest(points)
        return np.asarray(np.hypot(gap[..., 0], gap[..., 1]))

    def crosses_itself(self) -> bool:
        """Whether sides meet anywhere but at the corner that two neighbours share, or double back there."""
        ahead = np.roll(self.steps, -1, axis=0)
        doubled = (cross(self.steps, ahead) == 0) & ((self.steps * ahead).sum(axis=1) <= 0)
        return bool(doubled.any()) or any(self._meets_others(side) for side in range(len(self.corners) - 2))

    def _meets_others(self, side: int) -> bool:
        """Whether a side meets a later one that is not its neighbour."""
        last = len(self.corners) - (side == 0)  # the last side is a neighbour of the first
        start, end = self.corners[side], self.corners[side] + self.steps[side]
        starts, steps = self.corners[side + 2 : last], self.steps[side + 2 : last]
        ends = starts + steps
        overlap = (np.maximum(starts, ends) >= np.minimum(start, end)) & (
            np.minimum(starts, ends) <= np.maximum(start, end)
        )
        parts = np.sign(cross(end - start, starts - start)) * np.sign(cross(end - start, ends - start))
        parted = np.sign(cross(steps, start - starts)) * np.sign(cross(steps, end - starts))
        return bool((overlap.all(axis=1) & (parts <= 0) & (parted <= 0)).any())

    def _crossed_oddly(self, points: Floats) -> Flags:
        x, y = points[:, :1], points[:, 1:]
        (left, low), (across, up) = self.corners.T, self.steps.T
        spans = (low > y) != (np.roll(low, -1) > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            right_of = x < left + across * ((y - low) / up)
        return np.asarray((spans & right_of).sum(axis=1) % 2 == 1)

    def _nearest(self, points: Floats) -> Floats:
        along = ((points[:, None] - self.corners) * self.steps).sum(axis=-1)
        shares = np.clip(along / (self.steps**2).sum(axis=-1), 0.0, 1.0)
        feet = self.corners + shares[..., None] * self.steps
        best = ((points[:, None] - feet) ** 2).sum(axis=-1).argmin(axis=1)
        return np.asarray(feet[np.arange(len(points)), best])

    def _in_blocks(self, work: Callable[[Floats], Floats | Flags], points: Floats, *shape: int) -> Floats:
        """Do the work for blocks of points, in the shape that the points come in."""
        flat = points.reshape(-1, 2)
        result = np.empty((len(flat), *shape))
        rows = max(1, AT_ONCE // len(self.corners))
        for at in range(0, len(flat), rows):
            result[at : at + rows] = work(flat[at : at + rows])
        return result.reshape(*points.shape[:-1], *shape)


def cross(first: Floats, second: Floats) -> Floats:
    """Twice the area of the triangle that two steps span; positive if the second turns left."""
    return np.asarray(first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0])
