"""The likelihood of reports of TraCS-D: direction times distance, in the chart of each report's reference.

References differ from report to report, so nothing separates. The probabilities for a cell's direction and
share of the way are looked up in two small tables. Seen from nearby, a cell covers many directions and
shares: then the tables are averaged over 2, 4, … bins.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.estimate.em import Evidence
from noisewright.mechanisms import NumericMechanism
from noisewright.trajectory.mechanisms import TraCSD
from noisewright.trajectory.reconstruction.grid import Grid, Singles
from noisewright.trajectory.reconstruction.likelihood import AT_ONCE, ONE_HELD_IN, Likelihood, held_matrix
from noisewright.trajectory.spaces.base import interval_of
from noisewright.trajectory.spaces.earth import MEAN_RADIUS

BINS = 256
PARTS = 256
HALVINGS = 8
LEARN_FROM = 1 << 13
"""Most reports from which the population's density is learned: each needs a number for every cell."""


class PolarLikelihood(Likelihood):
    """What the reports of TraCS-D say about the cells of a grid."""

    def __init__(self, mechanism: TraCSD, reports: Floats, references: Floats, grid: Grid) -> None:
        super().__init__(grid)
        self._mechanism, self._references, self._centres = mechanism, references, grid.centres
        directions, distances = mechanism.coordinates
        angles, shares = mechanism.to_coordinates(references, reports)
        self._angle_parts = interval_of(angles, directions, PARTS)
        self._share_parts = interval_of(shares, distances, PARTS)
        self._own = grid.cell_of(reports)
        self._by_angle = _tables(mechanism.direction, around=True)
        self._by_share = _tables(mechanism.distance, around=False)
        origin = grid.vectors.mean(axis=0)
        self._cells = (grid.vectors - origin).astype(np.float32)
        self._from = (grid.space.embed(references) - origin).astype(np.float32)
        self._step = np.float32(np.hypot(*grid.usual_steps))
        self._bend = np.float32(0.999 / (2 * MEAN_RADIUS) ** 2 if grid.space.units == "metres" else 0)
        self._least = self._step / np.float32(grid.space.diameter)

    def of(self, rows: Cells) -> Singles:
        found = np.empty((rows.size, self.cells), dtype=np.float32)
        step = max(1, AT_ONCE // (8 * self.cells))
        for at in range(0, rows.size, step):
            found[at : at + step] = self._block(rows[at : at + step])
        return found

    def _block(self, rows: Cells) -> Singles:
        directions, distances = self._mechanism.coordinates
        angles, shares = self._mechanism.to_coordinates(self._references[rows, None], self._centres[None])
        gaps = self._from[rows, None] - self._cells
        chords = np.sqrt(np.einsum("rcd,rcd->rc", gaps, gaps))  # from the references to the cells
        away = np.maximum(chords, self._step / 2)
        # on the Earth, directions that part meet again at the antipode
        level = np.maximum(chords * np.sqrt(1 - self._bend * chords**2), self._step / 2)
        wide = _halvings(self._step / level * (BINS / directions.length))
        deep = _halvings(np.maximum(shares.astype(np.float32) * self._step / away, self._least) * BINS)
        toward, along = interval_of(angles, directions, BINS), interval_of(shares, distances, BINS)
        found = self._by_angle[wide, self._angle_parts[rows, None], toward]
        found *= self._by_share[deep, self._share_parts[rows, None], along]
        # even where windows are narrower than cells, some place in its own cell explains a report best
        found[np.arange(rows.size), self._own[rows]] = found.max(axis=1)
        return np.asarray(found)

    def evidence(self, rows: Cells) -> tuple[Evidence, Evidence]:
        most = max(1, min(LEARN_FROM, 4 * AT_ONCE // self.cells))
        chosen = rows[:: -(-rows.size // most)]
        held = np.arange(chosen.size) % ONE_HELD_IN == ONE_HELD_IN - 1
        return self._evidence(chosen[~held]), self._evidence(chosen[held])

    def _evidence(self, rows: Cells) -> Evidence:
        """Return evidence in which each report is an outcome seen once, without a matrix of all outcomes."""
        return Evidence([_SeenOnly(self.of(rows))], [np.ones(rows.size)])


class _SeenOnly:
    """A channel with known probabilities, up to a factor, for only the reports that were made."""

    def __init__(self, likelihood: Singles) -> None:
        self._likelihood = likelihood

    def forward(self, shares: Floats) -> Floats:
        return np.asarray(self._likelihood @ shares.astype(np.float32), dtype=np.float64)

    def backward(self, parts: Floats) -> Floats:
        return np.asarray(parts.astype(np.float32) @ self._likelihood, dtype=np.float64)

    def matrix(self) -> Floats:
        return np.asarray(self._likelihood.T, dtype=np.float64)


def _tables(channel: NumericMechanism, *, around: bool) -> Singles:
    """Return for every part of the reports its probability (times the number of parts) in each bin.

    Table number h is averaged over 2^h bins around each.
    """
    edges = channel.domain.start + channel.domain.length * np.arange(BINS + 1) / BINS
    plain = held_matrix(channel, edges, PARTS).T * PARTS
    tables = [plain]
    for halving in range(1, HALVINGS + 1):
        reach = 1 << (halving - 1)
        padded = np.pad(plain, ((0, 0), (reach, reach)), mode="wrap" if around else "edge")
        sums = np.cumsum(np.pad(padded, ((0, 0), (1, 0))), axis=1)
        upper = sums[:, 2 * reach : 2 * reach + BINS] + sums[:, 2 * reach + 1 :]
        lower = sums[:, :BINS] + sums[:, 1 : BINS + 1]
        tables.append((upper - lower) / (4 * reach))
    return np.ascontiguousarray(np.stack(tables), dtype=np.float32)


def _halvings(bins: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return which table fits a cell that covers the given number of bins."""
    return np.asarray(np.clip(np.ceil(np.log2(bins)), 0, HALVINGS), dtype=np.int64)
