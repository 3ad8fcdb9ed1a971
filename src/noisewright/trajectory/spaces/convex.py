"""Polar coordinates in a convex area of straight sides, given by its half-planes.

Side i is the line n·p = c, and the area is where n·p ≤ c for all sides. From a reference r inside, the way in
direction d reaches the boundary after 1/g lengths of d, where

    g(d) = max over sides of (n·d) / (c − n·r),

so g is at once the share of the way of the point r + d. No angle is needed for it, and d = 0 has share 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats

TURN = 2 * np.pi


@dataclass(frozen=True, eq=False)
class HalfPlanes:
    """The sides of a convex area: outward normals (sides × 2) and their offsets."""

    normals: Floats
    offsets: Floats

    def contains(self, points: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Which points lie on the inner side of every line; what is no number lies nowhere."""
        with np.errstate(invalid="ignore"):  # some processors complain of NaN in a product, others do not
            return np.asarray((points @ self.normals.T <= self.offsets).all(axis=-1))

    def share(self, references: Floats, steps: Floats) -> Floats:
        """The share of the way to the boundary that each step from its reference takes; 1 arrives."""
        room = np.maximum(self.offsets - references @ self.normals.T, 0.0)
        toward = np.maximum(steps @ self.normals.T, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(toward > 0, toward / room, 0.0)
        return np.asarray(shares.max(axis=-1))

    def to_polar(self, references: Floats, points: Floats) -> tuple[Floats, Floats]:
        """Directions in [0, 2π) and shares in [0, 1]."""
        steps = points - references
        return angle_of(steps), np.minimum(self.share(references, steps), 1.0)

    def from_polar(self, references: Floats, angles: Floats, shares: Floats) -> Floats:
        """The points of directions and shares; rounding may leave them outside by an ulp."""
        steps = unit(angles)
        with np.errstate(divide="ignore"):
            lengths = 1 / self.share(references, steps)
        return np.asarray(references + (shares * lengths)[..., None] * steps)


def angle_of(steps: Floats) -> Floats:
    """The direction of steps in [0, 2π); of no step at all, 0."""
    angles = np.arctan2(steps[..., 1], steps[..., 0])
    turned = np.where(angles < 0, angles + TURN, angles)
    return np.where(turned >= TURN, 0.0, turned)


def unit(angles: Floats) -> Floats:
    """Steps of length 1 in given directions."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)
