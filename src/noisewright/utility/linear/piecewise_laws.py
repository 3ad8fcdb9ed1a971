"""The laws of many true values under one channel, as arrays of the knots of each cumulative.

Row r belongs to the r-th true value; between two knots of a row all report cells are equally likely. Rows
have the same number of knots, so some knots may coincide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.utility.core.channels import Channel
from noisewright.utility.core.shapes import NoiseShape, TableShape, WindowShape


@dataclass(frozen=True, eq=False)
class PiecewiseLaws:
    """Knots (numbers of cells, ascending from 0 to all) and the probability of a cell below each.

    >>> from noisewright.utility.core.curve import make_curve
    >>> channel = make_curve(["OGPM"], [2.0], lattice=64).flat()[0]
    >>> PiecewiseLaws.of(channel, np.array([0.0, 0.5])).knots.tolist()
    [[0, 0, 17, 64], [0, 24, 41, 64]]
    """

    knots: Cells
    rises: Floats

    @classmethod
    def of(cls, channel: Channel, units: Floats) -> PiecewiseLaws:
        """Return the laws of true values in unit coordinates."""
        shape, inputs = channel.shape, channel.inputs(units)
        if isinstance(shape, WindowShape):
            return _of_window(shape, inputs)
        if isinstance(shape, NoiseShape):
            return _of_noise(shape, inputs)
        if isinstance(shape, TableShape):
            return _of_table(shape, inputs)
        return _of_any(channel, units)

    def rows(self, which: slice | NDArray[np.int64]) -> PiecewiseLaws:
        """Return the laws of some of the true values."""
        return PiecewiseLaws(self.knots[which], self.rises[which])

    def reverse(self) -> PiecewiseLaws:
        """Return the laws of the same reports, counted from the other end."""
        knots = self.knots[:, -1:] - self.knots[:, ::-1]
        return PiecewiseLaws(knots, self.rises[:, -1:] - self.rises[:, ::-1])

    def ends(self) -> tuple[Floats, Floats]:
        """Return the probability of the first and of the last cell, if they are separate runs."""
        first = np.where(self.knots[:, 1] == 1, self.rises[:, 1] - self.rises[:, 0], 0.0)
        alone = self.knots[:, -1] - self.knots[:, -2] == 1
        return first, np.where(alone, self.rises[:, -1] - self.rises[:, -2], 0.0)

    def without_ends(self) -> PiecewiseLaws:
        """Return the laws without the part in ``ends``; they no longer add up to 1."""
        first, last = self.ends()
        least, most = first[:, None], (self.rises[:, -1] - last)[:, None]
        return PiecewiseLaws(self.knots, np.clip(self.rises, least, most) - least)


def _of_window(shape: WindowShape, inputs: Cells) -> PiecewiseLaws:
    window = shape.window
    begin = window.begin(inputs)
    knots = np.empty((inputs.size, 4), dtype=np.int64)
    knots[:, 0], knots[:, 1], knots[:, 2], knots[:, 3] = 0, begin, begin + window.width, window.cells
    rises = knots.astype(np.float64) * (window.anywhere / window.cells)
    rises[:, 2:] += 1 - window.anywhere
    return PiecewiseLaws(knots, rises)


def _of_noise(shape: NoiseShape, inputs: Cells) -> PiecewiseLaws:
    # Noise beyond the ends is moved to the first and the last cell: each is a run of one cell.
    edges = np.array([0, 1, shape.cells - 1, shape.cells])
    heights = shape.below(inputs[:, None], edges)
    knots = np.empty((inputs.size, shape.offsets.size + 4), dtype=np.int64)
    rises = np.empty(knots.shape)
    for filled, ends in ((knots, edges), (rises, heights)):
        filled[:, :2], filled[:, -2:] = ends[..., :2], ends[..., 2:]
    inner = knots[:, 2:-2]
    np.add(shape.offsets, inputs[:, None] + shape.margin, out=inner)
    np.clip(inner, 1, shape.cells - 1, out=inner)
    np.clip(shape.cumulative, heights[:, 1:2], heights[:, 2:3], out=rises[:, 2:-2])
    return PiecewiseLaws(knots, rises)


def _of_table(shape: TableShape, inputs: Cells) -> PiecewiseLaws:
    rises = shape.rises(shape.rows(inputs))
    return PiecewiseLaws(np.tile(np.arange(shape.points + 1), (inputs.size, 1)), rises)


def _of_any(channel: Channel, units: Floats) -> PiecewiseLaws:
    laws = [channel.law(float(unit)) for unit in units]
    longest = max(law.knots.size for law in laws)
    padded = [(0, longest - law.knots.size) for law in laws]
    return PiecewiseLaws(
        np.stack([np.pad(law.knots, pad, mode="edge") for law, pad in zip(laws, padded, strict=True)]),
        np.stack([np.pad(law.cumulative, pad, mode="edge") for law, pad in zip(laws, padded, strict=True)]),
    )


def laws_of_features(channel: Channel, units: Floats) -> list[PiecewiseLaws]:
    """Return the laws of each sensitive feature of some records, one row of unit coordinates per record."""
    laws = PiecewiseLaws.of(channel, units.T.reshape(-1))
    return [laws.rows(slice(at, at + len(units))) for at in range(0, units.size, len(units))]
