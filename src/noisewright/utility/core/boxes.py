"""Regions of the sensitive space as unions of disjoint boxes, and their probability under a whole curve.

Wherever a model's answer is constant on boxes, its utility is a closed-form sum: a channel puts
Π_i [F_i(high) − F_i(low)] into a box, whatever the mechanism and ε.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from noisewright.domains import Floats
from noisewright.errors import InvalidParameter
from noisewright.utility.core.channels import Channel
from noisewright.utility.core.curve import Curve


@dataclass(frozen=True, eq=False)
class Boxes:
    """A union of disjoint boxes in unit coordinates: low < u ≤ high on every axis.

    Args:
        low: Lower corners, one row per box and one column per axis; they may be infinite.
        high: Upper corners.

    >>> from noisewright.utility.core.curve import make_curve
    >>> middle = Boxes(np.array([[0.2]]), np.array([[0.8]]))
    >>> middle.masses(make_curve(["OGPM"], [2.0]), np.array([0.5])).round(3)
    array([[0.853]])
    """

    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        if self.low.ndim != 2 or self.low.shape != self.high.shape:
            raise InvalidParameter("boxes need low and high corners of the same shape, one row per box")

    def __len__(self) -> int:
        return len(self.low)

    def masses(self, curve: Curve, units: Floats) -> Floats:
        """Return the probability of a report in the region, for every mechanism and ε.

        Args:
            curve: The mechanisms and ε.
            units: The true values in unit coordinates, one per axis.
        """
        shares = [self._share(channel, units) for channel in curve.flat()]
        return np.asarray(np.clip(shares, 0.0, 1.0).reshape(curve.shape))

    def _share(self, channel: Channel, units: Floats) -> float:
        """Return the probability of the region under one channel."""
        if not len(self):
            return 0.0
        shares = np.ones(len(self))
        for axis, unit in enumerate(units):
            ends = (channel.lattice.count_to(side[:, axis]) for side in (self.low, self.high))
            low, high = (channel.below(unit, end) for end in ends)
            shares *= high - low
        return float(shares.sum())
