"""The cumulative of a channel in closed form, one shape per family of mechanisms.

All shapes answer the same two questions for input cells: the probability of a report cell below a number of
cells, and the numbers of cells between which that probability is linear. They read the integers that the
sampler uses, so they are exact up to the last bits of a double.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from noisewright.domains import Cells, Floats
from noisewright.mechanisms import NumericMechanism
from noisewright.mechanisms.additive import LineNoise
from noisewright.mechanisms.basics.tables import Weights
from noisewright.mechanisms.basics.window import Window
from noisewright.mechanisms.piecewise import WindowMechanism
from noisewright.mechanisms.tabular import GridMechanism

Inputs = NDArray[np.int64] | np.int64


class Shape(Protocol):
    """The cumulative of a family of laws."""

    def below(self, inputs: Inputs, cells: Cells) -> Floats:
        """Return the probability of a report cell below each number of cells."""

    def knots(self, cell: int) -> Cells:
        """Return the numbers of cells between which the cumulative of one input cell is linear."""


def shape_of(mechanism: NumericMechanism) -> Shape:
    """Return the shape of a mechanism's laws."""
    if isinstance(mechanism, WindowMechanism) and not mechanism.window.circular:
        return WindowShape(mechanism.window)
    if isinstance(mechanism, LineNoise):
        return NoiseShape.of(mechanism)
    if isinstance(mechanism, GridMechanism):
        return TableShape.of(mechanism)
    return LawShape(mechanism)


@dataclass(frozen=True, eq=False)
class WindowShape:
    """With probability β anywhere, otherwise in the window: two straight rises."""

    window: Window

    def below(self, inputs: Inputs, cells: Cells) -> Floats:
        window = self.window
        place = np.clip(cells, 0, window.cells)
        inside = np.clip(place - window.begin(np.asarray(inputs)), 0, window.width)
        return np.asarray(
            place * (window.anywhere / window.cells) + inside * ((1 - window.anywhere) / window.width)
        )

    def knots(self, cell: int) -> Cells:
        begin = int(self.window.begin(np.array([cell]))[0])
        return np.unique([0, begin, begin + self.window.width, self.window.cells])


@dataclass(frozen=True, eq=False)
class NoiseShape:
    """Noise added to the true cell and clamped to the report range: one cumulative, shifted."""

    offsets: Cells
    cumulative: Floats
    margin: int
    cells: int

    @classmethod
    def of(cls, mechanism: LineNoise) -> NoiseShape:
        """Return the cumulative of the noise at the ends of its steps."""
        noise = mechanism.noise
        ends = noise.starts + noise.widths
        offsets = np.append(noise.starts[:1], ends)
        masses = np.append(0.0, noise.table.masses)
        if not (noise.starts[1:] == ends[:-1]).all():  # steps with gaps: each gap is a flat part
            offsets = np.stack([noise.starts, ends], axis=1).reshape(-1)
            masses = np.stack([np.zeros(ends.size), noise.table.masses], axis=1).reshape(-1)
        return cls(offsets, np.cumsum(masses), mechanism.steps.margin, mechanism.reports.lattice)

    def below(self, inputs: Inputs, cells: Cells) -> Floats:
        shifted = np.interp(cells - self.margin - np.asarray(inputs), self.offsets, self.cumulative)
        return np.where(cells <= 0, 0.0, np.where(cells >= self.cells, 1.0, shifted))

    def knots(self, cell: int) -> Cells:
        steps = self.offsets + (cell + self.margin)
        inner = steps[(steps > 1) & (steps < self.cells - 1)]
        return np.unique(np.concatenate([[0, 1], inner, [self.cells - 1, self.cells]]))


@dataclass(frozen=True, eq=False)
class TableShape:
    """A row of a table for each part of a grid; ``sums`` are the running sums of its integers, not a copy."""

    sums: Weights
    whole: float
    points: int
    lattice: int

    @classmethod
    def of(cls, mechanism: GridMechanism) -> TableShape:
        """Return the shape of a mechanism's table."""
        table = mechanism.table
        return cls(table.thresholds, float(1 << table.bits), mechanism.points, mechanism.domain.lattice)

    def below(self, inputs: Inputs, cells: Cells) -> Floats:
        place = np.clip(cells, 0, self.points)
        return np.asarray(np.where(place > 0, self.sums[self.rows(inputs), place - 1] / self.whole, 0.0))

    def rises(self, rows: Cells) -> Floats:
        """Return the whole cumulative of some rows, from 0 to 1."""
        return np.pad(self.sums[rows] / self.whole, ((0, 0), (1, 0)))

    def rows(self, inputs: Inputs) -> Cells:
        """Return the row of the table that each input cell takes."""
        return np.asarray(inputs) * self.points // self.lattice

    def knots(self, cell: int) -> Cells:
        return np.arange(self.points + 1)


@dataclass(frozen=True, eq=False)
class LawShape:
    """Any other mechanism on the unit interval: the runs of its law."""

    mechanism: NumericMechanism

    def below(self, inputs: Inputs, cells: Cells) -> Floats:
        domain, reports = self.mechanism.domain, self.mechanism.reports
        truth, edges = np.broadcast_arrays(domain.centres(inputs), reports.start + cells * reports.pitch)
        return np.asarray(self.mechanism.law(truth).cdf(edges))

    def knots(self, cell: int) -> Cells:
        law = self.mechanism.law(float(self.mechanism.domain.centres(cell)))
        ends = np.concatenate([law.start, law.start + law.count]).round().astype(np.int64)
        lattice = self.mechanism.reports.lattice
        return np.unique(np.clip(np.concatenate([[0, lattice], ends]), 0, lattice))
