"""Regions of the sensitive space as unions of disjoint boxes, and their probability under a whole curve.

Wherever a model's answer is constant on boxes, its utility is a closed-form sum: a channel puts
Π_i [F_i(high) − F_i(low)] into a box, whatever the mechanism and ε. ``Regions`` holds the boxes of many
records, so that one pass over the channels serves a whole data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.errors import InvalidParameter
from noisewright.utility.channels import Channel
from noisewright.utility.curve import Curve

_AT_ONCE = 1 << 21
"""Boxes held in memory at a time."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """A union of disjoint boxes in unit coordinates: low < u ≤ high on every axis; infinite ends are fine.

    >>> from noisewright.utility.curve import make_curve
    >>> middle = Boxes(np.array([[0.2]]), np.array([[0.8]]))
    >>> middle.masses(make_curve(["OGPM"], [2.0]), np.array([0.5])).round(3)
    array([[0.853]])
    """

    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        if self.low.ndim != 2 or self.low.shape != self.high.shape:
            raise InvalidParameter("boxes need low and high corners of the same shape, one row a box")

    def __len__(self) -> int:
        return len(self.low)

    @classmethod
    def none(cls, axes: int) -> Boxes:
        """The empty region."""
        return cls(np.empty((0, axes)), np.empty((0, axes)))

    @classmethod
    def everywhere(cls, axes: int) -> Boxes:
        """The whole space."""
        return cls(np.full((1, axes), -np.inf), np.full((1, axes), np.inf))

    def masses(self, curve: Curve, units: Floats) -> Floats:
        """The probability of a report in the region, for every mechanism and ε."""
        return np.asarray(Regions.of([self]).masses(curve, np.asarray(units)[None, :])[0])


@dataclass(frozen=True, eq=False)
class Regions:
    """The boxes of many records, one after the other; record r owns those from ``starts[r]`` on."""

    low: Floats
    high: Floats
    starts: Cells

    @classmethod
    def of(cls, boxes: Sequence[Boxes]) -> Regions:
        """The regions of several records."""
        counts = [len(region) for region in boxes]
        return cls(
            np.concatenate([region.low for region in boxes]),
            np.concatenate([region.high for region in boxes]),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        )

    def masses(self, curve: Curve, units: Floats) -> Floats:
        """The probability of each record's region for every mechanism and ε, as (records, mechanisms, ε)."""
        records = self.starts.size - 1
        result = np.zeros((len(curve.flat()), records))
        for first, last in self._pieces():
            piece = slice(self.starts[first], self.starts[last])
            owners = np.repeat(np.arange(first, last), np.diff(self.starts[first : last + 1]))
            for at, channel in enumerate(curve.flat()):
                share = self._shares(channel, piece, units[owners])
                result[at] += np.bincount(owners, weights=share, minlength=records)
        return np.clip(result.T.reshape(records, *curve.shape), 0.0, 1.0)

    def _shares(self, channel: Channel, piece: slice, units: Floats) -> Floats:
        """The probability of each box under one channel."""
        share = np.ones(piece.stop - piece.start)
        for axis in range(self.low.shape[1]):
            ends = (channel.lattice.count_to(side[piece, axis]) for side in (self.low, self.high))
            low, high = (channel.below(units[:, axis], end) for end in ends)
            share *= high - low
        return share

    def _pieces(self) -> Iterable[tuple[int, int]]:
        """Ranges of records that together have few enough boxes."""
        first, records = 0, self.starts.size - 1
        while first < records:
            last = int(np.searchsorted(self.starts, self.starts[first] + _AT_ONCE, side="right")) - 1
            last = min(max(last, first + 1), records)
            if self.starts[last] > self.starts[first]:
                yield first, last
            first = last
