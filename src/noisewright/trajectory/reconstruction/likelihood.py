"""The likelihood of each report in each cell: what a reconstruction needs to know about a mechanism."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from noisewright.domains import Cells, Floats
from noisewright.estimate.channel import channel_of
from noisewright.estimate.em import Evidence
from noisewright.mechanisms import NumericMechanism
from noisewright.trajectory.reconstruction.grid import Grid, Singles

AT_ONCE = 1 << 23
"""Numbers, one for each report and cell, that are in memory together."""

LEAST = 1e-30
"""A likelihood below this is raised to it, so that its logarithm stays finite."""

LOWEST = -50.0
"""The logarithm of the least share of the largest likelihood; times any prior it does not underflow."""

ONE_HELD_IN = 5
"""One report in five is held back to judge a density."""

FINE_PARTS = 512


class Likelihood(ABC):
    """The reports of one mechanism, seen from the cells of a grid."""

    def __init__(self, grid: Grid) -> None:
        self.cells, self._open = grid.size, grid.open

    @abstractmethod
    def of(self, rows: Cells) -> Singles:
        """Return a row for each report: its likelihood in each cell, up to a factor of the row."""

    @abstractmethod
    def evidence(self, rows: Cells) -> tuple[Evidence, Evidence]:
        """Return the evidence for EM: four fifths of the reports to fit a density, the rest to judge it."""

    def together(self, rows: Cells, starts: Cells) -> Singles:
        """Return the joint likelihood of groups of reports made at one place, up to a factor of the row.

        Group g begins at ``starts[g]``.
        """
        return self.joint(rows, starts)[0]

    def joint(self, rows: Cells, starts: Cells) -> tuple[Singles, Floats]:
        """Return :meth:`together`, and the logarithm of the factor that was taken out of each row.

        With the factors, the same reports can be compared under different groups.
        """
        ends = np.append(starts[1:], rows.size)
        found = np.empty((starts.size, self.cells), dtype=np.float32)
        factors = np.empty(starts.size)
        for group, (begin, end) in enumerate(zip(starts, ends, strict=True)):
            found[group], factors[group] = self._scale(self._logarithm(rows[begin:end]))
        return found, factors

    def _logarithm(self, rows: Cells) -> Singles:
        step = max(1, AT_ONCE // self.cells)
        total = np.zeros(self.cells, dtype=np.float32)
        for at in range(0, rows.size, step):
            total += np.log(np.maximum(self.of(rows[at : at + step]), LEAST)).sum(axis=0)
        return total

    def _scale(self, logarithms: Singles) -> tuple[Singles, Floats]:
        """Return likelihoods from their logarithms, the largest in open cells scaled to 1, and the factor.

        None underflows to zero, and none overflows in cells where nobody can be.
        """
        most = logarithms[..., self._open].max(axis=-1)
        scaled = np.exp(np.clip(logarithms - most[..., None], LOWEST, 0))
        return np.asarray(scaled, dtype=np.float32), np.asarray(most, dtype=np.float64)


def held_matrix(mechanism: NumericMechanism, edges: Floats, parts: int) -> Floats:
    """Return the probability of each of ``parts`` equal parts of the *domain* (columns) for each bin (rows).

    Reports that leave the domain have been moved to its nearest end.
    """
    domain, reports = mechanism.domain, mechanism.reports
    if reports == domain:
        return channel_of(mechanism, edges, parts).matrix()
    fine = channel_of(mechanism, edges, FINE_PARTS).matrix()
    cuts = (reports.start + reports.length * np.arange(FINE_PARTS + 1) / FINE_PARTS - domain.start) * (
        parts / domain.length
    )
    ends = np.arange(parts + 1, dtype=np.float64)
    ends[0], ends[-1] = -np.inf, np.inf  # the first and last part include everything beyond
    overlap = np.minimum(cuts[1:, None], ends[1:]) - np.maximum(cuts[:-1, None], ends[:-1])
    return np.asarray(fine @ (np.maximum(overlap, 0.0) / np.diff(cuts)[:, None]))
