"""The disk: the space of whatever lies within reach of a base, a hospital or a transmitter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.parameters import real
from noisewright.trajectory.spaces.base import Flags, Space, angle_of, spread_square, unit


@dataclass(frozen=True)
class Disk(Space):
    """Points within a radius of a centre; the circle belongs to it.

    TraCS-D fits it without waste (Zheng 2026, D.2.7). The axes are those of the square around it, and a
    report in a corner of the square moves to the nearest point of the circle.

    Args:
        x: The x of the centre.
        y: The y of the centre.
        radius: The radius, above 0.

    >>> reach = Disk(0, 0, radius=10)
    >>> angle, share = reach.to_polar(np.array([5.0, 0.0]), np.array([-4.0, 0.0]))
    >>> round(float(angle), 3), float(share)    # to the left, nine of the fifteen to the circle
    (3.142, 0.6)
    """

    x: float
    y: float
    radius: float
    kind: ClassVar[str] = "disk"

    def __post_init__(self) -> None:
        for name, what in (("x", "the x of a disk"), ("y", "the y of a disk"), ("radius", "the radius")):
            object.__setattr__(self, name, real(what, getattr(self, name)))
        if self.radius <= 0:
            raise InvalidParameter(f"the radius of a disk must be above 0, got {self.radius}")
        _ = self.axes  # refuses a radius too long or too short for a lattice

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius

    @property
    def centre(self) -> Floats:
        return np.array([self.x, self.y])

    @property
    def diameter(self) -> float:
        return 2 * self.radius

    @property
    def slack(self) -> float:
        """How far rounding may move a point of the circle off it."""
        return 4 * float(np.spacing(max(abs(self.x), abs(self.y)) + self.radius))

    def contains(self, points: ArrayLike) -> Flags:
        return np.asarray(self.distance(points, self.centre) <= self.radius + self.slack)

    def project(self, points: Floats) -> Floats:
        steps = points - self.centre
        lengths = np.maximum(np.hypot(steps[..., 0], steps[..., 1]), self.radius)[..., None]
        return np.where(
            self.contains(points)[..., None], points, self.centre + steps * (self.radius / lengths)
        )

    def spread(self, count: int) -> Floats:
        square = spread_square(count)
        radii = self.radius * np.sqrt(square[:, :1])  # the area within a radius goes by its square
        return np.asarray(self.centre + radii * unit(2 * np.pi * square[:, 1]))

    def to_axes(self, points: Floats) -> Floats:
        left, bottom, right, top = self.bounds
        return np.clip(points, (left, bottom), (right, top))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        steps = points - references
        lengths = np.hypot(steps[..., 0], steps[..., 1])
        still = lengths == 0
        units = steps / np.where(still, 1.0, lengths)[..., None]  # squares of tiny steps would vanish
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = lengths / self._reach(references, np.where(still[..., None], (1.0, 0.0), units))
        return angle_of(steps), np.where(still, 0.0, np.clip(np.nan_to_num(shares), 0.0, 1.0))

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        steps = unit(angles)
        lengths = shares * self._reach(references, steps)
        return self.project(references + lengths[..., None] * steps)

    def _reach(self, references: Floats, steps: Floats) -> Floats:
        """Return how many times each step fits between its reference and the circle.

        It is the root t of |r + t·s|² = R², with r from the centre, in a form without cancellation.
        """
        offsets = references - self.centre
        length = np.hypot(offsets[..., 0], offsets[..., 1])
        room = np.maximum((self.radius - length) * (self.radius + length), 0.0)
        along, squared = (offsets * steps).sum(axis=-1), (steps**2).sum(axis=-1)
        root = np.sqrt(along**2 + room * squared)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(along > 0, room / (along + root), (root - along) / squared))
