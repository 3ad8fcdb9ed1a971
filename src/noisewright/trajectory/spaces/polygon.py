"""The polygon: the space of a campus, a park or a district with a border of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.trajectory.spaces.base import Flags, Space, spread_inside
from noisewright.trajectory.spaces.rectangle import Rectangle

AT_ONCE = 1 << 20
"""Pairs of a point and a side that are processed together, so that memory stays small."""


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
        """How far rounding may move a point of the outline off it: sixteen units in the last place."""
        return 16 * float(np.spacing(np.abs(self.corners).max()))

    def surrounds(self, points: Floats) -> Flags:
        """Return which points lie inside: a ray to the right crosses the outline an odd number of times."""
        return self._in_blocks(self._crossed_oddly, points).astype(np.bool_)

    def holds(self, points: Floats, slack: float) -> Flags:
        """Return which points lie inside, or within a slack of the border."""
        inside = self.surrounds(points)
        inside[~inside] = self.distance(points[~inside]) <= slack
        return inside

    def nearest(self, points: Floats) -> Floats:
        """Return the nearest point of the outline to each point."""
        return self._in_blocks(self._nearest, points, 2)

    def distance(self, points: Floats) -> Floats:
        """Return how far each point is from the outline."""
        gap = points - self.nearest(points)
        return np.asarray(np.hypot(gap[..., 0], gap[..., 1]))

    def crosses_itself(self) -> bool:
        """Return whether sides meet except at the corner that two neighbours share, or double back there."""
        ahead = np.roll(self.steps, -1, axis=0)
        doubled = (cross(self.steps, ahead) == 0) & ((self.steps * ahead).sum(axis=1) <= 0)
        return bool(doubled.any()) or any(self._meets_others(side) for side in range(len(self.corners) - 2))

    def _meets_others(self, side: int) -> bool:
        """Return whether a side meets a later one that is not its neighbour."""
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
        """Apply a function to blocks of points, and return the results in the points' shape."""
        flat = points.reshape(-1, 2)
        result = np.empty((len(flat), *shape))
        rows = max(1, AT_ONCE // len(self.corners))
        for at in range(0, len(flat), rows):
            result[at : at + rows] = work(flat[at : at + rows])
        return result.reshape(*points.shape[:-1], *shape)


def cross(first: Floats, second: Floats) -> Floats:
    """Return twice the area of the triangle that two steps span; positive if the second turns left."""
    return np.asarray(first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0])


# -- the space -------------------------------------------------------------------------------------

Pair = tuple[float, float]

MOST_VERTICES = 4096
THINNEST = 1e-4
"""The least share of the rectangle around it that a polygon covers; else most reports lie on its border."""


@dataclass(frozen=True)
class Polygon(Space):
    """The area inside a closed line of straight sides, which may turn inward but not cross itself.

    Locations are randomized in the rectangle around it, and a report outside moves to the nearest point of
    the border: post-processing, which costs no privacy. The border belongs to the area.

    Args:
        vertices: 3 to 4,096 different corners (x, y) in order; the first may be repeated at the end.

    >>> corner = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])    # the shape of an L
    >>> corner.contains([(1, 0.5), (1.5, 1.5)]).tolist(), corner.project(np.array([1.5, 1.25])).tolist()
    ([True, False], [1.5, 1.0])
    """

    vertices: Sequence[Pair]
    kind: ClassVar[str] = "polygon"

    def __post_init__(self) -> None:
        vertices = [pair(f"vertex {number} of a polygon", v) for number, v in enumerate(self.vertices, 1)]
        if len(vertices) > 1 and vertices[0] == vertices[-1]:
            vertices.pop()  # files repeat the first vertex to close the line
        object.__setattr__(self, "vertices", tuple(vertices))
        if len(set(vertices)) < max(3, len(vertices)):
            raise InvalidParameter("a polygon needs at least 3 vertices, all different")
        if len(vertices) > MOST_VERTICES:
            raise InvalidParameter(f"a polygon has at most {MOST_VERTICES} vertices; simplify its border")
        if self.outline.area == 0 or self.outline.crosses_itself():
            raise InvalidParameter(
                "the sides of a polygon must enclose an area and may not cross or touch each other; "
                "give the vertices in the order in which the border passes them"
            )
        if abs(self.outline.area) < THINNEST * float(self.around.size.prod()):
            raise InvalidParameter(
                "the polygon is too thin: nearly all of the rectangle around it is outside"
            )

    @cached_property
    def outline(self) -> Outline:
        """The border."""
        return Outline(np.array(self.vertices))

    @cached_property
    def around(self) -> Rectangle:
        """The smallest upright rectangle that holds the polygon."""
        corners = self.outline.corners
        return Rectangle(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.around.bounds

    @cached_property
    def centre(self) -> Floats:
        """The centre of mass, or a point further from the border where that lies near it or outside."""
        candidates = np.concatenate([self.outline.centroid[None], self.spread(256)])
        depth = np.where(self.outline.surrounds(candidates), self.outline.distance(candidates), -1.0)
        best = int(depth.argmax())
        return np.asarray(candidates[0 if 2 * depth[0] > depth[best] else best])

    @cached_property
    def diameter(self) -> float:
        corners = self.outline.corners
        return max(float(self.distance(corner, corners).max()) for corner in corners)

    def contains(self, points: ArrayLike) -> Flags:
        array = np.asarray(points, dtype=np.float64)
        inside = np.asarray(self.around.contains(array))
        inside[inside] = self.outline.holds(array[inside], self.outline.slack)
        return inside

    def project(self, points: Floats) -> Floats:
        outside = ~self.contains(points)
        moved = np.array(points, dtype=np.float64)
        moved[outside] = self.around.project(self.outline.nearest(moved[outside]))
        return moved

    def spread(self, count: int) -> Floats:
        return spread_inside(
            count, lambda tries: self.around.project(self.around.spread(tries)), self.outline.surrounds
        )

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.around.to_polar(references, points)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        return self.project(self.around.from_polar(references, angles, shares))


def pair(what: str, values: object) -> Pair:
    """Return two finite numbers, or refuse anything else and name its purpose."""
    if not isinstance(values, (Sequence, np.ndarray)) or len(values) != 2:
        raise InvalidParameter(f"{what} must be two numbers, x and y")
    return real(what, values[0]), real(what, values[1])
