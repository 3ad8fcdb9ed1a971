"""The rectangle: the space of a floor plan, of a map in metres, of a city small enough to be flat.

Like every convex area of straight sides it is given by half-planes. Side i is the line n·p = c, and the area
is where n·p ≤ c for all sides. From a reference r inside, the way in direction d reaches the boundary after
1/g lengths of d, where

    g(d) = max over sides of (n·d) / (c − n·r),

so g is also the share of the way at which the point r + d lies. It needs no angle, and d = 0 has share 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.trajectory.spaces.base import Flags, Space, angle_of, spread_square, unit


@dataclass(frozen=True, eq=False)
class HalfPlanes:
    """The sides of a convex area: outward normals (sides × 2) and their offsets."""

    normals: Floats
    offsets: Floats

    def contains(self, points: Floats, slack: float) -> Flags:
        """Return which points lie inside every line, or within a slack of it; NaN lies nowhere."""
        with np.errstate(invalid="ignore"):  # some processors complain of NaN in a product, others do not
            return np.asarray((points @ self.normals.T <= self.offsets + slack).all(axis=-1))

    def share(self, references: Floats, steps: Floats) -> Floats:
        """Return the share of the way to the boundary that each step from its reference takes; 1 arrives."""
        room = np.maximum(self.offsets - references @ self.normals.T, 0.0)
        toward = np.maximum(steps @ self.normals.T, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(toward > 0, toward / room, 0.0)
        return np.asarray(shares.max(axis=-1))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Return directions in [0, 2π) and shares in [0, 1]."""
        steps = points - references
        return angle_of(steps), np.minimum(self.share(references, steps), 1.0)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        """Return the points of directions and shares; rounding may leave them outside by an ulp."""
        steps = unit(angles)
        with np.errstate(divide="ignore"):
            lengths = 1 / self.share(references, steps)
        return np.asarray(references + (shares * lengths)[..., None] * steps)


@dataclass(frozen=True)
class Rectangle(Space):
    """Points between two vertical and two horizontal lines, which belong to it.

    Args:
        left: The least x.
        bottom: The least y.
        right: The largest x, above ``left``.
        top: The largest y, above ``bottom``.

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

    @property
    def upright(self) -> bool:
        return True

    @cached_property
    def sides(self) -> HalfPlanes:
        """The four sides as half-planes."""
        normals = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
        return HalfPlanes(normals, np.array([self.right, self.top, -self.left, -self.bottom]))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        return self.sides.to_polar(references, points)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        return self.project(self.sides.from_polar(references, angles, shares))
