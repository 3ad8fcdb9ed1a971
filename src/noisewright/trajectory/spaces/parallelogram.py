"""The parallelogram: the space of a slanted city grid, an airfield, a field."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.trajectory.spaces.base import Flags, Space, spread_square
from noisewright.trajectory.spaces.polygon import Outline, Pair, pair
from noisewright.trajectory.spaces.rectangle import HalfPlanes


@dataclass(frozen=True)
class Parallelogram(Space):
    """The points corner + u·first + v·second with u and v from 0 to 1.

    Its axes run along its sides, each as long as the side: coordinates are u·|first| and v·|second|.

    Args:
        corner: One corner (x, y).
        first: The way (Δx, Δy) from the corner along the first side.
        second: The way along the second side, in another direction.

    >>> field = Parallelogram(corner=(0, 0), first=(2, 0), second=(1, 1))
    >>> field.axes, field.to_axes(np.array([2.0, 0.5]))    # three quarters along, half up
    ((Interval(0.0, 2.0), Interval(0.0, 1.4142135623730951)), array([1.5       , 0.70710678]))
    """

    corner: Pair
    first: Pair
    second: Pair
    kind: ClassVar[str] = "parallelogram"

    def __post_init__(self) -> None:
        for name, what in (("corner", "corner"), ("first", "first side"), ("second", "second side")):
            object.__setattr__(self, name, pair(f"the {what} of a parallelogram", getattr(self, name)))
        thickness = abs(self.outline.area) / max(self.sizes.max() ** 2, 5e-324)
        if not thickness > 1e-9:
            raise InvalidParameter("the sides of a parallelogram must point in different directions")
        _ = self.axes  # refuses sides too long or too short for a lattice

    @property
    def edges(self) -> Floats:
        """The two sides as rows."""
        return np.array([self.first, self.second])

    @property
    def sizes(self) -> Floats:
        """The lengths of the two sides."""
        return np.array([math.hypot(*self.first), math.hypot(*self.second)])

    @cached_property
    def outline(self) -> Outline:
        """The border."""
        around = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        return Outline(self.corner + around @ self.edges)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        (left, bottom), (right, top) = self.outline.corners.min(axis=0), self.outline.corners.max(axis=0)
        return float(left), float(bottom), float(right), float(top)

    @property
    def centre(self) -> Floats:
        return np.asarray(self.corner + self.edges.sum(axis=0) / 2)

    @property
    def diameter(self) -> float:
        along, across = self.edges.sum(axis=0), self.edges[0] - self.edges[1]
        return max(math.hypot(*along), math.hypot(*across))

    @cached_property
    def sides(self) -> HalfPlanes:
        """The four sides as half-planes, for points relative to the corner."""
        inward = np.linalg.inv(self.edges).T  # inward[i] · p is the coefficient of side i
        lengths = np.hypot(*inward.T)
        normals = inward / lengths[:, None]
        return HalfPlanes(np.concatenate([normals, -normals]), np.concatenate([1 / lengths, np.zeros(2)]))

    def contains(self, points: ArrayLike) -> Flags:
        return self.sides.contains(np.asarray(points, dtype=np.float64) - self.corner, self.outline.slack)

    def project(self, points: Floats) -> Floats:
        outside = ~self.contains(points)
        moved = np.array(points, dtype=np.float64)
        moved[outside] = self.outline.nearest(moved[outside])
        return moved

    def spread(self, count: int) -> Floats:
        return np.asarray(self.corner + spread_square(count) @ self.edges)

    @cached_property
    def axes(self) -> tuple[Interval, Interval]:
        first, second = self.sizes.tolist()
        return Interval(0.0, first), Interval(0.0, second)

    def to_axes(self, points: Floats) -> Floats:
        coefficients = (points - self.corner) @ np.linalg.inv(self.edges)
        return np.clip(coefficients, 0.0, 1.0) * self.sizes

    def from_axes(self, coordinates: Floats) -> Floats:
        return np.asarray(self.corner + np.clip(coordinates / self.sizes, 0.0, 1.0) @ self.edges)

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.sides.to_polar(references - self.corner, points - self.corner)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        return self.project(self.corner + self.sides.from_polar(references - self.corner, angles, shares))
