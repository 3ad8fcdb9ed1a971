"""The rectangle: the space of a floor plan, of a map in metres, of a city small enough to be flat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats, Interval
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.trajectory.spaces.base import Flags, Space, spread_square
from noisewright.trajectory.spaces.convex import HalfPlanes


@dataclass(frozen=True)
class Rectangle(Space):
    """Points between two vertical and two horizontal lines, which belong to it.

    >>> square = Rectangle(0, 0, 1, 1)
    >>> angle, share = square.to_polar(square.centre, np.array([0.75, 0.5]))
    >>> float(angle), float(share)    # to the right, half of the way to the side
    (0.0, 0.5)
    """

    left: float
    bottom: float
    right: float
    top: float
    kind: ClassVar[str] = "rectangle"

    def __post_init__(self) -> None:
        for side in ("left", "bottom", "right", "top"):
            object.__setattr__(self, side, real(f"the {side} of a rectangle", getattr(self, side)))
        if not (self.left < self.right and self.bottom < self.top):
            raise InvalidParameter(
                f"a rectangle needs left < right and bottom < top, got {self.left}, {self.bottom}, "
                f"{self.right}, {self.top} (in the order left, bottom, right, top)"
            )
        _ = self.axes  # refuses sides too long or too short for a lattice

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.left, self.bottom, self.right, self.top

    @property
    def plane(self) -> Rectangle:
        return self

    @property
    def size(self) -> Floats:
        """Width and height."""
        return np.array([self.right - self.left, self.top - self.bottom])

    @property
    def centre(self) -> Floats:
        return np.array([self.left + self.right, self.bottom + self.top]) / 2

    @property
    def diameter(self) -> float:
        return math.hypot(*self.size)

    def contains(self, points: ArrayLike) -> Flags:
        x, y = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
        return np.asarray((x >= self.left) & (x <= self.right) & (y >= self.bottom) & (y <= self.top))

    def project(self, points: Floats) -> Floats:
        return np.clip(points, (self.left, self.bottom), (self.right, self.top))

    def spread(self, count: int) -> Floats:
        return np.asarray((self.left, self.bottom) + spread_square(count) * self.size)

    @cached_property
    def axes(self) -> tuple[Interval, Interval]:
        return Interval(self.left, self.right), Interval(self.bottom, self.top)

    @property
    def upright(self) -> bool:
        return True

    def to_axes(self, points: Floats) -> Floats:
        return points

    def from_axes(self, coordinates: Floats) -> Floats:
        return self.project(coordinates)

    @cached_property
    def sides(self) -> HalfPlanes:
        """The four sides as half-planes."""
        normals = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
        return HalfPlanes(normals, np.array([self.right, self.top, -self.left, -self.bottom]))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.sides.to_polar(references, points)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        return self.project(self.sides.from_polar(references, angles, shares))
