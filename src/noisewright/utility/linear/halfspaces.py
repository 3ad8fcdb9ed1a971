"""The region where a linear model keeps its answer: an intersection of half-spaces of the sensitive features.

All other features of a record are fixed, so each score is a constant plus a weighted sum of the reports. In
unit coordinates u the region is {u : coefficients·u + constants > 0 in every row}. Reports whose score is
within ``margins`` of 0 are undecided: floating-point sums may put them on either side. With one sensitive
feature the half-spaces are half-lines and leave one interval of cells, :class:`Intervals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import Channel, Lattice
from noisewright.utility.core.records import Records
from noisewright.utility.linear.model import LinearModel

INWARD, OUTWARD = -1.0, 1.0
"""Signs for a region without its undecided part, and with it."""

DOUBLE = 2.0**-49
"""A bound on the relative error of a few operations on doubles."""


@dataclass(frozen=True, eq=False)
class Halfspaces:
    """The regions of several records with the same reference; they differ in their constants only.

    ``coefficients`` has a row for each half-space and a column for each sensitive feature; ``constants`` and
    ``margins`` have a row for each record and a column for each half-space. A margin grows by ``spread`` for
    every interval length between a report and the low end.
    """

    coefficients: Floats
    constants: Floats
    margins: Floats
    spread: Floats

    @classmethod
    def of(cls, model: LinearModel, records: Records, reference: int) -> Halfspaces:
        """Return the regions in which records keep a reference answer."""
        scores = model.boundaries(reference)
        columns = [one.column for one in records.sensitive]
        low = np.array([one.domain.low for one in records.sensitive])
        length = np.array([one.domain.length for one in records.sensitive])
        fixed, sizes = records.values.copy(), np.abs(records.values)
        fixed[:, columns] = low
        sizes[:, columns] = np.abs(low) + length  # a report is computed by adding both
        return cls(
            scores.weights[:, columns] * length,
            fixed @ scores.weights.T + scores.intercept,
            sizes @ scores.weight_noise.T + scores.intercept_noise,
            scores.weight_noise[:, columns] @ length,
        )

    def take(self, which: Cells) -> Halfspaces:
        """Return the regions of some of the records."""
        return replace(self, constants=self.constants[which], margins=self.margins[which])

    def on(self, features: Sequence[int] | Cells) -> Halfspaces:
        """Return the same regions with the features in another order, or without features of weight 0."""
        return replace(self, coefficients=np.ascontiguousarray(self.coefficients[:, features]))

    def on_cells(self, lattice: Lattice) -> Halfspaces:
        """Return the same regions in numbers of report cells: u = the centre of cell k."""
        first = lattice.start + 0.5 * lattice.pitch
        furthest = max(abs(lattice.start), abs(lattice.start + lattice.cells * lattice.pitch))
        return replace(
            self,
            coefficients=self.coefficients * lattice.pitch,
            constants=self.constants + first * self.coefficients.sum(axis=1),
            margins=self.margins + furthest * self.spread,
        )

    def sure(self, cells: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which records keep their answer for all reports, and which never do."""
        steps = self.coefficients * (cells - 1)
        least = self.constants + np.minimum(steps, 0).sum(axis=1)
        most = self.constants + np.maximum(steps, 0).sum(axis=1)
        return (least > self.margins).all(axis=1), (most < -self.margins).any(axis=1)


@dataclass(frozen=True, eq=False)
class Intervals:
    """For each record the cells [first, last) that surely keep its answer, and those that may keep it."""

    surely: tuple[Cells, Cells]
    maybe: tuple[Cells, Cells]

    @classmethod
    def of(cls, regions: Halfspaces, cells: int) -> Self:
        """Return the intersections of half-lines, in numbers of cells."""
        return cls(interval_cells(regions, cells, INWARD), interval_cells(regions, cells, OUTWARD))

    def bounds(self, channel: Channel, units: Floats) -> tuple[Floats, Floats]:
        """Return lower and upper bounds for the probability that each record keeps its answer."""
        low, high = (
            np.maximum(channel.below(units[:, 0], last) - channel.below(units[:, 0], first), 0.0)
            for first, last in (self.surely, self.maybe)
        )
        return low, high


def interval_cells(regions: Halfspaces, cells: int, outward: float) -> tuple[Cells, Cells]:
    """Return the cells [first, last) inside all half-lines, moved outward by the rounding error."""
    slope = regions.coefficients[:, 0]
    room = regions.constants + outward * regions.margins
    with np.errstate(divide="ignore", invalid="ignore"):
        place = -room / slope  # of the score's zero, in cells
    place -= np.sign(slope) * outward * DOUBLE * (np.abs(place) + cells)
    first = np.where(slope > 0, np.ceil(np.clip(place, 0, cells)), 0.0).max(axis=1, initial=0)
    last = np.where(slope < 0, np.floor(np.clip(place, -1, cells - 1)) + 1, cells).min(axis=1, initial=cells)
    last[((slope == 0) & (room < 0)).any(axis=1)] = 0.0
    return first.astype(np.int64), np.maximum(first, last).astype(np.int64)
