"""The likelihood of reports of TraCS-C: a product of one factor for each axis, which makes it cheap.

Reports are counted on a fine table of parts over the axes. In a disk or polygon a pair of reported
coordinates may fall outside, and was then moved to the boundary: the part it fell into is *merged* with the
part it was moved to, and the probabilities of merged parts add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.estimate.em import Evidence
from noisewright.trajectory.mechanisms import TraCSC
from noisewright.trajectory.reconstruction.grid import Grid, Singles
from noisewright.trajectory.reconstruction.likelihood import LEAST, ONE_HELD_IN, Likelihood, held_matrix
from noisewright.trajectory.spaces import Space
from noisewright.trajectory.spaces.base import interval_of

PARTS = 256
SEED = 20_260_601


class AxisLikelihood(Likelihood):
    """What the reports of TraCS-C say about the cells of a grid."""

    def __init__(self, mechanism: TraCSC, reports: Floats, grid: Grid) -> None:
        super().__init__(grid)
        self._channel = PlaneChannel(
            held_matrix(mechanism.first, grid.edges(0), PARTS),
            held_matrix(mechanism.second, grid.edges(1), PARTS),
            merged_parts(mechanism.space),
        )
        axes = mechanism.space.to_axes(reports)
        first, second = (interval_of(axes[:, i], axis, PARTS) for i, axis in enumerate(mechanism.space.axes))
        self._parts = first * PARTS + second
        if self._channel.target is not None:
            self._parts = self._channel.target[self._parts]

    def of(self, rows: Cells) -> Singles:
        parts = self._parts[rows]
        first, second = (side[part] for side, part in zip(self._columns, divmod(parts, PARTS), strict=True))
        found = (first[:, :, None] * second[:, None, :]).reshape(rows.size, -1)
        for part in np.unique(parts[self._is_merged(parts)]):
            found[parts == part] = self._channel.column(int(part))
        return np.asarray(found)

    def joint(self, rows: Cells, starts: Cells) -> tuple[Singles, Floats]:
        parts = self._parts[rows]
        if starts.size == rows.size:
            return self.of(rows), np.zeros(rows.size)
        if self._is_merged(parts).any():
            return super().joint(rows, starts)
        sums = [
            np.add.reduceat(np.log(np.maximum(side[part], LEAST)), starts, axis=0)
            for side, part in zip(self._columns, divmod(parts, PARTS), strict=True)
        ]
        return self._scale((sums[0][:, :, None] + sums[1][:, None, :]).reshape(starts.size, -1))

    def evidence(self, rows: Cells) -> tuple[Evidence, Evidence]:
        seen = np.bincount(self._parts[rows], minlength=PARTS**2)
        held = np.random.default_rng(SEED).binomial(seen, 1 / ONE_HELD_IN)
        kept, judged = (seen - held).astype(np.float64), held.astype(np.float64)
        return Evidence([self._channel], [kept]), Evidence([self._channel], [judged])

    @cached_property
    def _columns(self) -> tuple[Singles, Singles]:
        """The probability (times the number of parts) of every part of each axis, for each interval."""
        first, second = ((side.T * PARTS).astype(np.float32) for side in self._channel.sides)
        return np.ascontiguousarray(first), np.ascontiguousarray(second)

    def _is_merged(self, parts: Cells) -> NDArray[np.bool_]:
        target = self._channel.target
        return np.zeros(parts.size, dtype=np.bool_) if target is None else self._channel.crowd[parts] > 1


@dataclass(frozen=True, eq=False)
class PlaneChannel:
    """The channel between cells of the grid and parts of the plane of reports, as EM needs it."""

    first: Floats
    second: Floats
    target: Cells | None
    """For every part, the part that its reports are moved to; None if they all stay."""

    @property
    def sides(self) -> tuple[Floats, Floats]:
        """The channels of the two axes."""
        return self.first, self.second

    @cached_property
    def crowd(self) -> Cells:
        """The number of parts that are moved to each part."""
        assert self.target is not None
        return np.bincount(self.target, minlength=self.target.size)

    def forward(self, shares: Floats) -> Floats:
        """Return expected shares of reports in the parts, from shares of people in the cells."""
        table = self.first.T @ shares.reshape(len(self.first), -1) @ self.second
        if self.target is None:
            return table.reshape(-1)
        return np.asarray(np.bincount(self.target, table.reshape(-1), minlength=table.size), dtype=np.float64)

    def backward(self, parts: Floats) -> Floats:
        """Return the expectation of a number given for each part, for the people of each cell."""
        flat = parts if self.target is None else parts[self.target]
        table = flat.reshape(self.first.shape[1], -1)
        return np.asarray(self.first @ table @ self.second.T).reshape(-1)

    def matrix(self) -> Floats:
        """Return the probability of each part (columns) for the people of each cell (rows)."""
        size = len(self.first) * len(self.second)
        return np.array([self.forward(row) for row in np.eye(size)])

    def column(self, part: int) -> Singles:
        """Return the probability of one part (times the number of parts) in each cell."""
        assert self.target is not None
        first, second = divmod(np.flatnonzero(self.target == part), self.second.shape[1])
        scale = self.first.shape[1] * self.second.shape[1]
        table = self.first[:, first] @ self.second[:, second].T
        return np.asarray(table * scale, dtype=np.float32).reshape(-1)


def merged_parts(space: Space) -> Cells | None:
    """Return for every part of the plane of reports the part to which its reports are moved."""
    if space.upright:
        return None
    plane = Grid(space, PARTS)
    stays = plane.cell_of(plane.centres) == np.arange(plane.size)
    if stays.all() or not stays.any():
        return None
    from scipy.spatial import cKDTree  # noqa: PLC0415  (scipy is slow to load)

    lengths = np.array([axis.length for axis in space.axes])
    places = space.to_axes(plane.centres) / lengths
    target = np.arange(plane.size)
    _, nearest = cKDTree(places[stays]).query(places[~stays])
    target[~stays] = np.flatnonzero(stays)[nearest]
    return target
